//! How constraints are closed: their forces during one stage.
//!
//! A stage begins with the forces `lambda` of the last step and a first stiffness `k`. Newton's
//! method minimises the potential with them; if a joint is open near the minimum,
//!
//! `lambda <- lambda + d`
//!
//! for all joints, with the changes `d` that close them to first order, and the minimisation
//! continues; where nobody knows these, `d = k c`. If at a minimum the largest residual has shrunk
//! by less than the factor [`SLOW`], `k` grows. Openings count relative to what rounding and the
//! size of the bodies allow. A force with bounds, that of a rope or a motor, stays between these.

use super::Joint;
use super::augmented_lagrangian::{Act, Acting, Pull};
use super::limit_ccd::passage;
use super::pose::STENCIL;
use super::tuning::{CLOSED, GROWTH, MOST_RENEWALS, ROUNDINGS, SLOW};
use super::warm_start::WarmStart;
use ipcsim_energy::{Energy, Summed};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::path::Sweep;
use std::cmp::Ordering;

/// The constraints of a stage as energies, with the forces that close them.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// What each row does, in the order of the joints.
    pub(super) rows: Summed<Acting, STENCIL>,
    /// Number of the joint of each row, and the residual (m) below which it counts as closed,
    /// rounding aside.
    notes: Vec<Note>,
    /// True if a row counts turns.
    count_turns: bool,
    /// True if a row has limits.
    limit: bool,
    /// True if a residual is no linear function of positions.
    pub(super) bend: bool,
    /// Number of renewals of the forces in this stage.
    renewals: usize,
    /// Largest residual at the last renewal, relative to the one that counts as closed.
    widest: Option<f64>,
}

/// Knowledge of a row beside what it does.
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
            excess: missing / (self.closed + ROUNDINGS * rounding),
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
                let multiplier = outset.forces.get(constraints.notes.len()).copied();
                let acting = Acting {
                    rule: row.rule,
                    act: outset.act(row, near, multiplier.unwrap_or_else(Vec2::zeros)),
                    ends: row.ends.clone(),
                    near,
                };

                constraints.notes.push(Note {
                    joint: number,
                    closed: CLOSED * row.unit,
                    is_broken: outset.is_broken(number),
                });
                constraints.rows.push(acting.ends.vertices, acting);
            }
        }
        if constraints.notes.iter().any(|note| note.is_broken) {
            constraints.let_go();
        }

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
                    turns: false,
                });
            }
        }
    }

    /// The same constraints, with springs whose exact Hessian has their turning: for paths of
    /// equilibria, whose tangent is that of the whole Hessian.
    #[must_use]
    pub fn turning(mut self) -> Self {
        for acting in &mut self.rows.elements {
            if let Act::Pull(pull) = &mut acting.act {
                pull.turns = true;
            }
        }
        self
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
        if self.renewals > MOST_RENEWALS {
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

        let excess = widest.map(|widest| widest.excess);
        let last = self.widest;
        self.widest = excess.or(last);
        Ok(last
            .zip(excess)
            .is_some_and(|(last, excess)| excess > SLOW * last))
    }

    /// Makes constraints stiffer, whose residuals shrink slowly.
    pub fn stiffen(&mut self) {
        for acting in &mut self.rows.elements {
            if let Act::Close(multiplier) = &mut acting.act {
                multiplier.stiffness *= GROWTH;
            }
        }
    }

    /// Force (N) of each row against its residual at the positions `x` (m), in the order of the
    /// joints.
    pub fn forces(&self, x: &[Vec2]) -> Vec<Vec2> {
        let rows = self.rows.iter();
        rows.map(|(stencil, acting)| acting.force(acting.residual(&stencil.map(|i| x[i]))))
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
                acting.near = [pose.angle(0), pose.angle(1)];
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
