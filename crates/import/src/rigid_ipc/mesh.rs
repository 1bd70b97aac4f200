//! Models in files of their own: Wavefront OBJ, points `v x y` and lines `l i j ...`.
//!
//! Points are numbered from 1 in the order of the file, or from the last one backwards, which is
//! -1. A line joins all its points one after the other. Faces belong to models in space and are
//! refused; all other statements have no meaning here.

use super::format::Body;
use super::numbers::problem;
use ipcsim_math::files::read_text;
use ipcsim_scene::Problem;
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

    // Points and edges replace those of the entry.
    let file = path.display();
    let text = read_text(&path).map_err(|error| wrong(format!("{file}: {error}")))?;
    let model = parse(&text).map_err(|message| wrong(format!("{file}: {message}")))?;
    body.vertices = Some(model.vertices);
    body.edges = model.edges;
    Ok(())
}

/// A file beside the scene, or in a folder `meshes` there or above; `None` if there is none.
fn find(name: &str, folder: &Path) -> Option<PathBuf> {
    let above = folder
        .ancestors()
        .map(|folder| folder.join("meshes").join(name));
    [folder.join(name)]
        .into_iter()
        .chain(above)
        .find(|path| path.is_file())
}

/// Points and edges of a model.
#[derive(Default)]
struct Model {
    /// Coordinates of each point, `[points]` (m).
    vertices: Vec<Vec<f64>>,
    /// Pairs of numbers of points, from 0.
    edges: Vec<[usize; 2]>,
}

/// Reads points and lines of an OBJ file.
///
/// # Errors
/// A message with the number of the line that is wrong.
fn parse(text: &str) -> Result<Model, String> {
    let mut model = Model::default();
    for (line, number) in text.lines().zip(1..) {
        let read = statement(&mut model, line);
        read.map_err(|message| format!("line {number}: {message}"))?;
    }

    Ok(model)
}

/// Reads one line of an OBJ file into a model.
///
/// # Errors
/// A point that is not of a plane, a line through points that do not exist yet, or a face.
fn statement(model: &mut Model, line: &str) -> Result<(), &'static str> {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("v") => model.vertices.push(point(words)?),
        Some("l") => {
            let count = model.vertices.len();
            let line = words.map(|word| vertex(word, count));
            let line: Option<Vec<usize>> = line.collect();
            let line = line.ok_or("expected numbers of points before it")?;
            let edges = line.windows(2).map(|ends| [ends[0], ends[1]]);

            model.edges.extend(edges);
        }

        Some("f") => return Err("is a face; only 2D scenes can be imported"),
        _ => {}
    }

    Ok(())
}

/// Reads the two coordinates of a point (m).
///
/// # Errors
/// There are not two finite numbers.
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

/// Number of a point from 0, of `count` points before the line.
///
/// It is written from 1, or from the last one backwards, which is -1. `None` if there is no such
/// point.
fn vertex(word: &str, count: usize) -> Option<usize> {
    let number: i64 = word.parse().ok()?;
    let index = if number < 0 {
        i64::try_from(count).ok()? + number
    } else {
        number - 1
    };
    usize::try_from(index).ok().filter(|index| *index < count)
}
