//! The one judgement behind every reservation: from what a store remembers and what it is asked,
//! what is granted and what has to be written.
//!
//! Pure, so that all stores agree. A store that can run a transaction reads a [`Remembered`],
//! calls [`decide`], writes what was granted and commits before it believes anything.

use mintid_core::range::MAX_ID;
use mintid_core::{Error, Key, Range, Result};

use crate::range_store::{Granted, Raise, Reserve, StoreId};

/// What a store remembers, read inside the transaction that will write the decision.
#[derive(Debug, Clone, Default)]
pub struct Remembered {
    /// The store's own id; `None` in a store that is new or was wiped.
    pub store_id: Option<StoreId>,
    /// The generator's record, as the store keeps it.
    pub record: Option<String>,
    /// The highest id granted for the key.
    pub value: Option<u64>,
    /// Whether the key is sealed.
    pub sealed: bool,
}

/// Judges one reservation. What it grants is to be written as it says: the last id of the range as
/// the counter, the store id and the request's record where the store has none.
///
/// `fresh` makes the id of a store that has none and that nobody has met.
///
/// # Errors
/// The refusals that [`RangeStore::reserve`](crate::RangeStore::reserve) lists, naming `store`.
pub fn decide(
    store: &str,
    remembered: &Remembered,
    request: &Reserve,
    fresh: impl FnOnce() -> StoreId,
) -> Result<Granted> {
    if remembered.sealed {
        return Err(sealed(request.key.as_str()));
    }
    let store_id = recognise(store, remembered, request, fresh)?;
    compare_record(store, remembered, request)?;

    let lowest = request.initial_offset.saturating_sub(1);
    let mut last = remembered.value.unwrap_or(lowest).max(lowest);
    let mut raised = None;
    if let Some(floor) = request.floor
        && remembered.value.is_none_or(|value| value < floor)
    {
        let to = repair_to(store, remembered, request, floor)?;
        raised = Some(Raise {
            from: remembered.value.unwrap_or(0),
            to,
        });
        last = last.max(to);
    }

    let range = Range::after(last, request.size)
        .filter(|range| range.last() <= request.max)
        .ok_or_else(|| exhausted(request, last))?;
    Ok(Granted {
        range,
        store_id,
        created: remembered.value.is_none() && raised.is_none(),
        new_store: remembered.store_id.is_none() && request.store_id.is_none(),
        raised,
        // Only a store that cannot tell what it has lost leaps for no other reason.
        jumped: None,
    })
}

/// Judges a request to raise the counter of `key` to `value`: whether `value` is to be written.
///
/// # Errors
/// `RANGE_SEALED`, or `RANGE_EXHAUSTED` for a value past the last id.
pub fn decide_floor(remembered: &Remembered, key: &Key, value: u64) -> Result<bool> {
    if remembered.sealed {
        return Err(sealed(key.as_str()));
    }
    if value > MAX_ID {
        return Err(Error::RangeExhausted {
            key: key.to_string(),
            size: 1,
            last: value,
            max: MAX_ID,
        });
    }
    Ok(remembered.value.is_none_or(|last| last < value))
}

/// Whether this is the store that the process has met before; a wiped one takes its id back from
/// a process that can raise the counter above all it has seen.
fn recognise(
    store: &str,
    remembered: &Remembered,
    request: &Reserve,
    fresh: impl FnOnce() -> StoreId,
) -> Result<StoreId> {
    match (&request.store_id, &remembered.store_id) {
        (Some(known), Some(found)) if known != found => {
            Err(replaced(store, found.as_str(), request))
        }
        (Some(_), None) if request.floor.is_none() => Err(lost_id(store, request)),
        (Some(known), _) => Ok(known.clone()),
        (None, Some(found)) => Ok(found.clone()),
        (None, None) => Ok(fresh()),
    }
}

fn compare_record(store: &str, remembered: &Remembered, request: &Reserve) -> Result<()> {
    match &remembered.record {
        Some(recorded) if recorded != request.record.as_str() => {
            Err(mismatch(store, recorded, request))
        }
        _ if request.floor.is_some() => Ok(()),
        None if !request.may_create => Err(missing(store, request.key.as_str())),
        // Record and counter are written together: where only one is left, the other was deleted.
        Some(_) if remembered.value.is_none() && request.record.has_one_counter() => {
            Err(deleted(store, request.key.as_str()))
        }
        _ => Ok(()),
    }
}

fn repair_to(store: &str, remembered: &Remembered, request: &Reserve, floor: u64) -> Result<u64> {
    request
        .raise_to
        .map(|to| to.max(floor))
        .ok_or_else(|| went_back(store, remembered.value, request))
}

/// The refusal of a key that was sealed.
pub(crate) fn sealed(key: &str) -> Error {
    Error::RangeSealed {
        key: key.to_owned(),
    }
}

/// The refusal of a key that has no ids left after `last`.
pub(crate) fn exhausted(request: &Reserve, last: u64) -> Error {
    Error::RangeExhausted {
        key: request.key.to_string(),
        size: request.size,
        last,
        max: request.max,
    }
}

/// The refusal by a store that does not know a generator and may not create it.
pub(crate) fn missing(store: &str, key: &str) -> Error {
    Error::RangeMissing {
        key: key.to_owned(),
        store: store.to_owned(),
    }
}

/// The refusal by a store that has the generator as `recorded`.
pub(crate) fn mismatch(store: &str, recorded: &str, request: &Reserve) -> Error {
    Error::LayoutMismatch {
        key: request.key.to_string(),
        store: store.to_owned(),
        recorded: format!("a {recorded} generator"),
        given: request.record.to_string(),
    }
}

/// The refusal by a store that is not the one which this process has met.
pub(crate) fn replaced(store: &str, found: &str, request: &Reserve) -> Error {
    Error::StoreWentBack {
        store: store.to_owned(),
        reason: format!(
            "its id is {found}, and this process has met {}: it was replaced by another store. \
             Bring the first one back, or restart the process once the counters are known to be \
             above every id in use",
            known(request)
        ),
    }
}

/// The refusal by a store that has lost its id, to a process that never saw the key.
pub(crate) fn lost_id(store: &str, request: &Reserve) -> Error {
    Error::StoreWentBack {
        store: store.to_owned(),
        reason: format!(
            "it has lost its id {}, and this process never saw \"{}\", so nobody here knows how \
             far that counter was: raise it above every id in use, then restart",
            known(request),
            request.key
        ),
    }
}

/// The refusal by a store that knows the generator and has no counter for it.
pub(crate) fn deleted(store: &str, key: &str) -> Error {
    Error::StoreWentBack {
        store: store.to_owned(),
        reason: format!(
            "it knows \"{key}\" and has no counter for it, which somebody deleted: raise it above \
             every id in use, such as by mintid floor"
        ),
    }
}

/// The refusal by a store whose counter is below what the process has seen, where none is raised.
pub(crate) fn went_back(store: &str, value: Option<u64>, request: &Reserve) -> Error {
    let floor = request.floor.unwrap_or(0);
    Error::StoreWentBack {
        store: store.to_owned(),
        reason: format!(
            "\"{}\" stands at {}, and {floor} was granted before: raise it above {floor}, or set \
             repair: true",
            request.key,
            value.map_or("nothing".to_owned(), |value| value.to_string()),
        ),
    }
}

fn known(request: &Reserve) -> &str {
    request.store_id.as_ref().map_or("none", StoreId::as_str)
}

#[cfg(test)]
mod tests;
