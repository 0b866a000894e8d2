//! What a store may answer.
//!
//! Stores are trusted to be careful, and checked all the same: a store may be somebody else's.

use mintid_core::{Error, Range, Result};
use mintid_stores::{Granted, Reserve};

/// Checks the answer to `request`: no more than was asked for, and above all that this process had
/// seen when it asked. A later answer may be lower than a floor that was raised meanwhile, so it
/// is compared with the floor that was *sent*.
///
/// # Errors
/// `STORE_WENT_BACK` for a range that was granted before, `STORE_ERROR` for one that is none.
pub(crate) fn judge(store: &str, request: &Reserve, granted: &Granted) -> Result<Range> {
    let range = granted.range;
    let wrong = |reason: String| Error::Store {
        store: store.to_owned(),
        reason: format!("answered {range} for \"{}\", {reason}", request.key),
    };
    if range.is_empty() {
        return Err(wrong("which holds no id".to_owned()));
    }
    if range.len() > request.size {
        return Err(wrong(format!(
            "more than the {} ids that were asked for",
            request.size
        )));
    }
    if let Some(floor) = request.floor
        && range.start <= floor
    {
        return Err(Error::StoreWentBack {
            store: store.to_owned(),
            reason: format!(
                "it granted {range} for \"{}\" after this process had seen {floor}: raise the \
                 counter above {floor}",
                request.key
            ),
        });
    }
    if range.start < request.initial_offset {
        return Err(wrong(format!(
            "below initialOffset = {}",
            request.initial_offset
        )));
    }
    if range.last() > request.max {
        return Err(wrong(format!("beyond max = {}", request.max)));
    }
    Ok(range)
}

#[cfg(test)]
mod tests;
