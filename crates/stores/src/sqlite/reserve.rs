use mintid_core::{Key, Result};
use sqlx::{Row, SqliteConnection};

use super::place::Place;
use crate::grant::{self, Remembered};
use crate::range_store::{Granted, Reserve, StoreId};

/// `quote` shows a value as it is kept: an integer as its digits, anything else as what it is.
const READ: &str = "
    SELECT
        (SELECT id FROM mintid_store),
        (SELECT kind FROM mintid_generator WHERE name = ?1),
        quote(value),
        coalesce(sealed, 0) <> 0
    FROM (SELECT 1) LEFT JOIN mintid_range ON key = ?1";

const WRITE_STORE_ID: &str = "INSERT INTO mintid_store (one, id) VALUES (1, ?1)";

const WRITE_RECORD: &str = "INSERT INTO mintid_generator (name, kind) VALUES (?1, ?2)";

const WRITE_VALUE: &str = "
    INSERT INTO mintid_range (key, value) VALUES (?1, ?2)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/// Reads, decides and writes one reservation inside the caller's transaction.
pub(super) async fn reserve(
    connection: &mut SqliteConnection,
    place: &Place,
    request: &Reserve,
) -> Result<Granted> {
    let remembered = read(connection, place, &request.key).await?;
    let granted = grant::decide(place.name(), &remembered, request, StoreId::fresh)?;
    write(connection, request, &remembered, &granted)
        .await
        .map_err(|error| place.sql(&error))?;
    Ok(granted)
}

async fn write(
    connection: &mut SqliteConnection,
    request: &Reserve,
    remembered: &Remembered,
    granted: &Granted,
) -> sqlx::Result<()> {
    let key = request.key.as_str();
    if remembered.store_id.is_none() {
        sqlx::query(WRITE_STORE_ID)
            .bind(granted.store_id.as_str())
            .execute(&mut *connection)
            .await?;
    }
    if remembered.record.is_none() {
        sqlx::query(WRITE_RECORD)
            .bind(key)
            .bind(request.record.as_str())
            .execute(&mut *connection)
            .await?;
    }
    write_value(connection, key, granted.range.last()).await
}

/// What is remembered of `key`.
pub(super) async fn read(
    connection: &mut SqliteConnection,
    place: &Place,
    key: &Key,
) -> Result<Remembered> {
    // To its end: the statement is not over before.
    let rows = sqlx::query(READ)
        .bind(key.as_str())
        .fetch_all(connection)
        .await
        .map_err(|error| place.sql(&error))?;
    let [row] = rows.as_slice() else {
        return Err(place.failed(format!("{} answers to one question", rows.len())));
    };
    let column = |error: sqlx::Error| place.sql(&error);
    let store_id: Option<String> = row.try_get(0).map_err(column)?;
    let value: String = row.try_get(2).map_err(column)?;
    Ok(Remembered {
        store_id: store_id.map(StoreId::new),
        record: row.try_get(1).map_err(column)?,
        value: parse_value(place, key.as_str(), &value)?,
        sealed: row.try_get(3).map_err(column)?,
    })
}

/// The counter that SQLite quotes as `text`; `None` for NULL.
pub(super) fn parse_value(place: &Place, key: &str, text: &str) -> Result<Option<u64>> {
    if text == "NULL" {
        return Ok(None);
    }
    // Digits only: a REAL has a point, a text its quotes, and a u64 no sign.
    text.parse().map(Some).map_err(|_| {
        place.failed(format!(
            "the value of \"{key}\" in mintid_range is {text}, which is no id: set it to the \
             highest id in use"
        ))
    })
}

/// Sets the counter of `key`, known or not.
pub(super) async fn write_value(
    connection: &mut SqliteConnection,
    key: &str,
    value: u64,
) -> sqlx::Result<()> {
    sqlx::query(WRITE_VALUE)
        .bind(key)
        .bind(i64::try_from(value).expect("an id is at most 2^63 - 2"))
        .execute(connection)
        .await?;
    Ok(())
}
