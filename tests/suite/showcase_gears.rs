//! Wheels of the showcase: a train of gears that lifts a rack, and planetary gears.

use crate::showcase::{advance, angle, bodies, body, center, show};
use crate::support::{Run, near};
use std::f64::consts::PI;

/// Distance that each wheel of the gear train rolled at its pitch circle in the direction of
/// lifting (m), and that of the rack.
fn rolled(run: &Run, start: &Run) -> Vec<f64> {
    let wheels = [(12, -1.0), (40, 1.0), (16, -1.0), (28, 1.0)];
    let turned = wheels.iter().map(|(teeth, way)| {
        let wheel = body(run, &format!("gear of {teeth} teeth"));
        way * (angle(run, wheel) - angle(start, wheel)) * 0.02 * f64::from(*teeth)
    });
    let lift = body(run, "lift");
    turned
        .chain([center(run, lift).y - center(start, lift).y])
        .collect()
}

#[test]
fn gears_turn_in_the_ratio_of_their_teeth_and_lift_the_rack_as_far() {
    let mut run = show("gears", &[]);
    let start = show("gears", &[]);
    advance(&mut run, 90);
    let rolled = rolled(&run, &start);
    let play = 0.05 * 0.04 * PI;

    assert!(rolled[0] > 0.15, "{rolled:?}");
    for (k, pair) in rolled.windows(2).enumerate() {
        // The one that drives is ahead, by no more than the play of the mesh and what it carries.
        assert!(
            (pair[0] - pair[1]).abs() < 1.2 * play,
            "mesh {k}: {rolled:?}"
        );
    }
}

#[test]
fn planets_go_round_at_the_ratio_of_teeth() {
    let mut run = show("planetary", &[]);
    advance(&mut run, 130);
    let sun = angle(&run, body(&run, "sun"));

    assert!(sun > 1.8, "{sun}");
    for (k, planet) in bodies(&run, "planet ").into_iter().enumerate() {
        let place = center(&run, planet);
        let start = PI / 4.0 + PI / 2.0 * k as f64;
        let gone = (place.y.atan2(place.x) - start).rem_euclid(2.0 * PI);

        // A planet has play of 6 % of a pitch of 50 pi mm against the sun and against the ring.
        near(gone, sun * 16.0 / 56.0, 0.06 * 0.05 * PI / 0.7);

        // Flanks are inclined by 20 degrees, so that half of that play is this much along the
        // radius.
        near(
            place.norm(),
            0.7,
            1.1 * 0.03 * 0.05 * PI / 20_f64.to_radians().tan(),
        );
    }
}
