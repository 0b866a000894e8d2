//! What happens in the background, for those who want to know.
//!
//! Nothing that an id depends on goes through here: a listener that is slow misses events, and one
//! that fails harms nobody.

use std::sync::LazyLock;

use mintid_core::{Error, Range};
use tokio::sync::broadcast::{self, Receiver, Sender};

/// How many events wait for a slow listener; older ones are dropped and counted.
const WAITING: usize = 256;

static EVENTS: LazyLock<Sender<Event>> = LazyLock::new(|| broadcast::channel(WAITING).0);

/// Something that happened to a generator of this process.
#[derive(Debug, Clone)]
pub struct Event {
    /// The number of the generator, see
    /// [`SegmentGenerator::number`](crate::SegmentGenerator::number).
    pub generator: u64,
    /// What the store remembers it under.
    pub key: String,
    /// The store, without its password.
    pub store: String,
    /// What happened.
    pub what: What,
}

/// The kinds of events.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum What {
    /// A segment was reserved.
    Refill {
        /// Its ids.
        range: Range,
        /// How long the store took, in ms.
        elapsed_ms: u64,
    },
    /// A reservation failed. Final or not, ids in memory are served on.
    RefillFailed {
        /// Why.
        error: Error,
    },
    /// A counter was raised above everything this process had seen.
    Jumped {
        /// What the store remembered.
        from: u64,
        /// What it was raised to.
        to: u64,
        /// Why.
        reason: &'static str,
    },
    /// A store remembers less than this process has seen it grant.
    StoreWentBack {
        /// What was found.
        message: String,
    },
    /// Four fifths of the way to `max` are used.
    NearEnd {
        /// The highest id granted.
        last: u64,
        /// The highest id that may be granted.
        max: u64,
    },
    /// A counter was created.
    Created {
        /// Whether the store itself is new: a file in a container starts again at each deploy.
        new_store: bool,
    },
    /// A machine number is held, and ids are minted under it.
    LeaseAcquired {
        /// The number.
        machine: u32,
    },
    /// A machine number is held no longer; another one is claimed.
    LeaseLost {
        /// The number.
        machine: u32,
        /// How it was lost.
        message: String,
    },
    /// The clock stands further back than may be waited for.
    ClockBackwards {
        /// Both times.
        message: String,
    },
    /// The last handle of a generator is gone.
    Closed,
}

/// All events of the process from now on. A receiver that falls behind by 256 is told how many it
/// has missed.
pub fn events() -> Receiver<Event> {
    EVENTS.subscribe()
}

/// Tells whoever listens; makes the event only if somebody does.
pub(crate) fn emit(event: impl FnOnce() -> Event) {
    if EVENTS.receiver_count() > 0 {
        // It fails if the last listener has gone meanwhile.
        drop(EVENTS.send(event()));
    }
}
