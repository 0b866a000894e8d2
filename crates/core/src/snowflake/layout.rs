//! Which bits of an id hold what, and what they mean in time.

use crate::error::{Error, Result};
use crate::options::{LayoutOptions, OptionSpec, Scope, Unit, check_given};

/// An id is positive as a signed number everywhere.
const ID_BITS: u32 = 63;
/// What a double holds exactly.
const SAFE_BITS: u32 = 53;
/// A year on average.
const YEAR_MS: u64 = 31_557_600_000;
/// 1973-03-03. Told in seconds, the dates from 1970 to the year 5138 lie below, and the epochs
/// that anybody chooses lie above.
const LEAST_MS: u64 = 100_000_000_000;

/// What an id was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parts {
    /// When its tick began, in Unix ms.
    pub timestamp_ms: u64,
    /// The number of the machine.
    pub machine: u32,
    /// The sequence number within the tick.
    pub sequence: u32,
}

/// A checked plan of the bits: time, machine and sequence, from high to low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    timestamp_bits: u32,
    machine_bits: u32,
    sequence_bits: u32,
    unit: Unit,
    /// When tick 0 begins, in Unix ms.
    epoch_ms: u64,
}

impl Layout {
    /// The layout that the options describe, at the present time `now_ms`.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the option: a number of bits out
    /// of bounds or more than 63 in all, an epoch that lies ahead or is told in seconds, and a
    /// layout that ends within a year.
    ///
    /// ```
    /// use mintid_core::snowflake::{Layout, LayoutOptions};
    /// let now_ms = 1_760_000_000_000;
    /// let layout = Layout::new(&LayoutOptions::default(), now_ms)?;
    /// assert_eq!(layout.record(), "41/10/12/ms/1577836800000");
    /// assert_eq!(layout.parse(layout.compose(5, 7, 1))?.machine, 7);
    /// # Ok::<(), mintid_core::Error>(())
    /// ```
    pub fn new(options: &LayoutOptions, now_ms: u64) -> Result<Self> {
        check_given(options.given())?;
        let layout = Self {
            timestamp_bits: bits("timestampBits", options.timestamp_bits),
            machine_bits: bits("machineBits", options.machine_bits),
            sequence_bits: bits("sequenceBits", options.sequence_bits),
            unit: options.unit.unwrap_or_default(),
            epoch_ms: options.epoch.unwrap_or_else(|| default("epoch")),
        };
        layout.check_bits()?;
        layout.check_time(now_ms)?;
        Ok(layout)
    }

    fn check_bits(&self) -> Result<()> {
        let Self {
            timestamp_bits,
            machine_bits,
            sequence_bits,
            ..
        } = *self;
        let sum = timestamp_bits + machine_bits + sequence_bits;
        if sum > ID_BITS {
            let expected = format!(
                "timestampBits + machineBits + sequenceBits = {timestamp_bits} + {machine_bits} + \
                 {sequence_bits} = {sum}: expected at most {ID_BITS} in all"
            );
            return Err(Error::config(
                "layout.timestampBits",
                timestamp_bits,
                expected,
            ));
        }
        Ok(())
    }

    fn check_time(&self, now_ms: u64) -> Result<()> {
        let epoch_ms = self.epoch_ms;
        let wrong = |expected| Err(Error::config("layout.epoch", epoch_ms, expected));
        if (1..LEAST_MS).contains(&epoch_ms) {
            return wrong(format!(
                "expected Unix time in milliseconds, whatever the unit: {epoch_ms} seconds are {}",
                epoch_ms * 1_000
            ));
        }
        if epoch_ms > now_ms {
            return wrong(format!(
                "expected a time in Unix milliseconds that has passed: the clock of this machine \
                 tells {now_ms}"
            ));
        }
        if self.ends_at() < now_ms.saturating_add(YEAR_MS) {
            let expected = format!(
                "the layout ends at {}, within a year: give more bits, a later epoch or the unit \
                 \"s\"",
                self.ends_at()
            );
            return Err(Error::config(
                "layout.timestampBits",
                self.timestamp_bits,
                expected,
            ));
        }
        Ok(())
    }

    /// The id of a tick, a machine and a sequence number.
    ///
    /// # Panics
    /// If one of them is wider than its field.
    #[inline]
    pub fn compose(&self, tick: u64, machine: u32, sequence: u32) -> u64 {
        assert!(
            tick <= self.last_tick()
                && machine < self.machines()
                && u64::from(sequence) < self.sequences(),
            "a part is wider than its field: {tick} | {machine} | {sequence}"
        );
        (tick << self.low_bits()) | (u64::from(machine) << self.sequence_bits) | u64::from(sequence)
    }

    /// What an id of this layout was made of.
    ///
    /// # Errors
    /// [`Code::IdInvalid`](crate::Code::IdInvalid) for a number that is wider than the layout.
    pub fn parse(&self, id: u64) -> Result<Parts> {
        let tick = id >> self.low_bits();
        if tick > self.last_tick() {
            return Err(Error::IdInvalid {
                value: id.to_string(),
                expected: format!(
                    "expected a number below 2^{}, as the layout has {} bits",
                    self.timestamp_bits + self.low_bits(),
                    self.timestamp_bits + self.low_bits()
                ),
            });
        }
        let field = |shift: u32, bits: u32| {
            u32::try_from((id >> shift) & ((1 << bits) - 1)).expect("no field has over 31 bits")
        };
        Ok(Parts {
            timestamp_ms: self.first_ms(tick),
            machine: field(self.sequence_bits, self.machine_bits),
            sequence: field(0, self.sequence_bits),
        })
    }

    /// The tick in which a time lies, possibly past [`last_tick`](Self::last_tick); `None` before
    /// the epoch.
    #[inline]
    pub fn tick_at(&self, unix_ms: u64) -> Option<u64> {
        let since_epoch = unix_ms.checked_sub(self.epoch_ms)?;
        // Spelled out, so that no division is left: this stands in the path of every id.
        Some(match self.unit {
            Unit::Ms => since_epoch,
            Unit::S => since_epoch / Unit::S.ms(),
        })
    }

    /// The first ms of a tick.
    pub fn first_ms(&self, tick: u64) -> u64 {
        // Saturates: a time too far to be told is never.
        self.epoch_ms
            .saturating_add(tick.saturating_mul(self.unit.ms()))
    }

    /// The last ms of a tick.
    pub fn last_ms(&self, tick: u64) -> u64 {
        self.first_ms(tick).saturating_add(self.unit.ms() - 1)
    }

    /// The highest tick that an id can hold.
    #[inline]
    pub fn last_tick(&self) -> u64 {
        (1 << self.timestamp_bits) - 1
    }

    /// How many whole ticks lie below a ceiling: tick t is among them exactly if its last ms is
    /// at most the ceiling.
    pub(super) fn ticks_within(&self, ceiling_ms: u64) -> u64 {
        let since_epoch = ceiling_ms.saturating_add(1).saturating_sub(self.epoch_ms);
        since_epoch / self.unit.ms()
    }

    /// The highest ceiling at or below a time: the last ms of the last tick that is over by then.
    ///
    /// Before the first tick is over this is the ms before the epoch, under which no tick lies.
    pub fn ceiling_at(&self, unix_ms: u64) -> u64 {
        self.first_ms(self.ticks_within(unix_ms)).saturating_sub(1)
    }

    /// The first tick that lies wholly above a predecessor's ceiling, possibly past
    /// [`last_tick`](Self::last_tick).
    ///
    /// Together with the rule that the predecessor uses a tick only if its last ms is at most the
    /// ceiling, no tick belongs to both, wherever in a tick the ceiling lies.
    pub fn first_tick_above(&self, former_ceiling_ms: u64) -> u64 {
        self.tick_at(former_ceiling_ms)
            .map_or(0, |tick| tick.saturating_add(1))
    }

    /// How many machine numbers there are.
    #[inline]
    pub fn machines(&self) -> u32 {
        1 << self.machine_bits
    }

    /// How many ids a machine has per tick.
    #[inline]
    pub fn sequences(&self) -> u64 {
        1 << self.sequence_bits
    }

    /// How long a tick lasts.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// When the first tick begins, in Unix ms.
    pub fn epoch_ms(&self) -> u64 {
        self.epoch_ms
    }

    /// The last ms that an id can hold.
    pub fn ends_at(&self) -> u64 {
        self.last_ms(self.last_tick())
    }

    /// Whether somebody should think of the layout that follows.
    pub fn ends_within_five_years(&self, now_ms: u64) -> bool {
        self.ends_at() < now_ms.saturating_add(5 * YEAR_MS)
    }

    /// From when on ids are above 2^53 − 1, which a number of JavaScript cannot hold; `None` if
    /// they never are.
    pub fn passes_safe_at(&self) -> Option<u64> {
        // Bounds keep machine and sequence below 53 bits together.
        let tick = 1 << SAFE_BITS.checked_sub(self.low_bits())?;
        (tick <= self.last_tick()).then(|| self.first_ms(tick))
    }

    /// The lowest id that can have been handed out at a time or later: the lower end of a query.
    ///
    /// Times outside the layout give the lowest and the highest id that there can be.
    pub fn min_id_at(&self, unix_ms: u64) -> u64 {
        match self.tick_at(unix_ms) {
            None => 0,
            Some(tick) if tick > self.last_tick() => self.highest_id(),
            Some(tick) => tick << self.low_bits(),
        }
    }

    /// The highest id that can have been handed out at a time or earlier: the upper end of a
    /// query.
    ///
    /// Times outside the layout give the lowest and the highest id that there can be.
    pub fn max_id_at(&self, unix_ms: u64) -> u64 {
        match self.tick_at(unix_ms) {
            None => 0,
            Some(tick) if tick >= self.last_tick() => self.highest_id(),
            Some(tick) => ((tick + 1) << self.low_bits()) - 1,
        }
    }

    fn highest_id(&self) -> u64 {
        (1 << (self.timestamp_bits + self.low_bits())) - 1
    }

    /// What a store keeps beside the leases, so that two processes of one namespace cannot have
    /// different layouts.
    pub fn record(&self) -> String {
        let Self {
            timestamp_bits,
            machine_bits,
            sequence_bits,
            unit,
            epoch_ms,
        } = self;
        let unit = unit.as_str();
        format!("{timestamp_bits}/{machine_bits}/{sequence_bits}/{unit}/{epoch_ms}")
    }

    /// The options that give this layout, each of them.
    pub fn options(&self) -> LayoutOptions {
        LayoutOptions {
            timestamp_bits: Some(self.timestamp_bits.into()),
            machine_bits: Some(self.machine_bits.into()),
            sequence_bits: Some(self.sequence_bits.into()),
            unit: Some(self.unit),
            epoch: Some(self.epoch_ms),
        }
    }

    #[inline]
    pub(super) fn sequence_bits(&self) -> u32 {
        self.sequence_bits
    }

    /// Where the time begins.
    #[inline]
    pub(super) fn low_bits(&self) -> u32 {
        self.machine_bits + self.sequence_bits
    }
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.record())
    }
}

fn default(name: &str) -> u64 {
    OptionSpec::of(Scope::Layout, name).default_number()
}

fn bits(name: &str, given: Option<u64>) -> u32 {
    u32::try_from(given.unwrap_or_else(|| default(name))).expect("the bounds were checked")
}
