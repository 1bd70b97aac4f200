//! How bodies move: velocity of the centre, angle, spin and kinetic energy in each state.
//!
//! They are those of `bodies.csv`. What the run has not stored follows from positions before they are
//! rounded: velocities are then means since the state before, as the speeds by which vertices are
//! coloured, and those of the first state are the initial ones.

use super::blocks::Blocks;
use super::inertia::{Inertia, masses};
use super::source::Recorded;
use crate::CommandError;
use ipcsim::math::{Vec2, cross};
use ipcsim_store::body_table;
use std::f64::consts::TAU;

/// Motion of all bodies in all states, `[states][bodies]`.
#[derive(Default)]
struct Motion {
    /// Velocity of the centre of mass (m/s).
    velocity: Vec<Vec2>,
    /// Angle (rad) over full turns.
    angle: Vec<f64>,
    /// Angular velocity (rad/s): that of the turn which brings the vertices nearest to where they are.
    spin: Vec<f64>,
    /// Kinetic energy (J); NaN where masses do not tell it.
    kinetic: Vec<f64>,
}

/// Adds the motion of bodies whose inertia is given.
///
/// # Errors
/// If the states cannot be read.
pub(super) fn add(
    run: &Recorded,
    bodies: &[Inertia],
    blocks: &mut Blocks,
) -> Result<(), CommandError> {
    let masses = masses(&run.setup.world);
    let world = &run.setup.world;
    let mut motion = Motion::default();
    let mut before: Vec<Vec2> = Vec::new();
    run.each_state(|number, x, _| {
        // The first state has no duration, and the initial velocities.
        let before_this = number.checked_sub(1).map(|last| run.moments[last].time);
        let duration = before_this.map(|time| run.moments[number].time - time);
        let last = motion.spin.len() - if number > 0 { bodies.len() } else { 0 };
        for (k, (body, inertia)) in world.bodies.iter().zip(bodies).enumerate() {
            let vertices = body.vertices.clone();
            let mut velocity = inertia.velocity.into();
            let mut spin = inertia.spin;
            let mut angle = 0.0;
            if let Some(duration) = duration.filter(|duration| *duration > 0.0) {
                let centres =
                    [&before[..], x].map(|x| inertia.centre_at(vertices.clone(), x, &masses));
                velocity = (centres[1] - centres[0]) / duration;
                let turn = turn(vertices.clone().map(|i| [before[i], x[i]]), centres);
                // Of angles that differ by turns the one that goes on as before.
                let expected = motion.spin[last + k] * duration;
                let turn = turn + TAU * ((expected - turn) / TAU).round();
                spin = turn / duration;
                angle = motion.angle[last + k] + turn;
            }

            // Energy of vertices that have masses.
            let own = vertices.map(|i| {
                let speed = match duration {
                    Some(duration) if duration > 0.0 => (x[i] - before[i]).norm() / duration,
                    _ => run.setup.state.v[i].norm(),
                };
                0.5 * masses[i] * speed * speed
            });
            let of_vertices: f64 = own.sum();
            let mut kinetic = inertia.kinetic(velocity, spin, of_vertices);

            // What the run has stored is exact.
            let stored = run.bodies.get(&run.moments[number].step);
            if let Some(numbers) = stored.and_then(|all| all.get(k)) {
                let of =
                    |name: &str, other: f64| body_table::number(numbers, name).unwrap_or(other);
                velocity = Vec2::new(of("velocity_x", velocity.x), of("velocity_y", velocity.y));
                angle = of("angle", angle);
                spin = of("spin", spin);
                kinetic = of("kinetic", kinetic);
            }
            motion.kinetic.push(kinetic);
            motion.velocity.push(velocity);
            motion.angle.push(angle);
            motion.spin.push(spin);
        }
        before = x.to_vec();
        Ok(())
    })?;

    blocks.floats("motion_vx", motion.velocity.iter().map(|v| v.x));
    blocks.floats("motion_vy", motion.velocity.iter().map(|v| v.y));
    blocks.floats("motion_angle", motion.angle.iter().copied());
    blocks.floats("motion_spin", motion.spin.iter().copied());
    blocks.floats("motion_kinetic", motion.kinetic.iter().copied());
    Ok(())
}

/// Angle (rad), within half a turn, about the centres (m) that brings the first of each two places (m)
/// nearest to the second.
fn turn(places: impl Iterator<Item = [Vec2; 2]>, [from, to]: [Vec2; 2]) -> f64 {
    let mut across = 0.0;
    let mut along = 0.0;
    for [a, b] in places {
        across += cross(a - from, b - to);
        along += (a - from).dot(&(b - to));
    }
    across.atan2(along)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_found_whatever_the_way() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]].map(Vec2::from);
        let middle = Vec2::new(0.5, 1.0);
        let (sin, cos) = 0.7_f64.sin_cos();
        let moved = square.map(|p| {
            let d = p - middle;
            Vec2::new(cos * d.x - sin * d.y, sin * d.x + cos * d.y) * 1.1 + Vec2::new(3.0, 4.0)
        });
        let both = square.into_iter().zip(moved).map(|(a, b)| [a, b]);
        let found = turn(both, [middle, Vec2::new(3.0, 4.0)]);
        assert!((found - 0.7).abs() < 1e-14, "{found}");
    }
}
