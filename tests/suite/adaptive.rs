//! Steps that are divided by their errors: lengths, bits, fallbacks and certificates.

use crate::program::{Place, ipcsim};
use crate::support::{Parts, assert_resumable, scene};
use ipcsim::scene::Scene;
use ipcsim::solve::Stage;
use ipcsim::time::integrator::{Bdf2, Departure, Integrator};

/// Control of a scene whose contact begins at 1 cm.
const CONTROL: &str = r#"time.adaptive={"tolerance":1e-5,"smallest":1e-5}"#;

/// Two squares with friction that fall, by an integrator.
fn squares(integrator: &str) -> Scene {
    let chosen = format!("time.integrator={integrator}");
    let set = [CONTROL, &chosen, "time.step=0.02"];
    scene("book/08_two_squares_friction", &set)
}

#[test]
fn flight_takes_one_substep_and_an_impact_many_and_steps_end_on_their_times() {
    let mut run = Parts::of(&squares("bdf2"));
    let mut flown = 0;
    let mut struck = 0;
    for step in 1..=15 {
        let done = run.step();
        let substeps = done.substeps.unwrap();
        assert_eq!(run.state.time.to_bits(), (f64::from(step) * 0.02).to_bits());

        // Beyond the first steps, which find their length; the ground is reached after 0.24 s.
        match step {
            4..=10 => flown += substeps.accepted,
            13..=15 => struck += substeps.accepted,
            _ => {}
        }
    }
    assert_eq!(flown, 7);
    assert!(struck > 60, "{struck}");
}

#[test]
fn runs_resume_at_any_step_with_the_same_bits() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        println!("{integrator}");
        assert_resumable(&squares(integrator), 14, |_, _| ());
    }
}

/// Backward differences that nobody can solve in steps longer than a limit.
#[derive(Debug)]
struct OnlyShort {
    longest: f64,
}

impl Integrator for OnlyShort {
    fn history(&self) -> usize {
        1
    }

    fn stage(&self, from: Departure) -> Stage {
        let solvable = from.span.h <= self.longest;
        let stage = Bdf2.stage(from);
        let tolerance = if solvable { stage.tolerance } else { -1.0 };
        Stage { tolerance, ..stage }
    }
}

#[test]
fn what_is_not_solved_is_repeated_shorter_and_recovered_at_the_smallest_length() {
    let of = |smallest: f64, longest: f64| {
        let mut run = Parts::of(&squares("bdf2"));
        run.world.newton.max_iterations = 3;
        run.world.integrator = Box::new(OnlyShort { longest });
        run.world.options.adaptive.as_mut().unwrap().smallest = smallest;
        run.solver = run.world.solver();
        run
    };

    // Shorter substeps are enough.
    let mut run = of(1e-4, 0.004);
    let done = run.step();
    let substeps = done.substeps.unwrap();
    assert!(done.recovery.is_none() && substeps.rejected > 0);
    assert!(substeps.longest <= 0.004);

    // Substeps may not become short enough, but their halves do.
    let mut run = of(0.02, 0.011);
    let done = run.step();
    assert!(done.recovery.is_some());
    assert_eq!(done.substeps.unwrap().accepted, 1);

    // Nothing helps: the state stays.
    let mut run = of(1e-3, 0.0);
    let before = run.state.clone();
    assert!(run.try_step().is_err());
    assert_eq!(run.state, before);
}

#[test]
fn threads_do_not_change_a_bit_and_the_way_of_all_substeps_is_proved() {
    let place = Place::new();
    let run = |name: &str, threads: &str| {
        let more = [
            "--no-frames",
            "--certify",
            "--steps",
            "30",
            "--threads",
            threads,
        ];
        place
            .two_squares(name, &[&more[..], &["--set", CONTROL]].concat())
            .exits(0)
            .prints("substeps of");
        place.files(name).remove("trajectory.npy").unwrap()
    };
    assert!(run("one", "1") == run("two", "2"));
    assert_eq!(ipcsim(&["verify", &place.path("one")]).code, 0);
}
