//! What a file says: nodes, cells and their names, before anything is changed.
//!
//! Formats differ in how they number nodes and kinds of cells; readers translate both to those
//! here, so that all that follows is written once. Every number of a node has been compared with
//! the count.

use std::collections::BTreeMap;

use super::ReadError;

/// Kind of a cell.
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
}

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
    pub(super) nodes: Vec<[f64; 3]>,
    /// Cells in the order of the file.
    pub(super) all: Vec<Cell>,
    /// Groups that name nodes themselves.
    pub(super) named_nodes: BTreeMap<String, Vec<usize>>,
}

impl Cells {
    /// Adds a cell whose kind has a number in files of VTK.
    ///
    /// # Errors
    /// If the kind is no shape in the plane, or a node does not exist.
    pub(super) fn add_vtk(
        &mut self,
        kind: u64,
        nodes: &[usize],
        names: &[String],
    ) -> Result<(), ReadError> {
        let kinds: Vec<(CellKind, Vec<usize>)> = match (kind, nodes.len()) {
            (1 | 2, _) => nodes.iter().map(|&n| (CellKind::Point, vec![n])).collect(),
            (3 | 4, _) => nodes
                .windows(2)
                .map(|pair| (CellKind::Line, pair.to_vec()))
                .collect(),
            (5 | 7, 3) => vec![(CellKind::Triangle, nodes.to_vec())],
            // Every second triangle of a strip runs clockwise, and the grid turns it.
            (6, _) => nodes
                .windows(3)
                .map(|corners| (CellKind::Triangle, corners.to_vec()))
                .collect(),
            (7, 4..) | (9, 4) => vec![(CellKind::Polygon, nodes.to_vec())],
            // VTK lists the corners of a pixel row by row, so that the last two change places.
            (8, 4) => vec![(
                CellKind::Polygon,
                vec![nodes[0], nodes[1], nodes[3], nodes[2]],
            )],
            (21, 3) => vec![(CellKind::QuadraticLine, nodes.to_vec())],
            (22, 6) => vec![(CellKind::QuadraticTriangle, nodes.to_vec())],
            _ => {
                let message = format!(
                    "it has a cell of VTK's kind {kind} with {} points, which is no triangle, polygon \
                     or line in the plane; export triangles alone",
                    nodes.len()
                );
                return Err(ReadError::new(message));
            }
        };

        for (kind, nodes) in kinds {
            self.add(kind, nodes, names.to_vec())?;
        }
        Ok(())
    }

    /// Adds a cell.
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
        self.all.push(Cell { kind, nodes, names });
        Ok(())
    }

    /// Number of cells of a kind.
    pub fn count(&self, kind: CellKind) -> usize {
        self.all.iter().filter(|cell| cell.kind == kind).count()
    }
}
