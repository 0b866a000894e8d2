//! What scripts answer: lists of texts.

use fred::types::Value;

use super::connection::Failure;

/// The answer of a script, whose first text says what came of it.
#[derive(Debug)]
pub(super) struct Reply(Vec<String>);

/// A field and its value.
type Pair<'a> = (&'a str, &'a str);

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

    /// The texts from `index` on as pairs: those of the first `count` texts, and the others.
    ///
    /// # Errors
    /// Texts that are not so many.
    pub(super) fn pairs_after(
        &self,
        index: usize,
        count: u64,
    ) -> Result<(Vec<Pair<'_>>, Vec<Pair<'_>>), Failure> {
        let texts = self.0.get(index..).unwrap_or_default();
        let count = usize::try_from(count).ok();
        let parts = count.and_then(|count| texts.split_at_checked(count));
        let (first, others) = parts.ok_or_else(|| self.shapeless())?;
        Ok((pairs(first), pairs(others)))
    }

    pub(super) fn shapeless(&self) -> Failure {
        Failure::Refused(format!("an answer that means nothing here: {:?}", self.0))
    }
}

fn pairs(texts: &[String]) -> Vec<Pair<'_>> {
    let pairs = texts.chunks_exact(2);
    pairs.map(|pair| (&*pair[0], &*pair[1])).collect()
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
