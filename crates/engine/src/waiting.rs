//! Callers that found too few ids in memory.

use std::sync::Arc;
use std::time::Duration;

use mintid_core::segment::Need;
use mintid_core::{Error, Moment, Range, Result};

use crate::engine::Engine;

/// Waits until ids may be in memory, for `callers` new ones that found none; `false` if `limit`
/// passes first.
pub(crate) async fn look_again(
    engine: &Arc<Engine>,
    need: Need,
    callers: u64,
    limit: Duration,
) -> Result<bool> {
    engine.buffer.count_waits(callers);
    let deadline = engine.now() + limit.min(engine.reserve_timeout());
    told(engine, need, deadline).await
}

/// Waits until up to `n` ids can be drawn, and draws them. Whoever comes later may take what came:
/// then it waits once more, in the time that is left.
pub(crate) async fn draw(engine: &Arc<Engine>, n: u32) -> Result<Range> {
    let deadline = engine.now() + engine.reserve_timeout();
    engine.buffer.count_waits(1);
    loop {
        if !told(engine, Need::of(n.into()), deadline).await? {
            return Err(engine.timed_out(engine.reserve_timeout()));
        }
        if let Some(range) = engine.draw(n) {
            return Ok(range);
        }
    }
}

/// Waits until `count` ids are in memory, beside those that `keep` asks for.
pub(crate) async fn ready(engine: &Arc<Engine>, count: u64) -> Result<()> {
    let plan = engine.buffer.plan();
    let wanted = count + plan.keep;
    plan.check_held("count", wanted)?;
    let deadline = engine.now() + plan.reserve_timeout;
    loop {
        let at_hand = engine.buffer.at_hand(engine.now());
        if at_hand >= wanted {
            return Ok(());
        }
        let need = Need {
            at_hand: wanted,
            missing: wanted - at_hand,
        };
        let outcome = match engine.wait(need, deadline).await {
            Ok(false) => Err(engine.timed_out(engine.reserve_timeout())),
            outcome => outcome,
        };
        outcome.map_err(|error| engine.store.unavailable(error))?;
    }
}

/// `work`, or a time-out once `limit` has passed: the caller's own, and no failure of the store.
pub(crate) async fn within<T>(
    engine: Arc<Engine>,
    limit: Duration,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let deadline = engine.now() + limit;
    tokio::select! {
        biased;
        outcome = work => outcome,
        () = engine.store.timer.sleep_until(deadline) => Err(engine.timed_out(limit)),
    }
}

/// An outcome as a caller of this generator sees it.
async fn told(engine: &Arc<Engine>, need: Need, deadline: Moment) -> Result<bool> {
    let outcome = engine.wait(need, deadline).await;
    outcome.map_err(|error: Error| error.for_caller(engine.key.as_str()))
}
