//! Grains: disks of slightly different sizes, as granular cases use them.

use crate::scenes::{Exact, STONE, scene};
use ipcsim::prelude::*;

/// Mean diameter of a grain (m).
pub(super) const GRAIN: f64 = 0.02;

/// Seeds of the three packings over which granular cases have their scatter.
pub(super) const SEEDS: [u64; 3] = [1, 2, 3];

/// Numbers between 0 and 1 that look random (Marsaglia 2003, xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let share = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        share
    }
}

/// A scene of steps of `h` (s) with this number of disks in rows between the walls `x = 0` and
/// `x = width` (m), from `y = 0` upwards. Diameters are within 10 % of the mean.
pub(super) fn packed(h: f64, count: usize, width: f64, seed: u64) -> Scene {
    let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
    let step = 1.13 * GRAIN;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "some dozens"
    )]
    let row = ((width - 0.6 * GRAIN) / step) as usize;
    let margin = 0.5 * (width - step * (row - 1) as f64 - 0.5 * step);

    let mut scene = scene(h, 1).tolerance(1e-5).barrier(0.03 * GRAIN, 1e5);
    for k in 0..count {
        let [i, j] = [k % row, k / row];
        let radius = GRAIN * (0.45 + 0.1 * random.next());
        let shift = 0.5 * (j % 2) as f64 + 0.05 * (random.next() - 0.5);
        let x = margin + step * (i as f64 + shift.max(0.0));
        let y = GRAIN * (0.6 + 0.98 * j as f64);
        let grain = Body::rigid(format!("grain {k}"), Circle::new(radius), STONE);
        scene = scene.with_body(grain.at([x, y]));
    }
    for (name, at, side) in [("left wall", 0.0, 1.0), ("right wall", width, -1.0)] {
        let wall = HalfPlane::new([side, 0.0], [at, 0.0]);
        scene = scene.with_obstacle(Obstacle::new(name, wall));
    }
    scene
}
