//! One machine number passes from hand to hand: no tick belongs to two.

use super::*;

/// Whether a tenure uses the tick of `now_ms`.
fn uses(tenure: &Tenure, now_ms: u64) -> bool {
    matches!(tenure.draw(1, || now_ms), Draw::Ids { .. })
}

/// The holder under `ceiling_ms`, and the one that follows it.
fn pair(layout: Layout, ceiling_ms: u64) -> (Tenure, Tenure) {
    let next = layout.first_tick_above(ceiling_ms);
    (
        Tenure::new(layout, 0, 0, ceiling_ms),
        Tenure::new(layout, 0, next, FAR_MS),
    )
}

#[test]
fn whatever_ms_of_a_tick_a_ceiling_is_no_tick_is_used_by_both() {
    for unit in [Unit::Ms, Unit::S] {
        for epoch in [EPOCH_MS, EPOCH_MS + 1, EPOCH_MS + 457, EPOCH_MS + 999] {
            let options = LayoutOptions {
                unit: Some(unit),
                epoch: Some(epoch),
                ..LayoutOptions::default()
            };
            let layout = layout(&options).expect("valid");
            for ceiling_ms in NOW_MS..NOW_MS + unit.ms() {
                let tick = layout.tick_at(ceiling_ms).expect("after the epoch");
                for tick in tick - 1..=tick + 2 {
                    let now_ms = layout.first_ms(tick);
                    let (former, next) = pair(layout, ceiling_ms);
                    let (former, next) = (uses(&former, now_ms), uses(&next, now_ms));
                    assert!(!(former && next), "{ceiling_ms} {tick}");
                    assert_eq!(former, layout.last_ms(tick) <= ceiling_ms);
                    assert_eq!(next, layout.first_ms(tick) > ceiling_ms);
                }
            }
        }
    }
}

#[test]
fn a_number_released_at_any_ms_of_a_tick_is_used_again_above_it() {
    for unit in [Unit::Ms, Unit::S] {
        let layout = narrow(4, unit);
        for ms in 0..unit.ms() {
            let now_ms = NOW_MS + ms;
            let former = tenure(layout);
            let Draw::Ids { first, tick, .. } = former.draw(3, || now_ms) else {
                panic!("an id is due");
            };
            // What a release leaves behind: the last ms of the highest tick drawn.
            let last_ms = layout.last_ms(former.end().expect("one was drawn"));
            let next = Tenure::new(layout, 5, layout.first_tick_above(last_ms), FAR_MS);
            assert!(matches!(next.draw(1, || now_ms), Draw::Behind { .. }));
            assert_eq!(next.starts_at(), last_ms + 1);
            let Draw::Ids { first: later, .. } = next.draw(1, || last_ms + 1) else {
                panic!("the next tick is due");
            };
            assert!(later > first + 2 && layout.first_tick_above(last_ms) == tick + 1);
        }
    }
}

#[test]
fn a_claimer_that_made_no_id_begins_where_it_was_allowed_to() {
    let layout = narrow(4, Unit::S);
    let ceiling_ms = layout.ceiling_at(NOW_MS + 60_000);
    let next = Tenure::new(layout, 5, layout.first_tick_above(ceiling_ms), FAR_MS);
    assert_eq!(next.end(), None);
    assert_eq!(
        layout.first_tick_above(ceiling_ms),
        layout.tick_at(ceiling_ms + 1).expect("later")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn spans_are_disjoint_and_touch_where_a_ceiling_ends_a_tick(
        layout in layouts(),
        ceiling_ms in 0..=FAR_MS,
        off in -3_000_i64..3_000,
    ) {
        let now_ms = ceiling_ms.saturating_add_signed(off);
        let (former, next) = pair(layout, ceiling_ms);
        let (former, next) = (uses(&former, now_ms), uses(&next, now_ms));
        prop_assert!(!(former && next));
        // A ceiling as the store has it leaves no tick to nobody.
        let aligned = layout.ceiling_at(ceiling_ms);
        let (former, next) = pair(layout, aligned);
        let is_inside = now_ms >= layout.epoch_ms() && now_ms <= layout.ends_at();
        prop_assert_eq!(uses(&former, now_ms) ^ uses(&next, now_ms), is_inside && now_ms <= FAR_MS - 1_000);
    }

    #[test]
    fn a_ceiling_is_the_last_ms_of_the_last_tick_that_is_over(
        layout in layouts(),
        unix_ms in 0..=FAR_MS,
    ) {
        let ceiling_ms = layout.ceiling_at(unix_ms);
        if unix_ms >= layout.epoch_ms() {
            prop_assert!(ceiling_ms <= unix_ms && unix_ms - ceiling_ms < layout.unit().ms());
        }
        prop_assert_eq!(layout.ceiling_at(ceiling_ms), ceiling_ms);
        match layout.tick_at(ceiling_ms) {
            Some(tick) => prop_assert_eq!(layout.last_ms(tick), ceiling_ms),
            None => prop_assert_eq!(ceiling_ms, layout.epoch_ms() - 1),
        }
        prop_assert_eq!(Tenure::new(layout, 0, 0, unix_ms).ceiling_ms(), ceiling_ms);
    }
}
