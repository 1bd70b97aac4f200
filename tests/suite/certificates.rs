//! `run --certify`, and the proofs of `verify`.

use crate::cli_resume::{FINER, args, assert_same, resumed};
use crate::program::{Ended, Npy, Place, good_scenes, ipcsim, rewrite};
use ipcsim::math::Vec2;
use ipcsim_store::folder::RunFolder;
use ipcsim_store::place::Place as End;
use ipcsim_store::segments::{SEGMENTS, SegmentsWriter};
use ipcsim_store::stored_run::StoredRun;
use serde_json::json;

/// Arguments of a run of 40 steps that stores its segments.
const CERTIFY: [&str; 3] = ["--steps", "40", "--certify"];

/// Verifies the run `name`.
pub(crate) fn verify(place: &Place, name: &str) -> Ended {
    ipcsim(&["verify", &place.path(name)])
}

/// The number before `what` in a text.
fn count(text: &str, what: &str) -> usize {
    let before = text.split(what).next().unwrap();
    before
        .rsplit(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap_or_else(|_| panic!("{what}: {text}"))
}

#[test]
fn every_segment_of_a_run_is_proved_again() {
    let place = Place::new();
    place.completed("a", &[&CERTIFY[..], &["--no-frames"]].concat());
    let ended = verify(&place, "a");

    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let report = place.json("a/run.json");
    let segments = count(
        &ended.stdout,
        " from step 0 to step 40 join all stored states",
    );

    assert_eq!(report["segments"], segments);

    // There is one at least for each step in which something falls, and no more than there are
    // directions and starts.
    assert!(
        segments >= 40 && segments as u64 <= 2 * 40 + report["newton_iterations"].as_u64().unwrap(),
        "{segments}"
    );
    assert!(
        count(
            &ended.stdout,
            " pairs of a vertex and an edge on straight paths"
        ) > 0
    );
    assert!(
        count(&ended.stdout, " pairs on arcs and ") == 0,
        "{}",
        ended.stdout
    );

    let run = StoredRun::open(&place.root().join("a")).unwrap();
    let reader = run.segments().unwrap().unwrap();
    let places: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!(places.len(), segments + 1);
    assert!(
        places
            .windows(2)
            .all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 != pair[1].1)
    );

    // Without the option there is no such file, and verification says what it does not speak of.
    place.completed("b", &["--steps", "2", "--no-frames"]);
    assert!(
        SEGMENTS
            .iter()
            .all(|name| !place.root().join("b").join(name).exists())
    );
    assert!(
        verify(&place, "b")
            .stdout
            .contains("only the stored states are proved, not the motion between them")
    );
}

#[test]
fn arcs_circles_turning_half_planes_and_all_kinds_of_bodies_are_certified() {
    let place = Place::new();
    for (scene, steps) in [
        ("all_kinds", "60"),
        ("planetary", "12"),
        ("hourglass", "8"),
        ("rolling", "40"),
        ("chain", "20"),
    ] {
        let path = format!("scenes/showcase/{scene}.json");
        place.certified(&path, scene, &["--steps", steps]);
        let ended = verify(&place, scene);
        assert_eq!(ended.code, 0, "{ended:?}");

        println!("{}", ended.stdout);
        ended.prints(&format!(" to step {steps} join all stored states"));
    }
}

#[test]
fn scenes_with_joints_are_certified_as_a_whole_and_resumed() {
    // A driven loop of four hinges, and a car on suspensions with limits, springs and a motor.
    for (scene, joints, steps) in [("linkage", 3, ["9", "24"]), ("car", 2, ["7", "20"])] {
        let text = std::fs::read_to_string(format!("scenes/showcase/{scene}.json")).unwrap();
        let mut scene: serde_json::Value = serde_json::from_str(&text).unwrap();
        scene["time"]["steps"] = json!(steps[1].parse::<usize>().unwrap());
        let place = Place::new();
        place.resumed(&scene, steps);
        for folder in ["whole", "part"] {
            let proof = verify(&place, folder).stdout;
            for wanted in [
                format!("joints: {joints} closed and within their limits in all states"),
                format!(" to step {} join all stored states", steps[1]),
            ] {
                assert!(proof.contains(&wanted), "{wanted}: {proof}");
            }
        }
    }
}

#[test]
#[ignore = "all scenes to their ends"]
fn every_shipped_scene_is_certified_to_its_end() {
    let place = Place::new();
    for scene in good_scenes() {
        // Segments of these take gigabytes.
        let mut large = ["disks_500", "mangle", "two_squares_20k"].into_iter();
        if large.any(|name| scene.file_stem().is_some_and(|stem| stem == name)) {
            continue;
        }

        let path = scene.to_str().unwrap();
        place.certified(path, "a", &["--force"]);

        let ended = verify(&place, "a");
        ended.exits(0).prints(" join all stored states");
        println!("{}", ended.stdout);
    }
}

#[test]
fn a_run_that_is_ended_after_every_step_stores_the_same_segments() {
    let place = Place::new();
    let common = args(&[&FINER, &["--steps", "8", "--no-frames", "--certify"]]);
    place.completed("whole", &common);
    place.completed("a", &args(&[&common, &["--max-wall", "1e-9"]]));

    for step in 1..8 {
        verify(&place, "a")
            .exits(0)
            .prints(&format!(" from step 0 to step {step} "));
        resumed(&place, "a", &["--max-wall", "1e-9"]);
    }

    assert_same(&place, "a", "whole", "certified");
    for name in SEGMENTS {
        assert!(place.files("a").contains_key(name));
    }
}

/// Run with a square to the left of a thin wall, both at rest, and the positions of its vertices.
pub(crate) fn square_and_wall() -> (Place, Vec<Vec2>) {
    let place = Place::new();
    let body = |name: &str, size: [f64; 2], x: f64| {
        json!({ "name": name, "shape": { "rectangle": { "size": size, "segments": [1, 1] } }, "material": "rubber",
            "position": [x, 0.0] })
    };
    let rubber =
        json!({ "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } });
    let scene = json!({
        "time": { "step": 0.01, "steps": 1 }, "gravity": [0, 0], "materials": { "rubber": rubber },
        "bodies": [body("square", [0.2, 0.2], -0.5), body("wall", [1e-3, 4.0], 0.0)],
    });
    place.certified(&place.scene(&scene), "a", &[]);
    let npy = Npy::open(&place.path("a/trajectory.npy"));
    let x = (0..8).map(|i| Vec2::from(npy.at(0, i))).collect();
    (place, x)
}

/// Replaces the stored segments of the run by straight ones.
fn store(place: &Place, ends: &[&[Vec2]]) {
    let ends = ends.iter().map(|x| End {
        x: x.to_vec(),
        turns: Vec::new(),
    });
    store_ends(place, &ends.collect::<Vec<_>>());
}

/// Replaces the stored segments of the run, all of step 1, and their checksums in the report.
pub(crate) fn store_ends(place: &Place, ends: &[End]) {
    let dir = place.root().join("a");
    let run = StoredRun::open(&dir).unwrap();
    let folder = RunFolder::existing(&dir);
    let mut writer = SegmentsWriter::create(&folder, &run.mesh.layout(), ends.len()).unwrap();
    for (step, end) in [0].into_iter().chain([1].into_iter().cycle()).zip(ends) {
        writer.add(step, end).unwrap();
    }

    let checksums = writer.finish().unwrap();
    rewrite(&dir, |report| report.checksums.extend(checksums));
}

#[test]
fn a_body_that_jumps_through_a_wall_between_two_good_states_is_caught() {
    let (place, x) = square_and_wall();
    assert_eq!(verify(&place, "a").code, 0);

    let beyond: Vec<Vec2> = x
        .iter()
        .enumerate()
        .map(|(i, x)| x + Vec2::new(if i < 4 { 1.0 } else { 0.0 }, 0.0))
        .collect();
    for (i, x) in beyond.iter().enumerate() {
        Npy::open(&place.path("a/trajectory.npy")).put(1, i, (*x).into());
    }

    store(&place, &[&x, &beyond]);
    let ended = verify(&place, "a");
    assert_eq!(ended.code, 1);

    // The corner at x = -0.4 comes to the wall's side at x = -0.0005.
    for part in [
        "step 1, segment 1: vertex ",
        " of \"square\", from (-0.4, ",
        " meets edge vertex ",
        " of \"wall\"",
        "after 0.39",
    ] {
        ended.prints(part);
    }

    for name in SEGMENTS {
        std::fs::remove_file(place.root().join("a").join(name)).unwrap();
        verify(&place, "a")
            .exits(2)
            .complains("a/segments_step.npy is damaged: it is missing");
    }

    // Who does not know that there were segments sees two good states, between which the direct way
    // leads through the wall: by the distance to its nearer end.
    std::fs::remove_file(place.root().join("a/run.json")).unwrap();
    let ended = verify(&place, "a");
    let direct = "step 1: on the direct way to its state vertex ";
    ended.exits(1).prints(direct);
}

#[test]
fn one_vertex_that_goes_through_a_wall_and_back_within_a_step_is_caught() {
    let (place, x) = square_and_wall();
    for (i, x) in x.iter().enumerate() {
        Npy::open(&place.path("a/trajectory.npy")).put(1, i, (*x).into());
    }

    let right = (0..4).find(|&i| x[i].x > -0.45).unwrap();
    let mut through = x.clone();
    through[right].x = 0.2;
    store(&place, &[&x, &through, &x]);
    let ended = verify(&place, "a");
    let expected = format!("step 1, segment 1: vertex {right} of \"square\"");

    ended.exits(1).prints(&expected);

    // A triangle that turns over and back is caught, too.
    let mut over = x.clone();
    over[right].x = -0.7;
    store(&place, &[&x, &over, &x]);
    verify(&place, "a").exits(1).prints("step 1, segment 1: ");

    // And one that is not a number.
    over[right].x = f64::NAN;
    store(&place, &[&x, &over, &x]);
    verify(&place, "a")
        .exits(1)
        .prints("a position is not finite");
    let mut little = x.clone();
    little[right].x += 0.1;
    store(&place, &[&x, &little, &x]);

    assert_eq!(verify(&place, "a").code, 0);
}
