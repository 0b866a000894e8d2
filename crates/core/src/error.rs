//! Every failure of mintid: one enum, and one table of the codes that users match on.
//!
//! A message says what happened, with which value, and the way out.
//! `docs/errors.md` and the TypeScript union are held against [`Code::ALL`] by tests.

mod code;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use code::Code;

use crate::range::Range;

/// The result of everything in mintid that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, with the values that a person needs to put it right.
///
/// Cheap to clone: one failed refill is told to every caller that waited for it.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option, a name, a URL or an argument that cannot be used.
    #[error("{option} = {value}: {expected}")]
    ConfigInvalid {
        /// The option or argument, as the user wrote it.
        option: String,
        /// The value that was given.
        value: String,
        /// What would have been accepted.
        expected: String,
    },
    /// The store could not be reached while somebody waited for it to be ready.
    #[error("store {store} is not available: {cause}")]
    StoreUnavailable {
        /// The store, without its password.
        store: String,
        /// The failure behind it.
        cause: Arc<Error>,
    },
    /// The store was not reached, or gave no answer.
    #[error("store {store} is not available: {reason}")]
    Unreachable {
        /// The store, without its password.
        store: String,
        /// What the driver saw.
        reason: String,
    },
    /// The store answered with an error, not at all, or with something that is no answer.
    #[error("store {store}: {reason}")]
    Store {
        /// The store, without its password.
        store: String,
        /// What the store or its driver said.
        reason: String,
    },
    /// The store answered with a refusal, and said of what kind it is.
    #[error("store {store} refused: {reason}")]
    Refused {
        /// The store, without its password.
        store: String,
        /// What kind of refusal it is.
        code: Code,
        /// What the store said.
        reason: String,
    },
    /// A range was too old to be used when it arrived.
    #[error(
        "{range} arrived {age_ms} ms after it was asked for, which is more than rangeTtl: raise \
         rangeTtl, or find out why the store is slow"
    )]
    RangeStale {
        /// The ids, which are lost.
        range: Range,
        /// How long the answer took.
        age_ms: u64,
    },
    /// The store remembers less than this process has seen it grant.
    #[error("store {store} went back: {reason}")]
    StoreWentBack {
        /// The store, without its password.
        store: String,
        /// What was found, and the way out.
        reason: String,
    },
    /// A synchronous call found no id in memory.
    #[error(
        "no id of \"{name}\" is in memory: wait for ready() first, or raise `keep` to the \
         largest number that is taken at once"
    )]
    SegmentEmpty {
        /// The generator.
        name: String,
    },
    /// A synchronous call found the present tick used up.
    #[error(
        "every id of {scope} that holds the present time is used up: wait for the next tick, or \
         await next()"
    )]
    TickFull {
        /// The lease table.
        scope: String,
    },
    /// A caller got no id, for a reason that may pass.
    #[error("no id of \"{name}\" could be had: {cause}")]
    RangeUnavailable {
        /// The generator.
        name: String,
        /// The failure behind it.
        cause: Arc<Error>,
    },
    /// The refill, or the caller's share of it, took longer than it may.
    #[error("\"{name}\" was not refilled within {limit_ms} ms{}", because(trouble.as_deref()))]
    TimedOut {
        /// The generator.
        name: String,
        /// The limit that ran out.
        limit_ms: u64,
        /// What kept the store from answering, if it knew.
        trouble: Option<Arc<Error>>,
    },
    /// The key has no ids left below its highest one.
    #[error("\"{key}\" is exhausted: {size} more ids after {last} would pass max = {max}")]
    RangeExhausted {
        /// The key.
        key: String,
        /// How many ids were asked for.
        size: u64,
        /// The highest id granted so far.
        last: u64,
        /// The highest id that may be granted.
        max: u64,
    },
    /// The key was sealed: it will never grant an id again.
    #[error("\"{key}\" is sealed and grants no more ids")]
    RangeSealed {
        /// The key.
        key: String,
    },
    /// The generator is unknown to the store and may not be created.
    #[error(
        "\"{key}\" is unknown to store {store} and allowCreate is false: create it by one start \
         with allowCreate: true"
    )]
    RangeMissing {
        /// The key.
        key: String,
        /// The store, without its password.
        store: String,
    },
    /// The generator is recorded in the store with another shape.
    #[error("\"{key}\" is recorded in store {store} as {recorded}, not as {given}")]
    LayoutMismatch {
        /// The key.
        key: String,
        /// The store, without its password.
        store: String,
        /// What the store has.
        recorded: String,
        /// What this process wants.
        given: String,
    },
    /// A text or a number that is no id.
    #[error("{value} is no id: {expected}")]
    IdInvalid {
        /// What was given.
        value: String,
        /// What would have been accepted.
        expected: String,
    },
    /// No machine number is held yet.
    #[error("no machine number of {scope} is held yet{}", pending(*until_ms))]
    LeasePending {
        /// The lease table.
        scope: String,
        /// When numbers are given out again, in Unix ms by the store's clock; `None` if nothing
        /// stands in the way.
        until_ms: Option<u64>,
    },
    /// A machine number was held and is not any more.
    #[error(
        "machine number {machine} of {scope} is lost: {reason}; another is being claimed{}",
        because(trouble.as_deref())
    )]
    LeaseLost {
        /// The lease table.
        scope: String,
        /// The number.
        machine: u32,
        /// How it was lost.
        reason: String,
        /// What keeps another from being claimed, if it is known.
        trouble: Option<Arc<Error>>,
    },
    /// Each machine number that may be used is held.
    #[error(
        "{} of {scope} {holder}: close a process, give it more numbers by machineRange or \
         machineBits, or wait for a lease to end",
        taken(*count, *lowest)
    )]
    MachineIdsExhausted {
        /// The lease table.
        scope: String,
        /// The lowest number that was looked at.
        lowest: u32,
        /// How many numbers were looked at.
        count: u32,
        /// Who holds them, as far as that is known, or what else is wrong with them.
        holder: String,
    },
    /// The clock stands before the time last used, further than may be waited for.
    #[error(
        "system clock went back {} ms, from {last_ms} to {clock_ms} (Unix ms), more than \
         clockBackwardsMax = {limit_ms}: fix the clock or raise the limit",
        last_ms.saturating_sub(*clock_ms)
    )]
    ClockBackwards {
        /// What the clock tells, in Unix ms.
        clock_ms: u64,
        /// What it has to reach, in Unix ms.
        last_ms: u64,
        /// How far back it may be.
        limit_ms: u64,
    },
    /// The clock differs from the store's.
    #[error(
        "system clock tells {clock_ms} and store {store} tells {store_ms} (Unix ms), {} ms apart, \
         more than maxClockSkew = {limit_ms} allows: fix the clock of either",
        clock_ms.abs_diff(*store_ms)
    )]
    ClockOff {
        /// The store, without its password.
        store: String,
        /// What the clock tells, in Unix ms.
        clock_ms: u64,
        /// What the store's clock tells, in Unix ms.
        store_ms: u64,
        /// How far they may be apart.
        limit_ms: u64,
    },
    /// The layout has no time left.
    #[error(
        "layout {layout} ended at {ended_ms} (Unix ms): give another namespace a layout with more \
         timestampBits or a later epoch"
    )]
    TimestampExhausted {
        /// The layout.
        layout: String,
        /// The last ms that it can hold.
        ended_ms: u64,
    },
    /// A generator that is a constant was used before the process was given a store.
    #[error("\"{name}\" has no store yet: call init with a URL first")]
    NotConnected {
        /// The generator.
        name: String,
    },
    /// The handle was closed.
    #[error("\"{name}\" is closed")]
    Closed {
        /// The generator or the store.
        name: String,
    },
}

impl Error {
    /// A [`Error::ConfigInvalid`] about `option`.
    pub fn config(
        option: impl Into<String>,
        value: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::ConfigInvalid {
            option: option.into(),
            value: value.to_string(),
            expected: expected.into(),
        }
    }

    /// The stable code of this failure.
    pub fn code(&self) -> Code {
        match self {
            Self::ConfigInvalid { .. } => Code::ConfigInvalid,
            Self::StoreUnavailable { .. } | Self::Unreachable { .. } => Code::StoreUnavailable,
            Self::Store { .. } | Self::RangeStale { .. } => Code::StoreError,
            Self::Refused { code, .. } => *code,
            Self::StoreWentBack { .. } => Code::StoreWentBack,
            Self::SegmentEmpty { .. } | Self::TickFull { .. } => Code::SegmentEmpty,
            Self::RangeUnavailable { .. } | Self::TimedOut { .. } => Code::RangeUnavailable,
            Self::RangeExhausted { .. } => Code::RangeExhausted,
            Self::RangeSealed { .. } => Code::RangeSealed,
            Self::RangeMissing { .. } => Code::RangeMissing,
            Self::LayoutMismatch { .. } => Code::LayoutMismatch,
            Self::IdInvalid { .. } => Code::IdInvalid,
            Self::LeasePending { .. } => Code::LeasePending,
            Self::LeaseLost { .. } => Code::LeaseLost,
            Self::MachineIdsExhausted { .. } => Code::MachineIdsExhausted,
            Self::ClockBackwards { .. } | Self::ClockOff { .. } => Code::ClockBackwards,
            Self::TimestampExhausted { .. } => Code::TimestampExhausted,
            Self::NotConnected { .. } => Code::NotConnected,
            Self::Closed { .. } => Code::Closed,
        }
    }

    /// Whether the same call may succeed later without a change of code or settings.
    ///
    /// A refill that fails for good is not tried again.
    pub fn is_retryable(&self) -> bool {
        self.code().is_retryable()
    }

    /// The failure behind this one.
    pub fn cause(&self) -> Option<&Error> {
        match self {
            Self::StoreUnavailable { cause, .. } | Self::RangeUnavailable { cause, .. } => {
                Some(cause)
            }
            Self::TimedOut { trouble, .. } | Self::LeaseLost { trouble, .. } => trouble.as_deref(),
            _ => None,
        }
    }

    /// The failure at the bottom of this one: itself, if nothing is behind it.
    pub fn root(&self) -> &Error {
        self.cause().map_or(self, Self::root)
    }

    /// How a caller of the generator `name` sees this failure of a refill.
    ///
    /// What may pass becomes a [`Error::RangeUnavailable`] with the failure as its cause; what is
    /// final, a store that went back, and a caller's own time limit come as themselves.
    ///
    /// ```
    /// use mintid_core::{Code, Error};
    /// let sealed = Error::RangeSealed { key: "orders".to_owned() };
    /// assert_eq!(sealed.for_caller("orders").code(), Code::RangeSealed);
    /// let away = Error::Store { store: "memory:".to_owned(), reason: "away".to_owned() };
    /// assert_eq!(away.for_caller("orders").code(), Code::RangeUnavailable);
    /// ```
    pub fn for_caller(self, name: &str) -> Self {
        match self.code() {
            Code::StoreError | Code::StoreUnavailable => Self::RangeUnavailable {
                name: name.to_owned(),
                cause: Arc::new(self),
            },
            _ => self,
        }
    }
}

fn because(trouble: Option<&Error>) -> String {
    trouble.map_or(String::new(), |error| format!(": {error}"))
}

fn pending(until_ms: Option<u64>) -> String {
    until_ms.map_or(": wait for ready() first".to_owned(), |until_ms| {
        format!(
            ": its lease table is empty or another one, and leases that it may have lost could be \
             in use until {until_ms} (Unix ms by the store's clock). Wait, or set firstStart: true \
             if this is the very first start"
        )
    })
}

fn taken(count: u32, lowest: u32) -> String {
    match count {
        1 => format!("machine number {lowest}"),
        _ => format!("each of the {count} machine numbers from {lowest} on"),
    }
}
