//! Rods in `mesh.json`: what pictures and proofs need of them beside their vertices.

use ipcsim::time::{Rod, World};
use serde::{Deserialize, Serialize};

/// A rod, whose vertices follow each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Images of its vertices where it goes on across the periods of a scene, each with the length along it
    /// (m).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<(usize, f64)>,
}

impl RodEntry {
    /// Entry of a rod of a world.
    pub(super) fn of(rod: &Rod, world: &World) -> Self {
        let surface = &world.model.surface;
        let mut strands = surface.strands.list().iter();
        let strand = strands.find(|strand| strand.body == rod.body);

        Self {
            body: rod.body,
            closed: rod.closed,
            // All vertices of a rod have the same radius.
            radius: surface.radius[world.bodies[rod.body].vertices.start],
            exempt_length: strand.map_or(0.0, |strand| strand.exempt),
            thickness: rod.thickness,
            images: strand.map_or_else(Vec::new, |strand| strand.images().to_vec()),
        }
    }
}
