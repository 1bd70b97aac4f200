//! The part of a body's motion that a rigid body could have, whatever the body's coordinates are.

use crate::body::Body;
use crate::solve::Model;
use ipcsim_math::{Mat2, Vec2};
use std::ops::Range;

/// Rigid motions of a body at a configuration, by which its momenta are taken apart.
///
/// Translation and rotation about the centre of mass are orthogonal by mass: the momentum of
/// velocities `v` along a motion `r` is `r . M v`.
pub(super) struct Rigid<'a> {
    /// Bodies.
    model: &'a Model,
    /// Number of the body.
    pub(super) index: usize,
    /// The body.
    body: &'a Body,
    /// Mass (kg).
    pub(super) mass: f64,
    /// Moment of inertia about the centre of mass (kg m^2).
    pub(super) inertia: f64,
    /// Velocities of the body's nodes where it turns about its centre of mass at 1 rad/s.
    spins: Vec<Vec2>,
}

impl<'a> Rigid<'a> {
    /// Rigid motions of a body; `None` if its coordinates cannot make them, as may be for a reduced
    /// basis.
    ///
    /// `spins` are the velocities of all nodes where everything turns about the origin, `[nodes]`.
    pub(super) fn of(
        model: &'a Model,
        index: usize,
        body: &'a Body,
        spins: &[Vec2],
    ) -> Option<Self> {
        let lift = |node: usize| model.coordinates.lift(node);
        let nodes = body.nodes.clone();

        // Mass, and the centre of mass from the momentum of a rotation about the origin.
        let mut mass = Vec2::zeros();
        let mut momentum = Vec2::zeros();
        for node in nodes.clone() {
            let lift = lift(node);
            for axis in 0..2 {
                let along = lift.column(axis).into_owned();
                mass[axis] += along.component_mul(&model.mass[node]).dot(&along);
            }
            momentum += lift.tr_mul(&spins[node].component_mul(&model.mass[node]));
        }
        let turning = momentum.component_div(&mass);

        // Rotation about the centre.
        let spin: Vec<Vec2> = nodes
            .map(|node| spins[node] - lift(node) * turning)
            .collect();
        let mut rigid = Self {
            model,
            index,
            body,
            mass: mass.x,
            inertia: 0.0,
            spins: spin,
        };
        rigid.inertia = rigid.moment(|i| model.mass[i].component_mul(&rigid.spin(i)));
        (mass.min() > 0.0 && rigid.inertia > 0.0).then_some(rigid)
    }

    /// Velocity of a node where the body turns about its centre at 1 rad/s.
    pub(super) fn spin(&self, node: usize) -> Vec2 {
        self.spins[node - self.body.nodes.start]
    }

    /// Sum of momenta or forces on the body's nodes.
    pub(super) fn sum(&self, of_node: impl Fn(usize) -> Vec2) -> Vec2 {
        let nodes = self.body.nodes.clone();
        nodes
            .map(|node| self.model.coordinates.lift(node).tr_mul(&of_node(node)))
            .sum()
    }

    /// Moment of momenta or forces on the body's nodes about its centre.
    pub(super) fn moment(&self, of_node: impl Fn(usize) -> Vec2) -> f64 {
        let nodes = self.body.nodes.clone();
        nodes.map(|node| self.spin(node).dot(&of_node(node))).sum()
    }

    /// Numbers of the body's nodes.
    pub(super) fn nodes(&self) -> Range<usize> {
        self.body.nodes.clone()
    }

    /// Velocity of a node by a velocity of the body, as a matrix.
    pub(super) fn lift(&self, node: usize) -> Mat2 {
        self.model.coordinates.lift(node)
    }

    /// Velocities `v` (`[nodes]`, all bodies) of the body's nodes without their rigid part.
    pub(super) fn without_rigid(&self, momentum: impl Fn(usize) -> Vec2, v: &[Vec2]) -> Vec<Vec2> {
        let translation = self.sum(&momentum) / self.mass;
        let rotation = self.moment(&momentum) / self.inertia;
        let rest =
            |node: usize| v[node] - self.lift(node) * translation - self.spin(node) * rotation;
        self.nodes().map(rest).collect()
    }
}
