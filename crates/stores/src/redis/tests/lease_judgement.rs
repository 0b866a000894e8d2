//! The scripts judge leases as all other stores do: they are held against the one judgement in
//! Rust.
//!
//! Times lie seconds away from every limit, because the server's clock goes on meanwhile.

use std::time::Duration;

use mintid_core::snowflake::{Layout, LayoutOptions, Unit};
use mintid_core::{Code, Namespace};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use super::lease_bench::Bench;
use super::servers::{Server, run};
use crate::lease_grant::{
    LeaseRecord, Standing, Table, decide_claim, decide_free, decide_release, decide_renew, millis,
    terms,
};
use crate::lease_store::{Claim, Claimed, LeaseScope, Owner, Release, Renew, Renewed};
use crate::redis::leases::{self, Manner, Question};

const CASES: u32 = 400;
const LIMIT: Duration = Duration::from_secs(5);
const TTL: Duration = Duration::from_secs(20);
const SKEW: Duration = Duration::from_secs(5);
const MACHINES: u32 = 6;

/// A time as so many seconds from now, or the beginning of all times.
#[derive(Debug, Clone, Copy)]
enum At {
    Zero,
    Seconds(i64),
}

impl At {
    fn ms(self, now_ms: u64) -> u64 {
        match self {
            Self::Zero => 0,
            Self::Seconds(seconds) => now_ms.saturating_add_signed(seconds * 1_000),
        }
    }
}

/// What stands at a machine id.
#[derive(Debug, Clone)]
enum Seat {
    Nothing,
    Record {
        deadline: At,
        ceiling: At,
        owner: &'static str,
        has_field: bool,
    },
    Garbage(&'static str),
    Foreign,
}

impl Seat {
    fn standing(&self, now_ms: u64) -> Standing {
        match self {
            Self::Nothing => Standing::Unknown,
            Self::Record {
                deadline,
                ceiling,
                owner,
                ..
            } => Standing::Recorded(LeaseRecord {
                deadline_ms: deadline.ms(now_ms),
                ceiling_ms: ceiling.ms(now_ms),
                owner: (*owner).to_owned(),
            }),
            Self::Garbage(text) => Standing::Unreadable((*text).to_owned()),
            Self::Foreign => Standing::Foreign("uid".to_owned()),
        }
    }

    /// The record and the field as the server has them.
    fn kept(&self, now_ms: u64) -> (Option<String>, Option<String>) {
        match (self, self.standing(now_ms)) {
            (Self::Record { has_field, .. }, Standing::Recorded(record)) => {
                let has_field = *has_field && !record.owner.is_empty();
                let field = has_field.then(|| record.owner.clone());
                (Some(record.to_string()), field)
            }
            (_, Standing::Unreadable(text)) => (Some(text), None),
            (_, Standing::Foreign(owner)) => (None, Some(owner)),
            _ => (None, None),
        }
    }
}

fn seat() -> impl Strategy<Value = Seat> {
    let deadline = select(vec![At::Zero, At::Seconds(-50), At::Seconds(50)]);
    let ceiling = select(vec![
        At::Zero,
        At::Seconds(-100),
        At::Seconds(10),
        At::Seconds(35),
        At::Seconds(864_000),
    ]);
    let owner = select(vec!["", "a", "b|c", "me"]);
    let record = (deadline, ceiling, owner, any::<bool>()).prop_map(
        |(deadline, ceiling, owner, has_field)| Seat::Record {
            deadline,
            ceiling,
            owner,
            has_field,
        },
    );
    let garbage = select(vec![
        "",
        "x",
        "1|2",
        "-1|2|a",
        "1|1234567890123456|a",
        "1.0|2|a",
    ]);
    prop_oneof![
        1 => Just(Seat::Nothing),
        9 => record,
        1 => garbage.prop_map(Seat::Garbage),
        1 => Just(Seat::Foreign),
    ]
}

/// What stands for the table as a whole.
#[derive(Debug, Clone, Copy)]
struct Whole {
    has_terms: bool,
    are_other_terms: bool,
    fresh: Option<At>,
    /// Whether the mark is of this server, and whether all was proved.
    mark: Option<(bool, bool)>,
    is_durable: bool,
}

fn whole() -> impl Strategy<Value = Whole> {
    (
        prop::bool::weighted(0.8),
        prop::bool::weighted(0.05),
        prop::option::weighted(
            0.9,
            select(vec![At::Zero, At::Seconds(-100), At::Seconds(40)]),
        ),
        prop::option::weighted(0.9, (prop::bool::weighted(0.7), any::<bool>())),
        any::<bool>(),
    )
        .prop_map(
            |(has_terms, are_other_terms, fresh, mark, is_durable)| Whole {
                has_terms,
                are_other_terms,
                fresh,
                mark,
                is_durable,
            },
        )
}

fn layout(unit: Unit, now_ms: u64) -> Layout {
    let options = LayoutOptions {
        unit: Some(unit),
        epoch: Some(1_577_836_800_777),
        ..LayoutOptions::default()
    };
    Layout::new(&options, now_ms).expect("bits that fit")
}

fn claim(scope: &LeaseScope, now_ms: u64) -> impl Strategy<Value = Claim> + use<> {
    let scope = scope.clone();
    (
        select(vec![Unit::Ms, Unit::S]),
        (0..MACHINES, 0..MACHINES),
        0..2 * MACHINES,
        (any::<bool>(), any::<bool>()),
        // The claimer's clock, in seconds from the server's.
        prop_oneof![9 => -2_i64..=2, 1 => select(vec![-3_600_i64, -10, 10, 3_600])],
        0_u64..60,
    )
        .prop_map(
            move |(unit, (one, other), start, (first_start, may_create), off, window)| Claim {
                scope: scope.clone(),
                owner: Owner::named("me"),
                layout: layout(unit, now_ms),
                ttl: TTL,
                max_clock_skew: SKEW,
                failover_window: Duration::from_secs(window),
                first_start,
                may_create,
                machines: (one.min(other), one.max(other)),
                start,
                now_ms: now_ms.saturating_add_signed(off * 1_000),
                patience: LIMIT,
            },
        )
}

impl Bench {
    /// Makes the server hold what stands at the machine ids.
    async fn write_seats(&self, seats: &[Seat], now_ms: u64) {
        self.delete().await;
        for (machine, seat) in seats.iter().enumerate() {
            let (record, field) = seat.kept(now_ms);
            let machine = machine.to_string();
            self.set(&self.scope.meta(), &machine, record).await;
            self.set(self.scope.as_str(), &machine, field).await;
        }
    }

    /// Makes it hold the whole, and tells what that is to the judgement.
    async fn write_whole(&self, whole: Whole, request: &Claim, now_ms: u64) -> Table {
        let meta = self.scope.meta();
        let due_terms = match whole.are_other_terms {
            true => "40/10/12/ms/0|1|1".to_owned(),
            false => terms(request),
        };
        let written_terms = whole.has_terms.then_some(due_terms);
        let fresh = whole.fresh.map(|at| at.ms(now_ms).to_string());
        let mark = whole.mark.map(|(is_ours, is_proved)| {
            let identity = if is_ours {
                &*self.identity
            } else {
                "another:server"
            };
            format!("{identity}|0|{}", u8::from(!is_proved))
        });
        self.set(&meta, "#layout", written_terms.clone()).await;
        self.set(&meta, "#fresh", fresh).await;
        self.set(&meta, "#run", mark).await;
        let is_other_server = match whole.mark {
            None => true,
            Some((is_ours, is_proved)) => !(is_ours || is_proved && whole.is_durable),
        };
        Table {
            terms: written_terms,
            fresh_ms: whole.fresh.map_or(0, |at| at.ms(now_ms)),
            may_have_lost: whole.fresh.is_none() || is_other_server,
            is_kept: false,
        }
    }
}

fn manner(is_durable: bool) -> Manner {
    Manner {
        is_durable,
        expires: true,
    }
}

/// What came of a claim, as far as two stores have to agree: what was told and written, or why not.
type Outcome = Result<(Claimed, [Option<String>; 3]), (Code, String)>;

async fn claim_by_script(bench: &Bench, request: &Claim, is_durable: bool) -> Outcome {
    let asked = request.ask("redis:", &bench.session, manner(is_durable), LIMIT);
    let (claimed, _) = asked.await.map_err(|refusal| {
        let error = refusal.into_error("redis:");
        (error.code(), error.to_string())
    })?;
    let written = [
        bench.get(&claimed.machine.to_string()).await,
        bench.get("#layout").await,
        bench.get("#fresh").await,
    ];
    Ok((claimed, written))
}

fn claim_by_judgement(table: &Table, seats: &[Seat], request: &Claim, at: (u64, u64)) -> Outcome {
    let (written_ms, now_ms) = at;
    let standing = |machine: u32| seats[machine as usize].standing(written_ms);
    let decision = decide_claim("redis:", table, request, now_ms, standing)
        .map_err(|error| (error.code(), error.to_string()))?;
    let written = [
        Some(decision.record.to_string()),
        Some(decision.terms),
        Some(decision.fresh_ms.to_string()),
    ];
    Ok((decision.claimed, written))
}

fn judge(name: &str, cases: impl AsyncFn(&Bench, &mut TestRunner)) {
    let Some(server) = Server::of(name) else {
        return;
    };
    run(async {
        let bench = Bench::new(&server).await;
        let mut runner = TestRunner::new(Config::default());
        for _ in 0..CASES {
            cases(&bench, &mut runner).await;
        }
        bench.delete().await;
    });
}

fn draw<S: Strategy>(strategy: S, runner: &mut TestRunner) -> S::Value {
    strategy.new_tree(runner).expect("a case").current()
}

fn seats(runner: &mut TestRunner) -> Vec<Seat> {
    let count = MACHINES as usize;
    draw(prop::collection::vec(seat(), count..=count), runner)
}

fn claims_are_judged_alike_on(name: &str) {
    judge(name, async |bench, runner| {
        let now_ms = bench.now_ms().await;
        let (seats, whole) = (seats(runner), draw(whole(), runner));
        let request = draw(claim(&bench.scope, now_ms), runner);
        bench.write_seats(&seats, now_ms).await;
        let table = bench.write_whole(whole, &request, now_ms).await;
        let mut came = claim_by_script(bench, &request, whole.is_durable).await;
        let store_now_ms = came.as_ref().map_or(now_ms, |(told, _)| told.store_now_ms);
        let mut due = claim_by_judgement(&table, &seats, &request, (now_ms, store_now_ms));
        for outcome in [&mut came, &mut due] {
            // Its text tells the time of the refusal.
            if let Err((Code::ClockBackwards, text)) = outcome {
                text.clear();
            }
        }
        assert_eq!(came, due, "{seats:?} and {whole:?} were asked {request:?}");
    });
}

#[test]
fn the_scripts_grant_and_refuse_claims_as_every_store_does() {
    claims_are_judged_alike_on("REDIS7");
}

/// Where the fields of clients that keep no records have no end.
#[test]
fn the_scripts_grant_and_refuse_claims_as_every_store_does_where_fields_may_end() {
    claims_are_judged_alike_on("VALKEY9");
}

#[test]
fn the_scripts_renew_as_every_store_does() {
    judge("REDIS7", async |bench, runner| {
        let now_ms = bench.now_ms().await;
        let seats = [draw(seat(), runner)];
        let claim = draw(claim(&bench.scope, now_ms), runner);
        bench.write_seats(&seats, now_ms).await;
        let request = Renew {
            scope: claim.scope,
            owner: claim.owner,
            machine: 0,
            layout: claim.layout,
            ttl: claim.ttl,
            max_clock_skew: claim.max_clock_skew,
            now_ms: claim.now_ms,
            patience: LIMIT,
        };
        let standing = seats[0].standing(now_ms);
        let asked = request.ask("redis:", &bench.session, manner(false), LIMIT);
        let came = match asked.await {
            Ok((renewed, _)) => Ok((renewed, bench.get("0").await)),
            Err(refusal) => Err(refusal.into_error("redis:").to_string()),
        };
        let store_now_ms = match &came {
            Ok((Renewed::Held { store_now_ms, .. } | Renewed::Wiped { store_now_ms }, _)) => {
                *store_now_ms
            }
            _ => now_ms,
        };
        let kept = seats[0].kept(now_ms).0;
        let due = decide_renew("redis:", &standing, &request, store_now_ms)
            .map(|(renewed, record)| (renewed, record.map(|it| it.to_string()).or(kept)))
            .map_err(|error| error.to_string());
        assert_eq!(came, due, "{seats:?} was asked {request:?}");
    });
}

#[test]
fn the_scripts_release_and_free_as_every_store_does() {
    judge("REDIS7", async |bench, runner| {
        let now_ms = bench.now_ms().await;
        let seats = [draw(seat(), runner)];
        let standing = seats[0].standing(now_ms);
        let (kept, field) = seats[0].kept(now_ms);
        let outcome = |came: mintid_core::Result<bool>| came.map_err(|error| error.to_string());
        let request = Release {
            scope: bench.scope.clone(),
            owner: Owner::named("me"),
            machine: 0,
            last_ms: draw(select(vec![0, now_ms, u64::MAX]), runner),
            former_ceiling_ms: draw(select(vec![0, now_ms - 5]), runner),
        };
        bench.write_seats(&seats, now_ms).await;
        let came = leases::release("redis:", &bench.session, &request).await;
        let due = decide_release("redis:", &standing, &request);
        let record = due.clone().unwrap_or_default();
        assert_eq!(
            (outcome(came), bench.get("0").await),
            (
                outcome(due.map(|record| record.is_some())),
                record.map(|record| record.to_string()).or(kept.clone())
            ),
            "{seats:?} was asked {request:?}"
        );

        bench.write_seats(&seats, now_ms).await;
        let came = leases::free("redis:", &bench.session, &bench.scope, 0).await;
        let due = decide_free("redis:", &standing, &bench.scope, 0);
        let record = due.clone().unwrap_or_default();
        // What somebody else holds is freed too, where there is somebody else.
        if kept.is_none() && field.is_some() {
            assert_eq!(outcome(came), Ok(true));
            return;
        }
        assert_eq!(
            (outcome(came), bench.get("0").await),
            (
                outcome(due.map(|record| record.is_some())),
                record.map(|record| record.to_string()).or(kept)
            ),
            "{seats:?} was freed"
        );
    });
}

#[test]
fn terms_are_what_the_scripts_are_given() {
    let now_ms = 1_800_000_000_000;
    let scope = LeaseScope::new(&Namespace::default());
    let request = draw(claim(&scope, now_ms), &mut TestRunner::deterministic());
    let layout = request.layout.record();
    assert_eq!(
        terms(&request),
        format!("{layout}|{}|{}", millis(TTL), millis(SKEW))
    );
}
