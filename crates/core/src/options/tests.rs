mod snowflake;

use std::time::Duration;

use super::*;
use crate::error::Code;
use crate::range::MAX_ID;
use crate::step::Policy;

fn refused(options: &SegmentOptions, option: &str, value: &str) {
    let error = options.plan().expect_err("these options are wrong");
    assert_eq!(error.code(), Code::ConfigInvalid);
    let text = error.to_string();
    assert!(text.starts_with(&format!("{option} = {value}: ")), "{text}");
}

#[test]
fn every_number_is_refused_outside_its_bounds_by_name() {
    let none = SegmentOptions::default;
    let over = (1 << 48) + 1;
    refused(
        &SegmentOptions {
            step: Some(0),
            ..none()
        },
        "step",
        "0",
    );
    refused(
        &SegmentOptions {
            step: Some(1 << 62),
            ..none()
        },
        "step",
        "4611686018427387904",
    );
    refused(
        &SegmentOptions {
            initial_offset: Some(0),
            ..none()
        },
        "initialOffset",
        "0",
    );
    refused(
        &SegmentOptions {
            max: Some(MAX_ID + 1),
            ..none()
        },
        "max",
        "9223372036854775807",
    );
    refused(
        &SegmentOptions {
            keep: Some((1 << 24) + 1),
            ..none()
        },
        "keep",
        "16777217",
    );
    refused(
        &SegmentOptions {
            max_batch: Some(over),
            ..none()
        },
        "maxBatch",
        "281474976710657",
    );
    let proportional = SegmentOptions {
        policy: Some(PolicyName::Proportional),
        ..none()
    };
    refused(
        &SegmentOptions {
            step_min: Some(0),
            ..proportional.clone()
        },
        "stepMin",
        "0",
    );
    refused(
        &SegmentOptions {
            step_max: Some(0),
            ..proportional
        },
        "stepMax",
        "0",
    );
}

#[test]
fn every_time_is_refused_when_it_is_fractional_or_out_of_bounds() {
    let none = SegmentOptions::default;
    let half = Some(Duration::from_micros(500));
    let long = Some(Duration::from_millis(1 << 31));
    refused(
        &SegmentOptions {
            range_ttl: half,
            ..none()
        },
        "rangeTtl",
        "0.5",
    );
    refused(
        &SegmentOptions {
            lookahead: half,
            ..none()
        },
        "lookahead",
        "0.5",
    );
    refused(
        &SegmentOptions {
            reserve_timeout: long,
            ..none()
        },
        "reserveTimeout",
        "2147483648",
    );
    refused(
        &SegmentOptions {
            reserve_timeout: Some(Duration::ZERO),
            ..none()
        },
        "reserveTimeout",
        "0",
    );
    refused(
        &SegmentOptions {
            range_ttl: Some(Duration::ZERO),
            ..none()
        },
        "rangeTtl",
        "0",
    );
}

#[test]
fn options_at_odds_with_each_other_are_refused() {
    let none = SegmentOptions::default;
    refused(
        &SegmentOptions {
            max: Some(4),
            initial_offset: Some(5),
            ..none()
        },
        "max",
        "4",
    );
    // From 5 on, no reservation of 100 ends at 103 or before.
    refused(
        &SegmentOptions {
            max: Some(103),
            initial_offset: Some(5),
            ..none()
        },
        "max",
        "103",
    );
    refused(
        &SegmentOptions {
            step: Some(10),
            max_batch: Some(9),
            ..none()
        },
        "maxBatch",
        "9",
    );
    let doubling = Some(PolicyName::Doubling);
    refused(
        &SegmentOptions {
            policy: doubling,
            step_min: Some(9),
            step_max: Some(8),
            ..none()
        },
        "stepMax",
        "8",
    );
}

#[test]
fn an_option_that_the_policy_does_not_read_is_refused() {
    let fixed = SegmentOptions {
        policy: Some(PolicyName::Fixed),
        ..SegmentOptions::default()
    };
    let lookahead = Some(Duration::from_secs(1));
    refused(
        &SegmentOptions {
            lookahead,
            ..fixed.clone()
        },
        "lookahead",
        "1000",
    );
    refused(
        &SegmentOptions {
            step_max: Some(8),
            ..fixed
        },
        "stepMax",
        "8",
    );
    let doubling = Some(PolicyName::Doubling);
    refused(
        &SegmentOptions {
            policy: doubling,
            step: Some(8),
            ..SegmentOptions::default()
        },
        "step",
        "8",
    );
}

#[test]
fn the_default_batch_is_a_multiple_of_the_step_and_never_wraps() {
    for (step, most) in [
        (1, 1 << 20),
        (100, 1_048_500),
        (3_000, 3_000_000),
        (1 << 40, (1 << 40) * 1000),
        (1 << 48, (1 << 48) * 1000),
    ] {
        let plan = SegmentOptions {
            step: Some(step),
            ..SegmentOptions::default()
        }
        .plan();
        assert_eq!(
            plan.expect("a valid step").policy.most(),
            most,
            "step {step}"
        );
    }
    let given = SegmentOptions {
        step: Some(7),
        max_batch: Some(30),
        ..SegmentOptions::default()
    };
    assert_eq!(given.plan().expect("valid").policy.most(), 28);
}

#[test]
fn another_handle_may_leave_out_what_it_likes_and_change_nothing() {
    let plan = SegmentOptions {
        step: Some(7),
        max_batch: Some(30),
        ..SegmentOptions::default()
    }
    .plan()
    .expect("valid");
    plan.admit(&SegmentOptions::default())
        .expect("nothing is asked");
    plan.admit(&SegmentOptions {
        step: Some(7),
        max_batch: Some(30),
        ..Default::default()
    })
    .expect("the same");
    let other = SegmentOptions {
        step: Some(8),
        ..SegmentOptions::default()
    };
    let text = plan.admit(&other).expect_err("another step").to_string();
    assert!(text.starts_with("step = 8: another handle has 7"), "{text}");
    let ttl = SegmentOptions {
        range_ttl: Some(Duration::from_secs(1)),
        ..Default::default()
    };
    let text = plan.admit(&ttl).expect_err("another ttl").to_string();
    assert!(text.starts_with("rangeTtl = 1000: another handle has none"));
    let policy = SegmentOptions {
        policy: Some(PolicyName::Fixed),
        ..Default::default()
    };
    let text = plan.admit(&policy).expect_err("another policy").to_string();
    assert!(text.contains("has lookahead"), "{text}");
}

#[test]
fn every_row_of_the_table_can_be_left_out_and_names_its_bounds() {
    for spec in OPTIONS {
        assert!(
            !spec.doc.is_empty() && !spec.kind.expected().is_empty(),
            "{}",
            spec.name
        );
        if let (Fallback::Number(number), Some((least, most))) = (spec.fallback, spec.kind.bounds())
        {
            assert!((least..=most).contains(&number), "{}: {number}", spec.name);
        }
    }
    let plan = SegmentOptions::default()
        .plan()
        .expect("the defaults are valid");
    assert!(matches!(plan.policy, Policy::Lookahead(policy) if policy.step == 100));
    assert_eq!(
        PolicyName::new("fixed").expect("a policy"),
        PolicyName::Fixed
    );
    let text = PolicyName::new("linear")
        .expect_err("no policy")
        .to_string();
    assert!(
        text.contains("\"linear\"") && text.contains("proportional"),
        "{text}"
    );
}
