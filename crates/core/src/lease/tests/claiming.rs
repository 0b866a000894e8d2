//! From nothing to a number.

use super::*;

#[test]
fn a_number_is_held_only_after_a_renewal_was_answered() {
    let mut lease = Fixture::any();
    lease.refuses(Code::LeasePending);
    let claim = lease.claim();
    lease.advance(40);
    assert!(lease.state.claimed(&claim, 7, STORE_MS));
    assert!(!lease.is_held() && lease.state.held().is_none());
    lease.refuses(Code::LeasePending);
    let renewal = lease.renew();
    lease.advance(10);
    assert!(lease.state.renewed(&renewal, STORE_MS + 40));
    assert!(lease.is_held());
    // 60 s less 10 %, from the sending of the renewal.
    let until = lease.now + Duration::from_millis(54_000 - 10);
    assert_eq!(lease.state.held(), Some((7, until)));
    lease.waits(15_000 - 10);
}

#[test]
fn a_claim_that_fails_is_tried_again_later_each_time() {
    let mut lease = Fixture::any();
    for again in [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000] {
        let claim = lease.claim();
        lease.fail(&claim, away());
        lease.refuses(Code::StoreUnavailable);
        lease.waits(again);
        lease.advance(again);
    }
    lease.hold();
    lease.state.lose(Loss::Forked, lease.now);
    lease.lost(Loss::Forked);
    // A success has reset it.
    let claim = lease.claim();
    lease.fail(&claim, away());
    lease.waits(100);
}

#[test]
fn a_short_lease_is_claimed_again_sooner() {
    let mut lease = Fixture::new(ttl(2_000), ANY);
    for again in [100, 200, 250, 250] {
        let claim = lease.claim();
        lease.fail(&claim, exhausted());
        lease.waits(again);
        lease.advance(again);
    }
}

#[test]
fn a_claim_that_is_not_answered_is_given_up_and_its_number_refused() {
    let mut lease = Fixture::any();
    let claim = lease.claim();
    lease.waits(3_000);
    lease.advance(3_000);
    lease.waits(100);
    lease.refuses(Code::StoreError);
    // It is to be released: nobody would renew it.
    assert!(!lease.state.claimed(&claim, 7, STORE_MS));
    lease.advance(100);
    let again = lease.claim();
    assert!(!lease.state.claimed(&claim, 7, STORE_MS));
    assert!(lease.state.claimed(&again, 8, STORE_MS));
}

#[test]
fn a_table_that_may_have_lost_something_is_waited_for_as_long_as_the_store_says() {
    let mut lease = Fixture::any();
    let claim = lease.claim();
    let pending = Error::LeasePending {
        scope: "sfid".to_owned(),
        until_ms: Some(STORE_MS + 95_000),
    };
    let after = Duration::from_secs(95);
    lease.state.failed(&claim, pending, Some(after), lease.now);
    lease.waits(95_000);
    lease.refuses(Code::LeasePending);
    assert!(
        lease
            .state
            .refusal()
            .to_string()
            .contains("firstStart: true")
    );
    assert!(lease.state.verdict(lease.now).is_none());
    lease.advance(95_000);
    lease.hold();
}

#[test]
fn a_pool_that_is_used_up_is_told_at_once_and_a_fixed_number_after_its_time() {
    let mut any = Fixture::any();
    let claim = any.claim();
    any.fail(&claim, exhausted());
    let told = any.state.verdict(any.now).expect("used up");
    assert_eq!(told.code(), Code::MachineIdsExhausted);

    let mut fixed = Fixture::new(LeaseOptions::default(), FIXED);
    let begun = fixed.now;
    // Its holder may be dead: 60 s and 5.
    while fixed.now - begun < Duration::from_secs(65) {
        let claim = fixed.claim();
        fixed.fail(&claim, exhausted());
        assert!(fixed.state.verdict(fixed.now).is_none());
        fixed.advance(5_000);
    }
    let told = fixed.state.verdict(fixed.now).expect("it is overdue");
    assert!(told.to_string().contains("machine number 7"), "{told}");
    assert!(told.to_string().contains("web:12"), "{told}");
    // It goes on all the same.
    fixed.hold();
    assert!(fixed.state.verdict(fixed.now).is_none());
}

#[test]
fn what_cannot_pass_ends_the_claims() {
    let mut lease = Fixture::any();
    let claim = lease.claim();
    lease.fail(&claim, mismatch());
    lease.refuses(Code::LayoutMismatch);
    assert_eq!(lease.next(), Next::Ended);
    let told = lease.state.verdict(lease.now).expect("it is final");
    assert_eq!(told.code(), Code::LayoutMismatch);
    assert!(!lease.state.end());
}

#[test]
fn an_end_while_a_claim_is_under_way_refuses_its_number() {
    let mut lease = Fixture::any();
    let claim = lease.claim();
    assert!(!lease.state.end());
    assert_eq!(lease.next(), Next::Ended);
    assert!(!lease.state.claimed(&claim, 7, STORE_MS));
    assert_eq!(lease.next(), Next::Ended);
}
