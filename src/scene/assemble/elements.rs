//! Elastic elements of bodies, summed law by law.
//!
//! All triangles of one law are one sum, whatever bodies they belong to, so that a sum is a plain
//! loop over elements of one type. The law of a material is only known when the scene is read. It
//! therefore calls back with its type ([`LawVisitor`]), and the sum of that type is found by the
//! law's rank. Energies are added up in the order of ranks, which fixes the rounding of their sum.

use super::regions::shares;
use crate::energy::{
    Dampers, Dashpot, Energy, LocalEnergy, QuadraticTriangle, Spring, Summed, Triangle,
};
use crate::material::{Hyperelastic, LawVisitor, MassSpring, SceneLaw};
use crate::mesh::{Curved, Mesh, Point};
use crate::scene::schema::{Body, Damping, Material, Plane, Scene};
use std::any::{Any, TypeId};
use std::collections::BTreeMap;

/// Elastic elements of all bodies.
///
/// The lists of vertices and the energies have the same elements: pictures and checks read the
/// former, the potential sums the latter.
#[derive(Default)]
pub(in crate::scene) struct Elements {
    /// Vertices of every triangle that resists deformation.
    pub triangles: Vec<[usize; 3]>,
    /// Quadratic triangles, whose facets are among the triangles.
    pub curved: Vec<Curved>,
    /// Number of the region of its body that each triangle is in, from 1, or 0 without one.
    pub regions: Vec<usize>,
    /// Vertices of every spring.
    pub springs: Vec<[usize; 2]>,
    /// Vertices of every two segments of a rod that follow each other.
    pub bends: Vec<[usize; 3]>,
    /// Energies of these elements.
    pub sums: Sums,
    /// What resists velocities and rates of strain.
    pub dampers: Dampers,
}

impl Elements {
    /// Adds the elements of a body, which are of its own material and of those of its regions. Its
    /// vertices are numbered from `first` on in the world.
    pub(in crate::scene) fn add_body(
        &mut self,
        body: &Body,
        scene: &Scene,
        mesh: &Mesh,
        first: usize,
    ) {
        for share in shares(body, scene, mesh) {
            if share.material.law.is_some() {
                self.add(share.material, &share.mesh, first, scene);
                self.regions.resize(self.triangles.len(), share.region);
            }
        }
    }

    /// Adds the elements of a mesh of one material whose vertices are numbered from `first` on in the world.
    ///
    /// Plane and thickness are those of `scene`. A law of springs ignores the plane.
    fn add(&mut self, material: &Material, mesh: &Mesh, first: usize, scene: &Scene) {
        let Some(law) = &material.law else { return };
        law.visit(AddMesh {
            elements: self,
            damping: material.damping.filter(Damping::resists_strain),
            mesh,
            first,
            plane: scene.plane,
            thickness: scene.thickness,
        });
    }
}

/// Adds the elements of one mesh, once its law has said its type.
struct AddMesh<'a> {
    /// Elements to add to.
    elements: &'a mut Elements,
    /// Mesh about the shape's origin (m).
    mesh: &'a Mesh,
    /// Number of the mesh's first vertex in the world.
    first: usize,
    /// Damping of rates of strain, if there is any.
    damping: Option<Damping>,
    /// Plane strain or plane stress.
    plane: Plane,
    /// Thickness across the plane (m).
    thickness: f64,
}

impl LawVisitor for AddMesh<'_> {
    type Output = ();

    fn solid<L: SceneLaw>(self, rank: usize, given: &L::Given) {
        match self.plane {
            Plane::Strain => self.solids(rank, L::thick(given)),
            Plane::Stress => self.solids(rank, L::thin(given)),
        }
    }

    fn springs(self, rank: usize, given: &MassSpring) {
        let Some(sum) = self.elements.sums.at::<Spring, 2>(rank) else {
            return;
        };
        let vertices = &self.mesh.vertices;

        // Springs along edges, and along both diagonals of a rectangle's cells.
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

impl AddMesh<'_> {
    /// Adds the triangles of the mesh, which are linear or quadratic.
    fn solids<L: Hyperelastic + 'static>(self, rank: usize, law: L) {
        if self.mesh.is_quadratic {
            self.quadratic(rank, law);
        } else {
            self.triangles(rank, law);
        }
    }

    /// Adds the quadratic triangles of the mesh to the sum of their law, with their facets.
    fn quadratic<L: Hyperelastic + 'static>(self, rank: usize, law: L) {
        let Some(sum) = self.elements.sums.at::<QuadraticTriangle<L>, 6>(rank) else {
            return;
        };
        let viscosity = self
            .damping
            .map(|damping| damping.viscosity(&law, self.plane));
        let facets = self.elements.triangles.len();
        for own in self.mesh.curved() {
            let rest = own.at(&self.mesh.vertices);
            let curved = own.shifted(self.first, facets);
            sum.push(
                curved.nodes,
                QuadraticTriangle::new(law, rest, self.thickness),
            );

            // Damping acts at the points at which the energy is taken.
            for (point, viscosity) in Point::of_gauss(&rest).iter().zip(viscosity.iter().cycle()) {
                let dashpot = Dashpot::at(point, self.thickness, *viscosity);
                self.elements.dampers.points.push((curved.nodes, dashpot));
            }
            self.elements.triangles.extend(curved.facets());
            self.elements.curved.push(curved);
        }
    }

    /// Adds the triangles of the mesh to the sum of their law.
    fn triangles<L: Hyperelastic + 'static>(self, rank: usize, law: L) {
        let Some(sum) = self.elements.sums.at::<Triangle<L>, 3>(rank) else {
            return;
        };

        let viscosity = self
            .damping
            .map(|damping| damping.viscosity(&law, self.plane));

        // Shapes of triangles do not depend on place and rotation.
        for triangle in &self.mesh.triangles {
            let stencil = triangle.map(|i| self.first + i);
            let rest = triangle.map(|i| self.mesh.vertices[i]);
            sum.push(stencil, Triangle::new(law, rest, self.thickness));
            if let Some(viscosity) = viscosity {
                let dashpot = Dashpot::new(rest, self.thickness, viscosity);
                self.elements.dampers.dashpots.push((stencil, dashpot));
            }
            self.elements.triangles.push(stencil);
        }
    }
}

/// One sum of elements per law and number of vertices, in the order of the laws' ranks: numbers of types
/// differ from build to build, so that they must not decide it.
#[derive(Default)]
pub(in crate::scene) struct Sums(BTreeMap<(usize, usize, TypeId), Box<dyn Sum>>);

/// A sum of elements of any type, which can be turned back into its own type.
trait Sum: Energy + Any {}

impl<T: Energy + Any> Sum for T {}

impl Sums {
    /// Sum of elements `E` at `rank`, which is made if there is none.
    ///
    /// Two laws of the same rank have sums of their own, so that no element is lost.
    pub(super) fn at<E, const N: usize>(&mut self, rank: usize) -> Option<&mut Summed<E, N>>
    where
        E: LocalEnergy<N> + 'static,
        Summed<E, N>: Energy + Default,
    {
        let sum = self
            .0
            .entry((rank, N, TypeId::of::<E>()))
            .or_insert_with(|| Box::new(Summed::<E, N>::default()));
        let sum: &mut dyn Any = &mut **sum;
        sum.downcast_mut()
    }

    /// Sums that have elements, in the order of their ranks.
    pub(in crate::scene) fn into_energies(self) -> Vec<Box<dyn Energy>> {
        let energies = self.0.into_values().map(|sum| sum as Box<dyn Energy>);
        energies
            .filter(|energy| energy.element_count() > 0)
            .collect()
    }
}
