//! A state, as fields see it.

use super::Subject;
use super::tensors::{Tensors, averaged, plastic_strain, strain, stress};
use crate::forces::{VertexContact, normal_on_vertices, pressures};
use crate::time::World;
use ipcsim_contact::Contacts;
use ipcsim_energy::Conditions;
use ipcsim_math::Vec2;
use std::cell::OnceCell;

/// Known quantities of a state.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Positions of the vertices (m), `[vertices]`.
    pub x: &'a [Vec2],
    /// Conditions of the materials.
    pub conditions: Conditions<'a>,
    /// Velocities of the vertices (m/s), `[vertices]`.
    pub velocities: Option<&'a [Vec2]>,
    /// Mean velocities of the vertices since the state before (m/s), `[vertices]`.
    pub mean_velocities: Option<&'a [Vec2]>,
    /// Contact forces.
    pub contacts: Option<&'a ContactsOnVertices>,
}

impl<'a> Known<'a> {
    /// A state with nothing known but positions `x` (m, `[vertices]`) and the conditions of the
    /// materials.
    pub fn positions(x: &'a [Vec2], conditions: Conditions<'a>) -> Self {
        Self {
            x,
            conditions,
            velocities: None,
            mean_velocities: None,
            contacts: None,
        }
    }
}

/// Contact forces on all vertices.
#[derive(Clone, Debug, Default)]
pub struct ContactsOnVertices {
    /// Normal forces (N), `[vertices]`.
    pub normal: Vec<Vec2>,
    /// Friction forces (N), `[vertices]`, if they are known.
    pub friction: Option<Vec<Vec2>>,
    /// Normal forces per length of outline (N/m): pressures times thickness, `[vertices]`.
    pub per_length: Vec<f64>,
}

impl ContactsOnVertices {
    /// Forces on `count` vertices, from the vertices that have any.
    pub fn of(forces: &[VertexContact], count: usize) -> Self {
        let mut normal = vec![Vec2::zeros(); count];
        let mut friction = normal.clone();
        let mut per_length = vec![0.0; count];
        for force in forces {
            normal[force.vertex] = force.normal;
            friction[force.vertex] = force.friction;
            per_length[force.vertex] = force.per_length;
        }
        Self {
            normal,
            friction: Some(friction),
            per_length,
        }
    }

    /// Normal forces and pressures of the `contacts` that were found at positions `x` (m), without
    /// friction.
    pub fn normal(world: &World, contacts: &Contacts, x: &[Vec2]) -> Self {
        let pressures = pressures(world, contacts, x).into_iter();
        Self {
            normal: normal_on_vertices(&world.model.surface, contacts, x),
            friction: None,
            per_length: pressures.map(|own| own.per_length).collect(),
        }
    }
}

/// A state of a subject. Tensors are computed when the first field asks for them, and then kept.
#[derive(Debug)]
pub struct Snapshot<'a> {
    /// Data that all states share.
    pub subject: &'a Subject<'a>,
    /// Known quantities of the state.
    pub known: Known<'a>,
    /// Stress (Pa), once a field has asked.
    stress: OnceCell<Tensors>,
    /// Strain (1), once a field has asked.
    strain: OnceCell<Tensors>,
    /// Equivalent plastic strain (1), once a field has asked.
    plastic_strain: OnceCell<Tensors>,
}

impl<'a> Snapshot<'a> {
    /// A state of a subject.
    pub fn new(subject: &'a Subject<'a>, known: Known<'a>) -> Self {
        Self {
            subject,
            known,
            stress: OnceCell::new(),
            strain: OnceCell::new(),
            plastic_strain: OnceCell::new(),
        }
    }

    /// Cauchy stress (Pa).
    pub fn stress(&self) -> &Tensors {
        self.stress.get_or_init(|| {
            averaged(
                self.subject,
                &stress(self.subject, self.known.x, self.known.conditions),
            )
        })
    }

    /// Von Mises stress of each triangle, that across the plane included (Pa), `[triangles]`. Means
    /// at vertices are not computed.
    pub fn von_mises(&self) -> Vec<f64> {
        let stresses = stress(self.subject, self.known.x, self.known.conditions);
        stresses.iter().map(|own| own.middle.von_mises()).collect()
    }

    /// Green-Lagrange strain (1).
    pub fn strain(&self) -> &Tensors {
        self.strain
            .get_or_init(|| averaged(self.subject, &strain(self.subject, self.known.x)))
    }

    /// Equivalent plastic strain (1), as even tensors; `None` if no material may flow.
    pub fn plastic_strain(&self) -> Option<&Tensors> {
        let Self { subject, known, .. } = self;
        let flows = subject.world.model.flowing() > 0;
        let strain = || averaged(subject, &plastic_strain(subject, known.conditions));
        flows.then(|| self.plastic_strain.get_or_init(strain))
    }

    /// Positions of all points (m), `[vertices and spots]`.
    pub fn positions(&self) -> impl Iterator<Item = Vec2> + '_ {
        let x = self.known.x;
        let spots = self.subject.spots.iter();
        x.iter().copied().chain(spots.map(|spot| spot.position(x)))
    }
}
