//! Coulomb friction, lagged: normal forces, tangents and points of contact are those of earlier
//! positions.
//!
//! Coulomb friction has no potential, since the friction force depends on the normal force. With
//! the normal forces, tangents and points of contact of the start of a step it has one (Li et al.
//! 2020, "Incremental Potential Contact", section 5; the free physics-based simulation book,
//! chapter on friction). A step may update its friction and solve again.
//!
//! For every contact with a positive normal force `lambda` at the lagged positions:
//!
//! 1. take the unit tangent `t`, the nearest point of the other side, and `mu lambda`;
//! 2. write the sliding distance as `u = sum_i c_i . (y_i - x_i^n)` over the vertices of both
//!    sides, with rolling circles taken into account;
//! 3. add the smoothed potential `mu lambda f_0(|u|)` ([`FrictionContact`]).

mod contact;
mod force;
mod table;

pub use contact::FrictionContact;
pub use force::FrictionForce;
pub use table::FrictionTable;

use super::{ContactPair, Contacts, Surface};
use crate::energy::{Energy, LocalEnergy, Summed};
use crate::math::{Vec2, perp};
use smallvec::SmallVec;

/// Vertices and a vector for each: two to four of them.
type VertexVectors = SmallVec<[(usize, Vec2); 4]>;

/// Lagged friction of all contacts: a sum of potentials, to be evaluated at the positions `y` of
/// [`FrictionContact`].
///
/// A snapshot: it does not change with the positions, and a step that updates its friction makes a
/// new one.
///
/// ```
/// use ipcsim::contact::barrier::{Barrier, BarrierShape};
/// use ipcsim::contact::{Candidates, Contacts, Friction, FrictionTable, Lag, Surface};
/// use ipcsim::math::Vec2;
///
/// // Vertex 0 lies half of d_hat above the edge from vertex 1 to vertex 2.
/// let surface = Surface {
///     points: vec![0],
///     edges: vec![[1, 2]],
///     weight: vec![0.1; 3],
///     ..Surface::new(vec![0, 1, 1], 0.01)
/// };
/// let barrier = Barrier { shape: BarrierShape::Log, kappa: 1e5 };
/// let x = [Vec2::new(0.0, 0.005), Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
/// let candidates = Candidates::find(&surface, &x, |_| 0.0);
/// let contacts = Contacts::find(&surface, barrier, &candidates, &x).unwrap();
/// let table = FrictionTable::uniform(0.3);
/// let lag = Lag { table: &table, start: &x, slip: 1e-6 };
/// let friction = Friction::lagged(&surface, &contacts, &x, lag);
///
/// // The vertex slides to the right. Friction pulls it to the left with 0.3 times the normal force.
/// let normal = contacts.forces(&surface, &x).next().unwrap();
/// let y = [x[0] + Vec2::new(0.001, 0.0), x[1], x[2]];
/// let force = friction.forces(&surface, &y).next().unwrap().force;
/// assert!((force + Vec2::new(0.3 * normal.force, 0.0)).norm() < 1e-12 * normal.force);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Friction {
    /// Contacts of two vertices: a point and a vertex or an origin.
    pairs: Group<2>,
    /// Contacts of three vertices: a point and an edge, or a circle and a vertex.
    triples: Group<3>,
    /// Contacts of four vertices: a circle and an edge, or two circles.
    quadruples: Group<4>,
}

/// Friction of contacts in which `N` vertices take part.
#[derive(Clone, Debug)]
struct Group<const N: usize> {
    /// Potentials of the contacts.
    sum: Summed<FrictionContact<N>, N>,
    /// Vertices `[point, edge start, edge end]` of each contact, see [`ContactPair::new`].
    vertices: Vec<[usize; 3]>,
    /// Lagged unit tangent of each contact.
    tangents: Vec<Vec2>,
    /// Number of contacts that memory is taken for when the first one comes.
    room: usize,
}

/// Arguments of lagged friction: coefficients, and the positions from which sliding is measured.
#[derive(Clone, Copy, Debug)]
pub struct Lag<'a> {
    /// Coefficients of friction.
    pub table: &'a FrictionTable,
    /// Positions at the start of the step (m), `[vertices]`.
    pub start: &'a [Vec2],
    /// Sliding distance at which friction is fully developed, `eps_v h` (m).
    pub slip: f64,
}

/// A contact whose frame and normal force are lagged.
struct LaggedContact {
    /// Point, edge start and edge end; the same vertex twice for a vertex or the origin of a
    /// half-plane.
    vertices: [usize; 3],
    /// Unit tangent.
    tangent: Vec2,
    /// Unit normal towards the point.
    normal: Vec2,
    /// Contact length times thickness (m^2).
    weight: f64,
    /// Derivative of the barrier at the gap (Pa).
    slope: f64,
}

impl Friction {
    /// No friction, with room for that of `count` contacts.
    fn with_room(count: usize) -> Self {
        Self {
            pairs: Group::with_room(count),
            triples: Group::with_room(count),
            quadruples: Group::with_room(count),
        }
    }

    /// Friction of `contacts`, which were found at `x` (m, `[vertices]`).
    ///
    /// The point of contact is the nearest point of the edge itself, never of its extension.
    /// Contacts with a negative weight correct the barrier where two edges overlap; they have no
    /// friction.
    pub fn lagged(surface: &Surface, contacts: &Contacts, x: &[Vec2], lag: Lag) -> Self {
        let mut friction = Self::with_room(contacts.len());

        // Points over the inside of an edge.
        for (&[p, a, b], contact) in contacts.lines.iter() {
            let edge = x[b] - x[a];
            let offset = x[p] - x[a];
            let tangent = edge.normalize();
            let s = tangent.dot(&offset) / edge.norm();
            let signed_distance = tangent.perp(&offset);
            let lagged = LaggedContact {
                vertices: [p, a, b],
                tangent,
                normal: perp(tangent).scale(signed_distance.signum()),
                weight: contact.weight,
                slope: contact.jet(signed_distance.abs()).first,
            };
            friction.add(surface, lag, &lagged, &[(p, 1.0), (a, s - 1.0), (b, -s)]);
        }

        // Points at a vertex.
        for (&[p, v], contact) in contacts.points.iter() {
            let distance = (x[p] - x[v]).norm();
            let normal = (x[p] - x[v]) / distance;
            let lagged = LaggedContact {
                vertices: [p, v, v],
                tangent: perp(normal),
                normal,
                weight: contact.weight,
                slope: contact.jet(distance - contact.separation).first,
            };
            friction.add(surface, lag, &lagged, &[(p, 1.0), (v, -1.0)]);
        }

        // Points over a half-plane.
        for (&[p, o], contact) in contacts.planes.iter() {
            let gap = contact.normal.dot(&(x[p] - x[o])) - contact.separation;
            let lagged = LaggedContact {
                vertices: [p, o, o],
                tangent: perp(contact.normal),
                normal: contact.normal,
                weight: contact.weight,
                slope: contact.jet(gap).first,
            };
            friction.add(surface, lag, &lagged, &[(p, 1.0), (o, -1.0)]);
        }

        friction
    }

    /// Adds a contact if it has friction; `shares` are the weights of vertices in the motion of the
    /// point relative to the other side.
    fn add(
        &mut self,
        surface: &Surface,
        lag: Lag,
        contact: &LaggedContact,
        shares: &[(usize, f64)],
    ) {
        let [point, other, _] = contact.vertices;
        let coefficient = lag.table.get(surface.body[point], surface.body[other]);
        let load = coefficient * contact.weight * -contact.slope;
        if load > 0.0 {
            let weights = sliding_weights(surface, lag.start, contact, shares);
            match weights.len() {
                2 => self.pairs.push(lag, load, contact, &weights),
                3 => self.triples.push(lag, load, contact, &weights),
                _ => self.quadruples.push(lag, load, contact, &weights),
            }
        }
    }

    /// Predicts the friction forces after the motion `p` from `y` (m, `[vertices]`), with which the
    /// next Hessian is made. A motion of zero gives the forces at `y` themselves.
    pub fn predict(&mut self, y: &[Vec2], p: &[Vec2]) {
        self.pairs.predict(y, p);
        self.triples.predict(y, p);
        self.quadruples.predict(y, p);
    }

    /// True if no contact has friction.
    pub fn is_empty(&self) -> bool {
        self.pairs.vertices.is_empty()
            && self.triples.vertices.is_empty()
            && self.quadruples.vertices.is_empty()
    }

    /// Potentials of the positions `y` (see [`FrictionContact`]), to be summed in this order:
    /// contacts of three vertices, of two, and of four.
    pub fn energies(&self) -> [&dyn Energy; 3] {
        [&self.triples.sum, &self.pairs.sum, &self.quadruples.sum]
    }

    /// Friction force of each contact at the positions `y` (see [`FrictionContact`]).
    ///
    /// The sum of all forces on a vertex is minus the gradient of [`Friction::energies`].
    pub fn forces<'a>(
        &'a self,
        surface: &'a Surface,
        y: &'a [Vec2],
    ) -> impl Iterator<Item = FrictionForce> + 'a {
        self.triples
            .forces(surface, y)
            .chain(self.pairs.forces(surface, y))
            .chain(self.quadruples.forces(surface, y))
    }
}

impl<const N: usize> Default for Group<N> {
    fn default() -> Self {
        Self {
            sum: Summed::default(),
            vertices: Vec::new(),
            tangents: Vec::new(),
            room: 0,
        }
    }
}

impl<const N: usize> Group<N> {
    /// An empty group that takes memory for `count` contacts as soon as there is one.
    fn with_room(count: usize) -> Self {
        Self {
            room: count,
            ..Self::default()
        }
    }

    /// Adds a contact with the load `mu lambda` (N), for `N` vertices with `weights` in its sliding
    /// distance.
    fn push(&mut self, lag: Lag, load: f64, contact: &LaggedContact, weights: &[(usize, Vec2)]) {
        let stencil: [usize; N] = std::array::from_fn(|k| weights[k].0);
        let friction = FrictionContact {
            load,
            weights: std::array::from_fn(|k| weights[k].1),
            start: stencil.map(|i| lag.start[i]),
            slip: lag.slip,
            dual: 0.0,
        };

        if self.vertices.is_empty() {
            self.sum.reserve(self.room);
            self.vertices.reserve(self.room);
            self.tangents.reserve(self.room);
        }

        self.sum.push(stencil, friction);
        self.vertices.push(contact.vertices);
        self.tangents.push(contact.tangent);
    }

    /// Predicts the relative force of each contact after the motion `p` from `y`.
    fn predict(&mut self, y: &[Vec2], p: &[Vec2]) {
        for (contact, stencil) in self.sum.elements.iter_mut().zip(&self.sum.stencils) {
            contact.update_dual(&stencil.map(|i| y[i]), &stencil.map(|i| p[i]));
        }
    }

    /// Friction force of each contact at `y`, spread over its vertices.
    fn forces<'a>(
        &'a self,
        surface: &'a Surface,
        y: &'a [Vec2],
    ) -> impl Iterator<Item = FrictionForce> + 'a {
        self.sum.iter().enumerate().map(|(k, (stencil, contact))| {
            let [point, start, end] = self.vertices[k];
            let pair = ContactPair::new(surface, point, [start, end]);
            let at = stencil.map(|i| y[i]);
            let gradient = contact.gradient(&at);

            FrictionForce {
                pair,
                bodies: pair.bodies(surface),
                force: self.tangents[k] * -contact.slope(&at),
                on_vertices: stencil
                    .iter()
                    .zip(gradient)
                    .map(|(&i, g)| (i, -g))
                    .collect(),
            }
        })
    }
}

/// Weights `c_i` of vertices in the sliding distance along the tangent `t`, from their shares in
/// the relative motion.
///
/// Without circles these are the shares times `t`. A circle touches with its rim. Let
///
/// - `c`, `r`: its centre and a vertex on its rim, `R`: its radius (m), `a = r - c`: the arm
///   between them;
/// - `dc`, `dr`: displacements of both, so that the circle turns by `perp(a) . (dr - dc) / R^2`;
/// - `n`: unit normal of the contact.
///
/// The point of contact at `-+ R n` then moves along the tangent by `t . dc -+ R (t . perp n)`
/// times that turn.
fn sliding_weights(
    surface: &Surface,
    start: &[Vec2],
    contact: &LaggedContact,
    shares: &[(usize, f64)],
) -> VertexVectors {
    let mut weights = VertexVectors::new();
    for (k, &(vertex, share)) in shares.iter().enumerate() {
        let whole = contact.tangent * share;
        let Some(disk) = surface.disk_at(vertex) else {
            weights.push((vertex, whole));
            continue;
        };

        // The point lies on the side of the normal, the other circle opposite.
        let inward = if k == 0 { -1.0 } else { 1.0 };
        let turn = perp(start[disk.rim] - start[vertex]) / disk.radius;
        let rolled = turn * (share * inward * contact.tangent.dot(&perp(contact.normal)));
        weights.push((vertex, whole - rolled));
        weights.push((disk.rim, rolled));
    }

    weights
}
