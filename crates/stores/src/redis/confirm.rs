//! Proof that what was granted outlives the server that granted it.
//!
//! `WAIT` and `WAITAOF` cover what their own connection has written, and block it. So there is a
//! second connection, which asks for everybody who waits at once: it has the server look whether
//! it still remembers each range, write, and wait.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use fred::types::Value;
use mintid_core::options::Durability;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::connection::Failure;
use super::examine;
use super::link::Link;
use super::script::{CONFIRM, CONFIRM_LEASE, PROVED};
use super::session::{COMMAND_LIMIT, Protection, Session};
use crate::lease_store::LeaseScope;

/// How long replicas or the disk may take.
const PROOF_LIMIT: Duration = Duration::from_secs(2);

/// How much longer than that the answer may take.
const MARGIN: Duration = Duration::from_millis(500);

/// How long before those who wait have gone they are told of a proof that did not come.
const LEAD: Duration = Duration::from_millis(50);

/// How many ranges are proved together: no more than may wait for the connection.
const MOST_TOGETHER: usize = 2_048;

/// How long the second connection may be silent: longer than it may be blocked.
pub(super) const SILENCE: Duration = Duration::from_millis(2_600);

/// What is to be proved: that a server remembers something.
#[derive(Debug, Clone)]
pub(super) struct Assertion {
    pub(super) subject: Subject,
    /// Who said so.
    pub(super) identity: String,
}

/// What a server is to remember.
#[derive(Debug, Clone)]
pub(super) enum Subject {
    /// A counter that is at least this high.
    Counter {
        key: String,
        /// The highest id granted; nothing for a write that is no grant.
        granted_to: String,
    },
    /// Who holds a machine id.
    Lease {
        scope: LeaseScope,
        machine: u32,
        owner: String,
    },
}

/// Who waits for the outcome.
type Waiting = (Assertion, oneshot::Sender<Result<(), Failure>>);

/// The second connection, and who waits for it.
#[derive(Debug)]
pub(super) struct Confirmer {
    link: Link,
    durability: Durability,
    queue: Mutex<Vec<Waiting>>,
    /// Whoever holds it works for all who wait.
    turn: tokio::sync::Mutex<()>,
}

/// What proves a range on a server.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Proof {
    Disk,
    Replicas(u64),
    /// The server has neither.
    Nothing,
}

impl Confirmer {
    pub(super) fn new(link: Link, durability: Durability) -> Self {
        Self {
            link,
            durability,
            queue: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        }
    }

    /// Proves `assertion`, which `session` was told.
    ///
    /// # Errors
    /// What was demanded did not come to pass: the range is not to be used.
    pub(super) async fn confirm(
        &self,
        assertion: Assertion,
        session: &Session,
        deadline: Instant,
    ) -> Result<(), Failure> {
        if !self.can_prove(session) {
            return Ok(());
        }
        let (reply, mut outcome) = oneshot::channel();
        self.queue.lock().push((assertion, reply));
        loop {
            let turn = tokio::select! {
                biased;
                outcome = &mut outcome => return outcome.unwrap_or_else(|_| Err(broken_off())),
                turn = self.turn.lock() => turn,
            };
            self.work(deadline).await;
            drop(turn);
        }
    }

    pub(super) fn close(&self) {
        self.link.close();
    }

    /// Whether the server of `session` has something to prove ranges by.
    pub(super) fn can_prove(&self, session: &Session) -> bool {
        session.protection > Protection::Plain && self.proof(session) != Proof::Nothing
    }

    /// What this server is to prove ranges by: what was demanded, or else what it has.
    fn proof(&self, session: &Session) -> Proof {
        match self.durability {
            Durability::Disk => Proof::Disk,
            Durability::Replicas(wanted) => Proof::Replicas(wanted),
            Durability::None if session.server.has_aof() => Proof::Disk,
            Durability::None if session.server.replicas() > 0 => Proof::Replicas(1),
            Durability::None => Proof::Nothing,
        }
    }

    /// Proves what the first of those who wait have asked for.
    async fn work(&self, deadline: Instant) {
        let waiting: Vec<_> = {
            let mut queue = self.queue.lock();
            let count = queue.len().min(MOST_TOGETHER);
            queue.drain(..count).collect()
        };
        if waiting.is_empty() {
            return;
        }
        let session = match self.link.session(deadline).await {
            Ok(session) => session,
            Err(error) => {
                let failure = Failure::Unanswered(error.to_string());
                return tell(waiting, |_| Err(failure.clone()));
            }
        };
        let mut remembered = all_remembered(&session, &waiting).await;
        let mut proved = self.prove(&session, deadline).await;
        if proved.is_err()
            && self.durability == Durability::None
            && self.has_lost_its_replicas(&session).await
        {
            proved = Ok(());
        }
        remembered.reverse();
        tell(waiting, |_| {
            remembered
                .pop()
                .unwrap_or_else(|| Err(broken_off()))
                .and_then(|()| proved.clone())
        });
    }

    /// Has the server wait for its disk or its replicas.
    async fn prove(&self, session: &Session, deadline: Instant) -> Result<(), Failure> {
        // The answer has to be there before whoever waits has gone.
        let left = deadline.saturating_duration_since(Instant::now());
        let limit = PROOF_LIMIT.min(left.saturating_sub(LEAD).max(LEAD));
        match self.prove_by(session, self.proof(session), limit).await {
            // Found by asking, because versions tell nothing: Redis has WAITAOF since 7.2.
            Err(Failure::Refused(text))
                if self.durability == Durability::None && examine::is_unknown(&text) =>
            {
                let replicas = session.server.replicas().min(1);
                let proof = match replicas {
                    0 => Proof::Nothing,
                    _ => Proof::Replicas(replicas),
                };
                self.prove_by(session, proof, limit).await
            }
            other => other,
        }
    }

    async fn prove_by(
        &self,
        session: &Session,
        proof: Proof,
        patience: Duration,
    ) -> Result<(), Failure> {
        let limit = patience.as_millis() as i64;
        let (command, args, wanted) = match proof {
            Proof::Nothing => return Ok(()),
            Proof::Disk => ("WAITAOF", vec![1.into(), 0.into(), limit.into()], 1),
            Proof::Replicas(wanted) => {
                let count = i64::try_from(wanted).unwrap_or(i64::MAX);
                ("WAIT", vec![count.into(), limit.into()], wanted)
            }
        };
        let answer = session
            .connection
            .call(command, args, patience + MARGIN)
            .await?;
        let reached = match &answer {
            Value::Integer(count) => Some(*count),
            Value::Array(parts) => parts.first().and_then(Value::as_i64),
            _ => None,
        };
        match reached.and_then(|count| u64::try_from(count).ok()) {
            Some(count) if count >= wanted => Ok(()),
            Some(count) => Err(Failure::Unanswered(format!(
                "{command} reached {count} of {wanted} within {limit} ms: what was granted is not used"
            ))),
            None => Err(super::reply::shapeless(&answer)),
        }
    }

    /// Whether there is nobody left who could prove anything, where nothing was demanded.
    async fn has_lost_its_replicas(&self, session: &Session) -> bool {
        !session.server.has_aof()
            && examine::read(&session.connection, COMMAND_LIMIT)
                .await
                .is_ok_and(|(server, _)| server.replicas() == 0)
    }
}

/// Looks at all at once: one after another, many would wait for as many round trips.
async fn all_remembered(session: &Session, waiting: &[Waiting]) -> Vec<Result<(), Failure>> {
    let looks = waiting.iter();
    let mut looks: Vec<_> = looks
        .map(|(assertion, _)| (Box::pin(is_remembered(session, assertion)), None))
        .collect();
    poll_fn(|context| {
        let mut is_over = true;
        for (look, answer) in &mut looks {
            if answer.is_none() {
                match look.as_mut().poll(context) {
                    Poll::Ready(remembered) => *answer = Some(remembered),
                    Poll::Pending => is_over = false,
                }
            }
        }
        if is_over {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    let answers = looks.into_iter().map(|(_, answer)| answer);
    answers
        .map(|answer| answer.unwrap_or_else(|| Err(broken_off())))
        .collect()
}

/// Whether the server that said so still remembers it.
async fn is_remembered(session: &Session, assertion: &Assertion) -> Result<(), Failure> {
    let connection = &session.connection;
    let expected = assertion.identity.as_str();
    let (reply, what) = match &assertion.subject {
        Subject::Counter { key, granted_to } => {
            let args = [key.as_str(), granted_to, expected, &session.identity];
            let keys = [session.key.as_str()];
            let reply = CONFIRM.run(connection, &keys, &args, COMMAND_LIMIT);
            (
                reply.await?,
                format!("a range that it granted to {granted_to}"),
            )
        }
        Subject::Lease {
            scope,
            machine,
            owner,
        } => {
            let keys = [scope.as_str(), &scope.meta()];
            let args = [
                &machine.to_string(),
                owner.as_str(),
                expected,
                &session.identity,
            ];
            let reply = CONFIRM_LEASE.run(connection, &keys, &args, COMMAND_LIMIT);
            (
                reply.await?,
                format!("machine id {machine}, which it gave to {owner}"),
            )
        }
    };
    match reply.word() {
        "remembered" => Ok(()),
        "moved" => {
            session.connection.end("another server answers");
            Err(Failure::Unanswered(
                "another server answers than the one that granted it".to_owned(),
            ))
        }
        "forgotten" => Err(Failure::Unanswered(format!(
            "the server remembers {:?} of {what}",
            reply.get(1).unwrap_or_default(),
        ))),
        _ => Err(reply.shapeless()),
    }
}

/// Notes that a counter was proved, so that it need not be again.
pub(super) async fn note(session: &Session, assertion: &Assertion) {
    let Subject::Counter { key, granted_to } = &assertion.subject else {
        return;
    };
    let args = [key.as_str(), granted_to, &assertion.identity];
    let keys = [session.key.as_str()];
    let noted = PROVED.run(&session.connection, &keys, &args, COMMAND_LIMIT);
    // Lost, it costs the next reservation another proof.
    let _ = noted.await;
}

fn tell(waiting: Vec<Waiting>, mut outcome: impl FnMut(&Assertion) -> Result<(), Failure>) {
    for (assertion, reply) in waiting {
        let outcome = outcome(&assertion);
        // Whoever asked may have gone.
        let _ = reply.send(outcome);
    }
}

fn broken_off() -> Failure {
    Failure::Unanswered("the proof broke off".to_owned())
}
