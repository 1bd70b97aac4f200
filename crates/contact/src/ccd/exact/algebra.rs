//! Decision of impacts in integer arithmetic.
//!
//! All coordinates are integers times one power of two, which cancels. The ends' coordinates
//! (degree 1), `C`'s coefficients (degree 2) and its discriminant `R` (degree 4) are then integers,
//! and so is everything in the sign of a linear function at a root: for `s = (k sqrt R - m) / d`
//! with `d > 0` and `k = +-1`
//!
//! ```text
//! sign(l0 + l1 s) = sign((l0 d - l1 m) + k l1 sqrt R),
//! ```
//!
//! decided by comparing squares (degree 6). Four such signs, of `a` and `b` along x and y, decide
//! if the origin is on the edge. With `a` and `b` parallel it is on the edge if along neither axis
//! both are strictly on one side.
//!
//! Only the time itself is rounded: it is a quotient of sums of positive terms, each rounded from
//! an integer, and so accurate to `16 u` even where two roots nearly fall together. With it the
//! sign of `a . b` in floating point decides nearly always, without the comparison of squares.
//!
//! Integers have a fixed number of words, so they need no allocation. Coordinates of common
//! sizes fit in a few words; the widest, for doubles of any sizes, are rare.

mod dyadic;
mod float;

use super::{Answer, Bounded, EARLIEST, on_edge};
use crate::ccd::Query;
use crate::ccd::relative::Relative;
use crate::tuning::EXACT_TIME_KEPT;
use dyadic::Dyadic;
use float::{Float, share};
use ipcsim_math::Vec2;
use ipcsim_math::integer::Integer;
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// Number of words for coordinates that span `bits` from the highest of all to the lowest.
///
/// A difference has one bit more; a square of degree 6 with its sums `6 (bits + 1) + 8`, and two
/// words are kept for the rounding up in a product.
const fn words(bits: usize) -> usize {
    (6 * (bits + 1) + 8).div_ceil(64) + 2
}

/// Bits that coordinates of common sizes span; an [`Integer`] of them is 128 bytes, which is copied
/// in registers.
const COMMON: usize = 125;

/// Bits that coordinates with gaps of `1e-100` span.
const WIDE: usize = 480;

/// Bits that all doubles span, `2^1024` down to `2^-1074`.
const ALL: usize = 2098;

/// Time of impact of any query; `None` if there is none, `Some(0.0)` if a position is not finite.
#[cold]
#[inline(never)]
pub(super) fn time_of_impact(query: &Query, relative: &Relative) -> Option<f64> {
    let mut components = [0.0; 12];
    for (k, x) in query.start.iter().chain(&query.end).enumerate() {
        components[2 * k] = x.x;
        components[2 * k + 1] = x.y;
    }
    if !components.iter().all(|c| c.is_finite()) {
        return Some(0.0);
    }

    // The range of bits that all coordinates span.
    let mut lowest = i32::MAX;
    let mut highest = i32::MIN;
    for d in components.map(Dyadic::new) {
        if d.mantissa != 0 {
            lowest = lowest.min(d.exponent);
            highest = highest.max(d.exponent + d.bits());
        }
    }
    if lowest > highest {
        return Some(0.0);
    }
    let bits = usize::try_from(highest - lowest).unwrap_or(ALL);

    if bits <= COMMON {
        Path::<{ words(COMMON) }>::new(query, lowest).impact(relative)
    } else if bits <= WIDE {
        Path::<{ words(WIDE) }>::new(query, lowest).impact(relative)
    } else {
        Path::<{ words(ALL) }>::new(query, lowest).impact(relative)
    }
}

/// Linear function of `s`: value at `s = 0` and coefficient of `s`.
type LinearFunction<const W: usize> = [Integer<W>; 2];

/// Ends of the edge seen from the point, along x and along y.
struct Path<const W: usize> {
    /// Start of the edge.
    a: [LinearFunction<W>; 2],
    /// End of the edge.
    b: [LinearFunction<W>; 2],
}

impl<const W: usize> Path<W> {
    /// The path of a query in integer multiples of `2^lowest`.
    fn new(query: &Query, lowest: i32) -> Self {
        let along = |i, axis| {
            [
                difference(&query.start, i, axis, lowest),
                difference(&query.end, i, axis, lowest),
            ]
        };
        Self {
            a: [along(1, 0), along(1, 1)],
            b: [along(2, 0), along(2, 1)],
        }
    }

    /// First time of impact; `None` if there is none.
    fn impact(&self, relative: &Relative) -> Option<f64> {
        let mut c = self.area();
        if c[0].sign() == Equal && self.touches(|x| x[0].sign()) {
            return Some(0.0);
        }

        // The sign of C after its last root, made positive.
        let leading = c
            .iter()
            .rev()
            .map(Integer::sign)
            .find(|&sign| sign != Equal);
        if leading == Some(Less) {
            c.iter_mut().for_each(Integer::negate);
        }

        let time = if leading.is_some() {
            self.impact_at_root(&c, relative)
        } else {
            self.impact_on_line()
        };
        time.map(safe)
    }

    /// True if the origin is in the box around the edge, and so on the edge if it is on its line.
    /// `sign` gives the sign of a coordinate at that time.
    fn touches(&self, sign: impl Fn(&LinearFunction<W>) -> Ordering) -> bool {
        self.a.iter().zip(&self.b).all(|(a, b)| {
            let side = sign(a);
            side == Equal || side != sign(b)
        })
    }

    /// Coefficients of `cross(a, b) = c0 + c1 s + c2 s^2`.
    fn area(&self) -> [Integer<W>; 3] {
        let [[ax, ay], [bx, by]] = [&self.a, &self.b];
        let part = |i: usize, j: usize| ax[i].times(&by[j]).minus(&ay[i].times(&bx[j]));
        [part(0, 0), part(0, 1).plus(&part(1, 0)), part(1, 1)]
    }

    /// First root of `C` at which the point is on the edge; `None` if there is none in the step.
    /// The leading coefficient is positive.
    fn impact_at_root(&self, c: &[Integer<W>; 3], relative: &Relative) -> Option<f64> {
        let [c0, c1, c2] = c;

        // C is linear in s; it vanishes at the end of the step as well.
        if c2.sign() == Equal {
            let root = Root {
                m: c0,
                k: Equal,
                r: c2,
                d: c1,
            };
            let is_finite = c1.sign() == Greater && c0.sign() == Less;
            let first = if is_finite {
                self.time_on_edge(&root, c0, relative)
            } else {
                None
            };
            return first.or_else(|| self.touches(|x| x[1].sign()).then_some(1.0));
        }

        // Two roots, if they are real and positive.
        if c0.sign() != Less && c1.sign() != Less {
            return None;
        }
        let r = c1.discriminant(c2, c0);
        let d = c2.plus(c2);
        if r.sign() == Less {
            return None;
        }

        // The later root is positive now. The earlier one is positive if their product is.
        let later = Root {
            m: c1,
            k: Greater,
            r: &r,
            d: &d,
        };
        let first = if c0.sign() == Greater {
            self.time_on_edge(&Root { k: Less, ..later }, c0, relative)
        } else {
            None
        };
        first.or_else(|| self.time_on_edge(&later, c0, relative))
    }

    /// Time of a positive root if the point is on the edge there; `None` if it is not. The time is
    /// known to a few u, which nearly always decides.
    fn time_on_edge(
        &self,
        root: &Root<'_, W>,
        c0: &Integer<W>,
        relative: &Relative,
    ) -> Option<f64> {
        let t = root.time(c0);

        // At earlier times quantities of the filter would leave the normal numbers.
        let decided = if t > EARLIEST {
            let error = 8.0 * f64::EPSILON * t;
            on_edge(relative, Bounded::new(t, error))
        } else {
            Answer::Open
        };

        // The exact test costs far more and is rarely needed.
        let touches = match decided {
            Answer::Miss => false,
            Answer::Hit(_) => true,
            Answer::Open => self.touches(|x| root.sign(x)),
        };
        touches.then_some(t)
    }

    /// First time at which an end passes the point; `None` if neither does.
    ///
    /// Where `a` and `b` are parallel throughout, the edge begins to hold the point there:
    /// `|a|^2 |b|^2 = (a . b)^2` vanishes when the sign of `a . b` changes.
    fn impact_on_line(&self) -> Option<f64> {
        [&self.a, &self.b]
            .into_iter()
            .filter_map(passing)
            .reduce(f64::min)
    }
}

/// Coordinate of vertex `i` along `axis`, less the coordinate of the point (vertex 0), in integer
/// multiples of `2^lowest`.
fn difference<const W: usize>(x: &[Vec2; 3], i: usize, axis: usize, lowest: i32) -> Integer<W> {
    let own = Dyadic::new(x[i][axis]).integer(lowest);
    own.minus(&Dyadic::new(x[0][axis]).integer(lowest))
}

/// Time at which an end that does not start at the origin passes it; `None` if it does not.
fn passing<const W: usize>([x, y]: &[LinearFunction<W>; 2]) -> Option<f64> {
    let parallel = x[0].times(&y[1]).minus(&x[1].times(&y[0])).sign() == Equal;
    let axis = if x[0].sign() == Equal { y } else { x };
    (parallel && reaches_zero(x) && reaches_zero(y))
        .then(|| share(Float::from(&axis[0]), Float::from(&axis[1])))
}

/// True if a linear function is zero somewhere in the step, as its ends differ in sign or one is
/// zero.
fn reaches_zero<const W: usize>(x: &LinearFunction<W>) -> bool {
    x[0].sign() == Equal || x[0].sign() != x[1].sign()
}

/// Root `s = (k sqrt r - m) / d` with `d > 0` and `k` -1, 0 or 1.
#[derive(Clone, Copy)]
struct Root<'a, const W: usize> {
    /// Rational part `m`: the linear coefficient of `C`, or the constant one if `C` is linear.
    m: &'a Integer<W>,
    /// Sign of the square root: `Less`, `Equal` and `Greater` stand for -1, 0 and 1.
    k: Ordering,
    /// Discriminant `r`, at least 0.
    r: &'a Integer<W>,
    /// Denominator `d`.
    d: &'a Integer<W>,
}

impl<const W: usize> Root<'_, W> {
    /// Sign of a linear function at the root.
    fn sign(&self, [l0, l1]: &LinearFunction<W>) -> Ordering {
        let rational = l0.times(self.d).minus(&l1.times(self.m));
        match self.k {
            Less => rational.sign_with_root(&l1.negated(), self.r),
            Equal => rational.sign(),
            Greater => rational.sign_with_root(l1, self.r),
        }
    }

    /// Time `t = s / (1 + s)` for `s > 0`. Where `-m` and `k` differ in sign, the root is
    /// `2 |c0| / (|m| + sqrt r)`.
    fn time(&self, c0: &Integer<W>) -> f64 {
        let sum = Float::from(self.m).plus(Float::from(self.r).sqrt());
        if self.k == Equal {
            share(Float::from(self.m), Float::from(self.d))
        } else if self.m.sign() == self.k {
            share(Float::from(&c0.plus(c0)), sum)
        } else {
            share(sum, Float::from(self.d))
        }
    }
}

/// Time to return for an impact at `t`: earlier by a margin, and 0 below the normal numbers, where
/// the error of `t` exceeds that margin.
fn safe(t: f64) -> f64 {
    if t < EXACT_TIME_KEPT * f64::MIN_POSITIVE {
        0.0
    } else {
        t * EXACT_TIME_KEPT
    }
}
