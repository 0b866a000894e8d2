//! The time of day walks.

use mintid::{Code, Why, settle};

use super::process::{Process, Server, options, pass};
use crate::support::run;

#[test]
fn a_small_step_back_is_waited_for() {
    run(async {
        let server = Server::default();
        for ms in [1, 5, 100] {
            let process = Process::ready(&server, &options()).await;
            let before = process.take();
            process.timer.walk(-ms);
            let refusal = process.events.try_draw(1).expect_err("behind");
            assert!(matches!(refusal.why, Why::Behind(_)), "{refusal:?}");
            let next = tokio::spawn({
                let events = process.events.clone();
                async move { events.next().await }
            });
            settle().await;
            assert!(!next.is_finished());
            pass(&server, &[&process], u64::try_from(ms).expect("positive")).await;
            let after = next.await.expect("no panic").expect("an id");
            assert!(after > before);
        }
    });
}

#[test]
fn a_large_step_back_is_refused_and_passes_with_the_clock() {
    run(async {
        let server = Server::default();
        for ms in [101, 1_000, 3_600_000] {
            let process = Process::ready(&server, &options()).await;
            let before = process.take();
            process.timer.walk(-ms);
            let error = process.events.next().await.expect_err("behind");
            assert_eq!(error.code(), Code::ClockBackwards, "{error}");
            assert!(error.to_string().contains(&process.unix_ms().to_string()));
            process.timer.walk(ms);
            let after = process.events.next().await.expect("an id");
            assert!(after > before);
        }
    });
}

#[test]
fn a_clock_that_leaps_ahead_past_what_the_store_allows_is_named() {
    run(async {
        let server = Server::default();
        let process = Process::ready(&server, &options()).await;
        process.take();
        process.timer.walk(60_000);
        let error = process.refusal();
        assert_eq!(error.code(), Code::ClockBackwards, "{error}");
        assert!(error.to_string().contains("maxClockSkew"), "{error}");
        process.timer.walk(-60_000);
        process.take();
    });
}

#[test]
fn a_full_tick_is_waited_out() {
    run(async {
        let server = Server::default();
        let process = Process::ready(&server, &options()).await;
        let (first, count) = process.events.try_draw(10_000).expect("a tick");
        assert_eq!(count, 4_096);
        let refusal = process.events.try_draw(1).expect_err("full");
        assert!(matches!(refusal.why, Why::Full(_)), "{refusal:?}");
        assert_eq!(process.events.try_next(), None);
        let next = tokio::spawn({
            let events = process.events.clone();
            async move { events.next().await }
        });
        settle().await;
        pass(&server, &[&process], 1).await;
        let id = next.await.expect("no panic").expect("an id");
        assert!(id > first + u64::from(count) - 1);
    });
}

#[test]
fn a_batch_spans_ticks() {
    run(async {
        let server = Server::default();
        let process = Process::ready(&server, &options()).await;
        let batch = tokio::spawn({
            let events = process.events.clone();
            async move { events.next_batch(10_000).await }
        });
        for _ in 0..10 {
            pass(&server, &[&process], 1).await;
        }
        let ids = batch.await.expect("no panic").expect("ids");
        assert_eq!(ids.len(), 10_000);
        assert!(ids.is_sorted_by(|one, next| one < next));
    });
}
