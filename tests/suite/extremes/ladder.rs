//! Fallbacks for steps that Newton's method cannot solve without them.

use super::scenes::Base::{self, Mixed, Pair, Rigid};
use super::scenes::Numbers;
use super::unsound;
use crate::support::{Run, inline, scene, setup};
use ipcsim::solve::{Failure, Status};
use ipcsim::time::{Fallback, Recovery};

/// Scenes of several extremes at once at which Newton's method fails somewhere without fallbacks.
///
/// The numbers of a row: time step (s), Young's modulus (Pa), two densities (kg/m^2), speed and
/// tolerance (m/s), `d_hat` (m), barrier stiffness (0: the default), friction coefficient.
const HARD: [(Base, [f64; 9]); 17] = [
    (Mixed, [1e-2, 1e5, 1e5, 1e-3, 1.0, 1e-3, 2e-5, 0.0, 0.0]),
    (Rigid, [1e-2, 1e12, 1e3, 1e-3, 1.0, 1e-6, 2e-7, 0.0, 0.0]),
    (Pair, [1e-1, 1e5, 1e5, 1.0, 1.0, 1e-3, 2e-4, 1e3, 1.0]),
    (Rigid, [1e-2, 1e5, 1e5, 1.0, 10.0, 1e-5, 2e-5, 0.0, 1.0]),
    (Pair, [1e-4, 1e12, 1e3, 1e-3, 1e3, 1e-3, 2e-4, 0.0, 0.0]),
    (Mixed, [1e-4, 1e12, 1.0, 1e5, 1.0, 1e-6, 2e-3, 1e16, 1.0]),
    (Mixed, [1e-2, 1e2, 1e5, 1e3, 100.0, 1e-4, 2e-7, 0.0, 0.3]),
    (Rigid, [1e-2, 1e5, 1e5, 1.0, 100.0, 1e-4, 2e-5, 1e3, 1.0]),
    (Mixed, [1e-2, 1e8, 1e3, 1e3, 100.0, 1e-5, 2e-5, 1e6, 1.0]),
    (Mixed, [1e-4, 1e5, 1e5, 1.0, 1e3, 1e-3, 2e-5, 1e6, 1.0]),
    (Rigid, [1e-4, 1e8, 1e3, 1e-3, 100.0, 1e-4, 2e-5, 0.0, 1.0]),
    (Rigid, [1e-4, 1e8, 1e3, 1e-3, 50.0, 1e-4, 2e-5, 0.0, 1.0]),
    (Pair, [1e-2, 1e5, 1e5, 1e-3, 1.0, 1e-6, 2e-7, 0.0, 1.0]),
    (Mixed, [1e-4, 1e2, 1e5, 1e5, 1.0, 1e-6, 2e-7, 0.01, 0.3]),
    (Mixed, [1e-3, 1e2, 1e3, 1.0, 1e3, 1.0, 2e-5, 1.0, 1.0]),
    (
        Rigid,
        [1e-3, 1e12, 1e-3, 1e5, 1.0, 1e-3, 2e-3, 7.848e4, 1.0],
    ),
    (Pair, [1e-1, 1e5, 1e-3, 1e5, 1.0, 1e-6, 2e-3, 1e9, 0.0]),
];

/// Numbers of one row of [`HARD`].
fn numbers(row: [f64; 9]) -> Numbers {
    let [
        h,
        young,
        upper,
        lower,
        speed,
        tolerance,
        d_hat,
        kappa,
        friction,
    ] = row;

    Numbers {
        h,
        steps: 30,
        young,
        density: [upper, lower],
        speed,
        tolerance,
        gap: d_hat.max(2e-4),
        d_hat: Some(d_hat),
        kappa: (kappa > 0.0).then_some(kappa),
        friction,
        ..Numbers::default()
    }
}

#[test]
fn every_rung_of_the_ladder_solves_steps_that_the_ones_below_it_do_not() {
    let mut rungs = Vec::new();
    for (k, (base, row)) in HARD.into_iter().enumerate() {
        let numbers = numbers(row);
        let scene = inline(numbers.scene(base));
        let mut run = Run::of(&scene);
        for step in 1..=30 {
            let before = run.state().clone();
            let report = run
                .try_step()
                .unwrap_or_else(|failure| panic!("scene {k}, step {step}: {failure}"));
            assert_eq!(unsound(&run), None, "scene {k}, step {step}");
            assert!(
                report.residual <= numbers.tolerance || report.status == Status::RoundingReached
            );

            let Some(Recovery { rung, why, .. }) = report.recovery.clone() else {
                continue;
            };
            println!(
                "scene {k}, step {step}: {} ({:?}) after {why}",
                rung.name(),
                report.status
            );
            rungs.push(rung);

            // It is a function of the step's start, so another solver takes it, too.
            let mut start = setup(&scene);
            start.state = before;
            let mut again = Run::from(start);
            assert_eq!(
                again.step().recovery,
                report.recovery,
                "scene {k}, step {step}"
            );
            assert_eq!(
                again.state().hash(),
                run.state().hash(),
                "scene {k}, step {step}"
            );
            run = again;
        }
    }

    // A regularized Hessian helps where bodies topple: a step of the shipped dominoes needs it.
    let others = Fallback::ALL.into_iter();
    for rung in others.filter(|rung| *rung != Fallback::RegularizedHessian) {
        assert!(rungs.contains(&rung), "{rung:?} is of no use: {rungs:?}");
    }
}

#[test]
fn a_step_that_no_rung_solves_fails_for_the_reason_that_the_first_attempt_had() {
    let mut run = Run::of(&scene(
        "two_squares",
        &["obstacles.1.travel=3.0", "obstacles.1.velocity=[0.0,-20.0]"],
    ));
    let failure = (0..200).find_map(|_| run.try_step().err()).unwrap();
    assert_eq!(failure.kind(), "blocked");
    assert_eq!(unsound(&run), None);

    // The first attempt is at the end of the step, where half a step would be at most half as far.
    let Failure::Blocked(blocked) = failure else {
        panic!("{failure}")
    };
    assert!(
        blocked.distance <= 0.2 && blocked.pair.is_some(),
        "{failure}"
    );
}
