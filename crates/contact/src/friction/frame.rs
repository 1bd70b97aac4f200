//! Frame of a contact with friction: normal, tangent, and the vertices that slide along it.
//!
//! A friction force slides in the frame of the edge that it acts on, so the forces on both sides
//! have no couple.

use super::overlap::Overlap;
use crate::segments::Growth;
use crate::{Contacts, CornerContact, SharedVertices, StripContact, Surface};
use ipcsim_math::{Vec2, perp};
use smallvec::SmallVec;

/// Vertices and a vector for each: two to four of them.
type VertexVectors = SmallVec<[(usize, Vec2); 4]>;

/// A contact whose normal force and directions are lagged.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Both ends of an edge or twice a point, then edge start and edge end of the other side; the
    /// same vertex twice for a vertex or the origin of a half-plane.
    pub(super) vertices: [usize; 4],
    /// Place of the contact on the first edge, in `[0, 1]`; 0 for a point.
    pub(super) own_place: f64,
    /// Unit tangent.
    pub(super) tangent: Vec2,
    /// Unit normal towards the point.
    pub(super) normal: Vec2,
    /// Contact length times thickness (m^2).
    weight: f64,
    /// Derivative of the barrier at the gap (Pa); -1 for a resultant.
    slope: f64,
    /// Distance of the point, or of the centre of its circle, from the nearest point of the other
    /// side (m).
    pub(super) distance: f64,
    /// Place `s` of that nearest point between edge start and end, in `[0, 1]`.
    pub(super) place: f64,
    /// Edge with which the other side turns; `None` if it does not turn, or is a circle.
    pub(super) edge: Option<[usize; 2]>,
    /// True if the nearest point of the other side is a vertex or the centre of a circle, about
    /// which the normal turns.
    pub(super) is_at_vertex: bool,
    /// Derivative of the normal force (N/m).
    growth: Growth,
}

impl Frame {
    /// Frame of the contact `k` of a point over the inside of an edge.
    pub(super) fn of_line(contacts: &Contacts, k: usize, x: &[Vec2]) -> Self {
        let contact = &contacts.lines.elements[k];
        let [p, a, b] = contacts.lines.stencils[k];

        let edge = x[b] - x[a];
        let offset = x[p] - x[a];
        let length = edge.norm();
        let tangent = edge / length;
        let signed_distance = tangent.perp(&offset);
        let normal = perp(tangent).scale(signed_distance.signum());

        let place = tangent.dot(&offset) / length;
        let jet = contact.jet(signed_distance.abs());
        let grows = normal * (-contact.weight * jet.second);

        Self {
            vertices: [p, p, a, b],
            own_place: 0.0,
            tangent,
            normal,
            weight: contact.weight,
            slope: jet.first,
            distance: signed_distance.abs(),
            place,
            edge: Some([a, b]),
            is_at_vertex: false,
            growth: Growth::of([p, a, b], [grows, grows * (place - 1.0), grows * -place]),
        }
    }

    /// Frame of the contact `k` of a point at a vertex.
    pub(super) fn of_point(contacts: &Contacts, k: usize, x: &[Vec2]) -> Self {
        let contact = &contacts.points.elements[k];
        let [p, v] = contacts.points.stencils[k];

        let distance = (x[p] - x[v]).norm();
        let normal = (x[p] - x[v]) / distance;
        let jet = contact.jet(distance - contact.separation);
        let grows = normal * (-contact.weight * jet.second);

        Self {
            vertices: [p, p, v, v],
            own_place: 0.0,
            tangent: perp(normal),
            normal,
            weight: contact.weight,
            slope: jet.first,
            distance,
            place: 0.0,
            edge: (contact.beside != v).then_some([v, contact.beside]),
            is_at_vertex: true,
            growth: Growth::of([p, v], [grows, -grows]),
        }
    }

    /// Frame of the contact `k` of a point over a half-plane that does not turn.
    pub(super) fn of_plane(contacts: &Contacts, k: usize, x: &[Vec2]) -> Self {
        let contact = &contacts.planes.elements[k];
        let [p, o] = contacts.planes.stencils[k];

        let distance = contact.normal.dot(&(x[p] - x[o]));
        let jet = contact.jet(distance - contact.separation);
        let grows = contact.normal * (-contact.weight * jet.second);

        Self {
            vertices: [p, p, o, o],
            own_place: 0.0,
            tangent: perp(contact.normal),
            normal: contact.normal,
            weight: contact.weight,
            slope: jet.first,
            distance,
            place: 0.0,
            edge: None,
            is_at_vertex: false,
            growth: Growth::of([p, o], [grows, -grows]),
        }
    }

    /// Frame of the contact of a piece of the edge from `p` to `q` over the inside of the edge from
    /// `a` to `b`, less the part of overlaps.
    pub(super) fn of_strip(
        contact: &StripContact,
        [p, q, a, b]: [usize; 4],
        overlap: &Overlap,
        x: &[Vec2],
    ) -> Self {
        let found = contact.push([p, q, a, b], x);

        // Friction acts on the force that remains after the overlap.
        let mut growth = found.growth;
        growth.add(&overlap.growth, -1.0);

        Self {
            vertices: [p, q, a, b],
            own_place: found.push.at,
            tangent: found.tangent,
            normal: found.normal,
            weight: (found.push.force - overlap.force).max(0.0),
            slope: -1.0,
            distance: found.distance,
            place: found.place,
            edge: Some([a, b]),
            is_at_vertex: false,
            growth,
        }
    }

    /// Frame of the contact of a piece of the edge from `a` to `b` near the vertex `v`. The vertex, or
    /// its circle, slides along the edge.
    pub(super) fn of_corner(contact: &CornerContact, [a, b, v]: [usize; 3], x: &[Vec2]) -> Self {
        let found = contact.push([a, b, v], x);
        let place = x[a] + (x[b] - x[a]) * found.push.at;

        Self {
            vertices: [v, v, a, b],
            own_place: 0.0,
            tangent: perp(found.normal),
            normal: -found.normal,
            weight: found.push.force,
            slope: -1.0,
            distance: (x[v] - place).norm(),
            place: found.push.at,
            edge: Some([a, b]),
            is_at_vertex: false,
            growth: found.growth,
        }
    }

    /// Frame of the contact `k` of a piece of an edge over a half-plane that does not turn.
    pub(super) fn of_floor(contacts: &Contacts, k: usize, x: &[Vec2]) -> Self {
        let contact = &contacts.floors.elements[k];
        let [p, q, o] = contacts.floors.stencils[k];
        let (push, growth) = contact.push([p, q, o], x);
        let place = x[p] + (x[q] - x[p]) * push.at;

        Self {
            vertices: [p, q, o, o],
            own_place: push.at,
            tangent: perp(contact.normal),
            normal: contact.normal,
            weight: push.force,
            slope: -1.0,
            distance: contact.normal.dot(&(place - x[o])),
            place: 0.0,
            edge: None,
            is_at_vertex: false,
            growth,
        }
    }

    /// Normal force on the point (N), times a coefficient of friction.
    pub(super) fn load(&self, coefficient: f64) -> f64 {
        coefficient * self.weight * -self.slope
    }

    /// This frame with a normal force of 1 N.
    pub(super) fn pressed(self) -> Self {
        Self {
            weight: 1.0,
            slope: -1.0,
            ..self
        }
    }

    /// Derivative of the normal force (N/m).
    pub(super) fn growth(&self) -> &Growth {
        &self.growth
    }

    /// Distance along the tangent (m) by which the point's side slides if both surfaces move
    /// counter-clockwise around their bodies, by `belts` together (m).
    ///
    /// The surface of a body moves along `perp n` for its outward normal `n`. The outward normal of
    /// the other side is the normal of this frame, and the normal of the point's body is opposite.
    pub(super) fn carried(&self, belts: f64) -> f64 {
        -belts * self.across()
    }

    /// Component of the tangent along `perp n`, 1 or -1 up to rounding.
    pub(super) fn across(&self) -> f64 {
        self.tangent.dot(&perp(self.normal))
    }

    /// This frame, with the force `sum` (N) of several contacts in its place, and its `growth`; no force
    /// if it pulls.
    pub(super) fn with_force(self, sum: Vec2, growth: Growth) -> Self {
        let force = sum.norm();

        if sum.dot(&self.normal) <= 0.0 {
            return Self {
                weight: 0.0,
                ..self
            };
        }

        let normal = sum / force;
        Self {
            normal,
            tangent: perp(normal),
            weight: force,
            slope: -1.0,
            growth,
            ..self
        }
    }

    /// Weights `n_i` of vertices in the growth of the gap, `sum_i n_i . d_i` for displacements `d_i`, if
    /// this is the normal: of the place of the contact on each side.
    pub(super) fn opening_weights(&self, normal: Vec2) -> VertexVectors {
        let [point, last, a, b] = self.vertices;
        let mut weights = VertexVectors::new();
        if point == last {
            weights.push((point, normal));
        } else {
            weights.push((point, normal * (1.0 - self.own_place)));
            weights.push((last, normal * self.own_place));
        }
        if a == b || self.edge.is_none() {
            weights.push((a, -normal));
        } else {
            weights.push((a, normal * (self.place - 1.0)));
            weights.push((b, normal * -self.place));
        }
        weights
    }

    /// Weights `c_i` of vertices in the sliding distance `u = sum_i c_i . d_i`, for displacements
    /// `d_i` from the positions `x` (m, `[vertices]`).
    ///
    /// Both sides slide where the point's own surface is, at `z`: at the point, or on the rim of
    /// its circle. Let `t` and `n` be the tangent and the normal.
    ///
    /// - The point moves by its displacement. A place on an edge of a rod with the radius `R` is on its
    ///   surface, `z = c - R n`, and turns with the edge as a circle does. A circle with the centre `c`, a vertex `r` on its rim
    ///   and the radius `R` turns by `perp(r - c) . (d_r - d_c) / R^2`; its rim at `z = c - R n`
    ///   moves by `d_c`, and `R (t . perp n)` times that turn backwards.
    /// - The other side moves as its nearest point does, and turns about it. A surface that turns
    ///   with the edge `e` from `a` to `b`, by `perp(e) . (d_b - d_a) / |e|^2`, moves at the height
    ///   `h = |z - foot|` above its nearest point by `h (t . perp n)` times that turn. So a common
    ///   rotation of both sides is not sliding, however wide the gap.
    ///
    /// The nearest point of a circle is its centre here, and the circle turns.
    ///
    /// Where shared vertices count for each edge, everything is as in the book: `h` is 0, and
    /// circles slide at their rims.
    pub(super) fn sliding_weights(&self, surface: &Surface, x: &[Vec2]) -> VertexVectors {
        self.weights_along([self.tangent, self.normal], surface, x)
    }

    /// Weights of vertices in the distance along a `tangent`, see [`Frame::sliding_weights`], where
    /// the contact has this tangent and `normal`.
    pub(super) fn weights_along(
        &self,
        [tangent, normal]: [Vec2; 2],
        surface: &Surface,
        x: &[Vec2],
    ) -> VertexVectors {
        let [point, last, a, b] = self.vertices;
        let across = tangent.dot(&perp(normal));
        let disk = surface.disk_at(point);
        let is_objective = surface.shared_vertices == SharedVertices::Once;
        let thick = if is_objective && point != last {
            surface.radius[point]
        } else {
            0.0
        };
        let height = if is_objective {
            self.distance - disk.map_or(thick, |disk| disk.radius)
        } else {
            0.0
        };
        let mut weights = VertexVectors::new();

        // The point, or the rim of its circle.
        if let Some(disk) = disk {
            let turn = perp(x[disk.rim] - x[point]) / disk.radius;
            let rolled = turn * -across;
            weights.push((point, tangent - rolled));
            weights.push((disk.rim, rolled));
        } else if point == last {
            weights.push((point, tangent));
        } else {
            let edge = x[last] - x[point];
            let turned = perp(edge) * (thick * across / edge.norm_squared());
            weights.push((point, tangent * (1.0 - self.own_place) + turned));
            weights.push((last, tangent * self.own_place - turned));
        }

        // The other side: an edge or a vertex with the edge that it turns with, a circle, or an
        // origin that does not turn.
        if let Some([from, to]) = self.edge {
            let edge = x[to] - x[from];
            let turned = perp(edge) * (height * across / edge.norm_squared());
            let share = if b == a { 0.0 } else { self.place };
            weights.push((from, tangent * (share - 1.0) + turned));
            if b != a || height != 0.0 {
                weights.push((to, tangent * -share - turned));
            }
        } else if let Some(disk) = surface.disk_at(a) {
            let turn = perp(x[disk.rim] - x[a]) / disk.radius;
            let reach = if is_objective { height } else { disk.radius };
            let rolled = turn * (-across * (reach / disk.radius));
            weights.push((a, -tangent - rolled));
            weights.push((disk.rim, rolled));
        } else {
            weights.push((a, -tangent));
        }
        weights
    }
}
