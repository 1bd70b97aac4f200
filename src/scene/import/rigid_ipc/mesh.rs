//! Models in files of their own: Wavefront OBJ, points `v x y` and lines `l i j ...` of points from 1.

use super::format::Body;
use super::numbers::problem;
use crate::files::read_text;
use crate::scene::Problem;
use std::path::{Path, PathBuf};

/// Reads the model of body `index` from its file, if it has one.
///
/// # Errors
/// The file is not found, cannot be read, or holds a model in space.
pub(super) fn load(index: usize, body: &mut Body, folder: &Path) -> Result<(), Problem> {
    let Some(name) = body.mesh.as_deref().filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let wrong = |message: String| {
        problem(
            format!("rigid_body_problem.rigid_bodies[{index}].mesh"),
            message,
        )
    };

    let path = find(name, folder).ok_or_else(|| {
        let where_not = "is neither beside the scene nor in a folder \"meshes\" there or above";
        wrong(format!(
            "\"{name}\" {where_not}; if it is a surface in space, the scene cannot be imported"
        ))
    })?;

    let text = read_text(&path).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
    let (vertices, edges) =
        parse(&text).map_err(|message| wrong(format!("{}: {message}", path.display())))?;
    (body.vertices, body.edges) = (Some(vertices), edges);
    Ok(())
}

/// A file beside the scene, or in a folder `meshes` there or above.
fn find(name: &str, folder: &Path) -> Option<PathBuf> {
    let above = folder
        .ancestors()
        .map(|folder| folder.join("meshes").join(name));
    [folder.join(name)]
        .into_iter()
        .chain(above)
        .find(|path| path.is_file())
}

/// Points (m) and edges of a model.
type Model = (Vec<Vec<f64>>, Vec<[usize; 2]>);

/// Reads points and lines of an OBJ file.
fn parse(text: &str) -> Result<Model, String> {
    let (mut vertices, mut edges): Model = (Vec::new(), Vec::new());

    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                vertices.push(point(words).map_err(|message| format!("line {number}: {message}"))?);
            }
            Some("l") => {
                let line = words
                    .map(|word| vertex(word, vertices.len()))
                    .collect::<Option<Vec<usize>>>();
                let line = line.ok_or_else(|| {
                    format!("line {number}: expected numbers of points before it")
                })?;
                edges.extend(line.windows(2).map(|ends| [ends[0], ends[1]]));
            }
            Some("f") => {
                return Err(format!(
                    "line {number}: is a face; only 2D scenes can be imported"
                ));
            }
            _ => {}
        }
    }
    Ok((vertices, edges))
}

/// Reads the two coordinates of a point (m).
fn point<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<f64>, &'static str> {
    let point: Vec<f64> = words
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|_| "expected two numbers")?;
    let good = point.len() == 2 && point.iter().all(|x| x.is_finite());
    if good {
        Ok(point)
    } else {
        Err("has not two coordinates; only 2D scenes can be imported")
    }
}

/// A point's number from 0: written from 1, or from the last one backwards, which is -1.
fn vertex(word: &str, count: usize) -> Option<usize> {
    let number: i64 = word.parse().ok()?;
    let index = if number < 0 {
        i64::try_from(count).ok()? + number
    } else {
        number - 1
    };
    usize::try_from(index).ok().filter(|index| *index < count)
}
