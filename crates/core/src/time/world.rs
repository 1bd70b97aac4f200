//! Everything about a simulation that does not change: bodies, energies, loads and settings.
//!
//! A world is built once from a scene. Steps read it and change only the state and the solver.
//! Parameters that change between steps are part of the state.

use super::integrator::{Departure, Integrator};
use super::loading::Loading;
use super::memory::GasMemory;
use super::parameters::{Change, Parameters};
use super::span::Span;
use super::state::State;
use crate::body::{Body, BodyKind, Prescribed};
use crate::solve::{Model, Settings, Solver, Target};
use crate::time::options::control::StepOptions;
use crate::time::step::lagging::Lagging;
use crate::tuning::FLAT_TRIANGLE;
use ipcsim_contact::{AdaptedPair, Barriers, Candidates, Contacts, FrictionTable, SharedVertices};
use ipcsim_math::geometry::{bernstein, predicates};
use ipcsim_math::{Vec2, cross, parallel};
use ipcsim_mesh::{Curved, are_facets};
use serde::{Deserialize, Serialize};

/// A rod of the world, for pictures and proofs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Number of the body.
    pub body: usize,
    /// True if a segment joins the last vertex to the first.
    pub closed: bool,
    /// Thickness in the plane (m), 0 for a line without one.
    pub thickness: f64,
}

/// Triangle that has lost most of its area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flattest {
    /// Index of the triangle in the world.
    pub triangle: usize,
    /// Ratio of its signed area to that at rest.
    pub ratio: f64,
}

/// Bodies, energies and settings, fixed once the scene is built.
#[derive(Debug)]
pub struct World {
    /// Bodies in scene order, then obstacles.
    pub bodies: Vec<Body>,
    /// Rest positions of all vertices (m); of a half-plane its origin at the start.
    pub rest: Vec<Vec2>,
    /// Elastic triangles of all bodies, counter-clockwise, and facets of quadratic ones, which are so
    /// at rest.
    pub triangles: Vec<[usize; 3]>,
    /// Quadratic triangles of all bodies, in the order of their facets.
    pub curved: Vec<Curved>,
    /// Springs of all bodies.
    pub springs: Vec<[usize; 2]>,
    /// Vertices of any two segments of rods that follow each other.
    pub bends: Vec<[usize; 3]>,
    /// Rods, by ascending body.
    pub rods: Vec<Rod>,
    /// Unknowns, masses, energies and surfaces.
    pub model: Model,
    /// Barriers between all that can touch, before steps have adapted any.
    pub barriers: Barriers,
    /// Gravity and other forces at any time.
    pub loading: Loading,
    /// Coefficients of friction for each pair of bodies, with the speeds at which it is developed.
    pub friction: FrictionTable,
    /// How the normal forces of friction follow the motion within a step.
    pub lagging: Lagging,
    /// Nodes whose motion is prescribed.
    pub prescribed: Vec<Prescribed>,
    /// Parameters that change between steps, each with the number of the step after which it does; of
    /// those after one step the last one holds.
    pub changes: Vec<(usize, Change)>,
    /// Length of a time step (s).
    pub h: f64,
    /// Time by which statics counts lengths and forces as speeds (s): that in which the loads would
    /// carry a body by its own size. It scales regularisation and tolerances, and no result.
    pub clock: f64,
    /// Recipe that turns a step through time into potentials to minimise.
    pub integrator: Box<dyn Integrator>,
    /// Tolerance and limits of Newton's method.
    pub newton: Settings,
    /// Options of a step.
    pub options: StepOptions,
}

impl World {
    /// A solver for steps of this world, without memory yet.
    pub fn solver(&self) -> Solver {
        Solver::new(self.newton, &self.model)
    }

    /// True if something rubs by a table of friction, which follows the normal forces within a solve.
    pub(super) fn follows(&self, table: &FrictionTable) -> bool {
        self.lagging == Lagging::Follow && !table.is_frictionless()
    }

    /// True if a step needs the work and the impulses of its forces.
    pub(super) fn keeps_account(&self) -> bool {
        self.options.ledger || self.options.keeps_energy
    }

    /// True if contacts are kept from adding energy: bodies move as a whole, and the model of contact
    /// is not the book's. Pushes on images are not known there, so that a scene that repeats goes without.
    pub(super) fn bounds_impacts(&self) -> bool {
        let model = &self.model;
        model.surface.shared_vertices != SharedVertices::PerEdge
            && self.has_wholes()
            && model.coordinates.lattice().is_none()
    }

    /// True if a body moves as a whole.
    pub(super) fn has_wholes(&self) -> bool {
        let mut bodies = self.bodies.iter();
        bodies.any(|body| !body.kind.is_soft() && !body.kind.is_obstacle())
    }

    /// Numbers of the vertices of bodies and obstacles; the world has some that stand for no place.
    pub fn placed_vertices(&self) -> impl Iterator<Item = usize> {
        let bodies = self.bodies.iter();
        let placed = bodies.filter(|body| !matches!(body.kind, BodyKind::World | BodyKind::Cell));
        placed.flat_map(|body| body.vertices.clone())
    }

    /// Gas in chambers at the time `t` (s) with the positions `x` (m), in a step from the state `from`.
    pub(super) fn gas_at(&self, from: &State, x: &[Vec2], t: f64) -> GasMemory {
        if self.loading.gas.is_empty() {
            GasMemory::default()
        } else {
            self.loading.gas.remembered(from, x, t)
        }
    }

    /// Weight of node `i` (N; of a reduced coordinate its generalized force), with the parameters
    /// that are `set`.
    pub(super) fn weight(&self, set: &Parameters, i: usize) -> Vec2 {
        let model = &self.model;
        let gravity = set.gravity(self.loading.gravity);
        model.mass[i].component_mul(&(model.coordinates.lift(i) * gravity))
    }

    /// What changes after the step with this number, in the order in which it is set.
    pub fn changes_after(&self, step: usize) -> impl Iterator<Item = &Change> {
        let changes = self.changes.iter();
        changes
            .filter(move |&&(after, _)| after == step)
            .map(|(_, change)| change)
    }

    /// What an integrator needs to know of this world for a stage of the step from `start`, after the `ends` of
    /// others.
    pub(super) fn departure<'a>(
        &'a self,
        start: &'a State,
        ends: &'a [State],
        span: Span,
    ) -> Departure<'a> {
        Departure {
            model: &self.model,
            loading: &self.loading,
            prescribed: &self.prescribed,
            tolerance: self.newton.tolerance,
            clock: self.clock,
            start,
            ends,
            span,
        }
    }

    /// A state as the next step begins with it, with all parameters that this world changes up to there. They replace values that
    /// another world's changes have set, if the state comes from its run.
    pub(super) fn at_outset(&self, state: &State) -> State {
        let mut outset = state.clone();
        let step = state.step;
        for (_, change) in self.changes.iter().filter(|(after, _)| *after <= step) {
            outset.parameters.set(change);
        }

        // Bodies wake where something changes.
        if self.changes_after(step).next().is_some() {
            outset.memory.after_change();
        }
        outset
    }

    /// True if a force other than gravity and the scene's forces is set at any time, or a hand.
    pub(super) fn is_pushed(&self) -> bool {
        let mut changes = self.changes.iter();
        changes.any(|(_, change)| matches!(change, Change::Push { .. } | Change::Hand { .. }))
    }

    /// Contacts at positions `x` (m, `[vertices]`) with the barriers of some pairs `adapted`,
    /// searched anew; none if something touches there.
    ///
    /// Readers of results ask for them. No accepted state touches, and a step keeps its own
    /// contacts.
    pub fn contacts_at(&self, x: &[Vec2], adapted: &[AdaptedPair]) -> Contacts {
        let surface = &self.model.surface;
        let candidates = Candidates::find(surface, x, |_| 0.0);
        let barriers = self.barriers.with(adapted);
        Contacts::find(surface, &barriers, &candidates, x).unwrap_or_default()
    }

    /// Positions of prescribed nodes at the time `end` (s) of a stage that begins at the time `now`
    /// with the coordinates `q`, given the parameters that are `set`; nodes without a prescribed
    /// position then are left out.
    pub fn targets(&self, set: &Parameters, end: f64, now: f64, q: &[Vec2]) -> Vec<Target> {
        let prescribed = self.prescribed.iter().enumerate();
        prescribed
            .filter_map(|(entry, p)| {
                let shift = set.shift(entry);
                Some(Target {
                    node: p.node,
                    position: p.goal(end, now, q[p.node], shift)?,
                    axes: p.axes,
                })
            })
            .collect()
    }

    /// Triangle with the smallest ratio of its signed area at positions `x` (m) to that at rest;
    /// `None` without triangles.
    ///
    /// Of a triangle that is nearly flat, rounding may take the area and its sign. There both are
    /// computed with more digits.
    pub fn flattest(&self, x: &[Vec2]) -> Option<Flattest> {
        if !self.curved.is_empty() {
            return self.flattest_of_both(x);
        }
        let ratio = |k| self.area_ratio(x, k);
        let (ratio, least) = parallel::first_min(self.triangles.len(), f64::INFINITY, ratio);
        let triangle = least?;
        Some(Flattest { triangle, ratio })
    }

    /// [`World::flattest`] of linear and quadratic triangles. A quadratic one has the smallest value
    /// of its `J`, by a lower bound, over that at rest, and is named by its middle facet.
    fn flattest_of_both(&self, x: &[Vec2]) -> Option<Flattest> {
        let is_facet = are_facets(&self.curved, self.triangles.len());
        let of_linear = |k: usize| {
            if is_facet[k] {
                f64::INFINITY
            } else {
                self.area_ratio(x, k)
            }
        };
        let of_curved = |k: usize| {
            let least = |x: &[Vec2]| bernstein::least(&self.curved[k].at(x));
            least(x) / least(&self.rest)
        };

        let (linear, first) = parallel::first_min(self.triangles.len(), f64::INFINITY, of_linear);
        let (ratio, least) = parallel::first_min(self.curved.len(), linear, of_curved);
        let triangle = least.map(|k| self.curved[k].first + 3).or(first)?;
        Some(Flattest { triangle, ratio })
    }

    /// Smallest ratio of a triangle's signed area at positions `x` (m) to that at rest; `None`
    /// without triangles.
    pub fn least_area_ratio(&self, x: &[Vec2]) -> Option<f64> {
        self.flattest(x).map(|flattest| flattest.ratio)
    }

    /// Ratio of the signed area of a triangle at positions `x` (m) to that at rest.
    fn area_ratio(&self, x: &[Vec2], triangle: usize) -> f64 {
        let [a, b, c] = self.triangles[triangle];
        let at_rest = twice_area(&self.rest, [a, b, c]);
        let ratio = twice_area(x, [a, b, c]) / at_rest;
        if ratio < FLAT_TRIANGLE {
            predicates::twice_area(x[a], x[b], x[c]) / at_rest
        } else {
            ratio
        }
    }

    /// True if the motion of `vertex` is prescribed and is not rest.
    pub fn moves(&self, vertex: usize) -> bool {
        let nodes = self.model.coordinates.nodes_of(vertex);
        self.prescribed
            .iter()
            .any(|p| nodes.contains(&p.node) && !p.is_rest())
    }

    /// Value at the centre of a body of a quantity that all nodes and all vertices have, such as
    /// position (m) or velocity (m/s).
    ///
    /// Bodies that move as a whole have the centre as their first node. Of deformable bodies it is
    /// the mean weighted by mass, `sum_i m_i x_i / sum_i m_i`, of reduced ones the mean of their
    /// vertices.
    pub fn at_centre(&self, body: &Body, of_nodes: &[Vec2], of_vertices: &[Vec2]) -> Vec2 {
        let of_nodes = &of_nodes[body.nodes.clone()];
        match body.kind {
            BodyKind::Rigid
            | BodyKind::Affine
            | BodyKind::Obstacle
            | BodyKind::HalfPlane
            | BodyKind::World
            | BodyKind::Cell => of_nodes[0],
            BodyKind::Reduced => {
                let of_vertices = &of_vertices[body.vertices.clone()];
                of_vertices.iter().sum::<Vec2>() / of_vertices.len() as f64
            }

            // Every vertex is a node with its mass.
            BodyKind::Solid | BodyKind::Springs | BodyKind::Rod => {
                let mass = &self.model.mass[body.nodes.clone()];
                let weighted = mass.iter().zip(of_nodes).map(|(m, value)| value * m.x);
                weighted.sum::<Vec2>() / mass.iter().map(|m| m.x).sum::<f64>()
            }
        }
    }

    /// Mass of a body (kg) that resists a uniform motion along x; 0 for obstacles.
    pub fn mass_of(&self, body: &Body) -> f64 {
        let Model {
            coordinates, mass, ..
        } = &self.model;
        let along_x = body.nodes.clone().map(|node| {
            let motion = coordinates.lift(node).column(0).into_owned();
            mass[node].dot(&motion.component_mul(&motion))
        });
        along_x.sum()
    }

    /// Body that owns `vertex`, and the vertex's number in it; `None` if no body does.
    pub fn owner(&self, vertex: usize) -> Option<(&Body, usize)> {
        let body = self
            .bodies
            .iter()
            .find(|body| body.vertices.contains(&vertex))?;
        Some((body, vertex - body.vertices.start))
    }
}

/// Twice the signed area of a triangle (m^2), positive if it is counter-clockwise.
fn twice_area(x: &[Vec2], [a, b, c]: [usize; 3]) -> f64 {
    cross(x[b] - x[a], x[c] - x[a])
}
