use std::sync::Arc;

use mintid_core::Key;

use super::MemoryStore;
use crate::contract::{Harness, verify};
use crate::range_store::{Answer, RangeStore};

struct Memory(MemoryStore);

impl Harness for Memory {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        Box::pin(async { Ok(Arc::new(self.0.client()) as Arc<dyn RangeStore>) })
    }

    fn rewind<'a>(&'a self, key: &'a Key, value: u64) -> Option<Answer<'a, ()>> {
        Some(Box::pin(async move {
            self.0.rewind(key, value);
            Ok(())
        }))
    }

    fn wipe(&self) -> Option<Answer<'_, ()>> {
        Some(Box::pin(async {
            self.0.wipe();
            Ok(())
        }))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_memory_store_keeps_the_contract() {
    assert_eq!(verify(&Memory(MemoryStore::default())).await, Ok(()));
}
