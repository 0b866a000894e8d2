//! Options on their way in, and the table by which JavaScript checks them.

use std::time::Duration;

use mintid::options::{Durability, Identity, OPTIONS, OptionSpec, Shown, TlsOptions, Unit};
use mintid::{
    Error, IdsOptions, LayoutOptions, LeaseOptions, Name, PolicyName, Result, SegmentOptions,
    SnowflakeOptions,
};
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;

use crate::error::{Thrown, thrown};

/// A row of the option table.
#[napi(object, object_from_js = false)]
pub struct OptionRow {
    /// As JavaScript writes it.
    pub name: String,
    /// Where it is given: `ids`, `segment` or `call`.
    pub scope: String,
    /// What its value may be: `id`, `count`, `ms`, `flag`, `choice` or `text`.
    pub kind: String,
    /// The smallest value.
    pub least: Option<BigInt>,
    /// The largest value.
    pub most: Option<BigInt>,
    /// The words of a choice.
    pub words: Vec<String>,
    /// What holds when it is left out.
    pub fallback: String,
    /// The policies that read it; empty for all.
    pub policies: Vec<String>,
    /// What is accepted, as a message says it.
    pub expected: String,
    /// What it does.
    pub doc: String,
}

impl From<&OptionSpec> for OptionRow {
    fn from(spec: &OptionSpec) -> Self {
        let bounds = spec.kind.bounds();
        let words = spec.kind.words().iter();
        let policies = spec.policies.iter();
        Self {
            name: spec.name.to_owned(),
            scope: spec.scope.as_str().to_owned(),
            kind: spec.kind.as_str().to_owned(),
            least: bounds.map(|(least, _)| least.into()),
            most: bounds.map(|(_, most)| most.into()),
            words: words.map(|word| (*word).to_owned()).collect(),
            fallback: spec.fallback.to_string(),
            policies: policies.map(|name| name.as_str().to_owned()).collect(),
            expected: spec.kind.expected(),
            doc: spec.doc.to_owned(),
        }
    }
}

/// Every option and argument there is.
#[napi]
pub fn option_table() -> Vec<OptionRow> {
    OPTIONS.iter().map(OptionRow::from).collect()
}

/// The options of `createIds`, checked by JavaScript.
#[napi(object, object_to_js = false)]
#[expect(missing_docs, reason = "the option table says what each is")]
pub struct IdsInput {
    pub namespace: Option<String>,
    pub allow_create: Option<bool>,
    pub repair: Option<bool>,
    pub jump: Option<f64>,
    pub connect_timeout: Option<f64>,
    pub allow_network_file: Option<bool>,
    pub key: Option<String>,
    pub durability: Option<String>,
    pub accept_loss: Option<bool>,
    pub identity: Option<String>,
    pub username: Option<String>,
    pub password: Option<String>,
    pub database: Option<f64>,
    pub tls: Option<TlsInput>,
}

/// How a server is known, and what it is shown, checked by JavaScript.
#[napi(object, object_to_js = false)]
#[expect(missing_docs, reason = "the option table says what each is")]
pub struct TlsInput {
    pub ca: Option<String>,
    pub cert: Option<String>,
    pub key: Option<String>,
    pub servername: Option<String>,
}

impl From<TlsInput> for TlsOptions {
    fn from(input: TlsInput) -> Self {
        Self {
            ca: input.ca,
            cert: input.cert,
            key: input.key,
            servername: input.servername,
        }
    }
}

impl TryFrom<IdsInput> for IdsOptions {
    type Error = Error;

    fn try_from(input: IdsInput) -> Result<Self> {
        Ok(Self {
            namespace: input.namespace,
            allow_create: input.allow_create,
            repair: input.repair,
            jump: count("jump", input.jump)?,
            connect_timeout: ms("connectTimeout", input.connect_timeout)?,
            allow_network_file: input.allow_network_file,
            key: input.key,
            durability: input
                .durability
                .as_deref()
                .map(Durability::new)
                .transpose()?,
            accept_loss: input.accept_loss,
            identity: input.identity.as_deref().map(Identity::new).transpose()?,
            username: input.username,
            password: input.password,
            database: count("database", input.database)?,
            tls: input.tls.map(TlsOptions::from),
        })
    }
}

/// The options of `ids.segment`, checked by JavaScript.
#[napi(object, object_to_js = false)]
#[expect(missing_docs, reason = "the option table says what each is")]
pub struct SegmentInput {
    pub policy: Option<String>,
    pub step: Option<f64>,
    pub initial_offset: Option<BigInt>,
    pub max: Option<BigInt>,
    pub keep: Option<f64>,
    pub lookahead: Option<f64>,
    pub max_batch: Option<f64>,
    pub reserve_timeout: Option<f64>,
    pub range_ttl: Option<f64>,
    pub preload: Option<f64>,
    pub fetch_duration: Option<f64>,
    pub step_min: Option<f64>,
    pub step_max: Option<f64>,
}

impl TryFrom<SegmentInput> for SegmentOptions {
    type Error = Error;

    fn try_from(input: SegmentInput) -> Result<Self> {
        Ok(Self {
            policy: input.policy.as_deref().map(PolicyName::new).transpose()?,
            step: count("step", input.step)?,
            initial_offset: id("initialOffset", input.initial_offset)?,
            max: id("max", input.max)?,
            keep: count("keep", input.keep)?,
            lookahead: ms("lookahead", input.lookahead)?,
            max_batch: count("maxBatch", input.max_batch)?,
            reserve_timeout: ms("reserveTimeout", input.reserve_timeout)?,
            range_ttl: ms("rangeTtl", input.range_ttl)?,
            preload: ms("preload", input.preload)?,
            fetch_duration: ms("fetchDuration", input.fetch_duration)?,
            step_min: count("stepMin", input.step_min)?,
            step_max: count("stepMax", input.step_max)?,
        })
    }
}

/// The options of `ids.snowflake`, checked by JavaScript.
#[napi(object, object_to_js = false)]
#[expect(missing_docs, reason = "the option table says what each is")]
pub struct SnowflakeInput {
    pub layout: Option<LayoutInput>,
    pub machine: Option<f64>,
    /// The lowest and the highest.
    pub machine_range: Option<Vec<f64>>,
    pub first_start: Option<bool>,
    pub lease: Option<LeaseInput>,
    pub clock_backwards_max: Option<f64>,
    pub reserve_timeout: Option<f64>,
}

/// The bit plan of an id, checked by JavaScript.
#[napi(object, object_to_js = false)]
#[expect(missing_docs, reason = "the option table says what each is")]
pub struct LayoutInput {
    /// A layout that has a name; the other fields are then left out.
    pub named: Option<String>,
    pub timestamp_bits: Option<f64>,
    pub machine_bits: Option<f64>,
    pub sequence_bits: Option<f64>,
    pub unit: Option<String>,
    pub epoch: Option<f64>,
}

/// How a machine number is leased, checked by JavaScript.
#[napi(object, object_to_js = false)]
#[expect(missing_docs, reason = "the option table says what each is")]
pub struct LeaseInput {
    pub ttl: Option<f64>,
    pub heartbeat: Option<f64>,
    pub max_clock_skew: Option<f64>,
    pub failover_window: Option<f64>,
    pub claim_timeout: Option<f64>,
}

impl TryFrom<SnowflakeInput> for SnowflakeOptions {
    type Error = Error;

    fn try_from(input: SnowflakeInput) -> Result<Self> {
        let layout = input.layout.map(LayoutOptions::try_from).transpose()?;
        let lease = input.lease.map(LeaseOptions::try_from).transpose()?;
        Ok(Self {
            layout: layout.unwrap_or_default(),
            machine: count("machine", input.machine)?,
            machine_range: input.machine_range.map(span).transpose()?,
            first_start: input.first_start,
            lease: lease.unwrap_or_default(),
            clock_backwards_max: ms("clockBackwardsMax", input.clock_backwards_max)?,
            reserve_timeout: ms("reserveTimeout", input.reserve_timeout)?,
        })
    }
}

impl TryFrom<LayoutInput> for LayoutOptions {
    type Error = Error;

    fn try_from(input: LayoutInput) -> Result<Self> {
        if input.named.as_deref() == Some(Self::JS_SAFE) {
            return Ok(Self::js_safe());
        }
        Ok(Self {
            timestamp_bits: count("timestampBits", input.timestamp_bits)?,
            machine_bits: count("machineBits", input.machine_bits)?,
            sequence_bits: count("sequenceBits", input.sequence_bits)?,
            unit: input.unit.as_deref().map(Unit::new).transpose()?,
            epoch: count("epoch", input.epoch)?,
        })
    }
}

impl TryFrom<LeaseInput> for LeaseOptions {
    type Error = Error;

    fn try_from(input: LeaseInput) -> Result<Self> {
        Ok(Self {
            ttl: ms("ttl", input.ttl)?,
            heartbeat: ms("heartbeat", input.heartbeat)?,
            max_clock_skew: ms("maxClockSkew", input.max_clock_skew)?,
            failover_window: ms("failoverWindow", input.failover_window)?,
            claim_timeout: ms("claimTimeout", input.claim_timeout)?,
        })
    }
}

fn span(ends: Vec<f64>) -> Result<(u64, u64)> {
    match ends.as_slice() {
        &[lowest, highest] => Ok((
            whole("machineRange", lowest)?,
            whole("machineRange", highest)?,
        )),
        _ => Err(Error::config(
            "machineRange",
            format_args!("{ends:?}"),
            "expected the lowest and the highest number",
        )),
    }
}

/// A value with its name, for JavaScript to make an object of.
#[napi(object, object_from_js = false)]
pub struct NativeField {
    /// What it is.
    pub name: String,
    /// Its value, if it is a text; ids are told as such.
    pub text: Option<String>,
    /// Its value, if it is a number.
    pub number: Option<f64>,
}

impl NativeField {
    pub(crate) fn new(name: &str, value: Shown) -> Self {
        let (text, number) = match value {
            Shown::Text(text) => (Some(text), None),
            Shown::Number(number) => (None, Some(number)),
        };
        Self {
            name: name.to_owned(),
            text,
            number,
        }
    }
}

/// Checks the name of a generator.
#[napi]
pub fn check_name(name: String) -> std::result::Result<(), Thrown> {
    Name::new(name).map(drop).map_err(|error| thrown(&error))
}

/// A number of JavaScript as a count; one that is none is refused, never rounded.
pub(crate) fn whole(option: &str, number: f64) -> Result<u64> {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    if number.fract() == 0.0 && (0.0..=SAFE).contains(&number) {
        return Ok(number as u64);
    }
    Err(Error::config(
        option,
        number,
        "expected a safe integer of at least 0",
    ))
}

fn count(option: &str, number: Option<f64>) -> Result<Option<u64>> {
    number.map(|number| whole(option, number)).transpose()
}

fn ms(option: &str, number: Option<f64>) -> Result<Option<Duration>> {
    Ok(count(option, number)?.map(Duration::from_millis))
}

pub(crate) fn id(option: &str, value: Option<BigInt>) -> Result<Option<u64>> {
    value
        .map(|value| match value.get_u64() {
            (false, value, true) => Ok(value),
            _ => Err(Error::config(
                option,
                "a bigint",
                "expected one from 0 to 2^64 - 1",
            )),
        })
        .transpose()
}
