//! Models of Wavefront (.obj): vertices, faces and lines; groups, objects and materials are names.
//!
//! Numbers of vertices count from 1, or backwards from the last one if they are negative. What
//! stands behind a slash, normals and textures, says nothing about a shape in the plane.
//!
//! The format is described in Wavefront's "Advanced Visualizer Manual", appendix B1, "Object Files".
//! Each line begins with its keyword: `v x y z` is a vertex, `f a b c` a face, `l a b` a polyline,
//! `g` lists the groups of all that follows, `o` names an object and `usemtl` a material. A comment
//! runs from `#` to the end of the line.
//!
//! A face may have any number of corners; it must be convex, as the grid asks for.

use super::ReadError;
use super::cells::{CellKind, Cells};
use super::numbers::Words;

/// Reads a model.
///
/// # Errors
/// If a line is malformed, or there is nothing in the text.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, ReadError> {
    let mut words = Words::of(bytes);
    let mut cells = Cells::default();
    let mut groups: Vec<String> = Vec::new();
    let mut object: Option<String> = None;
    let mut material: Option<String> = None;

    while let Some(line) = words.next_line() {
        let mut parts = line
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        let Some(key) = parts.next() else { continue };
        let rest: Vec<&str> = parts.collect();
        let name = || Some(rest.join(" ")).filter(|name| !name.is_empty());

        match key {
            "v" => cells.nodes.push(vertex(&rest, &words)?),
            "g" => groups = rest.iter().map(|&name| name.to_owned()).collect(),
            "o" => object = name(),
            "usemtl" => material = name(),
            "f" | "l" => {
                let nodes = indices(&rest, cells.nodes.len(), &words)?;
                // Groups, an object and a material may all name the same face.
                let mut names = groups.clone();
                names.extend(object.iter().chain(&material).cloned());
                names.sort_unstable();
                names.dedup();
                add(&mut cells, key, nodes, &names, &words)?;
            }
            // Normals, textures and what else says nothing about the shape.
            _ => {}
        }
    }

    if cells.nodes.is_empty() {
        return Err(ReadError::new(
            "it has no line \"v x y z\", so that it is no OBJ model",
        ));
    }

    Ok(cells)
}

/// Adds a face, or the lines of a polyline.
///
/// `key` is `f` or `l`. A polyline becomes one line for each of its sides.
///
/// # Errors
/// If a face has less than three corners.
fn add(
    cells: &mut Cells,
    key: &str,
    nodes: Vec<usize>,
    names: &[String],
    words: &Words,
) -> Result<(), ReadError> {
    match (key, nodes.len()) {
        ("l", _) => {
            for pair in nodes.windows(2) {
                cells.add(CellKind::Line, pair.to_vec(), names.to_vec())?;
            }
            Ok(())
        }
        (_, 3) => cells.add(CellKind::Triangle, nodes, names.to_vec()),
        (_, 4..) => cells.add(CellKind::Polygon, nodes, names.to_vec()),
        (_, count) => Err(words.error(&format!(
            "a face has {count} corners, but must have at least 3"
        ))),
    }
}

/// Coordinates of a vertex; z is 0 if it is absent.
///
/// # Errors
/// If there are less than two coordinates, or one of the first three is not finite.
fn vertex(rest: &[&str], words: &Words) -> Result<[f64; 3], ReadError> {
    let mut vertex = [0.0; 3];
    if rest.len() < 2 {
        return Err(words.error("a vertex has less than two coordinates"));
    }

    // A weight or a colour after the three coordinates is left out.
    for (coordinate, text) in vertex.iter_mut().zip(rest) {
        let number: Option<f64> = text.parse().ok();
        let Some(number) = number.filter(|number| number.is_finite()) else {
            return Err(words.error(&format!("\"{text}\" stands where a coordinate should be")));
        };
        *coordinate = number;
    }

    Ok(vertex)
}

/// Numbers of vertices, from 0. In the file they count from 1, or from the last one backwards.
///
/// `count` is the number of vertices before this line, since a line refers to earlier ones only.
///
/// # Errors
/// If a number is 0, malformed, or beyond the vertices.
fn indices(rest: &[&str], count: usize, words: &Words) -> Result<Vec<usize>, ReadError> {
    let numbers = rest.iter().map(|text| {
        // Numbers of textures and normals follow after slashes.
        let own = text.split('/').next().unwrap_or_default();
        let index: Option<i64> = own.parse().ok();
        let number = index.and_then(|index| match index {
            1.. => usize::try_from(index - 1).ok(),
            _ => count.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
        });
        number.filter(|&number| number < count).ok_or_else(|| {
            words.error(&format!(
                "\"{text}\" is the number of none of {count} vertices"
            ))
        })
    });
    numbers.collect()
}
