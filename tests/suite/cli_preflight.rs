//! Preflight of `check` and `run`: warnings, derived numbers, pictures, mending, memory.

use crate::program::{Place, ipcsim, ipcsim_in, ipcsim_line, png_size, project};
use serde_json::{Value, json};

/// Squares of side 1 m of rubber at the given places, above the half-plane at `y = 0`.
fn squares(positions: &[[f64; 2]]) -> Value {
    let bodies = positions.iter().enumerate().map(|(k, position)| {
        json!({ "name": format!("square {k}"), "shape": { "square": { "side": 1, "segments": 2 } }, "material": "rubber",
                "position": position })
    });
    json!({
        "time": { "step": 0.01, "steps": 2 },
        "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } } },
        "bodies": bodies.collect::<Vec<Value>>(),
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
        "contact": { "d_hat": 0.01, "friction": { "default": 0.3 } }
    })
}

#[test]
fn every_doubtful_scene_passes_check_with_its_warning() {
    let folder = project("scenes/doubtful");
    let names = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let scenes: Vec<String> = names
        .filter(|name| {
            std::path::Path::new(name)
                .extension()
                .is_some_and(|end| end == "json")
        })
        .collect();

    assert!(scenes.len() >= 20);
    for name in scenes {
        let expected = std::fs::read_to_string(folder.join(name.replace(".json", ".txt"))).unwrap();
        let ended = ipcsim_in(&folder, &["check", &name]);
        assert_eq!(
            (ended.code, ended.stderr.as_str()),
            (0, expected.as_str()),
            "{name}"
        );
        assert!(
            ended.stderr.starts_with("warning: ") && ended.stdout.contains(" warning"),
            "{name}"
        );
    }
}

#[test]
fn a_run_tells_warnings_and_goes_on_unless_it_is_to_be_quiet() {
    let place = Place::new();
    let out = place.path("out");
    let scene = project("scenes/doubtful/angle_in_radians.json");
    let run = [
        "run",
        scene.to_str().unwrap(),
        "--steps",
        "1",
        "--no-frames",
        "--out",
        &out,
    ];
    let loud = ipcsim(&run);

    assert!(
        loud.code == 0 && loud.stderr.starts_with("warning: "),
        "{loud:?}"
    );
    loud.prints("d_hat = ").prints("completed: 1 step,");

    // Quiet, it prints nothing.
    let quiet = ipcsim(&[&run[..], &["--quiet"]].concat());
    assert_eq!(
        (quiet.code, quiet.stderr.as_str(), quiet.stdout.as_str()),
        (0, "", "")
    );
}

/// Report of a run of one step of a scene, with more arguments.
fn report_of_a_step(place: &Place, file: &str, more: &[&str]) -> Value {
    let out = place.path("out");
    let mut arguments = vec!["run", file, "--steps", "1", "--no-frames", "--quiet"];
    arguments.extend(["--out", &out]);
    arguments.extend(more);
    ipcsim(&arguments).exits(0);
    place.json("out/run.json")
}

/// Value of a derived number of a report, true if the scene gave it, and the reason.
fn derived(report: &Value, name: &str) -> (f64, bool, String) {
    let mut numbers = report["derived"].as_array().unwrap().iter();
    let number = numbers.find(|number| number["name"] == name).unwrap();
    assert_eq!(number["value"], report["parameters"][name]);
    (
        number["value"].as_f64().unwrap(),
        number["given"].as_bool().unwrap(),
        number["reason"].to_string(),
    )
}

#[test]
fn numbers_that_a_scene_leaves_out_are_derived_and_recorded_with_the_reason() {
    let place = Place::new();
    let mut scene = squares(&[[0.0, 0.6], [0.0, 1.7]]);
    scene.as_object_mut().unwrap().remove("contact");
    let file = place.scene(&scene);

    // Two equal squares of 1 m and 1000 kg/m^3, softer than 40 times the pressure of their weight.
    let report = report_of_a_step(&place, &file, &[]);
    let diagonal = 2.0_f64.sqrt();
    let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-8;
    let (d_hat, given, reason) = derived(&report, "d_hat");
    assert!(
        close(d_hat, 5e-3 * diagonal) && !given && reason.contains("1.414 m"),
        "{d_hat} {reason}"
    );
    let (kappa, _, reason) = derived(&report, "kappa");
    assert!(
        kappa == 1e5 && reason.contains("softer"),
        "{kappa} {reason}"
    );
    assert!(close(derived(&report, "eps_v").0, 1e-3 * diagonal));
    assert!(close(derived(&report, "tolerance").0, 1e-2 * diagonal));
    let pair = &report["pairs"][0];
    assert_eq!(pair["kappa"], 1e5);
    assert_eq!(pair["d_hat"], d_hat);

    // With friction, and with an activation distance.
    let settings = ["--set", "contact.friction.default=0.3"];
    let more = [&settings[..], &["--set", "contact.d_hat=0.02"]].concat();
    let report = report_of_a_step(&place, &file, &more);
    let (d_hat, given, _) = derived(&report, "d_hat");
    assert!(d_hat == 0.02 && given);
    let (tolerance, _, reason) = derived(&report, "tolerance");
    assert!(close(tolerance, 1e-3 * diagonal) && reason.contains("eps_v"));
}

#[test]
fn a_picture_shows_the_start_with_a_red_circle_for_every_problem() {
    let place = Place::new();
    let scene = place.scene(&squares(&[[0.0, 0.4], [3.0, 1.0], [3.0, 1.9]]));
    let picture = place.path("problems.png");
    let size = "--set output.width=320 --set output.height=180";
    ipcsim_line(&format!("check {scene} --picture {picture} {size}"))
        .exits(2)
        .complains("2 problems\n  1. ")
        .complains("\n  2. ");

    let bytes = std::fs::read(&picture).unwrap();
    assert_eq!(png_size(&bytes), [320, 180]);

    let decoded = tiny_skia::Pixmap::decode_png(&bytes).unwrap();

    // Red in both halves, where the two problems are.
    let is_red = |x: u32| {
        (0..180).any(|y| {
            decoded
                .pixel(x, y)
                .is_some_and(|p| p.red() > 180 && p.green() < 60)
        })
    };
    let left = (0..160).filter(|&x| is_red(x)).count();
    let right = (160..320).filter(|&x| is_red(x)).count();
    assert!(left > 20 && right > 20, "{left} {right}");
}

#[test]
fn a_scene_without_bodies_has_no_picture() {
    let place = Place::new();
    let all_bad = place.scene(&json!({ "time": { "step": 1, "steps": 1 } }));
    ipcsim(&["check", &all_bad, "--picture", &place.path("none.png")])
        .exits(2)
        .complains("not drawn");
}

#[test]
fn a_picture_of_another_format_is_refused() {
    let place = Place::new();
    let picture = place.path("start.jpg");
    let scene = project("scenes/two_squares.json");
    let ended = ipcsim(&["check", scene.to_str().unwrap(), "--picture", &picture]);
    let expected = "start.jpg: pictures are PNG files; give a name that ends in .png";
    ended.exits(2).complains(expected);
    assert!(!std::path::Path::new(&picture).exists());
}

#[test]
fn a_mended_scene_passes_check_and_keeps_all_else_as_it_was_written() {
    let place = Place::new();
    let mut scene = squares(&[
        [0.0, 0.4],
        [0.3, 1.2],
        [0.1, 1.9],
        [5.0, 0.5001],
        [8.0, 3.0],
    ]);
    scene["bodies"][4]["shape"] = json!({ "mesh": { "vertices": [[0, 0], [1, 0], [1, 1], [0, 1]], "triangles": [[0, 2, 1], [0, 2, 3]] } });
    let file = place.scene(&scene);

    assert_eq!(ipcsim(&["check", &file]).code, 2);
    let out = place.path("mended.json");
    let ended = ipcsim(&["check", &file, "--fix", &out]);

    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{ended:?}");
    ended.prints("moved \"square 0\" from [0.0, 0.4] to [0, 0.51");

    let check = ipcsim(&["check", &out]);
    assert_eq!((check.code, check.stderr.as_str()), (0, ""), "{check:?}");

    // Triangles are turned over, and squares moved: out of overlaps, and out of the barrier's push.
    // All else is as it was.
    let mut mended = place.json("mended.json");
    assert_eq!(
        mended["bodies"][4]["shape"]["mesh"]["triangles"],
        json!([[0, 1, 2], [0, 2, 3]])
    );

    mended["bodies"][4]["shape"] = scene["bodies"][4]["shape"].clone();
    for k in 0..4 {
        assert_ne!(
            mended["bodies"][k]["position"],
            scene["bodies"][k]["position"]
        );
        mended["bodies"][k]["position"] = scene["bodies"][k]["position"].clone();
    }

    assert_eq!(mended, scene);
}

#[test]
fn what_cannot_be_mended_is_told_and_nothing_is_written() {
    let place = Place::new();
    let mut scene = squares(&[[0.0, 0.4]]);
    scene["bodies"][0]["prescribed"] = json!([{ "vertices": "all" }]);
    let file = place.scene(&scene);
    let ended = ipcsim(&["check", &file, "--fix", &place.path("mended.json")]);

    ended.exits(2).prints("not written");
    ended.complains("reaches 0.1 m behind \"ground\"");
    assert_eq!(place.names(""), ["scene.json"]);
}

#[test]
fn a_scene_too_large_for_memory_is_refused_with_the_numbers_before_it_is_built() {
    let place = Place::new();
    let out = place.path("out");
    let huge = |setting: &str, path: &str| {
        for command in [&["check"][..], &["run", "--out", &out]] {
            let ended = ipcsim(&[command, &["scenes/two_squares.json", "--set", setting]].concat());
            assert_eq!(ended.code, 2, "{setting}: {ended:?}");
            ended.complains(path).complains("GB");
            ended.complains("are available; use");
        }
    };
    let rectangle = "bodies.0.shape={\"rectangle\":{\"size\":[0.4,0.4],\"segments\":[4472,4472]}}";

    // On a machine with less than 92 GB, that is.
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = memory
        .split_whitespace()
        .nth(1)
        .and_then(|kilobytes| kilobytes.parse::<f64>().ok());

    if total.is_some_and(|kilobytes| kilobytes < 8e7) {
        huge(rectangle, "bodies[0].shape: ");
    }

    let steps = [
        "check",
        "scenes/two_squares.json",
        "--set",
        "time.steps=1000000000000000000",
    ];
    ipcsim(&steps)
        .exits(2)
        .complains("more than 1000000000; use fewer");
    assert!(!place.root().join("out").exists());
}

#[test]
fn counts_whose_products_overflow_are_refused() {
    let most = usize::MAX;
    for shape in [
        json!({ "rectangle": { "size": [1, 1], "segments": [most, most] } }),
        json!({ "disk": { "radius": 1, "segments": most } }),
        json!({ "regular_polygon": { "radius": 1, "sides": most, "segments": most } }),
        json!({ "ring": { "radius": 1, "inner_radius": 0.5, "segments": most } }),
        json!({ "gear": { "teeth": most, "pitch_radius": 1, "addendum": 1e-30 } }),
    ] {
        let place = Place::new();
        let mut scene = squares(&[[0.0, 2.0]]);
        scene["bodies"][0]["shape"] = shape.clone();
        scene["bodies"][0]["kind"] = json!("rigid");
        ipcsim(&["check", &place.scene(&scene)])
            .exits(2)
            .complains("use fewer");
    }
}

#[test]
fn texts_without_end_and_without_bottom_are_refused() {
    let place = Place::new();
    let deep = place.path("deep.json");
    std::fs::write(&deep, "[".repeat(1_000_000)).unwrap();
    let ended = ipcsim(&["check", &deep]);

    assert!(
        ended.code == 2 && ended.stderr.starts_with("error: "),
        "{ended:?}"
    );
    let binary = place.path("binary.json");
    std::fs::write(&binary, [0xff, 0xfe, 0x00]).unwrap();
    ipcsim(&["check", &binary])
        .exits(2)
        .complains("it is not text (UTF-8)");
}
