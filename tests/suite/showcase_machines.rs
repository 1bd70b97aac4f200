//! Machines of the showcase, whose motion and forces follow from closed forms.

use crate::showcase::{advance, bodies, body, center, points, show};
use crate::support::{near, near_ratio, scene};
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use serde_json::Value;
use std::f64::consts::PI;

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;

/// A scene of the showcase as it is written.
fn text(name: &str) -> Value {
    let file = format!("scenes/showcase/{name}.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The settings of the joint of some kind with a name.
fn joint<'a>(scene: &'a Value, kind: &str, name: &str) -> &'a Value {
    let joints = scene["joints"].as_array().unwrap().iter();
    let mut named = joints.filter_map(|joint| joint.get(kind));
    named.find(|joint| joint["name"] == name).unwrap()
}

/// Numbers of a list.
fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().unwrap().iter();
    list.map(|number| number.as_f64().unwrap()).collect()
}

/// Value of a table in time, linear between its rows.
fn at(table: &Value, time: f64) -> f64 {
    let [times, values] = ["times", "values"].map(|key| numbers(&table[key]));
    let next = times.partition_point(|&t| t < time);
    if next == 0 || next == times.len() {
        return values[next.min(times.len() - 1)];
    }

    let share = (time - times[next - 1]) / (times[next] - times[next - 1]);
    values[next - 1] + share * (values[next] - values[next - 1])
}

/// Angle between the sides `a` and `b` of a triangle whose third side is `c` (rad).
fn corner(a: f64, b: f64, c: f64) -> f64 {
    ((a * a + b * b - c * c) / (2.0 * a * b)).acos()
}

/// Point at a distance (m) in a direction (rad).
fn polar(distance: f64, angle: f64) -> Vec2 {
    Vec2::new(angle.cos(), angle.sin()) * distance
}

/// Length that the motor of a cylinder gives it at a time (m): the distance of its ends at the start,
/// and what the table of the scene adds.
fn length(scene: &Value, name: &str, start: f64, time: f64) -> f64 {
    let stroke = joint(scene, "slider", &format!("{name} stroke"));
    start + at(&stroke["motor"]["place"], time)
}

/// Where the teeth of the excavator's bucket are at a time (m), by three triangles with a cylinder each.
///
/// A cylinder of the length `l` between arms `a` and `b` has the angle `acos((a^2 + b^2 - l^2) / 2ab)`
/// opposite. The boom is 2.6 m long and the stick 1.5 m; teeth are 0.75 m from the wrist.
fn teeth(scene: &Value, lengths: [f64; 3], time: f64) -> Vec2 {
    let names = ["boom", "stick", "bucket"];
    let [boom, stick, bucket] = [0, 1, 2].map(|k| length(scene, names[k], lengths[k], time));

    // The foot of the first cylinder is at (0.35, -0.5) from that of the boom.
    let foot = Vec2::new(0.35, -0.5);
    let raised = corner(foot.norm(), 1.15, boom) + foot.y.atan2(foot.x) + 8_f64.to_radians();
    let reached = raised - corner(1.3, 0.45, stick);
    let curled = reached + PI - corner(1.0, 0.28, bucket) - 135_f64.to_radians();

    Vec2::new(0.0, 1.0) + polar(2.6, raised) + polar(1.5, reached) + polar(0.75, curled)
}

/// Lengths of the three cylinders at the start (m): from hinge to hinge.
fn cylinders(scene: &Value) -> [f64; 3] {
    ["boom", "stick", "bucket"].map(|name| {
        let joints = scene["joints"].as_array().unwrap().iter();
        let ends: Vec<Vec2> = joints
            .filter_map(|joint| joint.get("hinge"))
            .filter(|hinge| {
                let parts = ["cylinder", "piston"].map(|part| format!("{name} {part}"));
                let bodies = hinge["bodies"].as_array().unwrap();
                bodies
                    .iter()
                    .any(|body| parts.iter().any(|part| body == part))
            })
            .map(|hinge| Vec2::from_vec(numbers(&hinge["at"])))
            .collect();
        (ends[1] - ends[0]).norm()
    })
}

#[test]
fn the_excavator_moves_as_its_cylinders_say_and_takes_a_bucket_of_stones() {
    let scene = text("excavator");
    let start = cylinders(&scene);
    let mut run = show("excavator", &[]);
    let bucket = body(&run, "bucket");
    let stones = bodies(&run, "stone");
    let mut worst = 0.0_f64;
    let mut lifted = 0;

    for step in 1..=900 {
        if step % 60 == 0 {
            advance(&mut run, 1);
        } else {
            run.step();
        }
        let expected = teeth(&scene, start, 0.01 * f64::from(step));
        worst = worst.max((points(&run, bucket)[6] - expected).norm());
        if step == 540 {
            lifted = stones.iter().filter(|&&k| center(&run, k).y > 0.6).count();
        }
    }

    // The scene has nine decimals, and twelve hinges and guides in a row are closed to 1e-10 of a body each.
    assert!(worst < 5e-8, "{worst} m");

    // Struck off at its mouth, the bucket holds 0.231 m^2: at a loose packing of 0.8 that is 16 stones.
    let struck = 0.231 * 0.8 / (PI * 0.06 * 0.06);
    let lifted = lifted as f64;
    assert!(
        (0.8 * struck..2.0 * struck).contains(&lifted),
        "{lifted} of {struck}"
    );
    let [left, right] = [2.98, 4.45];
    let kept = |&&k: &&usize| (left..right).contains(&center(&run, k).x) && center(&run, k).y > 0.1;
    let kept = stones.iter().filter(kept).count() as f64;
    assert!(kept >= 0.5 * struck, "{kept} of {struck}");
}

/// Tensions of the ropes of the tower from the ground up, left and right (N), while a force pushes its top
/// to the right and no rope is slack.
///
/// By the force densities of a cell: its two struts press with `C` along their length `D = 1 m`, so that
/// a cord holds the horizontal parts `C w / D` of the struts that end at it, and ropes hold the vertical
/// ones, `C h / D`, less the weight above. A push `F` adds `F D / w` to the struts that lean against it
/// and its moment about a node to the rope on the other side.
fn tensions(push: f64) -> [[f64; 2]; 3] {
    let [width, height] = [0.6, 0.8];
    let weight = 600.0 * 1.02 * 0.03 * GRAVITY;

    // Cords of 10 kN/m in the top and 20 kN/m below are stretched by 0.15 m: each strut has 2500 N.
    let strut = 10_000.0 * 0.15 / width;
    let moments = [[3.0, -2.0], [1.0, -2.0], [1.0, 0.0]];
    [0, 1, 2].map(|cell| {
        let above = (2.5 - cell as f64) * weight;
        moments[cell].map(|moment| strut * height - above + moment * push * height / width)
    })
}

#[test]
fn the_tower_has_the_forces_of_its_cords_bends_where_a_rope_is_slack_and_returns() {
    let mut simulation = Simulation::new(scene("showcase/tensegrity", &[])).unwrap();
    let start = simulation.state().x.clone();
    let moved = |simulation: &Simulation| {
        let x = simulation.state().x.iter().zip(&start);
        x.map(|(x, start)| (x - start).norm()).fold(0.0, f64::max)
    };

    // It stands, and stands against a push that leaves all ropes taut. Forces are those of an
    // imbalance of 1e-8 m/s: 2e-5 N.
    for (steps, push) in [(40, 0.0), (70, 500.0)] {
        simulation.run(steps).unwrap();
        let ropes = simulation.joints().skip(6).take(6);
        let expected = tensions(push).into_iter().flatten();
        for (rope, expected) in ropes.zip(expected) {
            let force = rope.force.norm();
            near(force, expected, 1e-4);
        }
        assert!(moved(&simulation) < 1e-8, "{}", moved(&simulation));
    }

    // The lowest rope on the right is slack from 581 N on.
    let least = tensions(1.0)[0][1] - tensions(0.0)[0][1];
    let limit = -tensions(0.0)[0][1] / least;
    assert!((500.0..850.0).contains(&limit), "{limit}");
    simulation.run(85).unwrap();
    assert!(moved(&simulation) > 0.1, "{}", moved(&simulation));
    assert_eq!(simulation.joints().nth(7).unwrap().force.norm(), 0.0);

    simulation.run(205).unwrap();
    assert!(moved(&simulation) < 1e-8, "{}", moved(&simulation));
}

/// Height of the platform of the lift (m), and force of its cylinder at rest (N), by the length of the
/// cylinder.
///
/// The arms of 2 m cross in their middles, from which the cylinder goes to a place 0.5 m from the foot:
/// with the angle `a` of the arms its length is `l^2 = 1 + 0.5^2 - cos a`, and the platform is at
/// `2 sin a`. Work `F dl = (W + W_a / 2) dh` of platform and crates, `W`, and of the arms, `W_a`, which
/// rise by half as much: `F = (W + W_a / 2) 2 cos a l / (0.5 sin a)`.
fn lifted(length: f64) -> [f64; 2] {
    let cos = 1.25 - length * length;
    let sin = (1.0 - cos * cos).sqrt();
    let [steel, wood] = [800.0, 300.0];
    let carried = steel * 2.2 * 0.1 + wood * (0.6 * 0.6 + 0.4 * 0.4);
    let arms = 2.0 * steel * 2.0 * 0.08;
    let weight = GRAVITY * (carried + 0.5 * arms);
    [2.0 * sin, weight * 2.0 * cos * length / (0.5 * sin)]
}

#[test]
fn the_lift_rises_as_its_cylinder_says_and_holds_its_crates_by_virtual_work() {
    let mut simulation = Simulation::new(scene("showcase/lift", &[])).unwrap();
    let text = text("lift");
    let ends = &joint(&text, "cylinder", "ram")["ends"];
    let [from, to] = [0, 1].map(|k| numbers(&ends[k]));
    let start = (to[0] - from[0]).hypot(to[1] - from[1]);
    let place = &joint(&text, "cylinder", "ram")["motor"]["place"];

    let mut worst = 0.0_f64;
    for step in 1..=450 {
        simulation.step().unwrap();
        let length = start + at(place, 0.01 * f64::from(step));
        let platform = simulation.body("platform").unwrap();
        worst = worst.max((platform.centre().y - lifted(length)[0]).abs());
        assert!(platform.angle().unwrap().abs() < 1e-8);
    }

    // The scene has nine decimals.
    assert!(worst < 2e-8, "{worst} m");
    let [_, expected] = lifted(start + at(place, 4.5));
    let found = simulation.joints().last().unwrap().force.norm();
    near_ratio(found, expected, 1e-5);

    // Both crates are where they were on the platform.
    let height = simulation.body("platform").unwrap().centre().y + 0.05;
    for (name, x, half) in [("large crate", 0.6, 0.3), ("small crate", 1.4, 0.2)] {
        let crate_ = simulation.body(name).unwrap().centre();
        let gap = crate_.y - half - height;
        assert!(
            (crate_.x - x).abs() < 1e-3 && (0.0..1.2e-3).contains(&gap),
            "{name}: {crate_}"
        );
    }
}

/// Part of the catapult's beam: mass (kg), place on the beam (m), moment of inertia about itself (kg m^2).
struct Part {
    mass: f64,
    place: Vec2,
    inertia: f64,
}

/// Rectangle of the beam, of a density of 300 kg/m^3.
fn plank(width: f64, height: f64, place: [f64; 2]) -> Part {
    let mass = 300.0 * width * height;
    let inertia = mass * (width * width + height * height) / 12.0;
    Part {
        mass,
        place: place.into(),
        inertia,
    }
}

/// Place (m) and velocity (m/s) at which the ball of the catapult leaves, by the balance of energy.
///
/// Beam, weight and ball turn about the axle at (0, 1.5) by 80 degrees, from 215 to 135, with
/// `1/2 w^2 sum of (I + m r^2) = g sum of m (y_0 - y)`. The weight is welded to the beam, and without
/// friction the ball does not spin.
fn launch() -> [Vec2; 2] {
    let disk = |density: f64, radius: f64| density * PI * radius * radius;
    let [weight, ball] = [disk(2500.0, 0.25), disk(320.0, 0.1)];
    let parts = [
        plank(2.5, 0.08, [0.75, 0.0]),
        plank(0.05, 0.2, [1.975, -0.14]),
        Part {
            mass: weight,
            place: Vec2::new(-0.5, 0.0),
            inertia: 0.5 * weight * 0.25 * 0.25,
        },
        Part {
            mass: ball,
            place: Vec2::new(1.85, -0.14),
            inertia: 0.0,
        },
    ];

    let placed = |part: &Part, degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let [x, y] = [part.place.x, part.place.y];
        Vec2::new(x * cos - y * sin, x * sin + y * cos)
    };
    let fall = |part: &Part| placed(part, 215.0).y - placed(part, 135.0).y;
    let work: f64 = parts
        .iter()
        .map(|part| part.mass * GRAVITY * fall(part))
        .sum();
    let inertia = |part: &Part| part.inertia + part.mass * part.place.norm_squared();
    let spin = (2.0 * work / parts.iter().map(inertia).sum::<f64>()).sqrt();

    // It turns clockwise.
    let arm = placed(&parts[3], 135.0);
    [Vec2::new(0.0, 1.5) + arm, Vec2::new(arm.y, -arm.x) * spin]
}

#[test]
fn the_catapult_throws_its_ball_as_far_as_the_fall_of_its_weight_says() {
    let [place, velocity] = launch();
    let mut run = show("catapult", &[]);
    let ball = body(&run, "ball");
    let mut highest = 0.0_f64;
    let mut before = center(&run, ball);
    let landing = loop {
        run.steps(1);
        let now = center(&run, ball);
        highest = highest.max(now.y);
        if now.y < 0.15 && now.x > 0.0 {
            break before;
        }
        before = now;
    };
    advance(&mut run, 1);

    // A parabola from there, down to the height at which the ball was last seen in the air.
    let apex = place.y + velocity.y * velocity.y / (2.0 * GRAVITY);
    let time = (velocity.y + (2.0 * GRAVITY * (apex - landing.y)).sqrt()) / GRAVITY;
    let reach = place.x + velocity.x * time;
    near_ratio(highest, apex, 0.01);
    near_ratio(landing.x, reach, 0.015);
}
