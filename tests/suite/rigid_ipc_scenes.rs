//! Scenes in rigid-ipc's format, of any size.

use serde_json::{Value, json};
use std::f64::consts::PI;

/// Vertices of a body (m).
type Points = Vec<[f64; 2]>;

/// A scene that runs for `steps` steps of 0.01 s under the gravity (0, `gravity`).
pub(crate) fn scene(steps: usize, gravity: f64, bodies: &[Value]) -> Value {
    json!({
        "max_iterations": steps,
        "rigid_body_problem": { "gravity": [0, gravity], "rigid_bodies": bodies },
    })
}

/// Body with given edges and further keys.
fn body(vertices: &Points, edges: &[[usize; 2]], more: Value) -> Value {
    let mut body = json!({ "vertices": vertices, "edges": edges });
    let Value::Object(more) = more else {
        panic!("keys are expected")
    };
    body.as_object_mut().unwrap().extend(more);
    body
}

/// A body whose outline is closed.
fn closed(points: &Points, more: Value) -> Value {
    let edges: Vec<[usize; 2]> = (0..points.len())
        .map(|k| [k, (k + 1) % points.len()])
        .collect();
    body(points, &edges, more)
}

/// A body whose outline is open.
fn open(points: &Points, more: Value) -> Value {
    let edges: Vec<[usize; 2]> = (1..points.len()).map(|k| [k - 1, k]).collect();
    body(points, &edges, more)
}

/// Corners of a rectangle around the origin.
fn rectangle(width: f64, height: f64) -> Points {
    let x = width / 2.0;
    let y = height / 2.0;
    vec![[-x, -y], [x, -y], [x, y], [-x, y]]
}

/// Corners of a regular polygon around the origin.
fn polygon(sides: usize, radius: f64) -> Points {
    (0..sides)
        .map(|k| around(radius, 2.0 * PI * k as f64 / sides as f64))
        .collect()
}

/// Point at a distance from the origin and an angle (rad).
fn around(radius: f64, angle: f64) -> [f64; 2] {
    [radius * angle.cos(), radius * angle.sin()]
}

/// A level line from `-half` to `half`, which does not move.
fn floor(y: f64, half: f64) -> Value {
    open(&vec![[-half, y], [half, y]], json!({ "type": "static" }))
}

/// Unit squares on each other with gaps of 1e-3, each shifted by `shift` to the right of the one
/// below.
pub(crate) fn tower(blocks: usize, shift: f64) -> Value {
    let mut bodies = Vec::new();
    for k in 0..blocks {
        let place = [shift * k as f64, 0.5 + 1e-3 + 1.001 * k as f64];
        let keys = json!({ "position": place, "density": 100 });
        bodies.push(closed(&rectangle(1.0, 1.0), keys));
    }
    bodies.push(floor(0.0, 10.0));

    let mut tower = scene(100, -9.81, &bodies);
    tower["rigid_body_problem"]["coefficient_friction"] = json!(0.5);
    tower
}

/// Unit squares in rows of `rows`, `rows - 1`, ... 1.
pub(crate) fn pyramid(rows: usize) -> Value {
    let mut bodies = vec![floor(0.0, rows as f64 + 2.0)];
    for row in 0..rows {
        for k in 0..rows - row {
            let place = [
                1.1 * (k as f64 - (rows - row - 1) as f64 / 2.0),
                0.505 + 1.005 * row as f64,
            ];
            bodies.push(closed(&rectangle(1.0, 1.0), json!({ "position": place })));
        }
    }

    let mut pyramid = scene(50, -9.81, &bodies);
    pyramid["rigid_body_problem"]["coefficient_friction"] = json!(0.5);
    pyramid
}

/// A chain of open links along x: the bar at the head of each is behind the lips of the one before.
/// The first does not move.
pub(crate) fn chain(links: usize) -> Value {
    let points: Points = vec![
        [0.0, -0.2],
        [0.0, 0.0],
        [0.0, 0.2],
        [1.0, 0.0],
        [1.6, 0.1],
        [1.6, 0.4],
        [1.0, 0.4],
        [1.0, -0.4],
        [1.6, -0.4],
        [1.6, -0.1],
    ];
    let edges = [
        [0, 1],
        [1, 2],
        [1, 3],
        [4, 5],
        [5, 6],
        [6, 3],
        [3, 7],
        [7, 8],
        [8, 9],
    ];

    // Each link in the one before; the first is fixed.
    let mut bodies = Vec::new();
    for k in 0..links {
        let kind = if k == 0 { "static" } else { "dynamic" };
        let keys = json!({ "position": [1.3 * k as f64, 0], "type": kind, "density": 7 });
        bodies.push(body(&points, &edges, keys));
    }
    scene(60, -9.81, &bodies)
}

/// Discs of `sides` edges and radius 0.5, in a row with gaps of 1e-2. The first moves towards the
/// others at 1 m/s.
pub(crate) fn cradle(balls: usize, sides: usize) -> Value {
    let mut bodies = Vec::new();
    for k in 0..balls {
        let far = if k == 0 { -0.5 } else { 0.0 };
        let speed = if k == 0 { 1.0 } else { 0.0 };
        let more = json!({
            "position": [1.01 * k as f64 + far, 0], "linear_velocity": [speed, 0], "is_dof_fixed": [false, true, true],
        });
        bodies.push(closed(&polygon(sides, 0.5), more));
    }
    scene(150, 0.0, &bodies)
}

/// Plates 0.02 m thick, half a metre apart, and a square that falls on them at `speed` without
/// gravity.
pub(crate) fn plates(count: usize, speed: f64) -> Value {
    let mut bodies = Vec::new();
    for k in 0..count {
        let keys = json!({ "position": [0, 0.5 * (k + 1) as f64], "density": 10 });
        bodies.push(closed(&rectangle(10.0, 0.02), keys));
    }

    let more = json!({ "position": [0, 0.5 * count as f64 + 8.0], "rotation": 10, "linear_velocity": [0, -speed] });
    let room = closed(
        &rectangle(12.0, count as f64 + 40.0),
        json!({ "type": "static" }),
    );
    bodies.extend([closed(&rectangle(1.0, 1.0), more), room]);
    scene(50, 0.0, &bodies)
}

/// Two saws with a number of `teeth`, 1 m high. The upper one falls on the lower one, teeth between
/// teeth.
pub(crate) fn saws(teeth: usize) -> Value {
    let saw = |back: f64, more: Value| {
        let mut points: Points = (0..=2 * teeth)
            .map(|k| [0.5 * k as f64, (k % 2) as f64])
            .collect();
        points.extend([[teeth as f64, back], [0.0, back]]);
        closed(&points, more)
    };
    let falling = json!({ "position": [0, 0.05], "linear_velocity": [0, -1], "density": 1 });
    scene(
        100,
        -9.81,
        &[saw(-1.0, json!({ "type": "static" })), saw(2.0, falling)],
    )
}

/// A gear with `teeth` straight-sided teeth and pitch radius 1; one of them points to `phase`.
/// Teeth are a little narrower than gaps.
fn gear(teeth: usize, phase: f64, more: Value) -> Value {
    let pitch = 2.0 * PI / teeth as f64;

    // Pitches from the middle of a tooth, and distance from the pitch circle.
    let corners = [(-0.3, -0.16), (-0.14, 0.12), (0.14, 0.12), (0.3, -0.16)];
    let mut points = Vec::new();
    for k in 0..teeth {
        for (turn, reach) in corners {
            points.push(around(1.0 + reach, phase + pitch * (k as f64 + turn)));
        }
    }
    closed(&points, more)
}

/// Keys of a gear on a fixed axle, with a torque in N m, which files have in degrees.
fn axle(centre: [f64; 2], torque: f64) -> Value {
    json!({ "position": centre, "is_dof_fixed": [true, true, false], "density": 1, "torque": torque.to_degrees() })
}

/// Two gears in mesh, the first driven by a torque of 200 N m: they turn.
pub(crate) fn gears_that_turn(teeth: usize) -> Value {
    let half = PI / teeth as f64;
    scene(
        100,
        0.0,
        &[
            gear(teeth, 0.0, axle([0.0, 0.0], 200.0)),
            gear(teeth, PI - half, axle([2.0, 0.0], 0.0)),
        ],
    )
}

/// Three gears, each in mesh with both others, the first driven by a torque of 200 N m: they lock.
///
/// Gears whose centres are in direction `phi` of each other mesh where a tooth of one is at `phi`
/// as a gap of the other is at `phi + pi`; for angles `a` and `b` of teeth that is `a + b = 2 phi +
/// pi - half` up to whole pitches, and three such equations have a solution.
pub(crate) fn gears_that_lock(teeth: usize) -> Value {
    let half = PI / teeth as f64;
    let sum = |phi: f64| 2.0 * phi + PI - half;
    let [ab, bc, ca] = [sum(0.0), sum(2.0 * PI / 3.0), sum(4.0 * PI / 3.0)];
    let first = 0.5 * (ab - bc + ca);
    let phases = [first, ab - first, ca - first];
    let centres = [[0.0, 0.0], [2.0, 0.0], [1.0, 3.0_f64.sqrt()]];
    let gears = (0..3).map(|k| {
        gear(
            teeth,
            phases[k],
            axle(centres[k], if k == 0 { 200.0 } else { 0.0 }),
        )
    });
    scene(100, 0.0, &gears.collect::<Vec<_>>())
}

/// Every scene of this family, small, with its name.
pub(crate) fn small() -> Vec<(&'static str, Value)> {
    vec![
        ("tower", tower(4, 0.1)),
        ("pyramid", pyramid(3)),
        ("chain", chain(4)),
        ("cradle", cradle(5, 8)),
        ("plates", plates(3, 1e4)),
        ("saws", saws(10)),
        ("gears_that_turn", gears_that_turn(12)),
        ("gears_that_lock", gears_that_lock(12)),
    ]
}
