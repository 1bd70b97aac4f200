//! Shapes of a drawing: closed curves, and which lie in which.
//!
//! Curves are sorted by their area. Each lies in the smallest larger one that has most of some places
//! of it inside: curves may touch, so that one place is not enough. A curve at an even depth is an
//! outline, at an odd depth a hole in it. Curves with the same box, area and first moments are one that
//! is drawn twice, as programs do that draw a fill and a stroke.

use super::ReadError;
use super::drawing::Drawn;
use super::names::few;
use super::polygon::{area, is_inside, polygon};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::number::short;

/// Largest number of closed curves.
const MOST_CURVES: usize = 10_000;

/// Number of places of a curve by which it is found to lie in another one.
const PLACES: usize = 7;

/// Difference by which two curves are the same, as a share of their size (1).
const SAME: f64 = 1e-5;

/// A closed curve with the numbers that are compared.
struct Closed {
    /// Polygon that stands for the curve.
    points: Vec<Vec2>,
    /// Box around the polygon.
    around: Aabb,
    /// Area, which is positive counter-clockwise.
    area: f64,
    /// Integrals of x and y over its area.
    moments: [f64; 2],
}

impl Closed {
    /// Numbers of a curve.
    ///
    /// Areas and moments are in units of the file, of second and third power.
    fn of(curve: &Drawn) -> Self {
        let points = polygon(curve);
        let origin = points[0];
        let mut moments = [0.0; 2];
        for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
            let [a, b] = [a - origin, b - origin];
            let doubled = ipcsim_math::cross(a, b);
            moments[0] += doubled * (a.x + b.x) / 6.0;
            moments[1] += doubled * (a.y + b.y) / 6.0;
        }

        let area = area(&points);
        Self {
            around: Aabb::around(points.iter().copied()),
            // About the origin of the file, so that shifted curves differ.
            moments: [moments[0] + area * origin.x, moments[1] + area * origin.y],
            area,
            points,
        }
    }

    /// True if another curve encloses the same area.
    ///
    /// Boxes, areas and first moments agree within 1e-5 of the size. The directions may differ.
    fn is_same(&self, other: &Self) -> bool {
        // Differences are shares of the size.
        let size = self.around.extent().norm();
        let boxes = [
            self.around.min - other.around.min,
            self.around.max - other.around.max,
        ];
        let sign = if (self.area > 0.0) == (other.area > 0.0) {
            1.0
        } else {
            -1.0
        };
        let apart = (0..2).map(|k| (self.moments[k] - sign * other.moments[k]).abs());
        boxes
            .iter()
            .all(|difference| difference.amax() <= SAME * size)
            && (self.area.abs() - other.area.abs()).abs() <= SAME * size * size
            && apart.fold(0.0, f64::max)
                <= SAME * size * size * (size + self.around.max.amax().abs())
    }

    /// True if it lies in another curve, or crosses it with the larger part inside: the mesher then names
    /// the crossing.
    ///
    /// The other curve must be larger, with most of seven places of this one inside.
    fn is_in(&self, other: &Self) -> bool {
        let meets = (0..2).all(|k| {
            other.around.min[k] <= self.around.max[k] && other.around.max[k] >= self.around.min[k]
        });
        if !meets || other.area.abs() <= self.area.abs() {
            return false;
        }
        // Curves may touch, so that most of some places decide: middles of edges all around.
        let count = self.points.len();
        let places = (0..PLACES).map(|k| {
            let i = k * count / PLACES;
            (self.points[i] + self.points[(i + 1) % count]) / 2.0
        });

        let inside = places.filter(|&x| is_inside(&other.points, x)).count();
        2 * inside > PLACES
    }
}

/// A shape of a drawing: an outline and the holes in it, by the numbers of their curves.
#[derive(Clone, Debug)]
pub(crate) struct Nested {
    /// Number of the outline.
    pub(crate) outline: usize,
    /// Numbers of the holes.
    pub(crate) holes: Vec<usize>,
    /// Name by which it can be chosen: `shape1`, `shape2` and so on.
    pub(crate) name: String,
    /// Description for messages.
    described: String,
}

/// How deep closed curves lie in each other.
struct Depths {
    /// Number of curves around each; `None` if it is drawn twice.
    depth: Vec<Option<usize>>,
    /// Smallest curve around each, or itself.
    owner: Vec<usize>,
    /// Number of curves that are drawn twice.
    twice: usize,
}

impl Depths {
    /// Compares all curves with each other.
    ///
    /// The work grows as the square of their number, so that this number is limited.
    fn of(closed: &[Closed]) -> Self {
        // The largest first, so that outlines come before their holes.
        let mut order: Vec<usize> = (0..closed.len()).collect();
        order.sort_by(|&a, &b| {
            closed[b]
                .area
                .abs()
                .total_cmp(&closed[a].area.abs())
                .then(a.cmp(&b))
        });

        let mut depth: Vec<Option<usize>> = vec![None; closed.len()];
        let mut owner = vec![0; closed.len()];
        let mut twice = 0;
        for (place, &k) in order.iter().enumerate() {
            let before = order[..place]
                .iter()
                .rev()
                .copied()
                .filter(|&other| depth[other].is_some());
            let mut around = None;
            let mut is_copy = false;
            for other in before {
                if closed[k].is_same(&closed[other]) {
                    is_copy = true;
                    break;
                }
                // The smallest curve around it comes first.
                if closed[k].is_in(&closed[other]) {
                    around = Some(other);
                    break;
                }
            }

            if is_copy {
                twice += 1;
                continue;
            }
            depth[k] = Some(around.map_or(0, |around| depth[around].unwrap_or(0) + 1));
            owner[k] = around.unwrap_or(k);
        }
        Self {
            depth,
            owner,
            twice,
        }
    }
}

/// Shapes of closed curves in the order of the file, and the number of curves that are drawn twice.
///
/// A curve in an outline is a hole, a curve in a hole is the outline of another shape.
///
/// # Errors
/// If there are too many curves.
pub(crate) fn nested(
    curves: &[Drawn],
    is_downwards: bool,
) -> Result<(Vec<Nested>, usize), ReadError> {
    if curves.len() > MOST_CURVES {
        let message = format!(
            "it has {} closed curves, but {MOST_CURVES} at most are read; choose a group or layer by part",
            curves.len()
        );
        return Err(ReadError::new(message));
    }

    let closed: Vec<Closed> = curves.iter().map(Closed::of).collect();
    let Depths {
        depth,
        owner,
        twice,
    } = Depths::of(&closed);
    let mut shapes = Vec::new();
    for (k, curve) in curves.iter().enumerate() {
        if depth[k].is_some_and(|depth| depth.is_multiple_of(2)) {
            let holes = (0..curves.len()).filter(|&hole| {
                hole != k
                    && owner[hole] == k
                    && depth[hole].is_some_and(|depth| !depth.is_multiple_of(2))
            });
            let name = format!("shape{}", shapes.len() + 1);
            shapes.push(Nested {
                outline: k,
                holes: holes.collect(),
                described: described(curve, &closed[k], &name, is_downwards),
                name,
            });
        }
    }

    Ok((shapes, twice))
}

/// A shape by its name, its own name, its size and its place.
///
/// Sizes and places are in units of the file and as it counts them.
fn described(curve: &Drawn, closed: &Closed, name: &str, is_downwards: bool) -> String {
    let own = curve
        .names
        .first()
        .map_or_else(String::new, |own| format!("\"{own}\", "));
    let size = closed.around.extent();
    let middle = (closed.around.min + closed.around.max) / 2.0;
    let y = if is_downwards { -middle.y } else { middle.y };
    // Rounding leaves a little of a middle at 0.
    let [x, y] = [middle.x, y].map(|place| {
        if place.abs() < 1e-9 * size.norm() {
            0.0
        } else {
            place
        }
    });
    format!(
        "{name} ({own}{} x {} about ({}, {}))",
        short(size.x),
        short(size.y),
        short(x),
        short(y)
    )
}

/// The error of a drawing, or a part of it, that has several shapes.
///
/// It lists the shapes by their names and says how one is chosen; `part` is the group that was asked
/// for.
pub(crate) fn several(shapes: &[&Nested], part: Option<&str>) -> ReadError {
    let what = part.map_or_else(|| "it".to_owned(), |part| format!("its part \"{part}\""));
    let first = part.map_or_else(|| "shape1".to_owned(), |part| format!("{part}/shape1"));
    let all: Vec<&str> = shapes
        .iter()
        .map(|shape| shape.described.as_str())
        .collect();
    ReadError::new(format!(
        "{what} has {} shapes that are not in one another, but a body has one: {}. Choose one with its holes by \
         \"part\": \"{first}\" (--part {first}), or a path, group or layer by its name, and give each body its own",
        shapes.len(),
        few(&all)
    ))
}
