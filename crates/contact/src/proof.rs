//! Proof that a motion from a state without intersections leads to a state without intersections.
//!
//! The proof covers every vertex against every edge and half-plane near its path, and every
//! triangle. Two edges that are apart cannot meet unless an end of one meets the other first. A
//! triangle collapses when a vertex of it meets the opposite edge. Both are therefore questions of
//! points and edges. They are decided exactly where vertices move on straight lines and nothing has
//! a radius ([`exact`](super::ccd::exact)), and by certified bounds otherwise
//! ([`arc`](super::ccd::arc)). A quadratic triangle turns over where its `J` vanishes, which certified
//! bounds exclude as well ([`bernstein`](ipcsim_math::geometry::bernstein)).
//!
//! The proof shows that nothing touches, not that a least separation is kept. Pairs come from boxes
//! around the paths, not from a solver's candidates. The proof is thus a separate check of stored
//! states: it shares with the solver the broad phase and the collision detection of one pair.

mod front;

use super::Outlines;
use super::broad::BroadPhase;
use super::ccd::NarrowPhase;
use super::step_bound::meeting;
use front::Front;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::bernstein::first_flat;
use ipcsim_math::geometry::path::{Sweep, Trajectory};
use ipcsim_math::parallel;
use ipcsim_mesh::Curved;
use std::ops::AddAssign;

/// Bound of the rounding errors of a vertex on an arc (1), relative to its coordinates and to the
/// length of its path.
const ARC_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Time of an impact that does not happen; any number above 1 would do.
const NEVER: f64 = 2.0;

/// Numbers of decisions that a proof consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proved {
    /// Number of pairs of a vertex and an edge on straight paths, decided exactly.
    pub exact: usize,
    /// Number of pairs of a vertex and an edge on arcs or with a radius, decided by certified
    /// bounds.
    pub bounded: usize,
    /// Number of pairs of a vertex and a half-plane.
    pub planes: usize,
    /// Number of linear triangles of all bodies.
    pub triangles: usize,
    /// Number of quadratic triangles of all bodies, decided by bounds.
    pub curved: usize,
    /// Number of vertices between two segments of rods.
    pub bends: usize,
}

impl AddAssign for Proved {
    fn add_assign(&mut self, other: Self) {
        self.exact += other.exact;
        self.bounded += other.bounded;
        self.planes += other.planes;
        self.triangles += other.triangles;
        self.curved += other.curved;
        self.bends += other.bends;
    }
}

/// Reason why a motion is not proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Breach {
    /// A vertex meets an edge, or may meet it from this time on.
    Meets {
        /// Index of the vertex.
        point: usize,
        /// Both ends of the edge.
        edge: [usize; 2],
        /// Time in `[0, 1]`.
        time: f64,
    },
    /// A vertex gets behind a half-plane.
    Behind {
        /// Index of the vertex.
        vertex: usize,
        /// Index of the half-plane.
        plane: usize,
        /// Time in `[0, 1]`.
        time: f64,
    },
    /// A triangle collapses.
    Collapse {
        /// Vertices of the triangle.
        triangle: [usize; 3],
        /// Time in `[0, 1]`.
        time: f64,
    },
    /// A quadratic triangle turns over somewhere, or may do so from this time on.
    Overturn {
        /// Its nodes.
        nodes: [usize; 6],
        /// Time in `[0, 1]`.
        time: f64,
    },
    /// A rod folds back on itself, or a segment of it loses its length.
    Fold {
        /// Vertices of the two segments.
        bend: [usize; 3],
        /// Time in `[0, 1]`.
        time: f64,
    },
    /// The stored end of a vertex on a body that turns is not the end of its arc.
    Off {
        /// Index of the vertex.
        vertex: usize,
        /// Distance between both ends (m).
        distance: f64,
    },
}

/// Proves motions of one set of outlines and triangles.
#[derive(Debug)]
pub struct Prover<'a> {
    /// Outlines of all bodies.
    outlines: Outlines<'a>,
    /// Vertices of each triangle, `[triangles]`.
    triangles: &'a [[usize; 3]],
    /// Quadratic triangles, whose facets are not among the triangles.
    curved: &'a [Curved],
    /// Vertices of any two segments of rods that follow each other.
    bends: &'a [[usize; 3]],
    /// Vertices that collide, ascending.
    points: Vec<usize>,
    /// True for each vertex without a real edge, `[vertices]`.
    isolated: Vec<bool>,
}

impl<'a> Prover<'a> {
    /// A prover for these outlines and triangles, at any number of motions.
    pub fn new(outlines: Outlines<'a>, triangles: &'a [[usize; 3]]) -> Self {
        let mut points: Vec<usize> = outlines.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();

        let mut isolated = vec![false; outlines.body.len()];
        for &[a, b] in outlines.edges {
            if a == b {
                isolated[a] = true;
            }
        }

        Self {
            outlines,
            triangles,
            curved: &[],
            bends: &[],
            points,
            isolated,
        }
    }

    /// The prover with these quadratic triangles. Their vertices must move on straight paths.
    #[must_use]
    pub fn with_curved(mut self, curved: &'a [Curved]) -> Self {
        self.curved = curved;
        self
    }

    /// Proves also that rods do not fold at any of these `bends`, each the vertices of two segments.
    #[must_use]
    pub fn with_bends(mut self, bends: &'a [[usize; 3]]) -> Self {
        self.bends = bends;
        self
    }

    /// Proves that nothing meets, no triangle collapses and no rod folds during `motion`. Returns the
    /// numbers of decisions.
    ///
    /// The start of the motion must have no intersection.
    ///
    /// # Errors
    /// Returns the first breach, or the first pair that cannot be decided.
    pub fn prove(&self, motion: &Sweep) -> Result<Proved, Breach> {
        stay_on_arcs(motion)?;
        let planes = self.stay_in_front(motion)?;
        let pairs = self.pairs(motion);
        let bounded = self.stay_apart(&pairs, motion)?;
        self.stay_upright(motion)?;
        self.stay_positive(motion)?;
        self.stay_unfolded(motion)?;

        Ok(Proved {
            exact: pairs.len() - bounded,
            bounded,
            planes,
            triangles: self.triangles.len(),
            curved: self.curved.len(),
            bends: self.bends.len(),
        })
    }

    /// Proves that vertices stay in front of half-planes. Returns the number of pairs.
    ///
    /// # Errors
    /// Returns the vertex that is behind first, at the first half-plane that has one.
    fn stay_in_front(&self, motion: &Sweep) -> Result<usize, Breach> {
        let mut count = 0;
        for (index, plane) in self.outlines.planes.iter().enumerate() {
            let mut points = self.points.clone();
            points.retain(|&vertex| self.outlines.meet(vertex, plane.origin));

            let first = parallel::first_min(points.len(), NEVER, |k| {
                let front = Front::new(plane, self.outlines.radius[points[k]], motion, points[k]);
                front.time_behind().unwrap_or(NEVER)
            });
            if let (time, Some(k)) = first {
                return Err(Breach::Behind {
                    vertex: points[k],
                    plane: index,
                    time,
                });
            }
            count += points.len();
        }
        Ok(count)
    }

    /// Points and edges whose paths come near each other: `[point, edge start, edge end]`.
    fn pairs(&self, motion: &Sweep) -> Vec<[usize; 3]> {
        let edges = self.outlines.edges;

        // Boxes around the paths of vertices, and of edges between them.
        let paths: Vec<Aabb> = (0..motion.start.len())
            .map(|vertex| self.path_box(vertex, motion))
            .collect();
        let of_points: Vec<Aabb> = self.points.iter().map(|&i| paths[i]).collect();
        let of_edges: Vec<Aabb> = edges
            .iter()
            .map(|&[a, b]| paths[a].union(&paths[b]))
            .collect();

        // Two isolated vertices are one pair, with the smaller number first.
        let found = BroadPhase::default().pairs_where(&of_points, &of_edges, |i, j| {
            let point = self.points[i as usize];
            let [a, b] = edges[j as usize];
            let counted = a != b || self.isolated[point] && point < a;
            counted && point != a && point != b && self.outlines.meet(point, a)
        });
        found
            .into_iter()
            .map(|(i, j)| {
                let [a, b] = edges[j as usize];
                [self.points[i as usize], a, b]
            })
            .collect()
    }

    /// Box around the path of a vertex and its circle, with room for the rounding of curved paths.
    fn path_box(&self, vertex: usize, motion: &Sweep) -> Aabb {
        let ends = [motion.start[vertex], motion.end[vertex]];
        let around = Aabb::around(ends);
        let grown = motion.deviation(vertex) + self.outlines.radius[vertex];
        if grown > 0.0 {
            let rounding = ARC_ROUNDING * (grown + ends[0].amax() + ends[1].amax());
            around.grown(grown + rounding)
        } else {
            around
        }
    }

    /// Proves that points stay apart from edges. Returns the number of pairs that are not decided
    /// exactly.
    ///
    /// # Errors
    /// Returns the pair that meets first.
    fn stay_apart(&self, pairs: &[[usize; 3]], motion: &Sweep) -> Result<usize, Breach> {
        let first = parallel::first_min(pairs.len(), NEVER, |k| {
            let toi = meeting(NarrowPhase::Exact, pairs[k], motion, self.reach(pairs[k]));
            toi.unwrap_or(NEVER)
        });
        if let (time, Some(k)) = first {
            let [point, a, b] = pairs[k];
            return Err(Breach::Meets {
                point,
                edge: [a, b],
                time,
            });
        }

        // Circles and arcs have no exact decision.
        let bounded = pairs.iter().filter(|pair| {
            self.reach(**pair) > 0.0 || pair.iter().any(|&i| motion.deviation(i) > 0.0)
        });
        Ok(bounded.count())
    }

    /// Distance at which a point and an edge touch (m): the sum of their radii, unless they are
    /// neighbours along a rod.
    fn reach(&self, [point, a, b]: [usize; 3]) -> f64 {
        self.outlines.separation(point, [a, b])
    }

    /// Proves that no triangle collapses: that no vertex of one meets the opposite edge.
    ///
    /// # Errors
    /// Returns the triangle that collapses first.
    fn stay_upright(&self, motion: &Sweep) -> Result<(), Breach> {
        let first = parallel::first_min(self.triangles.len(), NEVER, |k| {
            let [a, b, c] = self.triangles[k];
            let sides = [[a, b, c], [b, c, a], [c, a, b]];
            sides
                .iter()
                .filter_map(|&side| meeting(NarrowPhase::Exact, side, motion, 0.0))
                .fold(NEVER, f64::min)
        });

        match first {
            (time, Some(k)) => Err(Breach::Collapse {
                triangle: self.triangles[k],
                time,
            }),
            _ => Ok(()),
        }
    }

    /// Proves that `J > 0` in the whole of each quadratic triangle, by its coefficients of Bernstein
    /// with bounds of rounding.
    ///
    /// # Errors
    /// Returns the triangle that turns over first.
    fn stay_positive(&self, motion: &Sweep) -> Result<(), Breach> {
        let first = parallel::first_min(self.curved.len(), NEVER, |k| {
            let curved = &self.curved[k];
            let flat = first_flat(&curved.at(motion.start), &curved.at(motion.end));
            flat.unwrap_or(NEVER)
        });
        match first {
            (time, Some(k)) => Err(Breach::Overturn {
                nodes: self.curved[k].nodes,
                time,
            }),
            _ => Ok(()),
        }
    }
}

impl Prover<'_> {
    /// Proves that no rod folds: that neither end of two segments meets the other segment. Where one
    /// does, the segments turn by 180 degrees, or one of them has no length.
    ///
    /// # Errors
    /// Returns the bend that folds first.
    fn stay_unfolded(&self, motion: &Sweep) -> Result<(), Breach> {
        let first = parallel::first_min(self.bends.len(), NEVER, |k| {
            let [a, b, c] = self.bends[k];
            let ends = [[a, b, c], [c, a, b]];
            let meets = |&end: &[usize; 3]| meeting(NarrowPhase::Exact, end, motion, 0.0);
            ends.iter().filter_map(meets).fold(NEVER, f64::min)
        });

        match first {
            (time, Some(k)) => Err(Breach::Fold {
                bend: self.bends[k],
                time,
            }),
            _ => Ok(()),
        }
    }
}

/// Proves that stored ends of vertices lie at the ends of their arcs, up to rounding.
///
/// # Errors
/// Returns the first vertex that is off its arc.
fn stay_on_arcs(motion: &Sweep) -> Result<(), Breach> {
    for vertex in 0..motion.end.len() {
        let Some(path) = motion.turning(vertex) else {
            continue;
        };

        let reach = path.arm.norm() * (1.0 + path.motion.angle.abs());
        let distance = (path.position(1.0) - motion.end[vertex]).amax();
        let size = motion.end[vertex].amax() + path.motion.center.amax() + reach;
        if distance.is_nan() || distance > ARC_ROUNDING * size {
            return Err(Breach::Off { vertex, distance });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
