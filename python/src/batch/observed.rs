//! Observations of a batch: arrays that are filled only once Python has asked for them.

use crate::arrays::Shown;
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use ipcsim::simulation::ContactForce;
use pyo3::prelude::*;
use std::cell::OnceCell;
use std::collections::HashMap;

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

/// The end of a step of a simulation, as observations see it.
pub(super) struct End<'a> {
    /// The simulation.
    simulation: &'a Simulation,
    /// Smallest gap (m); `None` without contacts.
    min_gap: Option<f64>,
    /// Forces of all contacts, once an observation has asked for them.
    contacts: OnceCell<Vec<ContactForce<'a>>>,
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

    /// Writes what is observed at the end of a step into its row.
    pub(super) fn write(&self, end: &End, row: &mut [f64]) {
        let simulation = end.simulation;
        let bodies = || simulation.bodies();
        match self {
            Self::Centres => put(row, bodies().map(|body| body.centre())),
            Self::BodyVelocities => put(row, bodies().map(|body| body.velocity())),
            Self::ContactForces => {
                // Forces of a body on itself cancel.
                let forces = end.contacts().iter();
                let forces = forces.filter(|one| one.bodies[0] != one.bodies[1]);
                let on_both = forces
                    .flat_map(|one| [(one.bodies[0], one.force()), (one.bodies[1], -one.force())]);
                put_sums(simulation, on_both, row);
            }
            Self::Reactions => {
                let forces = simulation.reactions();
                put_sums(simulation, forces.map(|one| (one.body, one.force)), row);
            }
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

            Self::MinGap => row[0] = end.min_gap.unwrap_or(f64::INFINITY),
            Self::Pair([first, second]) => {
                let pairs = end.contacts().iter().filter(|contact| {
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

/// Writes the sums of forces, each on the body of a name, into a row of all bodies.
fn put_sums<'a>(
    simulation: &Simulation,
    forces: impl Iterator<Item = (&'a str, Vec2)>,
    row: &mut [f64],
) {
    let names = simulation.bodies().map(|body| body.name());
    let places: HashMap<&str, usize> = names.zip(0..).collect();
    let mut sums = vec![Vec2::zeros(); places.len()];
    for (name, force) in forces {
        sums[places[name]] += force;
    }
    put(row, sums);
}

impl<'a> End<'a> {
    /// The end of the last step of a simulation, with its smallest gap (m), if there are contacts.
    pub(super) fn of(simulation: &'a Simulation, min_gap: Option<f64>) -> Self {
        Self {
            simulation,
            min_gap,
            contacts: OnceCell::new(),
        }
    }

    /// Forces of all contacts, computed once.
    fn contacts(&self) -> &[ContactForce<'a>] {
        self.contacts
            .get_or_init(|| self.simulation.contacts().collect())
    }
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
