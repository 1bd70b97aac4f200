//! Exact time of impact in the plane: the root of a quadratic, decided without slack.
//!
//! **Condition.** Seen from the point, the edge runs from `a(t)` to `b(t)`, both linear in `t`, and
//! they meet when the origin is on it: `cross(a, b) = 0` and, then, `a` and `b` not strictly on one
//! side in either coordinate. This holds also for an edge that is, or becomes, a point. With
//! `s = t / (1 - t)` in `[0, inf]` the first condition is
//!
//! ```text
//! C(s) = c0 + c1 s + c2 s^2 = 0,   c0 = a0 x b0,   c1 = a0 x b1 + a1 x b0,   c2 = a1 x b1,
//! ```
//!
//! whose coefficients treat both ends of the step alike; `C = 0` throughout is a motion along one
//! line or a collapse.
//!
//! **Filter.** The coefficients come with bounds `e` of their rounding errors (`relative.rs`).
//! Where `c0` has a certain sign (made positive here), the signs of `c1`, `c2` and the discriminant
//! tell how many roots there are: none is a miss. A root `t = N / (N + M)` is taken from sums in
//! which nothing cancels (`2 c0 / (-c1 + sqrt D)` or `(c1 + sqrt D) / -2 c2`; the second root is
//! `(-c1 + sqrt D) / 2 c2`). To first order its error is
//! `(dN M - dM N) / (N + M)^2 <= (dN + t dM) / (N + M)`, where `sqrt D` is off by at most
//! `dD / sqrt D` and
//!
//! ```text
//! dD = (2 |c1| + e1) e1 + 4 (|c0| e2 + |c2| e0 + e0 e2) + 2 u (c1^2 + 4 |c0 c2|);
//! ```
//!
//! the bounds used are up to twice these, which leaves room for the higher orders, as errors above
//! `2^-12 t` are not accepted. The sign of `a . b` at the root, with its own bound, then decides.
//! Overflow makes an error bound infinite or not a number, which decides nothing.
//!
//! **Decision.** Queries that the filter leaves open are decided in integer arithmetic:
//! `exact/algebra.rs`. That is exact contact, motion along a line, gaps near the rounding errors of
//! a double and motions of `1e15` times the pair's size; of random queries, none in a hundred
//! thousand.
//!
//! **Promise**, without a separation: a hit if and only if the real numbers that the doubles stand
//! for touch at some `t` in `[0, 1]`. The first such time `t*` is found to `2^-12` and a
//! two-thousandth is taken off, so that rounded positions at `toi` are still apart:
//! `0.999 t* <= toi <= t*`; `toi > 0` unless they touch at the start or `t*` is below the normal
//! numbers. With a separation: `exact/separated.rs`.
//!
//! Exact decisions for CCD: Brochu, Edwards and Bridson 2012, "Efficient geometrically exact
//! continuous collision detection" (by parity; a time of impact needs the root). Filters before
//! exact arithmetic: Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust
//! geometric predicates".

mod algebra;
mod separated;

use super::Query;
use super::relative::{Relative, size};
use crate::tuning::{EXACT_ACCURACY, EXACT_TIME_KEPT};
use ipcsim_math::Vec2;

/// Time below which roots are left to the integers, so that no quantity of the filter is below the
/// normal numbers.
const EARLIEST: f64 = f64::from_bits(0x0170_0000_0000_0000);

/// Time of impact of a query that bounding boxes do not decide; `None` without an impact. See the
/// [module](self).
#[inline]
pub(super) fn time_of_impact(
    query: &Query,
    relative: &Relative,
    min_separation: f64,
) -> Option<f64> {
    if min_separation > 0.0 {
        return separated::time_of_impact(query, min_separation);
    }
    match filtered(relative) {
        Answer::Miss => None,
        Answer::Hit(toi) => Some(toi),
        Answer::Open => algebra::time_of_impact(query, relative),
    }
}

/// Decision in floating point.
enum Answer {
    /// No impact.
    Miss,
    /// An impact, at this time.
    Hit(f64),
    /// The sign of a number is not certain.
    Open,
}

/// A number and a bound of its rounding error.
#[derive(Clone, Copy)]
struct Bounded {
    /// Computed number.
    value: f64,
    /// Bound of its distance from the exact number.
    error: f64,
}

impl Bounded {
    /// A computed number and a bound of its rounding error.
    #[inline]
    fn new(value: f64, error: f64) -> Self {
        Self { value, error }
    }
}

/// Decision by the signs of the coefficients and the discriminant of `C`; see the [module](self).
#[inline]
fn filtered(relative: &Relative) -> Answer {
    let ([c0, c1, c2], [e0, e1, e2]) = relative.area();

    // Signs are turned so that c0 is positive.
    let sign = 1.0_f64.copysign(c0);
    let c0 = c0.abs();
    let c1 = c1 * sign;
    let c2 = c2 * sign;
    if !(c0 > e0 && c2.abs() > e2) {
        return Answer::Open;
    }

    // An even number of roots lies in the step if C has the same sign at both ends.
    let even = c2 > 0.0;
    if even && c1 >= e1 {
        return Answer::Miss;
    }

    // Two roots are real if the discriminant is positive; an odd number is always real.
    let square = c1 * c1;
    let product = 4.0 * c0 * c2;
    let discriminant = square - product;
    let error = 2.0 * (c1.abs() + e1) * e1
        + 4.0 * (c0 * e2 + c2.abs() * e0 + e0 * e2)
        + 2.0 * f64::EPSILON * (square + product.abs())
        + f64::MIN_POSITIVE;
    if discriminant < -error {
        return Answer::Miss;
    }
    if even && discriminant <= 2.0 * error {
        return Answer::Open;
    }

    // If the number of roots is even there are two now, and c1 is certainly negative.
    let root = discriminant.sqrt();
    let sum = Bounded::new(c1.abs() + root, e1 + error / root + f64::EPSILON * root);
    let c0 = Bounded::new(2.0 * c0, 2.0 * e0);
    let c2 = Bounded::new(2.0 * c2.abs(), 2.0 * e2);

    // The first root, and the second if the point misses the edge at the first.
    let first = if c1 < 0.0 {
        at_root(relative, c0, sum)
    } else {
        at_root(relative, sum, c2)
    };
    match first {
        Answer::Miss if even => at_root(relative, sum, c2),
        first => first,
    }
}

/// Decides if the point is on the edge at the root `t = n / (n + m)`. A miss concerns this root
/// only.
#[inline]
fn at_root(relative: &Relative, n: Bounded, m: Bounded) -> Answer {
    let inverse = 1.0 / (n.value + m.value);
    let t = n.value * inverse;
    let error = 2.0 * inverse * (n.error + t * m.error) + 4.0 * f64::EPSILON * t;
    if error < EXACT_ACCURACY * t && t > EARLIEST {
        on_edge(relative, Bounded::new(t, error))
    } else {
        Answer::Open
    }
}

/// An end of the edge at a time, as the point sees it.
struct End {
    /// Position.
    x: Vec2,
    /// Bound of the error of the position, in the 1-norm.
    error: f64,
}

/// Decides if the point, which is on the edge's line at `t`, is on the edge: `a . b <= 0`.
///
/// The error `e` of the ends at `t`, in the 1-norm, is their motion within the error of `t` and 4 u
/// of their size. The error of the product is at most `|a| e_b + |b| e_a + e_a e_b` and by 2 u of
/// its terms.
#[inline]
fn on_edge(relative: &Relative, time: Bounded) -> Answer {
    let Bounded { value: t, error } = time;
    let [a, b] = [0, 1].map(|i| {
        let start = relative.start[i];
        let end = relative.end[i];
        let own = 2.0 * f64::EPSILON;
        let moved = (error + own) * size(start) + (error + own * t) * size(end) + f64::MIN_POSITIVE;
        End {
            x: start + (end - start) * t,
            error: moved,
        }
    });

    let terms = a.x.component_mul(&b.x);
    let product = terms.x + terms.y;
    let from_ends = size(a.x) * b.error + size(b.x) * a.error + a.error * b.error;
    let bound = 1.001 * from_ends + 2.0 * f64::EPSILON * size(terms) + f64::MIN_POSITIVE;

    if product > bound {
        Answer::Miss
    } else if product < -bound {
        Answer::Hit(t * EXACT_TIME_KEPT)
    } else {
        Answer::Open
    }
}
