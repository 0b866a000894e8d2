//! Answers that JavaScript brings back when it has them.
//!
//! Not a promise: what is asked may be a promise of the user's, which takes as long as it likes.
//! Whoever gives up waiting is forgotten, and a late answer is dropped.

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio::sync::oneshot::{Receiver, Sender, channel};

/// Questions on their way, by number.
pub(crate) struct Replies<T>(Mutex<Open<T>>);

struct Open<T> {
    last: u32,
    senders: HashMap<u32, Sender<T>>,
}

/// The place of one answer, for as long as somebody waits for it.
pub(crate) struct Reply<'a, T> {
    replies: &'a Replies<T>,
    /// What the answer has to name.
    pub(crate) id: u32,
    answer: Receiver<T>,
}

impl<T> Default for Replies<T> {
    fn default() -> Self {
        Self(Mutex::new(Open {
            last: 0,
            senders: HashMap::new(),
        }))
    }
}

impl<T> Replies<T> {
    /// A place for one answer.
    pub(crate) fn expect(&self) -> Reply<'_, T> {
        let (sender, answer) = channel();
        let mut open = self.0.lock();
        open.last = open.last.wrapping_add(1);
        let id = open.last;
        open.senders.insert(id, sender);
        Reply {
            replies: self,
            id,
            answer,
        }
    }

    /// Brings the answer to `id` in.
    pub(crate) fn bring(&self, id: u32, answer: T) {
        if let Some(sender) = self.0.lock().senders.remove(&id) {
            // Whoever asked may be giving up at this moment.
            drop(sender.send(answer));
        }
    }
}

impl<T> Reply<'_, T> {
    /// The answer, when it comes.
    pub(crate) async fn answer(mut self) -> T {
        (&mut self.answer)
            .await
            .expect("the sender stays in its place until it has sent")
    }
}

impl<T> Drop for Reply<'_, T> {
    fn drop(&mut self) {
        self.replies.0.lock().senders.remove(&self.id);
    }
}
