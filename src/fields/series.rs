//! `fields.pvd` and `fields/000000.vtu` ...: fields of each state for `ParaView`.
//!
//! All numbers have 64 bits, positions with the bits of the trajectory, so that stresses add up to
//! forces. Vectors have three components and tensors nine, as viewers expect. Arrays about the whole state are its time (`TimeValue`), its step, and
//! the names of bodies and materials, as bytes of UTF-8 with a line feed between names.
//!
//! The list is written again now and then while a run is under way, so that a viewer can follow.

use super::grid::Grid;
use super::{Sink, Written, material_names, subject};
use crate::CommandError;
use crate::scene_view::scene_view;
use ipcsim::fields::{Field, Form, Known, Owner, Snapshot, Subject};
use ipcsim::scene::Setup;
use ipcsim::scene::schema::Time;
use ipcsim_store::field_names::FIELDS;
use ipcsim_store::folder::RunFolder;
use ipcsim_store::vtk::{Array, ArrayValues, Topology, Vtu, pvd};

/// Name of the list.
pub(crate) const LIST: &str = "fields.pvd";

/// Ratio of the files of a list to those that the next one has more. A viewer of a run under way
/// misses at most this share of them; writing lists takes this many times one list.
const SHARE: usize = 16;

/// Names of the components of vectors, positions included.
const VECTOR: [&str; 3] = ["x", "y", "z"];
/// Names of the components of tensors.
const TENSOR: [&str; 9] = ["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];
/// Names of the components of principal values.
const PRINCIPAL: [&str; 3] = ["1", "2", "3"];

/// Files of all states so far.
pub(crate) struct Series<'a> {
    /// Folder that has the list and the folder of files.
    folder: RunFolder,
    /// What all states share.
    subject: Subject<'a>,
    /// Fields in the files.
    fields: Vec<&'static Field>,
    /// Body and triangle of each cell.
    owners: Vec<Owner>,
    /// Cells.
    topology: Topology,
    /// Names of bodies and materials.
    names: [Array; 2],
    /// Time (s) and file of each state.
    files: Vec<(f64, String)>,
    /// Steps of the run, which say when the list has a state.
    steps: &'a Time,
    /// Number of files in the list on the disk.
    listed: usize,
}

impl<'a> Series<'a> {
    /// Begins the files of a run in a folder, with these `fields`.
    ///
    /// # Errors
    /// If the folder of files cannot be created.
    pub(crate) fn begin(
        folder: &RunFolder,
        setup: &'a Setup,
        fields: Vec<&'static Field>,
    ) -> Result<Self, CommandError> {
        folder.begin_inner(FIELDS)?;
        let grid = Grid::of(
            &setup.world,
            &scene_view(&setup.scene, &setup.world, &setup.state.x),
        );
        let mut subject = subject(setup);
        subject.spots = grid.spots;

        let bodies = setup.world.bodies.iter().map(|body| body.name.as_str());
        let joined = |names: Vec<&str>| ArrayValues::Byte(names.join("\n").into_bytes());
        Ok(Self {
            folder: folder.clone(),
            subject,
            fields,
            owners: grid.owners,
            topology: Topology::of(&grid.cells),
            names: [
                Array::scalars("body names", &joined(bodies.collect())),
                Array::scalars("material names", &joined(material_names(setup))),
            ],
            files: Vec::new(),
            steps: &setup.scene.time,
            listed: 0,
        })
    }

    /// Writes the list of all files so far; returns its checksum.
    ///
    /// # Errors
    /// If it cannot be written.
    fn list(&mut self) -> Result<String, CommandError> {
        self.listed = self.files.len();
        let mut file = self.folder.begin(LIST)?;
        file.add(pvd(&self.files).as_bytes())?;
        Ok(file.finish()?)
    }
}

impl Sink for Series<'_> {
    /// Writes the file of a state.
    fn add(&mut self, step: usize, time: f64, known: &Known) -> Result<(), CommandError> {
        let snapshot = Snapshot::new(&self.subject, *known);
        let mut of_points = Vec::new();
        let mut of_cells = Vec::new();
        for field in &self.fields {
            let at_points = field.at_points(&snapshot);
            of_points.extend(at_points.map(|values| array(field, &values)));
            let in_cells = field.in_cells(&snapshot, &self.owners);
            of_cells.extend(in_cells.map(|values| array(field, &values)));
        }

        let positions = snapshot.positions().flat_map(|p| [p.x, p.y, 0.0]).collect();
        let time_value = Array::scalars("TimeValue", &ArrayValues::Double(vec![time]));
        let step_value = Array::scalars(
            "step",
            &ArrayValues::Long(vec![i64::try_from(step).unwrap_or(i64::MAX)]),
        );
        let [bodies, materials] = &self.names;
        let vtu = Vtu {
            points: self.subject.points(),
            positions: Array::new("Points", &VECTOR, &ArrayValues::Double(positions)),
            topology: &self.topology,
            fields: vec![&time_value, &step_value, bodies, materials],
            of_points,
            of_cells,
        };
        let name = format!("{FIELDS}/{step:06}.vtu");
        self.folder.write(&name, |out| vtu.write(out))?;
        self.files.push((self.steps.shown(step, time), name));

        // A run under way has a list as well.
        if self.files.len() >= self.listed + self.listed.div_ceil(SHARE).max(1) {
            self.list()?;
        }
        Ok(())
    }

    /// Writes the list of all files.
    fn finish(mut self: Box<Self>) -> Result<Vec<Written>, CommandError> {
        let checksum = self.list()?;
        let name = LIST.to_owned();
        Ok(vec![Written { name, checksum }])
    }
}

/// Array of a field's `values`, with the components that viewers expect.
fn array(field: &Field, values: &[f64]) -> Array {
    match field.form {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "numbers of bodies and materials"
        )]
        Form::Whole => {
            let whole = values.iter().map(|&value| value as i32).collect();
            Array::scalars(field.name, &ArrayValues::Int(whole))
        }
        Form::Scalar => Array::scalars(field.name, &ArrayValues::Double(values.to_vec())),
        Form::Principal => Array::new(
            field.name,
            &PRINCIPAL,
            &ArrayValues::Double(values.to_vec()),
        ),
        Form::Vector => {
            let vectors = values.chunks_exact(2).flat_map(|v| [v[0], v[1], 0.0]);
            Array::new(field.name, &VECTOR, &ArrayValues::Double(vectors.collect()))
        }
        Form::Tensor => {
            // A tensor that does not exist has no zeros either.
            let tensors = values.chunks_exact(4).flat_map(|t| {
                let zero = if t[0].is_nan() { f64::NAN } else { 0.0 };
                let [xx, yy, xy, zz] = [t[0], t[1], t[2], t[3]];
                [xx, xy, zero, xy, yy, zero, zero, zero, zz]
            });
            Array::new(field.name, &TENSOR, &ArrayValues::Double(tensors.collect()))
        }
    }
}
