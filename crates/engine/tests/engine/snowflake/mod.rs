//! Snowflake generators: how a process comes by its machine number, keeps it and loses it.

mod clock;
mod leases;
mod losses;
mod process;
