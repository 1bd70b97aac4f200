//! Warnings of linkages that a scene can hardly mean: straight rows between supports, and long swings
//! by an integrator that takes their energy; and of damping that nothing feels.

use super::proportions::extent;
use crate::assemble::Setup;
use crate::kind::Freedom;
use crate::problem::Problem;
use crate::schema::{Hinge, Joint, Scheme};
use ipcsim_math::elementary::exp_m1;
use ipcsim_math::number::short;
use ipcsim_math::{Vec2, cross};
use std::collections::BTreeMap;

/// Share of its energy (1) that a swing may lose in a run before a warning.
const LOST: f64 = 0.3;

/// Distance of the hinges of a row from a line, relative to its length (1), up to which it is straight.
const STRAIGHT: f64 = 1e-6;

/// All warnings of this file.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let straight = straight_row(setup);
    let swing = longest_swing(setup);
    let damped = undamped(setup);
    straight.into_iter().chain(swing).chain(damped).collect()
}

/// Hinges of a scene with their paths.
fn hinges(setup: &Setup) -> Vec<(usize, &Hinge)> {
    let joints = setup.scene.joints.iter().enumerate();
    let hinges = joints.filter_map(|(k, joint)| match joint {
        Joint::Hinge(hinge) => Some((k, hinge)),
        _ => None,
    });
    hinges.collect()
}

/// Warning of a row of bars that is built straight between two obstacles, across the weight.
fn straight_row(setup: &Setup) -> Option<Problem> {
    let scene = &setup.scene;
    let hinges = hinges(setup);
    let is_obstacle = |name: &str| scene.is_obstacle(name);
    let mut of_body: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (k, (_, hinge)) in hinges.iter().enumerate() {
        for name in hinge.bodies.iter().filter(|name| !is_obstacle(name)) {
            of_body.entry(name).or_default().push(k);
        }
    }

    // Rows are followed from each obstacle, over bodies with two hinges.
    hinges.iter().enumerate().find_map(|(first, (number, hinge))| {
        let [a, b] = &hinge.bodies;
        let mut body = match (is_obstacle(a), is_obstacle(b)) {
            (true, false) => b.as_str(),
            (false, true) => a.as_str(),
            _ => return None,
        };
        let mut last = first;
        let mut places = vec![Vec2::from(hinge.at)];
        loop {
            let own = of_body.get(body)?;
            let next = match own[..] {
                [one, other] if one == last => other,
                [one, other] if other == last => one,
                _ => return None,
            };
            let (_, hinge) = hinges[next];
            places.push(Vec2::from(hinge.at));
            last = next;
            let other = hinge.bodies.iter().find(|name| *name != body)?;
            if is_obstacle(other) {
                break;
            }
            body = other;
            if places.len() > hinges.len() {
                return None;
            }
        }

        // A single bar is held by both of its ends; a row hangs only if it is longer than its span.
        let span = places[places.len() - 1] - places[0];
        let length = span.norm();
        let is_straight = places
            .iter()
            .all(|place| cross(span, place - places[0]).abs() <= STRAIGHT * length * length);
        let across = cross(span, Vec2::from(scene.gravity)).abs() / length;
        (places.len() > 2 && is_straight && across > 0.0).then(|| {
            let message = format!(
                "this hinge begins a row of {} bars that is straight between two supports: no finite \
                 force holds it across the weight; let it sag by some percent of its span of {} m",
                places.len() - 1,
                short(length)
            );
            Problem::warning(format!("joints[{number}]"), message)
        })
    })
}

/// Warning of the hinge about which a body swings so often that implicit Euler takes most of the
/// energy: the share `1 - exp(-w^2 h t)` with the frequency `w = sqrt(g / l)`.
fn longest_swing(setup: &Setup) -> Option<Problem> {
    let scene = &setup.scene;
    let gravity = Vec2::from(scene.gravity).norm();
    if scene.time.integrator != Scheme::ImplicitEuler || gravity == 0.0 {
        return None;
    }

    let h = scene.time.step;
    let time = h * scene.time.steps as f64;
    // A body with a second joint is driven or held by it.
    let is_alone = |name: &String| {
        let named = scene
            .joints
            .iter()
            .filter(|joint| joint.bodies().contains(name));
        named.count() == 1 && scene.bodies.iter().any(|body| body.name == *name)
    };
    let free = hinges(setup).into_iter().filter(|(_, hinge)| {
        let is_free = hinge.motor.is_none() && hinge.brake.is_none() && hinge.spring.is_none();
        is_free && hinge.bodies.iter().any(is_alone)
    });
    let to_obstacles = free.filter(|(_, hinge)| {
        let mut names = hinge.bodies.iter();
        names.any(|name| scene.is_obstacle(name))
    });
    let lost = to_obstacles.filter_map(|(number, hinge)| {
        let body = scene
            .bodies
            .iter()
            .position(|body| hinge.bodies.contains(&body.name))?;
        let length = extent(setup, &setup.world.bodies[body]).norm();
        let lost = -exp_m1(-gravity / length * h * time);
        Some((lost, number, body))
    });
    let (lost, number, body) = lost.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (lost > LOST).then(|| {
        let message = format!(
            "by implicit_euler a free swing of \"{}\" about this hinge loses about {} % of its height in \
             the run; use \"bdf2\", or \"energy\": \"kept\", if it swings",
            scene.bodies[body].name,
            (100.0 * lost).round()
        );
        Problem::warning(format!("joints[{number}]"), message)
    })
}

/// Warning of a material that resists only rates of strain on bodies that move as wholes, where no
/// other body has it.
fn undamped(setup: &Setup) -> Vec<Problem> {
    let scene = &setup.scene;
    let damped = scene
        .materials
        .iter()
        .filter(|(_, material)| material.damping.is_some_and(|own| own.mass == 0.0));
    let unfelt = damped.filter(|(name, _)| {
        let mut bodies = scene
            .bodies
            .iter()
            .filter(|body| body.material == **name)
            .peekable();
        bodies.peek().is_some() && bodies.all(|body| body.kind.rules().freedom() == Freedom::Whole)
    });
    unfelt
        .map(|(name, _)| {
            let message = "has no effect: all bodies of the material move as wholes, without rates of strain; \
                           give it \"mass\" (1/s), or a rigid body \"damping\": { \"linear\": ..., \"angular\": ... }"
                .to_owned();
            Problem::warning(format!("materials.{name}.damping"), message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// Messages about a scene of bars with some hinges of a row between the obstacles `left` and `right`.
    fn messages(heights: [f64; 4], hinges: usize, time: &str, material: &str) -> Vec<String> {
        let mut bodies = Vec::new();
        let mut joints = Vec::new();
        let names = ["left", "b0", "b1", "b2", "right"];
        for k in 0..3 {
            let [from, to] = [heights[k], heights[k + 1]];
            let y = 0.5 * (from + to);
            bodies.push(format!(
                r#"{{ "name": "b{k}", "kind": "rigid", "material": "m", "position": [{}, {y}],
                     "shape": {{ "rectangle": {{ "size": [0.9, 0.05], "segments": [1, 1] }} }} }}"#,
                k as f64 + 0.5
            ));
        }
        for (k, height) in heights.iter().enumerate().take(hinges) {
            joints.push(format!(
                r#"{{ "hinge": {{ "bodies": ["{}", "{}"], "at": [{k}, {height}] }} }}"#,
                names[k],
                names[k + 1]
            ));
        }
        let text = format!(
            r#"{{ "time": {time}, "materials": {{ "m": {material} }}, "bodies": [{}], "joints": [{}],
                 "obstacles": [ {{ "name": "left", "shape": {{ "circle": {{ "radius": 0.01 }} }}, "position": [-0.5, 0] }},
                                {{ "name": "right", "shape": {{ "circle": {{ "radius": 0.01 }} }}, "position": [3.5, 0] }} ] }}"#,
            bodies.join(","),
            joints.join(",")
        );
        let setup = parse(&text, &[]).unwrap().build().unwrap();
        let found = warnings(&setup);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn straight_rows_long_swings_and_damping_without_effect_are_told() {
        let short = r#"{ "step": 0.01, "steps": 5 }"#;
        let plain = r#"{ "density": 1000 }"#;
        let straight = messages([0.0; 4], 4, short, plain);
        assert!(
            straight.len() == 1 && straight[0].contains("a row of 3 bars"),
            "{straight:?}"
        );
        assert_eq!(
            messages([0.0, -0.2, -0.2, 0.0], 4, short, plain),
            Vec::<String>::new()
        );

        let long = r#"{ "step": 0.01, "steps": 1000 }"#;
        let swings = messages([0.0, -0.2, -0.2, 0.0], 1, long, plain);
        assert!(
            swings.len() == 1 && swings[0].contains("% of its height"),
            "{swings:?}"
        );

        let damped = r#"{ "density": 1000, "damping": { "stiffness": 0.01 } }"#;
        let found = messages([0.0, -0.2, -0.2, 0.0], 4, short, damped);
        assert!(
            found.len() == 1 && found[0].contains("has no effect"),
            "{found:?}"
        );
    }
}
