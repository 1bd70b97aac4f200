//! What most boxes of a list are like, from a sample: outliers, however wild, do not sway it.

use crate::geometry::Aabb;

/// Boxes looked at.
const SIZE: usize = 1024;

/// The quantile `q` of the finite values of `f` over a sample of `boxes`; 0 if there are none.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction of a length"
)]
pub(super) fn quantile(boxes: &[Aabb], f: impl Fn(&Aabb) -> f64, q: f64) -> f64 {
    let step = boxes.len().div_ceil(SIZE).max(1);
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

/// Half the perimeter of a box.
pub(super) fn half_perimeter(b: &Aabb) -> f64 {
    let size = b.extent();
    size.x + size.y
}

/// Whether large boxes are not much larger than common ones.
pub(super) fn alike(boxes: &[Aabb]) -> bool {
    quantile(boxes, half_perimeter, 0.98) <= 8.0 * quantile(boxes, half_perimeter, 0.5)
}
