//! Meshes of Gmsh (.msh), versions 2.2 and 4.1, as text or binary.
//!
//! Nodes that no element uses are allowed: a model has them at the centres of its arcs. Elements of
//! a group that is given twice, for two surfaces, are in one group here.
//!
//! A mesh that was cut for several processors has the groups of the entities that it was cut from.
//! Physical groups are the names; a group without a name has its number, as `"7"`. The formats are
//! described in Gmsh's reference manual, "MSH file format".
//!
//! A file is a list of sections, each between `$Name` and `$EndName`:
//!
//! - `$MeshFormat`: version, 0 for text or 1 for binary, bytes of a number. In a binary file the number 1
//!   follows, by which the order of bytes is known;
//! - `$PhysicalNames`: dimension, tag and name of each group, as text in every file;
//! - `$Entities` (4.1): for each point, curve, surface and volume its tag, a box around it, tags of its
//!   groups, and tags of the entities around it;
//! - `$PartitionedEntities` (4.1): the same for the pieces of a mesh that was cut, each with the
//!   dimension and tag of the entity that it was cut from;
//! - `$Nodes`: in 2.2 a tag and three coordinates each; in 4.1 blocks, one for each entity, of all tags
//!   and then all coordinates, perhaps with parameters on the entity;
//! - `$Elements`: in 2.2 tag, kind, tags and nodes each, where the first tag is the group; in 4.1 blocks
//!   of one entity and kind, which has the group.
//!
//! Tags of entities and whole numbers have 4 bytes in binary files; counts and tags of nodes and
//! elements have 8 bytes in 4.1, and 4 bytes in 2.2.

use super::ReadError;
use super::cells::{Cells, unknown};
use super::kinds::{Kind, Order};
use super::numbers::Words;
use std::collections::BTreeMap;

/// A mesh while it is read.
///
/// Nodes have tags, which need not follow each other. In version 4 a group belongs to an entity,
/// such as a curve or a surface of the model, and elements belong to an entity in turn.
#[derive(Default)]
struct Reading {
    /// Nodes and cells so far, as all formats have them.
    cells: Cells,
    /// Number of each node by its tag.
    numbers: BTreeMap<u64, usize>,
    /// Names of physical groups by dimension and tag.
    names: BTreeMap<(usize, u64), String>,
    /// Physical groups of each entity by dimension and tag.
    physical: BTreeMap<(usize, u64), Vec<u64>>,
}

/// Reads a mesh.
///
/// Sections may come in any order that has the format first and nodes before elements; others are
/// skipped word by word.
///
/// # Errors
/// If the text is no mesh of these versions, or has cells that are not shapes in the plane.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, ReadError> {
    let mut words = Words::of(bytes);
    let mut reading = Reading::default();
    let mut version: Option<f64> = None;

    // Known after the first section of a binary file.
    let mut order = None;
    while let Some(section) = words.next() {
        // Names are text in a binary file, too.
        words.binary = order;
        match (section, version) {
            ("$MeshFormat", _) => {
                let read = format(&mut words)?;
                version = Some(read.0);
                order = read.1;
            }
            ("$PhysicalNames", _) => reading.names(&mut words)?,
            ("$Entities", _) => reading.entities(&mut words)?,
            ("$PartitionedEntities", _) => reading.partitioned(&mut words)?,
            ("$Nodes", Some(version)) if version < 3.0 => reading.old_nodes(&mut words)?,
            ("$Nodes", Some(_)) => reading.nodes(&mut words)?,
            ("$Elements", Some(version)) if version < 3.0 => reading.old_elements(&mut words)?,
            ("$Elements", Some(_)) => reading.elements(&mut words)?,
            ("$Nodes" | "$Elements", None) => {
                return Err(words.error("$MeshFormat should come before this"));
            }
            ("$NOD" | "$NOE", None) => {
                let message = "the mesh is of Gmsh's version 1; save it as 2.2 or 4.1 (gmsh -save -format msh41)";
                return Err(words.error(message));
            }
            // Results and other sections that say nothing about the shape.
            _ => {}
        }
    }

    if version.is_none() {
        let message = "it has no $MeshFormat, so that it is not a mesh of Gmsh, 2.2 or 4.1";
        return Err(ReadError::new(message));
    }

    Ok(reading.cells)
}

/// Version of the format, and the order of bytes if the rest is binary.
///
/// Versions 2.0 to 2.2 have the same form, and 4.0 has another one than 4.1, so that it is refused.
///
/// # Errors
/// If the version is another one.
fn format(words: &mut Words) -> Result<(f64, Option<Order>), ReadError> {
    words.binary = None;
    let version: f64 = words.number("the version of the format")?;
    let kind: u64 = words.number("the kind of the file, 0 for text")?;
    if !((2.0..2.3).contains(&version) || (4.1..4.2).contains(&version)) {
        let message = format!(
            "the version of the format is {version}, but 2.2 and 4.1 are read; save the mesh as one of \
             these (in Gmsh: Mesh.MshFileVersion)"
        );
        return Err(words.error(&message));
    }

    if kind == 0 {
        return Ok((version, None));
    }

    // Gmsh writes doubles and counts of 8 bytes.
    let width: u64 = words.number("the number of bytes of a number")?;
    if width != 8 {
        return Err(words.error(&format!(
            "its numbers have {width} bytes, but must have 8; save the mesh again by Gmsh"
        )));
    }
    // The number 1 in the order of the machine that wrote the file.
    let order = match words.bytes(4, "the number 1")? {
        [1, 0, 0, 0] => Order::Little,
        [0, 0, 0, 1] => Order::Big,
        _ => return Err(words.error("the order of bytes is not known: the file is damaged")),
    };

    Ok((version, Some(order)))
}

impl Reading {
    /// Names of physical groups: dimension, tag, name in quotes. They are always text.
    ///
    /// A name may have spaces.
    ///
    /// # Errors
    /// If a count, dimension or tag is not a whole number.
    fn names(&mut self, words: &mut Words) -> Result<(), ReadError> {
        words.binary = None;
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
    ///
    /// Entities of all four dimensions are numbered apart, so that a curve 1 and a surface 1 differ.
    ///
    /// # Errors
    /// If the section ends early, or a number is malformed.
    fn entities(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let mut counts = [0usize; 4];
        for count in &mut counts {
            *count = words.count(Kind::U64, "the number of entities")?;
        }

        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let tag = words.whole(Kind::I32, "the tag of an entity")?;
                let physical = groups(dimension, words)?;
                self.physical
                    .insert((dimension, tag.unsigned_abs()), physical);
            }
        }

        Ok(())
    }

    /// Entities that were cut from others for several processors.
    ///
    /// A piece has the groups of the entity that it was cut from, if it lists none itself.
    ///
    /// # Errors
    /// If the section ends early, or a number is malformed.
    fn partitioned(&mut self, words: &mut Words) -> Result<(), ReadError> {
        words.count(Kind::U64, "the number of partitions")?;
        // Entities of elements that neighbours need.
        let ghosts = words.count(Kind::U64, "the number of ghost entities")?;
        for _ in 0..ghosts {
            words.whole(Kind::I32, "the tag of a ghost entity")?;
            words.whole(Kind::I32, "a partition")?;
        }

        let mut counts = [0usize; 4];
        for count in &mut counts {
            *count = words.count(Kind::U64, "the number of entities")?;
        }

        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let tag = words.whole(Kind::I32, "the tag of an entity")?;
                let parent = words.count(Kind::I32, "the dimension of an entity");
                let parent_tag = words.whole(Kind::I32, "the tag of an entity")?;
                let partitions = words.count(Kind::U64, "the number of partitions")?;
                for _ in 0..partitions {
                    words.whole(Kind::I32, "a partition")?;
                }
                let mut physical = groups(dimension, words)?;

                // Boundaries between partitions have a parent of a higher dimension, and no group.
                if physical.is_empty() && parent.is_ok_and(|parent| parent == dimension) {
                    let of_parent = self.physical.get(&(dimension, parent_tag.unsigned_abs()));
                    physical = of_parent.cloned().unwrap_or_default();
                }
                self.physical
                    .insert((dimension, tag.unsigned_abs()), physical);
            }
        }

        Ok(())
    }

    /// Adds a node.
    ///
    /// Three coordinates come next, also in a mesh in the plane. A tag that occurs again names the
    /// later node.
    ///
    /// # Errors
    /// If a coordinate is absent or not finite.
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
    ///
    /// # Errors
    /// If the section ends early, or a number is malformed.
    fn old_nodes(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let count = count_in_text(words, "the number of nodes")?;
        for _ in 0..count {
            let tag = words.count(Kind::I32, "the number of a node")?;
            self.node(tag as u64, words)?;
        }

        Ok(())
    }

    /// Nodes of version 4, in blocks: first all tags, then all places.
    ///
    /// A block belongs to one entity of the model, which does not matter for its nodes.
    ///
    /// # Errors
    /// If the section ends early, or a number is malformed.
    fn nodes(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let blocks = words.count(Kind::U64, "the number of blocks")?;
        // The total and the least and largest tag are not needed: each block counts its nodes.
        for _ in 0..3 {
            words.count(Kind::U64, "a number of nodes")?;
        }

        for _ in 0..blocks {
            let dimension = words.count(Kind::I32, "the dimension of an entity")?;
            words.whole(Kind::I32, "the tag of an entity")?;
            let is_parametric = words.whole(Kind::I32, "0 or 1")? != 0;
            let count = words.count(Kind::U64, "the number of nodes")?;
            let mut tags: Vec<u64> = Vec::new();
            for _ in 0..count {
                tags.push(words.count(Kind::U64, "the tag of a node")? as u64);
            }
            for tag in tags {
                self.node(tag, words)?;
                // Parameters of the node on its curve or surface.
                for _ in 0..if is_parametric { dimension.min(3) } else { 0 } {
                    words.coordinate()?;
                }
            }
        }

        Ok(())
    }

    /// Elements of version 2: each with tags; the first is the physical group, or 0 without one.
    ///
    /// In a binary file elements of one kind follow a head with the kind, their number and the
    /// number of tags of each.
    ///
    /// # Errors
    /// If an element has another kind than the known ones, or names an unknown node.
    fn old_elements(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let count = count_in_text(words, "the number of elements")?;
        let mut left = count;
        while left > 0 {
            let head = if words.binary.is_some() {
                let kind = words.count(Kind::I32, "the kind of elements")?;
                let own = words.count(Kind::I32, "the number of elements")?;
                let tags = words.count(Kind::I32, "the number of tags")?;
                // An empty block would never end the list.
                Some((kind, own.clamp(1, left), tags))
            } else {
                None
            };

            for _ in 0..head.map_or(1, |(_, own, _)| own) {
                words.count(Kind::I32, "the number of an element")?;
                let (kind, tags) = match head {
                    Some((kind, _, tags)) => (kind, tags),
                    None => (
                        words.number("the kind of an element")?,
                        words.number("the number of tags")?,
                    ),
                };
                let mut physical = Vec::new();
                for k in 0..tags {
                    let tag = words.whole(Kind::I32, "a tag")?;
                    if k == 0 && tag != 0 {
                        physical.push(tag.unsigned_abs());
                    }
                }
                self.element(kind, &physical, Kind::I32, words)?;
                left -= 1;
            }
        }

        Ok(())
    }

    /// Elements of version 4, in blocks of one entity and kind.
    ///
    /// Groups follow from the entity of the block, by its dimension and tag.
    ///
    /// # Errors
    /// If an element has another kind than the known ones, or names an unknown node.
    fn elements(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let blocks = words.count(Kind::U64, "the number of blocks")?;
        for _ in 0..3 {
            words.count(Kind::U64, "a number of elements")?;
        }
        for _ in 0..blocks {
            let dimension = words.count(Kind::I32, "the dimension of an entity")?;
            let tag = words.whole(Kind::I32, "the tag of an entity")?;
            let kind = words.count(Kind::I32, "the kind of elements")?;
            let count = words.count(Kind::U64, "the number of elements")?;
            // Without $Entities, or in no physical group, an entity has elements without names.
            let physical = self.physical.get(&(dimension, tag.unsigned_abs()));
            let physical = physical.cloned().unwrap_or_default();

            for _ in 0..count {
                words.count(Kind::U64, "the tag of an element")?;
                self.element(kind, &physical, Kind::U64, words)?;
            }
        }

        Ok(())
    }

    /// Adds an element of Gmsh's kind, whose nodes come next.
    ///
    /// Gmsh numbers kinds: 1 is a line, 2 a triangle, 3 a quadrangle, 8, 9, 10 and 16 are the
    /// quadratic line, triangle and quadrangles, 15 is a point.
    ///
    /// `physical` are the tags of its groups, and `of_tags` is the kind of a tag of a node in a
    /// binary file.
    ///
    /// # Errors
    /// If the kind is another one, or a node does not exist.
    fn element(
        &mut self,
        kind: usize,
        physical: &[u64],
        of_tags: Kind,
        words: &mut Words,
    ) -> Result<(), ReadError> {
        // Dimension, corners and nodes.
        let (dimension, corners, count) = match kind {
            1 => (1, 2, 2),
            2 => (2, 3, 3),
            3 => (2, 4, 4),
            8 => (1, 2, 3),
            9 => (2, 3, 6),
            10 => (2, 4, 9),
            15 => (0, 1, 1),
            16 => (2, 4, 8),
            _ => {
                let name = format!("{} (Gmsh's kind {kind})", named_by_gmsh(kind));
                return Err(words.error(&unknown(&name).message));
            }
        };

        let mut nodes = Vec::with_capacity(count);
        for _ in 0..count {
            let tag = words.count(of_tags, "the tag of a node")? as u64;
            let Some(&number) = self.numbers.get(&tag) else {
                return Err(words.error(&format!(
                    "an element names node {tag}, which does not exist"
                )));
            };
            nodes.push(number);
        }

        // A group without a name has its number.
        let names = physical.iter().map(|&tag| {
            let name = self.names.get(&(dimension, tag)).cloned();
            name.unwrap_or_else(|| tag.to_string())
        });

        self.cells.add_by_count(corners, nodes, names.collect())
    }
}

/// Place or box, physical tags and bounding entities of an entity of a dimension; gives the tags.
///
/// A point has three coordinates, all others have six of a box. Tags of bounding entities, which
/// points lack, are passed over.
///
/// # Errors
/// If the section ends early, or a number is malformed.
fn groups(dimension: usize, words: &mut Words) -> Result<Vec<u64>, ReadError> {
    for _ in 0..if dimension == 0 { 3 } else { 6 } {
        words.coordinate()?;
    }
    // Groups follow the place or box.
    let count = words.count(Kind::U64, "the number of physical groups")?;
    let mut physical = Vec::new();
    for _ in 0..count {
        // A negative tag reverses the orientation of a group, which is the same group.
        let tag = words.whole(Kind::I32, "the tag of a physical group")?;
        physical.push(tag.unsigned_abs());
    }

    if dimension > 0 {
        let bounds = words.count(Kind::U64, "the number of bounding entities")?;
        for _ in 0..bounds {
            words.whole(Kind::I32, "the tag of a bounding entity")?;
        }
    }

    Ok(physical)
}

/// A count of version 2, which is text in a binary file, too.
///
/// `what` names it in the message.
///
/// # Errors
/// If it is not a whole number.
fn count_in_text(words: &mut Words, what: &str) -> Result<usize, ReadError> {
    let order = words.binary.take();
    let count = words.number(what);
    words.binary = order;
    count
}

/// Name of a kind of elements, with an article.
/// The numbers are listed in Gmsh's reference manual, "Low order elements" and "High order elements".
fn named_by_gmsh(kind: usize) -> &'static str {
    match kind {
        4 | 11 | 29..=33 => "a tetrahedron",
        5 | 12 | 17 | 92..=98 => "a hexahedron",
        6 | 13 | 18 | 90 | 91 => "a prism",
        7 | 14 | 19 | 118..=132 => "a pyramid",
        20 | 21 => "a triangle of order 3",
        22 | 23 => "a triangle of order 4",
        24 | 25 => "a triangle of order 5",
        26 => "a line of order 3",
        27 => "a line of order 4",
        28 => "a line of order 5",
        36 | 39 => "a quadrangle of order 3",
        37 | 40 => "a quadrangle of order 4",
        34 | 35 => "a polygon or polyhedron",
        42..=46 | 52..=56 => "a triangle of an order above 5",
        47..=51 | 57..=61 | 38 | 41 => "a quadrangle of an order above 4",
        62..=66 => "a line of an order above 5",
        _ => "an element",
    }
}
