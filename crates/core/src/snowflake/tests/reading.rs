//! What was put into an id is what is read from it.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn parts_come_back_as_they_were_put_in(
        layout in layouts(),
        (time, machine, sequence) in any::<(u64, u32, u32)>(),
    ) {
        let tick = time & layout.last_tick();
        let machine = machine % layout.machines();
        let sequence = sequence & u32::try_from(layout.sequences() - 1).expect("31 bits at most");
        let id = layout.compose(tick, machine, sequence);
        prop_assert!(id < 1 << 63);
        let parts = layout.parse(id).expect("of this layout");
        let timestamp_ms = layout.first_ms(tick);
        prop_assert_eq!(parts, Parts { timestamp_ms, machine, sequence });
        // Time decides the order, whatever the rest.
        if tick > 0 {
            let before = layout.max_id_at(timestamp_ms - 1);
            prop_assert!(before < id && before < layout.min_id_at(timestamp_ms));
        }
    }

    #[test]
    fn the_time_in_an_id_is_that_of_its_drawing(layout in layouts(), ms in 0_u64..1 << 40) {
        let now_ms = NOW_MS + ms % (layout.ends_at() - NOW_MS);
        let tenure = Tenure::new(layout, 0, 0, FAR_MS.max(layout.ends_at()));
        let Draw::Ids { first, count: 1, .. } = tenure.draw(1, || now_ms) else {
            panic!("an id is due");
        };
        let told = layout.parse(first).expect("of this layout").timestamp_ms;
        prop_assert!(told <= now_ms && now_ms - told < layout.unit().ms());
        // Which a query by time finds, and one by another does not.
        prop_assert!((layout.min_id_at(now_ms)..=layout.max_id_at(now_ms)).contains(&first));
        let tick_ms = layout.unit().ms();
        prop_assert!(layout.max_id_at(now_ms - tick_ms) < first || told < tick_ms);
        prop_assert!(layout.min_id_at(now_ms + tick_ms) > first || now_ms + tick_ms > layout.ends_at());
    }

    #[test]
    fn every_number_is_an_id_of_the_layout_or_refused(layout in layouts(), id in any::<u64>()) {
        match layout.parse(id) {
            Ok(parts) => {
                let tick = layout.tick_at(parts.timestamp_ms).expect("after the epoch");
                prop_assert_eq!(layout.compose(tick, parts.machine, parts.sequence), id);
            }
            Err(error) => {
                prop_assert_eq!(error.code(), Code::IdInvalid);
                prop_assert!(id > layout.max_id_at(u64::MAX));
            }
        }
    }
}

#[test]
fn queries_by_a_time_outside_the_layout_find_its_ends() {
    let layout = default_layout();
    let last = (1 << 63) - 1;
    for before in [0, EPOCH_MS - 1] {
        assert_eq!((layout.min_id_at(before), layout.max_id_at(before)), (0, 0));
    }
    assert_eq!(layout.min_id_at(EPOCH_MS), 0);
    assert_eq!(layout.max_id_at(EPOCH_MS), (1 << 22) - 1);
    let end = layout.ends_at();
    assert_eq!(
        (layout.min_id_at(end), layout.max_id_at(end)),
        (last - (1 << 22) + 1, last)
    );
    for after in [end + 1, u64::MAX] {
        assert_eq!(
            (layout.min_id_at(after), layout.max_id_at(after)),
            (last, last)
        );
    }
}
