//! The table itself.

use super::kind::{Fallback, Kind};
use super::layout::Unit;
use super::redis::Identity;
use super::segment::PolicyName;
use crate::error::{Error, Result};
use crate::range::MAX_ID;

/// 2^48: a size that no service uses up, and that every sum of a few can hold.
const MOST_IDS: u64 = 1 << 48;
/// 2^24 ids are 128 MiB of array.
const MOST_AT_ONCE: u64 = 1 << 24;
/// The longest time that timers everywhere can hold, 2^31 − 1 ms: 24.8 days.
const MOST_MS: u64 = (1 << 31) - 1;
/// The last time that a `Date` of JavaScript can tell.
const MOST_UNIX_MS: u64 = 8_640_000_000_000_000;
/// A claim may have to look at every number of a namespace, in one step of the store.
const MOST_MACHINE_BITS: u64 = 16;

/// One option or argument.
#[derive(Debug)]
pub struct OptionSpec {
    /// As JavaScript writes it.
    pub name: &'static str,
    /// Where it is given.
    pub scope: Scope,
    /// What its value may be.
    pub kind: Kind,
    /// What holds when it is left out.
    pub fallback: Fallback,
    /// The policies that read it; empty for all.
    pub policies: &'static [PolicyName],
    /// What it does.
    pub doc: &'static str,
}

/// Where an option is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// To `createIds` and `connect`: about the store.
    Ids,
    /// To `ids.segment`.
    Segment,
    /// To `ids.snowflake`.
    Snowflake,
    /// In the option `lease` of `ids.snowflake`.
    Lease,
    /// In the option `layout` of `ids.snowflake`.
    Layout,
    /// To one call.
    Call,
}

impl Scope {
    /// The scope as the addon and the docs name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ids => "ids",
            Self::Segment => "segment",
            Self::Snowflake => "snowflake",
            Self::Lease => "lease",
            Self::Layout => "layout",
            Self::Call => "call",
        }
    }
}

impl OptionSpec {
    /// The row of `name` in `scope`.
    ///
    /// # Panics
    /// If there is none: names come from this crate, never from a user.
    pub fn of(scope: Scope, name: &str) -> &'static Self {
        OPTIONS
            .iter()
            .find(|spec| spec.scope == scope && spec.name == name)
            .expect("every option that is read has a row")
    }

    /// How a message names it: the options inside of another with that one in front.
    ///
    /// ```
    /// use mintid_core::options::{OptionSpec, Scope};
    /// assert_eq!(OptionSpec::of(Scope::Lease, "ttl").path(), "lease.ttl");
    /// assert_eq!(OptionSpec::of(Scope::Segment, "step").path(), "step");
    /// ```
    pub fn path(&self) -> String {
        match self.scope {
            Scope::Lease | Scope::Layout => format!("{}.{}", self.scope.as_str(), self.name),
            Scope::Ids | Scope::Segment | Scope::Snowflake | Scope::Call => self.name.to_owned(),
        }
    }

    /// Checks `value` against the bounds.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming option, value and bounds.
    pub fn check(&self, value: u64) -> Result<u64> {
        match self.kind.bounds() {
            Some((least, most)) if !(least..=most).contains(&value) => {
                Err(Error::config(self.path(), value, self.kind.expected()))
            }
            _ => Ok(value),
        }
    }

    /// The answer that holds when the option is left out.
    ///
    /// # Panics
    /// If the row is of another kind.
    pub(super) fn default_flag(&self) -> bool {
        match self.fallback {
            Fallback::Flag(flag) => flag,
            _ => unreachable!("{} is no flag", self.name),
        }
    }

    /// The number that holds when the option is left out.
    ///
    /// # Panics
    /// If the row has no fixed number: the caller then has a rule of its own.
    pub(crate) fn default_number(&self) -> u64 {
        match self.fallback {
            Fallback::Number(number) => number,
            _ => unreachable!("{} has no fixed default", self.name),
        }
    }
}

const LOOKAHEAD: &[PolicyName] = &[PolicyName::Lookahead];
const ADAPTIVE: &[PolicyName] = &[PolicyName::Proportional, PolicyName::Doubling];
const COUNT: Kind = Kind::Count {
    least: 1,
    most: MOST_IDS,
};

const MOST_MACHINE: u64 = (1 << MOST_MACHINE_BITS) - 1;
const MACHINE: Kind = Kind::Number {
    least: 0,
    most: MOST_MACHINE,
};

const fn bits(least: u64, most: u64) -> Kind {
    Kind::Number { least, most }
}

const fn row(
    scope: Scope,
    name: &'static str,
    kind: Kind,
    fallback: Fallback,
    doc: &'static str,
) -> OptionSpec {
    OptionSpec {
        name,
        scope,
        kind,
        fallback,
        policies: &[],
        doc,
    }
}

const fn read_by(policies: &'static [PolicyName], spec: OptionSpec) -> OptionSpec {
    OptionSpec { policies, ..spec }
}

/// All options and arguments, in the order of the docs page.
#[rustfmt::skip] // One row, one option: a table is read in lines.
pub static OPTIONS: &[OptionSpec] = &[
    row(Scope::Ids, "namespace", Kind::Text, Fallback::Off,
        "Keeps the generators of one application apart from another's in the same store. 1–128 \
         bytes without `/`, `{`, `}`, control characters or a leading `#`."),
    row(Scope::Ids, "allowCreate", Kind::Flag, Fallback::Flag(true),
        "Whether a generator that the store does not know may be created. `false` in production \
         after the first deployment: a wrong store is then `RANGE_MISSING` and not ids from 1."),
    row(Scope::Ids, "repair", Kind::Flag, Fallback::Flag(true),
        "Whether a counter that went back is raised above the highest id seen, and served again. \
         `false` refuses with `STORE_WENT_BACK` until somebody has raised it."),
    row(Scope::Ids, "jump", COUNT,
        Fallback::Derived("16 × the largest reservation, at least 2^24; 64 × its size where `max` is below 2^53"),
        "How far above the highest id seen a counter that went back is raised, at least, and how far \
         a counter leaps on a Redis that has restarted or changed; the leap is drawn at random \
         between one and two jumps. The largest jump that any process ever gave is the one in force."),
    row(Scope::Ids, "key", Kind::Text, Fallback::Word("kvid"),
        "The Redis hash that holds the counters. Two stores of one hash are one store."),
    row(Scope::Ids, "durability", Kind::Durability, Fallback::Word("none"),
        "What Redis has to prove before a range is served: that it is on disk (`\"disk\"`, by \
         `WAITAOF`), or that `{ replicas: n }` have it (by `WAIT`). A range without proof is dropped."),
    row(Scope::Ids, "acceptLoss", Kind::Flag, Fallback::Flag(false),
        "Whether a Redis may be used that evicts any key when its memory is full, counters too."),
    row(Scope::Ids, "identity", Kind::Choice(Identity::WORDS), Fallback::Word("server"),
        "`\"server\"` demands a Redis that tells who it is, so that a restart or a promotion that lost \
         something is noticed. `\"none\"` takes one that does not, or runs no scripts: then only \
         running processes notice."),
    row(Scope::Ids, "username", Kind::Text, Fallback::Off,
        "The user of Redis, where the URL does not name it."),
    row(Scope::Ids, "password", Kind::Text, Fallback::Off,
        "The password of Redis, where it is not to stand in the URL."),
    row(Scope::Ids, "database", Kind::Count { least: 0, most: 255 }, Fallback::Number(0),
        "The database of Redis by number, where the URL does not name it."),
    row(Scope::Ids, "tls", Kind::Object("an object with ca, cert and key in PEM, and servername"), Fallback::Off,
        "How a `rediss://` server is known, and what it is shown, as `tls.connect` of Node takes it. The \
         authorities of the system where there is no `ca`."),
    row(Scope::Ids, "connectTimeout", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Number(5_000),
        "How long `connect` and `ids.ready()` wait for the store."),
    row(Scope::Ids, "allowNetworkFile", Kind::Flag, Fallback::Flag(false),
        "Whether an SQLite file may lie on a network file system, whose locks may not hold."),
    row(Scope::Ids, "logger", Kind::Object("an object with the methods debug, info, warn and error"), Fallback::Off,
        "Where events are logged, such as a pino logger. Nothing is logged without one."),

    row(Scope::Segment, "policy", Kind::Choice(PolicyName::WORDS), Fallback::Word("lookahead"),
        "How the size of a reservation follows the load."),
    read_by(&[PolicyName::Lookahead, PolicyName::Fixed],
        row(Scope::Segment, "step", COUNT, Fallback::Number(100),
        "The smallest reservation, and the unit of every larger one.")),
    row(Scope::Segment, "initialOffset", Kind::Id { least: 1, most: MAX_ID }, Fallback::Number(1),
        "The first id of a new generator, and a lower bound of every later one."),
    row(Scope::Segment, "max", Kind::Id { least: 1, most: MAX_ID }, Fallback::Number(MAX_ID),
        "The highest id of the generator. A grant beyond it is `RANGE_EXHAUSTED`, so what is left \
         below one whole `step` is not served."),
    row(Scope::Segment, "keep", Kind::Count { least: 0, most: MOST_AT_ONCE }, Fallback::Number(0),
        "How many ids are kept at hand: for synchronous callers, the largest number taken in one \
         tick."),
    read_by(LOOKAHEAD,
        row(Scope::Segment, "lookahead", Kind::Millis { least: 0, most: MOST_MS }, Fallback::Number(1_000),
        "How long the ids at hand should last, at most `rangeTtl` where that is set. 0 reserves only \
         when they are used up.")),
    read_by(LOOKAHEAD,
        row(Scope::Segment, "maxBatch", COUNT,
        Fallback::Derived("max(`step` × 1000, 2^20), a multiple of `step`"),
        "The largest reservation, rounded down to a multiple of `step`.")),
    row(Scope::Segment, "reserveTimeout", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Number(3_000),
        "How long a caller without an id waits, and how long one reservation may take."),
    row(Scope::Segment, "rangeTtl", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Off,
        "A segment held longer is dropped, so that ids of several processes stay close to the \
         order of time."),
    read_by(&[PolicyName::Proportional],
        row(Scope::Segment, "preload", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Number(60_000),
        "How long a segment should last.")),
    read_by(&[PolicyName::Doubling],
        row(Scope::Segment, "fetchDuration", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Number(600_000),
        "Segments used up sooner double the size, others halve it.")),
    read_by(ADAPTIVE,
        row(Scope::Segment, "stepMin", COUNT, Fallback::Number(1), "The smallest reservation.")),
    read_by(ADAPTIVE,
        row(Scope::Segment, "stepMax", COUNT, Fallback::Number(1_000_000), "The largest reservation.")),

    row(Scope::Snowflake, "layout", Kind::Layout, Fallback::Derived("41 bits of ms since 2020, 10 of machine, 12 of sequence"),
        "Which bits of an id hold what. Every process of a namespace has the same one. `\"jsSafe\"` has 53 \
         bits, so that ids are safe integers of JavaScript: 41 of ms, 6 of machine, 6 of sequence."),
    row(Scope::Snowflake, "machine", MACHINE, Fallback::Off,
        "A fixed machine number, which is leased like any other. Automatic without one."),
    row(Scope::Snowflake, "machineRange", Kind::Span { least: 0, most: MOST_MACHINE }, Fallback::Derived("all numbers of the layout"),
        "The machine numbers that may be leased, both ends included: disjoint ones keep apart what does not \
         share a store."),
    row(Scope::Snowflake, "firstStart", Kind::Flag, Fallback::Flag(false),
        "Whether an empty lease table is known to be new, so that nobody waits for leases that it may have \
         lost. For the very first deployment, and for tests."),
    row(Scope::Snowflake, "lease", Kind::Options, Fallback::Derived("the defaults below"),
        "How the machine number is leased."),
    row(Scope::Snowflake, "clockBackwardsMax", Kind::Millis { least: 0, most: MOST_MS }, Fallback::Number(100),
        "How far the clock may go back and be waited for. Beyond it is `CLOCK_BACKWARDS`."),
    row(Scope::Snowflake, "reserveTimeout", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Number(3_000),
        "How long a caller without an id waits."),

    row(Scope::Lease, "ttl", Kind::Millis { least: 2_000, most: MOST_MS }, Fallback::Number(60_000),
        "How long a machine number stays taken after its holder was last heard of."),
    row(Scope::Lease, "heartbeat", Kind::Millis { least: 100, most: MOST_MS }, Fallback::Derived("a quarter of `ttl`"),
        "How often a lease is renewed: at most a third of `ttl`."),
    row(Scope::Lease, "maxClockSkew", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Number(5_000),
        "How far the clock of a process may be off the store's."),
    row(Scope::Lease, "failoverWindow", Kind::Millis { least: 0, most: MOST_MS }, Fallback::Number(30_000),
        "How much longer than a lease new claims wait for a lease table that may have lost something."),
    row(Scope::Lease, "claimTimeout", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Derived("`ttl` + 5,000"),
        "How long a machine number that another holds is waited for."),

    row(Scope::Layout, "timestampBits", bits(1, 63), Fallback::Number(41),
        "How many bits hold the time. The sum of all bits is at most 63."),
    row(Scope::Layout, "machineBits", bits(0, MOST_MACHINE_BITS), Fallback::Number(10),
        "How many bits hold the machine number."),
    row(Scope::Layout, "sequenceBits", bits(0, 31), Fallback::Number(12),
        "How many bits hold the sequence number within one tick."),
    row(Scope::Layout, "unit", Kind::Choice(Unit::WORDS), Fallback::Word("ms"),
        "How long a tick lasts."),
    row(Scope::Layout, "epoch", Kind::Millis { least: 0, most: MOST_UNIX_MS }, Fallback::Number(1_577_836_800_000),
        "When the first tick begins, in Unix ms whatever the unit. Not in the future."),

    row(Scope::Call, "n", Kind::Count { least: 1, most: MOST_AT_ONCE }, Fallback::Required,
        "How many ids `nextBatch` gives."),
    row(Scope::Call, "size", COUNT, Fallback::Required,
        "How many ids `nextRange` gives, in one run."),
    row(Scope::Call, "count", Kind::Count { least: 1, most: MOST_AT_ONCE }, Fallback::Number(1),
        "How many ids `ready` waits for."),
    row(Scope::Call, "timeoutMs", Kind::Millis { least: 1, most: MOST_MS }, Fallback::Derived("`reserveTimeout`"),
        "How long this call waits, if that is less than `reserveTimeout`."),
    row(Scope::Call, "signal", Kind::Object("an AbortSignal"), Fallback::Off,
        "Ends the call's waiting when it is aborted, with the signal's reason."),
];
