//! A grid with data at its points and in its cells, `.vtu`.

use super::{Array, ArrayValues};
use std::io::{self, Write};

/// A cell, by the numbers of its points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A single point.
    Vertex(usize),
    /// A line.
    Line([usize; 2]),
    /// A triangle.
    Triangle([usize; 3]),
    /// A quadratic triangle: three corners, then the middles of the sides 01, 12, 20.
    QuadraticTriangle([usize; 6]),
    /// A polygon, counter-clockwise.
    Polygon(Vec<usize>),
}

impl Cell {
    /// Points of the cell.
    fn points(&self) -> &[usize] {
        match self {
            Self::Vertex(point) => std::slice::from_ref(point),
            Self::Line(points) => points,
            Self::Triangle(points) => points,
            Self::QuadraticTriangle(points) => points,
            Self::Polygon(points) => points,
        }
    }

    /// Number of the type of cell in the format.
    fn kind(&self) -> u8 {
        match self {
            Self::Vertex(_) => 1,
            Self::Line(_) => 3,
            Self::Triangle(_) => 5,
            Self::Polygon(_) => 7,
            Self::QuadraticTriangle(_) => 22,
        }
    }
}

/// Cells of a grid, compressed once for all states.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Number of cells.
    cells: usize,
    /// Points of the cells, where those of each cell end, and types of the cells.
    arrays: [Array; 3],
}

impl Topology {
    /// Topology of these cells.
    pub fn of(cells: &[Cell]) -> Self {
        let mut points = Vec::new();
        let mut ends = Vec::with_capacity(cells.len());
        for cell in cells {
            points.extend(cell.points().iter().map(|&point| whole(point)));
            // The format has no starts: a cell begins where the one before it ends.
            ends.push(whole(points.len()));
        }

        let kinds = cells.iter().map(Cell::kind).collect();
        Self {
            cells: cells.len(),
            arrays: [
                Array::scalars("connectivity", &ArrayValues::Long(points)),
                Array::scalars("offsets", &ArrayValues::Long(ends)),
                Array::scalars("types", &ArrayValues::Byte(kinds)),
            ],
        }
    }
}

/// A number of a point as a file has it.
fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A state: a grid with its data.
#[derive(Clone, Debug)]
pub struct Vtu<'a> {
    /// Number of points.
    pub points: usize,
    /// Positions of the points (m), `[points][3]`.
    pub positions: Array,
    /// Cells of the grid.
    pub topology: &'a Topology,
    /// Arrays about the whole state.
    pub fields: Vec<&'a Array>,
    /// Arrays with a value for each point.
    pub of_points: Vec<Array>,
    /// Arrays with a value for each cell.
    pub of_cells: Vec<Array>,
}

impl Vtu<'_> {
    /// Writes the file: its text, then all numbers.
    ///
    /// # Errors
    /// That of the output.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        // Every group of arrays is an element.
        let groups: [(&str, Vec<&Array>); 4] = [
            ("PointData", self.of_points.iter().collect()),
            ("CellData", self.of_cells.iter().collect()),
            ("Points", vec![&self.positions]),
            ("Cells", self.topology.arrays.iter().collect()),
        ];

        let mut offset = 0;
        writeln!(
            out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" \
             byte_order=\"LittleEndian\" header_type=\"UInt64\" \
             compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>"
        )?;
        write_group(out, "FieldData", &self.fields, &mut offset)?;
        writeln!(
            out,
            "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">",
            self.points, self.topology.cells
        )?;
        // Offsets follow from the order, which must be the one below.
        for (name, arrays) in &groups {
            write_group(out, name, arrays, &mut offset)?;
        }

        // Numbers in the order in which they were announced, after an underscore.
        write!(
            out,
            "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_"
        )?;
        let in_groups = groups.iter().flat_map(|(_, arrays)| arrays);
        for array in self.fields.iter().chain(in_groups) {
            out.write_all(&array.data)?;
        }
        writeln!(out, "\n</AppendedData>\n</VTKFile>")
    }
}

/// Writes the element of a group of arrays, whose numbers begin at `offset` (bytes) behind the
/// text; moves it to their end.
fn write_group(
    out: &mut dyn Write,
    name: &str,
    arrays: &[&Array],
    offset: &mut usize,
) -> io::Result<()> {
    writeln!(out, "<{name}>")?;
    for array in arrays {
        writeln!(out, "{}", array.element(*offset))?;
        *offset += array.data.len();
    }
    writeln!(out, "</{name}>")
}
