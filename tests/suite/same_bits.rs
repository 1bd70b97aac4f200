//! Equal bits on any number of threads, after resuming, without frames, and in debug and release
//! builds.

use crate::program::{Ended, Place, ipcsim_line, project, words};
use crate::support::{Parts, scene};
use ipcsim::scene::Scene;
use ipcsim::time::StepReport;
use std::path::PathBuf;
use std::process::Command;

/// Scenes in which contacts come and go, coordinates are prescribed at times, and the matrix has
/// several patterns.
fn scenes() -> Vec<(&'static str, Scene, usize)> {
    let finer = [
        "bodies.0.shape.square.segments=8",
        "bodies.1.shape.square.segments=8",
        "contact.friction.default=0.3",
    ];
    vec![
        ("squares", scene("two_squares", &finer), 80),
        ("dominoes", scene("showcase/dominoes", &[]), 60),
        ("chain", scene("showcase/chain", &[]), 25),
        ("all kinds", scene("showcase/all_kinds", &[]), 25),
        ("reduced", scene("book/09_reduced", &[]), 30),
        ("linkage", scene("showcase/linkage", &[]), 60),
        ("car", scene("showcase/car", &[]), 40),
        ("walker", scene("showcase/walker", &[]), 30),
        ("anchors", anchored(), 40),
        ("pressed", crate::pairs::pressed(), 25),
        ("bullets", scene("showcase/bullet_through_paper", &[]), 12),
        ("bracket", scene("showcase/bracket", &[]), 8),
        ("crash box", scene("showcase/crash_box", &[]), 8),
        ("excavator", scene("showcase/excavator", &[]), 8),
        ("clock", scene("showcase/clock", &[]), 60),
        (
            "pneumatic gripper",
            scene("showcase/pneumatic_gripper", &[]),
            6,
        ),
    ]
}

/// A house of cards whose contacts hold on to anchors.
fn anchored() -> Scene {
    scene(
        "showcase/house_of_cards",
        &["contact.friction.stick=anchors"],
    )
}

/// Results of a step that may depend on the steps before.
fn reported(run: &Parts, done: &StepReport) -> (u64, StepReport) {
    (run.state.hash(), done.clone())
}

#[test]
fn a_solver_made_anew_from_its_memory_at_every_step_goes_on_with_the_same_bits() {
    for (name, scene, steps) in scenes() {
        let mut whole = Parts::of(&scene);
        let mut resumed = Parts::of(&scene);
        for step in 1..=steps {
            let expected = whole.step();
            let memory = resumed.solver.memory();
            resumed.solver = resumed.world.solver();
            let world = &resumed.world;
            resumed.solver.recall(&world.model, &memory).unwrap();

            assert_eq!(resumed.solver.memory(), memory, "{name} step {step}");
            let done = resumed.step();
            assert_eq!(
                reported(&whole, &expected),
                reported(&resumed, &done),
                "{name} step {step}"
            );
            assert_eq!(
                whole.solver.memory(),
                resumed.solver.memory(),
                "{name} step {step}"
            );
        }
    }
}

#[test]
fn a_solver_that_forgets_ends_with_other_bits() {
    // Otherwise the test above could not fail.
    let differs = scenes().into_iter().any(|(_, scene, steps)| {
        let mut whole = Parts::of(&scene);
        let mut forgetful = Parts::of(&scene);
        (1..=steps).any(|_| {
            forgetful.solver = forgetful.world.solver();
            whole.step();
            forgetful.step();
            whole.state.hash() != forgetful.state.hash()
        })
    });
    assert!(differs);
}

#[test]
fn a_memory_of_another_world_is_refused() {
    let mut squares = Parts::of(&scene("two_squares", &[]));
    for _ in 0..3 {
        squares.step();
    }
    let memory = squares.solver.memory();
    let other = Parts::of(&scene("book/09_reduced", &[]));
    let mut solver = other.world.solver();

    assert!(solver.recall(&other.world.model, &memory).is_none());
    let mut wrong = memory.clone();
    wrong.margin[3] = f64::NAN;
    let world = &squares.world;

    assert!(world.solver().recall(&world.model, &wrong).is_none());
    assert!(world.solver().recall(&world.model, &memory).is_some());
}

/// More than 1024 vertices, triangles and edges per loop, so that work is cut; falling fast, so
/// that they collide.
pub(crate) const LARGE: [&str; 6] = [
    "--set",
    "bodies.0.shape.square.segments=32",
    "--set",
    "bodies.1.shape.square.segments=32",
    "--set",
    "bodies.0.velocity=[0,-5]",
];

/// Positions, energies and hash of the run in the folder `name`.
fn bits(place: &Place, name: &str) -> [Vec<u8>; 3] {
    let mut files = place.files(name);
    let hash = place.json(&format!("{name}/run.json"))["hash"]
        .to_string()
        .into_bytes();
    [
        files.remove("trajectory.npy").unwrap(),
        files.remove("energies.csv").unwrap(),
        hash,
    ]
}

fn hash_line(ended: &Ended) -> String {
    ended
        .stdout
        .lines()
        .find(|line| line.starts_with("state hash "))
        .unwrap()
        .to_owned()
}

#[test]
fn threads_frames_and_interruptions_do_not_change_a_bit() {
    let place = Place::new();
    let steps = ["--steps", "10"];
    let plain = ["--no-frames"];
    let run =
        |name: &str, more: &[&str]| place.two_squares(name, &[&LARGE[..], &steps, more].concat());
    let one = run("one", &[&plain[..], &["--threads", "1"]].concat());

    assert_eq!(one.code, 0, "{}", one.stderr);
    let expected = bits(&place, "one");
    assert!(
        place
            .read("one/energies.csv")
            .lines()
            .any(|line| line.split(',').nth(11).is_some_and(|n| n.len() > 1))
    );

    for threads in ["2", "3", "8"] {
        let ended = run(threads, &[&plain[..], &["--threads", threads]].concat());
        assert_eq!((hash_line(&ended), ended.code), (hash_line(&one), 0));
        assert!(bits(&place, threads) == expected, "{threads} threads");
    }

    let framed = run("framed", &["--threads", "2"]);
    assert_eq!((hash_line(&framed), framed.code), (hash_line(&one), 0));
    assert!(bits(&place, "framed") == expected, "with frames");

    // Ended after every step, on another number of threads each time.
    run("resumed", &[&plain[..], &["--max-wall", "1e-9"]].concat()).exits(0);
    let out = place.path("resumed");
    let mut last = None;

    for k in 0..9 {
        let threads = ["1", "2", "3", "8"][k % 4];
        let more = format!("run --resume {out} --max-wall 1e-9 --threads {threads}");
        last = Some(ipcsim_line(&more));
    }

    assert_eq!(hash_line(&last.unwrap()), hash_line(&one));
    assert!(bits(&place, "resumed") == expected, "resumed");
}

/// Program of another profile: `IPCSIM_OTHER_BUILD`, or a debug build that is made here.
fn other_build() -> PathBuf {
    std::env::var_os("IPCSIM_OTHER_BUILD").map_or_else(
        || {
            let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            assert!(
                Command::new(cargo)
                    .arg("build")
                    .current_dir(project(""))
                    .status()
                    .unwrap()
                    .success()
            );
            project("target/debug/ipcsim")
        },
        PathBuf::from,
    )
}

#[test]
#[ignore = "builds the program once more"]
fn a_debug_build_gives_the_same_bits() {
    let other = other_build();
    for scene in [
        "scenes/two_squares.json",
        "scenes/showcase/all_kinds.json",
        "scenes/book/09_reduced.json",
    ] {
        let place = Place::new();
        let out = ["own", "other"].map(|name| place.path(name));
        let args = |out: &String| {
            [
                "run",
                scene,
                "--steps",
                "40",
                "--no-frames",
                "-q",
                "--out",
                out,
            ]
            .map(str::to_owned)
        };

        for (program, out) in [&PathBuf::from(env!("CARGO_BIN_EXE_ipcsim")), &other]
            .into_iter()
            .zip(&out)
        {
            assert!(
                Command::new(program)
                    .args(args(out))
                    .current_dir(project(""))
                    .status()
                    .unwrap()
                    .success()
            );
        }
        assert!(bits(&place, "own") == bits(&place, "other"), "{scene}");

        println!(
            "{scene}: hash {}",
            String::from_utf8_lossy(&bits(&place, "own")[2])
        );
    }
}

/// Hash of the last state of a scene after some steps, and the build, with variables of the environment.
fn hash_with(place: &Place, line: &str, environment: &[(&str, &str)]) -> (String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .current_dir(project(""))
        .args(words(line))
        .args([
            "--no-frames",
            "--quiet",
            "--force",
            "--out",
            &place.path("run"),
        ])
        .envs(environment.iter().copied())
        .status()
        .unwrap();
    assert!(done.success());
    let report = place.json("run/run.json");
    (
        report["hash"].to_string(),
        report["build"]["products"].to_string(),
    )
}

#[test]
fn a_processor_without_vectors_gives_the_same_bits_unless_products_are_fused() {
    let place = Place::new();
    let none = [
        ("IPCSIM_VECTORS", "none"),
        (
            "GLIBC_TUNABLES",
            "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F",
        ),
    ];

    // Fronts, sines of places and turns, and modes.
    let squares = "run scenes/two_squares.json --steps 60 --set bodies.0.shape.square.segments=24 \
                   --set bodies.1.shape.square.segments=24";
    let others = [
        "run scenes/showcase/gripper.json --steps 40",
        "run scenes/showcase/walker.json --steps 40",
        "run scenes/book/09_reduced_modal.json --steps 10",
    ];
    for line in [squares].into_iter().chain(others) {
        let found = hash_with(&place, line, &[]);
        assert_eq!(found, hash_with(&place, line, &none), "{line}");
        assert_eq!(found.1, "\"separate\"");
    }

    // Fused products have a name, and other bits where the processor has them.
    let fused = format!("{squares} --set solver.fused=true");
    let found = hash_with(&place, &fused, &[]);
    assert_eq!(found.1, "\"fused\"");
    if hash_with(&place, &fused, &none).0 != found.0 {
        assert_ne!(found.0, hash_with(&place, squares, &[]).0);
    }
}
