//! Shapes that are read from files.
//!
//! A scene that names a file is not yet a whole description: the file may change, or be missing on
//! another machine. Reading a scene therefore replaces the file by its contents, and a stored run
//! is complete. The types here are what the author writes.

use super::area::Meshing;
use super::{examples, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A shape in a file: curves of an SVG picture or a DXF drawing, or triangles of a mesh of Gmsh (.msh),
/// Abaqus (.inp), Medit or MFEM (.mesh), of an OBJ model or of a VTK grid (.vtk, .vtu). Its names become
/// selections. Reading the scene replaces it by an area or a mesh, so that a run keeps the shape and needs
/// the file no more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::file())]
pub struct ShapeFile {
    /// Path of the file, from the folder of the scene. Files elsewhere are read only if the environment
    /// variable `IPCSIM_FILES` names a folder around them.
    pub path: String,
    /// Length of a unit of the file.
    pub unit: Unit,
    /// Factor (1) for all lengths of the file, besides its unit.
    #[serde(default = "one")]
    #[key(above = 0)]
    pub scale: f64,
    /// Name of the group, layer or path that the body is made of; everything in the file if absent. Shapes of
    /// a drawing that are not in one another are `shape1`, `shape2` and so on, each with its holes; shapes
    /// of a group are `GROUP/shape1` and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Names of paths, groups or layers whose curve is not a hole, but a part of another material, as `parts`
    /// of an area.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// Point of the file that becomes the shape's origin, in the file's own numbers (1).
    #[serde(default, skip_serializing_if = "is_default")]
    pub origin: [f64; 2],
    /// Distance below which points are one, and ends of curves are joined (m). If absent it is 1e-6 of the
    /// extent, and 1e-5 for ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub tolerance: Option<f64>,
    /// Largest distance of edges from curves (m); 1/2000 of the extent if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub deviation: Option<f64>,
    /// Sizes of triangles in curves; a mesh has its own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mesh: Meshing,
}

/// Length of a unit of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A metre.
    M,
    /// A centimetre.
    Cm,
    /// A millimetre.
    Mm,
    /// A micrometre.
    Um,
    /// An inch, 25.4 mm.
    Inch,
    /// The unit that a drawing states itself: a picture by its width, such as 120mm, a DXF drawing by
    /// `$INSUNITS`.
    Own,
}

impl Unit {
    /// Length (m); `None` for the unit that the file states.
    pub fn metres(self) -> Option<f64> {
        match self {
            Self::M => Some(1.0),
            Self::Cm => Some(1e-2),
            Self::Mm => Some(1e-3),
            Self::Um => Some(1e-6),
            Self::Inch => Some(0.0254),
            Self::Own => None,
        }
    }
}

impl ShapeFile {
    /// The whole of a file whose unit has this length.
    pub fn new(path: impl Into<String>, unit: Unit) -> Self {
        Self {
            path: path.into(),
            unit,
            scale: one(),
            part: None,
            parts: Vec::new(),
            origin: [0.0; 2],
            tolerance: None,
            deviation: None,
            mesh: Meshing::default(),
        }
    }
}

/// Default of the factor (1).
fn one() -> f64 {
    1.0
}
