//! Loss of angular velocity where a rocking block changes its corner.
//!
//! Right before the impact the block turns about one corner with `w`, right after it about the
//! other with `w'`. The impact acts at the new corner and has no moment about it. Angular momentum
//! there is `m R^2 w (1/3 + cos 2a)` before and `4/3 m R^2 w'` after, so
//! `w' / w = 1 - 3/2 sin^2 a`, with `R` the distance of a corner from the centre and
//! `tan a = b / h`; 0.912 for this block.
//!
//! The impact takes some steps, so `w` is not read at upright. The energy of rocking at 2 % of `a`
//! on either side gives the angular velocity that the block has at upright. The ratio agrees to 3
//! %, from three starting angles.

use crate::scenes::{ROCKER, Rocker};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rock_ratio",
    title: "Angular velocity that a rocking block keeps at an impact",
    proves: "A block that changes its corner without a bounce keeps the share of its angular velocity that angular momentum allows.",
    formula: "w' / w = 1 - 3/2 sin^2 a",
    source: "Housner 1963, The behavior of inverted pendulum structures during earthquakes",
    weight: Weight::Quick,
    run,
};

/// Step (s).
const H: f64 = 2e-3;

/// Lets the block rock through upright, and judges the ratio of angular velocities.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle / a"));
    let expected = 1.0 - 1.5 * ROCKER.angle().sin().powi(2);

    for share in [0.25, 0.5, 0.75] {
        let Rocker {
            mut simulation,
            start,
        } = ROCKER.tilted(share, H)?;
        let mut points = vec![[0.0, share]];
        let mut peaks = [0.0_f64; 2];
        while simulation.time() < 1.2 {
            simulation.step()?;
            let block = simulation.body("block")?;
            let turned = (start + block.angle().unwrap_or(f64::NAN)) / ROCKER.angle();
            points.push([simulation.time(), turned]);

            // Square of the angular velocity at 0 that the energy of rocking stands for.
            let spin = block.angular_velocity().unwrap_or(f64::NAN);
            let upright = spin * spin + ROCKER.energy(turned.abs() * ROCKER.angle());
            if turned > 0.02 && peaks[1] == 0.0 {
                peaks[0] = upright;
            } else if turned < -0.02 && peaks[1] == 0.0 {
                peaks[1] = upright;
            }
        }

        let name = format!("w' / w, from {share} a");
        outcome.relative(name, "1", expected, (peaks[1] / peaks[0]).sqrt(), 0.03);
        outcome.plot.points(format!("from {share} a"), points);
    }
    Ok(outcome)
}
