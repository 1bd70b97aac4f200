//! A state, as fields see it.

use super::tensors::{Tensors, strain, stress};
use super::{Subject, tensors};
use crate::math::Vec2;
use std::cell::OnceCell;

/// A state: positions, and what else of it is known.
///
/// Tensors are computed when the first field asks for them, and then kept.
#[derive(Debug)]
pub struct Snapshot<'a> {
    /// What all states share.
    pub subject: &'a Subject<'a>,
    /// Positions of the vertices (m), `[vertices]`.
    pub x: &'a [Vec2],
    /// Velocities of the vertices (m/s), `[vertices]`.
    pub velocities: Option<&'a [Vec2]>,
    /// Mean velocities of the vertices since the state before (m/s), `[vertices]`.
    pub mean_velocities: Option<&'a [Vec2]>,
    /// Contact forces.
    pub contacts: Option<&'a ContactsOnVertices>,
    /// Stress (Pa), once a field has asked.
    stress: OnceCell<Tensors>,
    /// Strain (1), once a field has asked.
    strain: OnceCell<Tensors>,
}

/// Contact forces on all vertices.
#[derive(Clone, Debug, Default)]
pub struct ContactsOnVertices {
    /// Normal forces (N), `[vertices]`.
    pub normal: Vec<Vec2>,
    /// Friction forces (N), `[vertices]`, if they are known.
    pub friction: Option<Vec<Vec2>>,
}

impl<'a> Snapshot<'a> {
    /// A state of which only the positions `x` (m, `[vertices]`) are known.
    pub fn new(subject: &'a Subject<'a>, x: &'a [Vec2]) -> Self {
        Self {
            subject,
            x,
            velocities: None,
            mean_velocities: None,
            contacts: None,
            stress: OnceCell::new(),
            strain: OnceCell::new(),
        }
    }

    /// Cauchy stress (Pa).
    pub fn stress(&self) -> &Tensors {
        self.stress
            .get_or_init(|| tensors::averaged(self.subject, stress(self.subject, self.x)))
    }

    /// Green-Lagrange strain (1).
    pub fn strain(&self) -> &Tensors {
        self.strain
            .get_or_init(|| tensors::averaged(self.subject, strain(self.subject, self.x)))
    }

    /// Positions of all points (m), `[vertices and spots]`.
    pub fn positions(&self) -> impl Iterator<Item = Vec2> + '_ {
        let spots = self.subject.spots.iter();
        let beside = spots.map(|spot| spot.position(self.x));
        self.x.iter().copied().chain(beside)
    }
}
