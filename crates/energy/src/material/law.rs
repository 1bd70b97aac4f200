//! Registration of laws: the only file, besides its own, that names a law.
//!
//! A scene has a [`Law`]: the choice of a law with its parameters. Code that is the same for every
//! law does not match on it but visits it, and is compiled once for each law. A new law is a file
//! with an implementation of [`SceneLaw`], a variant of [`Law`], a line in [`Law::visit`], and a line of
//! [`AnyLaw`] for each of its forms.

use super::any_law::any_law;
pub use super::fixed_corotated::FixedCorotated;
pub use super::j2::{J2, Metal};
pub use super::linear::LinearElastic;
pub use super::mooney_rivlin::{Mooney, MooneyRivlin};
pub use super::neo_hookean::NeoHookean;
pub use super::orthotropic::{Directional, Orthotropic};
pub use super::st_venant_kirchhoff::StVenantKirchhoff;
pub use super::stable_neo_hookean::StableNeoHookean;
pub use super::yeoh::{Powers, Yeoh};
use super::{
    CompressionBarrier, Distortable, Distortion, Elastic, Flow, LawParameters, MassSpring, Modes,
    SceneLaw, Sheet, Slab, SpaceModes,
};
use ipcsim_keys::{Fault, Keys, faults};
use ipcsim_math::Mat2;
use serde::{Deserialize, Serialize};

/// Elastic law: the energy density of a deformation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// `mu/2 (tr F^T F - 2) - mu ln J + lambda/2 ln^2 J`.
    NeoHookean(Elastic),
    /// `mu |F - R|^2 + lambda/2 (J - 1)^2`; braced against collapse below `J = 0.2`.
    FixedCorotated(Elastic),
    /// `mu |E|^2 + lambda/2 (tr E)^2` with the Green strain; softens under compression, and is braced
    /// against collapse below `J = 0.2`.
    StVenantKirchhoff(Elastic),
    /// `mu |e|^2 + lambda/2 (tr e)^2` with the small strain `e`: for small displacements; no barrier
    /// at `J = 0`.
    Linear(Elastic),
    /// `m/2 (I_1 - 3) + l/2 (J - 1 - 3 m / (4 l))^2 - m/2 ln(I_1 + 1)` with `m = 4/3 mu` and
    /// `l = lambda + 5/6 mu`; braced against collapse below `J = 0.2`.
    StableNeoHookean(Elastic),
    /// `c10 (I_1 J^(-2/3) - 3) + c01 (I_2 J^(-4/3) - 3) + K/4 (J^2 - 1 - 2 ln J)`.
    MooneyRivlin(Mooney),
    /// `c1 a + c2 a^2 + c3 a^3 + K/4 (J^2 - 1 - 2 ln J)` with `a = I_1 J^(-2/3) - 3`.
    Yeoh(Powers),
    /// `E : C : E / 2` with the Green strain and moduli for each of three axes; braced against
    /// collapse below `J = 0.2`.
    Orthotropic(Directional),
    /// Metal: `mu |e|^2 + lambda/2 (tr e)^2` with the logarithms `e` of the stretches, up to the yield
    /// stress (von Mises, J2); beyond it flows and keeps its new shape.
    J2(Metal),
    /// Springs along the edges of the mesh, in rectangles along both diagonals of each cell:
    /// `l^2 k/2 (|d|^2/l^2 - 1)^2`.
    MassSpring(MassSpring),
}

any_law! {
    /// Law of any kind, in one of its forms.
    AnyLaw {
        /// Thick neo-Hookean body that is distorted.
        NeoHookean(Slab<NeoHookean>),
        /// Thin neo-Hookean body.
        NeoHookeanSheet(Sheet<NeoHookean>),
        /// Thick fixed-corotated body that is distorted.
        FixedCorotated(CompressionBarrier<Slab<FixedCorotated>>),
        /// Thin fixed-corotated body.
        FixedCorotatedSheet(CompressionBarrier<Sheet<FixedCorotated>>),
        /// Body with the small strain.
        Linear(LinearElastic),
        /// Thick stable neo-Hookean body.
        StableNeoHookean(CompressionBarrier<Slab<StableNeoHookean>>),
        /// Thin stable neo-Hookean body.
        StableNeoHookeanSheet(CompressionBarrier<Sheet<StableNeoHookean>>),
        /// Thick body of Mooney and Rivlin.
        MooneyRivlin(Slab<MooneyRivlin>),
        /// Thin body of Mooney and Rivlin.
        MooneyRivlinSheet(Sheet<MooneyRivlin>),
        /// Thick body of Yeoh.
        Yeoh(Slab<Yeoh>),
        /// Thin body of Yeoh.
        YeohSheet(Sheet<Yeoh>),
        /// Orthotropic body, or one of Saint Venant and Kirchhoff that is thin or distorted.
        Orthotropic(CompressionBarrier<Orthotropic>),
        /// Thick metal.
        J2(J2<false>),
        /// Thin metal.
        J2Sheet(J2<true>),
    }
}

/// Names of the laws that are a sum of shear and volume ([`SceneLaw::split`]), for messages.
pub const SPLIT_LAWS: &str =
    "neo_hookean, fixed_corotated, stable_neo_hookean, mooney_rivlin or yeoh";

/// Code that is the same for every law. It gets the type of a law and its parameters.
pub trait LawVisitor {
    /// Result of a visit.
    type Output;

    /// Visits a law of triangles. Energies are summed in the order of `rank`.
    fn solid<L: SceneLaw>(self, rank: usize, given: &L::LawParameters) -> Self::Output;

    /// Visits springs, which are not a law of triangles.
    fn springs(self, rank: usize, given: &MassSpring) -> Self::Output;
}

impl Law {
    /// The neo-Hookean law with Young's modulus (Pa) and Poisson's ratio (1).
    pub fn neo_hookean(young: f64, poisson: f64) -> Self {
        Self::NeoHookean(Elastic { young, poisson })
    }

    /// The fixed-corotated law with Young's modulus (Pa) and Poisson's ratio (1).
    pub fn fixed_corotated(young: f64, poisson: f64) -> Self {
        Self::FixedCorotated(Elastic { young, poisson })
    }

    /// The law of Saint Venant and Kirchhoff with Young's modulus (Pa) and Poisson's ratio (1).
    pub fn st_venant_kirchhoff(young: f64, poisson: f64) -> Self {
        Self::StVenantKirchhoff(Elastic { young, poisson })
    }

    /// The linear law with Young's modulus (Pa) and Poisson's ratio (1).
    pub fn linear(young: f64, poisson: f64) -> Self {
        Self::Linear(Elastic { young, poisson })
    }

    /// The stable neo-Hookean law with Young's modulus (Pa) and Poisson's ratio (1).
    pub fn stable_neo_hookean(young: f64, poisson: f64) -> Self {
        Self::StableNeoHookean(Elastic { young, poisson })
    }

    /// The Mooney-Rivlin law with its factors and bulk modulus (Pa).
    pub fn mooney_rivlin(c10: f64, c01: f64, bulk: f64) -> Self {
        Self::MooneyRivlin(Mooney { c10, c01, bulk })
    }

    /// The Yeoh law with the factors of three powers and its bulk modulus (Pa).
    pub fn yeoh([c1, c2, c3]: [f64; 3], bulk: f64) -> Self {
        Self::Yeoh(Powers { c1, c2, c3, bulk })
    }

    /// The orthotropic law with moduli along three axes.
    pub fn orthotropic(given: Directional) -> Self {
        Self::Orthotropic(given)
    }

    /// A metal with a yield stress, after which it flows.
    pub fn j2(given: Metal) -> Self {
        Self::J2(given)
    }

    /// Springs along the edges of a mesh, of this stiffness (Pa).
    pub fn mass_spring(stiffness: f64) -> Self {
        Self::MassSpring(MassSpring { stiffness })
    }

    /// Calls `visitor` with the type of the law and its parameters.
    pub fn visit<V: LawVisitor>(&self, visitor: V) -> V::Output {
        match self {
            Self::NeoHookean(given) => visitor.solid::<NeoHookean>(0, given),
            Self::FixedCorotated(given) => visitor.solid::<FixedCorotated>(1, given),
            Self::StVenantKirchhoff(given) => visitor.solid::<StVenantKirchhoff>(2, given),
            Self::Linear(given) => visitor.solid::<LinearElastic>(3, given),
            Self::MassSpring(given) => visitor.springs(4, given),
            Self::StableNeoHookean(given) => visitor.solid::<StableNeoHookean>(5, given),
            Self::MooneyRivlin(given) => visitor.solid::<MooneyRivlin>(6, given),
            Self::Yeoh(given) => visitor.solid::<Yeoh>(7, given),
            Self::Orthotropic(given) => visitor.solid::<Orthotropic>(8, given),
            Self::J2(given) => visitor.solid::<J2<false>>(9, given),
        }
    }

    /// Facts about the law that a scene and its checks need.
    pub fn summary(&self) -> LawSummary {
        self.visit(Summarise)
    }

    /// True if the law by itself resists without bound as a triangle loses its area.
    pub fn resists_collapse(&self) -> bool {
        self.summary().has_barrier
    }

    /// Stiffness by which materials are compared (Pa).
    pub fn stiffness(&self) -> f64 {
        self.summary().stiffness
    }
}

/// Facts about a law that a scene and its checks need.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each fact is true or false by itself"
)]
pub struct LawSummary {
    /// Name of the law in scenes.
    pub name: &'static str,
    /// True for a law of triangles, false for springs.
    pub is_solid: bool,
    /// Stiffness by which materials are compared (Pa).
    pub stiffness: f64,
    /// Key of the parameter that is this stiffness.
    pub stiffness_key: &'static str,
    /// Parameters outside their range, or one that does not go together with others; empty if the law
    /// can be used.
    pub faults: Vec<Fault>,
    /// True if the stress grows without bound as a triangle loses its area.
    pub has_barrier: bool,
    /// True if the material may flow.
    pub flows: bool,
    /// True if the law is a sum of shear and volume, which a mean dilatation needs.
    pub splits: bool,
    /// Reason why the law has no form in plane stress; `None` if it has.
    pub no_plane_stress: Option<Fault>,
}

/// Visitor that makes a [`LawSummary`].
struct Summarise;

impl LawVisitor for Summarise {
    type Output = LawSummary;

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> LawSummary {
        LawSummary {
            is_solid: true,
            has_barrier: L::BARRIER,
            flows: L::distortable(given).flows(),
            splits: L::split(given).is_some(),
            no_plane_stress: L::no_plane_stress(given),
            ..LawSummary::new(L::NAME, given)
        }
    }

    fn springs(self, _rank: usize, given: &MassSpring) -> LawSummary {
        LawSummary::new(MassSpring::NAME, given)
    }
}

impl LawSummary {
    /// Summary of springs with the parameters `given`.
    fn new<G: LawParameters>(name: &'static str, given: &G) -> Self {
        Self {
            name,
            is_solid: false,
            stiffness: given.stiffness(),
            stiffness_key: G::STIFFNESS,
            faults: faults_of(given),
            has_barrier: false,
            flows: false,
            splits: false,
            no_plane_stress: None,
        }
    }
}

/// Parameters outside their range; if there is none, the one that does not go together with others.
fn faults_of(given: &impl LawParameters) -> Vec<Fault> {
    let mut found = faults(given, "");
    if found.is_empty() {
        found.extend(given.conflict());
    }
    found
}

/// Every law of triangles with `mu` = 3 Pa and `lambda` = 5 Pa in plane strain, for tests.
#[doc(hidden)]
pub fn solids() -> [Law; 9] {
    let elastic = Elastic {
        young: 7.875,
        poisson: 0.3125,
    };
    [
        Law::NeoHookean(elastic),
        Law::FixedCorotated(elastic),
        Law::StVenantKirchhoff(elastic),
        Law::Linear(elastic),
        Law::StableNeoHookean(elastic),
        Law::MooneyRivlin(Mooney {
            c10: 1.1,
            c01: 0.4,
            bulk: 7.0,
        }),
        Law::Yeoh(Powers {
            c1: 1.5,
            c2: -0.1,
            c3: 0.02,
            bulk: 7.0,
        }),
        Law::Orthotropic(Directional {
            young: [7.875; 3],
            poisson: [0.3125; 3],
            shear: 3.0,
            angle_deg: 25.0,
        }),
        Law::J2(Metal {
            young: 7.875,
            poisson: 0.3125,
            yield_stress: 1.2,
            hardening: 0.8,
        }),
    ]
}
