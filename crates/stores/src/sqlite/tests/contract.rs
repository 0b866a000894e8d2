use std::sync::Arc;

use mintid_core::Key;
use sqlx::Connection;

use super::folder::Folder;
use crate::contract::{Harness, verify};
use crate::lease_contract::{LeaseHarness, verify_leases};
use crate::lease_store::LeaseScope;
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

/// Without the constraints that would keep garbage out: as another program may have made it.
const LEASES_OF_ANY_KIND: &str = "
    CREATE TABLE mintid_lease (
        scope TEXT NOT NULL, machine INTEGER NOT NULL, deadline, ceiling, owner,
        PRIMARY KEY (scope, machine)
    );";

const SPOIL: &str = "INSERT OR REPLACE INTO mintid_lease VALUES (?1, ?2, ?3, ?4, ?5)";

impl LeaseHarness for Sqlite {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        Harness::client(self)
    }

    fn waits(&self) -> bool {
        false
    }

    fn spoil<'a>(
        &'a self,
        scope: &'a LeaseScope,
        machine: u32,
        record: &'a str,
    ) -> Option<Answer<'a, ()>> {
        Some(Box::pin(async move {
            let parts: Vec<_> = record.splitn(3, '|').collect();
            let time = |at: usize| parts.get(at).and_then(|text| text.parse::<i64>().ok());
            let mut connection = self.0.connect().await;
            let spoil = sqlx::query(SPOIL).bind(scope.as_str()).bind(machine);
            let spoil = match (time(0), time(1)) {
                (Some(deadline), Some(ceiling)) => spoil.bind(deadline).bind(ceiling),
                _ => spoil.bind(parts[0]).bind(parts.get(1).copied()),
            };
            spoil
                .bind(parts.get(2).copied())
                .execute(&mut connection)
                .await
                .expect("spoilt");
            connection.close().await.expect("closed");
            Ok(())
        }))
    }

    fn wipe<'a>(&'a self, _: &'a LeaseScope) -> Option<Answer<'a, ()>> {
        Some(self.run("DELETE FROM mintid_lease_table; DELETE FROM mintid_lease;"))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sqlite_store_keeps_the_contract_of_leases() {
    let folder = Folder::new();
    folder.run(LEASES_OF_ANY_KIND).await;
    assert_eq!(verify_leases(&Sqlite(folder)).await, Ok(()));
}
