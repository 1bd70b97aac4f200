//! Numbers that are derived at building and are constants of a gradient.
//!
//! Reach and stiffness of contact, the speed at which friction is developed, tolerances and clocks
//! follow from sizes, masses and materials by rules with kinks. They smooth and bound; nobody asks for
//! their part in a derivative. So a scene with other values keeps those of the reference scene. A reach or
//! stiffness that the scene gives is a number like any other.
//!
//! A step of a gradient compares equations of scenes with other values at the same states. If
//! derived numbers followed along, their kinks would enter these differences, and a changed mesh
//! would make lists of different lengths. [`freeze`] copies the derived numbers, and
//! [`difference`] finds scenes that cannot be compared.

use ipcsim::body::{BodyKind, Configuration};
use ipcsim::time::World;

/// Difference of a field of displacement, relative to its size at a vertex, from which on it is another one.
const OTHER_MODE: f64 = 0.3;

/// True for the keys of numbers of contact, but for those of friction.
pub(crate) fn is_of_contact(key: &str) -> bool {
    key.starts_with("contact.") && !key.starts_with("contact.friction")
}

/// Gives a world of other values the derived numbers of the `reference`, and the reach and stiffness of
/// contact of the world `touching`: the reference with other values of these only.
///
/// The copied numbers are barriers and reach, the speed at which friction is developed, the clock
/// and the tolerances of the solver.
pub(crate) fn freeze(world: &mut World, reference: &World, touching: &World) {
    world.barriers = touching.barriers.clone();
    let surface = &mut world.model.surface;
    let of_reference = &touching.model.surface;
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
///
/// Counts of bodies, nodes, energies, joints and prescribed nodes are compared, and the edges,
/// triangles and springs by the numbers of their vertices.
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
    if !connected {
        return Some("the mesh connects other vertices");
    }
    has_other_modes(world, reference).then_some(
        "modes jump: where two modes of a body have nearly one frequency, any change turns them",
    )
}

/// True if the fields of displacement of a reduced body differ by more than a small change of a number makes.
///
/// Modes of a body follow from its stiffness and mass. Their sign is free, and so is every turn among
/// modes of one frequency. The motions of a modal body as a whole have the frequency 0, so that any change of its
/// stiffness or mass turns them.
fn has_other_modes(world: &World, reference: &World) -> bool {
    let reduced = reference.bodies.iter();
    let mut reduced = reduced.filter(|body| body.kind == BodyKind::Reduced);
    let [own, other] = [world, reference].map(|world| {
        let coordinates = &world.model.coordinates;
        (coordinates, Configuration::zero(coordinates))
    });

    // Maps of reduced bodies are linear, so that any configuration serves.
    reduced.any(|body| {
        let vertices = body.vertices.clone();
        let mut pairs =
            vertices.flat_map(|vertex| body.nodes.clone().map(move |node| (vertex, node)));
        pairs.any(|(vertex, node)| {
            let [a, b] =
                [&own, &other].map(|(coordinates, at)| coordinates.jacobian(at, vertex, node));
            (a - b).norm() > OTHER_MODE * b.norm() + f64::EPSILON
        })
    })
}
