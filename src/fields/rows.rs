//! Fields of each state as text: a table of all vertices and one of all triangles.
//!
//! Rows are in the order of `mesh.json`. Columns are the body, the number of the vertex in it or of
//! the triangle in the mesh, the position (m; of a triangle its centroid), then the fields:
//! `velocity_x`, `cauchy_stress_xx`, `von_mises`.

use super::{Sink, Written, subject, triangles};
use crate::CommandError;
use ipcsim::fields::{Field, Form, Known, Owner, Snapshot, Source, Subject};
use ipcsim::math::Vec2;
use ipcsim::scene::Setup;
use ipcsim_store::csv::quoted;
use ipcsim_store::field_names::{FIELDS, TABLES};
use ipcsim_store::folder::RunFolder;
use std::fmt::Write;

/// Tables of all states so far.
pub(crate) struct Rows<'a> {
    /// Folder that has the folder of tables.
    folder: RunFolder,
    /// What all states share.
    subject: Subject<'a>,
    /// Fields that are written.
    fields: Vec<&'static Field>,
    /// Body and number of each triangle.
    triangles: Vec<Owner>,
}

/// Values of a field, row by row.
struct Column {
    /// Field.
    field: &'static Field,
    /// Numbers, `[rows][components]`.
    values: Vec<f64>,
}

impl<'a> Rows<'a> {
    /// Tables of these `fields` in a folder.
    pub(crate) fn new(folder: &RunFolder, setup: &'a Setup, fields: Vec<&'static Field>) -> Self {
        let subject = subject(setup);
        Self {
            folder: folder.clone(),
            fields,
            triangles: triangles(&subject),
            subject,
        }
    }

    /// Names of bodies as fields of a table.
    fn name(&self, body: usize) -> String {
        quoted(&self.subject.world.bodies[body].name).into_owned()
    }
}

impl Sink for Rows<'_> {
    /// Writes both tables of a state.
    fn add(&mut self, step: usize, _time: f64, known: &Known) -> Result<(), CommandError> {
        let snapshot = Snapshot::new(&self.subject, *known);
        let mut at_vertices = Vec::new();
        let mut in_triangles = Vec::new();
        for &field in &self.fields {
            let values = field.at_points(&snapshot);
            at_vertices.extend(values.map(|values| Column { field, values }));
            if matches!(field.source, Source::Tensors { .. }) {
                let values = field.in_cells(&snapshot, &self.triangles);
                in_triangles.extend(values.map(|values| Column { field, values }));
            }
        }

        // Rows begin with what they are about.
        let world = self.subject.world;
        let mut points = format!("body,vertex,x,y{}\n", header(&at_vertices));
        for (vertex, (&body, place)) in self
            .subject
            .body_of_vertices()
            .iter()
            .zip(known.x)
            .enumerate()
        {
            let number = vertex - world.bodies[body].vertices.start;
            add_row(
                &mut points,
                &self.name(body),
                number,
                *place,
                &at_vertices,
                vertex,
            );
        }
        let mut triangles = format!("body,triangle,x,y{}\n", header(&in_triangles));
        for (k, (owner, corners)) in self.triangles.iter().zip(&world.triangles).enumerate() {
            let centroid = corners.iter().map(|&vertex| known.x[vertex]).sum::<Vec2>() / 3.0;
            add_row(
                &mut triangles,
                &self.name(owner.body),
                k,
                centroid,
                &in_triangles,
                k,
            );
        }
        for (table, text) in TABLES.into_iter().zip([points, triangles]) {
            let name = format!("{FIELDS}/{table}{step:06}.csv");
            self.folder
                .write(&name, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    /// All tables are complete already.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, CommandError> {
        Ok(Vec::new())
    }
}

/// Names of the columns of fields, each after a comma.
fn header(columns: &[Column]) -> String {
    let mut text = String::new();
    for Column { field, .. } in columns {
        for component in field.form.components() {
            // Writing to a string cannot fail.
            let between = if component.is_empty() { "" } else { "_" };
            let _ = write!(text, ",{}{between}{component}", field.key);
        }
    }
    text
}

/// Appends the row of the vertex or triangle with this number, at a place (m), whose values are
/// those of the row `k`.
fn add_row(
    text: &mut String,
    body: &str,
    number: usize,
    place: Vec2,
    columns: &[Column],
    k: usize,
) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{body},{number},{:?},{:?}", place.x, place.y);
    for Column { field, values } in columns {
        let count = field.form.components().len();
        for value in &values[k * count..(k + 1) * count] {
            let _ = match field.form {
                Form::Whole => write!(text, ",{value}"),
                _ => write!(text, ",{value:?}"),
            };
        }
    }
    text.push('\n');
}
