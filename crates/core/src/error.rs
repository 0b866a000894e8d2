//! Every failure of mintid: one enum, and one table of the codes that users match on.
//!
//! A message says what happened, with which value, and the way out.
//! `docs/errors.md` and the TypeScript union are held against [`Code::ALL`] by tests.

#[cfg(test)]
mod tests;

use std::sync::Arc;

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
            Self::SegmentEmpty { .. } => Code::SegmentEmpty,
            Self::RangeUnavailable { .. } | Self::TimedOut { .. } => Code::RangeUnavailable,
            Self::RangeExhausted { .. } => Code::RangeExhausted,
            Self::RangeSealed { .. } => Code::RangeSealed,
            Self::RangeMissing { .. } => Code::RangeMissing,
            Self::LayoutMismatch { .. } => Code::LayoutMismatch,
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
            Self::TimedOut { trouble, .. } => trouble.as_deref(),
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

/// The stable name of a failure, the same in Rust, TypeScript, the docs and the CLI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// See [`Error::ConfigInvalid`].
    ConfigInvalid,
    /// See [`Error::NotConnected`].
    NotConnected,
    /// See [`Error::StoreUnavailable`] and [`Error::Unreachable`].
    StoreUnavailable,
    /// See [`Error::Store`] and [`Error::Refused`].
    StoreError,
    /// See [`Error::StoreWentBack`].
    StoreWentBack,
    /// See [`Error::SegmentEmpty`].
    SegmentEmpty,
    /// See [`Error::RangeUnavailable`] and [`Error::TimedOut`].
    RangeUnavailable,
    /// See [`Error::RangeExhausted`].
    RangeExhausted,
    /// See [`Error::RangeSealed`].
    RangeSealed,
    /// See [`Error::RangeMissing`].
    RangeMissing,
    /// See [`Error::LayoutMismatch`].
    LayoutMismatch,
    /// A text or a value that is no id: told by bindings, which take ids from outside.
    IdInvalid,
    /// An id that a double cannot hold: told by bindings.
    IdUnsafe,
    /// See [`Error::Closed`].
    Closed,
}

/// A row of the error table.
struct Row {
    text: &'static str,
    retryable: bool,
    doc: &'static str,
}

impl Code {
    /// All codes, in the order of the docs page.
    pub const ALL: [Self; 14] = [
        Self::ConfigInvalid,
        Self::NotConnected,
        Self::StoreUnavailable,
        Self::StoreError,
        Self::StoreWentBack,
        Self::SegmentEmpty,
        Self::RangeUnavailable,
        Self::RangeExhausted,
        Self::RangeSealed,
        Self::RangeMissing,
        Self::LayoutMismatch,
        Self::IdInvalid,
        Self::IdUnsafe,
        Self::Closed,
    ];

    /// The code as users see it, such as `ERR_MINTID_RANGE_SEALED`.
    pub fn as_str(self) -> &'static str {
        self.row().text
    }

    /// Whether a failure with this code may pass by itself.
    pub fn is_retryable(self) -> bool {
        self.row().retryable
    }

    /// What the code means and what to do, for the docs page.
    pub fn doc(self) -> &'static str {
        self.row().doc
    }

    fn row(self) -> Row {
        let (text, retryable, doc) = match self {
            Self::ConfigInvalid => (
                "ERR_MINTID_CONFIG_INVALID",
                false,
                "An option, a name, a URL or an argument cannot be used. The message names it, \
                 the value and what is accepted.",
            ),
            Self::NotConnected => (
                "ERR_MINTID_NOT_CONNECTED",
                false,
                "A `KvId` was used before `init` gave the process a store.",
            ),
            Self::StoreUnavailable => (
                "ERR_MINTID_STORE_UNAVAILABLE",
                true,
                "The store could not be reached, or did not answer in time. Thrown by `connect` \
                 and `ready`; a caller who waits for ids finds it as the `cause`.",
            ),
            Self::StoreError => (
                "ERR_MINTID_STORE_ERROR",
                true,
                "The store answered with an error, too late, or with something that is no answer. \
                 Refills are retried with back-off.",
            ),
            Self::StoreWentBack => (
                "ERR_MINTID_STORE_WENT_BACK",
                true,
                "The store remembers less than this process has seen it grant: a restored backup, \
                 a deleted row, a replaced file. No id is served until the counter is above the \
                 highest id seen.",
            ),
            Self::SegmentEmpty => (
                "ERR_MINTID_SEGMENT_EMPTY",
                true,
                "A synchronous call found no id in memory. Wait for `ready()` at start, and set \
                 `keep` to the largest number that is taken at once.",
            ),
            Self::RangeUnavailable => (
                "ERR_MINTID_RANGE_UNAVAILABLE",
                true,
                "A caller got no id in time or because the store failed; `cause` says why. The \
                 same call may succeed later.",
            ),
            Self::RangeExhausted => (
                "ERR_MINTID_RANGE_EXHAUSTED",
                false,
                "The generator has reached its `max`. Raise `max`, or start another generator.",
            ),
            Self::RangeSealed => (
                "ERR_MINTID_RANGE_SEALED",
                false,
                "The key was sealed and will never grant an id again.",
            ),
            Self::RangeMissing => (
                "ERR_MINTID_RANGE_MISSING",
                false,
                "The generator is unknown to the store and `allowCreate` is false: the wrong \
                 store, or a first start.",
            ),
            Self::LayoutMismatch => (
                "ERR_MINTID_LAYOUT_MISMATCH",
                false,
                "The generator is recorded in the store with another shape. One of the two \
                 processes is configured wrongly.",
            ),
            Self::IdInvalid => (
                "ERR_MINTID_ID_INVALID",
                false,
                "A text or a value is no id: digits only, without sign, space, `0x` or leading \
                 zero, below 2^63.",
            ),
            Self::IdUnsafe => (
                "ERR_MINTID_ID_UNSAFE",
                false,
                "An id above 2^53 − 1 cannot become a number without being rounded. Keep it a \
                 bigint, or send it as text.",
            ),
            Self::Closed => (
                "ERR_MINTID_CLOSED",
                false,
                "The handle, or the store behind it, was closed.",
            ),
        };
        Row {
            text,
            retryable,
            doc,
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
