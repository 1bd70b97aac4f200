//! Energy that is kept: what it promises to leave as it is, and what it restores.

use crate::program::{Place, ipcsim};
use crate::support::{Parts, assert_resumable, scene};
use ipcsim::scene::Scene;
use ipcsim_store::ledger::Books;

/// All integrators in time.
const ALL: [&str; 4] = ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"];

/// A scene that keeps its energy, by an integrator, with more settings.
fn kept(name: &str, integrator: &str, more: &[&str]) -> Scene {
    let chosen = format!("time.integrator={integrator}");
    let settings = [&["time.energy=kept", &chosen], more].concat();
    scene(name, &settings)
}

#[test]
fn runs_resume_at_any_step_with_the_same_bits() {
    const CONTROL: &str = r#"time.adaptive={"tolerance":1e-4,"smallest":1e-4}"#;
    for integrator in ALL {
        for (name, more) in [
            ("two_squares", &[][..]),
            ("two_squares", &[CONTROL]),
            ("showcase/dominoes", &[]),
            ("showcase/hourglass", &["contact.restitution.default=0.5"]),
        ] {
            let scene = kept(name, integrator, more);
            println!("{integrator}, {name}");
            assert_resumable(&scene, 25, |whole, _| {
                assert!(whole.state.memory.options.energy_correction.owed.is_some());
            });
        }
    }
}

#[test]
fn threads_do_not_change_a_bit_and_every_motion_is_proved() {
    let place = Place::new();
    for integrator in ALL {
        let chosen = format!("time.integrator={integrator}");
        let run = |name: &str, threads: &str| {
            let more = ["--no-frames", "--certify", "--steps", "60", "--force"];
            let keys = ["--set", "time.energy=kept", "--set", "output.ledger=true"];
            let own = ["--set", &chosen, "--threads", threads];
            place
                .two_squares(name, &[&more[..], &keys, &own].concat())
                .exits(0);
            let mut files = place.files(name);
            ["trajectory.npy", "energies.csv"].map(|file| files.remove(file).unwrap())
        };
        assert!(run("one", "1") == run("two", "2"), "{integrator}");

        // The ledger closes, and no motion intersects.
        ipcsim(&["verify", &place.path("one")]).exits(0);
    }
}

#[test]
fn the_first_step_has_the_places_of_one_that_keeps_nothing() {
    for integrator in ALL {
        let chosen = format!("time.integrator={integrator}");
        let mut free = Parts::of(&scene("two_squares", &[&chosen]));
        let mut kept = Parts::of(&kept("two_squares", integrator, &[]));
        free.step();
        kept.step();
        assert_eq!(free.state.q, kept.state.q, "{integrator}");
    }
}

#[test]
fn the_energy_owed_is_what_the_ledger_still_lacks() {
    for integrator in ALL {
        let scene = kept("two_squares", integrator, &["output.ledger=true"]);
        let mut run = Parts::of(&scene);
        let mut books = Books::default();
        for step in 1..=80 {
            books.enter(&run.step().record);
            let work = books.work;
            let taken = work.inertia + work.elasticity + work.contact + work.residual;
            let owed = run.state.memory.options.energy_correction.owed.unwrap();
            let scale = work.values().iter().map(|w| w.abs()).fold(1e-3, f64::max);
            let error = (owed + taken + work.restored).abs();
            assert!(error < 1e-9 * scale, "{integrator}, {step}: {error:e} J");
        }
    }
}
