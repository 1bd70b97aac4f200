//! Impacts that happen together, by reflections one after another.

use super::impact::Impact;
use super::inelastic::stop;
use super::rigid_motion::{Motion, RigidMotion};
use super::row::{Row, roots};
use crate::tuning::REFLECT_MOST_ROUNDS;

/// Bodies that hit each other in a round, as one thing that bounces back.
#[derive(Clone, Copy, Debug, Default)]
struct Island {
    /// Fastest approach in it (m/s).
    fastest: f64,
    /// Coefficient of restitution of the contact that approaches so (1).
    coefficient: f64,
    /// Speed at which that contact closed, relative to the present one (1).
    lead: f64,
}

impl Island {
    /// True if the island reflects contacts with this coefficient (1) in this round: its
    /// coefficient, bit by bit.
    fn has(&self, coefficient: f64) -> bool {
        self.coefficient.to_bits() == coefficient.to_bits()
    }
}

/// Reflects the `motions` of bodies, `[bodies]`, until no contact approaches faster than its pair
/// may without rebounding. Returns which bodies have been struck, `[bodies]`.
///
/// Each round takes the contacts that approach too fast, and no others. It stops them by the
/// smallest impulses, and applies these once more, `e` times: `u + (1 + e) d`. So a ball that hits
/// a row of balls in contact hands its motion on from ball to ball, and both corners of a box that
/// lands flat act together (Smith et al. 2012, "Reflections on Simultaneous Impact", for `e = 1`).
/// A round handles one coefficient in each group of bodies, the one of the fastest approach there,
/// so that no round raises the kinetic energy, see [`stop`].
pub(super) fn reflect(
    wholes: &[Option<RigidMotion>],
    impacts: &[Impact],
    joints: &[Row],
    motions: &mut [Motion],
) -> Vec<bool> {
    let mut struck = vec![false; wholes.len()];
    for round in 0..REFLECT_MOST_ROUNDS {
        let approaching: Vec<(&Impact, f64)> = impacts
            .iter()
            .map(|impact| (impact, -impact.row.velocity(motions)))
            .filter(|(impact, approach)| *approach > impact.rest_speed && impact.row.softness > 0.0)
            .collect();
        if approaching.is_empty() {
            break;
        }

        // Contacts of the coefficient that leads each island.
        let touching = approaching.iter().map(|(impact, _)| &impact.row);
        let roots = roots(wholes, touching.chain(joints));
        let islands = islands(&roots, &approaching);
        let chosen = approaching
            .iter()
            .filter(|(impact, _)| islands[roots[impact.mover]].has(impact.coefficient));
        let contacts: Vec<&Row> = chosen.map(|(impact, _)| &impact.row).collect();
        let rows: Vec<&Row> = contacts.into_iter().chain(joints).collect();
        let change = stop(wholes, &rows, motions, &mut vec![0.0; rows.len()]);

        for (body, change) in change.into_iter().enumerate() {
            if change == Motion::default() {
                continue;
            }
            let Island {
                coefficient, lead, ..
            } = islands[roots[body]];
            let e = if round == 0 {
                coefficient * lead
            } else {
                coefficient
            };
            motions[body] = motions[body].plus(change, 1.0 + e.min(1.0));
            struck[body] = true;
        }
    }
    struck
}

/// Islands by the number of their first body, `[bodies]`.
fn islands(roots: &[usize], approaching: &[(&Impact, f64)]) -> Vec<Island> {
    let mut islands = vec![Island::default(); roots.len()];
    for (impact, approach) in approaching {
        let island = &mut islands[roots[impact.mover]];
        if *approach > island.fastest {
            *island = Island {
                fastest: *approach,
                coefficient: impact.coefficient,
                lead: impact.lead,
            };
        }
    }
    islands
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_math::Vec2;

    /// Balls of these masses (kg) in a row along x, and their contacts with a coefficient.
    fn balls(masses: &[f64], coefficient: f64) -> (Vec<Option<RigidMotion>>, Vec<Impact>) {
        let ball =
            |(k, mass): (usize, &f64)| RigidMotion::rigid(2 * k, *mass, 1.0, [k as f64, 0.0]);
        let wholes: Vec<_> = masses.iter().enumerate().map(ball).map(Some).collect();
        let impact = |k: usize| Impact {
            row: Row::at(
                &wholes,
                [k + 1, k],
                [k as f64 + 0.5, 0.0],
                [1.0, 0.0],
                false,
            ),
            coefficient,
            rest_speed: 1e-6,
            lead: 1.0,
            impulse: 0.0,
            mover: k,
        };
        let impacts = (1..masses.len()).map(|k| impact(k - 1)).collect();
        (wholes, impacts)
    }

    /// Velocities along x after the impacts of balls with these (m/s).
    fn after(masses: &[f64], coefficient: f64, velocities: &[f64]) -> (Vec<f64>, Vec<bool>) {
        let (wholes, impacts) = balls(masses, coefficient);
        let motion = |&x: &f64| Motion {
            velocity: Vec2::new(x, 0.0),
            spin: 0.0,
        };
        let mut motions: Vec<Motion> = velocities.iter().map(motion).collect();
        let struck = reflect(&wholes, &impacts, &[], &mut motions);
        let along = motions.iter().map(|motion| motion.velocity.x);
        (along.collect(), struck)
    }

    #[test]
    fn two_balls_part_with_the_share_of_their_speed_that_the_coefficient_says() {
        for e in [0.0, 0.4, 1.0] {
            let (found, struck) = after(&[2.0, 3.0], e, &[4.0, -1.0]);
            // Newton's law of impact and momentum.
            let common = (2.0 * 4.0 - 3.0) / 5.0;
            let expected = [common - e * 3.0 * 5.0 / 5.0, common + e * 2.0 * 5.0 / 5.0];
            for k in 0..2 {
                assert!((found[k] - expected[k]).abs() < 1e-12, "{e}: {found:?}");
            }
            assert_eq!(struck, [true, true]);
        }
        let (parting, struck) = after(&[2.0, 3.0], 1.0, &[-4.0, -1.0]);
        assert_eq!((parting, struck), (vec![-4.0, -1.0], vec![false, false]));
    }

    #[test]
    fn a_row_of_equal_balls_hands_the_motion_of_the_first_on_to_the_last() {
        let (found, struck) = after(&[1.0; 5], 1.0, &[3.0, 0.0, 0.0, 0.0, 0.0]);
        for (k, velocity) in found.iter().enumerate() {
            let expected = if k == 4 { 3.0 } else { 0.0 };
            assert!((velocity - expected).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(struck, [true; 5]);
    }
}
