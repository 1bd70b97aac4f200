//! Bodies without triangles: outlines that move as a whole, with or without a script.
//!
//! Rigid bodies, affine bodies and obstacles have an outline whose vertices follow from a few
//! nodes. They differ in the map from nodes to vertices, which the caller gives as [`Kinematics`].
//! Mass comes from the filled outline or from the edges, and shapes without an inside have edges
//! only.
//!
//! A circle has no edges. It is a disk around its centre, with a vertex on the rim that shows its
//! angle. Points and vertices without an edge collide as edges from a vertex to itself.
//!
//! A scripted rigid body has two prescribed nodes: its centre, at a fixed arm from the origin of
//! the motion, and its angle.

use super::builder::{Builder, Vertex};
use super::new_body::NewBody;
use super::placement::Placement;
use super::turn::is_revolved;
use crate::schema::{self, Interpolation, MassFrom, Shape};
use crate::shape_geometry::outline;
use ipcsim_contact::Disk;
use ipcsim_core::body::{
    Body, BodyKind, Kinematics, MassProperties, Pose, Prescribed, Role, ScriptedMotion, inertia,
};
use ipcsim_math::Vec2;
use ipcsim_mesh::{Outline, boundary};
use std::f64::consts::TAU;

/// The outline of a body or an obstacle where it is at the start.
pub(crate) struct PlacedOutline<'a> {
    /// Shape in the scene.
    pub shape: &'a Shape,
    /// Place of the shape's origin, and rotation.
    pub placement: Placement,
    /// Outline in the world (m).
    pub outline: Outline,
    /// Group of the body or obstacle, if it has one.
    pub group: Option<String>,
    /// Thickness across the plane (m).
    pub thickness: f64,
}

impl<'a> PlacedOutline<'a> {
    /// Outline of a body of the scene.
    pub(crate) fn of_body(body: &NewBody<'a>) -> Self {
        let spec = body.spec;
        let placement = Placement::new(spec.position, spec.rotation_deg);
        Self {
            shape: &spec.shape,
            outline: placement.of_outline(outline(&spec.shape)),
            placement,
            group: spec.group.clone(),
            thickness: body.scene.thickness,
        }
    }

    /// Outline of an obstacle in a scene of this thickness (m).
    pub(super) fn of_obstacle(obstacle: &'a schema::Obstacle, thickness: f64) -> Self {
        let placement = Placement::new(obstacle.position, obstacle.rotation_deg);
        Self {
            shape: &obstacle.shape,
            outline: placement.of_outline(outline(&obstacle.shape)),
            placement,
            group: obstacle.group.clone(),
            thickness,
        }
    }

    /// Mass (kg), centre (m) and second moments (kg m^2) of the body: as its shape has them, but for the
    /// numbers that the scene gives.
    pub(crate) fn mass_properties(&self, body: &NewBody) -> MassProperties {
        let of_shape = self.shape_properties(body);
        let spec = body.spec;
        let mass = spec.mass.unwrap_or(of_shape.mass);

        // Second moments keep their ratio.
        let mut second = of_shape.second;
        if spec.mass.is_some() {
            second *= mass / of_shape.mass;
        }
        if let Some(moment) = spec.moment {
            second *= moment / second.trace();
        }
        let centre = spec
            .centre
            .map(|centre| self.placement.place(centre.into()));
        MassProperties {
            mass,
            center: centre.unwrap_or(of_shape.center),
            second,
        }
    }

    /// Mass (kg), centre (m) and second moments (kg m^2) of the shape.
    ///
    /// A point has the mass of its shape, whatever its material. Edges count as 1 m wide.
    pub(super) fn shape_properties(&self, body: &NewBody) -> MassProperties {
        if is_revolved(body.scene) {
            let mut made = self.flat_properties(body, body.material.density);
            let turn = TAU * made.center.x;
            made.mass *= turn;
            made.second *= turn;
            return made;
        }
        self.flat_properties(body, body.material.density * self.thickness)
    }

    /// The same of a shape in the plane, with a mass per area (kg/m^2). A body of revolution has that times
    /// the turn of its centre (Pappus).
    fn flat_properties(&self, body: &NewBody, area_density: f64) -> MassProperties {
        let properties = match self.shape {
            Shape::Circle(circle) => inertia::circle(circle.radius, area_density),
            Shape::Point(point) => inertia::point(point.mass),
            _ if self.outline.filled && body.spec.mass_from == MassFrom::Outline => {
                return inertia::filled(&self.outline, area_density);
            }
            _ => return inertia::edges(&self.outline, area_density),
        };

        // Circles and points are computed about their own origin.
        MassProperties {
            center: self.placement.origin,
            ..properties
        }
    }

    /// Rest positions, contact areas and radii of the vertices.
    ///
    /// The centre of a circle stands for an area of radius times thickness, a vertex of an outline
    /// for its share of the edges.
    fn vertices(&self) -> Vec<Vertex> {
        let lengths = boundary::lengths(&self.outline.vertices, &self.outline.edges);
        let mut vertices = Vec::with_capacity(lengths.len());
        for (&rest, length) in self.outline.vertices.iter().zip(lengths) {
            vertices.push(Vertex {
                rest,
                weight: length * self.thickness,
                radius: 0.0,
            });
        }

        if let (Shape::Circle(circle), [center, ..]) = (self.shape, &mut vertices[..]) {
            center.radius = circle.radius;
            center.weight = circle.radius * self.thickness;
        }
        vertices
    }
}

impl Builder {
    /// Adds the vertices and the surface of a body that moves as a whole.
    ///
    /// Returns the number of its first node. The caller adds as many nodes as `kinematics` has.
    pub(crate) fn add_outline(
        &mut self,
        name: String,
        kind: BodyKind,
        placed: &PlacedOutline,
        kinematics: Box<dyn Kinematics>,
    ) -> usize {
        let outline = &placed.outline;
        let first = self.vertices.len();
        let nodes = self.add_whole(name, kind, placed.vertices(), kinematics);

        // Circles have an inside without an edge.
        let is_circle = matches!(placed.shape, Shape::Circle(_));
        self.filled.push(outline.filled || is_circle);
        self.groups.push(placed.group.clone());

        // Edges, and points that collide without one.
        let edges = outline.edges.iter().map(|edge| edge.map(|i| first + i));
        self.edges.extend(edges);
        let isolated = if let Shape::Circle(circle) = placed.shape {
            self.disks.push(Disk {
                center: first,
                rim: first + 1,
                radius: circle.radius,
            });
            vec![0]
        } else {
            outline.isolated_vertices()
        };
        self.isolated.extend(isolated.iter().map(|i| first + i));
        self.edges.extend(isolated.iter().map(|i| [first + i; 2]));
        nodes
    }

    /// Adds a body of vertices that move as a whole, without a surface.
    ///
    /// Returns the number of its first node. The caller adds as many nodes as `kinematics` has.
    pub(super) fn add_whole(
        &mut self,
        name: String,
        kind: BodyKind,
        vertices: Vec<Vertex>,
        kinematics: Box<dyn Kinematics>,
    ) -> usize {
        let first = self.vertices.len();
        let nodes = self.coordinates.add_reduced(vertices.len(), kinematics);
        let first_node = nodes.start;
        self.vertices.extend(vertices);

        // The body is the next in the list.
        self.rigid.push(self.bodies.len());
        self.bodies.push(Body {
            name,
            kind,
            vertices: first..self.vertices.len(),
            nodes,
        });
        first_node
    }

    /// Prescribes the motion of a rigid body whose centre is at `arm` (m) from the motion's origin.
    ///
    /// `node` is that of the centre; the next one is the angle.
    pub(crate) fn prescribe_rigid(&mut self, node: usize, arm: Vec2, motion: &ScriptedMotion) {
        for (node, role) in [(node, Role::Center(arm)), (node + 1, Role::Angle)] {
            self.prescribed.push(Prescribed {
                node,
                role,
                start: self.nodes[node].q,
                axes: [true; 2],
                motion: motion.clone(),
                displacement: None,
                from: 0.0,
                selection: 0,
            });
        }
    }

    /// Keeps components of a node at their values of the start. Nothing is added if `axes` has
    /// none.
    pub(crate) fn hold(&mut self, node: usize, axes: [bool; 2]) {
        if axes != [false; 2] {
            self.prescribed.push(Prescribed {
                node,
                role: Role::Point,
                start: self.nodes[node].q,
                axes,
                motion: ScriptedMotion::REST,
                displacement: None,
                from: 0.0,
                selection: 0,
            });
        }
    }
}

impl Placement {
    /// The outline of a shape about its own origin, moved here.
    fn of_outline(&self, outline: Outline) -> Outline {
        Outline {
            vertices: outline.vertices.iter().map(|&p| self.place(p)).collect(),
            ..outline
        }
    }

    /// Scripted motion of an object that is placed here at the start.
    ///
    /// Scripts in scenes are in degrees, and their keyframes are places in the world. Motions are
    /// in radians and relative to the pose at the start.
    pub(crate) fn motion(&self, script: &schema::Script) -> ScriptedMotion {
        let mut keyframes = Vec::with_capacity(script.keyframes.len());
        for keyframe in &script.keyframes {
            let pose = Pose {
                displacement: Vec2::from(keyframe.position) - self.origin,
                angle: keyframe.rotation_deg.to_radians() - self.angle,
            };
            keyframes.push((keyframe.time, pose));
        }

        ScriptedMotion {
            velocity: script.velocity.into(),
            travel: script.travel.unwrap_or(f64::INFINITY),
            spin: script.spin_deg.to_radians(),
            keyframes,
            smooth: script.interpolation == Interpolation::Smooth,
            until: script.until.unwrap_or(f64::INFINITY),
        }
    }
}
