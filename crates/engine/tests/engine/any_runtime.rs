//! Everything may be awaited anywhere: on another runtime, on one without time, on none.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use mintid::stores::memory::MemoryStore;
use mintid::{Code, Ids, IdsOptions, ManualTimer, SegmentOptions, SystemTimer};

use crate::support::{Fault, faulty, fixed, refused, run};

/// What a small executor does.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

/// All that is awaited in the life of a store.
async fn live() {
    let ids = Ids::new("memory:").expect("valid");
    ids.ready().await.expect("it answers");
    let orders = ids.segment_with("orders", &fixed(10)).expect("valid");
    orders.ready(10).await.expect("ids");
    assert_eq!(orders.next().await.expect("an id"), 1);
    assert_eq!(orders.next_batch(50).await.expect("ids").len(), 50);
    assert_eq!(orders.next_range(50).await.expect("a range").len(), 50);
    drop(orders);
    ids.close().await.expect("closed");
}

#[test]
fn without_a_runtime() {
    block_on(live());
}

#[test]
fn on_a_runtime_without_time() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(live());
}

#[test]
fn on_the_engine_s_own_thread() {
    run(live());
}

#[test]
fn a_caller_without_a_runtime_gives_up_in_time() {
    let memory = faulty(MemoryStore::default(), &Arc::new(ManualTimer::default()));
    memory.always(Fault::Hangs);
    // Time that passes by itself: nobody here could move it.
    let timer = Arc::new(SystemTimer);
    let ids = Ids::of_store(Arc::new(memory), timer, &IdsOptions::default()).expect("valid");
    let options = SegmentOptions {
        reserve_timeout: Some(Duration::from_millis(20)),
        ..fixed(10)
    };
    let orders = ids.segment_with("orders", &options).expect("valid");
    refused(Code::RangeUnavailable, block_on(orders.next()));
}

#[test]
fn the_runtime_that_asked_first_may_go() {
    let ids = Ids::new("memory:").expect("valid");
    let orders = ids.segment_with("orders", &fixed(10)).expect("valid");
    for round in 0..5 {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let batch = runtime.block_on(orders.next_batch(10)).expect("ids");
        assert_eq!(batch[0], 10 * round + 1);
    }
}
