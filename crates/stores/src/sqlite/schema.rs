use mintid_core::Result;
use sqlx::{Row, SqliteConnection};

use super::place::Place;

/// The version of the tables below. It has a table of its own because the file may be an
/// application's, and `PRAGMA user_version` taken.
const VERSION: i64 = 1;

/// For a segment generator its name is its key, so that both tables have a row of that name.
const TABLES: [&str; 6] = [
    "CREATE TABLE IF NOT EXISTS mintid_schema (
         version INTEGER NOT NULL
     ) STRICT",
    "CREATE TABLE IF NOT EXISTS mintid_store (
         one INTEGER PRIMARY KEY CHECK (one = 1),
         id TEXT NOT NULL
     ) STRICT",
    "CREATE TABLE IF NOT EXISTS mintid_generator (
         name TEXT NOT NULL PRIMARY KEY,
         kind TEXT NOT NULL
     ) STRICT, WITHOUT ROWID",
    // A key that was sealed before its first use has no value.
    "CREATE TABLE IF NOT EXISTS mintid_range (
         key TEXT NOT NULL PRIMARY KEY,
         value INTEGER,
         sealed INTEGER NOT NULL DEFAULT 0
     ) STRICT, WITHOUT ROWID",
    // What all who lease machine ids of a scope agree on.
    "CREATE TABLE IF NOT EXISTS mintid_lease_table (
         scope TEXT NOT NULL PRIMARY KEY,
         terms TEXT NOT NULL
     ) STRICT, WITHOUT ROWID",
    // Both times are Unix ms. A row stays when nobody holds the machine id: the ceiling is the
    // next holder's former one.
    "CREATE TABLE IF NOT EXISTS mintid_lease (
         scope TEXT NOT NULL,
         machine INTEGER NOT NULL,
         deadline INTEGER NOT NULL,
         ceiling INTEGER NOT NULL,
         owner TEXT NOT NULL,
         PRIMARY KEY (scope, machine)
     ) STRICT, WITHOUT ROWID",
];

/// Makes the tables that are missing, and refuses those of a newer mintid.
pub(super) async fn prepare(connection: &mut SqliteConnection, place: &Place) -> Result<()> {
    for table in TABLES {
        sqlx::query(table)
            .execute(&mut *connection)
            .await
            .map_err(|error| place.sql(&error))?;
    }
    match version(connection)
        .await
        .map_err(|error| place.sql(&error))?
    {
        None => {
            sqlx::query("INSERT INTO mintid_schema (version) VALUES (?1)")
                .bind(VERSION)
                .execute(&mut *connection)
                .await
                .map_err(|error| place.sql(&error))?;
            Ok(())
        }
        Some(VERSION) => Ok(()),
        Some(found) => Err(place.unusable(format!(
            "its tables have version {found}, and this mintid knows {VERSION}: use the mintid \
             that made them, or a newer one"
        ))),
    }
}

async fn version(connection: &mut SqliteConnection) -> sqlx::Result<Option<i64>> {
    let rows = sqlx::query("SELECT max(version) FROM mintid_schema")
        .fetch_all(connection)
        .await?;
    rows.first().map_or(Ok(None), |row| row.try_get(0))
}
