//! Where in a cluster the hash is.
//!
//! All that a store keeps is in one hash, and so in one slot of one node. It is asked for by
//! whoever is connected, and nobody else of the cluster: what happens to other nodes concerns
//! nobody here. A node that no longer has the slot says so, and the next connection follows.

use std::time::Duration;

use fred::types::Value;

use super::address::Host;
use super::connection::{Connection, Failure};
use super::reply::{shapeless, text};
use super::target::Target;

/// How long one node may take to tell who has which slot.
const LOOK: Duration = Duration::from_secs(1);

/// Where a node sent us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) host: Host,
    /// Whether the slot is on its way there, so that each command has to ask for it.
    pub(super) is_asking: bool,
}

impl Redirect {
    /// Reads `MOVED 12533 127.0.0.1:7001` and `ASK 12533 127.0.0.1:7001`; `here` is the node that
    /// said so, which leaves its own name out.
    pub(super) fn parse(text: &str, here: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let is_asking = match words.next()? {
            "MOVED" => false,
            "ASK" => true,
            _ => return None,
        };
        let (name, port) = words.nth(1)?.rsplit_once(':')?;
        let name = if name.is_empty() { here } else { name };
        Some(Self {
            host: Host {
                name: name.to_owned(),
                port: port.parse().ok()?,
            },
            is_asking,
        })
    }
}

/// Asks one of `hosts` after another which node has the slot of the hash.
///
/// # Errors
/// What the last of them said.
pub(super) async fn find(target: &Target, hosts: &[Host]) -> Result<(Host, Vec<Host>), Failure> {
    let mut last = Failure::Unreachable("the cluster has no nodes".to_owned());
    for host in hosts {
        match slots(target, host).await {
            Ok(slots) => match owner(&slots, target.slot, host) {
                Some(owner) => return Ok((owner, nodes(&slots, host))),
                None => {
                    let slot = target.slot;
                    last = Failure::Unreachable(format!("no node has slot {slot}"));
                }
            },
            Err(failure) => last = failure,
        }
    }
    Err(last)
}

async fn slots(target: &Target, host: &Host) -> Result<Vec<Slots>, Failure> {
    let look = async {
        let connection = Connection::open_at(target, host, false).await?;
        connection.call("CLUSTER", vec!["SLOTS".into()], LOOK).await
    };
    let answer = tokio::time::timeout(LOOK, look)
        .await
        .unwrap_or_else(|_| Err(Failure::Unanswered(format!("{host} does not answer"))))?;
    let Value::Array(rows) = &answer else {
        return Err(shapeless(&answer));
    };
    let rows: Option<Vec<_>> = rows.iter().map(Slots::read).collect();
    rows.ok_or_else(|| shapeless(&answer))
}

/// A run of slots and the node that has them; no name where it is the one that was asked.
struct Slots {
    first: i64,
    last: i64,
    name: Option<String>,
    port: u16,
}

impl Slots {
    fn read(row: &Value) -> Option<Self> {
        let Value::Array(parts) = row else {
            return None;
        };
        let [first, last, Value::Array(node), ..] = parts.as_slice() else {
            return None;
        };
        let [name, port, ..] = node.as_slice() else {
            return None;
        };
        Some(Self {
            first: first.as_i64()?,
            last: last.as_i64()?,
            name: text(name).filter(|name| !name.is_empty() && name != "?"),
            port: port.as_i64()?.try_into().ok()?,
        })
    }

    fn host(&self, asked: &Host) -> Host {
        Host {
            name: self.name.clone().unwrap_or_else(|| asked.name.clone()),
            port: self.port,
        }
    }
}

fn owner(slots: &[Slots], slot: u16, asked: &Host) -> Option<Host> {
    let slot = i64::from(slot);
    slots
        .iter()
        .find(|run| (run.first..=run.last).contains(&slot))
        .map(|run| run.host(asked))
}

fn nodes(slots: &[Slots], asked: &Host) -> Vec<Host> {
    let mut nodes: Vec<_> = slots.iter().map(|run| run.host(asked)).collect();
    nodes.sort();
    nodes.dedup();
    nodes
}
