//! What a store does not offer is not judged, and what it says it offers is.

use std::sync::Arc;

use mintid_core::{Code, Error, Key, Result};

use crate::contract::{Broken, Harness, Offers, verify};
use crate::memory::MemoryStore;
use crate::range_store::{Answer, Counter, Granted, Raise, RangeStore, Reserve, StoreId};

/// A store in memory that has only some of what stores offer.
struct Lacking {
    inner: MemoryStore,
    has: Offers,
}

impl Lacking {
    /// The refusal for want of a method.
    fn missing<T>(&self) -> Result<T> {
        Err(Error::Store {
            store: self.name().to_owned(),
            reason: "there is no such method".to_owned(),
        })
    }

    /// An answer with no more than this store tells.
    fn told<T>(&self, answer: Result<T>) -> Result<T> {
        answer.map_err(|error| {
            if self.has.codes {
                return error;
            }
            Error::Refused {
                store: self.name().to_owned(),
                code: Code::RangeUnavailable,
                reason: "no".to_owned(),
            }
        })
    }

    async fn reserve_plainly(&self, mut request: Reserve) -> Result<Granted> {
        if !self.has.all_ids {
            request.max = request.max.min((1 << 53) - 1);
        }
        if !self.has.records {
            request.may_create = true;
            request.store_id = None;
        }
        let mut granted = if self.has.bounds {
            self.inner.reserve(request).await?
        } else {
            self.repair(request).await?
        };
        if !self.has.records {
            granted.store_id = StoreId::fresh();
        }
        if !self.has.details {
            granted.created = false;
            granted.raised = None;
        }
        Ok(granted)
    }

    /// What its caller does for it, in more than one step.
    async fn repair(&self, request: Reserve) -> Result<Granted> {
        let plain = Reserve {
            floor: None,
            raise_to: None,
            ..request.clone()
        };
        let mut granted = self.inner.reserve(plain.clone()).await?;
        if let (Some(floor), Some(to)) = (request.floor, request.raise_to)
            && granted.range.start <= floor
        {
            let from = granted.range.start - 1;
            self.inner.floor(request.key, to).await?;
            granted = self.inner.reserve(plain).await?;
            granted.raised = Some(Raise { from, to });
        }
        Ok(granted)
    }
}

impl RangeStore for Lacking {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn connect(&self) -> Answer<'_, ()> {
        self.inner.connect()
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async {
            let answer = self.reserve_plainly(request).await;
            self.told(answer)
        })
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        Box::pin(async {
            if !self.has.seal {
                return self.missing();
            }
            let sealed = self.told(self.inner.seal(key).await)?;
            Ok(sealed || !self.has.details)
        })
    }

    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
        Box::pin(async {
            if !self.has.list {
                return self.missing();
            }
            self.told(self.inner.list(prefix).await)
        })
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        Box::pin(async move {
            if !self.has.floor {
                return self.missing();
            }
            let raised = self.told(self.inner.floor(key, value).await)?;
            Ok(raised || !self.has.details)
        })
    }

    fn close(&self) -> Answer<'_, ()> {
        self.inner.close()
    }
}

struct Plain {
    memory: MemoryStore,
    has: Offers,
    says: Offers,
}

impl Harness for Plain {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        let store = Lacking {
            inner: self.memory.client(),
            has: self.has,
        };
        Box::pin(async { Ok(Arc::new(store) as Arc<dyn RangeStore>) })
    }

    fn offers(&self) -> Offers {
        self.says
    }
}

async fn judge(has: Offers, says: Offers) -> std::result::Result<(), Vec<Broken>> {
    verify(&Plain {
        memory: MemoryStore::default(),
        has,
        says,
    })
    .await
}

const NOTHING: Offers = Offers {
    seal: false,
    floor: false,
    list: false,
    bounds: false,
    records: false,
    details: false,
    codes: false,
    all_ids: false,
};

type Switch = fn(&mut Offers) -> &mut bool;

const SWITCHES: [(&str, Switch); 8] = [
    ("seal", |it| &mut it.seal),
    ("floor", |it| &mut it.floor),
    ("list", |it| &mut it.list),
    ("bounds", |it| &mut it.bounds),
    ("records", |it| &mut it.records),
    ("details", |it| &mut it.details),
    ("codes", |it| &mut it.codes),
    ("all_ids", |it| &mut it.all_ids),
];

#[tokio::test]
async fn a_store_that_offers_nothing_but_ranges_passes_as_such() {
    assert_eq!(judge(NOTHING, NOTHING).await, Ok(()));
    assert_eq!(judge(Offers::default(), NOTHING).await, Ok(()));
}

#[tokio::test]
async fn what_one_store_lacks_is_not_judged_when_it_is_not_offered() {
    for (what, switch) in SWITCHES {
        let mut has = Offers::default();
        *switch(&mut has) = false;
        assert_eq!(judge(has, has).await, Ok(()), "{what}");
    }
}

#[tokio::test]
async fn what_is_offered_is_judged() {
    for (what, switch) in SWITCHES {
        let mut has = Offers::default();
        *switch(&mut has) = false;
        let broken = judge(has, Offers::default()).await;
        assert!(broken.is_err(), "{what} was not missed");
    }
}

#[tokio::test]
async fn one_thing_more_than_ranges_is_judged_alone() {
    for (what, switch) in SWITCHES {
        let mut has = NOTHING;
        *switch(&mut has) = true;
        assert_eq!(judge(has, has).await, Ok(()), "{what}");
    }
}
