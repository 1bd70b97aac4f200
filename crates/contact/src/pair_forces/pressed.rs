//! Pieces of edges that contacts press, for readers of pressures.
//!
//! A pressure is a force per length, and the force on a vertex does not say which part of its edges is
//! in contact. Pieces do: each has its range, and the parts of its force on both ends of its edge and
//! on the vertices of the other side.

use crate::Contacts;
use crate::segments::Piece;
use ipcsim_energy::LocalEnergy;
use ipcsim_math::Vec2;

/// A piece of an edge with the force of its contact.
#[derive(Clone, Debug)]
pub struct PressedPiece {
    /// Ends of the edge.
    pub edge: [usize; 2],
    /// Ends of the piece on the edge, from 0 at its start to 1.
    pub range: [f64; 2],
    /// Length at rest times thickness of the whole edge, times the share that this side counts (m^2);
    /// negative where the piece subtracts the part that two others count.
    pub weight: f64,
    /// Part of the edge (1) that would have the force of the piece at its highest pressure.
    pub effective: f64,
    /// Unit vector along the force on the edge, of a piece that does not subtract.
    pub normal: Vec2,
    /// Parts of the force on both ends of the edge (N), along the normal.
    pub forces: [f64; 2],
    /// The other side, which feels the opposite.
    pub opposite: Opposite,
}

/// Other side of a piece of an edge.
#[derive(Clone, Copy, Debug)]
pub enum Opposite {
    /// The inside of an edge, or of a half-plane that turns: its ends, the places on it that are
    /// opposite the ends of the piece, and the parts of the force on its ends (N).
    Edge {
        /// Ends of the edge.
        edge: [usize; 2],
        /// Places opposite the ends of the piece.
        places: [f64; 2],
        /// Parts of the force (N).
        forces: [f64; 2],
    },
    /// A vertex, which feels the whole force.
    Vertex(usize),
    /// A half-plane that does not turn.
    Plane,
}

impl PressedPiece {
    /// Size of the force (N), negative where the piece subtracts.
    pub fn force(&self) -> f64 {
        self.forces[0] + self.forces[1]
    }
}

/// An edge that a contact presses, without the piece of it.
struct Pressed {
    /// See [`PressedPiece::edge`].
    edge: [usize; 2],
    /// See [`PressedPiece::normal`].
    normal: Vec2,
    /// See [`PressedPiece::forces`].
    forces: [f64; 2],
    /// See [`PressedPiece::opposite`].
    opposite: Opposite,
}

impl Pressed {
    /// This edge with a piece that has these distances from the other side (m).
    fn piece(self, piece: &Piece, distances: &[f64]) -> PressedPiece {
        PressedPiece {
            edge: self.edge,
            range: piece.range,
            weight: piece.weight,
            effective: piece.effective(self.forces[0] + self.forces[1], distances),
            normal: self.normal,
            forces: self.forces,
            opposite: self.opposite,
        }
    }
}

impl Contacts {
    /// Pieces of edges in contact at the positions `x` (m, `[vertices]`), at which the contacts were
    /// found. Contacts of single vertices are not among them.
    pub fn pressed_pieces<'a>(&'a self, x: &'a [Vec2]) -> impl Iterator<Item = PressedPiece> + 'a {
        let strips = self.strips.iter().map(|(&[a, b, c, d], contact)| {
            let at = [a, b, c, d].map(|i| x[i]);
            let parts = contact.parts(&at);
            let [own, end, other, last] = parts.forces;
            let pressed = Pressed {
                edge: [a, b],
                normal: parts.normal,
                forces: [own, end],
                opposite: Opposite::Edge {
                    edge: [c, d],
                    places: parts.places,
                    forces: [-other, -last],
                },
            };
            pressed.piece(&contact.piece, &parts.distances)
        });
        let corners = self.corners.iter().map(|(&[a, b, v], contact)| {
            let at = [a, b, v].map(|i| x[i]);
            let [own, end, _] = contact.gradient(&at);
            let sign = 1.0_f64.copysign(contact.piece.weight);
            let normal = (-own - end).try_normalize(0.0).unwrap_or_default() * sign;
            let forces = [-own.dot(&normal), -end.dot(&normal)];
            let pressed = Pressed {
                edge: [a, b],
                normal,
                forces,
                opposite: Opposite::Vertex(v),
            };
            pressed.piece(&contact.piece, &contact.distances(&at))
        });
        let floors = self.floors.iter().map(|(&[a, b, o], contact)| {
            let at = [a, b, o].map(|i| x[i]);
            let [own, end, _] = contact.gradient(&at);
            let forces = [-own.dot(&contact.normal), -end.dot(&contact.normal)];
            let pressed = Pressed {
                edge: [a, b],
                normal: contact.normal,
                forces,
                opposite: Opposite::Plane,
            };
            pressed.piece(&contact.piece, &contact.distances(&at))
        });

        strips.chain(corners).chain(floors)
    }

    /// Normal force (N) of each contact of a single vertex on the vertices of both sides, at the
    /// positions `x` (m, `[vertices]`): all contacts other than pieces of edges.
    pub fn vertex_forces(&self, x: &[Vec2]) -> Vec<Vec<(usize, Vec2)>> {
        let mut all = Vec::new();
        for (stencil, contact) in self.lines.iter() {
            all.push(on_vertices(stencil, contact, x));
        }
        for (stencil, contact) in self.points.iter() {
            all.push(on_vertices(stencil, contact, x));
        }
        for (stencil, contact) in self.planes.iter() {
            all.push(on_vertices(stencil, contact, x));
        }
        all
    }
}

/// Force of a contact on each vertex of its stencil (N).
fn on_vertices<const N: usize>(
    stencil: &[usize; N],
    contact: &impl LocalEnergy<N>,
    x: &[Vec2],
) -> Vec<(usize, Vec2)> {
    let gradient = contact.gradient(&stencil.map(|i| x[i]));
    stencil
        .iter()
        .zip(gradient)
        .map(|(&i, g)| (i, -g))
        .collect()
}
