//! Pressure along the surface of a body, and a half-plane that an obstacle is pressed into.

use crate::round::{Graded, Half};
use crate::scenes::{Exact, RUBBER, statics};
use ipcsim::forces::{lengths_at, normal_on_vertices};
use ipcsim::prelude::*;

/// A vertex of a surface in contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressed {
    /// Place along the surface at rest (m).
    pub(super) x: f64,
    /// Normal force (N) on the vertex.
    pub(super) force: f64,
    /// Force over the half of both edges at rest (Pa).
    pub(super) pressure: f64,
}

/// Vertices of a body that contacts press up or down, from left to right.
///
/// # Errors
/// If there is no body of this name.
pub(super) fn pressed(simulation: &Simulation, name: &str) -> Result<Vec<Pressed>, Error> {
    let world = simulation.world();
    let state = simulation.state();
    let own = simulation.body(name)?.body().vertices.clone();
    let surface = &world.model.surface;
    let contacts = world.contacts_at(&state.x, &state.memory.options.stiffening.adapted);
    let forces = normal_on_vertices(surface, &contacts, &state.x);

    let lengths = lengths_at(surface, &world.rest);
    let mut found: Vec<Pressed> = own
        .filter(|&vertex| forces[vertex].y != 0.0)
        .map(|vertex| {
            let force = forces[vertex].y.abs();
            let x = world.rest[vertex].x;
            Pressed {
                x,
                force,
                pressure: force / lengths[vertex],
            }
        })
        .collect();
    found.sort_by(|a, b| a.x.total_cmp(&b.x));
    Ok(found)
}

/// Sum of forces (N).
pub(super) fn total(pressed: &[Pressed]) -> f64 {
    pressed.iter().map(|at| at.force).sum()
}

/// Mean of the pressures (Pa) at both places `x` and `-x` (m), by lines between vertices.
pub(super) fn beside(pressed: &[Pressed], x: f64) -> f64 {
    let at = |x: f64| {
        let pair = pressed
            .windows(2)
            .find(|pair| (pair[0].x..=pair[1].x).contains(&x));
        pair.map_or(f64::NAN, |pair| {
            let share = (x - pair[0].x) / (pair[1].x - pair[0].x);
            pair[0].pressure + share * (pair[1].pressure - pair[0].pressure)
        })
    };
    0.5 * (at(x) + at(-x))
}

/// Value at 0 and slope of the line of least squares through points.
pub(super) fn line(points: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    let [mut n, mut x, mut y, mut xx, mut xy] = [0.0; 5];
    for [at, value] in points {
        n += 1.0;
        x += at;
        y += value;
        xx += at * at;
        xy += at * value;
    }
    let slope = (n * xy - x * y) / (n * xx - x * x);
    [(y - slope * x) / n, slope]
}

/// A half-plane of linear material that an obstacle without friction is pressed into.
pub(super) struct Indented {
    /// Mesh of the half-plane.
    pub(super) size: Graded,
    /// Young's modulus (Pa) and Poisson's ratio (1).
    pub(super) elastic: [f64; 2],
    /// Reach of the barrier (m).
    pub(super) d_hat: f64,
    /// Displacement of the obstacle into the half-plane (m).
    pub(super) travel: f64,
}

impl Indented {
    /// Vertices of the surface in contact after an obstacle of this shape, whose lowest point is its
    /// origin, has moved down by its displacement.
    ///
    /// # Errors
    /// If the scene cannot be built or an increment fails.
    pub(super) fn by(&self, shape: Outline) -> Result<Vec<Pressed>, Error> {
        let depth = self.size.depth();
        let bottom = Selection::within([-9.0 * depth, -2.0 * depth], [9.0 * depth, -0.999 * depth]);
        let body = Body::deformable("body", self.size.mesh(Half::Lower, 0.0), RUBBER)
            .with_prescribed(Prescribed::held(bottom));
        let [young, poisson] = self.elastic;
        let obstacle = Obstacle::new("indenter", shape)
            .at([0.0, self.d_hat])
            .with_velocity([0.0, -self.travel - self.d_hat]);

        let scene = statics(4)
            .weightless()
            .elastic(Law::linear(young, poisson))
            .barrier(self.d_hat, 10.0 * young)
            .with_body(body)
            .with_obstacle(obstacle);
        let mut simulation = Simulation::new(scene)?;
        simulation.run(4)?;
        pressed(&simulation, "body")
    }
}
