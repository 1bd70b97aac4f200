//! Orthotropic elasticity: Hooke's law with separate moduli along three axes, for wood, laminates
//! and other fibres.
//!
//! The strain is the strain of Green, so the law follows large rotations exactly and is linear
//! where strains are small. Its own energy stays finite at `J = 0`, so that it is
//! [`CompressionBarrier`] below a fifth of the area. The material softens under strong compression
//! as the material of Saint Venant and Kirchhoff does, which is this law with equal moduli.

use super::collapse::CompressionBarrier;
use super::elastic::fault;
use super::{
    AnyLaw, Distortable, Distortion, Elastic, Fault, Hyperelastic, Lame, LawParameters, Modes,
    SceneLaw, SpaceModes, eigen,
};
use ipcsim_keys::Keys;
use ipcsim_math::Mat2;
use ipcsim_math::elementary::sin_cos;
use nalgebra::{Matrix3, Matrix4, Matrix5, Vector3};
use serde::{Deserialize, Serialize};

/// Parameters of the orthotropic law. Axis 1 and 2 are in the plane, axis 3 is across it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Directional {
    /// Young's moduli (Pa) along the axes 1, 2 and 3, each above 0.
    #[key(above = 0)]
    pub young: [f64; 3],
    /// Poisson's ratios (1) `nu_12`, `nu_13` and `nu_23`: `nu_ij` is the contraction along axis `j`
    /// for each strain along axis `i` that a stress along `i` makes.
    pub poisson: [f64; 3],
    /// Shear modulus (Pa) between the axes 1 and 2.
    #[key(above = 0)]
    pub shear: f64,
    /// Angle (degrees) from the x axis of the shape to axis 1, counter-clockwise. Axes turn with the
    /// body, and so with `rotation_deg`.
    #[serde(default)]
    pub angle_deg: f64,
}

impl Directional {
    /// Normal strains by normal stresses (1/Pa): the compliance.
    fn compliance(&self) -> Matrix3<f64> {
        let [e1, e2, e3] = self.young;
        let [n12, n13, n23] = self.poisson;
        let [s12, s13, s23] = [-n12 / e1, -n13 / e1, -n23 / e2];

        Matrix3::new(
            e1.recip(),
            s12,
            s13,
            s12,
            e2.recip(),
            s23,
            s13,
            s23,
            e3.recip(),
        )
    }
}

impl LawParameters for Directional {
    const STIFFNESS: &'static str = "young";

    /// Smallest of Young's moduli in the plane.
    fn stiffness(&self) -> f64 {
        self.young[0].min(self.young[1])
    }

    /// The energy of every strain must be positive: `nu_ij^2 < E_i / E_j`, and
    /// the determinant of the compliance is positive.
    fn conflict(&self) -> Option<Fault> {
        // Leading minors of the compliance, relative to its diagonal.
        let [e1, e2, e3] = self.young;
        let [n12, n13, n23] = self.poisson;
        let minors = [
            ("nu_12", n12, (e1 / e2).sqrt()),
            ("nu_13", n13, (e1 / e3).sqrt()),
            ("nu_23", n23, (e2 / e3).sqrt()),
        ];
        let mut message = None;
        for (name, ratio, limit) in minors {
            if ratio.is_nan() || ratio.abs() >= limit {
                message = Some(format!(
                    "has {name} = {ratio}, but by the moduli its size must be below {limit}, or \
                     some strain would set energy free"
                ));
            }
        }
        let determinant = self.compliance().determinant() * e1 * e2 * e3;
        if message.is_none() && (determinant.is_nan() || determinant <= 0.0) {
            message = Some(format!(
                "leaves 1 - nu_12 nu_21 - nu_23 nu_32 - nu_13 nu_31 - 2 nu_21 nu_32 nu_13 = \
                 {determinant}, but it must be positive, or some strain would set energy free; \
                 take smaller ratios"
            ));
        }
        message.map(|message| fault("poisson", message))
    }
}

/// Energy density (Pa) `E : C : E / 2` with the Green strain `E` and the stiffness `C`, orthotropic
/// about two axes in the plane and one across (Jones, "Mechanics of Composite Materials", chapter
/// 2).
///
/// In plane strain `E_33 = 0`, unless the material has another thickness without stress
/// ([`Distortable`]). In plane stress `E_33 = -(C_13 E_11 + C_23 E_22) / C_33`, exactly
/// where no stress acts across; it is at least -1/2, where nothing is left of the thickness.
#[derive(Clone, Copy, Debug)]
pub struct Orthotropic {
    /// Normal stresses by normal strains along the axes (Pa): `C`.
    normal: Matrix3<f64>,
    /// Shear modulus in the plane (Pa).
    shear: f64,
    /// Axes 1 and 2 of the material at rest, as columns.
    axes: Mat2,
    /// Green strain `E_33` across the plane in plane strain (1).
    across: f64,
    /// True in plane stress.
    is_thin: bool,
}

/// State of the law at a deformation gradient, along the axes of the material.
struct Strained {
    /// Deformation gradient `F Q`, from the axes of the material.
    f: Mat2,
    /// Green strains along the axes 1, 2 and 3 (1).
    normal: Vector3<f64>,
    /// Green shear strain `E_12` (1).
    shear: f64,
    /// True in plane stress, unless nothing is left of the thickness.
    follows: bool,
}

impl Orthotropic {
    /// Law of an isotropic material: the law of Saint Venant and Kirchhoff.
    pub(super) fn isotropic(given: &Elastic, is_thin: bool) -> Self {
        let Lame { mu, lambda } = Lame::plane_strain(given.young, given.poisson);
        Self {
            normal: Matrix3::repeat(lambda) + Matrix3::identity() * (2.0 * mu),
            shear: mu,
            axes: Mat2::identity(),
            across: 0.0,
            is_thin,
        }
    }

    /// Law with moduli for each axis. Parameters outside their range give a law without stiffness.
    fn new(given: &Directional, is_thin: bool) -> Self {
        let (sin, cos) = sin_cos(given.angle_deg.to_radians());
        let normal = given.compliance().try_inverse();
        Self {
            normal: normal.unwrap_or_default(),
            shear: given.shear,
            axes: Mat2::new(cos, -sin, sin, cos),
            across: 0.0,
            is_thin,
        }
    }

    /// The law with a resistance to collapse by its largest modulus of uniaxial strain.
    fn braced(self) -> CompressionBarrier<Self> {
        CompressionBarrier::new(self, self.normal.diagonal().max())
    }

    /// Strains at `F`, with that across the plane.
    fn strained(&self, f: &Mat2) -> Strained {
        let f = f * self.axes;
        let green = (f.transpose() * f - Mat2::identity()) * 0.5;
        let mut normal = Vector3::new(green.m11, green.m22, self.across);

        // In plane stress the thickness follows. It vanishes at a strain of -0.5.
        let mut follows = false;
        if self.is_thin {
            let in_plane = Vector3::new(normal.x, normal.y, 0.0);
            let free = -self.normal.row(2).transpose().dot(&in_plane) / self.normal.m33;
            follows = free > -0.5;
            normal.z = free.max(-0.5);
        }

        Strained {
            f,
            normal,
            shear: green.m12,
            follows,
        }
    }

    /// Second Piola-Kirchhoff stress in the plane along the axes (Pa), for normal strains and a
    /// shear strain.
    fn second(&self, normal: &Vector3<f64>, shear: f64) -> Mat2 {
        let stress = self.normal * normal;
        let shear = 2.0 * self.shear * shear;
        Mat2::new(stress.x, shear, shear, stress.y)
    }
}

impl SceneLaw for Orthotropic {
    const NAME: &'static str = "orthotropic";
    const BARRIER: bool = false;

    type LawParameters = Directional;
    type PlaneStrain = CompressionBarrier<Self>;
    type Distorted = CompressionBarrier<Self>;
    type PlaneStress = CompressionBarrier<Self>;
    type Compiled = AnyLaw;

    fn plane_strain(given: &Directional) -> CompressionBarrier<Self> {
        Self::new(given, false).braced()
    }

    fn distortable(given: &Directional) -> CompressionBarrier<Self> {
        Self::plane_strain(given)
    }

    fn plane_stress(given: &Directional) -> CompressionBarrier<Self> {
        Self::new(given, true).braced()
    }
}

impl Distortable for Orthotropic {
    fn distorted(self, distortion: &Distortion) -> Self {
        let stretch = distortion.across.recip();
        Self {
            across: 0.5 * (stretch - 1.0) * (stretch + 1.0),
            ..self
        }
    }

    fn stretched_across(self, growth: f64) -> Self {
        Self {
            across: growth * (1.0 + 0.5 * growth),
            ..self
        }
    }

    /// Eigenpairs from the matrix of changes of `P` and `P_33 = t S_33` by each entry of `F` and by the
    /// stretch `t` across, with `dE_33 = t dt`.
    fn space_modes(&self, f: &Mat2) -> SpaceModes {
        let at = self.strained(f);
        let second = self.second(&at.normal, at.shear);
        let hoop = self.normal.row(2).transpose();
        let stretch = (1.0 + 2.0 * self.across).sqrt();

        // Columns along the axes of the material.
        let mut matrix = Matrix5::zeros();
        for k in 0..5 {
            let mut change = Mat2::zeros();
            let mut normal = Vector3::zeros();
            let mut own = 0.0;
            if k < 4 {
                change[k] = 1.0;
            } else {
                normal.z = stretch;
                own = hoop.dot(&at.normal);
            }
            let moved = at.f.transpose() * change;
            normal.x += moved.m11;
            normal.y += moved.m22;
            let shear = 0.5 * (moved.m12 + moved.m21);
            let stress = change * second + at.f * self.second(&normal, shear);
            for (row, entry) in stress.iter().enumerate() {
                matrix[(row, k)] = *entry;
            }
            matrix[(4, k)] = own + stretch * hoop.dot(&normal);
        }
        let modes = eigen::space_modes_of(&matrix);
        modes.map(|(value, plane, across)| (value, plane * self.axes.transpose(), across))
    }
}

impl Hyperelastic for Orthotropic {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// `E : C : E / 2` (Pa), finite for every `F`.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Strained { normal, shear, .. } = self.strained(f);
        0.5 * normal.dot(&(self.normal * normal)) + 2.0 * self.shear * shear * shear
    }

    /// `P = F S` (Pa) with the second Piola-Kirchhoff stress `S = C : E`.
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let at = self.strained(f);
        at.f * self.second(&at.normal, at.shear) * self.axes.transpose()
    }

    /// `P_33 = F_33 S_33` (Pa) in plane strain; 0 in plane stress.
    fn stress_across(&self, f: &Mat2) -> f64 {
        if self.is_thin {
            return 0.0;
        }
        let normal = self.strained(f).normal;
        let stretch = (1.0 + 2.0 * self.across).sqrt();
        stretch * self.normal.row(2).transpose().dot(&normal)
    }

    fn thickness(&self, f: &Mat2) -> f64 {
        (1.0 + 2.0 * self.strained(f).normal.z).sqrt()
    }

    /// Eigenpairs of `dP = dF S + F dS` with `dS = C : dE` and `dE = (dF^T F + F^T dF)/2`, from the
    /// matrix of `dP` for each entry of `dF`.
    fn modes(&self, f: &Mat2) -> Modes {
        let at = self.strained(f);
        let second = self.second(&at.normal, at.shear);

        // Columns: dP of a change of one entry of F, along the axes of the material.
        let mut matrix = Matrix4::zeros();
        for k in 0..4 {
            let mut change = Mat2::zeros();
            change[k] = 1.0;
            let moved = at.f.transpose() * change;
            let mut normal = Vector3::new(moved.m11, moved.m22, 0.0);
            if at.follows {
                normal.z = -self.normal.row(2).transpose().dot(&normal) / self.normal.m33;
            }
            let shear = 0.5 * (moved.m12 + moved.m21);
            let stress = change * second + at.f * self.second(&normal, shear);
            matrix.column_mut(k).copy_from_slice(stress.as_slice());
        }
        eigen::modes_of(&matrix).map(|(value, along)| (value, along * self.axes.transpose()))
    }
}
