//! Parts of an Abaqus model, and how instances of them become nodes and cells.
//!
//! Numbers of nodes and elements belong to a part, so that two parts may both have a node 1. Each
//! instance takes all nodes of its part, in the order of their numbers, and adds its elements with the
//! names of their sets and of the instance itself. Elements before sets: a set may stand before the
//! elements that it names.
//!
//! Sets may name other sets, also themselves. Each is followed once, and all members are counted, so
//! that a short file cannot ask for more memory than there is.

use super::keyword_lines::Card;
use crate::ReadError;
use crate::cells::{CellKind, Cells};
use ipcsim_math::elementary::{cos, hypot, sin};
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of members of all sets. Sets may name each other, so that a short file may ask for more
/// than any machine holds.
const MOST_MEMBERS: usize = 10_000_000;

/// Nodes, elements and sets of a part, by their numbers in the file.
#[derive(Default)]
pub(super) struct Part {
    /// Nodes.
    pub(super) nodes: BTreeMap<u64, [f64; 3]>,
    /// Elements.
    pub(super) elements: BTreeMap<u64, Element>,
    /// Sets and surfaces.
    pub(super) sets: Vec<Set>,
}

/// An element of a part.
pub(super) struct Element {
    /// Number of its corners.
    pub(super) corners: usize,
    /// Numbers of its nodes.
    pub(super) nodes: Vec<u64>,
}

/// Members of a set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SetKind {
    /// Nodes.
    Nodes,
    /// Elements.
    Elements,
    /// Sides of elements.
    Sides,
}

/// A set or a surface.
pub(super) struct Set {
    /// Name as the file writes it.
    name: String,
    /// Kind of its members.
    kind: SetKind,
    /// Members in the order of the file.
    members: Vec<Member>,
}

/// Something in a set.
pub(super) enum Member {
    /// A node or an element.
    Number(u64),
    /// Numbers from the first to the last by a step.
    Range([u64; 3]),
    /// All members of another set.
    Set(String),
    /// A side of an element or of all elements of a set, such as `S1`.
    Side(String, String),
}

impl Member {
    /// A number, or the name of another set.
    pub(super) fn of(word: &str) -> Self {
        match word.parse() {
            Ok(number) => Self::Number(number),
            Err(_) => Self::Set(word.to_owned()),
        }
    }
}

impl Set {
    /// A set of members.
    pub(super) fn new(name: &str, kind: SetKind, members: Vec<Member>) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            members,
        }
    }
}

/// A part at a place.
pub(super) struct Instance {
    /// Its name in lower case.
    pub(super) name: String,
    /// Name of the part in lower case.
    pub(super) part: String,
    /// Name for its cells; none if the file has no parts.
    label: Option<String>,
    /// Displacement, in the unit of the file.
    shift: [f64; 2],
    /// Centre (in the unit of the file) and angle (rad) of a rotation after that.
    turn: Option<([f64; 2], f64)>,
}

impl Instance {
    /// An instance with the displacement and rotation of its lines.
    ///
    /// The first line of data is the displacement. The second has two points of an axis and an angle
    /// in degrees, which turns to the right about the axis.
    ///
    /// # Errors
    /// If the axis of the rotation is not normal to the plane.
    pub(super) fn of(card: &Card) -> Result<Self, ReadError> {
        let name = card.name("NAME")?;
        let part = card.parameter("PART").unwrap_or_default();
        let mut own = Self {
            name: name.to_lowercase(),
            part: part.to_lowercase(),
            label: Some(name.to_owned()),
            shift: [0.0; 2],
            turn: None,
        };

        if let Some(line) = card.lines.first() {
            own.shift = [line.coordinate(0)?, line.coordinate(1)?];
        }
        if let Some(line) = card.lines.get(1) {
            let mut all = [0.0; 7];
            for (k, number) in all.iter_mut().enumerate() {
                *number = line.coordinate(k)?;
            }
            let [x, y, z, to_x, to_y, to_z, degrees] = all;
            let along = to_z - z;
            if hypot(to_x - x, to_y - y) > 1e-6 * along.abs() {
                return Err(card
                    .error("an instance is turned out of the plane; give all nodes in the plane"));
            }

            own.turn = Some(([x, y], degrees.to_radians() * along.signum()));
        }

        Ok(own)
    }

    /// A part where it is.
    pub(super) fn at_rest(part: &str) -> Self {
        Self {
            name: part.to_owned(),
            part: part.to_owned(),
            label: Some(part.to_owned()).filter(|part| !part.is_empty()),
            shift: [0.0; 2],
            turn: None,
        }
    }

    /// Place of a node.
    ///
    /// The displacement comes before the rotation, as Abaqus defines it. z does not change.
    fn place(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [x, y] = [x + self.shift[0], y + self.shift[1]];
        let Some(([x_0, y_0], angle)) = self.turn else {
            return [x, y, z];
        };
        let [x, y] = [x - x_0, y - y_0];
        let [c, s] = [cos(angle), sin(angle)];
        [x_0 + c * x - s * y, y_0 + s * x + c * y, z]
    }
}

/// Adds the nodes, elements and sets of an instance to `cells`; `sets` are the sets of the assembly
/// on it.
///
/// # Errors
/// If an element names a node that does not exist.
pub(super) fn put(
    part: &Part,
    instance: &Instance,
    sets: &[&Set],
    cells: &mut Cells,
) -> Result<(), ReadError> {
    let first = cells.nodes.len();
    cells
        .nodes
        .extend(part.nodes.values().map(|&node| instance.place(node)));
    // Numbers here by numbers of the file.
    let numbers: BTreeMap<u64, usize> = part.nodes.keys().copied().zip(first..).collect();
    let all: Vec<&Set> = part.sets.iter().chain(sets.iter().copied()).collect();
    let mut named = Named::of(part, &all);

    // Names of each element by the sets that have it.
    let mut names: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for set in all.iter().filter(|set| set.kind == SetKind::Elements) {
        for element in named.numbers(set, SetKind::Elements)? {
            names.entry(element).or_default().push(set.name.clone());
        }
    }

    for (&number, element) in &part.elements {
        let mut own = names.remove(&number).unwrap_or_default();
        own.extend(instance.label.clone());
        own.sort_unstable();
        own.dedup();
        let nodes = found(&numbers, number, &element.nodes)?;
        let nodes = if element.corners == 2 {
            with_middle_last(cells, nodes)
        } else {
            nodes
        };
        cells.add_by_count(element.corners, nodes, own)?;
    }

    // Sets of nodes, and surfaces as lines.
    for set in &all {
        match set.kind {
            SetKind::Nodes => {
                let own = named.numbers(set, SetKind::Nodes)?;
                let nodes = own.iter().filter_map(|node| numbers.get(node).copied());
                cells
                    .named_nodes
                    .entry(set.name.clone())
                    .or_default()
                    .extend(nodes);
            }
            SetKind::Sides => named.sides(set, &numbers, cells)?,
            SetKind::Elements => {}
        }
    }

    Ok(())
}

/// Numbers here of the nodes of an element.
///
/// `element` is the number of the element in the message.
///
/// # Errors
/// If a node does not exist.
fn found(
    numbers: &BTreeMap<u64, usize>,
    element: u64,
    nodes: &[u64],
) -> Result<Vec<usize>, ReadError> {
    let found = nodes.iter().map(|node| {
        numbers.get(node).copied().ok_or_else(|| {
            ReadError::new(format!(
                "element {element} names node {node}, which does not exist"
            ))
        })
    });
    found.collect()
}

/// Nodes of a line with the one in the middle last. Abaqus has it in the middle for beams, and other
/// programs last.
///
/// Of three nodes the middle is the one nearest to the half of the others. Lines of two nodes stay.
fn with_middle_last(cells: &Cells, nodes: Vec<usize>) -> Vec<usize> {
    let [a, b, c] = nodes[..] else { return nodes };
    // Any of the three may be the middle.
    let orders = [[a, b, c], [a, c, b], [b, c, a]];
    let distance = |[a, b, c]: [usize; 3]| {
        let [x, y, middle] = [a, b, c].map(|node| cells.nodes[node]);
        let off = (0..3).map(|k| 0.5 * (x[k] + y[k]) - middle[k]);
        off.map(|off| off * off).sum::<f64>()
    };

    let nearest = orders
        .into_iter()
        .min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    nearest.map_or(nodes, |nearest| nearest.to_vec())
}

/// Sets of a part and of the assembly on it, which name each other.
struct Named<'a> {
    /// Nodes and elements by number.
    part: &'a Part,
    /// Sets by their names in lower case: names count in small and capital letters alike.
    by_name: BTreeMap<String, Vec<&'a Set>>,
    /// Number of members that sets may still have.
    left: usize,
}

impl<'a> Named<'a> {
    /// Sets of a part.
    fn of(part: &'a Part, all: &[&'a Set]) -> Self {
        let mut by_name: BTreeMap<String, Vec<&Set>> = BTreeMap::new();
        for &set in all {
            by_name
                .entry(set.name.to_lowercase())
                .or_default()
                .push(set);
        }
        Self {
            part,
            by_name,
            left: MOST_MEMBERS,
        }
    }

    /// Sets of this name and kind.
    fn sets(&self, name: &str, kind: SetKind) -> Vec<&'a Set> {
        let own = self.by_name.get(&name.to_lowercase()).into_iter().flatten();
        own.copied().filter(|set| set.kind == kind).collect()
    }

    /// Numbers in a set of nodes or elements, and in the sets that it names.
    ///
    /// # Errors
    /// If all sets have too many members.
    fn numbers(&mut self, set: &'a Set, kind: SetKind) -> Result<BTreeSet<u64>, ReadError> {
        let mut found = BTreeSet::new();
        let mut followed = BTreeSet::new();
        let mut open = vec![set];
        while let Some(set) = open.pop() {
            for member in &set.members {
                let before = found.len();
                match member {
                    Member::Number(number) => {
                        found.insert(*number);
                    }
                    Member::Range(range) => found.extend(self.range(*range, kind)),
                    // Each set is followed once.
                    Member::Set(name) if followed.insert(name.to_lowercase()) => {
                        open.extend(self.sets(name, kind));
                    }
                    Member::Set(_) | Member::Side(..) => {}
                }
                self.count(1 + found.len() - before)?;
            }
        }

        Ok(found)
    }

    /// Counts members.
    ///
    /// # Errors
    /// If there are too many.
    fn count(&mut self, members: usize) -> Result<(), ReadError> {
        self.left = self.left.checked_sub(members).ok_or_else(|| {
            ReadError::new(format!(
                "its sets have more than {MOST_MEMBERS} members in all; write fewer sets"
            ))
        })?;

        Ok(())
    }

    /// Numbers from the first to the last by a step, as far as they exist, however long the range is.
    fn range(&self, [first, last, step]: [u64; 3], kind: SetKind) -> Vec<u64> {
        if first > last {
            return Vec::new();
        }
        let numbers: Vec<u64> = if kind == SetKind::Nodes {
            self.part
                .nodes
                .range(first..=last)
                .map(|(&number, _)| number)
                .collect()
        } else {
            self.part
                .elements
                .range(first..=last)
                .map(|(&number, _)| number)
                .collect()
        };
        numbers
            .into_iter()
            .filter(|number| (number - first).is_multiple_of(step))
            .collect()
    }

    /// Adds the sides of a surface as lines with its name.
    ///
    /// A side `S1` lies between the first two corners, with the first node after all corners in its
    /// middle.
    ///
    /// # Errors
    /// If sets have too many members, or a node does not exist.
    fn sides(
        &mut self,
        surface: &'a Set,
        numbers: &BTreeMap<u64, usize>,
        cells: &mut Cells,
    ) -> Result<(), ReadError> {
        for member in &surface.members {
            let Member::Side(owner, side) = member else {
                continue;
            };
            // Sides count from 1; a side without a number is a shell as a whole.
            let side = side
                .strip_prefix('S')
                .and_then(|side| side.parse::<usize>().ok());
            let Some(side) = side.and_then(|side| side.checked_sub(1)) else {
                continue;
            };
            let mut elements = BTreeSet::new();
            if let Ok(number) = owner.parse() {
                elements.insert(number);
            } else {
                for set in self.sets(owner, SetKind::Elements) {
                    elements.extend(self.numbers(set, SetKind::Elements)?);
                }
            }

            for number in elements {
                let Some(element) = self.part.elements.get(&number) else {
                    continue;
                };
                let corners = element.corners;
                if side >= corners || corners < 3 {
                    continue;
                }
                let mut nodes = vec![element.nodes[side], element.nodes[(side + 1) % corners]];
                nodes.extend(element.nodes.get(corners + side));
                let nodes = found(numbers, number, &nodes)?;
                let kind = if nodes.len() == 3 {
                    CellKind::QuadraticLine
                } else {
                    CellKind::Line
                };
                cells.add(kind, nodes, vec![surface.name.clone()])?;
            }
        }

        Ok(())
    }
}
