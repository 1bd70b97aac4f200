//! Grains that run out of a hopper with a flat bottom: Beverloo's law.
//!
//! Disks of the diameter `d` leave an opening of the width `D` at a rate that depends neither on the height of
//! the filling nor on the time: in the plane it is `C sqrt(g / d) (D / d - 1.4)^1.5` grains a second, with the
//! same `C` for all openings. The exponent is that of bodies that fall freely from an arch of the size `D`.
//!
//! Rates are those between the 20th and the 80th of 140 grains, over three packings for each opening. The
//! scatter of packings is 15 %, so that `C` of each is judged to 20 % of its mean over all, and the mean over
//! an opening's packings to 10 %. By a power of 1 or 2 the means of both ends are off by 17 % and more.

use crate::grains::{GRAIN, SEEDS, packed};
use crate::scenes::G;
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "grain_hopper",
    title: "Beverloo: grains run out of a hopper",
    proves: "Grains leave a hopper at a rate that goes as the power 3/2 of its opening less 1.4 diameters.",
    formula: "rate = C sqrt(g/d) (D/d - 1.4)^1.5, one C",
    source: "Beverloo, Leniger, van de Velde 1961; Nedderman 1992, Statics and Kinematics of Granular Materials, chapter 10",
    weight: Weight::Full,
    run,
};

/// Number of grains, width of the hopper (m), openings over the diameter (1).
const COUNT: usize = 140;
const WIDTH: f64 = 16.0 * GRAIN;
const OPENINGS: [f64; 3] = [5.0, 7.0, 9.0];
/// First and last grain of the measurement.
const COUNTED: [usize; 2] = [20, 80];
/// Coefficient of friction (1), step (s).
const MU: f64 = 0.1;
const H: f64 = 2e-3;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("D / d", "grains per second"));
    let unit = |opening: f64| (G / GRAIN).sqrt() * (opening - 1.4).powf(1.5);
    let mut rates = Vec::new();
    for opening in OPENINGS {
        let own = SEEDS.map(|seed| rate(opening, seed));
        let own: Vec<f64> = own.into_iter().collect::<Result<_, Error>>()?;
        rates.push(
            own.iter()
                .map(|rate| rate / unit(opening))
                .collect::<Vec<f64>>(),
        );
        outcome.plot.points(
            format!("D / d = {opening}"),
            own.into_iter().map(|rate| [opening, rate]).collect(),
        );
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let all = mean(&rates.concat());
    outcome
        .plot
        .curve("Beverloo", [1.5, 10.0], |opening| all * unit(opening));

    for (opening, own) in OPENINGS.into_iter().zip(&rates) {
        for (seed, got) in SEEDS.into_iter().zip(own) {
            let name = format!("C over its mean, D / d = {opening}, packing {seed}");
            outcome.relative(name, "1", 1.0, got / all, 0.2);
        }
        let name = format!("C over its mean, D / d = {opening}, three packings");
        outcome.relative(name, "1", 1.0, mean(own) / all, 0.1);
    }
    // Of a long slot with the share 0.82 of area that disks fill.
    let slot = 1.03 * 0.82 * 4.0 / std::f64::consts::PI;
    outcome.check(Quantity::reported(
        "C of a slot by Nedderman",
        "1",
        slot,
        all,
    ));
    Ok(outcome)
}

/// Grains per second from an opening of this width over the diameter.
fn rate(opening: f64, seed: u64) -> Result<f64, Error> {
    let side = 0.5 * (WIDTH - opening * GRAIN);
    let plate = Rectangle::new([side, GRAIN], [1, 1]);
    let mut scene = packed(H, COUNT, WIDTH, seed).with_friction(MU);
    for (name, x) in [
        ("left plate", 0.5 * side),
        ("right plate", WIDTH - 0.5 * side),
    ] {
        scene = scene.with_obstacle(Obstacle::new(name, plate).at([x, -0.5 * GRAIN]));
    }
    let mut simulation = Simulation::new(scene)?;
    let [first, last] = COUNTED;
    let mut began = f64::NAN;
    while simulation.time() < 6.0 {
        simulation.step()?;
        let out = simulation
            .bodies()
            .filter(|body| body.centre().y < -GRAIN)
            .count();
        if began.is_nan() && out >= first {
            began = simulation.time();
        }
        if out >= last {
            return Ok((last - first) as f64 / (simulation.time() - began));
        }
    }
    Ok(f64::NAN)
}
