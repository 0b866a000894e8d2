//! The embedded default: one SQLite file on a local disk, shared by the processes of one host.
//!
//! It is no store for several hosts, and refuses a network file system, where neither SQLite's
//! locks nor its shared memory can be trusted.
//!
//! Invariant: whatever touches the file runs under the advisory lock on `<path>.lock`, on a
//! connection whose file is the one that the path names at that moment, and to its end even if
//! its caller has gone. SQLite's own locks are not enough: POSIX drops all locks of a process on a
//! file as soon as any of its SQLite libraries closes that file.

mod counters;
mod error;
mod filesystem;
mod leases;
mod lock;
mod options;
mod place;
mod reserve;
mod schema;
mod session;
mod store;

pub use options::SqliteOptions;
pub use store::SqliteStore;

#[cfg(test)]
mod tests;
