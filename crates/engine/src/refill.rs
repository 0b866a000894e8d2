//! The task that keeps a generator in ids: at most one per generator, there only while there is
//! something to do.

use std::sync::Arc;

use mintid_core::segment::{Attempt, Next};
use mintid_core::{Error, Range, Result};
use tokio::task::JoinHandle;

use crate::engine::Engine;
use crate::runtime::runtime;

/// Reserves until the buffer says rest. Retries by time, so that a draw that crossed the mark
/// during a back-off is not lost.
pub(crate) async fn run(engine: Arc<Engine>) {
    let guard = Guard(Some(&engine));
    loop {
        match engine.buffer.next(engine.now()) {
            Next::Reserve(attempt) => reserve(&engine, attempt).await,
            Next::Wait(at) => engine.hold_back(at).await,
            Next::Rest => return guard.come_to_rest(),
        }
    }
}

/// One attempt. It has `reserve_timeout` to be answered; then it gives up its place to the next
/// one, but goes on: its range may still be of use.
async fn reserve(engine: &Arc<Engine>, attempt: Attempt) {
    let mut answer = runtime().spawn({
        let engine = Arc::clone(engine);
        async move {
            let answer = engine.reserve(attempt.size).await;
            engine.finish(&attempt, answer);
        }
    });
    engine.hold_attempt(answer.abort_handle());
    let limit = engine
        .store
        .timer
        .sleep_until(attempt.sent + engine.reserve_timeout());
    tokio::select! {
        biased;
        ended = &mut answer => {
            if let Err(failure) = ended {
                engine.finish(&attempt, Err(engine.store.broken(&failure)));
            }
        }
        () = limit => {
            engine.leave_unanswered(answer.abort_handle());
            engine.finish(&attempt, Err(engine.timed_out(engine.reserve_timeout())));
        }
    }
}

/// A reservation for one caller alone, beside the refill. Not cancelled when its time is up or its
/// caller has gone: its range is then a gap.
pub(crate) async fn direct(engine: &Arc<Engine>, size: u64) -> Result<Range> {
    let told = |error: Error| error.for_caller(engine.key.as_str());
    engine.forgive_if_back();
    engine.buffer.admit(engine.now()).map_err(told)?;
    let mut sent = Sent {
        engine,
        reservation: runtime().spawn({
            let engine = Arc::clone(engine);
            async move { engine.reserve(size).await }
        }),
    };
    let limit = engine.now() + engine.reserve_timeout();
    let answer = tokio::select! {
        biased;
        answer = &mut sent.reservation => answer.unwrap_or_else(|failure| Err(engine.store.broken(&failure))),
        () = engine.store.timer.sleep_until(limit) => Err(engine.timed_out(engine.reserve_timeout())),
    };
    engine.buffer.count_direct(&answer, engine.now());
    if let Err(error) = &answer {
        engine.report_failure(error);
    }
    answer.map_err(told)
}

/// A reservation that its caller may cease to wait for: it is then one of a few that go on.
struct Sent<'a> {
    engine: &'a Engine,
    reservation: JoinHandle<Result<Range>>,
}

impl Drop for Sent<'_> {
    fn drop(&mut self) {
        if !self.reservation.is_finished() {
            self.engine
                .leave_unanswered(self.reservation.abort_handle());
        }
    }
}

/// Clears the task's place when it is dropped in mid-flight, so that the next caller starts
/// another one.
struct Guard<'a>(Option<&'a Arc<Engine>>);

impl Guard<'_> {
    fn come_to_rest(mut self) {
        self.0 = None;
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Some(engine) = self.0 {
            let error = engine.store.broken(&"the refill was ended");
            engine.tell(engine.buffer.abandon(error));
        }
    }
}
