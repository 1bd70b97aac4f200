//! Projected Newton's method with a filtered line search (Li et al. 2020, algorithm 1; the free physics-based simulation
//! book, chapters on filtered line search and moving boundary conditions).

use super::failure::Failure;
use super::pins::{Pins, Target};
use super::potential::Potential;
use super::system::System;
use super::timings::{Phase, Timings};
use crate::contact::ccd::Query;
use crate::contact::{Candidates, Contacts, Limit, Surface, is_free, max_step, queries};
use crate::math::{Vec2, parallel};

/// When Newton's method stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Largest speed `|p|_inf / h` of the Newton direction at which a state is accepted (m/s).
    pub tolerance: f64,
    /// Most directions that one step may compute.
    pub max_iterations: usize,
}

/// How a minimisation ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Vertex pairs of the blocks of the energies that never change, in their order.
    places: Vec<[usize; 2]>,
    /// The same pairs, each once.
    pairs: Vec<[usize; 2]>,
    /// Systems for different prescribed vertices, the last used one last: a ceiling that presses is prescribed and not
    /// in turn.
    systems: Vec<System>,
    candidates: Candidates,
    gradient: Vec<Vec2>,
    p: Vec<Vec2>,
    trial: Vec<Vec2>,
    prescribed: Vec<bool>,
    /// Time spent so far.
    pub timings: Timings,
    /// The continuous collision queries asked so far that bounding boxes do not decide, if they shall be kept.
    pub asked: Option<Vec<Query>>,
}

/// What a line search did.
struct Searched {
    energy: f64,
    /// Whether the whole direction's decrease is too small for energies to tell.
    lost: bool,
}

/// Directions without progress after which rounding counts as reached.
const PATIENCE: usize = 4;
/// Distance, in units of `d_hat`, below which a pair has its place in the matrix before it is in contact.
const PATTERN_REACH: f64 = 2.0;
/// Systems that are kept.
const SYSTEMS_KEPT: usize = 2;
/// Halvings that a line search may do.
const MAX_HALVINGS: usize = 60;

impl Solver {
    /// A solver for potentials with these energies and `vertices` vertices.
    pub fn new(settings: Settings, energies: &[Box<dyn crate::energy::Energy>], vertices: usize) -> Self {
        let places: Vec<[usize; 2]> = energies.iter().flat_map(|energy| energy.blocks()).collect();
        let mut pairs: Vec<[usize; 2]> =
            places.iter().filter(|[a, b]| a != b).map(|&[a, b]| [a.max(b), a.min(b)]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let zeros = vec![Vec2::zeros(); vertices];
        Self {
            settings,
            places,
            pairs,
            systems: Vec::new(),
            candidates: Candidates::default(),
            gradient: zeros.clone(),
            p: zeros.clone(),
            trial: zeros,
            prescribed: vec![false; vertices],
            timings: Timings::default(),
            asked: None,
        }
    }

    /// Moves `x`, which nothing touches, to a minimiser of `potential` that has the `targets`' vertices where they shall be.
    ///
    /// # Errors
    /// Why there is none, or why it was not found. Then `x` is the last state that was accepted.
    pub fn minimise(&mut self, potential: &Potential, targets: &[Target], x: &mut [Vec2]) -> Result<Solved, Failure> {
        let mut pins = Pins::new(targets, x);
        self.settle(potential, &mut pins, x);
        let mut energy = None;
        let (mut best, mut stalled) = (f64::INFINITY, 0);
        for iteration in 1..=self.settings.max_iterations {
            let contacts = self.contacts(potential.surface, x, potential.x_tilde)?;
            self.newton_direction(potential, &mut pins, &contacts, x)?;
            let residual = self.residual(potential.h)?;
            if residual <= self.settings.tolerance || stalled >= PATIENCE {
                if pins.all_met() {
                    let status =
                        if residual <= self.settings.tolerance { Status::Converged } else { Status::RoundingReached };
                    return Ok(Solved { status, iterations: iteration, residual });
                }
                pins.stiffen(x)?;
                (energy, best, stalled) = (None, f64::INFINITY, 0);
                continue;
            }
            let before = energy.unwrap_or_else(|| potential.value_with(&pins, &contacts, x));
            if !before.is_finite() {
                let vertex = largest(&self.gradient);
                return Err(self.not_finite(potential, x, vertex));
            }
            let searched = self.line_search(potential, &pins, before, x)?;
            energy = Some(searched.energy);
            stalled = if searched.lost && residual > 0.5 * best { stalled + 1 } else { 0 };
            best = best.min(residual);
            if !pins.all_met() && self.settle(potential, &mut pins, x) {
                energy = None;
            }
        }
        Err(self.out_of_iterations(&pins, potential.h, x))
    }

    /// Finds contacts at `x`; candidates that do not hold there are found anew, with room for a motion to `x_tilde`.
    ///
    /// # Errors
    /// The touching pair.
    pub fn contacts(&mut self, surface: &Surface, x: &[Vec2], x_tilde: &[Vec2]) -> Result<Contacts, Failure> {
        self.p.fill(Vec2::zeros());
        self.cover_motion(surface, x, x_tilde);
        let found = self.timings.measure(Phase::Contacts, || Contacts::find(surface, &self.candidates, x));
        found.map_err(Failure::Touching)
    }

    /// Makes the candidates hold for the motion `self.p` from `x`, with room for more.
    fn cover_motion(&mut self, surface: &Surface, x: &[Vec2], x_tilde: &[Vec2]) {
        if self.candidates.cover(x, &self.p) {
            return;
        }
        let room = 0.5 * surface.barrier.d_hat;
        let reach = |i: usize| room + 1.5 * self.p[i].amax().max((x_tilde[i] - x[i]).amax());
        self.candidates = self.timings.measure(Phase::BroadPhase, || Candidates::find(surface, x, reach));
    }

    /// Takes prescribed vertices to their targets at once, if the way is free.
    fn settle(&mut self, potential: &Potential, pins: &mut Pins, x: &mut [Vec2]) -> bool {
        if pins.all_met() {
            return false;
        }
        let mut way = std::mem::take(&mut self.trial);
        let settled = pins.settle(x, &mut way, |x, p, y| {
            self.p.copy_from_slice(p);
            let (inversion, limit) = self.step_bound(potential, x);
            inversion >= 1.0 && limit.fraction >= 1.0 && is_free(potential.surface, &self.candidates, x, y)
        });
        self.trial = way;
        settled
    }

    /// Leaves the direction in `self.p` and the derivative in `self.gradient`.
    fn newton_direction(
        &mut self,
        potential: &Potential,
        pins: &mut Pins,
        contacts: &Contacts,
        x: &[Vec2],
    ) -> Result<(), Failure> {
        pins.mark_met(&mut self.prescribed);
        let changing = potential.changing(contacts);
        let fitting = self.systems.iter().position(|system| system.fits(&self.prescribed, &changing));
        let system = if let Some(index) = fitting {
            self.systems.remove(index)
        } else {
            self.systems.retain(|system| !system.is_for(&self.prescribed));
            self.systems.drain(..self.systems.len().saturating_sub(SYSTEMS_KEPT - 1));
            let analyse = || {
                let mut pairs = self.pairs.clone();
                pairs.extend(changing.iter().flat_map(|energy| energy.blocks()));
                pairs.extend(self.candidates.blocks_within(potential.surface, x, PATTERN_REACH));
                System::new(&self.prescribed, &self.places, &pairs)
            };
            let system = self.timings.measure(Phase::Analysis, analyse);
            system.ok_or(Failure::OutOfMemory { vertices: x.len() })?
        };
        let system = self.systems.push_mut(system);
        self.timings.measure(Phase::Hessian, || system.assemble(potential, contacts, x));
        pins.choose_stiffness(|vertex| system.stiffness(vertex));
        for (vertex, stiffness) in pins.diagonal() {
            system.add(vertex, vertex, &crate::math::Mat2::from_diagonal_element(stiffness));
        }
        self.timings.measure(Phase::Gradient, || potential.gradient(pins, contacts, x, &mut self.gradient));
        if let Some(vertex) = self.gradient.iter().position(|g| !(g.x + g.y).is_finite()) {
            return Err(self.not_finite(potential, x, vertex));
        }
        system.factorise(&mut self.timings).map_err(|failed| Failure::Indefinite { vertex: failed.vertex })?;
        self.timings.measure(Phase::Solve, || system.direction(&self.gradient, &mut self.p));
        Ok(())
    }

    /// `|p|_inf / h` (m/s).
    fn residual(&self, h: f64) -> Result<f64, Failure> {
        let residual = parallel::max(self.p.len(), 0.0, |i| self.p[i].x.abs().max(self.p[i].y.abs())) / h;
        if residual.is_finite() {
            return Ok(residual);
        }
        let vertex = self.p.iter().position(|p| !(p.x + p.y).is_finite()).unwrap_or(0);
        Err(Failure::NotFinite { energy: "direction", vertex })
    }

    /// Shortens `self.p` to the fraction on which nothing inverts, which it returns with the fraction of the rest that
    /// contact allows.
    fn step_bound(&mut self, potential: &Potential, x: &[Vec2]) -> (f64, Limit) {
        let inversion = self.timings.measure(Phase::StepBound, || {
            potential.energies.iter().map(|energy| energy.max_step(x, &self.p).fraction).fold(1.0, f64::min)
        });
        if inversion < 1.0 {
            self.p.iter_mut().for_each(|p| *p *= inversion);
        }
        self.cover_motion(potential.surface, x, potential.x_tilde);
        let (surface, candidates, p) = (potential.surface, &self.candidates, &self.p);
        if let Some(asked) = &mut self.asked {
            asked.extend(queries(surface, candidates, x, p));
        }
        (inversion, self.timings.measure(Phase::StepBound, || max_step(surface, candidates, x, p)))
    }

    /// Moves `x` along `self.p`, as far as is safe and until the potential does not grow.
    fn line_search(
        &mut self,
        potential: &Potential,
        pins: &Pins,
        before: f64,
        x: &mut [Vec2],
    ) -> Result<Searched, Failure> {
        let (inversion, limit) = self.step_bound(potential, x);
        let decrease = -parallel::sum(x.len(), |i| self.gradient[i].dot(&self.p[i]));
        let noise = self.noise(before, x);
        // A step that contact or inversion cuts short may be blind far from any minimum: the whole direction decides.
        let lost = decrease <= noise * inversion;
        let mut alpha = limit.fraction;
        for _ in 0..MAX_HALVINGS {
            let (p, trial) = (&self.p, &mut self.trial);
            let mut moved = false;
            for (t, (x, p)) in trial.iter_mut().zip(x.iter().zip(p)) {
                *t = x + p * alpha;
                moved |= t != x;
            }
            let (surface, candidates) = (potential.surface, &self.candidates);
            let value = self.timings.measure(Phase::LineSearch, || potential.value(pins, candidates, trial));
            let blind = alpha * decrease <= noise;
            let lower = value <= before || blind && value <= before + noise;
            if moved && lower && self.timings.measure(Phase::StepBound, || is_free(surface, candidates, x, trial)) {
                x.copy_from_slice(trial);
                return Ok(Searched { energy: value, lost });
            }
            if !moved && blind && alpha > 0.0 {
                return Ok(Searched { energy: before, lost });
            }
            alpha *= 0.5;
        }
        Err(Failure::NoProgress { fraction: inversion * limit.fraction, pair: limit.pair })
    }

    /// How far rounding may put the value of the potential off: that of the sum, and that of the positions, which a
    /// potential of this size and stiffness can turn into at most `|dx| sqrt(2 E k)`.
    fn noise(&self, value: f64, x: &[Vec2]) -> f64 {
        const ROUNDINGS: f64 = 64.0;
        let largest = parallel::max(x.len(), 0.0, |i| x[i].amax());
        let stiffness = self.systems.last().map_or(0.0, System::largest_stiffness);
        ROUNDINGS * f64::EPSILON * (value.abs() + largest * (2.0 * value.abs() * stiffness).sqrt())
    }

    /// The energy that is not finite at `x`, which shows at `vertex`.
    fn not_finite(&self, potential: &Potential, x: &[Vec2], vertex: usize) -> Failure {
        match potential.not_finite(&self.candidates, x) {
            Ok(energy) => Failure::NotFinite { energy, vertex },
            Err(touch) => Failure::Touching(touch),
        }
    }

    fn out_of_iterations(&self, pins: &Pins, h: f64, x: &[Vec2]) -> Failure {
        if !pins.all_met() {
            return pins.farthest(x).into();
        }
        let fastest = largest(&self.p);
        let Settings { tolerance, max_iterations } = self.settings;
        Failure::Iterations { count: max_iterations, residual: self.p[fastest].amax() / h, tolerance, vertex: fastest }
    }
}

/// The vertex with the largest coordinate of a vector field.
fn largest(field: &[Vec2]) -> usize {
    (0..field.len()).max_by(|&a, &b| field[a].amax().total_cmp(&field[b].amax())).unwrap_or(0)
}
