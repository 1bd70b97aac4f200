//! Part of `run.json` about pairs of bodies: the numbers that belong to each of them.

use ipcsim::time::World;
use serde::{Deserialize, Serialize};

/// Numbers of a pair of bodies, given or derived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairNumbers {
    /// Names of the two bodies.
    pub between: [String; 2],
    /// Distance at which they begin to repel each other (m).
    pub d_hat: f64,
    /// Stiffness of their barrier (Pa), before it is adapted.
    pub kappa: f64,
    /// Sliding speed at which their friction is fully developed (m/s).
    pub eps_v: f64,
}

impl PairNumbers {
    /// Numbers of all pairs of bodies that collide, in the order of the bodies. Obstacles do not
    /// collide with each other.
    pub fn of_all(world: &World) -> impl Iterator<Item = Self> + '_ {
        let surface = &world.model.surface;
        let count = world.bodies.len();
        let untouchable = surface.filter.untouchable(count);
        let bodies = (0..count).filter(move |&body| !untouchable[body]);
        let pairs = bodies.flat_map(move |a| (a + 1..count).map(move |b| [a, b]));
        let collide = pairs.filter(|&[a, b]| {
            let moves = [a, b].iter().any(|&k| !world.bodies[k].kind.is_obstacle());
            moves && surface.filter.meet(a, b)
        });
        collide.map(|[a, b]| Self {
            between: [a, b].map(|k| world.bodies[k].name.clone()),
            d_hat: surface.reach.between(a, b),
            kappa: world.barriers.kappa(a, b),
            eps_v: world.friction.eps_v.between(a, b),
        })
    }
}
