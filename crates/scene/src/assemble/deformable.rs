//! Bodies of triangles or springs whose vertices are free.
//!
//! A deformable body has a node for each vertex, `q_i = x_i`, with the mass of the vertex. Vertices,
//! surface, mass and elements are as those of reduced bodies, which have other nodes.
//!
//! Adding a body takes three calls: the mesh, the nodes, and [`Builder::close_mesh`].

use super::builder::{Builder, Node, Vertex};
use super::new_body::NewBody;
use super::placement::Placement;
use super::quadratic;
use super::regions::{Share, shares};
use super::turn::{is_revolved, placed};
use crate::problem::Problem;
use crate::shape_geometry::mesh;
use ipcsim_core::body::{Body, BodyKind, inertia, lump, lump_revolved};
use ipcsim_energy::Change;
use ipcsim_math::{Vec2, perp};
use ipcsim_mesh::{Mesh, boundary};

/// A mesh whose vertices and elements are in the world, and whose nodes are still to be added.
pub(crate) struct Meshed {
    /// Mesh about the shape's origin (m).
    pub(super) mesh: Mesh,
    /// Mass of each vertex, `[vertices of the body]` (kg).
    pub(super) mass: Vec<f64>,
    /// Place and rotation of the body.
    pub(super) placement: Placement,
    /// Number of the body's first vertex in the world.
    pub(super) first: usize,
    /// Number of the body's first node in the world.
    pub(super) node: usize,
    /// True if the body is made of triangles, false if of springs or of segments.
    pub is_solid: bool,
    /// Edges of the outline, by the vertices of the mesh.
    pub(super) edges: Vec<[usize; 2]>,
}

impl Meshed {
    /// The vertices of a rod with their masses (kg), in place of a mesh; `first` are the numbers of
    /// its first vertex and node in the world, `edges` its segments.
    pub(super) fn of_rod(
        mesh: Mesh,
        mass: Vec<f64>,
        placement: Placement,
        [first, node]: [usize; 2],
        edges: Vec<[usize; 2]>,
    ) -> Self {
        Self {
            mesh,
            mass,
            placement,
            first,
            node,
            is_solid: false,
            edges,
        }
    }
}

/// Adds a deformable body to the world.
pub(super) fn add(builder: &mut Builder, body: &NewBody) {
    let Some(meshed) = builder.add_mesh(body) else {
        return;
    };
    builder.add_free(body, &meshed);
    builder.add_prescribed(body, &meshed);
    builder.hold_on_axis(body, &meshed);

    // The law has said what the elements are.
    let kind = if meshed.is_solid {
        BodyKind::Solid
    } else {
        BodyKind::Springs
    };
    builder.close_mesh(body, &meshed, kind);
}

impl Builder {
    /// Adds vertices, surface and elements of a body with a mesh.
    ///
    /// `None`, and nothing is added, if its shape has no mesh or its material no law. Checks refuse
    /// such bodies before. The contact area of a vertex is its share of the boundary's length times
    /// the thickness; vertices inside have none.
    pub(crate) fn add_mesh(&mut self, body: &NewBody) -> Option<Meshed> {
        let spec = body.spec;
        let thickness = body.scene.thickness;
        let mesh = quadratic::of_body(mesh(&spec.shape)?, &spec.shape, spec.elements);
        let law = body.material.law.as_ref()?;
        let first = self.vertices.len();
        let placement = Placement::new(spec.position, spec.rotation_deg);
        let mass = mass_of(body, &mesh);

        // Vertices, and the boundary as surface.
        let edges = boundary::edges(&mesh.triangles);
        let lengths = boundary::lengths(&mesh.vertices, &edges);
        for (&corner, length) in mesh.vertices.iter().zip(lengths) {
            self.vertices.push(Vertex {
                rest: placement.place(corner),
                weight: length * thickness,
                radius: 0.0,
            });
        }
        let path = format!("bodies[{}]", body.entry);
        self.put_onto_axis(body.scene, &spec.name, &path, first);
        let numbered = edges.iter().map(|edge| edge.map(|i| first + i));
        self.edges.extend(numbered);
        self.filled.push(true);
        self.groups.push(spec.group.clone());

        self.look_at_factors(body, &mesh);
        let change = self.change_of_rest(body, &mesh, first);
        let elements = &mut self.elements;
        elements.add_body(spec, body.scene, &mesh, first, change.as_ref());
        if is_revolved(body.scene) {
            self.look_at_curves(body, &placed(&mesh, &placement));
        }
        self.look_at_warmth(body, &mesh, &placement);
        self.add_drags(body, &mesh, first);
        Some(Meshed {
            mesh,
            mass,
            placement,
            first,
            node: self.nodes.len(),
            is_solid: law.summary().is_solid,
            edges,
        })
    }

    /// Change of the shape of a body at rest, whose mesh has its first vertex in the world: its size, or a section
    /// that is tightened. Both at once are a problem.
    fn change_of_rest(&mut self, body: &NewBody, mesh: &Mesh, first: usize) -> Option<Change> {
        let section = self.add_preload(body, mesh, first);
        let size = self.sizes.get(&body.spec.name).map(|own| own.size);
        if section.is_some() && size.is_some() {
            let path = format!("bodies[{}].preload", body.entry);
            let message =
                "is of a body whose size changes by contact.interference; leave one of both out";
            self.problems.push(Problem::error(path, message));
        }
        let tightening = section.map(Change::Tightening);
        tightening.or(size.map(Change::Size))
    }

    /// Reports a list of factors that has not one for each triangle.
    fn look_at_factors(&mut self, body: &NewBody, mesh: &Mesh) {
        let given = body.spec.relative_stiffness.len();
        let facets = if mesh.is_quadratic { 4 } else { 1 };
        let count = mesh.triangles.len() / facets;
        if given == 0 || given == count {
            return;
        }

        // The mesh is known only now, so that checks of the text cannot say it.
        let path = format!("bodies[{}].relative_stiffness", body.entry);
        let message = format!(
            "has {given} factors, but the body has {count} triangles; give one for each, in the order of its \
             mesh"
        );
        self.problems.push(Problem::error(path, message));
    }

    /// Adds the resistance of vertices against their velocity, Rayleigh's mass part, for a mesh whose
    /// vertices are numbered from `first` on in the world.
    fn add_drags(&mut self, body: &NewBody, mesh: &Mesh, first: usize) {
        for share in shares(body.spec, body.scene, mesh) {
            let rate = share.material.damping.map_or(0.0, |damping| damping.mass);
            if rate <= 0.0 {
                continue;
            }
            let mass = lumped(body, &share);
            let heavy = mass.iter().enumerate().filter(|(_, mass)| **mass > 0.0);
            let drags = heavy.map(|(vertex, mass)| (first + vertex, rate * mass));
            self.elements.elastic.dampers.drags.extend(drags);
        }
    }

    /// Adds the body whose vertices, elements and nodes are in the world.
    pub(crate) fn close_mesh(&mut self, body: &NewBody, meshed: &Meshed, kind: BodyKind) {
        self.bodies.push(Body {
            name: body.spec.name.clone(),
            kind,
            vertices: meshed.first..self.vertices.len(),
            nodes: meshed.node..self.nodes.len(),
        });
    }

    /// Adds a node for each vertex, stretched and in motion as the scene says.
    ///
    /// The velocity is `v + omega perp(x - c)` about the centre of mass `c`. The force on the body
    /// is distributed by mass, `f_i = f m_i / m`.
    pub(crate) fn add_free(&mut self, body: &NewBody, meshed: &Meshed) {
        let spec = body.spec;
        let stretch = Vec2::from(spec.stretch);
        let corners = meshed.mesh.vertices.iter();
        let mut x: Vec<Vec2> = corners
            .map(|corner| meshed.placement.place(corner.component_mul(&stretch)))
            .collect();
        if let Some(resizing) = self.sizes.get(&spec.name) {
            resizing.resize(&mut x);
        }
        let whole = inertia::lumped(&x, &meshed.mass);
        let velocity = Vec2::from(spec.velocity);
        let spin = spec.spin_deg.to_radians();

        // Nodes, and the force on each.
        self.coordinates.add_free(x.len());
        for (q, &mass) in x.into_iter().zip(&meshed.mass) {
            let q_dot = if spin == 0.0 {
                velocity
            } else {
                velocity + perp(q - whole.center) * spin
            };
            let node = self.nodes.len();
            self.nodes.push(Node {
                q,
                q_dot,
                mass: Vec2::repeat(mass),
            });
            self.add_load(node, Vec2::from(spec.force) * (mass / whole.mass));
        }
    }
}

/// Mass of each vertex of a body (kg, `[vertices]`), by the densities of its materials.
fn mass_of(body: &NewBody, mesh: &Mesh) -> Vec<f64> {
    let mut mass = vec![0.0; mesh.vertices.len()];
    for share in shares(body.spec, body.scene, mesh) {
        for (sum, mass) in mass.iter_mut().zip(lumped(body, &share)) {
            *sum += mass;
        }
    }
    mass
}

/// Mass of each vertex by the triangles of one material of a body (kg, `[vertices]`).
fn lumped(body: &NewBody, share: &Share) -> Vec<f64> {
    if is_revolved(body.scene) {
        let placement = Placement::new(body.spec.position, body.spec.rotation_deg);
        let mesh = placed(&share.mesh, &placement);
        return lump_revolved(&mesh, share.material.density, body.spec.lumping);
    }
    lump(
        &share.mesh,
        share.material.density,
        body.scene.thickness,
        body.spec.lumping,
    )
}
