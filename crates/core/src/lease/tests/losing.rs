//! A number that is not held any more, and what follows.

use super::*;

#[test]
fn a_lease_that_is_not_renewed_in_time_is_lost_once_and_replaced() {
    let mut lease = Fixture::any();
    lease.hold();
    let began = lease.now;
    lease.advance(15_000);
    while lease.is_held() {
        match lease.next() {
            Next::Renew(renewal) => lease.fail(&renewal, away()),
            Next::Wait(until) => lease.now = until,
            other => panic!("{other:?}"),
        }
    }
    // Before the store may give it to another.
    assert_eq!(lease.now - began, Duration::from_secs(54));
    lease.lost(Loss::Expired);
    let told = lease.state.refusal();
    assert_eq!(told.code(), Code::LeaseLost);
    assert!(
        told.to_string().contains("machine number 7 of sfid"),
        "{told}"
    );
    assert!(told.to_string().contains("connection refused"), "{told}");
    // Told once, and another is claimed at once.
    let claim = lease.claim();
    assert!(lease.state.claimed(&claim, 9, STORE_MS));
    lease.refuses(Code::LeaseLost);
    let renewal = lease.renew();
    assert!(lease.state.renewed(&renewal, STORE_MS));
    assert_eq!(lease.state.held().expect("held").0, 9);
}

#[test]
fn a_lease_that_was_taken_or_wiped_is_lost_at_once() {
    let by = "web:12".to_owned();
    for loss in [Loss::Taken { by }, Loss::Wiped] {
        let mut lease = Fixture::any();
        lease.hold();
        lease.advance(15_000);
        let renewal = lease.renew();
        lease.state.gone(&renewal, loss.clone(), lease.now);
        assert!(!lease.is_held());
        lease.lost(loss.clone());
        assert!(
            lease
                .state
                .refusal()
                .to_string()
                .contains(&loss.to_string())
        );
        lease.hold();
    }
}

#[test]
fn a_machine_that_slept_loses_its_lease_before_anything_else_is_done() {
    let mut lease = Fixture::any();
    lease.hold();
    lease.advance(3_600_000);
    assert!(!lease.is_held());
    lease.lost(Loss::Expired);
    lease.hold();
}

#[test]
fn a_claim_that_was_not_confirmed_is_claimed_anew_and_nobody_told() {
    let mut lease = Fixture::any();
    let claim = lease.claim();
    assert!(lease.state.claimed(&claim, 7, STORE_MS));
    let renewal = lease.renew();
    lease.state.gone(&renewal, Loss::Wiped, lease.now);
    lease.refuses(Code::LeasePending);
    lease.hold();

    let mut late = Fixture::any();
    let claim = late.claim();
    assert!(late.state.claimed(&claim, 7, STORE_MS));
    late.advance(60_000);
    late.claim();
}

#[test]
fn the_margin_is_a_tenth_of_the_ttl_and_a_second_at_least() {
    for (ttl_ms, held_ms) in [
        (2_000, 1_000),
        (3_000, 2_000),
        (10_000, 9_000),
        (60_000, 54_000),
    ] {
        let mut lease = Fixture::new(ttl(ttl_ms), ANY);
        lease.hold();
        lease.advance(held_ms - 1);
        assert!(lease.is_held(), "{ttl_ms}");
        lease.advance(1);
        assert!(!lease.is_held(), "{ttl_ms}");
    }
}

#[test]
fn losing_what_is_not_held_changes_nothing() {
    let mut lease = Fixture::any();
    lease.state.lose(Loss::Forked, lease.now);
    lease.hold();
    lease.state.lose(Loss::Forked, lease.now);
    lease.state.lose(Loss::Wiped, lease.now);
    lease.lost(Loss::Forked);
    lease.claim();
}
