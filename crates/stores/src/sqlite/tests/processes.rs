//! Other processes: this test program, started again.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use mintid_core::Range;

use super::folder::{Folder, open, orders, ten};
use crate::range_store::RangeStore;

/// Tells a child which file it reserves from.
const FILE: &str = "MINTID_TEST_FILE";
/// Tells a child how often.
const TIMES: &str = "MINTID_TEST_TIMES";

/// The name of the test that a child runs.
const CHILD: &str = "sqlite::tests::processes::a_process_goes_on_above_its_last_range";

/// In a child it prints each range that it was granted, and each failure; by itself it is a child
/// with a file of its own, of which no reservation may fail.
#[tokio::test]
async fn a_process_goes_on_above_its_last_range() {
    let (Ok(file), Ok(times)) = (env::var(FILE), env::var(TIMES)) else {
        let folder = Folder::new();
        let told = reserve(&folder.file(), 3).await;
        assert_eq!(told, ["granted 1 8", "granted 8 15", "granted 15 22"]);
        return;
    };
    let times = times.parse().expect("a number");
    for line in reserve(Path::new(&file), times).await {
        println!("{line}");
    }
}

async fn reserve(file: &Path, times: u32) -> Vec<String> {
    let store = open(file);
    let mut told = Vec::new();
    for _ in 0..times {
        told.push(match store.reserve(orders(7)).await {
            Ok(granted) => format!("granted {} {}", granted.range.start, granted.range.end),
            Err(error) => format!("failed {error}"),
        });
    }
    told
}

fn start(command: &mut Command, file: &Path, times: u32) -> Child {
    command
        .args(["--exact", CHILD, "--nocapture"])
        .env(FILE, file)
        .env(TIMES, times.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a child")
}

fn this_program() -> Command {
    Command::new(env::current_exe().expect("this program"))
}

/// What children printed.
#[derive(Debug, Default)]
struct Told {
    granted: Vec<Range>,
    failed: Vec<String>,
    /// Whether a range was granted after a failure.
    recovered: bool,
}

impl Told {
    fn add(&mut self, child: Child) {
        let output = child.wait_with_output().expect("a child's end");
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("text");
        for line in text.lines() {
            // The test program's own words may stand in front on the line.
            if let Some((_, range)) = line.split_once("granted ") {
                self.recovered |= !self.failed.is_empty();
                let (start, end) = range.split_once(' ').expect("two numbers");
                self.granted.push(Range {
                    start: start.parse().expect("a number"),
                    end: end.parse().expect("a number"),
                });
            } else if let Some((_, error)) = line.split_once("failed ") {
                self.failed.push(error.to_owned());
            }
        }
    }
}

#[test]
fn several_processes_share_one_file_without_gap_or_overlap() {
    let folder = Folder::new();
    let children: Vec<_> = (0..4)
        .map(|_| start(&mut this_program(), &folder.file(), 50))
        .collect();
    let mut told = Told::default();
    children.into_iter().for_each(|child| told.add(child));
    assert_eq!(told.failed, [""; 0]);
    told.granted.sort_by_key(|range| range.start);
    assert_eq!(told.granted.len(), 200);
    for (n, range) in (0..).zip(&told.granted) {
        assert_eq!((range.start, range.end), (1 + n * 7, 8 + n * 7));
    }
}

/// The limit lets the write-ahead log take some commits and no more, until it is emptied.
#[tokio::test]
async fn commits_that_the_disk_refuses_grant_nothing() {
    let folder = Folder::new();
    ten(&folder.store()).await;
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\""])
        .arg(env::current_exe().expect("this program"));
    let mut told = Told::default();
    told.add(start(&mut limited, &folder.file(), 200));

    assert_eq!(told.granted.len() + told.failed.len(), 200);
    assert!(!told.failed.is_empty(), "the limit does nothing");
    assert!(told.recovered, "no way back from a failure: {told:?}");
    for error in &told.failed {
        assert!(error.contains("ids.db"), "{error}");
    }
    let mut last = Range { start: 1, end: 11 };
    for &range in &told.granted {
        assert!(range.start >= last.end, "{last} and then {range}");
        last = range;
    }
    let after = ten(&folder.store()).await.range;
    assert!(after.start >= last.end, "{last} and then {after}");
}

/// Starts a child that file permissions bind, in a folder with `mode`: they do not bind root, so
/// that root's child is nobody.
fn start_unprivileged(folder: &Folder, mode: u32) -> Told {
    let program = folder.path().join("program");
    fs::copy(env::current_exe().expect("this program"), &program).expect("a copy");
    set_mode(&program, 0o755);
    set_mode(folder.path(), mode);
    let mut command = Command::new(&program);
    command.current_dir("/");
    if fs::metadata(&program).expect("the copy").uid() == 0 {
        command.uid(65534).gid(65534);
    }
    let mut told = Told::default();
    told.add(start(&mut command, &folder.file(), 1));
    set_mode(folder.path(), 0o755);
    told
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

#[track_caller]
fn only_failure(told: &Told, says: &str) {
    let [error] = told.failed.as_slice() else {
        panic!("one failure is due: {told:?}");
    };
    assert!(error.contains("ids.db") && error.contains(says), "{error}");
    assert_eq!(told.granted, []);
}

#[tokio::test]
async fn a_read_only_file_grants_nothing() {
    let folder = Folder::new();
    let store = folder.store();
    ten(&store).await;
    store.close().await.expect("closed");
    set_mode(&folder.lock(), 0o666);
    set_mode(&folder.file(), 0o444);
    only_failure(&start_unprivileged(&folder, 0o777), "read-only");
}

#[test]
fn a_read_only_folder_is_named_and_nothing_made_there() {
    let folder = Folder::new();
    only_failure(&start_unprivileged(&folder, 0o555), "may not be written");
    assert_eq!(folder.content(), ["program"]);
}
