//! Where generators come from: a store and a namespace.

use std::sync::Arc;

use mintid_core::options::{IdsOptions, SegmentOptions};
use mintid_core::{Error, Name, Namespace, Result};
use mintid_stores::RangeStore;

use crate::engine::Open;
use crate::generator::SegmentGenerator;
use crate::runtime::runtime;
use crate::store::OpenStore;
use crate::timer::Timer;

/// A store, and the generators on it.
///
/// Made at once and connected at first use: nothing fails because a server is away. Two of the
/// same URL share one connection, and generators of one name are one counter.
#[derive(Clone)]
pub struct Ids {
    open: Arc<OpenStore>,
    namespace: Namespace,
}

impl Ids {
    /// The generators of the store at `url`: `memory:`, `memory:NAME`, `sqlite:PATH`.
    ///
    /// # Errors
    /// `CONFIG_INVALID` naming what is wrong with the URL.
    pub fn new(url: &str) -> Result<Self> {
        Self::with_options(url, &IdsOptions::default())
    }

    /// The generators of the store at `url`, with options.
    ///
    /// # Errors
    /// `CONFIG_INVALID` naming the option, its value and what is accepted; also for an option that
    /// differs from the one under which this process has the store open.
    pub fn with_options(url: &str, options: &IdsOptions) -> Result<Self> {
        Ok(Self {
            namespace: options.namespace()?,
            open: OpenStore::open(url, options)?,
        })
    }

    /// The generators of a store of the caller's own, by a clock of the caller's own.
    ///
    /// # Errors
    /// `CONFIG_INVALID` as for [`with_options`](Self::with_options).
    pub fn of_store(
        store: Arc<dyn RangeStore>,
        timer: Arc<dyn Timer>,
        options: &IdsOptions,
    ) -> Result<Self> {
        Ok(Self {
            namespace: options.namespace()?,
            open: OpenStore::of(store, options.plan()?, Arc::default(), timer),
        })
    }

    /// The store's name, without its password.
    pub fn store(&self) -> &str {
        self.open.store.ranges.name()
    }

    /// The dense counter `name`, with default options.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for a name that cannot be used.
    pub fn segment(&self, name: &str) -> Result<SegmentGenerator> {
        self.segment_with(name, &SegmentOptions::default())
    }

    /// The dense counter `name`. What is left out matches whatever other handles have.
    ///
    /// # Errors
    /// `CONFIG_INVALID` naming the option, its value and what is accepted; also for an option that
    /// differs from another handle's.
    pub fn segment_with(&self, name: &str, options: &SegmentOptions) -> Result<SegmentGenerator> {
        let name = Name::new(name)?;
        let open = Open::segment(&self.open, &self.namespace, &name, options)?;
        Ok(SegmentGenerator::new(open))
    }

    /// Waits until the store answers, at most `connect_timeout`.
    ///
    /// # Errors
    /// `STORE_UNAVAILABLE` with the reason as its cause, or `CONFIG_INVALID` for a place that can
    /// never work.
    pub fn ready(&self) -> impl Future<Output = Result<()>> + Send + use<> {
        let store = Arc::clone(&self.open.store);
        async move {
            let timeout = store.plan.connect_timeout;
            let limit = store.timer.sleep_until(store.timer.now() + timeout);
            // Stores run on our runtime, whoever waits for them.
            let ranges = Arc::clone(&store.ranges);
            let connection = runtime().spawn(async move { ranges.connect().await });
            let answer = tokio::select! {
                biased;
                answer = connection => answer.unwrap_or_else(|failure| Err(store.broken(&failure))),
                () = limit => Err(Error::Store {
                    store: store.ranges.name().to_owned(),
                    reason: format!("no answer within connectTimeout = {} ms", timeout.as_millis()),
                }),
            };
            answer.map_err(|error| store.unavailable(error))
        }
    }

    /// Lets go of the store; the connection ends with the last one who holds it.
    ///
    /// # Errors
    /// `STORE_ERROR` if the store could not be left in order.
    pub async fn close(self) -> Result<()> {
        let store = Arc::clone(&self.open.store);
        if Arc::into_inner(self.open).is_none() {
            return Ok(());
        }
        runtime()
            .spawn(Arc::clone(&store).close())
            .await
            .unwrap_or_else(|failure| Err(store.broken(&failure)))
    }
}
