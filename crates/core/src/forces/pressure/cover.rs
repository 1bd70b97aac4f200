//! Parts of edges that are in contact.
//!
//! Stiff contact opens between the places that bear force, by less than can be seen: at the corners of
//! quadratic triangles, and between the corners of round outlines. Holes that are shorter than a side therefore count as contact.

use super::chords::{Chords, End};
use super::sides::Sides;
use crate::tuning::{FACING, HOLE, MOST_EDGES, SAME_END, SHARP};
use ipcsim_contact::{Opposite, PressedPiece};
use ipcsim_math::Vec2;
use std::collections::BTreeMap;

/// Part of an edge in contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    /// Its ends on the edge, from 0 to 1.
    pub(super) range: [f64; 2],
    /// Length of pieces (m), and that length projected along their forces.
    lengths: [f64; 2],
    /// Longest side of a triangle there, of this body or of the other (m).
    longest: f64,
    /// Edges of other bodies that are opposite.
    pub(super) opposite: Vec<usize>,
}

/// Covers of edges that are in contact, by number.
pub(super) type Covers = BTreeMap<usize, Cover>;

impl Cover {
    /// Extends the range by another one.
    fn include(&mut self, [from, to]: [f64; 2]) {
        self.range = [self.range[0].min(from), self.range[1].max(to)];
    }

    /// Adds a piece of a length (m), whose part `facing` counts.
    fn add(&mut self, [from, to]: [f64; 2], length: f64, facing: f64) {
        if self.lengths[0] == 0.0 {
            self.range = [from, to];
        }
        self.include([from, to]);
        self.lengths[0] += length;
        self.lengths[1] += length * facing;
    }
}

/// Covers of all edges by the pieces that face the other side, holes filled.
pub(super) fn covers(chords: &Chords, sides: &Sides, pieces: &[PressedPiece]) -> Covers {
    let mut covers = Covers::new();
    for piece in pieces {
        let own = chords.find(piece.edge).map(|(k, _)| (k, piece.range));
        let other = match piece.opposite {
            Opposite::Edge { edge, places, .. } => chords.find(edge).map(|(k, is_forward)| {
                let [from, to] = places.map(|at| if is_forward { at } else { 1.0 - at });
                (k, [from.min(to).max(0.0), from.max(to).min(1.0)])
            }),
            Opposite::Vertex(_) => continue,
            Opposite::Plane => None,
        };

        let both = [(own, other), (other, own)];
        for (side, opposite) in both {
            let Some((k, range)) = side else {
                continue;
            };
            let facing = chords.facing(k, piece.normal);
            if facing < FACING || piece.weight <= 0.0 || range[1] <= range[0] {
                continue;
            }
            let cover = covers.entry(k).or_default();
            let length = (range[1] - range[0]) * chords.way(k).norm();
            cover.add(range, length, facing);
            cover.longest = cover.longest.max(sides.length_of(chords, k));
            // A side that leans is beyond the corner of the other body.
            let faces = |k: usize| chords.facing(k, piece.normal) >= FACING;
            if let Some((other, _)) = opposite.filter(|&(other, _)| faces(other)) {
                let length = sides.length_of(chords, other);
                cover.longest = cover.longest.max(length);
                if !cover.opposite.contains(&other) {
                    cover.opposite.push(other);
                }
            }
        }
    }
    fill(chords, &mut covers);
    covers
}

/// Fills holes that are shorter than the longest side at them: between covers, and from a cover to a sharp
/// corner, up to half of that length.
fn fill(chords: &Chords, covers: &mut Covers) {
    let outline = Outlines::new(chords);
    let first: Vec<usize> = covers.keys().copied().collect();
    for k in first {
        for is_forward in [true, false] {
            let Some(cover) = covers.get(&k).cloned() else {
                continue;
            };
            let Hole { edges, last } = outline.hole(chords, covers, k, is_forward);
            let Some(&(edge, _)) = edges.last() else {
                continue;
            };

            // Edges within a hole are opposite to what is at both sides of it.
            let mut opposite = cover.opposite.clone();
            if let Some(found) = last.and_then(|last| covers.get(&last)) {
                opposite.extend(&found.opposite);
            }

            // Contact ends at a corner only where the other body is opposite.
            if last.is_none() {
                let vertex = chords.surface.edges[edge][usize::from(is_forward)];
                let corner = chords.x[vertex];
                let Some(path) = outline.path_to(chords, &cover.opposite, corner) else {
                    continue;
                };
                include(covers, &path, cover.longest, std::slice::from_ref(&k));
            }
            include(covers, &edges, cover.longest, &opposite);
        }
    }
}

/// Extends the covers of edges by ranges. New ones are at a side of the length `longest` (m), and have
/// these edges opposite.
fn include(covers: &mut Covers, edges: &[(usize, [f64; 2])], longest: f64, opposite: &[usize]) {
    for &(number, range) in edges {
        let found = covers.entry(number).or_insert_with(|| Cover {
            range,
            lengths: [1.0; 2],
            longest,
            opposite: opposite.to_vec(),
        });
        found.include(range);
    }
}

/// A hole in a contact.
struct Hole {
    /// Parts of edges in it, in order; empty if it is none.
    edges: Vec<(usize, [f64; 2])>,
    /// Edge in contact after it; `None` if it ends at a sharp corner.
    last: Option<usize>,
}

/// Order of edges along outlines.
struct Outlines {
    /// Edge that starts at a vertex.
    starts: BTreeMap<usize, usize>,
    /// Edge that ends at a vertex.
    ends: BTreeMap<usize, usize>,
}

impl Outlines {
    /// Order of all edges.
    fn new(chords: &Chords) -> Self {
        let edges = chords.surface.edges.iter().zip(0..);
        let real = edges.filter(|([a, b], _)| a != b);
        Self {
            starts: real.clone().map(|(edge, k)| (edge[0], k)).collect(),
            ends: real.map(|(edge, k)| (edge[1], k)).collect(),
        }
    }

    /// Next edge of an outline; `None` beyond a sharp corner or at an end.
    fn next(&self, chords: &Chords, k: usize, is_forward: bool) -> Option<usize> {
        let [a, b] = chords.surface.edges[k];
        let next = if is_forward {
            self.starts.get(&b)
        } else {
            self.ends.get(&a)
        };
        let next = *next?;
        let [before, after] = [k, next].map(|k| chords.way(k));
        (before.dot(&after) > SHARP * before.norm() * after.norm()).then_some(next)
    }

    /// Hole after a cover.
    fn hole(&self, chords: &Chords, covers: &Covers, k: usize, is_forward: bool) -> Hole {
        let none = Hole {
            edges: Vec::new(),
            last: None,
        };
        let cover = &covers[&k];
        let most = HOLE * cover.longest;
        let [from, to] = cover.range;
        let rest = if is_forward { [to, 1.0] } else { [0.0, from] };
        let mut length = (rest[1] - rest[0]) * chords.way(k).norm();
        let mut edges = vec![(k, rest)];
        let mut at = k;
        while length <= most && most > 0.0 {
            let Some(next) = self.next(chords, at, is_forward) else {
                return if length <= 0.5 * most && length > 0.0 {
                    Hole { edges, last: None }
                } else {
                    none
                };
            };
            if next == k {
                return none;
            }
            let Some(found) = covers.get(&next) else {
                length += chords.way(next).norm();
                edges.push((next, [0.0, 1.0]));
                at = next;
                continue;
            };

            let [from, to] = found.range;
            let rest = if is_forward { [0.0, from] } else { [to, 1.0] };
            length += (rest[1] - rest[0]) * chords.way(next).norm();
            edges.push((next, rest));
            return if length <= most {
                Hole {
                    edges,
                    last: Some(next),
                }
            } else {
                none
            };
        }
        none
    }

    /// Parts of edges from the nearest of some edges to the place that is opposite to a corner (m); `None`
    /// if the outline ends before.
    fn path_to(
        &self,
        chords: &Chords,
        edges: &[usize],
        corner: Vec2,
    ) -> Option<Vec<(usize, [f64; 2])>> {
        let place = |k: usize| {
            let way = chords.way(k);
            let start = chords.x[chords.surface.edges[k][0]];
            way.dot(&(corner - start)) / way.norm_squared()
        };
        let beyond = |k: &usize| (place(*k) - 0.5).abs() * chords.way(*k).norm();
        let nearest = edges.iter().min_by(|a, b| beyond(a).total_cmp(&beyond(b)));

        let mut k = *nearest?;
        let mut path = Vec::new();
        for _ in 0..MOST_EDGES {
            let at = place(k);
            let is_forward = at > 0.5;
            let end = at.clamp(0.0, 1.0);
            let start = if path.is_empty() {
                end
            } else {
                f64::from(u8::from(!is_forward))
            };
            path.push((k, [start.min(end), start.max(end)]));

            // Ends of both bodies at one place differ by rounding and by strains.
            if (at - end).abs() <= SAME_END {
                return Some(path);
            }
            k = self.next(chords, k, is_forward)?;
        }
        None
    }
}

/// Adds the lengths of covers to both ends of edges.
pub(super) fn add(chords: &mut Chords, covers: &Covers) {
    for (&k, cover) in covers {
        let [from, to] = cover.range;
        let facing = cover.lengths[1] / cover.lengths[0];
        let lengths = chords.shares(k, cover.range, facing);
        let is_reached = [from < 0.5, to > 0.5];
        for (i, end) in chords.ends[k].iter_mut().enumerate() {
            end.add(&End {
                length: lengths[i],
                ..End::default()
            });
            end.is_reached |= is_reached[i];
        }
    }
}
