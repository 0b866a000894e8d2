//! Ranges and leases from Redis, Valkey or Kvrocks.
//!
//! One hash holds all counters: field = key, value = the highest id granted, as plain `HINCRBY`
//! clients of the same field have it. Fields that begin with `#` are the store's own: its id, and
//! for each key its generator's record, its seal, and the *mark*, which remembers the server.
//!
//! **Invariant.** Every reservation is one script that writes by one `HSET`. It raises the counter
//! by a *jump* before it grants anything on a server that is not the one of the mark, because a
//! restart or a promotion may have lost what was acknowledged last. Whatever has no answer counts
//! as granted and is not used. Machine ids are kept in two
//! hashes of their own.

mod address;
mod cluster;
mod confirm;
mod connection;
mod counters;
mod diagnosis;
mod error;
mod examine;
mod lease_store;
mod leases;
mod link;
mod options;
mod plain;
mod reply;
mod reserve;
mod script;
mod server;
mod session;
mod store;
mod target;
mod tls;
mod way;

#[cfg(test)]
mod tests;

pub use address::RedisAddress;
pub use options::RedisOptions;
pub use store::RedisStore;
