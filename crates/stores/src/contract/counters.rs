//! The methods beside `reserve`, and the keys themselves.

use mintid_core::range::MAX_ID;
use mintid_core::{Code, Result};

use super::client::{Verdict, ensure};
use super::suite::{Suite, request};
use crate::range_store::Counter;

/// Pairs that a database's collation, pattern or padding takes for the same key.
const LOOK_ALIKES: [&str; 11] = [
    "a", "A", "a ", "á", "a\u{301}", "a%", "a_", "ab", "a*", "a'\"\\", "订单",
];

pub(super) async fn are_raised_and_never_lowered(suite: &Suite<'_>) -> Verdict {
    let floored = suite.request("floor", 10);
    let key = &floored.key;
    let mut last = suite.one.grant(&floored).await?.range.last();
    for (value, raises) in [(last, false), (1, false), (last + 500, true)] {
        let answer = suite.two.floor(key, value).await?;
        ensure(answer == raises, || {
            format!("floor({value}) of a counter at {last} answered {answer}")
        })?;
        last = last.max(value);
        let counter = suite.one.counter(key).await?.and_then(|it| it.value);
        ensure(counter == Some(last), || {
            format!("after floor({value}) the counter is {counter:?}, and {last} is due")
        })?;
    }
    suite
        .one
        .refuse_floor(key, MAX_ID + 1, Code::RangeExhausted)
        .await?;
    let next = suite.two.grant(&floored).await?.range;
    ensure(next.start > last, || {
        format!("{next} was granted of a counter that was raised to {last}")
    })?;

    let new = suite.request("floor-new", 10);
    let answer = suite.one.floor(&new.key, 700).await?;
    let next = suite.two.grant(&new).await?.range;
    ensure(answer && next.start > 700, || {
        format!("floor(700) of a new key answered {answer}, and then {next} was granted")
    })
}

pub(super) async fn are_listed_by_prefix(suite: &Suite<'_>) -> Verdict {
    let mut expected = Vec::new();
    for label in ["list_1", "list_2", "list_2b", "listx1", "LIST_3", "lis"] {
        let request = suite.request(label, 10);
        let last = suite.one.grant(&request).await?.range.last();
        expected.push(Counter {
            key: request.key.to_string(),
            value: Some(last),
            sealed: false,
        });
    }
    // Of the bytes of the keys, where capitals come first.
    expected.sort_by(|a, b| a.key.cmp(&b.key));
    for label in ["list_", "list_2", "lis", "none"] {
        let prefix = suite.key(label).to_string();
        let due: Vec<_> = expected
            .iter()
            .filter(|it| it.key.starts_with(&prefix))
            .cloned()
            .collect();
        let listed = suite.two.list(&prefix).await?;
        ensure(listed == due, || {
            format!("list({prefix:?}) answered {listed:?}, and {due:?} is due")
        })?;
    }
    let all = suite.one.list("").await?;
    ensure(expected.iter().all(|it| all.contains(it)), || {
        "list(\"\") leaves out keys that exist".to_owned()
    })
}

pub(super) async fn count_apart(suite: &Suite<'_>) -> Verdict {
    let mut keys: Vec<_> = LOOK_ALIKES.iter().map(|label| suite.key(label)).collect();
    keys.extend(
        LOOK_ALIKES
            .iter()
            .map(|label| suite.key_in_namespace(label)),
    );
    // The longest key there is: a name of 128 bytes in a namespace.
    keys.push(suite.key_in_namespace(&"订".repeat(42)));
    for (index, key) in keys.iter().enumerate() {
        let size = index as u64 + 1;
        let granted = suite.one.grant(&request(key.clone(), size)).await?;
        ensure(granted.created, || {
            format!("the new key {:?} was taken for another", key.as_str())
        })?;
        suite.two.floor(key, 1000 + size).await?;
    }
    for (index, key) in keys.iter().enumerate() {
        let value = suite.two.counter(key).await?.and_then(|it| it.value);
        ensure(value == Some(1001 + index as u64), || {
            format!("the counter of {:?} was changed by another's", key.as_str())
        })?;
    }
    Ok(())
}

pub(super) async fn end_with_their_client_only(suite: &Suite<'_>) -> Verdict {
    let third = suite.another().await?;
    let reserve = suite.request("close", 10);
    let before = third.grant(&reserve).await?.range;
    third
        .in_time("close", third.store.close())
        .await?
        .map_err(|error| format!("close failed: {error}"))?;
    let store = &third.store;
    let key = reserve.key.clone();
    let reserved = third
        .in_time("reserve", store.reserve(reserve.clone()))
        .await?;
    ensure_closed("reserve", reserved)?;
    ensure_closed("connect", third.in_time("connect", store.connect()).await?)?;
    ensure_closed(
        "list",
        third.in_time("list", store.list(String::new())).await?,
    )?;
    ensure_closed(
        "seal",
        third.in_time("seal", store.seal(key.clone())).await?,
    )?;
    ensure_closed("floor", third.in_time("floor", store.floor(key, 1)).await?)?;
    let next = suite.one.grant(&reserve).await?.range;
    ensure(next.start >= before.end, || {
        format!("{next} was granted after {before}, whose client was closed")
    })
}

fn ensure_closed<T>(call: &str, answer: Result<T>) -> Verdict {
    let came = match answer {
        Err(error) if error.code() == Code::Closed => return Ok(()),
        Err(error) => error.to_string(),
        Ok(_) => "an answer".to_owned(),
    };
    Err(format!(
        "{call} after close brought {came}, and {} is due",
        Code::Closed
    )
    .into())
}
