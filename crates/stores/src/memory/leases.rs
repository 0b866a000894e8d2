use std::collections::BTreeMap;

use mintid_core::Result;

use crate::lease_grant::{self, Decision, LeaseRecord, Standing, Table};
use crate::lease_store::{Claim, Claimed, LeaseScope, Machine, Release, Renew, Renewed};

/// The leases of all scopes.
#[derive(Debug, Default)]
pub(super) struct Leases {
    scopes: BTreeMap<LeaseScope, Held>,
    /// Whether an empty table is taken for one that may have lost something.
    pub(super) forgets: bool,
}

#[derive(Debug, Default)]
struct Held {
    table: Table,
    machines: BTreeMap<u32, Standing>,
}

impl Held {
    fn standing(&self, machine: u32) -> Standing {
        self.machines.get(&machine).cloned().unwrap_or_default()
    }

    fn write(&mut self, machine: u32, record: LeaseRecord) {
        self.machines.insert(machine, Standing::Recorded(record));
    }
}

impl Leases {
    pub(super) fn claim(&mut self, store: &str, request: &Claim, now_ms: u64) -> Result<Claimed> {
        let empty = Held::default();
        let held = self.scopes.get(&request.scope).unwrap_or(&empty);
        let table = Table {
            is_kept: !self.forgets,
            ..held.table.clone()
        };
        let Decision {
            claimed,
            record,
            terms,
            fresh_ms,
        } = lease_grant::decide_claim(store, &table, request, now_ms, |machine| {
            held.standing(machine)
        })?;
        let held = self.held(&request.scope);
        held.table.terms = Some(terms);
        held.table.fresh_ms = fresh_ms;
        held.table.may_have_lost = false;
        held.write(claimed.machine, record);
        Ok(claimed)
    }

    pub(super) fn renew(&mut self, store: &str, request: &Renew, now_ms: u64) -> Result<Renewed> {
        let standing = self.standing(&request.scope, request.machine);
        let (renewed, record) = lease_grant::decide_renew(store, &standing, request, now_ms)?;
        self.write(&request.scope, request.machine, record);
        Ok(renewed)
    }

    pub(super) fn release(&mut self, store: &str, request: &Release) -> Result<bool> {
        let standing = self.standing(&request.scope, request.machine);
        let record = lease_grant::decide_release(store, &standing, request)?;
        Ok(self.write(&request.scope, request.machine, record))
    }

    pub(super) fn machines(
        &self,
        store: &str,
        scope: &LeaseScope,
        now_ms: u64,
    ) -> Result<Vec<Machine>> {
        let held = self.scopes.get(scope).into_iter();
        held.flat_map(|held| &held.machines)
            .filter_map(|(&machine, standing)| {
                lease_grant::shown(store, standing.clone(), scope, machine, now_ms).transpose()
            })
            .collect()
    }

    pub(super) fn free(&mut self, store: &str, scope: &LeaseScope, machine: u32) -> Result<bool> {
        let standing = self.standing(scope, machine);
        let record = lease_grant::decide_free(store, &standing, scope, machine)?;
        Ok(self.write(scope, machine, record))
    }

    /// Makes the record of a machine id what a person or another program has made of it.
    pub(super) fn spoil(&mut self, scope: &LeaseScope, machine: u32, record: &str) {
        let standing = match LeaseRecord::parse(record) {
            Some(record) => Standing::Recorded(record),
            None => Standing::Unreadable(record.to_owned()),
        };
        self.held(scope).machines.insert(machine, standing);
    }

    pub(super) fn lose(&mut self, scope: &LeaseScope) {
        self.held(scope).table.may_have_lost = true;
    }

    pub(super) fn record(&self, scope: &LeaseScope, machine: u32) -> Option<String> {
        match self.standing(scope, machine) {
            Standing::Recorded(record) => Some(record.to_string()),
            Standing::Unreadable(found) => Some(found),
            Standing::Unknown | Standing::Foreign(_) => None,
        }
    }

    fn held(&mut self, scope: &LeaseScope) -> &mut Held {
        self.scopes.entry(scope.clone()).or_default()
    }

    fn standing(&self, scope: &LeaseScope, machine: u32) -> Standing {
        let held = self.scopes.get(scope);
        held.map(|held| held.standing(machine)).unwrap_or_default()
    }

    fn write(&mut self, scope: &LeaseScope, machine: u32, record: Option<LeaseRecord>) -> bool {
        let is_written = record.is_some();
        if let Some(record) = record {
            self.held(scope).write(machine, record);
        }
        is_written
    }
}
