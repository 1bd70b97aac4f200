//! Statistics of boxes from a sample, in which outliers do not count.
//!
//! A few giant or infinite boxes must not decide the size of cells, as an average would let them.
//! Quantiles of about a thousand boxes, spread evenly over the list, cost little and are the same
//! on every run.

use crate::tuning::SAMPLE_SIZE;
use ipcsim_math::geometry::Aabb;

/// Quantile `q` of the finite values of `f` over a sample of `boxes`; 0 without such values.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction of a length"
)]
pub(super) fn quantile(boxes: &[Aabb], f: impl Fn(&Aabb) -> f64, q: f64) -> f64 {
    let step = boxes.len().div_ceil(SAMPLE_SIZE).max(1);
    let mut values: Vec<f64> = boxes
        .iter()
        .step_by(step)
        .map(f)
        .filter(|x| x.is_finite())
        .collect();

    let at = (values.len() as f64 * q) as usize;
    if at < values.len() {
        *values.select_nth_unstable_by(at, f64::total_cmp).1
    } else {
        0.0
    }
}

/// Half the perimeter of a box (m): its extent along x and y together.
pub(super) fn half_perimeter(b: &Aabb) -> f64 {
    let size = b.extent();
    size.x + size.y
}

/// True if large boxes are at most eight times as large as common ones.
pub(super) fn alike(boxes: &[Aabb]) -> bool {
    quantile(boxes, half_perimeter, 0.98) <= 8.0 * quantile(boxes, half_perimeter, 0.5)
}
