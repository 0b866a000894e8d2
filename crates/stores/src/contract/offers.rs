/// What a store offers beside granting ranges above all that it granted before.
///
/// What is not offered is not judged; [`Offers::default`] is all of it, which is what every store
/// of this library offers. A store that somebody wrote for their own service may do with less:
/// whoever calls it makes up for the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offers {
    /// [`RangeStore::seal`](crate::RangeStore::seal).
    pub seal: bool,
    /// [`RangeStore::floor`](crate::RangeStore::floor).
    pub floor: bool,
    /// [`RangeStore::list`](crate::RangeStore::list).
    pub list: bool,
    /// It heeds `max`, `floor` and `raise_to` of a request, in the same step that grants.
    pub bounds: bool,
    /// It knows which store it is and which generators it has: `store_id`, `record`, `may_create`.
    pub records: bool,
    /// Its answers tell what they did: `created` and `raised`, and whether `seal` and `floor` did
    /// anything.
    pub details: bool,
    /// It refuses with the code that is due, and everything once it is closed. Of a store that
    /// does not, `RANGE_UNAVAILABLE` is a refusal for any reason.
    pub codes: bool,
    /// It reaches the last id there can be. One that counts in doubles ends sooner.
    pub all_ids: bool,
}

impl Default for Offers {
    fn default() -> Self {
        Self {
            seal: true,
            floor: true,
            list: true,
            bounds: true,
            records: true,
            details: true,
            codes: true,
            all_ids: true,
        }
    }
}
