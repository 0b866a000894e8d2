//! The policies as pure functions: rows for what each promises, properties for what all must.
//! How they behave over time, behind a real buffer, is in [`load`].

#[cfg(not(loom))]
mod load;

use proptest::prelude::*;

use super::*;
use crate::options::{PolicyName, SegmentOptions};

fn lookahead(step: u64, lookahead: Duration) -> Policy {
    made(&SegmentOptions {
        step: Some(step),
        lookahead: Some(lookahead),
        ..SegmentOptions::default()
    })
}

fn named(name: PolicyName) -> Policy {
    made(&SegmentOptions {
        policy: Some(name),
        ..SegmentOptions::default()
    })
}

fn made(options: &SegmentOptions) -> Policy {
    options.plan().expect("valid options").policy
}

fn at_rate(rate: f64) -> Measured {
    Measured {
        rate,
        ..Measured::default()
    }
}

/// After a segment of `size` ids was used up in `seconds` while one of `newest` ids is the newest.
fn after(size: u64, seconds: f64, newest: u64) -> Measured {
    Measured {
        used: Some(Used {
            size,
            elapsed: Duration::from_secs_f64(seconds),
        }),
        newest: Some(newest),
        ..Measured::default()
    }
}

#[track_caller]
fn check_size(policy: Policy, measured: Measured, size: u64) {
    assert_eq!(policy.size(&measured), size, "{policy:?} {measured:?}");
}

#[test]
fn lookahead_reserves_whole_steps_for_the_time_ahead() {
    let second = lookahead(100, Duration::from_secs(1));
    check_size(second, at_rate(0.0), 100);
    check_size(second, at_rate(0.001), 100);
    check_size(second, at_rate(100.0), 100);
    check_size(second, at_rate(100.5), 200);
    check_size(second, at_rate(1_000.0), 1_000);
    check_size(second, at_rate(1_048_400.5), 1_048_500);
    check_size(
        lookahead(100, Duration::from_millis(1)),
        at_rate(1e6),
        1_000,
    );
    check_size(lookahead(7, Duration::from_secs(60)), at_rate(10.0), 602);
}

#[test]
fn lookahead_stays_within_its_bounds_at_any_rate() {
    let second = lookahead(100, Duration::from_secs(1));
    check_size(second, at_rate(1e9), 1_048_500);
    check_size(second, at_rate(f64::MAX), 1_048_500);
    check_size(second, at_rate(f64::INFINITY), 1_048_500);
    check_size(second, at_rate(f64::NEG_INFINITY), 100);
    check_size(second, at_rate(-5.0), 100);
    check_size(second, at_rate(f64::NAN), 100);
}

#[test]
fn lookahead_of_no_time_reserves_one_step() {
    for rate in [0.0, 1e9, f64::INFINITY, f64::NAN] {
        check_size(lookahead(100, Duration::ZERO), at_rate(rate), 100);
    }
}

#[test]
fn lookahead_counts_in_steps_of_any_size() {
    let huge = lookahead(1 << 40, Duration::from_secs(1));
    check_size(huge, at_rate(0.0), 1 << 40);
    check_size(huge, at_rate(1e12), 1 << 40);
    check_size(huge, at_rate(1.5e12), 2 << 40);
    check_size(huge, at_rate(f64::INFINITY), 1000 << 40);
    let leaf = lookahead(200_000_000, Duration::from_secs(1));
    check_size(leaf, at_rate(0.0), 200_000_000);
    check_size(leaf, at_rate(200_000_001.0), 400_000_000);
}

#[test]
fn proportional_makes_a_segment_last_a_minute_at_the_pace_of_the_last_one() {
    let policy = named(PolicyName::Proportional);
    check_size(policy, Measured::default(), 100);
    check_size(policy, after(100, 60.0, 100), 100);
    check_size(policy, after(100, 6.0, 100), 1_000);
    check_size(policy, after(60_000, 60.0, 60_000), 60_000);
    check_size(policy, after(60_000, 120.0, 60_000), 30_000);
    check_size(policy, after(100, 61.0, 100), 99);
}

#[test]
fn proportional_does_not_look_at_the_segment_that_nobody_has_used() {
    let policy = named(PolicyName::Proportional);
    check_size(policy, after(100, 6.0, 1), 1_000);
    check_size(policy, after(100, 6.0, 1_000_000), 1_000);
    let unused = Measured {
        newest: Some(1_000_000),
        ..Measured::default()
    };
    check_size(policy, unused, 100);
}

#[test]
fn proportional_stays_within_its_bounds_at_any_pace() {
    let policy = named(PolicyName::Proportional);
    check_size(policy, after(100, 0.0, 100), 1_000_000);
    check_size(policy, after(1_000_000, 1.0, 100), 1_000_000);
    check_size(policy, after(u64::MAX, 1e-9, 100), 1_000_000);
    check_size(policy, after(1, 864_000.0, 100), 1);
    check_size(policy, after(0, 60.0, 100), 1);
    check_size(policy, after(0, 0.0, 100), 1);
}

#[test]
fn doubling_doubles_what_was_used_up_soon_and_halves_the_rest() {
    let policy = named(PolicyName::Doubling);
    check_size(policy, Measured::default(), 100);
    check_size(policy, after(100, 0.0, 100), 200);
    check_size(policy, after(100, 600.0, 100), 200);
    check_size(policy, after(100, 600.001, 100), 50);
    check_size(policy, after(100, 1.0, 400), 800);
    check_size(policy, after(100, 601.0, 25), 12);
}

#[test]
fn doubling_stays_within_its_bounds() {
    let policy = named(PolicyName::Doubling);
    check_size(policy, after(100, 1.0, 600_000), 1_000_000);
    check_size(policy, after(100, 1.0, u64::MAX), 1_000_000);
    check_size(policy, after(1, 601.0, 1), 1);
    check_size(policy, after(1, 601.0, 0), 1);
}

#[test]
fn fixed_never_changes() {
    let policy = named(PolicyName::Fixed);
    check_size(policy, Measured::default(), 100);
    check_size(policy, at_rate(f64::INFINITY), 100);
    check_size(policy, after(100, 0.0, 100), 100);
}

#[track_caller]
fn check_size_for(policy: Policy, asked: u64, size: u64) {
    assert_eq!(policy.size_for(asked), size, "{policy:?}");
}

#[test]
fn callers_get_what_they_ask_for_in_the_unit_and_bounds_of_the_policy() {
    let second = lookahead(100, Duration::from_secs(1));
    check_size_for(second, 0, 100);
    check_size_for(second, 100, 100);
    check_size_for(second, 101, 200);
    check_size_for(second, u64::MAX, 1_048_500);
    check_size_for(named(PolicyName::Proportional), 0, 1);
    check_size_for(named(PolicyName::Proportional), 1_234, 1_234);
    check_size_for(named(PolicyName::Proportional), u64::MAX, 1_000_000);
    check_size_for(named(PolicyName::Doubling), 1_234, 1_234);
    check_size_for(named(PolicyName::Doubling), u64::MAX, 1_000_000);
    check_size_for(named(PolicyName::Fixed), 0, 100);
    check_size_for(named(PolicyName::Fixed), 1_000, 100);
}

#[track_caller]
fn check_level(policy: Policy, rate: f64, (current, buffered): (u64, u64), level: u64) {
    let holding = Holding { current, buffered };
    let found = policy.level(holding, &at_rate(rate));
    assert_eq!(found, level, "{policy:?} {holding:?}");
}

#[test]
fn lookahead_refills_when_less_than_the_time_ahead_is_left() {
    let second = lookahead(100, Duration::from_secs(1));
    check_level(second, 0.0, (1_000, 0), 0);
    check_level(second, 250.5, (1_000, 0), 251);
    check_level(second, 250.0, (1_000, 100), 150);
    check_level(second, 250.0, (1_000, 1_000), 0);
    check_level(second, f64::NAN, (1_000, 0), 0);
    // Never more than one reservation could bring, or they would pile up at the highest rates.
    check_level(second, f64::INFINITY, (1_000, 0), 1_048_500);
    check_level(lookahead(100, Duration::ZERO), 1e9, (1_000, 0), 0);
}

#[test]
fn lookahead_reserves_no_more_than_lasts_until_it_is_too_old() {
    let options = SegmentOptions {
        range_ttl: Some(Duration::from_millis(100)),
        ..SegmentOptions::default()
    };
    let policy = options.plan().expect("valid options").policy;
    check_level(policy, 10_000.0, (1_000, 0), 1_000);
    assert_eq!(policy.size(&at_rate(10_000.0)), 1_000);
    check_level(policy, 50.0, (1_000, 0), 5);
}

#[test]
fn proportional_refills_as_soon_as_the_buffer_is_taken() {
    let policy = named(PolicyName::Proportional);
    check_level(policy, 0.0, (100, 0), 100);
    check_level(policy, 0.0, (100, 1), 0);
}

#[test]
fn doubling_and_fixed_refill_at_half() {
    for policy in [named(PolicyName::Doubling), named(PolicyName::Fixed)] {
        check_level(policy, 0.0, (100, 0), 50);
        check_level(policy, 0.0, (101, 0), 51);
        check_level(policy, 0.0, (1, 0), 1);
        check_level(policy, 0.0, (1 << 40, 0), 1 << 39);
        check_level(policy, 0.0, (100, 1), 0);
    }
}

prop_compose! {
    /// Bounds `[least, most]` with `most` a multiple of `least`, as every policy keeps them.
    fn any_bounds()(bits in 0_u32..62, low in any::<u64>())(
        least in Just((low & ((1 << bits) - 1)) + 1),
        times in 1_u64..2_000,
    ) -> (u64, u64) {
        let times = times.min((1 << 63) / least).max(1);
        (least, least * times)
    }
}

prop_compose! {
    fn any_policy()(
        kind in 0..4,
        (least, most) in any_bounds(),
        first in any::<u64>(),
        ms in 0_u64..(1 << 31),
    ) -> Policy {
        let time = Duration::from_millis(ms);
        match kind {
            0 => Policy::Lookahead(Lookahead { step: least, lookahead: time, range_ttl: None, max_batch: most }),
            1 => Policy::Proportional(Proportional {
                first, preload: time, step_min: least, step_max: most,
            }),
            2 => Policy::Doubling(Doubling {
                first, fetch_duration: time, step_min: least, step_max: most,
            }),
            _ => Policy::Fixed(Fixed { step: least }),
        }
    }
}

prop_compose! {
    /// Anything at all, possible or not.
    fn any_measured()(
        rate in proptest::num::f64::ANY,
        used in any::<Option<(u64, u64)>>(),
        newest in any::<Option<u64>>(),
    ) -> Measured {
        let used = used.map(|(size, nanos)| Used { size, elapsed: Duration::from_nanos(nanos) });
        Measured { rate, used, newest }
    }
}

proptest! {
    #[test]
    fn a_size_lies_within_the_bounds_whatever_was_measured(
        policy in any_policy(),
        measured in any_measured(),
        asked in any::<u64>(),
    ) {
        let bounds = policy.least()..=policy.most();
        let size = policy.size(&measured);
        prop_assert!(bounds.contains(&size), "{size}");
        let for_callers = policy.size_for(asked);
        prop_assert!(bounds.contains(&for_callers), "{for_callers}");
        prop_assert!(for_callers >= asked.min(policy.most()), "{for_callers}");
    }

    #[test]
    fn a_lookahead_size_is_made_of_whole_steps(
        (step, max_batch) in any_bounds(),
        ms in 0_u64..(1 << 31),
        measured in any_measured(),
        asked in any::<u64>(),
    ) {
        let time = Duration::from_millis(ms);
        let policy = Policy::Lookahead(Lookahead { step, lookahead: time, range_ttl: None, max_batch });
        prop_assert_eq!(policy.size(&measured) % step, 0);
        prop_assert_eq!(policy.size_for(asked) % step, 0);
    }

    #[test]
    fn a_level_never_wraps(
        policy in any_policy(),
        measured in any_measured(),
        (current, buffered) in any::<(u64, u64)>(),
    ) {
        let level = policy.level(Holding { current, buffered }, &measured);
        match policy {
            Policy::Lookahead(_) => prop_assert!(level <= (1_u64 << 63).saturating_sub(buffered)),
            _ => prop_assert!(level <= current),
        }
    }

    #[test]
    fn a_higher_rate_never_reserves_less(
        (step, max_batch) in any_bounds(),
        (one, other) in (0.0..1e12_f64, 0.0..1e12_f64),
    ) {
        let time = Duration::from_secs(1);
        let policy = Policy::Lookahead(Lookahead { step, lookahead: time, range_ttl: None, max_batch });
        let (slow, fast) = (at_rate(one.min(other)), at_rate(one.max(other)));
        prop_assert!(policy.size(&slow) <= policy.size(&fast));
    }
}
