//! Whether a run has reached the condition of its scene: the values that [`Until`] compares.
//!
//! All of them follow from the states before and after a step and from its record.

use crate::time::options::until::Until;
use crate::time::record::Record;
use crate::time::state::State;
use crate::time::world::World;
use crate::tuning::REST_SPEED;
use ipcsim_math::{Vec2, parallel};

/// True if the condition of a world holds after a step `from` one state `to` another, which `record`
/// describes; false if it has none.
pub(in crate::time) fn is_over(world: &World, [from, to]: [&State; 2], record: &Record) -> bool {
    let Some(until) = &world.options.until else {
        return false;
    };
    let motion = Motion::of(world, from, to);
    let values = values(until, world, to, record, motion);
    until.holds(to.time, &values, motion.is_rest(world))
}

/// Values of all names of a condition: first of the scene, then of bodies.
fn values(until: &Until, world: &World, at: &State, record: &Record, motion: Motion) -> Vec<f64> {
    let mut values = vec![
        motion.speed,
        motion.acceleration,
        record.kinetic,
        record.total,
        record.min_gap.unwrap_or(f64::INFINITY),
        record.contacts as f64,
        record.min_area_ratio.unwrap_or(1.0),
    ];

    let velocities = velocities(world, at);
    for &k in until.bodies() {
        let body = &world.bodies[k];
        let centre = world.at_centre(body, &at.q, &at.x);
        let velocity = world.at_centre(body, &at.q_dot, &velocities);
        values.extend([centre.x, centre.y, velocity.x, velocity.y]);
    }
    values
}

/// Velocities of all vertices (m/s).
fn velocities(world: &World, state: &State) -> Vec<Vec2> {
    let mut velocities = vec![Vec2::zeros(); state.x.len()];
    let coordinates = &world.model.coordinates;
    coordinates.displacements(&state.configuration(), &state.q_dot, &mut velocities);
    velocities
}

/// The fastest motion of a step.
#[derive(Clone, Copy, Debug)]
struct Motion {
    /// Largest speed of a vertex at the end (m/s).
    speed: f64,
    /// Largest change of a vertex's velocity over the step, by the time between (m/s^2).
    acceleration: f64,
}

impl Motion {
    /// The motion at the end of a step `from` one state `to` another.
    fn of(world: &World, from: &State, to: &State) -> Self {
        let [before, after] = [from, to].map(|state| velocities(world, state));
        let time = to.time - from.time;
        let largest =
            |of: &(dyn Fn(usize) -> Vec2 + Sync)| parallel::max(after.len(), 0.0, |i| of(i).norm());
        Self {
            speed: largest(&|i| after[i]),
            acceleration: largest(&|i| after[i] - before[i]) / time,
        }
    }

    /// True if both are negligible compared with the effect of loads on the smallest body: they
    /// carry it by its own size `L` in the time `T`, [`World::clock`], with a speed like `L / T`
    /// and an acceleration like `L / T^2`.
    ///
    /// A test of the speed is not enough: it is 0 where a pendulum turns round.
    fn is_rest(self, world: &World) -> bool {
        let size = smallest(world);
        let speed = REST_SPEED * size / world.clock;
        self.speed <= speed && self.acceleration <= speed / world.clock
    }
}

/// Size of the smallest body that moves (m): the diagonal of the box around it at rest.
fn smallest(world: &World) -> f64 {
    let sizes = world.bodies.iter().filter_map(|body| {
        let places = &world.rest[body.vertices.clone()];
        let first = *places.first()?;
        let low = places.iter().fold(first, |low, place| low.inf(place));
        let high = places.iter().fold(first, |high, place| high.sup(place));
        let size = (high - low).norm();
        (!body.kind.is_obstacle() && size > 0.0).then_some(size)
    });
    sizes.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{H, RADIUS, circles};

    #[test]
    fn the_fastest_vertex_and_its_change_over_the_step_count() {
        let (world, mut from) = circles(&[[0.0, 0.0], [5.0, 0.0]], true, 0.0);
        let mut to = from.clone();
        from.q_dot[0] = Vec2::new(0.0, 1.0);
        // The rim, 0.1 m along x from the centre, moves with the turn as well.
        to.q_dot[0] = Vec2::new(0.0, 3.0);
        to.q_dot[1] = Vec2::new(20.0, 0.0);
        to.time = H;
        let motion = Motion::of(&world, &from, &to);
        assert!((motion.speed - (3.0 + 20.0 * RADIUS)).abs() < 1e-14);
        assert!((motion.acceleration - (2.0 + 20.0 * RADIUS) / H).abs() < 1e-10);
    }

    #[test]
    fn rest_is_slow_and_stays_slow_by_the_size_of_the_smallest_body() {
        let (world, _) = circles(&[[0.0, 0.0], [5.0, 0.0]], true, 0.0);
        // Of a circle the world has its centre and a place on its rim.
        assert!((smallest(&world) - RADIUS).abs() < 1e-15);
        let speed = 1e-3 * RADIUS / world.clock;
        let is_rest = |speed, acceleration| {
            let motion = Motion {
                speed,
                acceleration,
            };
            motion.is_rest(&world)
        };
        let acceleration = speed / world.clock;
        assert!(is_rest(0.99 * speed, 0.99 * acceleration));
        assert!(!is_rest(1.01 * speed, 0.0));
        // A pendulum that turns round.
        assert!(!is_rest(0.0, 1.01 * acceleration));
    }
}
