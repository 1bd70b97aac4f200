//! Rigid bodies: a centre of mass and an angle.
//!
//! A rigid body has two nodes. The first is its centre of mass `c` with mass `m`; the second is its
//! angle `theta` with the moment of inertia `I`, beside a component that stays 0. Vertices follow
//! as `x_i = c + R(theta) X_i` (Ferguson et al. 2021, "Intersection-free Rigid Body Dynamics").
//!
//! A script prescribes both nodes. Without one, the coordinates that the scene fixes are held, and
//! forces and torque act on the others.

use super::rules::{Freedom, NewBody, Rules, ShapeClass};
use crate::assemble::builder::{Builder, Node};
use crate::assemble::rigid::PlacedOutline;
use crate::schema::{Axis, Law, Shape};
use ipcsim_core::body::{self, BodyKind};
use ipcsim_math::Vec2;

/// The kind of rigid bodies, which has no parameters.
///
/// A rigid body takes every shape but a half-plane, and needs no law: only the density of its
/// material counts.
pub(super) struct Rigid;

impl Rules for Rigid {
    fn name(&self) -> &'static str {
        "rigid"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["torque", "fixed", "script", "mass_from"]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Round
    }

    fn freedom(&self) -> Freedom {
        Freedom::Whole
    }

    fn stiffness(&self, _law: Option<&Law>) -> Option<f64> {
        None
    }

    fn add(&self, builder: &mut Builder, body: &NewBody) {
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
        let first = builder.add_outline(spec.name.clone(), BodyKind::Rigid, &placed, kinematics);
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

        // Motion that is scripted, or coordinates that are held.
        if let Some(script) = &spec.script {
            let motion = placed.placement.motion(script);
            builder.prescribe_rigid(first, center - placed.placement.origin, &motion);
        } else {
            let [x, y, angle] =
                [Axis::X, Axis::Y, Axis::Angle].map(|axis| spec.fixed.contains(&axis));
            // A point has no orientation.
            let holds_angle = angle || matches!(spec.shape, Shape::Point(_));
            builder.hold(first, [x, y]);
            builder.hold(first + 1, [holds_angle; 2]);
        }
    }
}
