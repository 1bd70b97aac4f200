//! The time of impact in exact arithmetic, in another formulation than the crate's: powers of `t`,
//! big integers, and the dot product of the point's offsets from both ends.

use ipcsim::contact::ccd::Query;
use num_bigint::BigInt;
use num_traits::{Float, Zero};
use std::cmp::Ordering;

/// `(n + k sqrt(r)) / d` with `d > 0`: a time.
#[derive(Clone, Debug)]
pub(crate) struct Surd {
    n: BigInt,
    k: i32,
    r: BigInt,
    d: BigInt,
}

/// The first time in `[0, 1]` at which the point is on the edge, if there is one.
pub(crate) fn impact(query: &Query) -> Option<Surd> {
    let [r, q] = offsets(query);
    let product =
        |a: &Line, b: &Line| [&a[0] * &b[0], &a[0] * &b[1] + &a[1] * &b[0], &a[1] * &b[1]];
    let combined = |a: [BigInt; 3], b: [BigInt; 3], sign: i32| {
        let [a0, a1, a2] = a;
        let [b0, b1, b2] = b;
        [a0 + b0 * sign, a1 + b1 * sign, a2 + b2 * sign]
    };
    let cross = combined(product(&r[0], &q[1]), product(&r[1], &q[0]), -1);

    // Not positive where the point, if on the line, is between the ends.
    let dot = combined(product(&r[0], &q[0]), product(&r[1], &q[1]), 1);
    let within = |t: &Surd| t.sign_of(&dot) != Ordering::Greater;
    let start = Surd {
        n: BigInt::zero(),
        k: 0,
        r: BigInt::zero(),
        d: BigInt::from(1),
    };

    if cross[0].is_zero() && within(&start) {
        return Some(start);
    }

    let along_a_line = cross.iter().all(Zero::is_zero);
    let candidates = roots(if along_a_line { &dot } else { &cross });
    candidates.into_iter().find(|t| t.is_in_step() && within(t))
}

/// Linear function: its value at 0 and its slope.
type Line = [BigInt; 2];

/// The point seen from each end, x and y, as integers in a common unit.
fn offsets(query: &Query) -> [[Line; 2]; 2] {
    // Smallest exponent of a coordinate: in its unit all coordinates are integers.
    let vertices = query.start.iter().chain(&query.end);
    let unit = vertices
        .flat_map(|x| [x.x, x.y])
        .filter(|x| *x != 0.0)
        .map(|x| Float::integer_decode(x).1)
        .min()
        .unwrap_or(0);
    let integer = |x: f64| {
        let (mantissa, exponent, sign) = Float::integer_decode(x);
        if mantissa == 0 {
            BigInt::zero()
        } else {
            (BigInt::from(mantissa) << (exponent - unit)) * sign
        }
    };

    [1, 2].map(|i| {
        [0, 1].map(|axis| {
            let at = |x: &[ipcsim::math::Vec2; 3]| integer(x[0][axis]) - integer(x[i][axis]);
            let start = at(&query.start);
            let slope = at(&query.end) - &start;
            [start, slope]
        })
    })
}

/// The real roots in ascending order, none if the polynomial is constant.
fn roots([c0, c1, c2]: &[BigInt; 3]) -> Vec<Surd> {
    let surd = |n: BigInt, k: i32, r: &BigInt, d: BigInt| {
        if d < BigInt::zero() {
            Surd {
                n: -n,
                k: -k,
                r: r.clone(),
                d: -d,
            }
        } else {
            Surd {
                n,
                k,
                r: r.clone(),
                d,
            }
        }
    };

    // A line has one root or none.
    if c2.is_zero() {
        return if c1.is_zero() {
            vec![]
        } else {
            vec![surd(-c0, 0, &BigInt::zero(), c1.clone())]
        };
    }

    // The discriminant, and the smaller root first.
    let r = c1 * c1 - c0 * c2 * 4;
    if r < BigInt::zero() {
        return vec![];
    }

    let first = if *c2 > BigInt::zero() { -1 } else { 1 };
    [first, -first].map(|k| surd(-c1, k, &r, c2 * 2)).into()
}

impl Surd {
    fn is_in_step(&self) -> bool {
        self.order(&self.n, self.k) != Ordering::Less
            && self.order(&(&self.n - &self.d), self.k) != Ordering::Greater
    }

    /// Sign of `p + q sqrt(r)`.
    fn order(&self, p: &BigInt, q: impl Into<BigInt>) -> Ordering {
        let zero = BigInt::zero();
        let q = q.into();
        let first = p.cmp(&zero);
        let second = (&q * &self.r).cmp(&zero);
        match (first, second) {
            (_, Ordering::Equal) => first,
            (Ordering::Equal, _) => second,
            _ if first == second => first,
            (Ordering::Greater, _) => (p * p).cmp(&(&q * &q * &self.r)),
            (Ordering::Less, _) => (&q * &q * &self.r).cmp(&(p * p)),
        }
    }

    /// The sign of a quadratic at this time.
    fn sign_of(&self, [c0, c1, c2]: &[BigInt; 3]) -> Ordering {
        let Self { n, k, r, d } = self;
        let rational = c2 * (n * n + r * (k * k)) + c1 * n * d + c0 * d * d;
        self.order(&rational, (c2 * n * 2 + c1 * d) * *k)
    }

    /// Ordering of `factor toi` and `other_factor` times this time.
    pub(crate) fn compare(&self, toi: f64, factor: u32, other_factor: u32) -> Ordering {
        let (mantissa, exponent, sign) = Float::integer_decode(toi);
        let up = exponent.max(0).unsigned_abs();
        let down = exponent.min(0).unsigned_abs();
        let toi = ((BigInt::from(mantissa) * sign * factor) << up) * &self.d;
        let scale = BigInt::from(other_factor) << down;
        self.order(&(toi - &self.n * &scale), scale * -self.k)
    }

    /// True if the time is 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.order(&self.n, self.k) == Ordering::Equal
    }
}
