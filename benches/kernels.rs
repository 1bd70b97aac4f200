//! Parts of a time step, and whole steps, on two squares with `n` segments a side; all on one
//! thread.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(
    clippy::unwrap_used,
    reason = "a benchmark that fails should stop at once"
)]

#[path = "kernels/two_squares.rs"]
mod two_squares;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use ipcsim::contact::{Candidates, Contacts, LineContact, max_step};
use ipcsim::energy::{Curvature, Energy, Summed};
use ipcsim::geometry::path::Sweep;
use ipcsim::math::{Mat2, Vec2, parallel};
use ipcsim::sparse::{Cholesky, LinearSolver, fill_reducing};
use ipcsim::time::step;
use ipcsim_cli::Calibration;
use std::hint::black_box;
use std::time::Duration;
use two_squares::{Newton, in_contact, near, released};

/// Segments a side.
const SIZES: [usize; 4] = [2, 16, 64, 160];

/// Times the factorisation by which figures of different machines are compared.
fn calibrate(criterion: &mut Criterion) {
    let mut prepared = None;
    criterion.bench_function("calibration", |b| {
        let factorisation = prepared
            .get_or_insert_with(|| Calibration::of(&Newton::of(released(158)).matrix).unwrap());
        b.iter(|| factorisation.factorise());
    });
}

/// Value, gradient and Hessian of a sum of `elements` local energies.
fn energy(criterion: &mut Criterion, name: &str, energy: &dyn Energy, elements: usize, x: &[Vec2]) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(elements as u64));
    group.bench_function("value", |b| b.iter(|| energy.value(black_box(x))));
    let mut gradient = vec![Vec2::zeros(); x.len()];
    group.bench_function("gradient", |b| {
        b.iter(|| energy.add_gradient(black_box(x), 1.0, &mut gradient));
    });
    let mut blocks = vec![Mat2::zeros(); energy.block_count()];
    group.bench_function("hessian", |b| {
        b.iter(|| {
            energy.hessian(
                0..energy.element_count(),
                black_box(x),
                1.0,
                Curvature::Projected,
                &mut blocks,
            );
        });
    });
}

/// Times value, gradient and Hessian of each energy.
fn energies(criterion: &mut Criterion) {
    let squares = near(64);
    let world = &squares.world;
    // Triangles of a bent square, none at rest.
    let bent = |a: &Vec2| Vec2::new(1.1 * a.x + 0.05 * (3.0 * a.y).sin(), 0.95 * a.y);
    let x: Vec<Vec2> = squares.state.x.iter().map(bent).collect();
    energy(
        criterion,
        "neo-hookean",
        world.model.energies[0].as_ref(),
        world.triangles.len(),
        &x,
    );

    // Contacts of a point and an edge, each with vertices of its own.
    let barrier = world.barriers.between(0, 1);
    let d_hat = world.model.surface.reach.most();
    let mut contacts = Summed::<LineContact, 3>::default();
    let mut x = Vec::new();

    for k in 0..1_000_000 {
        let gap = d_hat * (0.05 + 0.9 * (f64::from(k) * 0.618).fract());
        contacts.push(
            [0, 1, 2].map(|i| x.len() + i),
            LineContact {
                weight: 0.1,
                barrier,
                d_hat,
                separation: 0.0,
                one_sided: false,
            },
        );
        x.extend([[0.3, gap], [0.0, 0.0], [1.0, 0.0]].map(Vec2::from));
    }

    energy(criterion, "barrier", &contacts, contacts.elements.len(), &x);
}

/// Times assembly, ordering, analysis, factorisation and solve of the Newton matrix.
fn newton_matrix(criterion: &mut Criterion) {
    for n in SIZES {
        let mut newton = Newton::of(released(n));
        let mut group = criterion.benchmark_group(format!("matrix/{n}"));
        group.bench_function("assembly", |b| b.iter(|| newton.assemble()));
        group.bench_function("ordering", |b| {
            b.iter(|| fill_reducing(newton.nodes, &newton.pairs));
        });

        let matrix = &newton.matrix;
        group.bench_function("analysis", |b| {
            b.iter(|| Cholesky::analyse(matrix, LinearSolver::Multifrontal));
        });

        // A factorisation fills the factor that the solve uses.
        let mut cholesky = Cholesky::analyse(matrix, LinearSolver::Multifrontal).unwrap();
        cholesky.factorise(matrix).unwrap();
        group.bench_function("factorisation", |b| {
            b.iter(|| cholesky.factorise(black_box(matrix)));
        });

        let mut x = vec![0.0; 2 * newton.nodes];
        group.bench_function("solve", |b| {
            b.iter(|| {
                x.fill(1.0);
                cholesky.solve(black_box(&mut x));
            });
        });
    }
}

/// Times candidates, contacts and the step bound of two squares that nearly touch.
fn contact(criterion: &mut Criterion) {
    for n in SIZES {
        let squares = near(n);
        let surface = &squares.world.model.surface;
        let barriers = &squares.world.barriers;
        let x = &squares.state.x;
        let margin = 0.5 * surface.reach.most();

        // Candidates, contacts among them, and how far all may move.
        let mut group = criterion.benchmark_group(format!("contact/{n}"));
        group.bench_function("candidates", |b| {
            b.iter(|| Candidates::find(surface, black_box(x), |_| margin));
        });
        let candidates = Candidates::find(surface, x, |_| margin);
        group.bench_function("contacts", |b| {
            b.iter(|| Contacts::find(surface, barriers, &candidates, black_box(x)));
        });
        let end: Vec<Vec2> = x
            .iter()
            .map(|a| a + Vec2::new(0.3, -a.y) * margin)
            .collect();
        group.bench_function("step bound", |b| {
            b.iter(|| max_step(surface, &candidates, &Sweep::straight(black_box(x), &end)));
        });
    }
}

/// A step in contact, and for small squares the scene from start to end.
fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    for n in SIZES {
        let mut run = None;
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            let (setup, solver) = run.get_or_insert_with(|| in_contact(n));
            b.iter(|| step(&setup.world, solver, &mut setup.state.clone()).unwrap());
        });
    }

    group.finish();

    // Whole scenes, from the start to the end.
    let mut group = criterion.benchmark_group("scene");
    for n in [2, 16] {
        let squares = released(n);
        group.throughput(Throughput::Elements(squares.scene.time.steps as u64));
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| {
                let mut solver = squares.world.solver();
                let mut state = squares.state.clone();
                for _ in 0..squares.scene.time.steps {
                    step(&squares.world, &mut solver, &mut state).unwrap();
                }
                state
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = calibrate, energies, newton_matrix, contact, steps
}

fn main() -> Result<(), String> {
    parallel::with_threads(Some(1), || {
        benches();
        Criterion::default().configure_from_args().final_summary();
    })
}
