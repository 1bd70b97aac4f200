//! Two chambers with a pipe that has a resistance.
//!
//! Walls that stay keep the volumes. With the flow `(p_1 - p_2) / R` the difference of pressure decays by
//! the rate `k = p_0 / R (1/V_1 + 1/V_2)` at a constant temperature: `exp(-k t)`, and by implicit Euler
//! `(1 + k h)^-n` in `n` steps.

use crate::gas::{ATMOSPHERE, gas};
use crate::perturb::simulated;
use crate::scenes::{Exact, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Chamber, Pipe, StartPressure};

pub(super) const CASE: Case = Case {
    name: "chamber_flow",
    title: "Two chambers with a narrow pipe",
    proves: "Gas flows through a pipe with a resistance as implicit Euler has it, towards the exponential as steps shrink, and its amount stays.",
    formula: "p_1 - p_2 ~ exp(-p_0/R (1/V_1 + 1/V_2) t)",
    source: "exact",
    weight: Weight::Quick,
    run,
};

/// Sides of the two chambers (m).
const SIDES: [f64; 2] = [0.1, 0.15];
/// Resistance of the pipe (Pa s/m^3).
const RESISTANCE: f64 = 2e6;
/// Difference of pressure at the start (Pa).
const START: f64 = 3e4;
/// Length of a run (s).
const SPAN: f64 = 0.1;

/// Judges the decay by implicit Euler, its order, and the amount of gas.
///
/// # Errors
/// If a scene cannot be read, or a run fails.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("t (s)", "p_1 - p_2 (Pa)"));
    let rate = ATMOSPHERE / RESISTANCE * SIDES.map(|side| side.powi(-2)).iter().sum::<f64>();
    let exact = START * (-rate * SPAN).exp();

    let mut errors = Vec::new();
    for steps in [20_u32, 40] {
        let mut simulation = simulated(chambers(steps as usize))?;
        let amount: f64 = (0..2).map(|k| gas(&simulation, k).amount).sum();
        let mut points = Vec::new();
        for _ in 0..steps {
            simulation.step()?;
            let [a, b] = [0, 1].map(|k| gas(&simulation, k).pressure);
            points.push([simulation.time(), a - b]);
        }
        let h = SPAN / f64::from(steps);
        let found = points.last().map_or(f64::NAN, |point| point[1]);
        let by_steps = START * (1.0 + rate * h).powf(-f64::from(steps));
        outcome.relative(format!("{steps} steps"), "Pa", by_steps, found, 1e-9);
        errors.push((found - exact).abs());
        let left: f64 = (0..2).map(|k| gas(&simulation, k).amount).sum();
        outcome.relative(
            format!("amount after {steps} steps"),
            "m^3",
            amount,
            left,
            1e-13,
        );
        outcome.plot.points(format!("{steps} steps"), points);
    }
    let order = (errors[0] / errors[1]).log2();
    outcome.absolute("order of convergence", "1", 1.0, order, 0.05);
    Ok(outcome)
}

/// Two square boxes that stay, with a pipe between them, and a run of `SPAN` in this number of steps.
///
/// Their volumes are constant, so that only the flow changes pressures.
fn chambers(steps: usize) -> Scene {
    // A scene has a body; this one is far away.
    let body = Body::rigid("stone", Square::new(0.01, 1), STONE).at([0.0, 1.0]);
    let mut scene = scene(SPAN / steps as f64, steps)
        .weightless()
        .with_body(body);
    for (k, side) in SIDES.into_iter().enumerate() {
        let name = format!("box {k}");
        let half = 0.5 * side;
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        let line = Polyline::closed(corners.to_vec());
        let mut chamber = Chamber::new(&name).with_wall(&name, None);
        if k == 0 {
            chamber.pressure = Some(StartPressure {
                gauge: Some(START),
                ..StartPressure::default()
            });
        }
        scene = scene
            .with_obstacle(Obstacle::new(&name, line).at([0.5 * k as f64, 0.0]))
            .with_chamber(chamber);
    }
    scene.pipes = vec![Pipe {
        between: ["box 0".to_owned(), "box 1".to_owned()],
        from: None,
        until: None,
        resistance: Some(RESISTANCE),
    }];
    scene
}
