//! Velocities after impacts, to first order.
//!
//! Impacts change velocities after the positions of a step are found, by a small problem of contacts
//! that hit ([`restitution`](crate::time::options::restitution)). Its solution is a smooth function as
//! long as the same contacts hit, stick and slide. Its derivatives by the coordinates and velocities of
//! the bodies that contacts connect are differences of order 4 of it.
//!
//! The velocities after an impact are `v = V(q, q_0, v_0)`, with the coordinates at the end and
//! coordinates and velocities at the start. `V` reflects contacts, keeps joints closed and obeys
//! Coulomb's law, and a derivative by hand would repeat each branch of it. Differences cost four
//! evaluations for each input, so that the number of inputs is limited.
//!
//! The quotient is `sum_k w_k V(z + k h) / h` with the weights of order 4. A point at which
//! another number of contacts is found has left the branch, and the difference is narrowed.

use super::equation::StepEquation;
use super::refused::Refused;
use super::variation::Variation;
use crate::time::state::State;
use ipcsim_math::Vec2;

/// Largest number of components of connected bodies: differences need four evaluations of each.
const MOST: usize = 400;
/// Share of the least reach of contacts by which coordinates differ.
const SHARE: f64 = 1e-3;
/// Number of times that a difference is narrowed tenfold, where contacts begin or end near by.
const NARROWED: usize = 4;
/// Share of the largest velocity by which velocities differ.
const FASTER: f64 = 1e-3;

/// Velocities after impacts, to first order.
#[derive(Debug, Default)]
pub(super) struct Impact {
    /// Components (node, axis) whose velocity impacts have changed.
    pub(super) changed: Vec<(usize, usize)>,
    /// Components that these depend on.
    inputs: Vec<(usize, usize)>,
    /// Derivatives of each changed velocity by the inputs: coordinates at the end, coordinates and
    /// velocities at the start, `[3, inputs, changed]`.
    by: [Vec<f64>; 3],
}

impl Impact {
    /// Impacts of a step, if velocities are not those of its displacement.
    ///
    /// Inputs are all components of rigid and affine bodies, which contacts connect, and the
    /// components that have changed.
    ///
    /// # Errors
    /// [`Refused`] if a joint takes part, if the integrator looks back to the velocities before,
    /// or if more than [`MOST`] components are connected.
    pub(super) fn of(equation: &StepEquation, end: &State) -> Result<Self, Refused> {
        let step = end.step;

        // Components whose velocity is not the one of the displacement, to the bit.
        let plain = equation.stage.velocity(&end.q);
        let (after, struck) = equation.velocities();
        let components = (0..plain.len()).flat_map(|node| [(node, 0), (node, 1)]);
        let changed: Vec<(usize, usize)> = components
            .filter(|&(node, axis)| plain[node][axis].to_bits() != after[node][axis].to_bits())
            .collect();
        if changed.is_empty() {
            return Ok(Self::default());
        }
        let refused = |reason| Refused::Step { step, reason };
        let world = equation.world;
        if struck && world.integrator.mixes_velocities() {
            let reason =
                "an impact rewrites the past that its integrator looks back to; use implicit_euler";
            return Err(refused(reason));
        }
        if !equation.joints.is_empty() {
            return Err(refused(
                "an impact acts through joints, which is not covered yet",
            ));
        }

        // Components that the impacts may depend on.
        let mut inputs = Vec::new();
        for body in &world.bodies {
            if !body.kind.is_soft() {
                inputs.extend(body.nodes.clone().flat_map(|node| [(node, 0), (node, 1)]));
            }
        }
        inputs.extend(changed.iter().copied());
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.len() > MOST {
            return Err(refused("an impact connects too many bodies"));
        }
        let mut impact = Self {
            changed,
            inputs,
            by: [Vec::new(), Vec::new(), Vec::new()],
        };
        impact.differ(equation)?;
        Ok(impact)
    }

    /// Finds the derivatives.
    ///
    /// Coordinates differ by a share of the least reach, velocities by a share of the largest
    /// velocity, or of the speed that crosses that distance in a step.
    ///
    /// # Errors
    /// [`Refused`] if contacts begin or end even at the narrowest difference.
    fn differ(&mut self, equation: &StepEquation) -> Result<(), Refused> {
        let surface = &equation.world.model.surface;
        let reach = surface.least_d_hat() * SHARE;
        let start = &equation.start;
        let fastest = start.q_dot.iter().map(Vec2::amax).fold(0.0, f64::max);
        let faster = FASTER * fastest.max(reach / equation.world.h);
        for which in 0..3 {
            let mut step = if which == 2 { faster } else { reach };
            for &place in &self.inputs {
                let mut found = self.quotients(equation, which, place, step)?;
                for _ in 0..NARROWED {
                    if found.is_some() {
                        break;
                    }
                    step *= 0.1;
                    found = self.quotients(equation, which, place, step)?;
                }
                let Some(found) = found else {
                    return Err(Refused::Step {
                        step: start.step + 1,
                        reason: "an impact begins or ends just there",
                    });
                };
                self.by[which].extend(found);
            }
        }
        Ok(())
    }

    /// Difference quotients of the changed velocities by one component of the coordinates at the end, or of
    /// coordinates or velocities at the start; `None` if other contacts hit.
    fn quotients(
        &self,
        equation: &StepEquation,
        which: usize,
        (node, axis): (usize, usize),
        step: f64,
    ) -> Result<Option<Vec<f64>>, Refused> {
        const POINTS: [(f64, f64); 4] = [
            (1.0, 8.0 / 12.0),
            (-1.0, -8.0 / 12.0),
            (2.0, -1.0 / 12.0),
            (-2.0, 1.0 / 12.0),
        ];

        // Each point is a full evaluation of the impacts.
        let contacts = equation.iterate.contacts.len();
        let mut sums = vec![0.0; self.changed.len()];
        for (far, weight) in POINTS {
            let mut q = equation.iterate.at.q.clone();
            let mut from = equation.start.clone();
            let field = match which {
                0 => &mut q,
                1 => &mut from.q,
                _ => &mut from.q_dot,
            };
            field[node][axis] += far * step;
            let there = equation.again(from, q)?;
            if there.iterate.contacts.len() != contacts {
                return Ok(None);
            }
            let (after, _) = there.velocities();
            for (sum, &(node, axis)) in sums.iter_mut().zip(&self.changed) {
                *sum += weight / step * after[node][axis];
            }
        }
        Ok(Some(sums))
    }

    /// Changes of the changed velocities by changes of the coordinates at the end and of the start.
    pub(super) fn times(&self, q: &[Vec2], from: &Variation) -> Vec<f64> {
        let count = self.changed.len();
        let mut out = vec![0.0; count];
        if count == 0 {
            return out;
        }
        for (by, field) in self.by.iter().zip([q, &from.q, &from.q_dot]) {
            for (by, &(node, axis)) in by.chunks_exact(count).zip(&self.inputs) {
                for (out, by) in out.iter_mut().zip(by) {
                    *out += by * field[node][axis];
                }
            }
        }
        out
    }

    /// Adds the transposed of [`Impact::times`].
    pub(super) fn add_transposed(&self, by_velocity: &[f64], q: &mut [Vec2], from: &mut Variation) {
        let count = self.changed.len();
        if count == 0 {
            return;
        }
        let fields = [q, &mut from.q[..], &mut from.q_dot[..]];
        for (by, field) in self.by.iter().zip(fields) {
            for (by, &(node, axis)) in by.chunks_exact(count).zip(&self.inputs) {
                let parts = by.iter().zip(by_velocity);
                field[node][axis] += parts.map(|(by, v)| by * v).sum::<f64>();
            }
        }
    }
}
