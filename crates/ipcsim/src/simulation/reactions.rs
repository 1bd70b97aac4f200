//! Reactions of supports, with the names of what they hold.

use ipcsim_core::forces::{self, SupportKind};
use ipcsim_core::solve::Touching;
use ipcsim_core::time::{State, World};
use ipcsim_math::Vec2;

/// Force and moment by which a support holds or drives a body or obstacle at the end of a step.
///
/// The reactions of a step add up to the inertia of all bodies, `sum m (v_1 - v_0) / h`, less their
/// weight and other loads: at rest they carry the weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction<'a> {
    /// Name of the body or obstacle.
    pub body: &'a str,
    /// What of it is held: an obstacle, a scripted body, fixed coordinates, or selected vertices.
    pub kind: SupportKind,
    /// Force of the support on what it holds (N); zero along axes that are free.
    pub force: Vec2,
    /// Moment of the support on what it holds (N m), counter-clockwise, about
    /// [`about`](Self::about); 0 if a body may turn.
    pub moment: f64,
    /// Point about which the moment counts (m): the origin of an obstacle, the centre of mass of a
    /// rigid body, the mean position of selected vertices.
    pub about: Vec2,
}

/// Reactions of all supports in the order of the bodies; none before the first step.
pub(super) fn forces<'a>(
    world: &'a World,
    state: &State,
    last: &Touching,
) -> impl Iterator<Item = Reaction<'a>> {
    let reactions = forces::reactions(world, state, last).into_iter();
    reactions.map(|reaction| Reaction {
        body: &world.bodies[reaction.body].name,
        kind: reaction.kind,
        force: reaction.force,
        moment: reaction.moment,
        about: reaction.about,
    })
}
