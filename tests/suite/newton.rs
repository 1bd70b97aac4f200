//! How steps end: converged, or with a failure that names the cause.

use crate::support::{Run, scene, setup};
use ipcsim::contact::ContactPair;
use ipcsim::solve::{Failure, Status};

/// Failure of the first of `steps` steps that fails. It must leave the state unchanged and free of
/// intersections.
fn first_failure(run: &mut Run, steps: usize) -> Option<Failure> {
    for _ in 0..steps {
        let before = run.state().clone();
        if let Err(failure) = run.try_step() {
            assert_eq!(
                *run.state(),
                before,
                "a step that fails leaves the state as it was"
            );
            run.assert_apart();
            return Some(failure);
        }
    }

    None
}

#[test]
fn a_vertex_on_an_edge_is_an_error_and_no_step_of_length_0() {
    let mut start = setup(&scene("two_squares", &[]));

    // Vertex 0 of the upper square onto the top edge of the lower one, from (-0.18, -0.27) to
    // (0.045, -0.27).
    start.state.x[0] = (start.state.x[11] + start.state.x[14]) * 0.5;
    let mut run = Run::from(start);
    let failure = run.try_step().unwrap_err();
    assert!(
        matches!(failure, Failure::Touching(ContactPair::Edge { point: 0, edge }) if edge.contains(&11)),
        "{failure}"
    );
    assert!(failure.to_string().contains("vertex 0"), "{failure}");
    assert_eq!(run.state().step, 0);
}

#[test]
fn a_vertex_on_a_vertex_is_an_error() {
    let mut start = setup(&scene("two_squares", &[]));
    start.state.x[0] = start.state.x[11];
    assert!(matches!(
        Run::from(start).try_step(),
        Err(Failure::Touching(ContactPair::Edge { .. }))
    ));
}

#[test]
fn a_vertex_on_or_behind_a_half_plane_is_an_error() {
    for depth in [0.0, 0.1] {
        let mut start = setup(&scene("two_squares", &[]));
        start.state.x[9].y = -1.0 - depth;
        let failure = Run::from(start).try_step().unwrap_err();
        assert_eq!(
            failure,
            Failure::Touching(ContactPair::Plane { point: 9, plane: 0 })
        );
    }
}

#[test]
fn what_is_not_a_number_is_never_accepted() {
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        for vertex in [0, 4, 17] {
            let mut start = setup(&scene("two_squares", &[]));
            start.state.q_dot[vertex].x = bad;
            let mut run = Run::from(start);
            assert!(
                run.try_step().is_err(),
                "a velocity of {bad} at vertex {vertex}"
            );
            assert_eq!(run.state().step, 0);
        }
    }

    for vertex in [0, 4, 17] {
        let mut start = setup(&scene("two_squares", &[]));
        start.state.x[vertex].y = f64::NAN;
        assert!(
            Run::from(start).try_step().is_err(),
            "a position that is no number at vertex {vertex}"
        );
    }
}

#[test]
fn at_a_tolerance_below_rounding_every_step_ends_converged_or_says_that_rounding_was_reached() {
    for tolerance in [1e-10, 1e-18] {
        let setting = format!("solver.tolerance={tolerance:e}");
        let mut run = Run::of(&scene("two_squares", &[&setting]));
        let mut rounding = 0;

        for _ in 0..150 {
            let report = run.step();
            assert!(report.status == Status::RoundingReached || report.residual <= tolerance);
            assert!(
                report.residual < 1e-9,
                "step {}: {}",
                run.state().step,
                report.residual
            );
            rounding += usize::from(report.status == Status::RoundingReached);
        }

        assert!(
            tolerance > 1e-15 || rounding > 100,
            "{rounding} of 150 steps"
        );
    }
}

#[test]
fn the_iteration_limit_is_a_failure_that_names_vertex_and_residual() {
    // In flight the first guess is exact; on the ground one direction is not enough.
    let mut run = Run::of(&scene("two_squares", &["solver.max_iterations=1"]));
    let Some(Failure::Iterations {
        count: 1,
        residual,
        tolerance,
        imbalance: _,
        vertex,
    }) = first_failure(&mut run, 60)
    else {
        panic!("one iteration cannot be enough");
    };

    assert!(run.state().step > 10 && residual > tolerance, "{residual}");
    assert!(vertex < 18 && (tolerance - 0.01).abs() < 1e-15);
}

/// Vertex that carries the ceiling of `two_squares`, and the number of its half-plane.
const CEILING: (usize, usize) = (19, 1);

#[test]
fn a_ceiling_driven_through_the_floor_is_blocked_by_the_upper_square() {
    for settings in [
        ["obstacles.1.travel=3.0", "obstacles.1.velocity=[0.0,-2.0]"],
        ["obstacles.1.travel=1.27", "obstacles.1.velocity=[0.0,-5.0]"],
    ] {
        let mut run = Run::of(&scene("two_squares", &settings));
        let failure = first_failure(&mut run, 200).expect("a ceiling cannot go through the floor");
        println!("{settings:?}: step {}: {failure}", run.state().step + 1);

        let Failure::Blocked(blocked) = &failure else {
            panic!("{failure}")
        };
        let Some(ContactPair::Plane { point, plane }) = blocked.pair else {
            panic!("{failure}")
        };
        assert_eq!((blocked.vertex, plane), CEILING, "{failure}");
        assert!(point < 9 && blocked.distance > 0.0, "{failure}");
        assert!(run.state().x[CEILING.0].y > -1.0 && run.state().step > 10);

        // The message and the list of vertices name both.
        assert_eq!(failure.vertices(), [CEILING.0, point]);
        let message = failure.to_string();
        assert!(message.contains("vertex 19"), "{message}");
        assert!(message.contains(&format!("vertex {point} and half-plane 1")));
    }
}

#[test]
fn a_step_that_contact_cuts_short_is_not_taken_for_rounding() {
    // Nearly every direction is cut to a small part here, and the decrease along that part is lost
    // in the energy.
    let mut stiff = Run::of(&scene(
        "two_squares",
        &["contact.kappa=1e14", "solver.tolerance=1e-8"],
    ));
    for _ in 0..60 {
        let report = stiff.step();
        assert!(
            report.residual < 1e-6,
            "step {}: {} m/s",
            stiff.state().step,
            report.residual
        );
    }

    let mut start = setup(&scene("two_squares", &[]));
    start.state.q_dot[4].x = 1e10;
    let done = Run::from(start).try_step();
    assert!(done.is_ok_and(|report| report.residual < 0.01));
}
