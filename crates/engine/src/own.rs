//! A store that the caller brings along.

use std::sync::{Arc, Weak};

use mintid_core::Result;
use mintid_core::options::IdsOptions;
use mintid_stores::RangeStore;
use parking_lot::Mutex;

use crate::ids::Ids;
use crate::store::{OpenStore, Seen};
use crate::timer::Timer;

/// A store of the caller's own: open while there are [`Ids`] on it, and opened anew afterwards.
///
/// What was seen of it outlives that, as it does for a store of a URL.
///
/// ```
/// use std::sync::Arc;
/// use mintid::stores::memory::MemoryStore;
/// use mintid::{IdsOptions, OwnStore, SystemTimer};
///
/// # mintid::runtime().block_on(async {
/// let memory = MemoryStore::default();
/// let store = OwnStore::new(move || Arc::new(memory.client()), Arc::new(SystemTimer));
/// let ids = store.ids(&IdsOptions::default())?;
/// assert_eq!(ids.segment("orders")?.next().await?, 1);
/// ids.close().await?;
///
/// let ids = store.ids(&IdsOptions::default())?;
/// assert!(ids.segment("orders")?.next().await? > 1);
/// # Ok::<(), mintid::Error>(())
/// # }).unwrap();
/// ```
pub struct OwnStore {
    make: Box<dyn Fn() -> Arc<dyn RangeStore> + Send + Sync>,
    timer: Arc<dyn Timer>,
    seen: Arc<Seen>,
    open: Mutex<Weak<OpenStore>>,
}

impl OwnStore {
    /// A store that `make` opens: called again when it is used after it has been closed.
    pub fn new(
        make: impl Fn() -> Arc<dyn RangeStore> + Send + Sync + 'static,
        timer: Arc<dyn Timer>,
    ) -> Self {
        Self {
            make: Box::new(make),
            timer,
            seen: Arc::default(),
            open: Mutex::default(),
        }
    }

    /// The generators on it, in a namespace. What is left out matches the options that are in
    /// force.
    ///
    /// # Errors
    /// `CONFIG_INVALID` naming the option, its value and what is accepted; also for an option that
    /// differs from the one under which the store is open.
    pub fn ids(&self, options: &IdsOptions) -> Result<Ids> {
        let namespace = options.namespace()?;
        let plan = options.plan()?;
        // Held throughout: two callers at once get one store.
        let mut last = self.open.lock();
        if let Some(open) = last.upgrade() {
            open.store.plan.admit(options)?;
            return Ok(Ids::on(open, namespace));
        }
        let (seen, timer) = (Arc::clone(&self.seen), Arc::clone(&self.timer));
        let open = OpenStore::of((self.make)(), plan, seen, timer);
        *last = Arc::downgrade(&open);
        Ok(Ids::on(open, namespace))
    }
}
