//! The contract's words: what a store is asked, and what it answers.

use std::fmt;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::time::Duration;
use std::time::SystemTime;

use mintid_core::{Error, Key, Range, Result};

pub use crate::diagnosis::{Diagnosis, Finding, Level};
use crate::lease_store::LeaseStore;

/// A store's answer that is still to come.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// What remembers the highest id granted for each key, and grants the ranges above it.
///
/// | | invariant |
/// |---|---|
/// | S1 | ranges of one key never overlap and grow in completion order |
/// | S2 | the first range of a new key starts at `initial_offset`; of concurrent first reservations exactly one creates it |
/// | S3 | the returned range is the fact; no bound is ever inferred |
/// | S4 | gaps are allowed, duplicates never |
/// | S5 | values lie in `[0, 2^63 − 1)`: past that, or past `max`, `RANGE_EXHAUSTED`, the counter unchanged |
/// | S6 | a sealed key is never rebuilt; nothing here deletes a key |
/// | S7 | a store that went back below `floor` is noticed, and repaired only above `raise_to` |
///
/// A range exists only once its write is known to be committed: an answer that is given earlier is
/// a duplicate waiting for a full disk.
///
/// # Cancel safety
/// Dropping an answer may lose the range that was being granted; it never grants it twice.
pub trait RangeStore: Send + Sync + 'static {
    /// The store as a person knows it, without its password: `sqlite:/var/lib/app/ids.db`.
    fn name(&self) -> &str;

    /// Reaches the store, without reserving anything.
    ///
    /// # Errors
    /// What keeps the store from answering: `STORE_ERROR`, or `CONFIG_INVALID` for a place that
    /// can never work.
    fn connect(&self) -> Answer<'_, ()>;

    /// Grants the next `request.size` ids of a key.
    ///
    /// # Errors
    /// `RANGE_EXHAUSTED`, `RANGE_SEALED`, `RANGE_MISSING`, `LAYOUT_MISMATCH`, `STORE_WENT_BACK`,
    /// or `STORE_ERROR`; after any of them nothing has been granted.
    fn reserve(&self, request: Reserve) -> Answer<'_, Granted>;

    /// Seals a key: it never grants an id again. A key that does not exist leaves a tombstone,
    /// and sealing twice is fine. `true` if this call sealed it.
    ///
    /// # Errors
    /// `STORE_ERROR` or `STORE_WENT_BACK`.
    fn seal(&self, key: Key) -> Answer<'_, bool>;

    /// The counters whose keys begin with `prefix`, in the order of their keys.
    ///
    /// # Errors
    /// `STORE_ERROR` or `STORE_WENT_BACK`.
    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>>;

    /// Raises the counter of `key` to at least `value`, so that the next id is above it.
    /// `true` if it was lower.
    ///
    /// # Errors
    /// `RANGE_SEALED`, `RANGE_EXHAUSTED` for a value past the last id, `STORE_ERROR` or
    /// `STORE_WENT_BACK`.
    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool>;

    /// The leases of machine ids, in a store that has them.
    fn leases(&self) -> Option<&dyn LeaseStore> {
        None
    }

    /// What the store is like, and whether counters are safe in it. Reserves nothing.
    ///
    /// # Errors
    /// As for [`connect`](Self::connect).
    fn diagnose(&self) -> Answer<'_, Diagnosis> {
        Box::pin(async {
            self.connect().await?;
            Ok(Diagnosis::default())
        })
    }

    /// What keeps the store from answering at this moment, as far as it knows: for callers whose
    /// time is up before an answer has come.
    fn trouble(&self) -> Option<Error> {
        None
    }

    /// How often the store was reached anew. A store that was away and is back counts one more,
    /// and is asked again sooner than its last failure would have it.
    fn connections(&self) -> u64 {
        0
    }

    /// Waits until [`connections`](Self::connections) is above `seen`. A store that cannot tell
    /// never answers.
    fn reconnected(&self, _seen: u64) -> Answer<'_, ()> {
        Box::pin(std::future::pending())
    }

    /// Lets go of connections and files. Later calls fail with `CLOSED`.
    ///
    /// # Errors
    /// `STORE_ERROR` if the store could not be left in order; it is closed all the same.
    fn close(&self) -> Answer<'_, ()>;
}

/// One reservation.
#[derive(Debug, Clone)]
pub struct Reserve {
    /// What the counter is remembered under.
    pub key: Key,
    /// How many ids are asked for, at least 1.
    pub size: u64,
    /// The first id of a new key, at least 1; also a lower bound of every other range.
    pub initial_offset: u64,
    /// The highest id that may be granted.
    pub max: u64,
    /// The highest id that this process ever saw granted for the key.
    pub floor: Option<u64>,
    /// Where the counter is to be raised if it is found below `floor`: above `floor`, by a jump
    /// that no two processes share. `None` refuses instead.
    pub raise_to: Option<u64>,
    /// How far the counter leaps, at least, on a server that may have lost what it granted last.
    pub jump: u64,
    /// Whether a generator that the store does not know may be created.
    pub may_create: bool,
    /// The id of the store that this process has met before.
    pub store_id: Option<StoreId>,
    /// What kind of generator the key belongs to.
    pub record: Record,
    /// How long the caller waits before it gives up. A store that can be kept waiting answers with
    /// an error before that.
    pub patience: Duration,
}

/// A range that is committed, and what the store noticed while granting it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// The ids.
    pub range: Range,
    /// The id of the store that granted them.
    pub store_id: StoreId,
    /// Whether the counter was created by this reservation.
    pub created: bool,
    /// Whether the store had no counter before, and got its id with this one.
    pub new_store: bool,
    /// Whether the counter was found below the floor and raised.
    pub raised: Option<Raise>,
    /// Whether the counter was raised because the server may have lost what it granted last.
    pub jumped: Option<Raise>,
}

/// A counter that had gone back, or may have, and was raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raise {
    /// What the store remembered; 0 if it remembered nothing.
    pub from: u64,
    /// What the counter was raised to before anything was granted.
    pub to: u64,
}

/// What a store remembers of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// The key.
    pub key: String,
    /// The highest id granted; `None` for a key that was sealed before it was ever used.
    pub value: Option<u64>,
    /// Whether it grants no more ids.
    pub sealed: bool,
}

/// What a store is recognised by: a random id, written with its first counter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoreId(String);

impl StoreId {
    /// The id that a store has kept as `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// An id that no other store has: 128 random bits.
    ///
    /// The randomness is that of the standard library's hash maps, seeded by the system. Process
    /// and time are mixed in because a forked process inherits the seed.
    pub fn fresh() -> Self {
        let seed = RandomState::new();
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        let half = |which: u8| seed.hash_one((which, std::process::id(), now));
        Self(format!("{:016x}{:016x}", half(0), half(1)))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a store keeps of a generator at its first use and compares at each later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record {
    /// A dense counter.
    Segment,
}

impl Record {
    /// Whether all ids of such a generator come from one counter, made together with the record.
    pub fn has_one_counter(self) -> bool {
        match self {
            Self::Segment => true,
        }
    }

    /// The record as a store keeps it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Segment => "segment",
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} generator", self.as_str())
    }
}
