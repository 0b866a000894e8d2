//! Servers that offer less than scripts that see who the server is.

use std::time::Duration;

use mintid_core::range::MAX_ID;
use mintid_core::{Code, Key, Name, Namespace};
use tokio::task::JoinSet;

use super::servers::{Server, run, send};
use crate::redis::connection::Connection;
use crate::redis::examine;
use crate::redis::reserve::{Refusal, reserve};
use crate::redis::server::ServerInfo;
use crate::redis::session::{Protection, Session};
use crate::redis::target::Target;
use crate::{Granted, Raise, Record, Reserve};

const LIMIT: Duration = Duration::from_secs(5);

fn key() -> Key {
    Namespace::default().segment_key(&Name::new("orders").expect("a name"))
}

fn request(size: u64) -> Reserve {
    Reserve {
        key: key(),
        size,
        initial_offset: 1,
        max: MAX_ID,
        floor: None,
        raise_to: None,
        jump: 1 << 24,
        may_create: true,
        store_id: None,
        record: Record::Segment,
        patience: LIMIT,
    }
}

async fn session(server: &Server, protection: Protection, identity: &str) -> Session {
    let target = Target::new(server.address(), &server.options(), LIMIT).expect("good options");
    let connection = Connection::open(&target).await.expect("a server");
    let info = ServerInfo::default();
    Session::new(connection, &target, protection, identity.to_owned(), info)
}

async fn ask(session: &Session, request: &Reserve) -> Result<Granted, Refusal> {
    let reserved = reserve("redis:", session, request, true, LIMIT).await?;
    Ok(reserved.granted)
}

async fn granted(session: &Session, request: &Reserve) -> Granted {
    ask(session, request).await.expect("a range")
}

async fn refused(session: &Session, request: &Reserve) -> Code {
    let refusal = ask(session, request).await.expect_err("a refusal");
    refusal.into_error("redis:").code()
}

/// Runs `test` with a hash of its own, which is gone afterwards.
fn with_session(
    protection: Protection,
    identity: &'static str,
    test: impl AsyncFnOnce(&Session, &Connection, &str),
) {
    let Some(server) = Server::of("REDIS7") else {
        return;
    };
    run(async {
        let session = session(&server, protection, identity).await;
        let other = server.connection().await;
        test(&session, &other, server.hash()).await;
        send(&other, "DEL", &[server.hash()]).await;
    });
}

#[test]
fn without_scripts_ranges_are_counted_on_by_plain_commands() {
    with_session(Protection::Plain, "-", async |session, other, hash| {
        let first = granted(session, &request(10)).await;
        assert_eq!(
            (first.range.start, first.range.end, first.created),
            (1, 11, true)
        );
        send(other, "HINCRBY", &[hash, "orders", "5"]).await;
        let next = granted(session, &request(10)).await;
        assert_eq!(
            (next.range.start, next.range.end, next.created),
            (16, 26, false)
        );
    });
}

#[test]
fn without_scripts_a_counter_that_went_back_is_raised_by_those_who_remember() {
    with_session(Protection::Plain, "-", async |session, other, hash| {
        granted(session, &request(100)).await;
        send(other, "HSET", &[hash, "orders", "40"]).await;
        let mut request = request(10);
        request.floor = Some(100);
        assert_eq!(refused(session, &request).await, Code::StoreWentBack);
        request.raise_to = Some(1_000);
        let raised = granted(session, &request).await;
        assert_eq!(raised.range.start, 1_001);
        assert_eq!(
            raised.raised,
            Some(Raise {
                from: 40,
                to: 1_000
            })
        );
        send(other, "HDEL", &[hash, "orders"]).await;
        let raised = granted(session, &request).await;
        assert_eq!(raised.range.start, 1_001);
    });
}

#[test]
fn without_scripts_what_cannot_be_granted_is_refused_and_left_alone() {
    with_session(Protection::Plain, "-", async |session, other, hash| {
        let value = async |value: &str| send(other, "HSET", &[hash, "orders", value]).await;
        for bad in ["-1", "x", "", "007", "9223372036854775807"] {
            value(bad).await;
            assert_eq!(
                refused(session, &request(1)).await,
                Code::StoreError,
                "{bad:?}"
            );
            let kept = send(other, "HGET", &[hash, "orders"]).await;
            assert_eq!(kept.as_string().as_deref(), Some(bad));
        }
        value("9223372036854775800").await;
        assert_eq!(refused(session, &request(100)).await, Code::RangeExhausted);
        assert_eq!(granted(session, &request(6)).await.range.end, MAX_ID + 1);
        send(other, "HSET", &[hash, "#sealed:orders", "1"]).await;
        assert_eq!(refused(session, &request(1)).await, Code::RangeSealed);
        let strict = Reserve {
            may_create: false,
            ..request(1)
        };
        assert_eq!(refused(session, &strict).await, Code::ConfigInvalid);
    });
}

#[test]
fn many_first_callers_without_scripts_share_nothing() {
    let Some(server) = Server::of("REDIS7") else {
        return;
    };
    run(async {
        let mut calls = JoinSet::new();
        for _ in 0..8 {
            let session = session(&server, Protection::Plain, "-").await;
            calls.spawn(async move { granted(&session, &request(10)).await.range.start });
        }
        let mut starts = calls.join_all().await;
        starts.sort_unstable();
        assert_eq!(starts, (0..8).map(|at| at * 10 + 1).collect::<Vec<_>>());
        send(&server.connection().await, "DEL", &[server.hash()]).await;
    });
}

#[test]
fn a_server_that_does_not_tell_who_it_is_grants_without_leaping() {
    with_session(
        Protection::Unidentified,
        "-",
        async |session, other, hash| {
            granted(session, &request(10)).await;
            send(other, "HSET", &[hash, "#run:orders", "another|1|0|0|"]).await;
            let next = granted(session, &request(10)).await;
            assert_eq!((next.range.start, next.jumped), (11, None));
        },
    );
}

#[test]
fn what_the_client_read_of_the_server_is_what_the_scripts_go_by() {
    let Some(server) = Server::of("REDIS7") else {
        return;
    };
    run(async {
        let other = server.connection().await;
        let (info, seconds) = examine::read(&other, LIMIT).await.expect("an answer");
        let identity = info.identity(seconds).expect("an identity");
        let told = session(&server, Protection::Told, &identity).await;
        assert_eq!(granted(&told, &request(10)).await.range.start, 1);
        assert_eq!(granted(&told, &request(10)).await.range.start, 11);
        // Read by a script it is the same: neither leaps after the other.
        let seeing = session(&server, Protection::Script, "").await;
        let next = granted(&seeing, &request(10)).await;
        assert_eq!((next.range.start, next.jumped), (21, None));
        // On a connection that leads elsewhere by now nothing counts.
        let misled = session(&server, Protection::Told, "somebody:else").await;
        assert!(matches!(
            ask(&misled, &request(10)).await,
            Err(Refusal::Failed(_))
        ));
        assert!(misled.connection.is_over());
        send(&other, "DEL", &[server.hash()]).await;
    });
}
