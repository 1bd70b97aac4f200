//! Constitutive laws: energy density, stress and its derivative as functions of the deformation
//! gradient `F`.
//!
//! `F` maps vectors of the body at rest to vectors of the deformed body; `J = det F` is the ratio
//! of areas. A [`Hyperelastic`] law has an energy density `psi(F)` (Pa), energy for each volume at
//! rest. The first Piola-Kirchhoff stress is `P = dpsi/dF`. The second derivative `dP/dF` is given
//! by its eigenpairs, so that it can be projected onto the positive semi-definite operators.
//!
//! All laws but the linear one are invariant under rotations, and all but the orthotropic one
//! describe isotropic materials. Bodies are plane: [`Plane`] is the assumption across the plane,
//! and a law has a form for each assumption ([`SceneLaw`]). A law whose energy is a formula of the
//! invariants in space gets both forms from it ([`Isotropic`]).
//!
//! Each law is one file with its name, parameters and checks. [`Law`] registers them, and code that
//! is the same for every law visits it ([`LawVisitor`]).

mod any_law;
mod collapse;
mod damping;
mod distortion;
mod eigen;
mod elastic;
mod fixed_corotated;
mod hyperelastic;
mod isotropic;
mod j2;
mod lame;
mod law;
mod linear;
mod mass_spring;
mod mooney_rivlin;
mod neo_hookean;
mod orthotropic;
mod st_venant_kirchhoff;
mod stable_neo_hookean;
mod volumetric;
mod yeoh;

pub use collapse::CompressionBarrier;
pub use damping::Damping;
pub use distortion::{Distortable, Distortion, Flow};
pub use elastic::{Elastic, LawParameters, Plane, SceneLaw};
pub use hyperelastic::{Hyperelastic, Modes, Parameters, Response, SpaceModes, Tangent};
pub(crate) use hyperelastic::{cofactor, twist};
pub use ipcsim_keys::Fault;
pub use isotropic::{InPlane, Isotropic, Measures, Sheet, Slab};
pub use lame::Lame;
pub use law::*;
pub use mass_spring::MassSpring;
pub use volumetric::{Split, Volumetric};

#[cfg(test)]
mod tests;
