//! How a process comes by a machine number.

use std::collections::HashSet;

use mintid::{Code, Error, SnowflakeOptions, settle};

use super::process::{Process, Server, of_pool, options, pass};
use crate::support::{refused, run};

#[test]
fn a_generator_claims_at_its_first_use_and_not_before() {
    run(async {
        let server = Server::default();
        let process = Process::on(&server, &options());
        settle().await;
        assert_eq!(process.store.lease_calls().claims, 0);
        assert_eq!(process.refusal().code(), Code::LeasePending);
        settle().await;
        assert_eq!(process.store.lease_calls().claims, 1);
        let parts = process.parse(process.take()).expect("an id of its own");
        assert_eq!(parts.machine, process.machine());
        assert_eq!(parts.timestamp_ms, process.unix_ms());
    });
}

#[test]
fn nothing_is_minted_before_a_renewal_was_answered() {
    run(async {
        let server = Server::default();
        let process = Process::on(&server, &options());
        process
            .store
            .once_to_leases(crate::support::Fault::HoldsReply);
        process
            .store
            .once_to_leases(crate::support::Fault::HoldsReply);
        assert_eq!(process.refusal().code(), Code::LeasePending);
        settle().await;
        process.store.release();
        settle().await;
        let calls = process.store.lease_calls();
        assert_eq!((calls.claims, calls.renewals), (1, 1));
        assert_eq!(process.refusal().code(), Code::LeasePending);
        process.store.release();
        settle().await;
        process.take();
    });
}

#[test]
fn generators_of_a_process_share_a_number_and_a_sequence() {
    run(async {
        let server = Server::default();
        let process = Process::ready(&server, &options()).await;
        let others = process.ids.snowflake("others").expect("the same options");
        let mut ids = Vec::new();
        for _ in 0..100 {
            ids.push(process.take());
            ids.push(others.try_next().expect("an id"));
        }
        assert!(ids.is_sorted_by(|one, next| one < next));
        assert_eq!(process.store.lease_calls().claims, 1);
        let other_options = SnowflakeOptions {
            machine: Some(7),
            ..SnowflakeOptions::default()
        };
        let refusal = process.ids.snowflake_with("more", &other_options).err();
        assert_eq!(refusal.expect("it differs").code(), Code::ConfigInvalid);
    });
}

#[test]
fn two_processes_have_two_numbers() {
    run(async {
        let server = Server::default();
        let one = Process::ready(&server, &of_pool(2)).await;
        let two = Process::ready(&server, &of_pool(2)).await;
        let machines = HashSet::from([one.machine(), two.machine()]);
        assert_eq!(machines, HashSet::from([0, 1]));
        let third = Process::on(&server, &of_pool(2));
        let error = refused(Code::MachineIdsExhausted, third.events.ready().await);
        assert!(error.to_string().contains("2 machine numbers"), "{error}");
    });
}

#[test]
fn a_number_that_was_given_back_is_had_at_once_and_above_what_was_used() {
    run(async {
        let server = Server::default();
        let mut ids = HashSet::new();
        for _ in 0..100 {
            // All in one millisecond: each starts in a tick of its own.
            let process = Process::on(&server, &of_pool(1));
            process.timer.advance(std::time::Duration::ZERO);
            let ready = tokio::spawn({
                let events = process.events.clone();
                async move { events.ready().await }
            });
            settle().await;
            pass(&server, &[&process], 1).await;
            ready.await.expect("no panic").expect("a number");
            for _ in 0..10 {
                assert!(ids.insert(process.take()), "a duplicate");
            }
            drop(process);
            settle().await;
        }
    });
}

#[test]
fn a_lease_that_is_renewed_lasts() {
    run(async {
        let server = Server::default();
        let process = Process::ready(&server, &of_pool(1)).await;
        let mut last = 0;
        for _ in 0..100 {
            pass(&server, &[&process], 1_000).await;
            let id = process.take();
            assert!(id > last);
            last = id;
        }
        assert_eq!(process.machine(), 0);
        assert_eq!(process.stats().losses, 0);
        let calls = process.store.lease_calls();
        assert_eq!(calls.claims, 1);
        assert!((48..=56).contains(&calls.renewals), "{calls:?}");
    });
}

#[test]
fn a_caller_waits_for_a_number_as_long_as_a_reservation_may_take() {
    run(async {
        let server = Server::default();
        let process = Process::on(&server, &options());
        process.store.always(crate::support::Fault::Fails);
        let next = tokio::spawn({
            let events = process.events.clone();
            async move { events.next().await }
        });
        settle().await;
        pass(&server, &[&process], 2_999).await;
        assert!(!next.is_finished());
        pass(&server, &[&process], 1).await;
        let error = next.await.expect("no panic").expect_err("no number");
        assert!(error.is_retryable(), "{error}");
        process.store.heal();
        pass(&server, &[&process], 5_000).await;
        process.take();
    });
}

#[test]
fn another_layout_in_a_namespace_is_refused_for_good() {
    run(async {
        let server = Server::default();
        let _one = Process::ready(&server, &options()).await;
        let mut other = options();
        other.layout.machine_bits = Some(9);
        let two = Process::on(&server, &other);
        let error = refused(Code::LayoutMismatch, two.events.ready().await);
        assert!(matches!(error, Error::LayoutMismatch { .. }), "{error}");
        assert_eq!(two.refusal().code(), Code::LayoutMismatch);
    });
}
