//! What a generator may be called, and the key under which a store remembers it.
//!
//! Invariant: two different (namespace, name) pairs never share a key, because neither part may
//! hold the separator.

use std::sync::Arc;

use crate::error::{Error, Result};

const MAX_BYTES: usize = 128;

fn check(what: &str, text: &str) -> Result<()> {
    let wrong = if text.is_empty() {
        "it is empty"
    } else if text.len() > MAX_BYTES {
        "it is too long"
    } else if text.starts_with('#') {
        "it begins with #"
    } else if text.contains(['/', '{', '}']) {
        "it holds / or { or }"
    } else if text.chars().any(char::is_control) {
        "it holds a control character"
    } else {
        return Ok(());
    };
    Err(Error::config(
        what,
        format_args!("{text:?}"),
        format!(
            "{wrong}: expected 1 to {MAX_BYTES} bytes without /, {{, }}, control characters or a \
             leading #"
        ),
    ))
}

/// The name of a generator: 1–128 bytes, no `/`, `{`, `}`, control characters or leading `#`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name(String);

impl Name {
    /// Checks `text`.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) saying what is wrong with it.
    ///
    /// ```
    /// use mintid_core::Name;
    /// assert_eq!(Name::new("orders")?.as_str(), "orders");
    /// assert!(Name::new("a/b").is_err());
    /// # Ok::<(), mintid_core::Error>(())
    /// ```
    pub fn new(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        check("name", &text)?;
        Ok(Self(text))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What keeps the generators of one application apart from another's in the same store.
///
/// The same characters as in a [`Name`]; the default is none, and the key is then the bare name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Namespace(Option<String>);

impl Namespace {
    /// Checks `text`.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) saying what is wrong with it.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        check("namespace", &text)?;
        Ok(Self(Some(text)))
    }

    /// How the keys of segment generators begin whose names begin with `prefix`.
    pub fn prefix(&self, prefix: &str) -> String {
        match &self.0 {
            Some(namespace) => format!("{namespace}/{prefix}"),
            None => prefix.to_owned(),
        }
    }

    /// The key of the segment generator `name`.
    ///
    /// ```
    /// use mintid_core::{Name, Namespace};
    /// let orders = Name::new("orders")?;
    /// assert_eq!(Namespace::default().segment_key(&orders).as_str(), "orders");
    /// assert_eq!(Namespace::new("shop")?.segment_key(&orders).as_str(), "shop/orders");
    /// # Ok::<(), mintid_core::Error>(())
    /// ```
    pub fn segment_key(&self, name: &Name) -> Key {
        Key(self.prefix(&name.0).into())
    }
}

/// What a store remembers a counter under. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(Arc<str>);

impl Key {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn names_refuse_what_would_make_a_key_ambiguous() {
        for bad in [
            "",
            "a/b",
            "{a",
            "a}",
            "#a",
            "a\n",
            "a\u{7f}",
            &"x".repeat(129),
        ] {
            let error = Name::new(bad).expect_err(bad);
            assert_eq!(error.code(), Code::ConfigInvalid, "{bad:?}");
            assert!(error.to_string().contains("name = "), "{error}");
            assert!(Namespace::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_hold_any_other_text() {
        for good in ["a", "订单", "a#b", "a b", "a:b.c-d_e", &"x".repeat(128)] {
            assert_eq!(Name::new(good).expect(good).as_str(), good);
        }
    }
}
