use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mintid_core::{Code, Error, Key, Result};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::time::{Instant, timeout_at};

use super::lock::LockFile;
use super::options::SqliteOptions;
use super::place::Place;
use super::session::Session;
use super::{counters, leases, reserve};
use crate::lease_store::{
    Claim, Claimed, LeaseScope, LeaseStore, Machine, Release, Renew, Renewed,
};
use crate::range_store::{Answer, Counter, Diagnosis, Granted, RangeStore, Reserve};

/// Ranges from one SQLite file.
///
/// Nothing is opened before the first call, which makes the file if there is none. Calls must run
/// on a tokio runtime with time enabled: each borrows one of its threads for blocking work, and no
/// more than one of a store's calls does so at any moment.
///
/// ```
/// use std::path::Path;
/// use std::time::Duration;
/// use mintid_stores::RangeStore;
/// use mintid_stores::sqlite::{SqliteOptions, SqliteStore};
///
/// let options = SqliteOptions {
///     allow_network_file: false,
///     busy_timeout: Duration::from_secs(2),
/// };
/// let store = SqliteStore::new(Path::new("ids.db"), options)?;
/// assert!(store.name().starts_with("sqlite:") && store.name().ends_with("ids.db"));
/// # Ok::<(), mintid_core::Error>(())
/// ```
#[derive(Debug)]
pub struct SqliteStore {
    file: SharedFile,
    seat: Arc<Mutex<Seat>>,
}

/// What a call needs to know on whichever thread it runs.
#[derive(Debug, Clone)]
struct SharedFile {
    place: Arc<Place>,
    options: SqliteOptions,
    page_limit: Option<u32>,
    closed: Arc<OnceLock<()>>,
}

/// What one call at a time may use, from its turn to its end.
#[derive(Debug, Default)]
struct Seat {
    lock: LockFile,
    session: Option<Session>,
}

/// How long a call waits for its turn.
#[derive(Debug, Clone, Copy)]
struct Patience {
    limit: Duration,
    deadline: Instant,
}

impl Patience {
    fn new(limit: Duration) -> Self {
        Self {
            limit,
            deadline: Instant::now() + limit,
        }
    }
}

impl SqliteStore {
    /// The store in the file at `path`, which is made absolute.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for a path that is empty or not UTF-8.
    pub fn new(path: &Path, options: SqliteOptions) -> Result<Self> {
        Ok(Self {
            file: SharedFile {
                place: Arc::new(Place::new(path)?),
                options,
                page_limit: None,
                closed: Arc::default(),
            },
            seat: Arc::default(),
        })
    }

    /// Lets the file grow to `pages` pages and no further: a full disk, for tests.
    pub fn with_page_limit(mut self, pages: u32) -> Self {
        self.file.page_limit = Some(pages);
        self
    }

    /// Runs `work` in a transaction on the file that the path names, while no one else uses it.
    pub(super) async fn transact<T, W>(&self, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: AsyncFnOnce(&mut sqlx::SqliteConnection, &Place) -> Result<T> + Send + 'static,
    {
        self.transact_within(self.file.options.busy_timeout, work)
            .await
    }

    /// As [`transact`](Self::transact), for a caller that waits no longer than `patience`.
    async fn transact_within<T, W>(&self, patience: Duration, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: AsyncFnOnce(&mut sqlx::SqliteConnection, &Place) -> Result<T> + Send + 'static,
    {
        self.file.check_open()?;
        let patience = Patience::new(self.file.options.busy_timeout.min(patience));
        let seat = self.sit(patience).await?;
        let file = self.file.clone();
        self.run(seat, patience, async move |seat| {
            // Closed while this call waited for its turn.
            file.check_open()?;
            let session = file.session(seat).await?;
            let done = session
                .transaction(async |connection| work(connection, &file.place).await)
                .await;
            // SQLite may have rolled back by itself, and sqlx would go on counting a transaction.
            if matches!(&done, Err(error) if error.code() == Code::StoreError) {
                seat.leave().await;
            }
            done
        })
        .await
    }

    /// Waits for the other calls of this store.
    async fn sit(&self, patience: Patience) -> Result<OwnedMutexGuard<Seat>> {
        timeout_at(patience.deadline, Arc::clone(&self.seat).lock_owned())
            .await
            .map_err(|_| self.file.busy(patience))
    }

    /// Runs `work` under the lock file, unless that is not to be had before the deadline.
    ///
    /// The lock and the work have one blocking thread from start to end: whether the caller waits
    /// or has gone, the lock is held until the transaction is over. A caller that has gone before
    /// the lock was had reserves nothing.
    async fn run<T, W>(
        &self,
        mut seat: OwnedMutexGuard<Seat>,
        patience: Patience,
        work: W,
    ) -> Result<T>
    where
        T: Send + 'static,
        W: AsyncFnOnce(&mut Seat) -> Result<T> + Send + 'static,
    {
        let (at_turn, mut turn) = oneshot::channel();
        let (reply, answer) = oneshot::channel();
        let file = self.file.clone();
        let runtime = Handle::current();
        tokio::task::spawn_blocking(move || {
            let done = runtime.block_on(seat.under_lock(&file, patience, at_turn, work));
            // First the seat, so that whoever has the answer finds it free.
            drop(seat);
            // The caller may have gone.
            let _ = reply.send(done);
        });
        if timeout_at(patience.deadline, &mut turn).await.is_err() {
            // From here on the turn cannot be taken any more; it may have been at the last moment.
            turn.close();
            if turn.try_recv().is_err() {
                return Err(self.file.busy(patience));
            }
        }
        answer.await.unwrap_or_else(|_| {
            Err(self
                .file
                .place
                .failed("the call broke off without an answer"))
        })
    }
}

impl SharedFile {
    fn check_open(&self) -> Result<()> {
        match self.closed.get() {
            None => Ok(()),
            Some(()) => Err(Error::Closed {
                name: self.place.name().to_owned(),
            }),
        }
    }

    fn busy(&self, patience: Patience) -> Error {
        self.place.busy(patience.limit)
    }

    /// The open database; refused, and let go of, if the path names another file by now.
    async fn session<'a>(&self, seat: &'a mut Seat) -> Result<&'a mut Session> {
        if let Some(session) = &seat.session
            && !session.is_current()?
        {
            seat.leave().await;
            return Err(self.place.went_back());
        }
        if seat.session.is_none() {
            let opened = Session::open(&self.place, &self.options, self.page_limit).await?;
            seat.session = Some(opened);
        }
        Ok(seat.session.as_mut().expect("it was opened just now"))
    }
}

impl Seat {
    /// Takes the lock, tells `at_turn`, and works if that is still wanted.
    async fn under_lock<T>(
        &mut self,
        file: &SharedFile,
        patience: Patience,
        at_turn: oneshot::Sender<()>,
        work: impl AsyncFnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if self.session.is_none() {
            file.place.check(file.options.allow_network_file)?;
        }
        // Out of the seat for as long as it is held, because the work has the rest of it.
        let mut lock = std::mem::take(&mut self.lock);
        let done = match lock.lock(file.place.lock()) {
            Ok(_locked) if at_turn.send(()).is_ok() => work(self).await,
            Ok(_locked) => Err(file.busy(patience)),
            Err(error) => Err(self.without_lock(file, &error).await),
        };
        self.lock = lock;
        done
    }

    /// What it means that the lock file cannot be had: if the folder is gone, the database is.
    async fn without_lock(&mut self, file: &SharedFile, error: &std::io::Error) -> Error {
        match &self.session {
            Some(session) if matches!(session.is_current(), Ok(false)) => {
                self.leave().await;
                file.place.went_back()
            }
            _ => file.place.io(error),
        }
    }

    /// Lets go of the database.
    async fn leave(&mut self) {
        if let Some(session) = self.session.take() {
            session.close().await;
        }
    }
}

impl RangeStore for SqliteStore {
    fn name(&self) -> &str {
        self.file.place.name()
    }

    fn connect(&self) -> Answer<'_, ()> {
        Box::pin(self.transact(async |_, _| Ok(())))
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(
            self.transact_within(turn(request.patience), async move |connection, place| {
                reserve::reserve(connection, place, &request).await
            }),
        )
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        Box::pin(
            self.transact(async move |connection, place| {
                counters::seal(connection, place, &key).await
            }),
        )
    }

    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
        Box::pin(self.transact(async move |connection, place| {
            counters::list(connection, place, &prefix).await
        }))
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        Box::pin(self.transact(async move |connection, place| {
            counters::floor(connection, place, &key, value).await
        }))
    }

    fn leases(&self) -> Option<&dyn LeaseStore> {
        Some(self)
    }

    fn diagnose(&self) -> Answer<'_, Diagnosis> {
        Box::pin(async {
            self.connect().await?;
            self.file.place.diagnose()
        })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.file.closed.get_or_init(|| ());
            let patience = Patience::new(self.file.options.busy_timeout);
            let seat = self.sit(patience).await?;
            if seat.session.is_none() {
                return Ok(());
            }
            let left = self.run(seat, patience, async |seat| {
                seat.leave().await;
                Ok(())
            });
            match left.await {
                // Where the file is gone there is nothing to leave in order, and nothing is open.
                Err(Error::StoreWentBack { .. }) => Ok(()),
                left => left,
            }
        })
    }
}

impl LeaseStore for SqliteStore {
    fn claim(&self, request: Claim) -> Answer<'_, Claimed> {
        let began = Instant::now();
        Box::pin(
            self.transact_within(turn(request.patience), async move |connection, place| {
                let request = request.later(began.elapsed());
                leases::claim(connection, place, &request).await
            }),
        )
    }

    fn renew(&self, request: Renew) -> Answer<'_, Renewed> {
        let began = Instant::now();
        Box::pin(
            self.transact_within(turn(request.patience), async move |connection, place| {
                let request = request.later(began.elapsed());
                leases::renew(connection, place, &request).await
            }),
        )
    }

    fn release(&self, request: Release) -> Answer<'_, bool> {
        Box::pin(self.transact(async move |connection, place| {
            leases::release(connection, place, &request).await
        }))
    }

    fn machines(&self, scope: LeaseScope) -> Answer<'_, Vec<Machine>> {
        Box::pin(self.transact(async move |connection, place| {
            leases::machines(connection, place, &scope).await
        }))
    }

    fn free(&self, scope: LeaseScope, machine: u32) -> Answer<'_, bool> {
        Box::pin(self.transact(async move |connection, place| {
            leases::free(connection, place, &scope, machine).await
        }))
    }
}

/// How long a call may wait for its turn: a third is left for the transaction itself.
fn turn(patience: Duration) -> Duration {
    patience * 2 / 3
}
