//! A server that dies in the middle of a script may keep a part of what that wrote: each part is
//! one that the next claimer can begin from.

use std::time::Duration;

use mintid_core::Code;

use super::lease_bench::{Bench, LIMIT, PLAIN, with_bench};
use crate::lease_store::{Claim, LeaseScope, Owner, Release, Renew, Renewed};
use crate::redis::leases::{self, Question};
use crate::redis::script::{CLAIM, FREE, RELEASE, RENEW, Script};

/// Short, because its end is waited for.
const TTL: Duration = Duration::from_millis(300);

/// How often somebody looks whether a machine id is free.
const LOOK: Duration = Duration::from_millis(50);

/// A field with an end goes on for up to a second after its lease.
const MOST_LOOKS: u32 = 80;

async fn short_claim(bench: &Bench, owner: &str) -> Claim {
    Claim {
        ttl: TTL,
        ..bench.claim_7(owner).await
    }
}

/// Runs a script to its `writes`th write and no further; whether it would have written more.
async fn cut(bench: &Bench, script: &Script, writes: usize, args: &[String]) -> bool {
    let scope: &LeaseScope = &bench.scope;
    let script = script.cut_after(writes);
    let cut = leases::run("redis:", &bench.session, &script, scope, args, LIMIT).await;
    match cut.map_err(|refusal| refusal.into_error("redis:").to_string()) {
        Ok(_) => false,
        Err(text) if text.contains("cut") => true,
        Err(text) => panic!("{text}"),
    }
}

/// What somebody else comes to who wants machine id 7, at once or once the lease is over.
async fn former_ceiling_of_the_next(bench: &Bench, owner: &str) -> u64 {
    for _ in 0..MOST_LOOKS {
        let request = short_claim(bench, owner).await;
        match bench.claim(&request).await {
            Ok(claimed) => return claimed.former_ceiling_ms,
            Err(error) => assert_eq!(error.code(), Code::MachineIdsExhausted, "{error}"),
        }
        tokio::time::sleep(LOOK).await;
    }
    panic!("machine id 7 is stuck: {:?}", bench.get("7").await);
}

/// Runs `steps` for each place where a script may break off, until it is whole.
async fn at_each_write(bench: &Bench, expected: usize, steps: impl AsyncFn(usize) -> bool) {
    let mut writes = 0;
    loop {
        bench.delete().await;
        if !steps(writes).await {
            break;
        }
        writes += 1;
    }
    assert_eq!(writes, expected);
}

fn each_part_of_a_claim_is_safe_on(name: &str) {
    with_bench(name, async |bench| {
        at_each_write(bench, 3, async |writes| {
            let before = bench.claim(&short_claim(bench, "before").await).await;
            let before = before.expect("machine id 7");
            bench.expire().await;
            let request = short_claim(bench, "cut").await;
            let args = leases::claim_args(&bench.session, PLAIN, &request);
            let is_cut = cut(bench, &CLAIM, writes, &args).await;
            let former = former_ceiling_of_the_next(bench, "next").await;
            assert!(former >= before.ceiling_ms, "cut after {writes}");
            is_cut
        })
        .await;
    });
}

#[test]
fn each_part_of_a_claim_is_safe() {
    each_part_of_a_claim_is_safe_on("VALKEY9");
}

/// There the third write fails, and nobody minds.
#[test]
fn each_part_of_a_claim_is_safe_where_fields_have_no_end() {
    each_part_of_a_claim_is_safe_on("KVROCKS");
}

#[test]
fn each_part_of_the_very_first_claim_is_safe() {
    with_bench("VALKEY9", async |bench| {
        at_each_write(bench, 3, async |writes| {
            let request = Claim {
                first_start: false,
                ..short_claim(bench, "cut").await
            };
            let args = leases::claim_args(&bench.session, PLAIN, &request);
            let is_cut = cut(bench, &CLAIM, writes, &args).await;
            let wait = (TTL + request.max_clock_skew).as_millis() as u64;
            let request = Claim {
                first_start: false,
                machines: (8, 8),
                ..short_claim(bench, "next").await
            };
            let next = bench.claim(&request).await.expect("machine id 8");
            assert!(
                next.former_ceiling_ms > request.now_ms + wait,
                "cut after {writes}"
            );
            is_cut
        })
        .await;
    });
}

#[test]
fn each_part_of_a_renewal_is_safe() {
    with_bench("VALKEY9", async |bench| {
        at_each_write(bench, 2, async |writes| {
            let held = bench.claim(&short_claim(bench, "holder").await).await;
            let held = held.expect("machine id 7");
            let request = Renew {
                ttl: TTL,
                ..bench.renew_7("holder").await
            };
            let args = leases::renew_args(&bench.session, PLAIN, &request);
            let is_cut = cut(bench, &RENEW, writes, &args).await;
            // It was not told, and is still the holder.
            let again = request.ask("redis:", &bench.session, PLAIN, LIMIT).await;
            let again = again.expect("an answer").0;
            assert!(matches!(again, Renewed::Held { .. }), "cut after {writes}");
            bench.expire().await;
            let former = former_ceiling_of_the_next(bench, "next").await;
            assert!(former >= held.ceiling_ms, "cut after {writes}");
            is_cut
        })
        .await;
    });
}

fn each_part_of_a_release_is_safe_on(name: &str) {
    with_bench(name, async |bench| {
        at_each_write(bench, 2, async |writes| {
            let held = bench.claim(&short_claim(bench, "holder").await).await;
            let held = held.expect("machine id 7");
            let last_ms = held.store_now_ms + 50;
            let args = leases::release_args(&Release {
                scope: bench.scope.clone(),
                owner: Owner::named("holder"),
                machine: 7,
                last_ms,
                former_ceiling_ms: held.former_ceiling_ms,
            });
            let is_cut = cut(bench, &RELEASE, writes, &args).await;
            let former = former_ceiling_of_the_next(bench, "next").await;
            assert!(former >= last_ms, "cut after {writes}");
            is_cut
        })
        .await;
    });
}

#[test]
fn each_part_of_a_release_is_safe() {
    each_part_of_a_release_is_safe_on("VALKEY9");
}

#[test]
fn each_part_of_a_release_is_safe_where_fields_have_no_end() {
    each_part_of_a_release_is_safe_on("KVROCKS");
}

#[test]
fn each_part_of_a_freeing_is_safe() {
    with_bench("KVROCKS", async |bench| {
        at_each_write(bench, 2, async |writes| {
            let held = bench.claim(&short_claim(bench, "holder").await).await;
            let held = held.expect("machine id 7");
            let is_cut = cut(bench, &FREE, writes, &["7".to_owned()]).await;
            let former = former_ceiling_of_the_next(bench, "next").await;
            assert!(former >= held.ceiling_ms, "cut after {writes}");
            is_cut
        })
        .await;
    });
}
