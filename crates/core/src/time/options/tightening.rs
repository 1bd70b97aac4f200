//! Sections of bodies that are tightened to a force, as bolts are.
//!
//! In a step the piece at section `k` is shorter by `s_k`, a constant of the step like heat and flow
//! ([`Tightened`](ipcsim_energy::Tightened)). The force across it at the end, `N_k(s)`, follows from all lengths, since what
//! is clamped gives in to the others as well. The step is solved for a guess, and again for better ones, until
//!
//! `N_k(s) = F_k` for all sections that are tightened,
//!
//! the forces that the scene wants at the end of the step: shooting. All tries begin at the start of the
//! step, and the last one is the step, so that nothing else that holds for steps is different.
//!
//! The matrix `J` of the derivatives `dN/ds` is updated from try to try (Broyden 1965; Nocedal and Wright, section
//! 11.1), `J += (dN - J ds) ds^T / |ds|^2`. At first it is diagonal, as the last step has left it; before, `N / s` of
//! the state, which is exact for a joint of springs, or the stiffness of the piece as if nothing else gave in. No
//! entry of the diagonal counts as less than a small part of that stiffness: over a gap forces do
//! not change, and noise would decide.
//!
//! A length changes by no more than a bound, which grows from try to try. A try that is not solved, as where
//! elements would be turned inside out, halves the change. With one section a length stays between
//! one whose force was too small and one whose force was too large.
//!
//! From the time of `lock` on a section keeps its length: each step is one try. Only its direction follows the
//! body.

use super::control::Preload;
use crate::body::Body;
use crate::solve::{Failure, Settings, Solver, with_own};
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::stages::StageResult;
use crate::time::world::World;
use crate::tuning::{
    TIGHTENING_BALANCE, TIGHTENING_EXACT, TIGHTENING_GROWTH, TIGHTENING_LATE, TIGHTENING_LEAST,
    TIGHTENING_MOST_RETURNS, TIGHTENING_MOST_TRIES, TIGHTENING_NEWTON, TIGHTENING_PATIENCE,
    TIGHTENING_PROBE, TIGHTENING_SOFTEST,
};
use ipcsim_energy::material::Flow;
use ipcsim_energy::{Conditions, Tightness};
use ipcsim_math::elementary::{atan2, powi};
use ipcsim_math::{Vec2, cross};
use nalgebra::{DMatrix, DVector};

/// Force (N) across a section that is wanted at the end of a span; `None` if the section keeps its length
/// from then on.
fn aim(preload: &Preload, span: Span) -> Option<f64> {
    let start = span.end - span.h;
    let is_locked = preload
        .lock
        .is_some_and(|lock| start > lock - TIGHTENING_LATE * span.h);
    let time = preload.lock.map_or(span.end, |lock| lock.min(span.end));
    (!is_locked).then(|| preload.force.at(Vec2::zeros(), time))
}

impl World {
    /// Force (N) across the section at which a body is tightened, in a state; `None` without one.
    pub(crate) fn tension_of(&self, body: &Body, state: &State) -> Option<f64> {
        let number = self.section_of(body)?;
        Some(tension(self, state.conditions(), &state.x, number))
    }

    /// Length (m) by which the piece at the section of a body is shorter, in a state; `None` without one.
    pub(crate) fn shortening_of(&self, body: &Body, state: &State) -> Option<f64> {
        let number = self.section_of(body)?;
        let known = tightness(self, &state.memory.options.plasticity.flowed);
        Some(known[number].shortening)
    }

    /// Number of the section of a body.
    fn section_of(&self, body: &Body) -> Option<usize> {
        let mut preloads = self.options.preloads.iter();
        preloads.position(|own| self.bodies[own.body].vertices == body.vertices)
    }
}

/// Forces (N) across all sections, at the positions `x` (m) of all vertices.
fn tensions(world: &World, conditions: Conditions, x: &[Vec2]) -> Vec<f64> {
    let numbers = 0..world.options.preloads.len();
    numbers
        .map(|number| tension(world, conditions, x, number))
        .collect()
}

/// Force (N) across the section with this number, at the positions `x` (m) of all vertices.
///
/// A body of several materials has several energies, each with its part of the force across the section. Where
/// nothing else acts on the piece, the force is the same at all of its cross sections: elements at the
/// end of a step balance there, but for the inertia of the piece.
fn tension(world: &World, conditions: Conditions, x: &[Vec2], number: usize) -> f64 {
    with_own(&world.model, conditions)
        .filter(|(energy, _)| energy.section() == Some(number))
        .map(|(energy, own)| energy.tension(own, x))
        .sum()
}

/// Places of the points that stand for sections among all that flow, each with the number of its section.
fn points(world: &World) -> impl Iterator<Item = (usize, usize)> {
    let mut count = 0;
    world.model.energies.iter().filter_map(move |energy| {
        count += energy.flowing();
        let number = energy.section()?;
        Some((count - 1, number))
    })
}

/// How far each section is tightened, `[sections]`, where materials have `flowed`.
fn tightness(world: &World, flowed: &[Flow]) -> Vec<Tightness> {
    let preloads = &world.options.preloads;
    let mut all = vec![Tightness::default(); preloads.len()];
    for (point, number) in points(world) {
        if let Some(flow) = flowed.get(point) {
            all[number] = preloads[number].section.tightness(flow);
        }
    }
    all
}

/// Flow of all points, `[points]`, where sections are tightened so far and the rest has `flowed`.
fn flow_with(world: &World, flowed: &[Flow], tightened: &[Tightness]) -> Vec<Flow> {
    let mut all = flowed.to_vec();
    all.resize(world.model.flowing(), Flow::default());
    for (point, number) in points(world) {
        all[point] = world.options.preloads[number]
            .section
            .flow(tightened[number]);
    }
    all
}

/// Angle (rad) by which a body at positions `x` (m) is turned against its shape at rest: the one of the
/// rotation that brings both nearest to each other.
///
/// With the places `a_i` at rest and `b_i` now, counted from their means, it is `atan2(sum a_i x b_i, sum a_i . b_i)`. It is 0
/// exactly where nothing has moved.
fn angle(world: &World, body: usize, x: &[Vec2]) -> f64 {
    let vertices = world.bodies[body].vertices.clone();
    let mean = |x: &[Vec2]| x.iter().sum::<Vec2>() / x.len().max(1) as f64;
    let [rest, x] = [&world.rest[vertices.clone()], &x[vertices]];
    let [from, to] = [mean(rest), mean(x)];
    let both = rest.iter().zip(x).map(|(rest, x)| (rest - from, x - to));
    let [along, across] = both.fold([0.0; 2], |[along, across], (a, b)| {
        [along + a.dot(&b), across + cross(a, b)]
    });
    atan2(across, along)
}

/// Computes the end of a span by `solve`, with sections so short that the forces across them are those
/// that are wanted there.
///
/// # Errors
/// [`Failure::Untightened`], if no lengths are found, and [`Failure`] of the first try if none is solved.
pub(in crate::time) fn tightened(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    solve: impl FnMut(&mut Solver, &State) -> Result<StageResult, Failure>,
) -> Result<StageResult, Failure> {
    // Forces show more of the rest of a solve than velocities do.
    let usual = solver.settings();
    let tolerance = TIGHTENING_NEWTON * usual.tolerance;
    solver.set_settings(Settings {
        tolerance,
        imbalance: usual.imbalance.min(TIGHTENING_BALANCE * tolerance),
        ..usual
    });
    let end = shoot(world, solver, start, span, solve);
    solver.set_settings(usual);
    end
}

/// [`tightened`] with the tolerance that the solver has.
///
/// Each try solves the whole step from its start, where only the lengths of sections differ. Its report counts
/// the directions of all tries, and its ledger has the energy that the new lengths add at the start.
fn shoot(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    mut solve: impl FnMut(&mut Solver, &State) -> Result<StageResult, Failure>,
) -> Result<StageResult, Failure> {
    let mut search = Search::new(world, start, span);
    let mut iterations = 0;
    for _ in 0..TIGHTENING_MOST_TRIES {
        let mut trial = start.clone();
        let flowed = &mut trial.memory.options.plasticity.flowed;
        *flowed = flow_with(world, flowed, &search.tightened);
        let mut end = match solve(solver, &trial) {
            Ok(end) => end,
            Err(failure) if failure.is_final() => return Err(failure),
            Err(_) if search.go_back() => continue,
            Err(_) if search.seen.is_some() => break,
            Err(failure) => return Err(failure),
        };

        let state = &end.state;
        search.see(&tensions(world, state.conditions(), &state.x));
        iterations += end.report.record.newton_iterations;
        if search.has_arrived() {
            end.report.record.newton_iterations = iterations;
            if let Some(ledger) = &mut end.report.record.ledger {
                ledger.work.temperature += gained(world, start, &trial);
            }
            let flowed = &mut end.state.memory.options.plasticity.flowed;
            *flowed = flow_with(world, flowed, &search.found());
            return Ok(end);
        }
        search.aim();
    }
    Err(search.failure(world))
}

/// Energy (J) that a state gains where it is tightened as in a `trial`, with all vertices where they are.
///
/// It is `E(x + s' phi n') - E(x + s phi n)`, the work of the wrench, which a ledger counts as work of the
/// temperature: both change materials while nothing moves.
fn gained(world: &World, start: &State, trial: &State) -> f64 {
    let value = |state: &State| {
        let all = with_own(&world.model, state.conditions());
        let tightened = all.filter(|(energy, _)| energy.section().is_some());
        let values = tightened.map(|(energy, own)| match energy.under(own) {
            Some(changed) => changed.value(&start.x),
            None => energy.value(&start.x),
        });
        values.sum::<f64>()
    };
    value(trial) - value(start)
}

/// Sections where a step begins, `[sections]`.
///
/// The stiffness is a difference of forces at a strain of the piece so small that laws are linear there.
struct Outset {
    /// How far they are tightened, with the directions of the step.
    tightened: Vec<Tightness>,
    /// Forces across them (N).
    forces: Vec<f64>,
    /// Stiffness of their pieces where nothing else moves (N/m).
    stiffness: Vec<f64>,
}

impl Outset {
    /// Sections in a state.
    fn of(world: &World, start: &State) -> Self {
        let preloads = &world.options.preloads;
        let flowed = &start.memory.options.plasticity.flowed;
        let mut tightened = tightness(world, flowed);
        for (own, preload) in tightened.iter_mut().zip(preloads) {
            own.angle = angle(world, preload.body, &start.x);
        }

        // Forces where nothing moves, now and where pieces are a little shorter.
        let tensions_at = |tightened: &[Tightness]| {
            let flowed = flow_with(world, flowed, tightened);
            let conditions = Conditions {
                flowed: &flowed,
                ..start.conditions()
            };
            tensions(world, conditions, &start.x)
        };
        let forces = tensions_at(&tightened);
        let mut shorter = tightened.clone();
        for (own, preload) in shorter.iter_mut().zip(preloads) {
            own.shortening += TIGHTENING_PROBE * preload.section.length;
        }
        let after = tensions_at(&shorter);

        let stiffness = (0..preloads.len())
            .map(|k| (after[k] - forces[k]) / (shorter[k].shortening - tightened[k].shortening));
        Self {
            stiffness: stiffness.collect(),
            tightened,
            forces,
        }
    }
}

/// Search for the lengths of sections in a step.
///
/// The order of use is: [`Search::new`] with the first guess, and for each try [`Search::see`] with the forces at its
/// end, [`Search::has_arrived`], and [`Search::aim`] for the next one; or [`Search::go_back`], if the try was not
/// solved. Lists `[active]` have the sections that are tightened in the step, and not those that keep their
/// length.
struct Search {
    /// Lengths and angles of the present try, `[sections]`.
    tightened: Vec<Tightness>,
    /// Numbers of the sections that are tightened.
    active: Vec<usize>,
    /// Forces that are wanted (N), `[active]`.
    aims: DVector<f64>,
    /// Error of a force that counts as none (N), `[active]`: a share of the force, and the least one.
    exact: [DVector<f64>; 2],
    /// Estimate of the derivatives of forces by lengths (N/m), `[active, active]`.
    jacobian: DMatrix<f64>,
    /// Stiffness of the pieces where nothing else moves (N/m), `[active]`: no force grows faster.
    stiffness: DVector<f64>,
    /// Change of each length that may be made at most (m), `[active]`.
    most: DVector<f64>,
    /// Lengths (m) and errors of forces (N) of the last try that was solved, `[active]`.
    seen: Option<[DVector<f64>; 2]>,
    /// Lengths at the start (m), `[active]`.
    first: DVector<f64>,
    /// Norm of the errors of forces at the start (N).
    outset: f64,
    /// Number of tries since one has halved these errors: over a gap forces do not change.
    tries: usize,
    /// Number of times that the search may still go back.
    returns: usize,
    /// Where there is one section: lengths (m) whose force is too small, and too large.
    bracket: [Option<f64>; 2],
}

impl Search {
    /// First guess in a step from a state: by the force there, and how much it has grown with the length so
    /// far; first by the stiffness of the piece.
    fn new(world: &World, start: &State, span: Span) -> Self {
        let preloads = &world.options.preloads;
        let Outset {
            tightened,
            forces,
            stiffness,
        } = Outset::of(world, start);

        // What is clamped gives in, so that a force grows by less.
        let slope = |k: usize| {
            let so_far = forces[k] / tightened[k].shortening;
            let mut known = [tightened[k].stiffness, so_far].into_iter();
            let slope = known.find(|&slope| slope > 0.0 && slope < stiffness[k]);
            slope.unwrap_or(stiffness[k])
        };

        // What has not been tightened yet only carries weight.
        let aims = preloads.iter().map(|own| aim(own, span)).enumerate();
        let aims = aims.filter_map(|(k, aim)| Some((k, aim?)));
        let begins = |&(k, aim): &(usize, f64)| aim != 0.0 || tightened[k].shortening != 0.0;
        let aims: Vec<(usize, f64)> = aims.filter(begins).collect();
        let active: Vec<usize> = aims.iter().map(|(k, _)| *k).collect();
        let list = |of: &dyn Fn(usize) -> f64| {
            DVector::from_iterator(active.len(), active.iter().map(|&k| of(k)))
        };
        let jacobian = DMatrix::from_diagonal(&list(&slope));
        let first = list(&|k| tightened[k].shortening);
        let least = list(&|k| TIGHTENING_LEAST * stiffness[k] * preloads[k].section.length);
        let aims = DVector::from_iterator(aims.len(), aims.into_iter().map(|(_, aim)| aim));
        let exact = [aims.abs() * TIGHTENING_EXACT, least];
        let errors = list(&|k| forces[k]) - &aims;

        let mut search = Self {
            stiffness: list(&|k| stiffness[k]),
            most: DVector::repeat(active.len(), f64::INFINITY),
            seen: None,
            bracket: [None; 2],
            tightened,
            active,
            aims,
            exact,
            jacobian,
            first,
            outset: errors.norm(),
            tries: 0,
            returns: TIGHTENING_MOST_RETURNS,
        };
        search.go(&errors);
        let least = search
            .active
            .iter()
            .map(|&k| TIGHTENING_PROBE * preloads[k].section.length);
        let least = DVector::from_iterator(search.active.len(), least);
        search.most = (search.lengths() - &search.first).abs().sup(&least);
        search
    }

    /// Lengths of the present try (m), `[active]`.
    fn lengths(&self) -> DVector<f64> {
        let lengths = self.active.iter().map(|&k| self.tightened[k].shortening);
        DVector::from_iterator(self.active.len(), lengths)
    }

    /// Learns from the forces (N) across all sections at the end of the present try.
    ///
    /// Broyden's matrix is the one nearest to the last that explains the change of forces by the change of lengths.
    fn see(&mut self, forces: &[f64]) {
        let errors = self.active.iter().zip(&self.aims);
        let errors = errors.map(|(&k, aim)| forces[k] - aim);
        let errors = DVector::from_iterator(self.active.len(), errors);
        if self.tries > 0 || errors.norm() <= 0.5 * self.outset {
            self.tries += 1;
        }
        let lengths = self.lengths();

        // Broyden's update: the matrix with this difference, and otherwise the same.
        if let Some([lengths_before, errors_before]) = &self.seen {
            let way = &lengths - lengths_before;
            let square = way.norm_squared();
            if square > 0.0 {
                let missing = &errors - errors_before - &self.jacobian * &way;
                self.jacobian += missing * way.transpose() / square;
            }
        }
        if let ([length], [error]) = (lengths.as_slice(), errors.as_slice()) {
            let side = usize::from(*error > 0.0);
            self.bracket[side] = Some(*length);
        }
        self.seen = Some([lengths, errors]);
    }

    /// True if all forces are as wanted.
    ///
    /// In motion Newton's method stops at a tolerance of velocities, so that forces of equal lengths may
    /// differ. Then more tries do not help, and after some of them a larger error is enough.
    fn has_arrived(&self) -> bool {
        let Some([_, errors]) = &self.seen else {
            return false;
        };
        // Where Newton's method stops earlier, its tolerance decides.
        let rounds = self.tries.saturating_sub(TIGHTENING_PATIENCE).div_ceil(2);
        let loosely = powi(10.0, i32::try_from(rounds.min(3)).unwrap_or(3));
        let [share, least] = &self.exact;
        let exact = share.zip_map(least, |share, least| least.max(loosely * share));
        let mut both = errors.iter().zip(&exact);
        both.all(|(error, exact)| error.abs() <= *exact)
    }

    /// Lengths and angles of the present try, with the stiffness that it shows, `[sections]`.
    fn found(&self) -> Vec<Tightness> {
        let mut found = self.tightened.clone();
        for (place, &k) in self.active.iter().enumerate() {
            found[k].stiffness = self.jacobian[(place, place)];
        }
        found
    }

    /// Goes to the next lengths.
    fn aim(&mut self) {
        if let Some([_, errors]) = self.seen.clone() {
            self.go(&errors);
        }
        self.most *= TIGHTENING_GROWTH;
    }

    /// Goes from the present lengths to those where the `errors` (N) should vanish.
    fn go(&mut self, errors: &DVector<f64>) {
        if self.active.is_empty() {
            return;
        }
        // Where nothing is clamped yet a force hardly changes, and noise would decide.
        let mut jacobian = self.jacobian.clone();
        for (place, stiffness) in self.stiffness.iter().enumerate() {
            let own = &mut jacobian[(place, place)];
            *own = own.max(TIGHTENING_SOFTEST * stiffness);
        }
        let way = jacobian.lu().solve(errors);
        let way = way.unwrap_or_else(|| DVector::zeros(self.active.len()));
        for (place, &k) in self.active.iter().enumerate() {
            let most = self.most[place];
            self.tightened[k].shortening -= way[place].clamp(-most, most);
        }

        // Between what was too short and what was too long.
        if let ([k], [Some(a), Some(b)]) = (self.active.as_slice(), self.bracket) {
            let length = &mut self.tightened[*k].shortening;
            if !(a.min(b)..=a.max(b)).contains(length) {
                *length = 0.5 * (a + b);
            }
        }
    }

    /// Halves the change from lengths that were solved, or from the start; false if there is none, or it was
    /// halved often enough.
    fn go_back(&mut self) -> bool {
        let lengths = self.lengths();
        let to = match &self.seen {
            Some([seen, _]) => seen.clone(),
            None => self.first.clone(),
        };
        if to == lengths || self.returns == 0 {
            return false;
        }
        self.returns -= 1;
        for (place, &k) in self.active.iter().enumerate() {
            self.tightened[k].shortening = 0.5 * (lengths[place] + to[place]);
            self.most[place] = (lengths[place] - to[place]).abs();
        }
        true
    }

    /// Failure of a search that has not arrived: the section whose force is farthest away.
    fn failure(&self, world: &World) -> Failure {
        let errors = self.seen.as_ref().map(|[_, errors]| errors.clone());
        let errors = errors.unwrap_or_else(|| DVector::zeros(self.active.len()));
        let place = errors.iamax();
        let k = self.active[place];
        Failure::Untightened {
            vertex: world.bodies[world.options.preloads[k].body].vertices.start,
            forces: [errors[place] + self.aims[place], self.aims[place]],
            shortening: self.tightened[k].shortening,
        }
    }
}
