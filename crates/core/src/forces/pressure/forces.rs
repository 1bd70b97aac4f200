//! Forces of pieces on the edges of both sides.

use super::chords::{Chords, End};
use crate::tuning::FACING;
use ipcsim_contact::{Opposite, PressedPiece};

/// Adds the forces of all pieces, after the lengths of covers.
///
/// A piece that leans, or is near a vertex, is where pressure ends, and is not covered. It has the
/// length that would have its force at its highest pressure, with the share of its side.
pub(super) fn add(chords: &mut Chords, pieces: &[PressedPiece]) {
    let edges = chords.at_vertices();
    for piece in pieces {
        let Some((k, _)) = chords.find(piece.edge) else {
            continue;
        };
        let leans = chords.facing(k, piece.normal) < FACING;
        let is_end = leans || matches!(piece.opposite, Opposite::Vertex(_));
        let whole = piece.forces[0] + piece.forces[1];
        let area = chords.surface.edge_area.get(k).copied().unwrap_or_default();
        let per_force = if is_end && whole != 0.0 && area > 0.0 {
            piece.weight / area * piece.effective * chords.way(k).norm() / whole
        } else {
            0.0
        };

        let part = |force: f64, turn: f64| End {
            force,
            length: force * per_force * turn,
            is_reached: false,
        };
        for (vertex, force) in piece.edge.into_iter().zip(piece.forces) {
            let turn = chords.turn(k, vertex);
            chords.end_mut(k, vertex).add(&part(force, turn));
        }
        match piece.opposite {
            Opposite::Vertex(vertex) => {
                let turn = chords.turn(k, piece.edge[0]);
                chords.add_at_vertex(vertex, &edges[vertex], part(whole, turn));
            }
            Opposite::Edge { edge, forces, .. } => {
                if let Some((other, _)) = chords.find(edge) {
                    for (vertex, force) in edge.into_iter().zip(forces) {
                        let turn = chords.turn(other, vertex);
                        chords.end_mut(other, vertex).add(&part(force, turn));
                    }
                }
            }
            Opposite::Plane => {}
        }
    }
}
