//! Where the server is, as a URL says it.

#[cfg(unix)]
use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use url::Url;

/// How a URL may begin, as a message lists it.
const FORMS: &str = "redis://, rediss://, redis-cluster://, redis-sentinel:// or redis+unix://, \
                     or the same with valkey or kvrocks";

/// The server or servers that a URL names.
#[derive(Clone, PartialEq, Eq)]
pub struct RedisAddress {
    pub(super) servers: Servers,
    pub(super) tls: bool,
    pub(super) username: Option<String>,
    pub(super) password: Option<String>,
    pub(super) database: Option<u8>,
    scheme: String,
}

/// What is at the address.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Servers {
    Single(Host),
    Cluster(Vec<Host>),
    Sentinel {
        sentinels: Vec<Host>,
        service: String,
        username: Option<String>,
        password: Option<String>,
    },
    #[cfg(unix)]
    Unix(PathBuf),
}

/// A host and its port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Host {
    pub(super) name: String,
    pub(super) port: u16,
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.name.contains(':') {
            write!(f, "[{}]:{}", self.name, self.port)
        } else {
            write!(f, "{}:{}", self.name, self.port)
        }
    }
}

/// Without the password.
impl std::fmt::Debug for RedisAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RedisAddress({self})")
    }
}

/// Without the password: the form in which people are told of it.
impl std::fmt::Display for RedisAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://", self.scheme)?;
        if let Some(username) = &self.username {
            write!(f, "{username}@")?;
        }
        let list = |hosts: &[Host]| {
            let hosts: Vec<_> = hosts.iter().map(Host::to_string).collect();
            hosts.join(",")
        };
        match &self.servers {
            Servers::Single(host) => write!(f, "{host}")?,
            Servers::Cluster(hosts) => f.write_str(&list(hosts))?,
            Servers::Sentinel {
                sentinels, service, ..
            } => write!(f, "{}/{service}", list(sentinels))?,
            #[cfg(unix)]
            Servers::Unix(path) => write!(f, "{}", path.display())?,
        }
        match self.database {
            Some(database) if database > 0 => write!(f, "/{database}"),
            _ => Ok(()),
        }
    }
}

/// What a scheme says.
struct Scheme {
    topology: Topology,
    tls: bool,
    default_port: u16,
}

#[derive(Clone, Copy, PartialEq)]
enum Topology {
    Single,
    Cluster,
    Sentinel,
    Unix,
}

impl Scheme {
    /// `redis`, `valkey` or `kvrocks`, then `s` for TLS, then what kind of address follows.
    fn parse(scheme: &str) -> Option<Self> {
        let (rest, default_port) = [("redis", 6379), ("valkey", 6379), ("kvrocks", 6666)]
            .into_iter()
            .find_map(|(name, port)| Some((scheme.strip_prefix(name)?, port)))?;
        let (rest, tls) = match rest.strip_prefix('s') {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let (topology, default_port) = match rest {
            "" => (Topology::Single, default_port),
            "-cluster" => (Topology::Cluster, default_port),
            "-sentinel" => (Topology::Sentinel, 26379),
            "+unix" if !tls => (Topology::Unix, default_port),
            _ => return None,
        };
        Some(Self {
            topology,
            tls,
            default_port,
        })
    }
}

impl RedisAddress {
    /// Whether a URL of this scheme is one of ours.
    pub fn knows(scheme: &str) -> bool {
        Scheme::parse(scheme).is_some()
    }

    /// Reads a URL.
    ///
    /// # Errors
    /// What is wrong with it, in words that never repeat the URL, which may hold a password.
    pub fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|error| error.to_string())?;
        let scheme = Scheme::parse(url.scheme())
            .ok_or_else(|| format!("its scheme is unknown: expected {FORMS}"))?;
        let mut query = Query::of(&url)?;
        let servers = scheme.servers(&url, &mut query)?;
        let database = match (&servers, scheme.topology) {
            (_, Topology::Unix) => query.take("db").map(|db| database(&db)).transpose()?,
            _ => database_of(&url)?,
        };
        query.end()?;
        if scheme.topology == Topology::Cluster && database.is_some_and(|number| number > 0) {
            return Err("a cluster has no databases by number: leave the path out".to_owned());
        }
        Ok(Self {
            servers,
            tls: scheme.tls,
            username: decoded(url.username())?.filter(|name| !name.is_empty()),
            password: url.password().map_or(Ok(None), decoded)?,
            database,
            scheme: url.scheme().to_owned(),
        })
    }

    /// What makes two URLs one store: the servers and the database, whatever name and password
    /// they are reached with.
    pub fn place(&self) -> String {
        let place = Self {
            username: None,
            password: None,
            scheme: match self.servers {
                Servers::Single(_) => "redis",
                Servers::Cluster(_) => "redis-cluster",
                Servers::Sentinel { .. } => "redis-sentinel",
                #[cfg(unix)]
                Servers::Unix(_) => "redis+unix",
            }
            .to_owned(),
            servers: match self.servers.clone() {
                Servers::Cluster(mut hosts) => {
                    hosts.sort();
                    Servers::Cluster(hosts)
                }
                Servers::Sentinel {
                    mut sentinels,
                    service,
                    ..
                } => {
                    sentinels.sort();
                    Servers::Sentinel {
                        sentinels,
                        service,
                        username: None,
                        password: None,
                    }
                }
                other => other,
            },
            ..self.clone()
        };
        place.to_string()
    }

    /// The same servers, with this user, password and database.
    pub fn with(
        &self,
        username: Option<&str>,
        password: Option<&str>,
        database: Option<u8>,
    ) -> Self {
        Self {
            username: username.map(str::to_owned),
            password: password.map(str::to_owned),
            database,
            ..self.clone()
        }
    }

    /// The user.
    pub fn username(&self) -> Option<&str> {
        self.username.as_deref()
    }

    /// The password.
    pub fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }

    /// The database by number.
    pub fn database(&self) -> Option<u8> {
        self.database
    }

    /// Whether the URL asks for TLS.
    pub fn has_tls(&self) -> bool {
        self.tls
    }

    /// Whether it is a cluster, which has no databases by number.
    pub fn is_cluster(&self) -> bool {
        matches!(self.servers, Servers::Cluster(_))
    }
}

impl Scheme {
    fn servers(&self, url: &Url, query: &mut Query) -> Result<Servers, String> {
        if self.topology == Topology::Unix {
            return unix_socket(url);
        }
        let first = Host {
            name: host_name(url)?,
            port: url.port().unwrap_or(self.default_port),
        };
        if self.topology == Topology::Single {
            return Ok(Servers::Single(first));
        }
        let mut hosts = vec![first];
        for node in query.all("node") {
            hosts.push(host(&node, self.default_port)?);
        }
        if self.topology == Topology::Cluster {
            return Ok(Servers::Cluster(hosts));
        }
        Ok(Servers::Sentinel {
            sentinels: hosts,
            service: query.take("sentinelServiceName").ok_or_else(|| {
                "it names no master: add ?sentinelServiceName=NAME, such as mymaster".to_owned()
            })?,
            username: query.take("sentinelUsername"),
            password: query.take("sentinelPassword"),
        })
    }
}

#[cfg(unix)]
fn unix_socket(url: &Url) -> Result<Servers, String> {
    decoded(url.path())?
        .filter(|path| path.len() > 1)
        .map(|path| Servers::Unix(path.into()))
        .ok_or_else(|| "it has no path: expected redis+unix:///PATH".to_owned())
}

/// The driver has none there, though Windows has some of its own.
#[cfg(not(unix))]
fn unix_socket(_: &Url) -> Result<Servers, String> {
    Err("this system has no Unix sockets: use redis://HOST:PORT".to_owned())
}

fn host_name(url: &Url) -> Result<String, String> {
    let name = url.host_str().filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| "it has no host: expected redis://HOST:PORT".to_owned())?;
    Ok(name.trim_matches(['[', ']']).to_owned())
}

/// `host`, `host:port` or `[address]:port`.
fn host(text: &str, default_port: u16) -> Result<Host, String> {
    let wrong = || format!("node={text} is no host: expected HOST:PORT");
    let url = Url::parse(&format!("redis://{text}")).map_err(|_| wrong())?;
    if !url.username().is_empty() || !url.path().is_empty() || url.query().is_some() {
        return Err(wrong());
    }
    Ok(Host {
        name: host_name(&url).map_err(|_| wrong())?,
        port: url.port().unwrap_or(default_port),
    })
}

fn database_of(url: &Url) -> Result<Option<u8>, String> {
    match url.path().trim_start_matches('/') {
        "" => Ok(None),
        text => database(text).map(Some),
    }
}

fn database(text: &str) -> Result<u8, String> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if is_number => Ok(number),
        _ => Err(format!(
            "/{text} is no database: expected a number from 0 to 255"
        )),
    }
}

fn decoded(text: &str) -> Result<Option<String>, String> {
    let text = percent_decode_str(text)
        .decode_utf8()
        .map_err(|_| "its user name or password is no UTF-8".to_owned())?;
    Ok(Some(text.into_owned()))
}

/// The parameters behind the `?`: each is read once, and none is left over.
struct Query(Vec<(String, String)>);

impl Query {
    fn of(url: &Url) -> Result<Self, String> {
        if url.fragment().is_some() {
            return Err("it has a #: write %23 in a password".to_owned());
        }
        Ok(Self(url.query_pairs().into_owned().collect()))
    }

    fn all(&mut self, name: &str) -> Vec<String> {
        let (wanted, rest) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|(key, _)| key == name);
        self.0 = rest;
        let wanted: Vec<(String, String)> = wanted;
        wanted.into_iter().map(|(_, value)| value).collect()
    }

    fn take(&mut self, name: &str) -> Option<String> {
        self.all(name).pop()
    }

    /// # Errors
    /// The first parameter that nobody has read. Its value may be a password and is not told.
    fn end(self) -> Result<(), String> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(format!(
                "it has a parameter {name}, which means nothing here: options are an argument of \
                 their own"
            )),
        }
    }
}
