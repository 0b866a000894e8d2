//! The way to a server, kept open: connects at the first call, and again whenever the connection
//! is over, for ever, until it is dropped.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mintid_core::{Error, Result};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout_at};

use super::error::unreachable;
use super::examine::{self, Demands, Setback};
use super::options::RedisOptions;
use super::session::{Protection, Session};
use super::target::Target;

/// The first pause before another attempt to connect; each one after it is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_millis(1_500);

/// A connection that lasted this long was no passing chance: the next failure is a first one.
const LASTED: Duration = Duration::from_secs(2);

/// What the link has come to.
#[derive(Debug, Clone)]
enum State {
    /// No attempt has ended since the last connection did, or none was ever made.
    Trying,
    /// Connected.
    Up(Arc<Session>),
    /// The last attempt failed; another one follows by itself.
    Down(Setback),
    /// For good.
    Closed,
}

/// A state, and when it came about.
#[derive(Debug, Clone)]
struct Outcome {
    state: State,
    at: Instant,
    /// How many connections there have been so far.
    connections: u64,
}

/// The task that keeps a server connected, and what it has come to.
#[derive(Debug)]
pub(super) struct Link {
    target: Target,
    store: String,
    options: RedisOptions,
    /// How well the first server of the process protected, which all links of a store share.
    least: Arc<OnceLock<Protection>>,
    outcome: watch::Sender<Outcome>,
    task: OnceLock<AbortHandle>,
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close();
    }
}

impl Link {
    pub(super) fn new(
        target: Target,
        store: &str,
        options: RedisOptions,
        least: Arc<OnceLock<Protection>>,
    ) -> Self {
        Self {
            target,
            store: store.to_owned(),
            options,
            least,
            outcome: watch::Sender::new(Outcome {
                state: State::Trying,
                at: Instant::now(),
                connections: 0,
            }),
            task: OnceLock::new(),
        }
    }

    /// The connection. One that is away is waited for until `deadline`, or until an attempt that
    /// ended after this call has been answered with a no.
    ///
    /// # Errors
    /// What the server answered, or that it did not.
    pub(super) async fn session(&self, deadline: Instant) -> Result<Arc<Session>> {
        let asked = Instant::now();
        self.start();
        let mut outcomes = self.outcome.subscribe();
        let mut last = None;
        loop {
            let outcome = outcomes.borrow_and_update().clone();
            match outcome.state {
                State::Up(session) if !session.connection.is_over() => return Ok(session),
                State::Closed => return Err(self.closed()),
                State::Down(setback) if outcome.at >= asked && setback.is_answer => {
                    return Err(setback.error);
                }
                State::Down(setback) => last = Some(setback.error),
                State::Up(_) | State::Trying => {}
            }
            // The sender lives as long as the link that is borrowed here.
            if !matches!(timeout_at(deadline, outcomes.changed()).await, Ok(Ok(()))) {
                return Err(last.unwrap_or_else(|| self.silent(asked)));
            }
        }
    }

    /// What keeps the server from answering, as far as that is known.
    pub(super) fn trouble(&self) -> Option<Error> {
        match &self.outcome.borrow().state {
            State::Down(setback) => Some(setback.error.clone()),
            State::Up(session) if session.connection.is_over() => Some(unreachable(
                &self.store,
                "the connection is over, and there is no other yet",
            )),
            State::Trying if self.task.get().is_some() => {
                Some(unreachable(&self.store, "the server does not answer"))
            }
            _ => None,
        }
    }

    /// How many connections there have been.
    pub(super) fn connections(&self) -> u64 {
        self.outcome.borrow().connections
    }

    /// Waits until there have been more connections than `seen`.
    pub(super) async fn reconnected(&self, seen: u64) {
        let mut outcomes = self.outcome.subscribe();
        // It fails when the link is dropped, and then nobody waits.
        let _ = outcomes
            .wait_for(|outcome| outcome.connections > seen)
            .await;
    }

    pub(super) fn close(&self) {
        if let Some(task) = self.task.get() {
            task.abort();
        }
        set(&self.outcome, State::Closed);
    }

    fn closed(&self) -> Error {
        Error::Closed {
            name: self.store.clone(),
        }
    }

    fn silent(&self, asked: Instant) -> Error {
        let waited = asked.elapsed().as_millis();
        unreachable(&self.store, &format!("no connection within {waited} ms"))
    }

    fn start(&self) {
        self.task.get_or_init(|| {
            let keeper = Keeper {
                target: self.target.clone(),
                demands: Demands {
                    store: self.store.clone(),
                    options: self.options.clone(),
                    least: None,
                },
                least: Arc::clone(&self.least),
                outcome: self.outcome.clone(),
            };
            tokio::spawn(keeper.run()).abort_handle()
        });
    }
}

fn set(outcome: &watch::Sender<Outcome>, state: State) {
    outcome.send_if_modified(|now| {
        if matches!(now.state, State::Closed) {
            return false;
        }
        *now = Outcome {
            connections: now.connections + u64::from(matches!(state, State::Up(_))),
            state,
            at: Instant::now(),
        };
        true
    });
}

/// The task's own part of a link.
struct Keeper {
    target: Target,
    demands: Demands,
    least: Arc<OnceLock<Protection>>,
    outcome: watch::Sender<Outcome>,
}

impl Keeper {
    async fn run(mut self) {
        let mut pause = FIRST_PAUSE;
        loop {
            self.demands.least = self.least.get().copied();
            match examine::open(&self.target, &self.demands).await {
                Ok(session) => {
                    self.least.get_or_init(|| session.protection);
                    let began = Instant::now();
                    let connection = Arc::clone(&session.connection);
                    set(&self.outcome, State::Up(Arc::new(session)));
                    connection.ended().await;
                    set(&self.outcome, State::Trying);
                    if began.elapsed() > LASTED {
                        pause = FIRST_PAUSE;
                    }
                }
                Err(setback) => set(&self.outcome, State::Down(setback)),
            }
            // Processes that lost one server together are not to come back in one instant.
            sleep(pause + pause.mul_f64(fastrand::f64() / 10.0)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}
