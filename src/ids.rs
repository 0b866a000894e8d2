//! The class behind `Ids`.

use mintid::{Error, Ids};
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;
use parking_lot::Mutex;

use crate::error::{Thrown, thrown};
use crate::options::{IdsInput, SegmentInput};
use crate::promise::promise;
use crate::segment::NativeSegment;

/// A store and a namespace.
#[napi]
pub struct NativeIds {
    /// `None` once closed.
    ids: Mutex<Option<Ids>>,
    store: String,
}

#[napi]
impl NativeIds {
    /// Reads the URL; reaches for nothing.
    #[napi(constructor)]
    pub fn new(url: String, options: IdsInput) -> Result<Self, Thrown> {
        let ids = options
            .try_into()
            .and_then(|options| Ids::with_options(&url, &options))
            .map_err(|error| thrown(&error))?;
        Ok(Self {
            store: ids.store().to_owned(),
            ids: Mutex::new(Some(ids)),
        })
    }

    /// The store's name, without its password.
    #[napi(getter)]
    pub fn store(&self) -> &str {
        &self.store
    }

    /// The generator of a name.
    #[napi]
    pub fn segment(&self, name: String, options: SegmentInput) -> Result<NativeSegment, Thrown> {
        let ids = self.open().map_err(|error| thrown(&error))?;
        options
            .try_into()
            .and_then(|options| ids.segment_with(&name, &options))
            .map(NativeSegment::new)
            .map_err(|error| thrown(&error))
    }

    /// Waits until the store answers.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn ready<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let ids = self.open();
        Ok(promise(env, async move { ids?.ready().await })?.0)
    }

    /// Lets go of the store.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let ids = self.ids.lock().take();
        let closing = async move {
            match ids {
                Some(ids) => ids.close().await,
                None => Ok(()),
            }
        };
        Ok(promise(env, closing)?.0)
    }

    fn open(&self) -> mintid::Result<Ids> {
        self.ids.lock().clone().ok_or_else(|| Error::Closed {
            name: self.store.clone(),
        })
    }
}
