//! Changes of states and of equations.
//!
//! A state has coordinates `q`, velocities `q_dot`, the same of the state before where the
//! integrator looks back (BDF2), the slip of each anchor of friction, and with arc length its load time. A
//! [`Variation`] has one number for each of them. It stands for a change (m, m/s) in tangents, and for the derivative
//! of a number in adjoints; their product [`Variation::dot`] is the change of the number.
//!
//! An [`Explicit`] is the same for the equations of a step: their change by a parameter at fixed
//! states.

use ipcsim_math::Vec2;

/// A change of a state to first order, or the derivative of a number by a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variation {
    /// Of coordinates, `[nodes]`.
    pub q: Vec<Vec2>,
    /// Of velocities of coordinates, `[nodes]`.
    pub q_dot: Vec<Vec2>,
    /// Of coordinates of the state before, `[nodes]`; zero where integrators do not look back.
    pub past_q: Vec<Vec2>,
    /// Of velocities of the state before, `[nodes]`.
    pub past_q_dot: Vec<Vec2>,
    /// Of the slip of anchors, in their order.
    pub anchors: Vec<f64>,
    /// Of the numbers of the plastic flow of all points; empty if nothing flows.
    pub flows: Vec<f64>,
    /// Of the load time of a path of equilibria; zero where steps end at given times.
    pub time: f64,
}

/// Change of the equations of a step where its coordinates and its start stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explicit {
    /// Of the balance of forces (N s^2), `[nodes]`.
    pub slope: Vec<Vec2>,
    /// Of the residuals of the rows of joints, `[rows]`.
    pub rows: Vec<Vec2>,
    /// Of prescribed coordinates, `[nodes]`.
    pub targets: Vec<Vec2>,
    /// Of velocities at the end, `[nodes]`.
    pub velocities: Vec<Vec2>,
    /// Of the slip of anchors at the end.
    pub anchors: Vec<f64>,
    /// Of the numbers of the plastic flow at the end.
    pub flows: Vec<f64>,
    /// Of the squared length of an increment along a path (1).
    pub length: f64,
}

impl Explicit {
    /// Adds a multiple of another change.
    ///
    /// Both must have the same lengths.
    pub fn add(&mut self, factor: f64, other: &Self) {
        let fields = [
            (&mut self.slope, &other.slope),
            (&mut self.rows, &other.rows),
            (&mut self.targets, &other.targets),
            (&mut self.velocities, &other.velocities),
        ];
        for (own, other) in fields {
            for (own, other) in own.iter_mut().zip(other) {
                *own += other * factor;
            }
        }
        add_numbers(&mut self.anchors, factor, &other.anchors);
        add_numbers(&mut self.flows, factor, &other.flows);
        self.length += factor * other.length;
    }
}

impl Variation {
    /// No change of a state with this number of nodes, anchors and numbers of flow.
    pub fn zero(nodes: usize, anchors: usize, flows: usize) -> Self {
        let none = vec![Vec2::zeros(); nodes];
        Self {
            q: none.clone(),
            q_dot: none.clone(),
            past_q: none.clone(),
            past_q_dot: none,
            anchors: vec![0.0; anchors],
            flows: vec![0.0; flows],
            time: 0.0,
        }
    }

    /// Adds a multiple of another change.
    pub fn add(&mut self, factor: f64, other: &Self) {
        let fields = [
            (&mut self.q, &other.q),
            (&mut self.q_dot, &other.q_dot),
            (&mut self.past_q, &other.past_q),
            (&mut self.past_q_dot, &other.past_q_dot),
        ];
        for (own, other) in fields {
            for (own, other) in own.iter_mut().zip(other) {
                *own += other * factor;
            }
        }
        add_numbers(&mut self.anchors, factor, &other.anchors);
        add_numbers(&mut self.flows, factor, &other.flows);
        self.time += factor * other.time;
    }

    /// Fields of nodes.
    pub(super) fn fields(&mut self) -> [&mut Vec<Vec2>; 4] {
        let Self {
            q,
            q_dot,
            past_q,
            past_q_dot,
            ..
        } = self;
        [q, q_dot, past_q, past_q_dot]
    }

    /// Product of a derivative with a change.
    pub fn dot(&self, other: &Self) -> f64 {
        let fields = [
            (&self.q, &other.q),
            (&self.q_dot, &other.q_dot),
            (&self.past_q, &other.past_q),
            (&self.past_q_dot, &other.past_q_dot),
        ];
        let of_fields: f64 = fields.iter().map(|(a, b)| dot(a, b)).sum();
        of_fields
            + product(&self.anchors, &other.anchors)
            + product(&self.flows, &other.flows)
            + self.time * other.time
    }
}

/// Sum of the products of vectors.
pub(super) fn dot(a: &[Vec2], b: &[Vec2]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

/// Sum of the products of numbers.
///
/// The shorter list counts; a state in which nothing flows has none.
pub(super) fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds a multiple of numbers.
///
/// Numbers that the other list does not have stay.
fn add_numbers(own: &mut [f64], factor: f64, other: &[f64]) {
    for (own, other) in own.iter_mut().zip(other) {
        *own += factor * other;
    }
}
