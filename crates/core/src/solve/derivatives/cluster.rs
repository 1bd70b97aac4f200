//! Bodies of all kinds, each near some others: a world by hand for the derivatives of the whole
//! potential.
//!
//! Every kind of body, free, rigid, affine, reduced, disk, point and half-plane, has a gap of about
//! half of `d_hat` to its neighbours, so that every kind of contact acts. A hinge joins two of the
//! rigid bodies.

use crate::body::basis::{polynomial, reduced};
use crate::body::{Coordinates, Kinematics, LinearMap, Lumping, Rigid, lump};
use crate::constraint::{ConstraintAction, ConstraintRow, Hinge, Joint, JointFrame, Rule};
use crate::solve::{Model, Pace};
use ipcsim_contact::{Disk, Filter, HalfPlane, Surface};
use ipcsim_energy::material::{Lame, NeoHookean};
use ipcsim_energy::{Dampers, Orthogonality, Summed, Triangle};
use ipcsim_math::{Mat2, Vec2};
use ipcsim_mesh::{boundary, generate};

/// Bodies under construction, in the order in which they are added. Gaps between neighbours are
/// about half of `d_hat`.
#[derive(Default)]
pub(super) struct Cluster {
    /// Map from coordinates to positions.
    pub(super) coordinates: Coordinates,
    /// Coordinates of all bodies, `[nodes]`.
    pub(super) q: Vec<Vec2>,
    /// Masses of all components, `[nodes]`.
    pub(super) mass: Vec<Vec2>,
    /// Body of each vertex, `[vertices]`.
    body: Vec<usize>,
    /// Edges of all surfaces.
    edges: Vec<[usize; 2]>,
    /// Disks, each a center and a vertex on its rim.
    disks: Vec<Disk>,
    /// Vertices that form a separate surface.
    isolated: Vec<usize>,
    /// Half-planes, each of one free vertex.
    planes: Vec<HalfPlane>,
    /// Numbers of the rigid bodies.
    rigid: Vec<usize>,
    /// Two vertices of each of two rigid bodies that a hinge joins.
    hinged: [usize; 4],
    /// Elasticity of the soft bodies.
    pub(super) elastic: Summed<Triangle<NeoHookean>, 3>,
    /// Stiffness of the affine bodies.
    pub(super) orthogonality: Summed<Orthogonality, 2>,
}

impl Cluster {
    /// Numbers the vertices of the next body, and returns the first of them.
    fn next(&mut self, count: usize) -> usize {
        let first = self.body.len();
        let index = self.body.last().map_or(0, |last| last + 1);
        self.body.extend(vec![index; count]);
        first
    }

    /// Adds a rigid body whose vertices are `arms` away from its center, and returns its first
    /// vertex.
    fn rigid(
        &mut self,
        center: [f64; 2],
        angle: f64,
        arms: &[[f64; 2]],
        edges: &[[usize; 2]],
    ) -> usize {
        let first = self.next(arms.len());
        self.rigid.push(self.body[first]);
        self.edges
            .extend(edges.iter().map(|edge| edge.map(|i| first + i)));

        // Coordinates: center and angle.
        let arms = arms.iter().map(|&arm| arm.into()).collect();
        self.coordinates
            .add_reduced(self.body.len() - first, Box::new(Rigid { arms }));
        self.q.extend([center.into(), Vec2::new(angle, 0.0)]);
        self.mass.extend([Vec2::repeat(1.3), Vec2::repeat(0.4)]);
        first
    }

    /// Adds a rigid disk.
    fn disk(&mut self, center: [f64; 2], angle: f64, radius: f64) {
        let center = self.rigid(center, angle, &[[0.0, 0.0], [radius, 0.0]], &[[0, 0]]);
        self.isolated.push(center);
        self.disks.push(Disk {
            center,
            rim: center + 1,
            radius,
        });
    }

    /// Adds a rigid body of a single vertex.
    fn point(&mut self, at: [f64; 2]) {
        let point = self.rigid(at, 0.0, &[[0.0, 0.0]], &[[0, 0]]);
        self.isolated.push(point);
    }

    /// Adds a body of affine deformation with these corners.
    fn affine(&mut self, center: [f64; 2], corners: &[[f64; 2]]) {
        let first = self.next(corners.len());
        let basis = corners.iter().flat_map(|c| {
            let identity = Mat2::identity();
            [identity, identity * c[0], identity * c[1]]
        });
        let map = LinearMap {
            origin: vec![Vec2::zeros(); corners.len()],
            basis: basis.collect(),
            lift: vec![Mat2::identity(), Mat2::zeros(), Mat2::zeros()],
            shares: Vec::new(),
        };
        let nodes = self.coordinates.add_reduced(corners.len(), Box::new(map));

        self.edges.extend(
            loop_of(corners.len())
                .iter()
                .map(|edge| edge.map(|i| first + i)),
        );
        self.q
            .extend([center.into(), Vec2::new(0.96, 0.2), Vec2::new(-0.15, 1.02)]);
        self.mass.extend([1.0, 0.2, 0.3].map(Vec2::repeat));
        self.orthogonality.push(
            [nodes.start + 1, nodes.start + 2],
            Orthogonality { stiffness: 3.0 },
        );
    }

    /// A rectangle whose vertices are free, or whose displacements are polynomials of the second
    /// order.
    fn soft(&mut self, center: [f64; 2], size: [f64; 2], is_reduced: bool) {
        // Mesh, masses and surface.
        let mesh = generate::rectangle(size, [2, 2]);
        let first = self.next(mesh.vertices.len());
        let rest: Vec<Vec2> = mesh
            .vertices
            .iter()
            .map(|x| x + Vec2::from(center))
            .collect();
        let mass = lump(&mesh, 2.0, 1.0, Lumping::Area);
        self.edges.extend(
            boundary::edges(&mesh.triangles)
                .iter()
                .map(|edge| edge.map(|i| first + i)),
        );

        // Elasticity.
        for triangle in &mesh.triangles {
            let law = NeoHookean(Lame::plane_strain(5.0, 0.3));
            let triangle_rest = triangle.map(|i| mesh.vertices[i]);
            self.elastic.push(
                triangle.map(|i| first + i),
                Triangle::new(law, triangle_rest, 1.0),
            );
        }

        // Coordinates.
        if is_reduced {
            let map = reduced(&rest, &mass, &polynomial(&rest, &mass, 2).unwrap());
            self.q.extend(vec![Vec2::zeros(); map.nodes()]);
            self.mass.extend(vec![Vec2::repeat(1.0); map.nodes()]);
            self.coordinates.add_reduced(mass.len(), Box::new(map));
        } else {
            self.coordinates.add_free(mass.len());
            self.q.extend(rest);
            self.mass.extend(mass.iter().map(|&m| Vec2::repeat(m)));
        }
    }

    /// Adds a half-plane through `origin` that can move.
    fn plane(&mut self, normal: [f64; 2], origin: [f64; 2]) {
        let vertex = self.next(1);
        self.coordinates.add_free(1);
        self.planes.push(HalfPlane {
            normal: Vec2::from(normal).normalize(),
            origin: vertex,
            along: None,
        });

        self.q.push(origin.into());
        self.mass.push(Vec2::repeat(2.0));
    }

    /// Bodies of all kinds in one cluster.
    pub(super) fn of_all_kinds() -> Self {
        let mut cluster = Self::default();
        let corners = [[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]];

        // Bodies one after another, each close to some of the others.
        cluster.soft([0.5, 0.5], [1.0, 1.0], false);
        let square = cluster.rigid([1.8, 0.5], 0.3, &corners, &loop_of(4));
        cluster.disk([0.5, 1.5], 0.4, 0.3);
        cluster.disk([1.3, 1.6], -2.0, 0.35);
        cluster.affine([0.4, -0.7], &corners);
        cluster.soft([2.0, -0.7], [1.0, 0.6], true);
        cluster.point([1.15, -0.2]);
        cluster.point([1.2, -0.6]);
        let angle = cluster.rigid(
            [2.6, 0.3],
            0.1,
            &[[0.0, -0.8], [0.1, 0.1], [0.0, 0.9]],
            &[[0, 1], [1, 2]],
        );

        // A hinge between two of them, then the rest.
        cluster.hinged = [square, square + 2, angle, angle + 2];
        cluster.disk([3.0, -1.0], 0.0, 0.25);
        cluster.plane([0.1, 1.0], [0.0, -1.4]);
        cluster
    }

    /// A hinge between the two rigid bodies, at a point outside of both.
    fn joints(&self) -> Vec<Joint> {
        let mut x = vec![Vec2::zeros(); self.coordinates.vertices()];
        self.coordinates.positions(&self.q, &mut x);

        // Two vertices of each body determine the hinge.
        let at = Vec2::new(2.3, 0.9);
        let frame = |a: usize, b: usize| JointFrame::turning([a, b], [x[a], x[b]], at, Vec2::x());
        let [a, b, c, d] = self.hinged;
        vec![Joint {
            label: "hinge".to_owned(),
            bodies: [1, 8],
            rows: vec![ConstraintRow::new(
                Rule::Hinge(Hinge),
                ConstraintAction::Closed,
                &[frame(a, b), frame(c, d)],
                1.3,
                1.7,
            )],
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        }]
    }

    /// The model, with or without elasticity, and the coordinates of all bodies.
    pub(super) fn model(self, elastic: bool) -> (Model, Vec<Vec2>) {
        let surface = self.surface();
        let joints = self.joints();
        let mut model = Model {
            pace: Pace::uniform(surface.filled.len()),
            joints,
            surface,
            coordinates: self.coordinates,
            mass: self.mass,
            energies: Vec::new(),
            own: Vec::new(),
            dampers: Dampers::default(),
        };

        if elastic {
            model.energies.push(Box::new(self.elastic));
            model.own.push(Box::new(self.orthogonality));
        }
        (model, self.q)
    }

    /// Surface of all bodies, with weights that differ from vertex to vertex.
    fn surface(&self) -> Surface {
        let mut points: Vec<usize> = self.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();

        let count = self.body.len();
        let mut radius = vec![0.0; count];
        self.disks
            .iter()
            .for_each(|disk| radius[disk.center] = disk.radius);
        Surface {
            points,
            edges: self.edges.clone(),
            disks: self.disks.clone(),
            radius,
            isolated: (0..count).map(|i| self.isolated.contains(&i)).collect(),
            planes: self.planes.clone(),
            weight: (0..count).map(|i| 0.3 + 0.01 * i as f64).collect(),
            filter: Filter::new(vec![], self.rigid.clone(), vec![], usize::MAX),
            min_separation: 0.02,
            ..Surface::new(self.body.clone(), 0.6)
        }
    }
}

/// Edges of a closed polygon.
fn loop_of(count: usize) -> Vec<[usize; 2]> {
    (0..count).map(|i| [i, (i + 1) % count]).collect()
}
