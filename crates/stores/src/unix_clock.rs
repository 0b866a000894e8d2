//! The time of day, as records of leases have it.

use std::time::SystemTime;

/// Unix ms by the clock of this machine; 0 for one that stands before 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
