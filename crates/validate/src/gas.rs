//! Gas in chambers, for cases of several kinds: states, balloons of rods, and their closed forms.

use crate::scenes::STONE;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Chamber, ElasticRod};
use ipcsim::time::ChamberState;
use std::f64::consts::{PI, TAU};

/// Pressure (Pa) of one atmosphere, at which amounts are measured and which surrounds chambers.
pub(super) const ATMOSPHERE: f64 = 101_325.0;

/// State of the gas in a chamber by its number.
///
/// # Panics
/// If the scene has no such chamber, which is a fault of a case.
pub(super) fn gas(simulation: &Simulation, number: usize) -> ChamberState {
    let mut chambers = simulation.chambers();
    chambers.nth(number).expect("a chamber").1
}

/// A balloon of a closed rod: a regular polygon, which stretches and does not bend.
#[derive(Clone, Copy)]
pub(super) struct Polygon {
    /// Radius of its corners (m).
    pub(super) radius: f64,
    /// Axial stiffness (N).
    pub(super) axial: f64,
    /// Number of sides.
    pub(super) sides: u32,
}

impl Polygon {
    /// The rod, with its middle at `x` (m); its ends on both sides stay on the line through the middle, and
    /// the left one where it is.
    pub(super) fn body(self, name: &str, x: f64) -> Body {
        let corners = (0..self.sides).map(|k| {
            let angle = TAU * f64::from(k) / f64::from(self.sides);
            [self.radius * angle.cos(), self.radius * angle.sin()]
        });
        let rod = ElasticRod::of_stiffness(self.axial, 1e-9 * self.axial, 0.1);
        let body = Body::rod(name, rod, Polyline::closed(corners.collect()), STONE);
        let half = self.sides as usize / 2;
        let mut right = Prescribed::held(Selection::Indices(vec![0]));
        right.axis = Some(Axis::Y);
        body.at([x, 0.0])
            .with_prescribed(Prescribed::held(Selection::Indices(vec![half])))
            .with_prescribed(right)
    }

    /// Its chamber.
    pub(super) fn chamber(name: &str) -> Chamber {
        Chamber::new(name).with_wall(name, None)
    }

    /// Volume (m^3) of a stretched balloon.
    pub(super) fn volume(self, stretch: f64) -> f64 {
        let turn = TAU / f64::from(self.sides);
        let radius = self.radius * stretch;
        0.5 * f64::from(self.sides) * radius * radius * turn.sin()
    }

    /// Pressure over the ambient one (Pa) that stretches it: sides pull with `EA (s - 1)`, which is the
    /// pressure times the distance of the sides from the middle.
    pub(super) fn pressure(self, stretch: f64) -> f64 {
        let within = self.radius * stretch * (PI / f64::from(self.sides)).cos();
        self.axial * (stretch - 1.0) / within
    }
}
