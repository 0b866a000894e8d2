//! From a future of the engine to a promise.
//!
//! **Invariant:** every promise settles. A forgotten one would keep the process alive for ever, so
//! the native half rejects when it is dropped: by a panic, an abort, or a task that is gone.

use napi::bindgen_prelude::{JsValue, Object, PromiseRaw, ToNapiValue, Unknown};
use napi::{Env, JsDeferred};
use tokio::task::AbortHandle;

use crate::error::{Failure, chain};

type Answer = Box<dyn FnOnce(Env) -> napi::Result<Unknown<'static>> + Send>;

/// The native half of a pending promise.
struct Pending(Option<JsDeferred<Unknown<'static>, Answer>>);

impl Pending {
    fn settle<T: ToNapiValue + Send + 'static>(mut self, result: mintid::Result<T>) {
        if let Some(deferred) = self.0.take() {
            deferred.resolve(answer(result.map_err(|error| chain(&error))));
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(deferred) = self.0.take() {
            let gone = Failure {
                code: mintid::Code::Closed.as_str().to_owned(),
                message: "closed while the call was waiting".to_owned(),
            };
            deferred.resolve(answer::<()>(Err(vec![gone])));
        }
    }
}

/// Makes the promise of what `future` gives, and the handle that ends it early.
///
/// The task owns all that it uses: the environment may be torn down while it runs.
pub(crate) fn promise<'env, T>(
    env: &'env Env,
    future: impl Future<Output = mintid::Result<T>> + Send + 'static,
) -> napi::Result<(Object<'env>, AbortHandle)>
where
    T: ToNapiValue + Send + 'static,
{
    let (deferred, promise) = env.create_deferred()?;
    let pending = Pending(Some(deferred));
    let task = mintid::runtime().spawn(async move { pending.settle(future.await) });
    Ok((promise, task.abort_handle()))
}

/// A rejected promise is *resolved* into the deferred: its own way to reject loses the code.
fn answer<T: ToNapiValue + Send + 'static>(result: Result<T, Vec<Failure>>) -> Answer {
    Box::new(move |env| {
        // SAFETY: this runs on the thread of `env`, in a scope of its own, and the value goes to
        // the deferred at once.
        unsafe {
            let raw = match result {
                Ok(value) => T::to_napi_value(env.raw(), value)?,
                Err(causes) => PromiseRaw::<()>::reject(&env, causes)?.value().value,
            };
            Ok(Unknown::from_raw_unchecked(env.raw(), raw))
        }
    })
}
