//! The segments that wait behind the current one.

use std::collections::VecDeque;

use super::Grant;
use crate::clock::Moment;

/// How many segments may wait. One is the rule; more come from answers that arrive late, and where
/// `keep` is many steps.
pub const MOST_BUFFERED: usize = 1024;

/// Granted ranges in the order in which they were granted, and how many ids they hold.
#[derive(Debug, Default)]
pub(super) struct Buffered {
    grants: VecDeque<Grant>,
    ids: u64,
}

impl Buffered {
    pub(super) fn ids(&self) -> u64 {
        self.ids
    }

    pub(super) fn is_empty(&self) -> bool {
        self.grants.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.grants.len() >= MOST_BUFFERED
    }

    pub(super) fn push(&mut self, grant: Grant) {
        self.ids += grant.range.len();
        self.grants.push_back(grant);
    }

    pub(super) fn pop(&mut self) -> Option<Grant> {
        let grant = self.grants.pop_front()?;
        self.ids -= grant.range.len();
        Some(grant)
    }

    /// Drops what has grown too old; returns how many ids that were.
    pub(super) fn drop_expired(&mut self, now: Moment) -> u64 {
        let before = self.ids;
        while self
            .grants
            .front()
            .is_some_and(|grant| grant.is_expired(now))
        {
            self.pop();
        }
        before - self.ids
    }

    /// Drops everything; returns how many ids that were.
    pub(super) fn clear(&mut self) -> u64 {
        self.grants.clear();
        std::mem::take(&mut self.ids)
    }
}
