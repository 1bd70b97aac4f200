//! Joints in the program: repairs of joints that do not fit, proofs of stored runs, what breaks, and
//! resuming.

use crate::certificates::store_ends;
use crate::cli_run::{column, table};
use crate::program::{Npy, Place, ipcsim};
use ipcsim::math::Vec2;
use ipcsim_store::place::Place as End;
use serde_json::{Value, json};

/// A door between a frame and a hook, with these joints.
fn scene(joints: &Value) -> Value {
    let square = |name: &str, position: [f64; 2]| {
        json!({
            "name": name, "position": position, "group": "joined",
            "shape": { "rectangle": { "size": [0.2, 0.2], "segments": [1, 1] } }
        })
    };
    let mut door = square("door", [1.3, 0.4]);
    door["kind"] = json!("rigid");
    door["material"] = json!("wood");
    json!({
        "time": { "step": 0.01, "steps": 40 },
        "materials": { "wood": { "density": 600.0 } },
        "bodies": [door],
        "obstacles": [square("frame", [0.0, 0.0]), square("hook", [2.0, 2.0])],
        "joints": joints
    })
}

#[test]
fn joints_whose_points_are_apart_are_refused_with_the_distance_and_closed_by_fix() {
    let place = Place::new();
    let apart = json!([{ "hinge": { "bodies": ["frame", "door"], "at": [0.1, 0.1], "second_at": [1.2, 0.3] } }]);
    let file = place.scene(&scene(&apart));
    ipcsim(&["check", &file])
        .exits(2)
        .complains("is 1.118 m away from at");

    let out = place.path("mended.json");
    ipcsim(&["check", &file, "--fix", &out]).exits(0);
    let mended = place.json("mended.json");
    let at = |k: usize| mended["bodies"][0]["position"][k].as_f64().unwrap();
    assert!(
        (at(0) - 0.2).abs() < 1e-12 && (at(1) - 0.2).abs() < 1e-12,
        "{mended}"
    );
    assert_eq!(ipcsim(&["check", &out]).code, 0);

    // A rod of a length that no place of the door has.
    let held = json!([
        { "hinge": { "bodies": ["frame", "door"], "at": [0.1, 0.1], "second_at": [1.2, 0.3] } },
        { "rod": { "bodies": ["hook", "door"], "ends": [[2.0, 2.0], [1.3, 0.4]] } }
    ]);
    let file = place.scene(&scene(&held));
    ipcsim(&["check", &file, "--fix", &out])
        .exits(2)
        .complains("m are missing in the loop of hinge of \"frame\" and \"door\", rod of");
}

/// A link of this length that lies along x at the origin, and hinges between places on links and the world.
fn linkage(links: &[(&str, f64)], hinges: &[(&str, [f64; 2], &str, [f64; 2])]) -> Value {
    let bodies = links.iter().map(|(name, length)| {
        json!({
            "name": name, "kind": "rigid", "material": "steel",
            "shape": { "polyline": { "points": [[-0.5 * length, 0], [0.5 * length, 0]] } }
        })
    });
    let joints = hinges.iter().map(|(first, at, second, second_at)| {
        json!({ "hinge": { "bodies": [first, second], "at": at, "second_at": second_at } })
    });
    json!({
        "time": { "step": 0.01, "steps": 10 }, "materials": { "steel": { "density": 7800.0 } },
        "bodies": bodies.collect::<Vec<Value>>(), "joints": joints.collect::<Vec<Value>>(),
        "contact": { "collide": "none" }
    })
}

/// Mends a scene, with more arguments, and returns the result, which has no problem left.
fn mended(place: &Place, scene: &Value, more: &[&str]) -> Value {
    let [file, out] = [place.scene(scene), place.path("mended.json")];
    ipcsim(&[&["check", &file, "--fix", &out], more].concat()).exits(0);
    ipcsim(&["check", &out]).exits(0);
    place.json("mended.json")
}

/// Distance of the origins of two bodies of a mended scene (m).
fn apart(scene: &Value, bodies: [usize; 2]) -> f64 {
    let at = |k: usize, axis: usize| scene["bodies"][k]["position"][axis].as_f64().unwrap();
    let [x, y] = [0, 1].map(|axis| at(bodies[0], axis) - at(bodies[1], axis));
    x.hypot(y)
}

#[test]
fn linkages_are_assembled_from_the_lengths_of_their_links() {
    let place = Place::new();

    // A four-bar linkage whose crank is 0.1 m, coupler 0.26 m and rocker 0.2 m on a base of 0.3 m.
    let links = [("crank", 0.1), ("coupler", 0.26), ("rocker", 0.2)];
    let hinges = [
        ("world", [0.0, 0.0], "crank", [-0.05, 0.0]),
        ("crank", [0.05, 0.0], "coupler", [-0.13, 0.0]),
        ("coupler", [0.13, 0.0], "rocker", [0.1, 0.0]),
        ("world", [0.3, 0.0], "rocker", [-0.1, 0.0]),
    ];
    let mut four_bar = linkage(&links, &hinges);
    four_bar["bodies"][2]["rotation_deg"] = json!(95.0);
    let (sine, cosine) = 95_f64.to_radians().sin_cos();
    four_bar["joints"][3]["hinge"]["second_at"] = json!([-0.1 * cosine, -0.1 * sine]);
    four_bar["joints"][2]["hinge"]["second_at"] = json!([0.1 * cosine, 0.1 * sine]);
    let found = mended(&place, &four_bar, &[]);
    let rocker = found["bodies"][2]["rotation_deg"].as_f64().unwrap();
    assert!(rocker > 0.0 && rocker < 180.0, "{rocker}");

    // By a value of --set, which the mended scene has; and with the places of loads and probes.
    four_bar["loads"] = json!([{ "body": "coupler", "at": [0.13, 0.0], "force": [0.0, -1.0] }]);
    let found = mended(
        &place,
        &four_bar,
        &["--set", "joints.3.hinge.at=[0.28, 0.02]"],
    );
    assert_eq!(found["joints"][3]["hinge"]["at"], json!([0.28, 0.02]));
    assert_eq!(found["loads"][0]["at"], found["joints"][2]["hinge"]["at"]);

    // A base that is 0.04 m too long.
    let never = place.scene(&four_bar);
    let arguments = ["--set", "joints.3.hinge.at=[0.6, 0]", "--fix", "no.json"];
    ipcsim(&[&["check", &never], &arguments[..]].concat())
        .exits(2)
        .complains("0.04 m are missing in the loop of hinge of \"world\" and \"crank\"");
}

#[test]
fn a_slider_crank_is_assembled() {
    let place = Place::new();
    let links = [("crank", 0.2), ("rod", 0.6), ("piston", 0.1)];
    let hinges = [
        ("world", [0.0, 0.5], "crank", [-0.1, 0.0]),
        ("crank", [0.1, 0.0], "rod", [-0.3, 0.0]),
        ("rod", [0.3, 0.0], "piston", [0.0, 0.0]),
    ];
    let mut engine = linkage(&links, &hinges);
    let slider = json!({ "slider": { "bodies": ["world", "piston"], "at": [0.0, 0.0], "axis": [1.0, 0.0] } });
    engine["joints"].as_array_mut().unwrap().push(slider);
    let found = mended(&place, &engine, &[]);
    let piston = &found["bodies"][2];
    assert!(piston["position"][1].as_f64().unwrap().abs() < 1e-12);
    assert_eq!(piston["position"], found["joints"][3]["slider"]["at"]);
    assert!((apart(&found, [1, 2]) - 0.3).abs() < 1e-12);
}

#[test]
fn a_leg_of_jansen_is_assembled() {
    let place = Place::new();
    // Lengths of Theo Jansen, in units of 0.01 m: triangles are three bars.
    let links = [
        ("m", 0.15),
        ("j", 0.5),
        ("k", 0.619),
        ("b", 0.415),
        ("d", 0.401),
        ("e", 0.558),
        ("c", 0.393),
        ("f", 0.394),
        ("g", 0.367),
        ("h", 0.657),
        ("i", 0.49),
    ];
    let end = |name: &str, side: f64| {
        let length = links
            .iter()
            .find(|own| own.0 == name)
            .map_or(0.0, |own| own.1);
        [0.5 * side * length, 0.0]
    };
    let pin = |first: &'static str, one: f64, second: &'static str, other: f64| {
        (first, end(first, one), second, end(second, other))
    };
    let fixed = [-0.38, -0.078];
    let hinges = [
        ("world", [0.0, 0.0], "m", end("m", -1.0)),
        pin("m", 1.0, "j", -1.0),
        pin("m", 1.0, "k", -1.0),
        ("world", fixed, "b", end("b", -1.0)),
        ("world", fixed, "d", end("d", -1.0)),
        ("world", fixed, "c", end("c", -1.0)),
        pin("j", 1.0, "b", 1.0),
        pin("b", 1.0, "e", -1.0),
        pin("d", 1.0, "e", 1.0),
        pin("d", 1.0, "f", -1.0),
        pin("k", 1.0, "c", 1.0),
        pin("c", 1.0, "g", -1.0),
        pin("f", 1.0, "g", 1.0),
        pin("g", 1.0, "h", -1.0),
        pin("g", -1.0, "i", -1.0),
        pin("i", 1.0, "h", 1.0),
    ];
    let found = mended(&place, &linkage(&links, &hinges), &[]);
    let feet = found["joints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|joint| &joint["hinge"]);
    assert!(feet.clone().count() == 16 && feet.clone().all(|own| own["at"] == own["second_at"]));
}

#[test]
fn ropes_that_are_too_short_are_lengthened_by_fix() {
    let place = Place::new();
    let short = json!([{ "rope": { "bodies": ["frame", "door"], "ends": [[0.0, 0.0], [1.2, 0.5]], "length": 1.0 } }]);
    let file = place.scene(&scene(&short));
    let out = place.path("mended.json");
    assert_eq!(ipcsim(&["check", &file]).code, 2);
    assert_eq!(ipcsim(&["check", &file, "--fix", &out]).code, 0);
    assert_eq!(
        place.json("mended.json")["joints"][0]["rope"]["length"],
        json!(1.3)
    );
}

#[test]
fn verify_states_the_largest_residual_and_a_joint_that_broke_is_in_the_report() {
    let place = Place::new();
    let joints = json!([
        { "hinge": { "bodies": ["frame", "door"], "at": [1.2, 0.3], "name": "pin", "limits_deg": [-170, 90] } },
        { "rope": { "bodies": ["hook", "door"], "ends": [[2.0, 2.0], [1.4, 0.5]], "break_force": 20.0 } }
    ]);
    let file = place.scene(&scene(&joints));
    let out = place.certified(&file, "run", &[]);
    let report = place.json("run/run.json");
    assert_eq!(report["broken"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["broken"][0]["joint"], json!(1));

    let verified = ipcsim(&["verify", &out]);
    verified.exits(0).prints("joints: 2 closed");
    verified.prints("largest residual is");
}

#[test]
fn a_run_with_turns_and_broken_joints_resumes_with_the_same_bits() {
    let place = Place::new();
    let joints = json!([
        { "hinge": { "bodies": ["frame", "door"], "at": [1.2, 0.3], "limits_deg": [-100, 800],
                     "motor": { "speed_deg": 2000.0, "torque": 500.0 } } },
        { "rope": { "bodies": ["hook", "door"], "ends": [[2.0, 2.0], [1.4, 0.5]], "break_force": 20.0 } }
    ]);
    let file = place.scene(&scene(&joints));
    let out = place.path("whole");
    let whole = ipcsim(&["run", &file, "--out", &out, "--no-frames", "--quiet"]);
    assert_ne!(whole.code, 2);
    run_in_parts(&place, &file);
    let hash = |name: &str| place.json(&format!("{name}/run.json"))["hash"].clone();
    assert_eq!(hash("whole"), hash("parts"));
    for name in ["forces.csv", "joints.csv", "bodies.csv"] {
        let [whole, parts] = ["whole", "parts"].map(|run| place.read(&format!("{run}/{name}")));
        assert_eq!(whole, parts, "{name}");
    }
}

/// Column of the rows of `joints.csv` about a joint.
fn of_joint(place: &Place, joint: &str, name: &str) -> Vec<f64> {
    let rows = table(place, "a/joints.csv");
    let own = column(&rows, name).into_iter().zip(&rows[1..]);
    own.filter_map(|(value, row)| (row[2] == joint).then_some(value))
        .collect()
}

#[test]
fn joints_have_their_angle_speed_and_torques_apart_and_their_names_in_both_tables() {
    let place = Place::new();
    let joints = json!([
        { "hinge": { "bodies": ["frame", "door"], "at": [1.3, 0.4], "name": "shaft",
                     "motor": { "speed_deg": 3600.0, "torque": 1e6 },
                     "spring": { "stiffness": 20.0, "damping": 0.5 } } },
        { "hinge": { "bodies": ["frame", "door"], "at": [1.3, 0.4], "brake": 3.0 } },
        { "hinge": { "bodies": ["frame", "door"], "at": [1.3, 0.4] } }
    ]);
    run_of(&place, &scene(&joints), &["--steps", "30"]);

    // A tenth of a turn in each step, counted on.
    let speed = 3600.0_f64.to_radians();
    let [angle, spin] = ["angle", "spin"].map(|name| of_joint(&place, "shaft", name));
    for (k, (angle, spin)) in angle.iter().zip(&spin).enumerate() {
        let expected = speed * 0.01 * (k + 1) as f64;
        assert!((angle - expected).abs() < 1e-7 * expected, "{k}: {angle}");
        assert!((spin - speed).abs() < 1e-6 * speed, "{k}: {spin}");
    }
    assert_eq!(angle.len(), 30);

    // The spring pulls back, the damper resists, the motor does both and drives against the brake.
    let last = |joint: &str, name: &str| *of_joint(&place, joint, name).last().unwrap();
    let near = |found: f64, expected: f64| {
        assert!(
            (found - expected).abs() < 1e-6 * expected.abs(),
            "{found} {expected}"
        );
    };
    near(last("shaft", "spring"), -20.0 * angle[29]);
    near(last("shaft", "damper"), -0.5 * spin[29]);
    near(last("hinge of frame and door", "brake"), -3.0);
    near(
        last("shaft", "motor"),
        20.0 * angle[29] + 0.5 * spin[29] + 3.0,
    );
    near(last("shaft", "power"), last("shaft", "motor") * spin[29]);
    let parts = ["motor", "spring", "damper"].map(|name| last("shaft", name));
    near(last("shaft", "moment"), -parts.iter().sum::<f64>());
    assert!(last("shaft", "brake").is_nan() && last("shaft", "limit").is_nan());

    // Three joints of the same bodies have different names.
    let names = [
        "shaft",
        "hinge of frame and door",
        "hinge of frame and door 2",
    ];
    let forces = table(&place, "a/forces.csv");
    let own: Vec<&str> = forces
        .iter()
        .filter(|row| row[0] == "30" && row[2] == "joint")
        .map(|row| &*row[12])
        .collect();
    assert_eq!(own, names);

    // The body turns with its joint, and falls nowhere.
    let bodies = table(&place, "a/bodies.csv");
    let turned = column(&bodies, "angle");
    let door = bodies.iter().rposition(|row| row[2] == "door").unwrap();
    near(turned[door - 1], angle[29]);
    assert_eq!(bodies.iter().filter(|row| row[2] == "door").count(), 31);
    assert_eq!(ipcsim(&["verify", &place.path("a")]).code, 0);
}

/// Runs a scene into the folder `parts` of a place, stopped after each step and resumed.
pub(crate) fn run_in_parts(place: &Place, file: &str) {
    let parts = place.path("parts");
    let first = ["run", file, "--out", &parts, "--no-frames", "--quiet"];
    let stops = ["--checkpoint-every", "7", "--max-wall", "1e-9"];
    assert_ne!(ipcsim(&[&first[..], &stops].concat()).code, 2);
    for _ in 0..60 {
        if place.json("parts/run.json")["status"] == json!("completed") {
            break;
        }
        ipcsim(&["run", "--resume", &parts, "--max-wall", "1e-9"]);
    }
}

/// Runs the scene of a place into its folder `a`, with more arguments.
fn run_of(place: &Place, scene: &Value, more: &[&str]) {
    place.ran(&place.scene(scene), "a", more);
}

/// What `verify` says of the run in the folder `a`: its exit code, and its text.
fn verified(place: &Place) -> (i32, String) {
    let ended = ipcsim(&["verify", &place.path("a")]);
    (ended.code, ended.stdout)
}

/// Moves the corners of the door in an entry of the trajectory.
fn move_door(place: &Place, entry: usize, to: impl Fn(Vec2) -> Vec2) {
    for corner in 0..4 {
        let npy = Npy::open(&place.path("a/trajectory.npy"));
        let x = Vec2::from(npy.at(entry, corner));
        npy.put(entry, corner, to(x).into());
    }
}

/// The corner of the door at which it hangs.
const PIN: Vec2 = Vec2::new(1.2, 0.3);

/// A point, turned about the [`PIN`] by an angle (rad).
fn about_pin(x: Vec2, angle: f64) -> Vec2 {
    PIN + nalgebra::Rotation2::new(angle) * (x - PIN)
}

/// What becomes of a vertex.
type Move = Box<dyn Fn(Vec2) -> Vec2>;

#[test]
fn verify_names_the_joint_that_is_open_or_beyond_its_limits_in_a_stored_state() {
    let hinge = json!({ "bodies": ["frame", "door"], "at": [PIN.x, PIN.y], "name": "pin", "limits_deg": [-170, 90] });
    let rope = json!({ "bodies": ["hook", "door"], "ends": [[2.0, 2.0], [1.4, 0.5]], "length": 2.5, "name": "cable" });
    let with_hinge = json!([{ "hinge": hinge }]);
    let with_rope = json!([{ "rope": rope }]);
    let ram = json!({ "bodies": ["hook", "door"], "ends": [[2.0, 2.0], [1.4, 0.5]], "limits": [-0.5, 0.5], "name": "ram" });
    let with_ram = json!([{ "cylinder": ram }]);
    let turned = |degrees: f64| move |x| about_pin(x, degrees.to_radians());
    let shifted = |x: f64, y: f64| move |at: Vec2| at + Vec2::new(x, y);

    // What becomes of the door in the second state, and what is said of it.
    let cases: [(&Value, Move, &str); 8] = [
        (&with_hinge, Box::new(turned(1.0)), ""),
        (
            &with_hinge,
            Box::new(shifted(1e-9, 0.0)),
            "step 2: the hinge \"pin\" is open by 3.5",
        ),
        (
            &with_hinge,
            Box::new(shifted(0.0, -1.0)),
            "step 2: the hinge \"pin\" is open by 3.5",
        ),
        (
            &with_hinge,
            Box::new(turned(100.0)),
            "step 2: the hinge \"pin\" is beyond its limits",
        ),
        (&with_rope, Box::new(shifted(-0.1, -0.1)), ""),
        (
            &with_rope,
            Box::new(shifted(-1.0, -1.0)),
            "step 2: the rope \"cable\" is open by ",
        ),
        (&with_ram, Box::new(shifted(-0.2, -0.2)), ""),
        (
            &with_ram,
            Box::new(shifted(-0.6, -0.6)),
            "step 2: the cylinder \"ram\" is beyond its limits",
        ),
    ];
    for (joints, to, found) in cases {
        let place = Place::new();
        run_of(&place, &scene(joints), &["--steps", "3"]);
        move_door(&place, 2, to);
        let (code, text) = verified(&place);
        assert_eq!(code, i32::from(!found.is_empty()), "{found}: {text}");
        assert!(text.contains(found), "{found}: {text}");
    }
}

/// Centre and angle of frame and hook, which stay where they are.
const STILL: [[f64; 3]; 2] = [[0.0, 0.0, 0.0], [2.0, 2.0, 0.0]];

/// The path of the door about its pin in steps of 30 degrees, which ends where it begins.
fn swung(x: &[Vec2], degrees: &[i32]) -> Vec<End> {
    let at = |degrees: i32| {
        let angle = f64::from(degrees).to_radians();
        let mut corners: Vec<Vec2> = x[..4].iter().map(|&x| about_pin(x, angle)).collect();
        let centre = about_pin(corners_centre(x), angle);
        if degrees % 360 == 0 {
            corners.copy_from_slice(&x[..4]);
        }
        End {
            x: corners.into_iter().chain(x[4..].iter().copied()).collect(),
            turns: vec![[centre.x, centre.y, angle], STILL[0], STILL[1]],
        }
    };
    degrees.iter().map(|&degrees| at(degrees)).collect()
}

/// Centre of the door.
fn corners_centre(x: &[Vec2]) -> Vec2 {
    x[..4].iter().sum::<Vec2>() / 4.0
}

/// A certified run of one step without gravity, whose two states are the same, and its positions (m).
fn at_rest(mut still: Value) -> (Place, Vec<Vec2>) {
    still["gravity"] = json!([0, 0]);
    let place = Place::new();
    run_of(&place, &still, &["--steps", "1", "--certify"]);
    let npy = Npy::open(&place.path("a/trajectory.npy"));
    let x: Vec<Vec2> = (0..npy.shape[1]).map(|i| npy.at(0, i).into()).collect();
    for (i, x) in x.iter().enumerate() {
        Npy::open(&place.path("a/trajectory.npy")).put(1, i, (*x).into());
    }
    (place, x)
}

#[test]
fn verify_counts_turns_along_the_segments_and_finds_a_limit_that_is_passed_between_two_good_states()
{
    let hinge = json!({ "bodies": ["frame", "door"], "at": [PIN.x, PIN.y], "name": "pin", "limits_deg": [-170, 90] });
    let still = scene(&json!([{ "hinge": hinge }]));
    let (place, x) = at_rest(still);

    // Forth and back within the limits; once round, through both of them, to the same place.
    store_ends(
        &place,
        &swung(&x, &[0, -30, -60, -90, -120, -150, -120, -90, -60, -30, 0]),
    );
    let (code, text) = verified(&place);
    assert_eq!(code, 0, "{text}");
    let round: Vec<i32> = (0..=12).map(|k| -30 * k).collect();
    store_ends(&place, &swung(&x, &round));
    let (code, text) = verified(&place);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("the hinge \"pin\" may pass a limit on the way"),
        "{text}"
    );
}

#[test]
fn verify_finds_a_slider_that_passes_its_limit_and_comes_back_within_a_step() {
    let slider = json!({ "bodies": ["frame", "door"], "at": [1.3, 0.4], "axis": [1, 0], "name": "rail", "limits": [-0.1, 0.1] });
    let mut still = scene(&json!([{ "slider": slider }]));
    still["materials"]["wood"]["law"] = json!({ "neo_hookean": { "young": 1e6, "poisson": 0.3 } });
    still["bodies"][0]["kind"] = json!("deformable");
    let (place, x) = at_rest(still);

    for (way, expected) in [(0.09, 0), (-0.09, 0), (0.11, 1), (-0.11, 1)] {
        let mut there = x.clone();
        for x in &mut there[..4] {
            x.x += way;
        }
        let path = [&x, &there, &x].map(|x| End {
            x: x.clone(),
            turns: STILL.to_vec(),
        });
        store_ends(&place, &path);
        let (code, text) = verified(&place);
        assert_eq!(code, expected, "{way}: {text}");
        assert!(
            code == 0 || text.contains("the slider \"rail\" may pass a limit"),
            "{text}"
        );
    }
}

/// The row of the only joint in the last step of `forces.csv`: force (N), moment (N m), and its point (m).
fn row_of_joint(place: &Place) -> ([f64; 5], Vec<String>) {
    let rows = table(place, "a/forces.csv");
    let columns = ["force_x", "force_y", "moment", "x", "y"].map(|name| column(&rows, name));
    let last = rows.iter().rposition(|row| row[2] == "joint").unwrap();
    (columns.map(|column| column[last - 1]), rows[last].clone())
}

/// A door of 0.2 m, 600 kg/m^3 and 1 m depth hangs from the middle of its top, or is held by a motor in the
/// middle of its left side. The row is about the first body, on which its weight pulls down and turns to the
/// right by weight times arm.
#[test]
fn rows_of_joints_in_forces_are_those_of_statics() {
    let h = 0.01;
    let weight = 600.0 * 0.2 * 0.2 * 9.81;
    let hold = json!({ "speed_deg": 0, "torque": 1e4 });
    for (bodies, sign) in [(["frame", "door"], -1.0), (["door", "frame"], 1.0)] {
        for (at, motor) in [([1.3, 0.5], None), ([1.2, 0.4], Some(&hold))] {
            let mut hinge = json!({ "bodies": bodies, "at": at });
            if let Some(motor) = motor {
                hinge["motor"] = motor.clone();
            }
            let mut still = scene(&json!([{ "hinge": hinge }]));
            still["solver"] = json!({ "tolerance": 1e-10 * 9.81 * h });
            let place = Place::new();
            run_of(&place, &still, &["--steps", "20"]);

            let ([x, y, moment, about_x, about_y], row) = row_of_joint(&place);
            assert_eq!([row[3].as_str(), row[4].as_str()], bodies);
            assert!(x.abs() < 1e-8 * weight, "{row:?}");
            assert!((y / (sign * weight) - 1.0).abs() < 1e-8, "{row:?}");
            if motor.is_none() {
                assert_eq!(row[9..12], ["", "", ""], "{row:?}");
                continue;
            }
            let expected = sign * weight * 0.1;
            assert!((moment / expected - 1.0).abs() < 1e-8, "{row:?}");
            assert!(
                (about_x - at[0]).abs() < 1e-9 && (about_y - at[1]).abs() < 1e-9,
                "{row:?}"
            );
        }
    }
}
