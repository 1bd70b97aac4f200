//! States that a program sets between steps: coordinates and velocities.
//!
//! A step keeps a state free of intersections only if it begins with one that is. A state from
//! outside is therefore tested before it is taken: its numbers are finite, no triangle is inverted,
//! no outlines cross, nothing is inside another body, and nothing is nearer than the least
//! separation.

use super::{Error, Simulation};
use ipcsim_contact::Intersection;
use ipcsim_core::measures::begin_measured;
use ipcsim_core::time::{OptionMemory, State, StepMemory, StepReport};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::bernstein::has_positive_coefficients;
use ipcsim_math::geometry::predicates::orientation;
use ipcsim_mesh::are_facets;
use std::cmp::Ordering;

impl Simulation {
    /// Sets coordinates (m; of angles rad) and their velocities (m/s; of angles rad/s), both
    /// `[nodes]` in the order of [`Simulation::state`], and returns the account of the new state.
    /// Step and time stay.
    ///
    /// Integrators of several steps begin anew from here. With the present coordinates, to the last
    /// bit, all else of the memory stays; with others, forces of joints, stiffness of barriers and
    /// anchors of friction begin anew too.
    ///
    /// ```
    /// use ipcsim::math::Vec2;
    /// use ipcsim::prelude::*;
    ///
    /// let scene = Scene::new(Time::new(0.01, 100))
    ///     .with_material("steel", Material::rigid(7800.0))
    ///     .with_body(Body::rigid("ball", Circle::new(0.1), "steel").at([0.0, 0.5]))
    ///     .with_obstacle(Obstacle::new("ground", HalfPlane::new([0.0, 1.0], [0.0, 0.0])));
    /// let mut simulation = Simulation::new(scene)?;
    ///
    /// // The centre is the first node of a rigid body.
    /// let mut q = simulation.state().q.clone();
    /// let q_dot = simulation.state().q_dot.clone();
    /// q[0] = Vec2::new(0.0, 2.0);
    /// simulation.set_state(q.clone(), q_dot.clone())?;
    /// assert_eq!(simulation.body("ball")?.centre().y, 2.0);
    ///
    /// // Half of the ball would be in the ground.
    /// q[0].y = 0.0;
    /// assert!(simulation.set_state(q, q_dot).is_err());
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`] if the lists have another length, if a number is not finite, or if the
    /// state intersects, inverts or touches. Then nothing has changed.
    pub fn set_state(&mut self, q: Vec<Vec2>, q_dot: Vec<Vec2>) -> Result<StepReport, Error> {
        let coordinates = &self.world.model.coordinates;
        let nodes = coordinates.nodes();
        for (what, list) in [("coordinates", &q), ("velocities", &q_dot)] {
            if list.len() != nodes {
                let found = list.len();
                let message = format!("there are {found} {what}, but the scene has {nodes} nodes");
                return Err(Error::Refused(message));
            }
        }

        // Memory of other places would mislead the solver.
        let stays = same_bits(&q, &self.state.q);
        let mut memory = if stays {
            self.state.memory.clone()
        } else {
            StepMemory {
                broken: self.state.memory.broken.clone(),
                turned: self.state.memory.turned.clone(),
                options: OptionMemory {
                    gas: self.state.memory.options.gas.clone(),
                    ..OptionMemory::default()
                },
                ..StepMemory::default()
            }
        };
        memory.history.clear();
        memory.after_change();
        let state = State {
            step: self.state.step,
            time: self.state.time,
            memory,
            parameters: self.state.parameters.clone(),
            ..State::new(coordinates, q, q_dot)
        };
        let report = self.account(&state)?;

        // The solver's contacts are of the old places.
        if !stays {
            self.solver = self.world.solver();
        }
        self.state = state;
        self.set_by_hand();
        Ok(report)
    }

    /// Account of a state that can be: its numbers are finite, and nothing intersects, inverts or
    /// touches.
    ///
    /// # Errors
    /// [`Error::Refused`] with the first violation.
    pub(super) fn account(&self, state: &State) -> Result<StepReport, Error> {
        let numbers = [&state.q, &state.q_dot, &state.x, &state.v];
        let is_finite = |a: &Vec2| a.x.is_finite() && a.y.is_finite();
        if !numbers.into_iter().flatten().all(is_finite) {
            let message = "a coordinate or velocity of the state is not a finite number";
            return Err(Error::Refused(message.to_owned()));
        }

        // Exact tests first; then distances, which include the least separation.
        if let Some(violation) = self.violation(&state.x) {
            return Err(Error::Refused(violation));
        }
        let found = begin_measured(&self.world, &mut self.world.solver(), state, &self.measures);
        match found {
            Ok(output) => Ok(output.report),
            Err(failure) => Err(Error::Refused(format!("the state touches: {failure}"))),
        }
    }

    /// First inverted triangle or intersection at positions `x` (m), in words.
    fn violation(&self, x: &[Vec2]) -> Option<String> {
        if let Some([a, b, c]) = self.turned(x) {
            let (body, first) = self.owner(a);
            // Messages number vertices within their body, as the groups of a scene do.
            let [a, b, c] = [a, b, c].map(|vertex| vertex - first);
            return Some(format!("triangle {a}-{b}-{c} of \"{body}\" is inverted"));
        }

        let outlines = self.world.model.surface.outlines();
        let found = outlines.intersections(x).into_iter().next()?;
        Some(match found {
            Intersection::Edges(a, b) => format!("{} meets {}", self.part(a), self.part(b)),
            Intersection::Inside { vertex, body } => {
                let outer = &self.world.bodies[body].name;
                format!("{} is inside \"{outer}\"", self.part([vertex; 2]))
            }
            Intersection::Plane { vertex, plane } => {
                let (plane, _) = self.owner(self.world.model.surface.planes[plane].origin);
                format!("{} is on or behind \"{plane}\"", self.part([vertex; 2]))
            }
        })
    }

    /// Corners of the first triangle that is inverted at positions `x` (m), decided exactly, or of the
    /// first quadratic one that is not proved to keep `J > 0` within.
    fn turned(&self, x: &[Vec2]) -> Option<[usize; 3]> {
        // Facets of quadratic triangles do not decide: the coefficients below do.
        let is_facet = are_facets(&self.world.curved, self.world.triangles.len());
        let linear = self.world.triangles.iter().zip(is_facet);
        let mut linear = linear.filter(|(_, is_facet)| !is_facet);
        let inverted = linear.find(|(triangle, _)| {
            let [a, b, c] = triangle.map(|vertex| x[vertex]);
            orientation(a, b, c) != Ordering::Greater
        });
        if let Some((&triangle, _)) = inverted {
            return Some(triangle);
        }

        let mut curved = self.world.curved.iter();
        let folded = curved.find(|curved| !has_positive_coefficients(&curved.at(x)))?;
        let [a, b, c, ..] = folded.nodes;
        Some([a, b, c])
    }

    /// Name of the body of a vertex, and the number of its first vertex.
    fn owner(&self, vertex: usize) -> (&str, usize) {
        let owner = self.world.owner(vertex);
        owner.map_or(("", vertex), |(body, within)| (&body.name, vertex - within))
    }

    /// Name of an edge, or of a vertex that is given twice, with numbers within its body.
    fn part(&self, [a, b]: [usize; 2]) -> String {
        let (body, first) = self.owner(a);
        if a == b {
            return format!("vertex {} of \"{body}\"", a - first);
        }
        format!("edge {}-{} of \"{body}\"", a - first, b - first)
    }
}

/// True if two lists of the same length have the same bits.
fn same_bits(a: &[Vec2], b: &[Vec2]) -> bool {
    let bits = |v: &Vec2| [v.x.to_bits(), v.y.to_bits()];
    a.iter().map(bits).eq(b.iter().map(bits))
}
