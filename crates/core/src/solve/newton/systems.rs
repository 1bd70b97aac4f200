//! Newton systems: assembled, factorised, and kept from step to step for their patterns.
//!
//! The pattern of the matrix and the order of its unknowns cost more than a numeric factorisation,
//! so a system serves as long as its contacts and prescribed coordinates fit in. The pattern has
//! places for pairs that are near but not in contact yet, which lets it survive small motions. Two
//! systems are kept, since a prescribed coordinate may be eliminated in one iteration and pulled by
//! a penalty in the next.
//!
//! Which Hessian is assembled depends on the search:
//!
//! - [`Search::Newton`]: each block projected to positive semi-definite (Li et al. 2020, algorithm
//!   1); where bodies turn, the exact Hessian is tried first;
//! - [`Search::Exact`]: the exact Hessian, or the projected one where that is not positive
//!   definite;
//! - [`Search::Escaping`]: the exact Hessian, with a multiple of the mass where it is not positive definite;
//! - [`Search::Regularized`]: the exact Hessian and a multiple of the mass;
//! - [`Search::ScaledGradient`]: the projected Hessian; only its diagonal blocks are used.
//!
//! The exact Hessian is the default search because projected ones make directions too short where
//! material is compressed (Longva et al. 2023). Scenes that follow the book use [`Search::Newton`].

use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::strategy::Search;
use crate::body::Configuration;
use crate::solve::counts::Count;
use crate::solve::dirichlet::Dirichlet;
use crate::solve::failure::Failure;
use crate::solve::log::Log;
use crate::solve::model::Model;
use crate::solve::potential::Potential;
use crate::solve::system::{Indefinite, System};
use crate::solve::timings::{Phase, Timings};
use crate::tuning::{PATTERN_REACH, SYSTEMS_KEPT};
use ipcsim_contact::{Candidates, GapSlopes};
use ipcsim_energy::{Curvature, Energy};
use ipcsim_math::{Mat2, Vec2};
use ipcsim_sparse::LinearSolver;

/// Newton systems for different sets of prescribed coordinates.
pub(super) struct Systems {
    /// Vertex pairs `[i, j]` with `i > j` of the blocks of the energies that never change, sorted,
    /// each once.
    pairs: Vec<[usize; 2]>,
    /// Implementation of the factorisation.
    pub(super) linear: LinearSolver,
    /// Systems with different prescribed coordinates, the last used one last: a ceiling that
    /// presses is met in some iterations and not in others.
    pub(super) kept: Vec<System>,
    /// Components that are eliminated at present, `[nodes]`.
    pub(super) fixed: Vec<[bool; 2]>,
}

impl Systems {
    /// An empty set of systems for a model, with the vertex pairs of its energies.
    pub(super) fn new(model: &Model, linear: LinearSolver) -> Self {
        let energies = model.energies.iter();
        let mut pairs: Vec<[usize; 2]> = energies
            .flat_map(|energy| energy.blocks())
            .filter(|[a, b]| a != b)
            .map(|[a, b]| [a.max(b), a.min(b)])
            .collect();

        pairs.sort_unstable();
        pairs.dedup();
        Self {
            pairs,
            linear,
            kept: Vec::new(),
            fixed: vec![[false; 2]; model.coordinates.nodes()],
        }
    }

    /// Entries of the factor of the system that was solved last, without the zeros above its
    /// diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        self.kept.last().map_or(0, System::factor_entries)
    }

    /// Largest stiffness in the system that was solved last (kg).
    pub(super) fn largest_stiffness(&self) -> f64 {
        self.kept.last().map_or(0.0, System::largest_stiffness)
    }

    /// Stiffness of a node in the system that was solved last: the mean of its two diagonal entries
    /// (kg); 0 where the node is fixed.
    pub(super) fn stiffness_of(&self, node: usize) -> f64 {
        self.kept
            .last()
            .map_or(0.0, |system| system.stiffness_of(node))
    }

    /// Computes the search direction at a state from the gradient there (Li et al. 2020, algorithm
    /// 1), and writes it with the multiple of the mass that made the matrix positive definite.
    ///
    /// # Errors
    /// - [`Failure::Indefinite`], if the matrix cannot be made positive definite;
    /// - [`Failure::OutOfMemory`], if memory does not suffice for a new system.
    pub(super) fn find_direction(
        &mut self,
        problem: &mut Problem,
        search: Search,
        iterate: &Iterate,
        candidates: &Candidates,
        out: &mut Direction,
        log: &mut Log,
    ) -> Result<(), Failure> {
        let at = &iterate.at;
        let coordinates = &problem.potential.model.coordinates;

        // A system whose pattern holds for these contacts and prescribed coordinates.
        problem.pins.mark_met(&mut self.fixed);
        let index = self.system_for(problem.potential, iterate, &[], candidates, log)?;
        let system = &mut self.kept[index];

        // Penalties are stiffer than the mass they move.
        choose_stiffness(problem, at);

        // The matrix, and the direction from it.
        let by_x = &out.gradient.x;
        let has_arcs = coordinates
            .curvatures(at, by_x)
            .any(|(node, _)| !self.fixed[node][0]);
        let mut assembly = Assembly {
            problem,
            iterate,
            by_x,
        };
        system.set_right_side(&out.gradient.q);
        log.counts.note(Count::Directions);
        let factorised = assembly.factorise(system, search, has_arcs, log);
        let hessian = factorised.map_err(|failed| Failure::Indefinite {
            vertex: coordinates.vertex_of(failed.node),
        })?;
        out.is_projected = hessian == Hessian::Projected;
        out.damping = hessian.damping();
        if search.measures_distance() {
            log.timings
                .measure(Phase::Solve, || system.first_direction(&mut out.p));
        } else {
            system.scaled_gradient(&out.gradient.q, &mut out.p);
        }
        Ok(())
    }

    /// Computes the direction of another gradient (kg m), `[nodes]`, with the matrix that was factorised
    /// last.
    pub(super) fn solve_again(&mut self, gradient: &[Vec2], p: &mut [Vec2], log: &mut Log) {
        if let Some(system) = self.kept.last_mut() {
            log.timings
                .measure(Phase::Solve, || system.direction(gradient, p));
        }
    }

    /// Assembles the exact Hessian at a state without the components that are `fixed`, factorises
    /// it whatever its inertia is, and returns the number of its negative eigenvalues. The system
    /// is the last one that is kept.
    ///
    /// `by_x` is the gradient with respect to positions, `[vertices]`.
    ///
    /// # Errors
    /// - [`Failure::Indefinite`], if the matrix is singular;
    /// - [`Failure::OutOfMemory`], if memory does not suffice for a new system.
    pub(super) fn factorise_exact(
        &mut self,
        problem: &mut Problem,
        iterate: &Iterate,
        candidates: &Candidates,
        by_x: &[Vec2],
        log: &mut Log,
    ) -> Result<usize, Failure> {
        let coordinates = &problem.potential.model.coordinates;
        let index = self.system_for(problem.potential, iterate, &[], candidates, log)?;
        let system = &mut self.kept[index];

        let mut assembly = Assembly {
            problem,
            iterate,
            by_x,
        };
        log.timings.measure(Phase::Hessian, || {
            assembly.assemble(system, Curvature::Exact);
        });

        let factorised = system.factorise_any(&mut log.timings);
        factorised.map_err(|failed| Failure::Indefinite {
            vertex: coordinates.vertex_of(failed.node),
        })
    }

    /// Index of a system whose pattern holds for these contacts, and for places that are `near`; a new one if no
    /// kept system fits.
    ///
    /// The system that is returned becomes the last one, and takes over the memory of the factor.
    ///
    /// # Errors
    /// [`Failure::OutOfMemory`], if memory does not suffice for a new system.
    pub(super) fn system_for(
        &mut self,
        potential: &Potential,
        iterate: &Iterate,
        near: &[GapSlopes],
        candidates: &Candidates,
        log: &mut Log,
    ) -> Result<usize, Failure> {
        let model = potential.model;
        let changing = potential.changing(&iterate.contacts);

        // The system that was used last has the memory of the factor, even if it fits no longer.
        let memory = self.kept.last_mut().map(System::take_memory);
        let index = self
            .kept
            .iter_mut()
            .position(|system| system.fits(&model.coordinates, &self.fixed, &changing, near));
        let mut system = if let Some(index) = index {
            self.kept.remove(index)
        } else {
            self.kept.retain(|system| !system.is_for(&self.fixed));
            self.kept
                .drain(..self.kept.len().saturating_sub(SYSTEMS_KEPT - 1));
            let pairs = log.timings.measure(Phase::Symbolic, || {
                let mut pairs = self.pairs_of(potential, iterate, &changing, candidates);
                pairs.extend(near.iter().flat_map(|place| pairs_between(place.vertices)));
                pairs
            });
            let system = System::new(model, &self.fixed, &pairs, self.linear, &mut log.timings);
            system.ok_or(Failure::OutOfMemory {
                vertices: iterate.at.x.len(),
            })?
        };
        if let Some(memory) = memory {
            system.give_memory(memory);
        }

        self.kept.push(system);
        Ok(self.kept.len() - 1)
    }

    /// Vertex pairs with a place in a new pattern: of all energies and joints, and of pairs that
    /// are near without being in contact. Pairs may repeat.
    fn pairs_of(
        &self,
        potential: &Potential,
        iterate: &Iterate,
        changing: &[&dyn Energy],
        candidates: &Candidates,
    ) -> Vec<[usize; 2]> {
        let mut pairs = self.pairs.clone();
        pairs.extend(potential.constraints.energy().blocks());
        pairs.extend(changing.iter().flat_map(|energy| energy.blocks()));

        let surface = &potential.model.surface;
        pairs.extend(candidates.blocks_within(surface, &iterate.at.x, PATTERN_REACH));
        pairs
    }
}

/// Pairs of four vertices.
fn pairs_between([a, b, c, d]: [usize; 4]) -> [[usize; 2]; 6] {
    [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]
}

/// Adds the Hessians of penalties on prescribed coordinates.
pub(super) fn add_penalties(system: &mut System, pins: &Dirichlet) {
    for (node, diagonal) in pins.diagonal() {
        system.add([node; 2], &Mat2::from_diagonal(&diagonal));
    }
}

/// Chooses the stiffness of new penalties on coordinates short of their targets, from the mass that
/// moves with them.
fn choose_stiffness(problem: &mut Problem, at: &Configuration) {
    if problem.pins.all_met() {
        return;
    }
    let model = problem.potential.model;

    // A prescribed node may have to move everything.
    let moved: f64 = model.mass.iter().map(|mass| mass.x).sum();
    let moved = moved.max(f64::MIN_POSITIVE);
    let is_static = problem.potential.stage.beta.is_none();
    problem
        .pins
        .choose_stiffness(is_static, |node| moved * model.coordinates.reach(at, node));
}

/// A Hessian that was factorised.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hessian {
    /// The exact one.
    Exact,
    /// The exact one with a multiple of the mass (1).
    Damped(f64),
    /// The sum of projected blocks.
    Projected,
}

impl Hessian {
    /// Multiple of the mass that was added (1).
    fn damping(self) -> f64 {
        match self {
            Self::Damped(damping) => damping,
            Self::Exact | Self::Projected => 0.0,
        }
    }
}

/// The Newton matrix at a state, before it is assembled.
struct Assembly<'a, 'p, 'm> {
    /// Potential, and penalties on prescribed coordinates.
    problem: &'a mut Problem<'p, 'm>,
    /// State and its contacts.
    iterate: &'a Iterate,
    /// Gradient with respect to positions, `[vertices]`, from which the curvature of arcs follows.
    by_x: &'a [Vec2],
}

impl Assembly<'_, '_, '_> {
    /// Assembles and factorises the matrix that a search needs, and returns which one that is.
    ///
    /// Where bodies move on arcs the exact Hessian is tried first: projected contacts lack the part
    /// that balances the arcs.
    ///
    /// # Errors
    /// [`Indefinite`], with the node at which the factorisation stopped.
    fn factorise(
        &mut self,
        system: &mut System,
        search: Search,
        has_arcs: bool,
        log: &mut Log,
    ) -> Result<Hessian, Indefinite> {
        let timings = &mut log.timings;
        if search == Search::Regularized {
            timings.measure(Phase::Hessian, || self.assemble(system, Curvature::Exact));
            return self.factorise_damped(system, timings);
        }

        // The exact Hessian, where it has a chance to be positive definite.
        let is_exact = matches!(search, Search::Exact | Search::Escaping);
        if is_exact || has_arcs && search == Search::Newton {
            timings.measure(Phase::Hessian, || self.assemble(system, Curvature::Exact));
            if system.try_factorise(timings) {
                return Ok(Hessian::Exact);
            }
            // A damped direction is longest where the curvature is most negative.
            if search == Search::Escaping
                && let Ok(damped) = self.factorise_damped(system, timings)
            {
                return Ok(damped);
            }
            log.counts.note(Count::Projected);
        }

        // The projected one; scaled gradients need no factorisation.
        timings.measure(Phase::Hessian, || {
            self.assemble(system, Curvature::Projected);
        });
        if search.measures_distance() {
            system.factorise(timings)?;
        }
        Ok(Hessian::Projected)
    }

    /// Factorises the exact Hessian, which is assembled, with the multiple of the mass that it needs.
    ///
    /// # Errors
    /// [`Indefinite`], if none suffices.
    fn factorise_damped(
        &self,
        system: &mut System,
        timings: &mut Timings,
    ) -> Result<Hessian, Indefinite> {
        let mass = &self.problem.potential.model.mass;
        system.factorise_damped(mass, timings).map(Hessian::Damped)
    }

    /// Assembles the Hessian of potential and penalties, and uncouples fixed components.
    fn assemble(&mut self, system: &mut System, curvature: Curvature) {
        let Iterate { at, contacts } = self.iterate;
        system.assemble(self.problem.potential, contacts, at, curvature, self.by_x);

        // Penalties, and the stiffness that resists them.
        let pins = &mut self.problem.pins;
        if !pins.all_met() {
            pins.note_resistance(system.largest_stiffness());
        }
        add_penalties(system, pins);

        system.isolate_fixed();
    }
}
