//! Atomics, locks and shared pointers, as the standard library has them or as loom models them.
//!
//! Everything that two threads share in core goes through here, so that
//! `RUSTFLAGS='--cfg loom' cargo test` explores the orders in which they can meet.
//! Two things are replaced in a model: the lock by loom's, and the swapped pointer of `Swap` by
//! a lock around an `Arc`. Loom therefore vouches for what is done with the pointer, not for the
//! crate that swaps it.

#[cfg(not(loom))]
mod real {
    pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
    pub(crate) use std::thread_local;

    use std::sync::Arc;

    /// A lock without poisoning: a panic while it is held is a defect of its own.
    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(parking_lot::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(parking_lot::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> parking_lot::MutexGuard<'_, T> {
            self.0.lock()
        }
    }

    /// A shared pointer that is replaced whole and read without a lock.
    #[derive(Debug)]
    pub(crate) struct Swap<T>(arc_swap::ArcSwap<T>);

    impl<T> Swap<T> {
        pub(crate) fn new(value: Arc<T>) -> Self {
            Self(arc_swap::ArcSwap::new(value))
        }

        /// What is pointed to now, for a short time: no count is raised.
        pub(crate) fn load(&self) -> arc_swap::Guard<Arc<T>> {
            self.0.load()
        }

        pub(crate) fn store(&self, value: Arc<T>) {
            self.0.store(value);
        }
    }
}

/// Loom's own macro knows no `const` initializer.
#[cfg(loom)]
macro_rules! modelled_thread_local {
    (static $name:ident: $type:ty = const $init:block;) => {
        loom::thread_local! { static $name: $type = $init; }
    };
}

#[cfg(loom)]
mod modelled {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
    pub(crate) use modelled_thread_local as thread_local;

    use std::sync::Arc;

    #[derive(Debug)]
    pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(loom::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> loom::sync::MutexGuard<'_, T> {
            self.0
                .lock()
                .expect("a model that panics has failed already")
        }
    }

    #[derive(Debug)]
    pub(crate) struct Swap<T>(Mutex<Arc<T>>);

    impl<T> Swap<T> {
        pub(crate) fn new(value: Arc<T>) -> Self {
            Self(Mutex::new(value))
        }

        pub(crate) fn load(&self) -> Arc<T> {
            Arc::clone(&self.0.lock())
        }

        pub(crate) fn store(&self, value: Arc<T>) {
            *self.0.lock() = value;
        }
    }
}

#[cfg(loom)]
pub(crate) use modelled::{AtomicU64, Mutex, Ordering, Swap, thread_local};
#[cfg(not(loom))]
pub(crate) use real::{AtomicU64, Mutex, Ordering, Swap, thread_local};

/// A number that no other caller in this process gets. It orders nothing, so it is no part of a
/// model.
pub(crate) fn unique_number() -> u64 {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    // Relaxed: numbers only have to differ.
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}
