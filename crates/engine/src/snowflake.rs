//! Snowflake ids: minted from the clock, under a machine number that is leased from the store.
//!
//! All generators of a process on one store and namespace share one lease, and with it one machine
//! number and one sequence, so that their ids are unique across names.

mod constant;
mod generator;
mod keeper;
mod leaseholder;
mod refusal;
mod stats;

pub use constant::Snowflake;
pub use generator::{LeaseHealth, SnowflakeGenerator};
pub(crate) use leaseholder::OpenLease;
pub use refusal::{Refusal, Why};
pub use stats::SnowflakeStats;
