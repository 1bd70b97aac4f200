//! Steps that a program stops on the way.

use ipcsim::prelude::*;
use ipcsim::scene;
use ipcsim::solve::{Failure, Interrupt};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::program::project;

/// An interrupt that stops when it is asked for the time `last`, and counts the questions.
fn after(last: usize) -> (Interrupt, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let interrupt = Interrupt::new(move || counter.fetch_add(1, Ordering::Relaxed) >= last);
    (interrupt, asked)
}

/// A simulation of a shipped scene after `steps` steps.
fn simulation(path: &str, steps: usize) -> Simulation {
    let scene = scene::read(&project(path), &[]).unwrap();
    let mut simulation = Simulation::new(scene).unwrap();
    simulation.begin().unwrap();
    simulation.run(steps).unwrap();
    simulation
}

#[test]
fn a_step_that_is_stopped_anywhere_is_as_if_it_had_not_begun() {
    for path in [
        "scenes/two_squares.json",
        "scenes/book/08_two_squares_friction.json",
    ] {
        let mut whole = simulation(path, 60);
        let start = whole.state().hash();
        let (never, asked) = after(usize::MAX);
        whole.step_unless(&never).unwrap();
        let first = whole.state().hash();
        whole.run(10).unwrap();
        let directions = asked.load(Ordering::Relaxed);
        assert!(directions > 1, "{path}: {directions}");

        for last in 0..directions {
            let mut stopped = simulation(path, 60);
            let (interrupt, _) = after(last);
            let failure = match stopped.step_unless(&interrupt) {
                Err(Error::Step { failure, .. }) => failure,
                other => panic!("{path}, {last}: {other:?}"),
            };
            assert_eq!(failure, Failure::Interrupted);
            assert_eq!((stopped.steps(), stopped.state().hash()), (60, start));

            // Later steps have the bits that they would have had.
            stopped.step().unwrap();
            assert_eq!(stopped.state().hash(), first, "{path}, {last}");
            stopped.run(10).unwrap();
            assert_eq!(
                stopped.state().hash(),
                whole.state().hash(),
                "{path}, {last}"
            );
        }
    }
}

#[test]
fn fallbacks_are_stopped_as_well() {
    // One iteration is never enough, so every rung is tried.
    let path = project("scenes/two_squares.json");
    let scene = scene::read(&path, &["solver.max_iterations=1".to_owned()]).unwrap();
    let mut simulation = Simulation::new(scene).unwrap();
    let (never, asked) = after(usize::MAX);
    let mut failed = false;
    for _ in 0..100 {
        let before = asked.load(Ordering::Relaxed);
        if simulation.step_unless(&never).is_ok() {
            continue;
        }
        failed = true;
        let all = asked.load(Ordering::Relaxed) - before;
        assert!(all > 4, "{all}");
        for last in 0..all {
            let (interrupt, _) = after(last);
            let stopped = simulation.step_unless(&interrupt);
            assert!(
                matches!(
                    stopped,
                    Err(Error::Step {
                        failure: Failure::Interrupted,
                        ..
                    })
                ),
                "{last}: {stopped:?}"
            );
        }
        break;
    }
    assert!(failed, "no step needs a second direction");
}
