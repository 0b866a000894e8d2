//! The options of Snowflake generators, of leases and of layouts.

use super::*;

/// 2025-10-09.
const NOW_MS: u64 = 1_760_000_000_000;

fn none() -> SnowflakeOptions {
    SnowflakeOptions::default()
}

#[track_caller]
fn refused(options: &SnowflakeOptions, start: &str, part: &str) {
    let error = options.plan(NOW_MS).expect_err("these options are wrong");
    assert_eq!(error.code(), Code::ConfigInvalid);
    let text = error.to_string();
    assert!(text.starts_with(start) && text.contains(part), "{text}");
}

fn machine(number: u64) -> SnowflakeOptions {
    SnowflakeOptions {
        machine: Some(number),
        ..none()
    }
}

fn range(lowest: u64, highest: u64) -> SnowflakeOptions {
    SnowflakeOptions {
        machine_range: Some((lowest, highest)),
        ..none()
    }
}

fn lease(lease: LeaseOptions) -> SnowflakeOptions {
    SnowflakeOptions { lease, ..none() }
}

const fn ms(ms: u64) -> Option<Duration> {
    Some(Duration::from_millis(ms))
}

#[test]
fn a_machine_that_the_layout_does_not_have_is_refused() {
    let most = "expected at most 1023, the last number of the layout";
    refused(&machine(1_024), "machine = 1024: ", most);
    refused(
        &machine(1 << 31),
        "machine = 2147483648: ",
        "from 0 to 65535",
    );
    refused(
        &machine(1 << 53),
        "machine = 9007199254740992: ",
        "from 0 to 65535",
    );
    refused(&range(0, 1_024), "machineRange = [0, 1024]: ", most);
    refused(
        &range(0, 1 << 53),
        "machineRange = [0, 9007199254740992]: ",
        "65535",
    );
    refused(
        &range(9, 8),
        "machineRange = [9, 8]: ",
        "lowest number first",
    );
    let both = SnowflakeOptions {
        machine: Some(7),
        ..range(0, 9)
    };
    refused(&both, "machine = 7: ", "machineRange = [0, 9] is given too");
}

#[test]
fn the_numbers_that_may_be_leased_are_those_that_were_given() {
    let machines = |options: SnowflakeOptions| options.plan(NOW_MS).expect("valid").machines;
    let of = |lowest, highest| Machines { lowest, highest };
    assert_eq!(machines(none()), of(0, 1_023));
    assert_eq!(machines(machine(0)), of(0, 0));
    assert_eq!(machines(machine(1_023)), of(1_023, 1_023));
    assert_eq!(machines(range(0, 199)), of(0, 199));
    assert_eq!((of(0, 199).count(), of(0, 199).is_fixed()), (200, false));
    assert_eq!((of(7, 7).count(), of(7, 7).is_fixed()), (1, true));
    let safe = SnowflakeOptions {
        layout: LayoutOptions::js_safe(),
        ..none()
    };
    assert_eq!(machines(safe), of(0, 63));
}

#[test]
fn a_lease_is_refused_that_does_not_outlive_three_heartbeats() {
    let beats = |ttl, heartbeat| {
        lease(LeaseOptions {
            ttl,
            heartbeat,
            ..LeaseOptions::default()
        })
    };
    refused(&beats(ms(1_999), None), "lease.ttl = 1999: ", "from 2000");
    refused(&beats(None, ms(99)), "lease.heartbeat = 99: ", "from 100");
    let third = "expected at most 20000 ms, a third of lease.ttl = 60000";
    refused(&beats(None, ms(20_001)), "lease.heartbeat = 20001: ", third);
    beats(ms(2_000), ms(666))
        .plan(NOW_MS)
        .expect("three of them");
    beats(ms(3_600_000), ms(900_000))
        .plan(NOW_MS)
        .expect("an hour");
    let half = Some(Duration::from_micros(2_500_500));
    refused(
        &beats(half, None),
        "lease.ttl = 2500.5: ",
        "whole milliseconds",
    );
    let skew = LeaseOptions {
        max_clock_skew: ms(0),
        ..LeaseOptions::default()
    };
    refused(&lease(skew), "lease.maxClockSkew = 0: ", "from 1");
}

#[test]
fn what_is_left_out_of_a_lease_follows_its_ttl() {
    let plan = |ttl| {
        let options = LeaseOptions {
            ttl,
            ..LeaseOptions::default()
        };
        options.plan().expect("valid")
    };
    let usual = plan(None);
    assert_eq!(Some(usual.heartbeat), ms(15_000));
    assert_eq!(Some(usual.claim_timeout), ms(65_000));
    assert_eq!(Some(usual.max_clock_skew), ms(5_000));
    assert_eq!(Some(usual.failover_window), ms(30_000));
    assert_eq!(Some(plan(ms(3_600_000)).heartbeat), ms(900_000));
    assert_eq!(Some(plan(ms(2_001)).heartbeat), ms(500));
}

#[test]
fn another_handle_on_the_lease_may_leave_out_and_change_nothing() {
    let given = SnowflakeOptions {
        first_start: Some(true),
        lease: LeaseOptions {
            ttl: ms(3_000),
            ..LeaseOptions::default()
        },
        ..range(0, 199)
    };
    let plan = given.plan(NOW_MS).expect("valid");
    plan.admit(&none()).expect("nothing is asked");
    plan.admit(&given).expect("the same");
    let told = |other: SnowflakeOptions| plan.admit(&other).expect_err("another").to_string();
    let text = told(lease(LeaseOptions {
        ttl: ms(4_000),
        ..LeaseOptions::default()
    }));
    assert!(
        text.starts_with("lease.ttl = 4000: another handle has 3000"),
        "{text}"
    );
    let text = told(machine(7));
    assert!(
        text.starts_with("machine = 7: another handle has none"),
        "{text}"
    );
    let text = told(range(0, 99));
    assert!(
        text.contains("machineRange = [0, 99]: another handle has [0, 199]"),
        "{text}"
    );
    let text = told(SnowflakeOptions {
        layout: LayoutOptions::js_safe(),
        ..none()
    });
    assert!(
        text.starts_with("layout.machineBits = 6: another handle has 10"),
        "{text}"
    );
}

#[test]
fn what_is_in_force_is_told_with_every_default() {
    let described = range(0, 199).plan(NOW_MS).expect("valid").describe();
    let told = |name: &str| {
        let found = described.iter().find(|(spec, _)| spec.name == name);
        found.map(|(spec, shown)| (spec.scope, shown.clone()))
    };
    let text = |text: &str| Shown::Text(text.to_owned());
    assert_eq!(
        told("machineRange"),
        Some((Scope::Snowflake, text("[0, 199]")))
    );
    assert_eq!(told("machine"), None);
    assert_eq!(told("ttl"), Some((Scope::Lease, Shown::Number(60_000.0))));
    assert_eq!(
        told("epoch"),
        Some((Scope::Layout, Shown::Number(1_577_836_800_000.0)))
    );
    assert_eq!(told("unit"), Some((Scope::Layout, text("ms"))));
    assert_eq!(
        told("sequenceBits"),
        Some((Scope::Layout, Shown::Number(12.0)))
    );
}

#[test]
fn units_are_read_by_their_words() {
    for word in Unit::WORDS {
        assert_eq!(Unit::new(word).expect("a unit").as_str(), *word);
    }
    let text = Unit::new("us").expect_err("no unit").to_string();
    assert!(text.contains("\"us\"") && text.contains("ms, s"), "{text}");
}
