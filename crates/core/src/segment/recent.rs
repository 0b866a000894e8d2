//! The segment that each thread drew from last, for draws of one id.
//!
//! A thread that finds its segment here draws with one addition and touches nothing that other
//! generators share. A segment remembered for too long is harmless: it ends through its cursor,
//! whatever ends it, and an ended one has no ids.

use std::cell::RefCell;
use std::sync::Arc;

use super::Segment;
use crate::sync::thread_local;

/// How many generators a thread may alternate between before they push each other out.
const SLOTS: usize = 4;

/// A segment and the number of the buffer that it belongs to.
type Recent = Option<(u64, Arc<Segment>)>;

thread_local! {
    static RECENT: RefCell<[Recent; SLOTS]> = const { RefCell::new([const { None }; SLOTS]) };
}

#[inline]
fn slot(buffer: u64) -> usize {
    buffer as usize % SLOTS
}

/// Draws an id from the segment that this thread last drew from for `buffer`, if there is one left
/// and it cannot expire.
#[inline]
pub(super) fn draw(buffer: u64, seen: impl FnOnce(&Segment, u64) -> bool) -> Option<(u64, bool)> {
    RECENT.with(|recent| match &recent.borrow()[slot(buffer)] {
        Some((owner, segment)) if *owner == buffer => {
            let id = segment.cursor.draw_one()?;
            Some((id, seen(segment, id)))
        }
        _ => None,
    })
}

/// Remembers the segment that `buffer` serves now. One that expires is not: it has to be looked at
/// before each draw.
pub(super) fn remember(buffer: u64, segment: &Arc<Segment>) {
    if segment.expires.is_none() {
        RECENT.with(|recent| {
            recent.borrow_mut()[slot(buffer)] = Some((buffer, Arc::clone(segment)));
        });
    }
}
