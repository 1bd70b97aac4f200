//! TR-BDF2: the trapezoidal rule, then backward differences (Bank et al. 1985, "Transient
//! simulation of silicon devices and circuits"; Hosea and Shampine 1996).
//!
//! Two stages and no history, so that it starts, halves and resumes as implicit Euler does.

use super::bdf2::{Behind, backward};
use super::{Departure, Integrator, Trapezoid};
use crate::solve::Stage;
use crate::time::span::Span;
use std::f64::consts::SQRT_2;

/// Share `g = 2 - sqrt 2` of the step that the first stage takes. Both stages then have the same
/// `beta = g h / 2`, and the error is smallest.
const FIRST: f64 = 2.0 - SQRT_2;

/// The [`Trapezoid`] over the share `g = 2 - sqrt 2` of the step, then backward differences from
/// both states to its end.
///
/// Second order. A vibration of angular frequency `w` that steps resolve loses about
/// `0.0037 (w h)^4` of its amplitude in a step; one that they do not resolve vanishes at once. A
/// step costs two minimisations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrBdf2;

impl Integrator for TrBdf2 {
    /// Slip of friction in the first stage counts less a share of the step before.
    fn history(&self) -> usize {
        1
    }

    fn stages(&self) -> usize {
        2
    }

    fn stage(&self, from: Departure) -> Stage {
        let Span { end, h } = from.span;
        let [first, rest] = [FIRST * h, (1.0 - FIRST) * h];

        let Some(middle) = from.ends.first() else {
            let span = Span {
                end: end - rest,
                h: first,
            };
            return Trapezoid.stage(Departure { span, ..from });
        };
        let behind = Behind {
            q: &from.start.q,
            q_dot: &from.start.q_dot,
            h: first,
        };
        let second = Departure {
            start: middle,
            span: Span { end, h: rest },
            ..from
        };
        backward(second, behind)
    }
}
