//! The decision in integers.
//!
//! All coordinates are integers times one power of two, which cancels. The ends' coordinates (degree 1), `C`'s
//! coefficients (degree 2) and its discriminant `R` (degree 4) are then integers, and so is everything in the sign of a
//! linear function at a root: for `s = (n + k sqrt R) / d` with `d > 0` and `k = +-1`
//!
//! ```text
//! sign(l0 + l1 s) = sign((l0 d + l1 n) + k l1 sqrt R),
//! ```
//!
//! decided by comparing squares (degree 6). Four such signs, `a` and `b` along x and y, tell whether the origin is on
//! the edge: with `a` and `b` parallel it is if along neither axis they are strictly on one side.
//!
//! Only the time itself is rounded: it is a quotient of sums of positive terms, each rounded from an integer.

use super::KEPT;
use crate::contact::ccd::Query;
use crate::math::integer::Integer;
use std::cmp::Ordering::{self, Equal, Less};

/// Words for coordinates of common sizes, whose bits from the highest of all to the lowest are [`COMMON_BITS`] at most.
const COMMON_WORDS: usize = 16;
/// Words for all doubles, `2^1024` down to `2^-1074`.
const ALL_WORDS: usize = 200;
/// A difference has one bit more; a square of degree 6 with its sums `6 (bits + 1) + 8`, and two words are kept for the
/// rounding up to words in a product: `64 W >= 6 (bits + 1) + 8 + 128`.
const COMMON_BITS: i32 = 147;

/// The time of impact of any query, `Some(0.0)` if a position is not finite.
#[cold]
#[inline(never)]
pub(super) fn time_of_impact(query: &Query) -> Option<f64> {
    let components = || [query.start, query.end].into_iter().flatten().flat_map(|x| [x.x, x.y]);
    if !components().all(f64::is_finite) {
        return Some(0.0);
    }
    let nonzero = || components().map(Dyadic::new).filter(|d| d.mantissa != 0);
    let Some(lowest) = nonzero().map(|d| d.exponent).min() else { return Some(0.0) };
    let highest = nonzero().map(|d| d.exponent + d.bits()).max().unwrap_or(lowest);
    if highest - lowest <= COMMON_BITS {
        Path::<COMMON_WORDS>::new(query, lowest).impact()
    } else {
        Path::<ALL_WORDS>::new(query, lowest).impact()
    }
}

/// `mantissa 2^exponent` with an odd mantissa, or zero.
#[derive(Clone, Copy)]
struct Dyadic {
    negative: bool,
    mantissa: u64,
    exponent: i32,
}

impl Dyadic {
    fn new(value: f64) -> Self {
        let bits = value.to_bits();
        let (biased, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        let mantissa = if biased == 0 { fraction } else { fraction | 1 << 52 };
        let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() };
        let exponent = i32::try_from(biased.max(1) + u64::from(zeros)).unwrap_or(0) - 1075;
        Self { negative: value < 0.0, mantissa: mantissa >> zeros, exponent }
    }

    fn bits(self) -> i32 {
        i32::try_from(64 - self.mantissa.leading_zeros()).unwrap_or(64)
    }
}

/// A linear function of `s`: its value at `s = 0` and the coefficient of `s`.
type Linear<const W: usize> = [Integer<W>; 2];

/// The edge's ends seen from the point: along x and along y.
struct Path<const W: usize> {
    a: [Linear<W>; 2],
    b: [Linear<W>; 2],
}

impl<const W: usize> Path<W> {
    fn new(query: &Query, lowest: i32) -> Self {
        let integer = |value: f64| {
            let d = Dyadic::new(value);
            Integer::shifted(d.negative, d.mantissa, usize::try_from(d.exponent - lowest).unwrap_or(0))
        };
        let along =
            |i: usize, axis: usize| [&query.start, &query.end].map(|x| integer(x[i][axis]).minus(&integer(x[0][axis])));
        let end = |i: usize| [along(i, 0), along(i, 1)];
        Self { a: end(1), b: end(2) }
    }

    fn impact(&self) -> Option<f64> {
        let c = self.area();
        if c[0].sign() == Equal && self.touches(|x| x[0].sign()) {
            return Some(0.0);
        }
        let time = if c.iter().all(|c| c.sign() == Equal) { self.impact_on_line() } else { self.impact_at_root(&c) };
        time.map(safe)
    }

    /// Whether the origin is in the box around the edge and so, when it is on its line, on the edge; `sign` finds the
    /// sign of a coordinate then.
    fn touches(&self, sign: impl Fn(&Linear<W>) -> Ordering) -> bool {
        self.a.iter().zip(&self.b).all(|(a, b)| {
            let side = sign(a);
            side == Equal || side != sign(b)
        })
    }

    /// `cross(a, b)` as `c0 + c1 s + c2 s^2`.
    fn area(&self) -> [Integer<W>; 3] {
        let [[ax, ay], [bx, by]] = [&self.a, &self.b];
        let part = |i: usize, j: usize| ax[i].times(&by[j]).minus(&ay[i].times(&bx[j]));
        [part(0, 0), part(0, 1).plus(&part(1, 0)), part(1, 1)]
    }

    /// The first root of `C`, which is not zero throughout, at which the point is on the edge.
    fn impact_at_root(&self, [c0, c1, c2]: &[Integer<W>; 3]) -> Option<f64> {
        let flip = |x: Integer<W>, flipped: bool| if flipped { x.negated() } else { x };
        if c2.sign() == Equal {
            let backwards = c1.sign() == Less;
            let [k, r] = [Integer::ZERO; 2];
            let root = Root { n: flip(*c0, !backwards), k, r, d: flip(*c1, backwards) };
            if c1.sign() != Equal && self.touches_at(&root) {
                return Some(share(Float::from(c0), Float::from(c1)));
            }
            return self.touches(|x| x[1].sign()).then_some(1.0);
        }
        let r = c1.discriminant(c2, c0);
        if r.sign() == Less {
            return None;
        }
        let backwards = c2.sign() == Less;
        let (n, d) = (flip(*c1, !backwards), flip(c2.plus(c2), backwards));
        [true, false].into_iter().find_map(|negative| {
            let root = Root { n, k: Integer::shifted(negative, 1, 0), r, d };
            self.touches_at(&root).then(|| root.time(c0))
        })
    }

    /// Whether the root is one of `s >= 0` and the point is on the edge then.
    fn touches_at(&self, root: &Root<W>) -> bool {
        root.sign(&[Integer::ZERO, Integer::shifted(false, 1, 0)]) != Less && self.touches(|x| root.sign(x))
    }

    /// The first time at which an end passes the point. Where `a` and `b` are parallel throughout, that is where the
    /// edge begins to hold it: `|a|^2 |b|^2 = (a . b)^2` vanishes when the sign of `a . b` changes.
    fn impact_on_line(&self) -> Option<f64> {
        [&self.a, &self.b].into_iter().filter_map(passing).reduce(f64::min)
    }
}

/// When an end that does not start at the origin passes it, if it does.
fn passing<const W: usize>([x, y]: &[Linear<W>; 2]) -> Option<f64> {
    let parallel = x[0].times(&y[1]).minus(&x[1].times(&y[0])).sign() == Equal;
    let opposite = |x: &Linear<W>| x[0].sign() == Equal || x[0].sign() != x[1].sign();
    let axis = if x[0].sign() == Equal { y } else { x };
    (parallel && opposite(x) && opposite(y)).then(|| share(Float::from(&axis[0]), Float::from(&axis[1])))
}

/// `s = (n + k sqrt r) / d`, with `d > 0`.
struct Root<const W: usize> {
    n: Integer<W>,
    k: Integer<W>,
    r: Integer<W>,
    d: Integer<W>,
}

impl<const W: usize> Root<W> {
    /// The sign of a linear function at the root.
    fn sign(&self, [l0, l1]: &Linear<W>) -> Ordering {
        let rational = l0.times(&self.d).plus(&l1.times(&self.n));
        rational.sign_with_root(&self.k.times(l1), &self.r)
    }

    /// `t = s / (1 + s)`. Where `n` and `k` differ in sign, the root is `2 |c0| / (|n| + sqrt r)`.
    fn time(&self, c0: &Integer<W>) -> f64 {
        let sum = Float::from(&self.n).plus(Float::from(&self.r).sqrt());
        if self.n.sign() == Equal || self.n.sign() == self.k.sign() {
            share(sum, Float::from(&self.d))
        } else {
            share(Float::from(&c0.plus(c0)), sum)
        }
    }
}

/// `f 2^exponent >= 0`, with `f` between `2^63` and `2^66`, or zero.
#[derive(Clone, Copy)]
struct Float {
    f: f64,
    exponent: i64,
}

impl Float {
    /// The magnitude of `x`.
    fn from<const W: usize>(x: &Integer<W>) -> Self {
        let (f, exponent) = x.to_float();
        Self { f, exponent }
    }

    fn sqrt(self) -> Self {
        let odd = self.exponent.rem_euclid(2);
        let f = if odd == 1 { 2.0 * self.f } else { self.f };
        Self { f: f.sqrt() * power_of_two(32), exponent: (self.exponent - odd) / 2 - 32 }
    }

    fn plus(self, other: Self) -> Self {
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        if large.f <= 0.0 {
            return small;
        }
        Self { f: large.f + small.f * power_of_two(small.exponent - large.exponent), ..large }
    }
}

/// `n / (n + m)` for `n > 0`, or 0 where that is below the normal numbers.
fn share(n: Float, m: Float) -> f64 {
    1.0 / (1.0 + 16.0 * (m.f / n.f) * power_of_two(m.exponent - n.exponent - 4))
}

/// `2^k`, or 0 or infinity where that is no normal number.
fn power_of_two(k: i64) -> f64 {
    match u64::try_from(k + 1023) {
        Err(_) | Ok(0) => 0.0,
        Ok(biased) if biased > 2046 => f64::INFINITY,
        Ok(biased) => f64::from_bits(biased << 52),
    }
}

/// The time returned for an impact at `t`: earlier by a margin, and 0 below the normal numbers, where `t` is not
/// known to that margin.
fn safe(t: f64) -> f64 {
    if t < KEPT * f64::MIN_POSITIVE { 0.0 } else { t * KEPT }
}
