//! The Node.js addon: the engine's handles as JavaScript classes, private to the package.
//!
//! Nothing is decided here. Arguments were checked in JavaScript by the table that
//! [`options::option_table`] gives out; ids are written into arrays that JavaScript made; a pending
//! promise sits in a guard that settles it whatever happens to the task behind it.

use napi_derive::napi;

pub mod error;
pub mod events;
pub mod ids;
pub mod js_store;
pub mod options;
mod promise;
mod replies;
pub mod segment;
pub mod snowflake;
pub mod testing;
pub mod verify;
mod waits;

/// Which version this is. The JavaScript half refuses one that is not its own.
#[napi]
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
