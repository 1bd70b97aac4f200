//! A body keeps its height and its momentum over seams, fits go in, and what happens there is proved, resumed and
//! accounted for.

use crate::program::{Place, ipcsim};
use crate::support::{Run, near, rectangle, rigid, stones};
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Speed of the box along the floor (m/s).
const SPEED: f64 = 3.0;

/// Two pieces of a floor whose tops are level, and a seam at the origin.
fn pieces(kind: &str) -> Value {
    let tile = |name: &str, x: f64| json!({ "name": name, "shape": rectangle(5.0, 0.5), "position": [x, -0.25] });
    let line = |name: &str, ends: [f64; 2]| json!({ "name": name, "shape": { "polyline": { "points": [[ends[0], 0.0], [ends[1], 0.0]] } } });
    match kind {
        "tiles" => json!([tile("a", -2.5), tile("b", 2.5)]),
        "overlapping tiles" => json!([tile("a", -2.4), tile("b", 2.5)]),
        "lines" => json!([line("a", [-5.0, 0.0]), line("b", [0.0, 5.0])]),
        "tiles in motion" => {
            let mut both = [tile("a", -2.5), tile("b", 2.5)];
            for tile in &mut both {
                tile["velocity"] = json!([0.05, 0.0]);
            }
            json!(both)
        }
        "small tiles" => (0..20).map(|k| json!({ "name": format!("t{k}"), "shape": rectangle(0.2, 0.5), "position": [-1.9 + 0.2 * f64::from(k), -0.25] })).collect(),
        _ => json!([
            { "name": "a", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } },
            tile("b", 2.5)
        ]),
    }
}

/// A box that slides over a seam without friction, from a gap (m) above the first piece.
fn sliding(kind: &str, gap: f64, integrator: &str, more: &Value) -> Scene {
    let block = rigid(
        "box",
        rectangle(0.5, 0.15),
        [-0.6, 0.075 + gap],
        json!({ "velocity": [SPEED, 0.0] }),
    );
    let mut rest = json!({
        "time": { "step": 0.01, "steps": 60, "integrator": integrator },
        "obstacles": pieces(kind),
        "solver": {},
    });
    for (key, value) in more.as_object().unwrap() {
        rest[key] = value.clone();
    }
    stones(&[block], rest)
}

/// Runs a scene of [`sliding`]: momentum is kept, the box does not turn, and stays within its reach.
fn keeps_sliding(scene: &Scene, gap: f64) {
    let mut run = Run::of(scene);
    let start = run.state().x.clone();
    let most = run.world().model.surface.reach.most();
    for step in 0..scene.time.steps {
        run.step();
        let speed = run.velocity(0);
        near(speed.x, SPEED, 1e-4 * SPEED);
        let corners = &run.state().x[run.world().bodies[0].vertices.clone()];
        let heights = corners.iter().zip(&start).map(|(x, start)| x.y - start.y);
        let heights: Vec<f64> = heights.collect();
        let [low, high] =
            [f64::min, f64::max].map(|of| heights.iter().copied().reduce(of).unwrap());
        assert!(
            high - low < 1e-3 * 0.5,
            "step {step}: turned by {}",
            high - low
        );
        assert!(low > -gap && high < most, "step {step}: {low} to {high}");
    }
    assert!(run.centre(0).x > 1.0);
}

#[test]
fn a_box_slides_over_level_pieces_from_any_gap() {
    for kind in ["tiles", "overlapping tiles", "lines", "half-plane and tile"] {
        for gap in [1e-9, 1e-6, 1e-4, 1e-3, 2e-3] {
            keeps_sliding(&sliding(kind, gap, "implicit_euler", &json!({})), gap);
        }
    }
    for integrator in ["bdf2", "trapezoid", "tr_bdf2"] {
        for gap in [1e-9, 1e-4, 2e-3] {
            keeps_sliding(&sliding("tiles", gap, integrator, &json!({})), gap);
        }
    }
    for model in ["vertices", "edges"] {
        let more = json!({ "contact": { "model": model } });
        keeps_sliding(&sliding("tiles", 1e-4, "implicit_euler", &more), 1e-4);
    }
}

/// A box that begins `before` (m) the seam, at a `speed` (m/s) along the floor.
fn from(scene: &Scene, before: f64, speed: f64) -> Value {
    let mut scene = serde_json::to_value(scene).unwrap();
    scene["bodies"][0]["position"][0] = json!(-0.25 - before);
    scene["bodies"][0]["velocity"] = json!([speed, 0.0]);
    scene
}

/// Runs a `scene` of [`from`] for some `steps`: momentum is kept to the `share` of it at all times.
fn keeps_momentum(scene: Value, steps: usize, share: f64) {
    let mut run = Run::of(&serde_json::from_value(scene).unwrap());
    let speed = run.velocity(0).x;
    let start = run.centre(0).x;
    for _ in 0..steps {
        run.step();
        near(run.velocity(0).x, speed, share * speed);
    }
    assert!(run.centre(0).x - start > 0.05);
}

#[test]
fn a_slow_box_is_not_lifted_at_seams() {
    // Corners of the floor would lift the box by hundredths of its reach of 2.6 mm, and stop it.
    for kind in [
        "tiles",
        "overlapping tiles",
        "lines",
        "half-plane and tile",
        "tiles in motion",
        "small tiles",
    ] {
        for model in ["mixed", "edges"] {
            let more = json!({ "contact": { "model": model } });
            let scene = sliding(kind, 2e-3, "implicit_euler", &more);
            keeps_momentum(from(&scene, 0.0231, 0.1), 90, 1e-4);
        }
    }
    for integrator in ["bdf2", "trapezoid", "tr_bdf2"] {
        let scene = sliding("tiles", 1e-2, integrator, &json!({}));
        keeps_momentum(from(&scene, 0.0331, 0.1), 90, 1e-4);
    }
}

#[test]
fn soft_pieces_side_by_side_are_no_walls() {
    // The box dents the first piece by more than the joint, whose reach is smaller still.
    let piece = |name: &str, x: f64| json!({ "name": name, "shape": { "rectangle": { "size": [2.0, 0.5], "segments": [16, 4] } }, "material": "soft", "position": [x, -0.25] });
    let scene = sliding("tiles", 1e-4, "implicit_euler", &json!({}));
    let mut scene = from(&scene, 0.1, SPEED);
    scene["materials"]["soft"] =
        json!({ "density": 1000.0, "law": { "neo_hookean": { "young": 1e8, "poisson": 0.3 } } });
    scene["obstacles"] = json!([{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, -0.502] } } }]);
    let bodies = scene["bodies"].as_array_mut().unwrap();
    bodies.extend([piece("first", -1.0 - 5e-7), piece("second", 1.0 + 5e-7)]);
    keeps_momentum(scene, 30, 1e-4);
}

#[test]
fn a_box_slides_over_stones_that_may_move() {
    // Stones side by side on the ground, with joints between them.
    let stone = |name: &str, x: f64| {
        rigid(
            name,
            rectangle(2.0, 0.5),
            [x, -0.25],
            json!({ "material": "heavy" }),
        )
    };
    for joint in [1e-6, 1e-3] {
        let mut scene =
            serde_json::to_value(sliding("tiles", 1e-4, "implicit_euler", &json!({}))).unwrap();
        scene["materials"]["heavy"] = json!({ "density": 2500.0 });
        scene["obstacles"] = json!([{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, -0.502] } } }]);
        let bodies = scene["bodies"].as_array_mut().unwrap();
        bodies.push(stone("first", -1.0 - 0.5 * joint));
        bodies.push(stone("second", 1.0 + 0.5 * joint));
        let mut run = Run::of(&serde_json::from_value(scene).unwrap());
        for _ in 0..60 {
            run.step();
            near(run.velocity(0).x, SPEED, 1e-4 * SPEED);
        }
        assert!(run.centre(0).x > 1.0);
    }

    // The same slowly, from a fall to the ground.
    let scene = sliding("tiles", 1e-2, "implicit_euler", &json!({}));
    let mut scene = from(&scene, 0.0051, 0.1);
    scene["materials"]["heavy"] = json!({ "density": 2500.0 });
    scene["obstacles"] = json!([{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, -0.502] } } }]);
    let bodies = scene["bodies"].as_array_mut().unwrap();
    bodies.extend([stone("first", -1.0 - 5e-7), stone("second", 1.0 + 5e-7)]);
    keeps_momentum(scene, 100, 1e-4);
}

#[test]
fn one_small_gap_does_not_thin_a_pile() {
    // Rows of disks in a box; the first two of the lowest row start 1e-9 m apart in one of both piles.
    let pile = |gap: f64| {
        let disks = (0..40).map(|k| {
            let [row, column] = [k / 8, k % 8].map(f64::from);
            let aside = if k == 1 { 0.01 - gap } else { 0.0 };
            let shift = 0.003 * (f64::from(k * 7 % 5) - 2.0) * f64::from(row > 0.0);
            let place = [0.21 * column + shift - aside, 0.11 + 0.22 * row];
            rigid(
                &format!("d{k}"),
                json!({ "circle": { "radius": 0.1 } }),
                place,
                json!({}),
            )
        });
        let wall = |name: &str, x: f64, normal: f64| json!({ "name": name, "shape": { "half_plane": { "normal": [normal, 0.0], "origin": [x, 0.0] } } });
        let rest = json!({
            "time": { "step": 0.005, "steps": 150 },
            "obstacles": [
                { "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } },
                wall("left", -0.12, 1.0), wall("right", 1.6, -1.0)
            ],
            "contact": { "friction": { "default": 0.3 } },
            "solver": {},
        });
        let mut run = Run::of(&stones(&disks.collect::<Vec<_>>(), rest));
        let steps = run.steps(150);
        let directions: usize = steps.iter().map(|record| record.newton_iterations).sum();
        directions as f64
    };
    let [even, small] = [pile(0.01), pile(1e-9)];
    assert!(small < 1.1 * even, "{small} directions instead of {even}");
}

#[test]
fn reaches_that_change_are_proved_resumed_and_accounted_for() {
    // Past the seam, off the ground by a kick, and back: reaches fall, and return after the box has parted.
    let place = Place::new();
    let more = json!({
        "time": { "step": 0.01, "steps": 60, "integrator": "bdf2" },
        "output": { "ledger": true, "contacts": "csv" },
    });
    let mut scene = serde_json::to_value(sliding("tiles", 1e-4, "bdf2", &more)).unwrap();
    scene["loads"] = json!([{ "body": "box", "force": [0.0, "6e3*(step(t-0.2)-step(t-0.24))"] }]);
    scene["contact"] = json!({ "friction": { "default": 0.1 } });
    for folder in &place.resumed(&scene, ["15", "60"]) {
        ipcsim(&["verify", folder]).exits(0).prints("ledger");
    }
    let report = place.json("whole/run.json");
    let changes = report["stiffening"]["changes"].as_array().unwrap();
    let distances: Vec<f64> = changes
        .iter()
        .filter_map(|change| change["d_hat"].as_f64())
        .collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let most = distances.iter().copied().fold(0.0, f64::max);
    assert!((least - 9e-5).abs() < 1e-12 && most > 2e-3, "{changes:?}");

    // The same bits on two threads.
    let path = place.scene(&scene);
    let folder = place.path("two");
    ipcsim(&[
        "run",
        &path,
        "--out",
        &folder,
        "--no-frames",
        "--threads",
        "2",
    ])
    .exits(0);
    assert_eq!(place.json("two/run.json")["hash"], report["hash"]);
}

/// A peg of 20 mm above a hole with this play (m) a side, pushed down on a stiff wrist, `off` (m) its middle.
fn peg(play: f64, off: f64, friction: f64) -> Scene {
    let half = 0.01 + play;
    let side = |name: &str, sign: f64| {
        let mut points = vec![
            [sign * 0.1, -0.05],
            [sign * half, -0.05],
            [sign * half, -0.001],
            [sign * (half + 0.001), 0.0],
            [sign * 0.1, 0.0],
        ];
        if sign > 0.0 {
            points.reverse();
        }
        json!({ "name": name, "shape": { "outline": { "points": points } } })
    };
    let peg = rigid("peg", rectangle(0.02, 0.06), [off, 0.032], json!({}));
    let hand = rigid(
        "hand",
        rectangle(0.02, 0.02),
        [off, 0.1],
        json!({ "fixed": ["x", "angle"] }),
    );
    let rest = json!({
        "time": { "step": 0.002, "steps": 200 },
        "gravity": [0.0, 0.0],
        "thickness": 0.02,
        "materials": { "stone": { "density": 7800.0 } },
        "obstacles": [side("left", -1.0), side("right", 1.0)],
        "joints": [{ "slider": {
            "bodies": ["hand", "peg"], "at": [off, 0.07], "axis": [1, 0], "spring": { "stiffness": 2e4, "damping": 40 }
        } }],
        "loads": [{ "body": "hand", "force": [0, -50] }],
        "contact": {
            "friction": { "default": friction },
            "exclude": [["hand", "peg"], ["hand", "left"], ["hand", "right"]]
        },
        "solver": {},
    });
    stones(&[peg, hand], rest)
}

#[test]
fn pegs_go_into_holes_of_any_play() {
    for play in [1e-6, 5e-6, 2e-5, 1e-4] {
        for [off, friction] in [[0.0, 0.0], [1e-4, 0.1], [5e-4, 0.5]] {
            let mut run = Run::of(&peg(play, off, friction));
            let mut step = 0;
            while run.centre(0).y > 0.0 {
                run.step();
                step += 1;
                assert!(
                    step < 200,
                    "play {play}, {off} off, friction {friction}: {}",
                    run.centre(0)
                );
            }

            // The walls never squeeze: the peg has its play left and right.
            near(run.centre(0).x, 0.0, play);
        }
    }
}

#[test]
fn pegs_go_into_holes_that_move_or_are_held() {
    // Walls that move as one are a slot as well, whatever moves them.
    for play in [1e-6, 2e-5] {
        for [off, friction] in [[0.0, 0.0], [5e-4, 0.5]] {
            for kind in ["velocity", "keyframes", "held"] {
                let mut scene = serde_json::to_value(peg(play, off, friction)).unwrap();
                if kind == "held" {
                    for mut wall in scene["obstacles"].take().as_array().unwrap().clone() {
                        wall["kind"] = json!("rigid");
                        wall["material"] = json!("stone");
                        wall["fixed"] = json!(["x", "y", "angle"]);
                        scene["bodies"].as_array_mut().unwrap().push(wall);
                    }
                    scene["obstacles"] = json!([]);
                } else {
                    for wall in scene["obstacles"].as_array_mut().unwrap() {
                        wall[kind] = if kind == "velocity" {
                            json!([0.0, 0.02])
                        } else {
                            json!([{ "time": 0.1, "position": [0.0, 0.005] }, { "time": 0.4, "position": [0.001, 0.005] }])
                        };
                    }
                }
                let mut run = Run::of(&serde_json::from_value(scene).unwrap());
                let mut step = 0;
                while run.centre(0).y > 0.0 {
                    run.step();
                    step += 1;
                    assert!(
                        step < 200,
                        "{kind}, play {play}, {off} off: {}",
                        run.centre(0)
                    );
                }
            }
        }
    }
}

#[test]
fn a_part_goes_over_a_fixed_pin() {
    for play in [1e-6, 2e-5] {
        let half = 0.01 + play;
        let points = json!([
            [-0.1, -0.05],
            [0.1, -0.05],
            [0.1, 0.0],
            [half + 0.001, 0.0],
            [half, -0.001],
            [half, -0.04],
            [-half, -0.04],
            [-half, -0.001],
            [-half - 0.001, 0.0],
            [-0.1, 0.0]
        ]);
        let part = rigid(
            "part",
            json!({ "outline": { "points": points } }),
            [0.0, -0.002],
            json!({}),
        );
        let rest = json!({
            "time": { "step": 0.002, "steps": 200 },
            "gravity": [0.0, 0.0],
            "thickness": 0.02,
            "obstacles": [{ "name": "pin", "shape": rectangle(0.02, 0.06), "position": [0.0, 0.031] }],
            "loads": [{ "body": "part", "force": [0, 50] }],
            "solver": {},
        });
        let mut run = Run::of(&stones(&[part], rest));
        let start = run.centre(0).y;
        run.steps(80);
        assert!(
            run.centre(0).y - start > 0.03,
            "play {play}: {}",
            run.centre(0)
        );
    }
}

#[test]
fn check_says_which_slot_a_peg_fits_into() {
    let place = Place::new();
    let scene = place.scene(&serde_json::to_value(peg(1e-6, 0.0, 0.0)).unwrap());
    ipcsim(&["check", &scene])
        .exits(0)
        .prints("with 1e-6 m of play a side");
}
