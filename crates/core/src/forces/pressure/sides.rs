//! Sides of triangles, along which pressure is a linear function.

use super::chords::Chords;
use crate::time::World;
use std::collections::BTreeMap;

/// Sides of quadratic triangles on outlines.
pub(super) struct Sides {
    /// Each side by its nodes: start, middle and end.
    pub(super) list: Vec<[usize; 3]>,
    /// Both edges of the side of each middle.
    of_middles: BTreeMap<usize, [usize; 2]>,
    /// True for each body that deforms, `[bodies]`.
    pub(super) is_soft: Vec<bool>,
}

impl Sides {
    /// Sides of the quadratic triangles of a world whose parts are edges.
    pub(super) fn new(world: &World, chords: &Chords) -> Self {
        let mut list = Vec::new();
        let mut of_middles = BTreeMap::new();
        for curved in &world.curved {
            for side in curved.sides() {
                let [a, middle, b] = side;
                let both = chords.find([a, middle]).zip(chords.find([middle, b]));
                if let Some(((first, _), (second, _))) = both {
                    list.push(side);
                    of_middles.insert(middle, [first, second]);
                }
            }
        }
        let is_soft = world.bodies.iter().map(|body| body.kind.is_soft());
        Self {
            list,
            of_middles,
            is_soft: is_soft.collect(),
        }
    }

    /// True if no side is of a quadratic triangle.
    pub(super) fn are_none(&self) -> bool {
        self.list.is_empty()
    }

    /// Edges of the side that the edge `k` is a part of: itself, unless it is of a quadratic triangle.
    pub(super) fn around(&self, chords: &Chords, k: usize) -> Vec<usize> {
        let mut middles = chords.surface.edges[k].iter();
        let side = middles.find_map(|vertex| self.of_middles.get(vertex));
        side.map_or_else(|| vec![k], |side| side.to_vec())
    }

    /// Length of the side of a quadratic triangle that has the edge `k` (m); 0 if there is none.
    pub(super) fn quadratic_length(&self, chords: &Chords, k: usize) -> f64 {
        let mut vertices = chords.surface.edges[k].iter();
        if vertices.any(|vertex| self.of_middles.contains_key(vertex)) {
            self.length_of(chords, k)
        } else {
            0.0
        }
    }

    /// Length of the side that has the edge `k` (m).
    pub(super) fn length_of(&self, chords: &Chords, k: usize) -> f64 {
        let edges = self.around(chords, k).into_iter();
        edges.map(|k| chords.way(k).norm()).sum()
    }
}
