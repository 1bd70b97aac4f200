//! Two bars of one material that collide, and a bar that bounces off a wall.
//!
//! Waves leave a short bar at rest after it has hit one of twice its length: its momentum goes to
//! the long bar, whose centre then has half of the speed. Implicit Euler damps the fronts of waves,
//! so that a bar bounces with less speed than it came with.
//!
//! Let the short bar have the mass `m` and the speed `v`. It is at rest when the wave of release
//! arrives, and the long bar of mass `2 m` has the momentum `m v`. Its centre moves at `v / 2`, so
//! `e = (v2' - v1') / v = L1 / L2 = 1/2`. The other half of the energy stays in waves of the long
//! bar: `e` is below 1 although nothing is lost. At a rigid wall the wave returns all of the
//! energy.
//!
//! Speeds are those of the centres of mass, read after contact: at `4.5 L / c` for the pair, at
//! `3 L / c` for the wall. Both have a tolerance of 1 %. That of the wall is a known miss, up to an
//! error of `8 sqrt(h)`, with `h` in seconds: 0.16 at 4e-4 s, 0.08 at 1e-4 s.

use crate::scenes::{BAR, Exact, scene, until, wall};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_bars",
    title: "Restitution of bars by waves",
    proves: "A bar that hits one of twice its length has a coefficient of restitution of one half. One that hits a wall comes back with its speed as the step vanishes.",
    formula: "e = L1 / L2 for bars of one section, e = 1 at a wall",
    source: "Saint-Venant 1867; Johnson, Contact Mechanics, section 11.1",
    weight: Weight::Full,
    run,
};

/// Number of cells along a length of a bar.
const CELLS: usize = 100;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("h (s)", "coefficient of restitution"));
    outcome.plot.curve("bars 1 : 2", [0.0, 4e-4], |_| 0.5);
    outcome.plot.curve("wall", [0.0, 4e-4], |_| 1.0);

    let [mut pairs, mut walls] = [Vec::new(), Vec::new()];
    for h in [4e-4, 2e-4, 1e-4] {
        let pair = pair(h)?;
        outcome.relative(format!("e, bars 1 : 2, h {h:e} s"), "1", 0.5, pair, 0.01);
        pairs.push([h, pair]);

        let bounced = bounce(h)?;
        let quantity = Quantity::relative(format!("e, wall, h {h:e} s"), "1", 1.0, bounced, 0.01);
        outcome.check(quantity.known_miss(
            "implicit Euler damps the front of a wave, and 1 - e falls only like the root of h",
            8.0 * h.sqrt(),
        ));
        walls.push([h, bounced]);
    }
    outcome.plot.points("bars 1 : 2, measured", pairs);
    outcome.plot.points("wall, measured", walls);
    Ok(outcome)
}

/// Speed of parting of two bars over that of meeting, where the left one is half as long.
fn pair(h: f64) -> Result<f64, Error> {
    let short = BAR
        .body("short", 1.0, CELLS)
        .with_velocity([BAR.velocity, 0.0]);
    let long = BAR
        .body("long", 2.0, 2 * CELLS)
        .at([1.5 * BAR.length + 1.001e-4, 0.0]);
    let scene = BAR
        .materials(scene(h, 1).tolerance(1e-7))
        .with_body(short)
        .with_body(long);
    // The wave is back from the free end of the long bar after 4 L / c, which parts the bars.
    let simulation = until(scene, 4.5 * BAR.length / BAR.speed())?;
    let [short, long] = [
        simulation.body("short")?.velocity(),
        simulation.body("long")?.velocity(),
    ];
    Ok((long.x - short.x) / BAR.velocity)
}

/// Speed of a bar after it has bounced off a wall, over that before.
fn bounce(h: f64) -> Result<f64, Error> {
    let bar = BAR
        .body("bar", 1.0, CELLS)
        .at([0.5 * BAR.length + 1.001e-4, 0.0]);
    let bar = bar.with_velocity([-BAR.velocity, 0.0]);
    let scene = BAR
        .materials(scene(h, 1).tolerance(1e-7))
        .with_body(bar)
        .with_obstacle(wall());
    // Contact ends after 2 L / c, and from then on the speed of the centre stays.
    let simulation = until(scene, 3.0 * BAR.length / BAR.speed())?;
    Ok(simulation.body("bar")?.velocity().x / BAR.velocity)
}
