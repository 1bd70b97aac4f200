//! Mass, centre of mass and second moments of bodies without triangles.
//!
//! A rigid or affine body needs three integrals over its mass: `m = int rho`, `c = int rho x / m`
//! and `S = int rho (x - c)(x - c)^T`. They are here for outlines filled with mass ([`filled`]),
//! for mass along edges ([`edges`]), for point masses ([`lumped`]) and for the disk ([`circle`]).
//!
//! Integrals far from the origin lose digits by cancellation. All sums therefore run over
//! differences from a point near the body, and second moments over differences from the centre.

use ipcsim_math::{Mat2, Vec2, cross, outer};
use ipcsim_mesh::{Outline, boundary};
use std::f64::consts::PI;

/// Mass of a body, its centre of mass and its second moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass `m` (kg).
    pub mass: f64,
    /// Centre of mass `c` (m).
    pub center: Vec2,
    /// Second moments about the centre, `S = int rho (x - c)(x - c)^T` (kg m^2), symmetric.
    ///
    /// Their trace is the moment of inertia about the axis through the centre, across the plane.
    pub second: Mat2,
}

/// Mass properties of the area that an outline encloses, with mass `area_density` per area
/// (kg/m^2). The area must not be 0.
///
/// By Green's theorem the integrals are sums over the triangles `(o, a, b)` that a point `o` forms
/// with each edge `a b`; triangles of holes count negative. The centre is computed with `o` near
/// the body, the second moments with `o` at the centre, so that nothing cancels far from the
/// origin.
///
/// - `A = sum a x b / 2`
/// - `c = o + sum A_t (a + b) / 3 / A`
/// - `S = rho sum A_t (a a^T + b b^T + (a + b)(a + b)^T) / 12`
pub fn filled(outline: &Outline, area_density: f64) -> MassProperties {
    let near = mean(&outline.vertices);
    let area: f64 = triangles(outline, near).map(|t| t.area).sum();
    let first: Vec2 = triangles(outline, near)
        .map(|t| (t.a + t.b) * (t.area / 3.0))
        .sum();
    let center = near + first / area;

    // The mean of r r^T on a triangle (o, a, b) is (a a^T + b b^T + (a + b)(a + b)^T) / 12.
    let second: Mat2 = triangles(outline, center)
        .map(|Triangle { area, a, b }| {
            (outer(a, a) + outer(b, b) + outer(a + b, a + b)) * (area / 12.0)
        })
        .sum();

    MassProperties {
        mass: area_density * area,
        center,
        second: second * area_density,
    }
}

/// A triangle of a point `o` and an edge of an outline.
struct Triangle {
    /// Signed area (m^2), positive if `o`, `a`, `b` run counter-clockwise.
    area: f64,
    /// Start of the edge relative to `o` (m).
    a: Vec2,
    /// End of the edge relative to `o` (m).
    b: Vec2,
}

/// The triangles that the point `o` (m) forms with the edges of an outline. Their signed areas add
/// up to the area inside.
fn triangles(outline: &Outline, o: Vec2) -> impl Iterator<Item = Triangle> {
    outline.edges.iter().map(move |&[start, end]| {
        let a = outline.vertices[start] - o;
        let b = outline.vertices[end] - o;
        let area = 0.5 * cross(a, b);
        Triangle { area, a, b }
    })
}

/// Mass properties of an outline's edges with mass `line_density` per length (kg/m). The length
/// must not be 0.
///
/// Half of each edge's mass is at either end, as in the rigid-ipc project. A rod with the same mass
/// has a smaller moment of inertia.
pub fn edges(outline: &Outline, line_density: f64) -> MassProperties {
    let lengths = boundary::lengths(&outline.vertices, &outline.edges);
    let masses: Vec<f64> = lengths.iter().map(|length| line_density * length).collect();
    lumped(&outline.vertices, &masses)
}

/// Mass properties of point masses (kg) at `points` (m). The sum of the masses must not be 0.
///
/// The centre is `sum m_i x_i / m`, the second moments are `sum m_i (x_i - c)(x_i - c)^T`.
pub fn lumped(points: &[Vec2], masses: &[f64]) -> MassProperties {
    let near = mean(points);
    let mass: f64 = masses.iter().sum();

    // First moments from a point near the body, second moments from the centre.
    let weighted = points.iter().zip(masses);
    let first: Vec2 = weighted.clone().map(|(p, m)| (p - near) * *m).sum();
    let center = near + first / mass;
    let second = weighted
        .map(|(p, m)| outer(p - center, p - center) * *m)
        .sum();
    MassProperties {
        mass,
        center,
        second,
    }
}

/// Mass properties of a disk of `radius` `r` (m) around the origin with mass `area_density` `rho`
/// per area (kg/m^2): `m = rho pi r^2`, second moments `m r^2 / 4` times the identity.
pub fn circle(radius: f64, area_density: f64) -> MassProperties {
    let mass = area_density * PI * radius * radius;
    MassProperties {
        mass,
        center: Vec2::zeros(),
        second: Mat2::identity() * (0.25 * mass * radius * radius),
    }
}

/// Mass properties of a point mass (kg) at the origin. The second moments are zero.
pub fn point(mass: f64) -> MassProperties {
    MassProperties {
        mass,
        center: Vec2::zeros(),
        second: Mat2::zeros(),
    }
}

/// Mean of `points` (m), from their differences from the first one: far from the origin it is as
/// accurate as the points. The origin without points.
fn mean(points: &[Vec2]) -> Vec2 {
    let first = points.first().copied().unwrap_or_default();
    first + points.iter().map(|p| p - first).sum::<Vec2>() / (points.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Lumping, lump};
    use ipcsim_mesh::generate;
    use std::f64::consts::TAU;

    const DENSITY: f64 = 700.0;

    /// Corners as vectors.
    fn points<const N: usize>(corners: [[f64; 2]; N]) -> Vec<Vec2> {
        corners.map(Vec2::from).to_vec()
    }

    /// Asserts mass, centre and second moments `[xx, xy, yy]` for unit density, times [`DENSITY`].
    fn assert_near(
        found: &MassProperties,
        mass: f64,
        center: [f64; 2],
        second: [f64; 3],
        tolerance: f64,
    ) {
        let [xx, xy, yy] = second;
        let expected = Mat2::new(xx, xy, xy, yy) * DENSITY;

        assert!(
            (found.mass / (DENSITY * mass) - 1.0).abs() < tolerance,
            "{} for {}",
            found.mass,
            DENSITY * mass
        );
        assert!(
            (found.center - Vec2::from(center)).norm() < tolerance * (1.0 + center[0].abs()),
            "{}",
            found.center
        );
        assert!(
            (found.second - expected).amax() < tolerance * expected.amax(),
            "{} for {expected}",
            found.second
        );
    }

    #[test]
    fn rectangles_and_triangles_have_the_moments_of_the_textbook() {
        let b = 3.0;
        let h = 0.5;

        // Sides b and h: b^3 h / 12 and b h^3 / 12 about the centre.
        let rectangle = Outline::of_mesh(&generate::rectangle([b, h], [4, 2]));
        let second = [h * b * b * b / 12.0, 0.0, b * h * h * h / 12.0];
        assert_near(
            &filled(&rectangle, DENSITY),
            b * h,
            [0.0, 0.0],
            second,
            1e-14,
        );

        let triangle = Outline::polygon(points([[0.0, 0.0], [0.0, h], [b, 0.0]]), vec![]);
        let second = [
            b * b * b * h / 36.0,
            -b * b * h * h / 72.0,
            b * h * h * h / 36.0,
        ];
        assert_near(
            &filled(&triangle, DENSITY),
            0.5 * b * h,
            [b / 3.0, h / 3.0],
            second,
            1e-14,
        );
    }

    /// Area and second moment `I_xx` of a regular polygon with `n` corners and circumradius `r`:
    /// `A = n/2 r^2 sin(2 pi/n)`, `I_xx = A r^2 (2 + cos(2 pi/n)) / 12`.
    fn polygon_moments(r: f64, n: f64) -> [f64; 2] {
        let area = 0.5 * n * r * r * (TAU / n).sin();
        [area, area * r * r * (2.0 + (TAU / n).cos()) / 12.0]
    }

    #[test]
    fn a_ring_of_polygons_has_its_closed_form() {
        for n in [3, 5, 8, 100] {
            let [outer, i] = polygon_moments(2.0, n as f64);
            let [inner, j] = polygon_moments(1.6, n as f64);
            assert_near(
                &filled(&Outline::ring(2.0, 1.6, n), DENSITY),
                outer - inner,
                [0.0, 0.0],
                [i - j, 0.0, i - j],
                1e-13,
            );
        }
    }

    #[test]
    fn a_polygon_of_many_corners_tends_to_the_disk() {
        let many = 4000;
        let disk = circle(1.5, DENSITY);
        let corners = (0..many).map(|k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(many)).sin_cos();
            Vec2::new(cos, sin) * 1.5
        });
        let polygon = Outline::polygon(corners.collect(), vec![]);
        let found = filled(&polygon, DENSITY);
        // The polygon lacks a relative 2/3 (pi/n)^2 of the area, and twice as much of second
        // moments.
        let error = (PI / f64::from(many)) * (PI / f64::from(many));
        assert!((found.mass / disk.mass - (1.0 - 2.0 / 3.0 * error)).abs() < 1e-11);
        assert!(
            (found.second - disk.second * (1.0 - 4.0 / 3.0 * error)).amax()
                < 1e-11 * disk.second.amax()
        );
    }

    /// Two rectangles, 2 x 1 from the origin and 1 x 2 above its left end. Area, centre and moments
    /// follow from the parallel axis theorem (Steiner).
    #[test]
    fn an_l_keeps_its_moments_a_million_metres_away() {
        let corners = [
            [0.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
        ];
        let center = [(2.0 * 1.0 + 2.0 * 0.5) / 4.0, (2.0 * 0.5 + 2.0 * 2.0) / 4.0];
        let dx = [1.0 - center[0], 0.5 - center[0]];
        let dy = [0.5 - center[1], 2.0 - center[1]];

        // Moments of the parts about their own centres, and of the parts (area 2) at those centres.
        let steiner = |own: f64, p: [f64; 2], q: [f64; 2]| own + 2.0 * (p[0] * q[0] + p[1] * q[1]);
        let second = [
            steiner(8.0 / 12.0 + 2.0 / 12.0, dx, dx),
            steiner(0.0, dx, dy),
            steiner(2.0 / 12.0 + 8.0 / 12.0, dy, dy),
        ];

        for away in [0.0, 1e6] {
            let moved = points(corners).iter().map(|p| p.add_scalar(away)).collect();
            let found = filled(&Outline::polygon(moved, vec![]), DENSITY);
            assert_near(&found, 4.0, center.map(|c| c + away), second, 1e-14);
        }
    }

    #[test]
    fn the_outline_of_a_mesh_has_the_moments_of_its_triangles() {
        let mesh = generate::regular_polygon(1.3, 7, 4);
        let found = filled(&Outline::of_mesh(&mesh), DENSITY);

        let mut second = Mat2::zeros();
        for (k, triangle) in mesh.triangles.iter().enumerate() {
            // The three mid-edge points integrate quadratics exactly.
            let [a, b, c] = triangle.map(|i| mesh.vertices[i]);
            for middle in [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5] {
                second += outer(middle - found.center, middle - found.center)
                    * (DENSITY * mesh.area(k) / 3.0);
            }
        }

        let mass: f64 = lump(&mesh, DENSITY, 1.0, Lumping::Area).iter().sum();
        assert!((found.mass / mass - 1.0).abs() < 1e-14 && found.center.norm() < 1e-15);
        assert!((found.second - second).amax() < 1e-13 * second.amax());
    }

    #[test]
    fn edges_are_point_masses_at_their_ends() {
        // A bar of length 2 along x is two halves of its mass 1 m from the middle: m l^2 / 4, where
        // a rod has m l^2 / 12.
        let bar = Outline::polyline(points([[4.0, 1.0], [6.0, 1.0]]), false);
        assert_near(
            &edges(&bar, DENSITY),
            2.0,
            [5.0, 1.0],
            [2.0, 0.0, 0.0],
            1e-15,
        );

        // Each corner of a square frame of side 2 has the mass of one side.
        let corners = points([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
        let far = corners.iter().map(|p| p.add_scalar(1e6)).collect();
        let found = edges(&Outline::polygon(far, vec![]), DENSITY);
        assert_near(&found, 8.0, [1e6, 1e6], [8.0, 0.0, 8.0], 1e-15);
        assert_eq!(point(2.5), lumped(&[Vec2::zeros()], &[2.5]));
    }
}
