//! A store that the user wrote in JavaScript.
//!
//! Its calls cross to the realm that made it through one weak threadsafe function; its answers come
//! back through [`NativeStore::answer`], because a promise of the user's may take as long as it
//! likes. Nothing it says is believed: the engine judges every range.

use std::collections::HashMap;
use std::sync::Arc;

use mintid::stores::{Answer, Counter, Granted, Raise, RangeStore, Reserve, StoreId};
use mintid::{Error, IdsOptions, Key, Range, SystemTimer};
use napi::Status;
use napi::bindgen_prelude::BigInt;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::error::{Thrown, thrown};
use crate::ids::NativeIds;
use crate::options::IdsInput;

type Caller = ThreadsafeFunction<NativeCall, (), NativeCall, Status, false, true>;

/// One call on the user's store.
#[napi(object, object_from_js = false)]
pub struct NativeCall {
    /// What the answer has to name.
    pub id: u32,
    /// The method: `reserve`, `raise`, `seal` or `close`.
    pub method: String,
    /// The key, for all but `close`.
    pub key: String,
    /// How many ids, for `reserve`.
    pub size: BigInt,
    /// The first id of a new key for `reserve`, the value for `raise`.
    pub value: BigInt,
}

/// What the user's store answered, as far as it could be read.
#[napi(object, object_to_js = false)]
pub struct NativeAnswer {
    /// Why there is no answer.
    pub error: Option<String>,
    /// The first id granted.
    pub start: Option<BigInt>,
    /// One past the last.
    pub end: Option<BigInt>,
    /// What `seal` says.
    pub sealed: Option<bool>,
}

/// The native half of a store in JavaScript.
#[napi]
pub struct NativeStore {
    calls: Arc<Calls>,
    ids: mintid::Ids,
}

#[napi]
impl NativeStore {
    /// `can_raise` and `can_seal` say which of the optional methods there are.
    #[napi(constructor)]
    pub fn new(
        name: String,
        #[napi(ts_arg_type = "(call: NativeCall) => void")] call: Caller,
        can_raise: bool,
        can_seal: bool,
        options: IdsInput,
    ) -> Result<Self, Thrown> {
        let calls = Arc::new(Calls {
            name,
            call,
            can_raise,
            can_seal,
            waiting: Mutex::default(),
        });
        let store = Arc::new(JsStore(Arc::clone(&calls)));
        let options: Result<IdsOptions, Error> = options.try_into();
        let ids = options
            .and_then(|options| mintid::Ids::of_store(store, Arc::new(SystemTimer), &options))
            .map_err(|error| thrown(&error))?;
        Ok(Self { calls, ids })
    }

    /// The generators on it, in a namespace.
    #[napi]
    pub fn ids(&self, options: IdsInput) -> Result<NativeIds, Thrown> {
        let options: Result<IdsOptions, Error> = options.try_into();
        options
            .and_then(|options| self.ids.again(&options))
            .map(NativeIds::of)
            .map_err(|error| thrown(&error))
    }

    /// Brings the answer to call `id` in; a call that was given up is forgotten.
    #[napi]
    pub fn answer(&self, id: u32, answer: NativeAnswer) {
        if let Some(waiting) = self.calls.waiting.lock().answers.remove(&id) {
            // The call may have been given up at this moment.
            drop(waiting.send(answer));
        }
    }
}

/// Calls on their way and their answers.
struct Calls {
    name: String,
    call: Caller,
    can_raise: bool,
    can_seal: bool,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    last: u32,
    answers: HashMap<u32, oneshot::Sender<NativeAnswer>>,
}

/// Forgets a call that nobody waits for any more.
struct Forget<'a>(&'a Calls, u32);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.0.waiting.lock().answers.remove(&self.1);
    }
}

impl Calls {
    async fn call(
        &self,
        method: &str,
        key: &str,
        size: u64,
        value: u64,
    ) -> mintid::Result<NativeAnswer> {
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut waiting = self.waiting.lock();
            waiting.last = waiting.last.wrapping_add(1);
            let id = waiting.last;
            waiting.answers.insert(id, sender);
            id
        };
        let _forget = Forget(self, id);
        let call = NativeCall {
            id,
            method: method.to_owned(),
            key: key.to_owned(),
            size: size.into(),
            value: value.into(),
        };
        if self
            .call
            .call(call, ThreadsafeFunctionCallMode::NonBlocking)
            != Status::Ok
        {
            return Err(self.failed("the thread that made this store has ended"));
        }
        match answer.await {
            Ok(NativeAnswer {
                error: Some(reason),
                ..
            }) => Err(self.failed(&format!("{method} failed: {reason}"))),
            Ok(answer) => Ok(answer),
            Err(_) => Err(self.failed("the call was forgotten")),
        }
    }

    async fn reserve(&self, request: &Reserve) -> mintid::Result<Range> {
        let key = request.key.as_str();
        let answer = self
            .call("reserve", key, request.size, request.initial_offset)
            .await?;
        match (read(answer.start), read(answer.end)) {
            (Some(start), Some(end)) if start < end => Ok(Range { start, end }),
            (start, end) => Err(self.failed(&format!(
                "reserve answered {{ start: {}, end: {} }}: expected 0 <= start < end < 2^63",
                shown(start),
                shown(end)
            ))),
        }
    }

    fn failed(&self, reason: &str) -> Error {
        Error::Store {
            store: self.name.clone(),
            reason: reason.to_owned(),
        }
    }

    fn lacks(&self, method: &str) -> Error {
        self.failed(&format!("it has no method {method}"))
    }
}

/// A bound that the user gave, if it is one.
fn read(bound: Option<BigInt>) -> Option<u64> {
    match bound?.get_u64() {
        (false, bound, true) if bound < 1 << 63 => Some(bound),
        _ => None,
    }
}

fn shown(bound: Option<u64>) -> String {
    bound.map_or("no such number".to_owned(), |bound| bound.to_string())
}

struct JsStore(Arc<Calls>);

impl RangeStore for JsStore {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn connect(&self) -> Answer<'_, ()> {
        // It has no method for this: the first reservation tells.
        Box::pin(async { Ok(()) })
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async move {
            let mut range = self.0.reserve(&request).await?;
            let mut raised = None;
            // A store that went back is raised by its own method, where it has one.
            if let (Some(floor), Some(to)) = (request.floor, request.raise_to)
                && range.start <= floor
                && self.0.can_raise
            {
                let from = range.start.saturating_sub(1);
                self.0.call("raise", request.key.as_str(), 0, to).await?;
                raised = Some(Raise { from, to });
                range = self.0.reserve(&request).await?;
            }
            Ok(Granted {
                range,
                store_id: StoreId::new(self.0.name.as_str()),
                created: false,
                new_store: false,
                raised,
            })
        })
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        Box::pin(async move {
            if !self.0.can_seal {
                return Err(self.0.lacks("seal"));
            }
            let answer = self.0.call("seal", key.as_str(), 0, 0).await?;
            Ok(answer.sealed.unwrap_or(true))
        })
    }

    fn list(&self, _prefix: String) -> Answer<'_, Vec<Counter>> {
        Box::pin(async { Err(self.0.lacks("list")) })
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        Box::pin(async move {
            if !self.0.can_raise {
                return Err(self.0.lacks("raise"));
            }
            self.0.call("raise", key.as_str(), 0, value).await?;
            Ok(true)
        })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.0.call("close", "", 0, 0).await?;
            Ok(())
        })
    }
}
