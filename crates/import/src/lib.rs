//! Shapes and scenes from files of other programs.
//!
//! Shapes: triangles of meshes of Gmsh, Abaqus, Medit and MFEM, OBJ models and VTK grids; curves of
//! SVG pictures and DXF drawings.
//!
//! A reader of each mesh gives nodes, cells and names ([`Cells`]); what they have in common is done
//! once: z must be the same everywhere, near nodes become one, quadratic triangles become four
//! linear ones, triangles turn counter-clockwise, and nodes that nothing uses are left out. A reader
//! of each drawing gives curves and names ([`Drawing`]). Curves of a drawing, and lines of a mesh
//! without triangles, are joined to closed ones, and the largest is an outline with holes. Lengths
//! are those of the file, times its unit.
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

mod abaqus;
mod affine;
mod cells;
mod drawing;
mod dxf;
mod gmsh;
mod grid;
mod imported;
mod join;
mod kinds;
mod legacy_vtk;
mod lz4;
mod lzma;
mod medit;
mod mfem;
mod names;
mod near;
mod nest;
mod numbers;
mod obj;
mod packed;
mod pen;
mod polygon;
mod rigid_ipc;
mod shape;
mod silhouette;
mod svg;
mod text;
mod vtu;
mod xz;

pub use cells::{CellKind, Cells};
pub use drawing::{Drawing, Drawn};
pub use grid::{Grid, Group};
pub use imported::Imported;
pub use ipcsim_scene::{FromFile, ReadError};
pub use rigid_ipc::rigid_ipc;
pub use shape::{Named, ShapeFiles, shape, shapes};

/// Format of a file, which the ending of its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Curves of an SVG picture.
    Svg,
    /// Curves of a DXF drawing.
    Dxf,
    /// Mesh of Gmsh, 2.2 or 4.1.
    Gmsh,
    /// Mesh of Abaqus or `CalculiX`.
    Abaqus,
    /// Mesh of Medit or MFEM.
    Medit,
    /// Model of Wavefront.
    Obj,
    /// Legacy grid of VTK.
    Vtk,
    /// Unstructured grid of VTK in XML.
    Vtu,
}

/// Endings and formats.
const ENDINGS: [(&str, Format); 8] = [
    ("svg", Format::Svg),
    ("dxf", Format::Dxf),
    ("msh", Format::Gmsh),
    ("inp", Format::Abaqus),
    ("mesh", Format::Medit),
    ("obj", Format::Obj),
    ("vtk", Format::Vtk),
    ("vtu", Format::Vtu),
];

impl Format {
    /// Format by the ending of a file's name.
    ///
    /// # Errors
    /// If no format has this ending.
    pub fn of(path: &str) -> Result<Self, ReadError> {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let known = ENDINGS
            .iter()
            .find(|(name, _)| ending.eq_ignore_ascii_case(name));
        known.map(|(_, format)| *format).ok_or_else(|| {
            let names: Vec<String> = ENDINGS.iter().map(|(name, _)| format!(".{name}")).collect();
            ReadError::new(format!(
                "the ending of \"{path}\" is none of {}; convert the file, for example by meshio convert FILE a.vtu, \
                 gmsh -save -format msh41, or as DXF or SVG from the program that drew it",
                names.join(", ")
            ))
        })
    }

    /// True if its files have curves instead of cells.
    pub fn is_drawing(self) -> bool {
        matches!(self, Self::Svg | Self::Dxf)
    }
}

/// Bytes that stand in a working copy for a large file that has not been fetched.
const POINTER: &[u8] = b"version https://git-lfs";

/// Refuses what stands for a file that is elsewhere.
fn check_present(bytes: &[u8]) -> Result<(), ReadError> {
    if bytes.starts_with(POINTER) {
        return Err(ReadError::new(
            "it stands for a large file that is elsewhere; fetch that one (git lfs pull)",
        ));
    }

    Ok(())
}

/// Nodes, cells and names of a file that has a mesh.
///
/// # Errors
/// If the bytes are not of the format, or have cells that are not shapes in the plane.
pub fn cells(format: Format, bytes: &[u8]) -> Result<Cells, ReadError> {
    check_present(bytes)?;
    match format {
        Format::Svg | Format::Dxf => Err(ReadError::new("a drawing has curves and no mesh")),
        Format::Gmsh => gmsh::read(bytes),
        Format::Abaqus => abaqus::read(bytes),
        Format::Medit if bytes.starts_with(mfem::HEAD) => mfem::read(bytes),
        Format::Medit => medit::read(bytes),
        Format::Obj => obj::read(bytes),
        Format::Vtk => legacy_vtk::read(bytes),
        Format::Vtu => vtu::read(bytes),
    }
}

/// Curves of a drawing.
///
/// # Errors
/// If the bytes are not of the format, or have no curve.
pub fn drawing(format: Format, bytes: &[u8]) -> Result<Drawing, ReadError> {
    check_present(bytes)?;
    match format {
        Format::Svg => svg::read(&text::xml(bytes)?),
        Format::Dxf => dxf::read(bytes),
        _ => Err(ReadError::new("a mesh has cells and no curves")),
    }
}

#[cfg(test)]
mod tests;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
