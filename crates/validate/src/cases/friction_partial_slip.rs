//! Two elastic bodies that touch in one place, pressed together, pushed sideways and back.
//!
//! Pushed by less than Coulomb's limit they slip at the edges of the place in contact and stick in
//! its middle. Pushed back they slip the other way from the edges inwards, while the traction of
//! the first push is still inside. Both bodies have the same material, so that normal forces cause
//! no sliding.
//!
//! `P` and `Q` are the forces (N/m) along the normal and sideways, `a` and `c` the half-widths (m)
//! of contact and of the part that sticks. `Q*` is the largest `Q`, from which the push is
//! reversed. With two equal bodies `E* = E/(2 (1 - nu^2))`.

use crate::round::{Graded, Half};
use crate::scenes::{Exact, RUBBER, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use std::collections::BTreeMap;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "friction_partial_slip",
    title: "Cattaneo and Mindlin: a contact that slips in part",
    proves: "Sticking contacts hold without creep and slide one by one, and remember what they bore before.",
    formula: "c / a = sqrt(1 - Q / mu P); pushed back from Q*: c / a = sqrt(1 - (Q* - Q) / 2 mu P)",
    source: "Cattaneo 1938; Mindlin 1949; Mindlin and Deresiewicz 1953; Johnson, Contact Mechanics, section 7.2",
    weight: Weight::Full,
    run,
};

/// Curvature of the upper body (1/m), modulus of both (Pa), Poisson's ratio, coefficient of
/// friction (1).
const CURVATURE: f64 = 0.125;
const YOUNG: f64 = 400.0;
const POISSON: f64 = 0.3;
const MU: f64 = 0.3;

/// Half-width (m) that the mesh is made for, and length of its edges (m).
const WIDTH: f64 = 0.68;
const EDGE: f64 = WIDTH / 20.0;

/// Steps to press, to push and to push back.
const STEPS: [usize; 3] = [10, 20, 16];

/// Ways down and sideways (m).
const DOWN: f64 = 0.12;
const SIDEWAYS: f64 = 0.047;

/// Share of Coulomb's limit from which on an edge counts as sliding (1).
const SLIDING: f64 = 0.97;

/// Judges the half-widths that stick, and later those that have not turned, to the length of an
/// edge.
///
/// No finer result can be read from the mesh: an edge either slides or sticks. Expected values use
/// the `P` and `Q` that the simulation has.
fn run() -> Result<Outcome, Error> {
    let mut simulation = Simulation::new(pushed())?;
    let mut outcome = Outcome::new(Plot::new("Q / mu P", "c / a"));
    outcome
        .plot
        .curve("pushed", [0.0, 1.0], |q| (1.0 - q).max(0.0).sqrt());

    // Pressed, then pushed.
    simulation.run(STEPS[0])?;
    let mut pushing = Vec::new();
    for _ in 0..STEPS[1] {
        simulation.step()?;
        pushing.push(Place::of(&simulation));
    }
    for share in [0.25, 0.5, 0.75] {
        let from = |place: &Place| (place.share() - share).abs();
        let nearest = pushing.iter().min_by(|a, b| from(a).total_cmp(&from(b)));
        if let Some(place) = nearest {
            let expected = place.width * (1.0 - place.share()).sqrt();
            let name = format!("half-width c that sticks, Q about {share} mu P");
            let got = place.half_width(|traction| traction < SLIDING);
            outcome.absolute(name, "m", expected, got, EDGE);
        }
    }
    let measured = pushing.iter().map(|place| {
        let sticking = place.half_width(|traction| traction < SLIDING);
        [place.share(), sticking / place.width]
    });
    outcome.plot.points("measured, pushed", measured.collect());

    // Pushed back.
    let Some(most) = pushing.last().map(Place::share) else {
        return Ok(outcome);
    };
    let mut back = Vec::new();
    for _ in 0..STEPS[2] {
        simulation.step()?;
        back.push(Place::of(&simulation));
    }
    let mut measured = Vec::new();
    for (k, place) in back.iter().enumerate() {
        let expected = (1.0 - 0.5 * (most - place.share())).sqrt();
        let got = place.half_width(|traction| traction > -SLIDING);
        measured.push([place.share(), got / place.width]);
        if k % 5 == 4 {
            let name = format!("half-width that has not turned, step {} back", k + 1);
            let expected = place.width * expected;
            outcome.absolute(name, "m", expected, got, EDGE);
        }
    }
    outcome.plot.line(
        "pushed back",
        back.iter()
            .map(|place| [place.share(), (1.0 - 0.5 * (most - place.share())).sqrt()])
            .collect(),
    );
    outcome.plot.points("measured, pushed back", measured);
    Ok(outcome)
}

/// What acts between the two bodies.
struct Place {
    /// Half-width `a` (m) of Hertz, from the normal force.
    width: f64,
    /// Forces (N) along the normal and sideways.
    force: [f64; 2],
    /// Forces (N) along the normal and sideways on each stretch of the outline as long as an edge.
    stretches: BTreeMap<i64, [f64; 2]>,
}

impl Place {
    /// What acts on the upper body.
    fn of(simulation: &Simulation) -> Self {
        let mut place = Self {
            width: 0.0,
            force: [0.0; 2],
            stretches: BTreeMap::new(),
        };
        let between = ["lower", "upper"];
        for contact in simulation.contacts() {
            let sign = if contact.bodies == between {
                1.0
            } else if contact.bodies == ["upper", "lower"] {
                -1.0
            } else {
                continue;
            };
            let parts = [contact.normal_force, sign * contact.friction_force.x];
            #[expect(clippy::cast_possible_truncation, reason = "places are a few metres")]
            let stretch = (contact.point.x / EDGE).floor() as i64;
            let sum = place.stretches.entry(stretch).or_default();
            for (k, part) in parts.into_iter().enumerate() {
                sum[k] += part;
                place.force[k] += part;
            }
        }
        let effective = 0.5 * YOUNG / (1.0 - POISSON * POISSON);
        place.width = (4.0 * place.force[0] / (PI * effective * CURVATURE)).sqrt();
        place
    }

    /// Force sideways over Coulomb's limit (1).
    fn share(&self) -> f64 {
        self.force[1] / (MU * self.force[0])
    }

    /// Half of the length (m) from the first to the last stretch whose force sideways, over
    /// Coulomb's limit there (1), `holds`. The ends of that length are within the stretches beside.
    fn half_width(&self, holds: impl Fn(f64) -> bool) -> f64 {
        // Where the pressure is next to nothing, the ratio of both forces says nothing.
        let least = 1e-4 * self.force[0];
        let pressed = self.stretches.iter().filter(|(_, sum)| sum[0] > least);
        let mut held = pressed.filter(|(_, sum)| holds(sum[1] / (MU * sum[0])));
        let Some((&first, _)) = held.next() else {
            return 0.0;
        };
        let last = held.last().map_or(first, |(&last, _)| last);
        0.5 * EDGE * ((last - first) as f64 + 2.0)
    }
}

/// A half-space and a round body on it, which a plate presses down, pushes sideways and pushes
/// back.
fn pushed() -> Scene {
    let d_hat = WIDTH / 130.0;
    let size = Graded {
        fine: EDGE,
        within: 1.3 * WIDTH,
        reach: 20.0 * WIDTH,
    };
    let depth = size.depth();
    let bottom = Bounds::new([-2.0 * depth, -2.0 * depth], [2.0 * depth, -0.999 * depth]);
    let lower = Body::deformable("lower", size.mesh(Half::Lower, 0.0), RUBBER)
        .with_prescribed(Prescribed::held(Selection::Box(bottom)));
    let upper = Body::deformable("upper", size.mesh(Half::Upper, CURVATURE), RUBBER);

    // The plate holds the upper body by friction that nothing overcomes.
    let [press, push, back] = STEPS.map(|steps| steps as f64);
    let top = depth + 1.9 * d_hat;
    let times = [0.0, press, press + push, press + push + back];
    let ways = [
        [0.0, 0.0],
        [0.0, -DOWN],
        [SIDEWAYS, -DOWN],
        [-0.2 * SIDEWAYS, -DOWN],
    ];
    let surface = Polyline::open(vec![[-2.0 * depth, 0.0], [2.0 * depth, 0.0]]);
    let mut plate = Obstacle::new("plate", surface).at([0.0, top]);
    let place = |(time, [x, y]): (f64, [f64; 2])| Keyframe::new(time, [x, top + y]);
    plate.keyframes = times.into_iter().zip(ways).map(place).collect();

    let mut scene = scene(1.0, STEPS.iter().sum())
        .tolerance(1e-7)
        .weightless()
        .with_material(RUBBER, Material::new(1e-7, Law::linear(YOUNG, POISSON)))
        .barrier(d_hat, 10.0 * YOUNG)
        .with_body(lower)
        .with_body(upper.at([0.0, 0.95 * d_hat]))
        .with_obstacle(plate)
        .with_friction(MU);
    let held = FrictionPair::new("plate", "upper", 20.0);
    scene.contact.friction.pairs.push(held);
    scene
}
