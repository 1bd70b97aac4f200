//! Ropes of the showcase: a hanging bridge under a wheel.

use crate::showcase::{advance, angle, body, center, points, show};
use crate::support::{Run, near, near_ratio};
use ipcsim::energy::Stretch;
use ipcsim::math::Vec2;

/// Acceleration of gravity (m/s^2), axial stiffness of the cable (N), half of the span (m).
const G: f64 = 9.81;
const AXIAL: f64 = 1e7;
const HALF: f64 = 4.0;

/// Horizontal part of the tension of the cable in its middle (N).
fn pull(run: &Run) -> f64 {
    let cable = run.world().bodies[body(run, "cable")].vertices.clone();
    let middle = cable.start + cable.len() / 2;
    let [a, b] = [middle - 1, middle];
    let at = |x: &[Vec2]| [x[a], x[b]];
    let rest = at(&run.world().rest);
    let stretch = Stretch {
        stiffness: AXIAL,
        length: (rest[1] - rest[0]).norm(),
    };
    let x = at(&run.state().x);
    stretch.tension(&x) * (x[1] - x[0]).normalize().x
}

/// The tension that carries cable and deck (N): their moment about the middle over the sag. A deck of
/// 20 kg/m hangs at points 0.5 m apart, which has the moment `w L^2 / 8` of a uniform load.
fn expected(run: &Run) -> f64 {
    let x = points(run, body(run, "cable"));
    let half = &x[..=x.len() / 2];
    let sag = half[0].y - half[half.len() - 1].y;
    let parts = half.windows(2).map(|pair| {
        let weight = 4.0 * G * (pair[1] - pair[0]).norm();
        weight * (HALF + 0.5 * (pair[0].x + pair[1].x))
    });
    let moment = 20.0 * G * (2.0 * HALF).powi(2) / 8.0 + parts.sum::<f64>();
    moment / sag
}

#[test]
fn the_cable_of_the_bridge_has_the_tension_of_its_loads() {
    // The wheel is still on the bank.
    let mut run = show("suspension_bridge", &[]);
    advance(&mut run, 10);
    let (got, expected) = (pull(&run), expected(&run));
    near_ratio(got, expected, 0.01);
}

#[test]
fn the_wheel_rolls_over_the_bridge_and_the_cable_carries_it() {
    let mut run = show("suspension_bridge", &[]);
    let [wheel, deck] = ["wheel", "deck"].map(|name| body(&run, name));
    let start = [center(&run, wheel).x, angle(&run, wheel)];
    let [mut lowest, mut most] = [0.0_f64, 0.0_f64];
    for _ in 0..420 {
        advance(&mut run, 1);
        let sunk = points(&run, deck).iter().map(|x| x.y);
        lowest = lowest.min(sunk.fold(0.0, f64::min));
        most = most.max(pull(&run));
    }

    // It rolls without slipping, and comes to the other bank as high as it was.
    let way = center(&run, wheel).x - start[0];
    let rolled = 0.4 * (start[1] - angle(&run, wheel));
    assert!(
        way > 11.0 && (rolled / way - 1.0).abs() < 0.01,
        "{way} {rolled}"
    );
    near(center(&run, wheel).y, 0.431, 1e-3);

    // In the middle 150 kg add `m g L / 4` to the moment: as much again as the weight has. The deck
    // gives way by less than a fiftieth of the span, and swings.
    let quiet = expected(&run);
    let added = 150.0 * G * 2.0 * HALF / 4.0 / 2.0;
    assert!((-0.16..-0.05).contains(&lowest), "{lowest}");
    assert!(
        (quiet + 0.7 * added..quiet + 1.4 * added).contains(&most),
        "{most} {added}"
    );
}
