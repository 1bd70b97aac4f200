//! Damping of a material: Rayleigh's two parts, and viscosity.
//!
//! Both parts that resist strain are one viscous stress `S = V : E'` of the rate of the Green
//! strain `E'`, so that no rotation is damped. Rayleigh's stiffness part has `V = b C` with the
//! stiffness `C` of the law at rest; a viscosity has a separate `V`.

use super::{Hyperelastic, Plane};
use ipcsim_keys::Keys;
use ipcsim_math::Mat2;
use nalgebra::Matrix3;
use serde::{Deserialize, Serialize};

/// Damping of a material, in deformable and reduced bodies.
///
/// A vibration of angular frequency `w` has the damping ratio `mass / (2 w) + stiffness w / 2`. The
/// time integrator damps as well: implicit Euler adds `w h / 2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Damping {
    /// Rayleigh's factor of mass (1/s): a force of this times mass and velocity against every
    /// motion, also the motion of a whole body.
    #[serde(default)]
    #[key(at_least = 0)]
    pub mass: f64,
    /// Rayleigh's factor of stiffness (s): a stress of this times the stiffness of the law at rest
    /// and the rate of strain.
    #[serde(default)]
    #[key(at_least = 0)]
    pub stiffness: f64,
    /// Viscosity (Pa s) against shear, the viscosity of a fluid.
    #[serde(default)]
    #[key(at_least = 0)]
    pub shear_viscosity: f64,
    /// Viscosity (Pa s) against changes of volume.
    #[serde(default)]
    #[key(at_least = 0)]
    pub bulk_viscosity: f64,
}

impl Damping {
    /// True if the material resists rates of strain.
    pub fn resists_strain(&self) -> bool {
        self.stiffness > 0.0 || self.shear_viscosity > 0.0 || self.bulk_viscosity > 0.0
    }

    /// Viscous stresses `S_xx, S_yy, S_xy` (Pa s) by rates of the strains `E_xx, E_yy, 2 E_xy`.
    ///
    /// With the viscosities `n` and `z` it is `2 n E' + (z - 2/3 n) tr(E') I`. In plane stress the
    /// viscous stress across vanishes by itself, which takes `l = z - 2/3 n` to `2 l n / (l + 2 n)`.
    pub fn viscosity(&self, law: &impl Hyperelastic, plane: Plane) -> Matrix3<f64> {
        let n = self.shear_viscosity;
        let l = self.bulk_viscosity - 2.0 / 3.0 * n;
        let l = match plane {
            Plane::Strain | Plane::Axisymmetric => l,
            Plane::Stress if l + 2.0 * n > 0.0 => 2.0 * l * n / (l + 2.0 * n),
            Plane::Stress => 0.0,
        };
        let fluid = Matrix3::new(l + 2.0 * n, l, 0.0, l, l + 2.0 * n, 0.0, 0.0, 0.0, n);
        fluid + stiffness(law) * self.stiffness
    }
}

/// Stresses `S_xx, S_yy, S_xy` (Pa) by the small strains `E_xx, E_yy, 2 E_xy` of a law at rest.
fn stiffness(law: &impl Hyperelastic) -> Matrix3<f64> {
    let modes = law.modes(&Mat2::identity());
    let strains = [
        Mat2::new(1.0, 0.0, 0.0, 0.0),
        Mat2::new(0.0, 0.0, 0.0, 1.0),
        Mat2::new(0.0, 0.5, 0.5, 0.0),
    ];
    let columns = strains.map(|strain| {
        let stress: Mat2 = modes.iter().map(|(l, q)| q * (l * q.dot(&strain))).sum();
        [stress.m11, stress.m22, 0.5 * (stress.m12 + stress.m21)].into()
    });
    Matrix3::from_columns(&columns)
}
