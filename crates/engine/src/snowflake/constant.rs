//! Snowflake ids as a constant, on the store that the process has been given.

use std::sync::OnceLock;

use mintid_core::{Error, Result};

use super::generator::SnowflakeGenerator;
use crate::kvid::default_ids;

/// The name of a generator that needs none: ids are unique across names.
const NAME: &str = "snowflake";

/// Snowflake ids as a constant.
///
/// It may be made long before [`init`](crate::init) is called, and shares the machine number of
/// the process with every other Snowflake generator of that store.
///
/// ```
/// use mintid::Snowflake;
///
/// static SF: Snowflake = Snowflake::new();
///
/// # mintid::runtime().block_on(async {
/// mintid::init("memory:shop").await?;
/// let machine = SF.machine_id().await?;
/// let id = SF.next().await?;
/// assert_eq!(SF.generator()?.parse(id)?.machine, machine);
/// # Ok::<(), mintid::Error>(())
/// # }).unwrap();
/// ```
pub struct Snowflake {
    generator: OnceLock<SnowflakeGenerator>,
}

impl Snowflake {
    /// The Snowflake ids of whatever store the process is given.
    pub const fn new() -> Self {
        Self {
            generator: OnceLock::new(),
        }
    }

    /// The generator behind it, for everything that a handle can do.
    ///
    /// # Errors
    /// `NOT_CONNECTED` before [`init`](crate::init), and `CONFIG_INVALID` for a store that leases
    /// no machine numbers.
    pub fn generator(&self) -> Result<&SnowflakeGenerator> {
        if let Some(generator) = self.generator.get() {
            return Ok(generator);
        }
        let ids = default_ids().ok_or_else(|| Error::NotConnected {
            name: NAME.to_owned(),
        })?;
        let opened = ids.snowflake(NAME)?;
        Ok(self.generator.get_or_init(|| opened))
    }

    /// The next id.
    ///
    /// # Errors
    /// As for [`SnowflakeGenerator::next`], and `NOT_CONNECTED` before [`init`](crate::init).
    ///
    /// # Cancel safety
    /// A call that is dropped has drawn nothing.
    pub async fn next(&self) -> Result<u64> {
        self.generator()?.next().await
    }

    /// The machine number of this process, once it holds one.
    ///
    /// # Errors
    /// As for [`SnowflakeGenerator::ready`], and `NOT_CONNECTED` before [`init`](crate::init).
    pub async fn machine_id(&self) -> Result<u32> {
        let generator = self.generator()?;
        loop {
            generator.ready().await?;
            // It may be lost as soon as it is held.
            if let Some(machine) = generator.machine() {
                return Ok(machine);
            }
        }
    }
}

impl Default for Snowflake {
    fn default() -> Self {
        Self::new()
    }
}
