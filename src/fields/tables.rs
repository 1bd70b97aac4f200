//! `probes.csv` and `sections.csv`: motion and stress of points of bodies, a row for each point and
//! state.
//!
//! Columns: `step`, `time` (s); `probe` or `section`, the name; `point`, the number of a vertex in
//! its body or of a point on the section; `way` along the section at rest (m), 0 for probes; the
//! place at rest (m); position and displacement (m); velocity (m/s); Cauchy stress and von Mises
//! stress (Pa). Stress is interpolated between means at the vertices of a triangle, and is NaN for
//! bodies without triangles. A velocity that a stored run does not know is the mean one since the
//! state before.

use super::{Sink, Written, subject};
use crate::CommandError;
use ipcsim::fields::{Known, Snapshot, Subject};
use ipcsim::scene::Setup;
use ipcsim::scene::samples::Sample;
use ipcsim_store::csv::quoted;
use ipcsim_store::file::PartialFile;
use ipcsim_store::folder::RunFolder;
use std::fmt::Write;

/// Name of the table of probes, and of the column with their names.
pub(crate) const PROBES: [&str; 2] = ["probes.csv", "probe"];
/// Name of the table of sections, and of the column with their names.
pub(crate) const SECTIONS: [&str; 2] = ["sections.csv", "section"];

/// A table that is being written.
pub(crate) struct SampleTable<'a> {
    /// Name of the file.
    name: String,
    /// File, which has its name only when it is complete.
    file: PartialFile,
    /// What all states share.
    subject: Subject<'a>,
    /// Points, each with its name.
    samples: Vec<Sample>,
}

impl<'a> SampleTable<'a> {
    /// Begins a table of these names, [`PROBES`] or [`SECTIONS`], with its header.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(crate) fn begin(
        folder: &RunFolder,
        [name, column]: [&str; 2],
        setup: &'a Setup,
        samples: Vec<Sample>,
    ) -> Result<Self, CommandError> {
        let mut file = folder.begin(name)?;
        let header = format!(
            "step,time,{column},point,way,rest_x,rest_y,x,y,displacement_x,displacement_y,velocity_x,\
             velocity_y,sigma_xx,sigma_yy,sigma_xy,sigma_zz,von_mises\n"
        );
        file.add(header.as_bytes())?;
        Ok(Self {
            name: name.to_owned(),
            file,
            subject: subject(setup),
            samples,
        })
    }
}

impl Sink for SampleTable<'_> {
    /// Adds a row for each point.
    fn add(&mut self, step: usize, time: f64, known: &Known) -> Result<(), CommandError> {
        let snapshot = Snapshot::new(&self.subject, *known);
        let stresses = &snapshot.stress().vertices;
        let velocities = known.velocities.or(known.mean_velocities);
        let mut text = String::new();
        for sample in &self.samples {
            let Sample {
                name,
                number,
                way,
                spot,
            } = sample;
            let place = spot.position(known.x);
            let moved = place - spot.rest;
            let velocity = velocities.map(|velocities| spot.moving(velocities));
            let stress = spot.tensor(stresses);
            let numbers = [
                *way,
                spot.rest.x,
                spot.rest.y,
                place.x,
                place.y,
                moved.x,
                moved.y,
                velocity.map_or(f64::NAN, |v| v.x),
                velocity.map_or(f64::NAN, |v| v.y),
                stress.xx,
                stress.yy,
                stress.xy,
                stress.zz,
                stress.von_mises(),
            ];

            // Writing to a string cannot fail.
            let _ = write!(text, "{step},{time:?},{},{number}", quoted(name));
            for number in numbers {
                let _ = write!(text, ",{number:?}");
            }
            text.push('\n');
        }
        Ok(self.file.add(text.as_bytes())?)
    }

    /// Gives the file its name.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, CommandError> {
        let Self { name, file, .. } = *self;
        let checksum = file.finish()?;
        Ok(vec![Written { name, checksum }])
    }
}
