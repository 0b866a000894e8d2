//! What is done to counters beside reserving.
//!
//! None of it writes a store id: a counter that a person raises in a wiped hash must not turn it
//! into another store for the processes that knew it.

use std::collections::BTreeMap;

use fred::types::Value;
use mintid_core::range::MAX_ID;
use mintid_core::{Error, Key, Result};

use super::confirm::{Assertion, Subject};
use super::connection::Failure;
use super::error::{no_counter, refused, told};
use super::reply::{Reply, shapeless, text};
use super::reserve::unusable;
use super::script::{FLOOR, SEAL};
use super::session::{COMMAND_LIMIT, Protection, Session};
use crate::grant;
use crate::range_store::Counter;

/// How many fields one look at the hash may bring.
const FIELDS_AT_ONCE: i64 = 512;

/// Something was written, and what proves it; or nothing had to be.
pub(super) type Written = (bool, Option<Assertion>);

/// Seals `key`.
pub(super) async fn seal(store: &str, session: &Session, key: &Key) -> Result<Written> {
    require_scripts(store, session)?;
    let reply = SEAL
        .run(
            &session.connection,
            &[&session.key],
            &[key.as_str(), &session.identity],
            COMMAND_LIMIT,
        )
        .await
        .map_err(|failure| told(store, &failure))?;
    match reply.word() {
        "sealed" => Ok((true, assertion(key, "", &reply))),
        "kept" => Ok((false, assertion(key, "", &reply))),
        _ => Err(unexpected(store, &reply)),
    }
}

/// Raises the counter of `key`.
pub(super) async fn floor(
    store: &str,
    session: &Session,
    key: &Key,
    value: u64,
) -> Result<Written> {
    if value > MAX_ID {
        return Err(Error::RangeExhausted {
            key: key.to_string(),
            size: 1,
            last: value,
            max: MAX_ID,
        });
    }
    require_scripts(store, session)?;
    let value = value.to_string();
    let reply = FLOOR
        .run(
            &session.connection,
            &[&session.key],
            &[key.as_str(), &value, &session.identity],
            COMMAND_LIMIT,
        )
        .await
        .map_err(|failure| told(store, &failure))?;
    match reply.word() {
        "raised" => Ok((true, assertion(key, &value, &reply))),
        "kept" => Ok((false, None)),
        "sealed" => Err(grant::sealed(key.as_str())),
        "no counter" => Err(no_counter(
            store,
            &session.key,
            key.as_str(),
            reply.get(1).unwrap_or_default(),
        )),
        _ => Err(unexpected(store, &reply)),
    }
}

/// The counters whose keys begin with `prefix`. A hash may show a field twice while it is walked.
pub(super) async fn list(store: &str, session: &Session, prefix: &str) -> Result<Vec<Counter>> {
    let mut counters: BTreeMap<String, Counter> = BTreeMap::new();
    let mut cursor = "0".to_owned();
    loop {
        let args: Vec<Value> = vec![
            session.key.as_str().into(),
            cursor.as_str().into(),
            "COUNT".into(),
            FIELDS_AT_ONCE.into(),
        ];
        let answer = session.connection.call("HSCAN", args, COMMAND_LIMIT).await;
        let page = answer.and_then(|answer| page(&answer));
        let (next, fields) = page.map_err(|failure| told(store, &failure))?;
        for pair in fields.chunks_exact(2) {
            let (field, value) = (&pair[0], &pair[1]);
            let (key, is_seal) = match field.strip_prefix("#sealed:") {
                Some(key) => (key, true),
                None if field.starts_with('#') => continue,
                None => (field.as_str(), false),
            };
            if !key.starts_with(prefix) {
                continue;
            }
            let counter = counters.entry(key.to_owned()).or_insert_with(|| Counter {
                key: key.to_owned(),
                value: None,
                sealed: false,
            });
            if is_seal {
                counter.sealed = true;
            } else {
                let value = parse_counter(value)
                    .ok_or_else(|| no_counter(store, &session.key, key, value))?;
                counter.value = Some(value);
            }
        }
        if next == "0" {
            return Ok(counters.into_values().collect());
        }
        cursor = next;
    }
}

/// A counter as the scripts take it: digits without a leading zero, up to the last id.
pub(super) fn parse_counter(text: &str) -> Option<u64> {
    let is_plain = text == "0" || !text.starts_with(['0', '+']);
    let value = text.parse().ok().filter(|value| *value <= MAX_ID);
    value.filter(|_| is_plain)
}

fn page(answer: &Value) -> std::result::Result<(String, Vec<String>), Failure> {
    let Value::Array(parts) = answer else {
        return Err(shapeless(answer));
    };
    let [cursor, Value::Array(fields)] = parts.as_slice() else {
        return Err(shapeless(answer));
    };
    let fields = fields.iter().map(text).collect::<Option<Vec<_>>>();
    match (text(cursor), fields) {
        (Some(cursor), Some(fields)) => Ok((cursor, fields)),
        _ => Err(shapeless(answer)),
    }
}

fn assertion(key: &Key, granted_to: &str, reply: &Reply) -> Option<Assertion> {
    Some(Assertion {
        subject: Subject::Counter {
            key: key.to_string(),
            granted_to: granted_to.to_owned(),
        },
        identity: reply.get(2)?.to_owned(),
    })
}

fn require_scripts(store: &str, session: &Session) -> Result<()> {
    if session.protection > Protection::Plain {
        return Ok(());
    }
    Err(refused(
        store,
        "counters are sealed and raised by scripts, and this server runs none",
    ))
}

fn unexpected(store: &str, reply: &Reply) -> Error {
    unusable(store, reply.word(), reply.get(1)).unwrap_or_else(|| told(store, &reply.shapeless()))
}
