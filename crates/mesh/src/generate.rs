//! Meshes of simple shapes, centred at the origin.
//!
//! The rectangle is a grid of cells, each cut by a diagonal. The regular polygon and the disk are
//! rings of triangles around a centre. All triangles run counter-clockwise. Vertices and triangles
//! of a square come in the order of the free physics-based simulation book, so that results can be
//! compared vertex by vertex.

use super::Mesh;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::{cos, sin};
use std::f64::consts::{PI, TAU};

/// Sectors of a disk: its boundary has this number of edges per ring. With six the triangles near
/// the centre are equilateral.
const DISK_SECTORS: usize = 6;

/// A rectangle of `size` (m), divided into `segments` cells along x and y: `(nx + 1)(ny + 1)`
/// vertices and `2 nx ny` triangles.
///
/// Each cell is cut by a diagonal whose direction alternates. Vertices run along y first, then
/// along x, from the lower left corner.
pub fn rectangle(size: [f64; 2], segments: [usize; 2]) -> Mesh {
    let [nx, ny] = segments;
    let mut mesh = Mesh::default();

    for i in 0..=nx {
        for j in 0..=ny {
            let x = -0.5 * size[0] + size[0] * i as f64 / nx as f64;
            let y = -0.5 * size[1] + size[1] * j as f64 / ny as f64;
            mesh.vertices.push(Vec2::new(x, y));
        }
    }

    let at = |i: usize, j: usize| i * (ny + 1) + j;
    for i in 0..nx {
        for j in 0..ny {
            // Corners of the cell, counter-clockwise from the lower left.
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if (i + j) % 2 == 0 {
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
                // Springs follow both diagonals, while the triangles have an edge along one of
                // them.
                mesh.extra_springs.push([b, d]);
            } else {
                mesh.triangles.extend([[a, b, d], [b, c, d]]);
                mesh.extra_springs.push([a, c]);
            }
        }
    }
    mesh
}

/// A regular polygon of `sides` corners at the distance `radius` (m) from the centre, with each
/// side divided into `segments`. A side of the mesh has `segments` edges, and so has every spoke.
///
/// The first corner is at the angle `-pi/2 - pi/sides`, so that the polygon stands on a side.
pub fn regular_polygon(radius: f64, sides: usize, segments: usize) -> Mesh {
    let corner =
        |k: usize| unit(-0.5 * PI - PI / sides as f64 + TAU * k as f64 / sides as f64) * radius;

    rings(sides, segments, |ring, sector, step| {
        // Fraction of the side, and then of the distance from the centre.
        let along = if ring == 0 {
            0.0
        } else {
            step as f64 / ring as f64
        };
        let side = corner(sector) * (1.0 - along) + corner(sector + 1) * along;
        side * (ring as f64 / segments as f64)
    })
}

/// A disk of `radius` (m) made of `count` concentric rings of triangles, all of about one size. The
/// boundary has `6 count` edges.
pub fn disk(radius: f64, count: usize) -> Mesh {
    rings(DISK_SECTORS, count, |ring, sector, step| {
        if ring == 0 {
            return Vec2::zeros();
        }
        let angle = TAU * (sector * ring + step) as f64 / (DISK_SECTORS * ring) as f64;
        unit(angle) * (radius * ring as f64 / count as f64)
    })
}

/// Unit vector at an angle (rad) from the x axis.
fn unit(angle: f64) -> Vec2 {
    Vec2::new(cos(angle), sin(angle))
}

/// A centre and `count` rings around it; ring `r` has `sectors * r` vertices.
///
/// `place(ring, sector, step)` is the position (m) of vertex `step` of a sector, below `ring`.
fn rings(sectors: usize, count: usize, place: impl Fn(usize, usize, usize) -> Vec2) -> Mesh {
    let mut mesh = Mesh {
        vertices: vec![place(0, 0, 0)],
        ..Mesh::default()
    };

    for ring in 1..=count {
        for sector in 0..sectors {
            for step in 0..ring {
                mesh.vertices.push(place(ring, sector, step));

                // A triangle with two outer vertices, and one with two inner vertices.
                let outer = [step, step + 1].map(|k| ring_vertex(sectors, ring, sector, k));
                let inner = ring_vertex(sectors, ring - 1, sector, step);
                mesh.triangles.push([outer[0], outer[1], inner]);
                if step + 1 < ring {
                    let next = ring_vertex(sectors, ring - 1, sector, step + 1);
                    mesh.triangles.push([inner, outer[1], next]);
                }
            }
        }
    }
    mesh
}

/// Number of vertex `step` of a sector on a ring; 0 is the centre.
///
/// The last step of a sector is the first vertex of the next sector, and the last sector ends at
/// the first vertex of the ring.
fn ring_vertex(sectors: usize, ring: usize, sector: usize, step: usize) -> usize {
    if ring == 0 {
        return 0;
    }
    let first = 1 + sectors * ring * (ring - 1) / 2;
    first + (sector * ring + step) % (sectors * ring)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary;

    /// Sum of the areas of all triangles (m^2).
    fn total_area(mesh: &Mesh) -> f64 {
        (0..mesh.triangles.len()).map(|k| mesh.area(k)).sum()
    }

    /// Area of a regular polygon with `n` corners at a radius (m^2).
    fn inscribed(radius: f64, n: f64) -> f64 {
        0.5 * n * radius * radius * (TAU / n).sin()
    }

    #[test]
    fn areas_are_those_of_the_shapes_and_no_triangle_is_inverted() {
        // Area, edges of the boundary, vertices.
        let cases = [
            (rectangle([2.0, 3.0], [4, 5]), 6.0, 18, 30),
            (regular_polygon(1.0, 3, 4), inscribed(1.0, 3.0), 12, 31),
            (regular_polygon(2.0, 5, 1), inscribed(2.0, 5.0), 5, 6),
            (disk(0.5, 7), inscribed(0.5, 42.0), 42, 1 + 3 * 7 * 8),
        ];

        for (mesh, area, boundary_edges, vertices) in cases {
            assert!((total_area(&mesh) - area).abs() < 1e-12 * area);
            assert!((0..mesh.triangles.len()).all(|k| mesh.area(k) > 0.0));
            assert_eq!(boundary::edges(&mesh.triangles).len(), boundary_edges);
            assert_eq!(mesh.vertices.len(), vertices);
        }
    }

    #[test]
    fn a_square_has_the_springs_and_triangles_of_the_book() {
        let mesh = rectangle([1.0, 1.0], [4, 4]);
        assert_eq!(
            mesh.triangles[..4],
            [[0, 5, 6], [0, 6, 1], [1, 6, 2], [6, 7, 2]]
        );
        assert_eq!(mesh.springs().len(), 72);
    }

    #[test]
    fn a_regular_polygon_stands_on_a_side() {
        for sides in 3..9 {
            let mesh = regular_polygon(1.0, sides, 2);
            let lowest = mesh
                .vertices
                .iter()
                .map(|v| v.y)
                .fold(f64::INFINITY, f64::min);

            let touching = mesh
                .vertices
                .iter()
                .filter(|v| v.y - lowest < 1e-12)
                .count();
            assert_eq!(touching, 3, "{sides}");
        }
    }
}
