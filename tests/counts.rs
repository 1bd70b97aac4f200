//! Cost of scenes in counts that do not depend on the clock: Newton iterations, factor entries and
//! allocations. Limits are the counts when they were set, and a tenth. A change that lowers a count
//! lowers its limit. Two looks a step at direct ways cost about 15 allocations each where bodies move
//! far; a direction costs none for them. This is a binary of its own, because the counting allocator counts for the
//! whole process.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails should stop at once, and may say what it measured"
)]

use ipcsim::math::{Mat2, parallel};
use ipcsim::scene::{build, parse, read};
use ipcsim::solve::Solver;
use ipcsim::sparse::{BlockMatrix, Cholesky, LinearSolver, fill_reducing};
use ipcsim::time::{State, World, step};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::path::Path;

/// The system's allocator, which counts.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Counts of a run.
#[derive(Clone, Copy, Debug)]
struct Counts {
    /// Newton iterations of all steps.
    iterations: usize,
    /// Entries of the factor after the last step.
    factor_entries: usize,
    /// Allocations and reallocations of all steps.
    allocations: usize,
    /// Allocations of the last step when it is repeated by the same solver, which has all its
    /// memory by then.
    warm_allocations: usize,
    /// Allocations of each further direction that the last step needs for a millionth of its
    /// tolerance.
    per_direction: usize,
}

/// A run and the limits of its counts.
struct Case {
    scene: &'static str,
    set: &'static [&'static str],
    steps: usize,
    limits: Counts,
}

/// Limits of a run, in the order of [`Counts`].
const fn limits(
    iterations: usize,
    factor_entries: usize,
    allocations: usize,
    [warm_allocations, per_direction]: [usize; 2],
) -> Counts {
    Counts {
        iterations,
        factor_entries,
        allocations,
        warm_allocations,
        per_direction,
    }
}

/// All runs, with their counts when the limits were set. Most allocations of a direction are
/// partial sums over large fields: friction that leads makes dozens of them.
const CASES: [Case; 8] = [
    Case {
        scene: "book/08_two_squares_friction",
        set: &[],
        steps: 200,
        limits: limits(675, 733, 14_100, [59, 0]),
    },
    Case {
        scene: "stress/two_squares_2k",
        set: &[],
        steps: 50,
        limits: limits(517, 55_300, 37_200, [470, 37]),
    },
    Case {
        scene: "stress/two_squares_20k",
        set: &[],
        steps: 12,
        limits: limits(102, 1_360_000, 23_400, [1_040, 116]),
    },
    Case {
        scene: "stress/combs",
        set: &[
            "bodies.0.copies.counts=[4,1]",
            "bodies.1.copies.counts=[3,1]",
        ],
        steps: 70,
        // Some teeth fly, so that all have room in their lists and a search for pairs finds more of them.
        limits: limits(88, 104_800, 57_200, [675, 65]),
    },
    Case {
        scene: "stress/disks_500",
        set: &["bodies.0.copies.counts=[4,5]"],
        steps: 30,
        // In the last step new contacts do not fit the pattern of the matrix. Disks fall by more than an
        // eighth of their radius in a step, so that each step looks whether they pass each other.
        limits: limits(320, 24_700, 19_900, [860, 1]),
    },
    Case {
        scene: "stress/mixed_disks",
        set: &[],
        steps: 100,
        // At most 15 directions a step, which is less than a tenth above the count.
        limits: limits(1_500, 21_600, 100_100, [353, 24]),
    },
    Case {
        scene: "showcase/hourglass",
        set: &[],
        steps: 130,
        // Composite directions: 6 a step, without them 14. They allocate their inner problems.
        limits: limits(890, 27_200, 372_000, [4_480, 0]),
    },
    Case {
        scene: "showcase/house_of_cards",
        set: &[],
        steps: 60,
        limits: limits(91, 1_095, 7_900, [106, 1]),
    },
];

/// A chain of bars of 0.08 m that is held at its left end, after 10 steps. Nothing collides.
fn chain(bars: usize) -> (World, Solver, State) {
    let bar = |k: usize| {
        let x = 0.08 * k as f64 + 0.04;
        format!(
            r#"{{ "name": "{k}", "kind": "rigid", "material": "wood", "group": "all", "position": [{x}, 0],
                 "shape": {{ "rectangle": {{ "size": [0.08, 0.02], "segments": [1, 1] }} }} }}"#
        )
    };
    let hinge = |k: usize| {
        let before = k.checked_sub(1).map_or("pin".to_owned(), |k| k.to_string());
        let x = 0.08 * k as f64;
        format!(r#"{{ "hinge": {{ "bodies": ["{before}", "{k}"], "at": [{x}, 0] }} }}"#)
    };
    let text = format!(
        r#"{{ "time": {{ "step": 0.01, "steps": 10 }}, "materials": {{ "wood": {{ "density": 600 }} }},
             "bodies": [{}], "joints": [{}],
             "obstacles": [ {{ "name": "pin", "group": "all",
                               "shape": {{ "rectangle": {{ "size": [0.02, 0.02], "segments": [1, 1] }} }} }} ] }}"#,
        (0..bars).map(bar).collect::<Vec<_>>().join(","),
        (0..bars).map(hinge).collect::<Vec<_>>().join(","),
    );
    let setup = build(parse(&text, &[]).unwrap()).unwrap();
    let mut solver = setup.world.solver();
    let mut state = setup.state;
    for _ in 0..10 {
        step(&setup.world, &mut solver, &mut state).unwrap();
    }
    (setup.world, solver, state)
}

/// Checks that a step of a chain allocates as often as that of one with a quarter of its bars, a few
/// iterations aside, and that factors grow with the number of bars.
fn check_chains() {
    let [short, long] = [100, 400].map(|bars| {
        let (world, mut solver, state) = chain(bars);
        let (allocations, directions) = once_more(&world, &mut solver, &state);
        let entries = solver.factor_entries();
        println!(
            "chain of {bars}: {allocations} allocations in {directions}, {entries} factor entries"
        );
        [allocations, entries]
    });
    assert!(long[0] <= short[0] + 60, "{long:?} {short:?}");
    assert!(10 * long[1] <= 42 * short[1], "{long:?} {short:?}");
}

/// Checks that a second factorisation of a large matrix and a second solve allocate nothing.
fn check_factorisation() {
    let n = 90;
    let node = |i: usize, j: usize| n * i + j;
    let right = (0..n).flat_map(|i| (1..n).map(move |j| [node(i, j - 1), node(i, j)]));
    let up = (1..n).flat_map(|i| (0..n).map(move |j| [node(i - 1, j), node(i, j)]));
    let links: Vec<[usize; 2]> = right.chain(up).collect();
    let position = fill_reducing(n * n, &links);
    let links: Vec<[usize; 2]> = links.iter().map(|pair| pair.map(|k| position[k])).collect();

    let mut matrix = BlockMatrix::new(n * n, &mut links.clone());
    for [a, b] in links {
        assert!(matrix.add(a, b, &-Mat2::identity()));
    }
    matrix.shift_diagonal(5.0);

    let mut cholesky = Cholesky::analyse(&matrix, LinearSolver::Multifrontal).unwrap();
    let mut b = vec![1.0; 2 * n * n];
    let mut allocated = [0; 2];
    for count in &mut allocated {
        let region = Region::new(ALLOCATOR);
        cholesky.begin(&matrix, &b).unwrap();
        cholesky.finish(&mut b);
        cholesky.solve(&mut b);
        *count = allocations(&region);
    }
    println!("two factorisations of {n} x {n} nodes: {allocated:?} allocations");
    assert!(allocated[0] > 0);
    assert_eq!(allocated[1], 0);
}

/// Counts of a run.
fn count(case: &Case) -> Counts {
    let set: Vec<String> = case.set.iter().map(ToString::to_string).collect();
    let setup =
        build(read(Path::new(&format!("scenes/{}.json", case.scene)), &set).unwrap()).unwrap();
    let mut world = setup.world;
    let mut state = setup.state;
    let mut solver = world.solver();
    let mut before = state.clone();
    let mut iterations = 0;
    let region = Region::new(ALLOCATOR);

    for _ in 0..case.steps {
        before.clone_from(&state);
        iterations += step(&world, &mut solver, &mut state)
            .unwrap()
            .report
            .record
            .newton_iterations;
    }

    let allocations = allocations(&region);
    let factor_entries = solver.factor_entries();

    // The last step once more, with memory that is there already.
    let (warm_allocations, repeated) = once_more(&world, &mut solver, &before);
    world.newton.tolerance *= 1e-6;

    // And again to a millionth of the tolerance: each further direction costs the difference.
    let mut precise = world.solver();
    once_more(&world, &mut precise, &before);
    let (more_allocations, more) = once_more(&world, &mut precise, &before);
    let per_direction = match more - repeated {
        0 => 0,
        further => more_allocations
            .saturating_sub(warm_allocations)
            .div_ceil(further),
    };
    println!(
        "{:32} {iterations:5} iterations {factor_entries:8} factor entries {allocations:8} allocations: {:7.1} an iteration, {:7.1} a step; \
         once more the last step: {warm_allocations:5} in {repeated}, {per_direction} for each of {} directions more",
        case.scene,
        allocations as f64 / iterations as f64,
        allocations as f64 / case.steps as f64,
        more - repeated,
    );
    Counts {
        iterations,
        factor_entries,
        allocations,
        warm_allocations,
        per_direction,
    }
}

/// Allocations and directions of a step from `state`.
fn once_more(world: &World, solver: &mut Solver, state: &State) -> (usize, usize) {
    let mut again = state.clone();
    let region = Region::new(ALLOCATOR);
    let directions = step(world, solver, &mut again)
        .unwrap()
        .report
        .record
        .newton_iterations;
    (allocations(&region), directions)
}

/// Allocations and reallocations since the region began.
fn allocations(region: &Region<System>) -> usize {
    let change = region.change();
    change.allocations + change.reallocations
}

/// One test, because allocations of another one would be counted.
#[test]
fn scenes_cost_no_more_iterations_entries_and_allocations_than_when_limits_were_set() {
    parallel::with_threads(Some(1), check_chains).unwrap();
    parallel::with_threads(Some(1), check_factorisation).unwrap();
    let counted =
        parallel::with_threads(Some(1), || CASES.map(|case| (count(&case), case))).unwrap();
    let mut beyond = Vec::new();

    for (counts, case) in counted {
        let Case { scene, limits, .. } = case;
        let pairs = [
            ("iterations", counts.iterations, limits.iterations),
            (
                "factor entries",
                counts.factor_entries,
                limits.factor_entries,
            ),
            ("allocations", counts.allocations, limits.allocations),
            (
                "allocations of a step by a warm solver",
                counts.warm_allocations,
                limits.warm_allocations,
            ),
            (
                "allocations of a direction",
                counts.per_direction,
                limits.per_direction,
            ),
        ];
        beyond.extend(
            pairs
                .into_iter()
                .filter(|(_, count, limit)| count > limit)
                .map(|pair| (scene, pair)),
        );
    }

    assert!(beyond.is_empty(), "{beyond:#?}");
}
