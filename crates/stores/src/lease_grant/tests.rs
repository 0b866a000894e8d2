mod histories;

use std::collections::BTreeMap;
use std::time::Duration;

use mintid_core::snowflake::{Layout, LayoutOptions, Unit};
use mintid_core::{Code, Namespace};

use super::*;
use crate::lease_store::Owner;

const NOW_MS: u64 = 1_800_000_000_000;
const TTL_MS: u64 = 60_000;
const SKEW_MS: u64 = 5_000;
const WINDOW_MS: u64 = 30_000;

fn layout(unit: Unit, epoch: u64) -> Layout {
    let options = LayoutOptions {
        unit: Some(unit),
        epoch: Some(epoch),
        ..LayoutOptions::default()
    };
    Layout::new(&options, NOW_MS).expect("bits that fit")
}

fn scope() -> LeaseScope {
    LeaseScope::new(&Namespace::new("shop").expect("a plain namespace"))
}

fn claim() -> Claim {
    Claim {
        scope: scope(),
        owner: Owner::named("me"),
        layout: layout(Unit::Ms, 1_577_836_800_000),
        ttl: Duration::from_millis(TTL_MS),
        max_clock_skew: Duration::from_millis(SKEW_MS),
        failover_window: Duration::from_millis(WINDOW_MS),
        first_start: false,
        may_create: true,
        machines: (0, 1),
        start: 0,
        now_ms: NOW_MS,
        patience: Duration::from_secs(3),
    }
}

fn renew() -> Renew {
    let claim = claim();
    Renew {
        scope: claim.scope,
        owner: claim.owner,
        machine: 0,
        layout: claim.layout,
        ttl: claim.ttl,
        max_clock_skew: claim.max_clock_skew,
        now_ms: NOW_MS,
        patience: claim.patience,
    }
}

/// A table that is in use.
fn used() -> Table {
    Table {
        terms: Some(terms(&claim())),
        ..Table::default()
    }
}

fn record(deadline_ms: u64, ceiling_ms: u64, owner: &str) -> Standing {
    Standing::Recorded(LeaseRecord {
        deadline_ms,
        ceiling_ms,
        owner: owner.to_owned(),
    })
}

fn judge(table: &Table, request: &Claim, seats: &[Standing]) -> Result<Decision> {
    decide_claim("store:", table, request, NOW_MS, |machine| {
        seats.get(machine as usize).cloned().unwrap_or_default()
    })
}

#[track_caller]
fn granted(table: &Table, request: &Claim, seats: &[Standing]) -> Decision {
    judge(table, request, seats).expect("granted")
}

#[track_caller]
fn refused(table: &Table, request: &Claim, seats: &[Standing], code: Code, says: &str) {
    let error = judge(table, request, seats).expect_err("refused");
    assert_eq!(error.code(), code, "{error}");
    assert!(
        error.to_string().contains(says),
        "{error} does not say {says:?}"
    );
}

#[test]
fn a_free_machine_id_is_granted_up_to_one_ttl_ahead() {
    assert_eq!(
        granted(&used(), &claim(), &[]),
        Decision {
            claimed: Claimed {
                machine: 0,
                former_ceiling_ms: 0,
                ceiling_ms: NOW_MS + TTL_MS,
                store_now_ms: NOW_MS,
                waits_for_table: false,
            },
            record: LeaseRecord {
                deadline_ms: NOW_MS + TTL_MS,
                ceiling_ms: NOW_MS + TTL_MS,
                owner: "me".to_owned(),
            },
            terms: "41/10/12/ms/1577836800000|60000|5000".to_owned(),
            fresh_ms: 0,
        }
    );
}

#[test]
fn the_deadline_decides_who_holds_what() {
    let former = NOW_MS + 1_000;
    for (deadline_ms, machine) in [(NOW_MS + 1, 1), (NOW_MS, 0), (0, 0)] {
        let seats = [record(deadline_ms, former, "other")];
        let claimed = granted(&used(), &claim(), &seats).claimed;
        assert_eq!(claimed.machine, machine, "deadline {deadline_ms}");
        let due = if machine == 0 { former } else { 0 };
        assert_eq!(claimed.former_ceiling_ms, due);
    }
    let given_back = [record(NOW_MS + 1, former, "")];
    assert_eq!(granted(&used(), &claim(), &given_back).claimed.machine, 0);
}

#[test]
fn a_ceiling_is_no_lower_than_the_former_one() {
    let former = NOW_MS + TTL_MS + SKEW_MS;
    let decision = granted(&used(), &claim(), &[record(0, former, "")]);
    assert_eq!(decision.claimed.ceiling_ms, former);
    assert_eq!(decision.record.ceiling_ms, former);
}

#[test]
fn a_ceiling_that_no_good_clock_wrote_is_skipped() {
    let limit = NOW_MS + TTL_MS + SKEW_MS;
    for (ceiling_ms, machine) in [(limit, 0), (limit + 1, 1)] {
        let seats = [record(0, ceiling_ms, "")];
        let claimed = granted(&used(), &claim(), &seats).claimed;
        assert_eq!(claimed.machine, machine, "ceiling {ceiling_ms}");
    }
    let both = [record(0, limit + 1, ""), record(1, u64::MAX, "other")];
    let code = Code::MachineIdsExhausted;
    refused(
        &used(),
        &claim(),
        &both,
        code,
        "2 with a ceiling that lies too far ahead",
    );
    // What somebody gave back unused who had waited for the table is none of these.
    let waited = Table {
        fresh_ms: limit + WINDOW_MS,
        ..used()
    };
    let seats = [record(0, limit + WINDOW_MS, "")];
    assert_eq!(granted(&waited, &claim(), &seats).claimed.machine, 0);
}

#[test]
fn a_refusal_tells_who_has_the_machine_ids() {
    let held = |owner: &str| record(NOW_MS + 1, 0, owner);
    let code = Code::MachineIdsExhausted;
    refused(
        &used(),
        &claim(),
        &[held("a"), held("b")],
        code,
        "sfid:shop",
    );
    refused(
        &used(),
        &claim(),
        &[held("a"), held("b")],
        code,
        "2 machine",
    );
    let one = Claim {
        machines: (1, 1),
        ..claim()
    };
    refused(&used(), &one, &[held("a"), held("b")], code, "is held by b");
    let spoilt = Standing::Unreadable("x".to_owned());
    refused(
        &used(),
        &one,
        &[held("a"), spoilt.clone()],
        code,
        "cannot be read",
    );
    let mixed = [Standing::Foreign("uid".to_owned()), spoilt];
    refused(
        &used(),
        &claim(),
        &mixed,
        code,
        "1 of clients that keep no records, 1 with a record",
    );
}

#[test]
fn what_the_same_owner_has_already_is_given_only_where_there_is_no_other() {
    let own = record(NOW_MS + 9, NOW_MS + 7, "me");
    let free = granted(&used(), &claim(), &[own.clone(), Standing::Unknown]);
    assert_eq!(free.claimed.machine, 1);
    let held = record(NOW_MS + 9, 0, "other");
    let again = granted(&used(), &claim(), &[own, held]);
    let claimed = again.claimed;
    assert_eq!(
        (claimed.machine, claimed.former_ceiling_ms),
        (0, NOW_MS + 7)
    );
}

#[test]
fn an_empty_table_has_newcomers_wait_unless_it_never_held_anything() {
    let empty = Table::default();
    let end = NOW_MS + TTL_MS + SKEW_MS + WINDOW_MS;
    let waiting = granted(&empty, &claim(), &[]);
    assert_eq!(waiting.fresh_ms, end);
    assert_eq!(waiting.claimed.former_ceiling_ms, end);
    assert!(waiting.claimed.waits_for_table);
    // Kept with the table: the record is one that others do not skip.
    assert_eq!(waiting.record.ceiling_ms, NOW_MS + TTL_MS);

    let first_start = Claim {
        first_start: true,
        ..claim()
    };
    let kept = Table {
        is_kept: true,
        ..Table::default()
    };
    for decision in [
        granted(&empty, &first_start, &[]),
        granted(&kept, &claim(), &[]),
    ] {
        assert_eq!(decision.claimed.former_ceiling_ms, 0);
        assert!(!decision.claimed.waits_for_table);
    }
    let strict = Claim {
        may_create: false,
        ..claim()
    };
    refused(&empty, &strict, &[], Code::RangeMissing, "allowCreate");
}

#[test]
fn a_table_that_may_have_lost_something_has_newcomers_wait_whatever_they_say() {
    let doubtful = Table {
        may_have_lost: true,
        fresh_ms: 5,
        ..used()
    };
    let first_start = Claim {
        first_start: true,
        ..claim()
    };
    let end = NOW_MS + TTL_MS + SKEW_MS + WINDOW_MS;
    assert_eq!(
        granted(&doubtful, &first_start, &[])
            .claimed
            .former_ceiling_ms,
        end
    );
    // A bound is never lowered.
    let later = Table {
        fresh_ms: end + 1,
        ..doubtful
    };
    assert_eq!(granted(&later, &claim(), &[]).fresh_ms, end + 1);
    let over = Table {
        fresh_ms: NOW_MS,
        ..used()
    };
    assert!(!granted(&over, &claim(), &[]).claimed.waits_for_table);
}

#[test]
fn clocks_may_be_apart_as_far_as_is_said() {
    for (now_ms, is_good) in [
        (NOW_MS - SKEW_MS, true),
        (NOW_MS + SKEW_MS, true),
        (NOW_MS - SKEW_MS - 1, false),
        (NOW_MS + SKEW_MS + 1, false),
        (0, false),
        (u64::MAX, false),
    ] {
        let request = Claim { now_ms, ..claim() };
        if is_good {
            granted(&used(), &request, &[]);
        } else {
            let says = now_ms.to_string();
            refused(&used(), &request, &[], Code::ClockBackwards, &says);
        }
    }
}

#[test]
fn other_terms_are_refused_and_both_are_told() {
    let other = Claim {
        ttl: Duration::from_secs(30),
        ..claim()
    };
    for says in ["ttl 60000", "ttl 30000", "41/10/12/ms/1577836800000"] {
        refused(&used(), &other, &[], Code::LayoutMismatch, says);
    }
}

#[test]
fn a_look_begins_at_the_start_and_goes_once_around() {
    for (machines, start, due) in [
        ((0, 3), 2, vec![2, 3, 0, 1]),
        ((4, 6), 4, vec![4, 5, 6]),
        ((4, 6), 0, vec![4, 5, 6]),
        ((4, 6), 8, vec![6, 4, 5]),
        ((9, 9), 7, vec![9]),
    ] {
        let request = Claim {
            machines,
            start,
            ..claim()
        };
        assert_eq!(candidates(&request).collect::<Vec<_>>(), due);
    }
}

#[test]
fn ceilings_end_with_a_tick_whatever_the_epoch() {
    for epoch in [1_577_836_800_000, 1_577_836_800_001, 1_577_836_800_999] {
        let request = Claim {
            layout: layout(Unit::S, epoch),
            ..claim()
        };
        let table = Table {
            terms: Some(terms(&request)),
            ..Table::default()
        };
        let ceiling_ms = granted(&table, &request, &[]).claimed.ceiling_ms;
        assert_eq!((ceiling_ms + 1 - epoch) % 1_000, 0);
        assert!(ceiling_ms <= NOW_MS + TTL_MS && ceiling_ms + 1_000 > NOW_MS + TTL_MS);
    }
}

#[test]
fn a_renewal_moves_deadline_and_ceiling_on_and_nothing_back() {
    let limit = NOW_MS + TTL_MS + SKEW_MS;
    for (now_ms, before, due) in [
        (NOW_MS, 5, NOW_MS + TTL_MS),
        (NOW_MS - 1_000, 5, NOW_MS + TTL_MS - 1_000),
        (NOW_MS + 10 * TTL_MS, 5, limit),
        (u64::MAX, 5, limit),
        (0, NOW_MS, NOW_MS),
        (NOW_MS, limit + 9, limit + 9),
    ] {
        let request = Renew { now_ms, ..renew() };
        // Late is fine.
        let standing = record(1, before, "me");
        let (renewed, record) =
            decide_renew("store:", &standing, &request, NOW_MS).expect("renewed");
        let held = Renewed::Held {
            ceiling_ms: due,
            store_now_ms: NOW_MS,
        };
        assert_eq!(renewed, held, "at {now_ms}");
        let record = record.expect("written");
        assert_eq!(record.to_string(), format!("{}|{due}|me", NOW_MS + TTL_MS));
    }
}

#[test]
fn a_renewal_takes_nothing_from_anybody() {
    let taken = |by: &str| Renewed::Taken { by: by.to_owned() };
    let wiped = Renewed::Wiped {
        store_now_ms: NOW_MS,
    };
    for (standing, due) in [
        (Standing::Unknown, wiped),
        (record(NOW_MS + 9, 0, "other"), taken("other")),
        (record(0, 0, "other"), taken("other")),
        (record(0, 0, ""), taken("")),
        (Standing::Foreign("uid".to_owned()), taken("uid")),
    ] {
        let judged = decide_renew("store:", &standing, &renew(), NOW_MS).expect("an answer");
        assert_eq!(judged, (due, None));
    }
    let spoilt = Standing::Unreadable("x".to_owned());
    let error = decide_renew("store:", &spoilt, &renew(), NOW_MS).expect_err("refused");
    assert!(
        error.to_string().contains("machine id 0 of sfid:shop"),
        "{error}"
    );
}

#[test]
fn a_release_leaves_the_last_time_and_never_less_than_came_before() {
    for (last_ms, former_ceiling_ms, due) in [(7, 5, 7), (0, 5, 5), (u64::MAX, 5, MOST_MS)] {
        let request = Release {
            scope: scope(),
            owner: Owner::named("me"),
            machine: 0,
            last_ms,
            former_ceiling_ms,
        };
        let released = decide_release("store:", &record(9, 9, "me"), &request).expect("judged");
        assert_eq!(released.map(|it| it.to_string()), Some(format!("0|{due}|")));
        for other in [Standing::Unknown, record(9, 9, "other"), record(0, 9, "")] {
            let kept = decide_release("store:", &other, &request).expect("judged");
            assert_eq!(kept, None);
        }
    }
}

#[test]
fn records_are_read_as_they_are_written_and_nothing_else_is() {
    for text in ["0|0|", "1|999999999999999|a|b:7:ff", "12|34|?uid"] {
        let record = LeaseRecord::parse(text).expect("a record");
        assert_eq!(record.to_string(), text);
    }
    for text in [
        "",
        "1",
        "1|2",
        "|2|a",
        "1||a",
        "-1|2|a",
        "+1|2|a",
        " 1|2|a",
        "1.0|2|a",
        "1e3|2|a",
        "1|1000000000000000|a",
        "a|2|b",
    ] {
        assert_eq!(LeaseRecord::parse(text), None, "{text:?}");
    }
}

#[test]
fn machine_ids_that_the_layout_does_not_have_are_refused() {
    for machines in [(1, 0), (0, 1_024), (1_024, 1_024), (0, u32::MAX)] {
        let request = Claim {
            machines,
            ..claim()
        };
        refused(&used(), &request, &[], Code::ConfigInvalid, "machineRange");
    }
}

/// Options bound them far below: nothing may overflow, nor be written that cannot be read.
#[test]
fn spans_without_end_are_cut_to_what_a_record_holds() {
    let endless = Claim {
        ttl: Duration::MAX,
        max_clock_skew: Duration::MAX,
        failover_window: Duration::MAX,
        ..claim()
    };
    let table = Table::default();
    let decision = granted(&table, &endless, &[]);
    let text = decision.record.to_string();
    assert_eq!(LeaseRecord::parse(&text), Some(decision.record));
    assert!(decision.fresh_ms <= MOST_MS);
}

#[test]
fn an_owner_never_looks_like_one_that_others_wrote() {
    for hint in ["?a", "??", "a\nb c", &"x".repeat(500), ""] {
        let owner = Owner::fresh(hint, 7);
        let text = owner.as_str();
        assert!(!text.starts_with('?') && text.len() < 128, "{text}");
        assert!(!text.contains(char::is_whitespace), "{text}");
    }
}
