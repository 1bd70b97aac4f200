//! Fields of a run as files, while it is under way and later.

use crate::cli_resume::{AT_ONCE, FINER, args, assert_same, resumed};
use crate::cli_run::{column, table};
use crate::program::{Ended, Npy, Place, ipcsim, rewrite};
use ipcsim_store::report::{Reason, UNFINISHED};
use serde_json::json;

/// Settings with all files on request.
const ALL: [&str; 8] = [
    "--set",
    "output.vtu=true",
    "--set",
    "output.velocities=true",
    "--set",
    r#"output.probes=[{"name":"corner","body":"upper","vertices":{"indices":[0]}},{"name":"middle","body":"lower","at":[0.1,-0.5]}]"#,
    "--set",
    r#"output.sections=[{"name":"line","body":"upper","from":[-0.3,0.01],"to":[0.3,0.01],"points":13}]"#,
];

/// Exports the run `a` of a place.
fn export(place: &Place, more: &[&str]) -> Ended {
    ipcsim(&[&["export", &place.path("a")][..], more].concat())
}

/// Exports the run `a`, which must succeed.
fn exported(place: &Place, more: &[&str]) -> Ended {
    let ended = export(place, more);
    assert_eq!(ended.code, 0, "{ended:?}");
    ended
}

#[test]
fn a_run_that_is_ended_after_every_step_writes_the_fields_of_a_whole_run() {
    let place = Place::new();
    let more = args(&[&["--steps", "12", "--no-frames"], &ALL, &FINER]);
    place.completed("whole", &more);
    place.completed("parts", &args(&[&more, &AT_ONCE]));
    for _ in 1..12 {
        resumed(&place, "parts", &AT_ONCE);
    }
    assert_same(&place, "parts", "whole", "parts");

    // A file for each state, and a list of all with their times.
    let names = place.names("whole");
    assert!(names.contains(&"fields/000012.vtu".to_owned()), "{names:?}");
    let list = place.read("whole/fields.pvd");
    assert_eq!(list.matches("<DataSet").count(), 13);
    assert!(list.contains(r#"<DataSet timestep="0.12" part="0" file="fields/000012.vtu"/>"#));
    let sums = place.json("whole/run.json")["checksums"].clone();
    for file in ["fields.pvd", "velocities.npy", "probes.csv", "sections.csv"] {
        assert!(sums[file].is_string(), "{sums}");
    }
}

#[test]
fn an_export_has_the_bits_of_the_files_that_the_run_wrote() {
    let place = Place::new();
    let fields =
        "displacement,velocity,cauchy_stress,von_mises,principal_stress,green_strain,body,material";
    let setting = format!(
        r#"output.vtu={{"every":3,"fields":{}}}"#,
        json!(fields.split(',').collect::<Vec<_>>())
    );
    let settings = ["--set", "output.velocities=true", "--set", &setting];
    place.completed("a", &args(&[&["--steps", "10", "--no-frames"], &settings]));

    let out = place.path("out");
    let ended = exported(&place, &["--out", &out, "--every", "3", "--fields", fields]);
    assert_eq!(
        (ended.stdout, ended.stderr),
        (format!("{out}/fields.pvd: 5 states\n"), String::new())
    );
    let mut own = place.files("a");
    own.retain(|name, _| name.starts_with("fields"));
    assert_eq!(own.len(), 6);
    assert!(own == place.files("out"));
}

#[test]
fn arrays_and_tables_have_the_numbers_of_the_trajectory() {
    let place = Place::new();
    let settings = ["--set", "output.velocities=true"];
    place.completed(
        "a",
        &args(&[&["--steps", "6", "--no-frames"], &settings, &FINER]),
    );
    exported(&place, &["--format", "npy"]);
    exported(&place, &["--format", "csv", "--steps", "6"]);

    // Displacements are positions less those at rest, to the last bit.
    let rest = place.json("a/mesh.json")["vertices_rest"].clone();
    let trajectory = Npy::open(&place.path("a/trajectory.npy"));
    let displacement = Npy::open(&place.path("a/fields/displacement.npy"));
    assert_eq!(displacement.shape, trajectory.shape);
    let vertices = trajectory.shape[1];
    let moved = displacement.numbers();
    for (k, x) in trajectory.numbers().into_iter().enumerate() {
        let rest = rest[k / 2 % vertices][k % 2].as_f64().unwrap();
        assert_eq!(moved[k], x - rest);
    }
    let time = Npy::open(&place.path("a/fields/time.npy"));
    assert_eq!((time.shape.as_slice(), time.numbers()[6]), (&[7][..], 0.06));

    // The text has the same numbers.
    let rows = table(&place, "a/fields/points-000006.csv");
    assert_eq!(rows.len(), vertices + 1);
    let stress = Npy::open(&place.path("a/fields/cauchy_stress.npy"));
    assert_eq!(stress.shape, [7, vertices, 4]);
    let last = &stress.numbers()[6 * vertices * 4..];
    for (name, k) in [
        ("cauchy_stress_xx", 0),
        ("cauchy_stress_xy", 2),
        ("cauchy_stress_zz", 3),
    ] {
        for (vertex, found) in column(&rows, name).into_iter().enumerate() {
            let expected = last[4 * vertex + k];
            assert!(
                found == expected || found.is_nan() && expected.is_nan(),
                "{name} {vertex}"
            );
        }
    }
    let triangles = table(&place, "a/fields/triangles-000006.csv");
    let count = place.json("a/mesh.json")["triangles"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(triangles.len(), count + 1);
}

#[test]
fn probes_and_sections_list_points_that_move_with_their_body() {
    let place = Place::new();
    place.completed(
        "a",
        &args(&[&["--steps", "5", "--no-frames"], &ALL, &FINER]),
    );
    let trajectory = Npy::open(&place.path("a/trajectory.npy"));
    let velocities = Npy::open(&place.path("a/velocities.npy"));
    let [vertices, states] = [trajectory.shape[1], trajectory.shape[0]];

    // A probe at a vertex has its numbers.
    let probes = table(&place, "a/probes.csv");
    assert_eq!(probes.len(), 1 + 2 * states);
    assert_eq!(
        (probes[1][2].as_str(), probes[2][2].as_str()),
        ("corner", "middle")
    );
    let (x, v) = (column(&probes, "x"), column(&probes, "velocity_y"));
    for state in 0..states {
        assert_eq!(x[2 * state], trajectory.numbers()[2 * vertices * state]);
        assert_eq!(v[2 * state], velocities.numbers()[2 * vertices * state + 1]);
    }

    // Of 13 points those beyond the sides, at +-0.225, are left out.
    let sections = table(&place, "a/sections.csv");
    assert_eq!(sections.len(), 1 + 9 * states);
    let ways = column(&sections, "way");
    assert!((ways[0] - 0.1).abs() < 1e-12 && (ways[8] - 0.5).abs() < 1e-12);

    // The command line gives the same rows under other names.
    let out = place.path("out");
    let ended = exported(
        &place,
        &[
            "--probe",
            "upper#0",
            "--probe",
            "lower@0.1,-0.5",
            "--section",
            "upper@-0.3,0.01..0.3,0.01/13",
            "--out",
            &out,
        ],
    );
    assert!(!place.root().join("out/fields").exists(), "{ended:?}");
    for (file, expected) in [("probes.csv", &probes), ("sections.csv", &sections)] {
        let found = table(&place, &format!("out/{file}"));
        assert_eq!(found.len(), expected.len());
        for (a, b) in found[1..].iter().zip(&expected[1..]) {
            // Names with commas have quotation marks; 15 columns follow the name.
            let own = &a[a.len() - 15..];
            assert_eq!((&a[..2], own), (&b[..2], &b[3..]));
        }
    }
}

/// Asserts that an export ends with exit code 2 and a message that contains what is expected.
fn refused(place: &Place, more: &[&str], expected: &str) {
    export(place, more).exits(2).complains(expected);
}

#[test]
fn what_cannot_be_exported_is_named_with_what_to_do() {
    let place = Place::new();
    place.completed("a", &["--steps", "4", "--no-frames"]);
    let refused = |more: &[&str], expected: &str| refused(&place, more, expected);
    refused(
        &["--fields", "von_mies"],
        "no field is named \"von_mies\"; did you mean \"von_mises\"? The fields are displacement, ",
    );
    refused(&["--fields", "velocity"], "velocity cannot be exported");
    refused(
        &["--fields", "friction_force"],
        "run the scene with --set output.contacts=npy",
    );
    refused(
        &["--steps", "5.."],
        "has no state of steps 5 to the end; its 5 states are of steps 0 to 4",
    );
    refused(&["--steps", "4..2"], "step 4 is after step 2");
    refused(
        &["--probe", "uper@0,0"],
        "--probe uper@0,0: no body or obstacle is named \"uper\"; did you mean \"upper\"?",
    );
    refused(
        &["--probe", "upper@0,0.5"],
        "[0, 0.5] is 0.275 m outside of \"upper\"",
    );
    refused(
        &["--probe", "upper#900"],
        "names vertex 900, but there are only 9",
    );
    refused(&["--section", "upper@5,5..6,6"], "has no point in its body");
    refused(&["--section", "upper@0,0..0,0"], "expected BODY@X,Y..X,Y");

    // Folders: another one with files, and one without a run.
    std::fs::create_dir(place.root().join("mine")).unwrap();
    std::fs::write(place.root().join("mine/thesis.txt"), "").unwrap();
    let mine = place.path("mine");
    refused(
        &["--out", &mine],
        "holds \"thesis.txt\", which ipcsim export has not written",
    );
    exported(&place, &["--out", &mine, "--force"]);
    assert!(place.root().join("mine/thesis.txt").exists());
    ipcsim(&["export", &mine])
        .exits(2)
        .complains("holds no run, since it has no run.json");

    // A run that is unfinished is exported as far as it has come.
    rewrite(&place.root().join("a"), |report| {
        report.reason = Some(Reason {
            kind: UNFINISHED.to_owned(),
            step: 0,
            message: String::new(),
            vertices: Vec::new(),
        });
    });
    exported(&place, &["--out", &place.path("part")]);
    assert!(place.root().join("part/fields.pvd").exists());
}

#[test]
fn an_export_into_the_folder_of_a_run_is_replaced_with_it() {
    let place = Place::new();
    let short = ["--steps", "3", "--no-frames"];
    place.completed("a", &short);
    exported(&place, &[]).complains("note: velocities are mean ones");
    exported(&place, &["--steps", "2", "--fields", "mean_velocity"]);
    let files = place.names("a");
    assert!(files.contains(&"fields/000002.vtu".to_owned()));
    assert!(
        !files.contains(&"fields/000003.vtu".to_owned()),
        "{files:?}"
    );

    // A new run removes them, but nothing that is the user's.
    place.completed("a", &short);
    assert!(
        !place
            .names("a")
            .iter()
            .any(|name| name.starts_with("fields"))
    );
    exported(&place, &[]);
    std::fs::write(place.root().join("a/fields/mine.txt"), "").unwrap();
    place
        .two_squares("a", &short)
        .exits(2)
        .complains("holds \"fields\"");
}
