//! SIMD lanes: formulas that are written once for a single number and for a register of several.
//!
//! A formula is generic over [`Real`], which is `f64` or [`Lanes`]. Products and sums are rounded
//! one by one, as for `f64`, and never fused. A formula therefore has the same bits in any number
//! of lanes, and results do not depend on the processor.
//!
//! Elements lie in memory one after the other, with all numbers of an element together. [`put`]
//! transposes them into lists of one number for each lane, [`Lanes::load_all`] loads the lists into
//! registers, and [`Lanes::lists`] brings results back.
//!
//! Branches become selections: [`Real::if_below`] takes one of two results that are both computed.

pub use pulp::{Arch, Simd, WithSimd};
use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::{Add, Div, Mul, Sub};
use std::sync::OnceLock;

/// Largest number of lanes of a register: 512 bits. The number of lanes is always a power of two.
pub const MOST: usize = 8;

/// Vector instructions of this processor; none if the environment variable `IPCSIM_VECTORS` is `none`,
/// with which a test shows that results do not depend on them.
#[inline]
pub fn arch() -> Arch {
    static ARCH: OnceLock<Arch> = OnceLock::new();
    *ARCH.get_or_init(|| {
        let is_off = std::env::var_os("IPCSIM_VECTORS").is_some_and(|value| value == "none");
        if is_off { Arch::Scalar } else { Arch::new() }
    })
}

/// Real number, or a register with a real number in each lane.
///
/// Operators with a plain `f64` on the right apply it to every lane.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// Number `value` in each lane. Only the type of `self` matters, not its value.
    #[must_use]
    fn constant(self, value: f64) -> Self;

    /// Square root in each lane, correctly rounded.
    #[must_use]
    fn root(self) -> Self;

    /// Reciprocal in each lane, correctly rounded.
    #[must_use]
    fn inverse(self) -> Self;

    /// Exponent `k` and mantissa `m` of a normal positive `2^k m`, with `m` from `1/sqrt 2` to
    /// `sqrt 2`. Arbitrary for other numbers.
    fn split(self) -> [Self; 2];

    /// Lanes of `then` where this number is below the limit, and of `otherwise` elsewhere. A NaN is
    /// not below any limit.
    #[must_use]
    fn if_below(self, limit: f64, then: Self, otherwise: Self) -> Self;
}

impl Real for f64 {
    #[inline(always)]
    fn constant(self, value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        1.0 / self
    }

    #[inline(always)]
    fn split(self) -> [Self; 2] {
        split(self)
    }

    #[inline(always)]
    fn if_below(self, limit: f64, then: Self, otherwise: Self) -> Self {
        if self < limit { then } else { otherwise }
    }
}

/// Register of the processor with a number in each lane.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<S: Simd> {
    /// Token of the processor's instructions.
    simd: S,
    /// Numbers of the lanes.
    values: S::f64s,
}

impl<S: Simd> Lanes<S> {
    /// Loads the first numbers of a list, one for each lane. Numbers beyond the lanes are ignored.
    #[inline(always)]
    pub fn load(simd: S, from: &[f64; MOST]) -> Self {
        match S::as_simd_f64s(from).0 {
            [values, ..] => Self {
                simd,
                values: *values,
            },
            [] => Self {
                simd,
                values: simd.splat_f64s(f64::NAN),
            },
        }
    }

    /// Writes the lanes to the beginning of a list. Numbers beyond the lanes stay.
    #[inline(always)]
    pub fn store(self, to: &mut [f64; MOST]) {
        if let [values, ..] = S::as_mut_simd_f64s(to).0 {
            *values = self.values;
        }
    }

    /// Loads one register from each of several lists; see [`Lanes::load`].
    #[inline(always)]
    pub fn load_all<const N: usize>(simd: S, from: &[[f64; MOST]; N]) -> [Self; N] {
        let mut all = [Self {
            simd,
            values: simd.splat_f64s(0.0),
        }; N];
        for (lanes, from) in all.iter_mut().zip(from) {
            *lanes = Self::load(simd, from);
        }
        all
    }

    /// Lists with the lanes of each register; see [`Lanes::store`].
    #[inline(always)]
    pub fn lists<const N: usize>(all: [Self; N]) -> [[f64; MOST]; N] {
        let mut lists = [[0.0; MOST]; N];
        for (list, numbers) in lists.iter_mut().zip(all) {
            numbers.store(list);
        }
        lists
    }
}

/// Writes the numbers `own` of one element to lane `l` of lists, one list for each number.
#[inline(always)]
pub fn put<const N: usize>(lists: &mut [[f64; MOST]; N], l: usize, own: [f64; N]) {
    for (list, own) in lists.iter_mut().zip(own) {
        list[l] = own;
    }
}

// Each operator acts on two registers, or on a register and a plain number.
macro_rules! operators {
    ($($operator:ident $name:ident $of:ident),*) => {$(
        impl<S: Simd> $operator for Lanes<S> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self { values: self.simd.$of(self.values, other.values), ..self }
            }
        }

        impl<S: Simd> $operator<f64> for Lanes<S> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: f64) -> Self {
                self.$name(self.constant(other))
            }
        }
    )*};
}

operators!(Add add add_f64s, Sub sub sub_f64s, Mul mul mul_f64s, Div div div_f64s);

impl<S: Simd> Real for Lanes<S> {
    #[inline(always)]
    fn constant(self, value: f64) -> Self {
        Self {
            values: self.simd.splat_f64s(value),
            ..self
        }
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self {
            values: self.simd.sqrt_f64s(self.values),
            ..self
        }
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        self.constant(1.0) / self
    }

    #[inline(always)]
    fn split(self) -> [Self; 2] {
        let mut values = [1.0; MOST];
        self.store(&mut values);

        // Lane by lane, since the instructions for exponents are not in every set.
        let mut exponents = [0.0; MOST];
        let mut mantissas = [0.0; MOST];
        for l in 0..S::F64_LANES {
            [exponents[l], mantissas[l]] = split(values[l]);
        }
        [
            Self::load(self.simd, &exponents),
            Self::load(self.simd, &mantissas),
        ]
    }

    #[inline(always)]
    fn if_below(self, limit: f64, then: Self, otherwise: Self) -> Self {
        let below = self
            .simd
            .less_than_f64s(self.values, self.simd.splat_f64s(limit));
        Self {
            values: self.simd.select_f64s(below, then.values, otherwise.values),
            ..self
        }
    }
}

/// Exponent `k` and mantissa `m` from `1/sqrt 2` to `sqrt 2` of a normal positive number `2^k m`,
/// from its bits.
#[inline(always)]
fn split(x: f64) -> [f64; 2] {
    // A biased exponent is positive; in the last bits of 2^52 it is a number.
    const BIAS: u64 = 1024;
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let biased = x.to_bits().wrapping_add(BIAS << 52);

    // The exponent changes where the mantissa passes 1/sqrt 2.
    let k = biased.wrapping_sub(FRAC_1_SQRT_2.to_bits()) >> 52;
    let exponent = f64::from_bits(k | TWO_52.to_bits()) - (TWO_52 + BIAS as f64);
    [exponent, f64::from_bits(biased.wrapping_sub(k << 52))]
}
