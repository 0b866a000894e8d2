//! Snowflake ids as a constant: the machine number comes from the store, and is the process's own.
//!
//! `cargo run -p mintid --example snowflake`

use std::collections::HashSet;
use std::thread;

use mintid::{Result, Snowflake};

static SF: Snowflake = Snowflake::new();

const THREADS: usize = 4;
const EACH: usize = 5_000;

fn main() -> Result<()> {
    let file = std::env::temp_dir().join(format!("mintid-snowflake-{}.db", std::process::id()));
    let url = format!("sqlite:{}", file.display());
    let machine = mintid::runtime().block_on(async {
        mintid::init(&url).await?;
        SF.machine_id().await
    })?;

    let threads: Vec<_> = (0..THREADS)
        .map(|_| thread::spawn(|| mintid::runtime().block_on(mint())))
        .collect();
    let mut ids = HashSet::new();
    for thread in threads {
        ids.extend(thread.join().expect("no thread panics")?);
    }
    assert_eq!(ids.len(), THREADS * EACH, "an id came twice");
    println!(
        "machine {machine}: {} ids of {THREADS} threads, none of them twice",
        ids.len()
    );
    for ending in ["", "-wal", "-shm", ".lock"] {
        // What is not there need not be removed.
        drop(std::fs::remove_file(format!("{}{ending}", file.display())));
    }
    Ok(())
}

async fn mint() -> Result<Vec<u64>> {
    let mut ids = Vec::with_capacity(EACH);
    for _ in 0..EACH {
        ids.push(SF.next().await?);
    }
    Ok(ids)
}
