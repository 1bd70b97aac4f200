//! Projected Newton's method with a filtered line search (Li et al. 2020, algorithm 1; the free physics-based simulation
//! book, chapters on filtered line search and moving boundary conditions).

mod line_search;
mod manner;
mod memory;
mod progress;
mod start;

pub use manner::{Direction, Manner};
pub use memory::{Memory, Pattern};

use super::failure::Failure;
use super::model::Model;
use super::pins::{Blocked, Pins, Target};
use super::potential::{Gradient, Potential};
use super::system::System;
use super::timings::{Phase, Timings};
use super::track::Track;
use crate::body::Configuration;
use crate::contact::barrier::Barrier;
use crate::contact::ccd::Query;
use crate::contact::{Candidates, Contacts, Surface};
use crate::geometry::path::Sweep;
use crate::math::{Mat2, Vec2, parallel};
use crate::sparse::{BlockMatrix, LinearSolver};
use manner::factorise;
use progress::Progress;
use serde::{Deserialize, Serialize};

/// When Newton's method stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Largest speed `|p|_inf / h` of the Newton direction at which a state is accepted (m/s).
    pub tolerance: f64,
    /// Most directions that one step may compute.
    pub max_iterations: usize,
    /// Implementation of the factorisation.
    pub linear: LinearSolver,
}

/// How a minimisation ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The tolerance was met.
    Converged,
    /// The tolerance was not met, but the potential's decrease drowns in the rounding of its value and directions do not
    /// become shorter any more.
    RoundingReached,
}

/// A minimum of the potential.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// How it ended.
    pub status: Status,
    /// Directions computed.
    pub iterations: usize,
    /// `|p|_inf / h` of the last direction (m/s).
    pub residual: f64,
}

/// Minimises potentials of one set of energies, keeping memory, candidates and matrix pattern from call to call.
pub struct Solver {
    settings: Settings,
    /// Vertex pairs of the blocks of the energies that never change, each once.
    pairs: Vec<[usize; 2]>,
    /// Systems for different fixed coordinates, the last used one last: a ceiling that presses is prescribed and not in
    /// turn.
    systems: Vec<System>,
    candidates: Candidates,
    gradient: Gradient,
    /// The Newton direction.
    p: Vec<Vec2>,
    /// What it moves each vertex by, to first order.
    displacement: Vec<Vec2>,
    /// Where it takes everything.
    end: Configuration,
    trial: Configuration,
    /// The contacts of `trial`.
    there: Contacts,
    /// The motion to `trial`.
    way: Vec<Vec2>,
    /// Contacts that are not needed any more, for their memory.
    kept: Contacts,
    /// Where a step begins.
    from: Configuration,
    fixed: Vec<[bool; 2]>,
    /// How it goes about its task.
    pub manner: Manner,
    /// Multiple of the mass that is on top of the last Newton matrix.
    damping: f64,
    /// Time spent so far.
    pub timings: Timings,
    /// The continuous collision queries asked so far that bounding boxes do not decide, if they shall be kept.
    pub asked: Option<Vec<Query>>,
    /// The configurations accepted so far, if they shall be kept.
    pub track: Option<Track>,
}

/// Directions after which a solve counts as slow, and looks for more along each of them.
const SLOW: usize = 32;
/// Directions without progress after which rounding counts as reached.
const PATIENCE: usize = 4;
/// Distance, in units of `d_hat`, below which a pair has its place in the matrix before it is in contact.
const PATTERN_REACH: f64 = 2.0;
/// Systems that are kept.
const SYSTEMS_KEPT: usize = 2;

impl Solver {
    /// A solver for potentials with these energies of the positions that `coordinates` make.
    pub fn new(settings: Settings, model: &Model) -> Self {
        let Model {
            coordinates,
            energies,
            ..
        } = model;
        let pairs = energies
            .iter()
            .flat_map(|energy| energy.blocks())
            .filter(|[a, b]| a != b);
        let mut pairs: Vec<[usize; 2]> = pairs.map(|[a, b]| [a.max(b), a.min(b)]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let (nodes, vertices) = (
            vec![Vec2::zeros(); coordinates.nodes()],
            vec![Vec2::zeros(); coordinates.vertices()],
        );
        Self {
            settings,
            pairs,
            systems: Vec::new(),
            candidates: Candidates::default(),
            gradient: Gradient {
                x: vertices.clone(),
                q: nodes.clone(),
            },
            p: nodes.clone(),
            displacement: vertices.clone(),
            end: Configuration {
                q: nodes.clone(),
                x: vertices.clone(),
            },
            there: Contacts::default(),
            kept: Contacts::default(),
            from: Configuration {
                q: nodes.clone(),
                x: vertices.clone(),
            },
            way: nodes.clone(),
            fixed: vec![[false; 2]; nodes.len()],
            trial: Configuration {
                q: nodes,
                x: vertices,
            },
            manner: Manner::USUAL,
            damping: 0.0,
            timings: Timings::default(),
            asked: None,
            track: None,
        }
    }

    /// Moves `at`, where nothing touches, to a minimiser of `potential` that has the `targets`' coordinates where they
    /// shall be. `contacts` are those of `at`, before and after.
    ///
    /// # Errors
    /// Why there is none, or why it was not found. Then `at` is the last state that was accepted.
    pub fn minimise(
        &mut self,
        potential: &mut Potential,
        targets: &[Target],
        at: &mut Configuration,
        contacts: &mut Contacts,
    ) -> Result<Solved, Failure> {
        let mut pins = Pins::new(targets, &at.q);
        if self.settle(potential, &mut pins, at) {
            self.find_contacts(potential, at, contacts)?;
        }
        let mut progress = Progress::default();
        for iteration in 1..=self.settings.max_iterations {
            let direction = self.manner.direction.at(iteration);
            self.newton_direction(potential, &mut pins, contacts, (at, direction))?;
            // A matrix with `1 + damping` times the mass makes directions shorter by at most that.
            let residual = self.residual(potential, at)? * (1.0 + self.damping);
            let stalled = progress.stalled >= PATIENCE;
            // The length of a gradient tells nothing.
            let tells = !matches!(direction, Direction::Gradient(_));
            if tells && pins.all_met() && (residual <= self.settings.tolerance || stalled) {
                // Otherwise nothing that accelerates by less than the tolerance in a step would ever start to move.
                if iteration == 1 && residual > 0.0 {
                    let before = potential.value_with(&pins, contacts, at);
                    self.last_step(potential, &pins, (before, contacts), at)?;
                }
                let status = if residual <= self.settings.tolerance {
                    Status::Converged
                } else {
                    Status::RoundingReached
                };
                return Ok(Solved {
                    status,
                    iterations: iteration,
                    residual,
                });
            }
            let arrived =
                residual <= self.settings.tolerance && !pins.approached_by(&self.p, &at.q);
            if tells && (stalled || arrived) {
                // The tolerance may be large beside what is missing: what still takes coordinates to targets is gone.
                if !pins.stiffen() {
                    return Err(self.blocked(potential, &pins, at));
                }
                progress = Progress::default();
                continue;
            }
            let before = progress
                .energy
                .unwrap_or_else(|| potential.value_with(&pins, contacts, at));
            if !before.is_finite() {
                let node = largest(&self.gradient.q);
                return Err(self.not_finite(potential, at, potential.coordinates.vertex_of(node)));
            }
            progress.iterations += 1;
            potential.follow(at, &self.p);
            let searched = match self.line_search(
                potential,
                &pins,
                (before, progress.iterations > SLOW),
                at,
            ) {
                Err(Failure::NoProgress { .. }) if !pins.all_met() => {
                    if !pins.shorten(&at.q) {
                        return Err(self.blocked(potential, &pins, at));
                    }
                    progress = Progress::default();
                    continue;
                }
                searched => searched?,
            };
            progress.note(residual, tells, &searched);
            std::mem::swap(contacts, &mut self.there);
            if self.settle(potential, &mut pins, at) {
                self.find_contacts(potential, at, contacts)?;
                progress = Progress::default();
            } else if !pins.all_met() && progress.cut >= 2 && pins.shorten(&at.q) {
                progress = Progress::default();
            }
        }
        Err(self.out_of_iterations(potential, &pins, at))
    }

    /// Finds contacts at `x`; candidates that do not hold there are found anew, with room for a motion to `x_tilde`.
    ///
    /// # Errors
    /// The touching pair.
    pub fn contacts(
        &mut self,
        surface: &Surface,
        barrier: Barrier,
        x: &[Vec2],
        x_tilde: &[Vec2],
    ) -> Result<Contacts, Failure> {
        self.cover_motion(surface, &Sweep::straight(x, x), x_tilde);
        let (mut contacts, candidates) = (std::mem::take(&mut self.kept), &self.candidates);
        let found = self.timings.measure(Phase::Contacts, || {
            contacts.renew(surface, barrier, candidates, x)
        });
        found.map(|()| contacts).map_err(Failure::Touching)
    }

    /// Takes contacts that nobody needs any more, for their memory.
    pub fn keep(&mut self, contacts: Contacts) {
        self.kept = contacts;
    }

    /// Finds the contacts at `at`, in memory that has been used before.
    fn find_contacts(
        &mut self,
        potential: &Potential,
        at: &Configuration,
        contacts: &mut Contacts,
    ) -> Result<(), Failure> {
        self.cover_motion(
            potential.surface,
            &Sweep::straight(&at.x, &at.x),
            potential.x_tilde,
        );
        let candidates = &self.candidates;
        let found = self.timings.measure(Phase::Contacts, || {
            contacts.renew(potential.surface, potential.barrier, candidates, &at.x)
        });
        found.map_err(Failure::Touching)
    }

    /// Makes the candidates hold for a motion, with room for more.
    fn cover_motion(&mut self, surface: &Surface, motion: &Sweep, x_tilde: &[Vec2]) {
        if self.candidates.cover(motion) {
            return;
        }
        let Sweep { start, end, .. } = motion;
        let room = 0.5 * surface.d_hat;
        let moves = |i: usize| (end[i] - start[i]).amax() + motion.deviation(i);
        let reach = |i: usize| room + 1.5 * moves(i).max((x_tilde[i] - start[i]).amax());
        self.candidates = self.timings.measure(Phase::BroadPhase, || {
            Candidates::find(surface, start, reach)
        });
    }

    /// Takes prescribed coordinates to their targets at once, if the way is free.
    fn settle(&mut self, potential: &Potential, pins: &mut Pins, at: &mut Configuration) -> bool {
        if pins.all_met() {
            return false;
        }
        (self.p, self.trial.q) = pins.way(&at.q);
        potential
            .coordinates
            .positions(&self.trial.q, &mut self.trial.x);
        let (inversion, limit) = self.step_bound(potential, at);
        if inversion < 1.0 || limit.fraction < 1.0 || !self.trial_is_free(potential, false, at) {
            return false;
        }
        self.track_from(at);
        at.clone_from(&self.trial);
        pins.meet(&at.q);
        true
    }

    /// Entries of the factor of the system that was solved last, without the zeros above its diagonal.
    pub fn factor_entries(&self) -> usize {
        self.systems.last().map_or(0, System::factor_entries)
    }

    /// Matrix of the last Newton system, in the solver's own order of unknowns.
    pub fn newton_matrix(&self) -> Option<&BlockMatrix> {
        self.systems.last().map(System::matrix)
    }

    /// Leaves the direction in `self.p` and the derivative in `self.gradient`.
    fn newton_direction(
        &mut self,
        potential: &Potential,
        pins: &mut Pins,
        contacts: &Contacts,
        (at, direction): (&Configuration, Direction),
    ) -> Result<(), Failure> {
        pins.mark_met(&mut self.fixed);
        let coordinates = potential.coordinates;
        let changing = potential.changing(contacts);
        // The last used one has it, and may be of no use any more.
        let memory = self.systems.last_mut().map(System::take_memory);
        let fitting = self
            .systems
            .iter()
            .position(|system| system.fits(coordinates, &self.fixed, &changing));
        let mut system = if let Some(index) = fitting {
            self.systems.remove(index)
        } else {
            self.systems.retain(|system| !system.is_for(&self.fixed));
            self.systems
                .drain(..self.systems.len().saturating_sub(SYSTEMS_KEPT - 1));
            let pairs = self.timings.measure(Phase::Symbolic, || {
                let mut pairs = self.pairs.clone();
                pairs.extend(changing.iter().flat_map(|energy| energy.blocks()));
                pairs.extend(self.candidates.blocks_within(
                    potential.surface,
                    &at.x,
                    PATTERN_REACH,
                ));
                pairs
            });
            let system = System::new(
                coordinates,
                &self.fixed,
                (potential.energies, &pairs),
                self.settings.linear,
                &mut self.timings,
            );
            system.ok_or(Failure::OutOfMemory {
                vertices: at.x.len(),
            })?
        };
        if let Some(memory) = memory {
            system.give_memory(memory);
        }
        let system = self.systems.push_mut(system);
        self.timings.measure(Phase::Gradient, || {
            potential.gradient(pins, contacts, at, &mut self.gradient);
        });
        if let Some(node) = self
            .gradient
            .q
            .iter()
            .position(|g| !(g.x + g.y).is_finite())
        {
            return Err(self.not_finite(potential, at, coordinates.vertex_of(node)));
        }
        // Where angles are unknown the exact Hessian is tried first: projected contacts lack what balances the arcs.
        let by_x = &self.gradient.x;
        let arcs = coordinates
            .curvatures(at, by_x)
            .any(|(node, _)| !self.fixed[node][0]);
        let timings = &mut self.timings;
        if !pins.all_met() {
            let moved: f64 = potential.mass.iter().map(|mass| mass.x).sum();
            pins.choose_stiffness(|node| {
                moved.max(f64::MIN_POSITIVE) * coordinates.reach(at, node)
            });
        }
        let assemble = |system: &mut System, curvature| {
            system.assemble(potential, contacts, at, (curvature, by_x));
            if !pins.all_met() {
                pins.note_resistance(system.largest_stiffness());
            }
            pins.diagonal().for_each(|(node, diagonal)| {
                system.add([node; 2], &Mat2::from_diagonal(&diagonal));
            });
            system.isolate_fixed();
        };
        let factorised = factorise(system, (direction, arcs), potential.mass, timings, assemble);
        self.damping = factorised.map_err(|failed| Failure::Indefinite {
            vertex: coordinates.vertex_of(failed.node),
        })?;
        let (gradient, p) = (&self.gradient.q, &mut self.p);
        if matches!(direction, Direction::Gradient(_)) {
            system.scaled_gradient(gradient, p);
        } else {
            timings.measure(Phase::Solve, || system.direction(gradient, p));
        }
        Ok(())
    }

    /// The largest speed of a vertex along the direction, `|J p|_inf / h` (m/s).
    fn residual(&mut self, potential: &Potential, at: &Configuration) -> Result<f64, Failure> {
        let moved = &mut self.displacement;
        potential.coordinates.displacements(at, &self.p, moved);
        let residual = parallel::max(moved.len(), 0.0, |i| moved[i].x.abs().max(moved[i].y.abs()))
            / potential.h;
        if residual.is_finite() {
            return Ok(residual);
        }
        let vertex = moved
            .iter()
            .position(|p| !(p.x + p.y).is_finite())
            .unwrap_or(0);
        Err(Failure::NotFinite {
            energy: "direction",
            vertex,
        })
    }

    /// The energy that is not finite at `at`, which shows at `vertex`.
    fn not_finite(&self, potential: &Potential, at: &Configuration, vertex: usize) -> Failure {
        match potential.not_finite(&self.candidates, at) {
            Ok(energy) => Failure::NotFinite { energy, vertex },
            Err(touch) => Failure::Touching(touch),
        }
    }

    /// What is farthest from its target, and the nearest pair in its way.
    fn blocked(&self, potential: &Potential, pins: &Pins, at: &Configuration) -> Failure {
        let (node, distance) = pins.farthest(&at.q);
        let vertex = potential.coordinates.vertex_of(node);
        let body = potential.surface.body[vertex];
        let contacts = Contacts::find(
            potential.surface,
            potential.barrier,
            &self.candidates,
            &at.x,
        );
        let pair = contacts.map_or_else(Some, |contacts| {
            contacts.nearest_of(potential.surface, &at.x, body)
        });
        Blocked {
            vertex,
            distance,
            pair,
        }
        .into()
    }

    fn out_of_iterations(&self, potential: &Potential, pins: &Pins, at: &Configuration) -> Failure {
        if !pins.all_met() {
            return self.blocked(potential, pins, at);
        }
        let vertex = largest(&self.displacement);
        let Settings {
            tolerance,
            max_iterations,
            ..
        } = self.settings;
        let residual = self.displacement[vertex].amax() / potential.h;
        Failure::Iterations {
            count: max_iterations,
            residual,
            tolerance,
            vertex,
        }
    }
}

/// The vertex with the largest coordinate of a vector field.
fn largest(field: &[Vec2]) -> usize {
    (0..field.len())
        .max_by(|&a, &b| field[a].amax().total_cmp(&field[b].amax()))
        .unwrap_or(0)
}
