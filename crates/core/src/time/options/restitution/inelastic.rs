//! The smallest impulses after which nothing approaches: projected Gauss-Seidel over rows.

use super::rigid_motion::{Motion, RigidMotion};
use super::row::Row;

/// Sweeps over all rows, at most.
///
/// Usually 1000; a stack of `n` bodies needs about `n^2`. What is left after them approaches a
/// little, and the energy is below that of the start all the same.
const MOST_SWEEPS: usize = 1000;

/// Largest change of a velocity in the last sweep, as a share of the fastest approach (1).
const ACCURACY: f64 = 1e-10;

/// Change of the `motions` of all bodies, `[bodies]`, by the impulses along `rows` that stop what
/// approaches and close what joints leave open.
///
/// With the impulses `r >= 0` of contacts and `s` of joints the change is
///
/// `d = M^-1 (N^T r + J^T s)`
///
/// with the least kinetic energy of `u + d` (Moreau 1988, "Unilateral contact and dry friction in
/// finite freedom dynamics"), where `u` are the motions. The changes that are possible make a
/// convex cone, and the nearest one to `-u` there is orthogonal to what is left,
/// `d . M (u + d) = 0`. Therefore `u + (1 + e) d` has `1 - e^2` times the energy of `d` less than
/// `u`, for any `e` in `[0, 1]`.
///
/// `impulses` (N s, `[rows]`) are a guess, and what is found in the end.
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
    for _ in 0..MOST_SWEEPS {
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
        if corrected <= ACCURACY * fastest {
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
}
