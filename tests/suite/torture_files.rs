//! Runs, imports and queries that were damaged: the program answers or refuses, and never panics.

use crate::program::{Place, ipcsim, project};
use crate::torture::mutate::{Random, garbled};
use std::path::Path;

/// Damages one of `files` of a folder for each seed, and asks the program about the folder.
fn damage(folder: &Path, files: &[&str], seeds: std::ops::Range<u64>, args: &[&str]) -> [usize; 3] {
    let whole: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(folder.join(file)).unwrap()).collect();
    let mut codes = [0; 3];
    for seed in seeds {
        let mut random = Random::new(seed);
        let chosen = random.below(files.len());
        std::fs::write(folder.join(files[chosen]), garbled(whole[chosen].clone(), &mut random)).unwrap();
        let ended = ipcsim(args);
        let code = usize::try_from(ended.code).ok().filter(|code| *code < 3);
        let code = code.unwrap_or_else(|| panic!("seed {seed}, {}: {ended:?}", files[chosen]));
        codes[code] += 1;
        std::fs::write(folder.join(files[chosen]), &whole[chosen]).unwrap();
    }
    codes
}

#[test]
fn damaged_runs_are_verified_or_refused() {
    let place = Place::new();
    place.completed("run", &["--steps", "3", "--no-frames", "--quiet"]);
    let (run, files) = (place.path("run"), ["mesh.json", "energies.csv", "trajectory.npy"]);
    let [good, bad, refused] = damage(Path::new(&run), &files, 0..300, &["verify", &run]);
    // Most damage to positions leaves the file's form as it is.
    assert!(good + bad > 10 && refused > 100, "{good} {bad} {refused}");
}

#[test]
fn damaged_scenes_of_rigid_ipc_are_imported_or_refused() {
    let place = Place::new();
    let (file, out) = (place.path("axle.json"), place.path("out.json"));
    std::fs::copy(project("tests/data/rigid_ipc/axle.json"), &file).unwrap();
    let args = ["import", "rigid-ipc", &file, "-o", &out];
    let [good, bad, refused] = damage(place.root(), &["axle.json"], 0..300, &args);
    assert!(good > 4 && bad == 0 && refused > 50, "{good} {bad} {refused}");
}

#[test]
fn damaged_queries_are_answered_or_refused() {
    let place = Place::new();
    let file = place.path("queries.jsonl");
    let queries = std::fs::read_to_string(project("tests/data/ccd_queries.jsonl")).unwrap();
    std::fs::write(&file, queries.lines().step_by(40).collect::<Vec<_>>().join("\n")).unwrap();
    for method in ["exact", "additive", "inclusion"] {
        let [_, _, refused] = damage(place.root(), &["queries.jsonl"], 0..100, &["ccd", &file, "--method", method]);
        assert!(refused > 20, "{refused}");
    }
}
