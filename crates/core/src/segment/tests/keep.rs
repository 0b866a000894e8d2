//! `keep`: never fewer ids at hand than are taken in one tick.

use proptest::prelude::*;

use super::*;

/// Lets the refill task run until it rests: between two ticks of the event loop.
fn settle(fixture: &mut Fixture) {
    while let Next::Reserve(attempt) = fixture.next() {
        fixture.answer(&attempt).outcome.expect("a success");
    }
}

/// Fills once, as `ready({ count: keep })` does.
fn fill(fixture: &mut Fixture, keep: u64) {
    let need = Need {
        at_hand: keep,
        missing: keep,
    };
    while let Ok(Enlisted::Waits { .. }) = fixture.buffer.enlist(HERE, need, fixture.now()) {
        settle(fixture);
    }
}

/// A tick that takes `taken` ids, some of them one by one.
fn tick(fixture: &Fixture, taken: u64, at_once: u32) -> u64 {
    let mut got = 0;
    while got < taken {
        let n = u32::try_from(taken - got).expect("a small number");
        let drawn = fixture.draw(n.min(at_once));
        if drawn.wants_refill {
            fixture.buffer.want();
        }
        match drawn.range {
            Some(range) => got += range.len(),
            None => break,
        }
    }
    got
}

fn any_policy() -> impl Strategy<Value = PolicyName> {
    prop_oneof![
        Just(PolicyName::Lookahead),
        Just(PolicyName::Proportional),
        Just(PolicyName::Doubling),
        Just(PolicyName::Fixed),
    ]
}

proptest! {
    #[test]
    fn a_tick_that_takes_no_more_than_keep_finds_it(
        policy in any_policy(),
        step in 1_u64..50,
        keep in 1_u64..500,
        ticks in prop::collection::vec((0.0..=1.0_f64, 1_u32..600, 0_u64..2_000), 1..200),
    ) {
        let reads_step = matches!(policy, PolicyName::Lookahead | PolicyName::Fixed);
        let mut fixture = Fixture::new(&SegmentOptions {
            policy: Some(policy),
            step: reads_step.then_some(step),
            keep: Some(keep),
            ..SegmentOptions::default()
        });
        fill(&mut fixture, keep);
        for (part, at_once, ms) in ticks {
            prop_assert!(fixture.at_hand() >= keep, "{} of {keep}", fixture.at_hand());
            let taken = (keep as f64 * part) as u64;
            prop_assert_eq!(tick(&fixture, taken, at_once), taken);
            fixture.advance(ms);
            settle(&mut fixture);
        }
        prop_assert_eq!(fixture.stats().wasted, 0);
    }
}

#[test]
fn a_keep_of_many_steps_is_filled_without_waste() {
    let mut fixture = Fixture::new(&SegmentOptions {
        keep: Some(500),
        ..fixed(1)
    });
    fill(&mut fixture, 500);
    assert_eq!(fixture.at_hand(), 500);
    assert_eq!(fixture.stats().wasted, 0);
}
