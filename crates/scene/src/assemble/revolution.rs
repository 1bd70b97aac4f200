//! Bodies of revolution about the axis x = 0, for scenes with `"plane": "axisymmetric"`.
//!
//! A length of an outline or an area counts with the length of its turn, `2 pi R` at rest. What is on the
//! axis stays there: it is held along x, as if the scene said so.

use super::builder::Builder;
use super::deformable::Meshed;
use super::new_body::NewBody;
use super::turn::{is_revolved, put_on_axis};
use crate::problem::Problem;
use crate::schema::Scene;
use ipcsim_core::body::{Prescribed, Role, ScriptedMotion};
use ipcsim_math::Vec2;
use ipcsim_mesh::Mesh;
use std::f64::consts::TAU;

/// Sides of a quadratic triangle: two corners and the middle between them.
const SIDES: [[usize; 3]; 3] = [[0, 1, 3], [1, 2, 4], [2, 0, 5]];

impl Builder {
    /// Puts vertices from number `first` on onto the axis that are next to it by rounding, and notes one
    /// beyond it: they are of the body or obstacle of this `name`, which is at `path` in the scene.
    ///
    /// The radius must not be negative: a part at x < 0 would be the same material a second time.
    pub(super) fn put_onto_axis(&mut self, scene: &Scene, name: &str, path: &str, first: usize) {
        if !is_revolved(scene) {
            return;
        }
        let mut rest: Vec<Vec2> = self.vertices[first..].iter().map(|v| v.rest).collect();
        put_on_axis(&mut rest);
        for (vertex, &x) in self.vertices[first..].iter_mut().zip(&rest) {
            vertex.rest = x;
        }
        if let Some(&x) = rest.iter().find(|x| x.x < 0.0) {
            let message = format!(
                "\"{}\" reaches over the axis to x = {} m, but x is the radius of a body of revolution; \
                 draw only its half at x >= 0, or move it there",
                name, x.x
            );
            let path = format!("{path}.position");
            self.problems.push(Problem::error(path, message).at(x));
        }
    }

    /// Notes a quadratic triangle whose curved side reaches over the axis between its nodes.
    ///
    /// A parabola through three nodes has the middle Bernstein coefficient `2 m - (a + b) / 2`
    /// for the radii `a`, `b` of its ends and `m` of its middle. If it is positive, so is the
    /// radius along the whole side.
    pub(super) fn look_at_curves(&mut self, body: &NewBody, placed: &Mesh) {
        if !placed.is_quadratic {
            return;
        }
        for curved in placed.curved() {
            // The middle coefficient of a side on the axis is 0 as its ends are.
            let x = curved.at(&placed.vertices);
            let bulges = |[a, b, middle]: &[usize; 3]| {
                let sides = [*a, *b, *middle].map(|k| x[k].x);
                2.0 * sides[2] - 0.5 * (sides[0] + sides[1]) <= 0.0
                    && sides.iter().any(|side| side.abs() > 0.0)
            };
            if let Some([_, _, middle]) = SIDES.iter().find(|side| bulges(side)) {
                let message = format!(
                    "\"{}\" has a curved side that may reach over the axis between its nodes; use \
                     smaller elements there",
                    body.spec.name
                );
                let path = format!("bodies[{}].elements", body.entry);
                let problem = Problem::error(path, message).at(x[*middle]);
                self.problems.push(problem);
                return;
            }
        }
    }

    /// Holds the vertices of a deformable body that are on the axis along x.
    ///
    /// A radius of 0 stays 0 by symmetry. Only x is held: vertices slide along the axis.
    pub(super) fn hold_on_axis(&mut self, body: &NewBody, meshed: &Meshed) {
        if !is_revolved(body.scene) {
            return;
        }

        // Places were set to the axis exactly before.
        let rest = self.vertices[meshed.first..].iter().map(|v| v.rest);
        let on_axis: Vec<usize> = rest
            .enumerate()
            .filter_map(|(i, rest)| (rest.x == 0.0).then_some(i))
            .collect();
        for i in on_axis {
            // Rounding of the start counts as little as that of the shape.
            let node = meshed.node + i;
            self.nodes[node].q.x = 0.0;
            self.nodes[node].q_dot.x = 0.0;
            let start = self.nodes[node].q;
            self.prescribed.push(Prescribed {
                node,
                role: Role::Point,
                start,
                axes: [true, false],
                motion: ScriptedMotion::REST,
                displacement: None,
                from: 0.0,
                selection: Prescribed::ON_AXIS,
            });
        }
    }

    /// Length of the turn (m) about the middle between the nearest and the farthest of these vertices
    /// from the axis: what stands for the thickness of a body where its defaults are derived.
    pub(super) fn mean_turn(&self, scene: &Scene, vertices: std::ops::Range<usize>) -> f64 {
        if !is_revolved(scene) {
            return scene.thickness;
        }

        // Without a radius any positive length does.
        let radii = self.vertices[vertices].iter().map(|vertex| vertex.rest.x);
        let ends = radii.fold([f64::INFINITY, 0.0_f64], |[low, high], r| {
            [low.min(r), high.max(r)]
        });
        let turn = TAU * 0.5 * (ends[0] + ends[1]);
        if turn > 0.0 && turn.is_finite() {
            turn
        } else {
            1.0
        }
    }
}
