//! What remembers the highest id granted: one trait, one folder per store, one contract that
//! judges them all.
//!
//! A store decides nothing but what [`grant::decide`] tells it and knows no other store. Nothing of
//! it runs without a call; one whose caller has gone may still be brought to its end, and a
//! connection that was made is kept until its store is closed.

pub mod contract;
pub mod diagnosis;
pub mod faulty;
pub mod grant;
pub mod memory;
pub mod range_store;
pub mod redis;
pub mod sqlite;

pub use diagnosis::{Diagnosis, Finding, Level};
pub use range_store::{Answer, Counter, Granted, Raise, RangeStore, Record, Reserve, StoreId};
