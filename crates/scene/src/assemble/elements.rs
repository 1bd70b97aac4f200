//! Elastic elements of bodies, summed law by law.
//!
//! All triangles of one law are one sum, whatever bodies they belong to, so that a sum is a plain
//! loop over elements of one type. The law of a material is only known when the scene is read. It
//! therefore calls back with its type ([`LawVisitor`]), and the sum of that type is found by the
//! law's rank. Energies are added up in the order of ranks, which fixes the rounding of their sum.

use super::patches::{self, SumsOfPatches};
use super::placement::Placement;
use super::regions::{Share, shares};
use crate::schema::{Body, Damping, Dilatation, Plane, Scene};
use ipcsim_energy::material::{Distortable, Hyperelastic, LawVisitor, MassSpring, SceneLaw};
use ipcsim_energy::{
    Batched, Dampers, Dashpot, Dilatation as Patch, Distorted, Energy, Heat, LocalEnergy,
    Pointwise, QuadraticTriangle, Spring, Summed, Triangle,
};
use ipcsim_math::Vec2;
use ipcsim_math::varying::Varying;
use ipcsim_mesh::{Curved, Mesh, Point};
use nalgebra::Matrix3;
use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Elastic elements of all bodies.
///
/// The lists of vertices and the energies have the same elements: pictures and checks read the
/// former, the potential sums the latter.
#[derive(Default)]
pub(crate) struct Elements {
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
    pub(crate) fn add_body(&mut self, body: &Body, scene: &Scene, mesh: &Mesh, first: usize) {
        for share in shares(body, scene, mesh) {
            let material = share.material;
            let Some(law) = &material.law else { continue };

            // Plane and thickness are those of the scene. A law of springs ignores the plane.
            law.visit(AddMesh {
                elements: self,
                damping: material.damping.filter(Damping::resists_strain),
                warmth: Warmth::of(body, &share),
                mesh: &share.mesh,
                first,
                dilatation: body.dilatation,
                plane: scene.plane,
                thickness: scene.thickness,
            });
            self.regions.resize(self.triangles.len(), share.region);
        }
    }
}

/// Temperature of a part of a body.
struct Warmth {
    /// Expansion of its material by temperature (1/K).
    expansion: f64,
    /// Change of temperature (K).
    temperature: Arc<Varying>,
    /// Place of the shape, for temperatures that depend on it.
    placement: Placement,
}

impl Warmth {
    /// Temperature of a share of a body; `None` if it has none, or does not expand. One that cannot be
    /// read has been refused by the checks.
    fn of(body: &Body, share: &Share) -> Option<Self> {
        let region = share.region.checked_sub(1).map(|k| &body.regions[k]);
        let own = region.and_then(|region| region.temperature.as_ref());
        let temperature = own.or(body.temperature.as_ref())?.read().ok()?;
        let expansion = share.material.expansion;
        (expansion != 0.0).then(|| Self {
            expansion,
            temperature: Arc::new(temperature),
            placement: Placement::new(body.position, body.rotation_deg),
        })
    }

    /// Heat of an element with these points in the shape (m).
    fn heat(&self, points: impl IntoIterator<Item = Vec2>) -> Heat {
        let places = points.into_iter().map(|point| self.placement.place(point));
        Heat {
            expansion: self.expansion,
            temperature: Arc::clone(&self.temperature),
            places: places.collect(),
        }
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
    /// Temperature by which the material expands, if it has one.
    warmth: Option<Warmth>,
    /// Volumes that resist a change.
    dilatation: Dilatation,
    /// Plane strain or plane stress.
    plane: Plane,
    /// Thickness across the plane (m).
    thickness: f64,
}

impl LawVisitor for AddMesh<'_> {
    type Output = ();

    fn solid<L: SceneLaw>(self, rank: usize, given: &L::Given) {
        // Patches have the energy of the volume, triangles the rest of the law.
        let split = L::split(given).filter(|_| self.dilatation == Dilatation::Mean);
        if let Some(split) = split {
            let thickness = self.thickness;
            let patches = patches::of(self.mesh, self.first, split.volume, thickness);
            patches.add(&mut self.elements.sums);
            return self.solids(rank, split.shear, &Plain);
        }
        let is_distorted = self.warmth.is_some() || L::Distorted::FLOWS;
        match (self.plane, is_distorted) {
            (Plane::Strain, false) => self.solids(rank, L::thick(given), &Plain),
            (Plane::Stress, false) => self.solids(rank, L::thin(given), &Plain),
            (Plane::Strain, true) => self.distorted(rank, L::distortable(given)),
            (Plane::Stress, true) => self.distorted(rank, L::thin(given)),
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
    /// Adds the triangles of the mesh, which are linear or quadratic, to the energies that a `way` of
    /// summing them has.
    fn solids<L: Hyperelastic + 'static>(mut self, rank: usize, law: L, way: &impl Way<L>) {
        let viscosity = self
            .damping
            .map(|damping| damping.viscosity(&law, self.plane));
        if self.mesh.is_quadratic {
            self.quadratic(rank, law, viscosity, way);
        } else {
            self.triangles(rank, law, viscosity, way);
        }
    }

    /// Adds the triangles of a mesh whose material expands or may flow.
    fn distorted<L: Distortable + 'static>(mut self, rank: usize, law: L) {
        let warmth = self.warmth.take();
        self.solids(rank, law, &Changing { warmth });
    }

    /// Adds the quadratic triangles of the mesh, with their facets.
    fn quadratic<L: Hyperelastic + 'static>(
        &mut self,
        rank: usize,
        law: L,
        viscosity: Option<Matrix3<f64>>,
        way: &impl Way<L>,
    ) {
        let facets = self.elements.triangles.len();
        for own in self.mesh.curved() {
            let rest = own.at(&self.mesh.vertices);
            let curved = own.shifted(self.first, facets);
            let element = QuadraticTriangle::new(law, rest, self.thickness);
            way.add_quadratic(&mut self.elements.sums, rank, curved.nodes, element, &rest);

            // Damping acts at the points at which the energy is taken.
            for (point, viscosity) in Point::of_gauss(&rest).iter().zip(viscosity.iter().cycle()) {
                let dashpot = Dashpot::at(point, self.thickness, *viscosity);
                self.elements.dampers.points.push((curved.nodes, dashpot));
            }
            self.elements.triangles.extend(curved.facets());
            self.elements.curved.push(curved);
        }
    }

    /// Adds the linear triangles of the mesh.
    fn triangles<L: Hyperelastic + 'static>(
        &mut self,
        rank: usize,
        law: L,
        viscosity: Option<Matrix3<f64>>,
        way: &impl Way<L>,
    ) {
        // Shapes of triangles do not depend on place and rotation.
        for triangle in &self.mesh.triangles {
            let stencil = triangle.map(|i| self.first + i);
            let rest = triangle.map(|i| self.mesh.vertices[i]);
            let element = Triangle::new(law, rest, self.thickness);
            way.add_triangle(&mut self.elements.sums, rank, stencil, element, &rest);
            if let Some(viscosity) = viscosity {
                let dashpot = Dashpot::new(rest, self.thickness, viscosity);
                self.elements.dampers.dashpots.push((stencil, dashpot));
            }
            self.elements.triangles.push(stencil);
        }
    }
}

/// How elements of a law are summed.
trait Way<L> {
    /// Adds a linear triangle at `rest` (m) with these vertices to the sum at `rank`.
    fn add_triangle(
        &self,
        sums: &mut Sums,
        rank: usize,
        stencil: [usize; 3],
        element: Triangle<L>,
        rest: &[Vec2; 3],
    );

    /// Adds a quadratic triangle at `rest` (m) with these nodes to the sum at `rank`.
    fn add_quadratic(
        &self,
        sums: &mut Sums,
        rank: usize,
        stencil: [usize; 6],
        element: QuadraticTriangle<L>,
        rest: &[Vec2; 6],
    );
}

/// Sums of elements that are the same in all steps.
struct Plain;

impl<L: Hyperelastic + 'static> Way<L> for Plain {
    fn add_triangle(
        &self,
        sums: &mut Sums,
        rank: usize,
        stencil: [usize; 3],
        element: Triangle<L>,
        _rest: &[Vec2; 3],
    ) {
        if let Some(sum) = sums.at(rank) {
            sum.push(stencil, element);
        }
    }

    fn add_quadratic(
        &self,
        sums: &mut Sums,
        rank: usize,
        stencil: [usize; 6],
        element: QuadraticTriangle<L>,
        _rest: &[Vec2; 6],
    ) {
        if let Some(sum) = sums.at(rank) {
            sum.push(stencil, element);
        }
    }
}

/// Sums of elements whose materials change from step to step.
struct Changing {
    /// Temperature, by which the material expands.
    warmth: Option<Warmth>,
}

impl Changing {
    /// Heat of an element with these points in the shape (m), if it has a temperature.
    fn heat(&self, points: impl IntoIterator<Item = Vec2>) -> Option<Heat> {
        self.warmth.as_ref().map(|warmth| warmth.heat(points))
    }
}

impl<L: Distortable + 'static> Way<L> for Changing {
    fn add_triangle(
        &self,
        sums: &mut Sums,
        rank: usize,
        stencil: [usize; 3],
        element: Triangle<L>,
        rest: &[Vec2; 3],
    ) {
        let middle = rest.iter().sum::<Vec2>() / 3.0;
        if let Some(sum) = sums.distorted(rank) {
            sum.push(stencil, element, self.heat([middle]));
        }
    }

    fn add_quadratic(
        &self,
        sums: &mut Sums,
        rank: usize,
        stencil: [usize; 6],
        element: QuadraticTriangle<L>,
        rest: &[Vec2; 6],
    ) {
        let points = Point::of_gauss(rest).map(|point| {
            let parts = rest.iter().zip(point.shapes);
            parts.map(|(node, shape)| node * shape).sum::<Vec2>()
        });
        if let Some(sum) = sums.distorted(rank) {
            sum.push(stencil, element, self.heat(points));
        }
    }
}

/// One sum of elements per law and number of vertices, in the order of the laws' ranks: numbers of types
/// differ from build to build, so that they must not decide it.
#[derive(Default)]
pub(crate) struct Sums(BTreeMap<(usize, usize, TypeId), Box<dyn Sum>>);

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
        self.of_type(rank, N)
    }

    /// Sum of elements `E` whose materials are distorted, as [`Sums::at`].
    fn distorted<E, const N: usize>(&mut self, rank: usize) -> Option<&mut Distorted<E, N>>
    where
        E: Pointwise<N> + Batched<N> + 'static,
    {
        self.of_type(rank, N)
    }

    /// Sum of the type `S`, whose elements have this number of vertices.
    fn of_type<S: Sum + Default>(&mut self, rank: usize, vertices: usize) -> Option<&mut S> {
        let sum = self
            .0
            .entry((rank, vertices, TypeId::of::<S>()))
            .or_insert_with(|| Box::new(S::default()));
        let sum: &mut dyn Any = &mut **sum;
        sum.downcast_mut()
    }

    /// Sums that have elements, in the order of their ranks.
    pub(crate) fn into_energies(self) -> Vec<Box<dyn Energy>> {
        let energies = self.0.into_values().map(|sum| sum as Box<dyn Energy>);
        energies
            .filter(|energy| energy.element_count() > 0)
            .collect()
    }
}

impl SumsOfPatches for Sums {
    fn of_length<const N: usize>(&mut self) -> Option<&mut Summed<Patch<N>, N>> {
        self.at(patches::RANK)
    }
}
