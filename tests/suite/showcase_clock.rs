//! The clock of the showcase: its rate, its period, and the swing at which it goes on.

use crate::showcase::{angle, body};
use crate::support::{Run, near_ratio, scene};
use ipcsim::math::{Vec2, cross};
use serde_json::Value;
use std::f64::consts::PI;

/// Acceleration of gravity (m/s^2), and thickness of the scene (m).
const GRAVITY: f64 = 9.81;
const THICKNESS: f64 = 0.005;

/// Teeth of the wheel, and radius of their tips (m).
const TEETH: f64 = 15.0;
const TIPS: f64 = 0.05;

/// Angle of the pendulum at the start, from which the angles of bodies count (degrees).
const START_DEG: f64 = 6.0;

/// Angles by which the wheel and the pendulum turn while a tooth pushes a pallet (degrees).
const PUSHED: [f64; 2] = [9.6, 2.4];

/// Mass (kg), its first moment (kg m), and its second one, the moment of inertia (kg m^2), about an axle.
#[derive(Clone, Copy)]
struct Moments {
    mass: f64,
    first: Vec2,
    second: f64,
}

impl Moments {
    /// Those of the polygon with the given corners about their origin, in closed form, for a mass of an
    /// area (kg/m^2).
    fn of_polygon(corners: &[Vec2], density: f64) -> Self {
        let next = corners.iter().cycle().skip(1);
        let sides = corners.iter().zip(next);
        let mut sum = Self {
            mass: 0.0,
            first: Vec2::zeros(),
            second: 0.0,
        };
        for (a, b) in sides {
            let twice = density * cross(*a, *b);
            sum.mass += twice / 2.0;
            sum.first += (a + b) * (twice / 6.0);
            sum.second += twice / 12.0 * (a.dot(a) + a.dot(b) + b.dot(b));
        }

        // Corners may be in either direction.
        let sign = sum.mass.signum();
        sum.scaled(sign)
    }

    /// Those of a body with a mass (kg) and an inertia of its own (kg m^2), hung at a depth (m).
    fn hung(mass: f64, own: f64, depth: f64) -> Self {
        Self {
            mass,
            first: Vec2::new(0.0, -mass * depth),
            second: own + mass * depth * depth,
        }
    }

    /// Those of a body of another density.
    fn scaled(self, factor: f64) -> Self {
        Self {
            mass: self.mass * factor,
            first: self.first * factor,
            second: self.second * factor,
        }
    }

    /// Those of both together.
    fn with(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }
}

/// Corners of an outline in the scene.
fn corners(list: &Value) -> Vec<Vec2> {
    let list = list.as_array().unwrap().iter();
    list.map(|corner| Vec2::new(corner[0].as_f64().unwrap(), corner[1].as_f64().unwrap()))
        .collect()
}

/// Inertia of the pendulum (anchor of brass, rod of steel, bob of lead) and of the wheel of wood, each
/// about its axle.
fn inertias() -> [Moments; 2] {
    let text = std::fs::read_to_string("scenes/showcase/clock.json").unwrap();
    let scene: Value = serde_json::from_str(&text).unwrap();
    let outline = |body: usize| scene["bodies"][body]["shape"]["outline"].clone();
    let polygon =
        |list: &Value, density: f64| Moments::of_polygon(&corners(list), density * THICKNESS);

    let rod = 7800.0 * THICKNESS * 0.006 * 0.2;
    let rod = Moments::hung(rod, rod * (0.006_f64.powi(2) + 0.2_f64.powi(2)) / 12.0, 0.1);
    let bob = 11_340.0 * THICKNESS * PI * 0.055_f64.powi(2);
    let bob = Moments::hung(bob, 0.5 * bob * 0.055_f64.powi(2), 0.25);
    let pendulum = polygon(&outline(1)["points"], 8500.0).with(rod).with(bob);

    let mut wheel = polygon(&outline(0)["points"], 500.0);
    for hole in outline(0)["holes"].as_array().unwrap() {
        wheel = wheel.with(polygon(hole, 500.0).scaled(-1.0));
    }
    [pendulum, wheel]
}

/// Period of a pendulum for an amplitude (rad): `2 pi sqrt(I / (m g l)) / M(1, cos(amplitude / 2))` with
/// the arithmetic-geometric mean `M`, which is exact for every amplitude.
fn period(pendulum: Moments, amplitude: f64) -> f64 {
    let [mut a, mut b] = [1.0, (0.5 * amplitude).cos()];
    for _ in 0..6 {
        [a, b] = [0.5 * (a + b), (a * b).sqrt()];
    }
    let stiffness = GRAVITY * pendulum.first.norm();
    2.0 * PI * (pendulum.second / stiffness).sqrt() / a
}

/// Amplitude (rad) at which a swing takes as much work as it gets.
///
/// The wheel of inertia `J` works `T a` on a pallet while it turns by `a` under its torque `T`, less
/// `J w^2`: it is late by what it needs to catch up with the pallet, whose speed `w` it has in the end
/// and loses on the next pallet. Of that a wedge of the slope `b` passes on `tan b / tan(b + atan mu)`. The
/// damper in the pivot takes `c W A^2 pi / 2` a swing with the angular frequency `W`, and friction on the
/// locked pallet, at the distance `r` from the pivot, `mu T r / R` times the angle from the end of a push
/// to the end of the swing and back.
fn kept(pendulum: Moments, wheel: Moments) -> f64 {
    let [torque, damping, friction] = [0.004, 0.0034, 0.1_f64];
    let [wheel_turn, swing] = PUSHED.map(f64::to_radians);
    let arm = TIPS * 42_f64.to_radians().tan();
    let slope = (swing * arm / (wheel_turn * TIPS)).atan();
    let passed = slope.tan() / (slope + friction.atan()).tan();

    // The work that is left falls with the amplitude: halves of an interval close in on the root.
    let left = |amplitude: f64| {
        let frequency = 2.0 * PI / period(pendulum, amplitude);
        let speed = wheel_turn / swing * frequency * amplitude;
        let work = torque * wheel_turn - wheel.second * speed * speed;
        let damper = 0.5 * PI * damping * frequency * amplitude * amplitude;
        let locked = friction * torque * arm / TIPS * 2.0 * (amplitude - 0.5 * swing);
        work * passed - damper - locked
    };
    let [mut low, mut high] = [0.5 * swing, 0.5];
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if left(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// A passage of the pendulum through its lowest place to the right: time (s), and angle of the wheel (rad).
struct Passage {
    time: f64,
    wheel: f64,
}

#[test]
fn the_clock_moves_a_tooth_a_period_and_keeps_its_swing() {
    let mut run = Run::of(&scene("showcase/clock", &[]));
    let [wheel, anchor] = ["wheel", "anchor"].map(|name| body(&run, name));
    let step = 0.002;
    let mut passages: Vec<Passage> = Vec::new();
    let mut swings = Vec::new();
    let mut widest = 0.0_f64;
    let at = |run: &Run| START_DEG.to_radians() + angle(run, anchor);
    let mut before = at(&run);

    // Times of passages are those of a straight line between two steps.
    for count in 1..=4000 {
        run.step();
        let now = at(&run);
        widest = widest.max(now.abs());
        if before < 0.0 && now >= 0.0 {
            let share = now / (now - before);
            passages.push(Passage {
                time: step * (f64::from(count) - share),
                wheel: angle(&run, wheel),
            });
        }
        if before * now <= 0.0 {
            swings.push(widest);
            widest = 0.0;
        }
        before = now;
    }

    // A tooth a period, clockwise. Passages are in the middle of a push, where the wheel turns by half a
    // degree in a step.
    assert_eq!(passages.len(), 8);
    for pair in passages.windows(2) {
        let teeth = (pair[0].wheel - pair[1].wheel) / (2.0 * PI) * TEETH;
        assert!((teeth - 1.0).abs() < 0.05, "{teeth} teeth");
    }

    // Pushes in the middle of a swing leave the period alone (Airy 1830); it is longer by 7e-4 for the
    // amplitude, by 3e-5 for the damping, and by what pushes begin too late.
    let [pendulum, wheel] = inertias();
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let ends = [&passages[0], &passages[7]];
    let measured = (ends[1].time - ends[0].time) / 7.0;
    let expected = period(pendulum, mean(&swings[1..]));
    near_ratio(measured, expected, 4e-4);

    // The swing at its end is that of the balance of work, and that of the start. Swings to both sides differ,
    // since the centre of the anchor is beside its pivot.
    let last = mean(&swings[swings.len() - 4..]);
    let balance = kept(pendulum, wheel);
    near_ratio(last, balance, 0.05);
    assert!((last / mean(&swings[1..5]) - 1.0).abs() < 0.02, "{last}");
}
