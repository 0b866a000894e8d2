//! What scripts answer: lists of texts.

use fred::types::Value;

use super::connection::Failure;

/// The answer of a script, whose first text says what came of it.
#[derive(Debug)]
pub(super) struct Reply(Vec<String>);

impl Reply {
    /// # Errors
    /// An answer that no script of ours gives.
    pub(super) fn new(value: Value) -> Result<Self, Failure> {
        let Value::Array(parts) = value else {
            return Err(shapeless(&value));
        };
        let texts: Option<Vec<_>> = parts.iter().map(text).collect();
        match texts {
            Some(texts) if !texts.is_empty() => Ok(Self(texts)),
            _ => Err(shapeless(&Value::Array(parts))),
        }
    }

    pub(super) fn word(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    /// The text at `index`; nothing for one that is empty or missing.
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let text = self.0.get(index).map(String::as_str);
        text.filter(|text| !text.is_empty())
    }

    /// # Errors
    /// A text that is no number.
    pub(super) fn number(&self, index: usize) -> Result<u64, Failure> {
        self.get(index)
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| self.shapeless())
    }

    pub(super) fn shapeless(&self) -> Failure {
        Failure::Refused(format!("an answer that means nothing here: {:?}", self.0))
    }
}

/// A text as the server sent it; a number is not one.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.to_string()),
        Value::Bytes(bytes) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    }
}

pub(super) fn shapeless(value: &Value) -> Failure {
    Failure::Refused(format!("an answer that means nothing here: {value:?}"))
}
