//! Constitutive laws: energy density, stress and its derivative as functions of the deformation gradient `F`.
//!
//! Each law is one file with its name, parameters and checks. [`Law`] registers them.

mod eigen;
mod elastic;
mod fixed_corotated;
mod hyperelastic;
mod lame;
mod law;
mod linear;
mod mass_spring;
mod neo_hookean;
mod st_venant_kirchhoff;

pub use elastic::{Elastic, Fault, Given, Plane, SceneLaw};
pub use hyperelastic::{Hyperelastic, Modes, Parameters, Response, Tangent};
pub(crate) use hyperelastic::{cofactor, twist};
pub use lame::Lame;
pub use law::*;
pub use mass_spring::MassSpring;

#[cfg(test)]
mod tests;
