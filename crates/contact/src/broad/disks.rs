//! Boxes of many disks, which tests and benchmarks search.
//!
//! The disks are closed polygons of 100 edges, one unit long, on a square lattice with gaps of 0.8.
//! Every vertex is displaced by up to two units in any direction. This file names nothing of the
//! crate, so that benchmarks can include it; `benches/peers/broad_ipctk.py` makes the same numbers.

use std::f64::consts::{PI, TAU};

/// Number of edges of a disk.
const SIDES: usize = 100;

/// Start and end of vertex `v` of `count` vertices. Edge `v` joins it to vertex [`next`].
pub fn path(v: usize, count: usize) -> [[f64; 2]; 2] {
    let radius = SIDES as f64 / TAU;
    let pitch = 2.0 * radius + 0.8;
    // Place on the rim of a disk, and place of the disk on the lattice.
    let disk = v / SIDES;
    let columns = (count / SIDES).isqrt().max(1);

    let angle = (v % SIDES) as f64 * (2.0 * PI / SIDES as f64);
    let x = (disk % columns) as f64 * pitch + radius * angle.cos();
    let y = (disk / columns) as f64 * pitch + radius * angle.sin();

    let direction = TAU * uniform(2 * v as u64);
    let length = 2.0 * uniform(2 * v as u64 + 1);

    [
        [x, y],
        [x + length * direction.cos(), y + length * direction.sin()],
    ]
}

/// The other vertex of edge `v`; `count` is a multiple of the sides of a disk.
pub fn next(v: usize) -> usize {
    if v % SIDES == SIDES - 1 {
        v + 1 - SIDES
    } else {
        v + 1
    }
}

/// A number in `[0, 1)` that looks random, the same for the same `k`.
///
/// Source: Steele et al. 2014, "Fast Splittable Pseudorandom Number Generators".
pub fn uniform(k: u64) -> f64 {
    let mut z = k.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
