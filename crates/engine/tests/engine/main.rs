//! The engine through its public face: one file per behaviour, one binary for all of them.
//!
//! Time is moved by hand wherever the engine is asked how long; what only a real clock or a real
//! file can show is in `any_runtime.rs` and `sqlite.rs`.

mod any_runtime;
mod backing_off;
mod bad_answers;
mod block;
mod cancelled;
mod closing;
mod ending;
mod expiry;
mod hanging;
mod next_range;
mod policies;
mod ready;
mod reconnecting;
mod sharing;
mod snowflake;
mod sqlite;
mod support;
mod waiting;
mod went_back;
