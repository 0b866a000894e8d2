//! What is Redis's own beside the contract.
//!
//! The servers come from `MINTID_TEST_*_URL`, which the repository's test script sets. Each test
//! has a hash of its own on them.

mod addresses;
mod contract;
mod judgement;
mod lease_bench;
mod lease_contract;
mod lease_judgement;
mod lease_prefixes;
mod leases;
mod protection;
mod server_info;
mod servers;
mod sums;
mod tls;
