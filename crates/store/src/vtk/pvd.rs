//! The list of files with their times, `.pvd`.

use super::array::escaped;
use std::fmt::Write;

/// Text of a list of files: the time (s) of each, and its path from the list.
pub fn pvd(files: &[(f64, String)]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" \
         byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for (time, file) in files {
        // Writing to a string cannot fail.
        let file = escaped(file);
        let _ = writeln!(
            text,
            "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/>"
        );
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}
