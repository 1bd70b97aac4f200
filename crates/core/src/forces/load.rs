//! Forces of loads at the end of a step: the resultant of each, and its moment about the centre of
//! its body.
//!
//! Forces that follow a body are read from the energies that the solver used, so that they balance
//! with reactions and inertia.

use crate::body::{Action, Applied, Grip};
use crate::solve::Touching;
use crate::time::{State, World};
use ipcsim_energy::{Following, Gas, LocalEnergy, Summed};
use ipcsim_math::{Vec2, cross};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Force and moment of one load at the end of a step, or of the gas in a chamber on one of its walls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadForce {
    /// Number of the load in the world; chambers have the numbers after all loads.
    pub load: usize,
    /// Number of the body or obstacle that it acts on.
    pub body: usize,
    /// Resultant on the body (N).
    pub force: Vec2,
    /// Moment on the body (N m), counter-clockwise, about [`about`](Self::about).
    pub moment: f64,
    /// Centre of mass of the body (m); of a reduced body the mean of its vertices, of an obstacle
    /// its origin.
    pub about: Vec2,
}

/// Forces of all loads in a `state` at the end of a step that ended with `last`, in the order of
/// the scene, and then of the gas in chambers; none before the first step and after a step that failed.
pub fn loads(world: &World, state: &State, last: &Touching) -> Vec<LoadForce> {
    let Some(stage) = &last.stage else {
        return Vec::new();
    };

    let loads = world.loading.applied.iter().enumerate();
    loads
        .map(|(load, applied)| {
            let body = applied.body;
            let about = world.at_centre(&world.bodies[body], &state.q, &state.x);
            let mut sum = LoadForce {
                load,
                body,
                force: Vec2::zeros(),
                moment: 0.0,
                about,
            };

            sum.add_dead(applied, state.parameters.factor(load), state);
            sum.add_following(&stage.following, &state.x);
            sum
        })
        .chain(of_gas(world, state, &stage.following))
        .collect()
}

/// Forces of the gas of each chamber on each body that is a wall of it.
///
/// Forces on images across a period act where their vertices are at home.
fn of_gas(world: &World, state: &State, following: &Following) -> Vec<LoadForce> {
    let surface = &world.model.surface;
    let first = world.loading.applied.len();
    let mut sums = Vec::new();
    for (number, chamber) in world.loading.gas.chambers.iter().enumerate() {
        let mut gases = following.chambers.gases().iter();
        let own = |gas: &&Gas| gas.walls.iter().any(|own| Arc::ptr_eq(own, &chamber.walls));
        let Some(gas) = gases.find(own) else { continue };

        // The same pressure on all walls.
        let forces = gas.forces(&chamber.walls, &state.x);
        for &body in &chamber.bodies {
            let mut sum = LoadForce {
                load: first + number,
                body,
                force: Vec2::zeros(),
                moment: 0.0,
                about: world.at_centre(&world.bodies[body], &state.q, &state.x),
            };
            for &(vertex, force) in &forces {
                if surface.body[vertex] == body {
                    sum.add(state.x[surface.images.original(vertex)], force);
                }
            }
            sums.push(sum);
        }
    }
    sums
}

impl LoadForce {
    /// Adds a force (N) at a point (m).
    fn add(&mut self, at: Vec2, force: Vec2) {
        self.force += force;
        self.moment += cross(at - self.about, force);
    }

    /// Adds `factor` times the forces whose directions stay, and torques on angles.
    fn add_dead(&mut self, applied: &Applied, factor: f64, state: &State) {
        match &applied.action {
            Action::Spread(spread) => {
                for (sample, force) in spread.forces(state.time) {
                    let at = spread.position(sample, &state.q, &state.x);
                    self.add(at, force * factor);
                }
            }
            Action::Turning(turning) => {
                if let Grip::Angle(_) = turning.grip {
                    self.moment += turning.torque.at(Vec2::zeros(), state.time) * factor;
                }
            }
            Action::Pressing(_) => {}
        }
    }

    /// Adds forces that follow the body, at positions `x` (m). Levers are part of forces whose
    /// directions stay, and counted there.
    fn add_following(&mut self, following: &Following, x: &[Vec2]) {
        self.add_elements(&following.pressed, |element| element.load, x);
        self.add_elements(&following.rings, |element| element.load, x);
        self.add_elements(&following.curved_rings, |element| element.load, x);
        self.add_elements(&following.thrusts, |element| element.load, x);
        let own = self.load;
        let couples = following.couples.list.iter();
        for couple in couples.filter(|couple| couple.load == own) {
            for (vertex, force) in couple.forces(x) {
                self.add(x[vertex], force);
            }
        }
    }

    /// Adds the forces of those elements of a sum that are of this load.
    fn add_elements<E, const N: usize>(
        &mut self,
        sum: &Summed<E, N>,
        load: impl Fn(&E) -> usize,
        x: &[Vec2],
    ) where
        E: LocalEnergy<N>,
    {
        let own = self.load;
        for (stencil, element) in sum.iter().filter(|(_, element)| load(element) == own) {
            let gradient = element.gradient(&stencil.map(|i| x[i]));
            for (&vertex, g) in stencil.iter().zip(gradient) {
                self.add(x[vertex], -g);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Frame, Hold, Sample, Shown, Spread, Strength, Turning};
    use crate::time::Change;
    use crate::time::integrator::ImplicitEuler;
    use crate::time::testing::{H, RADIUS, circles, moved, stage};
    use ipcsim_math::Mat2;
    use ipcsim_math::varying::Varying;

    #[test]
    fn loads_add_up_to_their_resultant_and_to_their_moment_about_the_centre() {
        let (mut world, rest) = circles(&[[1.0, 2.0]], false, 0.0);
        let arms = [[0.05, 0.0], [0.0, -0.08]].map(Vec2::from);
        let sample = |arm| Sample {
            place: Vec2::zeros(),
            measure: 0.5,
            normal: Vec2::zeros(),
            hold: Hold::Arm(arm),
            nodes: vec![(0, Mat2::identity())],
        };
        let applied = |action| Applied {
            name: "load".to_owned(),
            entry: 0,
            body: 0,
            action,
        };
        world.loading.applied = vec![
            applied(Action::Spread(Spread {
                strength: Strength::Vector([6.0, 10.0].map(Varying::Constant)),
                samples: arms.map(sample).to_vec(),
                frame: Some(Frame {
                    center: 0,
                    ends: [0, 1],
                    start: Vec2::new(RADIUS, 0.0),
                }),
                shown: Shown::Arrow,
            })),
            applied(Action::Turning(Turning {
                torque: Varying::Constant(7.0),
                grip: Grip::Angle(1),
            })),
        ];

        // A quarter turn brings the points to (0, 0.05) m and (0.08, 0) m from the centre.
        let mut state = moved(&world, &rest, |q| q[1].x = std::f64::consts::FRAC_PI_2);
        let factor = 2.0;
        state.parameters.set(&Change::Factor { load: 1, factor });
        let stage = stage(&world, &ImplicitEuler, &state, &[], H);
        let last = Touching {
            stage: Some(stage),
            ..Touching::default()
        };
        let found = loads(&world, &state, &last);
        assert!(loads(&world, &state, &Touching::default()).is_empty());

        assert_eq!(found.len(), 2);
        assert!((found[0].force - Vec2::new(6.0, 10.0)).norm() < 1e-14);
        let moment = -0.05 * 3.0 + 0.08 * 5.0;
        assert!((found[0].moment - moment).abs() < 1e-14, "{found:?}");
        assert_eq!(found[0].about, Vec2::new(1.0, 2.0));
        assert_eq!((found[1].force, found[1].moment), (Vec2::zeros(), 14.0));
    }
}
