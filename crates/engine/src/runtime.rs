//! The one background runtime of the process.

use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;

/// Where every refill and every connection of the process runs: one thread, started at first use
/// and never shut down, so that neither a caller's runtime nor a worker that ends takes it along.
///
/// # Panics
/// If the operating system has no thread left to give.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("mintid")
            .enable_all()
            .build()
            .expect("a runtime of one thread starts")
    })
}

/// After how many tasks the runtime lets those run who have yielded, though others are ready.
const TURN: usize = 61;

/// How many times over all that is ready is let run, where it is so much that it takes turns.
const ROUNDS: usize = 8;

/// Resolves once the runtime has run what could run without time passing: for tests, together with
/// a [`ManualTimer`](crate::ManualTimer). Must be awaited on the runtime itself.
///
/// Whoever yields there goes on when nobody else is ready, or after `TURN` others.
///
/// # Cancel safety
/// Nothing is lost.
pub async fn settle() {
    let tasks = runtime().metrics().num_alive_tasks();
    for _ in 0..ROUNDS * (1 + tasks / TURN) {
        yield_now().await;
    }
}

/// Tells this copy of the library from others that the process may have loaded: a random number,
/// the same for as long as it is loaded.
pub fn copy_id() -> u64 {
    static COPY: OnceLock<u64> = OnceLock::new();
    *COPY.get_or_init(|| fastrand::u64(..))
}
