use std::sync::Arc;

use mintid_core::Key;
use sqlx::Connection;

use super::folder::Folder;
use crate::contract::{Harness, verify};
use crate::range_store::{Answer, RangeStore};

/// Each client has its own connection, and the faults come through yet another.
struct Sqlite(Folder);

/// Every write breaks a foreign key that SQLite looks at only when it commits.
const FAIL_COMMITS: &str = "
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER on_insert AFTER INSERT ON mintid_range
        BEGIN INSERT INTO child VALUES (1); END;
    CREATE TRIGGER on_update AFTER UPDATE ON mintid_range
        BEGIN INSERT INTO child VALUES (1); END;";

const LET_COMMITS_PASS: &str = "
    DROP TRIGGER on_insert; DROP TRIGGER on_update; DROP TABLE child; DROP TABLE parent;";

const WIPE: &str = "
    DELETE FROM mintid_store; DELETE FROM mintid_generator; DELETE FROM mintid_range;";

impl Harness for Sqlite {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        Box::pin(async { Ok(Arc::new(self.0.store()) as Arc<dyn RangeStore>) })
    }

    fn rewind<'a>(&'a self, key: &'a Key, value: u64) -> Option<Answer<'a, ()>> {
        Some(Box::pin(async move {
            let mut connection = self.0.connect().await;
            let done = sqlx::query("UPDATE mintid_range SET value = ?2 WHERE key = ?1")
                .bind(key.as_str())
                .bind(i64::try_from(value).expect("an id"))
                .execute(&mut connection)
                .await
                .expect("a rewind");
            assert_eq!(done.rows_affected(), 1);
            connection.close().await.expect("closed");
            Ok(())
        }))
    }

    fn wipe(&self) -> Option<Answer<'_, ()>> {
        Some(self.run(WIPE))
    }

    fn fail_commits(&self, fail: bool) -> Option<Answer<'_, ()>> {
        Some(self.run(if fail { FAIL_COMMITS } else { LET_COMMITS_PASS }))
    }
}

impl Sqlite {
    fn run(&self, statements: &'static str) -> Answer<'_, ()> {
        Box::pin(async move {
            self.0.run(statements).await;
            Ok(())
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sqlite_store_keeps_the_contract() {
    assert_eq!(verify(&Sqlite(Folder::new())).await, Ok(()));
}

#[tokio::test]
async fn the_sqlite_store_keeps_the_contract_on_one_thread() {
    assert_eq!(verify(&Sqlite(Folder::new())).await, Ok(()));
}
