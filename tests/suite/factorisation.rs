//! The two implementations of the factorisation: each is the oracle of the other, and runs complete
//! with either.

use crate::program::{Place, ipcsim};
use crate::support::{Parts, scene};
use ipcsim::math::parallel::with_threads;
use ipcsim::sparse::{BlockMatrix, Cholesky, LinearSolver};

/// Newton matrix at the end of a step of a shipped scene in which bodies touch.
fn matrix_in_contact(name: &str, overrides: &[&str]) -> BlockMatrix {
    let mut run = Parts::of(&scene(name, overrides));
    for _ in 0..100 {
        let report = run.step();
        if report.record.contacts > 0 {
            return run.solver.newton_matrix().unwrap().clone();
        }
    }
    panic!("nothing touches in {name}");
}

/// Largest magnitude.
fn largest(values: &[f64]) -> f64 {
    values
        .iter()
        .fold(0.0, |largest, value| largest.max(value.abs()))
}

/// Differences, entry by entry.
fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Solution of `A x = b`, after a check that its normwise backward error is at rounding.
fn solution(matrix: &BlockMatrix, b: &[f64], solver: LinearSolver) -> Vec<f64> {
    let mut cholesky = Cholesky::analyse(matrix, solver).unwrap();
    cholesky.factorise(matrix).unwrap();
    let mut x = b.to_vec();
    cholesky.solve(&mut x);

    let residual = largest(&difference(&matrix.times(&x), b));
    let error = residual / (matrix.largest_row_sum() * largest(&x) + largest(b));
    println!(
        "{solver:?}: {} unknowns, backward error {error:.1e}",
        b.len()
    );
    assert!(error < 10.0 * f64::EPSILON, "{solver:?}: {error:e}");
    x
}

/// Checks both residuals, and that the solutions agree.
///
/// The right side is `A` times a known vector, so that both solutions are also compared with it.
fn assert_agree(matrix: &BlockMatrix, agreement: f64) {
    let known: Vec<f64> = (0..2 * matrix.nodes())
        .map(|i| (i as f64 * 0.7).sin())
        .collect();
    let b = matrix.times(&known);
    let own = solution(matrix, &b, LinearSolver::Multifrontal);
    let by_faer = solution(matrix, &b, LinearSolver::Faer);

    let apart = largest(&difference(&own, &by_faer));
    let off = largest(&difference(&own, &known));
    println!("solutions differ by {apart:.1e}, from the known one by {off:.1e}");
    assert!(apart < agreement && off < agreement, "{apart:e} {off:e}");
}

#[test]
fn solutions_of_twenty_thousand_unknowns_in_contact_agree() {
    let matrix = matrix_in_contact("stress/two_squares_20k", &[]);
    assert!(matrix.nodes() > 10_000);
    assert_agree(&matrix, 1e-11);
}

#[test]
#[ignore = "a minute without optimisation"]
fn solutions_of_two_hundred_thousand_unknowns_in_contact_agree() {
    let matrix = matrix_in_contact("stress/two_squares_200k", &[]);
    assert!(matrix.nodes() > 100_000);
    assert_agree(&matrix, 1e-11);
}

#[test]
fn solutions_of_chapter_8_in_contact_with_friction_agree() {
    let segments = [
        "bodies.0.shape.square.segments=16",
        "bodies.1.shape.square.segments=16",
    ];
    let matrix = matrix_in_contact("book/08_two_squares_friction", &segments);
    assert_agree(&matrix, 1e-11);
}

/// Scene, steps: elastic bodies, elastic bodies with friction, rigid bodies.
const SCENES: [(&str, usize); 3] = [
    ("two_squares", 60),
    ("book/08_two_squares_friction", 60),
    ("showcase/dominoes", 40),
];

#[test]
fn a_run_by_faer_has_the_same_bits_on_any_number_of_threads() {
    for (name, steps) in SCENES {
        let on = |threads| {
            with_threads(Some(threads), || {
                let mut run = Parts::of(&scene(name, &["solver.linear=faer"]));
                (0..steps).for_each(|_| drop(run.step()));
                run.state.hash()
            })
            .unwrap()
        };
        assert_eq!(on(1), on(2), "{name}");
    }
}

#[test]
fn a_run_by_faer_resumes_with_the_same_bits() {
    let place = Place::new();
    let args = [
        "--steps",
        "40",
        "--no-frames",
        "--set",
        "solver.linear=faer",
    ];
    place.completed("whole", &args);
    let at_once = ["--max-wall", "0.000000001"];
    let halted = place.two_squares("halted", &[&args[..], &at_once].concat());
    assert_eq!(halted.code, 0, "{}", halted.stderr);
    ipcsim(&["run", "--resume", &place.path("halted")]).exits(0);

    let states = |name: &str| std::fs::read(place.path(name) + "/trajectory.npy").unwrap();
    assert!(states("whole") == states("halted"));
}
