//! Meshes of MFEM (.mesh), version 1, with straight sides or with sides of order 2.
//!
//! Every element has an attribute, by which it is named: `"surface=3"`, of the boundary `"line=3"`.
//! The format is described in MFEM's "Mesh Formats".
//!
//! A file has sections, each a word in its own line: `dimension`, `elements`, `boundary`, `vertices`,
//! and perhaps `nodes`. An element is its attribute, its geometry (0 a point, 1 a line, 2 a triangle, 3
//! a quadrangle) and its vertices from 0.
//!
//! With `nodes` the vertices have no coordinates: a function on the mesh gives them. Of order 2 it has
//! one node for each vertex, then one for each side in the order in which elements have them first,
//! then one for each quadrangle. `Ordering: 1` writes the coordinates of a node together, `0` all x
//! before all y.

use super::ReadError;
use super::cells::{Cells, unknown};
use super::names::DIMENSIONS;
use super::numbers::Words;
use std::collections::BTreeMap;

/// Bytes at the head of every mesh of MFEM.
pub(super) const HEAD: &[u8] = b"MFEM";

/// An element: its corners and its name.
struct Element {
    /// Numbers of its vertices, from 0, around it.
    corners: Vec<usize>,
    /// Name of its group, as in `surface=3`.
    name: String,
}

/// A mesh while it is read.
#[derive(Default)]
struct Reading {
    /// Nodes so far, and the cells once their middles are known.
    cells: Cells,
    /// Elements of the inside, in the order of the file.
    elements: Vec<Element>,
    /// Elements of the boundary, lines in a mesh of the plane.
    boundary: Vec<Element>,
    /// Number of vertices.
    vertices: usize,
    /// Nodes in the middles of elements and of their sides after the corners, if sides are curves.
    ///
    /// Both ends of a side are its key, the smaller one first.
    middles: BTreeMap<[usize; 2], usize>,
    /// Node in the middle of each element, if there is one.
    /// The key is the number of the element in `elements`.
    centres: BTreeMap<usize, usize>,
}

/// Reads a mesh.
///
/// # Errors
/// If the bytes are not such a mesh, or have cells that are not shapes in the plane.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, ReadError> {
    let mut words = Words::of(bytes);
    let first = words.next_line().unwrap_or_default().trim().to_owned();
    if !first.starts_with("MFEM mesh v1.") {
        let message = format!(
            "it begins with \"{first}\", but of MFEM only \"MFEM mesh v1\" is read, which is neither refined \
             locally nor made of splines; save it as VTK (in MFEM: Mesh::PrintVTK)"
        );
        return Err(ReadError::new(message));
    }

    let mut reading = Reading::default();
    while let Some(line) = words.next_line() {
        match line.split('#').next().unwrap_or_default().trim() {
            "elements" => reading.elements = elements(&mut words)?,
            "boundary" => reading.boundary = elements(&mut words)?,
            "vertices" => reading.vertices(&mut words)?,
            "nodes" => reading.nodes(&mut words)?,
            _ => {}
        }
    }

    reading.finish()
}

/// Elements: attribute, geometry and corners each.
///
/// The attribute is a positive number of a material or of a part of the boundary.
///
/// # Errors
/// If the list is malformed or cut off, or has cells of a volume.
fn elements(words: &mut Words) -> Result<Vec<Element>, ReadError> {
    let count: usize = words.number("the number of elements")?;
    let mut all = Vec::new();
    for _ in 0..count {
        let number: i64 = words.number("the attribute of an element")?;
        let kind: usize = words.number("the geometry of an element")?;
        if kind > 3 {
            let kinds = ["tetrahedron", "hexahedron", "prism", "pyramid"];
            let kind = kinds
                .get(kind - 4)
                .unwrap_or(&"cell of an unknown geometry");
            return Err(words.error(&unknown(&format!("a {kind}")).message));
        }

        let mut corners = Vec::new();
        for _ in 0..=kind {
            corners.push(words.number("the number of a vertex")?);
        }
        let name = format!("{}={number}", DIMENSIONS[kind.min(2)]);
        all.push(Element { corners, name });
    }

    words.rest_of_line();
    Ok(all)
}

impl Reading {
    /// Vertices, unless their places follow as nodes.
    ///
    /// The number of vertices comes first, then the number of coordinates. Where the second one is
    /// absent, the vertices have no places, and the section `nodes` follows.
    ///
    /// # Errors
    /// If the number of coordinates is neither 2 nor 3, or a coordinate is absent.
    fn vertices(&mut self, words: &mut Words) -> Result<(), ReadError> {
        self.vertices = words.number("the number of vertices")?;
        let Some(dimension) = words
            .peek_word()
            .and_then(|word| word.parse::<usize>().ok())
        else {
            words.rest_of_line();
            return Ok(());
        };

        words.next();
        if !matches!(dimension, 2 | 3) {
            return Err(words.error(&format!(
                "vertices have {dimension} coordinates, but must have 2 or 3"
            )));
        }

        for _ in 0..self.vertices {
            let mut vertex = [0.0; 3];
            for coordinate in &mut vertex[..dimension] {
                *coordinate = words.coordinate()?;
            }
            self.cells.nodes.push(vertex);
        }

        words.rest_of_line();
        Ok(())
    }

    /// Places as a function of order 1 or 2 on the mesh.
    ///
    /// The head names the space of functions: `H1_2D_P1` and `Linear` are of order 1, `H1_2D_P2` and
    /// `Quadratic` of order 2. In spaces of `L2` each element has its own nodes, so that a mesh may
    /// have gaps.
    ///
    /// # Errors
    /// If they are of another order, or apart for each element.
    fn nodes(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let mut space = String::new();
        let mut dimension = 2;
        let mut is_by_node = true;
        // Lines with a colon describe the function.
        while let Some(line) = words.next_line() {
            match line.split_once(':') {
                Some(("FiniteElementCollection", name)) => name.trim().clone_into(&mut space),
                Some(("VDim", count)) => dimension = count.trim().parse().unwrap_or(0),
                Some(("Ordering", order)) => is_by_node = order.trim() == "1",
                _ if line.is_empty() => break,
                _ => {}
            }
        }

        // Elements share their nodes in these spaces only.
        let is_continuous = |order: &str| space.starts_with("H1_") && space.ends_with(order);
        let is_quadratic = space == "Quadratic" || is_continuous("D_P2");
        let is_linear = space == "Linear" || is_continuous("D_P1");
        if !(is_linear || is_quadratic) || !matches!(dimension, 2 | 3) {
            let message = format!(
                "its nodes are of \"{space}\", which is of an order above 2, or has its elements apart; save it as \
                 VTK (in MFEM: Mesh::PrintVTK)"
            );
            return Err(words.error(&message));
        }

        let mut numbers = Vec::new();
        while words
            .peek_word()
            .is_some_and(|word| word.parse::<f64>().is_ok())
        {
            numbers.push(words.coordinate()?);
        }
        // Nodes of all kinds, in the order of the function.
        let count = numbers.len() / dimension;
        for k in 0..count {
            let mut vertex = [0.0; 3];
            for (c, coordinate) in vertex[..dimension].iter_mut().enumerate() {
                *coordinate = if is_by_node {
                    numbers[k * dimension + c]
                } else {
                    numbers[c * count + k]
                };
            }

            self.cells.nodes.push(vertex);
        }

        if is_quadratic {
            self.number_middles();
        }
        Ok(())
    }

    /// Numbers of the nodes between vertices: first of sides in the order in which elements have them,
    /// then of quadrangles.
    ///
    /// This is the order of degrees of freedom of MFEM: vertices, edges, then insides. A triangle of
    /// order 2 has none inside.
    fn number_middles(&mut self) {
        let mut next = self.vertices;
        for element in &self.elements {
            for side in sides(&element.corners) {
                self.middles.entry(side).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
            }
        }

        for (k, element) in self.elements.iter().enumerate() {
            if element.corners.len() == 4 {
                self.centres.insert(k, next);
                next += 1;
            }
        }
    }

    /// The cells with their middles.
    ///
    /// Nodes of a cell are its corners, the middles of its sides and its centre, as all formats here
    /// have them.
    ///
    /// # Errors
    /// If a vertex does not exist, or a cell has another number of nodes than its kind.
    fn finish(mut self) -> Result<Cells, ReadError> {
        // The boundary has no nodes apart from those of sides.
        let inner = self.elements.iter().enumerate();
        let inner = inner.map(|(k, element)| (element, self.centres.get(&k)));
        let all = inner.chain(self.boundary.iter().map(|element| (element, None)));
        for (element, centre) in all {
            let mut nodes = element.corners.clone();
            if !self.middles.is_empty() {
                let own = sides(&element.corners);
                nodes.extend(own.iter().filter_map(|side| self.middles.get(side)));
            }
            nodes.extend(centre);
            let names = vec![element.name.clone()];
            self.cells
                .add_by_count(element.corners.len(), nodes, names)?;
        }

        Ok(self.cells)
    }
}

/// Sides of an element by their vertices, the smaller one first; a line is its only side.
/// A side with one vertex twice is left out.
fn sides(corners: &[usize]) -> Vec<[usize; 2]> {
    let count = corners.len();
    let sides = if count == 2 { 1 } else { count };
    let ends = (0..sides).map(|k| [corners[k], corners[(k + 1) % count]]);
    ends.filter(|[a, b]| a != b)
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect()
}
