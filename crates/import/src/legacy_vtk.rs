//! Legacy grids of VTK (.vtk), text or binary: unstructured grids of versions up to 5.1, polygons,
//! and structured grids of one layer.
//!
//! Whole numbers of cells are names: cells where `material` is 2 are in the group `"material=2"`.
//! Other numbers are results, and are left out with a word. The format is described in VTK's "File
//! formats for VTK".
//!
//! A file has four lines at its head: the version, a title, `ASCII` or `BINARY`, and `DATASET` with the
//! kind of the grid. Keywords follow, each with counts and numbers:
//!
//! - `POINTS n kind`: three coordinates each;
//! - `CELLS n size`: for each cell the number of its points and the points; from version 5 on two lists
//!   `OFFSETS` and `CONNECTIVITY` instead;
//! - `CELL_TYPES n`: the kind of each cell;
//! - `POLYGONS`, `LINES`, `VERTICES`, `TRIANGLE_STRIPS`: cells of one kind, written as `CELLS`;
//! - `CELL_DATA n`, `POINT_DATA n`: arrays follow, each by a keyword such as `SCALARS`, or several in a
//!   `FIELD` with their names, components, lengths and kinds;
//! - `METADATA`: lines about the array before, up to a blank one.
//!
//! Binary numbers have their greatest byte first and begin after the end of the line. Everything unknown
//! is skipped word by word, so that a text with unknown sections is still read.

use super::ReadError;
use super::cells::Cells;
use super::kinds::{Kind, Order, index, whole};
use super::names::CellNames;
use super::numbers::Words;

/// A grid while it is read.
///
/// Kinds of cells may come after the cells, and names of cells after both, so that cells are put
/// together at the end.
#[derive(Default)]
struct Reading {
    /// Places of points, and the cells once they are put together.
    cells: Cells,
    /// Nodes of each cell.
    nodes: Vec<Vec<usize>>,
    /// Kind of each cell.
    kinds: Vec<u64>,
    /// Names of each cell.
    names: CellNames,
    /// Numbers of points along the axes of a structured grid.
    dimensions: Option<[usize; 3]>,
    /// What the arrays that come next belong to.
    owner: Owner,
}

/// What arrays of numbers belong to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Owner {
    /// The grid as a whole.
    #[default]
    Grid,
    /// Each of this many points.
    Points(usize),
    /// Each of this many cells.
    Cells(usize),
}

/// Reads a grid.
///
/// The version in the first line is not compared: the form of `CELLS` tells old and new files apart.
///
/// # Errors
/// If the bytes are no such grid.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, ReadError> {
    if !bytes.starts_with(b"# vtk DataFile") {
        let message =
            "it does not begin with \"# vtk DataFile\", so that it is no legacy grid of VTK";
        return Err(ReadError::new(message));
    }

    let mut words = Words::of(bytes);
    for _ in 0..2 {
        words.next_line();
    }
    // The third line says whether the rest is text.
    words.binary = match words.next().map(str::to_ascii_uppercase).as_deref() {
        Some("ASCII") => None,
        Some("BINARY") => Some(Order::Big),
        _ => return Err(words.error("neither ASCII nor BINARY stands here")),
    };

    let mut reading = Reading::default();
    while let Some(word) = words.next() {
        reading.section(&word.to_ascii_uppercase(), &mut words)?;
    }
    reading.finish()
}

impl Reading {
    /// Reads what a word begins.
    ///
    /// Words that begin nothing are passed over. `word` is in capital letters, since files have them
    /// in either case.
    ///
    /// # Errors
    /// If the section is malformed or cut off.
    fn section(&mut self, word: &str, words: &mut Words) -> Result<(), ReadError> {
        match word {
            "DATASET" => {
                let kind: String = words.number("the kind of the grid")?;
                // Other kinds have their points in a form that is not read.
                let known = ["UNSTRUCTURED_GRID", "POLYDATA", "STRUCTURED_GRID"];
                if !known.contains(&kind.to_ascii_uppercase().as_str()) {
                    let message = format!(
                        "the grid is a {kind}, but an UNSTRUCTURED_GRID, POLYDATA or STRUCTURED_GRID is read"
                    );
                    return Err(words.error(&message));
                }
            }
            "DIMENSIONS" => {
                let mut all = [0; 3];
                for dimension in &mut all {
                    *dimension = words.number("a number of points along an axis")?;
                }
                self.dimensions = Some(all);
            }
            "POINTS" => self.points(words)?,
            "CELLS" => self.cells(words, None)?,
            "VERTICES" => self.cells(words, Some(2))?,
            "POLYGONS" => self.cells(words, Some(7))?,
            "LINES" => self.cells(words, Some(4))?,
            "TRIANGLE_STRIPS" => self.cells(words, Some(6))?,
            "CELL_TYPES" => {
                let count = words.number("the number of cells")?;
                for kind in words.values(Kind::I32, count, "the kind of a cell")? {
                    self.kinds.push(index(kind, "the kind of a cell")? as u64);
                }
            }
            "CELL_DATA" => self.owner = Owner::Cells(words.number("the number of cells")?),
            "POINT_DATA" => self.owner = Owner::Points(words.number("the number of points")?),
            "METADATA" => {
                // A paragraph about the array before it.
                words.rest_of_line();
                while words.next_line().is_some_and(|line| !line.is_empty()) {}
            }
            _ => self.data(word, words)?,
        }

        Ok(())
    }

    /// Reads an array of numbers of points or cells.
    ///
    /// The number of components follows from the keyword, or stands after the name. Arrays of the
    /// grid as a whole, such as its time, have no count except in a `FIELD`.
    ///
    /// # Errors
    /// If the head of the array is malformed, or numbers that name cells are cut off.
    fn data(&mut self, word: &str, words: &mut Words) -> Result<(), ReadError> {
        let count = match self.owner {
            Owner::Grid => 0,
            Owner::Points(count) | Owner::Cells(count) => count,
        };

        match word {
            "SCALARS" => {
                let rest = words.rest_of_line();
                let (Some(name), Some(kind)) = (rest.first(), rest.get(1)) else {
                    return Err(words.error("SCALARS has no name or no kind"));
                };
                let components = rest.get(2).and_then(|word| word.parse().ok()).unwrap_or(1);
                // A line with the lookup table comes before the numbers.
                if words.peek_word() == Some("LOOKUP_TABLE") {
                    words.next_line();
                }
                self.array(name, kind, [components, count], words)?;
            }
            "VECTORS" | "NORMALS" | "TENSORS" | "GLOBAL_IDS" | "PEDIGREE_IDS" => {
                let name: String = words.number("the name of an array")?;
                let kind: String = words.number("the kind of an array")?;
                let components = match word {
                    "TENSORS" => 9,
                    "VECTORS" | "NORMALS" => 3,
                    _ => 1,
                };
                self.array(&name, &kind, [components, count], words)?;
            }
            "TEXTURE_COORDINATES" => {
                let name: String = words.number("the name of an array")?;
                let components = words.number("the number of coordinates")?;
                let kind: String = words.number("the kind of an array")?;
                self.array(&name, &kind, [components, count], words)?;
            }
            "COLOR_SCALARS" | "LOOKUP_TABLE" => {
                let name: String = words.number("the name of an array")?;
                let number: usize = words.number("a number of colours")?;
                let size = if word == "LOOKUP_TABLE" {
                    [4, number]
                } else {
                    [number, count]
                };
                // Colours are bytes in a binary file, and shares of 1 in a text.
                let kind = if words.binary.is_some() {
                    "unsigned_char"
                } else {
                    "float"
                };
                self.array(&name, kind, size, words)?;
            }
            "FIELD" => {
                words.number::<String>("the name of a field")?;
                let arrays: usize = words.number("the number of arrays")?;
                for _ in 0..arrays {
                    if !self.field(words)? {
                        break;
                    }
                }
            }
            _ => {}
        }

        Ok(())
    }

    /// Reads an array of a field; false if its length is not known, so that none can follow.
    ///
    /// An array has its name, components, number of values and kind in one line.
    ///
    /// # Errors
    /// If this line is malformed.
    fn field(&mut self, words: &mut Words) -> Result<bool, ReadError> {
        let mut name: String = words.number("the name of an array")?;
        if name == "METADATA" {
            while words.next_line().is_some_and(|line| !line.is_empty()) {}
            name = words.number("the name of an array")?;
        }

        let components = words.number("the number of components")?;
        let count = words.number("the number of values")?;
        let kind: String = words.number("the kind of an array")?;
        self.array(&name, &kind, [components, count], words)
    }

    /// Reads the numbers of an array, which name cells if they are whole and there is one for
    /// each; false if such a kind of numbers does not exist.
    ///
    /// `components` numbers belong to each of `count` values. Spaces of a name are written as `%20`.
    ///
    /// # Errors
    /// If numbers that name cells are cut off, or too large for names.
    fn array(
        &mut self,
        name: &str,
        kind: &str,
        [components, count]: [usize; 2],
        words: &mut Words,
    ) -> Result<bool, ReadError> {
        let name = name.replace("%20", " ");
        let Some(kind) = Kind::of_legacy(kind) else {
            // Texts and bits have another length than their number; sections that follow are found
            // by their names.
            self.names.leave(&name);
            return Ok(false);
        };

        // A wrong number ends with the file, not with memory.
        let total = components.saturating_mul(count);
        let values = words.values(kind, total, "a number of an array");
        match self.owner {
            Owner::Cells(cells) if kind.is_whole() && components == 1 && count == cells => {
                let values: Result<Vec<i64>, _> = values?
                    .into_iter()
                    .map(|value| whole(value, "a whole number of a cell"))
                    .collect();
                self.names.add(&name, &values?);
            }
            // Arrays that are left out may be cut off.
            Owner::Cells(_) | Owner::Points(_) => self.names.leave(&name),
            Owner::Grid => {}
        }

        Ok(true)
    }

    /// Places of points.
    ///
    /// # Errors
    /// If the kind is unknown, numbers are cut off, or a coordinate is not finite.
    fn points(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let count: usize = words.number("the number of points")?;
        let kind: String = words.number("the kind of coordinates")?;
        let kind = Kind::of_legacy(&kind)
            .ok_or_else(|| words.error(&format!("coordinates are of the unknown kind {kind}")))?;
        // All coordinates at once, in text or binary.
        let places = words.values(kind, count.saturating_mul(3), "a coordinate")?;
        for place in places.chunks_exact(3) {
            if let Some(wrong) = place.iter().find(|coordinate| !coordinate.is_finite()) {
                let number = self.cells.nodes.len();
                let message =
                    format!("a coordinate of point {number} is {wrong}, but must be finite");
                return Err(words.error(&message));
            }

            self.cells.nodes.push([place[0], place[1], place[2]]);
        }

        Ok(())
    }

    /// Cells: each with the number of its points, or offsets and points apart. `kind` is that of
    /// all of them, if there is no list of kinds.
    ///
    /// The second number of the head is the length of the list in old files, and the number of all
    /// points of cells in new ones.
    ///
    /// # Errors
    /// If counts do not fit the numbers.
    fn cells(&mut self, words: &mut Words, kind: Option<u64>) -> Result<(), ReadError> {
        let first: usize = words.number("the number of cells")?;
        let second: usize = words.number("the number of numbers")?;
        // Files of version 5 name the kinds of two lists; older ones have one list of numbers.
        let rest = words.peek_word();
        if rest == Some("OFFSETS") {
            self.cells_by_offsets(words, [first, second])?;
        } else {
            let what = "the number of a point or of points";
            let numbers = words.values(Kind::I32, second, what)?;
            let mut rest = &numbers[..];
            for _ in 0..first {
                let (&count, after) = rest
                    .split_first()
                    .ok_or_else(|| words.error("cells have fewer numbers than they should have"))?;
                let (own, after) = after
                    .split_at_checked(index(count, "a number of points")?)
                    .ok_or_else(|| words.error("a cell has more points than numbers are left"))?;
                self.cell(own)?;
                rest = after;
            }
        }

        if let Some(kind) = kind {
            self.kinds.resize(self.nodes.len(), kind);
        }
        Ok(())
    }

    /// Cells by where the points of each begin in a list of all points.
    ///
    /// The cell `k` has the points from the offset `k` up to the offset `k + 1`, so that there is one
    /// offset more than cells.
    ///
    /// # Errors
    /// If a list is cut off, or offsets decrease.
    fn cells_by_offsets(
        &mut self,
        words: &mut Words,
        [offsets, points]: [usize; 2],
    ) -> Result<(), ReadError> {
        let mut lists = Vec::new();
        for count in [offsets, points] {
            words.number::<String>("OFFSETS or CONNECTIVITY")?;
            let kind: String = words.number("the kind of a list")?;
            let kind = Kind::of_legacy(&kind)
                .ok_or_else(|| words.error(&format!("a list is of the unknown kind {kind}")))?;
            lists.push(words.values(kind, count, "a number of cells")?);
        }

        // Each cell has the points between two offsets.
        for pair in lists[0].windows(2) {
            let [start, end] = [pair[0], pair[1]].map(|offset| index(offset, "an offset"));
            let own = lists[1].get(start?..end?).ok_or_else(|| {
                words.error("offsets are not in order, or beyond the points of cells")
            })?;
            self.cell(own)?;
        }

        Ok(())
    }

    /// Adds the nodes of a cell.
    ///
    /// Whether its points exist is compared at the end, when all points are known.
    ///
    /// # Errors
    /// If a number is negative or has a fraction.
    fn cell(&mut self, own: &[f64]) -> Result<(), ReadError> {
        let nodes = own
            .iter()
            .map(|&number| index(number, "the number of a point"));
        self.nodes.push(nodes.collect::<Result<_, _>>()?);
        Ok(())
    }

    /// Quadrangles of a structured grid of one layer.
    ///
    /// Points run along the first axis, then along the second. Cells run in the same order and
    /// counter-clockwise if the axes do, so that arrays of cells fit.
    ///
    /// # Errors
    /// If the grid has several layers, or another number of points than listed.
    fn structured(&mut self, dimensions: [usize; 3]) -> Result<(), ReadError> {
        // The direction with one point is left out.
        let long: Vec<usize> = dimensions.into_iter().filter(|&count| count > 1).collect();
        let [width, height] = long[..] else {
            let message = format!(
                "its grid has {} x {} x {} points, but one of these numbers must be 1",
                dimensions[0], dimensions[1], dimensions[2]
            );
            return Err(ReadError::new(message));
        };

        if width.checked_mul(height) != Some(self.cells.nodes.len()) {
            let message = format!(
                "its grid has {width} x {height} points, but {} are listed",
                self.cells.nodes.len()
            );
            return Err(ReadError::new(message));
        }

        // Corners run around each quadrangle.
        for row in 0..height - 1 {
            for column in 0..width - 1 {
                let first = row * width + column;
                self.nodes
                    .push(vec![first, first + 1, first + width + 1, first + width]);
                self.kinds.push(9);
            }
        }

        Ok(())
    }

    /// The cells with their kinds and names.
    ///
    /// # Errors
    /// If kinds are missing, a kind is not a shape in the plane, or a point does not exist.
    fn finish(mut self) -> Result<Cells, ReadError> {
        if let Some(dimensions) = self.dimensions {
            self.structured(dimensions)?;
        }
        // A file without CELL_TYPES has kinds of none.
        if self.kinds.len() != self.nodes.len() {
            let message = format!(
                "it has {} cells, but kinds of {}",
                self.nodes.len(),
                self.kinds.len()
            );
            return Err(ReadError::new(message));
        }

        let (names, notes) = self.names.finish(self.nodes.len());
        for ((nodes, kind), names) in self.nodes.iter().zip(self.kinds).zip(names) {
            self.cells.add_vtk(kind, nodes, &names)?;
        }
        self.cells.notes.extend(notes);
        Ok(self.cells)
    }
}
