//! What is done to counters beside reserving.
//!
//! None of it writes a store id: a counter that a person raises in a wiped store must not turn it
//! into another store for the processes that knew it.

use mintid_core::{Key, Result};
use sqlx::{Row, SqliteConnection};

use super::place::Place;
use super::reserve::{parse_value, read, write_value};
use crate::grant;
use crate::range_store::Counter;

const SEAL: &str = "
    INSERT INTO mintid_range (key, sealed) VALUES (?1, 1)
    ON CONFLICT (key) DO UPDATE SET sealed = 1";

const LIST: &str = "
    SELECT key, quote(value), sealed <> 0 FROM mintid_range
    WHERE key >= ?1 AND substr(key, 1, length(?1)) = ?1
    ORDER BY key";

/// Seals `key` inside the caller's transaction.
pub(super) async fn seal(
    connection: &mut SqliteConnection,
    place: &Place,
    key: &Key,
) -> Result<bool> {
    if read(connection, place, key).await?.sealed {
        return Ok(false);
    }
    sqlx::query(SEAL)
        .bind(key.as_str())
        .execute(connection)
        .await
        .map_err(|error| place.sql(&error))?;
    Ok(true)
}

/// Raises the counter of `key` inside the caller's transaction.
pub(super) async fn floor(
    connection: &mut SqliteConnection,
    place: &Place,
    key: &Key,
    value: u64,
) -> Result<bool> {
    let remembered = read(connection, place, key).await?;
    let raises = grant::decide_floor(&remembered, key, value)?;
    if raises {
        write_value(connection, key.as_str(), value)
            .await
            .map_err(|error| place.sql(&error))?;
    }
    Ok(raises)
}

/// The counters whose keys begin with `prefix`.
pub(super) async fn list(
    connection: &mut SqliteConnection,
    place: &Place,
    prefix: &str,
) -> Result<Vec<Counter>> {
    let column = |error: sqlx::Error| place.sql(&error);
    let rows = sqlx::query(LIST)
        .bind(prefix)
        .fetch_all(connection)
        .await
        .map_err(column)?;
    rows.iter()
        .map(|row| {
            let key: String = row.try_get(0).map_err(column)?;
            let value: String = row.try_get(1).map_err(column)?;
            Ok(Counter {
                value: parse_value(place, &key, &value)?,
                sealed: row.try_get(2).map_err(column)?,
                key,
            })
        })
        .collect()
}
