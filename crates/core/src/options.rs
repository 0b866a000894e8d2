//! Every option, once: its name, type, bounds, default and meaning.
//!
//! The addon hands this table to JavaScript, which checks types and unknown names by it; the
//! constructors here check the bounds again. The TypeScript types and `docs/options.md` are held
//! against it by tests.

mod ids;
mod kind;
mod layout;
mod lease;
mod redis;
mod segment;
mod snowflake;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use ids::{IdsOptions, IdsPlan};
pub use kind::{Fallback, Kind};
pub use layout::{LayoutOptions, Unit};
pub use lease::{LeaseOptions, LeasePlan};
pub use redis::{Durability, Identity, TlsOptions};
pub use segment::{PolicyName, SegmentOptions, SegmentPlan};
pub use snowflake::{Machines, SnowflakeOptions, SnowflakePlan};
pub use table::{OPTIONS, OptionSpec, Scope};
pub use value::Shown;
pub(crate) use value::check_given;
