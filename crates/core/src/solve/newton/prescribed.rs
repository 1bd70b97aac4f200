//! Prescribed motion: how coordinates reach their targets during Newton's method (the free
//! physics-based simulation book, chapter on moving boundary conditions).
//!
//! If the path to all targets is free, coordinates are moved there at once and eliminated from the
//! Newton system. Elsewhere a penalty pulls them (see
//! [`Dirichlet`](crate::solve::dirichlet::Dirichlet)), and three things happen during the solve:
//!
//! - after each direction the rest of the displacement is tried again;
//! - if contact cuts directions short, penalties aim at a smaller piece of the displacement;
//! - at a minimum that is short of the targets, penalties become stiffer.
//!
//! If pieces become too small or penalties too stiff, something blocks the motion: the solve fails
//! with the vertex that is farthest from its target and the nearest pair in contact.

use super::direction::Direction;
use super::iterate::{Iterate, Trial};
use super::problem::Problem;
use super::progress::Progress;
use super::workspace::Newton;
use crate::body::Configuration;
use crate::solve::dirichlet::Blocked;
use crate::solve::failure::Failure;
use crate::solve::model::Model;
use crate::solve::potential::Potential;
use crate::tuning::SQUEEZED;
use ipcsim_contact::Contacts;
use ipcsim_math::Vec2;
use std::collections::BTreeMap;

impl Newton {
    /// Takes prescribed coordinates to their targets at once, if the path is free; true if it was.
    ///
    /// False too if all of them are at their targets already.
    ///
    /// # Errors
    /// [`Failure::Touching`], if things touch at the targets.
    pub(super) fn settle(
        &mut self,
        problem: &mut Problem,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<bool, Failure> {
        if problem.pins.all_met() {
            return Ok(false);
        }

        // The whole displacement, and a little more, must be free.
        let model = problem.potential.model;
        let there = &mut trial.iterate.at;
        let pins = &problem.pins;
        pins.way(&iterate.at.q, &mut direction.p, &mut there.q);
        carry_evenly(problem, &iterate.at.q, &mut direction.p, &mut there.q);
        model.coordinates.positions(&there.q, &mut there.x);
        if !self.moves_to(problem, direction, trial, iterate)? {
            return Ok(false);
        }
        problem.pins.meet(&iterate.at.q);
        Ok(true)
    }

    /// Moves the state to the trial at the end of a direction if the way there is free, and finds the
    /// contacts there; false, and without effect, if it is not.
    ///
    /// # Errors
    /// [`Failure::Touching`], if things touch there.
    pub(super) fn moves_to(
        &mut self,
        problem: &mut Problem,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<bool, Failure> {
        let bound = self.shorten(problem, iterate, direction);
        let Self { filter, log, .. } = self;
        let end: &Configuration = &trial.iterate.at;
        if !bound.is_full() || !filter.is_free(problem.potential, &iterate.at, end, false, log) {
            return Ok(false);
        }

        // Contacts there are found anew.
        self.accept(trial, iterate);
        let potential = &mut *problem.potential;
        potential.constraints.follow(&iterate.at.x);
        let ahead = &potential.stage.predicted.x;
        let Iterate { at, contacts } = iterate;
        let Self { filter, log, .. } = self;
        filter.find_contacts(
            potential.model,
            potential.barriers,
            &at.x,
            ahead,
            contacts,
            log,
        )?;
        Ok(true)
    }

    /// Brings prescribed coordinates closer to their targets after a direction was taken.
    ///
    /// A change of the penalties voids the progress so far.
    ///
    /// # Errors
    /// [`Failure::Touching`], if things touch at the targets.
    pub(super) fn approach(
        &mut self,
        problem: &mut Problem,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
        progress: &mut Progress,
    ) -> Result<(), Failure> {
        if self.settle(problem, direction, trial, iterate)? {
            *progress = Progress::default();
            return Ok(());
        }

        let pins = &mut problem.pins;
        if !pins.all_met() && progress.is_cut_short() && pins.shorten(&iterate.at.q) {
            *progress = Progress::default();
        }
        Ok(())
    }

    /// Makes the penalties stiffer that pull prescribed coordinates.
    ///
    /// # Errors
    /// [`Failure::Blocked`], if that has been done too often.
    pub(super) fn stiffen(&self, problem: &mut Problem, iterate: &Iterate) -> Result<(), Failure> {
        if problem.pins.stiffen() {
            return Ok(());
        }
        Err(self.blocked(problem, iterate))
    }

    /// Aims at a smaller piece of the displacement to the targets after a line search without
    /// progress.
    ///
    /// # Errors
    /// The `failure` of the line search, if it is another one or all coordinates are at their
    /// targets; [`Failure::Blocked`], if the piece has become too small.
    pub(super) fn retreat(
        &self,
        problem: &mut Problem,
        iterate: &Iterate,
        failure: Failure,
    ) -> Result<(), Failure> {
        let lacks_progress = matches!(failure, Failure::NoProgress { .. });
        if !lacks_progress {
            return Err(failure);
        }
        if problem.pins.all_met() {
            return Err(squeezed(problem, iterate).unwrap_or(failure));
        }

        // Smaller pieces, as long as they are not too small.
        if problem.pins.shorten(&iterate.at.q) {
            return Ok(());
        }
        Err(self.blocked(problem, iterate))
    }

    /// Failure of a solve that prescribed motion has left no room to; `None` if it has another cause.
    pub(super) fn without_room(&self, problem: &Problem, iterate: &Iterate) -> Option<Failure> {
        if problem.pins.all_met() {
            squeezed(problem, iterate)
        } else {
            Some(self.blocked(problem, iterate))
        }
    }

    /// Failure that names the coordinate farthest from its target, and the nearest pair that blocks
    /// it.
    fn blocked(&self, problem: &Problem, iterate: &Iterate) -> Failure {
        let model = problem.potential.model;
        let x = &iterate.at.x;
        let (node, distance) = problem.pins.farthest(&iterate.at.q);
        let vertex = model.coordinates.vertex_of(node);

        // The nearest contact of the same body, or the pair that touches.
        let body = model.surface.body[vertex];
        let pair = match Contacts::find(
            &model.surface,
            problem.potential.barriers,
            &self.filter.nearby.near,
            x,
        ) {
            Ok(contacts) => contacts.nearest_of(&model.surface, x, body),
            Err(touch) => Some(touch),
        };

        Blocked {
            vertex,
            distance,
            is_angle: model.coordinates.angle_node(vertex) == Some(node),
            pair,
        }
        .into()
    }
}

/// Takes all that is free along evenly where the periods of a scene that repeats move: nodes with the
/// coordinates `q`, their displacements `p` and their `end` (all `[nodes]`). Nodes next to images
/// would take up the whole motion otherwise.
fn carry_evenly(problem: &Problem, q: &[Vec2], p: &mut [Vec2], end: &mut [Vec2]) {
    let Model {
        coordinates, mass, ..
    } = problem.potential.model;
    let Some(lattice) = coordinates.lattice() else {
        return;
    };

    let mut moves = vec![[true; 2]; q.len()];
    let mut origin = Vec2::zeros();
    for goal in problem.pins.goals() {
        for axis in (0..2).filter(|&axis| goal.axes[axis]) {
            moves[goal.node][axis] = false;
            let is_of_body = mass[goal.node][axis] > 0.0 && coordinates.is_place(goal.node);
            if is_of_body && !lattice.periods().contains(&goal.node) {
                origin[axis] = q[goal.node][axis];
            }
        }
    }

    let reached: Vec<Vec2> = end.iter().zip(q).map(|(end, q)| end - q).collect();
    let whole = lattice.mean_motion(q, p);
    let exact = lattice.mean_motion(q, &reached);
    let places = (0..q.len()).filter(|&node| coordinates.is_place(node));
    for node in places.filter(|node| !lattice.periods().contains(node)) {
        let arm = q[node] - origin;
        for axis in (0..2).filter(|&axis| moves[node][axis] && mass[node][axis] > 0.0) {
            p[node][axis] += (whole * arm)[axis];
            end[node][axis] += (exact * arm)[axis];
        }
    }

    coordinates.follow(p);
    coordinates.follow(end);
}

/// Failure that names a contact which prescribed motion has left no room to: its gap is a small share of
/// the distance at which its barrier begins. `None` without one.
fn squeezed(problem: &Problem, iterate: &Iterate) -> Option<Failure> {
    let Potential {
        model,
        stage,
        barriers,
        ..
    } = &problem.potential;
    let Iterate { at, contacts } = iterate;
    let surface = &model.surface;
    let mut moved: BTreeMap<usize, usize> = BTreeMap::new();
    for goal in problem
        .pins
        .goals()
        .filter(|goal| !goal.is_met(&stage.reference.q))
    {
        let vertex = model.coordinates.vertex_of(goal.node);
        moved.entry(surface.body[vertex]).or_insert(vertex);
    }

    for pair in contacts.pairs(surface) {
        let [a, b] = pair.bodies(surface);
        let mover = moved.get(&a).or_else(|| moved.get(&b));
        let (Some(&vertex), true) = (mover, a != b) else {
            continue;
        };
        if pair.gap(surface, &at.x) < SQUEEZED * barriers.reach(surface, a, b) {
            let pair = Some(pair);
            let distance = 0.0;
            return Some(
                Blocked {
                    vertex,
                    distance,
                    is_angle: false,
                    pair,
                }
                .into(),
            );
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Target;
    use crate::solve::newton::strategy::Strategy;
    use crate::solve::test_problems::{Small, barriers, from_rest, held, potential, solver};
    use ipcsim_contact::ContactPair;

    /// Moves a point that is 1 m over level ground to another height in one step, and returns it.
    fn moved_to(height: f64) -> Result<Vec2, Failure> {
        let mut small = Small::default();
        let point = small.point([0.0, 1.0], 1.0);
        small.touch(point);
        small.plane([0.0, 1.0], [0.0, 0.0]);
        let (model, at) = small.model();
        let stage = from_rest(&model, &at, 0.1, [0.0, 0.0]);
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let mut solver = solver(&model);
        let mut iterate = solver.iterate_at(&model, &barriers, at.clone(), &at.x)?;
        let goal = Target {
            position: Vec2::new(0.5, height),
            ..held(&at, 0)
        };
        let targets = [goal, held(&at, 1)];
        solver.minimise(&mut potential, &targets, Strategy::USUAL, &mut iterate)?;
        Ok(iterate.at.q[0])
    }

    #[test]
    fn a_target_is_reached_to_the_bit_at_once_or_in_pieces() {
        // At 1 cm over the ground there is room for the motion itself and for no more, and the barrier
        // resists.
        for height in [2.0, 0.5, 0.01] {
            assert_eq!(moved_to(height), Ok(Vec2::new(0.5, height)));
        }
    }

    #[test]
    fn a_target_behind_the_ground_is_blocked_by_the_pair_in_between() {
        match moved_to(-0.5) {
            Err(Failure::Blocked(Blocked {
                vertex: 0,
                distance,
                is_angle: false,
                pair,
            })) => {
                assert!((0.5..=0.6).contains(&distance), "{distance}");
                assert_eq!(pair, Some(ContactPair::Plane { point: 0, plane: 0 }));
            }
            other => panic!("{other:?}"),
        }
    }
}
