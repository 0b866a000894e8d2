//! The options of a segment generator: what a user gave, and the checked plan made of it.

use std::time::Duration;

use super::table::{OptionSpec, Scope};
use super::value::{Shown, Value, admit, check_bounds};
use crate::error::{Error, Result};
use crate::segment::MOST_BUFFERED;
use crate::step::{Doubling, Fixed, Lookahead, Policy, Proportional};

/// How many ids the policies of the adaptive kind ask for at first.
const FIRST_STEP: u64 = 100;

/// The name of a step policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyName {
    /// See [`Lookahead`].
    Lookahead,
    /// See [`Proportional`].
    Proportional,
    /// See [`Doubling`].
    Doubling,
    /// See [`Fixed`].
    Fixed,
}

impl PolicyName {
    const ALL: [Self; 4] = [
        Self::Lookahead,
        Self::Proportional,
        Self::Doubling,
        Self::Fixed,
    ];

    pub(super) const WORDS: &[&str] = &["lookahead", "proportional", "doubling", "fixed"];

    /// The policy that users call `word`.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the words there are.
    pub fn new(word: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|policy| policy.as_str() == word)
            .ok_or_else(|| {
                let spec = OptionSpec::of(Scope::Segment, "policy");
                Error::config(spec.name, format_args!("{word:?}"), spec.kind.expected())
            })
    }

    /// What users call it.
    pub fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

/// What a user gave; everything may be left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SegmentOptions {
    /// The step policy.
    pub policy: Option<PolicyName>,
    /// The smallest reservation and the unit of larger ones.
    pub step: Option<u64>,
    /// The first id of a new generator.
    pub initial_offset: Option<u64>,
    /// The highest id.
    pub max: Option<u64>,
    /// How many ids are kept at hand.
    pub keep: Option<u64>,
    /// How long the ids at hand should last.
    pub lookahead: Option<Duration>,
    /// The largest reservation.
    pub max_batch: Option<u64>,
    /// How long a caller waits.
    pub reserve_timeout: Option<Duration>,
    /// How long a segment may be held.
    pub range_ttl: Option<Duration>,
    /// How long a segment should last, under `proportional`.
    pub preload: Option<Duration>,
    /// The border between doubling and halving, under `doubling`.
    pub fetch_duration: Option<Duration>,
    /// The smallest reservation, under `proportional` and `doubling`.
    pub step_min: Option<u64>,
    /// The largest reservation, under `proportional` and `doubling`.
    pub step_max: Option<u64>,
}

/// A checked set of options with every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentPlan {
    /// The policy with its settings.
    pub policy: Policy,
    /// The first id of a new generator.
    pub initial_offset: u64,
    /// The highest id.
    pub max: u64,
    /// How many ids are kept at hand.
    pub keep: u64,
    /// How long a caller waits, and how long a reservation may take.
    pub reserve_timeout: Duration,
    /// How long a segment may be held.
    pub range_ttl: Option<Duration>,
}

impl SegmentOptions {
    /// The options that were given. The one list of the fields: checks and comparisons go by it.
    fn given(&self) -> impl Iterator<Item = (&'static OptionSpec, Value)> {
        [
            ("policy", self.policy.map(|name| Value::Word(name.as_str()))),
            ("step", self.step.map(Value::Number)),
            ("initialOffset", self.initial_offset.map(Value::Number)),
            ("max", self.max.map(Value::Number)),
            ("keep", self.keep.map(Value::Number)),
            ("lookahead", self.lookahead.map(Value::Time)),
            ("maxBatch", self.max_batch.map(Value::Number)),
            ("reserveTimeout", self.reserve_timeout.map(Value::Time)),
            ("rangeTtl", self.range_ttl.map(Value::Time)),
            ("preload", self.preload.map(Value::Time)),
            ("fetchDuration", self.fetch_duration.map(Value::Time)),
            ("stepMin", self.step_min.map(Value::Number)),
            ("stepMax", self.step_max.map(Value::Number)),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((OptionSpec::of(Scope::Segment, name), value?)))
    }

    /// Checks what was given and fills in the rest.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the option, its value and what
    /// is accepted: out of bounds, not read by the policy, or at odds with another option.
    pub fn plan(&self) -> Result<SegmentPlan> {
        self.plan_by(PolicyName::Lookahead)
    }

    /// As [`plan`](Self::plan), with another policy where none was given.
    ///
    /// # Errors
    /// As for [`plan`](Self::plan).
    pub fn plan_by(&self, default: PolicyName) -> Result<SegmentPlan> {
        let name = self.policy.unwrap_or(default);
        for (spec, value) in self.given() {
            check_bounds(spec, &value)?;
            check_policy(spec, value, name)?;
        }
        let plan = SegmentPlan {
            policy: self.policy(name)?,
            initial_offset: number("initialOffset", self.initial_offset),
            max: number("max", self.max),
            keep: number("keep", self.keep),
            reserve_timeout: time("reserveTimeout", self.reserve_timeout),
            range_ttl: self.range_ttl,
        };
        at_least("max", plan.max, "initialOffset", plan.initial_offset)?;
        // A store grants whole reservations: with less room than the smallest there is no id.
        let least = plan.initial_offset.saturating_add(plan.policy.least() - 1);
        if plan.max < least {
            let expected = format!("expected at least {least}, or no reservation fits below it");
            return Err(Error::config("max", plan.max, expected));
        }
        plan.check_held("keep", plan.keep)?;
        Ok(plan)
    }

    fn policy(&self, name: PolicyName) -> Result<Policy> {
        let step = number("step", self.step);
        let step_min = number("stepMin", self.step_min);
        let step_max = number("stepMax", self.step_max);
        at_least("stepMax", step_max, "stepMin", step_min)?;
        Ok(match name {
            PolicyName::Lookahead => Policy::Lookahead(Lookahead {
                step,
                lookahead: time("lookahead", self.lookahead),
                range_ttl: self.range_ttl,
                max_batch: self.max_batch(step)?,
            }),
            PolicyName::Proportional => Policy::Proportional(Proportional {
                first: FIRST_STEP,
                preload: time("preload", self.preload),
                step_min,
                step_max,
            }),
            PolicyName::Doubling => Policy::Doubling(Doubling {
                first: FIRST_STEP,
                fetch_duration: time("fetchDuration", self.fetch_duration),
                step_min,
                step_max,
            }),
            PolicyName::Fixed => Policy::Fixed(Fixed { step }),
        })
    }

    fn max_batch(&self, step: u64) -> Result<u64> {
        let given = self
            .max_batch
            .unwrap_or_else(|| step.saturating_mul(1000).max(1 << 20));
        at_least("maxBatch", given, "step", step)?;
        Ok(given - given % step)
    }
}

impl SegmentPlan {
    /// What is in force, as options.
    fn in_force(&self) -> SegmentOptions {
        let all = SegmentOptions {
            initial_offset: Some(self.initial_offset),
            max: Some(self.max),
            keep: Some(self.keep),
            reserve_timeout: Some(self.reserve_timeout),
            range_ttl: self.range_ttl,
            ..SegmentOptions::default()
        };
        match self.policy {
            Policy::Lookahead(policy) => SegmentOptions {
                policy: Some(PolicyName::Lookahead),
                step: Some(policy.step),
                lookahead: Some(policy.lookahead),
                max_batch: Some(policy.max_batch),
                ..all
            },
            Policy::Proportional(policy) => SegmentOptions {
                policy: Some(PolicyName::Proportional),
                preload: Some(policy.preload),
                step_min: Some(policy.step_min),
                step_max: Some(policy.step_max),
                ..all
            },
            Policy::Doubling(policy) => SegmentOptions {
                policy: Some(PolicyName::Doubling),
                fetch_duration: Some(policy.fetch_duration),
                step_min: Some(policy.step_min),
                step_max: Some(policy.step_max),
                ..all
            },
            Policy::Fixed(policy) => SegmentOptions {
                policy: Some(PolicyName::Fixed),
                step: Some(policy.step),
                ..all
            },
        }
    }

    /// What is in force, as rows of the table with their values: numbers for counts and times in
    /// ms, text for ids and words.
    pub fn describe(&self) -> Vec<(&'static OptionSpec, Shown)> {
        self.in_force()
            .given()
            .map(|(spec, value)| (spec, value.shown(spec.kind)))
            .collect()
    }

    /// Checks that another handle of the same generator wants nothing else; what it left out
    /// matches anything.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the option and both values.
    pub fn admit(&self, other: &SegmentOptions) -> Result<()> {
        // What is rounded in force is rounded here, so that equal options compare as equal.
        let step = self.policy.least();
        let other = SegmentOptions {
            max_batch: other.max_batch.map(|batch| batch - batch % step),
            ..other.clone()
        };
        admit(self.in_force().given(), other.given())
    }

    /// Checks that the policy's segments can hold `ids` in memory at once.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming `option` and the largest value.
    pub fn check_held(&self, option: &str, ids: u64) -> Result<()> {
        let most = self.policy.most().saturating_mul(MOST_BUFFERED as u64);
        if ids > most {
            let expected = format!("expected at most {most}, {MOST_BUFFERED} of the largest size");
            return Err(Error::config(option, ids, expected));
        }
        Ok(())
    }
}

fn at_least(option: &str, value: u64, other: &str, least: u64) -> Result<()> {
    if value < least {
        let expected = format!("expected at least {other} = {least}");
        return Err(Error::config(option, value, expected));
    }
    Ok(())
}

fn check_policy(spec: &OptionSpec, value: Value, policy: PolicyName) -> Result<()> {
    if spec.policies.is_empty() || spec.policies.contains(&policy) {
        return Ok(());
    }
    let readers: Vec<_> = spec.policies.iter().map(|name| name.as_str()).collect();
    Err(Error::config(
        spec.name,
        value,
        format!(
            "policy {} does not read it: leave it out, or choose policy {}",
            policy.as_str(),
            readers.join(" or ")
        ),
    ))
}

fn number(name: &str, given: Option<u64>) -> u64 {
    given.unwrap_or_else(|| OptionSpec::of(Scope::Segment, name).default_number())
}

fn time(name: &str, given: Option<Duration>) -> Duration {
    given.unwrap_or_else(|| Duration::from_millis(number(name, None)))
}
