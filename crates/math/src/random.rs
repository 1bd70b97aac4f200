//! Random numbers that are functions of seed, key and number: no generator has to be advanced, so
//! any worker computes any point.

use crate::elementary::powi;

/// Mixes the bits of a number (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators", the finaliser of `SplitMix64`).
fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Random numbers of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream(u64);

impl Stream {
    /// The numbers of `key` with this seed.
    pub fn new(seed: u64, key: &str) -> Self {
        let bytes = key.bytes();
        Self(bytes.fold(mixed(seed), |hash, byte| mixed(hash ^ u64::from(byte))))
    }

    /// Number `i`, uniform over all of 64 bits.
    fn bits(self, i: u64) -> u64 {
        mixed(self.0 ^ mixed(i))
    }

    /// Number `i`, uniform in `[0, 1)`, a multiple of `2^-53`.
    pub fn uniform(self, i: u64) -> f64 {
        (self.bits(i) >> 11) as f64 * powi(0.5_f64, 53)
    }

    /// Place of `i` in a random order of `0..count`.
    ///
    /// Four rounds of a Feistel network permute a square of at least `count` places; a place
    /// outside is permuted again until it is inside (Black and Rogaway 2002, "Ciphers with
    /// arbitrary finite domains"). Nothing is stored.
    pub fn place(self, i: u64, count: u64) -> u64 {
        let bits = (64 - count.saturating_sub(1).leading_zeros())
            .div_ceil(2)
            .max(1);
        let mask = (1_u64 << bits) - 1;

        let mut place = i;
        loop {
            let mut left = place >> bits;
            let mut right = place & mask;
            for round in 0..4 {
                let next = left ^ (Self(self.0.wrapping_add(round)).bits(right) & mask);
                left = right;
                right = next;
            }
            place = (left << bits) | right;
            if place < count {
                return place;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_a_permutation() {
        for count in [1, 2, 3, 4, 5, 17, 64, 1000] {
            let stream = Stream::new(7, "a");
            let mut places: Vec<u64> = (0..count).map(|i| stream.place(i, count)).collect();
            if count >= 17 {
                assert_ne!(places, (0..count).collect::<Vec<_>>());
            }
            places.sort_unstable();
            assert_eq!(places, (0..count).collect::<Vec<_>>(), "{count}");
        }
    }

    #[test]
    fn uniform_numbers_have_the_moments_of_their_distribution() {
        let stream = Stream::new(3, "key");
        let other = Stream::new(3, "other");
        let count = 100_000;
        let mut sums = [0.0; 3];
        for i in 0..count {
            let u = stream.uniform(i) - 0.5;
            let v = other.uniform(i) - 0.5;
            assert!((-0.5..0.5).contains(&u));
            sums[0] += u;
            sums[1] += u * u;
            sums[2] += u * v;
        }

        // Mean 0, variance 1/12, no correlation; four standard deviations of each mean.
        let n = count as f64;
        assert!((sums[0] / n).abs() < 4.0 * (1.0 / 12.0 / n).sqrt());
        assert!((sums[1] / n - 1.0 / 12.0).abs() < 4.0 * (1.0 / 180.0 / n).sqrt());
        assert!((sums[2] / n).abs() < 4.0 / 12.0 / n.sqrt());
    }
}
