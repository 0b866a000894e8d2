//! What the server and the driver say, told with the store's name and the way out.

use mintid_core::{Code, Error};

use super::connection::Failure;

/// A failure as callers see it.
pub(super) fn told(store: &str, failure: &Failure) -> Error {
    match failure {
        Failure::Unanswered(reason)
        | Failure::Unreachable(reason)
        | Failure::Redirected(reason) => unreachable(store, reason),
        Failure::Refused(text) => refused(store, text),
    }
}

/// A server that was not reached, or did not answer.
pub(super) fn unreachable(store: &str, reason: &str) -> Error {
    Error::Unreachable {
        store: store.to_owned(),
        reason: reason.to_owned(),
    }
}

/// A server that answered, and not as it should. It may pass.
pub(super) fn refused(store: &str, text: &str) -> Error {
    // A right that is missing inside a script is told without its word.
    let lacks_right = text.contains("ACL failure") || text.contains("user executing the script");
    let word = text.split(' ').next().unwrap_or_default();
    let hint = match if lacks_right { "NOPERM" } else { word } {
        "WRONGPASS" => ": check the user name and the password",
        "NOAUTH" => ": the server wants a password",
        "NOPERM" => ": docs/production.md lists what the user needs",
        "WRONGTYPE" => ": give another `key`, or move what is there",
        "READONLY" => ": it is a replica, and is asked again once it is none",
        "OOM" => ": the server's memory is used up, raise maxmemory",
        "LOADING" => ": it is asked again once it has loaded",
        "MISCONF" => ": the server cannot write its snapshot",
        "NOREPLICAS" => ": fewer replicas are in step than min-replicas-to-write demands",
        _ => "",
    };
    Error::Refused {
        store: store.to_owned(),
        code: Code::StoreError,
        reason: format!("{text}{hint}"),
    }
}

/// A failure with the name of the key, where that is what is wrong.
pub(super) fn on_key(failure: Failure, key: &str) -> Failure {
    match failure {
        Failure::Refused(text) if text.starts_with("WRONGTYPE") => {
            Failure::Refused(format!("WRONGTYPE the key {key} holds no hash"))
        }
        other => other,
    }
}

/// A value in the place of a counter that is none.
pub(super) fn no_counter(store: &str, hash: &str, key: &str, value: &str) -> Error {
    refused(
        store,
        &format!(
            "the field \"{key}\" of {hash} holds {value:?}, which is no id: set it to the highest \
             id in use"
        ),
    )
}
