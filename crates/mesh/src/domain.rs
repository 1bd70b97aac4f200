//! Areas to be meshed: closed curves as points, their faults, and the lines between.
//!
//! The area is inside an odd number of the bounds: of the outline, of holes, of islands in holes.
//! Parts are further closed curves, whose lines the mesh follows. They may touch the bounds and
//! each other: points nearer than the tolerance are one point, a point nearer than it to a line
//! divides the line, and lines between the same points are one line. Bounds may do none of this,
//! since a body must not touch itself.
//!
//! Whatever is wrong is a [`Fault`] with its places, so that a picture can show it.

mod lines;
mod merged;

use super::Outline;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::predicates::inside;
use lines::{crossings, distinct};
use merged::Merged;
use std::collections::{BTreeMap, BTreeSet};

/// A closed curve as points; the last is joined to the first.
///
/// Lines have names one by one, because pieces of one curve may have different names. A mesh has a
/// group of vertices for each name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loop {
    /// Points in order, in either direction (m).
    pub points: Vec<Vec2>,
    /// Names of the line from each point to the next, `[points]`.
    pub names: Vec<Vec<String>>,
    /// Name of the part that the curve encloses; `None` for an outline or a hole.
    pub part: Option<String>,
    /// The curve in messages, such as `holes[1]`.
    pub label: String,
}

/// Something wrong with the curves, and where it is.
///
/// The message says what to do, and reads on from the label: "`holes[0]` is not inside the outline;
/// ...".
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Label of the curve; empty for several.
    pub label: String,
    /// The fault, and what to do.
    pub message: String,
    /// Places that show it (m).
    pub places: Vec<Vec2>,
}

/// A straight line between two vertices that the mesh must have.
///
/// A line that two curves share is one line, with the names of both. The curves say on which side
/// the area and its parts are: crossing the line enters or leaves each of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// Numbers of its ends.
    pub(super) ends: [usize; 2],
    /// Names of the curves and pieces that it is part of.
    pub(super) names: BTreeSet<String>,
    /// Numbers of the curves that it is part of.
    pub(super) curves: BTreeSet<usize>,
}

/// A closed curve as numbers of vertices.
#[derive(Clone, Debug, PartialEq)]
struct Ring {
    /// Vertices in order.
    vertices: Vec<usize>,
    /// Name of the part, if it is one.
    part: Option<String>,
}

/// An area within closed curves.
///
/// It has been checked: bounds are simple and apart, holes are inside of the outline, and lines
/// meet only at their ends. Meshes of it need no further checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// Positions of the vertices of all curves (m).
    pub(super) x: Vec<Vec2>,
    /// Lines between them, each once.
    pub(super) lines: Vec<Line>,
    /// The curves.
    rings: Vec<Ring>,
}

impl Domain {
    /// The area of curves, whose first is the outline. Points nearer to each other than `tolerance`
    /// (m) are one.
    ///
    /// # Errors
    /// All faults of the curves: too few points, lines that meet, holes outside.
    pub fn new(loops: &[Loop], tolerance: f64) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut merged = Merged::new(tolerance);
        let mut rings = Vec::new();
        let mut sides = Vec::new();

        for (k, curve) in loops.iter().enumerate() {
            let kept = match merged.kept(curve) {
                Ok(kept) => kept,
                Err(fault) => {
                    faults.push(fault);
                    continue;
                }
            };

            // Each point begins a line to the next one that differs from it.
            let next = kept.iter().cycle().skip(1);
            for (&[i, start], &[_, end]) in kept.iter().zip(next) {
                let names = curve.names.get(i).into_iter().flatten().cloned().collect();
                sides.push(Bound {
                    curve: k,
                    line: Line {
                        ends: [start, end],
                        names,
                        curves: BTreeSet::from([k]),
                    },
                });
            }

            rings.push(Ring {
                vertices: kept.into_iter().map(|[_, vertex]| vertex).collect(),
                part: curve.part.clone(),
            });
        }

        // Later tests rely on earlier ones: crossings on curves without faults, places of holes on
        // lines that do not cross.
        let x = merged.x;
        if faults.is_empty() {
            faults.extend(crossings(&x, &mut sides, loops, tolerance));
        }
        let domain = Self {
            lines: distinct(sides),
            x,
            rings,
        };
        if faults.is_empty() {
            faults.extend(domain.outside(loops));
        }
        if faults.is_empty() {
            Ok(domain)
        } else {
            Err(faults)
        }
    }

    /// Faults of holes that are not inside the outline, and of parts that are not in the area.
    fn outside(&self, loops: &[Loop]) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (ring, curve) in self.rings.iter().zip(loops).skip(1) {
            let points = ring.vertices.iter().map(|&i| self.x[i]);
            // A part may begin on the outline, so that its farthest point inside decides.
            let is_inside = |x: Vec2| inside(x, self.sides_of(&self.rings[0]));
            let middles = self.sides_of(ring).map(|(a, b)| (a + b) / 2.0);
            let is_part = ring.part.is_some();
            let is_good = if is_part {
                let mut any = points.clone().chain(middles).chain(self.middle(ring));
                any.any(|x| self.has(x))
            } else {
                points.clone().all(is_inside)
            };
            if !is_good {
                let message = if is_part {
                    "is not inside the area; move it or remove it"
                } else {
                    "is not inside the outline; move it or remove it"
                };
                faults.push(Fault {
                    label: curve.label.clone(),
                    message: message.to_owned(),
                    places: points.take(1).collect(),
                });
            }
        }
        faults
    }

    /// A point inside of a curve, if it has a corner that points outwards with nothing before it.
    fn middle(&self, ring: &Ring) -> Option<Vec2> {
        let x: Vec<Vec2> = ring.vertices.iter().map(|&i| self.x[i]).collect();
        let count = x.len();
        let middles = (0..count).map(|k| (x[k] + x[(k + 1) % count] + x[(k + 2) % count]) / 3.0);
        middles
            .into_iter()
            .find(|&x| inside(x, self.sides_of(ring)))
    }

    /// Ends of the sides of a curve (m), one pair for each.
    fn sides_of<'a>(&'a self, ring: &'a Ring) -> impl Iterator<Item = (Vec2, Vec2)> + 'a {
        let v = &ring.vertices;
        (0..v.len()).map(move |k| (self.x[v[k]], self.x[v[(k + 1) % v.len()]]))
    }

    /// True if a place within exactly these curves is in the area: within an odd number of bounds.
    pub(super) fn has_within(&self, curves: &BTreeSet<usize>) -> bool {
        let bounds = curves.iter().filter(|&&k| self.rings[k].part.is_none());
        bounds.count() % 2 == 1
    }

    /// Names of the parts among curves.
    pub(super) fn parts_of(&self, curves: &BTreeSet<usize>) -> BTreeSet<&str> {
        let parts = curves.iter().filter_map(|&k| self.rings[k].part.as_deref());
        parts.collect()
    }

    /// True if a point is in the area, lines excluded.
    fn has(&self, x: Vec2) -> bool {
        let bounds = self.rings.iter().filter(|ring| ring.part.is_none());
        inside(x, bounds.flat_map(|ring| self.sides_of(ring)))
    }

    /// The curves without parts as the outline of a body, and the vertices of each name on it.
    pub fn outline(&self) -> (Outline, BTreeMap<String, Vec<usize>>) {
        let bounds = self.rings.iter().filter(|ring| ring.part.is_none());
        let mut numbers = BTreeMap::new();
        let mut curves = Vec::new();
        for ring in bounds {
            for &i in &ring.vertices {
                numbers.insert(i, numbers.len());
            }
            curves.push(ring.vertices.iter().map(|&i| self.x[i]).collect::<Vec<_>>());
        }

        // Lines inside belong to no curve of the outline.
        let mut groups: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for line in &self.lines {
            let [Some(&a), Some(&b)] = line.ends.map(|i| numbers.get(&i)) else {
                continue;
            };
            for name in &line.names {
                groups.entry(name.clone()).or_default().extend([a, b]);
            }
        }
        let groups = groups.into_iter();
        let groups = groups.map(|(name, members)| (name, members.into_iter().collect()));

        // The first curve is the outline, the others are holes.
        let mut curves = curves.into_iter();
        let first = curves.next().unwrap_or_default();
        (Outline::polygon(first, curves.collect()), groups.collect())
    }

    /// Area within the bounds (m^2), holes left out.
    pub fn area(&self) -> f64 {
        self.outline().0.area()
    }

    /// Box around all curves (m), parts included.
    pub fn around(&self) -> Aabb {
        Aabb::around(self.x.iter().copied())
    }
}

/// A side of a curve.
struct Bound {
    /// Number of the curve.
    curve: usize,
    /// Its ends and names.
    line: Line,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_that_is_not_finite_is_a_fault() {
        for beyond in [f64::NAN, f64::INFINITY, 1e308] {
            let curve = Loop {
                points: vec![Vec2::zeros(), Vec2::new(beyond, beyond), Vec2::x()],
                label: "outline".to_owned(),
                ..Loop::default()
            };
            let faults = Domain::new(&[curve], 1e-9).unwrap_err();
            assert!(faults[0].message.contains("not finite"), "{faults:?}");
        }
    }
}
