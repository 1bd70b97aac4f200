//! Rods and ropes: bodies that are lines, with stretch and bending.

use super::examples;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Parameters of a rod, a line that resists stretch and bending: a rope, a cable, a thin spring. Its
/// stiffnesses follow from `young` and `thickness`, or are given as `axial_stiffness` and
/// `bending_stiffness`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::rod())]
pub struct ElasticRod {
    /// Young's modulus `E` (Pa). A section of the thickness `t` has the stiffnesses `E t` and
    /// `E t^3 / 12`, times the thickness of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub young: Option<f64>,
    /// Thickness of the rod in the plane (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub thickness: Option<f64>,
    /// Axial stiffness `EA` (N), in place of `young` and `thickness`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub axial_stiffness: Option<f64>,
    /// Bending stiffness `EI` (N m^2), in place of `young` and `thickness`; 0 for a rope that does not
    /// resist bending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub bending_stiffness: Option<f64>,
    /// Mass of a length (kg/m); if absent the density of the material times `thickness` and the
    /// thickness of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub mass_per_length: Option<f64>,
    /// Radius of the rod in contact (m), its distance from its middle line at which it touches; if
    /// absent half of `thickness`, or 0 without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub radius: Option<f64>,
    /// Length along the rod (m) within which its parts have no radius to each other, since
    /// neighbours are nearer than two radii anyway. Their middle lines do not cross. If absent the
    /// arc of half a circle whose diameter is two radii and `d_hat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub exempt_length: Option<f64>,
    /// True if the rod is straight where it has no moment; otherwise its shape is at rest.
    #[serde(default)]
    pub straight: bool,
}

impl ElasticRod {
    /// A rod of a material with Young's modulus `young` (Pa), of this `thickness` (m).
    pub fn of_material(young: f64, thickness: f64) -> Self {
        Self {
            young: Some(young),
            thickness: Some(thickness),
            ..Self::default()
        }
    }

    /// A rod with an axial stiffness (N), a bending stiffness (N m^2) and a mass of a length (kg/m),
    /// without a radius.
    pub fn of_stiffness(axial: f64, bending: f64, mass_per_length: f64) -> Self {
        Self {
            axial_stiffness: Some(axial),
            bending_stiffness: Some(bending),
            mass_per_length: Some(mass_per_length),
            ..Self::default()
        }
    }

    /// Sets the radius in contact (m).
    #[must_use]
    pub fn with_radius(mut self, radius: f64) -> Self {
        self.radius = Some(radius);
        self
    }

    /// Makes the rod straight where it has no moment, whatever its shape.
    #[must_use]
    pub fn straight(mut self) -> Self {
        self.straight = true;
        self
    }

    /// Radius in contact (m).
    pub fn contact_radius(&self) -> f64 {
        let half = self.thickness.map(|thickness| 0.5 * thickness);
        self.radius.or(half).unwrap_or(0.0)
    }
}
