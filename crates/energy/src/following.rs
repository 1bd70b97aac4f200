//! Energies of loads whose forces follow the body.
//!
//! A force that only depends on time enters the predicted place of a stage. The forces here depend
//! on the positions as well, so they are energies of the stage:
//!
//! | load | energy | room |
//! |---|---|---|
//! | pressure along edges | `p t` times the area that the edges enclose | [`Pressed`] |
//! | the same on a body of revolution | `p` times the volume of the full turn | [`PressedRing`] |
//! | force on a point of a body with an angle | work by the rotation | [`Lever`] |
//! | what has no potential, at its value of one configuration | work | [`Thrust`] |
//! | torque on vertices | torque times their mean rotation | [`Couple`] |
//! | hand that holds a point | spring to a place | [`Pull`] |
//! | gas in closed chambers | energy of the gas and of what surrounds it | [`Chambers`] |
//!
//! Each but the hand counts its work from the start of the stage: from the origin it would hide other
//! energies in rounding.

mod chamber;
mod couple;
mod hand;
mod lever;
mod pressed;
mod pressed_ring;
mod thrust;

pub use chamber::{ATMOSPHERE, Chambers, Gas, GasLaw, Walls};
pub use couple::{Arm, Couple, Couples};
pub use hand::{HandSpring, Hands, Pull};
pub use lever::Lever;
pub use pressed::Pressed;
pub use pressed_ring::PressedRing;
pub use thrust::Thrust;

use super::{Energy, Summed};
use ipcsim_math::Vec2;

/// Name of these energies in messages.
pub(super) const NAME: &str = "load";

/// Energies of all loads of a stage whose forces follow bodies. Every element has the number of its
/// load.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Following {
    /// Pressure on edges.
    pub pressed: Summed<Pressed, 2>,
    /// Pressure on straight sides of bodies of revolution.
    pub rings: Summed<PressedRing<2>, 2>,
    /// Pressure on parabolas of bodies of revolution.
    pub curved_rings: Summed<PressedRing<3>, 3>,
    /// Forces on points of bodies with an angle, as far as they turn them.
    pub levers: Summed<Lever, 2>,
    /// Forces that have no potential, as they are at the start of the stage; in statics at its end.
    pub thrusts: Summed<Thrust, 1>,
    /// Torques on vertices.
    pub couples: Couples,
    /// Hands that hold points of bodies.
    pub hands: Hands,
    /// Gas in closed chambers.
    pub chambers: Chambers,
}

impl Following {
    /// True if no load follows a body, no hand holds one, and no gas pushes.
    pub fn is_empty(&self) -> bool {
        self.has_no_loads() && self.hands.is_empty()
    }

    /// True if no load follows a body, and no gas pushes. Then no energy here is negative.
    pub fn has_no_loads(&self) -> bool {
        self.pressed.elements.is_empty()
            && self.rings.elements.is_empty()
            && self.curved_rings.elements.is_empty()
            && self.levers.elements.is_empty()
            && self.thrusts.elements.is_empty()
            && self.couples.list.is_empty()
            && self.chambers.is_empty()
    }

    /// The energies, one for each kind.
    pub fn energies(&self) -> [&dyn Energy; 11] {
        let [a, b, c, d, e, f] = self.loads();
        let [g, h, i] = self.hands.energies();
        let [j, k] = self.chambers.energies();
        [a, b, c, d, e, f, g, h, i, j, k]
    }

    /// The energies of loads, without hands and gas.
    pub fn loads(&self) -> [&dyn Energy; 6] {
        [
            &self.pressed,
            &self.levers,
            &self.thrusts,
            &self.couples,
            &self.rings,
            &self.curved_rings,
        ]
    }

    /// Sum of the energies at positions `x` (J); 0 at the start of the stage.
    pub fn value(&self, x: &[Vec2]) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        self.energies().iter().map(|energy| energy.value(x)).sum()
    }

    /// Adds the derivatives at positions `x`, times a factor (N).
    pub fn add_gradient(&self, x: &[Vec2], scale: f64, out: &mut [Vec2]) {
        if self.is_empty() {
            return;
        }
        for energy in self.energies() {
            energy.add_gradient(x, scale, out);
        }
    }
}
