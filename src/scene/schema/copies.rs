//! Many bodies that are alike.

use super::{Body, Bounds, Scene, Selection, is_default};
use serde::{Deserialize, Serialize};

/// Bodies that are alike, in rows from left to right, from the lowest row up. Each is a body of its own, named after the first
/// with its number from 1: `disk 1`, `disk 2`; boxes of prescribed vertices and keyframes are moved with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// How many along x and along y.
    pub counts: [usize; 2],
    /// From each to the next, along x and along y (m); the first is at the body's position.
    pub spacing: [f64; 2],
    /// Most that each is displaced along x and along y (m), in a pattern without order that is always the same.
    #[serde(default, skip_serializing_if = "is_default")]
    pub jitter: [f64; 2],
}

/// Steps of a sequence that fills the unit square evenly (Roberts 2018): powers of the inverse of the root of `x^3 = x + 1`.
const EVEN: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];

impl Copies {
    /// Most bodies that one entry may stand for.
    pub const MOST: usize = 1_000_000;

    /// How many bodies there are.
    pub fn count(&self) -> usize {
        self.counts[0].saturating_mul(self.counts[1])
    }

    /// How far copy `k`, from 0, is from the body's position (m).
    fn offset(&self, k: usize) -> [f64; 2] {
        let place = [k % self.counts[0], k / self.counts[0]];
        let along = |axis: usize| {
            let uneven = 2.0 * (0.5 + k as f64 * EVEN[axis]).fract() - 1.0;
            place[axis] as f64 * self.spacing[axis] + self.jitter[axis] * uneven
        };
        [along(0), along(1)]
    }
}

impl Scene {
    /// The same scene with a body for each copy, and the number of the entry that each body is from.
    pub fn with_copies_apart(mut self) -> (Self, Vec<usize>) {
        let mut entries = Vec::new();
        let mut bodies = Vec::new();
        for (entry, body) in self.bodies.drain(..).enumerate() {
            match body.copies {
                None => bodies.push(body),
                Some(copies) => bodies.extend((0..copies.count()).map(|k| body.copy(&copies, k))),
            }
            entries.resize(bodies.len(), entry);
        }
        (Self { bodies, ..self }, entries)
    }
}

impl Body {
    /// The names of its copies, or its own.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let copy = |k| self.copies.map_or_else(|| self.name.clone(), |_| format!("{} {}", self.name, k + 1));
        (0..self.copies.map_or(1, |copies| copies.count().min(Copies::MOST))).map(copy)
    }

    fn copy(&self, copies: &Copies, k: usize) -> Self {
        let [x, y] = copies.offset(k);
        let moved = |at: [f64; 2]| [at[0] + x, at[1] + y];
        let mut body = Self {
            name: format!("{} {}", self.name, k + 1),
            position: moved(self.position),
            copies: None,
            ..self.clone()
        };
        for prescribed in &mut body.prescribed {
            if let Selection::Box(Bounds { min, max }) = &mut prescribed.vertices {
                (*min, *max) = (moved(*min), moved(*max));
            }
        }
        for keyframe in body.script.iter_mut().flat_map(|script| &mut script.keyframes) {
            keyframe.position = moved(keyframe.position);
        }
        body
    }
}
