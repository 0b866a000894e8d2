//! Ten ids from a file that any process of this host may share.
//!
//! `cargo run -p mintid --example basic`

use mintid::{Ids, Result};

fn main() -> Result<()> {
    let file = std::env::temp_dir().join(format!("mintid-basic-{}.db", std::process::id()));
    let url = format!("sqlite:{}", file.display());
    // Any runtime will do; this one is there already.
    mintid::runtime().block_on(mint(&url))?;
    for ending in ["", "-wal", "-shm", ".lock"] {
        // What is not there need not be removed.
        drop(std::fs::remove_file(format!("{}{ending}", file.display())));
    }
    Ok(())
}

async fn mint(url: &str) -> Result<()> {
    let ids = Ids::new(url)?;
    let orders = ids.segment("orders")?;
    for _ in 0..7 {
        println!("{}", orders.next().await?);
    }
    println!("{:?}", orders.next_batch(3).await?);
    println!("{:?}", orders.stats());
    drop(orders);
    ids.close().await
}
