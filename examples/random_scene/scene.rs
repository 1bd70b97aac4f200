//! A reasonable scene for every seed: 5 to 30 bodies of all kinds and laws that fall together.
//!
//! Bodies lie on shelves, each within a circle of its own, so that nothing touches at the start. They
//! fall into a pit, onto a slope, into a wedge or a turning cage; a piston comes down on them, or a
//! paddle stirs them, with room for the largest body wherever it goes. `tests/suite/reasonable.rs` tells
//! what becomes of each seed, and holds the text of every scene: a change here is another experiment.

use serde_json::{Value, json};
use std::f64::consts::{PI, TAU};

/// Random numbers by Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
struct Random(u64);

impl Random {
    /// The next 64 bits.
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform between two numbers.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 * 2.0_f64.powi(-53))
    }

    /// Between two positive numbers, uniform in the logarithm.
    fn over(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.between(0.0, 1.0))
    }

    /// A whole number of a range, both ends included.
    fn whole(&mut self, low: usize, high: usize) -> usize {
        low + usize::try_from(self.bits() % (high - low + 1) as u64).unwrap_or(0)
    }

    /// One of several values.
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.whole(0, of.len() - 1)]
    }
}

/// Four significant digits, so that no last bit of a function of the platform is in a scene.
fn short(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

/// Body without a place, and the radius of a circle about its origin that holds it (m).
struct Loose {
    body: Value,
    material: Value,
    radius: f64,
}

/// Modulus between 1e4 and 1e9 Pa, but never so soft that its own weight presses a body of this
/// density (kg/m^3) and radius (m) flat: `rho g H / E` stays below .2.
fn modulus(random: &mut Random, density: f64, radius: f64) -> f64 {
    let weight = density * 9.81 * 2.0 * radius;
    short(random.over(f64::max(1e4, 5.0 * weight), 1e9))
}

/// An elastic law with this modulus (Pa).
fn law(random: &mut Random, young: f64) -> Value {
    let law = random.one(&["neo_hookean", "fixed_corotated", "st_venant_kirchhoff"]);
    let poisson = random.one(&[0.0, 0.2, 0.3, 0.4, 0.45]);
    json!({ law: { "young": young, "poisson": poisson } })
}

/// Shape with triangles inside a circle, at least `least` along a side.
fn meshed(random: &mut Random, radius: f64, least: usize) -> Value {
    match random.whole(0, 3) {
        0 => {
            json!({ "square": { "side": short(1.41 * radius), "segments": random.whole(least, 5) } })
        }
        1 => {
            let angle = random.between(0.15, 0.8);
            let size = [angle.cos(), angle.sin()].map(|part| short(1.99 * radius * part));
            let rows = random.whole(least, 3);
            json!({ "rectangle": { "size": size, "segments": [3 * rows, rows] } })
        }
        2 => {
            json!({ "disk": { "radius": short(0.99 * radius), "segments": random.whole(10, 20) } })
        }
        _ => json!({ "regular_polygon": {
            "radius": short(0.99 * radius),
            "sides": random.whole(3, 8),
            "segments": random.whole(least, 4),
        } }),
    }
}

/// Outline of a rigid body inside a circle.
fn outlined(random: &mut Random, radius: f64) -> Value {
    let size = short(0.99 * radius);
    match random.whole(0, 4) {
        0 => json!({ "circle": { "radius": size } }),
        1 => {
            // A star of random depth.
            let points = random.whole(3, 7);
            let depth = random.between(0.3, 0.8);
            let corner = |i: usize| {
                let (sin, cos) = (PI * i as f64 / points as f64).sin_cos();
                let reach = if i.is_multiple_of(2) {
                    size
                } else {
                    depth * size
                };
                [short(reach * cos), short(reach * sin)]
            };
            let corners: Vec<[f64; 2]> = (0..2 * points).map(corner).collect();
            json!({ "outline": { "points": corners } })
        }
        2 => {
            let inner = short(random.between(0.4, 0.85) * size);
            json!({ "ring": {
                "radius": size,
                "inner_radius": inner,
                "segments": random.whole(8, 24),
            } })
        }
        3 => json!({ "gear": {
            "teeth": random.whole(8, 16),
            "pitch_radius": short(0.85 * size),
            "addendum": short(0.1 * size),
        } }),
        _ => {
            // A bent line.
            let bend = random.between(-0.7, 0.7);
            let points = [[-0.9, 0.3 * bend], [0.0, -0.3 * bend], [0.7, bend]];
            json!({ "polyline": { "points": points.map(|p| p.map(|c| short(c * size))) } })
        }
    }
}

/// A body of any kind.
fn loose(random: &mut Random, number: usize) -> Loose {
    let radius = short(random.over(0.05, 0.5));
    let density = short(random.over(200.0, 8000.0));
    let mut material = json!({ "density": density });

    // Kind, shape and law. Reduced bodies need vertices for their coordinates, and no springs.
    let mut spins = true;
    let (kind, shape) = match random.whole(0, 19) {
        0..9 => {
            let modulus = modulus(random, density, radius);
            material["law"] = match random.whole(0, 3) {
                0 => json!({ "mass_spring": { "stiffness": modulus } }),
                _ => law(random, modulus),
            };
            (json!("deformable"), meshed(random, radius, 1))
        }
        9..12 => (json!("rigid"), meshed(random, radius, 1)),
        12..15 => (json!("rigid"), outlined(random, radius)),
        15..17 => (json!({ "affine": {} }), meshed(random, radius, 1)),
        reduced => {
            let modulus = modulus(random, density, radius);
            material["law"] = law(random, modulus);
            spins = reduced == 17;
            let kind = if spins {
                json!({ "polynomial": { "order": 2 } })
            } else {
                json!({ "modal": { "modes": random.whole(6, 12) } })
            };
            (kind, meshed(random, radius, 3))
        }
    };

    // Motion at the start.
    let speed = random.between(0.0, 3.0);
    let (sin, cos) = random.between(0.0, TAU).sin_cos();
    let spin = random.one(&[0.0, 0.0, 1.0]) * random.between(-360.0, 360.0);
    let body = json!({
        "name": format!("b{number}"),
        "kind": kind,
        "shape": shape,
        "material": format!("m{number}"),
        "rotation_deg": short(random.between(0.0, 360.0)),
        "velocity": [short(speed * cos), short(speed * sin)],
        "spin_deg": if spins { short(spin) } else { 0.0 },
    });
    Loose {
        body,
        material,
        radius,
    }
}

/// Puts bodies on shelves between `left` and `right` above `bottom`, and returns the height of the
/// top (m). Circles stay a tenth of their radius apart.
fn shelve(bodies: &mut [Loose], left: f64, right: f64, bottom: f64) -> f64 {
    let (mut x, mut shelf, mut top) = (left, bottom, bottom);
    for Loose { body, radius, .. } in bodies {
        let room = 2.2 * *radius;
        if x + room > right && x > left {
            (x, shelf) = (left, top);
        }
        body["position"] = json!([short(x + 0.5 * room), short(shelf + 0.5 * room)]);
        x += room;
        top = f64::max(top, shelf + room);
    }
    top + 0.05
}

/// Half-plane through a point, free in the direction of an angle (rad).
fn wall(name: &str, at: [f64; 2], angle: f64) -> Value {
    let (sin, cos) = angle.sin_cos();
    json!({ "name": name, "shape": { "half_plane": {
        "normal": [short(cos), short(sin)],
        "origin": at.map(short),
    } } })
}

/// Sizes of a crowd, by which its surroundings are made (m).
struct Crowd {
    /// Radius of the largest body.
    largest: f64,
    /// Area of all circles (m^2).
    area: f64,
    /// Half of the width of a pit.
    half: f64,
}

impl Crowd {
    fn of(bodies: &[Loose]) -> Self {
        let largest = bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
        let area: f64 = bodies
            .iter()
            .map(|body| PI * body.radius * body.radius)
            .sum();
        Self {
            largest,
            area,
            half: short(f64::max(2.5 * largest, 0.7 * area.sqrt())),
        }
    }
}

/// Floor at the height 0.
fn floor() -> Value {
    wall("floor", [0.0, 0.0], 0.5 * PI)
}

/// Walls on both sides, at this distance from the middle (m).
fn sides(half: f64) -> [Value; 2] {
    [
        wall("left", [-half, 0.0], 0.0),
        wall("right", [half, 0.0], PI),
    ]
}

/// A floor that falls to the right, where a wall stops what slides.
fn slope(random: &mut Random, bodies: &mut [Loose], crowd: &Crowd) -> Vec<Value> {
    let half = crowd.half;
    let tilt = random.between(0.1, 0.6);
    shelve(bodies, -half, half, 0.05 + half * tilt.tan());
    let slope = wall("slope", [0.0, 0.0], 0.5 * PI - tilt);
    let stop = wall("stop", [3.0 * half, 0.0], PI - tilt);
    vec![slope, stop]
}

/// Two slopes towards each other.
fn wedge(random: &mut Random, bodies: &mut [Loose], crowd: &Crowd) -> Vec<Value> {
    let half = crowd.half;
    let tilt = random.between(0.3, 0.8);
    shelve(bodies, -half, half, 0.05 + half * tilt.tan());
    let left = wall("left", [0.0, 0.0], 0.5 * PI - tilt);
    let right = wall("right", [0.0, 0.0], 0.5 * PI + tilt);
    vec![left, right]
}

/// A hexagon that turns around the bodies. Shelves fit into the square inside it.
fn cage(random: &mut Random, bodies: &mut [Loose], crowd: &Crowd) -> Vec<Value> {
    let mut side = 2.0 * crowd.half;
    while shelve(bodies, -0.5 * side, 0.5 * side, -0.5 * side) > 0.5 * side {
        side *= 1.1;
    }
    let corner = |i: usize| {
        let (sin, cos) = (TAU * i as f64 / 6.0).sin_cos();
        [short(0.9 * side * cos), short(0.9 * side * sin)]
    };
    let corners: Vec<[f64; 2]> = (0..6).map(corner).collect();
    vec![json!({
        "name": "cage",
        "shape": { "polyline": { "points": corners, "closed": true } },
        "spin_deg": short(random.between(-90.0, 90.0)),
    })]
}

/// A pit whose lid comes down, and stops where circles would fill less than half of the room.
fn piston(random: &mut Random, bodies: &mut [Loose], crowd: &Crowd) -> Vec<Value> {
    let &Crowd {
        largest,
        area,
        half,
    } = crowd;
    let top = shelve(bodies, -half, half, 0.05);
    let last = f64::max(2.5 * largest, 1.1 * area / half);
    let mut piston = wall("piston", [0.0, top + 0.05], -0.5 * PI);
    piston["velocity"] = json!([0.0, short(-random.between(0.3, 2.0))]);
    piston["travel"] = json!(short(f64::max(0.0, top - last)));
    let [left, right] = sides(half);
    vec![floor(), left, right, piston]
}

/// A pit with a turning bar. The largest body passes between the bar and each wall.
fn paddle(random: &mut Random, bodies: &mut [Loose], crowd: &Crowd) -> Vec<Value> {
    let &Crowd { largest, half, .. } = crowd;
    let reach = half - 2.4 * largest + 0.5 * half;
    let middle = reach + 2.4 * largest;
    shelve(bodies, -half, half, middle + reach + 0.05);
    let paddle = json!({
        "name": "paddle",
        "shape": { "rectangle": {
            "size": [short(2.0 * reach), short(0.1 * reach)],
            "segments": [1, 1],
        } },
        "position": [0.0, short(middle)],
        "spin_deg": short(random.between(-270.0, 270.0)),
    });
    let [left, right] = sides(1.01 * middle);
    vec![floor(), left, right, paddle]
}

/// Puts the bodies into one of six surroundings and returns its name and obstacles.
fn surround(random: &mut Random, bodies: &mut [Loose]) -> (&'static str, Vec<Value>) {
    let crowd = &Crowd::of(bodies);
    match random.whole(0, 5) {
        0 => {
            shelve(bodies, -crowd.half, crowd.half, 0.05);
            let [left, right] = sides(crowd.half);
            ("pit", vec![floor(), left, right])
        }
        1 => ("slope", slope(random, bodies, crowd)),
        2 => ("wedge", wedge(random, bodies, crowd)),
        3 => ("cage", cage(random, bodies, crowd)),
        4 => ("piston", piston(random, bodies, crowd)),
        _ => ("paddle", paddle(random, bodies, crowd)),
    }
}

/// The scene of a seed.
pub(crate) fn scene(seed: u64) -> Value {
    let mut random = Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
    let count = random.whole(5, 30);
    let mut bodies: Vec<Loose> = (0..count).map(|i| loose(&mut random, i)).collect();
    let (name, obstacles) = surround(&mut random, &mut bodies);

    let materials = bodies
        .iter_mut()
        .enumerate()
        .map(|(i, body)| (format!("m{i}"), body.material.take()));
    let materials: serde_json::Map<String, Value> = materials.collect();
    json!({
        "name": format!("{name} {seed}"),
        "time": { "step": short(random.over(0.003, 0.03)), "steps": 150 },
        "materials": materials,
        "bodies": bodies.into_iter().map(|body| body.body).collect::<Vec<_>>(),
        "obstacles": obstacles,
        "contact": { "friction": { "default": random.one(&[0.0, 0.1, 0.3, 0.5, 0.8]) } },
    })
}
