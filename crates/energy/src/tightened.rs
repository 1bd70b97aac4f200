//! Energies of bodies that are tightened at a section, as bolts are.
//!
//! A bolt is tightened by a nut. Here a piece of its shank gets shorter by `s`:
//! everything beyond a section could move by `s` towards it without any stress. With the direction `n` of the
//! bolt, and a share `phi` of each vertex that grows from 0 to 1 along the piece, the energy is
//!
//! `E_s(x) = E(x + s phi n)`.
//!
//! No element needs to know of it, whatever its law is, and forces are derivatives of one energy as
//! everywhere: the gradient is `E'(x + s phi n)`, the Hessian `E''(x + s phi n)`. The derivative by `s`
//!
//! `N = dE_s/ds = sum_i phi_i n . E'_i`
//!
//! is the force across the section, exactly, for any `phi`: where nothing else pulls at the piece the
//! principle of virtual work says so.
//!
//! The direction turns with the body. It is the one at the start of a step, so that `s` and `n` are constants
//! of the step, as the flow of metals is. A state keeps both as the flow of one point more:
//! `F_p = R (I - (s / l) N N^T)` for a piece of the length `l`, the rotation `R` of the body and the direction `N`
//! in the shape at rest, with the stiffness of the joint in place of the hardening. So all that stores, resumes and
//! shows flow knows it.

use super::forward::{forward_domain, forward_elements, forward_values};
use super::{AddProduct, Conditions, Curvature, Energy, StepBound, Stressed};
use crate::material::Flow;
use ipcsim_math::elementary::{atan2, rotation};
use ipcsim_math::{Mat2, Vec2, outer};
use std::ops::Range;
use std::sync::Arc;

/// Section of a body that is tightened.
///
/// The shares are 0 on the side that stays. Along the piece they grow in proportion to the distance from the section,
/// and all that is beyond the piece has 1.
#[derive(Clone, Debug, PartialEq)]
pub struct TightenedSection {
    /// Number of the section among all.
    pub number: usize,
    /// Direction of the shank in the shape at rest (1), from the side that stays to the other.
    pub direction: Vec2,
    /// Length `l` of the piece that gets shorter (m), at rest.
    pub length: f64,
    /// Vertices beyond the section with their shares `phi` (1) of the shortening, in `]0, 1]`.
    pub shares: Vec<(usize, f64)>,
}

/// How far a section is tightened in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tightness {
    /// Length `s` (m) by which the piece at the section is shorter.
    pub shortening: f64,
    /// Angle (rad) by which the body is turned against its shape at rest.
    pub angle: f64,
    /// Growth `dN/ds` of the force with the length (N/m), as the last step found it; 0 before.
    pub stiffness: f64,
}

impl TightenedSection {
    /// Flow of the point that stands for the section, `F_p = R (I - (s / l) N N^T)`.
    ///
    /// Its determinant is `1 - s / l`, and its rotation `R`.
    pub fn flow(&self, tightness: Tightness) -> Flow {
        let along = self.direction;
        let shorter = outer(along, along) * (tightness.shortening / self.length);
        let turn = rotation(tightness.angle).into_inner();
        Flow {
            plane: turn * (Mat2::identity() - shorter),
            hardened: tightness.stiffness,
        }
    }

    /// How far the section is tightened, by the flow of the point that stands for it: the inverse of
    /// [`TightenedSection::flow`], to rounding of the length `l`.
    pub fn tightness(&self, flow: &Flow) -> Tightness {
        // A rotation times a symmetric matrix with positive eigenvalues.
        let f = &flow.plane;
        Tightness {
            shortening: self.length * (1.0 - f.determinant()),
            angle: atan2(f.m21 - f.m12, f.m11 + f.m22),
            stiffness: flow.hardened,
        }
    }

    /// Direction of the shank (1) of a body that is turned by an angle (rad).
    fn direction_at(&self, angle: f64) -> Vec2 {
        if angle == 0.0 {
            return self.direction;
        }
        rotation(angle) * self.direction
    }

    /// Positions (m) at which elements count, `x + s phi n`: where vertices would be without the shortening.
    fn stretched(&self, x: &[Vec2], tightness: Tightness) -> Vec<Vec2> {
        let way = self.direction_at(tightness.angle) * tightness.shortening;
        let mut stretched = x.to_vec();
        for &(vertex, share) in &self.shares {
            stretched[vertex] += way * share;
        }
        stretched
    }
}

/// Energy of elements of a body that is tightened at a section.
///
/// As an [`Energy`] it is the energy of the elements as drawn: patterns, bounds of steps and columns of
/// tables follow from it. Values count only [`under`](Energy::under) conditions.
pub struct Tightened {
    /// Energy of the elements as drawn.
    drawn: Arc<dyn Energy>,
    /// The section.
    section: Arc<TightenedSection>,
}

impl Tightened {
    /// Energy of elements that are `drawn`, of a body with this section.
    pub fn new(drawn: Box<dyn Energy>, section: Arc<TightenedSection>) -> Self {
        Self {
            drawn: drawn.into(),
            section,
        }
    }

    /// The conditions of the elements as drawn, and how far the section is tightened.
    ///
    /// Flow is listed energy by energy, so that the list here ends with the point of the section.
    fn split<'a>(&self, conditions: Conditions<'a>) -> (Conditions<'a>, Tightness) {
        // The point of the section is the last one. The list is empty before anything has flowed.
        let (own, flowed) = match conditions.flowed.split_last() {
            Some((own, flowed)) => (self.section.tightness(own), flowed),
            None => (Tightness::default(), conditions.flowed),
        };
        (
            Conditions {
                flowed,
                ..conditions
            },
            own,
        )
    }
}

impl Energy for Tightened {
    forward_elements!(drawn);
    forward_values!(drawn);
    forward_domain!(drawn);

    fn under(&self, conditions: Conditions) -> Option<Box<dyn Energy>> {
        let (conditions, tightness) = self.split(conditions);
        let changed = self.drawn.under(conditions);
        if tightness.shortening == 0.0 {
            return changed;
        }
        Some(Box::new(Shortened {
            drawn: changed.map_or_else(|| Arc::clone(&self.drawn), Arc::from),
            section: Arc::clone(&self.section),
            tightness,
        }))
    }

    fn section(&self) -> Option<usize> {
        Some(self.section.number)
    }

    fn tension(&self, conditions: Conditions, x: &[Vec2]) -> f64 {
        let (conditions, tightness) = self.split(conditions);
        let changed = self.drawn.under(conditions);
        let drawn = changed.as_ref().map_or(&*self.drawn, AsRef::as_ref);

        // Work of the elements when the piece gets shorter.
        let mut forces = vec![Vec2::zeros(); x.len()];
        drawn.add_gradient(&self.section.stretched(x, tightness), 1.0, &mut forces);
        let along = self.section.direction_at(tightness.angle);
        let each = self.section.shares.iter();
        each.map(|&(vertex, share)| share * along.dot(&forces[vertex]))
            .sum()
    }

    fn flowing(&self) -> usize {
        self.drawn.flowing() + 1
    }

    fn flow(&self, conditions: Conditions, x: &[Vec2]) -> Vec<Flow> {
        let own = conditions.flowed.last().copied().unwrap_or_default();
        let (conditions, tightness) = self.split(conditions);
        let mut flow = self
            .drawn
            .flow(conditions, &self.section.stretched(x, tightness));
        flow.push(own);
        flow
    }

    fn hardened(&self, flowed: &[Flow]) -> Vec<f64> {
        let of_elements = flowed.split_last().map_or(flowed, |(_, others)| others);
        self.drawn.hardened(of_elements)
    }

    fn products(&self, k: usize, x: &[Vec2], curvature: Curvature, add: &mut AddProduct) -> bool {
        self.drawn.products(k, x, curvature, add)
    }
}

/// Energy of elements while a section is tightened.
///
/// Each call copies the positions of all vertices, which costs little compared with the elements of a body.
///
/// Elements keep their orientation in both shapes: as they are, which is what others see, and without
/// the shortening, which is where their stress comes from.
struct Shortened {
    /// Energy of the elements without the shortening.
    drawn: Arc<dyn Energy>,
    /// The section.
    section: Arc<TightenedSection>,
    /// How far it is tightened.
    tightness: Tightness,
}

impl Shortened {
    /// Positions (m) at which elements count.
    fn stretched(&self, x: &[Vec2]) -> Vec<Vec2> {
        self.section.stretched(x, self.tightness)
    }
}

impl Energy for Shortened {
    forward_elements!(drawn);
    forward_values!(drawn, stretched);

    fn products(&self, k: usize, x: &[Vec2], curvature: Curvature, add: &mut AddProduct) -> bool {
        self.drawn.products(k, &self.stretched(x), curvature, add)
    }

    fn max_step(&self, x: &[Vec2], p: &[Vec2]) -> StepBound {
        let own = self.drawn.max_step(x, p);
        let stretched = self.drawn.max_step(&self.stretched(x), p);
        if stretched.fraction < own.fraction {
            stretched
        } else {
            own
        }
    }

    fn admits(&self, x: &[Vec2]) -> bool {
        self.drawn.admits(x) && self.drawn.admits(&self.stretched(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Lame, NeoHookean};
    use crate::{Summed, Triangle};

    /// Two triangles of a strip along x; the right side is beyond a section.
    fn strip() -> (Tightened, [Vec2; 4]) {
        let rest = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 0.5]].map(Vec2::from);
        let law = NeoHookean(Lame {
            mu: 3.0,
            lambda: 5.0,
        });
        let mut sum = Summed::<Triangle<NeoHookean>, 3>::default();
        for stencil in [[0, 1, 2], [0, 2, 3]] {
            sum.push(stencil, Triangle::new(law, stencil.map(|i| rest[i]), 0.7));
        }
        let section = TightenedSection {
            number: 0,
            direction: Vec2::new(1.0, 0.0),
            length: 1.0,
            shares: vec![(1, 1.0), (2, 1.0)],
        };
        (Tightened::new(Box::new(sum), Arc::new(section)), rest)
    }

    /// Conditions in which the section is tightened.
    fn under(flowed: &[Flow]) -> Conditions<'_> {
        Conditions {
            flowed,
            ..Conditions::default()
        }
    }

    #[test]
    fn tension_is_the_derivative_of_the_energy_by_the_shortening() {
        let (energy, rest) = strip();
        assert!(energy.under(Conditions::default()).is_none());

        // Turned, and a little out of shape.
        let angle = 0.4;
        let turn = rotation(angle);
        let x = rest.map(|x| turn * x * 1.01 + Vec2::new(0.02 * x.y * x.x, 0.0));
        let tightness = Tightness {
            shortening: 0.1,
            angle,
            stiffness: 20.0,
        };
        let value = |shortening: f64| {
            let flowed = [energy.section.flow(Tightness {
                shortening,
                ..tightness
            })];
            energy.under(under(&flowed)).unwrap().value(&x)
        };
        let h = 1e-6;
        let slope = (value(0.1 + h) - value(0.1 - h)) / (2.0 * h);
        let flowed = [energy.section.flow(tightness)];
        let tension = energy.tension(under(&flowed), &x);
        assert!((tension - slope).abs() < 1e-8, "{tension} {slope}");

        // A step does not change what was tightened.
        assert_eq!(energy.flow(under(&flowed), &x), flowed);
        let known = energy.section.tightness(&flowed[0]);
        assert!((known.shortening - 0.1).abs() < 1e-15 && (known.angle - angle).abs() < 1e-15);
        assert_eq!(known.stiffness, 20.0);
    }

    #[test]
    fn a_piece_that_follows_its_shortening_has_no_stress() {
        let (energy, mut x) = strip();
        let tightness = Tightness {
            shortening: 0.1,
            ..Tightness::default()
        };
        let flowed = [energy.section.flow(tightness)];
        for i in [1, 2] {
            x[i].x -= 0.1;
        }
        let own = energy.under(under(&flowed)).unwrap();
        let mut gradient = [Vec2::zeros(); 4];
        own.add_gradient(&x, 1.0, &mut gradient);
        assert!(gradient.iter().all(|g| g.norm() < 1e-15));
        assert!(own.admits(&x));

        // It must not be turned inside out, although its elements would not be.
        for i in [1, 2] {
            x[i].x = -0.02;
        }
        assert!(!own.admits(&x));
    }
}
