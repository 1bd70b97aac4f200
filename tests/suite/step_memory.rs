//! The memory of a step survives everything that a run may go through.

use crate::integrators::Bdf2;
use crate::support::{Parts, rectangle, rigid, stones};
use ipcsim::contact::{Anchor, Doubled};
use ipcsim::material::Flow;
use ipcsim::math::{Mat2, Vec2};
use ipcsim::scene::Scene;
use ipcsim::solve::Stage;
use ipcsim::time::integrator::{Departure, Integrator};
use ipcsim::time::{Fallback, Past, Rest, SavedState, State, StepMemory};
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
fn doubled(bodies: [usize; 2], times: u32) -> Doubled {
    Doubled { bodies, times }
}

/// An anchor of a vertex on the edge from vertex 7 to vertex 8 with an elastic slip (m).
fn anchor(vertex: usize, slip: f64) -> Anchor {
    Anchor {
        vertices: [vertex, vertex, 7, 8],
        other: 1,
        slip,
    }
}

/// A memory in which every field differs from an empty one. A new field does not compile here until
/// it is listed, and then has to pass all tests below.
fn filled() -> StepMemory {
    let past = |x: f64| Past {
        q: vec![Vec2::new(x, 0.5); 2],
        q_dot: vec![Vec2::new(0.25, x); 2],
        h: 0.01,
    };
    StepMemory {
        history: vec![past(1.0), past(2.0)],
        multipliers: vec![Vec2::new(3.0, -4.0), Vec2::new(0.5, 0.25)],
        turned: vec![Vec2::new(0.5, 7.0)],
        broken: vec![false, true],
        doubled: vec![doubled([0, 1], 2), doubled([1, 3], 1)],
        anchors: vec![anchor(1, 2e-6), anchor(2, -1e-6)],
        pace: Some(0.004),
        gained: Some(-0.5),
        owed: Some(0.75),
        flowed: vec![flow(1.25, 0.5), flow(0.8, 0.0)],
        rest: vec![rest(3, false), rest(5, true)],
    }
}

/// Rest of a body that has been quiet for some steps.
fn rest(quiet: u32, asleep: bool) -> Rest {
    Rest { quiet, asleep }
}

/// Memories in which a body has been quiet for longer, or wakes.
fn changed_rests() -> [StepMemory; 2] {
    let all = [
        vec![rest(4, false), rest(5, true)],
        vec![rest(3, false), rest(5, false)],
    ];
    all.map(|rest| StepMemory { rest, ..filled() })
}

/// Flow of a point by this stretch and equivalent plastic strain (1).
fn flow(stretch: f64, hardened: f64) -> Flow {
    Flow {
        plane: Mat2::new(stretch, 0.0, 0.0, 1.0),
        hardened,
    }
}

/// Memories in which the flow of a point differs, or is missing.
fn changed_flows() -> impl Iterator<Item = StepMemory> {
    let all = [
        vec![flow(1.25 + 1e-9, 0.5), flow(0.8, 0.0)],
        vec![flow(1.25, 0.5), flow(0.8, 1e-9)],
        vec![flow(1.25, 0.5)],
    ];
    all.into_iter()
        .map(|flowed| StepMemory { flowed, ..filled() })
}

/// Memories in which a count of turns differs, or what has broken.
fn changed_joints(mut turned: Vec<Vec2>, broken: &[bool]) -> [StepMemory; 2] {
    turned[0].y += 1e-9;
    [
        StepMemory { turned, ..filled() },
        StepMemory {
            broken: vec![true; broken.len()],
            ..filled()
        },
    ]
}

/// Memories in which the length of substeps differs, the last change of the load time, or the energy
/// that is owed.
fn changed_paces() -> [StepMemory; 3] {
    let pace = Some(0.005);
    let gained = Some(0.5);
    let owed = Some(0.5);
    [
        StepMemory { pace, ..filled() },
        StepMemory { gained, ..filled() },
        StepMemory { owed, ..filled() },
    ]
}

/// Memories in which one number of one field differs from [`filled`].
fn changed() -> Vec<StepMemory> {
    let StepMemory {
        history,
        multipliers,
        turned,
        broken,
        doubled: pairs,
        anchors: held,
        pace: _,
        gained: _,
        owed: _,
        flowed: _,
        rest: _,
    } = filled();
    let mut others = changed_paces().to_vec();
    others.extend(changed_rests());
    for change in [
        |past: &mut Past| past.q[0].x += 1e-9,
        |past: &mut Past| past.q_dot[1].y += 1e-9,
        |past: &mut Past| past.h *= 0.5,
    ] {
        let mut history = history.clone();
        change(&mut history[1]);
        others.push(StepMemory {
            history,
            ..filled()
        });
    }
    others.push(StepMemory {
        history: history[..1].to_vec(),
        ..filled()
    });

    let mut stronger = multipliers.clone();
    stronger[1].y += 1e-9;
    for multipliers in [stronger, multipliers[..1].to_vec()] {
        others.push(StepMemory {
            multipliers,
            ..filled()
        });
    }

    others.extend(
        changed_joints(turned, &broken)
            .into_iter()
            .chain(changed_flows()),
    );

    for doubled in [
        vec![doubled([0, 1], 3), pairs[1]],
        vec![doubled([0, 2], 2), pairs[1]],
        pairs[..1].to_vec(),
    ] {
        others.push(StepMemory {
            doubled,
            ..filled()
        });
    }

    others.extend(changed_anchors(&held));
    others
}

/// Memories in which an anchor differs, or is missing.
fn changed_anchors(held: &[Anchor]) -> impl Iterator<Item = StepMemory> {
    let all = [
        vec![anchor(1, 3e-6), held[1]],
        vec![anchor(3, 2e-6), held[1]],
        held[..1].to_vec(),
    ];
    all.into_iter().map(|anchors| StepMemory {
        anchors,
        ..filled()
    })
}

fn with(memory: StepMemory) -> State {
    State {
        memory,
        ..Parts::of(&scene()).state
    }
}

#[test]
fn hash_and_stored_state_hold_every_number() {
    let state = with(filled());
    for other in changed() {
        let other = with(other);
        assert_ne!(state.hash(), other.hash());
        assert_ne!(state.save(), other.save());
    }

    let stored = postcard::to_stdvec(&state.save()).unwrap();
    let read: SavedState = postcard::from_bytes(&stored).unwrap();
    let coordinates = &Parts::of(&scene()).world.model.coordinates;
    assert_eq!(read.restore(coordinates).unwrap(), state);
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
