//! The one judgement behind every lease: from what a store remembers and what it is asked, who
//! holds what and what has to be written.
//!
//! Pure, so that all stores agree. A store that can run a transaction reads a [`Table`] and the
//! [`Standing`] of machine ids, calls a `decide_` function, writes what it says and commits before
//! it believes anything. Servers judge by scripts, which tests hold against this.

mod record;
mod refusal;

use mintid_core::{Error, Result};

use crate::lease_store::{Claim, Claimed, LeaseScope, Machine, Release, Renew, Renewed};
use record::{Ceiling, MOST_MS};

pub(crate) use record::millis;
pub use record::{LeaseRecord, Standing, Table, terms};
pub(crate) use refusal::{Search, clock_off, exhausted, mismatch, missing, unreadable};

/// A claim that was granted, and what is to be written with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What the claimer is told.
    pub claimed: Claimed,
    /// The record of the machine id.
    pub record: LeaseRecord,
    /// The table's terms.
    pub terms: String,
    /// The table's bound from now on.
    pub fresh_ms: u64,
}

/// Judges a claim at `now_ms` by the store's clock. `standing` tells how it stands with a machine
/// id, and is asked for as many as it takes.
///
/// # Errors
/// The refusals that [`LeaseStore::claim`](crate::LeaseStore::claim) lists, naming `store`.
pub fn decide_claim(
    store: &str,
    table: &Table,
    request: &Claim,
    now_ms: u64,
    standing: impl Fn(u32) -> Standing,
) -> Result<Decision> {
    check_machines(request)?;
    compare_terms(store, table, request)?;
    compare_clocks(store, request, now_ms)?;

    let limit = now_ms
        .saturating_add(millis(request.ttl))
        .saturating_add(millis(request.max_clock_skew));
    let fresh_ms = table_ceiling(table, request, limit);
    let mut search = Search::default();
    for machine in candidates(request) {
        match standing(machine) {
            Standing::Unknown => return Ok(grant(request, machine, None, fresh_ms, now_ms)),
            Standing::Unreadable(_) => search.unreadable += 1,
            Standing::Foreign(_) => search.foreign += 1,
            Standing::Recorded(record) if record.owner == request.owner.as_str() => {
                search.own.get_or_insert((machine, record));
            }
            Standing::Recorded(record) if record.is_held(now_ms) => search.holder = record.owner,
            // Written by a clock in the future: whoever took it would wait for that.
            Standing::Recorded(record) if record.ceiling_ms > limit.max(fresh_ms) => {
                search.ahead += 1;
            }
            Standing::Recorded(record) => {
                return Ok(grant(request, machine, Some(&record), fresh_ms, now_ms));
            }
        }
    }
    match search.own.take() {
        Some((machine, record)) => Ok(grant(request, machine, Some(&record), fresh_ms, now_ms)),
        None => Err(exhausted(store, request, &search)),
    }
}

/// Judges a renewal: what is told, and the record to be written where it is held on.
///
/// # Errors
/// `STORE_ERROR` for a record that cannot be read.
pub fn decide_renew(
    store: &str,
    standing: &Standing,
    request: &Renew,
    now_ms: u64,
) -> Result<(Renewed, Option<LeaseRecord>)> {
    let owner = request.owner.as_str();
    let record = match standing {
        Standing::Unknown => {
            return Ok((
                Renewed::Wiped {
                    store_now_ms: now_ms,
                },
                None,
            ));
        }
        Standing::Unreadable(found) => {
            return Err(unreadable(store, &request.scope, request.machine, found));
        }
        Standing::Foreign(by) => return Ok((Renewed::Taken { by: by.clone() }, None)),
        Standing::Recorded(record) if record.owner != owner => {
            let by = record.owner.clone();
            return Ok((Renewed::Taken { by }, None));
        }
        Standing::Recorded(record) => record,
    };
    let ceiling_ms = Ceiling::of_renewal(request)
        .at(now_ms)
        .max(record.ceiling_ms);
    let held = Renewed::Held {
        ceiling_ms,
        store_now_ms: now_ms,
    };
    let record = LeaseRecord {
        deadline_ms: now_ms.saturating_add(millis(request.ttl)),
        ceiling_ms,
        owner: owner.to_owned(),
    };
    Ok((held, Some(record)))
}

/// Judges a release: the record to be written, if the machine id is the owner's to give back.
///
/// # Errors
/// `STORE_ERROR` for a record that cannot be read.
pub fn decide_release(
    store: &str,
    standing: &Standing,
    request: &Release,
) -> Result<Option<LeaseRecord>> {
    match standing {
        Standing::Unreadable(found) => {
            Err(unreadable(store, &request.scope, request.machine, found))
        }
        Standing::Recorded(record) if record.owner == request.owner.as_str() => {
            Ok(Some(LeaseRecord::free(last_ms(request))))
        }
        _ => Ok(None),
    }
}

/// Judges a machine id that a person frees: the record to be written, if anybody held it.
///
/// # Errors
/// `STORE_ERROR` for a record that cannot be read: its ceiling would be lost.
pub fn decide_free(
    store: &str,
    standing: &Standing,
    scope: &LeaseScope,
    machine: u32,
) -> Result<Option<LeaseRecord>> {
    match standing {
        Standing::Unreadable(found) => Err(unreadable(store, scope, machine, found)),
        Standing::Recorded(record) if !record.owner.is_empty() => {
            Ok(Some(LeaseRecord::free(record.ceiling_ms)))
        }
        _ => Ok(None),
    }
}

/// What a person is shown of a machine id; `None` for one of which nothing is remembered.
///
/// # Errors
/// `STORE_ERROR` for a record that cannot be read.
pub fn shown(
    store: &str,
    standing: Standing,
    scope: &LeaseScope,
    machine: u32,
    now_ms: u64,
) -> Result<Option<Machine>> {
    match standing {
        Standing::Unknown => Ok(None),
        Standing::Unreadable(found) => Err(unreadable(store, scope, machine, &found)),
        Standing::Foreign(owner) => Ok(Some(Machine {
            machine,
            owner,
            deadline_ms: 0,
            ceiling_ms: 0,
            is_held: true,
            is_foreign: true,
        })),
        Standing::Recorded(record) => Ok(Some(Machine {
            machine,
            is_held: record.is_held(now_ms),
            owner: record.owner,
            deadline_ms: record.deadline_ms,
            ceiling_ms: record.ceiling_ms,
            is_foreign: false,
        })),
    }
}

/// Up to where a machine id that is given back was used, by whoever gives it or those before.
pub(crate) fn last_ms(request: &Release) -> u64 {
    request.last_ms.max(request.former_ceiling_ms).min(MOST_MS)
}

/// The machine ids of a claim, in the order in which they are looked at.
pub(crate) fn candidates(request: &Claim) -> impl Iterator<Item = u32> {
    let (lowest, highest) = request.machines;
    let first = first_candidate(request);
    (first..=highest).chain(lowest..first)
}

/// Where the look begins: the start, taken into the range.
pub(crate) fn first_candidate(request: &Claim) -> u32 {
    let (lowest, highest) = request.machines;
    if (lowest..=highest).contains(&request.start) {
        return request.start;
    }
    let count = u64::from(highest) - u64::from(lowest) + 1;
    let at = u64::from(request.start) % count;
    lowest + u32::try_from(at).expect("less than the count of u32s")
}

pub(crate) fn check_machines(request: &Claim) -> Result<()> {
    let (lowest, highest) = request.machines;
    if lowest <= highest && highest < request.layout.machines() {
        return Ok(());
    }
    Err(Error::config(
        "machineRange",
        format_args!("[{lowest}, {highest}]"),
        format!(
            "expected two machine ids of 0 to {}, the lower one first",
            request.layout.machines() - 1
        ),
    ))
}

fn compare_terms(store: &str, table: &Table, request: &Claim) -> Result<()> {
    match &table.terms {
        Some(recorded) if *recorded != terms(request) => Err(mismatch(store, recorded, request)),
        None if !request.may_create => Err(missing(store, request)),
        _ => Ok(()),
    }
}

fn compare_clocks(store: &str, request: &Claim, now_ms: u64) -> Result<()> {
    if now_ms.abs_diff(request.now_ms) > millis(request.max_clock_skew) {
        return Err(clock_off(store, request, now_ms));
    }
    Ok(())
}

/// Up to where a table may have forgotten what was used: every lease that it had may have gone on
/// as long as a lease can, and its server for as long as a failover may take.
fn table_ceiling(table: &Table, request: &Claim, limit: u64) -> u64 {
    let is_doubtful = match table.terms {
        None => !table.is_kept && !request.first_start,
        Some(_) => table.may_have_lost,
    };
    if !is_doubtful {
        return table.fresh_ms;
    }
    limit
        .saturating_add(millis(request.failover_window))
        .max(table.fresh_ms)
}

fn grant(
    request: &Claim,
    machine: u32,
    record: Option<&LeaseRecord>,
    fresh_ms: u64,
    now_ms: u64,
) -> Decision {
    let former = record.map_or(0, |record| record.ceiling_ms);
    // Without the table's bound: that is kept with the table, and a ceiling beyond what a clock
    // can have written would make others skip the machine id.
    let ceiling_ms = Ceiling::of_claim(request).at(now_ms).max(former);
    Decision {
        claimed: Claimed {
            machine,
            former_ceiling_ms: former.max(fresh_ms),
            ceiling_ms,
            store_now_ms: now_ms,
            waits_for_table: fresh_ms > former && fresh_ms > now_ms,
        },
        record: LeaseRecord {
            deadline_ms: now_ms.saturating_add(millis(request.ttl)),
            ceiling_ms,
            owner: request.owner.as_str().to_owned(),
        },
        terms: terms(request),
        fresh_ms,
    }
}

#[cfg(test)]
mod tests;
