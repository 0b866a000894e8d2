//! What is a server's own in leases: another server under the same address, fields that end, and
//! clients that keep no records.

use std::sync::Arc;

use mintid_core::options::Durability;
use mintid_core::{Code, Result};

use super::lease_bench::{Bench, DURABLE, LIMIT, PLAIN, SKEW, TTL, WINDOW, with_bench};
use super::servers::{Server, run, send};
use crate::RangeStore;
use crate::lease_grant::millis;
use crate::lease_store::{Claim, Claimed, LeaseStore, Renewed};
use crate::redis::connection::Connection;
use crate::redis::leases::{self, Manner, Question};
use crate::redis::reserve::Refusal;
use crate::redis::server::ServerInfo;
use crate::redis::session::{Protection, Session};
use crate::redis::target::Target;
use crate::redis::{RedisAddress, RedisOptions, RedisStore};

/// Makes the table one that another server wrote, whose writes were proved or not.
async fn replace_server(bench: &Bench, is_proved: bool) {
    let mark = format!("another:server|{}|{}", millis(WINDOW), u8::from(!is_proved));
    bench.set(&bench.scope.meta(), "#run", Some(mark)).await;
}

/// A claim of another machine id than 7.
async fn claim_8(bench: &Bench, owner: &str, manner: Manner) -> Claimed {
    let request = Claim {
        machines: (8, 1_023),
        ..bench.claim_7(owner).await
    };
    bench
        .claim_by(&request, manner)
        .await
        .expect("a machine id")
}

async fn fresh(bench: &Bench) -> u64 {
    let fresh = bench.get("#fresh").await.expect("a bound");
    fresh.parse().expect("a time")
}

#[test]
fn on_another_server_newcomers_wait_and_holders_do_not() {
    with_bench("REDIS7", async |bench| {
        let held = bench.hold_7("holder").await;
        replace_server(bench, false).await;
        let first = claim_8(bench, "first", PLAIN).await;
        let end = first.store_now_ms + millis(TTL + SKEW + WINDOW);
        assert_eq!(
            (first.former_ceiling_ms, first.waits_for_table),
            (end, true)
        );
        // The wait is the same for all who come while it lasts, and not begun again.
        let second = claim_8(bench, "second", PLAIN).await;
        assert_eq!(
            (second.former_ceiling_ms, second.waits_for_table),
            (end, true)
        );
        let Renewed::Held { ceiling_ms, .. } = bench.renew("holder").await else {
            panic!("it holds machine id 7");
        };
        assert!(ceiling_ms >= held.ceiling_ms && ceiling_ms < end);
    });
}

#[test]
fn the_first_renewal_on_another_server_begins_the_wait_of_newcomers() {
    with_bench("REDIS7", async |bench| {
        bench.hold_7("holder").await;
        replace_server(bench, false).await;
        let before = bench.now_ms().await;
        bench.renew("holder").await;
        let end = fresh(bench).await;
        assert!(end >= before + millis(TTL + SKEW + WINDOW));
        bench.renew("holder").await;
        assert_eq!(fresh(bench).await, end);
        assert_eq!(
            claim_8(bench, "newcomer", PLAIN).await.former_ceiling_ms,
            end
        );
    });
}

#[test]
fn nobody_waits_on_another_server_where_all_was_proved() {
    with_bench("REDIS7", async |bench| {
        let request = bench.claim_7("holder").await;
        bench
            .claim_by(&request, DURABLE)
            .await
            .expect("machine id 7");
        replace_server(bench, true).await;
        assert_eq!(claim_8(bench, "proved", DURABLE).await.former_ceiling_ms, 0);
        // One that proves nothing is one whose writes the next server may not have.
        assert_eq!(claim_8(bench, "plain", PLAIN).await.former_ceiling_ms, 0);
        let mark = bench.get("#run").await.expect("a mark");
        assert!(mark.ends_with("|1"), "{mark}");
        replace_server(bench, false).await;
        assert!(claim_8(bench, "late", DURABLE).await.waits_for_table);
    });
}

#[test]
fn whoever_renews_without_proof_is_remembered_for_it() {
    with_bench("REDIS7", async |bench| {
        let request = bench.claim_7("holder").await;
        bench
            .claim_by(&request, DURABLE)
            .await
            .expect("machine id 7");
        let mark = async || bench.get("#run").await.expect("a mark");
        assert!(mark().await.ends_with("|0"));
        bench.renew("holder").await;
        assert!(mark().await.ends_with("|1"));
    });
}

#[test]
fn a_table_without_a_mark_or_a_bound_is_doubted() {
    with_bench("REDIS7", async |bench| {
        for field in ["#run", "#fresh"] {
            bench.hold_7("holder").await;
            let meta = bench.scope.meta();
            send(&bench.connection, "HDEL", &[&meta, field]).await;
            assert!(
                claim_8(bench, "next", PLAIN).await.waits_for_table,
                "{field}"
            );
            bench.delete().await;
        }
    });
}

#[test]
fn a_table_that_lost_its_records_is_a_new_one_and_its_holders_are_known_by_their_fields() {
    with_bench("VALKEY9", async |bench| {
        let held = bench.hold_7("holder").await;
        send(&bench.connection, "DEL", &[&bench.scope.meta()]).await;
        let next = Claim {
            first_start: false,
            machines: (7, 8),
            ..bench.claim_7("next").await
        };
        let next = bench.claim(&next).await.expect("machine id 8");
        assert_eq!((next.machine, next.waits_for_table), (8, true));
        let Renewed::Held { ceiling_ms, .. } = bench.renew("holder").await else {
            panic!("it holds machine id 7");
        };
        assert!(ceiling_ms >= held.ceiling_ms);
        assert!(bench.get("7").await.expect("a record").ends_with("|holder"));
    });
}

/// Where fields have no end, a claimer takes the holder's for one that was left over.
#[test]
fn a_holder_is_known_by_its_field_also_when_that_was_taken_down() {
    with_bench("REDIS7", async |bench| {
        bench.hold_7("holder").await;
        send(&bench.connection, "DEL", &[&bench.scope.meta()]).await;
        let request = bench.claim_7("next").await;
        let error = bench.claim(&request).await.expect_err("a refusal");
        assert_eq!(error.code(), Code::MachineIdsExhausted);
        assert!(
            bench
                .get("7")
                .await
                .expect("a record")
                .ends_with("|?holder")
        );
        assert!(matches!(bench.renew("holder").await, Renewed::Held { .. }));
        assert!(bench.get("7").await.expect("a record").ends_with("|holder"));
    });
}

#[test]
fn fields_end_with_their_lease_and_the_hash_does_not() {
    for name in ["REDIS8", "VALKEY9"] {
        with_bench(name, async |bench| {
            let most = i64::try_from(TTL.as_secs()).expect("seconds");
            bench.hold_7("holder").await;
            let left = bench.seconds_left().await;
            assert!((1..=most).contains(&left), "{left}");
            let words = [bench.scope.as_str(), "5", "FIELDS", "1", "7"];
            send(&bench.connection, "HEXPIRE", &words).await;
            bench.renew("holder").await;
            let left = bench.seconds_left().await;
            assert!((6..=most).contains(&left), "{left}");
            // As after a claim that broke off, or by a client that sets the field anew.
            bench.set_owner("holder").await;
            bench.renew("holder").await;
            assert!(bench.seconds_left().await > 0);
            for key in [bench.scope.as_str(), &bench.scope.meta()] {
                let answer = send(&bench.connection, "TTL", &[key]).await;
                assert_eq!(answer.as_i64(), Some(-1), "{key}");
            }
        });
    }
}

#[test]
fn a_field_that_vanished_early_is_put_back_and_was_nobody_elses() {
    with_bench("VALKEY9", async |bench| {
        bench.hold_7("holder").await;
        send(&bench.connection, "HDEL", &[bench.scope.as_str(), "7"]).await;
        let request = bench.claim_7("next").await;
        let error = bench.claim(&request).await.expect_err("a refusal");
        assert_eq!(error.code(), Code::MachineIdsExhausted);
        assert!(matches!(bench.renew("holder").await, Renewed::Held { .. }));
        assert_eq!(bench.owner().await.as_deref(), Some("holder"));
        assert!(bench.seconds_left().await > 0);
    });
}

#[test]
fn a_living_client_without_records_is_skipped() {
    with_bench("REDIS8", async |bench| {
        bench.set_owner("uid").await;
        let words = [bench.scope.as_str(), "3600", "FIELDS", "1", "7"];
        send(&bench.connection, "HEXPIRE", &words).await;
        let request = bench.claim_7("next").await;
        let error = bench.claim(&request).await.expect_err("a refusal");
        assert_eq!(error.code(), Code::MachineIdsExhausted);
        assert!(error.to_string().contains("keep no records"), "{error}");
        assert_eq!(bench.get("7").await, None);
        let next = Claim {
            machines: (7, 8),
            ..request
        };
        assert_eq!(bench.claim(&next).await.expect("machine id 8").machine, 8);
        let machines = leases::machines("redis:", &bench.session, &bench.scope).await;
        let machines = machines.expect("a list");
        let foreign: Vec<_> = machines
            .iter()
            .map(|it| (it.machine, it.is_foreign))
            .collect();
        assert_eq!(foreign, [(7, true), (8, false)]);
        assert_eq!(machines[0].owner, "uid");
        let freed = leases::free("redis:", &bench.session, &bench.scope, 7).await;
        assert!(freed.expect("an answer") && bench.owner().await.is_none());
    });
}

#[test]
fn a_client_without_records_that_was_caught_between_two_commands_is_skipped_too() {
    with_bench("REDIS8", async |bench| {
        bench.set_owner("uid").await;
        let request = bench.claim_7("next").await;
        let refused = async || bench.claim(&request).await.expect_err("a refusal").code();
        assert_eq!(refused().await, Code::MachineIdsExhausted);
        let taken_down = bench.get("7").await.expect("a record");
        assert!(taken_down.ends_with("|?uid"), "{taken_down}");
        // It was alive: what was taken down is taken back.
        let words = [bench.scope.as_str(), "3600", "FIELDS", "1", "7"];
        send(&bench.connection, "HEXPIRE", &words).await;
        assert_eq!(refused().await, Code::MachineIdsExhausted);
        assert_eq!(bench.get("7").await.as_deref(), Some("0|0|"));
    });
}

#[test]
fn what_a_dead_client_without_records_left_is_free_after_one_ttl() {
    for name in ["REDIS7", "REDIS8"] {
        with_bench(name, async |bench| {
            bench.set_owner("uid").await;
            let request = bench.claim_7("next").await;
            let refused = async || bench.claim(&request).await.expect_err("a refusal").code();
            assert_eq!(refused().await, Code::MachineIdsExhausted);
            bench.expire().await;
            assert_eq!(
                bench.claim(&request).await.expect("machine id 7").machine,
                7
            );
            assert_eq!(bench.owner().await.as_deref(), Some("next"));
        });
    }
}

#[test]
fn a_holder_gives_way_to_a_client_without_records_and_its_ceiling_stays() {
    with_bench("REDIS8", async |bench| {
        let held = bench.hold_7("holder").await;
        bench.set_owner("uid").await;
        let by = "uid".to_owned();
        assert_eq!(bench.renew("holder").await, Renewed::Taken { by });
        let request = bench.claim_7("next").await;
        bench.claim(&request).await.expect_err("a refusal");
        send(&bench.connection, "HDEL", &[bench.scope.as_str(), "7"]).await;
        bench.expire().await;
        let next = bench.claim(&request).await.expect("machine id 7");
        assert!(next.former_ceiling_ms >= held.ceiling_ms);
    });
}

#[test]
fn a_pool_that_others_have_to_the_last_is_looked_at_once() {
    with_bench("REDIS7", async |bench| {
        let mut words = vec![bench.scope.to_string()];
        words.extend((0..1_024).flat_map(|id| [id.to_string(), "uid".to_owned()]));
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        send(&bench.connection, "HSET", &words).await;
        let request = Claim {
            machines: (0, 1_023),
            ..bench.claim_7("next").await
        };
        let error = bench.claim(&request).await.expect_err("a refusal");
        let text = error.to_string();
        assert!(
            text.contains("1024 of clients that keep no records"),
            "{text}"
        );
        // What is taken down at once has a bound, and the rest follows.
        for due in [250, 500, 750, 1_000, 1_024, 1_024] {
            let taken_down = send(&bench.connection, "HLEN", &[&bench.scope.meta()]).await;
            assert_eq!(taken_down.as_i64(), Some(due));
            bench.claim(&request).await.expect_err("a refusal");
        }
    });
}

async fn session(server: &Server, protection: Protection, identity: &str) -> Session {
    let options = server.options();
    let target = Target::new(server.address(), &options, LIMIT).expect("good options");
    let connection = Connection::open(&target).await.expect("a server");
    let info = ServerInfo::default();
    Session::new(connection, &target, protection, identity.to_owned(), info)
}

#[test]
fn without_scripts_there_are_no_leases() {
    with_bench("REDIS7", async |bench| {
        let server = Server::of("REDIS7").expect("it was there just now");
        let plain = session(&server, Protection::Plain, "-").await;
        let request = bench.claim_7("next").await;
        let asked = request.ask("redis:", &plain, PLAIN, LIMIT).await;
        let error = asked.expect_err("a refusal").into_error("redis:");
        assert_eq!(error.code(), Code::StoreError);
        assert!(error.to_string().contains("allow EVAL"), "{error}");
    });
}

#[test]
fn a_server_that_does_not_tell_who_it_is_gives_leases_and_is_never_another() {
    with_bench("REDIS7", async |bench| {
        let server = Server::of("REDIS7").expect("it was there just now");
        let unknown = session(&server, Protection::Unidentified, "-").await;
        for (owner, machine) in [("one", 7), ("two", 8)] {
            let request = Claim {
                machines: (machine, machine),
                ..bench.claim_7(owner).await
            };
            let asked = request.ask("redis:", &unknown, PLAIN, LIMIT).await;
            assert_eq!(asked.expect("a lease").0.former_ceiling_ms, 0);
        }
    });
}

#[test]
fn a_connection_that_leads_elsewhere_by_now_gives_no_lease() {
    with_bench("REDIS7", async |bench| {
        let server = Server::of("REDIS7").expect("it was there just now");
        let misled = session(&server, Protection::Told, "somebody:else").await;
        let request = bench.claim_7("next").await;
        let asked = request.ask("redis:", &misled, PLAIN, LIMIT).await;
        assert!(matches!(asked, Err(Refusal::Failed(_))));
        assert!(misled.connection.is_over());
    });
}

fn leases_are_proved_on(name: &str, durability: Durability) {
    with_bench(name, async |bench| {
        let server = Server::of(name).expect("it was there just now");
        let options = RedisOptions {
            durability,
            ..server.options()
        };
        let store = RedisStore::new(server.address(), options).expect("good options");
        let request = bench.claim_7("holder").await;
        store.claim(request).await.expect("machine id 7");
        let meta = bench.scope.meta();
        // What the second connection wrote before it had the server wait.
        let confirmed = async || {
            let removed = send(&bench.connection, "HDEL", &[&meta, "#confirmed"]).await;
            removed.as_i64() == Some(1)
        };
        assert!(confirmed().await);
        let renewed = store.renew(bench.renew_7("holder").await).await;
        assert!(matches!(renewed, Ok(Renewed::Held { .. })), "{renewed:?}");
        assert!(confirmed().await);
        assert!(bench.get("#run").await.expect("a mark").ends_with("|0"));
        store.close().await.expect("closed");
    });
}

#[test]
fn leases_are_proved_by_the_disk_where_that_is_asked_for() {
    leases_are_proved_on("VALKEY9", Durability::Disk);
}

#[test]
fn leases_are_proved_by_replicas_where_that_is_asked_for() {
    leases_are_proved_on("SENTINEL", Durability::Replicas(1));
}

#[test]
fn a_cluster_keeps_leases_of_many_namespaces_on_all_its_nodes() {
    let Some(server) = Server::of("CLUSTER") else {
        return;
    };
    run(async {
        let store = Arc::new(server.store());
        for number in 0..12 {
            let bench = Bench::new_at(&server, &format!("node-{number}")).await;
            let request = bench.claim_7("holder").await;
            let claimed = store.claim(request.clone()).await.expect("machine id 7");
            assert_eq!(claimed.machine, 7);
            let other = Claim {
                owner: crate::lease_store::Owner::named("other"),
                ..request
            };
            let refused: Result<_> = store.claim(other).await;
            assert_eq!(
                refused.expect_err("a refusal").code(),
                Code::MachineIdsExhausted
            );
            bench.delete().await;
        }
        store.close().await.expect("closed");
        let closed = store.machines(crate::LeaseScope::new(&mintid_core::Namespace::default()));
        assert_eq!(closed.await.expect_err("a refusal").code(), Code::Closed);
    });
}

#[test]
fn a_server_that_is_away_gives_no_lease() {
    run(async {
        // Nobody listens on the port that nobody is given.
        let address = RedisAddress::parse("redis://127.0.0.1:1").expect("a URL");
        let options = RedisOptions {
            key: "kvid".to_owned(),
            durability: Durability::None,
            accept_loss: false,
            needs_identity: true,
            tls: None,
        };
        let store = RedisStore::new(&address, options).expect("good options");
        let machines = store.machines(crate::LeaseScope::new(&mintid_core::Namespace::default()));
        let error = machines.await.expect_err("a refusal");
        assert_eq!(error.code(), Code::StoreUnavailable, "{error}");
    });
}
