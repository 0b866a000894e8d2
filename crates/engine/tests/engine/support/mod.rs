//! What the tests stand on: a store that fails to order, time that is moved by hand, and callers.

mod crowd;
mod fixture;

pub use crowd::{Crowd, poll_once};
pub use fixture::{Fixture, faulty, fixed, key, refused, run, step, unavailable, value};
pub use mintid::settle;
pub use mintid::stores::faulty::{Fault, FaultyStore};
