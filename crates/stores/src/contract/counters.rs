//! The methods beside `reserve`, and the keys themselves.

use mintid_core::range::MAX_ID;
use mintid_core::{Code, Result};

use super::client::{Client, Verdict, ensure};
use super::suite::Suite;
use crate::range_store::{Counter, Reserve};

/// Pairs that a database's collation, pattern or padding takes for the same key.
const LOOK_ALIKES: [&str; 11] = [
    "a", "A", "a ", "á", "a\u{301}", "a%", "a_", "ab", "a*", "a'\"\\", "订单",
];

pub(super) async fn are_raised_and_never_lowered(suite: &Suite<'_>) -> Verdict {
    let request = suite.request("floor", 10);
    let key = &request.key;
    let mut last = suite.one.grant(&request).await?.range.last();
    for (value, raises) in [(last, false), (last + 500, true), (1, false)] {
        let answer = suite.two.floor(key, value).await?;
        ensure(answer == raises || !suite.offers.details, || {
            format!("raising a counter at {last} to {value} answered {answer}")
        })?;
        last = last.max(value);
        let counter = suite.one.counter(key).await?.and_then(|it| it.value);
        ensure(counter == Some(last) || !suite.offers.list, || {
            format!("after raising it to {value} the counter is {counter:?}, and {last} is due")
        })?;
    }
    suite
        .one
        .refuse_floor(key, MAX_ID + 1, Code::RangeExhausted)
        .await?;
    let next = suite.two.grant(&request).await?.range;
    ensure(next.start > last, || {
        format!("{next} was granted of a counter that was raised to {last}, and then to 1")
    })?;

    let new = suite.request("floor-new", 10);
    let answer = suite.one.floor(&new.key, 700).await?;
    ensure(answer || !suite.offers.details, || {
        format!("raising a new key to 700 answered {answer}")
    })?;
    let next = suite.two.grant(&new).await?.range;
    ensure(next.start > 700, || {
        format!("{next} was granted of a new key that was raised to 700")
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
    // Each begins well below all before it, so that one which is taken for another stands out.
    for (index, key) in keys.iter().enumerate() {
        let request = Reserve {
            initial_offset: 1000 * (keys.len() - index) as u64,
            ..suite.request_of(key.clone(), 10)
        };
        let range = suite.one.grant(&request).await?.range;
        ensure(range.start < request.initial_offset + 1000, || {
            format!("the new key {:?} was taken for another", key.as_str())
        })?;
    }
    if !(suite.offers.floor && suite.offers.list) {
        return Ok(());
    }
    let raised = 1_000_000..;
    for (key, value) in keys.iter().zip(raised.clone()) {
        suite.two.floor(key, value).await?;
    }
    for (key, value) in keys.iter().zip(raised) {
        let counter = suite.two.counter(key).await?.and_then(|it| it.value);
        ensure(counter == Some(value), || {
            format!("the counter of {:?} was changed by another's", key.as_str())
        })?;
    }
    Ok(())
}

pub(super) async fn end_with_their_client(suite: &Suite<'_>) -> Verdict {
    let client = suite.another().await?;
    client.close().await?;
    let Client { store, .. } = &client;
    let reserve = suite.request("close", 10);
    let key = reserve.key.clone();
    let reserved = client.in_time("reserve", store.reserve(reserve)).await?;
    ensure_closed("reserve", reserved)?;
    let connected = client.in_time("connect", store.connect()).await?;
    ensure_closed("connect", connected)?;
    if suite.offers.list {
        let listed = client.in_time("list", store.list(String::new())).await?;
        ensure_closed("list", listed)?;
    }
    if suite.offers.seal {
        let sealed = client.in_time("seal", store.seal(key.clone())).await?;
        ensure_closed("seal", sealed)?;
    }
    if suite.offers.floor {
        let raised = client.in_time("floor", store.floor(key, 1)).await?;
        ensure_closed("floor", raised)?;
    }
    Ok(())
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
