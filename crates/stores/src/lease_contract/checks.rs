use super::suite::Suite;
use super::{Broken, LeaseHarness};
use super::{claims, limits, listing, releases, renewals, tables};
use crate::contract::checks::{Report, caught};

/// Runs all checks in the order of the contract.
pub(super) async fn all(harness: &dyn LeaseHarness) -> Vec<Broken> {
    let mut report = Report::default();
    let suite = match caught(Suite::new(harness)).await {
        Ok(suite) => suite,
        Err(failure) => {
            report.add("client", failure);
            return report.broken;
        }
    };
    keep_the_invariants(&mut report, &suite).await;
    report
        .judge("list", listing::shows_who_holds_what(&suite))
        .await;
    report
        .judge("list", listing::says_what_is_spoilt(&suite))
        .await;
    report.judge("free", listing::frees_by_force(&suite)).await;
    report
        .judge("close", listing::ends_with_its_client(&suite))
        .await;
    report.broken
}

async fn keep_the_invariants(report: &mut Report, suite: &Suite<'_>) {
    report
        .judge("L1", releases::leave_disjoint_spans(suite))
        .await;
    report
        .judge("L1", releases::pass_on_what_came_before(suite))
        .await;
    report
        .judge("L1", renewals::keep_spans_disjoint(suite))
        .await;
    report.judge("L2", claims::give_each_its_own(suite)).await;
    report
        .judge("L2", claims::give_each_its_own_at_once(suite))
        .await;
    report
        .judge("L2", claims::begin_at_their_start(suite))
        .await;
    report
        .judge("L2", claims::wait_for_the_deadline(suite))
        .await;
    report
        .judge("L2", claims::of_one_owner_give_another(suite))
        .await;
    report.judge("L3", renewals::are_their_owners(suite)).await;
    report.judge("L3", renewals::may_be_late(suite)).await;
    report.judge("L3", releases::are_their_owners(suite)).await;
    report.judge("L3", releases::may_come_too_late(suite)).await;
    report.judge("L4", limits::are_one_ttl_ahead(suite)).await;
    report
        .judge("L4", limits::heed_the_stores_clock(suite))
        .await;
    report.judge("L4", limits::are_never_lowered(suite)).await;
    report.judge("L4", limits::end_with_a_tick(suite)).await;
    report.judge("L4", limits::refuse_other_clocks(suite)).await;
    report
        .judge("L4", limits::skip_what_lies_ahead(suite))
        .await;
    report.judge("L5", tables::have_one_layout(suite)).await;
    report
        .judge("L5", tables::are_made_if_they_may_be(suite))
        .await;
    report.judge("L5", tables::know_their_machines(suite)).await;
    report.judge("L6", tables::have_newcomers_wait(suite)).await;
    report.judge("L6", tables::may_be_wiped(suite)).await;
}
