//! Vertices of a deformable body that are held or moved, in a window of time.
//!
//! Their motion is one of three: a constant velocity, displacements that are tables or formulas, or
//! keyframes of the whole shape. A vertex is free outside of its window, and moves on with the velocity
//! that it has.

use super::motion::{Axis, Interpolation, Keyframe, Script};
use super::{Selection, Varying, examples, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Vertices of a deformable body that are held or moved: by `velocity`, by `displacement` or by
/// `keyframes`; held if none is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::prescribed())]
pub struct Prescribed {
    /// Selection of vertices.
    pub vertices: Selection,
    /// Constant velocity of the vertices (m/s); zero holds them.
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Distance after which the vertices stop (m); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub travel: Option<f64>,
    /// Displacement from the start, which begins at 0, as a table in time or a formula; a coordinate
    /// without one is free. In a formula x and y are the place of each vertex at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub displacement: Option<Displaced>,
    /// Positions and rotations of the shape's origin at given times: the vertices move as if the whole
    /// shape were rigid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<Keyframe>,
    /// Motion from one keyframe to the next.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interpolation: Interpolation,
    /// Time from which the vertices are held or moved (s), from where they are then; the start if
    /// absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub from: Option<f64>,
    /// Time at which the vertices are released (s); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub until: Option<f64>,
    /// Prescribed coordinate, `x` or `y`; both if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Axis>,
}

/// Displacement from the start by coordinate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Displaced {
    /// Displacement along x (m); x is free if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<Varying>,
    /// Displacement along y (m); y is free if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<Varying>,
}

impl Prescribed {
    /// Holds vertices for the whole run.
    pub fn held(vertices: Selection) -> Self {
        Self::moved(vertices, [0.0; 2])
    }

    /// Moves vertices with a constant velocity (m/s) for the whole run.
    pub fn moved(vertices: Selection, velocity: [f64; 2]) -> Self {
        Self {
            vertices,
            velocity,
            travel: None,
            displacement: None,
            keyframes: Vec::new(),
            interpolation: Interpolation::default(),
            from: None,
            until: None,
            axis: None,
        }
    }

    /// Moves vertices by a displacement from the start (m) for the whole run.
    pub fn displaced(vertices: Selection, [x, y]: [impl Into<Varying>; 2]) -> Self {
        let displacement = Some(Displaced {
            x: Some(x.into()),
            y: Some(y.into()),
        });
        Self {
            displacement,
            ..Self::held(vertices)
        }
    }

    /// Holds or moves the vertices only in a window of time (s).
    #[must_use]
    pub fn between(mut self, from: f64, until: f64) -> Self {
        self.from = (from > 0.0).then_some(from);
        self.until = until.is_finite().then_some(until);
        self
    }

    /// The motion as a script, without displacements.
    pub fn script(&self) -> Script {
        Script {
            velocity: self.velocity,
            travel: self.travel,
            spin_deg: 0.0,
            keyframes: self.keyframes.clone(),
            interpolation: self.interpolation,
            until: self.until,
        }
    }
}
