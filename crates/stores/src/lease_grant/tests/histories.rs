//! Whatever claims, renewals, releases, freeings and crashes come in whatever order, at whatever
//! clocks: no tick of a machine id belongs to two.

use proptest::prelude::*;

use super::*;

/// What happens next, to one of a few processes.
#[derive(Debug, Clone, Copy)]
enum Step {
    Claim,
    Renew,
    /// Uses its time up to its ceiling, or as far as its clock has come.
    Mint,
    Release,
    /// Forgets what it holds.
    Crash,
    Free,
    /// The store's clock moves by so many ms, ahead or back.
    Clock(i64),
    /// The process's clock is off by so many ms from now on.
    OwnClock(i64),
    /// The table is emptied, or gets back what it was at the last snapshot.
    Wipe,
    Snapshot,
    Restore,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => Just(Step::Claim),
        6 => Just(Step::Renew),
        8 => Just(Step::Mint),
        2 => Just(Step::Release),
        1 => Just(Step::Crash),
        1 => Just(Step::Free),
        6 => (0_i64..40_000).prop_map(Step::Clock),
        1 => (-3_600_000_i64..3_600_000).prop_map(Step::Clock),
        2 => (-4_000_i64..4_000).prop_map(Step::OwnClock),
        1 => (-3_600_000_i64..3_600_000).prop_map(Step::OwnClock),
    ]
}

/// The same, with a server that loses what it had.
fn step_with_losses() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => step().prop_filter("the clock goes on", |step| {
            // A store that goes back in time as well as in content knows nothing any more.
            !matches!(step, Step::Clock(by) if *by < 0)
        }),
        1 => Just(Step::Wipe),
        2 => Just(Step::Snapshot),
        1 => Just(Step::Restore),
    ]
}

/// A lease as its holder knows it.
#[derive(Debug, Clone)]
struct Held {
    claim: Claim,
    machine: u32,
    former_ceiling_ms: u64,
    ceiling_ms: u64,
    last_tick: Option<u64>,
    /// By the store's clock, which stands for the one that a holder has.
    renewed_ms: u64,
    is_renewed: bool,
}

#[derive(Debug, Clone, Default)]
struct Content {
    table: Table,
    seats: BTreeMap<u32, Standing>,
}

struct World {
    layout: Layout,
    now_ms: u64,
    content: Content,
    snapshot: Content,
    processes: Vec<(i64, Option<Held>)>,
    claims: u32,
    /// Who has used which tick of which machine id.
    used: BTreeMap<(u32, u64), String>,
    is_lossy: bool,
}

impl World {
    fn new(layout: Layout, is_lossy: bool) -> Self {
        Self {
            layout,
            now_ms: NOW_MS,
            content: Content::default(),
            snapshot: Content::default(),
            processes: vec![(0, None); 4],
            claims: 0,
            used: BTreeMap::new(),
            is_lossy,
        }
    }

    fn take(&mut self, process: usize, step: Step) -> Result<(), String> {
        let own_now_ms = self.now_ms.saturating_add_signed(self.processes[process].0);
        match step {
            Step::Clock(by) => self.now_ms = self.now_ms.saturating_add_signed(by),
            Step::OwnClock(off) => self.processes[process].0 = off,
            Step::Crash => self.processes[process].1 = None,
            Step::Wipe => self.content = Content::default(),
            Step::Snapshot => self.snapshot = self.content.clone(),
            Step::Restore => {
                self.content = self.snapshot.clone();
                self.content.table.may_have_lost = true;
            }
            Step::Claim => self.claim(process, own_now_ms),
            Step::Renew => self.renew(process, own_now_ms),
            Step::Mint => return self.mint(process, own_now_ms),
            Step::Release => self.release(process),
            Step::Free => {
                let machine = u32::try_from(process % 2).expect("0 or 1");
                let standing = self.standing(machine);
                let freed = decide_free("store:", &standing, &scope(), machine);
                self.write(machine, freed.expect("it can be read"));
            }
        }
        Ok(())
    }

    fn standing(&self, machine: u32) -> Standing {
        self.content
            .seats
            .get(&machine)
            .cloned()
            .unwrap_or_default()
    }

    fn write(&mut self, machine: u32, record: Option<LeaseRecord>) {
        if let Some(record) = record {
            self.content
                .seats
                .insert(machine, Standing::Recorded(record));
        }
    }

    fn claim(&mut self, process: usize, own_now_ms: u64) {
        self.claims += 1;
        let request = Claim {
            owner: Owner::named(&format!("owner {}", self.claims)),
            layout: self.layout,
            now_ms: own_now_ms,
            start: self.claims,
            ..super::claim()
        };
        let decided = decide_claim("store:", &self.content.table, &request, self.now_ms, |id| {
            self.standing(id)
        });
        let Ok(decision) = decided else { return };
        let claimed = decision.claimed;
        self.content.table.terms = Some(decision.terms);
        self.content.table.fresh_ms = decision.fresh_ms;
        self.content.table.may_have_lost = false;
        self.write(claimed.machine, Some(decision.record));
        self.processes[process].1 = Some(Held {
            claim: request,
            machine: claimed.machine,
            former_ceiling_ms: claimed.former_ceiling_ms,
            ceiling_ms: claimed.ceiling_ms,
            last_tick: None,
            renewed_ms: self.now_ms,
            is_renewed: false,
        });
    }

    fn renew(&mut self, process: usize, own_now_ms: u64) {
        let Some(mut held) = self.processes[process].1.take() else {
            return;
        };
        // Whoever is past the deadline has lost it, and does not ask: it matters where a table
        // may come back that still has the lease in it.
        if self.is_lossy && self.now_ms >= held.renewed_ms + TTL_MS {
            return;
        }
        let request = Renew {
            owner: held.claim.owner.clone(),
            machine: held.machine,
            layout: self.layout,
            now_ms: own_now_ms,
            ..super::renew()
        };
        let standing = self.standing(held.machine);
        let (renewed, record) =
            decide_renew("store:", &standing, &request, self.now_ms).expect("it can be read");
        self.write(held.machine, record);
        let Renewed::Held { ceiling_ms, .. } = renewed else {
            return;
        };
        held.ceiling_ms = held.ceiling_ms.max(ceiling_ms);
        held.renewed_ms = self.now_ms;
        held.is_renewed = true;
        self.processes[process].1 = Some(held);
    }

    fn mint(&mut self, process: usize, own_now_ms: u64) -> Result<(), String> {
        let Some(held) = &mut self.processes[process].1 else {
            return Ok(());
        };
        let Some(tick) = self.layout.tick_at(own_now_ms) else {
            return Ok(());
        };
        let may = held.is_renewed
            && tick >= self.layout.first_tick_above(held.former_ceiling_ms)
            && self.layout.last_ms(tick) <= held.ceiling_ms
            && held.last_tick.is_none_or(|last| tick >= last);
        if !may {
            return Ok(());
        }
        held.last_tick = Some(tick);
        let owner = held.claim.owner.as_str().to_owned();
        match self.used.insert((held.machine, tick), owner.clone()) {
            Some(other) if other != owner => Err(format!(
                "{owner} and {other} both used tick {tick} of machine id {}",
                held.machine
            )),
            _ => Ok(()),
        }
    }

    fn release(&mut self, process: usize) {
        let Some(held) = self.processes[process].1.take() else {
            return;
        };
        let request = Release {
            scope: scope(),
            owner: held.claim.owner,
            machine: held.machine,
            last_ms: held.last_tick.map_or(0, |tick| self.layout.last_ms(tick)),
            former_ceiling_ms: held.former_ceiling_ms,
        };
        let standing = self.standing(held.machine);
        let released = decide_release("store:", &standing, &request).expect("it can be read");
        self.write(held.machine, released);
    }
}

fn run(
    unit: Unit,
    epoch: u64,
    is_lossy: bool,
    steps: &[(usize, Step)],
) -> Result<(), TestCaseError> {
    let mut world = World::new(layout(unit, epoch), is_lossy);
    // A table in which something was held, so that a later one that is empty is a wiped one.
    for (process, step) in steps {
        world
            .take(*process, *step)
            .map_err(|what| TestCaseError::fail(format!("{what} after {step:?}")))?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_tick_belongs_to_two_holders(
        unit in prop::sample::select(vec![Unit::Ms, Unit::S]),
        epoch in 1_577_836_800_000_u64..1_577_836_801_000,
        steps in prop::collection::vec((0_usize..4, step()), 1..120),
    ) {
        run(unit, epoch, false, &steps)?;
    }

    #[test]
    fn no_tick_belongs_to_two_holders_of_a_server_that_loses_what_it_had(
        unit in prop::sample::select(vec![Unit::Ms, Unit::S]),
        epoch in 1_577_836_800_000_u64..1_577_836_801_000,
        steps in prop::collection::vec((0_usize..4, step_with_losses()), 1..120),
    ) {
        run(unit, epoch, true, &steps)?;
    }
}
