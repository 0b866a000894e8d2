//! The least that an addon can be: what Node, the system and napi take to load any.

use napi_derive::napi;

/// The one thing that it gives.
#[napi]
pub const EMPTY: bool = true;
