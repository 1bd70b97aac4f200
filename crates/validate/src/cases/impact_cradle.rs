//! Newton's cradle with elastic balls, apart and in contact.
//!
//! Conservation of momentum and of energy gives two equations for five speeds, so that they alone
//! do not say which balls leave. The closed form takes the impacts pair by pair: each passes on all
//! of its speed to the next ball of equal mass, and the last one leaves with `v`.
//!
//! The row starts once with gaps of 2.1 times the reach of the barrier, and once with gaps of half
//! of it, where neighbours repel each other from the start. Speeds are in m/s after an impact at 1
//! m/s, 0.2 s after the throw, and have a tolerance of 0.02 m/s in long and short steps.

use crate::scenes::{Exact, scene, speeds_of_row};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_cradle",
    title: "Newton's cradle with a coefficient of 1",
    proves: "Impacts that happen together are resolved one after another: only the last ball of a row leaves, whether the balls touch or not.",
    formula: "speeds 0, 0, 0, 0, v",
    source: "Elastic impact by conservation of momentum and energy, pair by pair; Smith et al. 2012, Reflections on Simultaneous Impact",
    weight: Weight::Quick,
    run,
};

/// Distance at which balls repel each other (m).
const D_HAT: f64 = 1e-3;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new(
        "ball of the cradle",
        "speed after / speed before",
    ));
    let expected = vec![[1.0, 0.0], [4.0, 0.0], [5.0, 1.0]];
    outcome.plot.line("elastic balls", expected);
    for (label, gap) in [("apart", 2.1 * D_HAT), ("in contact", 0.5 * D_HAT)] {
        for h in [1e-2, 1e-3] {
            let speeds = row(gap, h)?;
            let name = format!("speed of the last of five, {label}, h {h:e} s");
            outcome.absolute(name, "1", 1.0, speeds[4], 0.02);
            let others = speeds[..4]
                .iter()
                .fold(0.0_f64, |most, v| most.max(v.abs()));
            let name = format!("largest speed of the others, {label}, h {h:e} s");
            outcome.at_most(name, "1", 0.02, others);

            let points = (1..).zip(&speeds).map(|(k, v)| [f64::from(k), *v]);
            outcome
                .plot
                .points(format!("{label}, h {h:e} s"), points.collect());
        }
    }
    Ok(outcome)
}

/// Speeds of five balls with these gaps (m) after the first one has hit the others at 1 m/s.
fn row(gap: f64, h: f64) -> Result<Vec<f64>, Error> {
    let scene = scene(h, 1).weightless().barrier(D_HAT, 1e5);
    speeds_of_row(scene.with_restitution(1.0), 5, gap)
}
