//! Reasonable scenes end well: 5 to 30 random bodies of all kinds and laws, one scene a seed.

use crate::examples::random_scene::scene;
use crate::support::{Run, inline};
use ipcsim::scene::preflight;
use std::fmt::Write as _;
use std::ops::Range;

/// Seeds on which the program was improved, and seeds that were looked at once, afterwards.
const SEEN: Range<u64> = 0..200;
const UNSEEN: Range<u64> = 200..400;

/// Directions in a step above which a scene counts as slow.
const SLOW: usize = 100;

/// What became of a scene.
struct End {
    seed: u64,
    steps: usize,
    /// Directions of all steps, and of the slowest one.
    iterations: usize,
    most: usize,
    /// Kind of the failure and its message.
    failure: Option<(&'static str, String)>,
}

/// Runs the scene of a seed to its end or to its failure.
fn run(seed: u64) -> End {
    let scene = inline(scene(seed));
    let mut run = Run::of(&scene);
    let mut end = End {
        seed,
        steps: 0,
        iterations: 0,
        most: 0,
        failure: None,
    };
    while end.steps < scene.time.steps && end.failure.is_none() {
        match run.try_step() {
            Ok(report) => {
                let iterations = report.record.newton_iterations;
                end.steps += 1;
                end.iterations += iterations;
                end.most = end.most.max(iterations);
            }
            Err(failure) => end.failure = Some((failure.kind(), failure.to_string())),
        }
    }
    end
}

/// FNV-1a hash of a text (Fowler, Noll, Vo).
fn hash(text: &str, start: u64) -> u64 {
    text.bytes().fold(start, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[test]
fn scenes_of_all_seeds_are_frozen() {
    let all = (SEEN.start..UNSEEN.end).fold(0xCBF2_9CE4_8422_2325, |before, seed| {
        hash(&scene(seed).to_string(), before)
    });
    assert_eq!(
        all, 0x9DA2_16D1_FAA4_A5BB,
        "another generator is another experiment"
    );
}

#[test]
fn no_random_scene_has_a_problem() {
    for seed in (SEEN.start..UNSEEN.end).step_by(7) {
        let problems = preflight(inline(scene(seed))).problems;
        assert!(problems.is_empty(), "{seed}: {problems:?}");
    }
}

/// Laws without a barrier of their own lose all area under heavy bodies in each of these.
#[test]
fn eight_random_scenes_complete() {
    for seed in [0, 1, 2, 3, 5, 6, 7, 14] {
        let end = run(seed);
        assert!(end.failure.is_none(), "{seed}: {:?}", end.failure);
    }
}

/// Middle of a list; the list is sorted.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Row of a table: scenes, complete ones, those with a slow step, median of directions a step.
fn row(seeds: &Range<u64>, ends: &[End]) -> String {
    let complete = ends.iter().filter(|end| end.failure.is_none()).count();
    let slow = ends.iter().filter(|end| end.most > SLOW).count();
    let mean = |end: &End| end.iterations as f64 / end.steps.max(1) as f64;
    let mut means: Vec<f64> = ends.iter().map(mean).collect();
    format!(
        "| {} to {} | {complete} of {} | {slow} | {:.1} |\n",
        seeds.start,
        seeds.end - 1,
        ends.len(),
        median(&mut means)
    )
}

#[test]
#[ignore = "400 scenes, half an hour; writes tests/reasonable.md"]
fn nearly_all_random_scenes_complete() {
    let mut rows = String::new();
    let mut bad = String::new();
    let mut complete = 0;
    for seeds in [SEEN, UNSEEN] {
        let ends: Vec<End> = seeds.clone().map(run).collect();
        rows += &row(&seeds, &ends);
        for end in &ends {
            let Some((kind, message)) = &end.failure else {
                complete += 1;
                continue;
            };
            let step = end.steps + 1;
            writeln!(bad, "| {} | {step} | {kind} | {message} |", end.seed).unwrap();
        }
    }
    let page = format!(
        "# Reasonable scenes\n\n\
         [examples/random_scene](../examples/random_scene/scene.rs) makes a scene from a seed: 5 to 30 bodies of all kinds and \
         laws, E from 1e4 to 1e9 Pa, sizes over a decade, with spins, in pits, on slopes, in wedges and turning cages, under pistons, \
         around paddles; 150 steps of 3 to 30 ms. Seeds 0 to 199 were there to improve the program, seeds 200 to 399 to judge it. Made by\n\
         `cargo test --release --test suite reasonable -- --include-ignored`.\n\n\
         | seeds | complete | with a step above {SLOW} iterations | iterations a step, median of scenes |\n|---|---|---|---|\n{rows}\n\
         ## What does not complete\n\n| seed | step | reason given | message |\n|---|---|---|---|\n{bad}"
    );
    std::fs::write("tests/reasonable.md", &page).unwrap();
    assert!(complete >= 396, "{page}");
}
