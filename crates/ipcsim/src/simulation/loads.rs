//! Forces of loads, with the names that the scene gives them.

use ipcsim_core::forces;
use ipcsim_core::solve::Touching;
use ipcsim_core::time::{State, World};
use ipcsim_math::Vec2;

/// Resultant and moment of a load at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadForce<'a> {
    /// Name of the load; if the scene gives none its kind and number, such as "traction 0".
    pub name: &'a str,
    /// Name of the body or obstacle that it acts on.
    pub body: &'a str,
    /// Resultant on the body (N).
    pub force: Vec2,
    /// Moment on the body (N m), counter-clockwise, about [`about`](Self::about).
    pub moment: f64,
    /// Centre of mass of the body (m); of a reduced body the mean of its vertices.
    pub about: Vec2,
}

/// Forces of all loads in the order of the scene; none before the first step.
pub(super) fn forces<'a>(
    world: &'a World,
    state: &State,
    last: &Touching,
) -> impl Iterator<Item = LoadForce<'a>> {
    let loads = forces::loads(world, state, last).into_iter();
    loads.map(|load| LoadForce {
        name: &world.loading.applied[load.load].name,
        body: &world.bodies[load.body].name,
        force: load.force,
        moment: load.moment,
        about: load.about,
    })
}
