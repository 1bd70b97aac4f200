//! Messages of the solver, with the names of bodies for the numbers of vertices.

use super::mesh_file::MeshFile;

/// Message of the solver with names for numbers.
///
/// The solver knows vertices, edges and half-planes by their numbers in the world, and writes
/// `vertex 12`, `edge 3-4`, `half-plane 0` and `the body of vertex 12`.
pub(super) fn named(message: &str, mesh: &MeshFile) -> String {
    let mut words = message.split(' ').peekable();
    let mut named: Vec<String> = Vec::new();
    while let Some(word) = words.next() {
        let is_body = word == "vertex" && named.ends_with(&BODY_OF.map(str::to_owned));
        // A word before a number that is not in the mesh stays as the solver wrote it.
        let name = words.peek().and_then(|next| {
            let end = next.find(|c: char| !c.is_ascii_digit() && c != '-');
            let (number, rest) = next.split_at(end.unwrap_or(next.len()));
            let word = if is_body { BODY_OF[1] } else { word };
            Some(name_of(word, number, mesh)? + rest)
        });
        if is_body && name.is_some() {
            named.truncate(named.len() - BODY_OF.len());
        }
        match name {
            Some(name) => {
                named.push(name);
                words.next();
            }
            None => named.push(word.to_owned()),
        }
    }
    named.join(" ")
}

/// Words before a vertex that stands for its body.
const BODY_OF: [&str; 3] = ["the", "body", "of"];

/// Name of the vertex, edge, half-plane, or body of a vertex, that the solver writes as a `word` and a `number`; `None`
/// if it is something else.
fn name_of(word: &str, number: &str, mesh: &MeshFile) -> Option<String> {
    let vertex = |text: &str| text.parse().ok().filter(|&v: &usize| v < mesh.body.len());
    match word {
        "vertex" => Some(mesh.describe(vertex(number)?)),
        "body" => {
            let body = &mesh.bodies[mesh.body[vertex(number)?]];
            Some(format!("\"{}\"", body.name))
        }
        "half-plane" => {
            let plane = mesh.planes.get(number.parse::<usize>().ok()?)?;
            Some(format!("\"{}\"", plane.name))
        }
        "edge" => {
            let (a, b) = number.split_once('-')?;
            let (a, b) = (vertex(a)?, vertex(b)?);
            let body = &mesh.bodies[mesh.body[a]];
            let first = body.first_vertex;
            Some(format!(
                "edge {}-{} of \"{}\"",
                a.checked_sub(first)?,
                b.checked_sub(first)?,
                body.name
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim::scene::{build, parse};

    #[test]
    fn numbers_of_the_solver_become_names() {
        let text = r#"{ "time": { "step": 0.01, "steps": 1 }, "materials": { "m": { "density": 1 } },
            "bodies": [ { "name": "a", "kind": "rigid", "material": "m", "position": [0, 3],
                          "shape": { "square": { "side": 1, "segments": 1 } } },
                        { "name": "b", "kind": "rigid", "material": "m", "position": [3, 3],
                          "shape": { "square": { "side": 1, "segments": 1 } } } ],
            "obstacles": [ { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } } ] }"#;
        let mesh = MeshFile::of(&build(parse(text, &[]).unwrap()).unwrap().world);
        for (message, expected) in [
            (
                "vertex 5 and edge 0-1, which",
                "vertex 1 of \"b\" and edge 0-1 of \"a\", which",
            ),
            (
                "edge 6-7 is on half-plane 0; x",
                "edge 2-3 of \"b\" is on \"ground\"; x",
            ),
            (
                "under its loads the body of vertex 5 grows",
                "under its loads \"b\" grows",
            ),
            ("the body of vertex 99 grows", "the body of vertex 99 grows"),
            // The mesh has no vertex 99.
            (
                "after 500 iterations at vertex 99",
                "after 500 iterations at vertex 99",
            ),
            ("that vertex", "that vertex"),
        ] {
            assert_eq!(named(message, &mesh), expected);
        }
    }
}
