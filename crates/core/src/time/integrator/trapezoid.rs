//! The trapezoidal rule with implicit contact (Doyen, Ern, Piperno 2011, "Time-integration
//! schemes for the finite element dynamic Signorini problem", section 3).

use super::{Departure, Integrator, Newmark};
use crate::solve::Stage;

/// Trapezoidal rule: loads, elastic forces and damping are the means of those at both ends of the
/// step, all other forces are those at its end. It is [`Newmark`]'s method with 1/2 and 1/4.
///
/// Second order where motion is smooth; a linear elastic body keeps its energy.
///
/// The rule damps no vibration, however short. Velocities of prescribed components are means over
/// the step, or they would alternate. Velocities across contacts of rigid bodies do, ever less. The
/// force between elastic bodies that hit each other oscillates with the stiffness of the barrier:
/// by 3 % where that is the bodies' own, by a third where it is ten times as large (the bar of
/// `ipcsim validate impact_integrators`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trapezoid;

impl Integrator for Trapezoid {
    fn history(&self) -> usize {
        Newmark { gamma: 0.5 }.history()
    }

    fn mixes_velocities(&self) -> bool {
        false
    }

    fn stage(&self, from: Departure) -> Stage {
        Newmark { gamma: 0.5 }.stage(from)
    }
}
