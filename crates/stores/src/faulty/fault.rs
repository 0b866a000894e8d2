use mintid_core::{Error, Range};

/// What becomes of a reservation.
#[derive(Debug, Clone)]
pub enum Fault {
    /// It is refused as by a store that is away, and nothing is granted.
    Fails,
    /// It is refused with this error, and nothing is granted.
    Refuses(Error),
    /// It is granted, and answered with an error.
    LosesReply,
    /// It is looked at only once it is released.
    Hangs,
    /// It is granted, and answered only once it is released.
    HoldsReply,
    /// It is granted, and answered with another range.
    Answers(Range),
    /// The store's code breaks.
    Panics,
}
