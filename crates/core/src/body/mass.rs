//! Lumped mass: the mass of a mesh as point masses at its vertices.

use ipcsim_keys::Keys;
use ipcsim_mesh::{MASS, Mesh, Point};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Distribution of a body's mass to its vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Lumping {
    /// Each triangle gives a third of its mass to each of its vertices. A quadratic one gives 1/19 to
    /// each corner and 16/57 to each middle of a side.
    #[default]
    Area,
    /// Every vertex has the same mass, as in the book.
    Uniform,
}

/// Mass of each vertex (kg, `[vertices]`) of a mesh with `density` (kg/m^3) and `thickness` (m).
///
/// Area lumping gives vertex `i` the mass `m_i = rho t sum_k A_k / 3` over its triangles `k`, or the
/// shares of quadratic ones. The masses add up to `rho t A` with either lumping.
pub fn lump(mesh: &Mesh, density: f64, thickness: f64, lumping: Lumping) -> Vec<f64> {
    let area_mass = density * thickness;
    if mesh.is_quadratic {
        return lump_curved(mesh, area_mass, lumping);
    }
    match lumping {
        Lumping::Area => {
            let mut mass = vec![0.0; mesh.vertices.len()];

            for (k, triangle) in mesh.triangles.iter().enumerate() {
                for &i in triangle {
                    mass[i] += area_mass * mesh.area(k) / 3.0;
                }
            }

            mass
        }
        Lumping::Uniform => {
            let area: f64 = (0..mesh.triangles.len()).map(|k| mesh.area(k)).sum();
            vec![area_mass * area / mesh.vertices.len() as f64; mesh.vertices.len()]
        }
    }
}

/// Mass of each vertex (kg, `[vertices]`) of a mesh of quadratic triangles with a mass per area
/// (kg/m^2), by the area within their curves.
fn lump_curved(mesh: &Mesh, area_mass: f64, lumping: Lumping) -> Vec<f64> {
    let areas = mesh.curved_areas();
    let whole: f64 = areas.iter().sum();
    let count = areas.len() as f64;
    let share = |area: &f64| match lumping {
        Lumping::Area => area_mass * area,
        Lumping::Uniform => area_mass * whole / count,
    };
    areas.iter().map(share).collect()
}

/// Mass of each vertex (kg, `[vertices]`) of the full turn of a mesh about the axis x = 0, with a
/// `density` (kg/m^3).
///
/// A linear triangle of the area `A` gives `rho 2 pi A / 12 (2 R_i + R_j + R_k)` to vertex `i`, the integral
/// of its shape function. Shares of a quadratic one are those of the plane times the mean of the radii of
/// node and middle, so that nodes on the axis have mass, too.
pub fn lump_revolved(mesh: &Mesh, density: f64, lumping: Lumping) -> Vec<f64> {
    let mut mass = vec![0.0; mesh.vertices.len()];
    let radius = |i: usize| mesh.vertices[i].x;
    if mesh.is_quadratic {
        for curved in mesh.curved() {
            let rest = curved.at(&mesh.vertices);
            let points = Point::of_gauss(&rest);
            let volume_of = |point: &Point| {
                let parts = rest.iter().zip(point.shapes);
                let radius: f64 = parts.map(|(node, shape)| node.x * shape).sum();
                TAU * radius * point.area
            };
            let volume: f64 = points.iter().map(volume_of).sum();
            let area: f64 = points.iter().map(|point| point.area).sum();
            let middle = volume / (TAU * area);
            let shares: [f64; 6] =
                std::array::from_fn(|k| MASS[k / 3] * (radius(curved.nodes[k]) + middle));
            let whole: f64 = shares.iter().sum();
            for (&i, share) in curved.nodes.iter().zip(shares) {
                mass[i] += density * volume * share / whole;
            }
        }
    } else {
        for (k, triangle) in mesh.triangles.iter().enumerate() {
            let all: f64 = triangle.iter().map(|&i| radius(i)).sum();
            for &i in triangle {
                mass[i] += density * TAU * mesh.area(k) / 12.0 * (all + radius(i));
            }
        }
    }

    if lumping == Lumping::Uniform {
        let mean = mass.iter().sum::<f64>() / mass.len() as f64;
        mass.fill(mean);
    }
    mass
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_mesh::generate;

    #[test]
    fn a_cylinder_has_the_mass_of_the_full_turn() {
        let mut mesh = generate::rectangle([2.0, 1.0], [5, 3]);
        for vertex in &mut mesh.vertices {
            vertex.x += 1.0;
        }
        let (curved, _) = mesh.with_middles();
        for lumping in [Lumping::Area, Lumping::Uniform] {
            for mesh in [&mesh, &curved] {
                let mass = lump_revolved(mesh, 500.0, lumping);
                let whole = 500.0 * std::f64::consts::PI * 4.0;
                assert!((mass.iter().sum::<f64>() / whole - 1.0).abs() < 1e-13);
                assert!(mass.iter().all(|&mass| mass > 0.0));
            }
        }
    }

    #[test]
    fn both_lumpings_keep_the_whole_mass() {
        let mesh = generate::rectangle([2.0, 1.0], [5, 3]);
        for lumping in [Lumping::Area, Lumping::Uniform] {
            let mass = lump(&mesh, 1000.0, 0.5, lumping);
            assert!((mass.iter().sum::<f64>() - 1000.0).abs() < 1e-9);

            let (curved, _) = mesh.with_middles();
            let mass = lump(&curved, 1000.0, 0.5, lumping);
            assert!((mass.iter().sum::<f64>() - 1000.0).abs() < 1e-9);
            assert!(mass.iter().all(|&mass| mass > 0.0));
        }

        let square = generate::rectangle([1.0, 1.0], [4, 4]);
        let mass = lump(&square, 1000.0, 1.0, Lumping::Uniform);
        assert!((mass[7] - 40.0).abs() < 1e-12);
    }
}
