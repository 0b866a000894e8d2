//! Leases: who may use a machine number until when, and when to ask the store again.
//!
//! [`LeaseState`] is the life of one lease as the process sees it. It does no IO: the engine asks
//! it what is due, carries that to the store and brings the answers back.
//!
//! **Invariant:** a lease is held only from the answer to a renewal by the token that claimed it
//! until its deadline, which was counted from before that renewal was sent. This is what callers
//! are told by; that no id repeats rests on the ceiling of a [`Tenure`](crate::snowflake::Tenure)
//! alone.

mod state;
#[cfg(all(test, not(loom)))]
mod tests;

pub use crate::options::{LeaseOptions, LeasePlan, Machines};
pub use state::{Attempt, LeaseState, Loss, Next};
