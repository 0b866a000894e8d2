//! The contract of stores, judging one of the user's own.

use std::sync::Arc;
use std::time::Duration;

use mintid::stores::contract::{Broken, Harness, Offers, verify};
use mintid::stores::{Answer, RangeStore};
use mintid::{Error, Result, SegmentOptions};
use napi::bindgen_prelude::Object;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Status};
use napi_derive::napi;
use parking_lot::Mutex;

use crate::js_store::{JsStore, NativeStore};
use crate::promise::promise;
use crate::replies::Replies;

type Maker = ThreadsafeFunction<u32, (), u32, Status, false, true>;

/// An invariant that the user's store was seen to break.
#[napi(object, object_from_js = false)]
pub struct NativeBroken {
    /// Which one.
    pub invariant: String,
    /// What was asked and what came.
    pub what: String,
}

impl From<Broken> for NativeBroken {
    fn from(broken: Broken) -> Self {
        Self {
            invariant: broken.invariant.to_owned(),
            what: broken.what,
        }
    }
}

/// One run of the contract.
#[napi]
pub struct NativeVerifier {
    stores: Arc<OwnStores>,
}

#[napi]
impl NativeVerifier {
    /// `make` is called for each client, and answers its number by `made` or `failed`.
    #[napi(constructor)]
    pub fn new(#[napi(ts_arg_type = "(id: number) => void")] make: Maker) -> Self {
        Self {
            stores: Arc::new(OwnStores {
                make,
                replies: Replies::default(),
                clients: Mutex::default(),
            }),
        }
    }

    /// Brings client `id` in.
    #[napi]
    pub fn made(&self, id: u32, store: &NativeStore) {
        self.stores.replies.bring(id, Ok(store.judged()));
    }

    /// Tells why there is no client `id`.
    #[napi]
    pub fn failed(&self, id: u32, reason: String) {
        self.stores.replies.bring(id, Err(reason));
    }

    /// Runs the contract.
    #[napi(ts_return_type = "Promise<NativeBroken[]>")]
    pub fn run<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let stores = Arc::clone(&self.stores);
        let judged = async move {
            let broken = verify(&*stores).await.err().unwrap_or_default();
            stores.close().await;
            Ok(broken
                .into_iter()
                .map(NativeBroken::from)
                .collect::<Vec<_>>())
        };
        Ok(promise(env, judged)?.0)
    }
}

/// The clients that the user's function makes.
struct OwnStores {
    make: Maker,
    replies: Replies<std::result::Result<JsStore, String>>,
    clients: Mutex<Vec<Arc<JsStore>>>,
}

impl OwnStores {
    async fn another(&self) -> Result<Arc<JsStore>> {
        let failed = |reason: String| Error::Store {
            store: "of makeStore".to_owned(),
            reason,
        };
        let reply = self.replies.expect();
        let sent = self
            .make
            .call(reply.id, ThreadsafeFunctionCallMode::NonBlocking);
        if sent != Status::Ok {
            return Err(failed("the thread that makes them has ended".to_owned()));
        }
        let client = Arc::new(reply.answer().await.map_err(failed)?);
        self.clients.lock().push(Arc::clone(&client));
        Ok(client)
    }

    /// Lets go of what was made, as far as it lets itself.
    async fn close(&self) {
        let clients = std::mem::take(&mut *self.clients.lock());
        let closing = async {
            for client in clients {
                // A close that fails was judged where it is part of the contract.
                drop(client.close().await);
            }
        };
        drop(tokio::time::timeout(self.patience(), closing).await);
    }
}

impl Harness for OwnStores {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        Box::pin(async {
            let client = self.another().await?;
            Ok(client as Arc<dyn RangeStore>)
        })
    }

    fn offers(&self) -> Offers {
        let (floor, seal) = self
            .clients
            .lock()
            .first()
            .map_or((false, false), |client| client.can());
        Offers {
            floor,
            seal,
            list: false,
            bounds: false,
            records: false,
            details: false,
            codes: false,
            all_ids: false,
        }
    }

    /// As long as a generator waits that was given no other time.
    fn patience(&self) -> Duration {
        let plan = SegmentOptions::default().plan();
        plan.expect("the defaults are valid").reserve_timeout
    }
}
