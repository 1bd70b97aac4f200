//! A motor that stalls at a spring, one that stalls at a limit, and a rope that breaks.
//!
//! Three blocks, without gravity:
//!
//! - a motor of the largest force `F` presses one along a slider against a spring `k`, and stalls at
//!   `F / k`;
//! - a motor of the same force moves one against the limit of its slider, which it never reaches;
//! - a force that grows by `r` a second pulls one on a rope that breaks above `F_b`. At the end of
//!   the step in which `r t` exceeds `F_b` the rope breaks; from the next step on, the block moves
//!   freely: after `n` steps its speed is `h sum_k r t_k / m` over the steps since.
//!
//! Implicit Euler has the last one exactly.

use crate::scenes::{Exact, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Guide, Rope, Spring, Thrust};

pub(super) const CASE: Case = Case {
    name: "joint_drives",
    title: "Motors that stall, and a rope that breaks",
    proves: "A motor gives its largest force and no more, limits hold, joints break in time.",
    formula: "x = F / k; x < limit; v = h sum r t_k / m from the step after r t > F_b",
    source: "Statics; implicit Euler of a free body",
    weight: Weight::Quick,
    run,
};

/// Largest force of the motors (N), stiffness (N/m) and damping (N s/m) of the spring, limit (m).
const FORCE: f64 = 100.0;
const STIFFNESS: f64 = 1000.0;
const DAMPING: f64 = 200.0;
const LIMIT: f64 = 0.05;
/// Growth of the force on the rope (N/s), force at which it breaks (N), step (s), number of steps.
const RATE: f64 = 100.0;
const BREAKS: f64 = 52.5;
const H: f64 = 0.01;
const STEPS: u32 = 400;

/// Slider of a block at a height (m) with a motor to the right.
fn slider(block: &str, height: f64) -> Guide {
    Guide {
        bodies: [format!("holder of {block}"), block.to_owned()],
        at: [0.0, height],
        axis: [1.0, 0.0],
        motor: Some(Thrust {
            speed: Some(0.5.into()),
            force: FORCE,
            ..Thrust::default()
        }),
        ..Guide::default()
    }
}

/// The three blocks, each in front of a holder that does not move.
fn blocks() -> Result<Simulation, Error> {
    let mut scene = scene(H, 1).tolerance(1e-10).weightless();
    for (name, height) in [("pressed", 0.0), ("stopped", 1.0), ("pulled", 2.0)] {
        let mut block = Body::rigid(name, Square::new(0.1, 1), STONE).at([0.0, height]);
        block.group = Some("jointed".to_owned());
        let held = holder(&format!("holder of {name}"), [0.0, height]);
        scene = scene.with_body(block).with_obstacle(held);
    }

    let pressed = Guide {
        spring: Some(Spring {
            stiffness: STIFFNESS,
            damping: DAMPING,
            ..Spring::default()
        }),
        ..slider("pressed", 0.0)
    };
    let stopped = Guide {
        limits: Some([-LIMIT, LIMIT]),
        ..slider("stopped", 1.0)
    };
    let rope = Rope {
        bodies: ["holder of pulled".to_owned(), "pulled".to_owned()],
        ends: [[-1.0, 2.0], [0.0, 2.0]],
        break_force: Some(BREAKS),
        ..Rope::default()
    };

    let grows = &*format!("{RATE}*t");
    Simulation::new(
        scene
            .with_joint(Joint::Slider(pressed))
            .with_joint(Joint::Slider(stopped))
            .with_joint(Joint::Rope(rope))
            .with_load(Load::force("pulled", [grows, "0"])),
    )
}

/// What the blocks do.
struct Course {
    /// Times (s) and ways (m) of the pressed block.
    pressed: Vec<[f64; 2]>,
    /// Largest way of the stopped block (m).
    farthest: f64,
    /// Time at the end of the step in which the rope breaks (s); NaN if it holds.
    broke: f64,
    /// Largest difference of the pulled block's speed from that of a free one (m/s).
    error: f64,
}

/// Runs all steps.
fn course() -> Result<Course, Error> {
    let mut simulation = blocks()?;
    let mass = simulation.body("pulled")?.mass();

    let mut course = Course {
        pressed: Vec::new(),
        farthest: 0.0,
        broke: f64::NAN,
        error: 0.0,
    };
    let mut free = 0.0;
    for step in 1..=STEPS {
        let t = H * f64::from(step);
        if course.broke.is_finite() {
            free += H * RATE * t / mass;
        }

        let report = simulation.step()?;
        if report.broken_joints() == [2] {
            course.broke = t;
        }

        let speed = simulation.body("pulled")?.velocity().x;
        course.error = course.error.max((speed - free).abs());
        let stopped = simulation.body("stopped")?.centre().x;
        course.farthest = course.farthest.max(stopped);
        let pressed = simulation.body("pressed")?.centre().x;
        course.pressed.push([t, pressed]);
    }
    Ok(course)
}

fn run() -> Result<Outcome, Error> {
    let course = course()?;
    let rests = course.pressed.last().map_or(f64::NAN, |point| point[1]);
    let place = FORCE / STIFFNESS;
    // BREAKS is reached halfway between two steps, so that rounding does not choose the step.
    let late = H * ((BREAKS / RATE / H).floor() + 1.0);

    let mut outcome = Outcome::new(Plot::new("time (s)", "way of the pressed block (m)"));
    let name = "place of the stalled motor";
    outcome.relative(name, "m", place, rests, 1e-8);
    let name = "largest way towards the limit";
    outcome.at_most(name, "m", LIMIT, course.farthest);
    let name = "time at which the rope breaks";
    outcome.absolute(name, "s", late, course.broke, 1e-9);
    let name = "largest error of the speed";
    outcome.absolute(name, "m/s", 0.0, course.error, 1e-8);

    let whole = [0.0, H * f64::from(STEPS)];
    outcome.plot.curve("F / k", whole, |_| place);
    outcome.plot.points("measured", course.pressed);
    Ok(outcome)
}
