//! What every integrator keeps: bits, memory, halved steps, certificates, extremes.

use crate::extremes::{cells, run};
use crate::program::{Place, ipcsim};
use crate::same_bits::LARGE;
use crate::support::{Parts, assert_resumable, scene};
use ipcsim::scene::Scene;
use ipcsim::scene::schema::Scheme;
use ipcsim::solve::Stage;
use ipcsim::time::Fallback;
use ipcsim::time::integrator::{Departure, Integrator};
use serde_json::json;

/// Integrators beside the default, which all other tests run.
const OTHERS: [(Scheme, &str); 3] = [
    (Scheme::Bdf2, "bdf2"),
    (Scheme::Trapezoid, "trapezoid"),
    (Scheme::TrBdf2, "tr_bdf2"),
];

/// Scenes with contact, friction, bodies that turn, joints, and prescribed motion.
fn scenes(scheme: &str) -> Vec<(&'static str, Scene, usize)> {
    let key = format!("time.integrator={scheme}");
    let finer = [
        "bodies.0.shape.square.segments=8",
        "bodies.1.shape.square.segments=8",
        "contact.friction.default=0.3",
        &key,
    ];
    vec![
        ("squares", scene("two_squares", &finer), 60),
        ("dominoes", scene("showcase/dominoes", &[&key]), 20),
        ("all kinds", scene("showcase/all_kinds", &[&key]), 20),
        ("linkage", scene("showcase/linkage", &[&key]), 20),
    ]
}

#[test]
fn runs_resume_at_any_step_with_the_same_bits() {
    for (_, key) in OTHERS {
        for (name, scene, steps) in scenes(key) {
            println!("{key}, {name}");
            assert_resumable(&scene, steps, |_, _| ());
        }
    }
}

#[test]
fn threads_and_interruptions_do_not_change_a_bit() {
    let large = [&["--no-frames", "--steps", "6"][..], &LARGE].concat();
    let place = Place::new();
    for (_, key) in OTHERS {
        let chosen = format!("time.integrator={key}");
        let run = |name: &str, more: &[&str]| {
            let all = [&large[..], &["--set", &chosen, "--force"], more].concat();
            place.two_squares(name, &all).exits(0);
        };
        let files = |name: &str| {
            let mut files = place.files(name);
            ["trajectory.npy", "energies.csv"].map(|file| files.remove(file).unwrap())
        };
        run("one", &["--threads", "1"]);
        run("two", &["--threads", "2"]);
        assert!(files("one") == files("two"), "{key}: threads");

        run("stopped", &["--max-wall", "1e-9"]);
        for threads in ["1", "2", "3", "2", "1"] {
            let out = place.path("stopped");
            let resume = ["run", "--resume", &out, "--max-wall", "1e-9", "--threads"];
            ipcsim(&[&resume[..], &[threads]].concat());
        }

        // On a busy machine a run may be stopped before its first step.
        ipcsim(&["run", "--resume", &place.path("stopped")]);
        assert!(files("one") == files("stopped"), "{key}: resumed");
    }
}

/// An integrator whose steps cannot be solved beyond a length.
#[derive(Debug)]
struct OnlyShort {
    of: Box<dyn Integrator>,
    longest: f64,
}

impl Integrator for OnlyShort {
    fn stages(&self) -> usize {
        self.of.stages()
    }

    fn history(&self) -> usize {
        self.of.history()
    }

    fn stage(&self, from: Departure) -> Stage {
        let solvable = from.span.h <= self.longest;
        let stage = self.of.stage(from);
        Stage {
            tolerance: if solvable { stage.tolerance } else { -1.0 },
            ..stage
        }
    }
}

#[test]
fn a_step_that_fails_is_halved_and_one_that_cannot_be_solved_leaves_the_state() {
    for (scheme, key) in OTHERS {
        let scene = scene("two_squares", &[&format!("time.integrator={key}")]);
        let h = scene.time.step;
        let short = |longest: f64| {
            let of = scheme.integrator();
            Box::new(OnlyShort { of, longest })
        };

        // Every step as two halves is a run with half of the step.
        let mut halved = Parts::of(&scene);
        // Fewer than it takes to find that rounding is reached.
        halved.world.newton.max_iterations = 3;
        halved.world.integrator = short(0.6 * h);
        halved.solver = halved.world.solver();
        let mut finer = Parts::of(&scene);
        finer.world.h = 0.5 * h;
        for step in 1..=5 {
            let report = halved.step();
            let rung = report.recovery.map(|recovery| recovery.rung);
            assert_eq!(rung, Some(Fallback::HalvedStep), "{key}");
            finer.step();
            finer.step();
            let pairs = halved.state.x.iter().zip(&finer.state.x);
            let error = pairs.map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            assert!(error < 1e-12, "{key}, step {step}: {error:e}");
        }

        let before = halved.state.clone();
        halved.world.integrator = short(0.0);
        assert!(halved.try_step().is_err());
        assert_eq!(halved.state, before, "{key}");
    }
}

#[test]
fn every_motion_is_certified() {
    let place = Place::new();
    for (_, key) in OTHERS {
        for (scene, steps) in [
            ("two_squares", "60"),
            ("showcase/all_kinds", "40"),
            ("showcase/rolling", "30"),
            ("showcase/chain", "15"),
        ] {
            let path = format!("scenes/{scene}.json");
            let chosen = format!("time.integrator={key}");
            let out = place.path("run");
            let run = ["run", &path, "--steps", steps, "--set", &chosen, "--out"];
            let more = [&out, "--certify", "--no-frames", "--quiet", "--force"];
            ipcsim(&[&run[..], &more].concat()).exits(0);

            let proved = ipcsim(&["verify", &out]);
            assert_eq!(proved.code, 0, "{key}, {scene}: {proved:?}");
            let joined = format!(" to step {steps} join all stored states");
            proved.prints(&joined);
        }
    }
}

#[test]
fn a_sixteenth_of_the_extremes_never_intersects_and_nearly_all_of_it_completes() {
    extremes(16);
}

#[test]
#[ignore = "the whole matrix, three times"]
fn the_matrix_of_extremes_never_intersects_and_nearly_all_of_it_completes() {
    extremes(1);
}

/// Runs every n-th cell of the matrix of extremes; no state intersects in any. Those that do not
/// complete end in a named failure.
fn extremes(every: usize) {
    for (_, key) in OTHERS {
        let mut all = cells::all();
        let mut count = 0;
        let mut failed = Vec::new();
        for cell in all.iter_mut().step_by(every) {
            cell.scene["time"]["integrator"] = json!(key);
            let end = run(cell);
            count += 1;
            if end.failure.is_some() != cell.impossible {
                failed.push(format!("{}: {}: {:?}", cell.axis, cell.name, end.failure));
            }
        }
        println!(
            "{key}: {} of {count} complete: {failed:#?}",
            count - failed.len()
        );
        assert!(
            count > 20 && failed.len() * 10 <= count,
            "{key}: {failed:#?}"
        );
    }
}
