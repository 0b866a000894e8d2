//! Waiting for the file, and not waiting for ever.

use std::fs::{self, File};

use mintid_core::Code;

use super::folder::{Folder, failure, open_impatient, orders, ten};
use crate::range_store::RangeStore;
use crate::sqlite::lock::LockFile;

fn hold(folder: &Folder) -> File {
    let file = File::create(folder.lock()).expect("a lock file");
    file.lock().expect("locked");
    file
}

#[tokio::test]
async fn a_held_lock_file_is_named_and_costs_no_ids() {
    let folder = Folder::new();
    let store = open_impatient(&folder.file());
    let held = hold(&folder);
    for _ in 0..2 {
        let text = failure(&folder, store.reserve(orders(10)).await, Code::StoreError);
        assert!(text.contains("ids.db.lock was held for 300 ms"), "{text}");
    }
    let close = failure(&folder, store.close().await, Code::StoreError);
    assert!(close.contains("ids.db.lock"), "{close}");
    held.unlock().expect("unlocked");

    let store = folder.store();
    assert_eq!(
        ten(&store).await.range.start,
        1,
        "those who gave up took nothing"
    );
}

#[tokio::test]
async fn a_store_recovers_when_the_lock_file_is_let_go() {
    let folder = Folder::new();
    let store = open_impatient(&folder.file());
    assert_eq!(ten(&store).await.range.start, 1);
    let held = hold(&folder);
    let (a, b) = tokio::join!(store.reserve(orders(10)), store.list(String::new()));
    failure(&folder, a, Code::StoreError);
    failure(&folder, b, Code::StoreError);
    held.unlock().expect("unlocked");
    assert_eq!(ten(&store).await.range.start, 11);
}

#[tokio::test]
async fn a_database_held_by_another_program_is_busy() {
    let folder = Folder::new();
    let store = open_impatient(&folder.file());
    ten(&store).await;
    let mut other = folder.connect().await;
    sqlx::raw_sql("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .expect("begun");
    let text = failure(&folder, store.reserve(orders(10)).await, Code::StoreError);
    assert!(
        text.contains("another program holds the database"),
        "{text}"
    );
    sqlx::raw_sql("ROLLBACK")
        .execute(&mut other)
        .await
        .expect("rolled back");
    assert_eq!(ten(&store).await.range.start, 11);
}

#[tokio::test]
async fn a_new_lock_file_takes_the_place_of_a_deleted_one() {
    let folder = Folder::new();
    let store = open_impatient(&folder.file());
    ten(&store).await;
    fs::remove_file(folder.lock()).expect("deleted");
    assert_eq!(ten(&store).await.range.start, 11);
    // It is the new one that counts now.
    let _held = hold(&folder);
    failure(&folder, store.reserve(orders(10)).await, Code::StoreError);
}

#[test]
fn a_waiter_moves_on_to_the_lock_file_that_the_path_names() {
    let folder = Folder::new();
    let path = folder.lock();
    let mut waiting = LockFile::default();
    // It has the old file open, as after any earlier use.
    drop(waiting.lock(&path).expect("locked"));
    let mut first = LockFile::default();
    let held = first.lock(&path).expect("locked");
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            let locked = waiting.lock(&path).expect("locked");
            let probe = File::open(&path).expect("the lock file");
            let free = probe.try_lock().is_ok();
            drop(locked);
            free
        });
        fs::remove_file(&path).expect("deleted");
        fs::write(&path, "").expect("made anew");
        drop(held);
        assert!(
            !waiter.join().expect("no panic"),
            "the new file was not locked"
        );
    });
}
