//! Cuts of vertices through outlines and circles on one motion.

use super::chain::Place;
use super::crossing::{Crossing, crossings};
use super::{Pace, SweptPenetration, SweptPenetrations};
use crate::Outlines;
use crate::broad::BroadPhase;
use crate::sliced_candidates::SlicedCandidates;
use crate::tuning::{
    BULLET_DEPTH, BULLET_DEPTH_DIVIDED, CHORD_DEVIATION, CUT_MOST_CHORDS, CUT_SHARE, IMPACT_DEPTH,
    OVERSHOOT_SHARE,
};
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::path::{Sweep, Trajectory};
use ipcsim_math::parallel;
use ipcsim_math::sort::sort_by;

/// Vertices and edges of one body that a vertex may cut.
struct Group {
    /// The vertex.
    vertex: usize,
    /// The body.
    body: usize,
    /// Range of the pairs of both.
    pairs: std::ops::Range<usize>,
}

/// One motion, and all that is needed to look for shortcuts on it.
pub(super) struct Look<'a> {
    /// Shape of all outlines at rest.
    pub(super) shape: &'a SweptPenetrations,
    /// The outlines.
    pub(super) outlines: &'a Outlines<'a>,
    /// The direct motion of all vertices.
    pub(super) motion: &'a Sweep<'a>,
    /// Pairs of bodies that may meet, the smaller number first, ascending.
    pub(super) busy: Vec<[usize; 2]>,
    /// Longest displacement (m) of a vertex of each body, `[bodies]`.
    pub(super) travel: &'a [f64],
    /// Bodies between which shortcuts are looked for.
    pub(super) pace: Pace,
}

/// Path of a vertex through a body.
#[derive(Clone, Copy, Default)]
struct Through {
    /// Depth of the deepest cut (m); 0 if there is none.
    depth: f64,
    /// True if the path ends inside.
    ends_inside: bool,
}

impl Look<'_> {
    /// Deepest cut of each vertex through each outline.
    pub(super) fn through_outlines(&self, paths: &[Aabb]) -> Vec<SweptPenetration> {
        let pairs = self.pairs(paths);
        let mut groups: Vec<Group> = Vec::new();
        for (k, &[vertex, edge]) in pairs.iter().enumerate() {
            let body = self.outlines.body[self.outlines.edges[edge][0]];
            match groups.last_mut() {
                Some(last) if last.vertex == vertex && last.body == body => last.pairs.end = k + 1,
                _ => groups.push(Group {
                    vertex,
                    body,
                    pairs: k..k + 1,
                }),
            }
        }

        parallel::collect(groups.len(), |range, cuts| {
            for group in &groups[range] {
                let edges = pairs[group.pairs.clone()].iter().map(|&[_, edge]| edge);
                cuts.extend(self.through_outline(group, edges));
            }
        })
    }

    /// Vertices and edges whose paths come near each other, of bodies that meet: `[vertex, edge]`,
    /// by vertices and then by the bodies of edges.
    fn pairs(&self, paths: &[Aabb]) -> Vec<[usize; 2]> {
        let Outlines { edges, body, .. } = *self.outlines;
        let mut is_busy = vec![false; self.shape.width.len()];
        for &body in self.busy.iter().flatten() {
            is_busy[body] = true;
        }

        let mut points = self.shape.points.clone();
        points.retain(|&vertex| is_busy[body[vertex]]);
        let mut sides: Vec<usize> = (0..edges.len()).collect();
        sides.retain(|&e| edges[e][0] != edges[e][1] && is_busy[body[edges[e][0]]]);

        let keep = |i: u32, j: u32| {
            let vertex = points[i as usize];
            let [a, b] = edges[sides[j as usize]];
            vertex != a && vertex != b && self.meet(body[vertex], body[a])
        };
        let of_points: Vec<Aabb> = points.iter().map(|&vertex| paths[vertex]).collect();
        let of_sides: Vec<Aabb> = sides
            .iter()
            .map(|&e| paths[edges[e][0]].union(&paths[edges[e][1]]))
            .collect();
        let mut found = BroadPhase::default().pairs_where(&of_points, &of_sides, keep);

        let is_worth = SlicedCandidates::is_worth(found.len(), points.len(), sides.len());
        if let Some(way) = SlicedCandidates::of(self.motion).filter(|_| is_worth) {
            // Chords may leave arcs by a share of the depth that is allowed.
            let room = |vertex: usize| {
                CHORD_DEVIATION * CUT_SHARE * self.shape.width[body[vertex]]
                    + self.outlines.radius[vertex]
            };
            let ends: Vec<[usize; 2]> = sides.iter().map(|&e| edges[e]).collect();
            found = way.pairs(&points, &ends, room, keep);
        }

        let mut pairs: Vec<[usize; 2]> = found
            .into_iter()
            .map(|(i, j)| [points[i as usize], sides[j as usize]])
            .collect();
        pairs.sort_unstable_by_key(|&[vertex, edge]| (vertex, body[edges[edge][0]], edge));
        pairs
    }

    /// True if two bodies may meet.
    fn meet(&self, a: usize, b: usize) -> bool {
        self.busy.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }

    /// Deepest cut of the vertex of a group through the body of its `edges`.
    fn through_outline(
        &self,
        group: &Group,
        edges: impl Iterator<Item = usize>,
    ) -> Option<SweptPenetration> {
        let &Group { vertex, body, .. } = group;
        let allowed = self.shape.allowed(self.outlines.body[vertex], body);

        // Crossings in the order of time.
        let mut found: Vec<Crossing> = Vec::new();
        for edge in edges {
            let [a, b] = self.outlines.edges[edge];
            let vertices = [vertex, a, b];
            let chords = self.chords(&vertices, allowed);
            crossings(self.motion, vertices, chords, |at| {
                let (place, is_reversed) = self.shape.chains.located(edge, at.share);
                found.push(Crossing {
                    time: at.time,
                    edge,
                    leftwards: at.leftwards != is_reversed,
                    place,
                });
            });
        }
        sort_by(&mut found, |a, b| a.time.total_cmp(&b.time));

        let way = if self.outlines.filled[body] {
            self.through_filled(&found)
        } else {
            self.through_wire(&found)
        };
        let through = self.outlines.edges[found.first()?.edge][0];
        self.judged(vertex, through, way)
    }

    /// The path of a vertex through another body as a shortcut; `None` if it is free, or short
    /// enough for a step.
    fn judged(&self, vertex: usize, through: usize, way: Through) -> Option<SweptPenetration> {
        let bodies = [vertex, through].map(|i| self.outlines.body[i]);
        let Through { depth, ends_inside } = way;
        let cut = SweptPenetration {
            vertex,
            through,
            depth,
            allowed: self.shape.allowed(bodies[0], bodies[1]),
        };

        // A cut counts only if the bodies move far enough to overshoot.
        let travel: f64 = bodies.iter().map(|&body| self.travel[body]).sum();
        if depth > 0.0 && travel >= self.least_overshoot(bodies, depth) {
            return Some(cut);
        }

        // A small body that would end inside a large one moves too far for its impact.
        let is_bullet = self.shape.size[bodies[0]] <= self.shape.width[bodies[1]];
        (self.pace.is_before() && ends_inside && is_bullet).then(|| SweptPenetration {
            depth: travel,
            allowed: self.depth_of_impact(bodies),
            ..cut
        })
    }

    /// Least displacement (m) of two bodies together on which a cut of a depth (m) counts.
    fn least_overshoot(&self, bodies: [usize; 2], depth: f64) -> f64 {
        let sizes = bodies.map(|body| self.shape.size[body]);
        match self.pace {
            Pace::Any | Pace::Fast => 0.0,
            Pace::Striking => OVERSHOOT_SHARE * depth,
            Pace::Far => (OVERSHOOT_SHARE * depth).max(sizes[0].min(sizes[1])),
        }
    }

    /// Largest distance (m) by which the first of two bodies may move into the other one within a
    /// step.
    fn depth_of_impact(&self, [small, large]: [usize; 2]) -> f64 {
        let own = if self.pace == Pace::Far {
            BULLET_DEPTH
        } else {
            BULLET_DEPTH_DIVIDED
        };
        (own * self.shape.size[small]).max(IMPACT_DEPTH * self.shape.width[large])
    }

    /// Path through a body that encloses an area: from each entry to the next exit.
    fn through_filled(&self, found: &[Crossing]) -> Through {
        let mut deepest: f64 = 0.0;
        let mut entry: Option<Place> = None;
        for crossing in found {
            if crossing.leftwards {
                // A vertex between two edges is crossed twice; the first crossing counts.
                entry.get_or_insert(crossing.place);
            } else if let Some(entry) = entry.take() {
                deepest = deepest.max(self.shape.chains.cut(entry, crossing.place));
            }
        }
        Through {
            depth: deepest,
            ends_inside: entry.is_some(),
        }
    }

    /// Path through wires: from each crossing to the next one back, or round an end.
    fn through_wire(&self, found: &[Crossing]) -> Through {
        let mut deepest: f64 = 0.0;
        let mut open: Vec<Crossing> = Vec::new();
        for &crossing in found {
            let same = |other: &Crossing| other.place.chain == crossing.place.chain;
            match open.iter().position(same) {
                None => open.push(crossing),
                Some(k) if open[k].leftwards != crossing.leftwards => {
                    let before = open.swap_remove(k);
                    let cut = self.shape.chains.cut(before.place, crossing.place);
                    deepest = deepest.max(cut);
                }
                Some(_) => {}
            }
        }

        for crossing in open {
            deepest = deepest.max(self.shape.chains.round_end(crossing.place));
        }
        Through {
            depth: deepest,
            ends_inside: false,
        }
    }

    /// Number of chords that follow the arcs of `vertices` closely enough for the `allowed` depth
    /// (m).
    fn chords(&self, vertices: &[usize], allowed: f64) -> u32 {
        // A chord over the turn `a` deviates by `r a^2 / 8`.
        let least = vertices.iter().filter_map(|&vertex| {
            let path = self.motion.turning(vertex)?;
            let deviation = path.arm.norm() / (8.0 * CHORD_DEVIATION * allowed);
            Some(path.motion.angle.abs() * deviation.sqrt())
        });
        let count = least.fold(1.0, f64::max).min(CUT_MOST_CHORDS).ceil();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number from 1 to the most chords"
        )]
        {
            count as u32
        }
    }

    /// Deepest cut of each vertex through each circle.
    pub(super) fn through_circles(&self, paths: &[Aabb]) -> Vec<SweptPenetration> {
        let Outlines {
            radius,
            body,
            strands,
            ..
        } = *self.outlines;
        let is_circle = |vertex: usize| radius[vertex] > 0.0 && !strands.has(body[vertex]);
        let points = &self.shape.points;
        let mut centres = points.clone();
        centres.retain(|&vertex| is_circle(vertex));
        if centres.is_empty() {
            return Vec::new();
        }

        let of_points: Vec<Aabb> = points.iter().map(|&vertex| paths[vertex]).collect();
        let of_centres: Vec<Aabb> = centres.iter().map(|&vertex| paths[vertex]).collect();
        let pairs = BroadPhase::default().pairs_where(&of_points, &of_centres, |i, j| {
            let vertex = points[i as usize];
            let centre = centres[j as usize];
            let once = !is_circle(vertex) || vertex < centre;
            vertex != centre && once && self.meet(body[vertex], body[centre])
        });
        parallel::collect(pairs.len(), |range, cuts| {
            for &(i, j) in &pairs[range] {
                cuts.extend(self.through_circle(points[i as usize], centres[j as usize]));
            }
        })
    }

    /// Cut of a vertex, or of the circle around it, through the circle around `centre`.
    fn through_circle(&self, vertex: usize, centre: usize) -> Option<SweptPenetration> {
        let Outlines { radius, body, .. } = *self.outlines;
        let allowed = self.shape.allowed(body[vertex], body[centre]);
        let ways = [vertex, centre].map(|i| self.motion.path(i));

        // Distance from the centre on each chord of the relative path.
        let chords = self.chords(&[vertex, centre], allowed);
        let apart = |k: u32| {
            let t = f64::from(k) / f64::from(chords);
            ways[0].position(t) - ways[1].position(t)
        };
        let mut nearest = f64::INFINITY;
        let mut from = apart(0);
        for k in 1..=chords {
            let to = apart(k);
            let way = to - from;
            let t = (-from.dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
            let least = if t.is_nan() { from } else { from + way * t };
            nearest = nearest.min(least.norm());
            from = to;
        }

        // A vertex that stays inside has not passed.
        let rim = radius[vertex] + radius[centre];
        let ends_inside = from.norm() < rim;
        let depth = if ends_inside {
            0.0
        } else {
            (rim - nearest).max(0.0)
        };
        self.judged(vertex, centre, Through { depth, ends_inside })
    }
}
