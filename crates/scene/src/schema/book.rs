//! Values that keys have when a scene leaves them out, where these depend on `contact.model`.
//!
//! The model `book` stands for a whole set of values: the values in the chapters of the free
//! physics-based simulation book, whose trajectories such a scene has. A key that the scene gives
//! comes before them.

use super::Scene;
use super::contact::Contact;
use super::friction::Stick;
use ipcsim_contact::barrier::BarrierShape;
use ipcsim_contact::{ContactModel, SharedVertices};

/// Stiffness of the book's barrier (Pa).
const KAPPA: f64 = 1e5;

/// Sliding speed at which the book's friction is fully developed (m/s).
const EPS_V: f64 = 1e-3;

/// Solves of a step with the book's friction, whose normal forces are from the step before.
const LAG_ITERATIONS: usize = 1;

/// Speed of the Newton direction at which the book stops (m/s).
const TOLERANCE: f64 = 1e-2;

/// Imbalance of forces (m/s) at which the book stops, which no force reaches: only directions
/// decide.
const IMBALANCE: f64 = 1e9;

impl Contact {
    /// A value of the book if the scene asks for its model.
    fn of_book<T>(&self, value: T) -> Option<T> {
        (self.model == ContactModel::Book).then_some(value)
    }

    /// Formula of barriers of vertices.
    pub fn formula(&self) -> BarrierShape {
        let given = self.barrier.or(self.of_book(BarrierShape::Log));
        given.unwrap_or_default()
    }

    /// Count of a vertex that two edges share.
    pub fn shared(&self) -> SharedVertices {
        let given = self
            .shared_vertices
            .or(self.of_book(SharedVertices::PerEdge));
        given.unwrap_or_default()
    }

    /// Stiffness `kappa` (Pa) of all barriers; `None` if it follows from bodies.
    pub fn stiffness(&self) -> Option<f64> {
        self.kappa.or(self.of_book(KAPPA))
    }

    /// Sliding speed `eps_v` (m/s) of all pairs; `None` if it follows from bodies.
    pub fn creep(&self) -> Option<f64> {
        self.friction.eps_v.or(self.of_book(EPS_V))
    }

    /// How contacts hold that stick.
    pub fn stick(&self) -> Stick {
        let given = self.friction.stick.or(self.of_book(Stick::Creep));
        given.unwrap_or_default()
    }

    /// Largest number of solves in a step with lagged friction; `None` if friction is not lagged.
    pub fn lag(&self) -> Option<usize> {
        let given = self.friction.lag_iterations;
        given.or(self.of_book(LAG_ITERATIONS))
    }
}

impl Scene {
    /// Names of the numbers that the model of the book sets where the scene leaves them out.
    pub fn set_by_book(&self) -> Vec<&'static str> {
        let contact = &self.contact;
        let all = [
            ("kappa", contact.kappa.is_some()),
            ("eps_v", contact.friction.eps_v.is_some()),
            ("tolerance", self.solver.tolerance.is_some()),
            ("imbalance", self.solver.imbalance.is_some()),
        ];
        let is_book = contact.model == ContactModel::Book;
        let left_out = all.into_iter().filter(|(_, is_given)| is_book && !is_given);
        left_out.map(|(name, _)| name).collect()
    }

    /// Speed of the Newton direction (m/s) at which all bodies stop; `None` if it follows from bodies.
    pub fn tolerance(&self) -> Option<f64> {
        let given = self.solver.tolerance;
        given.or(self.contact.of_book(TOLERANCE))
    }

    /// Imbalance of forces (m/s) at which all bodies stop; `None` if it follows from the tolerance.
    pub fn imbalance(&self) -> Option<f64> {
        let given = self.solver.imbalance;
        given.or(self.contact.of_book(IMBALANCE))
    }
}
