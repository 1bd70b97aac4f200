//! Gears on carriers that turn: planetary trains and differentials.

use crate::support::{Run, assert_resumable, inline, near, near_ratio, rectangle};
use ipcsim::forces;
use ipcsim::scene::{Scene, build};
use serde_json::{Value, json};
use std::f64::consts::{PI, TAU};

/// Radii of sun, planet and ring (m).
const RADII: [f64; 3] = [0.1, 0.05, 0.2];

/// Number of the sun.
const SUN: usize = 0;

/// Number of the planet.
const PLANET: usize = 1;

/// Number of the ring.
const RING: usize = 2;

/// Number of the arm.
const ARM: usize = 3;

/// All integrators in time.
const SCHEMES: [&str; 4] = ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"];

/// A body of 1000 kg/m^3 in the group of the train.
#[expect(
    clippy::needless_pass_by_value,
    reason = "scenes in tests are read more easily so"
)]
fn part(name: &str, shape: Value, position: [f64; 2]) -> Value {
    json!({ "name": name, "kind": "rigid", "shape": shape, "material": "stone", "position": position, "group": "train" })
}

/// A scene of a train on a frame, with these hinges on the frame at the origin besides its own joints.
fn scene(bodies: &[Value], hinges: &[(&str, Value)], joints: &[Value], time: &Value) -> Scene {
    let mut all: Vec<Value> = Vec::new();
    for (name, more) in hinges {
        let mut hinge = json!({ "bodies": ["frame", name], "at": [0.0, 0.0] });
        hinge
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        all.push(json!({ "hinge": hinge }));
    }
    all.extend(joints.iter().cloned());
    inline(json!({
        "time": time,
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": bodies,
        "obstacles": [{ "name": "frame", "shape": { "circle": { "radius": 0.01 } }, "group": "train" }],
        "joints": all,
        "solver": { "tolerance": 1e-8 },
    }))
}

/// A sun, a planet and a ring, with an arm that holds the planet; `hinges` are on the frame.
fn train(hinges: &[(&str, Value)], time: &Value) -> Scene {
    let [sun, planet, ring] = RADII;
    let centre = sun + planet;
    let bodies = [
        part("sun", json!({ "circle": { "radius": sun } }), [0.0, 0.0]),
        part(
            "planet",
            json!({ "circle": { "radius": planet } }),
            [centre, 0.0],
        ),
        part(
            "ring",
            json!({ "ring": { "radius": 0.22, "inner_radius": ring, "segments": 64 } }),
            [0.0, 0.0],
        ),
        part("arm", rectangle(centre, 0.02), [0.5 * centre, 0.0]),
    ];
    let joints = [
        json!({ "hinge": { "bodies": ["arm", "planet"], "at": [centre, 0.0] } }),
        json!({ "gear": { "bodies": ["sun", "planet"], "ratio": -planet / sun, "name": "outer" } }),
        json!({ "gear": { "bodies": ["planet", "ring"], "ratio": ring / planet } }),
    ];
    scene(&bodies, hinges, &joints, time)
}

/// Largest error of Willis' equations of both pairs in a run (rad), after all its steps, and how often
/// the `driven` body has turned.
fn errors(scene: &Scene, driven: usize) -> [f64; 2] {
    let mut run = Run::of(scene);
    let mut worst = 0.0_f64;
    for _ in 0..scene.time.steps {
        run.step();
        let carrier = run.angle(ARM);
        let [sun, planet, ring] = [SUN, PLANET, RING].map(|body| run.angle(body) - carrier);
        let [of_sun, of_planet, of_ring] = RADII;
        worst = worst.max((sun * of_sun + planet * of_planet).abs() / of_planet);
        worst = worst.max((planet * of_planet - ring * of_ring).abs() / of_planet);
    }
    [worst, run.angle(driven) / TAU]
}

#[test]
fn planetary_trains_turn_by_willis_equation_whatever_drives_and_whatever_is_held() {
    let motor = json!({ "motor": { "speed_deg": 360.0, "torque": 1e4 } });
    let held = json!({ "brake": 1e4 });
    let free = json!({});
    for scheme in SCHEMES {
        let time = json!({ "step": 0.01, "steps": 100, "integrator": scheme });
        for [sun, ring, arm] in [
            [&motor, &held, &free],
            [&held, &motor, &free],
            [&free, &held, &motor],
            [&held, &free, &motor],
            [&motor, &free, &held],
            [&free, &motor, &held],
        ] {
            let hinges = [
                ("sun", sun.clone()),
                ("ring", ring.clone()),
                ("arm", arm.clone()),
            ];
            let [error, _] = errors(&train(&hinges, &time), SUN);
            assert!(error < 1e-9, "{scheme} {hinges:?}: {error:e}");
        }
    }
}

#[test]
fn a_train_does_not_drift_in_a_hundred_turns_of_its_arm() {
    for scheme in SCHEMES {
        let time = json!({ "step": 0.005, "steps": 2000, "integrator": scheme });
        let motor = json!({ "motor": { "speed_deg": 3600.0, "torque": 1e5 } });
        let hinges = [
            ("sun", json!({ "brake": 1e5 })),
            ("ring", json!({})),
            ("arm", motor),
        ];
        let [error, turns] = errors(&train(&hinges, &time), ARM);
        assert!(
            error < 1e-8 && (turns - 100.0).abs() < 0.1,
            "{scheme}: {error:e}, {turns}"
        );
    }
}

#[test]
fn a_torque_accelerates_a_train_by_the_energy_of_all_its_parts() {
    let [of_sun, of_planet, _] = RADII;
    let centre = of_sun + of_planet;
    let time = json!({ "step": 1e-3, "steps": 10, "integrator": "trapezoid" });
    let hinges = [
        ("sun", json!({})),
        ("ring", json!({ "brake": 1e5 })),
        ("arm", json!({})),
    ];
    let mut scene = train(&hinges, &time);
    scene.gravity = [0.0, 0.0];
    scene.bodies[SUN].torque = 3.0;
    let mut run = Run::of(&scene);
    // Nothing has turned by more than a milliradian then.
    run.steps(10);

    // With the ring held the arm turns at a third of the sun, and the planet back at the sun's speed.
    let disk = |radius: f64| 0.5 * 1000.0 * PI * radius.powi(4);
    let bar = 1000.0 * centre * 0.02;
    let arm = bar * ((centre * centre + 4e-4) / 12.0 + centre * centre / 4.0);
    let orbit = 1000.0 * PI * of_planet * of_planet * centre * centre;
    let inertia = disk(of_sun) + disk(of_planet) + (arm + orbit) / 9.0;
    near_ratio(run.spin(SUN), 3.0 * 0.01 / inertia, 1e-5);
    near_ratio(run.spin(ARM), run.spin(SUN) / 3.0, 1e-5);

    // Teeth push at the pitch point: a torque on the sun, and the same force on its axle.
    let of_gear = &forces::joints(run.world(), run.state())[4];
    let torque = 3.0 - disk(of_sun) * 3.0 / inertia;
    near_ratio(of_gear.moment.unwrap().moment.abs(), torque, 1e-4);
    near_ratio(of_gear.force.norm(), torque / of_sun, 1e-4);
}

#[test]
fn wheels_of_a_differential_turn_at_the_mean_of_the_cage() {
    // Two suns on one axle, and two planets that mesh with one of them and with each other.
    let planets = [[0.2, 0.0], [0.1, 0.03_f64.sqrt()]];
    let wheel = |name: &str, at: [f64; 2]| part(name, json!({ "circle": { "radius": 0.1 } }), at);
    let bodies = [
        wheel("left", [0.0, 0.0]),
        wheel("right", [0.0, 0.0]),
        part("cage", rectangle(0.3, 0.02), [0.0, 0.0]),
        wheel("p", planets[0]),
        wheel("q", planets[1]),
    ];
    let gear = |a: &str, b: &str| json!({ "gear": { "bodies": [a, b], "ratio": -1.0 } });
    let joints = [
        json!({ "hinge": { "bodies": ["cage", "p"], "at": planets[0] } }),
        json!({ "hinge": { "bodies": ["cage", "q"], "at": planets[1] } }),
        gear("left", "p"),
        gear("p", "q"),
        gear("q", "right"),
    ];
    let time = json!({ "step": 0.01, "steps": 100, "integrator": "bdf2" });
    let motor = json!({ "motor": { "speed_deg": 360.0, "torque": 1e4 } });
    for brake in [1e-9, 0.5, 1e4] {
        let hinges = [
            ("left", json!({ "brake": brake })),
            ("right", json!({})),
            ("cage", motor.clone()),
        ];
        let mut run = Run::of(&scene(&bodies, &hinges, &joints, &time));
        run.steps(100);
        near(run.angle(0) + run.angle(1), 2.0 * run.angle(2), 1e-9);
        near(run.angle(2), TAU, 0.01);
        if brake > 1.0 {
            near(run.angle(0), 0.0, 1e-6);
        }
    }
}

#[test]
fn an_arm_that_a_script_turns_carries_a_planet_around_an_obstacle() {
    let planet = part(
        "planet",
        json!({ "circle": { "radius": 0.05 } }),
        [0.15, 0.0],
    );
    let obstacle = |name: &str, more: Value| {
        let mut own =
            json!({ "name": name, "shape": { "circle": { "radius": 0.1 } }, "group": "train" });
        own.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        own
    };
    let scene = inline(json!({
        "time": { "step": 0.01, "steps": 100 },
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": [planet],
        "obstacles": [obstacle("sun", json!({})), obstacle("arm", json!({ "spin_deg": 90.0 }))],
        "joints": [
            { "hinge": { "bodies": ["arm", "planet"], "at": [0.15, 0.0] } },
            { "gear": { "bodies": ["planet", "sun"], "ratio": -2.0 } }
        ],
    }));
    let mut run = Run::of(&scene);
    run.steps(100);
    near(run.angle(0).to_degrees(), 270.0, 1e-6);
}

#[test]
fn a_train_goes_on_where_it_was_stored() {
    let time = json!({ "step": 0.01, "steps": 60, "integrator": "bdf2" });
    let motor = json!({ "motor": { "speed_deg": 1800.0, "torque": 1e4 } });
    let hinges = [
        ("sun", motor),
        ("ring", json!({ "brake": 1e4 })),
        ("arm", json!({})),
    ];
    assert_resumable(&train(&hinges, &time), 60, |_, _| {});
}

/// The message about a train whose first pair of gears has other keys, or whose joints change.
fn refusal(change: impl Fn(&mut Vec<Value>)) -> String {
    let time = json!({ "step": 0.01, "steps": 1 });
    let free = || json!({});
    let hinges = [("sun", free()), ("ring", free()), ("arm", free())];
    let mut scene = serde_json::to_value(train(&hinges, &time)).unwrap();
    change(scene["joints"].as_array_mut().unwrap());
    build(inline(scene)).map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn gears_without_a_line_of_centres_are_refused_with_the_reason() {
    let named = |carrier: &str| refusal(|joints| joints[4]["gear"]["carrier"] = json!(carrier));
    assert_eq!(named("arm"), "");
    assert!(
        named("army").contains("did you mean \"arm\""),
        "{}",
        named("army")
    );
    assert!(named("planet").contains("one of the gears"));
    assert!(named("ring").contains("\"ring\" does not hold \"planet\""));

    // The arm no longer holds the planet: another bar does, which turns about another place.
    let apart = refusal(|joints| {
        joints[3] = json!({ "hinge": { "bodies": ["ring", "planet"], "at": [0.15, 0.0] } });
        joints[2] = json!({ "hinge": { "bodies": ["frame", "arm"], "at": [0.02, 0.0] } });
        joints[1] = json!({ "hinge": { "bodies": ["arm", "ring"], "at": [0.05, 0.0] } });
    });
    assert!(apart.contains("axles on different parts"), "{apart}");

    // Sun and ring turn about one place of the arm, which tells the angle itself.
    let one = refusal(|joints| {
        joints[4] =
            json!({ "gear": { "bodies": ["sun", "ring"], "ratio": -2.0, "carrier": "arm" } });
    });
    assert_eq!(one, "");
}

/// Two gears about one axle at the end of an arm, which a hinge holds at the origin or nothing does, and
/// which turns with the first gear.
fn on_one_axle(ratio: f64, is_held: bool, time: &Value) -> Scene {
    let circle = |radius: f64| json!({ "circle": { "radius": radius } });
    let bodies = [
        part("arm", rectangle(0.3, 0.02), [0.15, 0.0]),
        part("first", circle(0.05), [0.3, 0.0]),
        part("second", circle(0.08), [0.3, 0.0]),
    ];
    let motor = json!({ "motor": { "speed_deg": 90.0, "torque": 1e5 } });
    let hinges = [("arm", motor)];

    // A weak motor between arm and first gear, and the second only follows.
    let own = json!({ "speed_deg": 360.0, "torque": 20.0 });
    let joints = [
        json!({ "hinge": { "bodies": ["arm", "first"], "at": [0.3, 0.0], "motor": own } }),
        json!({ "hinge": { "bodies": ["arm", "second"], "at": [0.3, 0.0] } }),
        json!({ "gear": { "bodies": ["first", "second"], "ratio": ratio } }),
    ];
    let mut scene = scene(&bodies, if is_held { &hinges } else { &[] }, &joints, time);
    scene.gravity = [0.0; 2];
    scene.output.ledger = true;
    scene
}

#[test]
fn gears_about_one_axle_of_a_turning_carrier_keep_their_ratio_against_it() {
    for scheme in SCHEMES {
        let time = json!({ "step": 0.01, "steps": 200, "integrator": scheme });
        for ratio in [-2.5, 0.4] {
            for is_held in [true, false] {
                let mut run = Run::of(&on_one_axle(ratio, is_held, &time));
                let mut worst = 0.0_f64;
                let mut last = None;

                // Willis' equation in all steps.
                for _ in 0..200 {
                    last = run.step().record.ledger;
                    let [arm, first, second] = [0, 1, 2].map(|body| run.angle(body));
                    worst = worst.max((first - arm - ratio * (second - arm)).abs());
                }
                assert!(worst < 1e-9, "{scheme}, {ratio}: {worst:e}");

                // The carrier feels the reaction of both: a train that nothing holds keeps its spin of 0 up to the
                // errors of joints, which fall by 4 with half the step by bdf2 and by 2 by the others.
                let spin = last.unwrap().angular_momentum;
                let is_exact = is_held || scheme != "bdf2" || spin.abs() < 2e-3;
                assert!(is_exact, "{scheme}, {ratio}: {spin:e}");
            }
        }
    }
}
