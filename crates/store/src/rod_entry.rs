//! Rods in `mesh.json`: what pictures and proofs need of them beside their vertices.

use ipcsim::time::{Rod, World};
use serde::{Deserialize, Serialize};

/// A rod, whose vertices follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RodEntry {
    /// Number of the body.
    pub body: usize,
    /// True if a segment joins the last vertex to the first.
    pub closed: bool,
    /// Radius in contact (m).
    pub radius: f64,
    /// Length along the rod at rest within which parts have no radius to each other (m).
    pub exempt_length: f64,
    /// Thickness that pictures show (m).
    pub thickness: f64,
}

impl RodEntry {
    /// Entry of a rod of a world.
    pub(super) fn of(rod: &Rod, world: &World) -> Self {
        let surface = &world.model.surface;
        let strands = surface.strands.list().iter();
        let exempt = strands
            .filter(|strand| strand.body == rod.body)
            .map(|strand| strand.exempt);

        Self {
            body: rod.body,
            closed: rod.closed,
            // All vertices of a rod have the same radius.
            radius: surface.radius[world.bodies[rod.body].vertices.start],
            exempt_length: exempt.sum(),
            thickness: rod.thickness,
        }
    }
}
