//! The shape that a file has: triangles become a mesh with groups, curves become an area.

use crate::grid::Grid;
use crate::svg::{Drawing, Drawn};
use crate::{Format, cells, drawing};
use ipcsim_math::Vec2;
use ipcsim_mesh::curve::Piece;
use ipcsim_scene::schema::{
    Area, CubicTo, Curve, Group, InlineMesh, Path as CurvePath, Shape, ShapeFile, SplineThrough,
    Stop,
};
use ipcsim_scene::{FromFile, ReadError, ShapeReader};
use std::collections::{BTreeMap, BTreeSet};

/// Share of the extent below which points of a file are one (1).
const TOLERANCE: f64 = 1e-6;

/// Shapes from files of all formats that this crate reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShapeFiles;

impl ShapeReader for ShapeFiles {
    fn shape(&self, file: &ShapeFile, bytes: &[u8]) -> Result<FromFile, ReadError> {
        shape(file, bytes)
    }
}

/// The shape that a file has.
///
/// Triangles become a mesh, with a group for each name. Curves become an area, and so do lines if
/// the file has no triangles: the largest closed curve is the outline, all others are holes, except
/// those that `parts` names.
///
/// # Errors
/// If the bytes are not of the format that the file's name says, or have no such part.
pub fn shape(file: &ShapeFile, bytes: &[u8]) -> Result<FromFile, ReadError> {
    let format = Format::of(&file.path)?;
    if !(file.scale > 0.0 && file.scale.is_finite()) {
        let message = format!("its scale is {}, but must be positive", file.scale);
        return Err(ReadError::new(message));
    }

    // A picture may say its unit itself, while all other formats need one.
    if format == Format::Svg {
        return of_drawing(file, &drawing(bytes)?);
    }
    let Some(unit) = file.unit.metres() else {
        let message =
            "its unit is \"own\", but only an SVG picture says its unit; say m, cm, mm, um or inch";
        return Err(ReadError::new(message));
    };

    let unit = unit * file.scale;
    let cells = cells(format, bytes)?;
    let part = file.part.as_deref();
    let grid = Grid::of(&cells, unit, file.origin, file.tolerance, part)?;
    let shape = if grid.triangles.is_empty() {
        Shape::Area(of_curves(file, in_lines(&grid)?)?)
    } else {
        Shape::Mesh(of_triangles(&grid))
    };
    Ok(FromFile {
        shape,
        unit,
        notes: grid.notes,
    })
}

/// The area of a picture's curves.
///
/// A curve is taken if the part is its own name or that of a group around it. The origin is given
/// as the picture counts, downwards from the top.
fn of_drawing(file: &ShapeFile, drawing: &Drawing) -> Result<FromFile, ReadError> {
    let unit = file.unit.metres().or(drawing.unit).ok_or_else(|| {
        let message = "its unit is \"own\", but its width has no unit of length such as mm; say m, cm, \
                       mm, um or inch";
        ReadError::new(message)
    })?;
    let unit = unit * file.scale;

    let curves = drawing.curves.iter();
    let taken: Vec<&Drawn> = match &file.part {
        None => curves.collect(),
        Some(part) => curves.filter(|curve| curve.names.contains(part)).collect(),
    };
    if taken.is_empty() {
        let names: BTreeSet<&str> = drawing
            .curves
            .iter()
            .flat_map(|curve| curve.names.iter().map(String::as_str))
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        let message = format!(
            "it has no path or group with the id \"{}\"; its ids are: {}",
            file.part.as_deref().unwrap_or_default(),
            names.join(", ")
        );
        return Err(ReadError::new(message));
    }

    // With y upwards, the origin is below the top.
    let origin = Vec2::new(file.origin[0], -file.origin[1]);
    let place = |x: Vec2| (x - origin) * unit;
    let curves = taken
        .into_iter()
        .map(|curve| placed(curve, &place))
        .collect();
    Ok(FromFile {
        shape: Shape::Area(of_curves(file, curves)?),
        unit,
        notes: Vec::new(),
    })
}

/// A curve of a picture as one of a scene, in metres and with its nearest name.
fn placed(curve: &Drawn, place: &dyn Fn(Vec2) -> Vec2) -> CurvePath {
    let pair = |x: Vec2| {
        let x = place(x);
        [x.x, x.y]
    };

    let mut points = vec![Stop::Point(pair(curve.start))];
    for piece in &curve.pieces {
        points.push(match piece {
            Piece::Line(to) => Stop::Point(pair(*to)),
            Piece::Arc { through, to } => Stop::arc(pair(*through), pair(*to)),
            Piece::Cubic { controls, to } => Stop::Cubic(CubicTo {
                controls: controls.map(pair),
                to: pair(*to),
                name: None,
            }),
            Piece::Spline(through) => Stop::Spline(SplineThrough {
                through: through.iter().map(|&x| pair(x)).collect(),
                name: None,
            }),
        });
    }
    CurvePath {
        points,
        name: curve.names.first().cloned(),
    }
}

/// The area within curves. The largest is the outline.
fn of_curves(file: &ShapeFile, curves: Vec<CurvePath>) -> Result<Area, ReadError> {
    let is_part = |curve: &CurvePath| {
        curve
            .name
            .as_ref()
            .is_some_and(|name| file.parts.contains(name))
    };
    let (parts, mut bounds): (Vec<CurvePath>, Vec<CurvePath>) =
        curves.into_iter().partition(is_part);

    // A misspelt part would become a hole without a message.
    for name in &file.parts {
        if !parts.iter().any(|part| part.name.as_ref() == Some(name)) {
            let message = format!("it has no path with the id \"{name}\", which parts names");
            return Err(ReadError::new(message));
        }
    }

    let largest = (0..bounds.len()).max_by(|&a, &b| {
        let [a, b] = [a, b].map(|k| area(&bounds[k]).abs());
        a.total_cmp(&b)
    });
    let Some(largest) = largest else {
        return Err(ReadError::new(
            "it has no closed curve besides those that parts names",
        ));
    };

    let outline = bounds.remove(largest);
    let extent = extent(&outline);
    let named = parts.into_iter().map(|part| {
        let name = part.name.clone().unwrap_or_default();
        (name, Curve::Path(CurvePath { name: None, ..part }))
    });
    Ok(Area {
        outline: Curve::Path(outline),
        holes: bounds.into_iter().map(Curve::Path).collect(),
        parts: named.collect(),
        deviation: file.deviation,
        tolerance: file.tolerance.or(Some(TOLERANCE * extent)),
        mesh: file.mesh.clone(),
    })
}

/// Ends of the pieces of a path (m).
fn ends(path: &CurvePath) -> Vec<Vec2> {
    let ends = path.points.iter().filter_map(|stop| match stop {
        Stop::Point(to) => Some(*to),
        Stop::Line(line) => Some(line.to),
        Stop::Arc(arc) => Some(arc.to),
        Stop::Cubic(cubic) => Some(cubic.to),
        Stop::Spline(spline) => spline.through.last().copied(),
    });
    ends.map(Vec2::from).collect()
}

/// Area of the polygon through the ends of a path's pieces (m^2), by which the outline is known.
fn area(path: &CurvePath) -> f64 {
    let ends = ends(path);
    let next = ends.iter().cycle().skip(1);
    let doubled = ends.iter().zip(next).map(|(a, b)| a.x * b.y - a.y * b.x);
    doubled.sum::<f64>() / 2.0
}

/// Diagonal of the box around the ends of a path's pieces (m).
fn extent(path: &CurvePath) -> f64 {
    ipcsim_math::geometry::Aabb::around(ends(path))
        .extent()
        .norm()
}

/// A mesh of a scene from triangles of a file.
fn of_triangles(grid: &Grid) -> InlineMesh {
    let groups = grid.groups.iter().map(|(name, group)| {
        let own = Group {
            vertices: group.vertices.iter().copied().collect(),
            triangles: group.triangles.clone(),
        };
        (name.clone(), own)
    });

    InlineMesh {
        vertices: grid.vertices.iter().map(|x| [x.x, x.y]).collect(),
        triangles: grid.triangles.clone(),
        quadratic: grid.is_quadratic,
        groups: groups.collect(),
    }
}

/// The closed curves that the lines of a file form. A curve has the first name of its first line.
///
/// Lines may come in any order and direction. At a vertex with two lines there is one way to go on.
///
/// # Errors
/// If a vertex does not have two lines.
fn in_lines(grid: &Grid) -> Result<Vec<CurvePath>, ReadError> {
    let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (k, (ends, _)) in grid.lines.iter().enumerate() {
        for &end in ends {
            at.entry(end).or_default().push(k);
        }
    }

    if grid.lines.is_empty() {
        return Err(ReadError::new("it has neither triangles nor lines"));
    }

    let odd: Vec<usize> = at
        .iter()
        .filter(|(_, own)| own.len() != 2)
        .map(|(&end, _)| end)
        .collect();
    if let Some(&first) = odd.first() {
        let x = grid.vertices[first];
        let message = format!(
            "it has no triangles, and its lines form no closed curves: {} end at ({}, {}) m; mesh the \
             surface, or close the outline",
            at[&first].len(),
            ipcsim_math::number::short(x.x),
            ipcsim_math::number::short(x.y)
        );
        let places = odd.iter().map(|&end| grid.vertices[end]).collect();
        return Err(ReadError { message, places });
    }

    let mut used = vec![false; grid.lines.len()];
    let mut curves = Vec::new();
    for first in 0..grid.lines.len() {
        if used[first] {
            continue;
        }
        let (ends, names) = &grid.lines[first];
        let mut points = Vec::new();
        let [start, mut end] = *ends;
        let mut line = Some(first);
        points.push(start);
        // Every vertex has two lines, so that a curve ends where it began.
        while let Some(k) = line {
            used[k] = true;
            if end != start {
                points.push(end);
            }
            line = at[&end].iter().copied().find(|&other| !used[other]);
            if let Some(next) = line {
                let [a, b] = grid.lines[next].0;
                end = if a == end { b } else { a };
            }
        }
        let points = points.into_iter().map(|i| {
            let x = grid.vertices[i];
            Stop::Point([x.x, x.y])
        });
        curves.push(CurvePath {
            points: points.collect(),
            name: names.first().cloned(),
        });
    }
    Ok(curves)
}
