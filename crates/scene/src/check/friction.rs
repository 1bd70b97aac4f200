//! Checks of friction: coefficients, speeds, pairs of bodies and of materials, and belts.
//!
//! Rolling resistance is a torque on two bodies that turn as a whole. A soft body has no angle, and
//! a point does not turn, so an entry that gives them rolling resistance is refused.

use super::pairs::check_pair;
use super::report::Report;
use crate::kind::{Freedom, names_of};
use crate::schema::{Body, Friction, FrictionPair, Scene, Shape};
use std::collections::BTreeSet;

/// Checks the coefficients of all pairs without an entry, and the speeds of friction.
pub(super) fn check(report: &mut Report, friction: &Friction) {
    let path = "contact.friction";
    check_kinetic(report, path, friction.kinetic, friction.default);
    if let (Some(eps_v), Some(kinetic)) = (friction.eps_v, friction.kinetic_speed)
        && kinetic < 2.0 * eps_v
    {
        let message = format!(
            "is {kinetic} m/s, but must be at least twice the {eps_v} m/s of eps_v, at which friction \
             has its full force; raise it, or lower eps_v"
        );
        report.add(&format!("{path}.kinetic_speed"), message);
    }
}

/// Checks that a coefficient of kinetic friction is at most the static one.
fn check_kinetic(report: &mut Report, path: &str, kinetic: Option<f64>, fixed: f64) {
    let Some(kinetic) = kinetic else { return };
    let path = format!("{path}.kinetic");
    if kinetic > fixed {
        let message = format!(
            "is {kinetic}, but kinetic friction must not exceed the static friction of {fixed}; lower \
             it, or raise the coefficient of static friction"
        );
        report.add(&path, message);
    }
}

/// Checks the entries of pairs of bodies and of materials, and that all that resists rolling can
/// turn.
///
/// `names` are those of all bodies, copies and obstacles.
pub(super) fn check_pairs(report: &mut Report, scene: &Scene, names: &BTreeSet<&str>) {
    let friction = &scene.contact.friction;
    let mut seen = BTreeSet::new();
    for (k, pair) in friction.pairs.iter().enumerate() {
        let path = format!("contact.friction.pairs[{k}]");
        let path_of_pair = format!("{path}.between");
        let what = "body or obstacle";
        check_pair(report, &path_of_pair, what, &pair.between, names, &mut seen);
        check_numbers(report, &path, pair);
        if pair.rolling > 0.0 {
            // A pair may name all copies together, or one of them.
            let named = |body: &Body| {
                pair.between.contains(&body.name)
                    || body.names().any(|name| pair.between.contains(&name))
            };
            check_turning(report, &path, scene, named);
        }
    }

    // Materials.
    let materials: BTreeSet<&str> = scene.materials.keys().map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    for (k, pair) in friction.materials.iter().enumerate() {
        let path = format!("contact.friction.materials[{k}]");
        let path_of_pair = format!("{path}.between");
        check_pair(
            report,
            &path_of_pair,
            "material",
            &pair.between,
            &materials,
            &mut seen,
        );
        check_numbers(report, &path, pair);
        if pair.rolling > 0.0 {
            let made = |body: &Body| pair.between.contains(&body.material);
            check_turning(report, &path, scene, made);
        }
    }

    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        if let Some(name) = obstacle
            .material
            .as_ref()
            .filter(|n| !materials.contains(n.as_str()))
        {
            let path = format!("obstacles[{k}].material");
            report.no_such(&path, "material", name, materials.iter().copied());
        }
    }

    if friction.rolling > 0.0 {
        check_turning(report, "contact.friction", scene, |_| true);
    }
    check_belts(report, scene);
}

/// Checks the coefficients of an entry.
pub(super) fn check_numbers(report: &mut Report, path: &str, pair: &FrictionPair) {
    report.ranges(path);
    check_kinetic(report, path, pair.kinetic, pair.coefficient);
}

/// Checks that bodies of an entry with rolling resistance turn as a whole. `path` is that of the
/// entry.
fn check_turning(report: &mut Report, path: &str, scene: &Scene, concerns: impl Fn(&Body) -> bool) {
    let stays = |body: &&Body| {
        let turns = body.kind.rules().freedom() == Freedom::Whole;
        (!turns || matches!(body.shape, Shape::Point(_))) && concerns(body)
    };
    let Some(body) = scene.bodies.iter().find(stays) else {
        return;
    };

    let (name, kind) = (&body.name, body.kind.rules().name());
    let reason = if matches!(body.shape, Shape::Point(_)) {
        "is a point, which does not turn".to_owned()
    } else {
        let turning = names_of(|kind| kind.freedom() == Freedom::Whole);
        format!("is {kind} and has no angle of its own; rolling resistance is for {turning} bodies")
    };
    let message = format!("\"{name}\" {reason}; give rolling to pairs without this body");
    report.add(&format!("{path}.rolling"), message);
}

/// Checks that what has a belt also has an outline.
fn check_belts(report: &mut Report, scene: &Scene) {
    let bodies = scene.bodies.iter().enumerate();
    let bodies = bodies.map(|(k, body)| (format!("bodies[{k}]"), body.belt, &body.shape));
    let obstacles = scene.obstacles.iter().enumerate();
    let obstacles = obstacles.map(|(k, o)| (format!("obstacles[{k}]"), o.belt, &o.shape));
    for (path, belt, shape) in bodies.chain(obstacles) {
        let path = format!("{path}.belt");
        if belt != 0.0 && matches!(shape, Shape::Point(_)) {
            report.add(
                &path,
                "a point has no outline that a belt could run along; remove it",
            );
        }
    }
}
