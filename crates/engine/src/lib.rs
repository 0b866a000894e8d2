//! Distributed 64-bit IDs: dense, increasing and unique over all processes of a store.
//!
//! A generator reserves a *segment* of ids in one step from a store that all processes share, and
//! serves it from memory: one atomic addition an id. The next segment is reserved before the
//! current one is used up, and its size follows the load.
//!
//! ```
//! # futures_lite_block_on(async {
//! use mintid::Ids;
//!
//! let ids = Ids::new("memory:")?; // "sqlite:ids.db" for all processes of one host
//! let orders = ids.segment("orders")?;
//! assert_eq!(orders.next().await?, 1);
//! assert_eq!(orders.next_batch(3).await?, [2, 3, 4]);
//! # Ok::<(), mintid::Error>(())
//! # }).unwrap();
//! # fn futures_lite_block_on<T>(future: impl Future<Output = T>) -> T {
//! #     mintid::runtime().block_on(future)
//! # }
//! ```
//!
//! Everything may be awaited on any runtime: refills run on a background thread of their own.
//!
//! **Never a duplicate.** A process that dies, pauses or loses its connection leaves a gap, not a
//! second owner of an id. A store that went back, such as a restored backup, is noticed by every
//! process that has seen it further, and raised above that before it grants again.

mod answer;
mod block;
mod engine;
mod event;
mod generator;
mod ids;
mod kvid;
mod open;
mod own;
mod refill;
mod runtime;
mod snowflake;
mod store;
mod timer;
mod waiting;

pub use block::Block;
pub use event::{Event, What, events};
pub use generator::SegmentGenerator;
pub use ids::{Health, Ids};
pub use kvid::{KvId, default_ids, init, init_with};
pub use mintid_core::options::{
    self, IdsOptions, LayoutOptions, LeaseOptions, PolicyName, SegmentOptions, SnowflakeOptions,
};
pub use mintid_core::segment::{Need, Stats};
pub use mintid_core::snowflake::{Layout, Parts};
pub use mintid_core::{Clock, Code, Error, Key, Moment, Name, Namespace, Range, Result};
pub use mintid_stores as stores;
pub use own::OwnStore;
pub use runtime::{copy_id, runtime, settle};
pub use snowflake::{LeaseHealth, Refusal, Snowflake, SnowflakeGenerator, SnowflakeStats, Why};
pub use timer::{ManualTimer, Sleep, SystemTimer, Timer};
