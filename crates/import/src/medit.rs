//! Meshes of Medit (.mesh), as `FreeFem` and Mmg write them, as text.
//!
//! Every cell has one number, by which it is named: a triangle of number 3 is in the group
//! `"surface=3"`, a line in `"line=3"`, a vertex in `"point=3"`. The format is described in INRIA's
//! report 0253.
//!
//! A file is a list of keywords, each with a count and that many rows; lines and blanks do not matter,
//! and `#` begins a comment:
//!
//! - `MeshVersionFormatted v` and `Dimension d` at the head;
//! - `Vertices n`: `d` coordinates and a number each;
//! - `Edges`, `Triangles`, `Quadrilaterals`: numbers of vertices from 1, and a number each; with `P2` or
//!   `Q2` at the end of the keyword nodes in the middles of sides follow the corners;
//! - `Corners`, `RequiredVertices`, `Normals` and many others describe the surface for remeshing.
//!
//! The number 0 stands for no group, as programs write it where they have none.
//!
//! Meshes of volumes are refused, unless their lists of tetrahedra and the like are empty.

use super::ReadError;
use super::cells::{Cells, unknown};
use super::names::{DIMENSIONS, few};
use super::numbers::Words;

/// Reads a mesh.
///
/// Binary meshes (.meshb) begin with the number 1, by which they are known.
///
/// # Errors
/// If the bytes are not such a mesh, or have cells that are not shapes in the plane.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, ReadError> {
    let head = bytes.trim_ascii_start();
    if head.starts_with(&[1, 0, 0, 0]) || head.starts_with(&[0, 0, 0, 1]) {
        return Err(ReadError::new(
            "it is a binary mesh of Medit; save it as text (meshio convert a.meshb a.mesh)",
        ));
    }

    let mut words = Words::of(bytes);
    // The first word says what the file is.
    let mut is_medit = false;
    let mut reading = Medit {
        dimension: 3,
        ..Medit::default()
    };

    while let Some(word) = uncommented(&mut words) {
        match word {
            "MeshVersionFormatted" => is_medit = true,
            _ if !is_medit => break,
            "Dimension" => reading.dimension = words.number("the dimension, 2 or 3")?,
            "End" => break,
            keyword => reading.section(keyword, &mut words)?,
        }
    }

    if !is_medit {
        return Err(ReadError::new(
            "it begins neither with MeshVersionFormatted, as meshes of Medit do, nor with MFEM mesh; if Gmsh has \
             written it, its ending should be .msh",
        ));
    }

    Ok(reading.finish())
}

/// A mesh of Medit while it is read.
#[derive(Default)]
struct Medit {
    /// Vertices and cells so far.
    cells: Cells,
    /// Number of coordinates of a vertex.
    /// It is 2 or 3, and 3 until the file says it.
    dimension: usize,
    /// Sections that are left out.
    /// Each by its keyword.
    left: Vec<String>,
}

impl Medit {
    /// Reads what a keyword begins.
    ///
    /// Numbers of vertices count from 1 in the file, and from 0 here.
    ///
    /// # Errors
    /// If a list is cut off or malformed, or has cells of a volume.
    fn section(&mut self, keyword: &str, words: &mut Words) -> Result<(), ReadError> {
        let [corners, nodes] = match keyword {
            "Vertices" => return self.vertices(words),
            "Edges" => [2, 2],
            "EdgesP2" => [2, 3],
            "Triangles" => [3, 3],
            "TrianglesP2" => [3, 6],
            "Quadrilaterals" => [4, 4],
            "QuadrilateralsQ2" => [4, 9],
            "Tetrahedra" | "TetrahedraP2" | "Hexahedra" | "HexahedraQ2" | "Prisms" | "Pyramids" => {
                // A mesh of a surface may say that it has none.
                let count: usize = words.number("a number of cells")?;
                if count == 0 {
                    return Ok(());
                }
                let name = format!("{count} cells in {keyword} (a tetrahedron or the like)");
                return Err(words.error(&unknown(&name).message));
            }
            // Numbers of a section that is left out.
            _ => {
                if keyword.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    self.left.push(keyword.to_owned());
                }
                return Ok(());
            }
        };

        let count: usize = words.number("a number of cells")?;
        // Gmsh writes quadrangles of order 2 by the keyword for order 1.
        let nodes = match (corners, words.peek_count()) {
            (4, count @ (9 | 10)) => count - 1,
            _ => nodes,
        };

        for _ in 0..count {
            let mut own = Vec::with_capacity(nodes);
            for _ in 0..nodes {
                let number: usize = words.number("the number of a vertex")?;
                own.push(number.checked_sub(1).ok_or_else(|| {
                    words
                        .error("0 stands where the number of a vertex should be; they count from 1")
                })?);
            }

            let number: i64 = words.number("the number of a cell's group")?;
            let names =
                (number != 0).then(|| format!("{}={number}", DIMENSIONS[corners.min(3) - 1]));
            self.cells
                .add_by_count(corners, own, names.into_iter().collect())?;
        }

        Ok(())
    }

    /// Reads vertices: coordinates and a number.
    ///
    /// Vertices of a number other than 0 are a group of points.
    ///
    /// # Errors
    /// If the dimension is another one, or a coordinate is absent or not finite.
    fn vertices(&mut self, words: &mut Words) -> Result<(), ReadError> {
        if !matches!(self.dimension, 2 | 3) {
            return Err(words.error(&format!(
                "the dimension is {}, but must be 2 or 3",
                self.dimension
            )));
        }

        let count: usize = words.number("the number of vertices")?;
        for _ in 0..count {
            // In two dimensions z is 0.
            let mut vertex = [0.0; 3];
            for coordinate in &mut vertex[..self.dimension] {
                *coordinate = words.coordinate()?;
            }
            let number: i64 = words.number("the number of a vertex's group")?;
            if number != 0 {
                let nodes = self.cells.named_nodes.entry(format!("point={number}"));
                nodes.or_default().push(self.cells.nodes.len());
            }

            self.cells.nodes.push(vertex);
        }

        Ok(())
    }

    /// The cells, with a word on sections that are left out.
    fn finish(mut self) -> Cells {
        if !self.left.is_empty() {
            let left = few(&self.left);
            self.cells
                .notes
                .push(format!("these sections were left out: {left}"));
        }

        self.cells
    }
}

/// The next word outside of comments.
/// A comment lasts to the end of its line.
fn uncommented<'a>(words: &mut Words<'a>) -> Option<&'a str> {
    loop {
        let word = words.next()?;
        if !word.starts_with('#') {
            return Some(word);
        }
        words.rest_of_line();
    }
}
