//! Elastic elements of bodies, summed law by law.
//!
//! All triangles of one law are one sum, whatever bodies they belong to, so that a sum is a plain
//! loop over elements of one type. The law of a material is only known when a scene is read. It
//! therefore calls back with its type ([`LawVisitor`]), and the sum of that type is found by the
//! law's rank. Energies are added up in the order of ranks, which fixes the rounding of their sum.
//!
//! The sums of all laws are made here, so that no other crate compiles the kernels of a law.

mod turned;

use crate::material::{
    AnyLaw, Damping, Distortable, Hyperelastic, Law, LawVisitor, MassSpring, Plane, SceneLaw,
};
use crate::patch_sum::{PatchEnergy, SumOfPatches};
use crate::patches::{self, SumsOfPatches};
use crate::{
    Batched, Dampers, Dashpot, Distorted, Energy, Heat, LocalEnergy, Pointwise, QuadraticTriangle,
    Resized, Size, Spring, Summed, Tightened, TightenedSection, Triangle,
};
use ipcsim_math::Vec2;
use ipcsim_math::varying::Varying;
use ipcsim_mesh::{Curved, Mesh, Point};
use nalgebra::Matrix3;
use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

/// Elastic elements of all bodies.
///
/// The lists of vertices and the energies have the same elements: pictures and checks read the
/// former, the potential sums the latter.
#[derive(Default)]
pub struct ElasticElements {
    /// Vertices of every triangle that resists deformation.
    pub triangles: Vec<[usize; 3]>,
    /// Quadratic triangles, whose facets are among the triangles.
    pub curved: Vec<Curved>,
    /// Vertices of every spring.
    pub springs: Vec<[usize; 2]>,
    /// Energies of these elements, but for bodies that change their shape at rest.
    pub sums: Sums,
    /// Energies of each body that does, with the change.
    pub changing: Vec<(Change, Sums)>,
    /// Dampers of velocities and rates of strain.
    pub dampers: Dampers,
}

impl ElasticElements {
    /// Adds the elements of a mesh whose material has the law `law`.
    pub fn add_mesh(&mut self, law: &Law, mesh: MaterialMesh) {
        let change = mesh.change.clone();
        // Elements of a body whose shape at rest changes are apart from all others.
        let of_others = change.as_ref().map(|_| mem::take(&mut self.sums));
        law.visit(AddMesh {
            elements: self,
            own: mesh,
        });
        if let (Some(change), Some(of_others)) = (change, of_others) {
            let own = mem::replace(&mut self.sums, of_others);
            self.changing.push((change, own));
        }
    }

    /// Energies of all elements, which are taken out: in the order of ranks, and then those of bodies whose
    /// shape at rest changes.
    pub fn take_energies(&mut self) -> Vec<Box<dyn Energy>> {
        let mut all = mem::take(&mut self.sums).into_energies();
        for (change, sums) in self.changing.drain(..) {
            let own = sums.into_energies().into_iter();
            all.extend(own.map(|drawn| change.of(drawn)));
        }
        all
    }
}

/// Change of the shape of a body at rest in a run.
#[derive(Clone, Debug)]
pub enum Change {
    /// It takes on its drawn size.
    Size(Size),
    /// It is tightened at a section.
    Tightening(Arc<TightenedSection>),
}

impl Change {
    /// Energy of elements that are `drawn`, of a body with this change.
    fn of(&self, drawn: Box<dyn Energy>) -> Box<dyn Energy> {
        match self {
            Self::Size(size) => Box::new(Resized::new(drawn, *size)),
            Self::Tightening(section) => Box::new(Tightened::new(drawn, Arc::clone(section))),
        }
    }
}

/// Temperature of a part of a body.
pub struct Warmth {
    /// Expansion of its material by temperature (1/K).
    pub expansion: f64,
    /// Change of temperature (K).
    pub temperature: Arc<Varying>,
    /// Place in the world (m) of a point of the shape (m), for temperatures that depend on it.
    pub place: Box<dyn Fn(Vec2) -> Vec2>,
}

impl Warmth {
    /// Heat of an element with these points in the shape (m).
    fn heat(&self, points: &[Vec2]) -> Heat {
        Heat {
            expansion: self.expansion,
            temperature: Arc::clone(&self.temperature),
            places: points.iter().copied().map(&self.place).collect(),
        }
    }
}

/// Mesh of one material.
pub struct MaterialMesh<'a> {
    /// Mesh about the shape's origin (m).
    pub mesh: &'a Mesh,
    /// Number of the mesh's first vertex in the world.
    pub first: usize,
    /// Damping of rates of strain, if there is any.
    pub damping: Option<Damping>,
    /// Change of the shape at rest, if there is one.
    pub change: Option<Change>,
    /// Temperature by which the material expands, if it has one.
    pub warmth: Option<Warmth>,
    /// True if the mean dilatation of patches resists a change of volume, and not the dilatation of
    /// each triangle.
    pub has_mean_dilatation: bool,
    /// Factor of the energy of each element (1), `[triangles]`, or of quadratic ones a fourth as many; empty
    /// if all are 1.
    pub factors: Vec<f64>,
    /// Plane strain, plane stress, or a body of revolution, whose mesh is where it is at rest in the
    /// world.
    pub plane: Plane,
    /// Thickness across the plane (m).
    pub thickness: f64,
}

/// Adds the elements of one mesh, once its law has said its type.
struct AddMesh<'a> {
    /// Elements to add to.
    elements: &'a mut ElasticElements,
    /// Mesh with its material.
    own: MaterialMesh<'a>,
}

impl LawVisitor for AddMesh<'_> {
    type Output = ();

    fn solid<L: SceneLaw>(self, rank: usize, given: &L::LawParameters) {
        if self.own.plane == Plane::Axisymmetric {
            return self.turned::<L>(rank, given);
        }

        // Patches have the energy of the volume, triangles the rest of the law.
        let split = L::split(given).filter(|_| self.own.has_mean_dilatation);
        if let Some(split) = split {
            let thickness = self.own.thickness;
            let patches = patches::of(self.own.mesh, self.own.first, split.volume, thickness);
            patches.add(&mut self.elements.sums);
            return self.solids(rank, L::Compiled::from(split.shear), &Constant::default());
        }

        // One that is distorted, and else one that is compiled for itself if that is faster.
        let law: AnyLaw = match self.own.plane {
            Plane::Stress => L::plane_stress(given).into(),
            _ => L::distortable(given).into(),
        };
        if self.own.warmth.is_some() || law.flows() {
            self.distorted(rank, law);
        } else if self.own.plane == Plane::Stress {
            self.constant(rank, law);
        } else {
            self.constant(rank, L::Compiled::from(L::plane_strain(given)));
        }
    }

    fn springs(self, rank: usize, given: &MassSpring) {
        let Some(sum) = self.elements.sums.at::<Spring, 2>(rank) else {
            return;
        };
        let vertices = &self.own.mesh.vertices;

        // Springs along edges, and along both diagonals of a rectangle's cells.
        for [a, b] in self.own.mesh.springs() {
            let stencil = [self.own.first + a, self.own.first + b];
            let spring = Spring {
                stiffness: given.stiffness * self.own.thickness,
                rest_squared: (vertices[a] - vertices[b]).norm_squared(),
            };
            sum.push(stencil, spring);
            self.elements.springs.push(stencil);
        }
    }
}

impl AddMesh<'_> {
    /// Adds the triangles of the mesh, which are linear or quadratic, to the energies that a `summation`
    /// has.
    fn solids<L, S>(mut self, rank: usize, law: L, summation: &S)
    where
        L: Hyperelastic + 'static,
        S: Summation<Triangle<L>, 3> + Summation<QuadraticTriangle<L>, 6>,
    {
        let viscosity = self
            .own
            .damping
            .map(|damping| damping.viscosity(&law, self.own.plane));
        if self.own.mesh.is_quadratic {
            self.quadratic(rank, law, viscosity, summation);
        } else {
            self.triangles(rank, law, viscosity, summation);
        }
    }

    /// Adds the triangles of a mesh whose material is the same in all steps.
    fn constant<L: Hyperelastic + 'static>(mut self, rank: usize, law: L) {
        let factors = mem::take(&mut self.own.factors);
        self.solids(rank, law, &Constant { factors });
    }

    /// Adds the triangles of a mesh whose material expands or may flow.
    fn distorted(mut self, rank: usize, law: AnyLaw) {
        let warmth = self.own.warmth.take();
        self.solids(rank, law, &Changing { warmth });
    }

    /// Adds the quadratic triangles of the mesh, with their facets.
    fn quadratic<L: Hyperelastic + 'static>(
        &mut self,
        rank: usize,
        law: L,
        viscosity: Option<Matrix3<f64>>,
        summation: &impl Summation<QuadraticTriangle<L>, 6>,
    ) {
        let facets = self.elements.triangles.len();
        for (number, own) in self.own.mesh.curved().enumerate() {
            let rest = own.at(&self.own.mesh.vertices);
            let curved = own.shifted(self.own.first, facets);
            let element = QuadraticTriangle::new(law, rest, self.own.thickness);
            let points = Point::of_gauss(&rest);
            let places = points.each_ref().map(|point| {
                let parts = rest.iter().zip(point.shapes);
                parts.map(|(node, shape)| node * shape).sum()
            });
            let sums = &mut self.elements.sums;
            summation.add(sums, rank, (number, curved.nodes), element, &places);

            // Damping acts at the points at which the energy is taken.
            for (point, viscosity) in points.iter().zip(viscosity.iter().cycle()) {
                let dashpot = Dashpot::at(point, self.own.thickness, *viscosity);
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
        summation: &impl Summation<Triangle<L>, 3>,
    ) {
        // Shapes of triangles do not depend on place and rotation.
        for (number, triangle) in self.own.mesh.triangles.iter().enumerate() {
            let stencil = triangle.map(|i| self.own.first + i);
            let rest = triangle.map(|i| self.own.mesh.vertices[i]);
            let element = Triangle::new(law, rest, self.own.thickness);
            let middle = rest.iter().sum::<Vec2>() / 3.0;
            let sums = &mut self.elements.sums;
            summation.add(sums, rank, (number, stencil), element, &[middle]);
            if let Some(viscosity) = viscosity {
                let dashpot = Dashpot::new(rest, self.own.thickness, viscosity);
                self.elements.dampers.dashpots.push((stencil, dashpot));
            }
            self.elements.triangles.push(stencil);
        }
    }
}

/// How elements `E` of `N` vertices are summed.
trait Summation<E, const N: usize> {
    /// Adds an element with its number in the mesh and its vertices to the sum at `rank`. Its energy is taken
    /// at the `points` (m) of the shape.
    fn add(
        &self,
        sums: &mut Sums,
        rank: usize,
        own: (usize, [usize; N]),
        element: E,
        points: &[Vec2],
    );
}

/// Sums of elements that are the same in all steps.
#[derive(Default)]
struct Constant {
    /// Factors of the elements of the mesh (1); empty if all are 1.
    factors: Vec<f64>,
}

impl<E, const N: usize> Summation<E, N> for Constant
where
    E: LocalEnergy<N> + 'static,
    Summed<E, N>: Energy + Default,
{
    fn add(
        &self,
        sums: &mut Sums,
        rank: usize,
        (number, stencil): (usize, [usize; N]),
        element: E,
        _points: &[Vec2],
    ) {
        if self.factors.is_empty() {
            if let Some(sum) = sums.at(rank) {
                sum.push(stencil, element);
            }
        } else if let Some(sum) = sums.graded(rank) {
            let factor = self.factors.get(number).copied().unwrap_or(1.0);
            sum.push_graded(stencil, element, factor);
        }
    }
}

/// Sums of elements whose materials change from step to step.
struct Changing {
    /// Temperature, by which the material expands.
    warmth: Option<Warmth>,
}

impl<E, const N: usize> Summation<E, N> for Changing
where
    E: Pointwise<N> + Batched<N> + 'static,
{
    fn add(
        &self,
        sums: &mut Sums,
        rank: usize,
        (_, stencil): (usize, [usize; N]),
        element: E,
        points: &[Vec2],
    ) {
        if let Some(sum) = sums.distorted(rank) {
            let heat = self.warmth.as_ref().map(|warmth| warmth.heat(points));
            sum.push(stencil, element, heat);
        }
    }
}

/// One sum of elements per law and number of vertices, in the order of the laws' ranks: numbers of types
/// differ from build to build, so that they must not decide it.
#[derive(Default)]
pub struct Sums(BTreeMap<Key, Box<dyn Sum>>);

/// Rank of a sum, number of vertices of its elements, true if these have factors, and its type.
type Key = (usize, usize, bool, TypeId);

/// A sum of elements of any type, which can be turned back into its own type.
trait Sum: Energy + Any {}

impl<T: Energy + Any> Sum for T {}

impl Sums {
    /// Sum of elements `E` at `rank`, which is made if there is none.
    ///
    /// Two laws of the same rank have separate sums, so that no element is lost.
    pub fn at<E, const N: usize>(&mut self, rank: usize) -> Option<&mut Summed<E, N>>
    where
        E: LocalEnergy<N> + 'static,
        Summed<E, N>: Energy + Default,
    {
        self.of_type(rank, N, false)
    }

    /// Sum of elements `E` with factors, as [`Sums::at`].
    fn graded<E, const N: usize>(&mut self, rank: usize) -> Option<&mut Summed<E, N>>
    where
        E: LocalEnergy<N> + 'static,
        Summed<E, N>: Energy + Default,
    {
        self.of_type(rank, N, true)
    }

    /// Sum of elements `E` whose materials are distorted, as [`Sums::at`].
    fn distorted<E, const N: usize>(&mut self, rank: usize) -> Option<&mut Distorted<E, N>>
    where
        E: Pointwise<N> + Batched<N> + 'static,
    {
        self.of_type(rank, N, false)
    }

    /// Sum of the type `S`, whose elements have this number of vertices, and factors or none.
    fn of_type<S: Sum + Default>(
        &mut self,
        rank: usize,
        vertices: usize,
        has_factors: bool,
    ) -> Option<&mut S> {
        let key = (rank, vertices, has_factors, TypeId::of::<S>());
        let sum = self.0.entry(key).or_insert_with(|| Box::new(S::default()));
        let sum: &mut dyn Any = &mut **sum;
        sum.downcast_mut()
    }

    /// Sums that have elements, in the order of their ranks.
    pub fn into_energies(self) -> Vec<Box<dyn Energy>> {
        let energies = self.0.into_values().map(|sum| sum as Box<dyn Energy>);
        energies
            .filter(|energy| energy.element_count() > 0)
            .collect()
    }
}

impl SumsOfPatches for Sums {
    fn of_length<P: PatchEnergy>(&mut self, length: usize) -> Option<&mut SumOfPatches<P>> {
        self.of_type(patches::RANK, length, false)
    }
}
