//! Derivatives of forces and of plastic flow by the flow at the start of a step.
//!
//! The forces of an element depend on its positions `x` and on the flow `p_n` of its points at the start
//! of a step, and so does the flow at the end, `p_(n+1) = P(x, p_n)`. Gradients of a run need
//!
//! `df/dp_n`, `dP/dx` and `dP/dp_n`.
//!
//! They are differences of order 4 of the element's own formulas, so that they hold for every law that
//! flows. The width [`WIDTH`] is small against the strains at which materials begin to flow, and large
//! against rounding: errors are near 1e-10 of the derivative. A point just at its yield stress has a
//! kink there.

use super::{Conditions, Distorted, MOST_POINTS, Pointwise};
use crate::FlowSlope;
use crate::material::Flow;
use ipcsim_math::Vec2;

/// Width of differences: of numbers of a flow, and of positions in units of the element's size (1).
const WIDTH: f64 = 1e-6;
/// Points of a difference of order 4, in widths, with their weights.
const POINTS: [(f64, f64); 4] = [
    (1.0, 8.0 / 12.0),
    (-1.0, -8.0 / 12.0),
    (2.0, -1.0 / 12.0),
    (-2.0, 1.0 / 12.0),
];

/// Numbers of some flows, one after the other.
///
/// An element has the numbers of all of its points in one list.
fn numbers(flows: &[Flow]) -> Vec<f64> {
    flows.iter().flat_map(Flow::numbers).collect()
}

/// Adds a weighted list to another one of the same length.
fn add(sum: &mut [f64], weight: f64, part: &[f64]) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += weight * part;
    }
}

impl<E: Pointwise<N>, const N: usize> Distorted<E, N> {
    /// Derivatives of all elements at positions `x` (m), under these conditions at the start of the
    /// step; none of materials that do not flow.
    pub(super) fn slopes_by_flow(&self, conditions: Conditions, x: &[Vec2]) -> Vec<FlowSlope> {
        if !self.flows {
            return Vec::new();
        }
        let slope = |k: usize| {
            let mut flows = [Flow::default(); MOST_POINTS];
            for (point, flow) in flows.iter_mut().enumerate() {
                let own = conditions.flowed.get(k * E::POINTS + point);
                *flow = own.copied().unwrap_or_default();
            }
            self.slope_by_flow(k, conditions.time, &flows[..E::POINTS], x)
        };
        (0..self.count()).map(slope).collect()
    }

    /// Derivatives of element `k` at a time (s), where its points have these `flows` at the start.
    ///
    /// Forces belong to the element with the distortion of the flow; the flow at the end follows the one
    /// at the start by the increment of the step.
    fn slope_by_flow(&self, k: usize, time: f64, flows: &[Flow], x: &[Vec2]) -> FlowSlope {
        let (stencil, element) = self.element(k, time, flows);
        let own = stencil.map(|i| x[i]);
        let end = |element: &E, flows: &[Flow], x: &[Vec2; N]| -> Vec<f64> {
            let steps = element.flow(x).into_iter().zip(flows);
            let ends =
                steps.map(|(step, &before)| step.map_or(before, |step| before.followed_by(&step)));
            numbers(&ends.collect::<Vec<_>>())
        };

        // Nothing yet.
        let count = Flow::NUMBERS * flows.len();
        let mut slope = FlowSlope {
            stencil: stencil.to_vec(),
            forces: vec![vec![Vec2::zeros(); N]; count],
            by_place: vec![vec![Vec2::zeros(); N]; count],
            by_flow: vec![vec![0.0; count]; count],
        };

        // By the flow at the start: another distortion of the element.
        for number in 0..count {
            let mut by_start = vec![0.0; count];

            for (far, weight) in POINTS {
                let mut moved = flows.to_vec();
                moved[number / Flow::NUMBERS].shift(number % Flow::NUMBERS, far * WIDTH);
                let (_, there) = self.element(k, time, &moved);
                let weight = weight / WIDTH;
                for (sum, force) in slope.forces[number].iter_mut().zip(there.gradient(&own)) {
                    *sum += force * weight;
                }
                add(&mut by_start, weight, &end(&there, &moved, &own));
            }

            for (row, by) in slope.by_flow.iter_mut().zip(by_start) {
                row[number] = by;
            }
        }

        // By the positions at the end.
        let size = own.iter().map(|x| (x - own[0]).amax()).fold(0.0, f64::max);
        let width = WIDTH * size;
        for vertex in 0..N {
            for axis in 0..2 {
                let mut by_place = vec![0.0; count];
                for (far, weight) in POINTS {
                    let mut moved = own;
                    moved[vertex][axis] += far * width;
                    add(&mut by_place, weight / width, &end(&element, flows, &moved));
                }

                for (row, by) in slope.by_place.iter_mut().zip(by_place) {
                    row[vertex][axis] = by;
                }
            }
        }
        slope
    }
}
