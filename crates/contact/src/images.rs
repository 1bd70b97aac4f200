//! Images of surfaces across the periods of a scene that repeats.
//!
//! Images are vertices and edges like all others. A contact has its point, or the edge along which it
//! is integrated, at home, and its other side at home or in an image: so each pair of the endless
//! pattern counts once. The sides are not exchanged as they are elsewhere, hence images of all
//! neighbouring cells are there.
//!
//! A pair of the endless pattern exists once in each cell. It would count several times if both sides
//! could be images, and never if both had to be at home. A point and an edge are not alike, so that the
//! pair is the one whose point is at home. Two isolated vertices are alike: of two opposite neighbours
//! only the one that is [`Place::Ahead`] counts.

/// Place of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// It is the vertex itself.
    #[default]
    Home,
    /// It is an image, and the second end of an edge that begins at home.
    Seam,
    /// It is another image, in the half of the neighbours that have each pair of cells once.
    Ahead,
    /// It is another image.
    Away,
}

/// Places of all vertices; empty in a scene that does not repeat.
///
/// A scene that does not repeat pays one test for an empty list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Images {
    /// Place of each vertex, `[vertices]`, or none.
    places: Vec<Place>,
    /// For each image 1 plus its original vertex, for others 0, `[vertices]`.
    of: Vec<u32>,
    /// Number of the first vertex that no body owns.
    first: usize,
}

impl Images {
    /// Images by the place of each vertex, and the original of each image.
    ///
    /// Both lists are `[vertices]`; no body owns those from the `first` on.
    pub fn new(places: Vec<Place>, of: &[Option<usize>], first: usize) -> Self {
        let numbers = of
            .iter()
            .map(|of| of.and_then(|of| u32::try_from(of + 1).ok()));
        Self {
            places,
            of: numbers.map(Option::unwrap_or_default).collect(),
            first,
        }
    }

    /// True in a scene that does not repeat.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Number of the first vertex after all vertices of bodies and obstacles, from which on there are
    /// images only; `usize::MAX` in a scene that does not repeat.
    pub fn first(&self) -> usize {
        if self.is_empty() {
            usize::MAX
        } else {
            self.first
        }
    }

    /// Place of a vertex.
    #[inline]
    pub fn place(&self, vertex: usize) -> Place {
        self.places.get(vertex).copied().unwrap_or_default()
    }

    /// True if a vertex is no image. An edge is where its first vertex is.
    #[inline]
    pub fn is_home(&self, vertex: usize) -> bool {
        self.is_empty() || self.place(vertex) == Place::Home
    }

    /// Original of an image; the vertex itself if it is none.
    ///
    /// In a scene that does not repeat each vertex is its original.
    #[inline]
    pub fn original(&self, vertex: usize) -> usize {
        match self.of.get(vertex) {
            None | Some(0) => vertex,
            Some(number) => *number as usize - 1,
        }
    }

    /// True if a point and the edge that begins at the vertex `first` are looked at: one of them is at
    /// home, or the point is an end of an edge there. Two isolated vertices are one pair of the endless
    /// pattern.
    #[inline]
    pub fn may_meet(&self, point: usize, [first, last]: [usize; 2]) -> bool {
        if self.is_empty() {
            return true;
        }
        let [point, edge] = [point, first].map(|vertex| self.place(vertex));
        match (point, edge) {
            (Place::Home, Place::Away) => first != last,
            (Place::Home | Place::Seam, _) => true,
            (_, Place::Home) => first != last,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_one_side_at_home() {
        let places = vec![Place::Home, Place::Seam, Place::Ahead, Place::Away];
        let images = Images::new(places, &[None, Some(0), Some(0), Some(0)], 1);
        assert_eq!((images.first(), Images::default().first()), (1, usize::MAX));
        for other in 0..4 {
            assert!(images.may_meet(0, [other, 9]) && images.may_meet(other, [0, 9]));
            assert!(images.may_meet(1, [other, 9]));
        }
        assert!(!images.may_meet(2, [3, 9]) && !images.may_meet(3, [3, 9]));
        assert_eq!((images.original(0), images.original(3)), (0, 0));

        // Isolated vertices meet half of the images.
        assert!(images.may_meet(0, [2, 2]) && !images.may_meet(0, [3, 3]));
        assert!(Images::default().may_meet(2, [3, 9]));
    }
}
