//! Imbalance of forces: how far a state is from equilibrium, body by body.
//!
//! The length of a Newton direction says how far away the minimum is. It is short, too, where a
//! stiff barrier or sticking friction hardly lets a body move, however large the force is that is
//! left over. The imbalance asks the other question: how fast the forces that are left over would
//! make a body, if nothing else held it.

use super::problem::Problem;
use crate::solve::model::Model;
use ipcsim_math::{Mat2, Vec2};

/// Largest imbalance of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Imbalance {
    /// Speed that the forces left over would give the body in a step (m/s).
    pub(super) speed: f64,
    /// Largest of these speeds if each counts with the pace of its body (m/s), by which solves end.
    pub(super) counted: f64,
    /// Pace of the body that counts most (1).
    pub(super) pace: f64,
}

impl Imbalance {
    /// Of a state that is not known yet.
    pub(super) const UNKNOWN: Self = Self {
        speed: f64::INFINITY,
        counted: f64::INFINITY,
        pace: 1.0,
    };

    /// Of a state in equilibrium.
    const NONE: Self = Self {
        speed: 0.0,
        counted: 0.0,
        pace: 1.0,
    };
}

/// Masses of bodies, and sums of one evaluation.
///
/// The imbalance of a body is
///
/// `sqrt(sum_i g_i . M_i^-1 g_i / m) / beta` (m/s)
///
/// over its coordinates that have mass and are not prescribed, with the gradient `g` of the
/// potential (kg m), the masses `M` of the coordinates, the mass `m` of the body and the time
/// `beta` of the stage (in statics its `clock`). It is the speed, in the mean square over the body, that the forces left
/// over give it in one step. A sum of forces on a body is off by at most `m beta / s_c` times its
/// imbalance, and a moment is bounded likewise; finer meshes do not change it.
#[derive(Debug)]
pub(super) struct ForceBalance {
    /// Body of each node, `[nodes]`.
    body: Vec<usize>,
    /// Nodes that are places: vertices of soft bodies, and centres of others.
    places: Vec<usize>,
    /// Mass of each body (kg), `[bodies]`; 0 for obstacles.
    pub(super) mass: Vec<f64>,
    /// Scale of the speeds of each body, `[bodies]` (1), see [`Pace`](crate::solve::Pace).
    pace: Vec<f64>,
    /// Sums of the present evaluation (kg m^2), `[bodies]`.
    sums: Vec<f64>,
}

/// Body of each node of a model, `[nodes]`.
fn bodies_of(model: &Model) -> Vec<usize> {
    let nodes = 0..model.coordinates.nodes();
    let of_node = |node| model.surface.body[model.coordinates.vertex_of(node)];
    nodes.map(of_node).collect()
}

/// Mass of each body of a model (kg), `[bodies]`; 0 for obstacles.
///
/// The mass of a body is measured by a motion of all its vertices along x, which any kind of
/// coordinates can tell.
pub(super) fn masses_of(model: &Model) -> Vec<f64> {
    let coordinates = &model.coordinates;
    let body = bodies_of(model);
    let count = body.iter().max().map_or(0, |last| last + 1);
    let mut mass = vec![0.0; count];
    for (node, &body) in body.iter().enumerate() {
        let along = coordinates.lift(node).column(0).into_owned();
        mass[body] += model.mass[node].component_mul(&along).dot(&along);
    }
    // Periods are no places, and have a mass where they are looked for.
    for period in coordinates
        .lattice()
        .into_iter()
        .flat_map(|own| own.periods())
    {
        mass[body[period]] += model.mass[period].max();
    }
    mass
}

impl ForceBalance {
    /// The bodies of a model.
    pub(super) fn new(model: &Model) -> Self {
        let coordinates = &model.coordinates;
        let body = bodies_of(model);

        let mass = masses_of(model);
        let places = (0..body.len()).filter(|&node| coordinates.lift(node) == Mat2::identity());
        Self {
            places: places.collect(),
            body,
            sums: vec![0.0; mass.len()],
            pace: model.pace.imbalance.clone(),
            mass,
        }
    }

    /// Largest imbalance of a body where the potential has the `gradient` (kg m), `[nodes]`,
    /// with the components in `fixed` left out: forces on them are reactions.
    pub(super) fn imbalance(
        &mut self,
        problem: &Problem,
        fixed: &[[bool; 2]],
        gradient: &[Vec2],
    ) -> Imbalance {
        self.sums.fill(0.0);
        let masses = &problem.potential.model.mass;
        for (node, g) in gradient.iter().enumerate() {
            for axis in (0..2).filter(|&axis| !fixed[node][axis]) {
                let mass = masses[node][axis];
                if mass > 0.0 {
                    self.sums[self.body[node]] += g[axis] * g[axis] / mass;
                }
            }
        }
        self.largest(problem.potential.stage.clock)
    }

    /// Largest imbalance of a body that rounding of positions makes, whatever the state: a position
    /// of size `reach` (m) is off by up to 2^-53 of it, which `stiffness` (kg) turns into a force.
    pub(super) fn resolution(
        &mut self,
        problem: &Problem,
        reach: f64,
        stiffness: impl Fn(usize) -> f64,
    ) -> f64 {
        self.sums.fill(0.0);
        let masses = &problem.potential.model.mass;
        for &node in &self.places {
            let g = 0.5 * f64::EPSILON * reach * stiffness(node);
            if masses[node].x > 0.0 {
                self.sums[self.body[node]] += g * g / masses[node].x;
            }
        }
        self.largest(problem.potential.stage.clock).counted
    }

    /// Largest root of a sum over the mass of its body, per time `clock` (s).
    fn largest(&self, clock: f64) -> Imbalance {
        let mut largest = Imbalance::NONE;
        for ((sum, mass), pace) in self.sums.iter().zip(&self.mass).zip(&self.pace) {
            if *mass > 0.0 {
                let speed = (sum / mass).sqrt() / clock;
                largest.speed = largest.speed.max(speed);
                if speed * pace > largest.counted {
                    largest.counted = speed * pace;
                    largest.pace = *pace;
                }
            }
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Configuration;
    use crate::solve::stage::Stage;
    use crate::solve::test_problems::{Small, barriers, from_rest, potential, statics};
    use ipcsim_contact::Contacts;

    /// Imbalance of a state without contacts under the loads of a stage.
    fn imbalance(
        model: &Model,
        at: &Configuration,
        stage: &Stage,
        fixed: &[[bool; 2]],
    ) -> Imbalance {
        let barriers = barriers();
        let mut potential = potential(model, stage, &barriers);
        let problem = Problem::new(&mut potential, &[], at);
        let gradient = problem.potential.slope(&Contacts::default(), at);
        ForceBalance::new(model).imbalance(&problem, fixed, &gradient)
    }

    #[test]
    fn a_force_left_over_counts_as_the_speed_that_it_gives_its_body_in_a_step() {
        for (mass, force, h) in [(2.0, 6.0, 0.1), (4.0, 6.0, 0.1), (2.0, 6.0, 0.025)] {
            let mut small = Small::default();
            small.soft(&[[0.0, 0.0], [1.0, 0.0], [0.3, 2.0]], mass / 3.0);
            let (model, at) = small.model();
            let stage = from_rest(&model, &at, h, [0.6 * force / mass, 0.8 * force / mass]);

            let found = imbalance(&model, &at, &stage, &[[false; 2]; 3]);
            let expected = force * h / mass;
            assert!((found.speed - expected).abs() < 1e-14, "{found:?}");
            assert_eq!(found.speed, found.counted);
        }
    }

    #[test]
    fn opposite_forces_cancel_at_one_point_and_not_at_two_points_of_a_body() {
        let mut small = Small::default();
        small.soft(&[[0.0, 0.0], [1.0, 0.0]], 3.0);
        let (model, at) = small.model();
        let force = Vec2::new(5.0, 0.0);
        let free = [[false; 2]; 2];

        let cancelled = statics(&at, &[force - force, Vec2::zeros()]);
        assert_eq!(
            imbalance(&model, &at, &cancelled, &free).speed,
            0.0,
            "nothing is left over"
        );

        // Both points get the speed 5/3 m/s in 1 s, in opposite directions.
        let pulled = statics(&at, &[force, -force]);
        let found = imbalance(&model, &at, &pulled, &free);
        assert!((found.speed - 5.0 / 3.0).abs() < 1e-14, "{found:?}");

        // A point that is held has a reaction, and the other one half of the squares.
        let held = imbalance(&model, &at, &pulled, &[[true; 2], [false; 2]]);
        assert!(
            (held.speed * 2.0_f64.sqrt() - found.speed).abs() < 1e-14,
            "{held:?}"
        );
    }

    #[test]
    fn a_torque_counts_as_the_speed_at_the_radius_of_gyration() {
        let (mass, inertia, torque) = (2.0, 0.3, 0.7_f64);
        let mut small = Small::default();
        let arms = [[-1.0, 0.0], [1.0, 0.0]];
        small.rigid([[0.0; 2], [0.4, 0.0]], &arms, [mass, inertia]);
        let (model, at) = small.model();

        let stage = statics(&at, &[Vec2::zeros(), Vec2::new(torque, 0.0)]);
        let found = imbalance(&model, &at, &stage, &[[false; 2]; 2]).speed;
        let expected = torque / inertia * f64::sqrt(inertia / mass);
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }

    #[test]
    fn the_body_that_is_fastest_by_its_own_pace_decides_and_obstacles_do_not_count() {
        let mut small = Small::default();
        for (k, mass) in [1.0, 1.0, 0.0].into_iter().enumerate() {
            small.point([k as f64, 0.0], mass);
        }
        let (mut model, at) = small.model();
        model.pace.imbalance = vec![10.0, 1.0, 1e6];
        let forces = [1.0, 3.0, 100.0].map(|force| Vec2::new(0.0, force));

        let found = imbalance(&model, &at, &statics(&at, &forces), &[[false; 2]; 3]);
        let expected = Imbalance {
            speed: 3.0,
            counted: 10.0,
            pace: 10.0,
        };
        assert_eq!(found, expected);
    }
}
