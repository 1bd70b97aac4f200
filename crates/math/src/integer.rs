//! Signed integers of a fixed number of words, for decisions that rounding must not touch.
//!
//! A finite set of doubles is a set of integers times one power of two, so every polynomial in them
//! has an exact integer value. `W` words of 64 bits are held on the stack, and the caller picks a
//! `W` that its largest intermediate value fits into. Schoolbook arithmetic (Knuth, "The Art of
//! Computer Programming", vol. 2, section 4.3.1) is the fastest at the dozen words that occur.
//!
//! Crates of big integers do not serve. Integers without a limit (num-bigint, the oracle of the
//! tests) allocate for every product. Integers of fixed width compute all `W` words of every
//! product, while most values of a predicate fill a few. This type keeps count of the words in use.

use std::cmp::Ordering;

/// Integer as sign and magnitude, `|x| < 2^(64 W)`.
#[derive(Clone, Copy, Debug)]
pub struct Integer<const W: usize> {
    /// True for a negative number. Zero may have either sign.
    negative: bool,
    /// Number of words in use; the highest used word is not zero.
    len: usize,
    /// Magnitude, lowest word first; zero from `len` on.
    words: [u64; W],
}

impl<const W: usize> Integer<W> {
    /// Integer of value zero.
    pub const ZERO: Self = Self {
        negative: false,
        len: 0,
        words: [0; W],
    };

    /// Integer `magnitude 2^shift`, negated if `negative`. The product and one more word must fit.
    pub fn shifted(negative: bool, magnitude: u64, shift: usize) -> Self {
        let mut out = Self {
            negative,
            ..Self::ZERO
        };

        // The magnitude may lie across two words.
        let word = shift / 64;
        let wide = u128::from(magnitude) << (shift % 64);
        out.words[word] = low(wide);
        out.words[word + 1] = high(wide);
        out.trim(word + 2);
        out
    }

    /// Order of the number against 0: `Less` if it is negative.
    #[inline]
    pub fn sign(&self) -> Ordering {
        match (self.len, self.negative) {
            (0, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }

    /// Sum `self + other`, which must fit.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.with(other, other.negative)
    }

    /// Replaces the number by `-self`, without a copy.
    pub fn negate(&mut self) {
        self.negative = !self.negative;
    }

    /// Copy with the opposite sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self {
            negative: !self.negative,
            ..*self
        }
    }

    /// Difference `self - other`, which must fit.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.with(other, !other.negative)
    }

    /// Sum with the magnitude of `other`, taken as `negative` or not.
    fn with(&self, other: &Self, negative: bool) -> Self {
        if self.negative == negative {
            return self.magnitudes_added(other);
        }

        // Signs differ: the larger magnitude decides.
        match self.magnitude_cmp(other) {
            Ordering::Equal => Self::ZERO,
            Ordering::Greater => self.magnitude_reduced(other, self.negative),
            Ordering::Less => other.magnitude_reduced(self, negative),
        }
    }

    /// Product `self other`. The words in use of both factors must add up to `W` at most.
    ///
    /// Each word of one factor is multiplied with all words of the other, with a carry of one word.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let mut out = Self {
            negative: self.negative != other.negative,
            ..Self::ZERO
        };

        for (i, &a) in self.words[..self.len].iter().enumerate() {
            let mut carry = 0;
            for (place, &b) in out.words[i..].iter_mut().zip(&other.words[..other.len]) {
                // At most (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1, which two words hold.
                let wide = u128::from(a) * u128::from(b) + u128::from(*place) + u128::from(carry);
                *place = low(wide);
                carry = high(wide);
            }
            out.words[i + other.len] = carry;
        }

        out.trim(self.len + other.len);
        out
    }

    /// Discriminant `self^2 - 4 a b` of the polynomial `a t^2 + self t + b`, which must fit with
    /// all its terms.
    #[must_use]
    pub fn discriminant(&self, a: &Self, b: &Self) -> Self {
        let product = a.times(b);
        let twice = product.plus(&product);
        self.times(self).minus(&twice.plus(&twice))
    }

    /// Sign of `self + q sqrt(r)` for `r >= 0`.
    ///
    /// Where the terms disagree in sign, the one with the larger square decides. `self^2` and
    /// `q^2 r` are integers, so no root is computed.
    pub fn sign_with_root(&self, q: &Self, r: &Self) -> Ordering {
        let root_term = if r.len == 0 {
            Ordering::Equal
        } else {
            q.sign()
        };
        if root_term == Ordering::Equal || root_term == self.sign() {
            return self.sign();
        }

        // The terms have opposite signs.
        match self.times(self).magnitude_cmp(&q.times(q).times(r)) {
            Ordering::Less => root_term,
            Ordering::Equal => Ordering::Equal,
            Ordering::Greater => self.sign(),
        }
    }

    /// Magnitude as `f 2^exponent` with `f` in `[1, 2^64)`, rounded to a double with a relative
    /// error below `2^-52`; `f` is 0 for zero.
    pub fn as_float(&self) -> (f64, i64) {
        let Some(top) = self.len.checked_sub(1) else {
            return (0.0, 0);
        };

        // Two words hold more bits than a double.
        let lead = self.words[top];
        let below = if top == 0 { 0 } else { self.words[top - 1] };

        let zeros = lead.leading_zeros();
        let wide = (u128::from(lead) << 64 | u128::from(below)) << zeros;
        (
            high(wide) as f64,
            64 * i64::try_from(top).unwrap_or(0) - i64::from(zeros),
        )
    }

    /// Order of the magnitudes: the number of words decides, then the words from the highest on.
    fn magnitude_cmp(&self, other: &Self) -> Ordering {
        self.len.cmp(&other.len).then_with(|| {
            let own = self.words[..self.len].iter().rev();
            own.cmp(other.words[..other.len].iter().rev())
        })
    }

    /// Sum of the magnitudes, with the sign of this number. The sum must fit.
    fn magnitudes_added(&self, other: &Self) -> Self {
        let mut out = Self {
            negative: self.negative,
            ..Self::ZERO
        };
        let len = self.len.max(other.len);
        let mut carry = false;

        // Word by word with a carry of one bit.
        let pairs = self.words.iter().zip(&other.words);
        for (place, (&a, &b)) in out.words[..len].iter_mut().zip(pairs) {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *place = sum;
            // A sum that has overflowed is too small to overflow again by 1.
            carry = first || second;
        }

        if carry {
            out.words[len] = 1;
        }
        out.len = len + usize::from(carry);
        out
    }

    /// Magnitude minus the magnitude of `other`, which must not be larger, with the given sign.
    fn magnitude_reduced(&self, other: &Self, negative: bool) -> Self {
        let mut out = Self {
            negative,
            ..Self::ZERO
        };
        let mut borrow = false;

        // Word by word with a borrow of one bit.
        let pairs = self.words.iter().zip(&other.words);
        for (place, (&a, &b)) in out.words[..self.len].iter_mut().zip(pairs) {
            let (rest, first) = a.overflowing_sub(b);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            *place = rest;
            borrow = first || second;
        }
        out.trim(self.len);
        out
    }

    /// Sets the number of words in use to `len` less the leading zeros.
    fn trim(&mut self, mut len: usize) {
        while len > 0 && self.words[len - 1] == 0 {
            len -= 1;
        }
        self.len = len;
    }
}

/// Lower word of a product or sum of words.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the function returns the low word"
)]
fn low(wide: u128) -> u64 {
    wide as u64
}

/// Upper word of a product or sum of words.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the shifted value has one word"
)]
fn high(wide: u128) -> u64 {
    (wide >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, Sign};
    use proptest::prelude::*;

    /// Integer of the tests: 1024 bits.
    type I = Integer<16>;

    /// Big integer of equal value, after a check that unused words are zero.
    fn big(x: &I) -> BigInt {
        let sign = if x.negative { Sign::Minus } else { Sign::Plus };
        let digits = x
            .words
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .collect::<Vec<_>>();
        assert!(x.words[x.len..].iter().all(|&w| w == 0));
        BigInt::from_bytes_le(sign, &digits)
    }

    /// Integer of a small number.
    fn small(value: i64) -> I {
        I::shifted(value < 0, value.unsigned_abs(), 0)
    }

    /// Sums of two shifted words: sparse, dense, of one to four words, of both signs.
    fn integer() -> impl Strategy<Value = I> {
        let word = prop_oneof![Just(0), Just(1), Just(u64::MAX), any::<u64>()];
        let term = || {
            (any::<bool>(), word.clone(), 0_usize..130).prop_map(|(n, m, s)| I::shifted(n, m, s))
        };
        (term(), term()).prop_map(|(a, b)| a.plus(&b))
    }

    proptest! {
        #[test]
        fn sums_differences_and_products_are_those_of_big_integers(a in integer(), b in integer()) {
            prop_assert_eq!(big(&a.plus(&b)), big(&a) + big(&b));
            prop_assert_eq!(big(&a.minus(&b)), big(&a) - big(&b));
            prop_assert_eq!(big(&a.times(&b)), big(&a) * big(&b));
            prop_assert_eq!(big(&a.times(&b).minus(&b.times(&a))), BigInt::ZERO);
            prop_assert_eq!(a.sign(), big(&a).cmp(&BigInt::ZERO));
        }

        #[test]
        fn a_sum_with_a_root_has_the_sign_of_its_factors(x in -1000_i64..1000, y in 0_u64..1000, z in 0_u64..1000) {
            // x + sqrt(y^2) and x - sqrt(y^2), and the same with z sqrt(1).
            let square = I::shifted(false, y * y, 0);
            let one = small(1);
            let y = y.cast_signed();
            prop_assert_eq!(small(x).sign_with_root(&one, &square), (x + y).cmp(&0));
            prop_assert_eq!(small(x).sign_with_root(&small(-1), &square), (x - y).cmp(&0));

            let z = z.cast_signed();
            prop_assert_eq!(small(x).sign_with_root(&small(-z), &one), (x - z).cmp(&0));
        }

        #[test]
        fn floats_keep_the_leading_bits(m in 1..u64::MAX, shift in 0_usize..700) {
            let (f, exponent) = I::shifted(true, m, shift).as_float();
            let reference = m as f64;

            // The quotient of the two, without their common power of two.
            let offset = i64::try_from(shift).unwrap();
            let quotient = f / reference * 2.0_f64.powi(i32::try_from(exponent - offset).unwrap());
            prop_assert!((quotient - 1.0).abs() < 1e-15);
            prop_assert!((1.0..=1.9e19).contains(&f));
        }
    }

    #[test]
    fn a_root_next_to_an_integer_is_told_apart_from_it() {
        // n^2 + 1 with n = 2^200: sqrt(n^2 + 1) - n is below 2^-200.
        let n = I::shifted(false, 1, 200);
        let one = I::shifted(false, 1, 0);
        let square = n.times(&n);
        assert_eq!(n.negated().sign_with_root(&one, &square), Ordering::Equal);
        assert_eq!(
            n.negated().sign_with_root(&one, &square.plus(&one)),
            Ordering::Greater
        );
        assert_eq!(
            n.negated().sign_with_root(&one, &square.minus(&one)),
            Ordering::Less
        );
    }
}
