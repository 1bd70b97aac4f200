//! Cells that repeat: a chiral cell crushed to self-contact.
//!
//! Rings are joined by struts that touch them on opposite sides. Under compression the rings turn and wind
//! the struts up, so that the cell shrinks across as well: Poisson's ratio is -1 while struts bend and rings do
//! not deform. At last struts lie on rings, and the cell is much stiffer.

use crate::repeated::{Course, free_across, repeated, strained};
use crate::scenes::{Exact, STONE, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{ElasticRod, RodJoin};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

pub(super) const CASE: Case = Case {
    name: "cell_chiral",
    title: "Cells that repeat: a chiral cell is crushed",
    proves: "Rings that turn wind their struts up: Poisson's ratio is -1 at first, and the cell stiffens where struts meet rings across the period.",
    formula: "e_xx = e_yy; P grows in contact",
    source: "Alderson et al. 2010: tetrachiral cells have Poisson's ratio -1",
    weight: Weight::Full,
    run,
};

/// Side of the cell (m).
const SIDE: f64 = 0.02;
/// Radius of the ring (m).
const RADIUS: f64 = 0.006;
/// Strain at the end (1); compression is negative.
const STRAIN: f64 = -0.45;
/// Axial stiffness of struts (N).
const AXIAL: f64 = 5e3;
/// Bending stiffness of struts (N m^2).
const BENDING: f64 = 1e-4;
/// How many times both of them a ring has (1), so that it hardly deforms.
const STIFF: f64 = 100.0;
/// Number of increments.
const INCREMENTS: usize = 30;

/// Judges Poisson's ratio before contact, and the growth of stiffness after it.
///
/// # Errors
/// If the scene cannot be read, or an increment fails.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("strain (1)", "stress (Pa)"));
    let course = crushed()?;
    let ratio = |step: usize| -course.cell[step].strain[0] / course.cell[step].strain[1];
    outcome.absolute("Poisson's ratio at first", "1", -1.0, ratio(0), 0.03);
    let contacts = *course.contacts.last().unwrap_or(&0);
    outcome.at_least("contacts at the end", "1", 4.0, contacts as f64);

    // The slope in contact against the one halfway there.
    let slope = |step: usize| course.stress_after(step) - course.stress_after(step - 1);
    let stiffer = slope(INCREMENTS) / slope(INCREMENTS / 2);
    outcome.at_least("slope in contact over the one before", "1", 5.0, stiffer);
    outcome
        .plot
        .points("rings and struts", course.compression());
    Ok(outcome)
}

/// The cell under compression along y, free along x: no mean stress is across.
///
/// # Errors
/// As [`run`].
fn crushed() -> Result<Course, Error> {
    let middle = 0.5 * SIDE;
    let lean = (2.0 * RADIUS / SIDE).asin();
    let on_ring = |angle: f64| [middle + RADIUS * angle.cos(), middle + RADIUS * angle.sin()];
    let sides = 24;
    let ring =
        (0..sides).map(|k| on_ring(FRAC_PI_2 - lean + TAU * f64::from(k) / f64::from(sides)));

    // From a ring to the opposite side of the next one.
    let strut = |angle: f64, way: [f64; 2]| {
        let [from, to] = [on_ring(angle), on_ring(angle + PI)];
        let count = 14;
        let points = (0..=count).map(|k| {
            let share = f64::from(k) / f64::from(count);
            [0, 1]
                .map(|axis: usize| from[axis] + (to[axis] + SIDE * way[axis] - from[axis]) * share)
        });
        Polyline::open(points.collect())
    };

    let rod = |times: f64| ElasticRod::of_stiffness(AXIAL * times, BENDING * times, 0.01);
    let mut scene = repeated(SIDE, Law::linear(1e6, 0.3), statics(INCREMENTS))
        .barrier(1e-4, 1e6)
        .with_friction(0.2);
    if let Some(periodic) = &mut scene.periodic {
        periodic.rods = RodJoin::Rigid;
    }
    let scene = scene
        .with_body(Body::rod(
            "ring",
            rod(STIFF),
            Polyline::closed(ring.collect()),
            STONE,
        ))
        .with_body(Body::rod(
            "lying",
            rod(1.0),
            strut(FRAC_PI_2 - lean, [1.0, 0.0]),
            STONE,
        ))
        .with_body(Body::rod(
            "standing",
            rod(1.0),
            strut(PI - lean, [0.0, 1.0]),
            STONE,
        ));
    Course::of(free_across(strained(scene, [0.0, STRAIN, 0.0])))
}
