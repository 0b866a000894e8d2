//! The options of a Snowflake generator: what a user gave, and the checked plan made of it.

use std::time::Duration;

use super::layout::LayoutOptions;
use super::lease::{LeaseOptions, LeasePlan};
use super::table::{OptionSpec, Scope};
use super::value::{Shown, Value, admit, check_given};
use crate::error::{Error, Result};
use crate::snowflake::Layout;

/// What a user gave; everything may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SnowflakeOptions {
    /// Which bits of an id hold what.
    pub layout: LayoutOptions,
    /// A fixed machine number.
    pub machine: Option<u64>,
    /// The lowest and the highest machine number that may be leased.
    pub machine_range: Option<(u64, u64)>,
    /// Whether an empty lease table is known to be new.
    pub first_start: Option<bool>,
    /// How the machine number is leased.
    pub lease: LeaseOptions,
    /// How far the clock may go back and be waited for.
    pub clock_backwards_max: Option<Duration>,
    /// How long a caller waits.
    pub reserve_timeout: Option<Duration>,
}

/// The machine numbers that may be leased, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machines {
    /// The lowest.
    pub lowest: u32,
    /// The highest.
    pub highest: u32,
}

impl Machines {
    /// How many there are.
    pub fn count(&self) -> u32 {
        self.highest - self.lowest + 1
    }

    /// Whether a user has chosen the number.
    pub fn is_fixed(&self) -> bool {
        self.lowest == self.highest
    }
}

/// A checked set of options with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnowflakePlan {
    /// Which bits of an id hold what.
    pub layout: Layout,
    /// The machine numbers that may be leased.
    pub machines: Machines,
    /// Whether an empty lease table is known to be new.
    pub first_start: bool,
    /// How the machine number is leased.
    pub lease: LeasePlan,
    /// How far the clock may go back and be waited for.
    pub clock_backwards_max: Duration,
    /// How long a caller waits.
    pub reserve_timeout: Duration,
    /// As `machine` or `machineRange` were given, so that another handle can be compared.
    given: GivenMachines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GivenMachines {
    machine: Option<u64>,
    machine_range: Option<(u64, u64)>,
}

impl SnowflakeOptions {
    /// The options that were given. The one list of the fields: checks and comparisons go by it.
    fn given(&self) -> impl Iterator<Item = (&'static OptionSpec, Value)> {
        [
            ("machine", self.machine.map(Value::Number)),
            ("machineRange", self.machine_range.map(Value::Span)),
            ("firstStart", self.first_start.map(Value::Flag)),
            (
                "clockBackwardsMax",
                self.clock_backwards_max.map(Value::Time),
            ),
            ("reserveTimeout", self.reserve_timeout.map(Value::Time)),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((OptionSpec::of(Scope::Snowflake, name), value?)))
        .chain(self.lease.given())
        .chain(self.layout.given())
    }

    /// Checks what was given, at the present time `now_ms`, and fills in the rest.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the option, its value and what
    /// is accepted: out of bounds, wider than the layout, or at odds with another option.
    pub fn plan(&self, now_ms: u64) -> Result<SnowflakePlan> {
        check_given(self.given())?;
        let layout = Layout::new(&self.layout, now_ms)?;
        let row = |name| OptionSpec::of(Scope::Snowflake, name);
        let time = |name, given: Option<Duration>| {
            given.unwrap_or_else(|| Duration::from_millis(row(name).default_number()))
        };
        Ok(SnowflakePlan {
            layout,
            machines: self.machines(&layout)?,
            first_start: self.first_start.unwrap_or(row("firstStart").default_flag()),
            lease: self.lease.plan()?,
            clock_backwards_max: time("clockBackwardsMax", self.clock_backwards_max),
            reserve_timeout: time("reserveTimeout", self.reserve_timeout),
            given: GivenMachines {
                machine: self.machine,
                machine_range: self.machine_range,
            },
        })
    }

    fn machines(&self, layout: &Layout) -> Result<Machines> {
        let most = layout.machines() - 1;
        let number = |option: &str, shown: &dyn std::fmt::Display, machine: u64| {
            let number = u32::try_from(machine).ok();
            number.filter(|number| *number <= most).ok_or_else(|| {
                let expected = format!("expected at most {most}, the last number of the layout");
                Error::config(option, shown, expected)
            })
        };
        match (self.machine, self.machine_range) {
            (None, None) => Ok(Machines {
                lowest: 0,
                highest: most,
            }),
            (Some(machine), None) => {
                let machine = number("machine", &machine, machine)?;
                Ok(Machines {
                    lowest: machine,
                    highest: machine,
                })
            }
            (None, Some(range)) => {
                let shown = Value::Span(range);
                if range.0 > range.1 {
                    let expected = "expected the lowest number first";
                    return Err(Error::config("machineRange", shown, expected));
                }
                Ok(Machines {
                    lowest: number("machineRange", &shown, range.0)?,
                    highest: number("machineRange", &shown, range.1)?,
                })
            }
            (Some(machine), Some(range)) => Err(Error::config(
                "machine",
                machine,
                format!(
                    "machineRange = {} is given too: leave out one",
                    Value::Span(range)
                ),
            )),
        }
    }
}

impl SnowflakePlan {
    /// What is in force, as options.
    fn in_force(&self) -> SnowflakeOptions {
        SnowflakeOptions {
            layout: self.layout.options(),
            machine: self.given.machine,
            machine_range: self.given.machine_range,
            first_start: Some(self.first_start),
            lease: self.lease.in_force(),
            clock_backwards_max: Some(self.clock_backwards_max),
            reserve_timeout: Some(self.reserve_timeout),
        }
    }

    /// What is in force, as rows of the table with their values: those of the lease and of the
    /// layout have a scope of their own.
    pub fn describe(&self) -> Vec<(&'static OptionSpec, Shown)> {
        self.in_force()
            .given()
            .map(|(spec, value)| (spec, value.shown(spec.kind)))
            .collect()
    }

    /// Checks that another handle on the same lease wants nothing else; what it left out matches
    /// anything.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the option and both values.
    pub fn admit(&self, other: &SnowflakeOptions) -> Result<()> {
        admit(self.in_force().given(), other.given())
    }
}
