//! Hard constraints: equations between positions that hold at the end of every step.
//!
//! A constraint `c(x) = 0` enters the potential of a stage as its augmented Lagrangian
//!
//! `k/2 |c(x) + lambda/k|^2`
//!
//! with the force `lambda` (N), which holds the constraint, and a stiffness `k` (N/m). This is an
//! energy of positions like any other: Newton's matrix stays positive definite, Cholesky's
//! factorisation stays the test of that, and no unknown is added. Whenever Newton's method has
//! found a minimum that leaves a constraint open, `lambda` grows by `k c`, and the minimisation
//! continues (Nocedal and Wright, "Numerical Optimization", chapter 17). The opening shrinks by a
//! factor of about `1 + k/m` each time, for a mass `m` that the constraint moves; where it shrinks
//! slowly, `k` grows.
//!
//! The force does not depend on `k`: in the end the constraint is closed to rounding, and `lambda`
//! is what a joint without any softness carries. It is part of what a step remembers, so that the
//! next step begins with a good guess.
//!
//! Every move that closes a constraint is a Newton step, which the line search has searched for
//! collisions. A new kind of joint is a file here with an implementation of [`Constraint`].

mod augmented;
mod closing;
mod hinge;
mod joint;
mod rod;
mod tuning;

pub use augmented::Augmented;
pub use closing::{Constraints, Opening};
pub use hinge::Hinge;
pub use joint::{Constraint, Joint};
pub use rod::Rod;
