use std::time::Duration;

use mintid_core::Error;

/// Why a draw gave nothing, and when another one may.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// What is in the way.
    pub why: Why,
    /// What a caller is told that does not wait.
    pub error: Error,
}

/// What is in the way of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The present tick is used up: the next one begins after this time.
    Full(Duration),
    /// The clock went back a little: it will have caught up after this time.
    Behind(Duration),
    /// No machine number is held yet.
    NoLease,
    /// Waiting is of no use to this caller.
    Failed,
}

impl Refusal {
    pub(super) fn failed(error: Error) -> Self {
        Self {
            why: Why::Failed,
            error,
        }
    }
}
