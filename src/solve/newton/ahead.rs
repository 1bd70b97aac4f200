//! Friction with the normal forces that a direction leads to.
//!
//! Coulomb friction depends on normal forces, which change along a direction, and a matrix that is
//! symmetric cannot say so. Friction with the normal forces of the present state is therefore wrong
//! by as much as these change: where bodies hit each other, each renewal of friction sends the
//! solve far away again. The remedy is the direction of the full derivative,
//!
//! `(H + N) p = -g` with `N p = sum_c (dlambda_c/dx . p) df_c/dlambda_c`
//!
//! over the friction forces `f_c` of contacts with the normal forces `lambda_c`. In other words, `p`
//! is where the friction that `p` leads to leads: with loads `lambda(p)`, to first order and at least
//! 0, it is the fixed point of
//!
//! `G(p) = -H^-1 g(lambda(p))`.
//!
//! The factor of `H` is at hand, so each `G` costs a substitution. Where bodies slide, only their
//! inertia resists friction, and `N` may exceed `H` by far: repeating `G` diverges. So the next `p`
//! mixes what was found such that `G(p) - p` is least to first order (Anderson 1965; Walker and Ni
//! 2011), which is the method of generalised minimal residuals as long as no load is held at 0.
//!
//! The Hessian changes with the loads, too. Its change times `p` counts to `g(lambda(p))` here, or
//! contacts that are pressed harder would slide past the place where they stick.
//!
//! Friction with the loads `lambda(p)` is lagged friction like any other: it has a potential, and
//! `G(p)` is a Newton direction of that. So the line search needs no other merit than this potential.

use super::course::Course;
use super::direction::Direction;
use super::iterate::Iterate;
use super::parts::Newton;
use super::problem::Problem;
use crate::math::{Vec2, parallel};
use crate::solve::potential::Potential;

/// Largest number of substitutions for the friction of one direction.
///
/// Usually 8. Lower: more directions where normal forces depend on friction. Higher: more
/// substitutions for each direction.
const ROUNDS: usize = 8;
/// Change `|G(p) - p|` relative to `|G(p)|`, below which friction leads where it is led.
///
/// Unit 1, 1e-4 to 0.5; usually 0.05. Higher: more directions. Lower: more substitutions for each.
const ALIKE: f64 = 0.05;
/// Part of a change that those before do not have, relative to the first direction, below which
/// rounding decides about it.
const ROUNDING: f64 = 1e-8;

impl Newton {
    /// Gives friction the normal forces that a direction leads to, and finds the direction with
    /// them.
    ///
    /// Nothing happens where friction does not follow the normal forces, or where the solve ends at
    /// this state.
    pub(super) fn look_ahead(
        &mut self,
        problem: &mut Problem,
        course: &mut Course,
        iterate: &Iterate,
        direction: &mut Direction,
    ) {
        let friction_leads = course.renewals.leads()
            && problem.potential.following.is_some()
            && !problem.potential.friction.is_empty();
        let is_plain = self.strategy.search.measures_distance();
        if !(friction_leads && is_plain) || course.may_stop() {
            return;
        }

        let potential = &mut *problem.potential;
        let mass = &potential.model.mass;
        let mut forces = Forces::new(potential, iterate, direction);

        // Friction of no motion leads to the present direction.
        let mut mixing = Mixing::new(mass, &direction.p);
        let mut p = vec![Vec2::zeros(); mass.len()];
        for _ in 0..ROUNDS {
            mixing.mix(&mut p);
            forces.lead(potential, iterate, &p, direction);
            let Direction {
                gradient, p: to, ..
            } = direction;
            self.systems.solve_again(&gradient.q, to, &mut self.log);
            if mixing.note(&p, to) {
                break;
            }
        }

        // The friction that changed least, and where it leads.
        forces.lead(potential, iterate, &mixing.best.from, direction);
        forces.settle(potential, direction);
        direction.p.copy_from_slice(&mixing.best.to);
        course.progress.change_potential();
    }
}

/// Forces at a state, those of friction apart.
struct Forces {
    /// Positions on the tangents of the vertices' paths (m), `[vertices]`. Friction is a function of
    /// them.
    y: Vec<Vec2>,
    /// Gradient of all but friction (N s^2), `[nodes]`.
    rest: Vec<Vec2>,
    /// A buffer for the gradient of friction (N s^2), `[nodes]`.
    friction: Vec<Vec2>,
    /// Buffers, `[vertices]`.
    moved: Vec<Vec2>,
    by_x: Vec<Vec2>,
}

impl Forces {
    /// The forces at a state with the gradient of `direction`.
    fn new(potential: &Potential, iterate: &Iterate, direction: &Direction) -> Self {
        let y = potential.tangent_positions(&iterate.at).into_owned();
        let mut rest = direction.gradient.q.clone();
        let mut friction = rest.clone();
        let mut by_x = y.clone();
        potential.friction_gradient(&y, &mut by_x, &mut friction);
        for (rest, friction) in rest.iter_mut().zip(&friction) {
            *rest -= friction;
        }
        Self {
            moved: y.clone(),
            y,
            rest,
            friction,
            by_x,
        }
    }

    /// Gives friction the loads that the motion `p` leads to, and the direction the gradient with
    /// them that is expected there.
    fn lead(
        &mut self,
        potential: &mut Potential,
        iterate: &Iterate,
        p: &[Vec2],
        direction: &mut Direction,
    ) {
        direction.p.copy_from_slice(p);
        direction.displace(&potential.model.coordinates, &iterate.at);
        potential.friction.lead(&direction.displacement);

        let buffers = [&mut self.moved[..], &mut self.by_x[..]];
        potential.led_gradient(&self.y, p, buffers, &mut self.friction);
        self.write(direction);
    }

    /// Gives the direction the gradient with the loads of friction.
    fn settle(&mut self, potential: &Potential, direction: &mut Direction) {
        potential.friction_gradient(&self.y, &mut self.by_x, &mut self.friction);
        self.write(direction);
    }

    /// Writes the sum of both parts of the gradient.
    fn write(&self, direction: &mut Direction) {
        let parts = self.rest.iter().zip(&self.friction);
        for (g, (rest, friction)) in direction.gradient.q.iter_mut().zip(parts) {
            *g = rest + friction;
        }
    }
}

/// Directions, and the directions that the friction of each one leads to.
struct Mixing<'a> {
    /// Masses (kg), `[nodes]`, in whose metric directions are compared.
    mass: &'a [Vec2],
    /// Length of the first direction (kg^(1/2) m).
    first: f64,
    /// The last direction, where its friction leads, and the way between them.
    last: Lead,
    /// The direction with the shortest way so far.
    best: Lead,
    /// Changes of the way, of length 1 and at right angles to each other, each with the change of
    /// where friction leads.
    changes: Vec<[Vec<Vec2>; 2]>,
}

/// A direction `p` and where its friction leads, `G(p)` (m; of angles rad), `[nodes]`.
#[derive(Clone)]
struct Lead {
    /// The direction `p`.
    from: Vec<Vec2>,
    /// Where it leads, `G(p)`.
    to: Vec<Vec2>,
    /// The way `G(p) - p`.
    way: Vec<Vec2>,
    /// Length of the way (kg^(1/2) m).
    length: f64,
}

impl<'a> Mixing<'a> {
    /// Directions that begin with no motion, whose friction leads to the direction `p`.
    fn new(mass: &'a [Vec2], p: &[Vec2]) -> Self {
        let start = Lead {
            from: vec![Vec2::zeros(); p.len()],
            to: p.to_vec(),
            way: p.to_vec(),
            length: product(mass, p, p).sqrt(),
        };
        Self {
            mass,
            first: start.length,
            last: start.clone(),
            best: start,
            changes: Vec::new(),
        }
    }

    /// Writes the next direction: where the last one leads, less what the changes so far say about
    /// its way.
    fn mix(&self, p: &mut [Vec2]) {
        let Lead { to, way, .. } = &self.last;
        p.copy_from_slice(to);
        for [change, led] in &self.changes {
            subtract(p, product(self.mass, change, way), led);
        }
    }

    /// Notes that the friction of a direction leads `to` another one, and returns true if that is
    /// the end: they are alike, or nothing new was found.
    fn note(&mut self, from: &[Vec2], to: &[Vec2]) -> bool {
        let way = difference(to, from);
        let length = product(self.mass, &way, &way).sqrt();
        if !length.is_finite() {
            return true;
        }

        // The part of the change that those before do not have.
        let mut change = difference(&way, &self.last.way);
        let mut led = difference(to, &self.last.to);
        for [before, led_before] in &self.changes {
            let share = product(self.mass, before, &change);
            subtract(&mut change, share, before);
            subtract(&mut led, share, led_before);
        }
        let size = product(self.mass, &change, &change).sqrt();

        self.last = Lead {
            from: from.to_vec(),
            to: to.to_vec(),
            way,
            length,
        };
        if length < self.best.length {
            self.best = self.last.clone();
        }
        if length <= ALIKE * product(self.mass, to, to).sqrt() || size <= ROUNDING * self.first {
            return true;
        }
        change.iter_mut().chain(&mut led).for_each(|d| *d /= size);
        self.changes.push([change, led]);
        false
    }
}

/// Product `a . M b` in the metric of the masses.
fn product(mass: &[Vec2], a: &[Vec2], b: &[Vec2]) -> f64 {
    parallel::sum(mass.len(), |i| mass[i].component_mul(&a[i]).dot(&b[i]))
}

/// The difference `a - b`.
fn difference(a: &[Vec2], b: &[Vec2]) -> Vec<Vec2> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Subtracts a multiple of `b` from `a`.
fn subtract(a: &mut [Vec2], factor: f64, b: &[Vec2]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= b * factor;
    }
}
