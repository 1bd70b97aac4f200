//! Reduced bases of a body's displacements, orthonormal with respect to its mass.

use super::{LinearMap, inertia};
use crate::math::{Mat2, Vec2, parallel};

/// Displacement fields `phi_j` of all vertices with `sum_i m_i phi_j(i) . phi_k(i) = delta_jk` (1/sqrt(kg)).
pub type Fields = Vec<Vec<Vec2>>;

/// Share (1) of a field that must remain when its projections on the others are subtracted.
///
/// Rounding leaves about 1e-16 to 1e-13. Much larger, independent polynomials on coarse meshes are
/// refused; much smaller, dependent fields pass as rounding noise.
const INDEPENDENT: f64 = 1e-9;

/// Polynomials of the positions `x` (m) up to `order`, along x and along y in turn, for vertices of
/// `mass` (kg). Order 1 spans the affine displacements. `None` if there are too few vertices.
///
/// Source: the free physics-based simulation book, chapter on reduced-order models.
pub fn polynomial(x: &[Vec2], mass: &[f64], order: usize) -> Option<Fields> {
    let center = inertia::lumped(x, mass).center;
    let size = x
        .iter()
        .map(|x| (x - center).amax())
        .fold(f64::MIN_POSITIVE, f64::max);

    // Monomials of scaled positions, made orthonormal one after the other.
    let mut scalars: Vec<Vec<f64>> = Vec::new();
    for degree in 0..=order {
        for power in 0..=degree {
            let monomial = |x: &Vec2| {
                let s = (x - center) / size;
                let raised =
                    |base: f64, count: usize| (0..count).fold(1.0, |product, _| product * base);
                raised(s.x, degree - power) * raised(s.y, power)
            };
            scalars.push(orthonormal(
                x.iter().map(monomial).collect(),
                &scalars,
                mass,
            )?);
        }
    }

    let along = |scalar: &[f64], axis: Vec2| scalar.iter().map(|&s| axis * s).collect();
    let fields = scalars
        .iter()
        .flat_map(|s| [along(s, Vec2::x()), along(s, Vec2::y())]);
    Some(fields.collect())
}

/// The part of a field that is orthogonal to `others`, normalised. `None` if nothing remains.
fn orthonormal(mut field: Vec<f64>, others: &[Vec<f64>], mass: &[f64]) -> Option<Vec<f64>> {
    let dot = |a: &[f64], b: &[f64]| parallel::sum(a.len(), |i| mass[i] * a[i] * b[i]);
    let before = dot(&field, &field).sqrt();

    // A second pass removes what rounding of the first leaves (Giraud et al. 2005).
    for _ in 0..2 {
        for other in others {
            let share = dot(&field, other);
            for (f, o) in field.iter_mut().zip(other) {
                *f -= share * o;
            }
        }
    }

    let norm = dot(&field, &field).sqrt();
    (norm > INDEPENDENT * before).then(|| field.iter().map(|f| f / norm).collect())
}

/// Map of a body whose displacements from `rest` (m) are sums of `fields`, two to a node. As the fields
/// are orthonormal, every component of a node has mass 1 kg.
pub fn reduced(rest: &[Vec2], mass: &[f64], fields: &Fields) -> LinearMap {
    let column =
        |field: Option<&Vec<Vec2>>, i: usize| field.map_or(Vec2::zeros(), |field| field[i]);
    let block = |k: usize, i: usize| {
        Mat2::from_columns(&[
            column(fields.get(2 * k), i),
            column(fields.get(2 * k + 1), i),
        ])
    };
    let nodes = fields.len().div_ceil(2);

    let lift = |k: usize| {
        mass.iter()
            .enumerate()
            .map(|(i, &m)| block(k, i).transpose() * m)
            .sum()
    };
    LinearMap {
        origin: rest.to_vec(),
        basis: (0..rest.len())
            .flat_map(|i| (0..nodes).map(move |k| (k, i)))
            .map(|(k, i)| block(k, i))
            .collect(),
        lift: (0..nodes).map(lift).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Kinematics, Lumping, lump};
    use crate::mesh::generate;

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
        let dot = |a: &[Vec2], b: &[Vec2]| {
            a.iter()
                .zip(b)
                .zip(&mass)
                .map(|((a, b), m)| m * a.dot(b))
                .sum::<f64>()
        };
        for (j, a) in fields.iter().enumerate() {
            for (k, b) in fields.iter().enumerate() {
                let expected = if j == k { 1.0 } else { 0.0 };
                assert!((dot(a, b) - expected).abs() < 1e-12, "{j} {k}");
            }
        }
        // x^2 y - 3 along y is one of them.
        let wanted: Vec<Vec2> = x
            .iter()
            .map(|p| Vec2::new(0.0, p.x * p.x * p.y - 3.0))
            .collect();
        let mut rest = wanted.clone();
        for field in &fields {
            let share = dot(&wanted, field);
            rest.iter_mut()
                .zip(field)
                .for_each(|(r, f)| *r -= f * share);
        }
        assert!(dot(&rest, &rest) < 1e-18 * dot(&wanted, &wanted));
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
