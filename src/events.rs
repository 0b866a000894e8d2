//! Events on their way to the listeners of a realm.
//!
//! One weak threadsafe function per realm: it holds no event loop, and nothing that an id depends
//! on goes through it.

use mintid::options::Shown;
use mintid::{Event, What};
use napi::Status;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::AbortHandle;

use crate::options::NativeField;

/// How many events wait for a busy event loop; more are dropped and counted.
const WAITING: usize = 256;

type Listener = ThreadsafeFunction<NativeEvent, (), NativeEvent, Status, false, true, WAITING>;

/// Something that happened, as strings and numbers.
#[napi(object, object_from_js = false)]
pub struct NativeEvent {
    /// The name of the event.
    pub name: String,
    /// The number of the generator.
    pub generator: f64,
    /// What the store remembers it under.
    pub key: String,
    /// The store, without its password.
    pub store: String,
    /// What the event tells beside that.
    pub fields: Vec<NativeField>,
    /// How many events before this one were dropped.
    pub dropped: f64,
}

/// A realm's subscription to the events of the process.
#[napi]
pub struct NativeEvents {
    task: AbortHandle,
}

#[napi]
impl NativeEvents {
    /// Calls `listener` for every event of the process from now on.
    #[napi(constructor)]
    pub fn new(#[napi(ts_arg_type = "(event: NativeEvent) => void")] listener: Listener) -> Self {
        let mut events = mintid::events();
        let task = mintid::runtime().spawn(async move {
            let mut dropped = 0;
            loop {
                match events.recv().await {
                    Ok(event) => match send(&listener, event, dropped) {
                        Status::Ok => dropped = 0,
                        Status::QueueFull => dropped += 1,
                        // The realm has ended.
                        _ => return,
                    },
                    Err(RecvError::Lagged(missed)) => dropped += missed,
                    Err(RecvError::Closed) => return,
                }
            }
        });
        Self {
            task: task.abort_handle(),
        }
    }

    /// Ends the subscription.
    #[napi]
    pub fn close(&self) {
        self.task.abort();
    }
}

fn send(listener: &Listener, event: Event, dropped: u64) -> Status {
    let (name, fields) = told(&event.what);
    let event = NativeEvent {
        name: name.to_owned(),
        generator: event.generator as f64,
        key: event.key,
        store: event.store,
        fields,
        dropped: dropped as f64,
    };
    listener.call(event, ThreadsafeFunctionCallMode::NonBlocking)
}

/// The name of an event and what it tells.
fn told(what: &What) -> (&'static str, Vec<NativeField>) {
    match what {
        What::Refill { range, elapsed_ms } => (
            "refill",
            vec![
                text("start", range.start),
                text("end", range.end),
                number("elapsedMs", *elapsed_ms),
            ],
        ),
        What::RefillFailed { error } => (
            "refillFailed",
            vec![text("code", error.code()), text("message", error)],
        ),
        What::Jumped { from, to, reason } => (
            "jumped",
            vec![text("from", from), text("to", to), text("reason", reason)],
        ),
        What::StoreWentBack { message } => ("storeWentBack", vec![text("message", message)]),
        What::NearEnd { last, max } => ("nearEnd", vec![text("last", last), text("max", max)]),
        What::Created { new_store } => {
            let what = if *new_store { "store" } else { "generator" };
            ("created", vec![text("what", what)])
        }
        What::LeaseAcquired { machine } => {
            ("leaseAcquired", vec![number("machine", (*machine).into())])
        }
        What::LeaseLost { machine, message } => (
            "leaseLost",
            vec![
                number("machine", (*machine).into()),
                text("message", message),
            ],
        ),
        What::ClockBackwards { message } => ("clockBackwards", vec![text("message", message)]),
        // `What` may grow; the addon is built with the engine that it knows.
        _ => ("close", Vec::new()),
    }
}

fn text(name: &str, value: impl std::fmt::Display) -> NativeField {
    NativeField::new(name, Shown::Text(value.to_string()))
}

fn number(name: &str, value: u64) -> NativeField {
    NativeField::new(name, Shown::Number(value as f64))
}
