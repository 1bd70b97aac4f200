//! Weight of every kind of body at rest.
//!
//! A square of 0.2 m lies on the ground. At rest the normal forces of all contacts have the sum
//! `m g`, for rigid, affine, deformable, polynomial and modal bodies, and for 2, 4 and 8 edges
//! along a side. The elastic ones sag by their weight, which changes where forces act and not their
//! sum.
//!
//! The force of the last of 60 steps agrees to 1e-6 of the weight.

use crate::scenes::{Exact, G, RUBBER, STONE, after, force_on, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Modal, Polynomial};

pub(super) const CASE: Case = Case {
    name: "rest_kinds",
    title: "Contact force of a body at rest, all kinds of bodies",
    proves: "Contact forces that a program reads carry the weight, however the body deforms and however fine its mesh is.",
    formula: "sum of normal forces = m g",
    source: "Newton's first law",
    weight: Weight::Quick,
    run,
};

/// Lets a block of each kind and mesh come to rest, and judges the force of the ground.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("edges of a side", "force / weight"));
    outcome.plot.curve("weight", [1.0, 16.0], |_| 1.0);

    for (label, kind, material) in [
        ("rigid", Kind::Rigid, STONE),
        ("affine", Kind::Affine(Affine::default()), STONE),
        ("deformable", Kind::Deformable, RUBBER),
        (
            "polynomial",
            Kind::Polynomial(Polynomial { order: 2 }),
            RUBBER,
        ),
        ("modal", Kind::Modal(Modal { modes: 12 }), RUBBER),
    ] {
        let mut measured = Vec::new();
        for segments in [2, 4, 8] {
            let block = Body::new("block", kind, Square::new(0.2, segments), material);
            let scene = scene(0.1, 60)
                .elastic(Law::neo_hookean(1e6, 0.4))
                .barrier(1e-3, 1e6)
                .with_body(block.at([0.0, 0.1005]))
                .with_obstacle(ground());
            let simulation = after(scene, 60)?;

            let weight = G * simulation.body("block")?.mass();
            let share = force_on(&simulation, "block").y / weight;
            let name = format!("force / weight, {label}, {segments} edges");
            outcome.relative(name, "1", 1.0, share, 1e-6);
            measured.push([segments as f64, share]);
        }
        outcome.plot.points(label, measured);
    }
    Ok(outcome)
}
