//! Bodies without triangles: rigid and affine ones, and obstacles.

use super::builder::Builder;
use super::derive::AFFINE_STIFFNESS;
use super::placement::Placement;
use super::shape::outline;
use crate::body::{
    Body, BodyKind, Kinematics, LinearMap, MassProperties, Pose, Prescribed, Rigid, Role,
    ScriptedMotion, inertia,
};
use crate::contact::{Disk, HalfPlane};
use crate::energy::Orthogonality;
use crate::math::definite::symmetric_eigen2;
use crate::math::{Mat2, Vec2, perp};
use crate::mesh::{Outline, boundary};
use crate::scene::schema::{self, Axis, Interpolation, Keyframe, MassFrom, Scene, Shape};

impl Builder {
    pub(super) fn add_rigid(&mut self, body: &schema::Body, density: f64, scene: &Scene) {
        let placement = Placement::new(body.position, body.rotation_deg);
        let outline = placement.of_outline(outline(&body.shape));
        let properties = mass_properties(body, &outline, density * scene.thickness, &placement);
        let MassProperties {
            mass,
            center,
            second,
        } = properties;
        let arms = outline.vertices.iter().map(|x| x - center).collect();
        let inertia = if second.trace() > 0.0 {
            second.trace()
        } else {
            mass
        };
        let first = self.q.len();
        self.add_reduced(
            body.name.clone(),
            BodyKind::Rigid,
            &outline,
            Box::new(Rigid { arms }),
        );
        self.add_surface(&body.shape, &outline, body.group.as_deref(), scene);
        self.q.extend([center, Vec2::zeros()]);
        self.q_dot.extend([
            body.velocity.into(),
            Vec2::new(body.spin_deg.to_radians(), 0.0),
        ]);
        self.mass
            .extend([Vec2::repeat(mass), Vec2::repeat(inertia)]);
        self.add_load(first, body.force.into());
        self.add_load(first + 1, Vec2::new(body.torque, 0.0));
        if let Some(script) = &body.script {
            let motion = placement.motion(script);
            self.prescribe_rigid(first, center - placement.origin, motion);
        } else {
            let fixed = [Axis::X, Axis::Y, Axis::Angle].map(|axis| body.fixed.contains(&axis));
            // A single point has no angle to speak of.
            let turns_not = fixed[2] || matches!(body.shape, Shape::Point(_));
            self.hold(first, [fixed[0], fixed[1]]);
            self.hold(first + 1, [turns_not, turns_not]);
        }
    }

    pub(super) fn add_affine(
        &mut self,
        body: &schema::Body,
        density: f64,
        stiffness: Option<f64>,
        scene: &Scene,
    ) {
        let placement = Placement::new(body.position, body.rotation_deg);
        let outline = placement.of_outline(outline(&body.shape));
        let properties = mass_properties(body, &outline, density * scene.thickness, &placement);
        let MassProperties {
            mass,
            center,
            second,
        } = properties;
        let [(first_moment, a), (second_moment, b)] =
            symmetric_eigen2(second.m11, second.m12, second.m22);
        let scaled = |x: &Vec2| {
            let [along_a, along_b] =
                [a, b].map(|axis| Mat2::from_diagonal_element(axis.dot(&(x - center))));
            [Mat2::identity(), along_a, along_b]
        };
        let map = LinearMap {
            origin: vec![Vec2::zeros(); outline.vertices.len()],
            basis: outline.vertices.iter().flat_map(scaled).collect(),
            lift: vec![Mat2::identity(), Mat2::zeros(), Mat2::zeros()],
        };
        let first = self.q.len();
        self.add_reduced(body.name.clone(), BodyKind::Affine, &outline, Box::new(map));
        self.add_surface(&body.shape, &outline, body.group.as_deref(), scene);
        let spin = body.spin_deg.to_radians();
        self.q.extend([center, a, b]);
        self.q_dot
            .extend([body.velocity.into(), perp(a) * spin, perp(b) * spin]);
        self.mass
            .extend([mass, first_moment, second_moment].map(Vec2::repeat));
        self.add_load(first, body.force.into());
        let volume = mass / density;
        let stiffness = stiffness.unwrap_or(AFFINE_STIFFNESS) * volume;
        self.orthogonality
            .push([first + 1, first + 2], Orthogonality { stiffness });
    }

    pub(super) fn add_obstacle(&mut self, obstacle: &schema::Obstacle, scene: &Scene) {
        let script = obstacle.script();
        if let Shape::HalfPlane(plane) = &obstacle.shape {
            return self.add_half_plane(obstacle, plane, &script);
        }
        let placement = Placement::new(obstacle.position, obstacle.rotation_deg);
        let outline = placement.of_outline(outline(&obstacle.shape));
        let arms = outline
            .vertices
            .iter()
            .map(|x| x - placement.origin)
            .collect();
        let first = self.q.len();
        self.add_reduced(
            obstacle.name.clone(),
            BodyKind::Obstacle,
            &outline,
            Box::new(Rigid { arms }),
        );
        self.add_surface(&obstacle.shape, &outline, obstacle.group.as_deref(), scene);
        self.q.extend([placement.origin, Vec2::zeros()]);
        self.q_dot.extend([Vec2::zeros(); 2]);
        self.mass.extend([Vec2::zeros(); 2]);
        self.prescribe_rigid(first, Vec2::zeros(), placement.motion(&script));
    }

    fn add_half_plane(
        &mut self,
        obstacle: &schema::Obstacle,
        plane: &schema::HalfPlane,
        script: &schema::Script,
    ) {
        let placement = Placement::new(plane.origin, 0.0);
        if placement.motion(script).turns() {
            return self.add_turning_half_plane(obstacle, plane, placement.motion(script));
        }
        let vertex = self.rest.len();
        let node = self.q.len();
        self.coordinates.add_free(1);
        self.rest.push(placement.origin);
        self.q.push(placement.origin);
        self.q_dot.push(Vec2::zeros());
        self.mass.push(Vec2::zeros());
        self.weight.push(0.0);
        self.radius.push(0.0);
        self.filled.push(false);
        self.groups.push(obstacle.group.clone());
        self.planes.push(HalfPlane {
            normal: Vec2::from(plane.normal).normalize(),
            origin: vertex,
            along: None,
        });
        let (start, motion) = (placement.origin, placement.motion(script));
        self.prescribed.push(Prescribed {
            node,
            role: Role::Point,
            start,
            axes: [true; 2],
            motion,
        });
        self.bodies.push(Body {
            name: obstacle.name.clone(),
            kind: BodyKind::HalfPlane,
            vertices: vertex..vertex + 1,
            nodes: node..node + 1,
        });
    }

    fn add_turning_half_plane(
        &mut self,
        obstacle: &schema::Obstacle,
        plane: &schema::HalfPlane,
        motion: ScriptedMotion,
    ) {
        let (origin, normal) = (
            Vec2::from(plane.origin),
            Vec2::from(plane.normal).normalize(),
        );
        let arms = vec![Vec2::zeros(), -perp(normal)];
        let outline = Outline {
            vertices: arms.iter().map(|arm| origin + arm).collect(),
            ..Outline::default()
        };
        let (vertex, first) = (self.rest.len(), self.q.len());
        self.add_reduced(
            obstacle.name.clone(),
            BodyKind::HalfPlane,
            &outline,
            Box::new(Rigid { arms }),
        );
        self.weight.extend([0.0; 2]);
        self.radius.extend([0.0; 2]);
        self.filled.push(false);
        self.groups.push(obstacle.group.clone());
        self.planes.push(HalfPlane {
            normal,
            origin: vertex,
            along: Some(vertex + 1),
        });
        self.q.extend([origin, Vec2::zeros()]);
        self.q_dot.extend([Vec2::zeros(); 2]);
        self.mass.extend([Vec2::zeros(); 2]);
        self.prescribe_rigid(first, Vec2::zeros(), motion);
    }

    /// Adds a body's vertices and the way they move.
    fn add_reduced(
        &mut self,
        name: String,
        kind: BodyKind,
        outline: &Outline,
        kinematics: Box<dyn Kinematics>,
    ) {
        let first = self.rest.len();
        let nodes = self
            .coordinates
            .add_reduced(outline.vertices.len(), kinematics);
        self.rest.extend(&outline.vertices);
        self.rigid.push(self.bodies.len());
        self.bodies.push(Body {
            name,
            kind,
            vertices: first..self.rest.len(),
            nodes,
        });
    }

    /// Adds what collides of the body whose vertices were added last.
    fn add_surface(
        &mut self,
        shape: &Shape,
        outline: &Outline,
        group: Option<&str>,
        scene: &Scene,
    ) {
        let count = outline.vertices.len();
        let first = self.rest.len() - count;
        let lengths = boundary::lengths(&outline.vertices, &outline.edges);
        self.weight
            .extend(lengths.iter().map(|length| length * scene.thickness));
        self.radius.extend(vec![0.0; count]);
        self.edges
            .extend(outline.edges.iter().map(|edge| edge.map(|i| first + i)));
        self.filled
            .push(outline.filled || matches!(shape, Shape::Circle(_)));
        self.groups.push(group.map(str::to_owned));
        let isolated = if let Shape::Circle(circle) = shape {
            self.radius[first] = circle.radius;
            self.weight[first] = circle.radius * scene.thickness;
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
    }

    /// Prescribes the motion of a rigid body whose centre is at `arm` from the origin of the motion.
    fn prescribe_rigid(&mut self, node: usize, arm: Vec2, motion: ScriptedMotion) {
        let (center, angle) = (self.q[node], self.q[node + 1]);
        let turn = motion.clone();
        let both = [true; 2];
        self.prescribed.push(Prescribed {
            node,
            role: Role::Center(arm),
            start: center,
            axes: both,
            motion,
        });
        self.prescribed.push(Prescribed {
            node: node + 1,
            role: Role::Angle,
            start: angle,
            axes: both,
            motion: turn,
        });
    }

    /// Keeps components of a node where they are.
    fn hold(&mut self, node: usize, axes: [bool; 2]) {
        if axes != [false; 2] {
            let start = self.q[node];
            self.prescribed.push(Prescribed {
                node,
                role: Role::Point,
                start,
                axes,
                motion: ScriptedMotion::REST,
            });
        }
    }
}

impl Placement {
    fn of_outline(&self, outline: Outline) -> Outline {
        Outline {
            vertices: outline.vertices.iter().map(|&p| self.place(p)).collect(),
            ..outline
        }
    }

    /// The motion of what is placed here.
    pub(super) fn motion(&self, script: &schema::Script) -> ScriptedMotion {
        let pose = |keyframe: &Keyframe| Pose {
            displacement: Vec2::from(keyframe.position) - self.origin,
            angle: keyframe.rotation_deg.to_radians() - self.angle,
        };
        ScriptedMotion {
            velocity: script.velocity.into(),
            travel: script.travel.unwrap_or(f64::INFINITY),
            spin: script.spin_deg.to_radians(),
            keyframes: script
                .keyframes
                .iter()
                .map(|keyframe| (keyframe.time, pose(keyframe)))
                .collect(),
            smooth: script.interpolation == Interpolation::Smooth,
            until: script.until.unwrap_or(f64::INFINITY),
        }
    }
}

/// Mass (kg), centre and second moments of a body whose outline is placed already.
fn mass_properties(
    body: &schema::Body,
    outline: &Outline,
    area_density: f64,
    placement: &Placement,
) -> MassProperties {
    let moved = |properties: MassProperties| MassProperties {
        center: placement.origin,
        ..properties
    };
    match &body.shape {
        Shape::Circle(circle) => moved(inertia::circle(circle.radius, area_density)),
        Shape::Point(point) => moved(inertia::point(point.mass)),
        _ if outline.filled && body.mass_from == MassFrom::Outline => {
            inertia::filled(outline, area_density)
        }
        _ => inertia::edges(outline, area_density),
    }
}
