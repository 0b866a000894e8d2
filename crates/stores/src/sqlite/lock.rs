use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::place::FileId;

/// How often a lock file may be replaced under a waiter before it gives up.
const MOST_REPLACEMENTS: u32 = 16;

/// The lock file, kept open between uses.
///
/// `flock` on Unix and `LockFileEx` on Windows tie the lock to this opening of the file: two
/// stores in one process exclude each other, and a process that dies lets go.
#[derive(Debug, Default)]
pub(super) struct LockFile(Option<File>);

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(super) struct Locked<'a>(&'a File);

impl LockFile {
    /// Blocks until the lock on the file that `path` names is held; makes the file if need be.
    ///
    /// A waiter may find that the file was deleted meanwhile and that others lock a new one of
    /// that name: it then moves on to the new one.
    pub(super) fn lock(&mut self, path: &Path) -> io::Result<Locked<'_>> {
        for _ in 0..MOST_REPLACEMENTS {
            let file = match self.0.take() {
                Some(file) => file,
                None => open(path)?,
            };
            lock(&file)?;
            if FileId::at(path)? == Some(FileId::of(&file.metadata()?)) {
                return Ok(Locked(self.0.insert(file)));
            }
        }
        Err(io::Error::other(format!(
            "{} was replaced {MOST_REPLACEMENTS} times while waiting for it",
            path.display()
        )))
    }
}

fn open(path: &Path) -> io::Result<File> {
    // Written to by nobody, but Windows locks only files that are open for writing.
    File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

fn lock(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        // It fails for a file that is not locked, and this one is.
        let _ = self.0.unlock();
    }
}
