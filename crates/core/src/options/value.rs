//! A given value, as it is checked, compared and shown.

use std::time::Duration;

use super::kind::{Fallback, Kind};
use super::table::OptionSpec;
use crate::error::{Error, Result};

/// The value of an option.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A count or an id.
    Number(u64),
    /// Two numbers, the lowest and the highest.
    Span((u64, u64)),
    /// A duration, shown in ms.
    Time(Duration),
    /// One of a few words.
    Word(&'static str),
    /// Yes or no.
    Flag(bool),
    /// Any text.
    Text(String),
    /// Something that is compared and never shown.
    Secret(Secret),
}

/// A text that no message may hold.
#[derive(Clone, PartialEq)]
pub(crate) struct Secret(pub(super) String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Span((lowest, highest)) => write!(f, "[{lowest}, {highest}]"),
            Self::Time(time) => write!(f, "{}", in_ms(*time)),
            Self::Word(word) => f.write_str(word),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Text(text) => f.write_str(text),
            Self::Secret(secret) => write!(f, "{secret:?}"),
        }
    }
}

/// A value as it is told to users.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// A count, or a time in ms.
    Number(f64),
    /// An id, or a word.
    Text(String),
}

impl Value {
    pub(super) fn shown(self, kind: Kind) -> Shown {
        match (self, kind) {
            (
                Self::Number(number),
                Kind::Count { .. } | Kind::Number { .. } | Kind::Millis { .. },
            ) => Shown::Number(number as f64),
            (Self::Time(time), _) => Shown::Number(in_ms(time)),
            (other, _) => Shown::Text(other.to_string()),
        }
    }
}

/// Exact where seconds would not be: 1.001 s × 1000 is less than 1001 ms.
fn in_ms(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}

/// Checks a value against the bounds of its row. A fraction of a millisecond would be lost on the
/// way, so it is refused.
pub(super) fn check_bounds(spec: &OptionSpec, value: &Value) -> Result<()> {
    match value {
        Value::Number(number) => spec.check(*number).map(drop),
        Value::Span((lowest, highest)) => match spec.kind.bounds() {
            Some((least, most)) if *lowest < least || *highest < least || *highest > most => {
                Err(Error::config(spec.path(), value, spec.kind.expected()))
            }
            _ => Ok(()),
        },
        Value::Time(time) if !time.subsec_nanos().is_multiple_of(1_000_000) => {
            Err(Error::config(spec.path(), value, spec.kind.expected()))
        }
        Value::Time(time) => {
            let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            spec.check(ms).map(drop)
        }
        Value::Word(_) | Value::Flag(_) | Value::Text(_) | Value::Secret(_) => Ok(()),
    }
}

/// Checks each value against the bounds of its row.
pub(crate) fn check_given(given: impl Iterator<Item = (&'static OptionSpec, Value)>) -> Result<()> {
    for (spec, value) in given {
        check_bounds(spec, &value)?;
    }
    Ok(())
}

/// Checks that everything in `wanted` is `in_force`.
pub(super) fn admit(
    in_force: impl Iterator<Item = (&'static OptionSpec, Value)>,
    wanted: impl Iterator<Item = (&'static OptionSpec, Value)>,
) -> Result<()> {
    let in_force: Vec<_> = in_force.collect();
    for (spec, wanted) in wanted {
        check_bounds(spec, &wanted)?;
        let here = in_force
            .iter()
            .find(|(mine, _)| mine.name == spec.name)
            .map(|(_, value)| value);
        if here != Some(&wanted) {
            let here = here.map_or(Fallback::Off.to_string(), |value| value.to_string());
            return Err(Error::config(
                spec.path(),
                wanted,
                format!("another handle has {here}, and both share it: give both the same value"),
            ));
        }
    }
    Ok(())
}
