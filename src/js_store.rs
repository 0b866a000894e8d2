//! A store that the user wrote in JavaScript.
//!
//! Its calls cross to the realm that made it through one weak threadsafe function; its answers come
//! back through [`NativeStore::answer`]. Nothing it says is believed: the engine judges every
//! range. What a store of a URL does by itself is made up for here: the generator's `max`, raising
//! a counter that went back, and being closed.

use std::sync::{Arc, OnceLock};

use mintid::stores::grant::{Remembered, decide_floor};
use mintid::stores::{Answer, Counter, Granted, Raise, RangeStore, Reserve, StoreId};
use mintid::{Code, Error, IdsOptions, Key, OwnStore, Range, Result, SystemTimer};
use napi::Status;
use napi::bindgen_prelude::BigInt;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;

use crate::error::{Thrown, thrown};
use crate::ids::NativeIds;
use crate::options::IdsInput;
use crate::replies::Replies;

type Caller = ThreadsafeFunction<NativeCall, (), NativeCall, Status, false, true>;

/// The refusals that an error of a user's store may stand for.
const REFUSALS: [Code; 3] = [Code::RangeSealed, Code::RangeExhausted, Code::RangeMissing];

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
#[derive(Default)]
pub struct NativeAnswer {
    /// What it threw.
    pub thrown: Option<NativeThrown>,
    /// What it said that is no answer.
    pub unreadable: Option<String>,
    /// The first id granted.
    pub start: Option<BigInt>,
    /// One past the last.
    pub end: Option<BigInt>,
    /// What `seal` says.
    pub sealed: Option<bool>,
}

/// An error of the user's store.
#[napi(object, object_to_js = false)]
pub struct NativeThrown {
    /// Its code, if it has one.
    pub code: Option<String>,
    /// Its message.
    pub message: String,
}

/// The native half of a store in JavaScript.
#[napi]
pub struct NativeStore {
    calls: Arc<Calls>,
    store: OwnStore,
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
    ) -> Self {
        let calls = Arc::new(Calls {
            name,
            call,
            can_raise,
            can_seal,
            replies: Replies::default(),
        });
        let opened = Arc::clone(&calls);
        Self {
            calls,
            store: OwnStore::new(
                move || Arc::new(JsStore::new(&opened, false)),
                Arc::new(SystemTimer),
            ),
        }
    }

    /// The generators on it, in a namespace.
    #[napi]
    pub fn ids(&self, options: IdsInput) -> std::result::Result<NativeIds, Thrown> {
        let options: Result<IdsOptions> = options.try_into();
        options
            .and_then(|options| self.store.ids(&options))
            .map(NativeIds::of)
            .map_err(|error| thrown(&error))
    }

    /// Brings the answer to call `id` in; a call that was given up is forgotten.
    #[napi]
    pub fn answer(&self, id: u32, answer: NativeAnswer) {
        self.calls.replies.bring(id, answer);
    }

    /// The store as the contract judges it.
    pub(crate) fn judged(&self) -> JsStore {
        JsStore::new(&self.calls, true)
    }
}

/// The way to the user's object.
struct Calls {
    name: String,
    call: Caller,
    can_raise: bool,
    can_seal: bool,
    replies: Replies<NativeAnswer>,
}

/// Why a call on the user's store came to nothing.
enum Trouble {
    /// It threw an error, perhaps one that says what kind of refusal it is.
    Threw {
        method: String,
        code: Option<Code>,
        message: String,
    },
    /// It did anything else.
    Failed(String),
}

impl Calls {
    async fn call(
        &self,
        method: &str,
        key: &str,
        size: u64,
        value: u64,
    ) -> Result<NativeAnswer, Trouble> {
        let reply = self.replies.expect();
        let call = NativeCall {
            id: reply.id,
            method: method.to_owned(),
            key: key.to_owned(),
            size: size.into(),
            value: value.into(),
        };
        let sent = self
            .call
            .call(call, ThreadsafeFunctionCallMode::NonBlocking);
        if sent != Status::Ok {
            let reason = "the thread that made this store has ended";
            return Err(Trouble::Failed(reason.to_owned()));
        }
        match reply.answer().await {
            NativeAnswer {
                thrown: Some(NativeThrown { code, message }),
                ..
            } => Err(Trouble::Threw {
                method: method.to_owned(),
                code: code.and_then(|code| refusal(&code)),
                message,
            }),
            NativeAnswer {
                unreadable: Some(answer),
                ..
            } => Err(Trouble::Failed(format!("{method} answered {answer}"))),
            answer => Ok(answer),
        }
    }
}

fn refusal(code: &str) -> Option<Code> {
    REFUSALS.into_iter().find(|known| known.as_str() == code)
}

/// The user's store from its opening to its closing.
pub(crate) struct JsStore {
    calls: Arc<Calls>,
    /// Whether it stands before the contract, which tells an error that gives no reason from an
    /// answer that is none.
    judged: bool,
    closed: OnceLock<()>,
}

impl JsStore {
    fn new(calls: &Arc<Calls>, judged: bool) -> Self {
        Self {
            calls: Arc::clone(calls),
            judged,
            closed: OnceLock::new(),
        }
    }

    /// Whether it has the methods `raise` and `seal`.
    pub(crate) fn can(&self) -> (bool, bool) {
        (self.calls.can_raise, self.calls.can_seal)
    }

    async fn call(&self, method: &str, key: &str, size: u64, value: u64) -> Result<NativeAnswer> {
        if self.closed.get().is_some() {
            return Err(Error::Closed {
                name: self.name().to_owned(),
            });
        }
        self.calls
            .call(method, key, size, value)
            .await
            .map_err(|trouble| self.error(trouble))
    }

    async fn range(&self, request: &Reserve) -> Result<Range> {
        let (size, first) = (request.size, request.initial_offset);
        let answer = self
            .call("reserve", request.key.as_str(), size, first)
            .await?;
        let bound = |bound: Option<BigInt>| bound.map_or(0, |bound| bound.get_u64().1);
        Ok(Range {
            start: bound(answer.start),
            end: bound(answer.end),
        })
    }

    /// The range of `request`, which the store knows too little of to keep within `max`, or to
    /// leave what was granted before it went back.
    async fn grant(&self, request: &Reserve) -> Result<(Range, Option<Raise>)> {
        let mut range = self.range(request).await?;
        let mut raised = None;
        if let (Some(floor), Some(to)) = (request.floor, request.raise_to)
            && range.start <= floor
            && self.calls.can_raise
        {
            let from = range.start.saturating_sub(1);
            self.call("raise", request.key.as_str(), 0, to).await?;
            raised = Some(Raise { from, to });
            range = self.range(request).await?;
        }
        let is_granted = !range.is_empty() && range.len() <= request.size;
        if is_granted && range.last() > request.max {
            return Err(Error::RangeExhausted {
                key: request.key.to_string(),
                size: request.size,
                last: range.start.saturating_sub(1),
                max: request.max,
            });
        }
        Ok((range, raised))
    }

    fn error(&self, trouble: Trouble) -> Error {
        let store = self.name().to_owned();
        let (method, code, message) = match trouble {
            Trouble::Failed(reason) => return Error::Store { store, reason },
            Trouble::Threw {
                method,
                code,
                message,
            } => (method, code, message),
        };
        match code.or(self.judged.then_some(Code::RangeUnavailable)) {
            Some(code) => Error::Refused {
                store,
                code,
                reason: message,
            },
            None => Error::Store {
                store,
                reason: format!("{method} failed: {message}"),
            },
        }
    }

    /// A call that can never work on this store.
    fn lacks(&self, method: &str) -> Error {
        let expected = format!("it has no method {method}, which this call needs");
        Error::config("store", self.name(), expected)
    }
}

impl RangeStore for JsStore {
    fn name(&self) -> &str {
        &self.calls.name
    }

    fn connect(&self) -> Answer<'_, ()> {
        // It has no method for this: the first reservation tells.
        Box::pin(async { Ok(()) })
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async move {
            let (range, raised) = self.grant(&request).await?;
            Ok(Granted {
                range,
                store_id: StoreId::new(self.name()),
                created: false,
                new_store: false,
                raised,
                jumped: None,
            })
        })
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        Box::pin(async move {
            if !self.calls.can_seal {
                return Err(self.lacks("seal"));
            }
            let answer = self.call("seal", key.as_str(), 0, 0).await?;
            Ok(answer.sealed.unwrap_or(true))
        })
    }

    fn list(&self, _prefix: String) -> Answer<'_, Vec<Counter>> {
        Box::pin(async { Err(self.lacks("list")) })
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        Box::pin(async move {
            if !self.calls.can_raise {
                return Err(self.lacks("raise"));
            }
            // What the store remembers is its own affair; whether it is an id is not.
            decide_floor(&Remembered::default(), &key, value)?;
            self.call("raise", key.as_str(), 0, value).await?;
            Ok(true)
        })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            if self.closed.set(()).is_err() {
                return Ok(());
            }
            let ended = self.calls.call("close", "", 0, 0).await;
            ended.map(drop).map_err(|trouble| self.error(trouble))
        })
    }
}
