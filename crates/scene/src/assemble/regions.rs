//! Materials of the triangles of a body.
//!
//! Elements are summed law by law, and mass by density, so that a body of several materials is
//! handled as several meshes that share their vertices. A body without regions is one such mesh,
//! with the same sums in the same order as if there were no regions at all.

use crate::area::{Curves, Purpose};
use crate::schema::{Area, Body, Curve, Material, Region, Scene, Shape, Where};
use ipcsim_math::Vec2;
use ipcsim_math::formula::Formula;
use ipcsim_math::geometry::predicates::inside;
use ipcsim_mesh::Mesh;
use std::collections::BTreeSet;

/// A material of a body, and the triangles that are of it.
pub(crate) struct Share<'a> {
    /// Number of the region, from 1, or 0 for what is in none.
    pub region: usize,
    /// The material.
    pub material: &'a Material,
    /// The body's mesh with these triangles alone.
    pub mesh: Mesh,
    /// Factors of the energy of these triangles (1); empty if all are 1.
    pub factors: Vec<f64>,
}

/// Number of the region of each triangle of a body, from 1, or 0 without one, `[triangles]`.
///
/// Later regions have precedence, so that a body may be painted layer over layer.
pub(super) fn numbers(regions: &[Region], shape: &Shape, mesh: &Mesh) -> Vec<usize> {
    let mut numbers = vec![0; mesh.triangles.len()];
    for (k, region) in regions.iter().enumerate() {
        let has = member(&region.place, shape, mesh);
        for (number, is_in) in numbers.iter_mut().zip(has) {
            if is_in {
                *number = k + 1;
            }
        }
    }

    // The facets of a quadratic triangle are of one material, by the middle one of them.
    if mesh.is_quadratic {
        for facets in numbers.chunks_exact_mut(4) {
            facets.fill(facets[3]);
        }
    }
    numbers
}

/// Whether each triangle is in a place, `[triangles]`, by its middle or its group.
///
/// A triangle across a curve is on the side of its middle.
fn member(place: &Where, shape: &Shape, mesh: &Mesh) -> Vec<bool> {
    let middles = mesh
        .triangles
        .iter()
        .map(|triangle| triangle.map(|i| mesh.vertices[i]).iter().sum::<Vec2>() / 3.0);

    match place {
        Where::Group(name) => {
            let group = match shape {
                Shape::Mesh(mesh) => mesh.groups.get(name),
                _ => None,
            };
            let members: BTreeSet<usize> = group
                .into_iter()
                .flat_map(|group| group.triangles.iter().copied())
                .collect();
            (0..mesh.triangles.len())
                .map(|k| members.contains(&k))
                .collect()
        }
        Where::Inside(curve) => {
            let sides = sides(curve);
            middles.map(|x| inside(x, sides.iter().copied())).collect()
        }
        Where::Positive(text) => match Formula::read(text) {
            Ok(formula) => middles.map(|x| formula.at(x, 0.0) > 0.0).collect(),
            // The checks have refused a formula that cannot be read.
            Err(_) => vec![false; mesh.triangles.len()],
        },
    }
}

/// Ends of the straight sides of a curve (m).
fn sides(curve: &Curve) -> Vec<(Vec2, Vec2)> {
    let curves = Curves::of(&Area::new(curve.clone()), Purpose::Regions);
    let points = curves.loops.into_iter().next().map(|curve| curve.points);
    let points = points.unwrap_or_default();
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(&a, &b)| (a, b)).collect()
}

/// Factors of the energy of the elements in a region; the four facets of a quadratic one have one.
fn factors_of(body: &Body, mesh: &Mesh, numbers: &[usize], region: usize) -> Vec<f64> {
    let facets = if mesh.is_quadratic { 4 } else { 1 };
    let elements = body.relative_stiffness.iter().enumerate();
    let own = elements.filter(|(k, _)| numbers.get(facets * k) == Some(&region));
    own.map(|(_, factor)| *factor).collect()
}

/// The materials of a body with their triangles: first its own, then those of its regions.
///
/// A region without triangles is left out, and so is a material that the scene does not have; the
/// checks refuse these before. A body without regions has one share, its whole mesh.
pub(crate) fn shares<'a>(body: &Body, scene: &'a Scene, mesh: &Mesh) -> Vec<Share<'a>> {
    let regions = body.regions.iter().map(|region| &region.material);
    let names = std::iter::once(&body.material).chain(regions);
    let materials = names.map(|name| scene.materials.get(name));

    if body.regions.is_empty() {
        let own = materials.flatten().map(|material| Share {
            region: 0,
            material,
            mesh: mesh.clone(),
            factors: body.relative_stiffness.clone(),
        });
        return own.collect();
    }

    let numbers = numbers(&body.regions, &body.shape, mesh);
    let shares = materials.enumerate().filter_map(|(k, material)| {
        let of = mesh.triangles.iter().zip(&numbers);
        let triangles = of.filter(|(_, number)| **number == k);
        Some(Share {
            region: k,
            material: material?,
            factors: factors_of(body, mesh, &numbers, k),
            mesh: Mesh {
                vertices: mesh.vertices.clone(),
                triangles: triangles.map(|(triangle, _)| *triangle).collect(),
                extra_springs: Vec::new(),
                is_quadratic: mesh.is_quadratic,
            },
        })
    });
    shares
        .filter(|share| !share.mesh.triangles.is_empty())
        .collect()
}
