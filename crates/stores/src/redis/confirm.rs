//! Proof that what was granted outlives the server that granted it.
//!
//! `WAIT` and `WAITAOF` cover what their own connection has written, and block it. So there is a
//! second connection, which asks for everybody who waits at once: it has the server look whether
//! it still remembers each range, write, and wait.

use std::sync::Arc;
use std::time::Duration;

use fred::types::Value;
use mintid_core::options::Durability;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::connection::Failure;
use super::examine;
use super::link::Link;
use super::script::{CONFIRM, PROVED};
use super::session::{COMMAND_LIMIT, Protection, Session};

/// How long replicas or the disk may take.
const PROOF_LIMIT: Duration = Duration::from_secs(2);

/// How much longer than that the answer may take.
const MARGIN: Duration = Duration::from_millis(500);

/// How many ranges are proved together.
const MOST_TOGETHER: usize = 256;

/// How long the second connection may be silent: longer than it may be blocked.
pub(super) const SILENCE: Duration = Duration::from_millis(2_600);

/// What is to be proved: that a server remembers a counter at least this high.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) key: String,
    /// The highest id granted; nothing for a write that is no grant.
    pub(super) granted_to: String,
    pub(super) identity: String,
}

/// Who waits for the outcome.
type Waiting = (Claim, oneshot::Sender<Result<(), Failure>>);

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

    /// Proves `claim`, which `session` was told.
    ///
    /// # Errors
    /// What was demanded did not come to pass: the range is not to be used.
    pub(super) async fn confirm(
        &self,
        claim: Claim,
        session: &Session,
        deadline: Instant,
    ) -> Result<(), Failure> {
        if session.protection == Protection::Plain || self.proof(session) == Proof::Nothing {
            return Ok(());
        }
        let (reply, mut outcome) = oneshot::channel();
        self.queue.lock().push((claim, reply));
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
        let mut remembered = Vec::with_capacity(waiting.len());
        for (claim, _) in &waiting {
            remembered.push(self.is_remembered(&session, claim).await);
        }
        let mut proved = self.prove(&session).await;
        if proved.is_err()
            && self.durability == Durability::None
            && self.has_lost_its_replicas(&session).await
        {
            proved = Ok(());
        }
        let mut remembered = remembered.into_iter();
        tell(waiting, |_| {
            remembered
                .next()
                .unwrap_or_else(|| Err(broken_off()))
                .and_then(|()| proved.clone())
        });
    }

    async fn is_remembered(&self, session: &Arc<Session>, claim: &Claim) -> Result<(), Failure> {
        let args = [
            claim.key.as_str(),
            &claim.granted_to,
            &claim.identity,
            &session.identity,
        ];
        let reply = CONFIRM
            .run(&session.connection, &session.key, &args, COMMAND_LIMIT)
            .await?;
        match reply.word() {
            "remembered" => Ok(()),
            "moved" => {
                session.connection.end("another server answers");
                Err(Failure::Unanswered(
                    "another server answers than the one that granted the range".to_owned(),
                ))
            }
            "forgotten" => Err(Failure::Unanswered(format!(
                "the server remembers {:?} of a range that it granted to {}",
                reply.get(1).unwrap_or_default(),
                claim.granted_to
            ))),
            _ => Err(reply.shapeless()),
        }
    }

    /// Has the server wait for its disk or its replicas.
    async fn prove(&self, session: &Session) -> Result<(), Failure> {
        match self.prove_by(session, self.proof(session)).await {
            // Found by asking, because versions tell nothing: Redis has WAITAOF since 7.2.
            Err(Failure::Refused(text))
                if self.durability == Durability::None && examine::is_unknown(&text) =>
            {
                let replicas = session.server.replicas().min(1);
                let proof = match replicas {
                    0 => Proof::Nothing,
                    _ => Proof::Replicas(replicas),
                };
                self.prove_by(session, proof).await
            }
            other => other,
        }
    }

    async fn prove_by(&self, session: &Session, proof: Proof) -> Result<(), Failure> {
        let limit = PROOF_LIMIT.as_millis() as i64;
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
            .call(command, args, PROOF_LIMIT + MARGIN)
            .await?;
        let reached = match &answer {
            Value::Integer(count) => Some(*count),
            Value::Array(parts) => parts.first().and_then(Value::as_i64),
            _ => None,
        };
        match reached.and_then(|count| u64::try_from(count).ok()) {
            Some(count) if count >= wanted => Ok(()),
            Some(count) => Err(Failure::Unanswered(format!(
                "{command} reached {count} of {wanted} within {limit} ms: the range is not used"
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

/// Notes that `claim` was proved, so that it need not be again.
pub(super) async fn note(session: &Session, claim: &Claim) {
    let args = [claim.key.as_str(), &claim.granted_to, &claim.identity];
    let noted = PROVED.run(&session.connection, &session.key, &args, COMMAND_LIMIT);
    // Lost, it costs the next reservation another proof.
    let _ = noted.await;
}

fn tell(waiting: Vec<Waiting>, mut outcome: impl FnMut(&Claim) -> Result<(), Failure>) {
    for (claim, reply) in waiting {
        let outcome = outcome(&claim);
        // Whoever asked may have gone.
        let _ = reply.send(outcome);
    }
}

fn broken_off() -> Failure {
    Failure::Unanswered("the proof broke off".to_owned())
}
