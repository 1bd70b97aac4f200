//! Checks of pairs of bodies that overlap as drawn, on purpose.
//!
//! A pair with an interference overlaps as drawn, and one of both bodies begins smaller or
//! larger. So one must be able to change its size: it deforms, has free vertices, starts without
//! a stretch, and is not held by a joint. Whether a size exists at which nothing overlaps is
//! found out once bodies are built.

use super::pairs::check_pair;
use super::report::Report;
use crate::kind::Freedom;
use crate::schema::{Body, Joint, Scene};
use ipcsim_math::Vec2;
use std::collections::BTreeSet;

/// Checks the names, numbers and bodies of all pairs with an interference.
///
/// `names` are those of bodies, copies and obstacles, and those that stand for copies.
pub(super) fn check(report: &mut Report, scene: &Scene, names: &BTreeSet<&str>) {
    let mut seen = BTreeSet::new();
    for (k, pair) in scene.contact.interference.iter().enumerate() {
        let path = format!("contact.interference[{k}]");
        let path_of_pair = format!("{path}.between");
        let between = &pair.between;
        let what = "body or obstacle";
        check_pair(report, &path_of_pair, what, between, names, &mut seen);
        report.ranges(&path);
        if between[0] == between[1] {
            let message = format!("names \"{}\" twice; name two bodies", between[0]);
            report.add(&path_of_pair, message);
        }

        if scene.solver.sleep.is_some() {
            let message =
                "changes the size of a body, which moves bodies that sleep; leave solver.sleep out";
            report.add(&path, message);
        }
        check_resized(report, &path, pair.resize.as_deref(), between, scene);
    }
}

/// Checks that one of two bodies can change its size, and that the one that is named can.
///
/// Without a name either may be resized, so that one that can is enough.
fn check_resized(
    report: &mut Report,
    path: &str,
    named: Option<&str>,
    between: &[String; 2],
    scene: &Scene,
) {
    if let Some(named) = named {
        let path = format!("{path}.resize");
        if !between.iter().any(|name| name == named) {
            let message = format!(
                "is \"{named}\"; name \"{}\" or \"{}\", or leave it out",
                between[0], between[1]
            );
            return report.add(&path, message);
        }
        if let Some(reason) = reason_against(named, scene) {
            let message =
                format!("is \"{named}\", which {reason}; leave it out, or name the other one");
            report.add(&path, message);
        }
        return;
    }

    let reasons = between.each_ref().map(|name| reason_against(name, scene));
    if let [Some(one), Some(other)] = reasons {
        let message = format!(
            "has no body whose size can change: \"{}\" {one}, \"{}\" {other}; make one of them deformable",
            between[0], between[1]
        );
        report.add(&format!("{path}.between"), message);
    }
}

/// Reason why the size of a body or obstacle of this name cannot change; `None` if it can. A name may
/// stand for copies.
fn reason_against(name: &str, scene: &Scene) -> Option<&'static str> {
    let has_name = |body: &&Body| body.name == name || body.names().any(|own| own == name);
    let Some(body) = scene.bodies.iter().find(has_name) else {
        return Some("is an obstacle");
    };
    if !body.kind.rules().can_resize() {
        return Some(match body.kind.rules().freedom() {
            Freedom::Whole => "does not deform",
            _ => "has no free vertices",
        });
    }
    if Vec2::from(body.stretch) != Vec2::repeat(1.0) {
        return Some("starts with a stretch");
    }
    let mut joined = scene.joints.iter().flat_map(Joint::bodies);
    joined
        .any(|own| own == name || *own == body.name)
        .then_some("is held by a joint, which would move with its size")
}
