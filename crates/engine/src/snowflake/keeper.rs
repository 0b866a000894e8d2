//! The task that claims a machine number, renews its lease, and claims another when that is lost.
//!
//! Requests run beside it: it goes by its own clock, whatever the store does, and an answer that
//! comes later than anybody waits for is given back.

use std::sync::{Arc, Weak};
use std::time::Duration;

use mintid_core::lease::{Attempt, Loss, Next};
use mintid_core::{Error, Moment};
use mintid_stores::{Claim, Claimed, Owner, Renew, Renewed};

use super::leaseholder::{HeldClaim, Leaseholder};
use crate::runtime::runtime;

/// How long a lease that nobody lets go of may go without a look.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// Keeps the lease of `holder` for as long as somebody holds that.
pub(super) async fn keep(holder: Weak<Leaseholder>) {
    loop {
        let Some(holder) = holder.upgrade() else {
            return;
        };
        let mut news = holder.subscribe();
        let next = holder.life(|life| life.state.next(holder.now()));
        let until = match next {
            Next::Claim(attempt) => {
                claim(&holder, attempt);
                continue;
            }
            Next::Renew(attempt) => {
                renew(&holder, attempt);
                continue;
            }
            Next::Lost { machine, loss } => {
                holder.lost(machine, &loss);
                continue;
            }
            Next::Wait(until) => until,
            Next::Ended => return holder.tell(),
        };
        let until = wake_at(&holder, until);
        let timer = Arc::clone(&holder.store.timer);
        drop(holder);
        tokio::select! {
            () = timer.sleep_until(until) => {}
            // It fails when the holder is gone, which the next turn sees.
            _ = news.changed() => {}
        }
    }
}

/// When to look again: also when the clock is above what others may have used.
fn wake_at(holder: &Arc<Leaseholder>, until: Moment) -> Moment {
    let now = holder.now();
    let until = until.min(now + LONGEST_SLEEP);
    let waits_ms = holder.life(|life| {
        if holder.install(life).is_some() {
            return None;
        }
        let claim = life.claim.as_ref().filter(|claim| claim.is_confirmed)?;
        Some((claim.former_ceiling_ms + 1).saturating_sub(holder.unix_ms()))
    });
    match waits_ms {
        Some(ms) => until.min(now + Duration::from_millis(ms.max(1))),
        None => until,
    }
}

/// Runs `work` on the store's leases beside the keeper.
fn ask<F>(holder: &Arc<Leaseholder>, work: impl FnOnce(Arc<Leaseholder>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    runtime().spawn(work(Arc::clone(holder)));
}

fn claim(holder: &Arc<Leaseholder>, attempt: Attempt) {
    let plan = &holder.plan;
    let owner = Owner::fresh(hint(), std::process::id());
    let machines = plan.machines;
    let request = Claim {
        scope: holder.scope.clone(),
        owner: owner.clone(),
        layout: plan.layout,
        ttl: plan.lease.ttl,
        max_clock_skew: plan.lease.max_clock_skew,
        failover_window: plan.lease.failover_window,
        first_start: plan.first_start,
        // A process that has held a number knows that the table was there.
        may_create: holder.store.plan.allow_create || holder.tally.read().leases > 0,
        machines: (machines.lowest, machines.highest),
        // At random: claimers that come together do not all look at the same number.
        start: fastrand::u32(machines.lowest..=machines.highest),
        now_ms: holder.unix_ms(),
        patience: attempt.patience,
    };
    ask(holder, |holder| async move {
        let answer = match holder.store.leases() {
            Ok(leases) => leases.claim(request).await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(claimed) => claimed_by(&holder, &attempt, owner, claimed),
            Err(error) => failed(&holder, &attempt, error),
        }
    });
}

fn claimed_by(holder: &Arc<Leaseholder>, attempt: &Attempt, owner: Owner, claimed: Claimed) {
    let claim = HeldClaim {
        owner,
        machine: claimed.machine,
        former_ceiling_ms: claimed.former_ceiling_ms,
        ceiling_ms: claimed.ceiling_ms,
        waits_for_table: claimed.waits_for_table,
        is_confirmed: false,
    };
    let is_ours = holder.life(|life| {
        let is_ours = life
            .state
            .claimed(attempt, claimed.machine, claimed.store_now_ms);
        if is_ours {
            life.claim = Some(claim.clone());
        }
        is_ours
    });
    if !is_ours {
        holder.release(holder.release_of(&claim, 0));
    }
    holder.tell();
}

fn renew(holder: &Arc<Leaseholder>, attempt: Attempt) {
    let plan = &holder.plan;
    let Some(claim) = holder.life(|life| life.claim.clone()) else {
        return;
    };
    let request = Renew {
        scope: holder.scope.clone(),
        owner: claim.owner.clone(),
        machine: claim.machine,
        layout: plan.layout,
        ttl: plan.lease.ttl,
        max_clock_skew: plan.lease.max_clock_skew,
        now_ms: holder.unix_ms(),
        patience: attempt.patience,
    };
    ask(holder, |holder| async move {
        let answer = match holder.store.leases() {
            Ok(leases) => leases.renew(request).await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(Renewed::Held {
                ceiling_ms,
                store_now_ms,
            }) => renewed(&holder, &attempt, &claim, ceiling_ms, store_now_ms),
            Ok(Renewed::Taken { by }) => gone(&holder, &attempt, Loss::Taken { by }),
            Ok(Renewed::Wiped { .. }) => gone(&holder, &attempt, Loss::Wiped),
            Err(error) => failed(&holder, &attempt, error),
        }
    });
}

fn renewed(
    holder: &Arc<Leaseholder>,
    attempt: &Attempt,
    renewed: &HeldClaim,
    ceiling_ms: u64,
    store_now_ms: u64,
) {
    holder.life(|life| {
        if !life.state.renewed(attempt, store_now_ms) {
            return;
        }
        let claim = life.claim.as_mut();
        let Some(claim) = claim.filter(|claim| claim.owner == renewed.owner) else {
            return;
        };
        claim.is_confirmed = true;
        claim.ceiling_ms = ceiling_ms.max(claim.ceiling_ms);
        holder.raise_ceiling(claim.ceiling_ms);
        holder.install(life);
    });
    holder.tell();
}

fn gone(holder: &Arc<Leaseholder>, attempt: &Attempt, loss: Loss) {
    holder.life(|life| life.state.gone(attempt, loss, holder.now()));
    holder.tell();
}

fn failed(holder: &Arc<Leaseholder>, attempt: &Attempt, error: Error) {
    holder.tally.failed();
    let after = match &error {
        Error::LeasePending {
            until_ms: Some(until_ms),
            ..
        } => Some(Duration::from_millis(
            until_ms.saturating_sub(holder.unix_ms()),
        )),
        _ => None,
    };
    holder.life(|life| life.state.failed(attempt, error, after, holder.now()));
    holder.tell();
}

/// Where the process runs, for people who look at the table. It decides nothing.
fn hint() -> &'static str {
    use std::sync::LazyLock;
    static HINT: LazyLock<String> = LazyLock::new(|| {
        #[cfg(unix)]
        let name = rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned();
        #[cfg(not(unix))]
        let name = std::env::var("COMPUTERNAME").unwrap_or_default();
        name
    });
    &HINT
}
