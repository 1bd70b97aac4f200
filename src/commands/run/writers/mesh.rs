//! `mesh.json`, whose checksum is in the report.

use super::{Begun, Context, Kind, When, Writer};
use crate::commands::CommandError;
use crate::store::error::failed;
use crate::store::journal::Entry;
use crate::store::mesh_file::{MESH, MeshFile};
use crate::store::report::RunReport;
use std::io::Write;

pub(super) const KIND: Kind = Kind {
    files: &[MESH],
    when: When::During,
    begin,
};

/// Remembers the checksum; the file is complete from the beginning.
struct Mesh {
    checksum: String,
}

fn begin(context: &Context) -> Begun {
    let mut file = context.folder.begin(MESH)?;
    let path = file.path().to_path_buf();
    let mesh = MeshFile::of(&context.setup.world);
    serde_json::to_writer_pretty(&mut file, &mesh)
        .map_err(std::io::Error::from)
        .and_then(|()| file.write_all(b"\n"))
        .map_err(failed("write", &path))?;
    let checksum = file.finish()?;
    Ok(Some(Box::new(Mesh { checksum })))
}

impl Writer for Mesh {
    fn entry(&mut self, _entry: &Entry) -> Result<(), CommandError> {
        Ok(())
    }

    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        report.checksums.insert(MESH.to_owned(), self.checksum);
        Ok(())
    }
}
