//! Rigid bodies in the world: an outline with a node for its centre and one for its angle.
//!
//! The first node has the mass `m`, the second one the moment of inertia. A script prescribes both.
//! Without one, the coordinates that the scene fixes are held, and forces and torque act on the others.

use super::builder::{Builder, Node};
use super::new_body::NewBody;
use super::outline::PlacedOutline;
use crate::schema::{Axis, Shape};
use ipcsim_core::body::{self, BodyKind};
use ipcsim_math::Vec2;

/// Adds a rigid body to the world.
pub(super) fn add(builder: &mut Builder, body: &NewBody) {
    // Mass and centre.
    let spec = body.spec;
    let placed = PlacedOutline::of_body(body);
    let properties = placed.mass_properties(body);
    let center = properties.center;

    // A point has no moment of inertia and is held; its mass stands in.
    let second = properties.second.trace();
    let inertia = if second > 0.0 {
        second
    } else {
        properties.mass
    };

    // Centre and angle.
    let arms = placed.outline.vertices.iter().map(|x| x - center).collect();
    let kinematics = Box::new(body::Rigid { arms });
    let vertex = builder.vertices.len();
    let first = builder.add_outline(spec.name.clone(), BodyKind::Rigid, &placed, kinematics);
    let path = format!("bodies[{}]", body.entry);
    builder.put_onto_axis(body.scene, &spec.name, &path, vertex);
    builder.nodes.push(Node {
        q: center,
        q_dot: spec.velocity.into(),
        mass: Vec2::repeat(properties.mass),
    });
    builder.nodes.push(Node {
        q: Vec2::zeros(),
        q_dot: Vec2::new(spec.spin_deg.to_radians(), 0.0),
        mass: Vec2::repeat(inertia),
    });
    builder.add_load(first, spec.force.into());
    builder.add_load(first + 1, Vec2::new(spec.torque, 0.0));

    // Resistance against velocities, by the body or by its material.
    let rate = body.material.damping.map_or(0.0, |damping| damping.mass);
    let rates = spec
        .damping
        .map_or([rate; 2], |own| [own.linear, own.angular]);
    builder.damp(first..first + 2, rates);

    // Motion that is scripted, or coordinates that are held.
    if let Some(script) = &spec.script {
        let motion = placed.placement.motion(script);
        builder.prescribe_rigid(first, center - placed.placement.origin, &motion);
    } else {
        let [x, y, angle] = [Axis::X, Axis::Y, Axis::Angle].map(|axis| spec.fixed.contains(&axis));
        // A point has no orientation.
        let holds_angle = angle || matches!(spec.shape, Shape::Point(_));
        builder.hold(first, [x, y]);
        builder.hold(first + 1, [holds_angle; 2]);
    }
}
