//! Every option, once: its name, type, bounds, default and meaning.
//!
//! The addon hands this table to JavaScript, which checks types and unknown names by it; the
//! constructors here check the bounds again. The TypeScript types and `docs/options.md` are held
//! against it by tests.

mod ids;
mod redis;
mod segment;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use ids::{IdsOptions, IdsPlan};
pub use redis::{Durability, Identity, TlsOptions};
pub use segment::{PolicyName, SegmentOptions, SegmentPlan};
pub use table::{Fallback, Kind, OPTIONS, OptionSpec, Scope};
pub use value::Shown;
