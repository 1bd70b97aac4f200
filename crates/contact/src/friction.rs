//! Coulomb friction, lagged: normal forces, tangents and points of contact come from earlier
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
//!    sides, with rolling circles and belts taken into account;
//! 3. add the smoothed potential `mu lambda f_0(|u|)` ([`FrictionContact`]), whose force falls from
//!    static to kinetic friction ([`SlipLaw`]);
//! 4. if the pair resists rolling, add the same potential of the angle by which the two sides turn
//!    against each other, with the torque `mu_r lambda` in place of the force.
//!
//! Friction slides along the tangents of the vertices' paths, so a wheel that turns once in a step
//! slides by its circumference. A belt adds its displacement to the slip.

mod anchor;
mod belt;
mod contact;
mod extrapolated_loads;
mod force;
mod frame;
mod frames;
mod given_loads;
mod lagged_update;
mod law;
mod linear_slips;
mod overlap;
mod press;
mod resting;
mod resultant;
mod rolling;
mod single;
mod slip;
mod table;

pub use anchor::Anchor;
pub use contact::FrictionContact;
pub use force::{FrictionForce, RollingCouple};
pub use law::SlipLaw;
pub use linear_slips::{LinearSlips, SlipSlopes};
pub use press::{Press, VertexWeights};
pub use single::{Anchored, Resisted, Rubbing, RubbingContacts, SlidingContact};
pub use table::{Coefficients, FrictionTable};

use super::segments::Growth;
use super::tuning::ELASTIC_SLIP;
use super::{ContactPair, Contacts, Surface, VertexForces};
use anchor::Hold;
use extrapolated_loads::Growths;
use frame::Frame;
use frames::each_frame;
use ipcsim_energy::{Energy, LocalEnergy, Summed};
use ipcsim_math::Vec2;

/// Lagged friction of all contacts: a sum of potentials, to be evaluated at the positions `y` of
/// [`FrictionContact`].
///
/// A snapshot: it does not change with the positions, and a step that updates its friction makes a
/// new one.
///
/// ```
/// use ipcsim_contact::barrier::{Barrier, BarrierShape};
/// use ipcsim_contact::{Candidates, Contacts, Friction, FrictionTable, Lag, Surface};
/// use ipcsim_math::Vec2;
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
/// let contacts = Contacts::find(&surface, &barrier.into(), &candidates, &x).unwrap();
/// let table = FrictionTable::uniform(0.3, 1e-3);
/// let lag = Lag::along_tangents(&table, &x, 1e-3);
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
    /// Contact of each potential.
    places: Vec<Place>,
    /// How the load of each potential grows where vertices move.
    growths: Growths,
    /// Number of contacts that memory is taken for when the first one comes.
    room: usize,
}

/// Contact that a potential belongs to, and the motion that it resists.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Vertices of both sides, see [`Frame::vertices`].
    vertices: [usize; 4],
    /// Motion that is resisted.
    against: Against,
    /// The anchor of a contact that has one.
    hold: Option<Hold>,
}

/// Motion that a potential resists.
#[derive(Clone, Copy, Debug)]
enum Against {
    /// Sliding along this lagged unit tangent.
    Sliding(Vec2),
    /// Rolling.
    Rolling,
}

/// Sliding or rolling of one contact.
#[derive(Clone, Copy)]
struct Slide<'a> {
    /// Coefficient of friction times lagged normal force, `mu lambda` (N; of rolling N m).
    load: f64,
    /// Positions from which displacements count (m), `[vertices]`.
    start: &'a [Vec2],
    /// Distance that has been slid there (m).
    slid: f64,
    /// Distance by which belts slide (m).
    belts: f64,
    /// Force against the sliding distance.
    law: SlipLaw,
    /// Vertices that take part, each with its contribution to the sliding distance.
    weights: &'a [(usize, Vec2)],
    /// Coefficient of the load (1; of rolling m), and the derivative of the normal force (N/m).
    growth: (f64, &'a Growth),
}

/// Arguments of lagged friction: coefficients, and from where and how long sliding is measured.
#[derive(Clone, Copy, Debug)]
pub struct Lag<'a> {
    /// Coefficients of friction, and speeds `eps_v` at which it is fully developed.
    pub table: &'a FrictionTable,
    /// Positions at the start of the step (m), `[vertices]`.
    pub start: &'a [Vec2],
    /// How slip is measured in a frame that turns with the surfaces; `None` if it is measured along
    /// the tangents at the start (Li et al. 2020, equation 14).
    pub turning: Option<Turning<'a>>,
    /// Time in which bodies slide (s): friction is fully developed at the distance `eps_v` times
    /// this.
    pub time: f64,
}

/// Motions of a step that slip in a turning frame needs beside the positions at both ends.
#[derive(Clone, Copy, Debug)]
pub struct Turning<'a> {
    /// Positions on the tangents of the vertices' paths at the start, where coordinates are those
    /// of the end (m), `[vertices]`: they count full turns of circles.
    pub spun: &'a [Vec2],
    /// What the integrator takes off the slip of the step.
    pub known: Known<'a>,
}

/// Slip that an integrator takes off that of a step: a velocity is `(q - q_ref) / beta`, and slip
/// counts from `q_ref` as well.
#[derive(Clone, Copy, Debug)]
pub enum Known<'a> {
    /// Nothing: slip counts from the start of the step.
    Nothing,
    /// Slip by these displacements (m), `[vertices]`, with velocities of the start.
    Velocity(&'a [Vec2]),
    /// A share of the slip from the start to another configuration: the end of an earlier stage, or
    /// the state before the start.
    Share {
        /// The share (1).
        share: f64,
        /// Positions there (m), `[vertices]`.
        x: &'a [Vec2],
        /// Positions on tangents, as [`Turning::spun`], for its coordinates (m), `[vertices]`.
        spun: &'a [Vec2],
    },
    /// Such a share, and half of the change of velocities since then: where means of two velocities are
    /// displacements, velocities may alternate, and those on arcs are too large.
    Alternating {
        /// The share (1).
        share: f64,
        /// Positions there (m), `[vertices]`.
        x: &'a [Vec2],
        /// Positions on tangents, as [`Turning::spun`], for its coordinates (m), `[vertices]`.
        spun: &'a [Vec2],
        /// Displacements by half of the velocities of the start, and of those there (m), `[vertices]`.
        moved: [&'a [Vec2]; 2],
    },
}

impl<'a> Lag<'a> {
    /// Friction against slip along the tangents at `start`, which takes a time (s).
    pub fn along_tangents(table: &'a FrictionTable, start: &'a [Vec2], time: f64) -> Self {
        Self {
            table,
            start,
            turning: None,
            time,
        }
    }
}

impl Friction {
    /// Friction of `contacts`, which were found at `x` (m, `[vertices]`).
    ///
    /// The point of contact is the nearest point of the edge itself, never of its extension.
    /// Contacts with a negative weight correct the barrier where two edges overlap. They and the
    /// contacts that they correct have one friction force together, from their resultant.
    pub fn lagged(surface: &Surface, contacts: &Contacts, x: &[Vec2], lag: Lag) -> Self {
        let mut friction = Self::default();
        friction.lag(surface, contacts, x, lag);
        friction
    }

    /// Becomes the friction of `contacts` as [`Friction::lagged`] gives it, in the memory that it
    /// has.
    fn lag(&mut self, surface: &Surface, contacts: &Contacts, x: &[Vec2], lag: Lag) {
        self.pairs.clear(contacts.len());
        self.triples.clear(contacts.len());
        self.quadruples.clear(contacts.len());
        let mut near = 0;
        each_frame(contacts, x, |frame| {
            self.add(surface, lag, x, &mut near, frame);
        });
    }

    /// Adds the friction of a contact, or of a resultant, at `x` (m, `[vertices]`), if it has any.
    /// `near` is the number of the anchor that was found last.
    fn add(&mut self, surface: &Surface, lag: Lag, x: &[Vec2], near: &mut usize, frame: &Frame) {
        let [point, _, other, _] = frame.vertices;
        let [a, b] = [surface.body[point], surface.body[other]];
        let coefficients = lag.table.get(a, b);
        let load = frame.load(coefficients.sticking);
        if load > 0.0 {
            // Slip up to here, from where displacements count.
            let (from, slid) = match lag.turning {
                Some(turning) => (x, frame.slid(surface, lag.start, turning, x)),
                None => (lag.start, 0.0),
            };
            let weights = frame.sliding_weights(surface, from);

            let law = lag.table.law([a, b], coefficients, lag.time);
            let hold = lag.table.sticks.then(|| holds(frame, lag.table, b, near));
            let slide = Slide {
                load,
                start: from,
                slid: slid + hold.map_or(0.0, |hold| hold.slip),
                belts: frame.carried(lag.table.belts(a, b) * lag.time),
                law: if hold.is_some() {
                    law.developed_at(ELASTIC_SLIP * surface.first_d_hat(point, other))
                } else {
                    law
                },
                weights: &weights,
                growth: (coefficients.sticking, frame.growth()),
            };
            let place = Place {
                vertices: frame.vertices,
                against: Against::Sliding(frame.tangent),
                hold,
            };
            self.push(slide, place);
        }

        if coefficients.rolling > 0.0 {
            self.add_rolling(surface, lag, x, frame, coefficients.rolling);
        }
    }

    /// Adds a potential to the group of its number of vertices.
    fn push(&mut self, slide: Slide, place: Place) {
        match slide.weights.len() {
            2 => self.pairs.push(slide, place),
            3 => self.triples.push(slide, place),
            _ => self.quadruples.push(slide, place),
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
        self.pairs.places.is_empty()
            && self.triples.places.is_empty()
            && self.quadruples.places.is_empty()
    }

    /// True if a contact has kinetic friction that is weaker than its static friction.
    ///
    /// The potential may then have two minima, one where the contact sticks and one where it
    /// slides.
    pub fn weakens(&self) -> bool {
        self.pairs.weakens() || self.triples.weakens() || self.quadruples.weakens()
    }

    /// Potentials of the positions `y` (see [`FrictionContact`]), to be summed in this order:
    /// contacts of three vertices, of two, and of four.
    pub fn energies(&self) -> [&dyn Energy; 3] {
        [&self.triples.sum, &self.pairs.sum, &self.quadruples.sum]
    }

    /// Friction force of each contact at the positions `y` (see [`FrictionContact`]).
    ///
    /// The sum of all forces on a vertex, with the forces of [`Friction::couples`], is minus the
    /// gradient of [`Friction::energies`].
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
            places: Vec::new(),
            growths: Growths::default(),
            room: 0,
        }
    }
}

impl<const N: usize> Group<N> {
    /// Removes all contacts and keeps the memory. As soon as there is one again, the group takes
    /// memory for `count` of them.
    fn clear(&mut self, count: usize) {
        self.sum.clear();
        self.places.clear();
        self.growths.clear();
        self.room = count;
    }

    /// Adds a contact with `N` vertices that slide or roll.
    fn push(&mut self, slide: Slide, place: Place) {
        let stencil: [usize; N] = std::array::from_fn(|k| slide.weights[k].0);
        let friction = FrictionContact {
            load: slide.load,
            weights: std::array::from_fn(|k| slide.weights[k].1),
            start: stencil.map(|i| slide.start[i]),
            slid: slide.slid,
            belts: slide.belts,
            law: slide.law,
            dual: 0.0,
        };

        if self.places.is_empty() {
            self.sum.reserve(self.room);
            self.places.reserve(self.room);
            self.growths.reserve(self.room);
        }

        let (factor, growth) = slide.growth;
        self.growths.push(slide.load, factor, growth);
        self.sum.push(stencil, friction);
        self.places.push(place);
    }

    /// True if a contact has weaker kinetic friction.
    fn weakens(&self) -> bool {
        let mut contacts = self.sum.elements.iter();
        contacts.any(|contact| contact.law.weakens())
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
        let potentials = self.sum.iter().zip(&self.places);
        potentials.filter_map(move |((stencil, contact), place)| {
            let Against::Sliding(tangent) = place.against else {
                return None;
            };
            let pair = place.pair(surface);
            let at = stencil.map(|i| y[i]);

            Some(FrictionForce {
                pair,
                bodies: pair.bodies(surface),
                force: tangent * -contact.slope(&at),
                slip: tangent * (contact.slide(&at) - place.slip()),
                on_vertices: on_vertices(stencil, contact.gradient(&at)),
            })
        })
    }
}

/// The anchor in a table of the contact with a frame and with the body `other`; `near` is the place of the
/// anchor found last in the table, and becomes the place of this one.
fn holds(frame: &Frame, table: &FrictionTable, other: usize, near: &mut usize) -> Hold {
    let across = frame.across().signum();
    Hold {
        slip: across * table.slip_of(frame.vertices, other, near),
        across,
    }
}

impl Place {
    /// Elastic slip along the tangent that the steps before have left (m).
    fn slip(&self) -> f64 {
        self.hold.map_or(0.0, |hold| hold.slip)
    }

    /// Both sides of the contact.
    fn pair(&self, surface: &Surface) -> ContactPair {
        let [point, last, start, end] = self.vertices;
        if point == last {
            ContactPair::new(surface, point, [start, end])
        } else {
            ContactPair::of_edges(surface, [point, last], [start, end])
        }
    }
}

/// Forces on the vertices of a stencil (N), minus the gradient there.
fn on_vertices<const N: usize>(stencil: &[usize; N], gradient: [Vec2; N]) -> VertexForces {
    let gradients = stencil.iter().zip(gradient);
    gradients.map(|(&i, g)| (i, -g)).collect()
}
