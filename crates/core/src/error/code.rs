//! The table of the codes.

#[cfg(doc)]
use super::Error;

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
    /// See [`Error::ClockBackwards`] and [`Error::ClockOff`].
    ClockBackwards,
    /// See [`Error::TimestampExhausted`].
    TimestampExhausted,
    /// See [`Error::MachineIdsExhausted`].
    MachineIdsExhausted,
    /// See [`Error::LeaseLost`].
    LeaseLost,
    /// See [`Error::LeasePending`].
    LeasePending,
    /// See [`Error::IdInvalid`]; also told by bindings, which take ids from outside.
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
    pub const ALL: [Self; 19] = [
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
        Self::ClockBackwards,
        Self::TimestampExhausted,
        Self::MachineIdsExhausted,
        Self::LeaseLost,
        Self::LeasePending,
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
            Self::ClockBackwards => (
                "ERR_MINTID_CLOCK_BACKWARDS",
                true,
                "The clock went back further than `clockBackwardsMax`, or is further from the \
                 store's than `lease.maxClockSkew`. The message names both times. No id is served \
                 until the clock has caught up.",
            ),
            Self::TimestampExhausted => (
                "ERR_MINTID_TIMESTAMP_EXHAUSTED",
                false,
                "The layout of a Snowflake generator has no time left: its years are over. Start \
                 another namespace with another layout.",
            ),
            Self::MachineIdsExhausted => (
                "ERR_MINTID_MACHINE_IDS_EXHAUSTED",
                true,
                "Each machine number that this process may use is held by another. The message \
                 names the namespace and how many there are. Claims are tried again with back-off.",
            ),
            Self::LeaseLost => (
                "ERR_MINTID_LEASE_LOST",
                true,
                "The lease of the machine number was not renewed in time, or was taken or wiped. \
                 Another number is claimed by itself; the same call succeeds after that.",
            ),
            Self::LeasePending => (
                "ERR_MINTID_LEASE_PENDING",
                true,
                "No machine number is held yet. Wait for `ready()`. If a lease table is empty or \
                 may have lost something, the message names the end of the wait; \
                 `firstStart: true` skips it on the very first start.",
            ),
            Self::IdInvalid => (
                "ERR_MINTID_ID_INVALID",
                false,
                "A text or a value is no id: digits only, without sign, space, `0x` or leading \
                 zero, below 2^63, and no wider than the layout it is read by.",
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
