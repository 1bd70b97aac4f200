//! Action of a row during one stage, as an energy of positions.
//!
//! With a residual `c(x)` and its derivative `J = dc/dx` every row has an energy `psi(c)`, a force
//! `f = psi'(c)` and the gradient `J^T f`.
//!
//! - **Closed**, an augmented Lagrangian with a multiplier `lambda` and a stiffness `k`:
//!   `psi = k/2 |c + lambda/k|^2`, `f = lambda + k c` (Nocedal and Wright, "Numerical
//!   Optimization", chapter 17).
//! - **Bounded**, the same with a force that stays between the two bounds of a rope or a motor:
//!   `f = clamp(lambda + k c)`. The energy is quadratic inside of the bounds and linear beyond
//!   them, the Moreau envelope of a force that slips (Parikh and Boyd, "Proximal Algorithms",
//!   chapter 3).
//! - **Limited**: the barrier `psi = K r^2 (1 - s)^3 / s` of the distance `g = s r` from each
//!   limit.
//! - **Served**: a spring whose force stays at a bound beyond it, see `servo.rs`.
//! - **Sprung**: `psi = s (k/2 (c - c_0)^2 + b/(2 beta) (c - c_before)^2)` with the share `s` of
//!   the forces at the end of the stage.
//!
//! As Hessian serves `psi'' J^T J`, which needs no projection; the exact one has the curvature of
//! `c` as well.

use super::ends::Ends;
use super::pose::{RelativePose, STENCIL};
use super::residual::Constraint;
use super::rod::DistanceConstraint;
use super::rule::Rule;
use super::servo::Serve;
use ipcsim_contact::barrier::{Barrier, BarrierShape, Jet};
use ipcsim_energy::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2};

/// Action of a row during a stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Act {
    /// Close the residual, or come as near to that as bounds of the force allow.
    Close(Multiplier),
    /// Stay between limits.
    Stay(Stay),
    /// Pull to a place: of a spring and a damper together.
    Pull(Pull),
    /// Pull to a place by a force that has a largest size.
    Serve(Serve),
}

/// A force that closes a residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Multiplier {
    /// Force `lambda` against the residual, as far as it is known (N).
    pub(super) force: Vec2,
    /// Stiffness `k` (N/m), above 0.
    pub(super) stiffness: f64,
    /// Least and largest first component of the force (N).
    pub(super) bounds: [f64; 2],
    /// First component of the residual that counts as none (m).
    pub(super) aim: f64,
    /// True if the exact Hessian has the turning of a rod or rope, as derivatives need it. The search
    /// for a minimum does without.
    pub(super) turns: bool,
}

/// A barrier at each of two limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stay {
    /// Lower and upper limit (m).
    pub(super) range: [f64; 2],
    /// Distance from a limit at which its barrier begins (m).
    pub(super) reach: f64,
    /// Stiffness `K` (N/m).
    pub(super) stiffness: f64,
}

/// A spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pull {
    /// Stiffness (N/m) of the spring and of the damper in this stage.
    pub(super) stiffness: [f64; 2],
    /// Openings (m) at which each of them is free of force.
    pub(super) rest: [f64; 2],
    /// Share (1) with which both act as they are at the end of the stage.
    pub(super) share: f64,
    /// True if the exact Hessian has the turning of a spring between two points. A pressed spring
    /// has a negative curvature by it, which the search for a minimum does without.
    pub(super) turns: bool,
}

impl Multiplier {
    /// Force that a residual asks for, without bounds.
    fn asked(&self, residual: Vec2) -> Vec2 {
        let from_aim = Vec2::new(residual.x - self.aim, residual.y);
        self.force + from_aim * self.stiffness
    }

    /// Force at a residual (N), which is the next multiplier.
    pub(super) fn at(&self, residual: Vec2) -> Vec2 {
        let asked = self.asked(residual);
        let [least, most] = self.bounds;
        Vec2::new(asked.x.clamp(least, most), asked.y)
    }

    /// Next multiplier (N) at a residual: the force there, or where a `change` (N) is known, that
    /// change, within the bounds.
    pub(super) fn renewed(&self, residual: Vec2, change: Option<&Vec2>) -> Vec2 {
        let here = self.at(residual);
        let Some(change) = change else {
            return here;
        };
        let [least, most] = self.bounds;
        let asked = self.force + change;
        let first = if self.slips(residual) {
            here.x
        } else {
            asked.x.clamp(least, most)
        };
        Vec2::new(first, asked.y)
    }

    /// True if the force is at one of its bounds.
    pub(super) fn slips(&self, residual: Vec2) -> bool {
        let asked = self.asked(residual).x;
        asked < self.bounds[0] || asked > self.bounds[1]
    }

    /// Distance (m) from a residual to one that needs no other force: the residual itself, unless a
    /// bound of the force lets it be.
    pub(super) fn missing(&self, residual: Vec2) -> f64 {
        let open = if self.slips(residual) {
            (self.at(residual).x - self.force.x) / self.stiffness
        } else {
            residual.x - self.aim
        };
        Vec2::new(open, residual.y).norm()
    }

    /// Energy (J) at a residual.
    fn value(&self, residual: Vec2) -> f64 {
        let asked = self.asked(residual);
        if !self.slips(residual) {
            return 0.5 * asked.norm_squared() / self.stiffness;
        }
        let force = self.at(residual).x;
        (force * (asked.x - 0.5 * force) + 0.5 * asked.y * asked.y) / self.stiffness
    }
}

impl Stay {
    /// Barriers of both limits with their derivatives, as functions of the residual; infinite at and
    /// beyond a limit.
    fn jet(&self, residual: f64) -> Jet {
        let barrier = Barrier {
            shape: BarrierShape::Inverse,
            kappa: self.stiffness * self.reach,
        };

        let mut sum = Jet {
            value: 0.0,
            first: 0.0,
            second: 0.0,
        };

        // The gap to the upper limit shrinks as the residual grows.
        let [least, most] = self.range;
        for (gap, sign) in [(residual - least, 1.0), (most - residual, -1.0)] {
            if gap <= 0.0 {
                sum.value = f64::INFINITY;
            } else if gap < self.reach {
                let jet = barrier.plane(gap, self.reach);
                sum.value += jet.value;
                sum.first += sign * jet.first;
                sum.second += jet.second;
            }
        }
        sum
    }

    /// Smaller distance of a residual from a limit (m), negative beyond it.
    pub(super) fn gap(&self, residual: f64) -> f64 {
        (residual - self.range[0]).min(self.range[1] - residual)
    }
}

impl Pull {
    /// Forces (N) of the spring and of the damper at a residual, whatever their share.
    pub(super) fn forces(&self, residual: f64) -> [f64; 2] {
        [0, 1].map(|part| self.stiffness[part] * (residual - self.rest[part]))
    }

    /// Sum of both forces (N).
    fn force(&self, residual: f64) -> f64 {
        let [spring, damper] = self.forces(residual);
        spring + damper
    }
}

/// A row during a stage.
#[derive(Clone, Debug)]
pub(super) struct Acting {
    /// The residual.
    pub(super) rule: Rule,
    /// Frames of the two bodies, as maps of the vertices.
    pub(super) ends: Ends,
    /// Angles of the bodies (rad), over turns, within half a turn.
    pub(super) near: [f64; 2],
    /// Treatment of the residual.
    pub(super) act: Act,
}

impl Acting {
    /// The pose where the vertices are at `x` (m).
    pub(super) fn pose(&self, x: &[Vec2; STENCIL]) -> RelativePose {
        self.ends.pose(x, self.near)
    }

    /// Residual where the vertices are at `x` (m).
    pub(super) fn residual(&self, x: &[Vec2; STENCIL]) -> Vec2 {
        self.rule.residual(&self.pose(x))
    }

    /// Force (N) at a residual, `psi'(c)`.
    pub(super) fn force(&self, residual: Vec2) -> Vec2 {
        match &self.act {
            Act::Pull(pull) => Vec2::new(pull.share * pull.force(residual.x), 0.0),
            Act::Close(_) | Act::Stay(_) | Act::Serve(_) => self.whole_force(residual),
        }
    }

    /// Force (N) at a residual, of a spring and a damper without their share.
    pub(super) fn whole_force(&self, residual: Vec2) -> Vec2 {
        match &self.act {
            Act::Close(multiplier) => multiplier.at(residual),
            Act::Stay(stay) => Vec2::new(stay.jet(residual.x).first, 0.0),
            Act::Pull(pull) => Vec2::new(pull.force(residual.x), 0.0),
            Act::Serve(serve) => Vec2::new(serve.force(residual.x), 0.0),
        }
    }

    /// Part of the Hessian (N/m) that comes from the curvature of `c(x)`; `None` if `c` is linear
    /// in the positions, or nothing pulls.
    pub(super) fn bent(&self, x: &[Vec2; STENCIL]) -> Option<[[Mat2; STENCIL]; STENCIL]> {
        if self.rule.is_linear() {
            return None;
        }

        let pose = self.pose(x);
        let force = self.force(self.rule.residual(&pose));
        let bends = match (&self.rule, &self.act) {
            (
                Rule::Rod(_),
                Act::Pull(Pull { turns: true, .. }) | Act::Close(Multiplier { turns: true, .. }),
            ) => DistanceConstraint::turning(&pose, force.x),
            (rule, _) => rule.curvature(&pose, force),
        };

        // Most rows pull nothing, and their blocks would only cost time.
        if bends.iter().flatten().all(|bend| *bend == Mat2::zeros()) {
            return None;
        }

        let mut bent = [[Mat2::zeros(); STENCIL]; STENCIL];
        self.ends.add_curvature(&bends, &mut bent);
        Some(bent)
    }

    /// Second derivatives of the energy by the components of the residual (N/m), `psi''(c)`.
    pub(super) fn stiffness(&self, residual: Vec2) -> [f64; 2] {
        match &self.act {
            Act::Close(multiplier) if multiplier.slips(residual) => [0.0, multiplier.stiffness],
            Act::Close(multiplier) => [multiplier.stiffness; 2],
            Act::Stay(stay) => [stay.jet(residual.x).second, 0.0],
            Act::Pull(pull) => [pull.share * (pull.stiffness[0] + pull.stiffness[1]), 0.0],
            Act::Serve(serve) => [serve.slope(residual.x), 0.0],
        }
    }
}

impl LocalEnergy<STENCIL> for Acting {
    const NAME: &'static str = "joint";

    fn value(&self, x: &[Vec2; STENCIL]) -> f64 {
        let residual = self.residual(x);
        match &self.act {
            Act::Close(multiplier) => multiplier.value(residual),
            Act::Stay(stay) => stay.jet(residual.x).value,
            Act::Serve(serve) => serve.value(residual.x),
            Act::Pull(pull) => {
                let [a, b] = pull
                    .rest
                    .map(|rest| (residual.x - rest) * (residual.x - rest));
                pull.share * (0.5 * (pull.stiffness[0] * a + pull.stiffness[1] * b))
            }
        }
    }

    /// `J^T f` (N), a force for each vertex.
    fn gradient(&self, x: &[Vec2; STENCIL]) -> [Vec2; STENCIL] {
        let pose = self.pose(x);
        let force = self.force(self.rule.residual(&pose));
        self.ends.pull(&self.rule.slopes(&pose), &force)
    }

    /// `psi'' J^T J`, which is the whole Hessian where `c` is linear in the positions.
    fn hessian(&self, x: &[Vec2; STENCIL]) -> [[Mat2; STENCIL]; STENCIL] {
        let pose = self.pose(x);
        let [first, second] = self.stiffness(self.rule.residual(&pose));
        let jacobian = self.ends.jacobian(&self.rule.slopes(&pose));
        if first.total_cmp(&second).is_eq() {
            return jacobian.map(|row| {
                // Most frames have a vertex without weight.
                if row == Mat2::zeros() {
                    return [Mat2::zeros(); STENCIL];
                }
                jacobian.map(|column| row.tr_mul(&column) * first)
            });
        }
        let weights = Mat2::new(first, 0.0, 0.0, second);
        jacobian.map(|row| jacobian.map(|column| row.tr_mul(&(weights * column))))
    }

    fn exact_hessian(&self, x: &[Vec2; STENCIL]) -> [[Mat2; STENCIL]; STENCIL] {
        let mut hessian = self.hessian(x);
        if let Some(bent) = self.bent(x) {
            for (block, more) in hessian.iter_mut().flatten().zip(bent.iter().flatten()) {
                *block += more;
            }
        }
        hessian
    }
}

impl Batched<STENCIL> for Acting {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::pose::JointFrame;
    use crate::constraint::{Hinge, Turned};
    use ipcsim_energy::testing;

    /// Vertices of two bodies, and a row between them.
    fn row(rule: Rule, act: Act) -> (Acting, [Vec2; STENCIL]) {
        let x = [
            [0.1, 0.2],
            [1.3, -0.4],
            [0.0, 0.0],
            [-0.7, 0.9],
            [0.4, 2.1],
            [0.0, 0.0],
        ];
        let x = x.map(Vec2::from);
        let at = Vec2::new(0.3, 0.5);
        let first = JointFrame::turning([0, 1], [x[0], x[1]], at, Vec2::x());
        let second = JointFrame::turning([3, 4], [x[3], x[4]], at, Vec2::x());
        let acting = Acting {
            rule,
            ends: Ends::of(&[first, second]),
            near: [0.0; 2],
            act,
        };
        (acting, x)
    }

    /// A force of 3 N and -2 N that may grow to these bounds.
    fn multiplier(bounds: [f64; 2]) -> Act {
        Act::Close(Multiplier {
            force: Vec2::new(3.0, -2.0),
            stiffness: 40.0,
            bounds,
            aim: 0.0,
            turns: false,
        })
    }

    #[test]
    fn derivatives_match_differences() {
        let pulls = multiplier([f64::NEG_INFINITY, f64::INFINITY]);
        let slips = multiplier([-1.0, 1.0]);
        for act in [pulls, slips] {
            let (hinge, x) = row(Rule::Hinge(Hinge), act);
            let mut moved = x;
            moved[0] += Vec2::new(0.1, 0.0);
            moved[3] -= Vec2::new(0.0, 0.3);
            testing::check(&hinge, moved, 1e-6, false);
        }
    }

    #[test]
    fn a_spring_that_turns_has_its_whole_hessian() {
        // Pressed and pulled.
        for rest in [0.4, -0.4] {
            let pull = Pull {
                stiffness: [30.0, 0.0],
                rest: [rest, 0.0],
                share: 0.6,
                turns: true,
            };
            let rod = Rule::Rod(DistanceConstraint { length: 1.5 });
            let (spring, mut x) = row(rod, Act::Pull(pull));
            x[0] += Vec2::new(0.8, 0.9);
            testing::check(&spring, x, 1e-6, true);
        }
    }

    #[test]
    fn a_barrier_grows_without_bound_at_each_limit_and_is_infinite_beyond() {
        let stay = Act::Stay(Stay {
            range: [-0.5, 0.5],
            reach: 0.1,
            stiffness: 3.0,
        });
        let (limited, mut x) = row(Rule::Turned(Turned), stay);
        assert_eq!(limited.value(&x), 0.0);

        // The second body turns against the first.
        let turn = |angle: f64| {
            let about = x[3];
            about + nalgebra::Rotation2::new(angle) * (x[4] - about)
        };
        let ends = [0.45, 0.499, 0.501, -0.49].map(turn);
        let mut value = |end: Vec2| {
            x[4] = end;
            limited.value(&x)
        };
        assert!(value(ends[0]) > 0.0 && value(ends[1]) > 10.0 * value(ends[0]));
        assert_eq!(value(ends[2]), f64::INFINITY);
        assert!(value(ends[3]) > value(ends[0]));
        x[4] = ends[0];
        testing::check(&limited, x, 1e-5, true);
    }

    #[test]
    fn the_energy_of_a_bounded_force_is_the_best_of_all_forces_within_its_bounds() {
        let multiplier = Multiplier {
            force: Vec2::new(3.0, 0.0),
            stiffness: 40.0,
            bounds: [-2.0, 5.0],
            aim: 0.1,
            turns: false,
        };
        for k in -20..=20 {
            let residual = 0.05 * f64::from(k);
            let asked = 3.0 + 40.0 * (residual - 0.1);
            // The energy is the largest of f c - f^2 / 2 k, by trial of many forces f.
            let tried = (0..=70_000).map(|n| -2.0 + 1e-4 * f64::from(n));
            let best = tried
                .map(|force| (force * asked - 0.5 * force * force) / 40.0)
                .fold(f64::NEG_INFINITY, f64::max);
            let value = multiplier.value(Vec2::new(residual, 0.0));
            assert!((value - best).abs() < 1e-9, "{residual}: {value} {best}");
        }
    }

    #[test]
    fn what_a_bounded_force_leaves_open_counts_only_as_far_as_the_force_may_change() {
        let multiplier = Multiplier {
            force: Vec2::new(4.0, 0.0),
            stiffness: 40.0,
            bounds: [-2.0, 5.0],
            aim: 0.0,
            turns: false,
        };
        // The force may grow by 1 N, which 0.025 m ask for, and fall by 6 N.
        for (residual, missing) in [(0.02, 0.02), (3.0, 0.025), (-0.1, 0.1), (-7.0, 0.15)] {
            let found = multiplier.missing(Vec2::new(residual, 0.0));
            assert!((found - missing).abs() < 1e-15, "{residual}: {found}");
        }
        let largest = Multiplier {
            force: Vec2::new(5.0, 0.0),
            ..multiplier
        };
        assert_eq!(largest.missing(Vec2::new(3.0, 0.0)), 0.0);
    }
}
