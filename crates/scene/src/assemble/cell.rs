//! Geometry of a cell that repeats: which vertices are one vertex of the endless pattern.
//!
//! Places are compared within one cell: each place minus its whole periods. Vertices are sorted
//! by x there, so that only near ones are compared. Coordinates of opposite sides differ by
//! rounding, hence the tolerance [`SAME`].

use crate::schema::Periodic;
use ipcsim_contact::Place;
use ipcsim_core::body::Image;
use ipcsim_math::groups::Groups;
use ipcsim_math::sort::sort_by;
use ipcsim_math::{Vec2, cross};
use std::collections::{BTreeMap, BTreeSet};

/// Distance at which vertices are the same, relative to the period (1).
const SAME: f64 = 1e-9;

/// Numbers of periods between a vertex and its original.
pub(super) type Shift = [i32; 2];

/// An edge by what its ends are images of: both originals, and the periods from the first to the last.
type Oriented = (usize, usize, Shift);

/// A vertex as an image of an original.
///
/// The place at rest is the one of the original plus `shift` periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Copied {
    /// Number of the original.
    pub(super) of: usize,
    /// Number of periods from there.
    pub(super) shift: Shift,
}

impl Copied {
    /// The image that is some periods farther.
    pub(super) fn shifted(self, shift: Shift) -> Self {
        Self {
            of: self.of,
            shift: [0, 1].map(|axis: usize| self.shift[axis] + shift[axis]),
        }
    }

    /// Periods from here to another image of the same original.
    pub(super) fn periods_to(self, other: Self) -> Shift {
        [0, 1].map(|axis: usize| other.shift[axis] - self.shift[axis])
    }

    /// A vertex that is its original.
    pub(super) fn itself(vertex: usize) -> Self {
        Self {
            of: vertex,
            shift: [0; 2],
        }
    }
}

/// A cell while its images are made.
///
/// Its lists grow as images are added.
pub(super) struct Cell {
    /// Periods at rest along x and y (m); 1 m where nothing repeats.
    sizes: [f64; 2],
    /// Directions in which the scene repeats.
    pub(super) repeats: [bool; 2],
    /// Each vertex as an image of an original; an original of itself. `[vertices]`
    pub(super) copies: Vec<Copied>,
    /// Vertices by what they are images of.
    pub(super) vertex: BTreeMap<Copied, usize>,
    /// Nodes of images of bodies whose vertices follow from a few nodes.
    pub(super) nodes: Vec<Image>,
}

impl Cell {
    /// A cell whose vertices at `rest` (m, `[vertices]`) are their originals, but for those of `outlines`
    /// (ascending) that are a period apart and of one part by `owners` (`[vertices]`).
    pub(super) fn new(
        periodic: &Periodic,
        rest: &[Vec2],
        outlines: &[usize],
        owners: &[usize],
    ) -> Self {
        let periods = periodic.periods();
        let sizes = periods.map(|period| period.unwrap_or(1.0));
        let repeats = periods.map(|period| period.is_some());
        let mut cell = Self {
            sizes,
            repeats,
            copies: Vec::new(),
            vertex: BTreeMap::new(),
            nodes: Vec::new(),
        };

        // Groups of vertices at one place of the cell, each with its smallest number as the original.
        let mut groups = cell.groups(rest, outlines, owners);
        for i in 0..rest.len() {
            let of = groups.root(i);
            let shift = cell.periods_between(rest[of], rest[i]);
            cell.copies.push(Copied { of, shift });
        }

        let copies = cell.copies.iter().enumerate();
        cell.vertex = copies.map(|(vertex, copy)| (*copy, vertex)).collect();
        cell
    }

    /// Vertices of outlines in groups at one place within the cell.
    ///
    /// Vertices of different parts are not tied: of different bodies, but for rods that are joined.
    fn groups(&self, rest: &[Vec2], outlines: &[usize], owners: &[usize]) -> Groups {
        let mut places: Vec<(Vec2, usize)> = Vec::with_capacity(outlines.len());
        places.extend(outlines.iter().map(|&i| (self.within(rest[i]), i)));
        sort_by(&mut places, |a, b| {
            a.0.x.total_cmp(&b.0.x).then(a.1.cmp(&b.1))
        });
        let near = SAME * self.sizes[0].max(self.sizes[1]);

        let mut groups = Groups::new(rest.len());
        for (k, &(at, i)) in places.iter().enumerate() {
            let others = places[k + 1..].iter();
            for &(other, j) in others.take_while(|(other, _)| other.x - at.x <= near) {
                if (other.y - at.y).abs() <= near && owners[i] == owners[j] {
                    groups.join(i, j);
                }
            }
        }
        groups
    }

    /// The place (m) within the cell that is periods away from a place.
    ///
    /// It is from 0 up to the period; a place within rounding of the period counts as 0.
    fn within(&self, place: Vec2) -> Vec2 {
        let mut within = place;
        for axis in (0..2).filter(|&axis| self.repeats[axis]) {
            let size = self.sizes[axis];
            let rest = place[axis] - (place[axis] / size).floor() * size;
            within[axis] = if size - rest < SAME * size {
                rest - size
            } else {
                rest
            };
        }
        within
    }

    /// Numbers of periods from one place to another (m), which are multiples of periods apart.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a distance within a few cells"
    )]
    fn periods_between(&self, from: Vec2, to: Vec2) -> Shift {
        [0, 1].map(|axis: usize| {
            if self.repeats[axis] {
                ((to[axis] - from[axis]) / self.sizes[axis]).round() as i32
            } else {
                0
            }
        })
    }

    /// A period at rest (m).
    pub(super) fn period(&self, axis: usize) -> Vec2 {
        let mut period = Vec2::zeros();
        period[axis] = self.sizes[axis];
        period
    }

    /// Periods along x and y (m); 1 m where nothing repeats.
    pub(super) fn sizes(&self) -> [f64; 2] {
        self.sizes
    }

    /// Way (m) by some periods at rest.
    pub(super) fn way(&self, shift: Shift) -> Vec2 {
        let [x, y] = shift.map(f64::from);
        Vec2::new(x * self.sizes[0], y * self.sizes[1])
    }

    /// Neighbouring cells that have images.
    ///
    /// Up to eight shifts, without the cell itself.
    pub(super) fn neighbours(&self) -> Vec<Shift> {
        let [along_x, along_y] = self.repeats.map(i32::from);
        let rows = -along_y..=along_y;
        let all = rows.flat_map(|j| (-along_x..=along_x).map(move |i| [i, j]));
        all.filter(|shift| *shift != [0; 2]).collect()
    }

    /// An edge by what its ends are images of.
    fn oriented(&self, [a, b]: [usize; 2]) -> Oriented {
        let [first, last] = [self.copies[a], self.copies[b]];
        let shift = [0, 1].map(|axis: usize| last.shift[axis] - first.shift[axis]);
        (first.of, last.of, shift)
    }

    /// Edges that lie on another one across a period, in the opposite direction: cuts through material.
    ///
    /// Both edges of a cut have the same ends with the material on opposite sides.
    pub(super) fn cuts(&self, edges: &[[usize; 2]]) -> Vec<bool> {
        let all: BTreeSet<Oriented> = edges.iter().map(|&edge| self.oriented(edge)).collect();
        let cuts = edges.iter().map(|&edge| {
            let (first, last, shift) = self.oriented(edge);
            edge[0] != edge[1] && all.contains(&(last, first, shift.map(|n| -n)))
        });
        cuts.collect()
    }

    /// A vertex of `outlines` that lies within an edge across a period, which has no vertex there: both sides
    /// of the cell are divided differently. Vertices are at `rest` (m).
    pub(super) fn unmatched(
        &self,
        edges: &[[usize; 2]],
        outlines: &[usize],
        rest: &[Vec2],
    ) -> Option<usize> {
        let mut is_tied = vec![false; rest.len()];
        for (vertex, copy) in self.copies.iter().enumerate() {
            if copy.of != vertex {
                is_tied[vertex] = true;
                is_tied[copy.of] = true;
            }
        }

        // Only edges between tied vertices lie along a side.
        let near = SAME * self.sizes[0].max(self.sizes[1]);
        for &[a, b] in edges
            .iter()
            .filter(|edge| edge.iter().all(|&end| is_tied[end]))
        {
            let half = (rest[b] - rest[a]) * 0.5;
            let length = half.norm();
            for &vertex in outlines.iter().filter(|&&vertex| !is_tied[vertex]) {
                let mut away = rest[vertex] - rest[a] - half;
                for axis in (0..2).filter(|&axis| self.repeats[axis]) {
                    let size = self.sizes[axis];
                    away[axis] -= (away[axis] / size).round() * size;
                }
                let across = cross(half, away).abs();
                let along = half.dot(&away).abs();
                if across <= near * length && along < (length - near) * length {
                    return Some(vertex);
                }
            }
        }
        None
    }

    /// Places of all vertices of a cell with these edges at home.
    ///
    /// Of two opposite neighbours one is ahead and the other is away.
    pub(super) fn places(&self, home: &[[usize; 2]]) -> Vec<Place> {
        let places = self.copies.iter().map(|copy| match copy.shift {
            [0, 0] => Place::Home,
            [i, j] if j > 0 || j == 0 && i > 0 => Place::Ahead,
            _ => Place::Away,
        });
        let mut places: Vec<Place> = places.collect();
        for &end in home.iter().flatten() {
            if places[end] != Place::Home {
                places[end] = Place::Seam;
            }
        }
        places
    }
}
