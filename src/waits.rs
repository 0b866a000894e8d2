//! What still waits for a realm, to be ended when the realm lets go.

use std::time::Duration;

use tokio::task::AbortHandle;

/// The promises that still wait: a pending one holds the event loop.
#[derive(Default)]
pub(crate) struct Waits {
    all: Vec<AbortHandle>,
    /// The one of them that the realm's queue waits for.
    queue: Option<AbortHandle>,
}

impl Waits {
    /// Keeps hold of a task that waits.
    pub(crate) fn add(&mut self, task: AbortHandle) {
        self.all.retain(|task| !task.is_finished());
        self.all.push(task);
    }

    /// Says which task the realm's queue waits for.
    pub(crate) fn set_queue(&mut self, task: AbortHandle) {
        self.queue = Some(task);
    }

    /// Ends the wait of the realm's queue, in which nobody is left.
    pub(crate) fn end_queue(&mut self) {
        if let Some(task) = self.queue.take() {
            task.abort();
        }
    }

    /// Ends all of them.
    pub(crate) fn end(self) {
        for task in self.all {
            task.abort();
        }
    }
}

/// A time in ms, as JavaScript gives it; one that is too long to be told is for ever.
pub(crate) fn duration(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms.max(0.0) / 1e3).unwrap_or(Duration::MAX)
}
