//! Two balloons with a pipe between them.
//!
//! Two closed rods of different stiffness have gas at different pressures. A valve opens: both have one
//! pressure, and the amount of gas stays. With the stretches `s_1` and `s_2` of the balloons
//!
//! `p_1(s_1) = p_2(s_2) = p_0 (N_1 + N_2) / (V_1(s_1) + V_2(s_2)) - p_a`.
//!
//! Then the valve closes and the second is filled further: the first one stays.

use crate::formulas::root;
use crate::gas::{ATMOSPHERE, Polygon, gas};
use crate::perturb::simulated;
use crate::scenes::{Exact, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Filling, Pipe, StartPressure};

pub(super) const CASE: Case = Case {
    name: "chamber_pipe",
    title: "Two balloons with a pipe",
    proves: "Gas of two balloons comes to one pressure through a pipe, its amount stays, and a closed valve parts them again.",
    formula: "p_1(s_1) = p_2(s_2) = p_0 (N_1 + N_2)/(V_1 + V_2) - p_a",
    source: "Boyle 1662",
    weight: Weight::Quick,
    run,
};

/// The balloons.
const BALLOONS: [Polygon; 2] = [
    Polygon {
        radius: 0.1,
        axial: 2e3,
        sides: 24,
    },
    Polygon {
        radius: 0.06,
        axial: 5e2,
        sides: 36,
    },
];
/// Pressure over the ambient one in the first balloon at the start (Pa), and what the second one gets in
/// the end (m^3).
const START: f64 = 2e4;
const MORE: f64 = 0.01;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("t (s)", "p - p_a (Pa)"));
    let mut simulation = simulated(scene())?;
    let mut measured = [vec![], vec![]];
    let mut amounts = 0.0_f64;
    let whole: f64 = (0..2).map(|k| gas(&simulation, k).amount).sum();
    let mut shared = Vec::new();

    for step in 1..=15 {
        simulation.step()?;

        let now = [0, 1].map(|k| gas(&simulation, k));
        for (list, own) in measured.iter_mut().zip(now) {
            list.push([simulation.time(), own.gauge]);
        }
        if step == 10 {
            shared = now.to_vec();
        }
        if step <= 10 {
            amounts = amounts.max((now[0].amount + now[1].amount - whole).abs() / whole);
        }
    }

    let first = &BALLOONS[0];
    let stretch = shared_stretch(whole);
    let expected = first.pressure(stretch);
    for (k, own) in shared.iter().enumerate() {
        outcome.relative(
            format!("pressure {}", k + 1),
            "Pa",
            expected,
            own.gauge,
            1e-6,
        );
    }
    outcome.relative(
        "volume 1",
        "m^3",
        first.volume(stretch),
        shared[0].volume,
        1e-6,
    );
    outcome.at_most("change of the amount of gas", "1", 1e-14, amounts);

    let [last, filled] = [0, 1].map(|k| gas(&simulation, k));
    outcome.relative(
        "pressure 1 behind the valve",
        "Pa",
        expected,
        last.gauge,
        1e-6,
    );
    let after = shared[1].amount + MORE;
    outcome.relative(
        "amount 2 behind the valve",
        "m^3",
        after,
        filled.amount,
        1e-12,
    );
    for (k, list) in measured.into_iter().enumerate() {
        outcome.plot.points(format!("balloon {}", k + 1), list);
    }
    Ok(outcome)
}

/// Stretch of the first balloon when both share an amount of gas (m^3) at one pressure: it gives the pressure,
/// and with it the stretch of the second one.
fn shared_stretch(whole: f64) -> f64 {
    let [first, second] = BALLOONS;
    let other = |p: f64| root([1.0, 20.0], |s| second.pressure(s) - p);
    let of = |s: f64| {
        let volume = first.volume(s) + second.volume(other(first.pressure(s)));
        ATMOSPHERE * (whole / volume - 1.0)
    };
    root([1.0, 1.5], |s| first.pressure(s) - of(s))
}

/// The balloons, with a pipe that is open from 0.5 to 1 s.
fn scene() -> Scene {
    let mut scene = statics(10).tolerance(1e-12).weightless();
    scene.time.steps = 15;
    for (k, balloon) in BALLOONS.into_iter().enumerate() {
        let name = format!("balloon {k}");
        let mut chamber = Polygon::chamber(&name);
        if k == 0 {
            chamber.pressure = Some(StartPressure {
                gauge: Some(START),
                ..StartPressure::default()
            });
        } else {
            let table = Table {
                times: vec![1.0, 1.5],
                values: vec![0.0, MORE],
            };
            chamber.fill = Some(Filling {
                amount: Some(Varying::Table(table)),
                ..Filling::default()
            });
        }

        scene = scene
            .with_body(balloon.body(&name, 0.5 * k as f64))
            .with_chamber(chamber);
    }
    scene.pipes = vec![Pipe {
        between: ["balloon 0".to_owned(), "balloon 1".to_owned()],
        from: Some(0.55),
        until: Some(1.0),
        resistance: None,
    }];
    scene
}
