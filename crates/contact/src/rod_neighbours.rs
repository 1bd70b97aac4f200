//! Neighbours along rods, which have no radius to each other.
//!
//! Two parts of a rod that are nearer to each other along it than two radii are nearer in the plane
//! as well, without touching. So within a stated length along the rod, parts touch where their
//! middle lines do. Beyond it they touch at two radii as parts of any two bodies.
//!
//! Lengths are those at rest, so that they do not change. Which pairs are neighbours is a property
//! of their numbers, and the energy of contact is as smooth as without neighbours.
//!
//! All vertices of a rod have its radius. Two edges that do not cross are nearest at an end of one
//! of them, so pairs of points and edges serve lines with a radius as they serve circles. Where a
//! stretch of neighbours ends, both kinds of pairs are counted separately, and the energy stays
//! smooth.

use ipcsim_math::Vec2;

/// A rod with a radius: a row of vertices, with the length along it to each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct RodChain {
    /// Number of the body.
    pub body: usize,
    /// Number of the first vertex.
    first: usize,
    /// Length at rest along the rod to each vertex (m), `[vertices of the rod]`.
    along: Vec<f64>,
    /// Length of the whole rod at rest if it is closed (m); infinite if it is open.
    around: f64,
    /// Length along the rod within which parts are neighbours (m).
    pub exempt: f64,
    /// Images of its vertices, ascending, where the rod goes on across the periods of a scene, each with
    /// the length along it (m), which may be negative.
    beyond: Vec<(usize, f64)>,
}

impl RodChain {
    /// A rod with these numbers of its body and its first vertex, whose vertices are at `rest` (m),
    /// and whose parts are neighbours within the length `exempt` (m).
    pub fn new([body, first]: [usize; 2], rest: &[Vec2], closed: bool, exempt: f64) -> Self {
        let mut along = Vec::with_capacity(rest.len());
        let mut length = 0.0;

        for (i, x) in rest.iter().enumerate() {
            if i > 0 {
                length += (x - rest[i - 1]).norm();
            }
            along.push(length);
        }

        let around = match (rest.first(), rest.last()) {
            (Some(first), Some(last)) if closed => length + (first - last).norm(),
            _ => f64::INFINITY,
        };

        Self {
            body,
            first,
            along,
            around,
            exempt,
            beyond: Vec::new(),
        }
    }

    /// The rod with images of its vertices, each with the length along it (m), where it goes on across the
    /// periods of a scene.
    #[must_use]
    pub fn beyond(mut self, mut images: Vec<(usize, f64)>) -> Self {
        images.sort_unstable_by_key(|image| image.0);
        self.beyond = images;
        self
    }

    /// Images of its vertices, ascending, each with the length along the rod (m).
    pub fn images(&self) -> &[(usize, f64)] {
        &self.beyond
    }

    /// Length along the rod between two of its vertices (m), the shorter one around a closed one.
    fn between(&self, a: usize, b: usize) -> f64 {
        let place = |vertex: usize| {
            let own = self.along.get(vertex.wrapping_sub(self.first)).copied();
            own.or_else(|| {
                let found = self.beyond.binary_search_by_key(&vertex, |image| image.0);
                found.ok().map(|k| self.beyond[k].1)
            })
        };
        let [Some(a), Some(b)] = [a, b].map(place) else {
            return f64::INFINITY;
        };
        let way = (a - b).abs();
        way.min(self.around - way)
    }

    /// True if a vertex of the rod and one of its segments are neighbours.
    fn are_neighbours(&self, point: usize, [a, b]: [usize; 2]) -> bool {
        self.between(point, a).min(self.between(point, b)) < self.exempt
    }
}

/// All rods with a radius, by ascending body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RodNeighbours {
    /// The rods.
    list: Vec<RodChain>,
    /// Activation distance of each vertex with parts of the same rod that are not neighbours (m),
    /// `[vertices]`; empty without rods.
    d_hat: Vec<f64>,
}

impl RodNeighbours {
    /// These rods, by ascending body.
    pub fn new(list: Vec<RodChain>) -> Self {
        Self {
            list,
            d_hat: Vec::new(),
        }
    }

    /// True without a rod that has a radius.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The rods, by ascending body.
    pub fn list(&self) -> &[RodChain] {
        &self.list
    }

    /// True if a vertex and an edge of the body with the number `body` are neighbours along a rod.
    /// Parts of other bodies are not.
    #[inline]
    pub fn are_neighbours(&self, body: usize, point: usize, edge: [usize; 2]) -> bool {
        if self.list.is_empty() {
            return false;
        }
        self.of(body)
            .is_some_and(|strand| strand.are_neighbours(point, edge))
    }

    /// True if the body with the number `body` is a rod with a radius.
    pub(super) fn has(&self, body: usize) -> bool {
        self.of(body).is_some()
    }

    /// The rod with the number `body`; `None` if that is not a rod with a radius.
    fn of(&self, body: usize) -> Option<&RodChain> {
        let found = self.list.binary_search_by_key(&body, |strand| strand.body);
        found.ok().map(|k| &self.list[k])
    }

    /// Activation distance (m) of a vertex of the body with the number `body` with an edge of the
    /// same body; `None` if they are neighbours or the body is not a rod with a radius.
    #[inline]
    pub(super) fn d_hat(&self, body: usize, point: usize, edge: [usize; 2]) -> Option<f64> {
        let strand = self.of(body)?;
        if strand.are_neighbours(point, edge) {
            return None;
        }
        self.d_hat.get(point).copied()
    }

    /// Smallest activation distance of parts of one rod that are not neighbours (m); infinite
    /// without rods.
    pub(super) fn least_d_hat(&self) -> f64 {
        self.d_hat.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Sets the activation distance (m) of each vertex with parts of the same rod that are not
    /// neighbours, `[vertices]`, as [`super::strand_gaps`] finds them.
    pub fn set_d_hat(&mut self, d_hat: Vec<f64>) {
        self.d_hat = d_hat;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rod of eleven vertices 0.1 m apart, behind five other vertices.
    fn rod(closed: bool) -> RodNeighbours {
        let rest: Vec<Vec2> = (0..11)
            .map(|i| Vec2::new(0.1 * f64::from(i), 0.0))
            .collect();
        RodNeighbours::new(vec![RodChain::new([2, 5], &rest, closed, 0.25)])
    }

    #[test]
    fn neighbours_are_nearer_along_the_rod_than_the_length_that_is_exempt() {
        let open = rod(false);
        assert!(open.are_neighbours(2, 5, [7, 8]));
        assert!(!open.are_neighbours(2, 5, [8, 9]));
        assert!(open.are_neighbours(2, 10, [7, 8]) && !open.are_neighbours(2, 10, [6, 7]));
        assert!(!open.are_neighbours(2, 5, [14, 15]));
        assert!(!open.are_neighbours(1, 5, [5, 6]), "another body");
        assert!(!RodNeighbours::default().are_neighbours(2, 5, [6, 7]));
    }

    #[test]
    fn a_closed_rod_has_neighbours_beyond_its_first_vertex() {
        // The last segment, of 1 m, joins the ends: the distance around is 2 m.
        let closed = rod(true);
        assert!(closed.are_neighbours(2, 5, [15, 5]));
        assert!(!closed.are_neighbours(2, 5, [14, 15]));
    }
}
