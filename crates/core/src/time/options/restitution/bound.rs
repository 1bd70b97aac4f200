//! The bound on the kinetic energy after impacts.

use super::free_motion::FreeMotion;
use super::impact::Impact;
use super::rigid_motion::{Motion, RigidMotion};
use super::row::roots;

/// Kinetic energies of bodies that hit each other (J).
#[derive(Clone, Copy, Debug, Default)]
struct Budget {
    /// Motions under loads only.
    fallen: f64,
    /// Where the barriers push.
    ended: f64,
    /// Growth from there per share of the change to the motions after impacts.
    slope: f64,
    /// Growth per square of that share.
    curvature: f64,
    /// True if a body that is driven moves one of them.
    is_driven: bool,
}

impl Budget {
    /// Largest share (1) of the change at which the energy is neither above the flight nor above
    /// the barriers, which is 0 at the least.
    fn share(&self) -> f64 {
        let room = (self.fallen - self.ended).max(0.0);
        if self.is_driven || self.slope + self.curvature <= room {
            return 1.0;
        }

        // Root of curvature s^2 + slope s = room, without cancellation.
        let root = (self.slope * self.slope + 4.0 * self.curvature * room).sqrt();
        let share = if self.slope > 0.0 {
            2.0 * room / (self.slope + root)
        } else {
            (root - self.slope) / (2.0 * self.curvature)
        };
        share.min(1.0)
    }
}

/// Takes the `motions` of bodies after impacts, `[bodies]`, back towards the motions that the
/// barriers leave, as far as the kinetic energy of bodies that hit each other is above the energy
/// of their flight.
///
/// Impacts by themselves do not need this, see [`stop`](super::inelastic::stop). Friction, other
/// contacts and springs act on bodies that barriers have stopped, though, and can drive bodies that
/// rebound. Bodies that a driven one moves have no bound.
pub(super) fn bound(flight: &FreeMotion, impacts: &[Impact], motions: &mut [Motion]) {
    let FreeMotion {
        wholes,
        joints,
        ended,
        fallen,
        ..
    } = flight;
    let rows = || impacts.iter().map(|impact| &impact.row).chain(joints);
    let roots = roots(wholes, rows());

    // Energies along the segment from barriers to impacts, for each group of bodies that hit each
    // other.
    let mut budgets = vec![Budget::default(); roots.len()];
    for (body, whole) in wholes.iter().enumerate() {
        let Some(whole) = whole else {
            continue;
        };
        let change = motions[body].minus(ended[body]);
        let budget = &mut budgets[roots[body]];
        budget.fallen += 0.5 * whole.work(fallen[body], fallen[body]);
        budget.ended += 0.5 * whole.work(ended[body], ended[body]);
        budget.slope += whole.work(ended[body], change);
        budget.curvature += 0.5 * whole.work(change, change);
    }

    // A driven body brings energy from outside.
    for row in rows() {
        let drives = |body: usize| {
            let whole = wholes[body].as_ref();
            whole.is_some_and(|whole: &RigidMotion| whole.is_driven(ended[body]))
        };
        if row.bodies.into_iter().any(drives) {
            for body in row.bodies {
                budgets[roots[body]].is_driven = true;
            }
        }
    }

    for (body, motion) in motions.iter_mut().enumerate() {
        let share = budgets[roots[body]].share();
        if share < 1.0 {
            *motion = ended[body].plus(motion.minus(ended[body]), share);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_the_way_uses_the_energy_up() {
        // From a velocity of 1 towards a velocity of 3, of a mass of 2: energies 1, 4 and 9.
        let budget = |fallen: f64, ended: f64, change: f64| Budget {
            fallen,
            ended: ended * ended,
            slope: 2.0 * ended * change,
            curvature: change * change,
            is_driven: false,
        };
        assert!((budget(4.0, 1.0, 2.0).share() - 0.5).abs() < 1e-15);
        assert!((budget(4.0, 1.0, -4.0).share() - 0.75).abs() < 1e-15);
        assert!((budget(9.0, 1.0, 2.0).share() - 1.0).abs() < 1e-15);
        assert!((budget(0.5, 1.0, 2.0).share() - 0.0).abs() < 1e-15);
        assert!((budget(0.5, 1.0, -0.5).share() - 1.0).abs() < 1e-15);

        // Driven bodies have no bound.
        let driven = Budget {
            is_driven: true,
            ..budget(0.5, 1.0, 2.0)
        };
        assert!((driven.share() - 1.0).abs() < 1e-15);
    }
}
