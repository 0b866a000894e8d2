//! How a process loses its number, and what becomes of it.

use std::collections::HashSet;

use mintid::{Code, settle};

use super::process::{Process, Server, of_pool, pass};
use crate::support::{Fault, run};

#[test]
fn a_holder_that_is_cut_off_stops_before_its_number_is_another_s() {
    run(async {
        let server = Server::default();
        let one = Process::ready(&server, &of_pool(2)).await;
        let mut ids = HashSet::from([one.take()]);
        let first = one.machine();
        one.store.always(Fault::Fails);
        pass(&server, &[&one], 8_000).await;
        ids.insert(one.take());
        // The deadline is a second before the store's.
        pass(&server, &[&one], 1_500).await;
        let error = one.refusal();
        assert_eq!(error.code(), Code::LeaseLost, "{error}");
        pass(&server, &[&one], 1_500).await;
        let others = [
            Process::ready(&server, &of_pool(2)).await,
            Process::ready(&server, &of_pool(2)).await,
        ];
        for other in &others {
            for _ in 0..100 {
                assert!(ids.insert(other.take()), "a duplicate");
            }
        }
        assert!(others.iter().any(|other| other.machine() == first));
        assert_eq!(one.stats().losses, 1);
    });
}

#[test]
fn a_holder_that_was_stopped_mints_nothing_when_it_goes_on() {
    run(async {
        let server = Server::default();
        let one = Process::ready(&server, &of_pool(1)).await;
        let id = one.take();
        // Nobody runs in `one` meanwhile, and its clocks are right when it goes on.
        pass(&server, &[], 15_000).await;
        let two = Process::ready(&server, &of_pool(1)).await;
        let taken = two.take();
        one.timer.advance(std::time::Duration::from_millis(15_000));
        let error = one.refusal();
        assert_eq!(error.code(), Code::LeaseLost, "{error}");
        settle().await;
        assert_eq!(one.events.machine(), None);
        assert!(taken > id);
        assert_eq!(two.machine(), 0);
    });
}

#[test]
fn a_holder_whose_clock_stood_still_mints_below_what_its_successor_does() {
    run(async {
        let server = Server::default();
        let one = Process::ready(&server, &of_pool(1)).await;
        pass(&server, &[], 15_000).await;
        let two = Process::ready(&server, &of_pool(1)).await;
        // A paused machine: to itself it is still before its deadline.
        let late: Vec<_> = (0..100).map(|_| one.take()).collect();
        let taken: Vec<_> = (0..100).map(|_| two.take()).collect();
        assert!(late.last() < taken.first());
    });
}

#[test]
fn whoever_has_lost_a_number_goes_on_with_another_by_itself() {
    run(async {
        let server = Server::default();
        let one = Process::ready(&server, &of_pool(2)).await;
        let mut last = one.take();
        one.store.always(Fault::Fails);
        pass(&server, &[&one], 12_000).await;
        assert_eq!(one.refusal().code(), Code::LeaseLost);
        let _two = Process::ready(&server, &of_pool(2)).await;
        one.store.heal();
        pass(&server, &[&one], 10_000).await;
        for _ in 0..10 {
            let id = one.take();
            assert!(id > last, "{id} after {last}");
            last = id;
        }
        let stats = one.stats();
        assert_eq!((stats.leases, stats.losses), (2, 1));
    });
}

#[test]
fn a_renewal_takes_nothing_from_whoever_has_the_number_by_now() {
    run(async {
        let server = Server::default();
        let one = Process::ready(&server, &of_pool(1)).await;
        one.take();
        // The store is not heard for longer than the lease, and then all at once.
        one.store.always(Fault::Hangs);
        pass(&server, &[&one], 11_000).await;
        let two = Process::ready(&server, &of_pool(1)).await;
        one.store.heal();
        one.store.release();
        settle().await;
        pass(&server, &[&one, &two], 20_000).await;
        two.take();
        assert_eq!(two.machine(), 0);
        assert_eq!(two.stats().losses, 0);
        assert_ne!(one.refusal().code(), Code::Closed);
    });
}

#[test]
fn a_late_release_frees_nobody_else() {
    run(async {
        let server = Server::default();
        let one = Process::ready(&server, &of_pool(1)).await;
        one.take();
        one.store.once_to_leases(Fault::Hangs);
        let store = std::sync::Arc::clone(&one.store);
        pass(&server, &[], 11_000).await;
        drop(one);
        settle().await;
        let two = Process::ready(&server, &of_pool(1)).await;
        store.release();
        settle().await;
        let three = Process::on(&server, &of_pool(1));
        assert_eq!(three.refusal().code(), Code::LeasePending);
        settle().await;
        assert_eq!(three.refusal().code(), Code::MachineIdsExhausted);
        two.take();
    });
}
