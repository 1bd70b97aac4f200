//! Bounds of areas: how many points and triangles they ask for, before any is made.
//!
//! A slip such as a deviation of 1e-14 m or a size of 1e-5 m along a curve asks for more than any machine
//! computes, and no refinement would end. The number of triangles is the integral of `c / s^2` over the
//! box around the area, where `s` is the size at each place and `c` is [`PER_SIZE`]. Around a segment of
//! length `l` with the size `a` and the grading `g` sizes are `a + g d` at the distance `d`, up to the size
//! `b` elsewhere, which gives `2 c l (1/a - 1/b) / g`; around a point it is an integral over rings. Where
//! sources are near each other this counts places several times, at most as often as the whole box has
//! room for triangles of their size.

use super::area::{Division, Purpose, corners, piece, radius};
use super::schema::{Area, Curve, Near};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::ln;
use ipcsim_math::geometry::Aabb;
use ipcsim_mesh::curve::{Piece, chords_of_circle};
use ipcsim_mesh::refine::MOST_VERTICES;
use std::f64::consts::{PI, TAU};

/// Triangles in a square as large as the longest edge of a mesh, at most; measured are 4.9 to 5.8.
const PER_SIZE: f64 = 6.0;

/// Largest number of points of all curves of an area. More are a slip, and finding where they cross
/// takes seconds and a gigabyte.
const MOST_POINTS: f64 = 1e6;

/// Largest number of triangles: a mesh has half as many vertices.
const MOST_TRIANGLES: f64 = 2.0 * MOST_VERTICES as f64;

/// Largest number of times that vertices ask sources of sizes, which takes some minutes.
const MOST_QUESTIONS: f64 = 3e10;

/// Numbers of what an area asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    /// Points of all curves.
    points: f64,
    /// Triangles of its mesh.
    pub(super) triangles: f64,
    /// Pieces of curves, and points, that have sizes.
    sources: f64,
}

impl Asked {
    /// What an area asks for, whose numbers are within their ranges.
    pub(super) fn of(area: &Area) -> Self {
        let around = Aabb::around(area.curves().flat_map(corners)).extent();
        let division = Division::of(area, Purpose::Triangles);
        if !division.extent.is_finite() {
            // The checks find points that are no numbers.
            return Self::default();
        }
        let edges = Chords::of(area, &Division::of(area, Purpose::Edges));
        let fine = Chords::of(area, &division);
        let sizes = Sizes {
            everywhere: division.everywhere,
            grading: area.mesh.grading,
            extent: division.extent,
            room: around.x * around.y,
        };
        let near = area.mesh.near.iter().map(|near| sizes.around(near));
        let along = fine
            .named
            .iter()
            .map(|&[size, length]| sizes.along(size, length));
        let own = sizes.room / (sizes.everywhere * sizes.everywhere);
        Self {
            points: edges.count.max(fine.count),
            triangles: PER_SIZE * (own + near.chain(along).sum::<f64>()),
            sources: fine.sources + area.mesh.near.len() as f64,
        }
    }

    /// Sentence about the number that is too large; `None` if an area can be made.
    pub(super) fn excess(&self) -> Option<String> {
        if self.points > MOST_POINTS {
            return Some(format!(
                "its curves ask for about {:.1e} points, but an area has {MOST_POINTS:.0e} at most; use a \
                 larger deviation or size, or fewer points",
                self.points
            ));
        }
        if self.triangles > MOST_TRIANGLES {
            return Some(format!(
                "it asks for about {:.1e} triangles, but a mesh has {MOST_TRIANGLES:.0e} at most; use larger \
                 sizes, or a larger mesh.grading",
                self.triangles
            ));
        }
        let questions = 0.5 * self.triangles * self.sources;
        (questions > MOST_QUESTIONS).then(|| {
            format!(
                "it asks for about {:.1e} triangles near {:.1e} pieces of curves with sizes, which takes \
                 hours; use larger sizes along curves",
                self.triangles, self.sources
            )
        })
    }
}

/// Chords of the curves of an area.
#[derive(Default)]
struct Chords {
    /// Number of all of them.
    count: f64,
    /// Number of chords that have a size.
    sources: f64,
    /// Size and length (m) of each piece that has a size.
    named: Vec<[f64; 2]>,
}

impl Chords {
    /// Chords of all curves by their division.
    fn of(area: &Area, division: &Division) -> Self {
        let mut chords = Self::default();
        for curve in area.curves() {
            match curve {
                Curve::Circle(circle) => {
                    let names: Vec<String> = circle.name.iter().cloned().collect();
                    let count =
                        chords_of_circle(circle.radius, division.fineness(&names, circle.radius));
                    chords.add(area, &names, count.max(8.0), TAU * circle.radius);
                }
                Curve::Path(path) => {
                    let mut from: Option<Vec2> = None;
                    for stop in &path.points {
                        let piece = piece(stop);
                        let names = path.name.iter().map(String::as_str).chain(stop.name());
                        let names: Vec<String> = names.map(str::to_owned).collect();
                        let start = from.unwrap_or_else(|| piece.end(Vec2::zeros()));
                        let end = piece.end(start);
                        let fineness = division.fineness(&names, radius(&piece, start));
                        let count = piece.chords(start, fineness).max(1.0);
                        // A line is not divided; other pieces are at most as long as all their chords.
                        let length = match piece {
                            Piece::Line(_) => (end - start).norm(),
                            _ => (count * fineness.length).min(TAU * division.extent),
                        };
                        chords.add(area, &names, count, length);
                        from = Some(end);
                    }
                }
            }
        }
        chords
    }

    /// Adds a piece with these names, a number of chords and a length (m).
    fn add(&mut self, area: &Area, names: &[String], count: f64, length: f64) {
        self.count += count;
        let sizes = names.iter().filter_map(|name| area.mesh.along.get(name));
        if let Some(size) = sizes.copied().reduce(f64::min) {
            self.sources += count;
            self.named.push([size, length]);
        }
    }
}

/// Sizes of the triangles of an area.
struct Sizes {
    /// Largest size (m).
    everywhere: f64,
    /// Growth of sizes with the distance (1).
    grading: f64,
    /// Diagonal of the box around the area (m).
    extent: f64,
    /// Area of that box (m^2).
    room: f64,
}

impl Sizes {
    /// Squares of their size in the whole box, by which no place is counted too often (1).
    fn most(&self, size: f64) -> f64 {
        self.room / (size * size)
    }

    /// Distance over which sizes grow from `size` to that of the whole area (m).
    fn width(&self, size: f64) -> f64 {
        ((self.everywhere - size) / self.grading).clamp(0.0, self.extent)
    }

    /// Squares of their size around a segment of a `length` (m) with a `size` (m) (1).
    fn along(&self, size: f64, length: f64) -> f64 {
        if size >= self.everywhere {
            return 0.0;
        }
        // The integral of 1 / (a + g d)^2 from 0 to w is w / (a (a + g w)).
        let width = self.width(size);
        let squares = 2.0 * length * width / (size * (size + self.grading * width));
        squares.min(self.most(size))
    }

    /// Squares of their size around a point (1).
    fn around(&self, near: &Near) -> f64 {
        let [size, radius] = [near.size, near.radius.min(self.extent)];
        if size >= self.everywhere {
            return 0.0;
        }
        let width = self.width(size);
        let outer = size + self.grading * width;
        let inner = PI * radius * radius / (size * size);
        // Rings of the radius r + d have 2 pi (r + d) / (a + g d)^2.
        let rings = if self.grading * width > 1e-6 * size {
            let grading = self.grading;
            let falling = (radius - size / grading) * (1.0 / size - 1.0 / outer);
            TAU / grading * (falling + ln(outer / size) / grading)
        } else {
            TAU * (radius + 0.5 * width) * width / (size * size)
        };
        (inner + rings).min(self.most(size))
    }
}

#[cfg(test)]
mod tests {
    use super::super::area::meshed;
    use super::*;
    use crate::schema::Stop;

    /// A circle of radius 1 with the name `c`.
    fn circle() -> Area {
        let area = serde_json::json!({
            "outline": { "circle": { "center": [0, 0], "radius": 1, "name": "c" } }
        });
        serde_json::from_value(area).unwrap()
    }

    #[test]
    fn the_number_of_triangles_is_estimated_from_above_and_not_far_off() {
        let mut along = circle().with_size(0.5);
        along.mesh.along.insert("c".to_owned(), 0.01);
        let mut near = circle().with_size(0.5);
        near.mesh.near.push(Near {
            at: [0.2, 0.0],
            size: 0.01,
            radius: 0.2,
        });
        let mut flat = near.clone();
        flat.mesh.grading = 0.0;
        flat.mesh.near[0].size = 0.03;
        for area in [circle().with_size(0.05), along, near, flat] {
            let asked = Asked::of(&area);
            let made = meshed(&area).unwrap().mesh.triangles.len() as f64;
            let ratio = asked.triangles / made;
            assert!((1.0..4.0).contains(&ratio), "{asked:?} {made}");
            assert!(asked.excess().is_none());
        }
    }

    #[test]
    fn what_no_machine_makes_is_refused_above_and_below_rounding() {
        let with = |change: &dyn Fn(&mut Area)| {
            let mut area = circle();
            change(&mut area);
            Asked::of(&area).excess().unwrap_or_default()
        };
        for deviation in [1e-14, 1e-18, 1e-100, 1e-300] {
            let excess = with(&|area| area.deviation = Some(deviation));
            assert!(excess.contains(" points"), "{excess}");
        }
        for size in [1e-5, 1e-9, 1e-12, 1e-300] {
            let near = |radius| Near {
                at: [0.0, 0.0],
                size,
                radius,
            };
            let changes: [&dyn Fn(&mut Area); 4] = [
                &|area| area.mesh.size = Some(size),
                &|area| area.mesh.along.extend([("c".to_owned(), size)]),
                &|area| area.mesh.near.push(near(1.0)),
                &|area| {
                    area.mesh.grading = 0.0;
                    area.mesh.near.push(near(0.0));
                },
            ];
            for change in changes {
                let excess = with(change);
                assert!(excess.contains("about"), "{size:e}: {excess}");
            }
        }

        // Many points in the file itself.
        let points = (0..2_000_000).map(|k| Stop::Point([f64::from(k), f64::from(k % 2)]));
        let area = Area::new(Curve::path(points.collect::<Vec<Stop>>()));
        assert!(Asked::of(&area).excess().is_some());
    }
}
