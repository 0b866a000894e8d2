//! What the tests stand on: a store that fails to order, time that is moved by hand, and callers.

mod crowd;
mod faulty_store;
mod fixture;

pub use crowd::{Crowd, poll_once};
pub use faulty_store::{Fault, FaultyStore};
pub use fixture::{Fixture, fixed, refused, run, settle, step, unavailable};
