//! The options of a lease: what a user gave, and the checked plan made of it.

use std::time::Duration;

use super::table::{OptionSpec, Scope};
use super::value::{Value, check_given};
use crate::error::{Error, Result};

/// A lease outlives two heartbeats that fail.
const HEARTBEATS: u32 = 3;

/// What a user gave; everything may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeaseOptions {
    /// How long a number stays taken after its holder was last heard of.
    pub ttl: Option<Duration>,
    /// How often a lease is renewed.
    pub heartbeat: Option<Duration>,
    /// How far the clock of a process may be off the store's.
    pub max_clock_skew: Option<Duration>,
    /// How much longer than a lease claims wait for a table that may have lost something.
    pub failover_window: Option<Duration>,
    /// How long a number that another holds is waited for.
    pub claim_timeout: Option<Duration>,
}

/// A checked set of options with every default filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeasePlan {
    /// How long a number stays taken after its holder was last heard of.
    pub ttl: Duration,
    /// How often a lease is renewed.
    pub heartbeat: Duration,
    /// How far the clock of a process may be off the store's.
    pub max_clock_skew: Duration,
    /// How much longer than a lease claims wait for a table that may have lost something.
    pub failover_window: Duration,
    /// How long a number that another holds is waited for.
    pub claim_timeout: Duration,
}

impl LeaseOptions {
    /// The options that were given. The one list of the fields: checks and comparisons go by it.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static OptionSpec, Value)> {
        [
            ("ttl", self.ttl),
            ("heartbeat", self.heartbeat),
            ("maxClockSkew", self.max_clock_skew),
            ("failoverWindow", self.failover_window),
            ("claimTimeout", self.claim_timeout),
        ]
        .into_iter()
        .filter_map(|(name, time)| Some((OptionSpec::of(Scope::Lease, name), Value::Time(time?))))
    }

    /// Checks what was given and fills in the rest.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the option, its value and what
    /// is accepted: out of bounds, or a heartbeat that is longer than a third of `ttl`.
    ///
    /// ```
    /// use mintid_core::options::LeaseOptions;
    /// use std::time::Duration;
    /// let options = LeaseOptions { ttl: Some(Duration::from_secs(8)), ..LeaseOptions::default() };
    /// assert_eq!(options.plan()?.heartbeat, Duration::from_secs(2));
    /// # Ok::<(), mintid_core::Error>(())
    /// ```
    pub fn plan(&self) -> Result<LeasePlan> {
        check_given(self.given())?;
        let ttl = time("ttl", self.ttl);
        let plan = LeasePlan {
            ttl,
            heartbeat: self.heartbeat.unwrap_or_else(|| whole_ms(ttl / 4)),
            max_clock_skew: time("maxClockSkew", self.max_clock_skew),
            failover_window: time("failoverWindow", self.failover_window),
            claim_timeout: self.claim_timeout.unwrap_or(ttl + Duration::from_secs(5)),
        };
        if plan.heartbeat * HEARTBEATS > ttl {
            let row = OptionSpec::of(Scope::Lease, "heartbeat");
            let expected = format!(
                "expected at most {} ms, a third of lease.ttl = {}",
                (ttl / HEARTBEATS).as_millis(),
                ttl.as_millis()
            );
            return Err(Error::config(
                row.path(),
                Value::Time(plan.heartbeat),
                expected,
            ));
        }
        Ok(plan)
    }
}

impl LeasePlan {
    /// What is in force, as options.
    pub(super) fn in_force(&self) -> LeaseOptions {
        LeaseOptions {
            ttl: Some(self.ttl),
            heartbeat: Some(self.heartbeat),
            max_clock_skew: Some(self.max_clock_skew),
            failover_window: Some(self.failover_window),
            claim_timeout: Some(self.claim_timeout),
        }
    }
}

fn time(name: &str, given: Option<Duration>) -> Duration {
    given.unwrap_or_else(|| {
        Duration::from_millis(OptionSpec::of(Scope::Lease, name).default_number())
    })
}

/// What is derived is told in whole ms, as what is given.
fn whole_ms(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).expect("a ttl lasts 25 days at most"))
}
