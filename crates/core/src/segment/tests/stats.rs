//! The numbers add up, whatever happens in whatever order.

use proptest::prelude::*;

use super::*;

/// What may happen to a buffer.
#[derive(Debug, Clone)]
enum Event {
    Draw(u32),
    DrawBlock(u32),
    /// The realm hands out a part of its block, and says so or not yet.
    UseBlock {
        part: f64,
        is_reported: bool,
    },
    LoseBlock,
    CancelBatch(u32),
    Send,
    Grant,
    Fail,
    GiveUp,
    LateGrant,
    Advance(u64),
    DropAll,
    Close,
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => (1_u32..40).prop_map(Event::Draw),
        8 => (1_u32..2_000).prop_map(Event::DrawBlock),
        8 => (0.0..=1.0_f64, any::<bool>())
            .prop_map(|(part, is_reported)| Event::UseBlock { part, is_reported }),
        1 => Just(Event::LoseBlock),
        2 => (1_u32..40).prop_map(Event::CancelBatch),
        8 => Just(Event::Send),
        8 => Just(Event::Grant),
        2 => Just(Event::Fail),
        2 => Just(Event::GiveUp),
        2 => Just(Event::LateGrant),
        6 => (0_u64..700).prop_map(Event::Advance),
        1 => Just(Event::DropAll),
        1 => Just(Event::Close),
    ]
}

/// A buffer, one realm's block, and an account kept beside it.
struct Ledger {
    fixture: Fixture,
    in_flight: Option<Attempt>,
    given_up: Vec<Attempt>,
    reserved: u64,
    issued: u64,
    /// In the block and not handed out; handed out and not reported.
    block: u64,
    unreported: u64,
    /// The end of the last range drawn.
    drawn_until: u64,
}

impl Ledger {
    fn happen(&mut self, event: Event) {
        match event {
            Event::Draw(n) => {
                let drawn = self.fixture.draw(n);
                self.issued += self.drawn(drawn);
            }
            Event::DrawBlock(room) => {
                let used = std::mem::take(&mut self.unreported);
                let buffer = &self.fixture.buffer;
                let drawn = buffer.draw_block(room, used, &self.fixture.clock);
                self.block += self.drawn(drawn);
            }
            Event::UseBlock { part, is_reported } => {
                let used = (self.block as f64 * part) as u64;
                self.block -= used;
                self.issued += used;
                self.unreported += used;
                if is_reported {
                    let used = std::mem::take(&mut self.unreported);
                    self.fixture.buffer.report(used, self.fixture.now());
                }
            }
            Event::LoseBlock => {
                let used = std::mem::take(&mut self.unreported);
                self.fixture.buffer.report(used, self.fixture.now());
                self.fixture
                    .buffer
                    .lose_block(std::mem::take(&mut self.block));
            }
            Event::CancelBatch(n) => {
                let drawn = self.fixture.draw(n);
                let lost = self.drawn(drawn);
                self.fixture.buffer.waste(lost);
            }
            Event::Send if self.in_flight.is_none() => {
                self.fixture.buffer.want();
                if let Next::Reserve(attempt) = self.fixture.next() {
                    self.in_flight = Some(attempt);
                }
            }
            Event::Grant => {
                let attempt = self.in_flight.take();
                attempt.into_iter().for_each(|attempt| self.grant(&attempt));
            }
            Event::LateGrant => {
                let attempt = self.given_up.pop();
                attempt.into_iter().for_each(|attempt| self.grant(&attempt));
            }
            Event::Fail => {
                if let Some(attempt) = self.in_flight.take() {
                    drop(self.fixture.finish(&attempt, Err(away())));
                }
            }
            Event::GiveUp => {
                if let Some(attempt) = self.in_flight.take() {
                    drop(self.fixture.finish(&attempt, Err(timed_out())));
                    self.given_up.push(attempt);
                }
            }
            Event::Advance(ms) => self.fixture.advance(ms),
            Event::DropAll => self.fixture.buffer.drop_all(),
            Event::Close => drop(self.fixture.buffer.close(closed())),
            Event::Send => {}
        }
    }

    fn grant(&mut self, attempt: &Attempt) {
        self.reserved += attempt.size;
        drop(self.fixture.answer(attempt));
    }

    /// How many ids a draw gave, each above the last one.
    fn drawn(&mut self, drawn: Drawn) -> u64 {
        let Some(range) = drawn.range else {
            return 0;
        };
        assert!(range.start >= self.drawn_until);
        self.drawn_until = range.end;
        range.len()
    }

    fn check(&self) {
        let stats = self.fixture.stats();
        let in_memory = self.fixture.at_hand() + self.block;
        assert_eq!(stats.reserved, self.reserved);
        assert_eq!(stats.issued, self.issued - self.unreported);
        assert_eq!(stats.remaining, in_memory + self.unreported);
        assert_eq!(
            stats.reserved,
            stats.issued + stats.remaining + stats.wasted
        );
    }
}

proptest! {
    #[test]
    fn what_is_reserved_is_issued_in_memory_or_wasted(
        step in 1_u64..60,
        keep in 0_u64..60,
        ttl_ms in prop::option::of(1_u64..2_000),
        events in prop::collection::vec(any_event(), 1..150),
    ) {
        let mut ledger = Ledger {
            fixture: Fixture::new(&SegmentOptions {
                step: Some(step),
                keep: Some(keep),
                range_ttl: ttl_ms.map(Duration::from_millis),
                ..SegmentOptions::default()
            }),
            in_flight: None,
            given_up: Vec::new(),
            reserved: 0,
            issued: 0,
            block: 0,
            unreported: 0,
            drawn_until: 0,
        };
        for event in events {
            ledger.happen(event);
            ledger.check();
        }
    }
}
