use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};

use super::*;

/// Counts how often it is woken.
#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Wakes {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

fn is_over(sleep: &mut Sleep, wakes: &Arc<Wakes>) -> bool {
    let waker = Waker::from(Arc::clone(wakes));
    sleep
        .as_mut()
        .poll(&mut Context::from_waker(&waker))
        .is_ready()
}

fn at(ms: u64) -> Moment {
    Moment::new(Duration::from_millis(ms))
}

#[test]
fn a_sleeper_is_woken_by_the_advance_to_its_time_and_by_none_before() {
    let (timer, wakes) = (ManualTimer::default(), Arc::default());
    let mut sleep = timer.sleep_until(at(100));
    assert!(!is_over(&mut sleep, &wakes));
    timer.advance(Duration::from_millis(99));
    assert_eq!(wakes.count(), 0);
    assert!(!is_over(&mut sleep, &wakes));
    timer.advance(Duration::from_millis(1));
    assert_eq!(wakes.count(), 1);
    assert!(is_over(&mut sleep, &wakes));
}

#[test]
fn a_sleep_into_the_past_is_over_at_once() {
    let (timer, wakes) = (ManualTimer::default(), Arc::default());
    timer.advance(Duration::from_secs(1));
    for ms in [0, 999, 1_000] {
        assert!(is_over(&mut timer.sleep_until(at(ms)), &wakes), "{ms}");
    }
    assert!(!is_over(&mut timer.sleep_until(at(1_001)), &wakes));
}

#[test]
fn a_sleep_counts_from_its_making_and_not_from_its_first_poll() {
    let (timer, wakes) = (ManualTimer::default(), Arc::default());
    let mut sleep = timer.sleep_until(timer.now() + Duration::from_secs(1));
    timer.advance(Duration::from_secs(1));
    assert!(is_over(&mut sleep, &wakes));
}

#[test]
fn every_sleeper_that_is_due_is_woken() {
    let timer = ManualTimer::default();
    let wakes: Vec<Arc<Wakes>> = (0..10).map(|_| Arc::default()).collect();
    let mut sleeps: Vec<_> = (0..10)
        .map(|ms| timer.sleep_until(at(ms * 10 + 1)))
        .collect();
    for (sleep, wakes) in sleeps.iter_mut().zip(&wakes) {
        assert!(!is_over(sleep, wakes));
    }
    timer.advance(Duration::from_millis(50));
    let counts: Vec<_> = wakes.iter().map(|wakes| wakes.count()).collect();
    assert_eq!(counts, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
    let over = sleeps.iter_mut().zip(&wakes);
    let over = over.filter_map(|(sleep, wakes)| is_over(sleep, wakes).then_some(()));
    assert_eq!(over.count(), 5);
}

#[test]
fn steps_stop_where_sleepers_are_due_and_then_at_their_end() {
    let (timer, wakes) = (ManualTimer::default(), Arc::default());
    let mut sleeps: Vec<_> = [30, 10, 30, 90].map(|ms| timer.sleep_until(at(ms))).into();
    for sleep in &mut sleeps {
        assert!(!is_over(sleep, &wakes));
    }
    let step = || (timer.step(at(50)), timer.now());
    assert_eq!(step(), (true, at(10)));
    assert_eq!(wakes.count(), 1);
    assert_eq!(step(), (true, at(30)));
    assert_eq!(wakes.count(), 3);
    assert_eq!(step(), (false, at(50)));
    assert_eq!(step(), (false, at(50)));
    assert_eq!(wakes.count(), 3);
}

#[test]
fn a_sleeper_that_is_gone_is_no_reason_to_stop() {
    let (timer, wakes) = (ManualTimer::default(), Arc::default());
    let mut sleep = timer.sleep_until(at(10));
    assert!(!is_over(&mut sleep, &wakes));
    drop(sleep);
    assert!(!timer.step(at(50)));
    assert_eq!((timer.now(), wakes.count()), (at(50), 0));
}

#[test]
fn the_time_of_day_passes_with_the_clock_and_walks_without_it() {
    let timer = ManualTimer::default();
    let noon = timer.unix_ms();
    timer.advance(Duration::from_millis(1_500));
    assert_eq!(timer.unix_ms(), noon + 1_500);
    timer.walk(-3_600_000);
    assert_eq!(timer.unix_ms(), noon + 1_500 - 3_600_000);
    assert_eq!(timer.now(), at(1_500));
    timer.walk(3_600_001);
    assert_eq!(timer.unix_ms(), noon + 1_501);
}

#[test]
fn the_system_tells_the_time_of_day() {
    // 2026-01-01.
    assert!(SystemTimer.unix_ms() > 1_767_225_600_000);
}

#[test]
fn every_going_to_sleep_is_counted() {
    let timer = ManualTimer::default();
    let before = timer.sleeps();
    drop((timer.sleep_until(at(0)), timer.sleep_until(at(10))));
    assert_eq!(timer.sleeps() - before, 2);
}

#[test]
fn the_system_s_time_has_come_when_a_sleep_is_over() {
    // Made and awaited where there is no runtime: ours drives it.
    let at = SystemTimer.now() + Duration::from_millis(2);
    let mut sleep = SystemTimer.sleep_until(at);
    let (sender, over) = std::sync::mpsc::channel();
    let waker = Waker::from(Arc::new(Signal(sender)));
    while sleep
        .as_mut()
        .poll(&mut Context::from_waker(&waker))
        .is_pending()
    {
        over.recv().expect("the waker is still here");
    }
    assert!(SystemTimer.now() >= at);
}

struct Signal(std::sync::mpsc::Sender<()>);

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        // Whoever waited may have gone.
        let _ = self.0.send(());
    }
}

#[test]
fn the_system_s_time_never_goes_back() {
    let mut before = SystemTimer.now();
    for _ in 0..1_000 {
        let now = SystemTimer.now();
        assert!(now >= before);
        before = now;
    }
}
