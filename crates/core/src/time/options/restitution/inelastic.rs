//! The smallest impulses after which nothing approaches: projected Gauss-Seidel over rows.

use super::rigid_motion::{Motion, RigidMotion};
use super::row::Row;
use crate::tuning::{INELASTIC_ACCURACY, INELASTIC_MOST_SWEEPS};

/// Change of the `motions` of all bodies, `[bodies]`, by the impulses along `rows` that stop
/// approaching contacts and open joints.
///
/// With the impulses `r >= 0` of contacts and `s` of joints the change is
///
/// `d = M^-1 (N^T r + J^T s)`
///
/// with the least kinetic energy of `u + d` (Moreau 1988, "Unilateral contact and dry friction in
/// finite freedom dynamics"), where `u` are the motions. The changes that are possible make a
/// convex cone, and the nearest one to `-u` there is orthogonal to the remaining motion,
/// `d . M (u + d) = 0`. Therefore `u + (1 + e) d` has `1 - e^2` times the energy of `d` less than
/// `u`, for any `e` in `[0, 1]`.
///
/// `impulses` (N s, `[rows]`) are a guess first, and the result in the end.
pub(super) fn stop(
    wholes: &[Option<RigidMotion>],
    rows: &[&Row],
    motions: &[Motion],
    impulses: &mut [f64],
) -> Vec<Motion> {
    let mut change = vec![Motion::default(); wholes.len()];
    for (row, impulse) in rows.iter().zip(&*impulses) {
        row.push(wholes, *impulse, &mut change);
    }

    let speeds: Vec<f64> = rows.iter().map(|row| row.velocity(motions)).collect();
    let fastest = speeds
        .iter()
        .fold(0.0_f64, |most, speed| most.max(speed.abs()));

    // Gauss-Seidel sweeps: each row is stopped with the impulses of all others fixed.
    for _ in 0..INELASTIC_MOST_SWEEPS {
        let mut corrected = 0.0_f64;
        for ((row, speed), impulse) in rows.iter().zip(&speeds).zip(&mut *impulses) {
            if row.softness <= 0.0 {
                continue;
            }

            let wanted = *impulse - (speed + row.velocity(&change)) / row.softness;
            let next = if row.pulls { wanted } else { wanted.max(0.0) };
            let more = next - *impulse;
            if more != 0.0 {
                row.push(wholes, more, &mut change);
                *impulse = next;
                corrected = corrected.max(more.abs() * row.softness);
            }
        }
        if corrected <= INELASTIC_ACCURACY * fastest {
            break;
        }
    }
    change
}

/// Stops the `motions` of bodies, `[bodies]`, along `rows`, from no guess of impulses.
pub(super) fn halt(wholes: &[Option<RigidMotion>], rows: &[&Row], motions: &mut [Motion]) {
    let change = stop(wholes, rows, motions, &mut vec![0.0; rows.len()]);
    for (motion, change) in motions.iter_mut().zip(change) {
        *motion = motion.plus(change, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_math::Vec2;

    /// Kinetic energy of motions, `[bodies]` (J).
    fn energy(wholes: &[Option<RigidMotion>], motions: &[Motion]) -> f64 {
        let each = wholes.iter().flatten().zip(motions);
        each.map(|(whole, motion)| 0.5 * whole.work(*motion, *motion))
            .sum()
    }

    #[test]
    fn a_reflection_takes_the_energy_that_its_coefficient_says() {
        // Three boxes on a ground, one on its corner, two of them joined.
        let wholes = [
            Some(RigidMotion::rigid(0, 0.0, 0.0, [0.0, 0.0])),
            Some(RigidMotion::rigid(2, 1.0, 0.1, [0.0, 0.5])),
            Some(RigidMotion::rigid(4, 3.0, 0.4, [0.3, 1.5])),
            Some(RigidMotion::rigid(6, 2.0, 0.2, [1.0, 0.6])),
        ];
        let up = [0.0, 1.0];
        let rows = [
            Row::at(&wholes, [1, 0], [-0.5, 0.0], up, false),
            Row::at(&wholes, [1, 0], [0.5, 0.0], up, false),
            Row::at(&wholes, [2, 1], [0.2, 1.0], up, false),
            Row::at(&wholes, [3, 0], [0.8, 0.0], up, false),
            Row::at(&wholes, [3, 1], [0.6, 0.5], [1.0, 0.0], true),
        ];
        let rows: Vec<&Row> = rows.iter().collect();
        let flown: Vec<Motion> = [
            [0.0, 0.0, 0.0],
            [0.0, -1.0, 0.5],
            [0.2, -3.0, 0.0],
            [0.0, -1.0, 2.0],
        ]
        .into_iter()
        .map(|[x, y, spin]| Motion {
            velocity: Vec2::new(x, y),
            spin,
        })
        .collect();
        let change = stop(&wholes, &rows, &flown, &mut [0.0; 5]);
        let after = |times: f64| -> Vec<Motion> {
            let both = flown.iter().zip(&change);
            both.map(|(flown, change)| flown.plus(*change, times))
                .collect()
        };

        // Nothing approaches any more, and the joint is closed.
        for row in &rows {
            let left = row.velocity(&after(1.0));
            assert!(
                if row.pulls {
                    left.abs() < 1e-8
                } else {
                    left > -1e-8
                },
                "{left}"
            );
        }
        let [before, taken] = [&flown, &change].map(|motions| energy(&wholes, motions));
        for e in [0.0, 0.3, 1.0] {
            let left = energy(&wholes, &after(1.0 + e));
            let expected = before - (1.0 - e * e) * taken;
            assert!(
                (left - expected).abs() < 1e-8 * before,
                "{e}: {left} {expected}"
            );
        }
    }

    /// Two circles whose centres are apart along a direction (1), of masses (kg) and with velocities
    /// (m/s), and the contact between them.
    fn pair(
        masses: [f64; 2],
        apart: Vec2,
        velocities: [Vec2; 2],
    ) -> (Vec<Option<RigidMotion>>, Row, Vec<Motion>) {
        let centres = [Vec2::zeros(), apart];
        let wholes: Vec<_> = (0..2)
            .map(|k| {
                let [x, y] = [centres[k].x, centres[k].y];
                Some(RigidMotion::rigid(
                    2 * k,
                    masses[k],
                    0.1 * masses[k],
                    [x, y],
                ))
            })
            .collect();
        let place = 0.5 * apart;
        let normal = -apart.normalize();
        let row = Row::at(
            &wholes,
            [0, 1],
            [place.x, place.y],
            [normal.x, normal.y],
            false,
        );
        let motions = velocities.map(|velocity| Motion {
            velocity,
            spin: 2.0,
        });
        (wholes, row, motions.to_vec())
    }

    #[test]
    fn circles_that_meet_move_on_together_along_their_normal_as_momentum_says() {
        let apart = Vec2::new(0.6, 0.8);
        for masses in [[1.0, 1.0], [1.0, 3.0], [50.0, 0.2]] {
            let velocities = [Vec2::new(3.0, 1.0), Vec2::new(-1.0, 0.5)];
            let (wholes, row, mut motions) = pair(masses, apart, velocities);
            halt(&wholes, &[&row], &mut motions);

            // The impulse is the reduced mass times the speed of approach; a central one turns nothing.
            let reduced = masses[0] * masses[1] / (masses[0] + masses[1]);
            let impulse = reduced * (velocities[0] - velocities[1]).dot(&apart);
            for (k, sign) in [(0, -1.0), (1, 1.0)] {
                let expected = velocities[k] + apart * (sign * impulse / masses[k]);
                assert!((motions[k].velocity - expected).norm() < 1e-12);
                assert!((motions[k].spin - 2.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn circles_that_part_are_left_as_they_are() {
        let velocities = [Vec2::new(-1.0, 0.0), Vec2::new(0.5, 0.0)];
        let (wholes, row, motions) = pair([1.0, 2.0], Vec2::x(), velocities);
        // A wrong guess of the impulse is taken back.
        let mut impulse = [7.0];
        let change = stop(&wholes, &[&row], &motions, &mut impulse);
        assert_eq!(impulse, [0.0]);
        assert!(change.iter().all(|change| change.velocity.norm() < 1e-12));
    }

    #[test]
    fn a_bar_that_is_hit_at_its_end_turns_as_its_inertia_says() {
        // A ball of 1 kg at 2 m/s on the end of a bar of 3 kg, 0.5 m from its centre, at rest.
        let wholes = [
            Some(RigidMotion::rigid(0, 1.0, 0.1, [0.5, -0.1])),
            Some(RigidMotion::rigid(2, 3.0, 0.25, [0.0, 0.1])),
        ];
        let row = Row::at(&wholes, [1, 0], [0.5, 0.0], [0.0, 1.0], false);
        let ball = Motion {
            velocity: Vec2::new(0.0, 2.0),
            spin: 0.0,
        };
        let mut motions = [ball, Motion::default()];
        halt(&wholes, &[&row], &mut motions);
        let impulse = 2.0 / (1.0 + 1.0 / 3.0 + 0.25 / 0.25);
        assert!((motions[0].velocity.y - (2.0 - impulse)).abs() < 1e-12);
        assert!((motions[1].velocity.y - impulse / 3.0).abs() < 1e-12);
        assert!((motions[1].spin - 0.5 * impulse / 0.25).abs() < 1e-12);
    }
}
