//! What remembers the highest id granted, and who holds which machine id: two traits, one folder
//! per store, a contract for each trait that judges them all.
//!
//! A store decides nothing but what [`grant`] and [`lease_grant`] tell it and knows no other store.
//! Nothing of it runs without a call; one whose caller has gone may still be brought to its end,
//! and a connection that was made is kept until its store is closed.

pub mod contract;
pub mod diagnosis;
pub mod faulty;
pub mod grant;
pub mod lease_contract;
pub mod lease_grant;
pub mod lease_store;
pub mod memory;
pub mod range_store;
pub mod redis;
pub mod sqlite;
mod unix_clock;

pub use diagnosis::{Diagnosis, Finding, Level};
pub use lease_store::{
    Claim, Claimed, LeaseScope, LeaseStore, Machine, Owner, Release, Renew, Renewed,
};
pub use range_store::{Answer, Counter, Granted, Raise, RangeStore, Record, Reserve, StoreId};
