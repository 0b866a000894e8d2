//! The ways to the servers that hold what a store keeps: one, or in a cluster one for each slot.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use mintid_core::{Error, Result};
use parking_lot::Mutex;

use super::address::{RedisAddress, Servers};
use super::confirm::{self, Confirmer};
use super::link::Link;
use super::options::RedisOptions;
use super::session::Protection;
use super::store::SILENCE;
use super::target::Target;
use crate::lease_store::LeaseScope;

/// The connection to the server that holds a hash, and the one that proves what it wrote there.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) link: Link,
    pub(super) confirmer: Confirmer,
    pub(super) target: Target,
}

impl Way {
    fn new(
        address: &RedisAddress,
        options: &RedisOptions,
        least: &Arc<OnceLock<Protection>>,
    ) -> Result<Self> {
        let name = address.to_string();
        let target = Target::new(address, options, SILENCE)
            .map_err(|(part, reason)| Error::config("tls", part, reason))?;
        let link = |target| Link::new(target, &name, options.clone(), Arc::clone(least));
        let target_to_confirm = target.with_silence(confirm::SILENCE);
        Ok(Self {
            link: link(target.clone()),
            confirmer: Confirmer::new(link(target_to_confirm), options.durability),
            target,
        })
    }

    fn close(&self) {
        self.link.close();
        self.confirmer.close();
    }
}

/// The way to the counters, and those to leases that are kept elsewhere.
#[derive(Debug)]
pub(super) struct Ways {
    pub(super) counters: Arc<Way>,
    address: RedisAddress,
    options: RedisOptions,
    least: Arc<OnceLock<Protection>>,
    leases: Mutex<Elsewhere>,
}

/// Made as they are asked for: as many as a process has namespaces.
#[derive(Debug, Default)]
struct Elsewhere {
    ways: BTreeMap<LeaseScope, Arc<Way>>,
    is_closed: bool,
}

impl Ways {
    /// # Errors
    /// `CONFIG_INVALID` for TLS options that cannot be used.
    pub(super) fn new(address: &RedisAddress, options: &RedisOptions) -> Result<Self> {
        let least = Arc::default();
        Ok(Self {
            counters: Arc::new(Way::new(address, options, &least)?),
            address: address.clone(),
            options: options.clone(),
            least,
            leases: Mutex::default(),
        })
    }

    /// The way to the leases of `scope`. In a cluster they have a slot of their own, and so may
    /// have another node.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub(super) fn to_leases(&self, scope: &LeaseScope) -> Result<Arc<Way>> {
        if !matches!(self.address.servers, Servers::Cluster(_)) {
            return Ok(Arc::clone(&self.counters));
        }
        let mut elsewhere = self.leases.lock();
        if let Some(way) = elsewhere.ways.get(scope) {
            return Ok(Arc::clone(way));
        }
        let options = RedisOptions {
            key: scope.to_string(),
            ..self.options.clone()
        };
        let way = Arc::new(Way::new(&self.address, &options, &self.least)?);
        if elsewhere.is_closed {
            way.close();
        }
        elsewhere.ways.insert(scope.clone(), Arc::clone(&way));
        Ok(way)
    }

    pub(super) fn close(&self) {
        self.counters.close();
        let mut elsewhere = self.leases.lock();
        elsewhere.is_closed = true;
        elsewhere.ways.values().for_each(|way| way.close());
    }
}
