//! Masses and centres of bodies, as the page and the curves of their motion take them.

use super::symbols::{Terms, terms};
use crate::pictures::carried::Carried;
use ipcsim::body::{Body, BodyKind};
use ipcsim::math::{Vec2, cross};
use ipcsim::scene::Setup;
use ipcsim::time::World;
use serde::Serialize;
use std::ops::Range;

/// Mass and centre of a body in the page.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Inertia {
    /// Mass (kg); 0 where it is unknown.
    pub(super) mass: f64,
    /// Moment of inertia of a rigid body about its centre (kg m^2); 0 for others.
    #[serde(skip)]
    moment: f64,
    /// Centre of mass of a body that does not deform; of others the masses of vertices tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    centre: Option<Terms>,
    /// Velocity of the centre at the start (m/s).
    #[serde(skip)]
    pub(super) velocity: [f64; 2],
    /// Angular velocity at the start (rad/s).
    #[serde(skip)]
    pub(super) spin: f64,
    /// True if vertices have masses.
    #[serde(skip)]
    has_vertices: bool,
    /// The centre with exact weights.
    #[serde(skip)]
    carried: Option<Carried>,
}

/// Mass and centre of a body of a scene.
pub(crate) fn inertia(setup: &Setup, body: &Body) -> Inertia {
    let world = &setup.world;
    let start = &setup.state;
    let place = world.at_centre(body, &start.q, &start.x);
    let mut own = Inertia {
        mass: world.mass_of(body),
        velocity: world.at_centre(body, &start.q_dot, &start.v).into(),
        spin: body.angle(&start.q_dot).unwrap_or_default(),
        has_vertices: is_free(body),
        ..Inertia::default()
    };

    // The frame of a rigid body has the longest arm, for the smallest error.
    let first = body.vertices.start;
    let far = largest_of(body, |k| (start.x[k] - start.x[first]).norm_squared());
    match body.kind {
        BodyKind::Rigid | BodyKind::Obstacle | BodyKind::World => {
            let frame = [first, far];
            own.carried = Some(Carried::in_frame(frame, &start.x, place));
            own.moment = world.model.mass[body.nodes.start + 1].x;
        }
        // An affine map keeps the shares of three corners in the centre.
        BodyKind::Affine => {
            own.carried = corners(&start.x, body).map(|corners| {
                let shares = shares_in(corners.map(|k| start.x[k]), place);
                Carried::shares(corners.into_iter().zip(shares))
            });
        }
        _ => {}
    }
    own.centre = own.carried.as_ref().map(terms);
    own
}

impl Inertia {
    /// Centre of the body with these vertices at `x` (m), whose masses are among `masses` (kg).
    pub(crate) fn centre_at(&self, vertices: Range<usize>, x: &[Vec2], masses: &[f64]) -> Vec2 {
        if let Some(centre) = &self.carried {
            return centre.at(x);
        }
        let all: f64 = masses[vertices.clone()].iter().sum();
        let count = vertices.len() as f64;
        let weighted = vertices.map(|i| {
            let share = if all > 0.0 {
                masses[i] / all
            } else {
                1.0 / count
            };
            x[i] * share
        });
        weighted.sum()
    }

    /// Kinetic energy (J) at a velocity of the centre (m/s) and an angular velocity (rad/s) of a rigid
    /// body, else that of its vertices (J); NaN where neither is known.
    pub(super) fn kinetic(&self, velocity: Vec2, spin: f64, of_vertices: f64) -> f64 {
        if self.moment > 0.0 && self.mass > 0.0 {
            0.5 * (self.mass * velocity.norm_squared() + self.moment * spin * spin)
        } else if self.has_vertices {
            of_vertices
        } else {
            f64::NAN
        }
    }
}

/// The vertex of a body for which a size is largest; the first one if all are equal.
fn largest_of(body: &Body, size: impl Fn(usize) -> f64) -> usize {
    let vertices = body.vertices.clone();
    let found = vertices.rev().max_by(|&i, &j| size(i).total_cmp(&size(j)));
    found.unwrap_or(body.vertices.start)
}

/// Three vertices of a body that are far from a line, if there are any.
fn corners(x: &[Vec2], body: &Body) -> Option<[usize; 3]> {
    let a = body.vertices.start;
    let b = largest_of(body, |k| (x[k] - x[a]).norm_squared());
    // The corner of the largest triangle over this side.
    let c = largest_of(body, |k| twice_area(x[a], x[b], x[k]).abs());
    (twice_area(x[a], x[b], x[c]) != 0.0).then_some([a, b, c])
}

/// Shares of the corners of a triangle in a point of its plane.
fn shares_in([a, b, c]: [Vec2; 3], p: Vec2) -> [f64; 3] {
    let parts = [
        twice_area(p, b, c),
        twice_area(a, p, c),
        twice_area(a, b, p),
    ];
    parts.map(|part| part / twice_area(a, b, c))
}

/// Twice the signed area of a triangle (m^2).
fn twice_area(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    cross(b - a, c - a)
}

/// True if each vertex of a body is a node with its mass.
fn is_free(body: &Body) -> bool {
    matches!(
        body.kind,
        BodyKind::Solid | BodyKind::Springs | BodyKind::Rod
    )
}

/// Mass of each vertex of bodies that deform freely (kg), 0 for others.
pub(crate) fn masses(world: &World) -> Vec<f64> {
    let mut all = vec![0.0; world.rest.len()];
    for body in &world.bodies {
        if is_free(body) {
            for (vertex, node) in body.vertices.clone().zip(body.nodes.clone()) {
                all[vertex] = world.model.mass[node].x;
            }
        }
    }
    all
}
