//! Affine bodies in the world: three nodes that hold an outline close to a rotation.
//!
//! The nodes are the centre of mass and the columns of the linear map. The columns are taken along the
//! principal axes of inertia, so that the three nodes do not share mass: their masses are `m` and the
//! two second moments. Rotation by an angular velocity `omega` starts with `A_dot = omega perp(A)`. The
//! energy [`Orthogonality`] holds `A` close to a rotation.

use super::builder::{Builder, Node, WithoutStiffness};
use super::new_body::NewBody;
use super::outline::PlacedOutline;
use crate::schema::Affine;
use ipcsim_core::body::{BodyKind, LinearMap};
use ipcsim_energy::Orthogonality;
use ipcsim_math::definite::symmetric_eigen2;
use ipcsim_math::{Mat2, Vec2, perp};

/// Adds an affine body to the world.
pub(super) fn add(builder: &mut Builder, body: &NewBody, affine: &Affine) {
    let spec = body.spec;
    let placed = PlacedOutline::of_body(body);
    let properties = placed.mass_properties(body);
    let center = properties.center;
    let second = properties.second;
    let [(first_moment, a), (second_moment, b)] =
        symmetric_eigen2(second.m11, second.m12, second.m22);

    // Columns of the linear map are the nodes after the centre.
    let map = linear_map(&placed.outline.vertices, center, [a, b]);
    let name = spec.name.clone();
    let first = builder.add_outline(name, BodyKind::Affine, &placed, Box::new(map));

    let spin = spec.spin_deg.to_radians();
    for (q, q_dot, mass) in [
        (center, spec.velocity.into(), properties.mass),
        (a, perp(a) * spin, first_moment),
        (b, perp(b) * spin, second_moment),
    ] {
        let mass = Vec2::repeat(mass);
        builder.nodes.push(Node { q, q_dot, mass });
    }
    builder.add_load(first, spec.force.into());
    let rate = body.material.damping.map_or(0.0, |damping| damping.mass);
    builder.damp(first..first + 3, [rate; 3]);

    // Stiffness times volume. A stiffness that the scene leaves out is derived in the end.
    let volume = placed.shape_properties(body).mass / body.material.density;
    let stiffness = affine.stiffness.unwrap_or(1.0) * volume;
    let energy = Orthogonality { stiffness };
    if affine.stiffness.is_none() {
        let of_body = builder.bodies.len() - 1;
        builder.without_stiffness.push(WithoutStiffness {
            body: of_body,
            element: builder.orthogonality.elements.len(),
        });
    }
    builder.orthogonality.push([first + 1, first + 2], energy);
}

/// Map from the three nodes of an affine body to its vertices at `x` (m).
///
/// For the centre `c` and the unit axes `a` and `b`, a vertex is
/// `q_0 + (a . (x - c)) q_1 + (b . (x - c)) q_2`. Gravity accelerates the first node alone.
fn linear_map(x: &[Vec2], center: Vec2, axes: [Vec2; 2]) -> LinearMap {
    let basis = x.iter().flat_map(|x| {
        let [along_a, along_b] =
            axes.map(|axis| Mat2::from_diagonal_element(axis.dot(&(x - center))));
        [Mat2::identity(), along_a, along_b]
    });

    LinearMap {
        origin: vec![Vec2::zeros(); x.len()],
        basis: basis.collect(),
        lift: vec![Mat2::identity(), Mat2::zeros(), Mat2::zeros()],
        shares: Vec::new(),
    }
}
