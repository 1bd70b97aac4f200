//! Areas within closed curves, and how finely they are meshed.
//!
//! An area is a shape for every kind of body. For a body that moves as a whole only the curves count,
//! divided by the deviation; sizes are for triangles. Names of curves, pieces and parts select vertices,
//! as the names in `selections` do.

use super::curve::Curve;
use super::{examples, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Least angle of triangles that is asked for if a scene does not say it (degrees).
const LEAST_ANGLE: f64 = 25.0;

/// What the least angle must be, and why.
const LEAST_ANGLES: &str = "be from 0 to 30; no refinement to a larger one is sure to end";

/// Growth of sizes with the distance, if a scene does not say it (1).
const GRADING: f64 = 0.3;

/// An area within closed curves of lines, arcs and splines, for every kind of body. A body that deforms
/// gets triangles in it, a body that moves as a whole has the curves as edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::area())]
pub struct Area {
    /// Curve around the area.
    pub outline: Curve,
    /// Curves around holes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Curve>,
    /// Curves whose lines the triangles follow, by name, for regions of another material. They may touch
    /// each other and the outline, but not cross it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, Curve>,
    /// Largest distance of edges from arcs, splines and circles (m). If absent it is 1e-5 of the extent for
    /// bodies that move as a whole and for obstacles, whose contact forces follow it, and 1/2000 for
    /// triangles; where `mesh.size` is given less: edges along circles and arcs of a radius `r` are away
    /// from them by at most `size^2 / (16 r)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub deviation: Option<f64>,
    /// Distance below which points are one (m); 1e-9 of the extent if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub tolerance: Option<f64>,
    /// Sizes of triangles.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mesh: Meshing,
}

/// Sizes and angles of triangles. Edges are at most as long as the mean size at their ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Meshing {
    /// Largest length of an edge (m); a twentieth of the extent if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub size: Option<f64>,
    /// Lengths of edges (m) on curves and pieces with these names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[key(above = 0)]
    pub along: BTreeMap<String, f64>,
    /// Lengths of edges near points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<Near>,
    /// Growth of lengths with the distance from such curves and points, in m per m (1).
    #[serde(default = "grading")]
    #[key(at_least = 0, below = 1)]
    pub grading: f64,
    /// Least angle of triangles (degrees). Corners of the area that are sharper stay so.
    #[serde(default = "least_angle")]
    #[key(at_least = 0, at_most = 30, must = LEAST_ANGLES)]
    pub least_angle_deg: f64,
}

/// A place with its own length of edges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// Place in the shape (m).
    pub at: [f64; 2],
    /// Length of edges there (m).
    #[key(above = 0)]
    pub size: f64,
    /// Distance up to which the length holds (m).
    #[serde(default)]
    #[key(at_least = 0)]
    pub radius: f64,
}

impl Area {
    /// The area within a curve.
    pub fn new(outline: Curve) -> Self {
        Self {
            outline,
            holes: Vec::new(),
            parts: BTreeMap::new(),
            deviation: None,
            tolerance: None,
            mesh: Meshing::default(),
        }
    }

    /// Adds a hole within a curve.
    #[must_use]
    pub fn with_hole(mut self, hole: Curve) -> Self {
        self.holes.push(hole);
        self
    }

    /// Adds a part within a curve.
    #[must_use]
    pub fn with_part(mut self, name: impl Into<String>, curve: Curve) -> Self {
        self.parts.insert(name.into(), curve);
        self
    }

    /// Sets the largest length of an edge (m).
    #[must_use]
    pub fn with_size(mut self, size: f64) -> Self {
        self.mesh.size = Some(size);
        self
    }

    /// All curves: the outline, holes and parts.
    pub fn curves(&self) -> impl Iterator<Item = &Curve> {
        let bounds = std::iter::once(&self.outline).chain(&self.holes);
        bounds.chain(self.parts.values())
    }

    /// Names of curves, of their pieces, and of parts.
    pub fn names(&self) -> Vec<&str> {
        let parts = self.parts.keys().map(String::as_str);
        self.curves().flat_map(Curve::names).chain(parts).collect()
    }
}

impl Default for Meshing {
    fn default() -> Self {
        Self {
            size: None,
            along: BTreeMap::new(),
            near: Vec::new(),
            grading: grading(),
            least_angle_deg: least_angle(),
        }
    }
}

/// Default of the growth of sizes (1).
fn grading() -> f64 {
    GRADING
}

/// Default of the least angle (degrees).
fn least_angle() -> f64 {
    LEAST_ANGLE
}
