//! A block that a wall pushes up an incline, by increments of statics.
//!
//! `a` is the angle of the incline, `G` the weight and `F` the horizontal force (N). Along the
//! incline `F cos a = G sin a + mu N`, and across it `N = G cos a + F sin a`. The case
//! `friction_incline` computes the same with inertia.

use super::friction_incline::{judge, pushed};
use crate::scenes::{G, statics};
use crate::{Case, Outcome, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "static_incline",
    title: "Statics: a block pushed up an incline of tan 0.1",
    proves: "Friction in increments of statics is Coulomb's: the force is that of the contact benchmark.",
    formula: "F / G = (tan a + mu) / (1 - mu tan a)",
    source: "NAFEMS benchmark CGS-4, contact patch with finite sliding (Konter, FENET D3613)",
    weight: Weight::Quick,
    run,
};

/// Judges the force over the weight after increments of 5 mm and a motion of 50 mm.
fn run() -> Result<Outcome, Error> {
    judge(|mu| {
        let mut scene = statics(10).with_gravity([0.0, -G]);
        scene.contact.friction.default = mu;
        pushed(scene, 10)
    })
}
