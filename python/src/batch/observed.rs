//! Observations of a batch: arrays that are filled only once Python has asked for them.

use crate::arrays::Shown;
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use pyo3::prelude::*;

/// What is observed of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Observed {
    /// Centres of mass of bodies, origins of obstacles (m).
    Centres,
    /// Velocities of these (m/s).
    BodyVelocities,
    /// Angles of bodies that have one (rad), over turns.
    Angles,
    /// Angular velocities of bodies that have an angle (rad/s).
    Spins,
    /// Smallest gap (m); infinite without contacts.
    MinGap,
    /// Sums of contact forces on bodies (N).
    ContactForces,
    /// Sums of the forces of supports on bodies (N).
    Reactions,
    /// Forces of joints on their second bodies (N).
    JointForces,
    /// Moments of joints on their second bodies (N m).
    JointMoments,
    /// Contact force on the first of two bodies by the second (N).
    Pair([String; 2]),
}

/// An observation and its array.
pub(super) struct Watch {
    /// What is observed.
    pub(super) observed: Observed,
    /// Its numbers, with a row for each simulation.
    pub(super) shown: Shown<f64>,
}

impl Observed {
    /// Names of the arrays.
    pub(super) const NAMES: [&'static str; 9] = [
        "centres",
        "body_velocities",
        "angles",
        "spins",
        "min_gap",
        "contact_forces",
        "reactions",
        "joint_forces",
        "joint_moments",
    ];

    /// Observation with a name; `None` if there is none.
    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Centres,
            Self::BodyVelocities,
            Self::Angles,
            Self::Spins,
            Self::MinGap,
            Self::ContactForces,
            Self::Reactions,
            Self::JointForces,
            Self::JointMoments,
        ];
        let number = Self::NAMES.iter().position(|known| *known == name)?;
        Some(all[number].clone())
    }

    /// Shape of its array for one simulation.
    fn shape(&self, one: &Simulation) -> Vec<usize> {
        let bodies = one.bodies().count();
        let joints = one.scene().joints.len();
        match self {
            Self::Centres | Self::BodyVelocities | Self::ContactForces | Self::Reactions => {
                vec![bodies, 2]
            }
            Self::Angles | Self::Spins => vec![bodies],
            Self::MinGap => Vec::new(),
            Self::JointForces => vec![joints, 2],
            Self::JointMoments => vec![joints],
            Self::Pair(_) => vec![2],
        }
    }

    /// Writes what is observed of a simulation into its row.
    pub(super) fn write(&self, simulation: &Simulation, row: &mut [f64]) {
        let bodies = || simulation.bodies();
        match self {
            Self::Centres => put(row, bodies().map(|body| body.centre())),
            Self::BodyVelocities => put(row, bodies().map(|body| body.velocity())),
            Self::ContactForces => contact_forces(simulation, row),
            Self::Reactions => reactions(simulation, row),
            Self::JointForces => put(row, simulation.joints().map(|joint| joint.force)),

            Self::Angles => {
                let angles = bodies().map(|body| body.angle());
                fill(row, angles.map(|angle| angle.unwrap_or(f64::NAN)));
            }
            Self::Spins => {
                let spins = bodies().map(|body| body.angular_velocity());
                fill(row, spins.map(|spin| spin.unwrap_or(f64::NAN)));
            }
            Self::JointMoments => fill(row, simulation.joints().map(|joint| joint.moment)),

            Self::MinGap => {
                let gaps = simulation.contacts().map(|contact| contact.gap);
                row[0] = gaps.fold(f64::INFINITY, f64::min);
            }
            Self::Pair([first, second]) => {
                let pairs = simulation.contacts().filter(|contact| {
                    contact.bodies.contains(&&**first) && contact.bodies.contains(&&**second)
                });
                let force: Vec2 = pairs.map(|contact| contact.force_on(first)).sum();
                put(row, [force]);
            }
        }
    }
}

/// Writes numbers into a row.
fn fill(row: &mut [f64], numbers: impl IntoIterator<Item = f64>) {
    for (place, number) in row.iter_mut().zip(numbers) {
        *place = number;
    }
}

/// Writes vectors into a row.
fn put(row: &mut [f64], vectors: impl IntoIterator<Item = Vec2>) {
    for (place, vector) in row.chunks_exact_mut(2).zip(vectors) {
        place.copy_from_slice(&[vector.x, vector.y]);
    }
}

/// Writes the sums of contact forces on all bodies into a row.
fn contact_forces(simulation: &Simulation, row: &mut [f64]) {
    let mut sums = vec![Vec2::zeros(); row.len() / 2];
    for contact in simulation.contacts() {
        for (sum, body) in sums.iter_mut().zip(simulation.bodies()) {
            *sum += contact.force_on(body.name());
        }
    }
    put(row, sums);
}

/// Writes the sums of the forces of supports on all bodies into a row.
fn reactions(simulation: &Simulation, row: &mut [f64]) {
    let mut sums = vec![Vec2::zeros(); row.len() / 2];
    for reaction in simulation.reactions() {
        let mut bodies = simulation.bodies();
        if let Some(place) = bodies.position(|body| body.name() == reaction.body) {
            sums[place] += reaction.force;
        }
    }
    put(row, sums);
}

impl Watch {
    /// An array of zeros for `simulations` that are like `one`.
    ///
    /// # Errors
    /// Those of `numpy`.
    pub(super) fn new(
        py: Python,
        observed: Observed,
        simulations: usize,
        one: &Simulation,
    ) -> PyResult<Self> {
        let mut shape = vec![simulations];
        shape.extend(observed.shape(one));
        let shown = Shown::zeros(py, &shape)?;
        Ok(Self { observed, shown })
    }
}
