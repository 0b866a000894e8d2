//! The script judges as all other stores do: it is held against the one judgement in Rust.

use std::time::Duration;

use mintid_core::range::MAX_ID;
use mintid_core::{Code, Key, Name, Namespace};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use super::servers::{Server, run, send};
use crate::grant::{Remembered, decide};
use crate::redis::connection::Connection;
use crate::redis::examine::{Demands, open};
use crate::redis::reserve::reserve;
use crate::redis::script::PROBE;
use crate::redis::session::Session;
use crate::redis::target::Target;
use crate::{Record, Reserve, StoreId};

const CASES: u32 = 400;
const LIMIT: Duration = Duration::from_secs(5);

/// Numbers where doubles, digits and the end of the ids go wrong.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        0_u64..200,
        999_999_900_u64..1_000_000_100,
        (1_u64 << 53) - 50..(1 << 53) + 50,
        MAX_ID - 300..=MAX_ID,
        0..=MAX_ID,
    ]
}

fn id() -> impl Strategy<Value = Option<StoreId>> {
    prop::option::of(prop_oneof![Just("one"), Just("two")].prop_map(StoreId::new))
}

fn remembered() -> impl Strategy<Value = Remembered> {
    (
        id(),
        prop::option::of(prop_oneof![4 => Just("segment"), 1 => Just("snowflake")]),
        prop::option::of(number()),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(store_id, record, value, sealed)| Remembered {
            store_id,
            record: record.map(str::to_owned),
            value,
            sealed,
        })
}

fn request() -> impl Strategy<Value = Reserve> {
    (
        prop_oneof![1_u64..2_000, Just(1 << 48)],
        number().prop_map(|number| number.max(1)),
        number(),
        prop::option::of((number(), prop::option::of(number()))),
        any::<bool>(),
        id(),
    )
        .prop_map(
            |(size, initial_offset, max, floor, may_create, store_id)| Reserve {
                key: key(),
                size,
                initial_offset,
                max: max.max(1),
                floor: floor.map(|(floor, _)| floor),
                raise_to: floor.and_then(|(floor, raise)| Some(raise?.max(floor))),
                jump: 1 << 24,
                may_create,
                store_id,
                record: Record::Segment,
                patience: LIMIT,
            },
        )
}

fn key() -> Key {
    let name = Name::new("orders").expect("a name");
    Namespace::default().segment_key(&name)
}

/// Makes the hash hold what is remembered, on the server as it is now.
async fn write(connection: &Connection, hash: &str, identity: &str, remembered: &Remembered) {
    send(connection, "DEL", &[hash]).await;
    // So that there is a hash, whatever else is missing.
    let mark = format!("{identity}|1|0|0|");
    let mut words = vec![hash.to_owned(), "#run:orders".to_owned(), mark];
    let mut add = |field: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([field.to_owned(), value]);
        }
    };
    add("orders", remembered.value.map(|value| value.to_string()));
    add(
        "#store",
        remembered
            .store_id
            .as_ref()
            .map(|id| id.as_str().to_owned()),
    );
    add("#gen:orders", remembered.record.clone());
    add("#sealed:orders", remembered.sealed.then(|| "1".to_owned()));
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    send(connection, "HSET", &words).await;
}

/// What came of a reservation, as far as two stores have to agree.
type Outcome = Result<(crate::Granted, Option<String>), Code>;

async fn by_script(session: &Session, connection: &Connection, request: &Reserve) -> Outcome {
    let reserved = reserve("redis:", session, request, true, LIMIT).await;
    let granted = reserved
        .map(|reserved| reserved.granted)
        .map_err(|refusal| refusal.into_error("redis:").code())?;
    let counter = send(connection, "HGET", &[&session.key, "orders"]).await;
    Ok((granted, counter.as_string()))
}

fn by_judgement(remembered: &Remembered, request: &Reserve, fresh: &StoreId) -> Outcome {
    let granted =
        decide("redis:", remembered, request, || fresh.clone()).map_err(|error| error.code())?;
    let counter = granted.range.last().to_string();
    Ok((granted, Some(counter)))
}

#[test]
fn the_script_grants_and_refuses_what_every_store_does() {
    let Some(server) = Server::of("REDIS7") else {
        return;
    };
    run(async {
        let connection = server.connection().await;
        let target = Target::new(server.address(), &server.options(), LIMIT).expect("good options");
        let demands = Demands {
            store: "redis:".to_owned(),
            options: server.options(),
            least: None,
        };
        let session = open(&target, &demands).await.expect("a session");
        let probed = PROBE.run(&connection, &[server.hash()], &[], LIMIT).await;
        let probed = probed.expect("an answer");
        let identity = probed.get(0).expect("an identity").to_owned();
        let mut runner = TestRunner::new(Config::default());
        for _ in 0..CASES {
            let tree = (remembered(), request())
                .new_tree(&mut runner)
                .expect("a case");
            let (remembered, request) = tree.current();
            write(&connection, server.hash(), &identity, &remembered).await;
            let answer = by_script(&session, &connection, &request).await;
            // The id that the script made up, where it did.
            let fresh = match &answer {
                Ok((granted, _)) => granted.store_id.clone(),
                Err(_) => StoreId::fresh(),
            };
            let due = by_judgement(&remembered, &request, &fresh);
            assert_eq!(answer, due, "{remembered:?} was asked {request:?}");
        }
        send(&connection, "DEL", &[server.hash()]).await;
    });
}
