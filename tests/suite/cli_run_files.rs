//! Files that `ipcsim run` writes: names, shapes, columns and keys.

use crate::cli_run::{TABLE, column, table};
use crate::program::{Npy, Place, ipcsim, png_size};
use crate::support::near;
use serde_json::{Value, json};

/// Keys of an object, sorted.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    sorted(
        value
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect(),
    )
}

/// Names in ascending order.
fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

#[test]
fn a_run_writes_the_documented_files_and_no_others() {
    let place = Place::new();
    place.completed("a", &["--steps", "3"]);
    let frames = (0..=3).map(|step| format!("frames/{step:06}.png"));
    let mut expected: Vec<String> = TABLE
        .iter()
        .map(ToString::to_string)
        .chain(["energies.png", "animation.gif", "journal.bin"].map(str::to_owned))
        .chain(["checkpoint-000003.bin".to_owned()])
        .collect();
    expected.extend(frames);
    expected.sort();

    assert_eq!(place.names("a"), expected);
    let files = place.files("a");
    assert_eq!(png_size(&files["frames/000003.png"]), [64, 36]);
    assert_eq!(png_size(&files["energies.png"]), [1280, 720]);
    assert!(
        files["animation.gif"].starts_with(b"GIF89a")
            && files["animation.gif"][6..10] == [64, 0, 36, 0]
    );
    assert_ne!(files["frames/000000.png"], files["frames/000003.png"]);
}

#[test]
fn some_states_have_frames_and_all_of_them_rows() {
    let place = Place::new();
    let frames = |name: &str| {
        let mut names = place.names(name);
        names.retain(|name| name.starts_with("frames/"));
        names
    };
    let named = |steps: &[usize]| {
        let frames = steps.iter().map(|step| format!("frames/{step:06}.png"));
        frames.collect::<Vec<_>>()
    };
    place.completed("a", &["--steps", "7", "--set", "output.frames_every=3"]);
    assert_eq!(frames("a"), named(&[0, 3, 6, 7]));
    let table = String::from_utf8(place.files("a")["energies.csv"].clone()).unwrap();
    assert_eq!(table.lines().count(), 1 + 8);
    let run = serde_json::from_slice::<Value>(&place.files("a")["run.json"]).unwrap();
    assert_eq!(run["frames"], 4);

    // Drawn again, and after a resumption, they are the same.
    let before = place.files("a");
    ipcsim(&["render", &place.path("a")]);
    assert_eq!(
        place.files("a")["frames/000006.png"],
        before["frames/000006.png"]
    );
    assert_eq!(frames("a"), named(&[0, 3, 6, 7]));
    place.completed("b", &["--steps", "4", "--set", "output.frames_every=3"]);
    ipcsim(&["run", "--resume", &place.path("b"), "--steps", "7"]);
    assert_eq!(frames("b"), named(&[0, 3, 6, 7]));
    assert_eq!(
        place.files("b")["frames/000007.png"],
        before["frames/000007.png"]
    );
}

#[test]
fn the_trajectory_has_an_entry_per_step_after_the_initial_one_and_vertices_in_scene_order() {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--no-frames"]);
    let npy = Npy::open(&place.path("a/trajectory.npy"));

    assert!(
        npy.header.contains("'descr': '<f8'") && npy.header.contains("'fortran_order': False"),
        "{}",
        npy.header
    );
    assert_eq!(
        (npy.shape.as_slice(), npy.count()),
        (&[4, 20, 2][..], 4 * 20 * 2)
    );

    // Squares x outer, y inner, from the lower-left corner; then ground and ceiling.
    let half = 0.225;
    for (i, x) in [-half, 0.0, half].into_iter().enumerate() {
        for (j, y) in [-half, 0.0, half].into_iter().enumerate() {
            assert_eq!(npy.at(0, 3 * i + j), [x, y]);
            assert_eq!(npy.at(0, 9 + 3 * i + j), [x + 0.045, y - 0.495]);
        }
    }

    assert_eq!((npy.at(0, 18), npy.at(0, 19)), ([0.0, -1.0], [0.0, 0.27]));

    // A free fall by implicit Euler: h^2 g k (k + 1) / 2; the ground stays, the ceiling moves at
    // 0.5 m/s.
    for entry in 0..=3 {
        let k = f64::from(u8::try_from(entry).unwrap());
        let fall = 1e-4 * 9.81 * k * (k + 1.0) / 2.0;
        assert!((npy.at(entry, 4)[1] + fall).abs() < 1e-12);
        near(npy.at(entry, 19)[1], 0.27 - 0.005 * k, 1e-12);
        assert_eq!(npy.at(entry, 18), [0.0, -1.0]);
    }
}

#[test]
fn the_table_of_energies_has_the_documented_columns_and_a_row_per_entry() {
    let place = Place::new();
    place.completed("a", &["--steps", "60", "--no-frames"]);
    let table = table(&place, "a/energies.csv");
    let header = "step,time,kinetic,gravity,elastic,barrier,friction,total,momentum_x,momentum_y,\
                  newton_iterations,contacts,min_gap,imbalance,stiffening";

    assert_eq!(table[0].join(","), header);
    assert_eq!(table.len(), 62);

    let of = |name: &str| column(&table, name);
    assert_eq!(of("step"), (0..=60).map(f64::from).collect::<Vec<_>>());
    assert_eq!(of("time")[60], 0.6);

    // Before the first contact there is no gap; the momentum is that of free fall, 2 x 0.45^2 m^2 x
    // 1000 kg/m^3 of it.
    assert!(table[1][table[1].len() - 3].is_empty() && of("contacts")[0] == 0.0);
    assert!((of("momentum_y")[10] + 2.0 * 0.45 * 0.45 * 1000.0 * 9.81 * 0.1).abs() < 1e-9);

    let touched = (0..=60).find(|&k| of("contacts")[k] > 0.0).unwrap();
    assert!(of("min_gap")[touched] > 0.0 && of("min_gap")[touched] < 0.01);

    for k in 0..=60 {
        let sum: f64 = ["kinetic", "gravity", "elastic", "barrier"]
            .iter()
            .map(|name| of(name)[k])
            .sum();
        assert!((sum - of("total")[k]).abs() < 1e-9);
    }
}

#[test]
fn a_mass_spring_scene_names_its_potential_in_the_table() {
    let place = Place::new();
    place.ran("scenes/book/01_mass_spring.json", "a", &["--steps", "1"]);
    assert!(
        place
            .read("a/energies.csv")
            .starts_with("step,time,kinetic,gravity,spring,barrier,friction,total,")
    );

    let mesh = place.json("a/mesh.json");

    // 4 x 4 cells: 40 edges along the grid and both diagonals of each cell.
    assert_eq!(mesh["springs"].as_array().unwrap().len(), 40 + 32);
    assert_eq!(
        (
            &mesh["bodies"][0]["kind"],
            mesh["triangles"].as_array().unwrap().len()
        ),
        (&json!("springs"), 0)
    );
}

#[test]
fn the_mesh_file_says_what_the_vertices_are() {
    let place = Place::new();
    place.completed("a", &["--steps", "0", "--no-frames"]);
    let mesh = place.json("a/mesh.json");
    let parts = [
        "vertices_rest",
        "triangles",
        "springs",
        "edges",
        "body",
        "bodies",
        "planes",
        "disks",
        "points",
        "filter",
    ];

    assert_eq!(keys(&mesh), sorted(parts.to_vec()));
    let count = |key: &str| mesh[key].as_array().unwrap().len();
    assert_eq!(
        ["vertices_rest", "triangles", "springs", "edges", "body"].map(count),
        [20, 16, 0, 16, 20]
    );

    // Bodies in the order of the scene, obstacles last.
    let body = |name: &str, kind: &str, first: u32, count: u32| {
        let filled = kind == "solid";
        json!({ "name": name, "kind": kind, "filled": filled, "turns": false, "first_vertex": first, "vertex_count": count })
    };
    let bodies = [
        body("upper", "solid", 0, 9),
        body("lower", "solid", 9, 9),
        body("ground", "half_plane", 18, 1),
        body("ceiling", "half_plane", 19, 1),
    ];
    assert_eq!(mesh["bodies"], json!(bodies));
    assert_eq!(
        mesh["planes"][1],
        json!({ "name": "ceiling", "normal": [0.0, -1.0], "origin_vertex": 19 })
    );
}

#[test]
fn the_report_has_the_documented_keys() {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--threads", "1"]);
    let report = place.json("a/run.json");
    let documented = "scene version status reason steps frames newton_iterations min_gap min_j hash parameters threads timings";
    let more = [
        "steps_at_rounding",
        "friction_lag_residual",
        "late_friction",
        "lowered_restitution",
        "imbalance",
        "stiffening",
        "stress",
        "pairs",
        "options",
        "build",
        "checksum",
        "checksums",
        "format",
        "saved",
        "derived",
        "recoveries",
        "segments",
    ];

    assert_eq!(
        keys(&report),
        sorted(documented.split(' ').chain(more).collect())
    );
    let head = [
        "scene", "version", "status", "reason", "steps", "frames", "threads",
    ]
    .map(|key| report[key].clone());
    let expected = json!([
        "two_squares",
        env!("CARGO_PKG_VERSION"),
        "completed",
        null,
        3,
        4,
        1
    ]);

    assert_eq!(json!(head), expected);
    assert_eq!(
        (
            &report["parameters"]["time_step"],
            &report["parameters"]["kappa"]
        ),
        (&json!(0.01), &json!(1e5))
    );
    assert!(
        report["hash"].as_str().unwrap().len() == 16
            && report["timings"]["whole"].as_f64().unwrap() > 0.0
    );

    // Timings have a row for every step.
    assert_eq!(
        table(&place, "a/timings.csv")
            .iter()
            .map(|row| row[0].as_str())
            .collect::<Vec<_>>(),
        ["step", "1", "2", "3"]
    );
}
