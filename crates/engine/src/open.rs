//! From a URL to a store: the only place that knows stores by name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use mintid_core::options::IdsPlan;
use mintid_core::{Error, Name, Result};
use mintid_stores::RangeStore;
use mintid_stores::memory::MemoryStore;
use mintid_stores::sqlite::{SqliteOptions, SqliteStore};
use parking_lot::Mutex;

/// The schemes there are, as a message lists them.
const SCHEMES: &str = "memory:, memory:NAME, sqlite:PATH";

/// How long a call may wait for the locks of a file: below the default of `reserveTimeout`, so
/// that a reservation has an answer before it is given up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// What a URL stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// This call's own memory.
    Private,
    /// Memory that is shared in the process under a name.
    Memory(Name),
    /// A file, by its absolute path.
    Sqlite(PathBuf),
}

impl Place {
    /// Reads a URL.
    ///
    /// # Errors
    /// `CONFIG_INVALID` quoting the URL and naming what is accepted.
    pub(crate) fn parse(url: &str) -> Result<Self> {
        let wrong = |expected: String| Error::config("url", format_args!("{url:?}"), expected);
        if url.is_empty() {
            return Err(wrong(format!("it is empty: expected one of {SCHEMES}")));
        }
        match url.split_once(':') {
            Some(("memory", "")) => Ok(Self::Private),
            Some(("memory", name)) => Name::new(name)
                .map(Self::Memory)
                .map_err(|error| wrong(error.to_string())),
            Some(("sqlite", rest)) => {
                // Both `sqlite:ids.db` and `sqlite://ids.db` are in people's fingers.
                let path = rest.strip_prefix("//").unwrap_or(rest);
                sqlite_path(path).map(Self::Sqlite).map_err(wrong)
            }
            _ => Err(wrong(format!(
                "its scheme is unknown: expected one of {SCHEMES}"
            ))),
        }
    }

    /// Makes the store, without reaching for it.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for a place that can never work.
    pub(crate) fn open(&self, plan: &IdsPlan) -> Result<Arc<dyn RangeStore>> {
        Ok(match self {
            Self::Private => Arc::new(MemoryStore::default()),
            Self::Memory(name) => Arc::new(named_memory(name)),
            Self::Sqlite(path) => Arc::new(SqliteStore::new(
                path,
                SqliteOptions {
                    allow_network_file: plan.allow_network_file,
                    busy_timeout: BUSY_TIMEOUT,
                },
            )?),
        })
    }
}

/// The memory of a name: it lasts as long as the process, whoever has closed it meanwhile.
fn named_memory(name: &Name) -> MemoryStore {
    static MEMORIES: LazyLock<Mutex<HashMap<Name, MemoryStore>>> = LazyLock::new(Mutex::default);
    MEMORIES
        .lock()
        .entry(name.clone())
        .or_insert_with(|| MemoryStore::named(name.as_str()))
        .client()
}

fn sqlite_path(path: &str) -> Result<PathBuf, String> {
    if path.is_empty() {
        return Err("it has no path: expected sqlite:PATH".to_owned());
    }
    if path == ":memory:" {
        return Err(
            "a database in memory is shared with nobody: expected memory: or a path".into(),
        );
    }
    if path.contains(['?', '\0']) {
        return Err("a path has no ? and no NUL: options are an argument of their own".to_owned());
    }
    absolute(Path::new(path)).map_err(|error| format!("its path cannot be resolved: {error}"))
}

/// One file, one path: however the folder is spelled, as far as it exists.
fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let real = match (path.parent(), path.file_name()) {
        (Some(folder), Some(file)) => folder.canonicalize().ok().map(|folder| folder.join(file)),
        _ => None,
    };
    Ok(real.unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_names_no_store_is_refused_with_what_is_accepted() {
        for (url, part) in [
            ("", "empty"),
            ("ids.db", "scheme is unknown"),
            ("redsi://localhost", "scheme is unknown"),
            ("redis://localhost:99999", "scheme is unknown"),
            ("sqlite:", "no path"),
            ("sqlite://", "no path"),
            ("sqlite::memory:", "memory:"),
            ("sqlite:ids.db?mode=ro", "no ?"),
            ("memory:a/b", "control characters"),
        ] {
            let text = Place::parse(url).expect_err(url).to_string();
            assert!(text.starts_with(&format!("url = {url:?}: ")), "{text}");
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn one_file_has_one_place_however_it_is_spelled() {
        let here = std::env::current_dir().expect("a folder");
        let file = Place::Sqlite(here.canonicalize().expect("it exists").join("ids.db"));
        for url in [
            "sqlite:ids.db".to_owned(),
            "sqlite://ids.db".to_owned(),
            "sqlite:./src/../ids.db".to_owned(),
            format!("sqlite:{}", here.join("ids.db").display()),
            format!("sqlite://{}", here.join("ids.db").display()),
        ] {
            assert_eq!(Place::parse(&url).expect(&url), file, "{url}");
        }
        assert_eq!(Place::parse("memory:").expect("valid"), Place::Private);
    }
}
