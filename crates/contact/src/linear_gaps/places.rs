//! Places of all contacts at some positions, with the linear models of their gaps.

use super::{GapLaw, GapShape, LinearGap, LinearGaps};
use crate::barrier::Barrier;
use crate::{Contacts, CornerContact, FloorContact};
use ipcsim_math::{Vec2, perp};

/// How the gap of a place changes where four vertices move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    /// Gap (m).
    pub(crate) gap: f64,
    /// Its first derivative, by vertex (1).
    pub(crate) opening: [Vec2; 4],
    /// Two derivatives `a` and `c` whose product `-2 a c` is its second derivative.
    pub(crate) bend: [[Vec2; 4]; 2],
}

/// Vertices of a place, and of its contact as friction knows it.
#[derive(Clone, Copy, Debug)]
struct Vertices {
    stencil: [usize; 4],
    contact: [usize; 4],
}

/// Gap of a place over a line: `normal` to its side, `tangent` along the line, inverse `length` of the line
/// (1/m), `distance` from it (m) and the distance at which both touch; `relative` are the weights of the
/// vertices in the displacement relative to the line, and `turn` in its turning.
pub(crate) fn over_line(
    [normal, tangent]: [Vec2; 2],
    inverse: f64,
    [distance, separation]: [f64; 2],
    relative: [f64; 4],
    turn: [f64; 4],
) -> Turning {
    let turning = turn.map(|c| normal * (c * inverse));
    let across = std::array::from_fn(|i| tangent * relative[i] + turning[i] * (0.5 * distance));
    Turning {
        gap: distance - separation,
        opening: relative.map(|c| normal * c),
        bend: [turning, across],
    }
}

impl Turning {
    /// Gap of a place near a point, from which it is `offset` away (m); `relative` are the weights of the
    /// vertices in the displacement from the point.
    pub(crate) fn around_point(offset: Vec2, separation: f64, relative: [f64; 4]) -> Self {
        let distance = offset.norm();
        let normal = offset / distance;
        let across = perp(normal);
        Self {
            gap: distance - separation,
            opening: relative.map(|c| normal * c),
            bend: [
                relative.map(|c| across * c),
                relative.map(|c| across * (-0.5 * c / distance)),
            ],
        }
    }

    /// Gap of a place over a plane that does not turn.
    pub(crate) fn over_plane(normal: Vec2, gap: f64, relative: [f64; 4]) -> Self {
        Self {
            gap,
            opening: relative.map(|c| normal * c),
            bend: [[Vec2::zeros(); 4]; 2],
        }
    }
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
            let place = Turning::around_point(x[p] - x[v], contact.separation, between);
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
            let place = Turning::over_plane(contact.normal, gap, [1.0, -1.0, 0.0, 0.0]);
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
fn over_edge([p, a, b]: [Vec2; 3], separation: f64) -> Turning {
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
    fn push(&mut self, vertices: Vertices, law: GapLaw, weight: f64, place: Turning) {
        let Turning { gap, opening, bend } = place;
        let expected = -law.jet(gap).first;
        let place = LinearGap {
            law,
            weight,
            opening,
            bend,
            gap: [gap, 0.0],
            bent: [[0.0; 2]; 2],
            expected,
            stiffness: 0.0,
            held: 0.0,
            stopping: 0.0,
        };
        self.sum.push(vertices.stencil, place);
        self.contacts.push(vertices.contact);
    }
}

impl CornerContact {
    /// Visits the places of the quadrature rule of a corner between vertices at `x` (m), with their weights.
    fn each_place(&self, x: &[Vec2; 3], mut visit: impl FnMut(f64, Turning)) {
        self.each_offset(x, |at, weight, offset| {
            let relative = [1.0 - at, at, -1.0, 0.0];
            let place = Turning::around_point(offset, self.piece.separation, relative);
            visit(weight, place);
        });
    }
}

impl FloorContact {
    /// Visits the places of the quadrature rule of a piece over a half-plane, with their weights.
    fn each_place(&self, x: &[Vec2; 3], mut visit: impl FnMut(f64, Turning)) {
        self.each_gap(x, |at, weight, gap| {
            let relative = [1.0 - at, at, -1.0, 0.0];
            visit(weight, Turning::over_plane(self.normal, gap, relative));
        });
    }
}
