//! A semicircular arch of loose stones.
//!
//! A semicircular arch carries its own weight as long as a line of thrust fits in its thickness.
//! The thinnest arch has `t / R = 0.1075`, for the thickness `t` and the radius `R` of its centre
//! line; thinner ones open hinges and fall. Friction is large enough that stones do not slide.
//!
//! The formula is that of an arch cut anywhere; 25 stones have hinges at their joints only. Arches
//! 3 % thicker and 3 % thinner bracket it: in 2 s the keystone sinks by at most 1 mm, or falls by
//! at least 0.3 m.

use crate::scenes::{Exact, STONE, ground, scene};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "rock_arch",
    title: "Least thickness of a semicircular masonry arch",
    proves: "An arch of 25 loose stones stands 3 % above the critical thickness and falls 3 % below it.",
    formula: "t / R = 0.1075",
    source: "Milankovitch 1907; Heyman 1969, The safety of masonry arches; Cocchetti, Rizzi 2020",
    weight: Weight::Quick,
    run,
};

/// Number of stones, reach of the barrier (m), gap at the start (m).
const STONES: usize = 25;
const D_HAT: f64 = 2e-4;
const GAP: f64 = 0.97 * D_HAT;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "fall of the keystone (m)"));
    for share in [1.03, 0.97] {
        let fall = fall(0.1075 * share)?;
        let got = fall.last().map_or(f64::NAN, |point| point[1]);
        let name = format!("fall in 2 s, {share} of the critical thickness");
        outcome.check(if share > 1.0 {
            Quantity::at_most(name, "m", 1e-3, got)
        } else {
            Quantity::at_least(name, "m", 0.3, got)
        });
        outcome
            .plot
            .points(format!("{share} of the critical thickness"), fall);
    }
    Ok(outcome)
}

/// Fall (m) over time (s) of the keystone of an arch of radius 1 m and this thickness (m).
fn fall(thickness: f64) -> Result<Vec<[f64; 2]>, Error> {
    let mut scene = scene(0.01, 200)
        .tolerance(1e-8)
        .barrier(D_HAT, 1e6)
        .rough(0.5, 1e-5)
        .with_obstacle(ground());
    for k in 0..STONES {
        // The lowest stones end half a gap above the ground; lifted, they have a whole one as
        // joints do.
        let stone = Body::rigid(format!("stone {k}"), stone(k, thickness), STONE);
        scene = scene.with_body(stone.at([0.0, 0.5 * GAP]));
    }

    let key = format!("stone {}", STONES / 2);
    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body(&key)?.centre().y;
    let mut fall = Vec::new();
    for _ in 0..200 {
        simulation.step()?;
        fall.push([simulation.time(), start - simulation.body(&key)?.centre().y]);
    }
    Ok(fall)
}

/// Stone number `k` from the right: a part of the ring, less half a gap on each side.
///
/// Joints point at the centre of the arch. The gaps are within the reach of the barrier, so that
/// neighbours touch from the start.
fn stone(k: usize, thickness: f64) -> Outline {
    let direction = |k: usize| {
        let angle = PI * k as f64 / STONES as f64;
        Vec2::new(angle.cos(), angle.sin())
    };
    let [from, to] = [direction(k), direction(k + 1)];
    let along = Vec2::new(-from.y, from.x) * (0.5 * GAP);
    let back = Vec2::new(to.y, -to.x) * (0.5 * GAP);
    let [inner, outer] = [1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness];
    let corners = [
        from * inner + along,
        from * outer + along,
        to * outer + back,
        to * inner + back,
    ];
    Outline::new(corners.map(|corner| [corner.x, corner.y]).to_vec())
}
