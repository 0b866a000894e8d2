use std::sync::Arc;

use mintid_core::{Code, Result};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::options::SqliteOptions;
use super::place::{FileId, Place};
use super::schema;

/// An open database, and which file it is.
///
/// Everything here expects the lock file to be held.
#[derive(Debug)]
pub(super) struct Session {
    connection: SqliteConnection,
    file: FileId,
    place: Arc<Place>,
}

impl Session {
    /// Opens the database, which is made if there is none.
    ///
    /// # Errors
    /// Whatever keeps the file from being a store; a file made for it is gone again.
    pub(super) async fn open(
        place: &Arc<Place>,
        options: &SqliteOptions,
        page_limit: Option<u32>,
    ) -> Result<Self> {
        let made = place.make().map_err(|error| place.io(&error))?;
        let opened = Self::open_made(place, options, page_limit).await;
        if opened.is_err() && made {
            place.unmake();
        }
        opened
    }

    async fn open_made(
        place: &Arc<Place>,
        options: &SqliteOptions,
        page_limit: Option<u32>,
    ) -> Result<Self> {
        let file = Self::find(place)?;
        let connection = connect_options(place, options, page_limit)
            .connect()
            .await
            .map_err(|error| place.sql(&error))?;
        let mut session = Self {
            connection,
            file,
            place: Arc::clone(place),
        };
        // Asked again, because SQLite may have opened another file than the one found before.
        let prepared = if session.is_current()? {
            let place = Arc::clone(place);
            session
                .transaction(async |connection| schema::prepare(connection, &place).await)
                .await
        } else {
            Err(place.went_back())
        };
        match prepared {
            Ok(()) => Ok(session),
            Err(error) => {
                session.close().await;
                Err(error)
            }
        }
    }

    fn find(place: &Place) -> Result<FileId> {
        FileId::at(place.file())
            .map_err(|error| place.io(&error))?
            .ok_or_else(|| place.went_back())
    }

    /// Whether the open file is the one that the path names.
    ///
    /// As long as it is open its inode is not given to another file.
    pub(super) fn is_current(&self) -> Result<bool> {
        let found = FileId::at(self.place.file()).map_err(|error| self.place.io(&error))?;
        Ok(found == Some(self.file))
    }

    /// Runs `work` in a transaction, and believes it once that is committed.
    ///
    /// After a `STORE_ERROR` the session is to be closed: the transaction may be in any state.
    pub(super) async fn transaction<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T>,
    ) -> Result<T> {
        let place = &self.place;
        let failed = |error: sqlx::Error| place.sql(&error);
        // IMMEDIATE: a transaction that begins with a read and then finds that another program has
        // written meanwhile fails at once, whatever the busy timeout.
        let mut transaction = self
            .connection
            .begin_with("BEGIN IMMEDIATE")
            .await
            .map_err(failed)?;
        let done = work(&mut transaction).await;
        match &done {
            Ok(_) => transaction.commit().await.map_err(failed)?,
            // A refusal leaves the connection sound only if the transaction is known to be over.
            Err(error) if error.code() != Code::StoreError => {
                transaction.rollback().await.map_err(failed)?;
            }
            Err(_) => drop(transaction),
        }
        done
    }

    /// Closes the database, and waits until its files are.
    pub(super) async fn close(self) {
        // It fails if the connection's thread has ended, and then it is closed.
        let _ = self.connection.close().await;
    }
}

fn connect_options(
    place: &Place,
    options: &SqliteOptions,
    page_limit: Option<u32>,
) -> SqliteConnectOptions {
    // SQLite counts in an i32 of milliseconds, and sqlx panics beyond.
    let busy_timeout = options
        .busy_timeout
        .min(std::time::Duration::from_millis(i32::MAX as u64));
    let connect = SqliteConnectOptions::new()
        .filename(place.file())
        .journal_mode(SqliteJournalMode::Wal)
        // NORMAL loses acknowledged ranges when the power fails, and hands them out again.
        .synchronous(SqliteSynchronous::Full)
        // On macOS alone, where an ordinary sync may leave the data in the disk's cache.
        .pragma("fullfsync", "1")
        .busy_timeout(busy_timeout)
        .disable_statement_logging();
    match page_limit {
        Some(pages) => connect.pragma("max_page_count", pages.to_string()),
        None => connect,
    }
}
