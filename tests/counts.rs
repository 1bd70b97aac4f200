//! What a scene costs in counts that do not depend on the clock: Newton iterations, factor entries and allocations. Limits are
//! what was measured when they were set, and a tenth; whoever gains lowers them. A binary of its own, because the counting
//! allocator counts for the whole process.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails should stop at once, and may say what it measured"
)]

use ipcsim::math::parallel;
use ipcsim::scene::{build, read};
use ipcsim::time::step;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::path::Path;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What is counted.
#[derive(Clone, Copy, Debug)]
struct Counts {
    /// Newton iterations of all steps.
    iterations: usize,
    /// Entries of the factor after the last step.
    factor_entries: usize,
    /// Allocations and reallocations of all steps.
    allocations: usize,
    /// Those of the last step, done once more from the same state by the same solver, which has all its memory by then.
    warm_allocations: usize,
}

struct Case {
    scene: &'static str,
    set: &'static [&'static str],
    steps: usize,
    limits: Counts,
}

const fn limits(iterations: usize, factor_entries: usize, allocations: usize, warm_allocations: usize) -> Counts {
    Counts { iterations, factor_entries, allocations, warm_allocations }
}

const CASES: [Case; 6] = [
    Case { scene: "book/08_two_squares_friction", set: &[], steps: 200, limits: limits(885, 733, 34_445, 136) },
    Case { scene: "stress/two_squares_2k", set: &[], steps: 50, limits: limits(250, 98_083, 220_047, 6625) },
    Case { scene: "stress/two_squares_20k", set: &[], steps: 12, limits: limits(44, 1_379_431, 284_111, 9977) },
    Case {
        scene: "stress/combs",
        set: &["bodies.0.copies.counts=[4,1]", "bodies.1.copies.counts=[3,1]"],
        steps: 70,
        limits: limits(416, 90_363, 263_174, 1066),
    },
    Case {
        scene: "stress/disks_500",
        set: &["bodies.0.copies.counts=[4,5]"],
        steps: 30,
        limits: limits(128, 21_345, 41_300, 515),
    },
    Case { scene: "showcase/house_of_cards", set: &[], steps: 60, limits: limits(170, 1096, 69_442, 441) },
];

fn count(case: &Case) -> Counts {
    let set: Vec<String> = case.set.iter().map(ToString::to_string).collect();
    let setup = build(read(Path::new(&format!("scenes/{}.json", case.scene)), &set).unwrap()).unwrap();
    let (world, mut state) = (setup.world, setup.state);
    let (mut solver, mut before) = (world.solver(), state.clone());
    let mut iterations = 0;
    let region = Region::new(ALLOCATOR);
    for _ in 0..case.steps {
        before.clone_from(&state);
        iterations += step(&world, &mut solver, &mut state).unwrap().record.newton_iterations;
    }
    let allocations = allocations(&region);
    let factor_entries = solver.factor_entries();
    let mut again = before;
    let region = Region::new(ALLOCATOR);
    let repeated = step(&world, &mut solver, &mut again).unwrap().record.newton_iterations;
    let warm_allocations = self::allocations(&region);
    println!(
        "{:32} {iterations:5} iterations {factor_entries:8} factor entries {allocations:8} allocations: {:7.1} an iteration, {:7.1} a step; \
         once more the last step: {warm_allocations:5}, {:.1} an iteration",
        case.scene,
        allocations as f64 / iterations as f64,
        allocations as f64 / case.steps as f64,
        warm_allocations as f64 / repeated as f64,
    );
    Counts { iterations, factor_entries, allocations, warm_allocations }
}

fn allocations(region: &Region<System>) -> usize {
    let change = region.change();
    change.allocations + change.reallocations
}

/// One test, because allocations of another one would be counted.
#[test]
fn scenes_cost_no_more_iterations_entries_and_allocations_than_when_limits_were_set() {
    let counted = parallel::with_threads(Some(1), || CASES.map(|case| (count(&case), case))).unwrap();
    let mut beyond = Vec::new();
    for (counts, case) in counted {
        let Case { scene, limits, .. } = case;
        let pairs = [
            ("iterations", counts.iterations, limits.iterations),
            ("factor entries", counts.factor_entries, limits.factor_entries),
            ("allocations", counts.allocations, limits.allocations),
            ("allocations of a step by a warm solver", counts.warm_allocations, limits.warm_allocations),
        ];
        beyond.extend(pairs.into_iter().filter(|(_, count, limit)| count > limit).map(|pair| (scene, pair)));
    }
    assert!(beyond.is_empty(), "{beyond:#?}");
}
