//! Files that a mesh is written to.
//!
//! All of them can be read again, by `ipcsim mesh` or as the shape of a body, with the same
//! vertices to the last digit. Gmsh's format has all groups; a model of Wavefront has those of
//! triangles alone.

use ipcsim::scene::schema::InlineMesh;
use std::io::{self, Write};
use std::path::Path;

/// Kind of a written mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A shape for scenes.
    Json,
    /// A mesh of Gmsh, 2.2.
    Gmsh,
    /// A model of Wavefront.
    Obj,
}

impl Kind {
    /// Kind by the ending of a file.
    ///
    /// # Errors
    /// If it is none of `.json`, `.msh` and `.obj`.
    pub(super) fn of(path: &Path) -> Result<Self, String> {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("json") => Ok(Self::Json),
            Some("msh") => Ok(Self::Gmsh),
            Some("obj") => Ok(Self::Obj),
            _ => Err(
                "its ending is none of .json, .msh and .obj; a mesh is written as one of these"
                    .to_owned(),
            ),
        }
    }

    /// Writes a mesh.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(self, mesh: &InlineMesh, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Json => {
                let shape = serde_json::json!({ "mesh": mesh });
                serde_json::to_writer(&mut *out, &shape)?;
                writeln!(out)
            }
            Self::Gmsh => write_gmsh(mesh, out),
            Self::Obj => write_obj(mesh, out),
        }
    }
}

/// Writes a mesh of Gmsh, in metres and with all digits: groups of triangles are of dimension 2,
/// all others points of dimension 0.
fn write_gmsh(mesh: &InlineMesh, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}",
        mesh.groups.len()
    )?;
    for ((name, group), tag) in mesh.groups.iter().zip(1..) {
        let dimension = if group.triangles.is_empty() { 0 } else { 2 };
        writeln!(out, "{dimension} {tag} \"{name}\"")?;
    }
    writeln!(out, "$EndPhysicalNames\n$Nodes\n{}", mesh.vertices.len())?;
    for ([x, y], number) in mesh.vertices.iter().zip(1..) {
        writeln!(out, "{number} {x:?} {y:?} 0")?;
    }
    writeln!(out, "$EndNodes\n$Elements")?;

    // A triangle is one element for each of its groups, or one alone.
    let mut elements = Vec::new();
    let mut is_named = vec![false; mesh.triangles.len()];
    for (group, tag) in mesh.groups.values().zip(1..) {
        for &k in &group.triangles {
            is_named[k] = true;
            let [a, b, c] = mesh.triangles[k].map(|i| i + 1);
            elements.push(format!("2 2 {tag} {tag} {a} {b} {c}"));
        }
        for &i in &group.vertices {
            elements.push(format!("15 2 {tag} {tag} {}", i + 1));
        }
    }

    for (triangle, _) in mesh
        .triangles
        .iter()
        .zip(is_named)
        .filter(|(_, named)| !named)
    {
        let [a, b, c] = triangle.map(|i| i + 1);
        elements.push(format!("2 2 0 0 {a} {b} {c}"));
    }
    writeln!(out, "{}", elements.len())?;
    for (element, number) in elements.iter().zip(1..) {
        writeln!(out, "{number} {element}")?;
    }
    writeln!(out, "$EndElements")
}

/// Writes a model with a group for each first group of triangles.
fn write_obj(mesh: &InlineMesh, out: &mut dyn Write) -> io::Result<()> {
    for [x, y] in &mesh.vertices {
        writeln!(out, "v {x:?} {y:?} 0")?;
    }
    let mut groups = vec![Vec::new(); mesh.triangles.len()];
    for (name, group) in &mesh.groups {
        for &k in &group.triangles {
            // The format separates names of groups by blanks.
            groups[k].push(name.replace(char::is_whitespace, "_"));
        }
    }

    let mut last: Option<&Vec<String>> = None;
    for (triangle, own) in mesh.triangles.iter().zip(&groups) {
        if last != Some(own) && (last.is_some() || !own.is_empty()) {
            writeln!(out, "g {}", own.join(" "))?;
        }
        last = Some(own);
        let [a, b, c] = triangle.map(|i| i + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}
