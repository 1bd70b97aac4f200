//! Errors and warnings of scenes that take too long: pairs within `d_hat`, modes, fields.
//!
//! A contact distance in the wrong unit makes everything touch everything, and the time of an
//! iteration grows with the square of the number of bodies. Estimates here come before anything
//! that takes as long itself.

use crate::assemble::Setup;
use crate::copies::rough_offsets;
use crate::kind::Freedom;
use crate::problem::Problem;
use crate::schema::{Scene, Shape};
use ipcsim_math::elementary::{powi, sin_cos};
use ipcsim_math::files::available;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::number;
use std::collections::BTreeMap;

/// Bytes per pair within `d_hat`: candidate, contact, blocks of the matrix and of its factor.
/// Measured are 6,600 for 22,600 pairs of circles.
const PER_PAIR: f64 = 6500.0;

/// Seconds that a pair within `d_hat` takes in an iteration.
const PER_PAIR_TIME: f64 = 5e-6;

/// Operations of floating-point numbers in a second, in dense products.
const SPEED: f64 = 3e9;

/// Iterations that modes usually take.
const ITERATIONS: f64 = 30.0;

/// Seconds that an iteration may take before there is a warning.
const LONG: f64 = 5.0;

/// Seconds that a scene may take before its first step.
const LONGEST: f64 = 600.0;

/// Errors of modal bodies whose modes take too long to find.
pub(super) fn modes(scene: &Scene) -> Vec<Problem> {
    let mut found = Vec::new();
    for (k, body) in scene.bodies.iter().enumerate() {
        let Freedom::Fields(fields) = body.kind.rules().freedom() else {
            continue;
        };

        // A triangle has about half a vertex of its own, and that two coordinates. Only modes are
        // searched; polynomials, which are few, are given.
        let coordinates = super::memory::triangles(&body.shape);
        let block = fields.min(coordinates);
        let operations = ITERATIONS * (2.0 * coordinates * block * block + 10.0 * powi(block, 3));
        let time = operations / SPEED;
        if time > LONGEST && fields > FEW {
            let message = format!(
                "{fields} fields of about {coordinates} coordinates take about {} to find, more than \
                 the {} that are allowed; use fewer modes or segments",
                duration(time),
                duration(LONGEST)
            );
            found.push(Problem::error(format!("bodies[{k}].kind"), message));
        }
    }
    found
}

/// Number of fields that are never too many.
const FEW: f64 = 100.0;

/// Error or warning of a contact distance within which there are too many pairs at the start.
///
/// Only a distance that the scene gives is looked at; the default follows the bodies.
pub(super) fn crowd(scene: &Scene) -> Option<Problem> {
    let d_hat = scene.contact.d_hat.filter(|d_hat| *d_hat > 0.0)?;
    let pairs = pairs(scene, d_hat);
    let bytes = PER_PAIR * pairs;
    let time = PER_PAIR_TIME * pairs;
    let what = format!(
        "about {} pairs of vertices and edges are nearer than this at the start",
        number::short(pairs)
    );

    if available().is_some_and(|available| bytes > available as f64) {
        let message = format!(
            "{what}, which takes {} of memory; use a smaller distance, or leave it out",
            number::bytes(bytes)
        );
        return Some(Problem::error("contact.d_hat", message));
    }
    (time > LONG).then(|| {
        let message = format!(
            "{what}, so that each iteration takes about {}; use a smaller distance, or leave it out",
            duration(time)
        );
        Problem::warning("contact.d_hat", message)
    })
}

/// Warning of reduced bodies whose iterations take long.
pub(super) fn fields(setup: &Setup) -> Vec<Problem> {
    let mut found = Vec::new();
    for (k, body) in setup.scene.bodies.iter().enumerate() {
        let Freedom::Fields(fields) = body.kind.rules().freedom() else {
            continue;
        };

        // Each triangle has 36 entries of its Hessian, and each field multiplies with all others.
        let time = 36.0 * super::memory::triangles(&body.shape) * fields * fields / SPEED;
        if time > LONG {
            let message = format!(
                "{fields} fields of this many triangles take about {} in each iteration; use fewer \
                 fields or segments",
                duration(time)
            );
            found.push(Problem::warning(format!("bodies[{k}].kind"), message));
        }
    }
    found
}

/// Estimated number of pairs of edges of different bodies that are nearer than `d_hat`.
///
/// Bodies are counted in cells of that size, by their middles: those that are larger touch few
/// others there. Of the pairs in the nine cells around a body, those in a circle are
/// `pi / 9`.
fn pairs(scene: &Scene, d_hat: f64) -> f64 {
    let mut cells: BTreeMap<[i64; 2], Cell> = BTreeMap::new();
    for body in &scene.bodies {
        let edges = super::memory::edges(&body.shape).max(1.0);
        let (sin, cos) = sin_cos(body.rotation_deg.to_radians());
        let [x, y] = middle(&body.shape);
        let place = [
            body.position[0] + cos * x - sin * y,
            body.position[1] + sin * x + cos * y,
        ];
        for offset in rough_offsets(body) {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "far cells may be one, which only makes the estimate larger"
            )]
            let cell =
                [0, 1].map(|axis: usize| ((place[axis] + offset[axis]) / d_hat).floor() as i64);
            let cell = cells.entry(cell).or_default();
            cell.edges += edges;
            // Pairs within one body are taken off below.
            cell.own += edges * edges;
        }
    }

    let mut pairs = 0.0;
    for (&[i, j], own) in &cells {
        let mut around = 0.0;
        for (di, dj) in (-1..=1).flat_map(|di| (-1..=1).map(move |dj| (di, dj))) {
            let cell = [i.saturating_add(di), j.saturating_add(dj)];
            around += cells.get(&cell).map_or(0.0, |cell| cell.edges);
        }
        pairs += (own.edges * around - own.own) / 2.0;
    }
    pairs * std::f64::consts::PI / 9.0
}

/// Middle of a shape (m), from its origin: that of the box around its points, for shapes that are
/// given by points, and the origin for others.
fn middle(shape: &Shape) -> [f64; 2] {
    let points = match shape {
        Shape::Mesh(mesh) => &mesh.vertices,
        Shape::Outline(outline) => &outline.points,
        Shape::Polyline(line) => &line.points,
        Shape::Wire(wire) => &wire.vertices,
        _ => return [0.0; 2],
    };
    if points.is_empty() {
        return [0.0; 2];
    }
    Aabb::around(points.iter().map(|&point| point.into()))
        .center()
        .into()
}

/// Edges of the bodies in a cell.
#[derive(Default)]
struct Cell {
    /// Number of them.
    edges: f64,
    /// Number of pairs of one body.
    own: f64,
}

/// Time in words: seconds, minutes or hours.
fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else if seconds < 7200.0 {
        format!("{:.0} minutes", seconds / 60.0)
    } else {
        format!("{:.0} hours", seconds / 3600.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{build, parse};

    /// Circles in a square of 20 by 20, a quarter of a metre apart.
    fn circles(d_hat: f64) -> Setup {
        let text = format!(
            r#"{{ "time": {{ "step": 0.01, "steps": 1 }}, "materials": {{ "m": {{ "density": 1 }} }},
                 "contact": {{ "d_hat": {d_hat} }},
                 "bodies": [ {{ "name": "c", "kind": "rigid", "shape": {{ "circle": {{ "radius": 0.1 }} }},
                                "material": "m",
                                "copies": {{ "counts": [20, 20], "spacing": [0.25, 0.25] }} }} ] }}"#
        );
        build(parse(&text, &[]).unwrap()).unwrap()
    }

    #[test]
    fn pairs_are_estimated_from_the_places_of_bodies() {
        for d_hat in [0.5, 1.0, 2.0] {
            let setup = circles(d_hat);
            let x = &setup.state.x;
            let centres = &setup.world.model.surface.points;
            let mut counted = 0.0;
            for (k, &a) in centres.iter().enumerate() {
                for &b in &centres[k + 1..] {
                    counted += f64::from((x[a] - x[b]).norm() < d_hat);
                }
            }

            let ratio = pairs(&setup.scene, d_hat) / counted;
            assert!((0.6..1.7).contains(&ratio), "{d_hat}: {ratio}");
        }
    }

    #[test]
    fn two_meshes_that_share_their_origin_lie_side_by_side() {
        // Two strips of 3,000 vertices each, one above and one below the x axis.
        let strip = |sign: f64| {
            let vertex =
                |k: usize| format!("[{}, {}]", (k / 2) as f64, sign * (0.1 + (k % 2) as f64));
            let vertices: Vec<String> = (0..3000).map(vertex).collect();
            format!(
                r#"{{ "name": "{sign}", "kind": "rigid", "material": "m", "shape": {{ "wire": {{
                     "vertices": [{}], "edges": [] }} }} }}"#,
                vertices.join(",")
            )
        };

        let text = format!(
            r#"{{ "time": {{ "step": 0.01, "steps": 1 }}, "materials": {{ "m": {{ "density": 1 }} }},
                 "bodies": [ {}, {} ] }}"#,
            strip(1.0),
            strip(-1.0)
        );
        assert_eq!(pairs(&parse(&text, &[]).unwrap(), 0.01), 0.0);
    }

    #[test]
    fn modes_that_take_hours_are_refused() {
        let scene = |modes: usize, segments: usize| {
            let text = format!(
                r#"{{ "time": {{ "step": 0.01, "steps": 1 }},
                     "materials": {{ "m": {{ "density": 1, "law": {{ "neo_hookean": {{ "young": 1, "poisson": 0 }} }} }} }},
                     "bodies": [ {{ "name": "a", "kind": {{ "modal": {{ "modes": {modes} }} }}, "material": "m",
                                    "shape": {{ "rectangle": {{ "size": [1, 1], "segments": [{segments}, {segments}] }} }} }} ] }}"#
            );
            modes_of(&text)
        };
        assert_eq!(scene(20, 40), 0);
        assert_eq!(scene(2000, 40), 1);
    }

    /// Number of errors of the modes of a scene.
    fn modes_of(text: &str) -> usize {
        modes(&parse(text, &[]).unwrap()).len()
    }
}
