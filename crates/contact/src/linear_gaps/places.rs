//! Places of all contacts at some positions, with the linear models of their gaps.

use super::{GapLaw, GapShape, GapSlopes, LinearGap, LinearGaps};
use crate::barrier::Barrier;
use crate::gap_model::{GapModel, over_line};
use crate::{Contacts, CornerContact, FloorContact};
use ipcsim_math::{Vec2, perp};

/// Vertices of a place, and of its contact as friction knows it.
#[derive(Clone, Copy, Debug)]
struct Vertices {
    stencil: [usize; 4],
    contact: [usize; 4],
}

impl Contacts {
    /// The places of these contacts, which were found at `x` (m, `[vertices]`) with activation distances that
    /// are longer by `beyond` (m): there the barriers are zero.
    pub fn linear_gaps(&self, x: &[Vec2], beyond: f64) -> LinearGaps {
        let mut gaps = LinearGaps::default();
        self.add_points(x, beyond, &mut gaps);
        for (&stencil, contact) in self.strips.iter() {
            let law = law_of(&contact.piece, beyond);
            let vertices = Vertices {
                stencil,
                contact: stencil,
            };
            contact.over_places(&stencil.map(|i| x[i]), |weight, place| {
                gaps.push(vertices, law, weight, place);
            });
        }
        for (&[a, b, v], contact) in self.corners.iter() {
            let law = law_of(&contact.piece, beyond);
            let vertices = Vertices {
                stencil: [a, b, v, v],
                contact: [v, v, a, b],
            };
            contact.each_place(&[x[a], x[b], x[v]], |weight, place| {
                gaps.push(vertices, law, weight, place);
            });
        }
        for (&[a, b, o], contact) in self.floors.iter() {
            let law = law_of(&contact.piece, beyond);
            let vertices = Vertices {
                stencil: [a, b, o, o],
                contact: [a, b, o, o],
            };
            contact.each_place(&[x[a], x[b], x[o]], |weight, place| {
                gaps.push(vertices, law, weight, place);
            });
        }
        gaps
    }

    /// Adds the contacts of points, each a place of its own.
    fn add_points(&self, x: &[Vec2], beyond: f64, gaps: &mut LinearGaps) {
        let law = |barrier: Barrier, d_hat: f64, curvature: f64, flat: GapShape| GapLaw {
            barrier,
            d_hat: d_hat - beyond,
            shape: if curvature > 0.0 {
                GapShape::Round(curvature)
            } else {
                flat
            },
        };

        for (&[p, a, b], contact) in self.lines.iter() {
            let flat = if contact.one_sided {
                GapShape::OneSided
            } else {
                GapShape::Mutual
            };
            let law = law(contact.barrier, contact.d_hat, 0.0, flat);
            let vertices = Vertices {
                stencil: [p, a, b, b],
                contact: [p, p, a, b],
            };
            let place = over_edge([x[p], x[a], x[b]], contact.separation);
            gaps.push(vertices, law, contact.weight, place);
        }
        for (&[p, v], contact) in self.points.iter() {
            let law = law(
                contact.barrier,
                contact.d_hat,
                contact.curvature,
                GapShape::Mutual,
            );
            let between = [1.0, -1.0, 0.0, 0.0];
            let place = GapModel::around_point(x[p] - x[v], contact.separation, between);
            gaps.push(Vertices::of_two([p, v]), law, contact.weight, place);
        }
        for (&[p, o], contact) in self.planes.iter() {
            let law = law(
                contact.barrier,
                contact.d_hat,
                contact.curvature,
                GapShape::OneSided,
            );
            let gap = contact.normal.dot(&(x[p] - x[o])) - contact.separation;
            let place = GapModel::over_plane(contact.normal, gap, [1.0, -1.0, 0.0, 0.0]);
            gaps.push(Vertices::of_two([p, o]), law, contact.weight, place);
        }
    }
}

impl Vertices {
    /// A point and another one.
    fn of_two([p, other]: [usize; 2]) -> Self {
        Self {
            stencil: [p, other, other, other],
            contact: [p, p, other, other],
        }
    }
}

/// Law of the places of a piece of an edge.
fn law_of(piece: &crate::segments::Piece, beyond: f64) -> GapLaw {
    GapLaw {
        barrier: piece.barrier,
        d_hat: piece.d_hat - beyond,
        shape: GapShape::OneSided,
    }
}

/// Gap of a point over an edge.
fn over_edge([p, a, b]: [Vec2; 3], separation: f64) -> GapModel {
    let edge = b - a;
    let length = edge.norm();
    let tangent = edge / length;
    let left = perp(tangent);
    let height = left.dot(&(p - a));
    let place = tangent.dot(&(p - a)) / length;
    over_line(
        [left * 1.0_f64.copysign(height), tangent],
        1.0 / length,
        [height.abs(), separation],
        [1.0, place - 1.0, -place, 0.0],
        [0.0, -1.0, 1.0, 0.0],
    )
}

impl LinearGaps {
    /// Adds a place.
    fn push(&mut self, vertices: Vertices, law: GapLaw, weight: f64, place: GapModel) {
        let GapModel { gap, opening, bend } = place;
        let expected = -law.jet(gap).first;
        let place = LinearGap {
            law,
            weight,
            gap: [gap, 0.0],
            bent: [[0.0; 2]; 2],
            expected,
            stiffness: 0.0,
            held: 0.0,
            stopping: 0.0,
        };
        self.places.push(place);
        self.slopes.push(GapSlopes {
            vertices: vertices.stencil,
            opening,
            bend,
        });
        self.contacts.push(vertices.contact);
    }
}

impl CornerContact {
    /// Visits the places of the quadrature rule of a corner between vertices at `x` (m), with their weights.
    fn each_place(&self, x: &[Vec2; 3], mut visit: impl FnMut(f64, GapModel)) {
        self.each_offset(x, |at, weight, offset| {
            let relative = [1.0 - at, at, -1.0, 0.0];
            let place = GapModel::around_point(offset, self.piece.separation, relative);
            visit(weight, place);
        });
    }
}

impl FloorContact {
    /// Visits the places of the quadrature rule of a piece over a half-plane, with their weights.
    fn each_place(&self, x: &[Vec2; 3], mut visit: impl FnMut(f64, GapModel)) {
        self.each_gap(x, |at, weight, gap| {
            let relative = [1.0 - at, at, -1.0, 0.0];
            visit(weight, GapModel::over_plane(self.normal, gap, relative));
        });
    }
}
