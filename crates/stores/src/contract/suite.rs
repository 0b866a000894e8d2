use mintid_core::range::MAX_ID;
use mintid_core::{Key, Name, Namespace, Range};
use tokio::task::JoinSet;

use super::client::{Client, Failure, Verdict, ensure, in_time};
use super::{Harness, Offers};
use crate::range_store::{Granted, Record, Reserve, StoreId};

/// Two clients of one store, and keys that no other run has used.
pub(super) struct Suite<'a> {
    pub(super) harness: &'a dyn Harness,
    pub(super) one: Client,
    pub(super) two: Client,
    pub(super) offers: Offers,
    run: String,
}

impl<'a> Suite<'a> {
    pub(super) async fn new(harness: &'a dyn Harness) -> Verdict<Self> {
        let one = connected(harness).await?;
        Ok(Self {
            offers: one.offers,
            one,
            two: connected(harness).await?,
            harness,
            run: StoreId::fresh().as_str().to_owned(),
        })
    }

    /// A client that has seen nothing of what the others did, for a check that may close it.
    pub(super) async fn another(&self) -> Verdict<Client> {
        connected(self.harness).await
    }

    /// The key of `label` in this run.
    pub(super) fn key(&self, label: &str) -> Key {
        Namespace::default().segment_key(&self.name(label))
    }

    /// The key of `label` in a namespace of this run.
    pub(super) fn key_in_namespace(&self, label: &str) -> Key {
        let namespace = format!("contract-{}", self.run);
        Namespace::new(namespace)
            .expect("short and plain")
            .segment_key(&Name::new(label).expect("the suite's labels are plain"))
    }

    fn name(&self, label: &str) -> Name {
        Name::new(format!("contract-{}-{label}", self.run)).expect("the suite's labels are plain")
    }

    /// The reservation that checks vary: of a generator that may be created, by a process that has
    /// met neither the store nor the key.
    pub(super) fn request(&self, label: &str, size: u64) -> Reserve {
        self.request_of(self.key(label), size)
    }

    /// The same, of a key that is no label's.
    pub(super) fn request_of(&self, key: Key, size: u64) -> Reserve {
        Reserve {
            key,
            size,
            initial_offset: 1,
            // Whoever makes up for a store that heeds no bounds would hide what it grants past
            // the last id.
            max: if self.offers.bounds { MAX_ID } else { u64::MAX },
            floor: None,
            raise_to: None,
            jump: 1 << 24,
            may_create: true,
            store_id: None,
            record: Record::Segment,
            patience: std::time::Duration::from_secs(3),
        }
    }
}

async fn connected(harness: &dyn Harness) -> Verdict<Client> {
    let patience = harness.patience();
    let client = Client {
        store: in_time(patience, "making a client", harness.client())
            .await?
            .map_err(|error| format!("no client could be made: {error}"))?,
        patience,
        offers: harness.offers(),
    };
    client
        .in_time("connect", client.store.connect())
        .await?
        .map_err(|error| Failure::from(format!("connect failed: {error}")))?;
    Ok(client)
}

/// Makes all `calls` at once and gathers the answers, in the order in which they came.
pub(super) async fn at_once(calls: Vec<(Client, Reserve)>) -> Verdict<Vec<Granted>> {
    let mut running = JoinSet::new();
    for (client, request) in calls {
        running.spawn(async move { client.grant(&request).await });
    }
    let mut answers = Vec::with_capacity(running.len());
    while let Some(ended) = running.join_next().await {
        answers.push(ended.map_err(|error| format!("a call broke off: {error}"))??);
    }
    Ok(answers)
}

/// Fails if two of `ranges` share an id.
pub(super) fn ensure_disjoint(mut ranges: Vec<Range>) -> Verdict {
    ranges.sort_by_key(|range| range.start);
    for pair in ranges.windows(2) {
        let (lower, upper) = (pair[0], pair[1]);
        ensure(lower.end <= upper.start, || {
            format!("{lower} and {upper} were both granted of one key")
        })?;
    }
    Ok(())
}
