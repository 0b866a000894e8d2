//! The store that fails to order: for tests of what is built on a store.
//!
//! It is the store in memory behind a row of switches, and grants nothing by itself. It has no
//! clock: whoever makes it says how it waits.

mod fault;
mod store;

pub use fault::Fault;
pub use store::{FaultyStore, LeaseCalls, Pause};

#[cfg(test)]
mod tests;
