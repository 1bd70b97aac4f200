//! The filter of the line search: how far a direction is safe, and whether a motion is free (Li et
//! al. 2020, section 4.4).
//!
//! A direction is bounded twice: by the first element that would lose too much of its area, then by
//! the first pair that would touch. Both bounds are conservative. The motion that is finally taken
//! differs from the bounded one by the rounding of stored coordinates, so it is tested once more,
//! exactly, before it is accepted.
//!
//! All tests ask the same list of candidates, which holds for the direction ([`super::active_candidates`]).

use super::active_candidates::ActiveCandidates;
use super::direction::Direction;
use super::iterate::Iterate;
use super::overreach::is_within_reach;
use crate::body::Configuration;
use crate::solve::failure::Failure;
use crate::solve::log::Log;
use crate::solve::model::Model;
use crate::solve::potential::Potential;
use crate::solve::timings::Phase;
use ipcsim_contact::ccd::NarrowPhase;
use ipcsim_contact::tuning::{EDGE_GAP_KEPT, MOST_TURNS};
use ipcsim_contact::{Barriers, Contacts, Limit, is_free, is_short, keeps_gaps, max_step, queries};
use ipcsim_energy::Energy;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::path::Sweep;

/// Collision detection along directions: the pairs that may come near, and buffers for motions.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// Pairs that may come near.
    pub(super) nearby: ActiveCandidates,
    /// Smallest activation distance (m): other gaps are larger.
    least_d_hat: f64,
    /// Configuration at the end of a direction, a buffer.
    end: Configuration,
    /// Change of coordinates between two configurations, `[nodes]`, a buffer.
    way: Vec<Vec2>,
}

/// Safe fractions of a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Fraction on which no element inverts and no joint passes a limit; the direction has been
    /// shortened to it.
    pub(super) inversion: f64,
    /// Fraction of the shortened direction that contact allows, and the pair that limits it.
    pub(super) contact: Limit,
    /// True if the direction is too short for anything to meet on it.
    is_short: bool,
}

impl Filter {
    /// A filter without candidates.
    pub(super) fn new(model: &Model) -> Self {
        let nodes = vec![Vec2::zeros(); model.coordinates.nodes()];
        let vertices = vec![Vec2::zeros(); model.coordinates.vertices()];
        Self {
            nearby: ActiveCandidates::default(),
            least_d_hat: model.surface.least_d_hat(),
            end: Configuration {
                q: nodes.clone(),
                x: vertices,
            },
            way: nodes,
        }
    }

    /// Finds the contacts at positions `x` (m), in memory that has been used before.
    ///
    /// Candidates that do not hold there are found anew, with room for a motion to `ahead` (m).
    ///
    /// # Errors
    /// [`Failure::Touching`], with the touching pair.
    pub(super) fn find_contacts(
        &mut self,
        model: &Model,
        barriers: &Barriers,
        x: &[Vec2],
        ahead: &[Vec2],
        contacts: &mut Contacts,
        log: &mut Log,
    ) -> Result<(), Failure> {
        self.nearby.cover(model, &Sweep::straight(x, x), ahead, log);

        let found = log.timings.measure(Phase::Contacts, || {
            contacts.renew(&model.surface, barriers, &self.nearby.near, x)
        });
        found.map_err(Failure::Touching)
    }

    /// Makes the candidates hold for the motion from `at` to `end`, which need not be part of the
    /// direction that was shortened last.
    pub(super) fn cover_way(
        &mut self,
        model: &Model,
        at: &Configuration,
        end: &Configuration,
        log: &mut Log,
    ) {
        let Self { nearby, way, .. } = self;
        for (way, (end, start)) in way.iter_mut().zip(end.q.iter().zip(&at.q)) {
            *way = end - start;
        }
        let motion = Sweep {
            start: &at.x,
            end: &end.x,
            turn_of: model.coordinates.turn_of(),
            turns: &model.coordinates.turns(&at.q, way),
        };
        nearby.cover(model, &motion, &end.x, log);
    }

    /// Shortens a direction from a state to the fraction on which nothing inverts, and returns it with
    /// the fraction of the rest that contact allows.
    ///
    /// Candidates hold for the shortened direction afterwards.
    pub(super) fn shorten(
        &mut self,
        potential: &Potential,
        from: &Iterate,
        direction: &mut Direction,
        log: &mut Log,
    ) -> Bound {
        let at = &from.at;
        let Model {
            coordinates,
            energies,
            ..
        } = potential.model;

        // Elements first: none may lose more than a share of its area. Then limits of joints.
        let chambers = &potential.stage.following.chambers;
        if !energies.is_empty() || !chambers.is_empty() {
            direction.displace(coordinates, at);
        }
        let mut inversion = log.timings.measure(Phase::StepBound, || {
            largest_step(potential.model, at, direction)
        });
        if !chambers.is_empty() {
            let kept = chambers.max_step(&at.x, &direction.displacement);
            inversion = inversion.min(kept.fraction);
        }
        if inversion < 1.0 {
            direction.scale(inversion);
        }
        if potential.constraints.bound_motion() {
            let joined = log.timings.measure(Phase::StepBound, || {
                self.joint_step(potential, at, direction)
            });
            if joined < 1.0 {
                direction.scale(joined);
                inversion *= joined;
            }
        }

        // Then everything that may touch in between.
        let (contact, is_short) = self.contact_step(potential, from, direction, log);
        Bound {
            inversion,
            contact,
            is_short,
        }
    }

    /// Largest fraction of a direction from a state that contact allows, and true if the direction is too
    /// short for anything to meet. Candidates hold for the direction afterwards.
    fn contact_step(
        &mut self,
        potential: &Potential,
        from: &Iterate,
        direction: &Direction,
        log: &mut Log,
    ) -> (Limit, bool) {
        let Iterate { at, contacts } = from;
        let Model {
            coordinates,
            surface,
            ..
        } = potential.model;
        if surface.points.is_empty() {
            return (Limit::NONE, true);
        }

        let Self {
            nearby,
            end,
            least_d_hat,
            ..
        } = self;
        for (end, (q, p)) in end.q.iter_mut().zip(at.q.iter().zip(&direction.p)) {
            *end = q + p;
        }
        coordinates.positions(&end.q, &mut end.x);

        // Candidates cover the whole direction before its bound is computed.
        let motion = Sweep {
            start: &at.x,
            end: &end.x,
            turn_of: coordinates.turn_of(),
            turns: &coordinates.turns(&at.q, &direction.p),
        };
        let ahead = &potential.stage.predicted.x;
        nearby.cover(potential.model, &motion, ahead, log);
        let near = &nearby.near;
        if let Some(asked) = &mut log.queries {
            asked.extend(queries(surface, near, &motion));
        }

        // Gaps of other pairs are larger than the smallest activation distance.
        let least = potential.barriers.least_reach(*least_d_hat);
        let gap = contacts.min_gap.min(least);
        log.timings.measure(Phase::StepBound, || {
            if is_short(surface, &motion, gap) {
                (Limit::NONE, true)
            } else {
                (max_step(surface, near, &motion), false)
            }
        })
    }

    /// Largest fraction of a direction that joints with limits or counted turns allow.
    fn joint_step(
        &mut self,
        potential: &Potential,
        at: &Configuration,
        direction: &Direction,
    ) -> f64 {
        let coordinates = &potential.model.coordinates;
        let end = &mut self.end;
        for (end, (q, p)) in end.q.iter_mut().zip(at.q.iter().zip(&direction.p)) {
            *end = q + p;
        }
        coordinates.positions(&end.q, &mut end.x);
        potential.constraints.max_step(&Sweep {
            start: &at.x,
            end: &end.x,
            turn_of: coordinates.turn_of(),
            turns: &coordinates.turns(&at.q, &direction.p),
        })
    }

    /// True if the motion from `at` to `end`, as both are stored, is free, and no element is
    /// inverted at its end.
    ///
    /// The motion may have been `proved` free before; then only elements are tested.
    pub(super) fn is_free(
        &mut self,
        potential: &Potential,
        at: &Configuration,
        end: &Configuration,
        proved: bool,
        log: &mut Log,
    ) -> bool {
        let Model {
            coordinates,
            surface,
            energies,
            ..
        } = potential.model;
        let Self { nearby, way, .. } = self;

        log.timings.measure(Phase::StepBound, || {
            if !proved && !surface.points.is_empty() {
                for (way, (end, start)) in way.iter_mut().zip(end.q.iter().zip(&at.q)) {
                    *way = end - start;
                }

                let motion = Sweep {
                    start: &at.x,
                    end: &end.x,
                    turn_of: coordinates.turn_of(),
                    turns: &coordinates.turns(&at.q, way),
                };
                if !is_free(surface, &nearby.near, &motion) {
                    return false;
                }
            }

            // Elements and constraints are tested where the motion ends.
            energies.iter().all(|energy| energy.admits(&end.x))
                && potential.stage.following.chambers.admits(&end.x)
                && potential.constraints.admit(&end.x)
                && is_within_reach(potential.model, end)
        })
    }

    /// True if no gap is used up between `at` and `end`, where the smallest one is `gap` (m).
    ///
    /// Gaps are compared one by one only if the smallest one is tiny relative to `d_hat`.
    pub(super) fn keeps_gaps(
        &self,
        model: &Model,
        at: &Configuration,
        end: &Iterate,
        gap: f64,
    ) -> bool {
        let surface = &model.surface;
        gap >= EDGE_GAP_KEPT * surface.reach.most()
            || keeps_gaps(surface, &self.nearby.near, [&at.x, &end.at.x])
    }
}

impl Bound {
    /// True if this bound has found the motion free that is stored for a trial at the fraction `alpha`
    /// of the direction.
    ///
    /// The direction is short, or has been tested exactly. The latter needs the exact narrow phase, free
    /// vertices only, and a bound that allows the whole direction; images need more room.
    pub(super) fn proves(self, model: &Model, alpha: f64) -> bool {
        let surface = &model.surface;
        let exact = surface.narrow_phase == NarrowPhase::Exact
            && surface.images.is_empty()
            && model.coordinates.all_free();
        let is_tested = exact && alpha >= 1.0 && self.contact.fraction >= 1.0;
        self.is_short && alpha <= 1.0 || is_tested
    }

    /// True if nothing inverts or touches along the whole direction.
    pub(super) fn is_full(self) -> bool {
        self.inversion >= 1.0 && self.contact.fraction >= 1.0
    }
}

/// Largest fraction of a direction, at most 1, on which all energies stay in their domain.
///
/// Bodies may turn only as often on it as their motion can be searched for collisions.
fn largest_step(model: &Model, at: &Configuration, direction: &Direction) -> f64 {
    // Energies of positions and of coordinates.
    let by_x = model
        .energies
        .iter()
        .map(|energy| energy.max_step(&at.x, &direction.displacement));
    let by_q = model
        .own
        .iter()
        .map(|energy| energy.max_step(&at.q, &direction.p));
    let of_energies = by_x
        .chain(by_q)
        .map(|bound| bound.fraction)
        .fold(1.0, f64::min);

    // Turns of rigid bodies.
    match model.coordinates.most_turns(&at.q, &direction.p) {
        Some((_, turns)) => of_energies.min(MOST_TURNS / turns),
        None => of_energies,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::test_problems::{Small, barriers, potential, statics};
    use ipcsim_contact::{Candidates, ContactPair};

    /// Bound of a direction of all nodes from a state at rest.
    fn bound(small: Small, p: &[[f64; 2]]) -> (Bound, Direction, Model) {
        let (model, at) = small.model();
        let (barriers, stage) = (barriers(), statics(&at, &[]));
        let potential = potential(&model, &stage, &barriers);
        let candidates = Candidates::find(&model.surface, &at.x, |_| 1.0);
        let contacts = Contacts::find(&model.surface, &barriers, &candidates, &at.x).unwrap();
        let mut direction = Direction::zero(&model.coordinates);
        direction.p = p.iter().map(|&p| Vec2::from(p)).collect();
        let from = Iterate { at, contacts };
        let mut filter = Filter::new(&model);
        let found = filter.shorten(&potential, &from, &mut direction, &mut Log::default());
        (found, direction, model)
    }

    /// A point over level ground.
    fn over_ground(height: f64) -> Small {
        let mut small = Small::default();
        let point = small.point([0.3, height], 1.0);
        small.touch(point);
        small.plane([0.0, 1.0], [0.0, 0.0]);
        small
    }

    #[test]
    fn a_fall_to_the_ground_stops_where_a_tenth_of_the_gap_is_left() {
        let (found, _, model) = bound(over_ground(0.5), &[[0.7, -2.0], [0.0, 0.0]]);
        assert!((found.contact.fraction - 0.9 * 0.5 / 2.0).abs() < 1e-15);
        let pair = ContactPair::Plane { point: 0, plane: 0 };
        assert_eq!(found.contact.pair, Some(pair));
        assert_eq!(found.inversion, 1.0);
        assert!(!found.is_full() && !found.proves(&model, found.contact.fraction));

        // The ground that rises to the point counts alike, and the rising body itself is free.
        let rising = bound(over_ground(0.5), &[[0.0, -1.0], [0.0, 1.0]]).0;
        assert_eq!(rising.contact.fraction, found.contact.fraction);
        assert!(
            bound(over_ground(0.5), &[[0.0, 5.0], [0.0, 1.0]])
                .0
                .is_full()
        );
    }

    #[test]
    fn a_direction_below_a_quarter_of_the_smallest_gap_is_proved_without_a_search() {
        // In contact at a gap of 0.04 m.
        let (short, _, model) = bound(over_ground(0.04), &[[0.0, -0.0099], [0.0, 0.0]]);
        assert!(short.is_full() && short.proves(&model, 0.5) && short.proves(&model, 1.0));
        let longer = bound(over_ground(0.04), &[[0.0, -0.0101], [0.0, 0.0]]).0;
        assert!(longer.is_full() && !longer.proves(&model, 0.5));
    }

    /// A point over the middle of an edge of another body.
    fn over_edge() -> Small {
        let mut small = Small::default();
        let point = small.point([0.0, 0.5], 1.0);
        small.touch(point);
        let first = small.soft(&[[-1.0, 0.0], [1.0, 0.0]], 1.0);
        small.edge([first, first + 1]);
        small
    }

    #[test]
    fn a_point_goes_nine_tenths_of_the_time_to_an_edge_that_comes_to_meet_it() {
        for (down, up) in [(1.0, 0.0), (1.0, 1.0), (0.0, 4.0)] {
            let (found, _, _) = bound(over_edge(), &[[0.2, -down], [0.0, up], [0.0, up]]);
            let expected = 0.9 * 0.5 / (down + up);
            let fraction = found.contact.fraction;
            assert!(
                fraction <= expected && fraction > 0.99 * expected,
                "{fraction} {expected}"
            );
        }

        // A point that passes by the end of the edge is free.
        assert!(
            bound(over_edge(), &[[3.0, -1.0], [0.0; 2], [0.0; 2]])
                .0
                .is_full()
        );
    }

    #[test]
    fn a_stored_motion_is_free_only_if_it_meets_no_edge() {
        let (model, at) = over_edge().model();
        let (barriers, stage) = (barriers(), statics(&at, &[]));
        let potential = potential(&model, &stage, &barriers);
        let mut filter = Filter::new(&model);
        let mut log = Log::default();
        for (to, expected) in [
            ([0.0, -0.5], false),
            ([0.0, 0.01], true),
            ([4.0, -0.5], true),
        ] {
            let mut end = at.clone();
            end.q[0] = to.into();
            end.x[0] = to.into();
            filter.cover_way(&model, &at, &end, &mut log);
            assert_eq!(
                filter.is_free(&potential, &at, &end, false, &mut log),
                expected
            );

            // A proved motion is not tested again.
            assert!(filter.is_free(&potential, &at, &end, true, &mut log));
        }
    }

    #[test]
    fn a_body_turns_only_as_often_as_its_motion_can_be_searched() {
        let mut small = Small::default();
        small.rigid([[0.0; 2], [0.0; 2]], &[[1.0, 0.0], [-1.0, 0.0]], [1.0, 1.0]);
        let turns = 4.0 * MOST_TURNS;
        let angle = turns * std::f64::consts::TAU;
        let (found, direction, _) = bound(small, &[[8.0, 0.0], [angle, 0.0]]);
        assert!((found.inversion - 0.25).abs() < 1e-15);
        assert!((direction.p[0].x - 2.0).abs() < 1e-14);
    }
}
