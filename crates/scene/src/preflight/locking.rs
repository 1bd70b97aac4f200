//! Warnings of meshes that lock.
//!
//! A linear triangle of a nearly incompressible material keeps its area. A mesh has about two
//! triangles, hence two such conditions, for each vertex inside and its two coordinates, and nothing
//! is left to bend with. At a *singular* vertex, where all edges are on two crossing lines, one of the
//! four conditions around it follows from the other three (Nagtegaal, Parks and Rice 1974; Scott and
//! Vogelius 1985). With alternating diagonals every second vertex is one, and the mesh bends. With
//! uniform diagonals, and on most unstructured meshes, none is. A metal that flows keeps its area as
//! well.

use crate::assemble::Setup;
use crate::problem::Problem;
use crate::schema::{Dilatation, Elements};
use ipcsim_core::body::BodyKind;
use ipcsim_energy::material::{Hyperelastic, LawVisitor, MassSpring, Plane, SceneLaw};
use ipcsim_math::geometry::predicates::orientation;
use ipcsim_math::number::short;
use ipcsim_math::{Mat2, Vec2};
use ipcsim_mesh::boundary;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Ratio of the stiffness against a change of area to that against shear (1), `1 / (1 - 2 nu)` of an
/// isotropic law, above which a mesh locks: `nu = 0.495`.
const INCOMPRESSIBLE: f64 = 100.0;

/// Share of the vertices inside (1) that must be singular for a mesh to bend. With alternating
/// diagonals it is a half.
const SINGULAR: f64 = 0.25;

/// Least share of the change of area in the stiffest mode (1).
const EVEN: f64 = 0.99;

/// Sine of the angle (1) by which two edges on one line may differ.
const STRAIGHT: f64 = 1e-6;

/// Number of triangles around a singular vertex.
const AROUND: usize = 4;

/// Warnings of bodies with linear triangles of a nearly incompressible material whose mesh locks. With a
/// mean dilatation none does.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let mut found = Vec::new();
    if setup.scene.plane == Plane::Stress {
        // A sheet changes its thickness where its area is kept.
        return found;
    }

    for (k, body) in setup.world.bodies.iter().enumerate() {
        let Some(spec) = setup.scene.bodies.get(k) else {
            continue;
        };
        let material = setup.scene.materials.get(&spec.material);
        let law = material.and_then(|material| material.law.as_ref());
        let is_linear = body.kind == BodyKind::Solid && spec.elements == Elements::Linear;
        let locks = is_linear && spec.dilatation == Dilatation::Pointwise;
        let (Some(law), true) = (law, locks) else {
            continue;
        };

        let summary = law.summary();
        let ratio = law.visit(Stiffness);
        if ratio < INCOMPRESSIBLE && !summary.flows {
            continue;
        }

        let triangles = setup.world.triangles.iter().copied();
        let own = triangles.filter(|triangle| body.vertices.contains(&triangle[0]));
        let [inside, singular] = counts(&own.collect::<Vec<_>>(), &setup.world.rest);
        if inside == 0 || singular as f64 >= SINGULAR * inside as f64 {
            continue;
        }

        // Only a law that is a sum of shear and volume has a mean dilatation.
        let mean = if summary.splits {
            "\"dilatation\": \"mean\" or "
        } else {
            ""
        };
        let reason = if ratio < INCOMPRESSIBLE {
            "is too stiff where its metal flows: flow keeps the area, which its linear triangles can \
             hardly do and still bend"
                .to_owned()
        } else {
            format!(
                "will lock: it resists a change of area {} times as much as shear, and its linear \
                 triangles can hardly bend without one",
                short(ratio)
            )
        };
        let message = format!(
            "\"{}\" {reason}; add {mean}\"elements\": \"quadratic\", or use a rectangle or square, \
             whose diagonals alternate",
            body.name,
        );
        let place = setup.state.x[body.vertices.start];
        found.push(Problem::warning(format!("{}.shape", setup.paths[k]), message).at(place));
    }
    found
}

/// Asks a law for the stiffness against a change of area over that against shear (1), at rest.
struct Stiffness;

impl LawVisitor for Stiffness {
    type Output = f64;

    /// The largest eigenvalue of the derivative of stress is `2 (lambda + mu)` of an isotropic law, the
    /// next is `2 mu`. A law that is stiffest in another mode than that of the area, as one with
    /// fibres, counts as compressible.
    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> f64 {
        let modes = L::plane_strain(given).modes(&Mat2::identity());
        let mut modes = modes;
        modes.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let [(largest, mode), (next, _), ..] = modes;
        let share_of_area = 0.5 * mode.trace() * mode.trace();
        if share_of_area > EVEN {
            largest / next
        } else {
            0.0
        }
    }

    fn springs(self, _rank: usize, _given: &MassSpring) -> f64 {
        0.0
    }
}

/// Number of vertices inside of triangles, and of singular ones among them, at rest (m).
fn counts(triangles: &[[usize; 3]], rest: &[Vec2]) -> [usize; 2] {
    let outer: BTreeSet<usize> = boundary::edges(triangles).into_iter().flatten().collect();
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); rest.len()];
    for &[a, b, c] in triangles {
        neighbours[a].extend([b, c]);
        neighbours[b].extend([c, a]);
        neighbours[c].extend([a, b]);
    }

    let inner = (0..rest.len()).filter(|i| !neighbours[*i].is_empty() && !outer.contains(i));
    let inner: Vec<usize> = inner.collect();
    let singular = inner.iter().filter(|&&i| {
        let around: Vec<Vec2> = neighbours[i].iter().map(|&j| rest[j]).collect();
        is_singular(rest[i], &around)
    });
    [inner.len(), singular.count()]
}

/// True if the edges from a vertex to those `around` it (m) are on two lines through it.
fn is_singular(vertex: Vec2, around: &[Vec2]) -> bool {
    around.len() == AROUND
        && around.iter().all(|&one| {
            around.iter().any(|&other| {
                let [u, v] = [one - vertex, other - vertex].map(|edge| edge.normalize());
                let is_straight = u.perp(&v).abs() < STRAIGHT
                    || orientation(one, vertex, other) == Ordering::Equal;
                is_straight && u.dot(&v) < 0.0
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_energy::material::{Law, solids};
    use ipcsim_mesh::generate;

    #[test]
    fn every_second_vertex_is_singular_where_diagonals_alternate_and_none_on_a_disk() {
        let mesh = generate::rectangle([1.0, 1.0], [9, 9]);
        assert_eq!(counts(&mesh.triangles, &mesh.vertices), [64, 32]);
        let disk = generate::disk(1.0, 5);
        assert_eq!(counts(&disk.triangles, &disk.vertices), [61, 0]);
    }

    #[test]
    fn the_ratio_is_that_of_poissons_ratio() {
        // At 0 all stiffnesses are equal, and their order says nothing.
        for nu in [0.1, 0.3, 0.4999] {
            let ratio = Law::neo_hookean(1e5, nu).visit(Stiffness);
            assert!((ratio * (1.0 - 2.0 * nu) - 1.0).abs() < 1e-9, "{nu}");
        }
        assert!(
            solids()
                .iter()
                .all(|law| law.visit(Stiffness) < INCOMPRESSIBLE)
        );
    }
}
