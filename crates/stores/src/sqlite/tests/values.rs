//! What the tables may hold, whoever wrote it.

use mintid_core::Code;
use sqlx::{Connection, Row};

use super::folder::{Folder, failure, key, orders, ten};
use crate::range_store::RangeStore;

/// Tables that check nothing, as a person may have made them.
const LOOSE: &str = "
    CREATE TABLE mintid_range (key TEXT NOT NULL PRIMARY KEY, value, sealed DEFAULT 0);";

#[tokio::test]
async fn a_value_that_is_no_id_is_named_and_left_alone() {
    let rows = [
        ("INSERT INTO mintid_range VALUES ('orders', -5, 0)", "-5"),
        ("INSERT INTO mintid_range VALUES ('orders', 1.5, 0)", "1.5"),
        ("INSERT INTO mintid_range VALUES ('orders', 7.0, 0)", "7.0"),
        ("INSERT INTO mintid_range VALUES ('orders', '7', 0)", "'7'"),
        (
            "INSERT INTO mintid_range VALUES ('orders', 'abc', 0)",
            "'abc'",
        ),
        (
            "INSERT INTO mintid_range VALUES ('orders', x'07', 0)",
            "X'07'",
        ),
        (
            "INSERT INTO mintid_range VALUES ('orders', 9e18 * 10, 0)",
            "9.0e+19",
        ),
    ];
    for (insert, shown) in rows {
        let folder = Folder::new();
        folder.run(LOOSE).await;
        folder.run(insert).await;
        let store = folder.store();
        let says = format!("the value of \"orders\" in mintid_range is {shown}");
        let reserved = store.reserve(orders(10)).await;
        let text = failure(&folder, reserved, Code::StoreError);
        assert!(text.contains(&says), "{text}");
        let floored = store.floor(key("orders"), 100).await;
        let text = failure(&folder, floored, Code::StoreError);
        assert!(text.contains(&says), "{text}");
        let text = failure(&folder, store.list(String::new()).await, Code::StoreError);
        assert!(text.contains(&says), "{text}");

        let mut connection = folder.connect().await;
        let rows = sqlx::query("SELECT quote(value) FROM mintid_range")
            .fetch_all(&mut connection)
            .await
            .expect("the row");
        assert_eq!(rows[0].get::<String, _>(0), shown);
        connection.close().await.expect("closed");
    }
}

#[tokio::test]
async fn a_counter_at_the_end_of_what_sqlite_holds_is_exhausted() {
    let folder = Folder::new();
    let store = folder.store();
    ten(&store).await;
    folder
        .run("UPDATE mintid_range SET value = 9223372036854775807")
        .await;
    let error = store.reserve(orders(1)).await.expect_err("exhausted");
    assert_eq!(error.code(), Code::RangeExhausted);
}

#[tokio::test]
async fn a_generator_of_another_kind_is_a_mismatch() {
    let folder = Folder::new();
    let store = folder.store();
    ten(&store).await;
    folder
        .run("UPDATE mintid_generator SET kind = 'periodic'")
        .await;
    let text = failure(
        &folder,
        store.reserve(orders(10)).await,
        Code::LayoutMismatch,
    );
    assert!(text.contains("a periodic generator"), "{text}");
}

#[tokio::test]
async fn tables_of_a_newer_version_are_refused() {
    let folder = Folder::new();
    let store = folder.store();
    ten(&store).await;
    store.close().await.expect("closed");
    folder.run("UPDATE mintid_schema SET version = 99").await;
    let text = failure(&folder, folder.store().connect().await, Code::ConfigInvalid);
    assert!(text.contains("version 99"), "{text}");
}

#[tokio::test]
async fn the_tables_live_beside_an_applications_own() {
    let folder = Folder::new();
    folder
        .run("PRAGMA user_version = 42; CREATE TABLE orders (id INTEGER PRIMARY KEY);")
        .await;
    assert_eq!(ten(&folder.store()).await.range.start, 1);
    let mut connection = folder.connect().await;
    let rows = sqlx::query("PRAGMA user_version")
        .fetch_all(&mut connection)
        .await
        .expect("a version");
    assert_eq!(rows[0].get::<i64, _>(0), 42);
}

/// FULL is 2: NORMAL loses acknowledged ranges when the power fails.
#[tokio::test]
async fn every_commit_reaches_the_disk_through_the_write_ahead_log() {
    let folder = Folder::new();
    let store = folder.store();
    let modes = store.transact(async |connection, place| {
        let mut modes = Vec::new();
        for pragma in [
            "SELECT journal_mode FROM pragma_journal_mode",
            "SELECT CAST(synchronous AS TEXT) FROM pragma_synchronous",
        ] {
            let rows = sqlx::query(pragma)
                .fetch_all(&mut *connection)
                .await
                .map_err(|error| place.sql(&error))?;
            modes.push(rows[0].get::<String, _>(0));
        }
        Ok(modes)
    });
    assert_eq!(modes.await.expect("two modes"), ["wal", "2"]);
}
