//! Fields of all states as arrays for `NumPy`: `[states][vertices][components]`, and
//! `[states][triangles][components]` for those that triangles have.
//!
//! Single numbers have no axis of components. Vectors have x and y, tensors xx, yy, xy and zz.
//! Vertices and triangles are those of `mesh.json`, in its order; all numbers have 64 bits.

use super::{Sink, Written, subject, triangles};
use crate::CommandError;
use ipcsim::fields::{Field, Form, Known, Owner, Snapshot, Source, Subject};
use ipcsim::scene::Setup;
use ipcsim_store::field_names::{FIELDS, MOMENTS, OF_TRIANGLES};
use ipcsim_store::folder::RunFolder;
use ipcsim_store::npy::NpyWriter;

/// Arrays that are being written.
pub(crate) struct Arrays<'a> {
    /// Folder that has the folder of arrays.
    folder: RunFolder,
    /// What all states share.
    subject: Subject<'a>,
    /// Fields that are written.
    fields: Vec<&'static Field>,
    /// Body and number of each triangle.
    triangles: Vec<Owner>,
    /// Number of states to come in all.
    states: usize,
    /// Arrays of the fields that the first state has; none before it.
    files: Vec<File>,
    /// Steps and times of the states.
    moments: [Vec<f64>; 2],
}

/// An array of one field.
struct File {
    /// Name in the folder of the run.
    name: String,
    /// Field.
    field: &'static Field,
    /// True if it has the values of triangles, false for those of vertices.
    is_of_triangles: bool,
    /// File, which has its name only when it is complete.
    numbers: NpyWriter,
}

impl<'a> Arrays<'a> {
    /// Begins arrays of `states` states.
    pub(crate) fn new(
        folder: &RunFolder,
        setup: &'a Setup,
        fields: Vec<&'static Field>,
        states: usize,
    ) -> Self {
        let subject = subject(setup);
        Self {
            folder: folder.clone(),
            fields,
            triangles: triangles(&subject),
            states,
            files: Vec::new(),
            moments: [Vec::new(), Vec::new()],
            subject,
        }
    }

    /// Begins the arrays of the fields that a state has.
    ///
    /// # Errors
    /// If a file cannot be created.
    fn begin(&mut self, snapshot_has: &[bool]) -> Result<(), CommandError> {
        let vertices = self.subject.points();
        let mut files = Vec::new();
        for (field, _) in self
            .fields
            .iter()
            .zip(snapshot_has)
            .filter(|(_, has)| **has)
        {
            let is_tensor = matches!(field.source, Source::Tensors { .. });
            let mut shapes = vec![(false, vertices)];
            if is_tensor {
                shapes.push((true, self.triangles.len()));
            }
            for (is_of_triangles, count) in shapes {
                let end = if is_of_triangles { OF_TRIANGLES } else { "" };
                let name = format!("{FIELDS}/{}{end}.npy", field.key);
                let mut shape = vec![self.states, count];
                if !matches!(field.form, Form::Scalar | Form::Whole) {
                    shape.push(field.form.components().len());
                }
                files.push(File {
                    numbers: NpyWriter::create::<f64>(&self.folder, &name, &shape)?,
                    name,
                    field,
                    is_of_triangles,
                });
            }
        }
        self.files = files;
        Ok(())
    }
}

impl Sink for Arrays<'_> {
    /// Adds a state to every array.
    fn add(&mut self, step: usize, time: f64, known: &Known) -> Result<(), CommandError> {
        if self.moments[0].is_empty() {
            let snapshot = Snapshot::new(&self.subject, *known);
            let has = self.fields.iter().map(|field| field.at_points(&snapshot));
            let has: Vec<bool> = has.map(|values| values.is_some()).collect();
            self.begin(&has)?;
        }

        let snapshot = Snapshot::new(&self.subject, *known);
        for file in &mut self.files {
            let values = if file.is_of_triangles {
                file.field.in_cells(&snapshot, &self.triangles)
            } else {
                file.field.at_points(&snapshot)
            };
            file.numbers.add(values.into_iter().flatten())?;
        }
        self.moments[0].push(step as f64);
        self.moments[1].push(time);
        Ok(())
    }

    /// Completes all arrays.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, CommandError> {
        let mut written = Vec::new();
        for file in self.files {
            let checksum = file.numbers.finish()?;
            let name = file.name;
            written.push(Written { name, checksum });
        }
        for (name, numbers) in MOMENTS.into_iter().zip(&self.moments) {
            let name = format!("{FIELDS}/{name}.npy");
            let mut file = NpyWriter::create::<f64>(&self.folder, &name, &[numbers.len()])?;
            file.add(numbers.iter().copied())?;
            let checksum = file.finish()?;
            written.push(Written { name, checksum });
        }
        Ok(written)
    }
}
