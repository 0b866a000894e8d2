//! From a URL to a file on a disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mintid::stores::sqlite::{SqliteOptions, SqliteStore};
use mintid::{Code, Ids, IdsOptions, ManualTimer, SegmentGenerator};

use crate::support::{fixed, refused, step};

/// A folder of its own for a test, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("mintid-engine-{}-{test}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("ids.db")
    }

    fn open(&self) -> Ids {
        let options = IdsOptions {
            jump: Some(1_000),
            ..IdsOptions::default()
        };
        Ids::with_options(&format!("sqlite:{}", self.file().display()), &options).expect("valid")
    }

    /// As a restored backup or a fresh container would.
    fn lose_the_file(&self) {
        for suffix in ["", "-wal", "-shm"] {
            let mut file = self.file().into_os_string();
            file.push(suffix);
            if Path::new(&file).exists() {
                std::fs::remove_file(file).expect("deleted");
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left of it is in a folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    mintid::runtime().block_on(future)
}

#[test]
fn threads_of_one_process_share_one_dense_counter() {
    let folder = Folder::new("threads");
    let mut ids: Vec<u64> = std::thread::scope(|scope| {
        let mint = || {
            let orders = folder
                .open()
                .segment_with("orders", &step(100))
                .expect("valid");
            block_on(async {
                let mut ids = orders.next_batch(900).await.expect("ids");
                for _ in 0..100 {
                    ids.push(orders.next().await.expect("an id"));
                }
                assert!(ids.is_sorted());
                ids
            })
        };
        // Held until all are done, so that no thread is the last and gives ids up.
        let _handle = folder
            .open()
            .segment_with("orders", &step(100))
            .expect("valid");
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(mint)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    ids.sort_unstable();
    assert_eq!(ids, (1..=8_000).collect::<Vec<_>>());
}

#[test]
fn a_counter_goes_on_above_what_was_reserved_when_it_is_opened_again() {
    let folder = Folder::new("again");
    block_on(async {
        for round in 0..3 {
            let ids = folder.open();
            let orders = ids.segment_with("orders", &fixed(10)).expect("valid");
            assert_eq!(orders.next().await.expect("an id"), 10 * round + 1);
            drop(orders);
            ids.close().await.expect("closed");
        }
    });
}

#[test]
fn a_file_that_is_lost_between_two_openings_is_noticed() {
    let folder = Folder::new("lost-between");
    block_on(async {
        let ids = folder.open();
        let orders = ids.segment_with("orders", &fixed(100)).expect("valid");
        orders.next_batch(40).await.expect("ids");
        drop(orders);
        ids.close().await.expect("closed");

        folder.lose_the_file();
        let ids = folder.open();
        let orders = ids.segment_with("orders", &fixed(100)).expect("valid");
        let id = orders.next().await.expect("the counter is raised");
        assert!((1_101..2_101).contains(&id), "{id}");
        drop(orders);
        ids.close().await.expect("closed");
    });
}

/// Uses up what is in memory.
fn drain(orders: &SegmentGenerator) {
    while orders.try_fill(&mut [0; 10]) > 0 {}
}

// Windows lets nobody delete a file that is open.
#[cfg(unix)]
#[test]
fn a_file_that_is_lost_while_it_is_open_is_noticed_and_made_anew_above_all_that_was_seen() {
    let folder = Folder::new("lost-while-open");
    let options = SqliteOptions {
        allow_network_file: false,
        busy_timeout: Duration::from_secs(2),
    };
    let store = SqliteStore::new(&folder.file(), options).expect("a path");
    let timer = Arc::new(ManualTimer::default());
    let ids = IdsOptions {
        jump: Some(1_000),
        ..IdsOptions::default()
    };
    let ids = Ids::of_store(Arc::new(store), timer.clone(), &ids).expect("valid");
    // Nothing is reserved ahead, so that whatever is in flight is what a caller waits for.
    let nothing_ahead = mintid::SegmentOptions {
        lookahead: Some(Duration::ZERO),
        ..step(100)
    };
    let orders = ids.segment_with("orders", &nothing_ahead).expect("valid");
    block_on(async {
        assert_eq!(orders.next_batch(250).await.expect("ids").len(), 250);
        folder.lose_the_file();
        drain(&orders);
        let error = refused(Code::StoreWentBack, orders.next().await);
        assert!(error.to_string().contains("ids.db"), "{error}");
        timer.advance(Duration::from_millis(100));
        let id = orders.next().await.expect("the counter is raised");
        assert!((1_301..2_301).contains(&id), "{id}");
    });
}

#[test]
fn a_file_that_cannot_be_made_is_an_error_that_names_it() {
    let folder = Folder::new("no-folder");
    let file = folder.0.join("missing").join("ids.db");
    let ids = Ids::new(&format!("sqlite:{}", file.display())).expect("nothing is opened yet");
    let orders = ids.segment("orders").expect("valid");
    block_on(async {
        let outcome = orders.next().await;
        let error = outcome.expect_err("there is no folder");
        let file = file.display().to_string();
        assert!(error.to_string().contains(&file), "{error}");
    });
}

#[test]
fn one_file_is_one_counter_however_it_is_spelled() {
    let folder = Folder::new("spelling");
    std::fs::create_dir(folder.0.join("inner")).expect("a folder");
    let path = folder.0.display();
    let open = |url: String| Ids::new(&url).expect("valid").segment("orders");
    let orders = open(format!("sqlite:{path}/ids.db")).expect("valid");
    for url in [
        format!("sqlite://{path}/ids.db"),
        format!("sqlite:{path}/./ids.db"),
        format!("sqlite:{path}/inner/../ids.db"),
    ] {
        let other = open(url.clone()).expect("valid");
        assert_eq!(other.number(), orders.number(), "{url}");
    }
    assert!(
        !folder.file().exists(),
        "nothing is opened before its first use"
    );
}
