//! The leases of machine ids, in the same file as the counters.
//!
//! The store's clock is that of the host, which is also that of everybody who can use the file. A
//! table that is empty was never used: nothing that was committed is lost without the whole file.

use std::collections::BTreeMap;

use mintid_core::Result;
use sqlx::{Row, SqliteConnection};

use super::place::Place;
use crate::lease_grant::{self, LeaseRecord, Standing, Table};
use crate::lease_store::{Claim, Claimed, LeaseScope, Machine, Release, Renew, Renewed};
use crate::unix_clock::now_ms;

const READ_TERMS: &str = "SELECT terms FROM mintid_lease_table WHERE scope = ?1";

const WRITE_TERMS: &str = "INSERT INTO mintid_lease_table (scope, terms) VALUES (?1, ?2)";

/// `quote` shows a time as it is kept: an integer as its digits, anything else as what it is.
const READ: &str = "
    SELECT machine, quote(deadline) || '|' || quote(ceiling) || '|' || CAST(owner AS TEXT)
    FROM mintid_lease
    WHERE scope = ?1 AND machine BETWEEN ?2 AND ?3
    ORDER BY machine";

const WRITE: &str = "
    INSERT INTO mintid_lease (scope, machine, deadline, ceiling, owner) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (scope, machine) DO UPDATE
    SET deadline = excluded.deadline, ceiling = excluded.ceiling, owner = excluded.owner";

/// Claims a machine id inside the caller's transaction.
pub(super) async fn claim(
    connection: &mut SqliteConnection,
    place: &Place,
    request: &Claim,
) -> Result<Claimed> {
    let table = Table {
        terms: read_terms(connection, place, &request.scope).await?,
        is_kept: true,
        ..Table::default()
    };
    let standings = read(connection, place, &request.scope, request.machines).await?;
    let decision = lease_grant::decide_claim(place.name(), &table, request, now_ms(), |machine| {
        standings.get(&machine).cloned().unwrap_or_default()
    })?;
    if table.terms.is_none() {
        sqlx::query(WRITE_TERMS)
            .bind(request.scope.as_str())
            .bind(&decision.terms)
            .execute(&mut *connection)
            .await
            .map_err(|error| place.sql(&error))?;
    }
    let machine = decision.claimed.machine;
    write(connection, place, &request.scope, machine, &decision.record).await?;
    Ok(decision.claimed)
}

/// Renews a lease inside the caller's transaction.
pub(super) async fn renew(
    connection: &mut SqliteConnection,
    place: &Place,
    request: &Renew,
) -> Result<Renewed> {
    let standing = read_one(connection, place, &request.scope, request.machine).await?;
    let (renewed, record) = lease_grant::decide_renew(place.name(), &standing, request, now_ms())?;
    write_any(connection, place, &request.scope, request.machine, record).await?;
    Ok(renewed)
}

/// Gives a machine id back inside the caller's transaction.
pub(super) async fn release(
    connection: &mut SqliteConnection,
    place: &Place,
    request: &Release,
) -> Result<bool> {
    let standing = read_one(connection, place, &request.scope, request.machine).await?;
    let record = lease_grant::decide_release(place.name(), &standing, request)?;
    write_any(connection, place, &request.scope, request.machine, record).await
}

/// The machine ids of `scope`.
pub(super) async fn machines(
    connection: &mut SqliteConnection,
    place: &Place,
    scope: &LeaseScope,
) -> Result<Vec<Machine>> {
    let now_ms = now_ms();
    read(connection, place, scope, (0, u32::MAX))
        .await?
        .into_iter()
        .filter_map(|(machine, standing)| {
            lease_grant::shown(place.name(), standing, scope, machine, now_ms).transpose()
        })
        .collect()
}

/// Frees a machine id by force inside the caller's transaction.
pub(super) async fn free(
    connection: &mut SqliteConnection,
    place: &Place,
    scope: &LeaseScope,
    machine: u32,
) -> Result<bool> {
    let standing = read_one(connection, place, scope, machine).await?;
    let record = lease_grant::decide_free(place.name(), &standing, scope, machine)?;
    write_any(connection, place, scope, machine, record).await
}

async fn read_terms(
    connection: &mut SqliteConnection,
    place: &Place,
    scope: &LeaseScope,
) -> Result<Option<String>> {
    let rows = sqlx::query(READ_TERMS)
        .bind(scope.as_str())
        .fetch_all(connection)
        .await
        .map_err(|error| place.sql(&error))?;
    rows.first()
        .map(|row| row.try_get(0))
        .transpose()
        .map_err(|error| place.sql(&error))
}

async fn read_one(
    connection: &mut SqliteConnection,
    place: &Place,
    scope: &LeaseScope,
    machine: u32,
) -> Result<Standing> {
    let mut found = read(connection, place, scope, (machine, machine)).await?;
    Ok(found.remove(&machine).unwrap_or_default())
}

async fn read(
    connection: &mut SqliteConnection,
    place: &Place,
    scope: &LeaseScope,
    (lowest, highest): (u32, u32),
) -> Result<BTreeMap<u32, Standing>> {
    let column = |error: sqlx::Error| place.sql(&error);
    let rows = sqlx::query(READ)
        .bind(scope.as_str())
        .bind(lowest)
        .bind(highest)
        .fetch_all(connection)
        .await
        .map_err(column)?;
    rows.iter()
        .map(|row| {
            let record: Option<String> = row.try_get(1).map_err(column)?;
            let record = record.unwrap_or_else(|| "NULL".to_owned());
            let standing = match LeaseRecord::parse(&record) {
                Some(record) => Standing::Recorded(record),
                None => Standing::Unreadable(record),
            };
            Ok((row.try_get(0).map_err(column)?, standing))
        })
        .collect()
}

async fn write_any(
    connection: &mut SqliteConnection,
    place: &Place,
    scope: &LeaseScope,
    machine: u32,
    record: Option<LeaseRecord>,
) -> Result<bool> {
    match record {
        Some(record) => write(connection, place, scope, machine, &record)
            .await
            .map(|()| true),
        None => Ok(false),
    }
}

async fn write(
    connection: &mut SqliteConnection,
    place: &Place,
    scope: &LeaseScope,
    machine: u32,
    record: &LeaseRecord,
) -> Result<()> {
    let time = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
    sqlx::query(WRITE)
        .bind(scope.as_str())
        .bind(machine)
        .bind(time(record.deadline_ms))
        .bind(time(record.ceiling_ms))
        .bind(&record.owner)
        .execute(connection)
        .await
        .map_err(|error| place.sql(&error))?;
    Ok(())
}
