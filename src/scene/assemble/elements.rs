//! Elastic elements of bodies, summed law by law.

use crate::energy::{Energy, LocalEnergy, Spring, Summed, Triangle};
use crate::material::{LawVisitor, MassSpring, SceneLaw};
use crate::mesh::Mesh;
use crate::scene::schema::{Law, Plane, Scene};
use std::any::Any;
use std::collections::BTreeMap;

/// Elastic elements of all bodies.
#[derive(Default)]
pub(in crate::scene) struct Elements {
    /// Vertices of every triangle that resists deformation.
    pub triangles: Vec<[usize; 3]>,
    /// Vertices of every spring.
    pub springs: Vec<[usize; 2]>,
    /// Energies of these elements.
    pub sums: Sums,
}

impl Elements {
    /// Adds the elements of a mesh whose vertices are numbered from `first` on.
    pub(in crate::scene) fn add(&mut self, law: &Law, mesh: &Mesh, first: usize, scene: &Scene) {
        law.visit(AddMesh {
            elements: self,
            mesh,
            first,
            plane: scene.plane,
            thickness: scene.thickness,
        });
    }
}

/// Adds the elements of one mesh.
struct AddMesh<'a> {
    elements: &'a mut Elements,
    mesh: &'a Mesh,
    /// Number of the mesh's first vertex in the world.
    first: usize,
    plane: Plane,
    /// Thickness across the plane (m).
    thickness: f64,
}

impl LawVisitor for AddMesh<'_> {
    type Output = ();

    fn solid<L: SceneLaw>(self, rank: usize, given: &L::Given) {
        let Some(sum) = self.elements.sums.at::<Triangle<L>, 3>(rank) else {
            return;
        };
        let law = L::new(given, self.plane);

        for triangle in &self.mesh.triangles {
            let stencil = triangle.map(|i| self.first + i);
            let rest = triangle.map(|i| self.mesh.vertices[i]);
            sum.push(stencil, Triangle::new(law, rest, self.thickness));
            self.elements.triangles.push(stencil);
        }
    }

    fn springs(self, rank: usize, given: &MassSpring) {
        let Some(sum) = self.elements.sums.at::<Spring, 2>(rank) else {
            return;
        };
        let vertices = &self.mesh.vertices;

        for [a, b] in self.mesh.springs() {
            let stencil = [self.first + a, self.first + b];
            let spring = Spring {
                stiffness: given.stiffness * self.thickness,
                rest_squared: (vertices[a] - vertices[b]).norm_squared(),
            };
            sum.push(stencil, spring);
            self.elements.springs.push(stencil);
        }
    }
}

/// One sum of elements per law, in the order of the laws' ranks.
#[derive(Default)]
pub(in crate::scene) struct Sums(BTreeMap<usize, Box<dyn Sum>>);

/// A sum of elements of any type.
trait Sum: Energy + Any {}

impl<T: Energy + Any> Sum for T {}

impl Sums {
    /// Sum of elements `E` at `rank`; `None` if the rank holds elements of another type.
    fn at<E, const N: usize>(&mut self, rank: usize) -> Option<&mut Summed<E, N>>
    where
        E: LocalEnergy<N> + 'static,
        Summed<E, N>: Energy + Default,
    {
        let sum = self
            .0
            .entry(rank)
            .or_insert_with(|| Box::new(Summed::<E, N>::default()));
        let sum: &mut dyn Any = &mut **sum;
        sum.downcast_mut()
    }

    /// Sums that have elements.
    pub(in crate::scene) fn into_energies(self) -> Vec<Box<dyn Energy>> {
        let energies = self.0.into_values().map(|sum| sum as Box<dyn Energy>);
        energies
            .filter(|energy| energy.element_count() > 0)
            .collect()
    }
}
