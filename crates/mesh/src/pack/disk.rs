//! Disks, and the areas that they are packed into.

use crate::Outline;
use ipcsim_math::random::Stream;

/// A disk that looks for a place.
#[derive(Clone, Copy, Debug)]
pub struct Disk {
    /// Radius within which no other disk may be (m).
    pub radius: f64,
    /// Least distance of its centre from the boundary of its area (m).
    pub clearance: f64,
    /// Number of its area.
    pub area: usize,
}

/// An area that disks are packed into.
#[derive(Clone, Debug)]
pub struct Area {
    /// Curves around it, with the inside on their left.
    pub outline: Outline,
    /// Random numbers of the places in it.
    pub stream: Stream,
}
