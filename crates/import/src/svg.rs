//! Curves of SVG pictures, by the crate `usvg`.
//!
//! Every visible path, rectangle, circle, ellipse and polygon is a closed curve, with the
//! transforms of the groups around it. Its name is its `id`, or else that of the nearest group
//! around it. Places are in the units of the picture's view box, with y upwards: a point at `y`
//! below the top is at `-y`.
//!
//! usvg computes in single precision, so that places are good to about 1e-7 of the picture's size;
//! arcs become curves that are within 3e-4 of the radius.

use super::ReadError;
use ipcsim_math::Vec2;
use ipcsim_math::number::{bytes as in_bytes, short};
use ipcsim_mesh::curve::Piece;
use usvg::tiny_skia_path::{PathSegment, Point, Transform};
use usvg::{Group, Node, Options, Tree};

/// Millimetres in an inch, and pixels in an inch as CSS defines them.
const PIXEL: f64 = 25.4e-3 / 96.0;

/// Largest number of numbers in a picture: half a million points. Three million points take 0.7 GB.
const MOST_NUMBERS: usize = 1_000_000;

/// Bytes that a number of a path takes while it is read; measured are 115.
const BYTES_PER_NUMBER: f64 = 115.0;

/// Distance between the ends of a path below which it is closed, by the size of the picture (1).
const CLOSED: f64 = 1e-5;

/// A closed curve of a picture, in the units of its view box and with y upwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Names: its own, and those of the groups around it.
    pub names: Vec<String>,
    /// Where it begins, in the units of the view box.
    pub start: Vec2,
    /// How it goes on.
    pub pieces: Vec<Piece>,
}

/// Curves of a picture.
///
/// Colours, widths of strokes and everything else that is only for the eye is left out. A stroke is
/// the curve in its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Curves in the order of the picture.
    pub curves: Vec<Drawn>,
    /// Length of a unit of the view box by the picture's width (m), if the width has a unit of
    /// length.
    pub unit: Option<f64>,
}

/// How places of the picture become places in its view box.
///
/// usvg gives places in pixels, after the view box has been fitted to the width and height. Going
/// back gives the numbers that stand in the file.
struct Frame {
    /// Pixels per unit of the view box.
    scale: f64,
    /// Place of the view box's origin (pixels).
    origin: Vec2,
}

impl Frame {
    /// Place in the view box, with y upwards, of a point of a path.
    fn place(&self, point: Point, transform: Transform) -> Vec2 {
        let mut point = point;
        transform.map_point(&mut point);
        let at = (Vec2::new(f64::from(point.x), f64::from(point.y)) - self.origin) / self.scale;
        Vec2::new(at.x, -at.y)
    }
}

/// Reads a picture.
///
/// Pictures within the picture are not loaded, whatever their address: a shape in a file reads no
/// other file.
///
/// # Errors
/// If it is no SVG picture, or a path is open.
pub(super) fn read(text: &str) -> Result<Drawing, ReadError> {
    let numbers = numbers_in(text);
    if numbers > MOST_NUMBERS {
        return Err(ReadError::new(format!(
            "it has about {numbers} numbers, which take about {}, but {MOST_NUMBERS} are read at most; simplify \
             its paths",
            in_bytes(BYTES_PER_NUMBER * numbers as f64)
        )));
    }

    // Pictures within pictures are no shapes; none is loaded.
    let mut options = Options::default();
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    options.image_href_resolver.resolve_data = Box::new(|_, _, _| None);

    let document = usvg::roxmltree::Document::parse(text)
        .map_err(|error| ReadError::new(format!("it is no SVG picture: {error}")))?;
    let tree = Tree::from_xmltree(&document, &options)
        .map_err(|error| ReadError::new(format!("it is no SVG picture: {error}")))?;
    let (frame, unit) = frame(&document, &tree)?;

    let mut curves = Vec::new();
    collect(tree.root(), &frame, &[], &mut curves)?;
    if curves.is_empty() {
        let message =
            "it has no visible path; draw one with a fill or a stroke (texts are no paths)";
        return Err(ReadError::new(message));
    }
    Ok(Drawing { curves, unit })
}

/// Numbers in a text: digits after a space, a comma, a sign or a command of a path. Pictures in base 64
/// do not count.
fn numbers_in(text: &str) -> usize {
    let starts = |text: &str| {
        let pairs = text.as_bytes().windows(2);
        let is_start = |pair: &&[u8]| {
            let is_digit = pair[1].is_ascii_digit() || pair[1] == b'.';
            is_digit && b" ,-\n\r\t\"'MLHVCSQTAmlhvcsqta".contains(&pair[0])
        };
        pairs.filter(is_start).count()
    };
    let mut parts = text.split("base64,");
    let first = parts.next().map_or(0, starts);
    let others = parts.filter_map(|part| part.split_once(['"', '\'']));
    first + others.map(|(_, after)| starts(after)).sum::<usize>()
}

/// The frame of a picture, and the length of its unit (m).
fn frame(
    document: &usvg::roxmltree::Document,
    tree: &Tree,
) -> Result<(Frame, Option<f64>), ReadError> {
    let root = document.root_element();
    let size = [tree.size().width(), tree.size().height()].map(f64::from);
    let numbers = root.attribute("viewBox").map(|text| {
        let words = text
            .split([' ', ',', '\n', '\t'])
            .filter(|word| !word.is_empty());
        words
            .map(str::parse::<f64>)
            .collect::<Result<Vec<f64>, _>>()
    });

    let frame = match numbers {
        Some(Ok(numbers)) if numbers.len() == 4 => {
            let [scale_x, scale_y] = [size[0] / numbers[2], size[1] / numbers[3]];
            // Other proportions give the picture margins, which this frame leaves out.
            if (scale_x / scale_y - 1.0).abs() > 1e-4 {
                let message = format!(
                    "its width and height are as {} to 1, but its viewBox as {} to 1; make them alike",
                    short(size[0] / size[1]),
                    short(numbers[2] / numbers[3])
                );
                return Err(ReadError::new(message));
            }
            Frame {
                scale: scale_x,
                origin: Vec2::new(-numbers[0] * scale_x, -numbers[1] * scale_x),
            }
        }
        _ => Frame {
            scale: 1.0,
            origin: Vec2::zeros(),
        },
    };

    // A width in pixels, or without a unit, says nothing about metres.
    let is_length = |text: &str| {
        ["mm", "cm", "in", "pt", "pc", "Q"]
            .iter()
            .any(|end| text.ends_with(end))
    };
    let has_unit = root
        .attribute("width")
        .is_some_and(|width| is_length(width.trim()));
    let unit = has_unit.then_some(PIXEL * frame.scale);
    Ok((frame, unit))
}

/// Adds the curves of a group with the names around it.
fn collect(
    group: &Group,
    frame: &Frame,
    names: &[String],
    curves: &mut Vec<Drawn>,
) -> Result<(), ReadError> {
    for node in group.children() {
        let mut own = names.to_vec();
        if !node.id().is_empty() && !own.iter().any(|name| name == node.id()) {
            own.insert(0, node.id().to_owned());
        }

        match node {
            Node::Group(group) => collect(group, frame, &own, curves)?,
            Node::Path(path) => {
                let transform = path.abs_transform();
                add(
                    path.data().segments(),
                    |point| frame.place(point, transform),
                    &own,
                    curves,
                )?;
            }
            Node::Image(_) | Node::Text(_) => {}
        }
    }
    Ok(())
}

/// Adds each curve of a path.
fn add(
    segments: impl Iterator<Item = PathSegment>,
    place: impl Fn(Point) -> Vec2,
    names: &[String],
    curves: &mut Vec<Drawn>,
) -> Result<(), ReadError> {
    let mut open: Option<Drawn> = None;
    let mut at = Vec2::zeros();
    for segment in segments {
        let (piece, end) = match segment {
            PathSegment::MoveTo(point) => {
                end_curve(open.take(), false, curves)?;
                at = place(point);
                open = Some(Drawn {
                    names: names.to_vec(),
                    start: at,
                    pieces: Vec::new(),
                });
                continue;
            }
            PathSegment::Close => {
                // The next piece begins where the closed curve began, as SVG defines.
                if let Some(curve) = &open {
                    at = curve.start;
                }
                end_curve(open.take(), true, curves)?;
                continue;
            }
            PathSegment::LineTo(to) => (Piece::Line(place(to)), place(to)),
            PathSegment::QuadTo(control, to) => {
                // The same curve as a cubic one.
                let [control, to] = [place(control), place(to)];
                let controls = [
                    at + (control - at) * (2.0 / 3.0),
                    to + (control - to) * (2.0 / 3.0),
                ];
                (Piece::Cubic { controls, to }, to)
            }
            PathSegment::CubicTo(a, b, to) => {
                let [a, b, to] = [place(a), place(b), place(to)];
                (
                    Piece::Cubic {
                        controls: [a, b],
                        to,
                    },
                    to,
                )
            }
        };

        // A path may continue after it was closed, without a move.
        let curve = open.get_or_insert_with(|| Drawn {
            names: names.to_vec(),
            start: at,
            pieces: Vec::new(),
        });
        curve.pieces.push(piece);
        at = end;
    }
    end_curve(open, false, curves)
}

/// Adds a curve whose pieces are complete.
///
/// # Errors
/// If its ends are apart and nothing closes it.
fn end_curve(
    curve: Option<Drawn>,
    is_closed: bool,
    curves: &mut Vec<Drawn>,
) -> Result<(), ReadError> {
    let Some(mut curve) = curve.filter(|curve| !curve.pieces.is_empty()) else {
        return Ok(());
    };

    let ends = curve.pieces.iter().map(|piece| piece.end(curve.start));
    let size = ends
        .clone()
        .map(|end| (end - curve.start).norm())
        .fold(0.0, f64::max);
    let mut ends = ends;
    let end = ends.next_back().unwrap_or(curve.start);
    let apart = (end - curve.start).norm();

    if !is_closed && apart > CLOSED * size {
        let name = curve
            .names
            .first()
            .map_or_else(|| "a path".to_owned(), |name| format!("path \"{name}\""));
        // The message counts y downwards, as the file does.
        return Err(ReadError {
            message: format!(
                "{name} is open: it begins at ({}, {}) and ends at ({}, {}), {} away; close it",
                short(curve.start.x),
                short(-curve.start.y),
                short(end.x),
                short(-end.y),
                short(apart)
            ),
            places: vec![curve.start, end],
        });
    }

    // An end that rounding has moved is the beginning.
    if apart <= CLOSED * size
        && let Some(last) = curve.pieces.last_mut()
    {
        match last {
            Piece::Line(to) | Piece::Cubic { to, .. } | Piece::Arc { to, .. } => *to = curve.start,
            Piece::Spline(_) => {}
        }
    }
    curves.push(curve);
    Ok(())
}
