//! The one background runtime of the process.

use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};

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
