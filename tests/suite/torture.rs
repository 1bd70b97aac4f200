//! Mutated scenes, runs, imports and queries: each is accepted or refused, and none causes a panic.

mod case;
pub(crate) mod certified;
pub(crate) mod interrupted;
pub(crate) mod mutate;

use crate::program::{good_scenes, project};
use case::{Fate, prepare, simulate};
use ipcsim::scene::schema::Scheme;
use mutate::Pool;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Longest scene that is mutated (bytes).
const LONGEST: usize = 5_000;

/// Pool of mutants of short shipped scenes, with entries of scenes that are refused.
pub(crate) fn pool() -> Pool {
    let read = |files: &[PathBuf]| -> Vec<Value> {
        let texts = files
            .iter()
            .map(|file| std::fs::read_to_string(file).unwrap());
        texts
            .filter(|text| text.len() < LONGEST)
            .filter_map(|text| serde_json::from_str(&text).ok())
            .collect()
    };
    let broken = std::fs::read_dir(project("scenes/broken"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut broken: Vec<PathBuf> = broken.collect();
    broken.sort();
    Pool::new(read(&good_scenes()), &read(&broken))
}

/// Numbers of mutants that reached each stage.
#[derive(Default)]
struct Count {
    refused: AtomicUsize,
    large: AtomicUsize,
    ready: AtomicUsize,
    run: AtomicUsize,
}

/// Prepares the mutants of all `seeds`, and runs one of `share` for 3 steps if it is ready.
fn torture(seeds: std::ops::Range<u64>, share: u64) -> Count {
    /// Number of steps of a mutant that runs.
    const STEPS: usize = 3;
    let pool = pool();
    let count = Count::default();
    let panicked = Mutex::new(Vec::new());
    let one = |seed: u64| match prepare(&pool.mutant(seed)) {
        Fate::Refused => &count.refused,
        Fate::Large => &count.large,
        Fate::Ready(mut setup) if seed.is_multiple_of(share) => {
            // Every integrator in turn.
            let scheme = Scheme::ALL[(seed / share % 4) as usize];
            setup.world.integrator = scheme.integrator();
            simulate(*setup, STEPS);
            &count.run
        }
        Fate::Ready(_) => &count.ready,
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let one = &one;
            let panicked = &panicked;
            let seeds = seeds.clone();
            scope.spawn(move || {
                for seed in seeds.filter(|seed| seed % threads == thread) {
                    match catch_unwind(AssertUnwindSafe(|| one(seed))) {
                        Ok(counter) => drop(counter.fetch_add(1, Ordering::Relaxed)),
                        Err(_) => panicked.lock().unwrap().push(seed),
                    }
                }
            });
        }
    });
    let panicked = panicked.into_inner().unwrap();
    let scenes: Vec<String> = panicked
        .iter()
        .take(5)
        .map(|&seed| pool.mutant(seed))
        .collect();

    assert!(
        panicked.is_empty(),
        "{} seeds: {panicked:?}\n{}",
        panicked.len(),
        scenes.join("\n")
    );
    count
}

fn said(count: &Count) -> [usize; 4] {
    [&count.refused, &count.large, &count.ready, &count.run]
        .map(|count| count.load(Ordering::Relaxed))
}

#[test]
fn forty_thousand_mutated_scenes_are_read_and_hundreds_run_three_steps_without_panic() {
    let [refused, large, ready, run] = said(&torture(0..40_000, 10));
    println!("{refused} refused, {large} large, {ready} ready, {run} run");
    assert!(
        refused > 4_000 && ready > 4_000 && run >= 400,
        "{refused} {large} {ready} {run}"
    );
}

#[test]
#[ignore = "a million scenes take minutes"]
fn a_million_mutated_scenes_are_read_and_ten_thousand_run_three_steps_without_panic() {
    let [refused, large, ready, run] = said(&torture(1_000_000..2_000_000, 10));
    println!("{refused} refused, {large} large, {ready} ready, {run} run");
    assert!(run >= 10_000, "{refused} {large} {ready} {run}");
}
