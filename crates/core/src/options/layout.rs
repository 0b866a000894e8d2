//! The options of a layout: what a user gave, before it is checked against a clock.

use super::kind::Kind;
use super::table::{OptionSpec, Scope};
use super::value::Value;
use crate::error::{Error, Result};

/// How long a tick of a layout lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unit {
    /// A millisecond.
    #[default]
    Ms,
    /// A second.
    S,
}

impl Unit {
    /// The words, as users write them.
    pub const WORDS: &'static [&'static str] = &["ms", "s"];

    /// Reads a word.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) for any other.
    pub fn new(word: &str) -> Result<Self> {
        match word {
            "ms" => Ok(Self::Ms),
            "s" => Ok(Self::S),
            _ => Err(Error::config(
                "unit",
                format_args!("{word:?}"),
                Kind::Choice(Self::WORDS).expected(),
            )),
        }
    }

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ms => "ms",
            Self::S => "s",
        }
    }

    /// How many ms a tick lasts.
    pub const fn ms(self) -> u64 {
        match self {
            Self::Ms => 1,
            Self::S => 1_000,
        }
    }
}

/// What a user gave; everything may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayoutOptions {
    /// How many bits hold the time.
    pub timestamp_bits: Option<u64>,
    /// How many bits hold the machine number.
    pub machine_bits: Option<u64>,
    /// How many bits hold the sequence number within one tick.
    pub sequence_bits: Option<u64>,
    /// How long a tick lasts.
    pub unit: Option<Unit>,
    /// When the first tick begins, in Unix ms.
    pub epoch: Option<u64>,
}

impl LayoutOptions {
    /// What users call the layout of [`js_safe`](Self::js_safe).
    pub const JS_SAFE: &'static str = "jsSafe";

    /// A layout of 53 bits, so that every id is a safe integer of JavaScript: until 2089, 64
    /// machines of 64 ids per ms.
    pub fn js_safe() -> Self {
        Self {
            timestamp_bits: Some(41),
            machine_bits: Some(6),
            sequence_bits: Some(6),
            ..Self::default()
        }
    }

    /// The options that were given. The one list of the fields: checks and comparisons go by it.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static OptionSpec, Value)> {
        [
            ("timestampBits", self.timestamp_bits.map(Value::Number)),
            ("machineBits", self.machine_bits.map(Value::Number)),
            ("sequenceBits", self.sequence_bits.map(Value::Number)),
            ("unit", self.unit.map(|unit| Value::Word(unit.as_str()))),
            ("epoch", self.epoch.map(Value::Number)),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((OptionSpec::of(Scope::Layout, name), value?)))
    }
}
