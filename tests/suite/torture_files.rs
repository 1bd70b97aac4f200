//! Damaged runs, imports and queries: the program answers or refuses, and never panics.
//!
//! `IPCSIM_WRITE_SEEDS=1 cargo test --release --test suite torture_files` also writes the seeds of
//! fuzz targets that are made of a run.

use crate::program::{Place, forget, ipcsim, project};
use crate::torture::certified::Certified;
use crate::torture::interrupted::Interrupted;
use crate::torture::mutate::{Random, garbled, renumbered};
use std::path::Path;

/// Counts of the exit codes 0, 1 and 2 of the program, over inputs that are damaged with the
/// numbers of each seed.
fn codes(
    seeds: std::ops::Range<u64>,
    args: &[&str],
    mut spoil: impl FnMut(&mut Random),
) -> [usize; 3] {
    let mut codes = [0; 3];
    for seed in seeds {
        spoil(&mut Random::new(seed));
        let ended = ipcsim(args);
        let code = usize::try_from(ended.code).ok().filter(|code| *code < 3);
        codes[code.unwrap_or_else(|| panic!("seed {seed}: {ended:?}"))] += 1;
    }
    codes
}

/// Damages one of `files` of a folder for each seed, and runs the program on the folder.
fn damage(folder: &Path, files: &[&str], seeds: std::ops::Range<u64>, args: &[&str]) -> [usize; 3] {
    let whole: Vec<Vec<u8>> = files
        .iter()
        .map(|file| std::fs::read(folder.join(file)).unwrap())
        .collect();
    codes(seeds, args, |random| {
        files
            .iter()
            .zip(&whole)
            .for_each(|(file, bytes)| std::fs::write(folder.join(file), bytes).unwrap());
        let chosen = random.below(files.len());
        std::fs::write(
            folder.join(files[chosen]),
            garbled(whole[chosen].clone(), random),
        )
        .unwrap();
    })
}

/// Writes a seed of a fuzz target if `IPCSIM_WRITE_SEEDS` is set.
fn seed(target: &str, bytes: &[u8]) {
    if std::env::var_os("IPCSIM_WRITE_SEEDS").is_some() {
        let corpus = project("tests/fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus).unwrap();
        std::fs::write(corpus.join("small"), bytes).unwrap();
    }
}

/// Damages some bytes so that the form of the file is mostly kept.
fn spoiled(bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    if random.below(3) == 0 {
        garbled(bytes, random)
    } else {
        renumbered(bytes, random)
    }
}

/// Runs the small scene into the folder `run`, with stored segments.
fn small(place: &Place, options: &[&str]) -> String {
    place.certified("tests/data/small.json", "run", options)
}

#[test]
fn damaged_runs_are_verified_or_refused() {
    let place = Place::new();
    place.completed("run", &["--steps", "3", "--no-frames", "--quiet"]);
    // Without a report there is no checksum of the mesh.
    std::fs::remove_file(place.root().join("run/run.json")).unwrap();
    let run = place.path("run");
    let files = ["mesh.json", "energies.csv", "trajectory.npy"];
    let [good, bad, refused] = damage(Path::new(&run), &files, 0..300, &["verify", &run]);

    // Most damage to positions leaves the file's form as it is.
    assert!(good + bad > 10 && refused > 100, "{good} {bad} {refused}");
}

#[test]
fn damaged_runs_are_drawn_or_refused() {
    let place = Place::new();
    let run = small(&place, &[]);
    let files = ["scene.json", "energies.csv", "trajectory.npy"];
    // Without checksums, what the files hold is looked at.
    for file in &files {
        forget(&Path::new(&run).join(file));
    }
    let args = [
        "render",
        &run,
        "--fit",
        "--color-by",
        "speed",
        "--size",
        "64x48",
    ];
    let [good, bad, refused] = damage(Path::new(&run), &files, 0..300, &args);

    assert!(
        good > 10 && bad == 0 && refused > 50,
        "{good} {bad} {refused}"
    );
}

#[test]
fn damaged_baselines_are_compared_with_or_refused() {
    let place = Place::new();
    let (run, baseline) = (small(&place, &[]), place.path("run/baseline"));
    ipcsim(&["verify", &run, "--write-baseline", &baseline]).exits(0);

    let files = ["run.json", "scene.json", "baseline"];
    seed(
        "baseline",
        &files
            .map(|file| std::fs::read(place.path("run") + "/" + file).unwrap())
            .join(&b"\n----\n"[..]),
    );
    let args = ["verify", &run, "--against", &baseline];
    let [good, bad, refused] = damage(Path::new(&run), &files, 0..300, &args);

    assert!(good + bad > 5 && refused > 50, "{good} {bad} {refused}");
}

#[test]
fn journals_and_checkpoints_of_anything_are_gone_on_with_or_refused() {
    let place = Place::new();
    let run = small(&place, &["--checkpoint-every", "1", "--max-wall", "1e-9"]);
    let (stored, held) = Interrupted::open(Path::new(&run));
    seed("resume", &held);
    let args = ["run", "--resume", &run, "--quiet"];
    let [good, bad, refused] = codes(0..300, &args, |random| {
        stored.write(&spoiled(held.clone(), random));
    });
    assert!(good > 10 && refused > 50, "{good} {bad} {refused}");
}

#[test]
fn segments_of_anything_are_proved_or_refused() {
    let place = Place::new();
    let run = small(&place, &[]);
    let (stored, held) = Certified::open(Path::new(&run));
    seed("segments", &held);
    let [good, bad, refused] = codes(0..300, &["verify", &run], |random| {
        stored.write(&spoiled(held.clone(), random));
    });
    assert!(good + bad > 50 && refused > 10, "{good} {bad} {refused}");
}

#[test]
fn damaged_scenes_of_rigid_ipc_are_imported_or_refused() {
    let place = Place::new();
    let file = place.path("axle.json");
    let out = place.path("out.json");
    std::fs::copy(project("tests/data/rigid_ipc/axle.json"), &file).unwrap();
    let args = ["import", "rigid-ipc", &file, "-o", &out];
    let [good, bad, refused] = damage(place.root(), &["axle.json"], 0..300, &args);
    assert!(
        good > 4 && bad == 0 && refused > 50,
        "{good} {bad} {refused}"
    );
}

#[test]
fn damaged_queries_are_answered_or_refused() {
    let place = Place::new();
    let file = place.path("queries.jsonl");
    let queries = std::fs::read_to_string(project("tests/data/ccd_queries.jsonl")).unwrap();
    std::fs::write(
        &file,
        queries.lines().step_by(40).collect::<Vec<_>>().join("\n"),
    )
    .unwrap();

    for method in ["exact", "additive", "inclusion"] {
        let [_, _, refused] = damage(
            place.root(),
            &["queries.jsonl"],
            0..100,
            &["ccd", &file, "--method", method],
        );
        assert!(refused > 20, "{refused}");
    }
}
