//! Reservations beside the refill, for one caller alone.

use super::*;

#[test]
fn a_direct_reservation_counts_as_handed_out() {
    let fixture = Fixture::fixed(10);
    fixture.buffer.admit(fixture.now()).expect("nothing failed");
    let range = Range { start: 1, end: 501 };
    fixture.buffer.count_direct(&Ok(range), fixture.now());
    let stats = fixture.stats();
    assert_eq!((stats.reserved, stats.issued, stats.refills), (500, 500, 1));
    assert_eq!(fixture.draw(1).range, None);
}

#[test]
fn a_direct_failure_holds_the_next_attempt_back() {
    let fixture = Fixture::fixed(10);
    fixture.buffer.count_direct(&Err(away()), fixture.now());
    assert_eq!(fixture.stats().failures, 1);
    refused(Code::StoreError, fixture.buffer.admit(fixture.now()));
    refused(Code::StoreError, fixture.enlist(HERE, 1));
    fixture.advance(100);
    fixture
        .buffer
        .admit(fixture.now())
        .expect("time has passed");
    fixture.enlist(HERE, 1).expect("a place");
}

#[test]
fn a_direct_reservation_that_is_too_large_ends_nothing() {
    let mut fixture = Fixture::fixed(10);
    let now = fixture.now();
    fixture.buffer.count_direct(&Err(exhausted(5_000)), now);
    fixture
        .buffer
        .admit(now)
        .expect("a smaller one may succeed");
    fixture.refill();
    assert_eq!(fixture.ids(1), Some((1, 1)));
}

#[test]
fn no_direct_reservation_is_made_after_the_end() {
    let fixture = Fixture::fixed(10);
    let attempt = fixture.want();
    told_of(
        Code::RangeSealed,
        fixture.finish(&attempt, Err(sealed())),
        0,
    );
    refused(Code::RangeSealed, fixture.buffer.admit(fixture.now()));
    told_of(Code::Closed, fixture.buffer.close(closed()), 0);
    refused(Code::Closed, fixture.buffer.admit(fixture.now()));
}
