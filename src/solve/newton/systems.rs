//! Newton systems, kept from step to step for their patterns.

use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::strategy::Search;
use crate::body::Configuration;
use crate::contact::Candidates;
use crate::energy::Curvature;
use crate::math::{Mat2, Vec2};
use crate::solve::failure::Failure;
use crate::solve::log::Log;
use crate::solve::model::Model;
use crate::solve::potential::Potential;
use crate::solve::system::{Indefinite, System};
use crate::solve::timings::{Phase, Timings};
use crate::sparse::LinearSolver;

/// Newton systems for different sets of prescribed coordinates.
pub(super) struct Systems {
    /// Vertex pairs of the blocks of the energies that never change, each once.
    pairs: Vec<[usize; 2]>,
    /// Implementation of the factorisation.
    pub(super) linear: LinearSolver,
    /// Systems with different prescribed coordinates, the last used one last: a ceiling that presses is met in some
    /// iterations and not in others.
    pub(super) kept: Vec<System>,
    /// Components that are eliminated at present, `[nodes]`.
    pub(super) fixed: Vec<[bool; 2]>,
}

/// Distance, in units of `d_hat`, below which a pair has its place in the matrix before it is in contact.
const PATTERN_REACH: f64 = 2.0;
/// Number of systems that are kept.
pub(super) const KEPT: usize = 2;

impl Systems {
    /// No systems yet.
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

    /// Entries of the factor of the system that was solved last, without the zeros above its diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        self.kept.last().map_or(0, System::factor_entries)
    }

    /// Largest stiffness in the system that was solved last (kg).
    pub(super) fn largest_stiffness(&self) -> f64 {
        self.kept.last().map_or(0.0, System::largest_stiffness)
    }

    /// Computes gradient and search direction at a state.
    pub(super) fn find_direction(
        &mut self,
        problem: &mut Problem,
        search: Search,
        iterate: &Iterate,
        candidates: &Candidates,
        out: &mut Direction,
        log: &mut Log,
    ) -> Result<(), Failure> {
        let Iterate { at, contacts } = iterate;
        let Model {
            coordinates, mass, ..
        } = problem.potential.model;

        // A system whose pattern holds for these contacts and prescribed coordinates.
        problem.pins.mark_met(&mut self.fixed);
        let index = self.fitting(problem.potential, iterate, candidates, log)?;
        let system = &mut self.kept[index];
        let fixed = &self.fixed;

        log.timings.measure(Phase::Gradient, || {
            problem.gradient(contacts, at, &mut out.gradient);
        });
        let not_finite = |g: &Vec2| !(g.x + g.y).is_finite();
        if let Some(node) = out.gradient.q.iter().position(not_finite) {
            let vertex = coordinates.vertex_of(node);
            return Err(energy_not_finite(problem.potential, candidates, at, vertex));
        }

        // Penalties on coordinates that have not met their targets are stiffer than the mass they move.
        if !problem.pins.all_met() {
            let moved: f64 = mass.iter().map(|mass| mass.x).sum();
            let moved = moved.max(f64::MIN_POSITIVE);
            problem
                .pins
                .choose_stiffness(|node| moved * coordinates.reach(at, node));
        }

        // The matrix, and the direction from it.
        let by_x = &out.gradient.x;
        let arcs = coordinates
            .curvatures(at, by_x)
            .any(|(node, _)| !fixed[node][0]);
        let mut assembly = Assembly {
            problem,
            iterate,
            by_x,
        };
        let factorised = assembly.factorise(system, search, arcs, &mut log.timings);
        out.damping = factorised.map_err(|failed| Failure::Indefinite {
            vertex: coordinates.vertex_of(failed.node),
        })?;
        if search.measures_distance() {
            log.timings.measure(Phase::Solve, || {
                system.direction(&out.gradient.q, &mut out.p);
            });
        } else {
            system.scaled_gradient(&out.gradient.q, &mut out.p);
        }
        Ok(())
    }

    /// Index of a system whose pattern holds for these contacts; a new one if no kept system fits.
    fn fitting(
        &mut self,
        potential: &Potential,
        iterate: &Iterate,
        candidates: &Candidates,
        log: &mut Log,
    ) -> Result<usize, Failure> {
        let model = potential.model;
        let changing = potential.changing(&iterate.contacts);

        // The last used system has the memory of the factor, and may be of no use any more.
        let memory = self.kept.last_mut().map(System::take_memory);
        let fits = |system: &System| system.fits(&model.coordinates, &self.fixed, &changing);
        let mut system = if let Some(index) = self.kept.iter().position(fits) {
            self.kept.remove(index)
        } else {
            self.kept.retain(|system| !system.is_for(&self.fixed));
            self.kept.drain(..self.kept.len().saturating_sub(KEPT - 1));
            let pairs = log.timings.measure(Phase::Symbolic, || {
                let mut pairs = self.pairs.clone();
                pairs.extend(changing.iter().flat_map(|energy| energy.blocks()));
                let near = candidates.blocks_within(&model.surface, &iterate.at.x, PATTERN_REACH);
                pairs.extend(near);
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
}

/// The Newton matrix at a state.
struct Assembly<'a, 'p, 'm> {
    problem: &'a mut Problem<'p, 'm>,
    iterate: &'a Iterate,
    /// Gradient with respect to positions, from which the curvature of arcs follows.
    by_x: &'a [Vec2],
}

impl Assembly<'_, '_, '_> {
    /// Assembles and factorises what a search needs, and returns the multiple of the mass that was added. Where bodies move
    /// on `arcs` the exact Hessian is tried first: projected contacts lack what balances the arcs.
    fn factorise(
        &mut self,
        system: &mut System,
        search: Search,
        arcs: bool,
        timings: &mut Timings,
    ) -> Result<f64, Indefinite> {
        if search == Search::Regularized {
            timings.measure(Phase::Hessian, || self.assemble(system, Curvature::Exact));
            return system.factorise_damped(&self.problem.potential.model.mass, timings);
        }
        if arcs && search == Search::Newton {
            timings.measure(Phase::Hessian, || self.assemble(system, Curvature::Exact));
            if system.try_factorise(timings) {
                return Ok(0.0);
            }
        }
        timings.measure(Phase::Hessian, || {
            self.assemble(system, Curvature::Projected);
        });
        if search == Search::Newton {
            system.factorise(timings)?;
        }
        Ok(0.0)
    }

    /// Assembles potential and penalties.
    fn assemble(&mut self, system: &mut System, curvature: Curvature) {
        let Iterate { at, contacts } = self.iterate;
        system.assemble(self.problem.potential, contacts, at, curvature, self.by_x);
        let pins = &mut self.problem.pins;
        if !pins.all_met() {
            pins.note_resistance(system.largest_stiffness());
        }
        for (node, diagonal) in pins.diagonal() {
            system.add([node; 2], &Mat2::from_diagonal(&diagonal));
        }
        system.isolate_fixed();
    }
}

/// Failure that names the energy that is not finite at `at`, which shows at `vertex`.
pub(super) fn energy_not_finite(
    potential: &Potential,
    candidates: &Candidates,
    at: &Configuration,
    vertex: usize,
) -> Failure {
    match potential.not_finite(candidates, at) {
        Ok(energy) => Failure::NotFinite { energy, vertex },
        Err(touch) => Failure::Touching(touch),
    }
}
