//! What a layout is refused for, and what it says of its time.

use super::*;

#[track_caller]
fn refused(options: &LayoutOptions, option: &str, value: u64, parts: &[&str]) {
    let error = layout(options).expect_err("these options are wrong");
    assert_eq!(error.code(), Code::ConfigInvalid);
    let text = error.to_string();
    assert!(
        text.starts_with(&format!("layout.{option} = {value}: ")),
        "{text}"
    );
    for part in parts {
        assert!(text.contains(part), "{text:?} lacks {part:?}");
    }
}

fn since(epoch: u64, unit: Unit) -> LayoutOptions {
    LayoutOptions {
        epoch: Some(epoch),
        unit: Some(unit),
        ..LayoutOptions::default()
    }
}

#[test]
fn bits_are_refused_that_leave_no_time_or_fill_more_than_63() {
    refused(&of_bits(0, 10, 12), "timestampBits", 0, &["from 1 to 63"]);
    refused(&of_bits(41, 17, 5), "machineBits", 17, &["from 0 to 16"]);
    refused(&of_bits(41, 0, 32), "sequenceBits", 32, &["from 0 to 31"]);
    refused(
        &of_bits(42, 10, 12),
        "timestampBits",
        42,
        &["42 + 10 + 12 = 64", "63"],
    );
    refused(&of_bits(1 << 40, 10, 12), "timestampBits", 1 << 40, &["63"]);
    layout(&of_bits(41, 10, 12)).expect("63 in all");
    layout(&of_bits(63, 0, 0)).expect("63 in all");
    layout(&of_bits(41, 0, 0)).expect("one id a tick");
}

#[test]
fn an_epoch_is_refused_that_lies_ahead_or_is_told_in_another_unit() {
    for unit in [Unit::Ms, Unit::S] {
        let in_seconds = EPOCH_MS / 1_000;
        refused(
            &since(in_seconds, unit),
            "epoch",
            in_seconds,
            &["milliseconds", "1577836800000"],
        );
        refused(
            &since(NOW_MS + 1, unit),
            "epoch",
            NOW_MS + 1,
            &["has passed", "1760000000000"],
        );
        let in_micros = EPOCH_MS * 1_000;
        refused(&since(in_micros, unit), "epoch", in_micros, &["has passed"]);
        refused(
            &since(u64::MAX, unit),
            "epoch",
            u64::MAX,
            &["8640000000000000"],
        );
        layout(&since(NOW_MS, unit)).expect("now");
        layout(&since(0, unit)).expect("the epoch of Unix is the same in each unit");
    }
}

#[test]
fn a_clock_before_the_epoch_makes_no_layout() {
    // 2019-06-01, as a machine without a battery tells.
    let text = Layout::new(&LayoutOptions::default(), 1_559_347_200_000)
        .expect_err("before the epoch")
        .to_string();
    assert!(
        text.contains("1577836800000") && text.contains("1559347200000"),
        "{text}"
    );
}

#[test]
fn a_layout_that_ends_within_a_year_is_refused_and_within_five_is_told() {
    const YEAR_MS: u64 = 31_557_600_000;
    // 2^39 ms are 17.4 years.
    let options = |ends_at: u64| LayoutOptions {
        epoch: Some(ends_at + 1 - (1 << 39)),
        ..of_bits(39, 10, 12)
    };
    let soon = options(NOW_MS + YEAR_MS - 1);
    refused(
        &soon,
        "timestampBits",
        39,
        &["within a year", "1791557599999"],
    );
    let later = layout(&options(NOW_MS + YEAR_MS)).expect("a year from now");
    assert_eq!(later.ends_at(), NOW_MS + YEAR_MS);
    assert!(later.ends_within_five_years(NOW_MS));
    let late = layout(&options(NOW_MS + 5 * YEAR_MS)).expect("five years from now");
    assert!(!late.ends_within_five_years(NOW_MS));
    assert!(late.ends_within_five_years(NOW_MS + 1));
}

#[test]
fn the_end_and_the_passing_of_the_safe_integers_are_as_counted_by_hand() {
    let layout = default_layout();
    // 2089-09-06T15:47:35.551Z and 2020-01-25T20:31:23.648Z.
    assert_eq!(layout.ends_at(), 3_776_860_055_551);
    assert_eq!(layout.passes_safe_at(), Some(EPOCH_MS + (1 << 31)));
    let seconds = super::layout(&LayoutOptions {
        unit: Some(Unit::S),
        ..of_bits(32, 10, 21)
    })
    .expect("valid");
    // 136 years.
    assert_eq!(seconds.ends_at(), EPOCH_MS + (1 << 32) * 1_000 - 1);
    assert_eq!(seconds.passes_safe_at(), Some(EPOCH_MS + (1 << 22) * 1_000));
    assert_eq!((seconds.machines(), seconds.sequences()), (1_024, 1 << 21));
    // Too far to be told, which is no reason to wrap.
    let endless = super::layout(&LayoutOptions {
        unit: Some(Unit::S),
        ..of_bits(63, 0, 0)
    });
    assert_eq!(endless.expect("valid").ends_at(), u64::MAX);
}

#[test]
fn ids_of_the_safe_layout_are_safe_to_its_last_one() {
    const SAFE: u64 = (1 << 53) - 1;
    let layout = layout(&LayoutOptions::js_safe()).expect("valid");
    assert_eq!(layout.compose(layout.last_tick(), 63, 63), SAFE);
    assert_eq!(layout.passes_safe_at(), None);
    assert_eq!(layout.max_id_at(u64::MAX), SAFE);
    assert_eq!(layout.ends_at(), 3_776_860_055_551);
    let error = layout.parse(SAFE + 1).expect_err("wider than the layout");
    assert_eq!(error.code(), Code::IdInvalid);
    assert!(error.to_string().contains("9007199254740992"), "{error}");
    // The last id before a layout of 63 bits passes the limit, and the first beyond it.
    let wide = default_layout();
    let at = wide.passes_safe_at().expect("it does");
    assert_eq!(
        (wide.max_id_at(at - 1), wide.min_id_at(at)),
        (SAFE, SAFE + 1)
    );
}

#[test]
fn the_record_tells_layouts_apart_that_differ_in_anything() {
    assert_eq!(default_layout().record(), "41/10/12/ms/1577836800000");
    let others = [
        of_bits(40, 10, 12),
        of_bits(41, 9, 12),
        of_bits(41, 10, 11),
        since(EPOCH_MS, Unit::S),
        since(EPOCH_MS - 1, Unit::Ms),
    ];
    for other in others {
        let other = layout(&other).expect("valid");
        assert_ne!(other.record(), default_layout().record());
        assert_eq!(layout(&other.options()).expect("valid"), other);
    }
}

#[test]
fn a_part_that_is_wider_than_its_field_spoils_no_neighbour() {
    let layout = default_layout();
    for (tick, machine, sequence) in [(1 << 41, 0, 0), (0, 1 << 10, 0), (0, 0, 1 << 12)] {
        let composed = std::panic::catch_unwind(|| layout.compose(tick, machine, sequence));
        composed.expect_err("it is too wide");
    }
    std::panic::catch_unwind(|| Tenure::new(layout, 1 << 10, 0, 0)).expect_err("too wide");
}
