//! Rows of equal bodies.
//!
//! Piles and walls of hundreds of bodies are one entry of a scene. Copy `k` stands in column
//! `k mod n_x` and row `k div n_x`, displaced from its place by a jitter that looks irregular:
//!
//! `offset_k = place_k * spacing + jitter * (2 frac(1/2 + k a) - 1)`
//!
//! - `place_k`: column and row; products are taken along x and along y;
//! - `a`: steps of a sequence that fills the unit square evenly.
//!
//! The sequence is a formula and no random number, so that every run has the same scene; with a `seed`
//! the jitter is random. The world is built from the scene with copies apart (`copies/apart.rs`), in which
//! each copy is a separate body.

use super::distribution::Distribution;
use super::is_default;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Equal bodies in rows, from left to right and from the lowest row up. Each is a separate body,
/// whose name is the name of the entry and a number from 1: `disk 1`, `disk 2`. Selections by place
/// and keyframes move with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// Number of copies along x and along y.
    #[key(at_least = 1)]
    pub counts: [usize; 2],
    /// Distance from each copy to the next along x and along y (m); the first is at the body's
    /// position.
    pub spacing: [f64; 2],
    /// Largest displacement of each copy along x and along y (m), in an irregular pattern that is
    /// the same in every run; with a `seed` at random.
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub jitter: [f64; 2],
    /// Radius of each copy (m), instead of the radius in its shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Distribution>,
    /// Factor by which the shape of each copy is larger (1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Distribution>,
    /// Rotation of each copy in addition to `rotation_deg`, counter-clockwise (degrees).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_deg: Option<Distribution>,
    /// Seed of `jitter`, and of the numbers that are drawn, whose seed is 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<usize>,
}

/// Steps `a` of a sequence that fills the unit square evenly (Roberts 2018): the first two powers
/// of the inverse of the root of `x^3 = x + 1`.
const EVEN: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];

impl Copies {
    /// Largest number of bodies of one entry.
    pub const MOST: usize = 1_000_000;

    /// Rows of `counts` copies along x and y with this `spacing` (m), without jitter.
    pub fn new(counts: [usize; 2], spacing: [f64; 2]) -> Self {
        Self {
            counts,
            spacing,
            jitter: [0.0; 2],
            radius: None,
            scale: None,
            angle_deg: None,
            seed: None,
        }
    }

    /// Number of bodies that the entry stands for; the largest number if it is larger.
    pub fn count(&self) -> usize {
        self.counts[0].saturating_mul(self.counts[1])
    }

    /// Place `k`, from 0, of a sequence that fills the unit square evenly (1).
    pub(crate) fn evenly(k: usize) -> [f64; 2] {
        EVEN.map(|step| (0.5 + k as f64 * step).fract())
    }

    /// Displacement of copy `k`, from 0, from the body's position (m). Random numbers from 0 to 1 make the
    /// jitter; without them it is the even pattern.
    pub(crate) fn offset(&self, k: usize, random: Option<[f64; 2]>) -> [f64; 2] {
        let place = [k % self.counts[0], k / self.counts[0]];
        let parts = random.unwrap_or_else(|| Self::evenly(k));
        std::array::from_fn(|axis| {
            // From -1 to 1.
            let uneven = 2.0 * parts[axis] - 1.0;
            place[axis] as f64 * self.spacing[axis] + self.jitter[axis] * uneven
        })
    }
}
