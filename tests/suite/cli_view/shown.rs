//! A run as a page holds it, read by the formats and not by the program's own code.

use crate::program::{Npy, Place};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::Value;

/// Text of an element of data of a page.
pub(crate) fn data<'a>(page: &'a str, id: &str) -> &'a str {
    let start = format!("id=\"{id}\">");
    page.split_once(&start)
        .unwrap()
        .1
        .split_once("</script>")
        .unwrap()
        .0
}

/// A run of a page: its head and its bytes.
pub(crate) struct Shown {
    pub(crate) head: Value,
    bytes: Vec<u8>,
}

impl Shown {
    /// The run with a number in the page of a folder.
    pub(crate) fn of(place: &Place, file: &str, run: usize) -> Self {
        let page = place.read(file);
        let text = data(&page, &format!("data-{run}"));
        Self {
            head: serde_json::from_str(data(&page, &format!("head-{run}"))).unwrap(),
            bytes: BASE64_STANDARD.decode(text).unwrap(),
        }
    }

    /// Number in the head.
    pub(crate) fn number(&self, name: &str) -> f64 {
        self.head[name].as_f64().unwrap()
    }

    /// Whole number in the head.
    fn count(&self, name: &str) -> usize {
        usize::try_from(self.head[name].as_u64().unwrap()).unwrap()
    }

    /// Number of states and of vertices.
    pub(crate) fn size(&self) -> [usize; 2] {
        ["states", "vertices"].map(|name| self.count(name))
    }

    /// Bytes of a block.
    pub(crate) fn block(&self, name: &str) -> Vec<u8> {
        let blocks = self.head["blocks"].as_array().unwrap();
        let block = blocks.iter().find(|block| block["name"] == name).unwrap();
        let [start, bytes] =
            ["start", "bytes"].map(|k| usize::try_from(block[k].as_u64().unwrap()).unwrap());
        miniz_oxide::inflate::decompress_to_vec(&self.bytes[start..start + bytes]).unwrap()
    }

    /// Whole numbers of a block that has them by differences.
    fn steps(&self, name: &str) -> Vec<i64> {
        let bytes = self.block(name);
        let count = bytes.len() / 4;
        let mut sum = 0;
        (0..count)
            .map(|k| {
                let byte = |weight: usize| i64::from(bytes[weight * count + k]) << (8 * weight);
                let folded: i64 = (0..4).map(byte).sum();
                sum += if folded % 2 == 0 {
                    folded / 2
                } else {
                    -(folded + 1) / 2
                };
                sum
            })
            .collect()
    }

    /// Positions of all states (m), `[states][vertices][2]`.
    pub(crate) fn positions(&self) -> Vec<Vec<[f64; 2]>> {
        let [states, vertices] = self.size();
        let body = self.steps("body");
        let rules = self.block("position_rules");
        let starts: Vec<bool> = (0..vertices)
            .map(|i| i == 0 || body[i] != body[i - 1])
            .collect();
        let bodies = starts.iter().filter(|is_start| **is_start).count();
        let weights = self.count("weights");
        let bytes: Vec<Vec<u8>> = (0..weights)
            .map(|w| self.block(&format!("positions_{w}")))
            .collect();

        let mut all: Vec<Vec<[i64; 2]>> = Vec::new();
        let mut next = 0;
        for state in 0..states {
            let mut now = vec![[0; 2]; vertices];
            for axis in 0..2 {
                let mut own = 0;
                for i in 0..vertices {
                    own += usize::from(starts[i]);
                    let rule = rules[state * bodies + own - 1];
                    let a = |i: usize| all[state - 1][i][axis];
                    let uniform = |i: usize| 2 * a(i) - all[state - 2][i][axis];
                    let predicted = match (rule, starts[i]) {
                        (0, true) => 0,
                        (0, false) => now[i - 1][axis],
                        (1, _) | (3, true) => a(i),
                        (3, false) => a(i) + now[i - 1][axis] - a(i - 1),
                        (4, false) => uniform(i) + now[i - 1][axis] - uniform(i - 1),
                        _ => uniform(i),
                    };
                    let byte = |w: usize| i64::from(bytes[w][next]) << (8 * w);
                    let folded: i64 = (0..weights).map(byte).sum();
                    now[i][axis] = predicted
                        + if folded % 2 == 0 {
                            folded / 2
                        } else {
                            -(folded + 1) / 2
                        };
                    next += 1;
                }
            }
            all.push(now);
        }

        // Points of the grid are places.
        let origin = [0, 1].map(|axis| self.head["origin"][axis].as_f64().unwrap());
        let place = |p: &[i64; 2]| {
            [0, 1].map(|axis| origin[axis] + self.number("spacing") * p[axis] as f64)
        };
        all.iter()
            .map(|state| state.iter().map(place).collect())
            .collect()
    }

    /// Checks that the states are every `every`th of a trajectory and its last one, within the error
    /// that the page states.
    pub(crate) fn assert_positions(&self, trajectory: &Npy, every: usize) {
        let states = self.positions();
        let last = trajectory.shape[0] - 1;
        let entries: Vec<usize> = (0..=last)
            .filter(|k| k % every == 0 || *k == last)
            .collect();
        assert_eq!(states.len(), entries.len());
        let error = self.number("error") * (1.0 + 1e-9);
        for (state, entry) in states.iter().zip(entries) {
            for (vertex, found) in state.iter().enumerate() {
                let expected = trajectory.at(entry, vertex);
                for axis in 0..2 {
                    let off = (found[axis] - expected[axis]).abs();
                    assert!(off <= error, "entry {entry}, vertex {vertex}: {off} m");
                }
            }
        }
    }
}
