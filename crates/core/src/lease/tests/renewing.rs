//! A number that is held stays held.

use super::*;

#[test]
fn renewals_come_at_each_heartbeat_and_move_the_deadline() {
    let mut lease = Fixture::any();
    lease.hold();
    for beat in 1..=20 {
        lease.waits(15_000);
        lease.advance(15_000);
        let renewal = lease.renew();
        lease.advance(20);
        assert!(lease.state.renewed(&renewal, STORE_MS + beat * 15_000));
        let deadline = lease.now + Duration::from_millis(54_000 - 20);
        assert_eq!(lease.state.held(), Some((7, deadline)));
        // The next one counts from the sending of this one.
        let Next::Wait(at) = lease.next() else {
            panic!("a wait is due");
        };
        assert_eq!(at - lease.now, Duration::from_millis(15_000 - 20));
        lease.now = at;
        let renewal = lease.renew();
        assert!(lease.state.renewed(&renewal, STORE_MS));
    }
}

#[test]
fn a_missed_heartbeat_costs_two_seconds_and_not_an_interval() {
    // As the longest leases that are used in practice.
    let mut lease = Fixture::new(ttl(3_600_000), ANY);
    lease.hold();
    lease.advance(900_000);
    let began = lease.now;
    // The store is away for 20 s.
    while lease.now - began < Duration::from_secs(20) {
        let renewal = lease.renew();
        lease.fail(&renewal, away());
        assert!(lease.is_held());
        lease.waits(2_000);
        lease.advance(2_000);
    }
    let renewal = lease.renew();
    assert!(lease.state.renewed(&renewal, STORE_MS));
    assert!(lease.state.held().expect("held").1 - lease.now > Duration::from_secs(3_000));
}

#[test]
fn a_renewal_that_is_not_answered_is_sent_again_and_its_late_answer_ignored() {
    let mut lease = Fixture::any();
    lease.hold();
    lease.advance(15_000);
    let renewal = lease.renew();
    lease.waits(3_000);
    lease.advance(3_000);
    lease.waits(2_000);
    lease.advance(2_000);
    let again = lease.renew();
    assert!(!lease.state.renewed(&renewal, STORE_MS));
    lease.state.gone(&renewal, Loss::Wiped, lease.now);
    assert!(lease.is_held());
    assert!(lease.state.renewed(&again, STORE_MS));
}

#[test]
fn no_renewal_is_waited_for_past_the_deadline() {
    let mut lease = Fixture::any();
    lease.hold();
    lease.advance(53_000);
    let renewal = lease.renew();
    assert_eq!(renewal.patience, Duration::from_secs(1));
    lease.waits(1_000);
    lease.advance(999);
    assert!(lease.is_held());
    lease.advance(1);
    assert!(!lease.is_held());
    lease.lost(Loss::Expired);
    assert!(!lease.state.renewed(&renewal, STORE_MS));
}

#[test]
fn the_shortest_lease_can_miss_a_renewal() {
    let mut lease = Fixture::new(ttl(2_000), ANY);
    lease.hold();
    lease.advance(500);
    let renewal = lease.renew();
    lease.fail(&renewal, away());
    lease.waits(250);
    lease.advance(250);
    let renewal = lease.renew();
    assert!(lease.state.renewed(&renewal, STORE_MS));
    assert!(lease.is_held());
}

#[test]
fn the_time_of_the_store_goes_on_between_answers() {
    let mut lease = Fixture::any();
    assert_eq!(lease.state.store_now_ms(lease.now), None);
    lease.hold();
    lease.advance(1_500);
    assert_eq!(lease.state.store_now_ms(lease.now), Some(STORE_MS + 1_500));
}

#[test]
fn an_end_says_that_a_number_is_to_be_released() {
    let mut lease = Fixture::any();
    lease.hold();
    assert!(lease.state.end());
    assert!(!lease.is_held() && !lease.state.end());
    assert_eq!(lease.next(), Next::Ended);
    // One that was not confirmed too.
    let mut early = Fixture::any();
    let claim = early.claim();
    assert!(early.state.claimed(&claim, 7, STORE_MS));
    assert!(early.state.end());
}
