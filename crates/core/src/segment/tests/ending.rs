//! `close`, `drop_all` and a task that went away.

use super::*;

#[test]
fn close_tells_everybody_drops_everything_and_refuses_what_comes() {
    let mut fixture = Fixture::fixed(10);
    fixture.refill();
    fixture.refill();
    let need = Need {
        at_hand: 100,
        missing: 80,
    };
    for _ in 0..3 {
        let enlisted = fixture.buffer.enlist(HERE, need, fixture.now());
        enlisted.expect("a place");
    }
    told_of(Code::Closed, fixture.buffer.close(closed()), 3);
    assert_eq!(fixture.draw(1).range, None);
    assert_eq!(fixture.stats().wasted, 20);
    refused(Code::Closed, fixture.enlist(HERE, 1));
    assert!(!fixture.buffer.want());
    assert_eq!(fixture.next(), Next::Rest);
}

#[test]
fn an_answer_after_close_is_waste() {
    let mut fixture = Fixture::fixed(10);
    let attempt = fixture.want();
    told_of(Code::Closed, fixture.buffer.close(closed()), 0);
    told(fixture.answer(&attempt), 0);
    assert_eq!(fixture.draw(1).range, None);
    let stats = fixture.stats();
    assert_eq!((stats.reserved, stats.wasted), (10, 10));
    assert_eq!(fixture.next(), Next::Rest);
}

#[test]
fn a_failure_after_close_leaves_it_closed() {
    for error in [away(), sealed(), exhausted(10)] {
        let fixture = Fixture::fixed(10);
        let attempt = fixture.want();
        told_of(Code::Closed, fixture.buffer.close(closed()), 0);
        let woken = fixture.finish(&attempt, Err(error));
        assert!(woken.waiters.is_empty());
        refused(Code::Closed, fixture.enlist(HERE, 1));
        assert_eq!(fixture.next(), Next::Rest);
    }
}

#[test]
fn dropped_ids_are_waste_and_the_next_caller_starts_afresh() {
    let mut fixture = Fixture::fixed(10);
    for _ in 0..3 {
        fixture.refill();
    }
    fixture.draw(4);
    fixture.buffer.drop_all();
    assert_eq!(fixture.draw(1).range, None);
    let stats = fixture.stats();
    assert_eq!((stats.issued, stats.wasted, stats.remaining), (4, 26, 0));
    fixture.refill();
    assert_eq!(fixture.ids(100), Some((31, 40)));
}

#[test]
fn a_task_that_went_away_wakes_its_callers_and_makes_room_for_another() {
    let mut fixture = Fixture::fixed(10);
    assert_eq!(fixture.enlist(HERE, 1).expect("a place"), STARTS_TASK);
    let lost = fixture.send();
    told_of(Code::StoreError, fixture.buffer.abandon(away()), 1);
    assert_eq!(fixture.enlist(HERE, 1).expect("a place"), STARTS_TASK);
    let attempt = fixture.send();
    told(fixture.finish(&lost, Err(away())), 0);
    told(fixture.answer(&attempt), 1);
}
