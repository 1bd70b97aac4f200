//! Hard constraints: equations between the poses of two bodies that hold at the end of every step;
//! and limits, motors and springs in joints.
//!
//! A joint is made of [rows](ConstraintRow). Each has a residual `c(x)` of positions, by a [`Rule`], and an
//! [`ConstraintAction`]. A rule knows a point and an arrow of each body, its [`JointFrame`], which up to three
//! vertices carry, so that joints serve bodies of every kind. A constraint `c(x) = 0` enters the
//! potential of a stage as its augmented Lagrangian
//!
//! `k/2 |c(x) + lambda/k|^2`
//!
//! with the force `lambda` (N), which holds the constraint, and a stiffness `k` (N/m). This is an
//! energy of positions like any other: Newton's matrix stays positive definite, Cholesky's
//! factorisation stays the test of that, and no unknown is added. Whenever Newton's method has
//! found a minimum that leaves a constraint open, `lambda` grows by `k c`, and the minimisation
//! continues (Nocedal and Wright, "Numerical Optimization", chapter 17). The residual shrinks by a
//! factor of about `1 + k/m` each time, for a mass `m` that the constraint moves; where it shrinks
//! slowly, `k` grows.
//!
//! The force does not depend on `k`: in the end the constraint is closed to rounding, and `lambda`
//! is the force of a joint without any softness. It is part of the memory of a step, so that the
//! next step begins with a good guess. With bounds of `lambda` the same energy is a rope, which
//! only pulls, and a motor or a brake, which slips at its largest torque: the opening that a bound
//! leaves is not a residual.
//!
//! Limits are barriers, as contact is, and the line search stops before them: `limit_ccd.rs` bounds
//! the change of a limited angle or length over the whole motion. Angles are counted over turns,
//! from one accepted state to the next, and are part of the memory of a step.
//!
//! Every move that closes a constraint is a Newton step, which the line search has searched for
//! collisions. A new kind of joint is a file here with an implementation of [`Constraint`], and its
//! lines in [`rule`](Rule).

mod augmented_lagrangian;
mod closed_rows;
mod driven;
mod ends;
mod epicyclic;
mod gear;
mod hinge;
mod joint;
mod joint_work;
mod limit_ccd;
mod linear;
mod measure;
mod multipliers;
mod pose;
mod rack;
mod rates;
mod residual;
mod rod;
mod rule;
mod servo;
mod slider;
mod slot;
mod spring_energy;
mod spring_forces;
mod tie;
mod warm_start;
mod weld;

pub use closed_rows::{ClosedRow, RateRow};
pub use driven::{RowDrive, driven};
pub use ends::Ends;
pub use epicyclic::Epicyclic;
pub use gear::Gear;
pub use hinge::Hinge;
pub use joint::{Aim, ConstraintAction, ConstraintRow, Joint, Limits, Motor, Spring, joint_names};
pub use joint_work::JointWork;
pub use limit_ccd::{Held, keeps, turned_after};
pub use linear::{Linear, Open};
pub use measure::{Along, Turned};
pub use multipliers::{Constraints, Residual};
pub(crate) use pose::within_half_a_turn;
pub use pose::{Bends, JointFrame, RelativePose, STENCIL, Slopes};
pub use rack::Rack;
pub use rates::{first_changes, first_residuals, have_rates};
pub use residual::Constraint;
pub use rod::DistanceConstraint;
pub use rule::Rule;
pub use servo::Servo;
pub use slider::Slider;
pub use slot::Slot;
pub use spring_energy::{have_springs, stored_energy, stored_in};
pub use tie::Tie;
pub use warm_start::WarmStart;
pub use weld::Alike;
