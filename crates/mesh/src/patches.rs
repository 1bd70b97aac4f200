//! Patches of triangles, which share one volume where a material is nearly incompressible.
//!
//! A patch is a disk of triangles, and each triangle is in one patch. Whether a mesh then bends
//! without locking and without pressures that alternate from patch to patch depends on where patches
//! meet. With displacements that are linear along edges and one pressure in each cell the method is
//! stable if at most three cells meet at each vertex (Beirao da Veiga and Lipnikov 2010), or if
//! neighbours share more than one edge, as in macro-elements (Boland and Nicolaides 1983): a vertex
//! within the common side carries what flows from one to the other.
//!
//! So patches grow from *stars*, all triangles around a vertex. Stars of six triangles tile a mesh with
//! uniform diagonals as hexagons do, three at each vertex. Stars of eight, where the diagonals of a
//! rectangle alternate, are squares of 2 x 2 cells, which share two edges. Stars of four are left out
//! at first: they would meet by fours, and pressures could alternate. The constant of the condition of
//! Babuska and Brezzi stays between 0.46 and 0.71 on rectangles of both kinds and on disks of up to 14
//! cells, as the tests compute it.

use super::{boundary, curves};
use crate::tuning::{STAR_LEAST, STAR_LEAST_INSIDE};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A disk of triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Vertices on its outline, counter-clockwise, each once.
    pub ring: Vec<usize>,
    /// Numbers of its triangles.
    pub triangles: Vec<usize>,
}

/// Patches of a mesh with at most `most` vertices on each outline, which cover each triangle once.
///
/// The result follows from nothing but the numbers of vertices and triangles. The next star always
/// shares most edges with the patches so far; among equals it has most triangles, and then the
/// smallest vertex. A triangle that no star takes is added to the smallest neighbouring patch that
/// stays a disk, or begins one.
pub fn patches(triangles: &[[usize; 3]], most: usize) -> Vec<Patch> {
    let mut growth = Growth::new(triangles, most);
    let outer: BTreeSet<usize> = boundary::edges(triangles).into_iter().flatten().collect();
    growth.stars(|vertex, count| count >= STAR_LEAST_INSIDE && !outer.contains(&vertex));
    growth.stars(|_, count| count >= STAR_LEAST);
    growth.fill();

    let patches = growth.patches.into_iter().map(|own| {
        let ring = ring(&own, triangles).unwrap_or_default();
        Patch {
            ring,
            triangles: own,
        }
    });
    patches.collect()
}

/// Outline of some triangles, if they are a disk.
fn ring(own: &[usize], triangles: &[[usize; 3]]) -> Option<Vec<usize>> {
    let own: Vec<[usize; 3]> = own.iter().map(|&k| triangles[k]).collect();
    let mut rings = curves(&boundary::edges(&own));
    let ring = rings.pop().filter(|_| rings.is_empty())?;
    let vertices: BTreeSet<&usize> = ring.iter().collect();
    (vertices.len() == ring.len()).then_some(ring)
}

/// A side with its smaller vertex first.
fn side([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Sides of a triangle, each with the vertex opposite to it.
fn sides([a, b, c]: [usize; 3]) -> [([usize; 2], usize); 3] {
    [(side([a, b]), c), (side([b, c]), a), (side([c, a]), b)]
}

/// Patches as they grow.
struct Growth<'a> {
    /// All triangles of the mesh.
    triangles: &'a [[usize; 3]],
    /// Largest number of vertices on an outline.
    most: usize,
    /// Triangles around each vertex.
    around: BTreeMap<usize, Vec<usize>>,
    /// Triangles at each side.
    beside: BTreeMap<[usize; 2], Vec<usize>>,
    /// Patch of each triangle.
    owner: Vec<Option<usize>>,
    /// Edges that the star of a vertex shares with patches.
    contact: BTreeMap<usize, usize>,
    /// Triangles of each patch.
    patches: Vec<Vec<usize>>,
}

impl<'a> Growth<'a> {
    /// A mesh without patches.
    fn new(triangles: &'a [[usize; 3]], most: usize) -> Self {
        let mut around: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut beside: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        for (k, &triangle) in triangles.iter().enumerate() {
            for (side, opposite) in sides(triangle) {
                around.entry(opposite).or_default().push(k);
                beside.entry(side).or_default().push(k);
            }
        }

        Self {
            triangles,
            most,
            around,
            beside,
            owner: vec![None; triangles.len()],
            contact: BTreeMap::new(),
            patches: Vec::new(),
        }
    }

    /// Makes patches of stars, as long as a vertex that `begins` one by its number of triangles has
    /// none in a patch.
    fn stars(&mut self, begins: impl Fn(usize, usize) -> bool) {
        let key = |contact: &BTreeMap<usize, usize>, vertex: usize, count: usize| {
            let shared = contact.get(&vertex).copied().unwrap_or(0);
            (shared, count, Reverse(vertex))
        };
        let begin = self
            .around
            .iter()
            .filter(|(vertex, own)| begins(**vertex, own.len()));
        let mut queue: BTreeSet<_> = begin
            .map(|(&vertex, own)| key(&self.contact, vertex, own.len()))
            .collect();

        while let Some((_, _, Reverse(vertex))) = queue.pop_last() {
            let own = self.around[&vertex].clone();
            let is_free = own.iter().all(|&k| self.owner[k].is_none());
            let is_disk = ring(&own, self.triangles).is_some_and(|ring| ring.len() <= self.most);
            if !is_free || !is_disk {
                continue;
            }

            // Stars across its outline have one more edge in common.
            for (next, count) in self.add(own) {
                let before = key(&self.contact, next, count);
                *self.contact.entry(next).or_default() += 1;
                // A vertex that may not begin a patch, or has been asked, stays out of the queue.
                if queue.remove(&before) {
                    queue.insert(key(&self.contact, next, count));
                }
            }
        }
    }

    /// Makes a patch of these triangles. The result are the vertices opposite to its outline, each
    /// once for each edge, with their numbers of triangles.
    fn add(&mut self, own: Vec<usize>) -> Vec<(usize, usize)> {
        for &k in &own {
            self.owner[k] = Some(self.patches.len());
        }

        // Stars of these vertices share edges with the patch, so they come next.
        let mut across = Vec::new();
        for &k in &own {
            for (side, _) in sides(self.triangles[k]) {
                let others = self.beside[&side].iter();
                for &other in others.filter(|other| self.owner[**other].is_none()) {
                    let opposite = sides(self.triangles[other]).into_iter();
                    let opposite = opposite.filter(|(own, _)| *own == side);
                    across.extend(opposite.map(|(_, vertex)| (vertex, self.around[&vertex].len())));
                }
            }
        }

        self.patches.push(own);
        across
    }

    /// Gives every triangle that is left to a patch.
    fn fill(&mut self) {
        loop {
            let left: Vec<usize> = (0..self.owner.len())
                .filter(|k| self.owner[*k].is_none())
                .collect();
            let Some(&first) = left.first() else { return };
            let before = self.owner.iter().flatten().count();

            for k in left {
                if let Some(patch) = self.host(k) {
                    self.owner[k] = Some(patch);
                    self.patches[patch].push(k);
                }
            }

            // Without progress no patch takes any of them: one begins a patch.
            if self.owner.iter().flatten().count() == before {
                self.add(vec![first]);
            }
        }
    }

    /// Smallest neighbouring patch of triangle `k` that stays a disk with it.
    fn host(&self, k: usize) -> Option<usize> {
        let sides = sides(self.triangles[k]).into_iter();
        let beside = sides.flat_map(|(side, _)| &self.beside[&side]);
        let hosts: BTreeSet<usize> = beside.filter_map(|other| self.owner[*other]).collect();
        let fits = hosts.into_iter().filter(|&patch| {
            let mut own = self.patches[patch].clone();
            own.push(k);
            ring(&own, self.triangles).is_some_and(|ring| ring.len() <= self.most)
        });
        fits.min_by_key(|&patch| self.patches[patch].len())
    }
}

#[cfg(test)]
mod tests;
