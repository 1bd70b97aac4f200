//! Times of ordering, analysis, factorisation and solve of the Newton matrix of two squares with
//! `n` segments a side, on one thread and on two, and by faer.
//!
//! `cargo bench --bench linear -- --write FOLDER` also writes the matrices to FOLDER as Matrix
//! Market files, for `peers/cholesky_pardiso.py`.
#![allow(
    clippy::unwrap_used,
    reason = "a benchmark that fails should stop at once"
)]
#![allow(clippy::print_stdout, reason = "this is a program")]

#[path = "kernels/two_squares.rs"]
#[allow(dead_code, reason = "other benchmarks use more of it")]
mod two_squares;

use ipcsim::math::parallel;
use ipcsim::sparse::{Cholesky, LinearSolver, fill_reducing, matrix_market};
use ipcsim_cli::Calibration;
use std::path::Path;
use std::time::Instant;
use two_squares::{Newton, released};

/// Segments a side: 101 thousand, 203 thousand and a million unknowns.
const SIZES: [usize; 3] = [158, 224, 500];

/// Prints a row for faer and one for each number of threads, size by size.
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let written = arguments.iter().position(|argument| argument == "--write");
    let folder = written.and_then(|k| arguments.get(k + 1));

    // As a test, one small matrix and one sample.
    let test = arguments.iter().any(|argument| argument == "--test");
    let sizes = if test { &[20][..] } else { &SIZES[..] };
    println!(
        "{:>8} {:>8} {:>9} {:>9} {:>14} {:>9} ms",
        "unknowns", "threads", "ordering", "analysis", "factorisation", "solve"
    );

    for &n in sizes {
        let newton = Newton::of(released(n));
        if let Some(folder) = folder {
            let path = Path::new(folder).join(format!("two_squares_{n}.mtx"));
            matrix_market::write(&newton.matrix, &path).unwrap();
        }

        let samples = if test { 1 } else { 4000 / n };
        let faer = fastest(
            samples,
            &mut Calibration::of(&newton.matrix).unwrap(),
            |faer| assert!(faer.factorise()),
        );
        println!(
            "{:8} {:>8} {:>9} {:>9} {faer:14.1}",
            2 * newton.nodes,
            "faer",
            "",
            ""
        );

        for threads in [1, 2] {
            parallel::with_threads(Some(threads), || measure(&newton, threads, samples)).unwrap();
        }
    }
}

/// Prints the times of ipcsim's own factorisation.
fn measure(newton: &Newton, threads: usize, samples: usize) {
    let ordering = fastest(samples, &mut (), |()| {
        drop(fill_reducing(newton.nodes, &newton.pairs));
    });
    let analysis = fastest(samples, &mut (), |()| {
        drop(Cholesky::analyse(
            &newton.matrix,
            LinearSolver::Multifrontal,
        ));
    });
    let mut cholesky = Cholesky::analyse(&newton.matrix, LinearSolver::Multifrontal).unwrap();
    let factorisation = fastest(samples, &mut cholesky, |cholesky| {
        cholesky.factorise(&newton.matrix).unwrap();
    });

    let mut x = vec![0.0; 2 * newton.nodes];
    let solve = fastest(samples, &mut x, |x| {
        x.fill(1.0);
        cholesky.solve(x);
    });

    let unknowns = 2 * newton.nodes;
    println!(
        "{unknowns:8} {threads:8} {ordering:9.1} {analysis:9.1} {factorisation:14.1} {solve:9.1}"
    );
}

/// Shortest of some times, which other work disturbs least (ms).
fn fastest<T>(samples: usize, of: &mut T, mut f: impl FnMut(&mut T)) -> f64 {
    let mut shortest = f64::INFINITY;
    for _ in 0..samples {
        let start = Instant::now();
        f(of);
        shortest = shortest.min(start.elapsed().as_secs_f64() * 1e3);
    }
    shortest
}
