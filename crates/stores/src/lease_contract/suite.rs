use std::sync::Arc;
use std::time::Duration;

use mintid_core::snowflake::{Layout, LayoutOptions, Unit};
use mintid_core::{Code, Error, Namespace, Result};

use super::LeaseHarness;
use crate::contract::client::{Failure, Verdict, ensure, in_time};
use crate::lease_store::{
    Claim, Claimed, LeaseScope, LeaseStore, Machine, Owner, Release, Renew, Renewed,
};
use crate::range_store::{Answer, RangeStore, StoreId};
use crate::unix_clock::now_ms;

/// How long leases last unless a check waits for their end.
pub(super) const TTL: Duration = Duration::from_secs(10);

/// How far clocks may be apart.
pub(super) const SKEW: Duration = Duration::from_secs(5);

/// How long a replaced server may have gone on.
pub(super) const WINDOW: Duration = Duration::from_secs(30);

/// Two clients of one store, and namespaces that no other run has used.
pub(super) struct Suite<'a> {
    pub(super) harness: &'a dyn LeaseHarness,
    pub(super) one: Client,
    pub(super) two: Client,
    run: String,
}

impl<'a> Suite<'a> {
    pub(super) async fn new(harness: &'a dyn LeaseHarness) -> Verdict<Self> {
        Ok(Self {
            one: connected(harness).await?,
            two: connected(harness).await?,
            harness,
            run: StoreId::fresh().as_str().to_owned(),
        })
    }

    /// A client for a check that closes it.
    pub(super) async fn another(&self) -> Verdict<Client> {
        connected(self.harness).await
    }

    /// The scope of `label` in this run.
    pub(super) fn scope(&self, label: &str) -> LeaseScope {
        let namespace = Namespace::new(format!("contract-{}-{label}", self.run));
        LeaseScope::new(&namespace.expect("short and plain"))
    }

    /// The claim that checks vary: of any machine id, by somebody new, on the very first start.
    pub(super) fn claim(&self, label: &str) -> Claim {
        Claim {
            scope: self.scope(label),
            owner: owner(),
            layout: layout(10, Unit::Ms),
            ttl: TTL,
            max_clock_skew: SKEW,
            failover_window: WINDOW,
            first_start: true,
            may_create: true,
            machines: (0, 1_023),
            start: 0,
            now_ms: now_ms(),
            patience: Duration::from_secs(3),
        }
    }

    /// Puts something in the place of a record; `false` where that cannot be done.
    pub(super) async fn spoil(
        &self,
        scope: &LeaseScope,
        machine: u32,
        record: &str,
    ) -> Verdict<bool> {
        let Some(answer) = self.harness.spoil(scope, machine, record) else {
            return Ok(false);
        };
        in_time(self.harness.patience(), "spoiling a record", answer)
            .await?
            .map_err(|error| format!("a record could not be spoilt: {error}"))?;
        Ok(true)
    }

    /// Makes a lease one whose deadline has passed, at a ceiling; `false` where that cannot be
    /// done.
    pub(super) async fn expire(&self, claim: &Claim, claimed: &Claimed) -> Verdict<bool> {
        let record = format!("1|{}|{}", claimed.ceiling_ms, claim.owner.as_str());
        self.spoil(&claim.scope, claimed.machine, &record).await
    }
}

async fn connected(harness: &dyn LeaseHarness) -> Verdict<Client> {
    let patience = harness.patience();
    let client = Client {
        store: in_time(patience, "making a client", harness.client())
            .await?
            .map_err(|error| format!("no client could be made: {error}"))?,
        patience,
    };
    ensure(client.store.leases().is_some(), || {
        "the store has no leases".to_owned()
    })?;
    Ok(client)
}

/// Somebody new.
pub(super) fn owner() -> Owner {
    Owner::fresh("contract", std::process::id())
}

/// A layout with so many bits of machine.
pub(super) fn layout(machine_bits: u64, unit: Unit) -> Layout {
    let options = LayoutOptions {
        machine_bits: Some(machine_bits),
        unit: Some(unit),
        // Within a second, so that ticks of seconds end elsewhere.
        epoch: Some(1_577_836_800_123),
        ..LayoutOptions::default()
    };
    Layout::new(&options, now_ms()).expect("bits that fit")
}

/// A renewal of what was claimed.
pub(super) fn renewal(claim: &Claim, claimed: &Claimed) -> Renew {
    Renew {
        scope: claim.scope.clone(),
        owner: claim.owner.clone(),
        machine: claimed.machine,
        layout: claim.layout,
        ttl: claim.ttl,
        max_clock_skew: claim.max_clock_skew,
        now_ms: now_ms(),
        patience: claim.patience,
    }
}

/// A release of what was claimed, used up to `last_ms`.
pub(super) fn release(claim: &Claim, claimed: &Claimed, last_ms: u64) -> Release {
    Release {
        scope: claim.scope.clone(),
        owner: claim.owner.clone(),
        machine: claimed.machine,
        last_ms,
        former_ceiling_ms: claimed.former_ceiling_ms,
    }
}

/// The same claim by somebody else.
pub(super) fn by_another(claim: &Claim) -> Claim {
    Claim {
        owner: owner(),
        now_ms: now_ms(),
        ..claim.clone()
    }
}

/// A client that answers in time, and in words when it does not answer as it should.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) store: Arc<dyn RangeStore>,
    patience: Duration,
}

impl Client {
    pub(super) fn leases(&self) -> &dyn LeaseStore {
        self.store
            .leases()
            .expect("it was looked at when the client was made")
    }

    pub(super) async fn in_time<T>(&self, call: &str, answer: Answer<'_, T>) -> Verdict<Result<T>> {
        in_time(self.patience, call, answer).await
    }

    /// What has to succeed.
    async fn done<T>(&self, call: &str, answer: Answer<'_, T>) -> Verdict<T> {
        let answer = self.in_time(call, answer).await?;
        answer.map_err(|error| format!("{call} failed: {error}").into())
    }

    /// What has to fail with `code`.
    async fn refused<T: std::fmt::Debug>(
        &self,
        call: &str,
        answer: Answer<'_, T>,
        code: Code,
    ) -> Verdict<Error> {
        match self.in_time(call, answer).await? {
            Ok(answer) => Err(format!("{call} answered {answer:?}, and {code} is due").into()),
            Err(error) if error.code() == code => Ok(error),
            Err(error) => {
                let came = error.code();
                Err(format!("{call} failed with {came}, and {code} is due: {error}").into())
            }
        }
    }

    /// A claim that has to succeed.
    pub(super) async fn claim(&self, claim: &Claim) -> Verdict<Claimed> {
        let (lowest, highest) = claim.machines;
        let claimed = self
            .done("claim", self.leases().claim(claim.clone()))
            .await?;
        let machine = claimed.machine;
        ensure((lowest..=highest).contains(&machine), || {
            format!("machine id {machine} was claimed, and {lowest} to {highest} were asked for")
        })?;
        Ok(claimed)
    }

    /// A claim that has to fail with `code`, and to leave everything as it is.
    pub(super) async fn refuse_claim(&self, claim: &Claim, code: Code) -> Verdict<Error> {
        let before = self.machines(&claim.scope).await?;
        let answer = self.leases().claim(claim.clone());
        let error = self.refused("claim", answer, code).await?;
        let after = self.machines(&claim.scope).await?;
        ensure(before == after, || {
            format!("a claim was refused and changed {before:?} to {after:?}")
        })?;
        Ok(error)
    }

    /// A renewal that has to succeed.
    pub(super) async fn renew(&self, renew: &Renew) -> Verdict<Renewed> {
        self.done("renew", self.leases().renew(renew.clone())).await
    }

    /// A renewal that has to hold the lease on; the new ceiling and the store's time.
    pub(super) async fn hold(&self, renew: &Renew) -> Verdict<(u64, u64)> {
        match self.renew(renew).await? {
            Renewed::Held {
                ceiling_ms,
                store_now_ms,
            } => Ok((ceiling_ms, store_now_ms)),
            other => Err(format!("a lease that is held was renewed with {other:?}").into()),
        }
    }

    /// A renewal that has to fail with `code`.
    pub(super) async fn refuse_renewal(&self, renew: &Renew, code: Code) -> Verdict<Error> {
        self.refused("renew", self.leases().renew(renew.clone()), code)
            .await
    }

    /// A release that has to answer.
    pub(super) async fn release(&self, release: &Release) -> Verdict<bool> {
        self.done("release", self.leases().release(release.clone()))
            .await
    }

    /// A list that has to succeed.
    pub(super) async fn machines(&self, scope: &LeaseScope) -> Verdict<Vec<Machine>> {
        self.done("machines", self.leases().machines(scope.clone()))
            .await
    }

    /// A list that has to fail with `code`.
    pub(super) async fn refuse_list(&self, scope: &LeaseScope, code: Code) -> Verdict<Error> {
        self.refused("machines", self.leases().machines(scope.clone()), code)
            .await
    }

    /// What is remembered of a machine id.
    pub(super) async fn machine(&self, scope: &LeaseScope, machine: u32) -> Verdict<Machine> {
        let machines = self.machines(scope).await?;
        machines
            .into_iter()
            .find(|it| it.machine == machine)
            .ok_or_else(|| Failure::from(format!("machine id {machine} is not listed")))
    }

    /// A freeing that has to answer.
    pub(super) async fn free(&self, scope: &LeaseScope, machine: u32) -> Verdict<bool> {
        self.done("free", self.leases().free(scope.clone(), machine))
            .await
    }

    /// A freeing that has to fail with `code`.
    pub(super) async fn refuse_freeing(
        &self,
        scope: &LeaseScope,
        machine: u32,
        code: Code,
    ) -> Verdict<Error> {
        self.refused("free", self.leases().free(scope.clone(), machine), code)
            .await
    }

    pub(super) async fn close(&self) -> Verdict {
        self.done("close", self.store.close()).await
    }
}
