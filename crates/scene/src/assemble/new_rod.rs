//! Rods among the parts of a world, for their contact with themselves and for pictures.

use ipcsim_core::time as world;

/// A rod of the world, as far as its contact with itself and pictures need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NewRod {
    /// Number of the body.
    pub body: usize,
    /// Number of its first vertex.
    pub first: usize,
    /// Number of its vertices.
    pub count: usize,
    /// Bending stiffness `EI` (N m^2).
    pub bending: f64,
    /// True if it is straight without forces.
    pub straight: bool,
    /// True if a segment joins the last vertex to the first.
    pub closed: bool,
    /// Radius in contact (m).
    pub radius: f64,
    /// Thickness that pictures show (m).
    pub thickness: f64,
    /// Length along the rod within which parts have no radius to each other (m), if it is given.
    pub exempt: Option<f64>,
}

impl NewRod {
    /// Both vertices of each segment.
    pub(super) fn segments(&self) -> Vec<(usize, usize)> {
        let last = self.first + self.count - 1;
        let mut segments: Vec<(usize, usize)> = (self.first..last)
            .map(|vertex| (vertex, vertex + 1))
            .collect();
        if self.closed {
            segments.push((last, self.first));
        }
        segments
    }

    /// The rod as the world knows it.
    pub(super) fn entry(&self) -> world::Rod {
        world::Rod {
            body: self.body,
            closed: self.closed,
            thickness: self.thickness,
        }
    }
}
