//! Snowflake ids: a time, the number of a machine and a sequence number in 63 bits.
//!
//! [`Layout`] says which bits hold what, [`Tenure`] draws ids for one machine number as long as it
//! may. Who holds which number until when is told by [`lease`](crate::lease).
//!
//! **Invariant:** an id is drawn at most once. A machine number and a tick belong to one tenure,
//! because those of one number have disjoint spans of ticks; within a tenure one word only grows.

mod layout;
#[cfg(all(test, loom))]
mod loom_tenure;
mod tenure;
#[cfg(all(test, not(loom)))]
mod tests;

pub use crate::options::{LayoutOptions, Unit};
pub use layout::{Layout, Parts};
pub use tenure::{Draw, Tenure};
