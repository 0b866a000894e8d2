//! What SQLite and the system say, told with the path and the way out.

use std::io;
use std::time::Duration;

use mintid_core::Error;
use sqlx::error::DatabaseError;

use super::place::Place;

// Primary result codes of sqlite3.h; an extended code has one of them in its low byte.
const BUSY: u32 = 5;
const READONLY: u32 = 8;
const CORRUPT: u32 = 11;
const FULL: u32 = 13;
const CANTOPEN: u32 = 14;
const NOTADB: u32 = 26;

impl Place {
    /// A failure that may pass.
    pub(super) fn failed(&self, reason: impl Into<String>) -> Error {
        Error::Store {
            store: self.name().to_owned(),
            reason: reason.into(),
        }
    }

    /// A place that can never work.
    pub(super) fn unusable(&self, expected: String) -> Error {
        Error::config("url", self.name(), expected)
    }

    /// A file that is not the one which this process has been reserving from.
    pub(super) fn went_back(&self) -> Error {
        Error::StoreWentBack {
            store: self.name().to_owned(),
            reason: format!(
                "{} was replaced or deleted while it was open; the next attempt opens what is \
                 there then. A file is put in its place only while no process uses it, and \
                 without the old -wal and -shm files",
                self.file().display()
            ),
        }
    }

    /// A turn that did not come in time.
    pub(super) fn busy(&self, waited: Duration) -> Error {
        self.failed(format!(
            "busy: {} was held for {} ms by another process, or by this one",
            self.lock().display(),
            waited.as_millis()
        ))
    }

    /// What the system said about the database, the lock file or their folder.
    pub(super) fn io(&self, error: &io::Error) -> Error {
        let hint = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "the folder or the lock file may not be written: "
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full: ",
            _ => "",
        };
        self.failed(format!("{hint}{error}"))
    }

    /// What SQLite said.
    pub(super) fn sql(&self, error: &sqlx::Error) -> Error {
        let code = error.as_database_error().and_then(primary_code);
        let hint = match code {
            Some(NOTADB) => {
                return self.unusable(format!("the file is no SQLite database ({error})"));
            }
            Some(BUSY) => "busy: another program holds the database",
            Some(READONLY) => "the file or its folder is read-only",
            Some(FULL) => "the disk, or what the file may take of it, is full",
            Some(CANTOPEN) => "the file cannot be opened, or not with its -wal and -shm files",
            Some(CORRUPT) => "the file is damaged: restore it, and raise its counters",
            _ => return self.failed(error.to_string()),
        };
        self.failed(format!("{hint} ({error})"))
    }
}

fn primary_code(error: &dyn DatabaseError) -> Option<u32> {
    let extended: u32 = error.code()?.parse().ok()?;
    Some(extended & 0xFF)
}
