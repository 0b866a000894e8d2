//! What is SQLite's own beside the contract: its file, its lock, its failures.

mod contract;
// Windows lets nobody delete a file that is open, nor has it modes.
#[cfg(unix)]
mod file;
mod folder;
mod lock;
#[cfg(unix)]
mod processes;
mod values;
