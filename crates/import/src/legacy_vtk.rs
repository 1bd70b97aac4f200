//! Legacy grids of VTK (.vtk) as text: unstructured grids of versions up to 5.1, and polygons.
//!
//! Whole numbers of cells are names: cells where `material` is 2 are in the group `"material=2"`.
//! The format is described in VTK's "File formats for VTK".

use super::ReadError;
use super::cells::Cells;
use super::numbers::Words;
use super::text::text;

/// Number of different values of an array of cells up to which they are names. More are numbers of
/// cells or the like.
pub(super) const MOST_NAMES: usize = 64;

/// A grid while it is read.
///
/// Kinds of cells may come after the cells, and names of cells after both, so that cells are put
/// together at the end.
#[derive(Default)]
struct Reading {
    cells: Cells,
    /// Nodes of each cell.
    nodes: Vec<Vec<usize>>,
    /// Kind of each cell; empty for polygons.
    kinds: Vec<u64>,
    /// Names of each cell.
    names: Vec<Vec<String>>,
}

/// Reads a grid.
///
/// # Errors
/// If the bytes are no such grid.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, ReadError> {
    // The third line says whether the rest is text.
    let head = bytes.split(|&byte| byte == b'\n').take(3);
    let head: Vec<&[u8]> = head.collect();
    if !head
        .first()
        .is_some_and(|line| line.starts_with(b"# vtk DataFile"))
    {
        let message =
            "it does not begin with \"# vtk DataFile\", so that it is no legacy grid of VTK";
        return Err(ReadError::new(message));
    }

    if head
        .get(2)
        .is_some_and(|line| line.trim_ascii().eq_ignore_ascii_case(b"BINARY"))
    {
        return Err(ReadError::new(
            "the grid is binary; save it as text (ASCII), or as .vtu",
        ));
    }
    let mut words = Words::of(text(bytes)?);
    for _ in 0..3 {
        words.next_line();
    }

    let mut reading = Reading::default();
    // Numbers of points are results, so that only numbers of cells can be names.
    let mut is_of_cells = false;
    while let Some(word) = words.next() {
        match word.to_ascii_uppercase().as_str() {
            "DATASET" => {
                let kind: String = words.number("the kind of the grid")?;
                let known = ["UNSTRUCTURED_GRID", "POLYDATA"];
                if !known.contains(&kind.to_ascii_uppercase().as_str()) {
                    let message = format!(
                        "the grid is a {kind}, but an UNSTRUCTURED_GRID or POLYDATA is read"
                    );
                    return Err(words.error(&message));
                }
            }
            "POINTS" => reading.points(&mut words)?,
            "CELLS" => reading.cells(&mut words, None)?,
            "POLYGONS" => reading.cells(&mut words, Some(7))?,
            "LINES" => reading.cells(&mut words, Some(4))?,
            "CELL_TYPES" => {
                let count: usize = words.number("the number of cells")?;
                for _ in 0..count {
                    reading.kinds.push(words.number("the kind of a cell")?);
                }
            }
            "CELL_DATA" => {
                words.number::<usize>("the number of cells")?;
                is_of_cells = true;
            }
            "POINT_DATA" => is_of_cells = false,
            "SCALARS" if is_of_cells => reading.scalars(&mut words)?,
            _ => {}
        }
    }
    reading.finish()
}

impl Reading {
    /// Places of points.
    fn points(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let count: usize = words.number("the number of points")?;
        words.next();
        for _ in 0..count {
            let node = [
                words.coordinate()?,
                words.coordinate()?,
                words.coordinate()?,
            ];
            self.cells.nodes.push(node);
        }
        Ok(())
    }

    /// Cells: each with the number of its points, or offsets and points apart. `kind` is that of
    /// all of them, if there is no list of kinds.
    fn cells(&mut self, words: &mut Words, kind: Option<u64>) -> Result<(), ReadError> {
        let first: usize = words.number("the number of cells")?;
        let second: usize = words.number("the number of numbers")?;
        let Some(next) = words.next() else {
            return Ok(());
        };
        let before = self.nodes.len();
        if next == "OFFSETS" {
            // The type of the offsets says nothing about their text.
            words.next();
            let mut offsets: Vec<usize> = Vec::new();
            for _ in 0..first {
                offsets.push(words.number("an offset")?);
            }
            // `CONNECTIVITY` and its type stand before the points.
            words.next();
            words.next();
            let mut points = Vec::new();
            for _ in 0..second {
                points.push(words.number("the number of a point")?);
            }

            for pair in offsets.windows(2) {
                let Some(nodes) = points.get(pair[0]..pair[1]) else {
                    return Err(
                        words.error("offsets are not in order, or beyond the points of cells")
                    );
                };
                self.nodes.push(nodes.to_vec());
            }
        } else {
            let mut count = next.parse::<usize>().map_err(|_| {
                words.error(&format!(
                    "\"{next}\" stands where a number of points should be"
                ))
            })?;
            for k in 0..first {
                if k > 0 {
                    count = words.number("a number of points")?;
                }
                let mut nodes = Vec::new();
                for _ in 0..count {
                    nodes.push(words.number("the number of a point")?);
                }
                self.nodes.push(nodes);
            }
        }

        if let Some(kind) = kind {
            self.kinds.resize(before, 0);
            self.kinds.resize(self.nodes.len(), kind);
        }
        Ok(())
    }

    /// Numbers of cells, which are names if they are whole.
    ///
    /// Numbers with a fraction are results, such as stresses, and so are vectors.
    fn scalars(&mut self, words: &mut Words) -> Result<(), ReadError> {
        let rest = words.rest_of_line();
        let (Some(name), Some(kind)) = (rest.first(), rest.get(1)) else {
            return Err(words.error("SCALARS has no name or no kind"));
        };
        let is_whole = [
            "int",
            "long",
            "short",
            "char",
            "vtktypeint64",
            "unsigned_char",
        ]
        .contains(kind);
        let is_single = rest.get(2).is_none_or(|count| *count == "1");
        if !is_whole || !is_single {
            return Ok(());
        }

        // The line with the lookup table comes before the numbers.
        words.next_line();
        let mut values: Vec<i64> = Vec::new();
        for _ in 0..self.nodes.len() {
            values.push(words.number("a whole number of a cell")?);
        }
        name_cells(&mut self.names, name, &values);
        Ok(())
    }

    /// The cells with their kinds and names.
    fn finish(mut self) -> Result<Cells, ReadError> {
        if self.kinds.len() != self.nodes.len() {
            let message = format!(
                "it has {} cells, but kinds of {}",
                self.nodes.len(),
                self.kinds.len()
            );
            return Err(ReadError::new(message));
        }

        // A file without whole numbers of cells has no names.
        self.names.resize(self.nodes.len(), Vec::new());
        for ((nodes, kind), names) in self.nodes.iter().zip(self.kinds).zip(self.names) {
            self.cells.add_vtk(kind, nodes, &names)?;
        }
        Ok(self.cells)
    }
}

/// Adds the name `array=value` to each cell, unless there are too many values for names.
pub(super) fn name_cells(names: &mut Vec<Vec<String>>, array: &str, values: &[i64]) {
    let mut different = values.to_vec();
    different.sort_unstable();
    different.dedup();
    if different.len() > MOST_NAMES {
        return;
    }
    names.resize(names.len().max(values.len()), Vec::new());
    for (own, value) in names.iter_mut().zip(values) {
        own.push(format!("{array}={value}"));
    }
}
