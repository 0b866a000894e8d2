//! From a URL to a store: the only place that knows stores by name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use mintid_core::options::{Identity, IdsOptions, IdsPlan};
use mintid_core::{Error, Name, Result};
use mintid_stores::RangeStore;
use mintid_stores::memory::MemoryStore;
use mintid_stores::redis::{RedisAddress, RedisOptions, RedisStore};
use mintid_stores::sqlite::{SqliteOptions, SqliteStore};
use parking_lot::Mutex;

/// The schemes there are, as a message lists them.
const SCHEMES: &str = "memory:, memory:NAME, sqlite:PATH, redis://HOST:PORT (also rediss:, valkey:, \
                       kvrocks:, redis-cluster:, redis-sentinel:, redis+unix:)";

/// How long a call may wait for the locks of a file: below the default of `reserveTimeout`, so
/// that a reservation has an answer before it is given up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// What makes two handles share a store.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// This call's own memory.
    Private,
    /// Memory that is shared in the process under a name.
    Memory(Name),
    /// A file, by its absolute path.
    Sqlite(PathBuf),
    /// A hash on a server, whatever user and password reach it.
    Redis {
        /// The servers and the database.
        place: String,
        /// The hash.
        key: String,
    },
}

/// What a URL and its options stand for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Address {
    /// Found by its place alone.
    Local(Place),
    /// A server, and how it is reached.
    Redis(RedisAddress),
}

impl Address {
    /// Reads a URL. What it says beside the place goes into `options`, so that handles are
    /// compared by it.
    ///
    /// # Errors
    /// `CONFIG_INVALID` quoting the URL, without its password, and naming what is accepted.
    pub(crate) fn parse(url: &str, options: &mut IdsOptions) -> Result<Self> {
        let shown = shown(url);
        let wrong = |expected: String| Error::config("url", format_args!("{shown:?}"), expected);
        if url.is_empty() {
            return Err(wrong(format!("it is empty: expected one of {SCHEMES}")));
        }
        match url.split_once(':') {
            Some(("memory", "")) => Ok(Self::Local(Place::Private)),
            Some(("memory", name)) => Name::new(name)
                .map(|name| Self::Local(Place::Memory(name)))
                .map_err(|error| wrong(error.to_string())),
            Some(("sqlite", rest)) => {
                // Both `sqlite:ids.db` and `sqlite://ids.db` are in people's fingers.
                let path = rest.strip_prefix("//").unwrap_or(rest);
                let path = sqlite_path(path).map_err(wrong)?;
                Ok(Self::Local(Place::Sqlite(path)))
            }
            Some((scheme, _)) if RedisAddress::knows(scheme) => {
                let address = RedisAddress::parse(url).map_err(wrong)?;
                given_once(&address, options)?;
                Ok(Self::Redis(address))
            }
            _ => Err(wrong(format!(
                "its scheme is unknown: expected one of {SCHEMES}"
            ))),
        }
    }

    /// What makes two handles share the store.
    pub(crate) fn place(&self, plan: &IdsPlan) -> Place {
        match self {
            Self::Local(place) => place.clone(),
            Self::Redis(address) => Place::Redis {
                place: with_credentials(address, plan).place(),
                key: plan.key.clone(),
            },
        }
    }

    /// Makes the store, without reaching for it.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for a place that can never work.
    pub(crate) fn open(&self, plan: &IdsPlan) -> Result<Arc<dyn RangeStore>> {
        let place = match self {
            Self::Local(place) => place,
            Self::Redis(address) => {
                let options = RedisOptions {
                    key: plan.key.clone(),
                    durability: plan.durability,
                    accept_loss: plan.accept_loss,
                    needs_identity: plan.identity == Identity::Server,
                    tls: plan.tls.clone(),
                };
                let address = with_credentials(address, plan);
                return Ok(Arc::new(RedisStore::new(&address, options)?));
            }
        };
        Ok(match place {
            Place::Memory(name) => Arc::new(named_memory(name)),
            Place::Sqlite(path) => Arc::new(SqliteStore::new(
                path,
                SqliteOptions {
                    allow_network_file: plan.allow_network_file,
                    busy_timeout: BUSY_TIMEOUT,
                },
            )?),
            // A place on a server has an address of its own kind.
            Place::Private | Place::Redis { .. } => Arc::new(MemoryStore::default()),
        })
    }
}

/// A URL as a message may show it: what stands before an @ may be a password.
fn shown(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
        _ => url.to_owned(),
    }
}

/// Brings what the URL says of user, password and database into the options.
///
/// # Errors
/// `CONFIG_INVALID` for one that both give, with two values.
fn given_once(address: &RedisAddress, options: &mut IdsOptions) -> Result<()> {
    fn one<T: Clone + PartialEq>(
        name: &str,
        in_url: Option<T>,
        option: &mut Option<T>,
    ) -> Result<()> {
        match (&in_url, &option) {
            (Some(there), Some(here)) if there != here => Err(Error::config(
                name,
                "(another value)",
                format!("the URL gives a {name} already: give it once"),
            )),
            (Some(_), None) => {
                *option = in_url;
                Ok(())
            }
            _ => Ok(()),
        }
    }
    let username = address.username().map(str::to_owned);
    one("username", username, &mut options.username)?;
    let password = address.password().map(str::to_owned);
    one("password", password, &mut options.password)?;
    let database = address.database().map(u64::from);
    one("database", database, &mut options.database)?;
    if address.has_tls() {
        // So that a handle that wants it is not given the plain connection of another one.
        options.tls.get_or_insert_default();
    }
    if address.is_cluster() && options.database.is_some_and(|number| number > 0) {
        let expected = "a cluster has no databases by number: expected 0";
        return Err(Error::config(
            "database",
            options.database.unwrap_or(0),
            expected,
        ));
    }
    Ok(())
}

fn with_credentials(address: &RedisAddress, plan: &IdsPlan) -> RedisAddress {
    address.with(
        plan.username.as_deref(),
        plan.password.as_deref(),
        plan.database,
    )
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
            ("redis://localhost:99999", "port"),
            ("redis://", "host"),
            ("redis://localhost/x", "no database"),
            ("redis://localhost/256", "no database"),
            ("redis://localhost?db=1", "parameter db"),
            ("redis-cluster://localhost/1", "cluster"),
            ("redis-sentinel://localhost", "sentinelServiceName"),
            ("redis+unix://", "no path"),
            ("rediss+unix:///tmp/redis.sock", "scheme is unknown"),
            ("sqlite:", "no path"),
            ("sqlite://", "no path"),
            ("sqlite::memory:", "memory:"),
            ("sqlite:ids.db?mode=ro", "no ?"),
            ("memory:a/b", "control characters"),
        ] {
            let parsed = Address::parse(url, &mut IdsOptions::default());
            let text = parsed.expect_err(url).to_string();
            assert!(text.starts_with(&format!("url = {url:?}: ")), "{text}");
            assert!(text.contains(part), "{text}");
        }
    }

    fn local(url: &str) -> Place {
        place(url, IdsOptions::default()).expect(url)
    }

    fn place(url: &str, mut options: IdsOptions) -> Result<Place> {
        let address = Address::parse(url, &mut options)?;
        Ok(address.place(&options.plan()?))
    }

    #[test]
    fn one_hash_of_one_server_has_one_place_whoever_reaches_it() {
        let plain = local("redis://localhost:6379");
        for url in [
            "redis://localhost",
            "valkey://localhost",
            "rediss://localhost/0",
            "redis://app:secret@localhost",
        ] {
            assert_eq!(local(url), plain, "{url}");
        }
        let another = IdsOptions {
            key: Some("another".to_owned()),
            ..IdsOptions::default()
        };
        let others = [
            local("redis://localhost/1"),
            local("redis://localhost:6380"),
            local("kvrocks://localhost"),
            local("redis-cluster://localhost"),
            place("redis://localhost", another).expect("valid"),
        ];
        assert!(others.iter().all(|other| *other != plain), "{others:?}");
        assert_eq!(
            local("redis-cluster://a?node=b:7000&node=c"),
            local("redis-cluster://c?node=a&node=b:7000"),
        );
    }

    #[test]
    fn what_url_and_options_both_give_has_to_agree() {
        let options = IdsOptions {
            password: Some("secret".to_owned()),
            database: Some(2),
            ..IdsOptions::default()
        };
        assert_eq!(
            place("redis://:secret@localhost/2", options.clone()).expect("they agree"),
            local("redis://localhost/2"),
        );
        for (url, option) in [
            ("redis://:other@localhost/2", "password"),
            ("redis://localhost/3", "database"),
        ] {
            let text = place(url, options.clone()).expect_err(url).to_string();
            assert!(text.starts_with(option), "{text}");
            assert!(
                !text.contains("secret") && !text.contains("other@"),
                "{text}"
            );
        }
    }

    #[test]
    fn no_message_holds_a_password() {
        for url in [
            "redis://app:hunter2@localhost:x",
            "redsi://app:hunter2@localhost",
            "redis://app:hunter2@localhost/x",
            "redis://app:hunt%ER2@localhost?x=1",
        ] {
            let parsed = Address::parse(url, &mut IdsOptions::default());
            let text = parsed.expect_err(url).to_string();
            assert!(!text.contains("hunt"), "{text}");
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
            assert_eq!(local(&url), file, "{url}");
        }
        assert_eq!(local("memory:"), Place::Private);
    }
}
