//! The memory of a step survives everything that a run may go through.

use crate::integrators::Bdf2;
use crate::support::{Parts, rectangle, rigid, stones};
use ipcsim::contact::{AdaptedPair, Anchor};
use ipcsim::material::Flow;
use ipcsim::math::{Mat2, Vec2};
use ipcsim::scene::Scene;
use ipcsim::solve::Stage;
use ipcsim::time::integrator::{Departure, Integrator};
use ipcsim::time::{
    AdaptiveMemory, EnergyMemory, Fallback, GasMemory, OptionMemory, Past, PathMemory,
    PlasticityMemory, Rest, SavedState, SleepMemory, State, StepMemory, StickingMemory,
    StiffeningMemory,
};
use serde_json::json;

fn scene() -> Scene {
    let block = rigid(
        "block",
        rectangle(1.0, 1.0),
        [0.0, 0.0],
        json!({ "velocity": [1.0, 2.0], "spin_deg": 90.0 }),
    );
    stones(&[block], json!({ "time": { "step": 0.01, "steps": 10 } }))
}

/// A barrier of a pair that has been doubled so often.
fn doubled(bodies: [usize; 2], times: u32) -> AdaptedPair {
    AdaptedPair {
        bodies,
        times,
        reach: None,
    }
}

/// An anchor of a vertex on the edge from vertex 7 to vertex 8 with an elastic slip (m).
fn anchor(vertex: usize, slip: f64) -> Anchor {
    Anchor {
        vertices: [vertex, vertex, 7, 8],
        other: 1,
        slip,
    }
}

/// Rest of a body that has been quiet for some steps.
fn rest(quiet: u32, asleep: bool) -> Rest {
    Rest { quiet, asleep }
}

/// Flow of a point by this stretch and equivalent plastic strain (1).
fn flow(stretch: f64, hardened: f64) -> Flow {
    Flow {
        plane: Mat2::new(stretch, 0.0, 0.0, 1.0),
        hardened,
    }
}

/// A past state, 0.01 s long.
fn past(x: f64) -> Past {
    Past {
        q: vec![Vec2::new(x, 0.5); 2],
        q_dot: vec![Vec2::new(0.25, x); 2],
        h: 0.01,
    }
}

/// A memory in which every field differs from an empty one. A new field does not compile here until
/// it is listed, and then has to pass all tests below.
fn filled() -> StepMemory {
    StepMemory {
        history: vec![past(1.0), past(2.0)],
        multipliers: vec![Vec2::new(3.0, -4.0), Vec2::new(0.5, 0.25)],
        turned: vec![Vec2::new(0.5, 7.0)],
        broken: vec![false, true],
        options: OptionMemory {
            stiffening: StiffeningMemory {
                adapted: vec![doubled([0, 1], 2), doubled([1, 3], 1)],
            },
            sticking: StickingMemory {
                anchors: vec![anchor(1, 2e-6), anchor(2, -1e-6)],
            },
            adaptive: AdaptiveMemory { pace: Some(0.004) },
            arc_length: PathMemory { gained: Some(-0.5) },
            energy_correction: EnergyMemory { owed: Some(0.75) },
            plasticity: PlasticityMemory {
                flowed: vec![flow(1.25, 0.5), flow(0.8, 0.0)],
            },
            sleep: SleepMemory {
                rest: vec![rest(3, false), rest(5, true)],
            },
            gas: GasMemory {
                amounts: vec![0.25, 0.5],
            },
        },
    }
}

/// Changes of one number, or of the length of one list, of a [`filled`] memory.
const CHANGES: [fn(&mut StepMemory); 26] = [
    |memory| memory.history[1].q[0].x += 1e-9,
    |memory| memory.history[1].q_dot[1].y += 1e-9,
    |memory| memory.history[1].h *= 0.5,
    |memory| memory.history.truncate(1),
    |memory| memory.multipliers[1].y += 1e-9,
    |memory| memory.multipliers.truncate(1),
    |memory| memory.turned[0].y += 1e-9,
    |memory| memory.broken[0] = true,
    |memory| memory.options.stiffening.adapted[0].times = 3,
    |memory| memory.options.stiffening.adapted[0].bodies = [0, 2],
    |memory| memory.options.stiffening.adapted.truncate(1),
    |memory| memory.options.sticking.anchors[0].slip = 3e-6,
    |memory| memory.options.sticking.anchors[0].vertices[..2].fill(3),
    |memory| memory.options.sticking.anchors[0].other = 2,
    |memory| memory.options.sticking.anchors.truncate(1),
    |memory| memory.options.adaptive.pace = Some(0.005),
    |memory| memory.options.arc_length.gained = Some(0.5),
    |memory| memory.options.energy_correction.owed = Some(0.5),
    |memory| memory.options.plasticity.flowed[0] = flow(1.25 + 1e-9, 0.5),
    |memory| memory.options.plasticity.flowed[1].hardened = 1e-9,
    |memory| memory.options.plasticity.flowed.truncate(1),
    |memory| memory.options.sleep.rest[0].quiet = 4,
    |memory| memory.options.sleep.rest[1].asleep = false,
    |memory| memory.options.sleep.rest.truncate(1),
    |memory| memory.options.gas.amounts[1] += 1e-9,
    |memory| memory.options.gas.amounts.truncate(1),
];

fn with(memory: StepMemory) -> State {
    State {
        memory,
        ..Parts::of(&scene()).state
    }
}

#[test]
fn hash_and_stored_state_hold_every_number() {
    let state = with(filled());
    for change in CHANGES {
        let mut other = filled();
        change(&mut other);
        let other = with(other);
        assert_ne!(state.hash(), other.hash());
        assert_ne!(state.save(), other.save());
    }

    let stored = postcard::to_stdvec(&state.save()).unwrap();
    let read: SavedState = postcard::from_bytes(&stored).unwrap();
    let coordinates = &Parts::of(&scene()).world.model.coordinates;
    assert_eq!(read.restore(coordinates).unwrap(), state);
}

/// Files of earlier versions are read, so the order of all fields is fixed.
#[test]
fn a_stored_memory_has_its_fields_in_the_order_of_earlier_files() {
    let memory = filled();
    let options = &memory.options;
    let before = (
        (&memory.history, &memory.multipliers, &memory.turned),
        (&memory.broken, &options.stiffening.adapted),
        (&options.sticking.anchors, options.adaptive.pace),
        (options.arc_length.gained, options.energy_correction.owed),
        (&options.plasticity.flowed, &options.sleep.rest),
        &options.gas.amounts,
    );
    let [stored, expected] = [
        postcard::to_stdvec(&memory).unwrap(),
        postcard::to_stdvec(&before).unwrap(),
    ];
    assert_eq!(stored, expected);
}

#[test]
fn a_run_with_a_history_resumes_with_the_same_bits_and_reports_its_hash() {
    let of = || {
        let mut run = Parts::of(&scene());
        run.world.integrator = Box::new(Bdf2);
        run
    };
    let mut whole = of();
    let mut resumed = of();
    for _ in 0..10 {
        let done = whole.step();
        assert_eq!(done.hash, whole.state.hash());

        let memory = resumed.solver.memory();
        let state = resumed.state.save();
        resumed = of();
        resumed.state = state.restore(&resumed.world.model.coordinates).unwrap();
        resumed
            .solver
            .recall(&resumed.world.model, &memory)
            .unwrap();
        assert_eq!(resumed.step(), done);
    }

    // Otherwise the test above could not fail.
    let mut forgetful = of();
    for _ in 0..10 {
        forgetful.state.memory = StepMemory::default();
        forgetful.step();
    }
    assert_ne!(forgetful.state.hash(), whole.state.hash());
}

/// Backward differences that no one can solve in steps longer than a limit.
#[derive(Debug)]
struct OnlyShort {
    longest: f64,
}

impl Integrator for OnlyShort {
    fn history(&self) -> usize {
        1
    }

    fn stage(&self, from: Departure) -> Stage {
        let solvable = from.span.h <= self.longest;
        let tolerance = if solvable { 1e-10 } else { -1.0 };
        Stage {
            tolerance,
            ..Bdf2.stage(from)
        }
    }
}

#[test]
fn halves_of_a_step_hand_the_memory_on_and_a_failed_step_leaves_it() {
    let mut run = Parts::of(&scene());
    // Fewer than it takes to find that rounding is reached.
    run.world.newton.max_iterations = 3;
    run.world.integrator = Box::new(OnlyShort { longest: 0.006 });
    run.solver = run.world.solver();
    let recovery = run.step().recovery.unwrap();
    assert_eq!(recovery.rung, Fallback::HalvedStep);
    let [past] = &run.state.memory.history[..] else {
        panic!("one state is remembered");
    };
    assert_eq!(past.h, 0.005);
    assert_ne!(past.q, Parts::of(&scene()).state.q);

    let before = run.state.clone();
    run.world.integrator = Box::new(OnlyShort { longest: 0.0 });
    assert!(run.try_step().is_err());
    assert_eq!(run.state, before);
}
