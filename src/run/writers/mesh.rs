//! `mesh.json`: what does not change during a run, such as triangles, edges and names of bodies.
//!
//! The file is written at once, and its checksum goes into the report. `verify` can then tell that
//! the mesh belongs to the run.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_store::error::failed;
use ipcsim_store::journal::Entry;
use ipcsim_store::mesh_file::{MESH, MeshFile};
use ipcsim_store::report::RunReport;
use ipcsim_store::rows;
use std::io::Write;

/// Registration of the mesh.
pub(super) const KIND: Kind = Kind {
    files: &[MESH],
    when: When::During,
    begin,
};

/// Checksum of the file, which is complete from the beginning.
struct Mesh {
    /// Checksum, as the report states it.
    checksum: String,
}

/// Writes the whole file.
///
/// # Errors
/// If the file cannot be written.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let mut file = context.folder.begin(MESH)?;
    let path = file.path().to_path_buf();
    let mesh = MeshFile::of(&context.setup.world);
    rows::to_text(&mesh)
        .map_err(std::io::Error::from)
        .and_then(|text| file.write_all(text.as_bytes()))
        .map_err(failed("write", &path))?;
    let checksum = file.finish()?;
    Ok(Some(Box::new(Mesh { checksum })))
}

impl Writer for Mesh {
    /// Does nothing: the mesh stays the same.
    fn entry(&mut self, _entry: &Entry) -> Result<(), CommandError> {
        Ok(())
    }

    /// Notes the checksum in the report.
    fn so_far(&mut self, report: &mut RunReport) -> Result<(), CommandError> {
        let checksum = self.checksum.clone();
        report.checksums.insert(MESH.to_owned(), checksum);
        Ok(())
    }

    /// Notes the checksum in the report.
    fn finish(mut self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        self.so_far(report)
    }
}
