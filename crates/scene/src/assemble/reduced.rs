//! Reduced bodies in the world: a mesh that moves by a basis of displacement fields.
//!
//! A reduced body has a node for every two of its displacement fields `phi_j`, and its vertices
//! follow as `x_i = X_i + sum_j q_j phi_j(i)`. The fields are orthonormal with respect to mass, so
//! that every component of a node has mass 1 kg (the free physics-based simulation book, chapter on
//! reduced-order models). Fields are polynomials or modes of vibration.

use super::builder::{Builder, Node};
use super::deformable::Meshed;
use super::elements::BodyElements;
use super::new_body::NewBody;
use crate::problem::Problem;
use crate::schema::{self, Modal, Polynomial};
use ipcsim_core::body::basis::{self, Fields, reduced};
use ipcsim_core::body::{BodyKind, inertia};
use ipcsim_core::solve::softest_modes;
use ipcsim_math::elementary::rotation;
use ipcsim_math::{Vec2, perp};
use ipcsim_mesh::Mesh;

/// Adds a body to the world that moves by polynomials.
pub(super) fn add_polynomial(builder: &mut Builder, body: &NewBody, polynomial: Polynomial) {
    builder.add_reduced_mesh(body, |mesh, mass| {
        basis::polynomial(&mesh.vertices, mass, polynomial.order)
    });
}

/// Adds a body to the world that moves by its softest modes.
pub(super) fn add_modal(builder: &mut Builder, body: &NewBody, modal: Modal) {
    // Of a rotation a few modes have the first-order part alone: a body that spins swells, and
    // is pulled back after about a tenth of a turn. All modes together can do what vertices
    // can.
    let mut can_turn = true;
    builder.add_reduced_mesh(body, |mesh, mass| {
        can_turn = modal.modes >= 2 * mesh.vertices.len();

        // Modes of the body alone, about its own origin.
        let mut alone = BodyElements::default();
        alone.add_body(body.spec, body.scene, mesh, 0, None);
        let energies = alone.elastic.sums.into_energies();
        softest_modes(&energies, &mesh.vertices, mass, modal.modes)
    });

    if body.spec.spin_deg != 0.0 && !can_turn {
        let message = "a modal body cannot spin: a few modes have only the first-order part of a \
                       rotation; use a deformable, affine or rigid body, or remove it";
        let path = format!("bodies[{}].spin_deg", body.entry);
        builder.problems.push(Problem::error(path, message));
    }
}

impl Builder {
    /// Adds a body with a mesh that moves by the displacement fields that `fields` makes of mesh
    /// and masses of the vertices (kg).
    ///
    /// If `fields` returns `None`, there are too few vertices for them. This is noted as a problem,
    /// and the body is added with free vertices.
    fn add_reduced_mesh(
        &mut self,
        body: &NewBody,
        fields: impl FnOnce(&Mesh, &[f64]) -> Option<Fields>,
    ) {
        let Some(meshed) = self.add_mesh(body) else {
            return;
        };
        if let Some(fields) = fields(&meshed.mesh, &meshed.mass) {
            self.add_basis(body.spec, &meshed, fields);
            let mass = meshed.mass.iter().sum();
            self.reduced_mass.insert(self.bodies.len(), mass);
        } else {
            let message = format!(
                "asks for more than {} vertices can do; use a lower number",
                meshed.mass.len()
            );
            let path = format!("bodies[{}].kind", body.entry);
            self.problems.push(Problem::error(path, message));

            // The rest of the scene is checked nevertheless.
            self.add_free(body, &meshed);
        }
        self.close_mesh(body, &meshed, BodyKind::Reduced);
    }

    /// Adds the nodes of a reduced basis, two fields to a node.
    ///
    /// `fields` are made about the shape's origin and are turned with the body here. The body
    /// starts undeformed, `q = 0`. A field without a partner shares its node with a component at
    /// rest.
    fn add_basis(&mut self, body: &schema::Body, meshed: &Meshed, mut fields: Fields) {
        let mass = &meshed.mass;
        let own = self.vertices[meshed.first..].iter();
        let rest: Vec<Vec2> = own.map(|vertex| vertex.rest).collect();
        let turn = rotation(body.rotation_deg.to_radians());
        for u in fields.iter_mut().flatten() {
            *u = turn * *u;
        }

        let whole = inertia::lumped(&rest, mass);
        let speeds = speeds(body, whole.center, &rest, mass, &fields);

        // A uniform force acts on nodes as a uniform acceleration does.
        let map = reduced(&rest, mass, &fields);
        let force = Vec2::from(body.force) / whole.mass;
        let loads: Vec<Vec2> = map.lift.iter().map(|lift| lift * force).collect();
        self.coordinates.add_reduced(mass.len(), Box::new(map));

        for (load, speed) in loads.into_iter().zip(speeds) {
            let node = self.nodes.len();
            self.nodes.push(Node {
                q: Vec2::zeros(),
                q_dot: speed,
                mass: Vec2::repeat(1.0),
            });
            self.add_load(node, load);
        }
    }
}

/// Velocities of the nodes of a reduced body at the start, two fields to a node.
///
/// The velocity field of a rigid motion about `center` (m) is projected onto each field,
/// `q_dot_j = sum_i m_i phi_j(i) . v_i`, for vertices at `rest` (m) of `mass` (kg).
fn speeds(
    body: &schema::Body,
    center: Vec2,
    rest: &[Vec2],
    mass: &[f64],
    fields: &Fields,
) -> Vec<Vec2> {
    let spin = body.spin_deg.to_radians();
    let turning = rest.iter().map(|x| perp(x - center) * spin);
    let velocities: Vec<Vec2> = turning.map(|v| Vec2::from(body.velocity) + v).collect();

    let mut speeds = vec![Vec2::zeros(); fields.len().div_ceil(2)];
    for (j, field) in fields.iter().enumerate() {
        let parts = field.iter().zip(&velocities).zip(mass);
        speeds[j / 2][j % 2] = parts.map(|((u, velocity), m)| m * u.dot(velocity)).sum();
    }
    speeds
}
