//! Lagged friction of a stage: where it comes from, and how far it is from friction at the stage's
//! end.

use crate::body::Configuration;
use crate::solve::{Iterate, Potential, Solver, TangentFriction};
use crate::tuning::FRICTION_EXCESS;
use ipcsim_math::{Vec2, parallel};

/// How the normal forces of friction follow the motion within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lagging {
    /// They follow within the solve, so that the end of a step obeys Coulomb's law.
    Follow,
    /// They stay during a solve (Li et al. 2020, section 5).
    Solves {
        /// Largest number of solves of a step, each with the friction of the last one's end.
        most: usize,
        /// Change of velocity (m/s) by out-of-date friction below which no further solve is made.
        tolerance: f64,
    },
}

impl Lagging {
    /// True if no further solve is made after this number of `solves`, at whose end friction
    /// brought up to date would change velocities by `velocity` (m/s).
    pub(in crate::time) fn is_enough(self, solves: usize, velocity: f64) -> bool {
        match self {
            Self::Follow => true,
            Self::Solves { most, tolerance } => solves >= most || velocity <= tolerance,
        }
    }
}

/// Difference of the friction that acted in a stage from friction at its end.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::time) struct Lateness {
    /// Largest change of a coordinate's velocity (m/s; of angles rad/s) that friction brought up to
    /// date would make.
    pub(in crate::time) velocity: f64,
    /// Number of contacts whose friction exceeds the coefficient times the normal force at the end.
    pub(in crate::time) contacts: usize,
}

impl Lateness {
    /// Lateness of the potential's friction at a minimum, where friction is `renewed`.
    pub(in crate::time) fn of(
        potential: &Potential,
        renewed: &TangentFriction,
        solver: &Solver,
        iterate: &Iterate,
    ) -> Self {
        if potential.friction.is_empty() && renewed.is_empty() {
            return Self::default();
        }
        let tangents = potential.tangent_positions(&iterate.at);

        // Forces that the imbalance may leave over do not count.
        let body = &potential.model.surface.body;
        let masses = solver.masses();
        let time = potential.stage.force_time();
        let allowance = |vertices: [usize; 2]| {
            let pace = &potential.model.pace.imbalance;
            let left_over = vertices.map(|vertex| masses[body[vertex]] / pace[body[vertex]]);
            let [a, b] = left_over;
            let smaller = if a.min(b) > 0.0 { a.min(b) } else { a.max(b) };
            solver.settings().imbalance * smaller / time
        };
        let late =
            potential
                .friction
                .exceeding(renewed, &tangents, 1.0 + FRICTION_EXCESS, allowance);
        Self {
            velocity: velocity_change(potential, renewed, &iterate.at),
            contacts: late,
        }
    }
}

/// Largest change of a coordinate's velocity (m/s; of angles rad/s), counted with the pace of its
/// body, over a stage if `renewed` friction acted instead of the potential's.
fn velocity_change(potential: &Potential, renewed: &TangentFriction, at: &Configuration) -> f64 {
    let stage = potential.stage;
    let model = potential.model;

    // Difference of the impulses, each on its own tangents.
    let mut change = vec![Vec2::zeros(); at.q.len()];
    let mut by_x = vec![Vec2::zeros(); at.x.len()];
    for (friction, sign) in [(&potential.friction, -1.0), (renewed, 1.0)] {
        let tangents = friction.positions(model, stage, at);
        by_x.fill(Vec2::zeros());
        for part in friction.energies() {
            part.add_gradient(&tangents, sign * stage.force_time(), &mut by_x);
        }
        let tangent_at = friction.tangent_at(stage);
        model.coordinates.pull_back(tangent_at, &by_x, &mut change);
    }

    // Velocities that they give to coordinates with mass.
    parallel::max(change.len(), 0.0, |i| {
        let mass = model.mass[i];
        if mass.min() > 0.0 {
            let body = model.surface.body[model.coordinates.vertex_of(i)];
            change[i].component_div(&mass).norm() * model.pace.direction[body]
        } else {
            0.0
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraints;
    use crate::time::integrator::Statics;
    use crate::time::step::minimum::{Surroundings, potential_with};
    use crate::time::testing::{D_HAT, RADIUS, circles, stage};
    use ipcsim_contact::{Candidates, Contacts};

    #[test]
    fn outdated_friction_counts_in_statics_too() {
        // A circle that has slid over the ground with a gap of half of the reach.
        let (world, state) = circles(&[[0.0, RADIUS + 0.5 * D_HAT]], true, 0.3);
        let solver = world.solver();
        let stage = stage(&world, &Statics, &state, &[], 1.0);

        let mut q = state.q.clone();
        q[0].x += 0.01;
        let at = Configuration::of(&world.model.coordinates, q);
        let surface = &world.model.surface;
        let candidates = Candidates::find(surface, &at.x, |_| 0.0);
        let contacts = Contacts::find(surface, &world.barriers, &candidates, &at.x).unwrap();
        let iterate = Iterate { at, contacts };

        // Friction at this place against none, as where its contact has begun or ended.
        let here = || TangentFriction::lagged(&world.model, &stage, &world.friction, &iterate);
        let late = |acted, renewed| {
            let surroundings = Surroundings {
                barriers: &world.barriers,
                friction: &world.friction,
            };
            let constraints = Constraints::default();
            let potential = potential_with(&world, surroundings, &stage, acted, constraints);
            Lateness::of(&potential, &renewed, &solver, &iterate)
        };
        let begun = late(TangentFriction::default(), here());
        let ended = late(here(), TangentFriction::default());
        assert!(begun.velocity > 0.0 && begun.contacts == 0, "{begun:?}");
        assert!((ended.velocity - begun.velocity).abs() < 1e-12 * begun.velocity);
        assert_eq!(ended.contacts, 1);
        assert_eq!(late(here(), here()).velocity, 0.0);
    }

    #[test]
    fn lagged_friction_is_solved_again_until_it_no_longer_changes_or_has_been_often_enough() {
        let solves = Lagging::Solves {
            most: 3,
            tolerance: 1e-4,
        };
        let count = |velocities: &[f64]| {
            let mut all = velocities.iter().enumerate();
            all.find(|(k, velocity)| solves.is_enough(k + 1, **velocity))
                .map(|(k, _)| k + 1)
        };
        assert_eq!(count(&[1.0, 1e-2, 1e-3, 1e-5]), Some(3));
        assert_eq!(count(&[1.0, 0.9e-4, 1.0, 1.0]), Some(2));
        assert_eq!(count(&[0.0]), Some(1));
        assert!(Lagging::Follow.is_enough(1, f64::INFINITY));
    }
}
