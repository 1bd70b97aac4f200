//! Everything about a simulation that does not change.

use super::integrator::Integrator;
use super::loading::Loading;
use crate::body::{Body, Prescribed};
use crate::contact::FrictionTable;
use crate::contact::barrier::Barrier;
use crate::math::{Mat2, Vec2, cross, parallel};
use crate::solve::{Model, Settings, Solver, Target};

/// How often friction is brought up to date within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LagSettings {
    /// Most solves a step may take, each with the friction of the last one's end.
    pub iterations: usize,
    /// Change of velocity (m/s) by out-of-date friction below which no further solve is made.
    pub tolerance: f64,
}

/// Bodies, energies and settings, fixed once the scene is built.
#[derive(Debug)]
pub struct World {
    /// Bodies in scene order, then obstacles.
    pub bodies: Vec<Body>,
    /// Rest positions of all vertices (m); of a half-plane its origin at the start.
    pub rest: Vec<Vec2>,
    /// Elastic triangles of all bodies, counter-clockwise.
    pub triangles: Vec<[usize; 3]>,
    /// Springs of all bodies.
    pub springs: Vec<[usize; 2]>,
    /// Unknowns, masses, energies and surfaces.
    pub model: Model,
    /// The barrier between all that can touch, at the start.
    pub barrier: Barrier,
    /// Gravity and other forces.
    pub loading: Loading,
    /// Coefficients of friction.
    pub friction: FrictionTable,
    /// Sliding speed from which on friction is fully developed, `eps_v` (m/s).
    pub eps_v: f64,
    /// How friction is lagged.
    pub lag: LagSettings,
    /// Nodes whose motion is prescribed.
    pub prescribed: Vec<Prescribed>,
    /// Length of a time step (s).
    pub h: f64,
    /// How a step through time becomes potentials to minimise.
    pub integrator: Box<dyn Integrator>,
    /// When Newton's method stops.
    pub newton: Settings,
}

impl World {
    /// A solver for this world's steps.
    pub fn solver(&self) -> Solver {
        Solver::new(self.newton, &self.model)
    }

    /// Where prescribed nodes shall be at time `t` (s).
    pub fn targets(&self, t: f64) -> Vec<Target> {
        let target = |p: &Prescribed| {
            Some(Target {
                node: p.node,
                position: p.target(t)?,
                axes: p.axes,
            })
        };
        self.prescribed.iter().filter_map(target).collect()
    }

    /// The smallest ratio of a triangle's signed area to that at rest, or `None` without triangles.
    pub fn least_area_ratio(&self, x: &[Vec2]) -> Option<f64> {
        let area = |x: &[Vec2], [a, b, c]: [usize; 3]| cross(x[b] - x[a], x[c] - x[a]);
        let ratio = |k: usize| area(x, self.triangles[k]) / area(&self.rest, self.triangles[k]);
        let least = parallel::first_min(self.triangles.len(), f64::INFINITY, ratio);
        (!self.triangles.is_empty()).then_some(least.0)
    }

    /// Whether the motion of `vertex` is prescribed and is not rest.
    pub fn moves(&self, vertex: usize) -> bool {
        let nodes = self.model.coordinates.nodes_of(vertex);
        self.prescribed
            .iter()
            .any(|p| nodes.contains(&p.node) && !p.motion.is_rest())
    }

    /// The von Mises stress of each triangle (Pa), from the in-plane Cauchy stress:
    /// `sqrt(s_xx^2 - s_xx s_yy + s_yy^2 + 3 s_xy^2)`.
    pub fn von_mises(&self, x: &[Vec2]) -> Vec<f64> {
        let mut stresses: Vec<([usize; 3], Mat2)> = self
            .model
            .energies
            .iter()
            .flat_map(|energy| energy.stresses(x))
            .collect();
        stresses.sort_unstable_by_key(|(triangle, _)| *triangle);
        let of = |triangle: &[usize; 3]| {
            let found = stresses.binary_search_by_key(triangle, |(t, _)| *t);
            let s = found.map_or(Mat2::zeros(), |k| stresses[k].1);
            (s.m11 * s.m11 - s.m11 * s.m22 + s.m22 * s.m22 + 3.0 * s.m12 * s.m21)
                .max(0.0)
                .sqrt()
        };
        self.triangles.iter().map(of).collect()
    }

    /// The body that owns `vertex`, and the vertex's number in it.
    pub fn owner(&self, vertex: usize) -> Option<(&Body, usize)> {
        let body = self
            .bodies
            .iter()
            .find(|body| body.vertices.contains(&vertex))?;
        Some((body, vertex - body.vertices.start))
    }
}
