//! Where the file is, and what becomes of it.

use std::fs;

use mintid_core::{Code, Range};

use super::folder::{Folder, failure, key, open, orders, ten};
use crate::range_store::{Granted, Raise, RangeStore, Reserve};
use crate::sqlite::SqliteStore;
use crate::sqlite::filesystem::{network_at, network_name};
use crate::sqlite::place::Place;

#[tokio::test]
async fn nothing_is_made_before_the_first_call_and_four_files_are_then() {
    let folder = Folder::new();
    let store = folder.store();
    assert_eq!(folder.content(), [""; 0]);
    ten(&store).await;
    assert_eq!(
        folder.content(),
        ["ids.db", "ids.db-shm", "ids.db-wal", "ids.db.lock"]
    );
    store.close().await.expect("closed");
    assert_eq!(folder.content(), ["ids.db", "ids.db.lock"]);
}

#[tokio::test]
async fn counters_outlive_their_store() {
    let folder = Folder::new();
    let first = folder.store();
    let before = ten(&first).await;
    first.close().await.expect("closed");
    let after = ten(&folder.store()).await;
    assert_eq!(after.range, Range { start: 11, end: 21 });
    assert_eq!(after.store_id, before.store_id);
}

#[tokio::test]
async fn a_path_may_hold_any_character() {
    let folder = Folder::new();
    let path = folder.path().join("file: ids 100%?mode=ro#订单.db");
    ten(&open(&path)).await;
    assert!(path.is_file());
    assert_eq!(ten(&open(&path)).await.range.start, 11);
}

#[test]
fn a_path_that_names_no_file_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for path in [
        "".as_ref(),
        OsStr::from_bytes(b"ids\xff.db"),
        "a\0b".as_ref(),
    ] {
        let options = crate::sqlite::SqliteOptions {
            allow_network_file: false,
            busy_timeout: std::time::Duration::from_secs(1),
        };
        let error = SqliteStore::new(path.as_ref(), options).expect_err("no path");
        assert_eq!(error.code(), Code::ConfigInvalid, "{error}");
    }
}

#[tokio::test]
async fn a_missing_folder_is_named_and_not_made() {
    let folder = Folder::new();
    let missing = folder.path().join("data");
    let answer = open(&missing.join("ids.db")).connect().await;
    let text = failure(&folder, answer, Code::ConfigInvalid);
    let says = format!("the folder {} does not exist", missing.display());
    assert!(text.contains(&says), "{text}");
    assert_eq!(folder.content(), [""; 0]);
}

#[tokio::test]
async fn a_folder_is_no_file() {
    let folder = Folder::new();
    fs::create_dir(folder.file()).expect("a folder");
    let answer = folder.store().reserve(orders(10)).await;
    let text = failure(&folder, answer, Code::ConfigInvalid);
    assert!(text.contains("it is no file"), "{text}");
    assert_eq!(folder.content(), ["ids.db"]);
}

#[tokio::test]
async fn a_file_in_place_of_the_folder_is_named() {
    let folder = Folder::new();
    fs::write(folder.path().join("data"), "").expect("a file");
    let answer = open(&folder.path().join("data/ids.db")).connect().await;
    let text = failure(&folder, answer, Code::ConfigInvalid);
    assert!(text.contains("data is no folder"), "{text}");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_as_it_is() {
    let folder = Folder::new();
    let text = "not a database, but somebody's notes\n".repeat(100);
    fs::write(folder.file(), &text).expect("a file");
    let answer = folder.store().reserve(orders(10)).await;
    let says = failure(&folder, answer, Code::ConfigInvalid);
    assert!(says.contains("no SQLite database"), "{says}");
    assert_eq!(
        fs::read_to_string(folder.file()).expect("still there"),
        text
    );
}

/// SQLite takes a file whose header asks for a newer writer as one that may only be read.
#[tokio::test]
async fn a_file_that_sqlite_may_not_write_grants_nothing() {
    let folder = Folder::new();
    let store = folder.store();
    ten(&store).await;
    store.close().await.expect("closed");
    let mut bytes = fs::read(folder.file()).expect("the database");
    bytes[18] = 3;
    fs::write(folder.file(), &bytes).expect("written");
    let text = failure(&folder, store_again(&folder).await, Code::StoreError);
    assert!(text.contains("read-only"), "{text}");
    bytes[18] = 2;
    fs::write(folder.file(), &bytes).expect("written");
    assert_eq!(ten(&folder.store()).await.range.start, 11);
}

async fn store_again(folder: &Folder) -> mintid_core::Result<Granted> {
    folder.store().reserve(orders(10)).await
}

#[tokio::test]
async fn a_full_disk_grants_nothing_and_leaves_the_counters_in_order() {
    let folder = Folder::new();
    let store = folder.store().with_page_limit(12);
    let wide = |n: u32| Reserve {
        key: key(&format!("{}{n:03}", "k".repeat(120))),
        ..orders(10)
    };
    let mut granted = 0;
    let full = loop {
        match store.reserve(wide(granted)).await {
            Ok(answer) => assert_eq!(answer.range, Range { start: 1, end: 11 }),
            Err(error) => break Err::<(), _>(error),
        }
        granted += 1;
        assert!(granted < 1000, "the limit does nothing");
    };
    let text = failure(&folder, full, Code::StoreError);
    assert!(text.contains("is full"), "{text}");
    assert!(granted > 0);
    for _ in 0..3 {
        let again = store.reserve(wide(granted)).await;
        failure(&folder, again, Code::StoreError);
    }
    store.close().await.expect("closed");

    let roomy = folder.store();
    let counters = roomy.list(String::new()).await.expect("a list");
    assert_eq!(counters.len(), granted as usize);
    assert!(
        counters.iter().all(|it| it.value == Some(10)),
        "{counters:?}"
    );
    let first = roomy.reserve(wide(granted)).await.expect("room again");
    assert_eq!(first.range, Range { start: 1, end: 11 });
}

#[tokio::test]
async fn a_disk_too_full_for_the_tables_is_left_without_a_half_made_file() {
    let folder = Folder::new();
    let answer = folder.store().with_page_limit(2).connect().await;
    let text = failure(&folder, answer, Code::StoreError);
    assert!(text.contains("is full"), "{text}");
    assert_eq!(folder.content(), ["ids.db.lock"]);
    assert_eq!(ten(&folder.store()).await.range.start, 1);
}

#[tokio::test]
async fn a_file_deleted_while_open_is_noticed_and_its_counter_repaired() {
    let folder = Folder::new();
    let store = folder.store();
    let before = ten(&store).await;
    fs::remove_file(folder.file()).expect("deleted");
    let seen = Reserve {
        store_id: Some(before.store_id.clone()),
        floor: Some(10),
        ..orders(10)
    };
    let text = failure(
        &folder,
        store.reserve(seen.clone()).await,
        Code::StoreWentBack,
    );
    assert!(text.contains("was replaced or deleted"), "{text}");

    let unseen = Reserve {
        key: key("bills"),
        floor: None,
        ..seen.clone()
    };
    let text = failure(&folder, store.reserve(unseen).await, Code::StoreWentBack);
    assert!(text.contains("has lost its id"), "{text}");

    let repaired = store
        .reserve(Reserve {
            raise_to: Some(1000),
            ..seen
        })
        .await
        .expect("repaired");
    assert_eq!(repaired.range.start, 1001);
    assert_eq!(repaired.raised, Some(Raise { from: 0, to: 1000 }));
    assert_eq!(repaired.store_id, before.store_id);
}

/// Puts the file of another store, which has granted ten ids too, in the place of this one.
async fn replace(folder: &Folder) {
    let path = folder.path().join("other.db");
    let other = open(&path);
    ten(&other).await;
    other.close().await.expect("closed");
    fs::rename(&path, folder.file()).expect("replaced");
}

fn with_all_seen(before: Granted) -> Reserve {
    Reserve {
        store_id: Some(before.store_id),
        floor: Some(before.range.last()),
        raise_to: Some(1000),
        ..orders(10)
    }
}

#[tokio::test]
async fn a_file_replaced_while_open_is_noticed_and_not_taken_for_the_first() {
    let folder = Folder::new();
    let store = folder.store();
    let seen = with_all_seen(ten(&store).await);
    replace(&folder).await;
    for left in ["ids.db-wal", "ids.db-shm"] {
        fs::remove_file(folder.path().join(left)).expect("deleted");
    }
    failure(
        &folder,
        store.list(String::new()).await,
        Code::StoreWentBack,
    );
    let text = failure(&folder, store.reserve(seen).await, Code::StoreWentBack);
    assert!(text.contains("replaced by another store"), "{text}");
}

/// SQLite takes the log that was left for the new file's own, and what comes of it is anybody's
/// guess, save that no id is granted again.
#[tokio::test]
async fn a_file_replaced_beside_the_old_log_grants_no_id_again() {
    let folder = Folder::new();
    let store = folder.store();
    let before = ten(&store).await;
    let floor = before.range.last();
    let seen = with_all_seen(before);
    replace(&folder).await;
    failure(
        &folder,
        store.reserve(seen.clone()).await,
        Code::StoreWentBack,
    );
    if let Ok(granted) = store.reserve(seen).await {
        assert!(granted.range.start > floor, "{granted:?}");
    }
}

#[tokio::test]
async fn a_folder_deleted_while_open_is_noticed_and_then_missed() {
    let folder = Folder::new();
    let inner = folder.path().join("data");
    fs::create_dir(&inner).expect("a folder");
    let store = open(&inner.join("ids.db"));
    ten(&store).await;
    fs::remove_dir_all(&inner).expect("deleted");
    failure(&folder, store.reserve(orders(1)).await, Code::StoreWentBack);
    failure(&folder, store.reserve(orders(1)).await, Code::ConfigInvalid);
}

#[test]
fn network_file_systems_are_known_by_their_magic() {
    let remote = [
        (0x6969, "NFS"),
        (0xFF53_4D42, "SMB"),
        (0xFE53_4D42, "SMB"),
        (0x517B, "SMB"),
        (0x5346_414F, "AFS"),
        (0x0102_1997, "9P"),
        (0x00C3_6400, "Ceph"),
    ];
    for (magic, name) in remote {
        assert_eq!(network_name(magic), Some(name), "{magic:#x}");
    }
    let local = [
        ("ext4", 0xEF53),
        ("xfs", 0x5846_5342),
        ("btrfs", 0x9123_683E),
        ("tmpfs", 0x0102_1994),
        ("overlay", 0x794C_7630),
        ("zfs", 0x2FC1_2FC1),
        ("fuse", 0x6573_5546),
    ];
    for (name, magic) in local {
        assert_eq!(network_name(magic), None, "{name}");
    }
}

#[test]
fn a_place_is_asked_which_file_system_it_lies_on() {
    let folder = Folder::new();
    let place = Place::new(&folder.file()).expect("a path");
    let network = network_at(folder.path()).expect("a file system");
    assert_eq!(place.check(false).is_err(), network.is_some());
    assert!(place.check(true).is_ok());
}

#[test]
fn a_network_file_system_is_refused_by_name() {
    let place = Place::new("/mnt/share/ids.db".as_ref()).expect("a path");
    assert!(place.refuse_network(None).is_ok());
    let error = place.refuse_network(Some("NFS")).expect_err("refused");
    assert_eq!(error.code(), Code::ConfigInvalid);
    for says in ["/mnt/share/ids.db", "NFS", "allowNetworkFile"] {
        assert!(error.to_string().contains(says), "{error}");
    }
}
