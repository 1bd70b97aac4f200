//! Files of `ParaView` and VTK: a grid with data for each state (`.vtu`), and their list with times
//! (`.pvd`).
//!
//! The formats are those of the VTK File Formats guide, "XML File Formats". Numbers stand behind
//! the text in their binary form, array by array, compressed by zlib; all of them are
//! little-endian. Nothing here knows bodies: arrays come with their names.
//!
//! `ParaView`, `pyvista` and `meshio` read these files. Names of bodies are arrays of bytes, since
//! `meshio` refuses files with arrays of text.

mod array;
mod pvd;
mod vtu;

pub use array::{Array, ArrayValues};
pub use pvd::pvd;
pub use vtu::{Cell, Topology, Vtu};
