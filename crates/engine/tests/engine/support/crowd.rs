use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use mintid::{Result, SegmentGenerator};
use tokio::task::JoinHandle;

/// Callers of `next`, each a task of its own.
pub struct Crowd(Vec<JoinHandle<Result<u64>>>);

impl Crowd {
    /// Lets `n` callers come at once.
    pub fn of(generator: &SegmentGenerator, n: usize) -> Self {
        Self(
            (0..n)
                .map(|_| {
                    let generator = generator.clone();
                    tokio::spawn(async move { generator.next().await })
                })
                .collect(),
        )
    }

    /// How many have been answered or are gone.
    pub fn done(&self) -> usize {
        self.0.iter().filter(|caller| caller.is_finished()).count()
    }

    /// Lets one of them go away.
    pub fn dismiss(&self, caller: usize) {
        self.0[caller].abort();
    }

    /// What they were told; each has to have been told by now.
    pub async fn outcomes(self) -> Vec<Result<u64>> {
        assert_eq!(self.done(), self.0.len(), "some callers still wait");
        let mut outcomes = Vec::with_capacity(self.0.len());
        for caller in self.0 {
            outcomes.push(caller.await.expect("it was not dismissed"));
        }
        outcomes
    }

    /// The ids they were given, in order of size; no two may be alike.
    pub async fn ids(self) -> Vec<u64> {
        let outcomes = self.outcomes().await;
        let mut ids: Vec<_> = outcomes
            .into_iter()
            .map(|outcome| outcome.expect("an id"))
            .collect();
        ids.sort_unstable();
        assert!(ids.is_sorted_by(|one, next| one < next), "a duplicate");
        ids
    }
}

/// How far `future` is, asked once.
pub fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}
