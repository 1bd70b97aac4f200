//! The table of failures: for each name that a scene can end with, three scenes that do, in
//! `scenes/failing/NAME`.

use crate::program::{Place, ipcsim, listed_names, project};
use rayon::prelude::*;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Failures that no scene ends with once it is built: `check` finds the first before a run, the machine
/// causes the second, and the user the third.
const WITHOUT_SCENES: [&str; 3] = ["touching", "out_of_memory", "interrupted"];

/// Scenes that end with a failure.
fn scenes(kind: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(project("scenes/failing").join(kind)) else {
        return Vec::new();
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Names of the failures of a run: the one that ended it, and those of steps that recovered.
fn failures_of(scene: &Path) -> (Option<String>, Vec<String>) {
    let place = Place::new();
    let out = place.path("out");
    let scene = scene.to_str().unwrap();
    let ended = ipcsim(&[
        "run",
        scene,
        "--no-frames",
        "--quiet",
        "--certify",
        "--out",
        &out,
    ]);
    let report: Value = serde_json::from_str(&place.read("out/run.json")).unwrap();
    let text = |value: &Value| value["kind"].as_str().unwrap().to_owned();
    let reason = report.get("reason").filter(|reason| !reason.is_null());
    assert_eq!(ended.code, i32::from(reason.is_some()), "{scene}");
    if let Some(reason) = reason {
        let message = reason["message"].as_str().unwrap();
        assert!(ended.stderr.contains(message), "{scene}: {}", ended.stderr);
    }
    ipcsim(&["verify", &out]).exits(0).prints("segments");
    let recoveries = report["recoveries"].as_array().unwrap();
    (reason.map(text), recoveries.iter().map(text).collect())
}

#[test]
fn three_scenes_end_with_each_failure_of_the_table() {
    let kinds = listed_names("docs/howto/failure.md", "## Names of failures");
    let kinds = &kinds[1..];
    assert!(kinds.len() >= 16, "{kinds:?}");
    kinds.par_iter().for_each(|kind| {
        let scenes = scenes(kind);
        if WITHOUT_SCENES.contains(&kind.as_str()) {
            assert!(scenes.is_empty(), "{kind}");
            return;
        }
        assert!(scenes.len() >= 3, "{kind}: {scenes:?}");

        for scene in &scenes {
            let (reason, recoveries) = failures_of(scene);
            if kind == "snaps" {
                // Damped motion goes on to the next stable equilibrium.
                assert!(recoveries.contains(kind), "{scene:?}: {recoveries:?}");
            } else {
                assert_eq!(reason.as_deref(), Some(kind.as_str()), "{scene:?}");
            }
        }
    });
}
