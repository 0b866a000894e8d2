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
        return Err(Error::RangeSealed {
            key: request.key.to_string(),
        });
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
        .ok_or_else(|| Error::RangeExhausted {
            key: request.key.to_string(),
            size: request.size,
            last,
            max: request.max,
        })?;
    Ok(Granted {
        range,
        store_id,
        created: remembered.value.is_none() && raised.is_none(),
        new_store: remembered.store_id.is_none() && request.store_id.is_none(),
        raised,
    })
}

/// Judges a request to raise the counter of `key` to `value`: whether `value` is to be written.
///
/// # Errors
/// `RANGE_SEALED`, or `RANGE_EXHAUSTED` for a value past the last id.
pub fn decide_floor(remembered: &Remembered, key: &Key, value: u64) -> Result<bool> {
    if remembered.sealed {
        return Err(Error::RangeSealed {
            key: key.to_string(),
        });
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
        (Some(known), Some(found)) if known != found => Err(Error::StoreWentBack {
            store: store.to_owned(),
            reason: format!(
                "its id is {}, and this process has met {}: it was replaced by another store. \
                 Bring the first one back, or restart the process once the counters are known to \
                 be above every id in use",
                found.as_str(),
                known.as_str()
            ),
        }),
        (Some(known), None) if request.floor.is_none() => Err(Error::StoreWentBack {
            store: store.to_owned(),
            reason: format!(
                "it has lost its id {}, and this process never saw \"{}\", so nobody here knows \
                 how far that counter was: raise it above every id in use, then restart",
                known.as_str(),
                request.key
            ),
        }),
        (Some(known), _) => Ok(known.clone()),
        (None, Some(found)) => Ok(found.clone()),
        (None, None) => Ok(fresh()),
    }
}

fn compare_record(store: &str, remembered: &Remembered, request: &Reserve) -> Result<()> {
    match &remembered.record {
        Some(recorded) if recorded != request.record.as_str() => Err(Error::LayoutMismatch {
            key: request.key.to_string(),
            store: store.to_owned(),
            recorded: format!("a {recorded} generator"),
            given: request.record.to_string(),
        }),
        None if !request.may_create && request.floor.is_none() => Err(Error::RangeMissing {
            key: request.key.to_string(),
            store: store.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn repair_to(store: &str, remembered: &Remembered, request: &Reserve, floor: u64) -> Result<u64> {
    request
        .raise_to
        .map(|to| to.max(floor))
        .ok_or_else(|| Error::StoreWentBack {
            store: store.to_owned(),
            reason: format!(
                "\"{}\" stands at {}, and {floor} was granted before: raise it above {floor}, or \
                 set repair: true",
                request.key,
                remembered
                    .value
                    .map_or("nothing".to_owned(), |value| value.to_string()),
            ),
        })
}

#[cfg(test)]
mod tests;
