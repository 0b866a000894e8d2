//! A run of ids: the store's answer, a segment, and what a draw gives.

/// The highest id that can ever be granted, 2^63 − 2: ids lie in `[0, 2^63 − 1)`.
pub const MAX_ID: u64 = (1 << 63) - 2;

/// A half-open run of ids, `[start, end)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    /// The first id.
    pub start: u64,
    /// One past the last id.
    pub end: u64,
}

impl Range {
    /// The run of `size` ids that follows `last`.
    ///
    /// `None` if it would be empty or pass [`MAX_ID`].
    ///
    /// ```
    /// use mintid_core::Range;
    /// assert_eq!(Range::after(100, 50), Some(Range { start: 101, end: 151 }));
    /// assert_eq!(Range::after(u64::MAX, 1), None);
    /// ```
    pub fn after(last: u64, size: u64) -> Option<Self> {
        let highest = last.checked_add(size)?;
        (size > 0 && highest <= MAX_ID).then_some(Self {
            start: last + 1,
            end: highest + 1,
        })
    }

    /// How many ids it holds.
    pub fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Whether it holds no id.
    pub fn is_empty(&self) -> bool {
        self.start >= self.end
    }

    /// Its highest id.
    pub fn last(&self) -> u64 {
        self.end - 1
    }

    /// Writes its ids to the front of `out`, as far as both go; returns how many.
    ///
    /// ```
    /// use mintid_core::Range;
    /// let mut out = [0; 4];
    /// assert_eq!(Range { start: 7, end: 10 }.write_to(&mut out), 3);
    /// assert_eq!(out, [7, 8, 9, 0]);
    /// ```
    pub fn write_to(&self, out: &mut [u64]) -> usize {
        out.iter_mut()
            .zip(self.start..self.end)
            .map(|(place, id)| *place = id)
            .count()
    }

    /// Whether `id` lies in it.
    pub fn contains(&self, id: u64) -> bool {
        self.start <= id && id < self.end
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}, {})", self.start, self.end)
    }
}
