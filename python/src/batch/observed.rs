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
        let put = |row: &mut [f64], place: usize, v: Vec2| {
            row[2 * place] = v.x;
            row[2 * place + 1] = v.y;
        };
        match self {
            Self::Centres => {
                for (place, body) in simulation.bodies().enumerate() {
                    put(row, place, body.centre());
                }
            }
            Self::BodyVelocities => {
                for (place, body) in simulation.bodies().enumerate() {
                    put(row, place, body.velocity());
                }
            }
            Self::Angles => {
                for (number, body) in row.iter_mut().zip(simulation.bodies()) {
                    *number = body.angle().unwrap_or(f64::NAN);
                }
            }
            Self::Spins => {
                for (number, body) in row.iter_mut().zip(simulation.bodies()) {
                    *number = body.angular_velocity().unwrap_or(f64::NAN);
                }
            }
            Self::MinGap => {
                let gaps = simulation.contacts().map(|contact| contact.gap);
                row[0] = gaps.fold(f64::INFINITY, f64::min);
            }
            Self::ContactForces => {
                row.fill(0.0);
                for contact in simulation.contacts() {
                    for (place, body) in simulation.bodies().enumerate() {
                        let force = contact.force_on(body.name());
                        row[2 * place] += force.x;
                        row[2 * place + 1] += force.y;
                    }
                }
            }
            Self::Reactions => {
                row.fill(0.0);
                for reaction in simulation.reactions() {
                    let mut bodies = simulation.bodies();
                    let place = bodies.position(|body| body.name() == reaction.body);
                    if let Some(place) = place {
                        row[2 * place] += reaction.force.x;
                        row[2 * place + 1] += reaction.force.y;
                    }
                }
            }
            Self::JointForces => {
                for (place, joint) in simulation.joints().enumerate() {
                    put(row, place, joint.force);
                }
            }
            Self::JointMoments => {
                for (number, joint) in row.iter_mut().zip(simulation.joints()) {
                    *number = joint.moment;
                }
            }
            Self::Pair([first, second]) => {
                let pairs = simulation.contacts().filter(|contact| {
                    contact.bodies.contains(&&**first) && contact.bodies.contains(&&**second)
                });
                let force: Vec2 = pairs.map(|contact| contact.force_on(first)).sum();
                put(row, 0, force);
            }
        }
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
