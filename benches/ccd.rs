//! Narrow phases: queries per second on misses, impacts, slides and contacts.
//! `benches/peers/ccd_ipctk.py` gives the same queries to IPC Toolkit.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ipcsim::contact::ccd::{NarrowPhase, Query};
use ipcsim::math::{Vec2, perp};
use std::hint::black_box;
use std::time::Duration;

/// Numbers in `[-1, 1)` that fill it evenly: multiples of an irrational.
struct Even(f64);

impl Even {
    /// The next number.
    fn next(&mut self) -> f64 {
        self.0 = (self.0 + 0.754_877_666_246_692_7).fract();
        2.0 * self.0 - 1.0
    }

    /// A vector with both components between -1 and 1.
    fn vector(&mut self) -> Vec2 {
        let x = self.next();
        Vec2::new(x, (self.next() + 3.7 * x).sin())
    }

    /// A vertex and an edge that start and end anywhere.
    fn random(&mut self) -> Query {
        let mut three = || [self.vector(), self.vector(), self.vector()];
        Query {
            start: three(),
            end: three(),
        }
    }

    /// A slide along a slanted edge at a gap.
    fn slide(&mut self, gap: f64) -> Query {
        let along = self.vector();
        let lift = perp(along) * gap;
        let from = along * self.next() + lift;
        let to = along * self.next() + lift;
        Query {
            start: [from, -along, along],
            end: [to, -along, along],
        }
    }

    /// A fall from a small height onto a slanted edge.
    fn approach(&mut self, gap: f64) -> Query {
        let along = self.vector();
        let from = along * self.next() * 0.9 + perp(along) * gap;
        let to = along * self.next() * 0.9 - perp(along) * 0.01;
        Query {
            start: [from, -along, along],
            end: [to, -along, along],
        }
    }
}

/// Families of a thousand queries, with their names.
fn families() -> Vec<(&'static str, Vec<Query>)> {
    // Random queries, sorted by how they are decided.
    let mut even = Even(0.1);
    let random: Vec<Query> = (0..40_000).map(|_| even.random()).collect();
    let hits = |q: &Query| NarrowPhase::Exact.time_of_impact(q, 0.0).is_some();
    let apart = |q: &Query| q.boxes_stay_apart(0.0);
    let some = |keep: &dyn Fn(&Query) -> bool| -> Vec<Query> {
        let kept = random.iter().copied().filter(keep);
        kept.take(1000).collect()
    };

    // Queries near the limits of a method.
    let mut many =
        |f: &mut dyn FnMut(&mut Even) -> Query| (0..1000).map(|_| f(&mut even)).collect::<Vec<_>>();
    vec![
        ("random", random[..1000].to_vec()),
        ("misses by their boxes", some(&apart)),
        ("misses by their roots", some(&|q| !apart(q) && !hits(q))),
        ("impacts", some(&hits)),
        ("impacts from 1e-6", many(&mut |e| e.approach(1e-6))),
        ("slides at 1e-3", many(&mut |e| e.slide(1e-3))),
        ("slides at 1e-6", many(&mut |e| e.slide(1e-6))),
        ("slides at 1e-9", many(&mut |e| e.slide(1e-9))),
        ("slides at 1e-15", many(&mut |e| e.slide(1e-15))),
        ("slides at 0", many(&mut |e| e.slide(0.0))),
    ]
}

/// Times all narrow phases on all families, with and without a separation.
fn narrow_phases(criterion: &mut Criterion) {
    for (name, queries) in families() {
        let mut group = criterion.benchmark_group(format!("ccd, {name}"));
        group.throughput(Throughput::Elements(queries.len() as u64));

        for method in NarrowPhase::ALL {
            for separation in [0.0, 1e-6] {
                let label = format!("{method:?}, separation {separation:e}");
                group.bench_function(BenchmarkId::from_parameter(label), |bencher| {
                    bencher.iter(|| {
                        let queries = black_box(&queries).iter();
                        let times = queries.filter_map(|q| method.time_of_impact(q, separation));
                        times.sum::<f64>()
                    });
                });
            }
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = narrow_phases
}
criterion_main!(benches);
