//! The store that forgets everything with its process: for tests and for trying things out.
//!
//! Invariant: a reservation is judged and remembered under one lock, so that it is committed by
//! the time it is seen.

mod leases;
mod store;

pub use store::MemoryStore;

#[cfg(test)]
mod tests;
