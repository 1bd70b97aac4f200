//! Elements of bodies of revolution.

use super::{AddMesh, Changing, Constant, Summation};
use crate::material::{AnyLaw, Distortable, SceneLaw};
use crate::{RevolvedQuadratic, RevolvedTriangle, patches};
use ipcsim_math::Vec2;
use ipcsim_mesh::Point;

impl AddMesh<'_> {
    /// Adds the triangles of a mesh that turns about the axis x = 0. Its vertices are at their radii.
    pub(super) fn turned<L: SceneLaw>(mut self, rank: usize, given: &L::LawParameters) {
        let split = L::split_in_space(given).filter(|_| self.own.has_mean_dilatation);
        if let Some(split) = split {
            let patches = patches::of(self.own.mesh, self.own.first, split.volume, 1.0);
            patches.add_turned(&mut self.elements.sums);
            return self.turned_solids(rank, split.shear.into(), &Constant::default());
        }
        let law: AnyLaw = L::distortable(given).into();
        if self.own.warmth.is_some() || law.flows() {
            let warmth = self.own.warmth.take();
            self.turned_solids(rank, law, &Changing { warmth });
        } else {
            self.turned_solids(rank, law, &Constant::default());
        }
    }

    /// Adds linear or quadratic triangles to the energies that a `summation` has.
    fn turned_solids<S>(&mut self, rank: usize, law: AnyLaw, summation: &S)
    where
        S: Summation<RevolvedTriangle<AnyLaw>, 3> + Summation<RevolvedQuadratic<AnyLaw>, 6>,
    {
        let mesh = self.own.mesh;
        if mesh.is_quadratic {
            let facets = self.elements.triangles.len();
            for (number, own) in mesh.curved().enumerate() {
                let rest = own.at(&mesh.vertices);
                let curved = own.shifted(self.own.first, facets);
                let places = Point::of_gauss(&rest).map(|point| {
                    let parts = rest.iter().zip(point.shapes);
                    parts.map(|(node, shape)| node * shape).sum()
                });

                // Its facets are drawn and collide.
                let element = RevolvedQuadratic::new(law, rest);
                let sums = &mut self.elements.sums;
                summation.add(sums, rank, (number, curved.nodes), element, &places);
                self.elements.triangles.extend(curved.facets());
                self.elements.curved.push(curved);
            }
            return;
        }

        // A linear triangle has one point, its middle.
        for (number, triangle) in mesh.triangles.iter().enumerate() {
            let stencil = triangle.map(|i| self.own.first + i);
            let rest = triangle.map(|i| mesh.vertices[i]);
            let middle = rest.iter().sum::<Vec2>() / 3.0;
            let element = RevolvedTriangle::new(law, rest);
            let sums = &mut self.elements.sums;
            summation.add(sums, rank, (number, stencil), element, &[middle]);
            self.elements.triangles.push(stencil);
        }
    }
}
