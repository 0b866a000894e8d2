//! Why there is no lease, in the words that all stores have for it.

use mintid_core::{Code, Error};

use super::record::{LeaseRecord, millis, terms};
use crate::lease_store::{Claim, LeaseScope};

/// What was met on the way through the machine ids, none of which could be had.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// One that the same owner has claimed already, and may not have been told of.
    pub(crate) own: Option<(u32, LeaseRecord)>,
    /// Somebody who holds one.
    pub(crate) holder: String,
    /// How many have a ceiling that no good clock can have written.
    pub(crate) ahead: u32,
    /// How many have something in the place of a record.
    pub(crate) unreadable: u32,
    /// How many belong to clients that keep no records.
    pub(crate) foreign: u32,
}

/// The refusal of a claim by a table that has other terms.
pub(crate) fn mismatch(store: &str, recorded: &str, request: &Claim) -> Error {
    Error::LayoutMismatch {
        key: request.scope.to_string(),
        store: store.to_owned(),
        recorded: told_terms(recorded),
        given: told_terms(&terms(request)),
    }
}

/// The refusal of a claim by a store that has no such table and may not make it.
pub(crate) fn missing(store: &str, request: &Claim) -> Error {
    Error::RangeMissing {
        key: request.scope.to_string(),
        store: store.to_owned(),
    }
}

/// The refusal of a claimer whose clock is not the store's.
pub(crate) fn clock_off(store: &str, request: &Claim, store_ms: u64) -> Error {
    Error::ClockOff {
        store: store.to_owned(),
        clock_ms: request.now_ms,
        store_ms,
        limit_ms: millis(request.max_clock_skew),
    }
}

/// The refusal of a claim after a look at all machine ids.
pub(crate) fn exhausted(store: &str, request: &Claim, search: &Search) -> Error {
    let (lowest, highest) = request.machines;
    Error::MachineIdsExhausted {
        scope: format!("{} in store {store}", request.scope),
        lowest,
        count: (highest - lowest).saturating_add(1),
        holder: search.told(lowest == highest),
    }
}

/// The refusal to judge what is no record.
pub(crate) fn unreadable(store: &str, scope: &LeaseScope, machine: u32, found: &str) -> Error {
    Error::Refused {
        store: store.to_owned(),
        code: Code::StoreError,
        reason: format!(
            "the record of machine id {machine} of {scope} is {found:?}, which is no lease: set \
             it to 0|C|, where C is the highest Unix ms in any id that was made with it"
        ),
    }
}

impl Search {
    /// Who has them, as far as a person needs to know that.
    fn told(&self, is_one: bool) -> String {
        let kinds = [
            (self.foreign, "of clients that keep no records"),
            (self.ahead, "with a ceiling that lies too far ahead"),
            (self.unreadable, "with a record that cannot be read"),
        ];
        let others: Vec<_> = kinds
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| match is_one {
                true => (*what).to_owned(),
                false => format!("{count} {what}"),
            })
            .collect();
        match (is_one, others.is_empty()) {
            (true, true) => format!("is held by {}", self.holder),
            (true, false) => format!("is one {}", others.join(", ")),
            (false, true) => "is held".to_owned(),
            (false, false) => format!("is held or not to be used ({})", others.join(", ")),
        }
    }
}

fn told_terms(terms: &str) -> String {
    let mut parts = terms.splitn(3, '|');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(layout), Some(ttl), Some(skew)) => {
            format!("layout {layout}, ttl {ttl}, maxClockSkew {skew}")
        }
        _ => format!("{terms:?}"),
    }
}
