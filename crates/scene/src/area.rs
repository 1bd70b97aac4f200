//! Areas of a scene: from curves to points, and from points to triangles.
//!
//! Lengths that a scene leaves out are shares of the extent, the diagonal of the box around all
//! points, so that a shape in millimetres is meshed as one in metres.
//!
//! Curves become closed loops of points: as edges of a body that moves as a whole they are as
//! coarse as the deviation allows; for triangles they are also no longer than the sizes of their
//! names.

use super::rounds::{self, rounds};
use super::schema::{Area, Curve, Group, InlineMesh, Meshing, Stop};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_mesh::curve::{Fineness, Piece, circle, circle_through};
use ipcsim_mesh::refine::{MOST_VERTICES, Meshed, triangulate};
use ipcsim_mesh::{Domain, Fault, Loop, SizeField, Source};
use std::collections::BTreeMap;

/// Share of the extent that edges of triangles are away from curves at most, if a scene does not say it
/// (1).
const DEVIATION: f64 = 1.0 / 2000.0;

/// The same of a body that moves as a whole (1). Its contact forces follow the corners of its edges: of a
/// cam they vary by 3 % with 1/2000, and by less than 0.1 % with this.
const DEVIATION_OF_EDGES: f64 = 1e-5;

/// Longest chord of a circle or an arc as a share of the size, if a scene gives a size and no
/// deviation (1): the area then converges at least as fast as what triangles compute.
const CHORD: f64 = 0.7;

/// Share of the extent of the longest edge, if a scene does not say it (1).
const SIZE: f64 = 1.0 / 20.0;

/// Share of the extent below which points are one, if a scene does not say it (1).
const TOLERANCE: f64 = 1e-9;

/// What curves are divided for.
///
/// Contact of rigid bodies costs time for every edge, so that theirs are as few as the deviation
/// allows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Edges of a body that moves as a whole.
    Edges,
    /// Lines around triangles of a region.
    Regions,
    /// Triangles.
    Triangles,
}

/// Curves of an area as points, with what else a mesh needs.
///
/// Labels of the loops are paths below the key `area`, so that a fault has its place in the scene.
pub struct Curves {
    /// The outline, holes and parts.
    pub loops: Vec<Loop>,
    /// Distance below which points are one (m).
    pub tolerance: f64,
    /// Largest length of an edge from place to place.
    pub size: SizeField,
}

/// How finely the curves of an area are divided.
pub(super) struct Division<'a> {
    /// Sizes of its triangles.
    meshing: &'a Meshing,
    /// What the curves are divided for.
    purpose: Purpose,
    /// How far chords may be from a curve.
    tolerated: Tolerated,
    /// Diagonal of the box around all points (m).
    pub(super) extent: f64,
    /// Largest length of an edge (m).
    pub(super) everywhere: f64,
}

impl<'a> Division<'a> {
    /// Division of the curves of an area for a purpose.
    pub(super) fn of(area: &'a Area, purpose: Purpose) -> Self {
        let extent = extent(area);
        let share = match purpose {
            Purpose::Edges => DEVIATION_OF_EDGES,
            Purpose::Regions | Purpose::Triangles => DEVIATION,
        };
        Self {
            meshing: &area.mesh,
            purpose,
            tolerated: Tolerated {
                deviation: area.deviation.unwrap_or(share * extent),
                size: match (area.deviation, area.mesh.size, purpose) {
                    (None, Some(size), Purpose::Triangles) => Some([size, SIZE * extent]),
                    _ => None,
                },
            },
            extent,
            everywhere: area.mesh.size.unwrap_or(SIZE * extent),
        }
    }

    /// Fineness of a piece with these names and this radius (m).
    pub(super) fn fineness(&self, names: &[String], radius: f64) -> Fineness {
        Fineness {
            length: match self.purpose {
                // An outline needs points only where it bends: sizes are for triangles.
                Purpose::Edges | Purpose::Regions => f64::INFINITY,
                Purpose::Triangles => {
                    let along = names.iter().filter_map(|name| self.meshing.along.get(name));
                    along.copied().fold(self.everywhere, f64::min)
                }
            },
            deviation: self.tolerated.from(radius),
        }
    }
}

impl Curves {
    /// Curves of an area, divided for a purpose.
    pub fn of(area: &Area, purpose: Purpose) -> Self {
        let division = Division::of(area, purpose);
        let Division {
            extent, everywhere, ..
        } = division;
        let mut loops = Vec::new();
        let mut add = |curve: &Curve, part: Option<&String>, label: String| {
            let divided = divided(curve, &division);
            loops.push(Loop {
                part: part.cloned(),
                label,
                ..divided
            });
        };
        add(&area.outline, None, "outline".to_owned());
        for (k, hole) in area.holes.iter().enumerate() {
            add(hole, None, format!("holes[{k}]"));
        }
        for (name, curve) in &area.parts {
            add(curve, Some(name), format!("parts.{name}"));
        }
        Self {
            size: size_field(&area.mesh, &loops, everywhere),
            tolerance: area.tolerance.unwrap_or(TOLERANCE * extent),
            loops,
        }
    }

    /// The area within the curves.
    ///
    /// # Errors
    /// All faults of the curves.
    pub fn domain(&self) -> Result<Domain, Vec<Fault>> {
        Domain::new(&self.loops, self.tolerance)
    }
}

/// Triangles in an area, with edges, sizes and angles as the scene asks for.
///
/// The refinement ends at [`MOST_VERTICES`] vertices; the result then says that it is incomplete.
///
/// # Errors
/// All faults of its curves.
pub fn meshed(area: &Area) -> Result<Meshed, Vec<Fault>> {
    let curves = Curves::of(area, Purpose::Triangles);
    let domain = curves.domain()?;
    let least = area.mesh.least_angle_deg.max(1e-3).to_radians();
    let mut meshed = triangulate(&domain, &curves.size, least, MOST_VERTICES);
    rounds::put_onto(&mut meshed, &rounds(area));
    Ok(meshed)
}

/// How far chords may be from a curve.
#[derive(Clone, Copy)]
struct Tolerated {
    /// Distance that the scene gives, or the largest that it leaves (m).
    deviation: f64,
    /// Size of triangles and the one that a scene leaves out (m), where the distance follows the
    /// size.
    size: Option<[f64; 2]>,
}

impl Tolerated {
    /// Distance of chords from a curve with this radius (m), infinite where it is not one number.
    ///
    /// It falls with the square of the size, as the error of triangles does: a chord `l` is
    /// `l^2 / (8 r)` away from its arc.
    fn from(&self, radius: f64) -> f64 {
        let Some([size, usual]) = self.size else {
            return self.deviation;
        };
        let chord = CHORD * size;
        let share = size / usual;
        let follows = if radius.is_finite() {
            chord * chord / (8.0 * radius)
        } else {
            self.deviation * share * share
        };
        self.deviation.min(follows)
    }
}

/// A mesh of a scene, with the groups of an area as its own.
///
/// This is what a run stores, and what it is resumed from: no later version of the refinement
/// changes it.
pub fn inline(meshed: &Meshed) -> InlineMesh {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for (name, vertices) in &meshed.vertices {
        groups
            .entry(name.clone())
            .or_default()
            .vertices
            .clone_from(vertices);
    }
    // Vertices of triangles follow from these.
    for (name, triangles) in &meshed.triangles {
        let group = groups.entry(name.clone()).or_default();
        group.triangles.clone_from(triangles);
        group.vertices.clear();
    }

    InlineMesh {
        vertices: meshed.mesh.vertices.iter().map(|x| [x.x, x.y]).collect(),
        triangles: meshed.mesh.triangles.clone(),
        quadratic: false,
        groups,
    }
}

/// Diagonal of the box around the points that an area is made of (m).
fn extent(area: &Area) -> f64 {
    let around = Aabb::around(area.curves().flat_map(corners));
    around.extent().norm()
}

/// Points that a curve is made of (m).
pub(super) fn corners(curve: &Curve) -> Vec<Vec2> {
    match curve {
        Curve::Circle(circle) => {
            let reach = Vec2::repeat(circle.radius);
            let center = Vec2::from(circle.center);
            vec![center - reach, center + reach]
        }
        Curve::Path(path) => {
            let ends = path.points.iter().flat_map(|stop| match stop {
                Stop::Point(to) => vec![*to],
                Stop::Line(line) => vec![line.to],
                Stop::Arc(arc) => vec![arc.through, arc.to],
                Stop::Cubic(cubic) => vec![cubic.to],
                Stop::Spline(spline) => spline.through.clone(),
            });
            ends.map(Vec2::from).collect()
        }
    }
}

/// A curve as points.
///
/// A curve whose end is its beginning has that point once.
fn divided(curve: &Curve, division: &Division) -> Loop {
    let own: Vec<String> = match curve {
        Curve::Circle(circle) => circle.name.clone().into_iter().collect(),
        Curve::Path(path) => path.name.clone().into_iter().collect(),
    };
    let path = match curve {
        Curve::Circle(round) => {
            let points = circle(
                round.center.into(),
                round.radius,
                division.fineness(&own, round.radius),
            );
            return Loop {
                names: vec![own; points.len()],
                points,
                ..Loop::default()
            };
        }
        Curve::Path(path) => path,
    };
    let mut points: Vec<Vec2> = Vec::new();
    // Names of the line that leads to each point.
    let mut names = Vec::new();
    for stop in &path.points {
        let mut all = own.clone();
        all.extend(stop.name().map(str::to_owned));
        let piece = piece(stop);
        let further = match points.last() {
            // No line leads to the first point.
            None => vec![piece.end(Vec2::zeros())],
            Some(&from) => piece.points(from, division.fineness(&all, radius(&piece, from))),
        };
        names.resize(names.len() + further.len(), all);
        points.extend(further);
    }

    if points.len() > 1 && points.first() == points.last() {
        points.pop();
        if let Some(last) = names.pop() {
            // The line that closes the curve leads to its first point.
            names[0] = last;
        }
    } else if let Some(first) = names.first_mut() {
        // An open path is closed by a line with the name of the whole path only.
        *first = own;
    }

    // From here on names are of the line after each point.
    if !names.is_empty() {
        names.rotate_left(1);
    }
    Loop {
        points,
        names,
        ..Loop::default()
    }
}

/// Radius of a piece that begins at a point (m); infinite where it is not one number.
pub(super) fn radius(piece: &Piece, from: Vec2) -> f64 {
    let Piece::Arc { through, to } = piece else {
        return f64::INFINITY;
    };
    circle_through(from, *through, *to).map_or(f64::INFINITY, |(_, radius)| radius)
}

/// A piece of a path.
pub(super) fn piece(stop: &Stop) -> Piece {
    match stop {
        Stop::Point(to) => Piece::Line((*to).into()),
        Stop::Line(line) => Piece::Line(line.to.into()),
        Stop::Arc(arc) => Piece::Arc {
            through: arc.through.into(),
            to: arc.to.into(),
        },
        Stop::Cubic(cubic) => Piece::Cubic {
            controls: cubic.controls.map(Vec2::from),
            to: cubic.to.into(),
        },
        Stop::Spline(spline) => Piece::Spline(spline.through.iter().map(|&x| x.into()).collect()),
    }
}

/// Sizes along named lines and near points.
///
/// A name without a smaller size than the whole shape has no sources, which saves time.
fn size_field(meshing: &Meshing, loops: &[Loop], everywhere: f64) -> SizeField {
    let mut sources = Vec::new();
    for curve in loops {
        for (k, names) in curve.names.iter().enumerate() {
            let sizes = names.iter().filter_map(|name| meshing.along.get(name));
            let size = sizes.copied().fold(f64::INFINITY, f64::min);
            let ends = [curve.points[k], curve.points[(k + 1) % curve.points.len()]];
            if size < everywhere {
                sources.push(Source {
                    ends,
                    size,
                    radius: 0.0,
                });
            }
        }
    }

    for near in &meshing.near {
        sources.push(Source {
            // A point is a line of length 0.
            ends: [near.at.into(); 2],
            size: near.size,
            radius: near.radius,
        });
    }
    SizeField {
        everywhere,
        grading: meshing.grading,
        sources,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pieces_are_on_their_own_lines() {
        let stops = vec![
            Stop::Point([0.0, 0.0]),
            Stop::Line(crate::schema::LineTo {
                to: [1.0, 0.0],
                name: Some("floor".to_owned()),
            }),
            Stop::Point([1.0, 1.0]),
            Stop::arc([0.5, 1.5], [0.0, 1.0]),
        ];
        let mut closed = stops.clone();
        closed.push(Stop::Line(crate::schema::LineTo {
            to: [0.0, 0.0],
            name: Some("wall".to_owned()),
        }));

        let names = |stops: Vec<Stop>| {
            let area = Area::new(Curve::path(stops).named("rim")).with_size(10.0);
            let curves = Curves::of(&area, Purpose::Triangles);
            assert_eq!(curves.loops[0].names.len(), curves.loops[0].points.len());
            curves.loops[0].names.clone()
        };
        let open = names(stops);

        assert_eq!(open[0], ["rim", "floor"]);
        assert!(open[1..].iter().all(|names| names == &["rim"]));
        let closed = names(closed);
        assert_eq!(closed.len(), open.len());
        assert_eq!(closed.last().unwrap(), &["rim", "wall"]);
    }
}
