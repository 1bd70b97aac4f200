//! How constraints are closed: their forces during one stage.
//!
//! A stage begins with the forces `lambda` of the last step and a first stiffness `k`. Newton's
//! method minimises the potential with them; if a joint is open near the minimum,
//!
//! `lambda <- lambda + d`
//!
//! for all joints, with the changes `d` that close them to first order, and the minimisation
//! continues; where these are unknown, `d = k c`. If at a minimum the largest residual has shrunk
//! by less than the factor [`JOINT_SLOW`], `k` grows. Openings count relative to the rounding of
//! positions and to the size of the bodies. A force with bounds, of a rope or a motor, stays
//! between these.

use super::Joint;
use super::augmented_lagrangian::{Act, Acting, Pull};
use super::limit_ccd::passage;
use super::pose::STENCIL;
use super::warm_start::WarmStart;
use crate::tuning::{
    JOINT_CLOSED, JOINT_GROWTH, JOINT_MOST_RENEWALS, JOINT_NEARLY_CLOSED, JOINT_ROUNDINGS,
    JOINT_SLOW,
};
use ipcsim_energy::{Energy, Summed};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::path::Sweep;
use std::cmp::Ordering;
use std::f64::consts::TAU;

/// The constraints of a stage as energies, with the forces that close them.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// Action of each row, in the order of the joints.
    pub(super) rows: Summed<Acting, STENCIL>,
    /// Number of the joint of each row, and the residual (m) below which it counts as closed,
    /// rounding aside.
    notes: Vec<Note>,
    /// True if a row counts turns.
    count_turns: bool,
    /// True if a row has limits.
    limit: bool,
    /// True if a residual is not a linear function of positions.
    pub(super) bend: bool,
    /// Number of renewals of the forces in this stage.
    renewals: usize,
    /// Largest residual at the last renewal, relative to the one that counts as closed.
    widest: Option<f64>,
}

/// Properties of a row besides its action.
#[derive(Clone, Copy, Debug)]
struct Note {
    /// Number of its joint.
    joint: usize,
    /// Residual (m) below which it counts as closed, rounding aside.
    closed: f64,
    /// True if its joint has broken: it does nothing.
    is_broken: bool,
}

/// The constraint that is farthest from being closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// First vertex of the constraint.
    pub vertex: usize,
    /// Number of the joint.
    pub joint: usize,
    /// Residual `|c|` of the constraint (m).
    pub distance: f64,
    /// Residual relative to the one that counts as closed.
    excess: f64,
}

impl Note {
    /// Residual of the row, whose first vertex is `vertex` and whose vertices are `at` (m), where this
    /// distance is `missing` (m). Rounding of positions opens a joint, too.
    fn residual(&self, vertex: usize, at: &[Vec2; STENCIL], missing: f64) -> Residual {
        let rounding = at.iter().map(Vec2::amax).fold(0.0, f64::max) * f64::EPSILON;
        Residual {
            vertex,
            joint: self.joint,
            distance: missing,
            excess: missing / (self.closed + JOINT_ROUNDINGS * rounding),
        }
    }
}

impl Residual {
    /// Order by how far residuals are from being closed.
    fn order(&self, other: &Self) -> Ordering {
        self.excess.total_cmp(&other.excess)
    }
}

impl Constraints {
    /// Constraints of `joints` at the start of a stage.
    pub fn new(joints: &[Joint], outset: &WarmStart) -> Self {
        let mut constraints = Self::default();
        let count = joints.iter().map(|joint| joint.rows.len()).sum();
        constraints.rows.reserve(count);
        constraints.notes.reserve(count);
        for (number, joint) in joints.iter().enumerate() {
            let near = outset.near(number);
            for row in &joint.rows {
                let row_number = constraints.notes.len();
                let multiplier = outset.forces.get(row_number).copied();
                let acting = Acting {
                    rule: row.rule,
                    act: outset.act(
                        row,
                        row_number,
                        near,
                        multiplier.unwrap_or_else(Vec2::zeros),
                    ),
                    ends: row.ends.clone(),
                    near,
                };

                constraints.notes.push(Note {
                    joint: number,
                    closed: JOINT_CLOSED * row.unit,
                    is_broken: outset.is_broken(number),
                });
                constraints.rows.push(acting.ends.vertices, acting);
            }
        }

        // Broken joints stay as rows, so that numbers of forces do not shift.
        if constraints.notes.iter().any(|note| note.is_broken) {
            constraints.let_go();
        }

        // Flags by which a solve skips work that no row needs.
        let mut rows = constraints.rows.elements.iter();
        constraints.count_turns = rows.clone().any(|acting| acting.rule.counts_turns());
        constraints.limit = rows
            .clone()
            .any(|acting| matches!(acting.act, Act::Stay(_)));
        constraints.bend = rows.any(|acting| !acting.rule.is_linear());
        constraints
    }

    /// Takes all force from the rows of broken joints.
    fn let_go(&mut self) {
        for (acting, note) in self.rows.elements.iter_mut().zip(&self.notes) {
            if note.is_broken {
                acting.act = Act::Pull(Pull {
                    stiffness: [0.0; 2],
                    rest: [0.0; 2],
                    share: 1.0,
                    turns: false,
                });
            }
        }
    }

    /// The same constraints, with springs whose exact Hessian has their turning: for paths of
    /// equilibria, whose tangent follows from the whole Hessian.
    #[must_use]
    pub fn turning(mut self) -> Self {
        for acting in &mut self.rows.elements {
            if let Act::Pull(pull) = &mut acting.act {
                pull.turns = true;
            }
        }
        self
    }

    /// The same constraints, with springs, rods and ropes whose exact Hessian has their turning: for
    /// derivatives of a solution.
    #[must_use]
    pub fn all_turning(self) -> Self {
        let mut turning = self.turning();
        for acting in &mut turning.rows.elements {
            if let Act::Close(multiplier) = &mut acting.act {
                multiplier.turns = true;
            }
        }
        turning
    }

    /// True if nothing is joined.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Sum of the energies of all rows, an energy of positions.
    pub fn energy(&self) -> &dyn Energy {
        &self.rows
    }

    /// True if all constraints are closed at the positions `x` (m), as far as rounding allows; true
    /// without constraints.
    pub fn are_closed(&self, x: &[Vec2]) -> bool {
        self.residuals(x).all(|residual| residual.excess <= 1.0)
    }

    /// True if all constraints are closed at the positions `x` (m) to the residual that is acceptable
    /// where closing them further takes forces without bound, as at a dead centre.
    pub fn are_nearly_closed(&self, x: &[Vec2]) -> bool {
        self.residuals(x)
            .all(|residual| residual.excess <= JOINT_NEARLY_CLOSED)
    }

    /// Constraint that is farthest from being closed at the positions `x` (m); `None` without
    /// constraints.
    pub fn widest(&self, x: &[Vec2]) -> Option<Residual> {
        self.residuals(x).max_by(Residual::order)
    }

    /// Openings at the positions `x` (m) of all constraints that are to be closed.
    fn residuals(&self, x: &[Vec2]) -> impl Iterator<Item = Residual> {
        let rows = self.rows.iter().zip(&self.notes);
        rows.filter_map(|((stencil, acting), note)| {
            let Act::Close(multiplier) = &acting.act else {
                return None;
            };
            let at = stencil.map(|i| x[i]);
            let residual = acting.residual(&at);
            Some(note.residual(stencil[0], &at, multiplier.missing(residual)))
        })
    }

    /// Largest number of turns that a row which counts them still has before it at the positions `x` (m),
    /// whether its force reaches that far or not, after a vertex of it; `None` without such rows.
    pub fn most_turns(&self, x: &[Vec2]) -> Option<(usize, f64)> {
        let lacking = self.rows.iter().filter_map(|(stencil, acting)| {
            let Act::Close(multiplier) = &acting.act else {
                return None;
            };
            if !acting.rule.counts_turns() {
                return None;
            }
            let residual = acting.residual(&stencil.map(|i| x[i]));
            Some((stencil[0], (residual.x - multiplier.aim).abs() / TAU))
        });
        lacking.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// Number of renewals of the forces in this stage.
    pub fn renewals(&self) -> usize {
        self.renewals
    }

    /// Counts renewals anew, for another minimisation of the same stage.
    pub fn begin_again(&mut self) {
        self.renewals = 0;
        self.widest = None;
    }

    /// Renews the forces at the positions `x` (m) near a minimum: by the `changes` (N) of all rows,
    /// or by `k c` without them and where a force is at a bound. True if the last renewal has
    /// closed the constraints by little.
    ///
    /// # Errors
    /// The constraint that is farthest from being closed, if they have been renewed too often.
    pub fn renew(&mut self, x: &[Vec2], changes: Option<&[Vec2]>) -> Result<bool, Residual> {
        self.renewals += 1;
        if self.renewals > JOINT_MOST_RENEWALS {
            return self.widest(x).map_or(Ok(false), Err);
        }

        let mut widest: Option<Residual> = None;
        let rows = self.rows.elements.iter_mut().zip(&self.rows.stencils);
        for (number, (acting, stencil)) in rows.enumerate() {
            let at = stencil.map(|i| x[i]);
            let residual = acting.residual(&at);
            let Act::Close(multiplier) = &mut acting.act else {
                continue;
            };

            let missing = multiplier.missing(residual);
            let own = self.notes[number].residual(stencil[0], &at, missing);
            if widest.is_none_or(|widest| Residual::order(&own, &widest).is_ge()) {
                widest = Some(own);
            }
            let change = changes.and_then(|changes| changes.get(number));
            multiplier.force = multiplier.renewed(residual, change);
        }

        // Slow is measured against the renewal before; without one, nothing is slow.
        let excess = widest.map(|widest| widest.excess);
        let last = self.widest;
        self.widest = excess.or(last);
        Ok(last
            .zip(excess)
            .is_some_and(|(last, excess)| excess > JOINT_SLOW * last))
    }

    /// Makes constraints stiffer, whose residuals shrink slowly.
    pub fn stiffen(&mut self) {
        for acting in &mut self.rows.elements {
            if let Act::Close(multiplier) = &mut acting.act {
                multiplier.stiffness *= JOINT_GROWTH;
            }
        }
    }

    /// Force (N) of each row against its residual at the positions `x` (m), in the order of the
    /// joints: of springs and dampers as they are there, whatever their share in the stage.
    pub fn forces(&self, x: &[Vec2]) -> Vec<Vec2> {
        let rows = self.rows.iter();
        rows.map(|(stencil, acting)| acting.whole_force(acting.residual(&stencil.map(|i| x[i]))))
            .collect()
    }

    /// Counts turns on to the positions `x` (m) of a state that was accepted.
    pub fn follow(&mut self, x: &[Vec2]) {
        if !self.count_turns {
            return;
        }
        for (acting, stencil) in self.rows.elements.iter_mut().zip(&self.rows.stencils) {
            if acting.rule.counts_turns() {
                let pose = acting.pose(&stencil.map(|i| x[i]));
                acting.near = acting.rule.counted(&pose);
            }
        }
    }

    /// Angles (rad) of both bodies of each of `count` joints, over turns; 0 where none are counted.
    pub fn turned(&self, count: usize) -> Vec<Vec2> {
        let mut turned = vec![Vec2::zeros(); count];
        for (acting, note) in self.rows.elements.iter().zip(&self.notes) {
            if acting.rule.counts_turns() {
                turned[note.joint] = Vec2::from(acting.near);
            }
        }
        turned
    }

    /// True if a motion is limited by joints, or turns are counted on it.
    pub fn bound_motion(&self) -> bool {
        self.count_turns || self.limit
    }

    /// Largest fraction of a motion on which no joint gets near one of its limits, and on which
    /// turns can be counted by their ends; 1 if nothing bounds it.
    pub fn max_step(&self, motion: &Sweep) -> f64 {
        let fractions = self
            .rows
            .elements
            .iter()
            .map(|acting| passage(acting, motion));
        fractions.fold(1.0, f64::min)
    }

    /// True if no joint is at or beyond a limit at the stored positions `x` (m).
    pub fn admit(&self, x: &[Vec2]) -> bool {
        let mut rows = self.rows.iter();
        !self.limit
            || rows.all(|(stencil, acting)| match &acting.act {
                Act::Stay(stay) => stay.gap(acting.residual(&stencil.map(|i| x[i])).x) > 0.0,
                _ => true,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{
        Aim, ConstraintAction, ConstraintRow, DistanceConstraint, JointFrame, Motor, Rule,
        first_residuals,
    };
    use ipcsim_math::varying::Varying;
    use nalgebra::{DMatrix, DVector};

    /// A joint that does something about the distance of two vertices beyond a length (m), with the
    /// size that its residual counts relative to (m).
    fn joint(ends: [usize; 2], length: f64, action: ConstraintAction, unit: f64) -> Joint {
        let rule = Rule::Rod(DistanceConstraint { length });
        let frames = ends.map(JointFrame::vertex);
        Joint {
            label: "joint".to_owned(),
            bodies: ends,
            rows: vec![ConstraintRow::new(rule, action, &frames, 1.0, unit)],
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        }
    }

    /// Points of 1 kg on a line, the first of them held, in a step of 1 s to the minimum of
    /// `1/2 |x - flown|^2` and the energies of joints.
    struct Line {
        /// What joins the points.
        constraints: Constraints,
        /// Places without joints (m).
        flown: Vec<f64>,
        /// Places (m).
        x: Vec<Vec2>,
    }

    impl Line {
        /// Points that start at these places (m) and would fly from there by a distance (m).
        fn new(joints: &[Joint], places: &[f64], way: f64) -> Self {
            let x: Vec<Vec2> = places.iter().map(|&x| Vec2::new(x, 0.0)).collect();
            let before = first_residuals(joints, &x, &[]);
            let outset = WarmStart {
                before: &before,
                ..WarmStart::START
            };
            Self {
                constraints: Constraints::new(joints, &outset),
                flown: places.iter().map(|x| x + way).collect(),
                x,
            }
        }

        /// Slope by the places of all points but the first.
        fn slope(&self, x: &[Vec2]) -> DVector<f64> {
            let mut gradient = vec![Vec2::zeros(); x.len()];
            let energy = self.constraints.energy();
            energy.add_gradient(x, 1.0, &mut gradient);
            let slopes = (1..x.len()).map(|i| gradient[i].x + x[i].x - self.flown[i]);
            DVector::from_iterator(x.len() - 1, slopes)
        }

        /// Moves the points to the minimum with the present forces, by differences of the slope. Where a
        /// force reaches its bound the whole step would lead too far.
        fn minimise(&mut self) {
            let count = self.x.len() - 1;
            for _ in 0..60 {
                let slope = self.slope(&self.x);
                if slope.norm() < 1e-12 {
                    break;
                }
                let columns: Vec<DVector<f64>> = (0..count)
                    .map(|k| {
                        let mut moved = self.x.clone();
                        moved[k + 1].x += 1e-7;
                        (self.slope(&moved) - &slope) / 1e-7
                    })
                    .collect();
                let hessian = DMatrix::from_columns(&columns);
                let way = hessian.lu().solve(&slope).unwrap();
                let moved = |share: f64| -> Vec<Vec2> {
                    let mut moved = self.x.clone();
                    for k in 0..count {
                        moved[k + 1].x -= share * way[k];
                    }
                    moved
                };
                let shares = (0..40).map(|k| 0.5_f64.powi(k));
                let mut ways = shares.map(moved);
                let lower = ways.find(|x| self.slope(x).norm() < slope.norm());
                let Some(x) = lower else {
                    break;
                };
                self.x = x;
            }
        }

        /// Renews the forces at minima until joints are closed. Returns how often.
        fn close(&mut self) -> usize {
            for count in 0..JOINT_MOST_RENEWALS {
                self.minimise();
                if self.constraints.are_closed(&self.x) {
                    return count;
                }
                self.constraints.renew(&self.x, None).unwrap();
            }
            JOINT_MOST_RENEWALS
        }

        /// Pull in each joint (N).
        fn pulls(&self) -> Vec<f64> {
            let forces = self.constraints.forces(&self.x);
            forces.iter().map(|force| force.x).collect()
        }
    }

    #[test]
    fn rods_of_a_hanging_chain_carry_what_hangs_on_them() {
        let rod = |k: usize| joint([k, k + 1], 1.0, ConstraintAction::Closed, 1.0);
        let joints: Vec<Joint> = (0..5).map(rod).collect();
        let mut chain = Line::new(&joints, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 9.81);
        let renewals = chain.close();
        assert!(renewals <= 6, "{renewals}");
        for (k, pull) in chain.pulls().into_iter().enumerate() {
            let expected = 9.81 * (5 - k) as f64;
            assert!((pull - expected).abs() < 1e-6, "{k}: {pull}");
            assert!((chain.x[k + 1].x - (k + 1) as f64).abs() < 1e-9);
        }
    }

    #[test]
    fn ropes_hold_what_pulls_on_them_and_let_go_what_does_not() {
        let rope = || [joint([0, 1], 1.0, ConstraintAction::Taut, 1.0)];
        // Pulled by 3 N, slack, and pulled tight within the step.
        for (place, way, end, pull) in [
            (1.0, 3.0, 1.0, 3.0),
            (0.9, -0.5, 0.4, 0.0),
            (0.4, 0.8, 1.0, 0.2),
        ] {
            let mut line = Line::new(&rope(), &[0.0, place], way);
            line.close();
            assert!((line.x[1].x - end).abs() < 1e-9, "{}", line.x[1].x);
            assert!((line.pulls()[0] - pull).abs() < 1e-6, "{:?}", line.pulls());
        }
    }

    #[test]
    fn motors_keep_their_speed_up_to_their_largest_force_and_slip_beyond() {
        // From rest to 2 m/s in 1 s takes 2 N.
        for most in [0.5, 1.9, 2.1, 50.0] {
            let motor = ConstraintAction::Driven(Motor {
                aim: Aim::Speed(Varying::Constant(2.0)),
                unit: 1.0,
                most,
            });
            let mut line = Line::new(&[joint([0, 1], 0.0, motor, 1.0)], &[0.0, 1.0], 0.0);
            line.close();
            let push = most.min(2.0);
            assert!((line.x[1].x - (1.0 + push)).abs() < 1e-9, "{most}");
            assert!((line.pulls()[0] + push).abs() < 1e-6, "{:?}", line.pulls());
        }
    }

    #[test]
    fn slow_residuals_are_told_from_those_that_shrink_and_stiffer_rows_push_more() {
        let rod = joint([0, 1], 1.0, ConstraintAction::Closed, 1.0);
        let mut constraints = Constraints::new(&[rod], &WarmStart::START);
        let open = |way: f64| [Vec2::zeros(), Vec2::new(1.0 + way, 0.0)];
        let mut is_slow = |way: f64| constraints.renew(&open(way), None).unwrap();
        assert_eq!(
            [1.0, 0.6, 0.2, 0.11].map(&mut is_slow),
            [false, true, false, true]
        );

        // The force has become the sum of all renewals; only further residuals meet the new stiffness.
        let pull = |constraints: &Constraints, way| constraints.forces(&open(way))[0].x;
        let held = pull(&constraints, 0.0);
        let more = pull(&constraints, 0.01) - held;
        assert!((held / more - 191.0).abs() < 1e-8, "{held} {more}");
        constraints.stiffen();
        assert!((pull(&constraints, 0.0) - held).abs() < 1e-8);
        let stiffer = pull(&constraints, 0.01) - held;
        assert!((stiffer / more - JOINT_GROWTH).abs() < 1e-8);
    }

    #[test]
    fn renewals_end_with_the_joint_that_is_farthest_from_closed_for_its_size() {
        let joints = [
            joint([0, 1], 1.0, ConstraintAction::Closed, 100.0),
            joint([1, 2], 1.0, ConstraintAction::Closed, 1.0),
        ];
        let mut constraints = Constraints::new(&joints, &WarmStart::START);
        // Open by 2 m of 100 m, and by 0.1 m of 1 m.
        let x = [0.0, 3.0, 4.1].map(|x| Vec2::new(x, 0.0));
        for _ in 0..2 {
            for _ in 0..JOINT_MOST_RENEWALS {
                assert!(constraints.renew(&x, None).is_ok());
            }
            let torn = constraints.renew(&x, None).unwrap_err();
            assert_eq!([torn.joint, torn.vertex], [1, 1]);
            assert!((torn.distance - 0.1).abs() < 1e-12);
            constraints.begin_again();
        }
    }
}
