//! Meshes of Gmsh (.msh), versions 2.2 and 4.1, as text.
//!
//! Nodes that no element uses are allowed: a model has them at the centres of its arcs. Elements of
//! a group that is given twice, for two surfaces, are in one group here.
//!
//! Physical groups are the names; a group without a name has its number, as `"7"`. The formats are
//! described in Gmsh's reference manual, "MSH file format".

use super::ReadError;
use super::cells::{CellKind, Cells};
use super::numbers::Words;
use std::collections::BTreeMap;

/// A mesh while it is read.
///
/// Nodes have tags, which need not follow each other. In version 4 a group belongs to an entity,
/// such as a curve or a surface of the model, and elements belong to an entity in turn.
#[derive(Default)]
struct Reading {
    cells: Cells,
    /// Number of each node by its tag.
    numbers: BTreeMap<u64, usize>,
    /// Names of physical groups by dimension and tag.
    names: BTreeMap<(u64, u64), String>,
    /// Physical groups of each entity by dimension and tag.
    physical: BTreeMap<(u64, u64), Vec<u64>>,
}

/// Reads a mesh.
///
/// # Errors
/// If the text is no mesh of these versions, or has cells that are no shape in the plane.
pub(super) fn read(text: &str) -> Result<Cells, ReadError> {
    let mut words = Words::of(text);
    let mut reading = Reading::default();
    let mut version: Option<f64> = None;

    while let Some(section) = words.next() {
        match (section, version) {
            ("$MeshFormat", _) => version = Some(format(&mut words)?),
            ("$PhysicalNames", _) => reading.names(&mut words)?,
            ("$Entities", _) => reading.entities(&mut words)?,
            ("$Nodes", Some(version)) if version < 3.0 => reading.old_nodes(&mut words)?,
            ("$Nodes", Some(_)) => reading.nodes(&mut words)?,
            ("$Elements", Some(version)) if version < 3.0 => reading.old_elements(&mut words)?,
            ("$Elements", Some(_)) => reading.elements(&mut words)?,
            ("$Nodes" | "$Elements", None) => {
                return Err(words.error("$MeshFormat should come before this"));
            }
            // Sections that say nothing about the shape.
            _ => {}
        }
    }
    if version.is_none() {
        let message = "it has no $MeshFormat, so that it is no mesh of Gmsh, 2.2 or 4.1";
        return Err(ReadError::new(message));
    }
    Ok(reading.cells)
}

/// Version of the format.
///
/// # Errors
/// If the version is another one, or the file is binary.
fn format(words: &mut Words) -> Result<f64, ReadError> {
    let version: f64 = words.number("the version of the format")?;
    let kind: u64 = words.number("the kind of the file, 0 for text")?;
    if kind != 0 {
        let message = "the mesh is binary; save it as text (in Gmsh: Mesh.Binary = 0)";
        return Err(words.error(message));
    }

    if !((2.0..2.3).contains(&version) || (4.1..4.2).contains(&version)) {
        let message = format!(
            "the version of the format is {version}, but 2.2 and 4.1 are read; save the mesh as one of \
             these (in Gmsh: Mesh.MshFileVersion)"
        );
        return Err(words.error(&message));
    }
    Ok(version)
}

impl Reading {
    /// Names of physical groups: dimension, tag, name in quotes.
    fn names(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let count: usize = words.number("the number of names")?;
        for _ in 0..count {
            let dimension = words.number("a dimension")?;
            let tag = words.number("the tag of a physical group")?;
            let name = words.rest_of_line().join(" ");
            let name = name.trim_matches('"').to_owned();
            self.names.insert((dimension, tag), name);
        }
        Ok(())
    }

    /// Entities of version 4: of points a place, of all others a box, and physical tags.
    fn entities(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let mut counts = [0usize; 4];
        for count in &mut counts {
            *count = words.number("the number of entities")?;
        }

        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let tag: i64 = words.number("the tag of an entity")?;
                // The place or box is not used, but the tags stand after it.
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    words.coordinate()?;
                }
                let tags: usize = words.number("the number of physical groups")?;
                let mut physical = Vec::new();
                for _ in 0..tags {
                    // A negative tag reverses the orientation of a group, which is the same group.
                    let tag: i64 = words.number("the tag of a physical group")?;
                    physical.push(tag.unsigned_abs());
                }
                if dimension > 0 {
                    let bounds: usize = words.number("the number of bounding entities")?;
                    for _ in 0..bounds {
                        words.number::<i64>("the tag of a bounding entity")?;
                    }
                }
                self.physical
                    .insert((dimension as u64, tag.unsigned_abs()), physical);
            }
        }
        Ok(())
    }

    /// Adds a node.
    fn node(&mut self, tag: u64, words: &mut Words) -> Result<(), ReadError> {
        let node = [
            words.coordinate()?,
            words.coordinate()?,
            words.coordinate()?,
        ];
        self.numbers.insert(tag, self.cells.nodes.len());
        self.cells.nodes.push(node);
        Ok(())
    }

    /// Nodes of version 2.
    fn old_nodes(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let count: usize = words.number("the number of nodes")?;
        for _ in 0..count {
            let tag = words.number("the number of a node")?;
            self.node(tag, words)?;
        }
        Ok(())
    }

    /// Nodes of version 4, in blocks: first all tags, then all places.
    fn nodes(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let blocks: usize = words.number("the number of blocks")?;
        // The total and the least and largest tag are not needed: each block counts its nodes.
        for _ in 0..3 {
            words.number::<u64>("a number of nodes")?;
        }

        for _ in 0..blocks {
            for _ in 0..2 {
                words.number::<i64>("an entity")?;
            }
            let parametric: u64 = words.number("0 or 1")?;
            if parametric != 0 {
                return Err(words.error("nodes have parameters; save the mesh without them"));
            }
            let count: usize = words.number("the number of nodes")?;
            let mut tags: Vec<u64> = Vec::new();
            for _ in 0..count {
                tags.push(words.number("the tag of a node")?);
            }
            for tag in tags {
                self.node(tag, words)?;
            }
        }
        Ok(())
    }

    /// Elements of version 2: each with tags; the first is the physical group, or 0 without one.
    fn old_elements(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let count: usize = words.number("the number of elements")?;
        for _ in 0..count {
            words.number::<u64>("the number of an element")?;
            let kind = words.number("the kind of an element")?;
            let tags: usize = words.number("the number of tags")?;
            let mut physical = Vec::new();
            for k in 0..tags {
                let tag: i64 = words.number("a tag")?;
                if k == 0 && tag != 0 {
                    physical.push(tag.unsigned_abs());
                }
            }
            self.element(kind, &physical, words)?;
        }
        Ok(())
    }

    /// Elements of version 4, in blocks of one entity and kind.
    fn elements(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let blocks: usize = words.number("the number of blocks")?;
        for _ in 0..3 {
            words.number::<u64>("a number of elements")?;
        }
        for _ in 0..blocks {
            let dimension: u64 = words.number("the dimension of an entity")?;
            let tag: i64 = words.number("the tag of an entity")?;
            let kind = words.number("the kind of elements")?;
            let count: usize = words.number("the number of elements")?;
            // Without $Entities, or in no physical group, an entity has elements without names.
            let physical = self.physical.get(&(dimension, tag.unsigned_abs()));
            let physical = physical.cloned().unwrap_or_default();

            for _ in 0..count {
                words.number::<u64>("the tag of an element")?;
                self.element(kind, &physical, words)?;
            }
        }
        Ok(())
    }

    /// Adds an element of Gmsh's kind, whose nodes come next.
    ///
    /// Gmsh numbers kinds: 1 is a line, 2 a triangle, 3 a quadrangle, 8 and 9 are the quadratic
    /// line and triangle, 15 is a point.
    fn element(&mut self, kind: u64, physical: &[u64], words: &mut Words) -> Result<(), ReadError> {
        let (own, dimension, count) = match kind {
            1 => (CellKind::Line, 1, 2),
            2 => (CellKind::Triangle, 2, 3),
            3 => (CellKind::Polygon, 2, 4),
            8 => (CellKind::QuadraticLine, 1, 3),
            9 => (CellKind::QuadraticTriangle, 2, 6),
            15 => (CellKind::Point, 0, 1),
            _ => {
                let message = format!(
                    "an element of Gmsh's kind {kind} is no triangle, quadrangle, line or point; mesh \
                     the surface alone (in Gmsh: -2), with elements of order 1 or 2"
                );
                return Err(words.error(&message));
            }
        };

        let mut nodes = Vec::with_capacity(count);
        for _ in 0..count {
            let tag: u64 = words.number("the tag of a node")?;
            let Some(&number) = self.numbers.get(&tag) else {
                return Err(words.error(&format!(
                    "an element names node {tag}, which does not exist"
                )));
            };
            nodes.push(number);
        }

        let names = physical.iter().map(|&tag| {
            let name = self.names.get(&(dimension, tag)).cloned();
            name.unwrap_or_else(|| tag.to_string())
        });
        self.cells.add(own, nodes, names.collect())
    }
}
