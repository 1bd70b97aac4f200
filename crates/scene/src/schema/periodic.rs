//! A scene that repeats: the periods of its cell, and its mean strain or stress.

use super::{Varying, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A cell that repeats without end along x, y or both: bodies go on, and touch, across its sides.
///
/// The mean deformation takes the periods `[x, 0]` and `[0, y]` to `x [1 + xx, 0]` and
/// `y [xy, 1 + yy]`. Each of its components follows `strain` or has a given `stress`; without either it
/// stays 0. The period along x keeps its direction, so that the cell does not turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Periodic {
    /// Period along x (m); nothing repeats along x if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub x: Option<f64>,
    /// Period along y (m); nothing repeats along y if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub y: Option<f64>,
    /// Components of the mean strain (1) that are prescribed, as numbers, tables in time or formulas of
    /// t. They begin at 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strain: MeanStrain,
    /// Components of the mean stress (Pa) that are prescribed, and whose strain is free: force over the
    /// area at rest, tension positive.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stress: MeanStress,
    /// What happens where vertices of different rods are at one place of the pattern. A rod whose ends are
    /// a period apart goes on across it in any case.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rods: RodJoin,
}

/// Rods that share a place of the pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum RodJoin {
    /// They have vertices of their own, and must not touch.
    #[default]
    Apart,
    /// They share the vertex, and turn there freely: a pin-jointed truss.
    Pinned,
    /// They share the vertex, and keep their angles there as if they were welded: a frame. The half of each
    /// segment next to the vertex bends.
    Rigid,
}

/// Prescribed components of a mean strain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct MeanStrain {
    /// Strain along x (1): change of the period along x over the period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xx: Option<Varying>,
    /// Strain along y (1): change of the height of the period along y over its height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yy: Option<Varying>,
    /// Shear strain (1): displacement along x of the upper side of the cell over its height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xy: Option<Varying>,
}

/// Prescribed components of a mean stress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct MeanStress {
    /// Stress along x on the sides across x (Pa).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xx: Option<Varying>,
    /// Stress along y on the upper and lower side (Pa).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yy: Option<Varying>,
    /// Shear stress along x on the upper side (Pa).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xy: Option<Varying>,
}

impl Periodic {
    /// A cell that repeats along both axes with these periods (m), and keeps them.
    pub fn new(x: f64, y: f64) -> Self {
        Self {
            x: Some(x),
            y: Some(y),
            strain: MeanStrain::default(),
            stress: MeanStress::default(),
            rods: RodJoin::Apart,
        }
    }

    /// A cell that repeats along x with this period (m), and keeps it.
    pub fn along_x(x: f64) -> Self {
        Self {
            y: None,
            ..Self::new(x, 1.0)
        }
    }

    /// Periods along x and y (m).
    pub fn periods(&self) -> [Option<f64>; 2] {
        [self.x, self.y]
    }

    /// Number of neighbouring cells that have images of all outlines (1).
    pub(crate) fn neighbours(&self) -> f64 {
        let along = self
            .periods()
            .map(|period| if period.is_some() { 3.0 } else { 1.0 });
        along[0] * along[1] - 1.0
    }

    /// Prescribed strains `xx`, `yy` and `xy`.
    pub fn strains(&self) -> [Option<&Varying>; 3] {
        let MeanStrain { xx, yy, xy } = &self.strain;
        [xx.as_ref(), yy.as_ref(), xy.as_ref()]
    }

    /// Prescribed stresses `xx`, `yy` and `xy`.
    pub fn stresses(&self) -> [Option<&Varying>; 3] {
        let MeanStress { xx, yy, xy } = &self.stress;
        [xx.as_ref(), yy.as_ref(), xy.as_ref()]
    }
}
