//! Meshes of Abaqus and `CalculiX` (.inp): nodes, elements, sets and surfaces, in parts and instances.
//!
//! A file without parts is one part. Sets and surfaces are the names; so are parts of an assembly.
//! Materials, steps and everything else are left out with a word. The format is described in
//! Abaqus' "Keywords Reference Guide".
//!
//! A file is a list of keywords. A line that begins with a star has a keyword and parameters between
//! commas; lines of data follow up to the next star. Two stars begin a comment. Words count in small and
//! capital letters alike.
//!
//! Nodes and elements stand within `*PART` or directly in the file. An assembly places parts by
//! `*INSTANCE`, with a displacement in the first line of data and a rotation about an axis in the
//! second. Sets of the assembly name the instance that their numbers are of.

mod assembly;
mod element_types;
mod keyword_lines;

use super::ReadError;
use super::cells::{Cells, unknown};
use super::names::few;
use assembly::{Element, Instance, Member, Part, Set, SetKind, put};
use element_types::{Shape, shape};
use keyword_lines::{Card, Cards};
use std::collections::BTreeMap;

/// Keywords that say nothing about a shape, and need no note.
/// They begin and end parts, or are titles.
const SILENT: [&str; 8] = [
    "HEADING",
    "PREPRINT",
    "END PART",
    "ASSEMBLY",
    "END ASSEMBLY",
    "END INSTANCE",
    "PART",
    "INSTANCE",
];

/// Keywords by which Abaqus makes nodes or elements, or takes them from elsewhere.
/// A mesh without their nodes would be wrong, so that they are errors.
const MAKING: [&str; 9] = [
    "NGEN",
    "NFILL",
    "NCOPY",
    "NMAP",
    "ELGEN",
    "ELCOPY",
    "INCLUDE",
    "SYSTEM",
    "TRANSFORM MESH",
];

/// A file while it is read.
#[derive(Default)]
struct Reading {
    /// Parts by name in lower case; a file without parts has one without a name.
    parts: BTreeMap<String, Part>,
    /// Part that lines belong to now.
    current: String,
    /// Instances in the order of the file.
    instances: Vec<Instance>,
    /// Sets of an assembly, each with the instance that its numbers are of.
    sets: Vec<(String, Set)>,
    /// Keywords that are left out.
    left: Vec<String>,
    /// Types of elements that are left out.
    types: Vec<String>,
}

/// Reads a mesh.
///
/// # Errors
/// If the bytes are not such a file, or have elements that are not shapes in the plane.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, ReadError> {
    let mut reading = Reading::default();
    for card in Cards::of(&String::from_utf8_lossy(bytes)) {
        reading.card(&card?)?;
    }
    if reading.parts.values().all(|part| part.nodes.is_empty()) {
        return Err(ReadError::new(
            "it has no *NODE with nodes, so that it is not a mesh of Abaqus or CalculiX",
        ));
    }

    reading.finish()
}

impl Reading {
    /// Reads a keyword and its lines.
    ///
    /// Other keywords are noted once each.
    ///
    /// # Errors
    /// If the keyword makes nodes or names another file, or its lines are malformed.
    fn card(&mut self, card: &Card) -> Result<(), ReadError> {
        match card.keyword.as_str() {
            "PART" => self.current = card.name("NAME")?.to_lowercase(),
            "END PART" | "END INSTANCE" => self.current = String::new(),
            "INSTANCE" => {
                let instance = Instance::of(card)?;
                // Nodes of an instance may stand in it instead of in a part.
                self.current.clone_from(&instance.part);
                self.instances.push(instance);
            }
            "NODE" => self.nodes(card)?,
            "ELEMENT" => self.elements(card)?,
            "NSET" => self.set(card, "NSET", SetKind::Nodes)?,
            "ELSET" => self.set(card, "ELSET", SetKind::Elements)?,
            "SURFACE" => {
                let kind = match card.parameter("TYPE").unwrap_or("ELEMENT") {
                    kind if kind.eq_ignore_ascii_case("ELEMENT") => SetKind::Sides,
                    kind if kind.eq_ignore_ascii_case("NODE") => SetKind::Nodes,
                    kind => {
                        self.left.push(format!("*SURFACE of type {kind}"));
                        return Ok(());
                    }
                };
                self.set(card, "NAME", kind)?;
            }
            keyword if MAKING.contains(&keyword) => {
                return Err(card.error(&format!(
                    "*{keyword} makes or moves nodes or elements, or names another file, and is not read; write \
                     all nodes and elements into one file (in Abaqus/CAE: Write Input)"
                )));
            }
            keyword => {
                let word = format!("*{keyword}");
                if !SILENT.contains(&keyword) && !self.left.contains(&word) {
                    self.left.push(word);
                }
            }
        }

        Ok(())
    }

    /// The part that lines belong to.
    /// It is made when its first line is read.
    fn part(&mut self) -> &mut Part {
        self.parts.entry(self.current.clone()).or_default()
    }

    /// Reads nodes: a number and two or three coordinates each.
    ///
    /// Coordinates that a line leaves out are 0. With the parameter `NSET` the nodes are a set, too.
    ///
    /// # Errors
    /// If coordinates are cylindrical or spherical, or a number is malformed.
    fn nodes(&mut self, card: &Card) -> Result<(), ReadError> {
        if card
            .parameter("SYSTEM")
            .is_some_and(|system| !system.eq_ignore_ascii_case("R"))
        {
            return Err(
                card.error("nodes are not in rectangular coordinates; write them as x, y, z")
            );
        }

        let part = self.part();
        let mut members = Vec::new();
        for line in &card.lines {
            let tag = line.number(0, "the number of a node")?;
            let mut node = [0.0; 3];
            for (k, coordinate) in node.iter_mut().enumerate() {
                *coordinate = line.coordinate(k + 1)?;
            }
            part.nodes.insert(tag, node);
            members.push(Member::Number(tag));
        }

        if let Some(name) = card.parameter("NSET") {
            part.sets.push(Set::new(name, SetKind::Nodes, members));
        }
        Ok(())
    }

    /// Reads elements: a number and the numbers of nodes each, which may go over several lines.
    ///
    /// With the parameter `ELSET` the elements are a set, too. Elements of unknown types, such as
    /// springs and masses, are left out with a word.
    ///
    /// # Errors
    /// If an element is of a volume, or has another number of nodes than its type.
    fn elements(&mut self, card: &Card) -> Result<(), ReadError> {
        let kind = card.name("TYPE")?.to_uppercase();
        let [corners, count] = match shape(&kind) {
            Shape::Plane { corners, nodes } => [corners, nodes],
            Shape::Volume => {
                let name =
                    format!("elements {kind}, which are tetrahedron, hexahedron or the like");
                return Err(card.error(&unknown(&name).message));
            }
            Shape::Unknown => {
                self.types.push(kind);
                return Ok(());
            }
        };

        // Numbers collect until the nodes are complete.
        let part = self.part();
        let mut members = Vec::new();
        let mut numbers: Vec<u64> = Vec::new();
        for line in &card.lines {
            for k in 0..line.len() {
                numbers.push(line.number(k, "the number of an element or node")?);
            }
            if numbers.len() <= count {
                continue;
            }
            if numbers.len() > count + 1 {
                return Err(card.error(&format!(
                    "element {} of type {kind} has {} nodes, but must have {count}; orders above 2 are not read",
                    numbers[0],
                    numbers.len() - 1
                )));
            }

            let nodes = numbers[1..=count].to_vec();
            members.push(Member::Number(numbers[0]));
            part.elements.insert(numbers[0], Element { corners, nodes });
            numbers.clear();
        }

        if !numbers.is_empty() {
            return Err(card.error(&format!(
                "the last element {} of type {kind} has {} nodes, but must have {count}",
                numbers[0],
                numbers.len() - 1
            )));
        }

        if let Some(name) = card.parameter("ELSET") {
            part.sets.push(Set::new(name, SetKind::Elements, members));
        }
        Ok(())
    }

    /// Reads a set of nodes, elements or sides, whose name has this key.
    ///
    /// With `GENERATE` a line has the first number, the last one and a step, 1 if it is absent. A set
    /// of an assembly names its instance.
    ///
    /// # Errors
    /// If the set has no name, or a range is malformed.
    fn set(&mut self, card: &Card, key: &str, kind: SetKind) -> Result<(), ReadError> {
        let name = card.name(key)?;
        let mut members = Vec::new();
        for line in &card.lines {
            if card.parameter("GENERATE").is_some() {
                let first = line.number(0, "the first number of a set")?;
                let last = line.number(1, "the last number of a set")?;
                let step = if line.len() > 2 {
                    line.number(2, "the step of a set")?
                } else {
                    1
                };
                members.push(Member::Range([first, last, step.max(1)]));
            } else if kind == SetKind::Sides {
                members.push(Member::Side(
                    line.word(0).to_owned(),
                    line.word(1).to_uppercase(),
                ));
            } else {
                members.extend((0..line.len()).map(|k| Member::of(line.word(k))));
            }
        }

        let set = Set::new(name, kind, members);
        match card.parameter("INSTANCE") {
            Some(instance) => self.sets.push((instance.to_lowercase(), set)),
            None => self.part().sets.push(set),
        }

        Ok(())
    }

    /// Nodes, cells and names of all parts at their places.
    ///
    /// Instances follow each other in the order of the file, and parts without an assembly by their
    /// names.
    ///
    /// # Errors
    /// If an instance is of an unknown part, or an element names an unknown node.
    fn finish(self) -> Result<Cells, ReadError> {
        let mut cells = Cells::default();
        // Each instance is a copy of its part.
        let mut instances = self.instances;
        if instances.is_empty() {
            // A file without an assembly has its parts where they are.
            instances = self
                .parts
                .keys()
                .map(|name| Instance::at_rest(name))
                .collect();
        }

        for instance in &instances {
            let Some(part) = self.parts.get(&instance.part) else {
                let message = format!(
                    "an instance is of the part \"{}\", which does not exist",
                    instance.part
                );
                return Err(ReadError::new(message));
            };

            let own = self
                .sets
                .iter()
                .filter(|(owner, _)| *owner == instance.name);
            let sets: Vec<&Set> = own.map(|(_, set)| set).collect();
            put(part, instance, &sets, &mut cells)?;
        }

        if !self.left.is_empty() {
            let left = few(&self.left);
            cells.notes.push(format!(
                "only nodes, elements, sets and surfaces are read; left out: {left}"
            ));
        }

        if !self.types.is_empty() {
            let types = few(&self.types);
            cells
                .notes
                .push(format!("elements of these types were left out: {types}"));
        }

        Ok(cells)
    }
}
