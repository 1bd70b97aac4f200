//! Numbers that are derived at building and are constants of a gradient.
//!
//! Reach and stiffness of contact, the speed at which friction is developed, tolerances and clocks
//! follow from sizes, masses and materials by rules with kinks. They smooth and bound; nobody asks for
//! their part in a derivative. So a scene with other values keeps those of the reference scene.

use ipcsim::time::World;

/// Gives a world of other values the derived numbers of the `reference`.
pub(crate) fn freeze(world: &mut World, reference: &World) {
    world.barriers = reference.barriers.clone();
    let surface = &mut world.model.surface;
    let of_reference = &reference.model.surface;
    surface.reach = of_reference.reach.clone();
    surface.self_d_hat.clone_from(&of_reference.self_d_hat);
    surface.flush = of_reference.flush.clone();
    surface.min_separation = of_reference.min_separation;
    world.friction.eps_v = reference.friction.eps_v.clone();
    world.friction.rolling_speed = reference.friction.rolling_speed;
    world.model.pace = reference.model.pace.clone();
    world.newton = reference.newton;
    world.lagging = reference.lagging;
    world.clock = reference.clock;
}

/// What differs between two worlds that a derivative needs alike; `None` if nothing does.
pub(crate) fn difference(world: &World, reference: &World) -> Option<&'static str> {
    let sizes = |world: &World| {
        let model = &world.model;
        let counts = [
            world.bodies.len(),
            model.mass.len(),
            model.energies.len(),
            model.joints.len(),
            world.prescribed.len(),
        ];
        (counts, model.surface.edges.clone())
    };
    if sizes(world) != sizes(reference) {
        return Some("there are other bodies, vertices or joints");
    }
    let connected =
        (&world.triangles, &world.springs) == (&reference.triangles, &reference.springs);
    (!connected).then_some("the mesh connects other vertices")
}
