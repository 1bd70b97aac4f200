//! What a file says: nodes, cells and their names, before anything is changed.
//!
//! Formats differ in how they number nodes and kinds of cells; readers translate both to those
//! here, so that all that follows is written once. Every number of a node has been compared with
//! the count.

use std::collections::BTreeMap;

use super::ReadError;

/// Kind of a cell.
///
/// Nodes of a cell with an area run around it in either direction; the grid turns clockwise ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// A single node.
    Point,
    /// A straight line.
    Line,
    /// A line with a node in the middle, after its ends.
    QuadraticLine,
    /// A triangle.
    Triangle,
    /// A triangle with nodes in the middles of its sides, after its corners: of the first and
    /// second, the second and third, the third and first.
    QuadraticTriangle,
    /// A polygon of four or more corners.
    Polygon,
    /// A quadrangle with nodes in the middles of its sides, after its corners and in their order,
    /// and perhaps one in its middle.
    QuadraticQuad,
}

/// Largest number of names of all cells. A file may put each of its cells into each of its groups.
/// The limit is about a gigabyte of names.
const MOST_NAMINGS: usize = 20_000_000;

/// A cell with its names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    /// Its kind.
    pub(super) kind: CellKind,
    /// Its nodes by number, from 0.
    pub(super) nodes: Vec<usize>,
    /// Names of the groups that it is in.
    pub(super) names: Vec<String>,
}

/// Nodes, cells and names of a file.
///
/// A cell may have several names, as in a model whose faces are in groups and have a material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Nodes.
    /// Three coordinates each, in units of the file.
    pub(super) nodes: Vec<[f64; 3]>,
    /// Cells in the order of the file.
    pub(super) all: Vec<Cell>,
    /// Groups that name nodes themselves.
    pub(super) named_nodes: BTreeMap<String, Vec<usize>>,
    /// What the file has besides these, in sentences.
    pub(super) notes: Vec<String>,
    /// Number of names of all cells.
    namings: usize,
}

impl Cells {
    /// Adds a cell whose kind has a number in files of VTK.
    ///
    /// The numbers are listed in VTK's `vtkCellType.h`. Strips and polylines become several cells
    /// with the same names.
    ///
    /// # Errors
    /// If the kind is no shape in the plane, or a node does not exist.
    pub(super) fn add_vtk(
        &mut self,
        kind: u64,
        nodes: &[usize],
        names: &[String],
    ) -> Result<(), ReadError> {
        // Lagrange cells (68 to 70) of order 1 and 2 number their nodes as the older kinds do.
        let kinds: Vec<(CellKind, Vec<usize>)> = match (kind, nodes.len()) {
            (0, _) => Vec::new(),
            (1 | 2, _) => nodes.iter().map(|&n| (CellKind::Point, vec![n])).collect(),
            (3 | 4, _) | (68, 2) => nodes
                .windows(2)
                .map(|pair| (CellKind::Line, pair.to_vec()))
                .collect(),
            (5 | 7 | 69, 3) => vec![(CellKind::Triangle, nodes.to_vec())],
            // Every second triangle of a strip runs clockwise, and the grid turns it.
            (6, _) => nodes
                .windows(3)
                .map(|corners| (CellKind::Triangle, corners.to_vec()))
                .collect(),
            (7, 4..) | (9 | 70, 4) => vec![(CellKind::Polygon, nodes.to_vec())],
            // VTK lists the corners of a pixel row by row, so that the last two change places.
            (8, 4) => vec![(
                CellKind::Polygon,
                vec![nodes[0], nodes[1], nodes[3], nodes[2]],
            )],
            (21 | 68, 3) => vec![(CellKind::QuadraticLine, nodes.to_vec())],
            (22 | 69, 6) => vec![(CellKind::QuadraticTriangle, nodes.to_vec())],
            (23 | 70, 8) | (28 | 70, 9) => vec![(CellKind::QuadraticQuad, nodes.to_vec())],
            _ => return Err(unknown(&named_by_vtk(kind, nodes.len()))),
        };

        for (kind, nodes) in kinds {
            self.add(kind, nodes, names.to_vec())?;
        }
        Ok(())
    }

    /// Adds a cell.
    ///
    /// A quadrangle of eight nodes gets a ninth one in its middle, so that all quadratic ones are
    /// alike.
    ///
    /// # Errors
    /// If a node does not exist.
    pub(super) fn add(
        &mut self,
        kind: CellKind,
        nodes: Vec<usize>,
        names: Vec<String>,
    ) -> Result<(), ReadError> {
        if let Some(node) = nodes.iter().find(|&&node| node >= self.nodes.len()) {
            let message = format!(
                "cell {} names node {node}, but there are only {}, numbered from 0",
                self.all.len(),
                self.nodes.len()
            );
            return Err(ReadError::new(message));
        }

        self.namings += names.len();
        if self.namings > MOST_NAMINGS {
            let message = format!(
                "its cells are in more than {MOST_NAMINGS} groups, each counted for each of its cells; write fewer groups"
            );
            return Err(ReadError::new(message));
        }
        // A middle that a quadrangle of eight nodes leaves out follows from its other nodes.
        let mut nodes = nodes;
        if kind == CellKind::QuadraticQuad && nodes.len() == 8 {
            let middle = self.middle(&nodes);
            nodes.push(self.nodes.len());
            self.nodes.push(middle);
        }

        self.all.push(Cell { kind, nodes, names });
        Ok(())
    }

    /// Middle of a quadrangle of eight nodes, by its shape functions there: half of the middles of
    /// its sides, less a quarter of its corners.
    ///
    /// `nodes` are four corners and then the middles of the four sides.
    fn middle(&self, nodes: &[usize]) -> [f64; 3] {
        let mut middle = [0.0; 3];
        for (k, &node) in nodes.iter().enumerate() {
            let share = if k < 4 { -0.25 } else { 0.5 };
            for (sum, coordinate) in middle.iter_mut().zip(self.nodes[node]) {
                *sum += share * coordinate;
            }
        }
        middle
    }

    /// Adds a cell by the number of its corners and nodes: two or three of a line, three or six of
    /// a triangle, four, eight or nine of a quadrangle.
    ///
    /// # Errors
    /// If such a cell does not exist, or a node does not exist.
    pub(super) fn add_by_count(
        &mut self,
        corners: usize,
        nodes: Vec<usize>,
        names: Vec<String>,
    ) -> Result<(), ReadError> {
        let kind = match (corners, nodes.len()) {
            (1, 1) => CellKind::Point,
            (2, 2) => CellKind::Line,
            (2, 3) => CellKind::QuadraticLine,
            (3, 3) => CellKind::Triangle,
            (3, 6) => CellKind::QuadraticTriangle,
            (4, 4) => CellKind::Polygon,
            (4, 8 | 9) => CellKind::QuadraticQuad,
            (_, count) => {
                return Err(unknown(&format!(
                    "a cell of {corners} corners and {count} nodes"
                )));
            }
        };

        self.add(kind, nodes, names)
    }

    /// True if a cell has this name.
    /// Names of nodes do not count, since nodes have no area.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.all
            .iter()
            .any(|cell| cell.names.iter().any(|own| own == name))
    }

    /// Number of cells of a kind.
    pub fn count(&self, kind: CellKind) -> usize {
        self.all.iter().filter(|cell| cell.kind == kind).count()
    }
}

/// The error of a cell that no shape in the plane has, by its name with an article.
///
/// The message says if the cell is of a volume, since the remedy differs then.
pub(super) fn unknown(cell: &str) -> ReadError {
    let remedy = if VOLUMES.iter().any(|volume| cell.contains(volume)) {
        "which is of a volume; mesh or export the surface in the plane without it"
    } else {
        "which is not read; export triangles or quadrangles of order 1 or 2, polygons or lines"
    };
    ReadError::new(format!("it has {cell}, {remedy}"))
}

/// Names of cells of volumes.
const VOLUMES: [&str; 6] = [
    "tetrahedron",
    "hexahedron",
    "prism",
    "pyramid",
    "voxel",
    "polyhedron",
];

/// Name of a kind of cells of VTK.
///
/// The name has an article. `count` is the number of nodes, which differs within a kind of a higher
/// order.
fn named_by_vtk(kind: u64, count: usize) -> String {
    let name = match kind {
        10 | 24 | 71 | 78 => "a tetrahedron",
        11 => "a voxel",
        12 | 25 | 29 | 33 | 72 | 79 => "a hexahedron",
        13 | 26 | 31 | 32 | 73 | 80 => "a prism",
        14 | 27 | 37 | 74 | 81 => "a pyramid",
        15 => "a prism with five corners",
        16 => "a prism with six corners",
        42 => "a polyhedron",
        34 => "a biquadratic triangle",
        35 => "a line of order 3",
        36 => "a polygon of order 2",
        68 | 75 => "a line of a higher order",
        69 | 76 => "a triangle of a higher order",
        70 | 77 => "a quadrangle of a higher order",
        5 | 22 => "a triangle",
        9 | 23 | 28 | 30 => "a quadrangle",
        _ => "a cell",
    };
    format!("{name} of {count} nodes (VTK's kind {kind})")
}
