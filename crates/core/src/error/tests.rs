use std::collections::HashSet;

use super::*;

fn text(value: &str) -> String {
    value.to_owned()
}

fn store_error() -> Error {
    Error::Store {
        store: store_name(),
        reason: text("disk full"),
    }
}

fn store_name() -> String {
    text("sqlite:ids.db")
}

/// One of each variant.
fn all() -> Vec<Error> {
    let (name, key, store) = (text("orders"), text("shop/orders"), store_name());
    vec![
        Error::config("step", 0, "a whole number from 1"),
        Error::StoreUnavailable {
            store: store.clone(),
            cause: Arc::new(store_error()),
        },
        store_error(),
        Error::StoreWentBack {
            store: store.clone(),
            reason: text("41 after 42"),
        },
        Error::SegmentEmpty { name: name.clone() },
        Error::TickFull {
            scope: "sfid".to_owned(),
        },
        Error::RangeUnavailable {
            name: name.clone(),
            cause: Arc::new(store_error()),
        },
        Error::TimedOut {
            name: name.clone(),
            limit_ms: 3_000,
            trouble: None,
        },
        Error::RangeExhausted {
            key: key.clone(),
            size: 100,
            last: 950,
            max: 1_000,
        },
        Error::RangeSealed { key: key.clone() },
        Error::RangeMissing {
            key: key.clone(),
            store: store.clone(),
        },
        Error::LayoutMismatch {
            key,
            store,
            recorded: text("periodic"),
            given: text("segment"),
        },
        Error::RangeStale {
            range: Range { start: 1, end: 101 },
            age_ms: 1_500,
        },
        Error::Refused {
            store: text("mine"),
            code: Code::RangeSealed,
            reason: text("closed for the year"),
        },
        Error::IdInvalid {
            value: text("12a"),
            expected: text("digits only"),
        },
        Error::LeasePending {
            scope: text("sfid:shop"),
            until_ms: Some(1_760_000_095_000),
        },
        Error::LeaseLost {
            scope: text("sfid:shop"),
            machine: 7,
            reason: text("it was not renewed in time"),
            trouble: None,
        },
        Error::MachineIdsExhausted {
            scope: text("sfid:shop"),
            lowest: 0,
            count: 1_024,
            holder: text("is held"),
        },
        Error::ClockBackwards {
            clock_ms: 1_760_000_000_000,
            last_ms: 1_760_000_001_500,
            limit_ms: 100,
        },
        Error::ClockOff {
            store: store_name(),
            clock_ms: 1_760_000_010_000,
            store_ms: 1_760_000_000_000,
            limit_ms: 5_000,
        },
        Error::TimestampExhausted {
            layout: text("41/10/12/ms/1577836800000"),
            ended_ms: 3_776_860_055_551,
        },
        Error::NotConnected { name: name.clone() },
        Error::Closed { name },
    ]
}

/// What only bindings tell, which give ids to languages without 64 bits.
const OF_BINDINGS: [Code; 1] = [Code::IdUnsafe];

#[test]
fn the_table_holds_every_code_of_every_failure_once() {
    let told_here = all();
    let codes: HashSet<_> = told_here
        .iter()
        .map(Error::code)
        .chain(OF_BINDINGS)
        .collect();
    assert_eq!(codes, HashSet::from(Code::ALL));
    let texts: HashSet<_> = Code::ALL.into_iter().map(Code::as_str).collect();
    assert_eq!(texts.len(), Code::ALL.len());
    for code in Code::ALL {
        assert!(code.as_str().starts_with("ERR_MINTID_"), "{code}");
        assert_eq!(code.to_string(), code.as_str());
        assert!(code.doc().ends_with('.'), "{code}");
    }
}

#[test]
fn only_what_cannot_pass_by_itself_is_final() {
    let is_final = |error: &Error| !error.is_retryable();
    let codes: HashSet<_> = all()
        .iter()
        .filter(|error| is_final(error))
        .map(Error::code)
        .collect();
    let expected = HashSet::from([
        Code::ConfigInvalid,
        Code::NotConnected,
        Code::RangeExhausted,
        Code::RangeSealed,
        Code::RangeMissing,
        Code::LayoutMismatch,
        Code::IdInvalid,
        Code::TimestampExhausted,
        Code::Closed,
    ]);
    assert_eq!(codes, expected);
}

#[test]
fn a_caller_sees_what_may_pass_as_unavailable_and_the_rest_as_it_is() {
    for error in all() {
        let (before, code) = (error.to_string(), error.code());
        let seen = error.for_caller("bills");
        if matches!(code, Code::StoreError | Code::StoreUnavailable) {
            assert_eq!(seen.code(), Code::RangeUnavailable);
            let cause = seen.cause().expect("the failure behind it");
            assert_eq!((cause.code(), cause.to_string()), (code, before));
            assert!(seen.to_string().contains("bills"), "{seen}");
        } else {
            assert_eq!((seen.code(), seen.to_string()), (code, before));
        }
    }
}

#[test]
fn a_cause_is_told_where_there_is_one() {
    let with_cause: HashSet<_> = all()
        .iter()
        .filter(|error| error.cause().is_some())
        .map(Error::code)
        .collect();
    let expected = HashSet::from([Code::StoreUnavailable, Code::RangeUnavailable]);
    assert_eq!(with_cause, expected);
}

#[test]
fn messages_name_the_values_and_the_way_out() {
    let expected = [
        &["step", "0", "from 1"][..],
        &["sqlite:ids.db", "disk full"],
        &["sqlite:ids.db", "disk full"],
        &["sqlite:ids.db", "41 after 42"],
        &["orders", "ready()", "keep"],
        &["sfid", "next tick"],
        &["orders", "disk full"],
        &["orders", "3000 ms"],
        &["shop/orders", "100", "950", "max = 1000"],
        &["shop/orders"],
        &["shop/orders", "sqlite:ids.db", "allowCreate: true"],
        &["shop/orders", "sqlite:ids.db", "periodic", "segment"],
        &["[1, 101)", "1500 ms", "rangeTtl"],
        &["mine", "closed for the year"],
        &["12a", "digits only"],
        &["sfid:shop", "1760000095000", "firstStart: true"],
        &["7", "sfid:shop", "not renewed in time"],
        &["1024", "sfid:shop", "machineRange"],
        &[
            "1500 ms",
            "1760000001500",
            "1760000000000",
            "clockBackwardsMax = 100",
        ],
        &[
            "1760000010000",
            "1760000000000",
            "10000 ms",
            "maxClockSkew = 5000",
        ],
        &["41/10/12/ms/1577836800000", "3776860055551", "epoch"],
        &["orders", "init"],
        &["orders"],
    ];
    assert_eq!(expected.len(), all().len());
    for (error, parts) in all().iter().zip(expected) {
        let message = error.to_string();
        for part in parts {
            assert!(message.contains(part), "{message:?} lacks {part:?}");
        }
    }
}
