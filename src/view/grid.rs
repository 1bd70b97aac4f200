//! Grid of positions: the places that the page can show.
//!
//! A coordinate `x` is stored as the whole number `q` nearest to `(x - origin) / spacing`, so that
//! it is off by at most half a spacing. The values of a field in a state, from 0 to the top `m` of the
//! state, are stored as the whole number `q` from 0 to 254 nearest to `254 sqrt(v / m)`: small
//! values, which most elements have, are finer than large ones. As `v(q) = m (q / 254)^2`, values
//! are off by at most `m / 254`. The top is the power of two at or above the largest value of the
//! state: an impact does not spoil other states, and successive states mostly have the same top, so
//! that their numbers can be stored by differences.

use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;

/// Number of cells along the longer side of the box: what 16 bits can tell apart.
const CELLS: f64 = 65_535.0;
/// Largest number of cells: whole numbers of 24 bits are exact in the arithmetic of graphics cards.
const MOST: f64 = 16_777_215.0;
/// Smallest ratio of the shortest edge to the error.
const FINE: f64 = 100.0;

/// Regular grid in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Lower left point of the grid (m).
    pub(super) origin: Vec2,
    /// Distance of neighbouring points (m).
    pub(super) spacing: f64,
    /// Number of cells along the longer side of the box.
    pub(super) cells: f64,
}

impl Grid {
    /// Grid over a box in which the shortest edge or radius has the length `shortest` (m), infinite
    /// without any, with the error (m) that the user asks for.
    ///
    /// No grid has more than 2^24 points along a side, so that the error of a run that is spread
    /// very far may be larger than asked for.
    pub(super) fn over(all: &Aabb, shortest: f64, asked: Option<f64>) -> Self {
        let side = all.extent().max().max(f64::MIN_POSITIVE * MOST);
        let fine = (side / CELLS).min(2.0 * shortest / FINE);
        let spacing = asked.map_or(fine, |error| 2.0 * error).max(side / MOST);
        Self {
            origin: all.min,
            spacing,
            cells: (side / spacing).ceil(),
        }
    }

    /// Largest error of a coordinate (m).
    pub(super) fn error(&self) -> f64 {
        0.5 * self.spacing
    }

    /// Numbers of the point of the grid that is nearest to the place `x` (m) in the box.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "numbers of points are whole and below 2^24; what is outside takes the border"
    )]
    pub(super) fn point(&self, x: Vec2) -> [u32; 2] {
        let place = (x - self.origin) / self.spacing;
        [place.x, place.y].map(|c| c.round().clamp(0.0, MOST) as u32)
    }
}

/// Number for a value that is missing.
pub(super) const MISSING: u8 = 255;
/// Largest number of a value.
const LEVELS: f64 = 254.0;

/// The largest finite value of a field, 0 without any.
pub(super) fn largest(values: &[f32]) -> f64 {
    let finite = values.iter().filter(|value| value.is_finite());
    f64::from(finite.fold(0.0_f32, |most, value| most.max(*value)))
}

/// Top of the values of a state up to `largest`: the power of two at or above it, 0 for 0.
pub(super) fn top(largest: f64) -> f64 {
    let mut top = 1.0;
    if !(f64::MIN_POSITIVE..1e300).contains(&largest) {
        return largest.min(1e300);
    }
    while top < largest {
        top *= 2.0;
    }
    while 0.5 * top >= largest {
        top *= 0.5;
    }
    top
}

/// Largest error of the values of a field up to `largest`.
pub(super) fn error_of_level(largest: f64) -> f64 {
    largest / LEVELS
}

/// Number of a value from 0 to `largest`; [`MISSING`] for one that is not finite.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number from 0 to 254"
)]
pub(super) fn level(value: f32, largest: f64) -> u8 {
    if !value.is_finite() {
        return MISSING;
    }
    let share = if largest > 0.0 {
        (f64::from(value) / largest).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (LEVELS * share.sqrt()).round() as u8
}
