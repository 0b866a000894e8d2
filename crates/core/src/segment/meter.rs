//! How fast ids are handed out.

use std::collections::VecDeque;
use std::time::Duration;

use crate::clock::Moment;

/// The longest time that a rate looks back.
const LONGEST: Duration = Duration::from_secs(10);
/// The shortest time that makes a rate: a block drained at once is no infinite rate.
const SHORTEST: Duration = Duration::from_millis(100);

/// Samples of a running count, at most one per [`SHORTEST`] and as far back as [`LONGEST`].
#[derive(Debug, Default)]
pub(super) struct Meter {
    samples: VecDeque<(Moment, u64)>,
}

impl Meter {
    /// Notes that `issued` ids have been handed out until now.
    pub(super) fn record(&mut self, now: Moment, issued: u64) {
        match self.samples.back() {
            Some((at, _)) if now - *at < SHORTEST => return,
            _ => self.samples.push_back((now, issued)),
        }
        // The newest sample that is older than the window is its beginning: keep it.
        while self.samples.len() > 2 && now - self.samples[1].0 >= LONGEST {
            self.samples.pop_front();
        }
    }

    /// Ids per second since `since`, but over at most 10 s and at least 100 ms; 0 before that.
    pub(super) fn rate(&self, now: Moment, issued: u64, since: Moment) -> f64 {
        let Some((first, _)) = self.samples.front() else {
            return 0.0;
        };
        if now - *first < SHORTEST {
            return 0.0;
        }
        let window = (now - since).clamp(SHORTEST, LONGEST);
        let (at, before) = self.since(now, window).unwrap_or_default();
        let elapsed = (now - at).max(SHORTEST);
        issued.saturating_sub(before) as f64 / elapsed.as_secs_f64()
    }

    /// The sample that a rate over the last `window` starts from.
    fn since(&self, now: Moment, window: Duration) -> Option<(Moment, u64)> {
        let newest_before = self
            .samples
            .iter()
            .rev()
            .find(|(at, _)| now - *at >= window);
        match newest_before.or(self.samples.front()) {
            // A rest before the window would thin out what was handed out after it.
            Some((at, _)) if now - *at > LONGEST => self
                .samples
                .iter()
                .find(|(at, _)| (SHORTEST..=LONGEST).contains(&(now - *at)))
                .or(newest_before),
            other => other,
        }
        .copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Moment {
        Moment::new(Duration::from_millis(ms))
    }

    /// The rate at `now_ms` after counts were noted at the times of `samples`.
    fn check(samples: &[(u64, u64)], (now_ms, issued): (u64, u64), since_ms: u64, rate: f64) {
        let mut meter = Meter::default();
        for &(ms, issued) in samples {
            meter.record(at(ms), issued);
        }
        let found = meter.rate(at(now_ms), issued, at(since_ms));
        assert!(
            (found - rate).abs() < 1e-9,
            "{samples:?}: {found}, not {rate}"
        );
    }

    #[test]
    fn a_rate_needs_a_tenth_of_a_second() {
        check(&[], (5_000, 0), 0, 0.0);
        check(&[(0, 0)], (99, 1_000), 0, 0.0);
        check(&[(0, 0)], (100, 1_000), 0, 10_000.0);
    }

    #[test]
    fn a_rate_looks_back_as_far_as_asked_but_at_most_ten_seconds() {
        let steady: Vec<_> = (0..=200).map(|tenth| (tenth * 100, tenth * 10)).collect();
        check(&steady, (20_000, 2_000), 19_000, 100.0);
        check(&steady, (20_000, 2_000), 0, 100.0);
        check(&steady, (20_000, 3_000), 19_000, 1_100.0);
        check(&steady, (20_000, 3_000), 0, 200.0);
    }

    #[test]
    fn a_burst_after_a_long_rest_is_seen_as_one() {
        let hour = 3_600_000;
        let burst = [(0, 0), (100, 10), (hour, 16), (hour + 500, 50_016)];
        check(&burst, (hour + 1_000, 100_016), 0, 100_000.0);
    }

    #[test]
    fn a_count_that_comes_late_is_no_burst() {
        check(&[(0, 0), (100, 10)], (1_000_100, 1_010), 0, 1.0);
    }
}
