//! Assembly of linkages: bodies moved and turned until their joints close.
//!
//! Each body that may move has a displacement and an angle, and each joint gives equations between the
//! poses of two bodies: points meet, keep their distance or lie on a line, bodies turn alike. Their sum of
//! squares is minimised by the method of Levenberg and Marquardt, first by displacements only, which close
//! everything but loops, then with turns, and then from other angles: a loop of bars on one line has no
//! direction in which it would open. A loop closes in the pose near its given angles.

use ipcsim_math::elementary::rotation;
use ipcsim_math::{Vec2, perp};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeSet;

/// Largest opening of a joint that is closed (1), relative to the size of the linkage.
const CLOSED: f64 = 1e-12;

/// Largest number of steps from one start.
const STEPS: usize = 100;

/// Damping of the first step (1), relative to the diagonal, and the smallest and the largest one.
const DAMPING: [f64; 3] = [1e-4, 1e-15, 1e12];

/// Largest angles (rad) by which bodies are turned before a loop is tried again, and the number of
/// tries with each.
const TURNS: [f64; 6] = [0.02, 0.1, 0.4, 1.0, 2.0, 3.1];
const TRIES: usize = 6;

/// Golden ratio less 1: its multiples fill an interval evenly.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// A body that an assembly may move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Point about which it turns (m).
    pub pivot: Vec2,
    /// False if its angle is held.
    pub turns: bool,
}

/// Pose of a body relative to its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shift {
    /// Displacement of the pivot (m).
    pub by: Vec2,
    /// Angle about the pivot (rad).
    pub turn: f64,
}

/// A side of a tie: a link by its number, or something that stays.
pub(super) type Side = Option<usize>;

/// Equation between two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// Points of both bodies (m) meet.
    Meet([Vec2; 2]),
    /// Points of both bodies keep their distance (m).
    Apart([Vec2; 2], f64),
    /// A point of the second body (m) stays on the line of the first that goes through it along an
    /// axis (1).
    Along(Vec2, Vec2),
    /// Both bodies turn alike.
    Alike,
}

/// An equation of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    /// Number of the joint.
    pub joint: usize,
    /// Its two sides.
    pub sides: [Side; 2],
    /// The equation.
    pub rule: Rule,
}

/// Linkage that is to be assembled.
#[derive(Clone, Debug)]
pub(super) struct Linkage {
    /// Bodies that may move.
    pub links: Vec<Link>,
    /// Equations.
    pub ties: Vec<Tie>,
    /// Size (m), by which angles count as lengths.
    pub size: f64,
}

/// The nearest that an assembly came to closing all joints.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearest {
    /// Largest opening (m).
    gap: f64,
    /// Sum of all openings (m): what a loop of bars is too short or too long.
    pub missing: f64,
    /// Joints that are open, and have a part of it.
    pub joints: BTreeSet<usize>,
}

impl Link {
    /// Place of a point (m) of the link after a shift.
    pub(super) fn place(&self, shift: &Shift, point: Vec2) -> Vec2 {
        self.pivot + shift.by + rotation(shift.turn) * (point - self.pivot)
    }
}

impl Linkage {
    /// Shifts of all links that close the joints, `[links]`.
    ///
    /// # Errors
    /// How near the linkage comes to it.
    pub(super) fn assemble(&self) -> Result<Vec<Shift>, Nearest> {
        let start = vec![Shift::default(); self.links.len()];
        let translated = self.solve(start, false);
        let mut nearest = self.opening(&translated);
        if nearest.gap <= CLOSED * self.size {
            return Ok(translated);
        }

        // From the angles that are given, then from others farther and farther away.
        let others = TURNS.iter().flat_map(|turn| [*turn; TRIES]);
        for (number, turn) in std::iter::once(0.0).chain(others).enumerate() {
            let mut start = translated.clone();
            for (k, shift) in start.iter_mut().enumerate() {
                let place = (number * (k + 1)) as f64 * GOLDEN;
                shift.turn = turn * (2.0 * (place - place.floor()) - 1.0);
            }
            let found = self.solve(start, true);
            let opening = self.opening(&found);
            if opening.gap <= CLOSED * self.size {
                return Ok(found);
            }
            if opening.gap < nearest.gap {
                nearest = opening;
            }
        }
        Err(nearest)
    }

    /// Shifts near a start with the smallest openings, by displacements and, if asked for, turns.
    fn solve(&self, start: Vec<Shift>, turns: bool) -> Vec<Shift> {
        let mut shifts = start;
        let mut square = self.square(&shifts);
        let (mut normal, mut gradient) = self.equations(&shifts, turns);
        let mut damping = DAMPING[0];

        for _ in 0..STEPS {
            let most = normal.diagonal().max();
            if most == 0.0 || self.opening(&shifts).gap <= 0.01 * CLOSED * self.size {
                break;
            }
            let mut damped = normal.clone();
            for k in 0..damped.nrows() {
                damped[(k, k)] += damping * most;
            }

            // A step that opens joints is tried again with more damping.
            let factor = damped.cholesky();
            let trial = factor.map(|own| self.moved(&shifts, &-own.solve(&gradient)));
            let better = trial.filter(|trial| self.square(trial) < square);
            if let Some(trial) = better {
                shifts = trial;
                square = self.square(&shifts);
                (normal, gradient) = self.equations(&shifts, turns);
                damping = (0.1 * damping).max(DAMPING[1]);
            } else if damping < DAMPING[2] {
                damping *= 8.0;
            } else {
                break;
            }
        }
        shifts
    }

    /// Shifts after a step of the unknowns (m): three of each link, an angle times the size.
    fn moved(&self, shifts: &[Shift], step: &DVector<f64>) -> Vec<Shift> {
        let moved = shifts.iter().enumerate().map(|(k, shift)| Shift {
            by: shift.by + Vec2::new(step[3 * k], step[3 * k + 1]),
            turn: shift.turn + step[3 * k + 2] / self.size,
        });
        moved.collect()
    }

    /// Openings of all joints.
    fn opening(&self, shifts: &[Shift]) -> Nearest {
        let mut nearest = Nearest::default();
        for tie in &self.ties {
            let gap = self.residual(tie, shifts).norm();
            nearest.gap = nearest.gap.max(gap);
            nearest.missing += gap;
            if gap > 1e-6 * self.size {
                nearest.joints.insert(tie.joint);
            }
        }
        nearest
    }

    /// Sum of the squares of all residuals (m^2).
    fn square(&self, shifts: &[Shift]) -> f64 {
        let ties = self.ties.iter();
        ties.map(|tie| self.residual(tie, shifts).norm_squared())
            .sum()
    }

    /// Matrix of the normal equations and half of the gradient (m) of the sum of squares. Links that do
    /// not turn have no derivatives with respect to angles.
    ///
    /// Sums are made one by one, so that they have the same bits on every machine.
    fn equations(&self, shifts: &[Shift], turns: bool) -> (DMatrix<f64>, DVector<f64>) {
        let count = 3 * self.links.len();
        let mut normal = DMatrix::zeros(count, count);
        let mut gradient = DVector::zeros(count);
        for tie in &self.ties {
            let residual = self.residual(tie, shifts);
            let slopes = self.all_slopes(tie, shifts, turns);
            for &(i, slope) in &slopes {
                gradient[i] += slope.dot(&residual);
                for &(j, other) in &slopes {
                    normal[(i, j)] += slope.dot(&other);
                }
            }
        }
        (normal, gradient)
    }

    /// Derivatives of the residual of a tie, with the numbers of their unknowns.
    fn all_slopes(&self, tie: &Tie, shifts: &[Shift], turns: bool) -> Vec<(usize, Vec2)> {
        let mut all = Vec::with_capacity(6);
        for side in 0..2 {
            let Some(link) = tie.sides[side] else {
                continue;
            };
            let unknowns = if turns && self.links[link].turns {
                3
            } else {
                2
            };
            let slopes = self.slopes(tie, side, link, shifts);
            let numbered = (3 * link..).zip(slopes);
            all.extend(numbered.take(unknowns));
        }
        all
    }

    /// Place of a point (m) on one side of a tie.
    fn place(&self, tie: &Tie, side: usize, point: Vec2, shifts: &[Shift]) -> Vec2 {
        tie.sides[side].map_or(point, |link| self.links[link].place(&shifts[link], point))
    }

    /// Angle by which one side of a tie has turned (rad).
    fn turn(tie: &Tie, side: usize, shifts: &[Shift]) -> f64 {
        tie.sides[side].map_or(0.0, |link| shifts[link].turn)
    }

    /// Vector between the points of both sides (m).
    fn span(&self, tie: &Tie, points: [Vec2; 2], shifts: &[Shift]) -> Vec2 {
        let [a, b] = [0, 1].map(|side| self.place(tie, side, points[side], shifts));
        b - a
    }

    /// Residual of a tie (m).
    fn residual(&self, tie: &Tie, shifts: &[Shift]) -> Vec2 {
        match tie.rule {
            Rule::Meet(points) => self.span(tie, points, shifts),
            Rule::Apart(points, length) => {
                Vec2::new(self.span(tie, points, shifts).norm() - length, 0.0)
            }
            Rule::Along(at, axis) => {
                let across = rotation(Self::turn(tie, 0, shifts)) * perp(axis);
                Vec2::new(self.span(tie, [at; 2], shifts).dot(&across), 0.0)
            }
            Rule::Alike => {
                let turned = Self::turn(tie, 1, shifts) - Self::turn(tie, 0, shifts);
                Vec2::new(turned * self.size, 0.0)
            }
        }
    }

    /// Derivatives of the residual of a tie with respect to the displacement and the angle of one side.
    fn slopes(&self, tie: &Tie, side: usize, link: usize, shifts: &[Shift]) -> [Vec2; 3] {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let pivot = self.links[link].pivot + shifts[link].by;
        // Of the vector between the points.
        let span = |point: Vec2| {
            let arm = self.place(tie, side, point, shifts) - pivot;
            [Vec2::x(), Vec2::y(), perp(arm) / self.size].map(|slope| slope * sign)
        };

        match tie.rule {
            Rule::Meet(points) => span(points[side]),
            Rule::Apart(points, _) => {
                let along = self.span(tie, points, shifts);
                let along = along.try_normalize(0.0).unwrap_or_default();
                span(points[side]).map(|slope| Vec2::new(slope.dot(&along), 0.0))
            }
            Rule::Along(at, axis) => {
                let across = rotation(Self::turn(tie, 0, shifts)) * perp(axis);
                let mut slopes = span(at).map(|slope| Vec2::new(slope.dot(&across), 0.0));
                if side == 0 {
                    // The line turns with the first body.
                    let span = self.span(tie, [at; 2], shifts);
                    slopes[2].x += span.dot(&perp(across)) / self.size;
                }
                slopes
            }
            Rule::Alike => [Vec2::zeros(), Vec2::zeros(), Vec2::new(sign, 0.0)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A four-bar linkage of links of these lengths (m) on a base of 0.3 m: all of them lie along x from the
    /// origin, turned by these angles (degrees).
    fn four_bar(lengths: [f64; 3], angles: [f64; 3]) -> Linkage {
        let ends = [0, 1, 2].map(|k| rotation(angles[k].to_radians()) * Vec2::new(lengths[k], 0.0));
        let meet = |joint: usize, sides: [Side; 2], points: [Vec2; 2]| Tie {
            joint,
            sides,
            rule: Rule::Meet(points),
        };
        let origin = Vec2::zeros();
        let link = Link {
            pivot: origin,
            turns: true,
        };
        Linkage {
            links: vec![link; 3],
            ties: vec![
                meet(0, [None, Some(0)], [origin; 2]),
                meet(1, [Some(0), Some(1)], [ends[0], origin]),
                meet(2, [Some(1), Some(2)], [ends[1], ends[2]]),
                meet(3, [None, Some(2)], [Vec2::new(0.3, 0.0), origin]),
            ],
            size: 0.3,
        }
    }

    #[test]
    fn a_loop_closes_near_its_angles_and_also_from_a_line_or_tells_what_is_missing() {
        let lengths = [0.1, 0.26, 0.2];
        for angles in [[60.0, 25.0, 95.0], [0.0; 3], [-60.0, -25.0, -95.0]] {
            let linkage = four_bar(lengths, angles);
            let shifts = linkage.assemble().unwrap();
            assert!(linkage.opening(&shifts).gap < 1e-12);
            // The angles choose the branch.
            let rocker = angles[2].to_radians() + shifts[2].turn;
            assert!(angles[2] == 0.0 || (rocker.sin() > 0.0) == (angles[2] > 0.0));
        }

        // 0.1 + 0.05 + 0.1 is 0.05 m less than the base.
        let never = four_bar([0.1, 0.05, 0.1], [60.0, 0.0, 90.0]);
        let nearest = never.assemble().unwrap_err();
        assert!((nearest.missing - 0.05).abs() < 1e-6, "{nearest:?}");
        assert_eq!(nearest.joints.len(), 4);
    }

    #[test]
    fn slopes_are_derivatives() {
        let points = [Vec2::new(0.3, 0.1), Vec2::new(-0.2, 0.4)];
        let rules = [
            Rule::Meet(points),
            Rule::Apart(points, 0.2),
            Rule::Along(points[0], Vec2::new(0.6, 0.8)),
            Rule::Alike,
        ];
        let link = |x: f64| Link {
            pivot: Vec2::new(x, 0.2),
            turns: true,
        };
        let shifts = [[0.1, 0.2, 0.3], [-0.2, 0.1, -0.5]].map(|[x, y, turn]| Shift {
            by: Vec2::new(x, y),
            turn,
        });
        for rule in rules {
            let linkage = Linkage {
                links: vec![link(0.0), link(0.5)],
                ties: vec![Tie {
                    joint: 0,
                    sides: [Some(0), Some(1)],
                    rule,
                }],
                size: 0.7,
            };
            let tie = &linkage.ties[0];
            for (column, slope) in linkage.all_slopes(tie, &shifts, true) {
                let mut step = DVector::zeros(6);
                step[column] = 1e-6;
                let [after, before] = [1.0, -1.0]
                    .map(|sign| linkage.residual(tie, &linkage.moved(&shifts, &(&step * sign))));
                let error = ((after - before) / 2e-6 - slope).norm();
                assert!(error < 1e-8, "{rule:?} {column} {error}");
            }
        }
    }
}
