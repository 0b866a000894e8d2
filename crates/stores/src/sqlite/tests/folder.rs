use std::path::{Path, PathBuf};
use std::time::Duration;

use mintid_core::range::MAX_ID;
use mintid_core::{Code, Error, Key, Name, Namespace, Result};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::range_store::{Granted, RangeStore, Record, Reserve, StoreId};
use crate::sqlite::{SqliteOptions, SqliteStore};

/// A folder for one test's files, removed with it.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        let name = format!("mintid-stores-{}", StoreId::fresh().as_str());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).expect("a folder for the test");
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn file(&self) -> PathBuf {
        self.0.join("ids.db")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.0.join("ids.db.lock")
    }

    pub(super) fn store(&self) -> SqliteStore {
        open(&self.file())
    }

    /// The names of what is in it.
    pub(super) fn content(&self) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(&self.0)
            .expect("the test's folder")
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.into_string().expect("a plain name"))
            .collect();
        names.sort();
        names
    }

    /// Another program's connection to the file.
    pub(super) async fn connect(&self) -> SqliteConnection {
        SqliteConnectOptions::new()
            .filename(self.file())
            .create_if_missing(true)
            .connect()
            .await
            .expect("the test's own connection")
    }

    /// Runs another program's statements on the file.
    pub(super) async fn run(&self, statements: &'static str) {
        let mut connection = self.connect().await;
        sqlx::raw_sql(statements)
            .execute(&mut connection)
            .await
            .expect(statements);
        connection.close().await.expect("closed");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over lies among the temporary files of the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Long enough for a slow machine; tests of waiting have their own.
const PATIENT: SqliteOptions = SqliteOptions {
    allow_network_file: true,
    busy_timeout: Duration::from_secs(30),
};

pub(super) fn open(path: &Path) -> SqliteStore {
    SqliteStore::new(path, PATIENT).expect("a path in UTF-8")
}

pub(super) fn open_impatient(path: &Path) -> SqliteStore {
    let options = SqliteOptions {
        busy_timeout: Duration::from_millis(300),
        ..PATIENT
    };
    SqliteStore::new(path, options).expect("a path in UTF-8")
}

pub(super) fn key(name: &str) -> Key {
    Namespace::default().segment_key(&Name::new(name).expect("a plain name"))
}

pub(super) fn orders(size: u64) -> Reserve {
    Reserve {
        key: key("orders"),
        size,
        initial_offset: 1,
        max: MAX_ID,
        floor: None,
        raise_to: None,
        jump: 1 << 24,
        may_create: true,
        store_id: None,
        record: Record::Segment,
        patience: std::time::Duration::from_secs(3),
    }
}

/// Ten ids of `orders`.
pub(super) async fn ten(store: &SqliteStore) -> Granted {
    store.reserve(orders(10)).await.expect("ten ids")
}

/// The failure of `answer`, which has `code` and names the file.
#[track_caller]
pub(super) fn failure<T: std::fmt::Debug>(
    folder: &Folder,
    answer: Result<T>,
    code: Code,
) -> String {
    let error: Error = answer.expect_err("a failure");
    let text = error.to_string();
    assert_eq!(error.code(), code, "{text}");
    let path = folder.path().to_str().expect("a plain path");
    assert!(text.contains(path), "{text} does not name {path}");
    text
}
