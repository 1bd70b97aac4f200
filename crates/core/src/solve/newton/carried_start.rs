//! Start of a step in which bodies turn together with what they touch.
//!
//! A body that is held on a turning wrist, or pressed against a drum, moves on an arc. Its flight
//! along the tangent leads away from its partner or into it by the sagitta of the arc, which is
//! often more than the gap. Newton's method then begins far from the minimum, and a prescribed
//! partner cannot reach its target at all before the body has left its way. So the flight here turns
//! along with the body: velocities that belong to a rotation about any place turn as the body does.
//!
//! The guess is tried only where arcs differ from tangents by a part of the reach of contact.

use super::direction::Direction;
use super::iterate::{Iterate, Trial};
use super::problem::Problem;
use super::workspace::Newton;
use crate::body::Configuration;
use crate::solve::failure::Failure;
use crate::solve::model::Model;
use crate::solve::stage::TurningFlight;
use crate::tuning::{CARRIED_PIECES, CARRIED_SAGITTA};

impl Newton {
    /// True if a rigid body leaves its tangent in the step by a part of its reach of contact.
    pub(super) fn flies_on_arcs(problem: &Problem, iterate: &Iterate) -> bool {
        let model = problem.potential.model;
        if iterate.contacts.is_empty() {
            return false;
        }
        let Some(TurningFlight { way, .. }) = &problem.potential.stage.turning else {
            return false;
        };
        let surface = &model.surface;
        let mut turning = model.coordinates.rigid_nodes();
        turning.any(|[center, angle]| {
            let body = surface.body[model.coordinates.vertex_of(center)];
            let sagitta = way[center].norm() * way[angle].x.abs();
            sagitta > CARRIED_SAGITTA * surface.reach.most_of(body)
        })
    }

    /// Takes prescribed coordinates to their targets together with bodies that turn as before, in one
    /// piece or in several, each a motion that is free; true if anything was moved.
    ///
    /// Where a later piece is blocked the state stays at the end of the pieces before it.
    ///
    /// # Errors
    /// [`Failure::Touching`], if things touch at the targets.
    pub(super) fn carry(
        &mut self,
        problem: &mut Problem,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<bool, Failure> {
        for count in [1, CARRIED_PIECES] {
            for piece in 0..count {
                let end = &mut trial.iterate.at;
                if !self.aim_along(problem, [piece, count], &iterate.at, direction, end) {
                    return Ok(false);
                }

                if !self.moves_to(problem, direction, trial, iterate)? {
                    // What is done stays; smaller pieces may do where nothing is.
                    if piece > 0 {
                        return Ok(true);
                    }
                    break;
                }
                if piece + 1 == count {
                    problem.pins.meet(&iterate.at.q);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Writes the direction and the end of one piece of `count` from a configuration `at`: prescribed
    /// coordinates go straight to their targets, bodies on arcs. False if no motion is known that
    /// could go on.
    fn aim_along(
        &self,
        problem: &Problem,
        [piece, count]: [usize; 2],
        at: &Configuration,
        direction: &mut Direction,
        end: &mut Configuration,
    ) -> bool {
        let coordinates = &problem.potential.model.coordinates;
        let Some(flight) = &problem.potential.stage.turning else {
            return false;
        };

        // All of it, then the piece.
        problem.pins.way(&at.q, &mut direction.p, &mut end.q);
        let parts = [piece, piece + 1].map(|k| k as f64 / count as f64);
        coordinates.turn_along(&flight.way, parts, flight.behind, &mut direction.p);
        let share = ((count - piece) as f64).recip();
        self.aim_together(problem, share, at, direction, end);
        true
    }

    /// Completes a direction from `at` whose free coordinates have their way, and its end, which has prescribed
    /// coordinates at their targets: these go a `share` of the way there, fixed ones stay.
    pub(super) fn aim_together(
        &self,
        problem: &Problem,
        share: f64,
        at: &Configuration,
        direction: &mut Direction,
        end: &mut Configuration,
    ) {
        let Model {
            coordinates, mass, ..
        } = problem.potential.model;
        let on_way = problem.pins.on_way(at.q.len());
        for (i, p) in direction.p.iter_mut().enumerate() {
            for axis in 0..2 {
                let start = at.q[i][axis];
                if on_way[i][axis] {
                    p[axis] = (end.q[i][axis] - start) * share;
                } else if self.systems.fixed[i][axis] || mass[i][axis] == 0.0 {
                    p[axis] = 0.0;
                }

                // The last piece ends at targets to the bit.
                if !on_way[i][axis] || share < 1.0 {
                    end.q[i][axis] = start + p[axis];
                }
            }
        }
        coordinates.follow(&mut direction.p);
        coordinates.follow(&mut end.q);
        coordinates.positions(&end.q, &mut end.x);
    }
}
