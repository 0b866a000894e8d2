use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use mintid_core::{Error, Result};

use super::filesystem;
use crate::diagnosis::Diagnosis;

/// Where the store lives, as the user named it and as an absolute path.
#[derive(Debug)]
pub(super) struct Place {
    file: PathBuf,
    lock: PathBuf,
    name: String,
}

impl Place {
    /// The place of the file at `path`, which need not exist.
    pub(super) fn new(path: &Path) -> Result<Self> {
        let refuse = |expected: String| Err(Error::config("url", path.display(), expected));
        let file = match std::path::absolute(path) {
            Ok(file) => file,
            Err(error) => return refuse(format!("expected the path of a file: {error}")),
        };
        let Some(text) = file.to_str().filter(|text| !text.contains('\0')) else {
            return refuse("expected a path in UTF-8 without NUL".to_owned());
        };
        Ok(Self {
            name: format!("sqlite:{text}"),
            lock: PathBuf::from(format!("{text}.lock")),
            file,
        })
    }

    /// The store's name, `sqlite:` and the absolute path.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The database.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The file that is locked during every use of the database.
    pub(super) fn lock(&self) -> &Path {
        &self.lock
    }

    /// Refuses a place that cannot hold the file, before anything is made there.
    pub(super) fn check(&self, allow_network_file: bool) -> Result<()> {
        let folder = self.folder();
        match fs::metadata(folder) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(self.unusable(format!("{} is no folder", folder.display()))),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(self.unusable(format!(
                    "the folder {} does not exist: make it first",
                    folder.display()
                )));
            }
            Err(error) => return Err(self.failed(format!("{}: {error}", folder.display()))),
        }
        let mut lies_on = folder;
        if let Ok(found) = fs::metadata(&self.file) {
            if !found.is_file() {
                return Err(self.unusable("it is no file".to_owned()));
            }
            lies_on = &self.file;
        }
        if allow_network_file {
            return Ok(());
        }
        let network = filesystem::network_at(lies_on).map_err(|error| self.io(&error))?;
        self.refuse_network(network)
    }

    /// What a file at this place is good for.
    pub(super) fn diagnose(&self) -> Result<Diagnosis> {
        let mut told = Diagnosis::default();
        told.fact("server", "SQLite");
        told.fact("file", self.file.display());
        told.fact(
            "persistence",
            "write-ahead log, on disk before a grant is answered",
        );
        told.ok("neither a crash nor a power cut loses a grant");
        match filesystem::network_at(&self.file).map_err(|error| self.io(&error))? {
            None => told.ok("it lies on no network file system"),
            Some(network) => told.warn(
                format!("it lies on a {network} file system, whose locks cannot be trusted"),
                "move it to a local disk, or use a server as the store",
            ),
        }
        Ok(told)
    }

    pub(super) fn refuse_network(&self, network: Option<&str>) -> Result<()> {
        match network {
            None => Ok(()),
            Some(network) => Err(self.unusable(format!(
                "it lies on a {network} file system, whose locks cannot be trusted: move it to a \
                 local disk, use a server as the store, or set allowNetworkFile"
            ))),
        }
    }

    /// Makes the database's file, empty, if there is none; `true` if it was made.
    ///
    /// Only ever called without a connection: to open a database beside SQLite and close it again
    /// would drop the locks that SQLite holds on it.
    pub(super) fn make(&self) -> io::Result<bool> {
        match fs::File::create_new(&self.file) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes a file that [`make`](Self::make) made and that holds nothing yet.
    pub(super) fn unmake(&self) {
        for suffix in ["-wal", "-shm", ""] {
            let mut path = self.file.clone().into_os_string();
            path.push(suffix);
            // What cannot be removed is an empty database: untidy, and harmless.
            let _ = fs::remove_file(path);
        }
    }

    fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }
}

/// Which file it is, whatever its name.
#[cfg(unix)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileId {
    pub(super) fn of(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            device: found.dev(),
            inode: found.ino(),
        }
    }
}

/// Windows lets nobody delete or replace a database that is open: that the path names a file at
/// all is enough.
#[cfg(not(unix))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId;

#[cfg(not(unix))]
impl FileId {
    pub(super) fn of(_: &Metadata) -> Self {
        Self
    }
}

impl FileId {
    /// The file that `path` names now; `None` if there is none.
    pub(super) fn at(path: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(path) {
            Ok(found) => Ok(Some(Self::of(&found))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}
