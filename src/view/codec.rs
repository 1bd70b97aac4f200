//! Positions and fields over time as few bytes.
//!
//! Numbers of neighbouring vertices and of successive states are nearly equal. Each number is
//! predicted from those before it, and what it differs by is stored. The best of a few predictions
//! is chosen for each body and state (positions) or each state (fields), and its number, the
//! *rule*, is stored too. Differences are cut into bytes, and bytes of one weight stand together:
//! those of higher weight are nearly all 0, and take next to no room once deflated (RFC 1951).
//!
//! Rules, with `p` for the number of the vertex before in the body (0 for the first one), `a` and
//! `b` for the states before and the one before that:
//!
//! | rule | prediction of `q` | exact for |
//! |---|---|---|
//! | 0 | `p` | |
//! | 1 | `a` | rest |
//! | 2 | `2 a - b` | uniform motion |
//! | 3 | `a + p - p_a` | displacements common to neighbours |
//! | 4 | `2 a - b + p - (2 p_a - p_b)` | accelerations common to neighbours |

use std::ops::Range;

/// Rules of positions.
const RULES: u8 = 5;

/// Positions of all states on a grid, as rules and bytes.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// Rule of each state and body, `[states][bodies]`.
    pub(super) rules: Vec<u8>,
    /// Differences in states, axes and vertices, folded to whole numbers from 0.
    pub(super) differences: Vec<u32>,
}

/// Encodes positions state by state.
pub(super) struct PositionCoder {
    /// Ranges of vertices that move alike, which together are all vertices in order.
    bodies: Vec<Range<usize>>,
    /// States before, the latest one first, at most two; each has abscissae, then ordinates.
    before: Vec<[Vec<u32>; 2]>,
    /// What was encoded until now.
    coded: Positions,
}

impl PositionCoder {
    /// Coder of positions of `bodies`: ranges that together are all vertices in order.
    pub(super) fn new(bodies: Vec<Range<usize>>) -> Self {
        Self {
            bodies,
            before: Vec::new(),
            coded: Positions::default(),
        }
    }

    /// Adds a state: numbers of points on the grid, `[axes][vertices]`.
    pub(super) fn add(&mut self, state: [Vec<u32>; 2]) {
        let first = self.coded.rules.len();
        for body in &self.bodies {
            self.coded.rules.push(self.best_rule(&state, body));
        }

        for (axis, numbers) in state.iter().enumerate() {
            for (body, rule) in self.bodies.iter().zip(&self.coded.rules[first..]) {
                for vertex in body.clone() {
                    let predicted = self.predict(numbers, axis, vertex, body.start, *rule);
                    let difference = i64::from(numbers[vertex]) - predicted;
                    self.coded.differences.push(folded(difference));
                }
            }
        }
        self.before.insert(0, state);
        // The rules look back two states at most.
        self.before.truncate(2);
    }

    /// What was encoded.
    pub(super) fn finish(self) -> Positions {
        self.coded
    }

    /// The rule whose differences have the fewest binary digits in all, the first one of equals.
    fn best_rule(&self, state: &[Vec<u32>; 2], body: &Range<usize>) -> u8 {
        // Rules that look back need the states before.
        let known = match self.before.len() {
            0 => &[0][..],
            1 => &[0, 1, 3],
            _ => &[0, 1, 2, 3, 4],
        };

        let mut best = (u64::MAX, 0);
        for &rule in known.iter().filter(|rule| **rule < RULES) {
            let mut digits = 0;
            for (axis, numbers) in state.iter().enumerate() {
                for vertex in body.clone() {
                    let predicted = self.predict(numbers, axis, vertex, body.start, rule);
                    let difference = folded(i64::from(numbers[vertex]) - predicted);
                    digits += u64::from(u32::BITS - difference.leading_zeros());
                }
            }
            if digits < best.0 {
                best = (digits, rule);
            }
        }
        best.1
    }

    /// Prediction of the number of a vertex by a rule.
    fn predict(&self, state: &[u32], axis: usize, vertex: usize, first: usize, rule: u8) -> i64 {
        let now = |vertex: usize| i64::from(state[vertex]);
        let ago = |states: usize, vertex: usize| i64::from(self.before[states - 1][axis][vertex]);
        let uniform = |vertex| 2 * ago(1, vertex) - ago(2, vertex);
        let neighbour = (vertex > first).then(|| vertex - 1);
        match (rule, neighbour) {
            (0, Some(p)) => now(p),
            (0, None) => 0,
            (1, _) | (3, None) => ago(1, vertex),
            (3, Some(p)) => ago(1, vertex) + now(p) - ago(1, p),
            (2, _) | (_, None) => uniform(vertex),
            (_, Some(p)) => uniform(vertex) + now(p) - uniform(p),
        }
    }
}

/// A difference as a whole number from 0: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
///
/// Differences of numbers of 24 bits by the rules above are far from the limits of 32 bits.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "below 2^28 in size"
)]
pub(super) fn folded(difference: i64) -> u32 {
    ((difference << 1) ^ (difference >> 63)) as u32
}

/// A field of bytes over time, as rules and bytes.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// Rule of each state: 0, 1 or 3 of the table above.
    pub(super) rules: Vec<u8>,
    /// Differences modulo 256, `[states][elements]`.
    pub(super) differences: Vec<u8>,
}

/// Encodes a field of `count` bytes in each state.
pub(super) fn encode_levels(levels: &[u8], count: usize) -> Levels {
    let mut coded = Levels::default();
    let mut before: &[u8] = &[];
    for state in levels.chunks(count.max(1)) {
        let rules: &[u8] = if before.is_empty() { &[0] } else { &[0, 1, 3] };

        let mut best: Option<(u64, u8, Vec<u8>)> = None;
        for &rule in rules {
            let differences = level_differences(state, before, rule);
            // Differences are modulo 256, so that 255 is as small as 1.
            let size = differences
                .iter()
                .map(|d| u64::from(d.wrapping_neg().min(*d)));
            let size: u64 = size.map(|d| u64::from(u64::BITS - d.leading_zeros())).sum();
            if best.as_ref().is_none_or(|(least, ..)| size < *least) {
                best = Some((size, rule, differences));
            }
        }
        if let Some((_, rule, differences)) = best {
            coded.rules.push(rule);
            coded.differences.extend(differences);
        }
        before = state;
    }
    coded
}

/// Differences of a state's bytes and their predictions by a rule, modulo 256.
fn level_differences(state: &[u8], before: &[u8], rule: u8) -> Vec<u8> {
    let mut differences = Vec::with_capacity(state.len());
    for (k, &level) in state.iter().enumerate() {
        let predicted = match rule {
            0 if k == 0 => 0,
            0 => state[k - 1],
            3 if k > 0 => before[k]
                .wrapping_add(state[k - 1])
                .wrapping_sub(before[k - 1]),
            _ => before[k],
        };
        differences.push(level.wrapping_sub(predicted));
    }
    differences
}
