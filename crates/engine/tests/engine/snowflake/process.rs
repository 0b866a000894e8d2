use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use mintid::stores::faulty::FaultyStore;
use mintid::stores::memory::MemoryStore;
use mintid::{
    Error, Ids, IdsOptions, LeaseOptions, ManualTimer, SnowflakeGenerator, SnowflakeOptions, Timer,
    settle,
};

use crate::support::faulty;

/// The server: memory with a clock of its own.
pub struct Server {
    pub memory: MemoryStore,
    pub timer: Arc<ManualTimer>,
}

impl Default for Server {
    fn default() -> Self {
        let timer = Arc::new(ManualTimer::default());
        let memory = MemoryStore::named("leases").with_clock({
            let timer = Arc::clone(&timer);
            move || timer.unix_ms()
        });
        Self { memory, timer }
    }
}

/// One process, with clocks of its own, and its generator `events`.
pub struct Process {
    pub timer: Arc<ManualTimer>,
    pub store: Arc<FaultyStore>,
    pub ids: Ids,
    pub events: SnowflakeGenerator,
}

impl Deref for Process {
    type Target = SnowflakeGenerator;

    fn deref(&self) -> &SnowflakeGenerator {
        &self.events
    }
}

/// A lease of 10 s with a heartbeat each 2 s.
pub fn options() -> SnowflakeOptions {
    SnowflakeOptions {
        lease: LeaseOptions {
            ttl: Some(Duration::from_secs(10)),
            heartbeat: Some(Duration::from_secs(2)),
            ..LeaseOptions::default()
        },
        ..SnowflakeOptions::default()
    }
}

/// The same with so many machine numbers, which are all there are.
pub fn of_pool(numbers: u64) -> SnowflakeOptions {
    SnowflakeOptions {
        machine_range: Some((0, numbers - 1)),
        ..options()
    }
}

impl Process {
    pub fn on(server: &Server, options: &SnowflakeOptions) -> Self {
        let timer = Arc::new(ManualTimer::default());
        // Started now: its clocks tell what the server's do.
        timer.advance(server.timer.now_since_start());
        let store = Arc::new(faulty(server.memory.client(), &timer));
        let ids = Ids::of_store(store.clone(), timer.clone(), &IdsOptions::default())
            .expect("valid options");
        Self {
            events: ids
                .snowflake_with("events", options)
                .expect("valid options"),
            timer,
            store,
            ids,
        }
    }

    /// A process that holds a number.
    pub async fn ready(server: &Server, options: &SnowflakeOptions) -> Self {
        let process = Self::on(server, options);
        process.events.ready().await.expect("a number");
        process
    }

    pub fn machine(&self) -> u32 {
        self.events.machine().expect("a number")
    }

    /// An id that is at hand.
    #[track_caller]
    pub fn take(&self) -> u64 {
        self.events.try_next().expect("an id")
    }

    /// Why there is no id at hand.
    #[track_caller]
    pub fn refusal(&self) -> Error {
        self.events.try_draw(1).expect_err("no id").error
    }
}

/// The time of a process and of the server passes, and what is due happens.
pub async fn pass(server: &Server, processes: &[&Process], ms: u64) {
    let mut left = ms;
    while left > 0 {
        // In steps, so that nobody sees a heartbeat and the end of a lease in one instant.
        let step = left.min(500);
        server.timer.advance(Duration::from_millis(step));
        for process in processes {
            process.timer.advance(Duration::from_millis(step));
        }
        settle().await;
        left -= step;
    }
}

/// What a [`ManualTimer`] has counted.
trait SinceStart {
    fn now_since_start(&self) -> Duration;
}

impl SinceStart for ManualTimer {
    fn now_since_start(&self) -> Duration {
        use mintid::Clock;
        self.now().since_origin()
    }
}
