//! Broad phases on crowds of disks, by method, number of edges and threads, and with one giant
//! edge. `benches/peers/broad_ipctk.py` runs the same crowds through IPC Toolkit.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(
    clippy::unwrap_used,
    reason = "a benchmark that fails should stop at once"
)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ipcsim::contact::broad::{BroadPhase, Hierarchy};
use ipcsim::geometry::Aabb;
use ipcsim::math::{Vec2, parallel};
use std::time::Duration;

#[allow(
    unreachable_pub,
    reason = "the tests of broad phases have the same file"
)]
#[path = "../crates/contact/src/broad/disks.rs"]
mod disks;

/// Boxes of all vertices and of all edges of a crowd, each with its motion.
fn boxes(count: usize) -> [Vec<Aabb>; 2] {
    let points: Vec<Aabb> = (0..count)
        .map(|v| Aabb::around(disks::path(v, count).map(Vec2::from)))
        .collect();
    let edges = (0..count)
        .map(|v| points[v].union(&points[disks::next(v)]))
        .collect();
    [points, edges]
}

/// Times all broad phases on one thread and on two.
fn search(c: &mut Criterion) {
    for count in [10_000, 100_000, 1_000_000] {
        let [points, mut edges] = boxes(count);
        for shape in ["crowd", "giant"] {
            // One edge across all of the crowd.
            if shape == "giant" {
                edges[count / 2] = Aabb {
                    min: Vec2::zeros(),
                    max: Vec2::new(1000.0, 1000.0),
                };
            }

            let mut group = c.benchmark_group(format!("{shape}/{count}"));
            for method in [
                BroadPhase::Grid,
                BroadPhase::Hierarchy,
                BroadPhase::SweepAndPrune,
            ] {
                for threads in [1, 2] {
                    let id = BenchmarkId::new(format!("{method:?}"), threads);
                    group.bench_function(id, |b| {
                        parallel::with_threads(Some(threads), || {
                            b.iter(|| method.pairs(&points, &edges));
                        })
                        .unwrap();
                    });
                }
            }
        }
    }
}

/// Times building a hierarchy, and refitting one to new boxes.
fn refit(c: &mut Criterion) {
    let [_, edges] = boxes(1_000_000);
    let mut hierarchy = Hierarchy::build(&edges);
    let mut group = c.benchmark_group("hierarchy/1000000");
    group.bench_function("build", |b| b.iter(|| Hierarchy::build(&edges)));
    group.bench_function("refit", |b| b.iter(|| hierarchy.refit(&edges)));
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = search, refit
}
criterion_main!(benches);
