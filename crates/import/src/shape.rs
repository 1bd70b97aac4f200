//! The shape that a file has: triangles become a mesh with groups, curves become an area.
//!
//! The part is chosen first, then curves are joined, regions are taken out by their names, and shapes
//! are found among the rest. A scene takes one shape; `ipcsim mesh` takes all of them. Places become
//! metres last, so that messages have the numbers of the file.

use crate::drawing::{Drawing, Drawn};
use crate::grid::Grid;
use crate::join::Joining;
use crate::names::few;
use crate::nest::{Nested, nested, several};
use crate::polygon::{is_inside, polygon};
use crate::{Format, cells, drawing};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_mesh::curve::Piece;
use ipcsim_scene::schema::{
    ArcTo, Area, CubicTo, Curve, Group, InlineMesh, LineTo, Path as CurvePath, Shape, ShapeFile,
    SplineThrough, Stop,
};
use ipcsim_scene::{FromFile, ReadError, ShapeReader};
use std::collections::BTreeSet;

/// Share of the extent below which points of a file are one (1).
/// Programs may write a vertex twice with other last digits.
const TOLERANCE: f64 = 1e-6;

/// Share of the extent below which ends of curves are joined (1). Drawings have numbers of six digits.
const JOINED: f64 = 1e-5;

/// Shapes from files of all formats that this crate reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShapeFiles;

impl ShapeReader for ShapeFiles {
    fn shape(&self, file: &ShapeFile, bytes: &[u8]) -> Result<FromFile, ReadError> {
        shape(file, bytes)
    }
}

/// A shape of a file, by its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Name by which `part` chooses it; none if it is the only one.
    pub name: Option<String>,
    /// The shape: a mesh or an area.
    pub shape: Shape,
}

/// The shape that a file has.
///
/// Triangles become a mesh, with a group for each name. Curves become an area, and so do lines if
/// the file has no triangles: the outline is around all others, which are holes, except curves that
/// `parts` names.
///
/// # Errors
/// If the bytes are not of the format that the file's name says, have no such part, or have several
/// shapes.
pub fn shape(file: &ShapeFile, bytes: &[u8]) -> Result<FromFile, ReadError> {
    let Contents {
        mut areas,
        unit,
        notes,
        ..
    } = match read(file, bytes)? {
        Read::Mesh(read) => return Ok(read),
        Read::Curves(contents) if contents.areas.len() > 1 => {
            let shapes: Vec<&Nested> = contents.areas.iter().map(|(shape, _)| shape).collect();
            return Err(several(&shapes, contents.group.as_deref()));
        }
        Read::Curves(contents) => contents,
    };

    let (_, area) = areas
        .pop()
        .ok_or_else(|| ReadError::new("it has no closed curve"))?;
    Ok(FromFile {
        shape: Shape::Area(area),
        unit,
        notes,
    })
}

/// All shapes that a file has, and sentences on what was changed or left out. Shapes of a drawing that
/// are not in one another have names.
///
/// # Errors
/// If the bytes are not of the format that the file's name says, or have no such part.
pub fn shapes(file: &ShapeFile, bytes: &[u8]) -> Result<(Vec<Named>, Vec<String>), ReadError> {
    let contents = match read(file, bytes)? {
        Read::Mesh(read) => {
            let shape = read.shape;
            return Ok((vec![Named { name: None, shape }], read.notes));
        }
        Read::Curves(contents) => contents,
    };

    let mut notes = contents.notes;
    let is_single = contents.areas.len() == 1;
    if !is_single {
        let shapes: Vec<&Nested> = contents.areas.iter().map(|(shape, _)| shape).collect();
        notes.push(several(&shapes, contents.group.as_deref()).message);
    }

    // Only shapes of several need a name.
    let named = contents.areas.into_iter().map(|(shape, area)| Named {
        name: (!is_single).then_some(shape.name),
        shape: Shape::Area(area),
    });

    Ok((named.collect(), notes))
}

/// Shapes and their areas.
/// The description of a shape is kept for messages.
type Areas = Vec<(Nested, Area)>;

/// Closed curves of regions and their names.
type Regions = Vec<(String, Drawn)>;

/// What a file has.
enum Read {
    /// Triangles.
    Mesh(FromFile),
    /// Closed curves.
    Curves(Contents),
}

/// Areas of a file.
struct Contents {
    /// Shapes and their areas, in the order of the file.
    areas: Areas,
    /// Group or layer that was asked for.
    group: Option<String>,
    /// Length of a unit of the file, times the factor (m).
    unit: f64,
    /// What was changed or left out.
    notes: Vec<String>,
}

/// Reads a file.
///
/// Triangles have precedence: lines of a file with triangles name parts of its boundary only.
///
/// # Errors
/// If the scale or the unit is missing or wrong, the bytes do not fit the format, or no shape is
/// there.
fn read(file: &ShapeFile, bytes: &[u8]) -> Result<Read, ReadError> {
    let format = Format::of(&file.path)?;
    if !(file.scale > 0.0 && file.scale.is_finite()) {
        let message = format!("its scale is {}, but must be positive", file.scale);
        return Err(ReadError::new(message));
    }

    // A drawing may say its unit itself, while all other formats need one.
    if format.is_drawing() {
        return of_drawing(file, drawing(format, bytes)?).map(Read::Curves);
    }
    let Some(unit) = file.unit.metres() else {
        let message =
            "its unit is \"own\", but only a drawing says its unit; say m, cm, mm, um or inch";
        return Err(ReadError::new(message));
    };

    let unit = unit * file.scale;
    let cells = cells(format, bytes)?;
    // A group may have the name that a shape would have.
    let chosen = Chosen::of(file, |name| cells.has_name(name));
    let grid = Grid::of(&cells, unit, file.origin, file.tolerance, chosen.group)?;
    if !grid.triangles.is_empty() {
        return Ok(Read::Mesh(FromFile {
            shape: Shape::Mesh(of_triangles(&grid)),
            unit,
            notes: grid.notes,
        }));
    }

    if grid.lines.is_empty() {
        let mut reasons = vec!["it has neither triangles nor lines".to_owned()];
        reasons.extend(grid.notes);
        return Err(ReadError::new(reasons.join("; ")));
    }

    let lines = Lines {
        curves: of_lines(&grid),
        word: "line",
        unit: 1.0,
        is_downwards: false,
    };

    let (areas, mut notes) = of_curves(file, &chosen, lines, |x| x)?;
    notes.splice(0..0, grid.notes);
    Ok(Read::Curves(Contents {
        areas,
        group: chosen.group.map(str::to_owned),
        unit,
        notes,
    }))
}

/// Part that is asked for.
struct Chosen<'a> {
    /// Group, layer or path whose curves or cells are taken; all if absent.
    group: Option<&'a str>,
    /// Shape among these, such as `shape2`; the only one if absent.
    shape: Option<&'a str>,
}

impl<'a> Chosen<'a> {
    /// The part of a file, in which some names exist: `NAME`, `shape2` or `NAME/shape2`.
    ///
    /// `exists` says if a group has a name. An existing name has precedence, so that a layer called
    /// `shape2` can be chosen.
    fn of(file: &'a ShapeFile, exists: impl Fn(&str) -> bool) -> Self {
        let whole = file.part.as_deref();
        let Some(part) = whole.filter(|part| !exists(part)) else {
            return Self {
                group: whole,
                shape: None,
            };
        };

        let (group, last) = match part.rsplit_once('/') {
            Some((group, last)) => (Some(group), last),
            None => (None, part),
        };

        let number = last
            .strip_prefix("shape")
            .and_then(|number| number.parse::<u32>().ok());
        match number {
            Some(_) => Self {
                group,
                shape: Some(last),
            },
            None => Self {
                group: whole,
                shape: None,
            },
        }
    }
}

/// Curves that become an area.
struct Lines {
    /// Open and closed curves, in the unit below.
    curves: Vec<Drawn>,
    /// Word for one of them in messages.
    word: &'static str,
    /// Length of a unit of them (m).
    unit: f64,
    /// True if the file counts y downwards.
    is_downwards: bool,
}

/// The area of a drawing's curves.
///
/// A curve is taken if the part is its own name or that of a group around it. The origin is given
/// as the file counts, in a picture downwards from the top.
///
/// # Errors
/// If the unit is not known, the part does not exist, or no closed curve is there.
fn of_drawing(file: &ShapeFile, drawing: Drawing) -> Result<Contents, ReadError> {
    let unit = unit_of(file, &drawing)? * file.scale;
    let chosen = Chosen::of(file, |name| {
        drawing
            .curves
            .iter()
            .any(|curve| curve.names.iter().any(|own| own == name))
    });

    let mut notes = drawing.notes;
    let is_taken = |curve: &Drawn| {
        chosen
            .group
            .is_none_or(|part| curve.names.iter().any(|name| name == part))
    };

    let (taken, others): (Vec<Drawn>, Vec<Drawn>) = drawing.curves.into_iter().partition(is_taken);
    if taken.is_empty() {
        let names: BTreeSet<&str> = others
            .iter()
            .flat_map(|curve| curve.names.iter().map(String::as_str))
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        let message = format!(
            "it has no path, group or layer \"{}\"; its names are: {}",
            chosen.group.unwrap_or_default(),
            few(&names)
        );
        return Err(ReadError::new(message));
    }

    // With y upwards, the origin is below the top.
    let sign = if drawing.is_downwards { -1.0 } else { 1.0 };
    let origin = Vec2::new(file.origin[0], sign * file.origin[1]);
    let lines = Lines {
        curves: taken,
        word: "curve",
        unit,
        is_downwards: drawing.is_downwards,
    };

    let place = |x: Vec2| (x - origin) * unit;
    let (areas, more) = of_curves(file, &chosen, lines, place)?;
    notes.extend(more);
    if let (Some(part), [(_, area)]) = (chosen.group, &areas[..])
        && let Curve::Path(outline) = &area.outline
    {
        let inside = count_inside(&others, outline, place);
        if inside > 0 {
            notes.push(format!(
                "{inside} closed curves in it are not in the part \"{part}\" and were left out; put them into one \
                 group with it, or choose the shape by its number, to have them as holes"
            ));
        }
    }

    Ok(Contents {
        areas,
        group: chosen.group.map(str::to_owned),
        unit,
        notes,
    })
}

/// Length of a unit of a drawing (m).
///
/// The unit of the scene has precedence over the unit of the drawing.
///
/// # Errors
/// If neither the scene nor the drawing says it.
fn unit_of(file: &ShapeFile, drawing: &Drawing) -> Result<f64, ReadError> {
    file.unit.metres().or(drawing.unit).ok_or_else(|| {
        let message = if drawing.is_downwards {
            "its unit is \"own\", but its width has no unit of length such as mm; say m, cm, mm, um or inch"
        } else {
            "its unit is \"own\", but its header has no unit ($INSUNITS); say m, cm, mm, um or inch"
        };
        ReadError::new(message)
    })
}

/// Number of closed curves that begin in an outline.
///
/// `place` maps a point of the file to metres, as the outline is. A curve with its start inside
/// counts as a whole.
fn count_inside(others: &[Drawn], outline: &CurvePath, place: impl Fn(Vec2) -> Vec2) -> usize {
    let points = ends(outline);
    let around = Aabb::around(points.iter().copied());
    let closed = others
        .iter()
        .filter(|curve| curve.is_closed || curve.is_filled);
    let starts = closed.map(|curve| place(curve.start));
    let near = starts.filter(|x| (0..2).all(|k| around.min[k] < x[k] && x[k] < around.max[k]));
    near.filter(|&x| is_inside(&points, x)).count()
}

/// A curve of a drawing as one of a scene, in metres and with its nearest name.
///
/// Pieces keep their names, by which edges of a body are selected. `place` maps a point of the file
/// to metres.
fn placed(curve: &Drawn, place: impl Fn(Vec2) -> Vec2) -> CurvePath {
    let pair = |x: Vec2| {
        let x = place(x);
        [x.x, x.y]
    };

    let mut points = vec![Stop::Point(pair(curve.start))];
    for (k, piece) in curve.pieces.iter().enumerate() {
        let name = curve.piece_names.get(k).cloned().flatten();
        points.push(match piece {
            Piece::Line(to) if name.is_none() => Stop::Point(pair(*to)),
            Piece::Line(to) => Stop::Line(LineTo {
                to: pair(*to),
                name,
            }),
            Piece::Arc { through, to } => Stop::Arc(ArcTo {
                through: pair(*through),
                to: pair(*to),
                name,
            }),
            Piece::Cubic { controls, to } => Stop::Cubic(CubicTo {
                controls: controls.map(&pair),
                to: pair(*to),
                name,
            }),
            Piece::Spline(through) => Stop::Spline(SplineThrough {
                through: through.iter().map(|&x| pair(x)).collect(),
                name,
            }),
        });
    }
    CurvePath {
        points,
        name: curve.names.first().cloned(),
    }
}

/// The areas within curves, with notes. Curves in an outline are its holes.
///
/// The tolerance of the file counts for joining and for points of the area. Without it each has its
/// own share of the extent.
///
/// # Errors
/// If no curve is closed, a region does not exist, or the chosen shape does not.
fn of_curves(
    file: &ShapeFile,
    chosen: &Chosen,
    lines: Lines,
    place: impl Fn(Vec2) -> Vec2,
) -> Result<(Areas, Vec<String>), ReadError> {
    // The default tolerance follows from all curves.
    let around = Aabb::around(lines.curves.iter().flat_map(Drawn::corners));
    let joining = Joining {
        tolerance: match file.tolerance {
            Some(tolerance) => tolerance / lines.unit,
            None => JOINED * around.extent().norm(),
        },
        unit: lines.unit,
        is_downwards: lines.is_downwards,
        word: lines.word,
    };

    let mut notes = Vec::new();
    let (regions, bounds) = regions(&file.parts, lines.curves, &joining, &mut notes)?;
    let (closed, own_notes) = joining.closed(bounds)?;
    notes.extend(own_notes);
    let (mut nested, twice) = nested(&closed, lines.is_downwards)?;
    if twice > 0 {
        notes.push(format!(
            "{twice} closed curves are drawn twice and count once"
        ));
    }

    if let Some(name) = chosen.shape {
        let count = nested.len();
        nested.retain(|shape| shape.name == name);
        if nested.is_empty() {
            return Err(ReadError::new(format!(
                "it has no {name}, but {count} shapes: shape1 to shape{count}"
            )));
        }
    }

    let is_single = nested.len() == 1;
    let mut areas = Vec::new();
    for shape in nested {
        let outline = &closed[shape.outline];
        let points = polygon(outline);
        let extent = Aabb::around(points.iter().copied()).extent().norm() * lines.unit;
        let holes = shape
            .holes
            .iter()
            .map(|&hole| Curve::Path(placed(&closed[hole], &place)));
        // A region that is in no shape would be lost; the only shape has it as a fault.
        let own = regions
            .iter()
            .filter(|(_, region)| is_single || is_inside(&points, middle(region)));
        let parts = own.map(|(name, region)| {
            let path = placed(region, &place);
            (name.clone(), Curve::Path(CurvePath { name: None, ..path }))
        });

        let area = Area {
            outline: Curve::Path(placed(outline, &place)),
            holes: holes.collect(),
            parts: parts.collect(),
            deviation: file.deviation,
            tolerance: file.tolerance.or(Some(TOLERANCE * extent)),
            mesh: file.mesh.clone(),
        };
        areas.push((shape, area));
    }

    Ok((areas, notes))
}

/// Middle of the box around a curve.
/// It is inside of a convex region, and decides which shape the region is in.
fn middle(curve: &Drawn) -> Vec2 {
    let around = Aabb::around(curve.corners());
    (around.min + around.max) / 2.0
}

/// Closed curves of regions by their names, and the curves that are left.
///
/// Regions are taken out in the order of `names`, so that a curve with two of them is in the first.
///
/// # Errors
/// If a name has no curve or several, or nothing is left.
fn regions(
    names: &[String],
    curves: Vec<Drawn>,
    joining: &Joining,
    notes: &mut Vec<String>,
) -> Result<(Regions, Vec<Drawn>), ReadError> {
    let mut bounds = curves;
    let mut regions = Vec::new();
    for name in names {
        let (own, rest): (Vec<Drawn>, Vec<Drawn>) = bounds
            .into_iter()
            .partition(|curve| curve.names.contains(name));
        bounds = rest;
        // A misspelt part would become a hole without a message.
        if own.is_empty() {
            let message = format!("it has no path, group or layer \"{name}\", which parts names");
            return Err(ReadError::new(message));
        }

        let (mut closed, own_notes) = joining.closed(own)?;
        notes.extend(own_notes);
        if closed.len() > 1 {
            let message = format!(
                "\"{name}\", which parts names, has {} closed curves, but a part has one; give each its own name",
                closed.len()
            );
            return Err(ReadError::new(message));
        }
        regions.extend(closed.pop().map(|curve| (name.clone(), curve)));
    }

    if bounds.is_empty() {
        return Err(ReadError::new(
            "it has no closed curve besides those that parts names",
        ));
    }

    Ok((regions, bounds))
}

/// Ends of the pieces of a path (m).
/// They include the start, and leave out what lies between.
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

/// A mesh of a scene from triangles of a file.
///
/// Groups keep their names, and their vertices are sorted.
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

/// The lines of a file without triangles as curves (m).
/// Each line is a curve with two ends and the names of its groups.
fn of_lines(grid: &Grid) -> Vec<Drawn> {
    let curves = grid.lines.iter().map(|(ends, names)| {
        let [start, end] = ends.map(|end| grid.vertices[end]);
        Drawn {
            pieces: vec![Piece::Line(end)],
            ..Drawn::at(start, names)
        }
    });
    curves.collect()
}
