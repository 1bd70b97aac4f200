//! Shapes and scenes from files of other programs.
//!
//! Shapes: triangles of Gmsh meshes, OBJ models and VTK grids, curves of SVG pictures.
//!
//! A reader of each format gives nodes, cells and names ([`Cells`]); what they have in common is
//! done once: z must be the same everywhere, near nodes become one, quadratic triangles become four
//! linear ones, triangles turn counter-clockwise, and nodes that nothing uses are left out. Lines
//! without triangles are outlines. Lengths are those of the file, times its unit.
//!
//! Every reader takes a text or bytes and never panics on them; a wrong file is a [`ReadError`]
//! that names the line or the number. [`ShapeFiles`] gives all of them to a scene.
//!
//! Scenes: published results can be compared if both programs simulate the same scene
//! ([`rigid_ipc`]). An import keeps the meaning of every key that has one here, and warns of every
//! key that it leaves out: a scene that is almost the same would be worse than none. What cannot be
//! converted is an error.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod cells;
mod gmsh;
mod grid;
mod imported;
mod legacy_vtk;
mod numbers;
mod obj;
mod rigid_ipc;
mod shape;
mod svg;
mod text;
mod vtu;

pub use cells::{CellKind, Cells};
pub use grid::{Grid, Group};
pub use imported::Imported;
pub use ipcsim_scene::{FromFile, ReadError};
pub use rigid_ipc::rigid_ipc;
pub use shape::{ShapeFiles, shape};
pub use svg::{Drawing, Drawn};
use text::text;

/// Format of a file, which the ending of its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Curves of an SVG picture.
    Svg,
    /// Mesh of Gmsh, 2.2 or 4.1, as text.
    Gmsh,
    /// Model of Wavefront.
    Obj,
    /// Legacy grid of VTK, as text.
    Vtk,
    /// Unstructured grid of VTK in XML.
    Vtu,
}

impl Format {
    /// Format by the ending of a file's name.
    ///
    /// # Errors
    /// If the ending is none of `.svg`, `.msh`, `.obj`, `.vtk` and `.vtu`.
    pub fn of(path: &str) -> Result<Self, ReadError> {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        Ok(match ending.to_ascii_lowercase().as_str() {
            "svg" => Self::Svg,
            "msh" => Self::Gmsh,
            "obj" => Self::Obj,
            "vtk" => Self::Vtk,
            "vtu" => Self::Vtu,
            _ => {
                let message = format!(
                    "the ending of \"{path}\" is none of .svg, .msh, .obj, .vtk and .vtu; a shape is \
                     read from one of these"
                );
                return Err(ReadError::new(message));
            }
        })
    }
}

/// Nodes, cells and names of a file that has a mesh.
///
/// # Errors
/// If the bytes are not of the format, or have cells that are no shape in the plane.
pub fn cells(format: Format, bytes: &[u8]) -> Result<Cells, ReadError> {
    match format {
        Format::Svg => Err(ReadError::new("an SVG picture has curves and no mesh")),
        Format::Gmsh => gmsh::read(text(bytes)?),
        Format::Obj => obj::read(text(bytes)?),
        Format::Vtk => legacy_vtk::read(bytes),
        Format::Vtu => vtu::read(bytes),
    }
}

/// Curves of an SVG picture.
///
/// # Errors
/// If the bytes are no SVG picture, or a path in it is open.
pub fn drawing(bytes: &[u8]) -> Result<Drawing, ReadError> {
    svg::read(text(bytes)?)
}

#[cfg(test)]
mod tests;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
