use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mintid_core::{Code, Key, Result};

use crate::range_store::{Answer, Counter, Granted, RangeStore, Reserve};

/// Why a check ended early.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) what: String,
    /// Whether the store did not answer at all: asking on would take as long each time.
    pub(super) hangs: bool,
}

impl From<String> for Failure {
    fn from(what: String) -> Self {
        Self { what, hangs: false }
    }
}

pub(super) type Verdict<T = ()> = std::result::Result<T, Failure>;

/// Fails the check unless `holds`.
pub(super) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(what().into()) }
}

/// A client that answers in time, and in words when it does not answer as it should.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) store: Arc<dyn RangeStore>,
    pub(super) patience: Duration,
}

impl Client {
    /// What the store answers, if it does.
    pub(super) async fn in_time<T>(&self, call: &str, answer: Answer<'_, T>) -> Verdict<Result<T>> {
        in_time(self.patience, call, answer).await
    }

    /// A reservation that has to succeed.
    pub(super) async fn grant(&self, request: &Reserve) -> Verdict<Granted> {
        let call = Call(request);
        let answer = self.store.reserve(request.clone());
        let granted = match self.in_time("reserve", answer).await? {
            Ok(granted) => granted,
            Err(error) => return Err(format!("{call} failed: {error}").into()),
        };
        // Before anything computes with it: the length of a reversed range is a panic.
        ensure(granted.range.start < granted.range.end, || {
            format!("{call} was answered with the empty range {}", granted.range)
        })?;
        Ok(granted)
    }

    /// A reservation that has to fail with `code`, leaving the counter alone.
    pub(super) async fn refuse(&self, request: &Reserve, code: Code) -> Verdict {
        let call = Call(request);
        let before = self.counter(&request.key).await?;
        let answer = self.store.reserve(request.clone());
        match self.in_time("reserve", answer).await? {
            Ok(granted) => {
                return Err(format!("{call} granted {}, and {code} is due", granted.range).into());
            }
            Err(error) => ensure(error.code() == code, || {
                format!(
                    "{call} failed with {}, and {code} is due: {error}",
                    error.code()
                )
            })?,
        }
        let after = self.counter(&request.key).await?;
        ensure(before == after, || {
            format!("{call} was refused and changed the counter from {before:?} to {after:?}")
        })
    }

    /// What the store remembers of `key`, by its list.
    pub(super) async fn counter(&self, key: &Key) -> Verdict<Option<Counter>> {
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

    /// A floor that has to succeed.
    pub(super) async fn floor(&self, key: &Key, value: u64) -> Verdict<bool> {
        self.in_time("floor", self.store.floor(key.clone(), value))
            .await?
            .map_err(|error| format!("floor({key}, {value}) failed: {error}").into())
    }

    /// A floor that has to fail with `code`.
    pub(super) async fn refuse_floor(&self, key: &Key, value: u64, code: Code) -> Verdict {
        let call = format!("floor({key}, {value})");
        let answer = self.store.floor(key.clone(), value);
        match self.in_time("floor", answer).await? {
            Ok(done) => Err(format!("{call} answered {done}, and {code} is due").into()),
            Err(error) => ensure(error.code() == code, || {
                format!(
                    "{call} failed with {}, and {code} is due: {error}",
                    error.code()
                )
            }),
        }
    }
}

/// What `answer` comes to, if it comes to anything within `patience`.
pub(super) async fn in_time<T>(
    patience: Duration,
    call: &str,
    answer: Answer<'_, T>,
) -> Verdict<Result<T>> {
    tokio::time::timeout(patience, answer)
        .await
        .map_err(|_| Failure {
            what: format!("{call} did not answer within {} ms", patience.as_millis()),
            hangs: true,
        })
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
        if *max != mintid_core::range::MAX_ID {
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
