use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mintid_core::{Code, Error, Key, Result};

use super::Offers;
use crate::range_store::{Answer, Counter, Granted, RangeStore, Reserve};

/// Why a check ended early.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) what: String,
    /// What is broken, if that is another invariant than the one that was being judged.
    pub(crate) invariant: Option<&'static str>,
    /// Whether the store did not answer at all: asking on would take as long each time.
    pub(crate) hangs: bool,
}

impl From<String> for Failure {
    fn from(what: String) -> Self {
        Self {
            what,
            invariant: None,
            hangs: false,
        }
    }
}

pub(crate) type Verdict<T = ()> = std::result::Result<T, Failure>;

/// Fails the check unless `holds`.
pub(crate) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(what().into()) }
}

/// A client that answers in time, and in words when it does not answer as it should.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) store: Arc<dyn RangeStore>,
    pub(super) patience: Duration,
    pub(super) offers: Offers,
}

impl Client {
    /// What the store answers, if it does.
    pub(super) async fn in_time<T>(
        &self,
        call: impl fmt::Display,
        answer: Answer<'_, T>,
    ) -> Verdict<Result<T>> {
        in_time(self.patience, call, answer).await
    }

    async fn ask(&self, request: &Reserve) -> Verdict<Result<Granted>> {
        let answer = self.store.reserve(request.clone());
        self.in_time("reserve", answer).await
    }

    /// A reservation that has to succeed.
    pub(super) async fn grant(&self, request: &Reserve) -> Verdict<Granted> {
        let call = Call(request);
        match self.ask(request).await? {
            Ok(granted) => sound(&call, granted),
            Err(error) => Err(format!("{call} failed: {error}").into()),
        }
    }

    /// A reservation that has to succeed, unless the store ends before the last id and says so.
    pub(super) async fn grant_or_end(&self, request: &Reserve) -> Verdict<Option<Granted>> {
        let call = Call(request);
        self.unless_ended(&call, self.ask(request).await?)?
            .map(|granted| sound(&call, granted))
            .transpose()
    }

    /// What was answered, or nothing of a store that may end here and did.
    fn unless_ended<T>(&self, call: &impl fmt::Display, answer: Result<T>) -> Verdict<Option<T>> {
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if !self.offers.all_ids && self.is_refusal(&error, Code::RangeExhausted) => {
                Ok(None)
            }
            Err(error) => Err(format!("{call} failed: {error}").into()),
        }
    }

    /// A reservation that has to fail with `code`, leaving the counter alone.
    pub(super) async fn refuse(&self, request: &Reserve, code: Code) -> Verdict {
        let call = Call(request);
        let before = self.counter(&request.key).await?;
        match self.ask(request).await? {
            Ok(granted) => {
                return Err(format!("{call} granted {}, and {code} is due", granted.range).into());
            }
            Err(error) => self.ensure_refusal(&call, &error, code)?,
        }
        let after = self.counter(&request.key).await?;
        ensure(before == after, || {
            format!("{call} was refused and changed the counter from {before:?} to {after:?}")
        })
    }

    /// Whether `error` is the refusal that `code` says, as far as the store gives reasons.
    fn is_refusal(&self, error: &Error, code: Code) -> bool {
        error.code() == code || !self.offers.codes && error.code() == Code::RangeUnavailable
    }

    fn ensure_refusal(&self, call: &impl fmt::Display, error: &Error, code: Code) -> Verdict {
        ensure(self.is_refusal(error, code), || {
            let came = error.code();
            format!("{call} failed with {came}, and {code} is due: {error}")
        })
    }

    /// What the store remembers of `key`, by its list; always nothing of a store without one.
    pub(super) async fn counter(&self, key: &Key) -> Verdict<Option<Counter>> {
        if !self.offers.list {
            return Ok(None);
        }
        let counters = self.list(key.as_str()).await?;
        Ok(counters.into_iter().find(|it| it.key == key.as_str()))
    }

    /// A list that has to succeed.
    pub(super) async fn list(&self, prefix: &str) -> Verdict<Vec<Counter>> {
        self.in_time("list", self.store.list(prefix.to_owned()))
            .await?
            .map_err(|error| format!("list({prefix:?}) failed: {error}").into())
    }

    /// A seal that has to succeed.
    pub(super) async fn seal(&self, key: &Key) -> Verdict<bool> {
        self.in_time("seal", self.store.seal(key.clone()))
            .await?
            .map_err(|error| format!("seal({key}) failed: {error}").into())
    }

    /// An end that has to succeed.
    pub(super) async fn close(&self) -> Verdict {
        self.in_time("close", self.store.close())
            .await?
            .map_err(|error| format!("close failed: {error}").into())
    }

    /// A floor that has to succeed.
    pub(super) async fn floor(&self, key: &Key, value: u64) -> Verdict<bool> {
        let raise = Raising(key, value);
        self.in_time(raise, self.store.floor(key.clone(), value))
            .await?
            .map_err(|error| format!("{raise} failed: {error}").into())
    }

    /// A floor that has to succeed, unless the store ends before the last id and says so.
    pub(super) async fn floor_or_end(&self, key: &Key, value: u64) -> Verdict<Option<bool>> {
        let raise = Raising(key, value);
        let answer = self.store.floor(key.clone(), value);
        let answer = self.in_time(raise, answer).await?;
        self.unless_ended(&raise, answer)
    }

    /// A floor that has to fail with `code`.
    pub(super) async fn refuse_floor(&self, key: &Key, value: u64, code: Code) -> Verdict {
        let raise = Raising(key, value);
        let answer = self.store.floor(key.clone(), value);
        match self.in_time(raise, answer).await? {
            Ok(done) => Err(format!("{raise} answered {done}, and {code} is due").into()),
            Err(error) => self.ensure_refusal(&raise, &error, code),
        }
    }
}

/// What was granted to `call`, if it is a range at all. Judged before anything computes with it:
/// the length of a reversed one is a panic.
pub(super) fn sound(call: &impl fmt::Display, granted: Granted) -> Verdict<Granted> {
    let range = granted.range;
    if range.is_empty() {
        return Err(Failure {
            invariant: Some("S3"),
            ..format!("{call} was answered with {range}, which holds no id").into()
        });
    }
    Ok(granted)
}

/// What `answer` comes to, if it comes to anything within `patience`.
pub(crate) async fn in_time<T>(
    patience: Duration,
    call: impl fmt::Display,
    answer: Answer<'_, T>,
) -> Verdict<Result<T>> {
    tokio::time::timeout(patience, answer)
        .await
        .map_err(|_| Failure {
            what: format!("{call} did not answer within {} ms", patience.as_millis()),
            invariant: None,
            hangs: true,
        })
}

/// The raising of a counter as a report tells it: stores call it differently.
#[derive(Clone, Copy)]
struct Raising<'a>(&'a Key, u64);

impl fmt::Display for Raising<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "raising {} to {}", self.0, self.1)
    }
}

/// A reservation as a report tells it: what is as usual is left out.
struct Call<'a>(&'a Reserve);

impl fmt::Display for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reserve {
            key,
            size,
            initial_offset,
            max,
            floor,
            raise_to,
            ..
        } = self.0;
        write!(f, "reserve({size} of {key}")?;
        if *initial_offset != 1 {
            write!(f, ", initialOffset {initial_offset}")?;
        }
        if *max < mintid_core::range::MAX_ID {
            write!(f, ", max {max}")?;
        }
        if let Some(floor) = floor {
            write!(f, ", floor {floor}")?;
        }
        if let Some(raise_to) = raise_to {
            write!(f, ", raiseTo {raise_to}")?;
        }
        f.write_str(")")
    }
}
