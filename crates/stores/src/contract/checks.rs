use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use super::client::{Failure, Verdict};
use super::suite::Suite;
use super::{Broken, Harness};
use super::{counters, faults, floors, identity, limits, ranges, seals};

/// What the checks have found so far.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) broken: Vec<Broken>,
    hangs: bool,
}

impl Report {
    pub(crate) async fn judge(
        &mut self,
        invariant: &'static str,
        check: impl Future<Output = Verdict>,
    ) {
        if self.hangs {
            return;
        }
        if let Err(failure) = caught(check).await {
            self.add(invariant, failure);
        }
    }

    pub(crate) fn add(&mut self, invariant: &'static str, failure: Failure) {
        self.hangs |= failure.hangs;
        self.broken.push(Broken {
            invariant: failure.invariant.unwrap_or(invariant),
            what: failure.what,
        });
    }
}

/// Runs all checks in the order of the contract.
pub(super) async fn all(harness: &dyn Harness) -> Vec<Broken> {
    let mut report = Report::default();
    let suite = match caught(Suite::new(harness)).await {
        Ok(suite) => suite,
        Err(failure) => {
            report.add("client", failure);
            return report.broken;
        }
    };
    keep_the_invariants(&mut report, &suite).await;
    do_as_they_say(&mut report, &suite).await;
    report.broken
}

/// S1 to S7, as far as they are on offer.
async fn keep_the_invariants(report: &mut Report, suite: &Suite<'_>) {
    let offers = suite.offers;
    report.judge("S1", ranges::grow_across_clients(suite)).await;
    report
        .judge("S1", ranges::never_overlap_under_load(suite))
        .await;
    report
        .judge("S1", floors::overlap_in_no_repair(suite))
        .await;
    report
        .judge("S2", ranges::begin_at_the_initial_offset(suite))
        .await;
    report
        .judge("S2", ranges::stay_above_the_initial_offset(suite))
        .await;
    report
        .judge("S2", ranges::are_created_by_one_of_many(suite))
        .await;
    report
        .judge("S3", ranges::are_what_was_asked_and_remembered(suite))
        .await;
    report.judge("S4", faults::abandoned_calls(suite)).await;
    report.judge("S4", faults::closed_clients(suite)).await;
    report.judge("S4", faults::lost_replies(suite)).await;
    report.judge("S4", faults::failed_commits(suite)).await;
    if offers.bounds {
        report.judge("S5", limits::end_at_the_maximum(suite)).await;
    }
    report.judge("S5", limits::end_at_the_last_id(suite)).await;
    if offers.seal {
        report.judge("S6", seals::end_a_key(suite)).await;
        report.judge("S6", seals::leave_a_tombstone(suite)).await;
    }
    report
        .judge("S7", floors::remember_for_those_who_come_later(suite))
        .await;
    if offers.bounds {
        report
            .judge("S7", floors::notice_a_lower_counter(suite))
            .await;
        report.judge("S7", floors::raise_once_for_many(suite)).await;
    }
    if offers.bounds || offers.floor {
        report
            .judge("S7", floors::raise_a_lower_counter(suite))
            .await;
    }
    if offers.floor {
        report
            .judge("S7", counters::are_raised_and_never_lowered(suite))
            .await;
    }
    report
        .judge("S7", floors::raise_no_false_alarm(suite))
        .await;
    report.judge("S7", floors::survive_a_rewind(suite)).await;
}

/// What the methods say beside the invariants. What loses the store's memory comes last.
async fn do_as_they_say(report: &mut Report, suite: &Suite<'_>) {
    let offers = suite.offers;
    report.judge("keys", counters::count_apart(suite)).await;
    if offers.records {
        report
            .judge("record", identity::unknown_generators(suite))
            .await;
        report
            .judge("store id", identity::one_for_all_clients(suite))
            .await;
    }
    if offers.list {
        report
            .judge("list", counters::are_listed_by_prefix(suite))
            .await;
    }
    if offers.codes {
        report
            .judge("close", counters::end_with_their_client(suite))
            .await;
    }
    if offers.records {
        report
            .judge("store id", identity::survives_a_wipe(suite))
            .await;
    }
}

/// A check whose store panics has found something, and is not to end the suite.
pub(crate) async fn caught<T>(check: impl Future<Output = Verdict<T>>) -> Verdict<T> {
    let mut check = pin!(check);
    std::future::poll_fn(move |context| {
        // Unwind safe: after a panic the check is never polled again.
        catch_unwind(AssertUnwindSafe(|| check.as_mut().poll(context))).unwrap_or_else(|panic| {
            let said = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            Poll::Ready(Err(format!("the store panicked: {said}").into()))
        })
    })
    .await
}
