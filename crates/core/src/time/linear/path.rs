//! Arc length to first order: the load time is an unknown, and the length of an increment its equation.
//!
//! With the balance of forces `f(q, t)` and the squared length `s(q - q_0, t - t_0)` of an increment the equations of a
//! step are, for free coordinates,
//!
//! `[H g; a^T b] [dq; dt] = -[f_p dp; s_p dp - a^T dq_0 - b dt_0]`
//!
//! with `g = df/dt`, where prescribed coordinates move with the load time, `a = ds/dq` and `b = ds/dt` (Riks 1979;
//! Crisfield 1981). The matrix has an inverse also at limit points, where `H` has none.

use super::equation::{Course, StepEquation};
use super::fields::add;
use super::variation::{Variation, dot};
use ipcsim_math::Vec2;

/// Share of the largest change of load time by which it differs in differences. Loads are linear in it between the
/// rows of their tables.
const SHARE: f64 = 1e-4;
/// Weights of differences of order 4.
const WEIGHTS: [f64; 2] = [8.0 / 12.0, -1.0 / 12.0];

/// The load time and the length of an increment, to first order.
pub(super) struct PathSlope {
    /// Velocities of prescribed coordinates by the load time, `[nodes]`; 0 for others.
    pub(super) moved: Vec<Vec2>,
    /// Derivative `g` of the balance of forces by the load time (N s), `[nodes]`.
    pub(super) by_time: Vec<Vec2>,
    /// Derivative `a` of the squared length by coordinates (1/m), `[nodes]`.
    pub(super) along: Vec<Vec2>,
    /// Derivative `b` of it by the load time (1/s).
    pub(super) of_time: f64,
    /// Displacements `H^-1 g` and `H^-1 a` of free coordinates.
    ways: [Vec<Vec2>; 2],
}

impl PathSlope {
    /// The path at the end of a step, where prescribed coordinates have no part in the balance of forces yet; `None` without
    /// arc length.
    pub(super) fn of(equation: &StepEquation) -> Option<Self> {
        let Course::Path(metric) = &equation.course else {
            return None;
        };
        let slope = metric.slope(&equation.gone());

        // Differences of forces and of prescribed coordinates.
        let width = SHARE * equation.world.h;
        let nodes = slope.way.len();
        let mut by_time = vec![Vec2::zeros(); nodes];
        let mut moved = vec![Vec2::zeros(); nodes];
        for (far, weight) in (1_u8..).zip(WEIGHTS) {
            for side in [1.0, -1.0] {
                let there = equation.loaded(side * f64::from(far) * width);
                add(&mut by_time, side * weight / width, &there.slope);
                add(&mut moved, side * weight / width, &there.targets);
            }
        }
        Some(Self {
            moved,
            by_time,
            along: slope.way,
            of_time: slope.time,
            ways: [Vec::new(), Vec::new()],
        })
    }

    /// Keeps the displacements by both borders, which `displaced` finds.
    pub(super) fn solve(&mut self, mut displaced: impl FnMut(&[Vec2]) -> Vec<Vec2>) {
        self.ways = [displaced(&self.by_time), displaced(&self.along)];
    }

    /// What a change of the start makes of the squared length, with the opposite sign.
    pub(super) fn by_start(&self, from: &Variation) -> f64 {
        dot(&self.along, &from.q) + self.of_time * from.time
    }

    /// Adds derivatives by the start to `from`, from that by the squared length: the transposed of
    /// [`PathSlope::by_start`], with its sign.
    pub(super) fn add_to_start(&self, length: f64, from: &mut Variation) {
        add(&mut from.q, -length, &self.along);
        from.time -= length * self.of_time;
    }

    /// Column and row of the load time in the equations, or in the transposed ones.
    pub(super) fn border(&self, transposed: bool) -> [&[Vec2]; 2] {
        if transposed {
            [&self.along, &self.by_time]
        } else {
            [&self.by_time, &self.along]
        }
    }

    /// Load time for the free displacements `q` at a fixed one and the right side `length`, by which `q` changes along.
    pub(super) fn close(&self, transposed: bool, q: &mut [Vec2], length: f64) -> f64 {
        let way = &self.ways[usize::from(transposed)];
        let [_, row] = self.border(transposed);

        // One equation for the load time is left.
        let time = (length - dot(row, q)) / (self.of_time - dot(row, way));
        add(q, -time, way);
        time
    }
}
