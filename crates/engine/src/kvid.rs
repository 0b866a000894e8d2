//! Generators as constants, on the store that the process has been given.

use std::sync::OnceLock;

use mintid_core::options::{IdsOptions, SegmentOptions};
use mintid_core::{Error, Result};
use parking_lot::Mutex;

use crate::generator::SegmentGenerator;
use crate::ids::{Ids, WeakIds};

/// The store of every [`KvId`] of the process, for as long as somebody holds it.
static DEFAULT: Mutex<Option<Default>> = Mutex::new(None);

/// What holds it for those who called [`init`]: until the process ends.
static HELD: OnceLock<Ids> = OnceLock::new();

struct Default {
    url: String,
    ids: WeakIds,
}

/// Makes the store at `url` the one that every [`KvId`] of the process uses, and waits until it
/// answers.
///
/// # Errors
/// `CONFIG_INVALID` for the URL, and if the process has been given another one before;
/// `STORE_UNAVAILABLE`, after which ids may be asked for all the same: the store is tried again.
pub async fn init(url: &str) -> Result<()> {
    let ids = init_with(url, &IdsOptions::default())?;
    HELD.get_or_init(|| ids.clone()).ready().await
}

/// As [`init`], with options, without waiting, and for as long as the answer or a clone of it
/// lives.
///
/// # Errors
/// `CONFIG_INVALID` as for [`init`], or naming the option.
pub fn init_with(url: &str, options: &IdsOptions) -> Result<Ids> {
    let ids = Ids::with_options(url, options)?;
    let mut default = DEFAULT.lock();
    if let Some(given) = &*default
        && let Some(in_use) = given.ids.upgrade()
    {
        if in_use == ids {
            return Ok(ids);
        }
        let expected = format!(
            "this process was initialised with {:?} before, and ids of two stores may repeat",
            given.url
        );
        return Err(Error::config("url", format_args!("{url:?}"), expected));
    }
    *default = Some(Default {
        url: url.to_owned(),
        ids: ids.downgrade(),
    });
    Ok(ids)
}

/// The store that the process has been given, if it has been.
pub fn default_ids() -> Option<Ids> {
    DEFAULT.lock().as_ref()?.ids.upgrade()
}

/// A dense counter as a constant.
///
/// It may be made long before [`init`] is called, and is the same counter as
/// [`Ids::segment`] of that name, with `proportional` sizes unless somebody else has chosen.
///
/// ```
/// use mintid::KvId;
///
/// static ORDER: KvId = KvId::new("order");
///
/// # mintid::runtime().block_on(async {
/// mintid::init("memory:shop").await?;
/// assert_eq!(ORDER.next().await?, 1);
/// # Ok::<(), mintid::Error>(())
/// # }).unwrap();
/// ```
pub struct KvId {
    name: &'static str,
    generator: OnceLock<SegmentGenerator>,
}

impl KvId {
    /// The counter `name`, of whatever store the process is given.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            generator: OnceLock::new(),
        }
    }

    /// The generator behind it, for everything that a handle can do.
    ///
    /// # Errors
    /// `NOT_CONNECTED` before [`init`], and `CONFIG_INVALID` for a name that cannot be used.
    pub fn generator(&self) -> Result<&SegmentGenerator> {
        if let Some(generator) = self.generator.get() {
            return Ok(generator);
        }
        let ids = default_ids().ok_or_else(|| Error::NotConnected {
            name: self.name.to_owned(),
        })?;
        let opened = ids.kvid(self.name, &SegmentOptions::default())?;
        Ok(self.generator.get_or_init(|| opened))
    }

    /// The next id, from memory, or after a refill.
    ///
    /// # Errors
    /// As for [`SegmentGenerator::next`], and `NOT_CONNECTED` before [`init`].
    ///
    /// # Cancel safety
    /// A call that is dropped has drawn nothing.
    pub async fn next(&self) -> Result<u64> {
        self.generator()?.next().await
    }
}
