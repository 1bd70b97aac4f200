//! `contacts.csv` and `contacts.npy`: all contacts of the written states, a row for each.
//!
//! | columns | contents |
//! |---|---|
//! | `step`, `time` | number of the step, time at its end (s) |
//! | `first`, `second` | bodies: their names, in the binary file their numbers in `mesh.json` |
//! | `vertex`, `vertex_end` | vertex of the first body, twice; both ends of its edge where contact is integrated along edges |
//! | `edge_start`, `edge_end` | edge of the second body: twice the same vertex if the contact is at a vertex, -1 for a half-plane |
//! | `x`, `y` | nearest point of the second body (m) |
//! | `normal_x`, `normal_y` | unit normal there, towards the first body (1) |
//! | `gap` | distance of the surfaces (m) |
//! | `normal_force` | force along the normal on the first body (N); negative for a contact that takes off what two edges count at the vertex they share |
//! | `friction_x`, `friction_y` | friction on the first body (N); contacts that overlap have one together |
//! | `slip` | way of the first body's surface along `(normal_y, -normal_x)` in the step (m) |
//! | `rolling_moment` | moment of rolling resistance on the first body (N m), counter-clockwise |
//! | `sticks` | 1 if the slip is below `eps_v h`, else 0 |
//!
//! The binary file is an array of records, so `numpy.load("contacts.npy")["gap"]` is a column. Its
//! numbers are little-endian, of 8 bytes each.

use super::csv::{lines, name, quoted};
use super::error::{FolderError, failed};
use super::file::PartialFile;
use super::folder::RunFolder;
use super::npy::NpyWriter;
use super::records::{self, Column, Number, RecordReader};
use super::run_files::RunFiles;
use super::stored_error::StoredError;
use ipcsim::contact::ContactPair;
use ipcsim::files::read_text;
use ipcsim::forces::Contact;
use ipcsim::math::Vec2;
use std::fmt::Write;
use std::path::Path;

/// Name of the table as text.
pub const CONTACTS_CSV: &str = "contacts.csv";
/// Name of the table as an array of records.
pub const CONTACTS_NPY: &str = "contacts.npy";

/// Columns, and their types in the binary file.
const COLUMNS: [Column; 19] = [
    ("step", Number::Whole),
    ("time", Number::Real),
    ("first", Number::Whole),
    ("second", Number::Whole),
    ("vertex", Number::Whole),
    ("vertex_end", Number::Whole),
    ("edge_start", Number::Whole),
    ("edge_end", Number::Whole),
    ("x", Number::Real),
    ("y", Number::Real),
    ("normal_x", Number::Real),
    ("normal_y", Number::Real),
    ("gap", Number::Real),
    ("normal_force", Number::Real),
    ("friction_x", Number::Real),
    ("friction_y", Number::Real),
    ("slip", Number::Real),
    ("rolling_moment", Number::Real),
    ("sticks", Number::Whole),
];
/// Number of whole numbers at the beginning of a row, apart from the time.
const WHOLE: usize = 7;

/// A row: whole numbers with the time after the first, then numbers, then the state.
struct Row {
    /// Step, bodies, vertex or edge of the first, edge of the second.
    whole: [i64; WHOLE],
    /// Time (s).
    time: f64,
    /// From `x` to `rolling_moment`.
    numbers: [f64; 10],
    /// 1 if the contact sticks.
    sticks: i64,
}

impl Row {
    /// Row of a contact at the end of a step.
    fn of(step: usize, time: f64, contact: &Contact) -> Self {
        let number = |k: usize| i64::try_from(k).unwrap_or(i64::MAX);
        let [first, second] = contact.bodies.map(number);
        // A point stands twice, so that a row has the same columns for a point as for an edge.
        let (own, other) = match contact.pair {
            ContactPair::Edge { point, edge } => ([point; 2], Some(edge)),
            ContactPair::Plane { point, .. } => ([point; 2], None),
            ContactPair::Strip { edge, other } => (edge, Some(other)),
            ContactPair::Floor { edge, .. } => (edge, None),
        };
        let [vertex, vertex_end] = own.map(number);
        let [start, end] = other.map_or([-1; 2], |edge| edge.map(number));

        let (point, normal, friction) = (contact.point, contact.normal, contact.friction_force);
        Self {
            whole: [number(step), first, second, vertex, vertex_end, start, end],
            time,
            numbers: [
                point.x,
                point.y,
                normal.x,
                normal.y,
                contact.gap,
                contact.normal_force,
                friction.x,
                friction.y,
                contact.slip,
                contact.rolling_moment,
            ],
            sticks: i64::from(contact.sticks),
        }
    }
}

/// First line of the table as text, with its line feed.
pub fn header() -> String {
    COLUMNS.map(|(name, _)| name).join(",") + "\n"
}

/// Line of a contact, with its line feed, for a world with these `names` of bodies.
pub fn line(step: usize, time: f64, contact: &Contact, names: &[String]) -> String {
    let row = Row::of(step, time, contact);
    let [first, second] = contact
        .bodies
        .map(|body| quoted(names.get(body).map_or("", String::as_str)));
    let mut text = format!("{step},{time:?},{first},{second}");

    // Writing to a string cannot fail.
    for whole in &row.whole[3..] {
        let _ = write!(text, ",{whole}");
    }
    for number in row.numbers {
        let _ = write!(text, ",{number:?}");
    }
    let _ = writeln!(text, ",{}", row.sticks);
    text
}

/// Writes contacts as an array of records.
pub struct ContactsWriter {
    /// Records, number by number.
    records: NpyWriter,
}

impl ContactsWriter {
    /// Begins the file of `count` contacts.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be created.
    pub fn create(folder: &RunFolder, count: usize) -> Result<Self, FolderError> {
        let records = records::begin(folder, CONTACTS_NPY, &COLUMNS, count)?;
        Ok(Self { records })
    }

    /// Adds a contact at the end of a step.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written, or is more than announced.
    pub fn add(&mut self, step: usize, time: f64, contact: &Contact) -> Result<(), FolderError> {
        let row = Row::of(step, time, contact);
        self.records.add_whole(&row.whole[..1])?;
        self.records.add([row.time])?;
        self.records.add_whole(&row.whole[1..])?;
        self.records.add(row.numbers)?;
        self.records.add_whole(&[row.sticks])
    }

    /// Completes the file and gives it its name; returns its checksum.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written, also if contacts are missing.
    pub fn finish(self) -> Result<String, FolderError> {
        self.records.finish()
    }
}

/// Begins the table as text, with its header.
///
/// # Errors
/// [`FolderError::Io`] if the file cannot be created.
pub fn begin_text(folder: &RunFolder) -> Result<PartialFile, FolderError> {
    let mut file = folder.begin(CONTACTS_CSV)?;
    file.add(header().as_bytes())?;
    Ok(file)
}

/// A body as a table names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyName {
    /// Its name, in text.
    Name(String),
    /// Its number in `mesh.json`, in the binary file.
    Number(usize),
}

/// A stored contact: where it is and which forces act there.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredContact {
    /// Number of the step.
    pub step: usize,
    /// The two bodies.
    pub bodies: [BodyName; 2],
    /// Both ends of the edge of each body, twice the same vertex if there is no edge; `None` for a
    /// half-plane.
    pub edges: [Option<[usize; 2]>; 2],
    /// Point of contact (m).
    pub point: Vec2,
    /// Unit normal there, towards the first body (1).
    pub direction: Vec2,
    /// Distance of the surfaces (m).
    pub gap: f64,
    /// Force along the normal on the first body (N); negative for corrections.
    pub normal_force: f64,
    /// Friction on the first body (N).
    pub friction: Vec2,
}

impl StoredContact {
    /// Contact of a row; `vertices` are those from `vertex` to `edge_end`, `columns` its numbers
    /// from `x` on. `None` if there are too few, or if the step is none.
    fn of(step: &str, bodies: [BodyName; 2], vertices: [i64; 4], columns: &[f64]) -> Option<Self> {
        let [
            x,
            y,
            normal_x,
            normal_y,
            gap,
            force,
            friction_x,
            friction_y,
            ..,
        ] = *columns
        else {
            return None;
        };
        // The -1 of a half-plane is no number of a vertex, which leaves its edge empty.
        let [a, b, c, d] = vertices.map(|vertex| usize::try_from(vertex).ok());
        Some(Self {
            step: step.parse().ok()?,
            bodies,
            edges: [a.zip(b).map(Into::into), c.zip(d).map(Into::into)],
            point: Vec2::new(x, y),
            direction: Vec2::new(normal_x, normal_y),
            gap,
            normal_force: force,
            friction: Vec2::new(friction_x, friction_y),
        })
    }
}

/// Reads the contacts of a run, of whichever file there is; `None` if it has none.
///
/// # Errors
/// [`StoredError`] if a file cannot be read, is damaged or is no such table.
pub fn read(files: &RunFiles) -> Result<Option<Vec<StoredContact>>, StoredError> {
    if let Some(binary) = files.find(CONTACTS_NPY)? {
        return read_records(&binary).map(Some);
    }
    let text = files.find(CONTACTS_CSV)?;
    text.map(|path| read_lines(&path)).transpose()
}

/// Reads the array of records `path`.
///
/// # Errors
/// [`StoredError`] if it cannot be read or has other columns.
fn read_records(path: &Path) -> Result<Vec<StoredContact>, StoredError> {
    let mut records = RecordReader::open(path, &COLUMNS)?;
    let mut contacts = Vec::new();
    while let Some(words) = records.row().map_err(failed("read", path))? {
        // Both files give their contacts through one constructor, which takes the step as text.
        let step = i64::from_le_bytes(words[0]).to_string();
        let bodies = [2, 3].map(|k| {
            let body = usize::try_from(i64::from_le_bytes(words[k]));
            BodyName::Number(body.unwrap_or(usize::MAX))
        });

        let columns: Vec<f64> = words[WHOLE + 1..]
            .iter()
            .map(|word| f64::from_le_bytes(*word))
            .collect();
        let vertices = [4, 5, 6, 7].map(|k| i64::from_le_bytes(words[k]));
        let contact = StoredContact::of(&step, bodies, vertices, &columns)
            .ok_or_else(|| StoredError::malformed(path, "has a negative step"))?;
        contacts.push(contact);
    }
    Ok(contacts)
}

/// Reads the table `path`.
///
/// # Errors
/// [`StoredError::Malformed`] if it cannot be read or is no such table.
fn read_lines(path: &Path) -> Result<Vec<StoredContact>, StoredError> {
    let text = read_text(path)
        .map_err(|error| StoredError::malformed(path, format!("cannot be read: {error}")))?;
    parse(&text, path)
}

/// Contacts of a text that begins with [`header`]; errors name the file `path`.
///
/// # Errors
/// [`StoredError::Malformed`] if it is no such table.
pub fn parse(text: &str, path: &Path) -> Result<Vec<StoredContact>, StoredError> {
    let Some(body) = text.strip_prefix(&header()) else {
        let message = format!("the first line must be {}", header().trim_end());
        return Err(StoredError::malformed(path, message));
    };

    let mut contacts = Vec::new();
    for (fields, number) in lines(body).into_iter().zip(2..) {
        let wrong = || {
            let message = format!("row {number} has other fields than the table needs");
            StoredError::malformed(path, message)
        };

        if fields.len() != COLUMNS.len() {
            return Err(wrong());
        }
        let columns: Result<Vec<f64>, _> = fields[WHOLE + 1..]
            .iter()
            .map(|field| field.parse())
            .collect();
        let columns = columns.map_err(|_| wrong())?;
        let bodies = [2, 3].map(|k| BodyName::Name(name(&fields[k]).to_owned()));
        let mut vertices = [0; 4];
        for (vertex, field) in vertices.iter_mut().zip(&fields[4..8]) {
            *vertex = field.parse().map_err(|_| wrong())?;
        }
        let contact = StoredContact::of(&fields[0], bodies, vertices, &columns);
        contacts.push(contact.ok_or_else(wrong)?);
    }
    Ok(contacts)
}
