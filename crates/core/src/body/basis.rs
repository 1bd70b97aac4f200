//! Reduced bases: displacement fields of a body, orthonormal with respect to its mass.
//!
//! A reduced body moves by `x_i = X_i + sum_j phi_j(i) z_j` with few amplitudes `z_j`. The fields
//! `phi_j` here are polynomials of the position. The fields of order 1 span the affine
//! displacements, and higher orders add bending and more.
//!
//! 1. Shift and scale the positions, so that monomials are of order 1.
//! 2. Evaluate the monomials `1, x, y, x^2, x y, y^2, ...` at every vertex.
//! 3. Make them orthonormal by Gram-Schmidt with the lumped masses ([`polynomial`]).
//! 4. Use each along x and along y, two fields to a node ([`reduced`]).
//!
//! Orthonormal fields make the mass matrix of the amplitudes the identity.

use super::{LinearMap, inertia};
use crate::tuning::INDEPENDENT_SHARE;
use ipcsim_math::{Mat2, Vec2, parallel};

/// Displacement fields `phi_j(i)`, `[fields][vertices]`, with
/// `sum_i m_i phi_j(i) . phi_k(i) = delta_jk` (1/sqrt(kg)).
pub type Fields = Vec<Vec<Vec2>>;

/// Polynomials of the positions `x` (m) up to `order`, for vertices of `mass` (kg): each along x,
/// then along y. There are `(order + 1) (order + 2)` fields; order 1 spans the affine
/// displacements.
///
/// `None` if the vertices are too few or lie so that the polynomials depend on each other.
///
/// Source: the free physics-based simulation book, chapter on reduced-order models.
pub fn polynomial(x: &[Vec2], mass: &[f64], order: usize) -> Option<Fields> {
    let center = inertia::lumped(x, mass).center;
    let size = x
        .iter()
        .map(|x| (x - center).amax())
        .fold(f64::MIN_POSITIVE, f64::max);

    // Monomials of scaled positions, each made orthonormal to those before.
    let mut scalars: Vec<Vec<f64>> = Vec::new();
    for degree in 0..=order {
        for power in 0..=degree {
            let field = x
                .iter()
                .map(|x| monomial((x - center) / size, [degree - power, power]))
                .collect();
            scalars.push(orthonormal(field, &scalars, mass)?);
        }
    }

    // Each scalar moves vertices along x and along y.
    let mut fields = Vec::with_capacity(2 * scalars.len());
    for scalar in &scalars {
        fields.push(scalar.iter().map(|&s| Vec2::x() * s).collect());
        fields.push(scalar.iter().map(|&s| Vec2::y() * s).collect());
    }
    Some(fields)
}

/// Monomial `s_x^a s_y^b` with powers `[a, b]`, multiplied out from the left.
fn monomial(s: Vec2, powers: [usize; 2]) -> f64 {
    raised(s.x, powers[0]) * raised(s.y, powers[1])
}

/// Power `base^count` as a product; 1 for `count = 0`.
fn raised(base: f64, count: usize) -> f64 {
    (0..count).fold(1.0, |product, _| product * base)
}

/// Part of a scalar `field` (`[vertices]`) that is orthogonal to the orthonormal `others`,
/// normalised: `(f - sum_k <f, phi_k> phi_k) / norm`.
///
/// `None` if less than [`INDEPENDENT_SHARE`] of the field remains.
fn orthonormal(mut field: Vec<f64>, others: &[Vec<f64>], mass: &[f64]) -> Option<Vec<f64>> {
    let before = dot(&field, &field, mass).sqrt();

    // A second pass removes what rounding of the first leaves (Giraud et al. 2005).
    for _ in 0..2 {
        for other in others {
            let share = dot(&field, other, mass);
            for (f, o) in field.iter_mut().zip(other) {
                *f -= share * o;
            }
        }
    }

    // Less than that is rounding noise.
    let norm = dot(&field, &field, mass).sqrt();
    (norm > INDEPENDENT_SHARE * before).then(|| field.iter().map(|f| f / norm).collect())
}

/// Inner product `<a, b> = sum_i m_i a_i b_i` of scalar fields (`[vertices]`).
fn dot(a: &[f64], b: &[f64], mass: &[f64]) -> f64 {
    parallel::sum(a.len(), |i| mass[i] * a[i] * b[i])
}

/// Map of a body whose displacements from `rest` (m, `[vertices]`) are sums of `fields`, two to a
/// node. With an odd number of fields the last component of the last node moves nothing.
///
/// As the fields are orthonormal, every component of a node has mass 1 kg.
pub fn reduced(rest: &[Vec2], mass: &[f64], fields: &Fields) -> LinearMap {
    let nodes = fields.len().div_ceil(2);

    let mut basis = Vec::with_capacity(rest.len() * nodes);
    for vertex in 0..rest.len() {
        basis.extend((0..nodes).map(|node| block(fields, node, vertex)));
    }

    LinearMap {
        origin: rest.to_vec(),
        basis,
        lift: (0..nodes).map(|node| lift(fields, node, mass)).collect(),
        shares: mass.to_vec(),
    }
}

/// Block `B = [phi_2k(i), phi_2k+1(i)]` for node `k` and vertex `i`. A field that is missing is
/// zero.
fn block(fields: &Fields, node: usize, vertex: usize) -> Mat2 {
    let column = |field: usize| fields.get(field).map_or(Vec2::zeros(), |f| f[vertex]);
    Mat2::from_columns(&[column(2 * node), column(2 * node + 1)])
}

/// Matrix `L_k = sum_i m_i B_ik^T` from a uniform acceleration to the acceleration of node `k`.
fn lift(fields: &Fields, node: usize, mass: &[f64]) -> Mat2 {
    mass.iter()
        .enumerate()
        .map(|(i, &m)| block(fields, node, i).transpose() * m)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Kinematics, Lumping, lump};
    use ipcsim_mesh::generate;

    /// Inner product `sum_i m_i a_i . b_i` of vector fields (`[vertices]`).
    fn product(a: &[Vec2], b: &[Vec2], mass: &[f64]) -> f64 {
        let terms = a.iter().zip(b).zip(mass);
        terms.map(|((a, b), m)| m * a.dot(b)).sum()
    }
    #[test]
    fn polynomials_are_orthonormal_and_span_what_they_should() {
        let mesh = generate::rectangle([2.0, 1.0], [6, 4]);
        let x: Vec<Vec2> = mesh
            .vertices
            .iter()
            .map(|p| p + Vec2::new(30.0, -7.0))
            .collect();

        let mass = lump(&mesh, 1000.0, 0.1, Lumping::Area);
        let fields = polynomial(&x, &mass, 3).unwrap();
        assert_eq!(fields.len(), 20);

        for (j, a) in fields.iter().enumerate() {
            for (k, b) in fields.iter().enumerate() {
                let expected = if j == k { 1.0 } else { 0.0 };
                assert!((product(a, b, &mass) - expected).abs() < 1e-12, "{j} {k}");
            }
        }

        // The field x^2 y - 3 along y is in their span.
        let wanted: Vec<Vec2> = x
            .iter()
            .map(|p| Vec2::new(0.0, p.x * p.x * p.y - 3.0))
            .collect();

        let mut rest = wanted.clone();
        for field in &fields {
            let share = product(&wanted, field, &mass);
            rest.iter_mut()
                .zip(field)
                .for_each(|(r, f)| *r -= f * share);
        }
        assert!(product(&rest, &rest, &mass) < 1e-18 * product(&wanted, &wanted, &mass));

        // Five vertices are too few for six monomials.
        assert!(polynomial(&x[..5], &mass[..5], 2).is_none());
    }

    #[test]
    fn gravity_lifts_a_reduced_body_as_it_does_free_vertices() {
        let mesh = generate::rectangle([1.0, 1.0], [3, 3]);
        let mass = lump(&mesh, 10.0, 1.0, Lumping::Area);
        let body = reduced(
            &mesh.vertices,
            &mass,
            &polynomial(&mesh.vertices, &mass, 2).unwrap(),
        );

        // A uniform displacement `g`, lifted to the nodes, moves every vertex by `g`.
        let g = Vec2::new(1.0, -9.81);
        let q: Vec<Vec2> = (0..body.nodes()).map(|k| body.lift(k) * g).collect();
        let mut x = mesh.vertices.clone();
        body.positions(&q, &mut x);

        assert!(
            x.iter()
                .zip(&mesh.vertices)
                .all(|(x, rest)| (x - rest - g).norm() < 1e-12)
        );
    }
}
