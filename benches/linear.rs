#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::unwrap_used, clippy::print_stdout)]
#[path = "kernels/calibration.rs"]
mod calibration;
#[path = "kernels/two_squares.rs"]
#[allow(dead_code)]
mod two_squares;
use calibration::Calibration;
use ipcsim::math::parallel;
use ipcsim::solve::linear::{Cholesky, fill_reducing};
use std::time::Instant;
use two_squares::{Newton, released};

fn best(times: usize, mut f: impl FnMut()) -> f64 {
    (0..times).map(|_| { let t = Instant::now(); f(); t.elapsed().as_secs_f64() * 1e3 }).fold(f64::INFINITY, f64::min)
}

fn main() {
    let sizes: Vec<usize> = std::env::var("N").unwrap_or("158".into()).split(',').map(|x| x.parse().unwrap()).collect();
    let reps: usize = std::env::var("REPS").unwrap_or("7".into()).parse().unwrap();
    for n in sizes {
        let newton = Newton::of(released(n));
        let matrix = &newton.matrix;
        if std::env::var("CAL").is_ok() {
            let mut cal = Calibration::of(matrix.clone());
            println!("n {n} faer own order {:.1}", best(reps, || cal.factorise()));
        }
        for threads in [1, 2] {
            parallel::with_threads(Some(threads), || {
                let order = best(reps, || { fill_reducing(newton.nodes, &newton.pairs); });
                let analysis = best(reps, || { Cholesky::analyse(matrix).unwrap(); });
                let mut cholesky = Cholesky::analyse(matrix).unwrap();
                let factor = best(reps, || cholesky.factorise(matrix).unwrap());
                let b: Vec<f64> = (0..2 * newton.nodes).map(|i| (i as f64 * 0.7).sin()).collect();
                let mut x = b.clone();
                let solve = best(reps, || { x.copy_from_slice(&b); cholesky.solve(&mut x); });
                let low = matrix.lower();
                let mut r = b.clone();
                for j in 0..2 * newton.nodes {
                    for k in low.col_ptr()[j]..low.col_ptr()[j + 1] {
                        let (i, v) = (low.row_idx()[k], low.val()[k]);
                        r[i] -= v * x[j];
                        if i != j { r[j] -= v * x[i]; }
                    }
                }
                let residual = r.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
                println!("n {n} threads {threads} order {order:.1} analysis {analysis:.1} factor {factor:.1} solve {solve:.1} residual {residual:.1e}");
            }).unwrap();
        }
    }
}
