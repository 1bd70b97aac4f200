//! One increment along a path of equilibria, whose load time is an unknown (arc length).
//!
//! Beyond a limit point an equilibrium is not a minimum of the potential, and a load that grows has
//! none nearby. The path continues with a load that falls. So the load time `t` is found together
//! with the coordinates `q`, from the balance of forces and from the length of the increment (Riks
//! 1979; Crisfield 1981, "A fast incremental/iterative solution procedure that handles
//! snap-through"):
//!
//! `g(q, t) = 0`, `|q - q_0|^2 / L^2 + (t - t_0)^2 / T^2 = 1`
//!
//! with the gradient `g` of the potential, the mean square displacement `|.|` by mass of all that
//! can move, and the largest displacement `L` and change of load time `T` of an increment.
//!
//! 1. **Predictor**: along the tangent `K v = -dg/dt`, in the direction in which the path came, as far as
//!    the length allows.
//! 2. **Corrector**: Newton's method for both equations, by a bordered system: two solutions with the
//!    exact, unprojected Hessian `K`, whatever its inertia is.
//! 3. **Merit**: the potential means nothing here, since the wanted state is not a minimum of it. A
//!    step is halved until the next correction with the same matrix is shorter by a quarter of its
//!    share (natural monotonicity test, Deuflhard, "Newton Methods for Nonlinear Problems", section
//!    3.3).
//! 4. **Filter**: every motion, also by the predictor, is bounded and tested as any other of the
//!    solver, so that nothing intersects and nothing inverts in between.
//!
//! Between limit points an equilibrium is a saddle of the potential, so nothing is minimised. The
//! exact Hessian is factorised by Cholesky or, if that fails, as `L D L^T`. Only here it contains
//! the rotation of springs between two points.

mod bordered_system;
mod corrector;
mod metric;

pub(crate) use metric::Metric;
pub use metric::PathChange;

use super::direction::Direction;
use super::force_balance::Imbalance;
use super::iterate::Iterate;
use super::problem::Problem;
use super::settings::{Settings, Solved, Status};
use super::solver::Solver;
use super::strategy::Strategy;
use crate::constraint::Constraints;
use crate::solve::dirichlet::Target;
use crate::solve::failure::Failure;
use crate::solve::model::Model;
use crate::solve::potential::Potential;
use crate::solve::stage::Stage;
use crate::solve::tangent_friction::TangentFriction;
use crate::tuning::{IMBALANCE_STUCK, PATH_DIFFERENCE, PATH_INEXACT, PATH_MOST_DIRECTIONS};
use corrector::{Corrector, Taken};
use ipcsim_contact::Barriers;
use ipcsim_math::Vec2;

/// Loads at a load time: forces, temperature and prescribed positions.
pub trait Loaded {
    /// Stage that ends at the load time `time` (s), without inertia.
    fn stage(&self, time: f64) -> Stage;

    /// Prescribed positions at the load time `time` (s), of the same coordinates at all times.
    fn targets(&self, time: f64) -> Vec<Target>;
}

/// An increment along a path, before it is made.
pub struct Increment<'a> {
    /// Bodies and the energies between them.
    pub model: &'a Model,
    /// Barrier functions of contacts.
    pub barriers: &'a Barriers,
    /// Joints: only springs.
    pub constraints: &'a Constraints,
    /// Loads at each load time.
    pub loaded: &'a dyn Loaded,
    /// Largest mean square displacement of all that can move (m).
    pub length: f64,
    /// Largest change of the load time (s).
    pub lasting: f64,
    /// The last increment; without it the load time grows at first.
    pub last: Option<PathChange>,
    /// True if the load time turns round at the start, as it does where a contact closes or opens: a
    /// corner of the path, which its tangent does not foresee.
    pub turns: bool,
}

/// State at the end of an increment, besides its coordinates.
pub struct OnPath {
    /// Stage at the load time of the state.
    pub stage: Stage,
    /// The solve that led there.
    pub solved: Solved,
}

/// Loads of one load time.
struct Place {
    /// The load time (s).
    time: f64,
    /// Forces and factors there.
    stage: Stage,
    /// Prescribed positions there.
    targets: Vec<Target>,
}

impl Increment<'_> {
    /// Loads at a load time (s).
    fn place(&self, time: f64) -> Place {
        Place {
            time,
            stage: self.loaded.stage(time),
            targets: self.loaded.targets(time),
        }
    }

    /// Length of its changes, with these prescribed coordinates.
    fn metric(&self, targets: &[Target]) -> Metric {
        Metric::of(self.model, targets, [self.length, self.lasting])
    }

    /// Potential of a stage.
    fn potential<'s>(&'s self, stage: &'s Stage) -> Potential<'s> {
        Potential {
            model: self.model,
            stage,
            barriers: self.barriers,
            friction: TangentFriction::default(),
            following: None,
            constraints: self.constraints.clone(),
        }
    }

    /// Derivative of the gradient by the load time, along which prescribed coordinates move, as a
    /// difference from the `gradient` at a place.
    fn by_time(&self, place: &Place, iterate: &Iterate, gradient: &[Vec2]) -> Vec<Vec2> {
        let beside = PATH_DIFFERENCE * self.lasting;
        let next = self.place(place.time + beside);
        let mut at = iterate.at.clone();
        prescribe(&next.targets, &mut at.q);
        self.model.coordinates.positions(&at.q, &mut at.x);
        let mut slope = self.potential(&next.stage).slope(&iterate.contacts, &at);
        let difference = next.time - place.time;
        for (slope, before) in slope.iter_mut().zip(gradient) {
            *slope = (*slope - before) / difference;
        }
        slope
    }
}

impl Solver {
    /// Brings a state in equilibrium at the load time `from` (s) to the end of an increment along
    /// its path. After a failure the state is the last accepted one.
    ///
    /// # Errors
    /// [`Failure::OffPath`] if no state in balance is found at the distance of the increment, or if
    /// the path turns back; [`Failure`] of matrices and energies.
    pub fn follow(
        &mut self,
        increment: &Increment,
        from: f64,
        iterate: &mut Iterate,
    ) -> Result<OnPath, Failure> {
        let Self {
            settings,
            newton,
            direction,
            trial,
            ..
        } = self;
        newton.strategy = Strategy::USUAL;
        let start = iterate.at.q.clone();
        let mut place = increment.place(from);
        let metric = increment.metric(&place.targets);
        let mut last = Last::default();

        for count in 0..PATH_MOST_DIRECTIONS.min(settings.max_iterations) {
            newton.go_on()?;
            let mut potential = increment.potential(&place.stage);
            let mut problem = Problem::new(&mut potential, &place.targets, &iterate.at);
            newton.find_gradient(&problem, iterate, direction)?;
            let imbalance = newton.imbalance(&problem, direction);
            newton.fix_spare(&problem, iterate, direction);

            // Stop where forces balance at the distance of the increment.
            let gone = PathChange::since((&start, from), &iterate.at.q, place.time);
            let excess = metric.excess(&gone);
            let before = std::mem::replace(&mut last.imbalance, imbalance);
            let rounding = newton.resolution(&problem, iterate);
            let balances = last.balanced(*settings, before, rounding);
            if let Some(status) = balances.filter(|_| excess.abs() <= PATH_INEXACT) {
                turned_back(increment, &metric, &gone, direction)?;
                return Ok(OnPath {
                    stage: place.stage,
                    solved: last.solved(status, count),
                });
            }

            // The bordered system at this state, and the change by it.
            let gradient = direction.gradient.q.clone();
            let by_time = increment.by_time(&place, iterate, &gradient);
            let (border, rest) = newton.border(
                &mut problem,
                iterate,
                direction,
                [&gradient, &by_time],
                gone,
            )?;
            let change = match count {
                0 => border.predicted(&metric, increment, &rest),
                _ => border.corrected(&metric, excess, &rest),
            };

            // As far along it as is safe and sensible.
            last.negative = border.negative;
            let journey = Corrector {
                increment,
                metric: &metric,
                border: &border,
                start: (&start, from),
                place: &place,
                change: &change,
                is_first: count == 0,
            };
            let taken = newton.travel(&problem, &journey, direction, trial, iterate)?;
            last.note(&taken, problem.potential.stage.tolerance);
            place = taken.place;
        }
        Err(off_path(direction))
    }
}

/// Results of the last direction.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// True if it was short, and taken as a whole.
    is_short: bool,
    /// Its residual (m/s).
    residual: f64,
    /// Imbalance of forces at its end.
    imbalance: Imbalance,
    /// Number of negative eigenvalues of the stiffness where it began.
    negative: usize,
}

impl Default for Last {
    fn default() -> Self {
        Self {
            is_short: false,
            residual: f64::INFINITY,
            imbalance: Imbalance::UNKNOWN,
            negative: 0,
        }
    }
}

impl Last {
    /// Notes a direction, which is short up to a residual of `tolerance` (m/s).
    fn note(&mut self, taken: &Taken, tolerance: f64) {
        self.residual = taken.residual;
        self.is_short = taken.is_whole && taken.residual <= tolerance;
    }

    /// How forces balance at the end of a short direction, with the imbalance where it began and that
    /// which rounding makes (m/s); `None` if they do not. Rounding counts only where the direction has
    /// not helped.
    fn balanced(&self, settings: Settings, before: Imbalance, rounding: f64) -> Option<Status> {
        let imbalance = self.imbalance.counted;
        let status = if imbalance <= settings.imbalance {
            Some(Status::Converged)
        } else {
            let is_stuck = imbalance > IMBALANCE_STUCK * before.counted && imbalance <= rounding;
            is_stuck.then_some(Status::RoundingReached)
        };
        status.filter(|_| self.is_short)
    }

    /// The solve that ends with this direction, after `count` of them.
    fn solved(&self, status: Status, count: usize) -> Solved {
        Solved {
            status,
            iterations: count,
            residual: self.residual,
            imbalance: self.imbalance.speed,
            follows: true,
            unstable: Some(self.negative),
        }
    }
}

/// Tests that an increment goes on in the direction of the last one.
///
/// # Errors
/// [`Failure::OffPath`].
fn turned_back(
    increment: &Increment,
    metric: &Metric,
    gone: &PathChange,
    direction: &Direction,
) -> Result<(), Failure> {
    match &increment.last {
        Some(last) if !metric.goes_on(gone, last) => Err(off_path(direction)),
        _ => Ok(()),
    }
}

/// Failure at the vertex that a direction moves most.
fn off_path(direction: &Direction) -> Failure {
    Failure::OffPath {
        vertex: direction.farthest(|_| 1.0),
    }
}

/// Puts prescribed coordinates at their targets.
pub(crate) fn prescribe(targets: &[Target], q: &mut [Vec2]) {
    for target in targets {
        for axis in (0..2).filter(|&axis| target.axes[axis]) {
            q[target.node][axis] = target.position[axis];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::test_problems::{Curve, Pulled, barriers, on_a_curve, snapping, started};

    /// An increment of up to 0.15 m and 0.5 s, after the last one.
    fn increment<'a>(
        model: &'a Model,
        barriers: &'a Barriers,
        constraints: &'a Constraints,
        loaded: &'a Pulled,
        last: Option<PathChange>,
    ) -> Increment<'a> {
        Increment {
            model,
            barriers,
            constraints,
            loaded,
            length: 0.15,
            lasting: 0.5,
            last,
            turns: false,
        }
    }

    /// States along the path from `start` to a place beyond `end`: place, load time and number of
    /// negative eigenvalues.
    fn path(start: f64, end: f64) -> Vec<(f64, f64, usize)> {
        let (model, at) = on_a_curve(start, Curve::of(snapping));
        let (barriers, constraints) = (barriers(), Constraints::default());
        let loaded = Pulled(at.clone());
        let (mut solver, mut iterate) = started(&model, &at);

        let mut time = snapping(start)[1];
        let mut last = None;
        let mut states = Vec::new();
        while states.len() < 60 && iterate.at.q[0].x < end {
            let before = iterate.at.q.clone();
            let next = increment(&model, &barriers, &constraints, &loaded, last);
            let on = solver.follow(&next, time, &mut iterate).unwrap();
            let change = PathChange::since((&before, time), &iterate.at.q, on.stage.end);

            // The increment has its length, in the metric of both.
            let length = (change.way[0] / 0.15).norm_squared() + (change.time / 0.5).powi(2);
            assert!((length - 1.0).abs() < 1e-5, "{length}");
            time = on.stage.end;
            states.push((iterate.at.q[0].x, time, on.solved.unstable.unwrap()));
            last = Some(change);
        }
        states
    }

    #[test]
    fn a_point_snaps_through_along_its_path_and_both_limit_points_are_passed() {
        let states = path(-1.3, 1.3);
        assert!(states.last().unwrap().0 > 1.3, "{states:?}");

        // Every state is in balance, and the point moves in one direction.
        for pair in states.windows(2) {
            assert!(pair[1].0 > pair[0].0, "{pair:?}");
        }
        for &(u, time, unstable) in &states {
            let [_, force, stiffness] = snapping(u);
            assert!((force - time).abs() < 1e-8, "{u}: {force} {time}");
            if stiffness.abs() > 0.5 {
                assert_eq!(unstable, usize::from(stiffness < 0.0), "{u}");
            }
        }

        // The load rises to `2/27^(1/2)`, falls to its opposite, and rises again.
        let limit = 2.0 / 27.0_f64.sqrt();
        let first: Vec<f64> = states.iter().filter(|s| s.0 < 0.0).map(|s| s.1).collect();
        let most = first.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(most <= limit + 1e-9 && most > 0.9 * limit, "{most} {limit}");
        let second: Vec<f64> = states.iter().filter(|s| s.0 > 0.0).map(|s| s.1).collect();
        let least = second.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least >= -limit - 1e-9 && least < -0.9 * limit, "{least}");
    }

    #[test]
    fn an_increment_that_would_lead_back_is_off_the_path() {
        let change = |by: f64| PathChange {
            way: vec![Vec2::new(by, 0.0)],
            time: by,
        };
        let (model, at) = on_a_curve(-1.3, Curve::of(snapping));
        let (barriers, constraints) = (barriers(), Constraints::default());
        let loaded = Pulled(at.clone());
        let next = increment(&model, &barriers, &constraints, &loaded, Some(change(1.0)));
        let metric = Metric::of(&model, &[], [0.15, 0.5]);
        let direction = Direction::zero(&model.coordinates);
        assert!(turned_back(&next, &metric, &change(0.1), &direction).is_ok());
        let back = turned_back(&next, &metric, &change(-0.1), &direction);
        assert_eq!(back, Err(Failure::OffPath { vertex: 0 }));
    }

    #[test]
    fn prescribed_components_move_to_their_targets_and_others_stay() {
        let mut q = vec![Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0)];
        let target = Target {
            node: 1,
            position: Vec2::new(7.0, 8.0),
            axes: [false, true],
        };
        prescribe(&[target], &mut q);
        assert_eq!(q, [Vec2::new(1.0, 2.0), Vec2::new(3.0, 8.0)]);
    }
}
