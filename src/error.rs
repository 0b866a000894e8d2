//! From an error of the engine to what JavaScript makes its error of.

use mintid::{Code, Error};
use napi_derive::napi;

/// One error of a chain.
#[napi(object, object_from_js = false)]
#[derive(Clone)]
pub struct Failure {
    /// The stable code.
    pub code: String,
    /// What happened, with which value, and the way out.
    pub message: String,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self {
            code: error.code().as_str().to_owned(),
            message: error.to_string(),
        }
    }
}

/// An error and what caused it, outermost first.
pub(crate) fn chain(error: &Error) -> Vec<Failure> {
    std::iter::successors(Some(error), |error| error.cause())
        .map(Failure::from)
        .collect()
}

/// An error that a synchronous call throws: its code becomes `error.code`.
pub(crate) type Thrown = napi::Error<&'static str>;

pub(crate) fn thrown(error: &Error) -> Thrown {
    napi::Error::new(error.code().as_str(), error.to_string())
}

/// A row of the error table.
#[napi(object, object_from_js = false)]
pub struct ErrorRow {
    /// The stable code.
    pub code: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// What it means and what to do.
    pub doc: String,
}

/// Every code there is.
#[napi]
pub fn error_table() -> Vec<ErrorRow> {
    Code::ALL
        .iter()
        .map(|code| ErrorRow {
            code: code.as_str().to_owned(),
            retryable: code.is_retryable(),
            doc: code.doc().to_owned(),
        })
        .collect()
}
