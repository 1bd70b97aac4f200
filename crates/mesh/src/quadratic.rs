//! Quadratic triangles: six nodes each, whose sides are parabolas.
//!
//! Nodes 0, 1, 2 are the corners, nodes 3, 4, 5 are on the sides 01, 12, 20. All of them are vertices
//! of the body. Whatever needs straight sides takes the four triangles between the nodes, the
//! *facets*: contact, pictures, points inside. So a quadratic side collides as the two straight edges
//! between its nodes, and the curve is away from these by at most [`Curved::sagitta`].
//!
//! In the list of triangles of a mesh the four facets of an element follow each other, in the order of
//! [`CORNERS_OF_FACETS`]. So the six nodes follow from the facets, a mesh needs no second list, and the
//! boundary of the facets is the outline that collides. A facet may turn over in a deformed state where
//! the element does not; nothing forbids it, since facets have no energy.
//!
//! Shape functions at barycentric coordinates `l` are `l_k (2 l_k - 1)` at corners and `4 l_k l_m` on
//! sides (Zienkiewicz, Taylor, The Finite Element Method, volume 1, section 4.7).
//!
//! A new use of triangles needs to know of quadratic ones only if it asks for orientation or
//! strain.

use super::{Mesh, boundary};
use ipcsim_math::geometry::bernstein::{SLOPES, determinant};
use ipcsim_math::{Mat2, Vec2, cross};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Nodes of each facet, counter-clockwise: those at the corners, and the middle one.
pub const CORNERS_OF_FACETS: [[usize; 3]; 4] = [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];

/// Ends and middle of each side.
const SIDES: [[usize; 3]; 3] = [[0, 1, 3], [1, 2, 4], [2, 0, 5]];

/// Barycentric coordinates of three points that integrate quadratic functions, each with a third of
/// the area.
const GAUSS: [[f64; 3]; 3] = [
    [2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0],
    [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    [1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0],
];

/// Share of an element's mass at each corner and at each middle of a side.
///
/// Hinton, Rock and Zienkiewicz 1976, "A note on mass lumping and related processes": in proportion
/// to the diagonal of the consistent mass, 6 to 32 for a straight triangle. Sums of rows would leave
/// nothing at the corners.
pub const MASS: [f64; 2] = [1.0 / 19.0, 16.0 / 57.0];

/// Radius below which a point is on the axis, relative to the largest radius of its element (1).
const ON_AXIS: f64 = 1e-9;

/// A quadratic triangle: its nodes, and where its facets are in the list of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curved {
    /// Corners, then the middles of the sides 01, 12, 20.
    pub nodes: [usize; 6],
    /// Number of the first of its four facets, which are consecutive.
    pub first: usize,
}

/// A point of a quadratic triangle at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Area that the point stands for (m^2); the areas of all points add up to the triangle.
    pub area: f64,
    /// Values of the shape functions (1).
    pub shapes: [f64; 6],
    /// Their derivatives in space at rest (1/m): `F = sum_i x_i b_i^T`.
    pub b: [Vec2; 6],
}

impl Curved {
    /// The triangle whose four facets begin at number `first`; all four must exist.
    pub fn of_facets(triangles: &[[usize; 3]], first: usize) -> Self {
        let [[a, d, f], [_, b, e], [_, _, c]] = [0, 1, 2].map(|k| triangles[first + k]);
        Self {
            nodes: [a, b, c, d, e, f],
            first,
        }
    }

    /// Its facets.
    pub fn facets(&self) -> [[usize; 3]; 4] {
        CORNERS_OF_FACETS.map(|facet| facet.map(|i| self.nodes[i]))
    }

    /// Its sides in order: start, middle and end, with the triangle on the left.
    pub fn sides(&self) -> [[usize; 3]; 3] {
        SIDES.map(|[a, b, middle]| [a, middle, b].map(|i| self.nodes[i]))
    }

    /// The triangle with this number added to all numbers of nodes and facets.
    #[must_use]
    pub fn shifted(&self, vertices: usize, facets: usize) -> Self {
        Self {
            nodes: self.nodes.map(|i| vertices + i),
            first: facets + self.first,
        }
    }

    /// Values at its nodes.
    pub fn at(&self, of: &[Vec2]) -> [Vec2; 6] {
        self.nodes.map(|i| of[i])
    }

    /// Largest distance between its curved sides and the straight edges between its nodes, where
    /// vertices are at `x` (m).
    ///
    /// A parabola is away from the chord of half of its parameter by at most
    /// `|x_0 - 2 x_3 + x_1| / 8`.
    pub fn sagitta(&self, x: &[Vec2]) -> f64 {
        let x = self.at(x);
        let bends = SIDES.map(|[a, b, middle]| (x[a] - x[middle] * 2.0 + x[b]).norm() / 8.0);
        bends.into_iter().fold(0.0, f64::max)
    }
}

/// True for each of `count` triangles that is a facet of a quadratic one, `[triangles]`.
pub fn are_facets(curved: &[Curved], count: usize) -> Vec<bool> {
    let mut is_facet = vec![false; count];
    for own in curved {
        is_facet[own.first..own.first + 4].fill(true);
    }
    is_facet
}

/// Shape functions at barycentric coordinates.
fn shapes(l: [f64; 3]) -> [f64; 6] {
    let mut values = [0.0; 6];
    for k in 0..3 {
        values[k] = l[k] * (2.0 * l[k] - 1.0);
    }
    for [a, b, middle] in SIDES {
        values[middle] = 4.0 * l[a] * l[b];
    }
    values
}

impl Point {
    /// Point at barycentric coordinates `l` (1) of a triangle with nodes `rest` (m), with this weight as
    /// a share of the area of the reference triangle.
    ///
    /// With the slopes `s` and `t` of the map at rest and those `u_i`, `v_i` of shape function `i` in the
    /// reference triangle, `b_i = (u_i t_y - v_i s_y, v_i s_x - u_i t_x) / (s x t)`.
    fn new(rest: &[Vec2; 6], l: [f64; 3], weight: f64) -> Self {
        // Derivatives of shape functions along both directions of the reference triangle.
        let mut slopes = [[0.0; 6]; 2];
        for (share, corner) in l.into_iter().zip(SLOPES) {
            for (sums, own) in slopes.iter_mut().zip(corner) {
                for (sum, slope) in sums.iter_mut().zip(own) {
                    *sum += share * slope;
                }
            }
        }
        // Slopes of all nodes add up to 0, so that node 0 may be the origin, which saves digits.
        let [s, t] = slopes.map(|slopes| -> Vec2 {
            let nodes = rest.iter().map(|node| node - rest[0]);
            nodes.zip(slopes).map(|(node, slope)| node * slope).sum()
        });

        // In space, by the inverse of the matrix with the columns s and t.
        let determinant = cross(s, t);
        let b = std::array::from_fn(|i| {
            let [u, v] = [slopes[0][i], slopes[1][i]];
            Vec2::new(u * t.y - v * s.y, v * s.x - u * t.x) / determinant
        });
        Self {
            area: 0.5 * weight * determinant,
            shapes: shapes(l),
            b,
        }
    }

    /// Shares of the three corners in the place of the point (1), which add up to 1.
    pub fn corners(&self) -> [f64; 3] {
        let mut shares = [self.shapes[0], self.shapes[1], self.shapes[2]];
        for [a, b, middle] in SIDES {
            shares[a] += 0.5 * self.shapes[middle];
            shares[b] += 0.5 * self.shapes[middle];
        }
        shares
    }

    /// Stretch around the axis x = 0 (1) at the point of a body of revolution with nodes `rest` and `x`
    /// (m), whose deformation gradient in the half-plane is `f`: the ratio of radii, and on the axis its
    /// limit, the stretch along the radius.
    pub fn stretch_around(&self, rest: &[Vec2; 6], x: &[Vec2; 6], f: &Mat2) -> f64 {
        let radius_of = |nodes: &[Vec2; 6]| {
            let parts = nodes.iter().zip(self.shapes);
            parts.map(|(node, shape)| node.x * shape).sum::<f64>()
        };

        // Radii at rest tell which points are on the axis.
        let radius = radius_of(rest);
        let largest = rest.iter().map(|node| node.x).fold(0.0, f64::max);
        if radius > ON_AXIS * largest {
            radius_of(x) / radius
        } else {
            f.m11
        }
    }

    /// The three points at which energies of a triangle with nodes `rest` (m) are taken.
    pub fn of_gauss(rest: &[Vec2; 6]) -> [Self; 3] {
        GAUSS.map(|l| Self::new(rest, l, 1.0 / 3.0))
    }

    /// The six nodes, and the middles of the four facets, without areas: places at which stress and
    /// strain are shown.
    pub fn of_nodes_and_facets(rest: &[Vec2; 6]) -> ([Self; 6], [Self; 4]) {
        let mut places = [[0.0; 3]; 6];
        for (k, corner) in places.iter_mut().take(3).enumerate() {
            corner[k] = 1.0;
        }

        for [a, b, middle] in SIDES {
            places[middle][a] = 0.5;
            places[middle][b] = 0.5;
        }

        let middles = CORNERS_OF_FACETS.map(|facet| {
            std::array::from_fn(|k| facet.iter().map(|&i| places[i][k]).sum::<f64>() / 3.0)
        });

        // Places for results have no part in integrals, hence no area.
        (
            places.map(|l| Self::new(rest, l, 0.0)),
            middles.map(|l| Self::new(rest, l, 0.0)),
        )
    }
}

impl Mesh {
    /// Quadratic triangles of the mesh; none if its triangles are elements themselves.
    pub fn curved(&self) -> impl Iterator<Item = Curved> {
        let count = if self.is_quadratic {
            self.triangles.len() / 4
        } else {
            0
        };
        (0..count).map(|k| Curved::of_facets(&self.triangles, 4 * k))
    }

    /// The mesh with a quadratic triangle for each of its triangles, and a vertex in the middle of
    /// each side. New vertices follow in the order in which triangles first name their sides.
    ///
    /// Returns also the ends of the sides, `[new vertices]`.
    #[must_use]
    pub fn with_middles(&self) -> (Self, Vec<[usize; 2]>) {
        let count = self.vertices.len();
        let mut numbers: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        let mut sides = Vec::new();
        let mut triangles = Vec::with_capacity(4 * self.triangles.len());
        for &[a, b, c] in &self.triangles {
            // Neighbours share the middle of their common side.
            let [d, e, f] = [[a, b], [b, c], [c, a]].map(|[i, j]| {
                let side = [i.min(j), i.max(j)];
                *numbers.entry(side).or_insert_with(|| {
                    sides.push(side);
                    count + sides.len() - 1
                })
            });
            let nodes = [a, b, c, d, e, f];
            triangles.extend(CORNERS_OF_FACETS.map(|facet| facet.map(|i| nodes[i])));
        }

        let middles = sides
            .iter()
            .map(|&[a, b]| (self.vertices[a] + self.vertices[b]) / 2.0);
        let mesh = Self {
            vertices: self.vertices.iter().copied().chain(middles).collect(),
            triangles,
            extra_springs: Vec::new(),
            is_quadratic: true,
        };
        (mesh, sides)
    }

    /// Curved sides on the boundary, as `[start, middle, end]` with the material on their left; none
    /// if triangles are elements themselves.
    pub fn curved_sides(&self) -> Vec<[usize; 3]> {
        let boundary: BTreeSet<[usize; 2]> = boundary::edges(&self.triangles).into_iter().collect();
        let sides = self.curved().flat_map(|curved| curved.sides());
        sides
            .filter(|&[a, middle, _]| boundary.contains(&[a, middle]))
            .collect()
    }

    /// Area of each vertex of quadratic triangles (m^2, `[vertices]`), by which their mass is lumped:
    /// the shares of Hinton, Rock and Zienkiewicz of the area within their curves.
    ///
    /// Twice the area of a triangle is the mean of the six coefficients of its `J`, with curved
    /// sides as well. All areas are positive, and add up to the area of the mesh.
    pub fn curved_areas(&self) -> Vec<f64> {
        let mut areas = vec![0.0; self.vertices.len()];
        for curved in self.curved() {
            let c = determinant(&curved.at(&self.vertices));
            let area = c.iter().sum::<f64>() / 12.0;
            for (k, &i) in curved.nodes.iter().enumerate() {
                areas[i] += MASS[k / 3] * area;
            }
        }
        areas
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// A disk of quadratic triangles, whose nodes on the rim are on the circle.
    fn disk(rings: usize) -> Mesh {
        let (mut mesh, _) = generate::disk(1.0, rings).with_middles();
        for [_, middle, _] in mesh.curved_sides() {
            mesh.vertices[middle] = mesh.vertices[middle].normalize();
        }
        mesh
    }

    #[test]
    fn shape_functions_reproduce_quadratic_functions_and_their_slopes() {
        let f = |x: Vec2| 1.0 + 2.0 * x.x - x.y + 0.5 * x.x * x.x - 3.0 * x.x * x.y + x.y * x.y;
        let slope = |x: Vec2| Vec2::new(2.0 + x.x - 3.0 * x.y, -1.0 - 3.0 * x.x + 2.0 * x.y);
        let (mesh, _) = generate::rectangle([2.0, 1.0], [1, 1]).with_middles();
        for curved in mesh.curved() {
            let x = curved.at(&mesh.vertices);
            let (nodes, middles) = Point::of_nodes_and_facets(&x);
            for (k, point) in Point::of_gauss(&x).iter().enumerate() {
                let expected = [0, 1, 2].map(|i| if i == k { 2.0 / 3.0 } else { 1.0 / 6.0 });
                for (share, expected) in point.corners().iter().zip(expected) {
                    assert!((share - expected).abs() < 1e-15);
                }
            }
            for point in nodes.iter().chain(&middles).chain(&Point::of_gauss(&x)) {
                let sum = |n: [f64; 6]| -> Vec2 { x.iter().zip(n).map(|(x, n)| x * n).sum() };
                let place = sum(point.shapes);
                let value: f64 = x.iter().zip(point.shapes).map(|(x, n)| f(*x) * n).sum();
                let gradient: Vec2 = x.iter().zip(point.b).map(|(x, b)| b * f(*x)).sum();
                assert!((value - f(place)).abs() < 1e-14);
                assert!((gradient - slope(place)).norm() < 1e-13);
            }
            for (k, node) in nodes.iter().enumerate() {
                assert!((node.shapes[k] - 1.0).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn a_disk_with_curved_sides_has_its_area_and_its_distance_from_its_edges() {
        // With 24 curved sides the area misses by the fourth order.
        let mesh = disk(4);
        let area: f64 = mesh.curved_areas().iter().sum();
        let by_gauss: f64 = mesh
            .curved()
            .flat_map(|curved| Point::of_gauss(&curved.at(&mesh.vertices)))
            .map(|point| point.area)
            .sum();
        assert!(
            (area - by_gauss).abs() < 1e-14 && (area / std::f64::consts::PI - 1.0).abs() < 1e-5
        );

        // A chord of 7.5 degrees and its arc.
        let arc = 1.0 - (std::f64::consts::TAU / 96.0).cos();
        let sagitta = mesh
            .curved()
            .map(|curved| curved.sagitta(&mesh.vertices))
            .fold(0.0, f64::max);
        assert!((sagitta / arc - 1.0).abs() < 0.01, "{sagitta} {arc}");
        assert_eq!(mesh.curved_sides().len(), 24);
    }

    #[test]
    fn facets_are_in_the_order_that_nodes_follow_from() {
        let (mesh, sides) = generate::rectangle([1.0, 1.0], [2, 2]).with_middles();
        assert_eq!((mesh.vertices.len(), sides.len()), (25, 16));
        assert_eq!(boundary::edges(&mesh.triangles).len(), 16);
        for curved in mesh.curved() {
            assert_eq!(
                mesh.triangles[curved.first..curved.first + 4],
                curved.facets()
            );
            assert_eq!(curved.sagitta(&mesh.vertices), 0.0);
        }
        assert!((mesh.curved_areas().iter().sum::<f64>() - 1.0).abs() < 1e-14);
    }
}
