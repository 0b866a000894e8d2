//! The rules of mintid: what a segment is, when a refill starts, how large a reservation is,
//! which options and names are valid, and what every failure is called.
//!
//! Nothing here does IO, spawns, sleeps, logs or reads a clock: time comes in as a [`Moment`],
//! and every function can be tested, and every atomic modelled, without a runtime.

pub mod clock;
pub mod error;
pub mod lease;
pub mod name;
pub mod options;
pub mod range;
pub mod segment;
pub mod snowflake;
pub mod step;
pub mod sync;

pub use clock::{Clock, ManualClock, ManualWallClock, Moment, WallClock};
pub use error::{Code, Error, Result};
pub use name::{Key, Name, Namespace};
pub use range::Range;
