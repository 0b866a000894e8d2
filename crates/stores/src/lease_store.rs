//! The words of leases: what a store is asked about machine ids, and what it answers.
//!
//! A store does not say who may mint at this moment, because nobody could know it in time. It
//! hands out disjoint spans of time per machine id: a holder mints up to its *ceiling*, and the
//! next one above that.

use std::fmt;
use std::time::Duration;

use mintid_core::Namespace;
use mintid_core::snowflake::Layout;

use crate::range_store::{Answer, StoreId};

/// What remembers who holds which machine id, and up to which time its holder may mint.
///
/// | | invariant |
/// |---|---|
/// | L1 | the spans `(former ceiling, ceiling]` of one machine id never overlap |
/// | L2 | a machine id that is held is given to nobody else until its deadline, by the store's clock |
/// | L3 | a renewal or a release changes nothing but what its own owner holds |
/// | L4 | a ceiling is never lowered, but to where its holder really came; it never passes the store's time + `ttl` + `max_clock_skew` |
/// | L5 | one scope has one layout, one `ttl` and one `max_clock_skew`: another is refused before anything is written |
/// | L6 | a table that may have forgotten something starts every newcomer above all that it may have forgotten |
///
/// # Cancel safety
/// Dropping an answer may leave a machine id held that nobody uses, until its deadline.
pub trait LeaseStore: Send + Sync {
    /// Claims the first machine id from `request.start` on, once around, that is free or past its
    /// deadline.
    ///
    /// The claimer mints once its own clock is above [`Claimed::former_ceiling_ms`], and not
    /// before a renewal has been answered. Asked again with the same owner, because an answer was
    /// lost, it gives another id as long as there is one.
    ///
    /// # Errors
    /// `MACHINE_IDS_EXHAUSTED`, `LAYOUT_MISMATCH`, `RANGE_MISSING`, `CLOCK_BACKWARDS` for a
    /// claimer whose clock is too far from the store's, `CONFIG_INVALID` for machine ids that the
    /// layout does not have, or `STORE_ERROR`; after any of them nothing has been claimed.
    fn claim(&self, request: Claim) -> Answer<'_, Claimed>;

    /// Moves the deadline and the ceiling of a lease on. Late is fine as long as nobody else has
    /// claimed the machine id.
    ///
    /// # Errors
    /// `STORE_ERROR`. Then the lease is what it was, or was renewed.
    fn renew(&self, request: Renew) -> Answer<'_, Renewed>;

    /// Gives a machine id back, if `request.owner` still holds it: the next holder starts above
    /// the last millisecond used. `false` where somebody else has it, or nobody.
    ///
    /// # Errors
    /// `STORE_ERROR`, which is harmless: the lease ends at its deadline.
    fn release(&self, request: Release) -> Answer<'_, bool>;

    /// What is remembered of each machine id, in their order.
    ///
    /// # Errors
    /// `STORE_ERROR`, also for a record that cannot be read.
    fn machines(&self, scope: LeaseScope) -> Answer<'_, Vec<Machine>>;

    /// Frees a machine id by force, as a person who knows that its holder is dead. Its ceiling
    /// stays. `false` where nobody held it.
    ///
    /// # Errors
    /// `STORE_ERROR`, also for a record that cannot be read.
    fn free(&self, scope: LeaseScope, machine: u32) -> Answer<'_, bool>;
}

/// Whose machine ids exclude each other: all processes with one store and one namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LeaseScope(String);

impl LeaseScope {
    /// The scope of `namespace`.
    ///
    /// ```
    /// use mintid_core::Namespace;
    /// use mintid_stores::LeaseScope;
    /// assert_eq!(LeaseScope::new(&Namespace::default()).as_str(), "sfid");
    /// let shop = LeaseScope::new(&Namespace::new("shop")?);
    /// assert_eq!((shop.as_str(), shop.meta().as_str()), ("sfid:shop", "{sfid:shop}:meta"));
    /// # Ok::<(), mintid_core::Error>(())
    /// ```
    pub fn new(namespace: &Namespace) -> Self {
        // No namespace is written as nothing, and any other as itself and a slash.
        match namespace.prefix("").strip_suffix('/') {
            Some(namespace) => Self(format!("sfid:{namespace}")),
            None => Self("sfid".to_owned()),
        }
    }

    /// What the owners are kept under.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What their records are kept under: on a server the same slot as the owners.
    pub fn meta(&self) -> String {
        format!("{{{}}}:meta", self.0)
    }
}

impl fmt::Display for LeaseScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who holds a machine id: a text that no other claim has, not even of the same process.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner(String);

/// How much of a hint is kept.
const MOST_HINT: usize = 64;

impl Owner {
    /// The owner of one claim: `hint:pid:` and 128 random bits, of which only the bits count.
    ///
    /// ```
    /// use mintid_stores::Owner;
    /// let (one, two) = (Owner::fresh("web-1", 77), Owner::fresh("web-1", 77));
    /// assert!(one.as_str().starts_with("web-1:77:"));
    /// assert_ne!(one, two);
    /// ```
    pub fn fresh(hint: &str, pid: u32) -> Self {
        // A leading ? marks the owners that others wrote.
        let hint: String = hint
            .trim_start_matches('?')
            .chars()
            .filter(|letter| !letter.is_control() && !letter.is_whitespace())
            .take(MOST_HINT)
            .collect();
        Self(format!("{hint}:{pid}:{}", StoreId::fresh().as_str()))
    }

    /// The owner as it is kept.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An owner of a test's own.
    #[cfg(test)]
    pub(crate) fn named(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// One claim.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Among whom the machine id is to be the only one.
    pub scope: LeaseScope,
    /// Who claims: new for each claim.
    pub owner: Owner,
    /// The bit plan of the ids, which is that of everybody in the scope.
    pub layout: Layout,
    /// How long the lease lasts without a renewal.
    pub ttl: Duration,
    /// How far apart the claimer's clock and the store's may be.
    pub max_clock_skew: Duration,
    /// How long a server that was replaced may have gone on by itself.
    pub failover_window: Duration,
    /// Whether an empty table is one that never held anything.
    pub first_start: bool,
    /// Whether a table that the store does not have may be made.
    pub may_create: bool,
    /// The lowest and the highest machine id that will do.
    pub machines: (u32, u32),
    /// Where to begin looking; taken into the range if it lies outside.
    pub start: u32,
    /// The time by the claimer's clock as the call is made.
    pub now_ms: u64,
    /// How long the caller waits before it gives up.
    pub patience: Duration,
}

impl Claim {
    /// The same claim after it has waited, so that the claimer's clock is not taken for one that
    /// is behind.
    pub(crate) fn later(&self, waited: Duration) -> Self {
        Self {
            now_ms: after(self.now_ms, waited),
            ..self.clone()
        }
    }
}

fn after(now_ms: u64, waited: Duration) -> u64 {
    now_ms.saturating_add(u64::try_from(waited.as_millis()).unwrap_or(u64::MAX))
}

/// A machine id that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claimed {
    /// The machine id.
    pub machine: u32,
    /// The highest time that others may have used with it.
    pub former_ceiling_ms: u64,
    /// The highest time that the new holder may use. Not above the former one where that lies in
    /// the future: a renewal raises it.
    pub ceiling_ms: u64,
    /// The time by the store's clock.
    pub store_now_ms: u64,
    /// Whether the former ceiling is that of the whole table, which may have forgotten something.
    pub waits_for_table: bool,
}

/// One renewal.
#[derive(Debug, Clone)]
pub struct Renew {
    /// As in the claim.
    pub scope: LeaseScope,
    /// Who claimed.
    pub owner: Owner,
    /// What was claimed.
    pub machine: u32,
    /// As in the claim.
    pub layout: Layout,
    /// As in the claim.
    pub ttl: Duration,
    /// As in the claim.
    pub max_clock_skew: Duration,
    /// The time by the holder's clock as the call is made.
    pub now_ms: u64,
    /// How long the caller waits before it gives up.
    pub patience: Duration,
}

impl Renew {
    /// The same renewal after it has waited.
    pub(crate) fn later(&self, waited: Duration) -> Self {
        Self {
            now_ms: after(self.now_ms, waited),
            ..self.clone()
        }
    }
}

/// What came of a renewal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Renewed {
    /// It is held on.
    Held {
        /// The highest time that the holder may use from now on.
        ceiling_ms: u64,
        /// The time by the store's clock.
        store_now_ms: u64,
    },
    /// It belongs to somebody else, or was freed by force.
    Taken {
        /// Whom it belongs to; empty for nobody.
        by: String,
    },
    /// The store knows nothing of the machine id.
    Wiped {
        /// The time by the store's clock.
        store_now_ms: u64,
    },
}

/// The end of a lease.
#[derive(Debug, Clone)]
pub struct Release {
    /// As in the claim.
    pub scope: LeaseScope,
    /// Who claimed.
    pub owner: Owner,
    /// What was claimed.
    pub machine: u32,
    /// The last millisecond of the highest tick used; 0 where none was.
    pub last_ms: u64,
    /// The one that came with the claim: whoever used nothing still passes on what came before.
    pub former_ceiling_ms: u64,
}

/// What a store remembers of a machine id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The machine id.
    pub machine: u32,
    /// Who holds it, or did last; empty once it was given back.
    pub owner: String,
    /// Until when, by the store's clock; 0 where that is not known.
    pub deadline_ms: u64,
    /// The highest time that its holders may have used; 0 where that is not known.
    pub ceiling_ms: u64,
    /// Whether it is held at this moment.
    pub is_held: bool,
    /// Whether the owner is of a client that keeps no records, and so is not fenced off.
    pub is_foreign: bool,
}
