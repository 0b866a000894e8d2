//! The policy of hi/lo: always the same size, refilled at half.

/// Always `step`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fixed {
    /// How many ids every reservation asks for.
    pub step: u64,
}
