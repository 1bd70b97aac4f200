//! Tables of forces and contacts of a run, their limits, and the pictures made of them.

use crate::cli_resume::{AT_ONCE, FINER, args, assert_same, resumed};
use crate::cli_run::{column, table};
use crate::program::{Ended, Place, ipcsim, png_size, words};
use crate::support::near;
use serde_json::json;
use std::collections::BTreeMap;

/// Settings with friction and both files of contacts.
const BOTH: [&str; 4] = [
    "--set",
    "output.contacts=both",
    "--set",
    "contact.friction.default=0.3",
];
/// Bytes of a row of `contacts.npy`: 18 numbers.
const ROW: usize = 19 * 8;

/// Runs a command on the run `a` of a place.
fn on_run(place: &Place, command: &str, more: &[&str]) -> Ended {
    ipcsim(&[&[command, &place.path("a")][..], more].concat())
}

/// Numbers of a file of contacts, row by row, with whole numbers converted.
fn records(place: &Place) -> Vec<Vec<f64>> {
    let bytes = std::fs::read(place.root().join("a/contacts.npy")).unwrap();
    let header = 10 + usize::from(bytes[8]) + 256 * usize::from(bytes[9]);
    let text = String::from_utf8_lossy(&bytes[10..header]).into_owned();
    let types: Vec<bool> = text
        .split("'<")
        .skip(1)
        .map(|t| t.starts_with('i'))
        .collect();
    assert_eq!(
        (types.len(), (bytes.len() - header) % ROW),
        (19, 0),
        "{text}"
    );

    let number = |(word, is_whole): (&[u8], &bool)| {
        let word = word.try_into().unwrap();
        if *is_whole {
            i64::from_le_bytes(word) as f64
        } else {
            f64::from_le_bytes(word)
        }
    };
    let rows = bytes[header..].chunks(ROW);
    rows.map(|row| row.chunks(8).zip(&types).map(number).collect())
        .collect()
}

#[test]
fn both_files_of_contacts_agree_and_add_up_to_the_forces() {
    let place = Place::new();
    place.completed("a", &args(&[&["--steps", "60", "--no-frames"], &BOTH]));
    let contacts = table(&place, "a/contacts.csv");
    let records = records(&place);
    assert_eq!(contacts.len() - 1, records.len());
    assert!(records.len() > 100, "{}", records.len());
    for (line, record) in contacts[1..].iter().zip(&records) {
        for k in (0..18).filter(|k| ![2, 3].contains(k)) {
            assert_eq!(line[k].parse::<f64>().unwrap(), record[k], "{k}: {line:?}");
        }
    }

    // Names stand for the numbers of the bodies.
    let mesh = place.json("a/mesh.json");
    for (line, record) in contacts[1..].iter().zip(&records) {
        for k in [2, 3] {
            let body = format!("{}", record[k]).parse::<usize>().unwrap();
            assert_eq!(mesh["bodies"][body]["name"], json!(line[k]));
        }
    }

    // Sums by step and pair of bodies are the rows of forces.
    let mut sums: BTreeMap<(String, String, String), [f64; 3]> = BTreeMap::new();
    let columns = [
        "normal_force",
        "normal_x",
        "normal_y",
        "friction_x",
        "friction_y",
    ];
    let [force, normal_x, normal_y, friction_x, friction_y] =
        columns.map(|name| column(&contacts, name));
    for (k, line) in contacts[1..].iter().enumerate() {
        let is_ordered = records[k][2] <= records[k][3];
        let sign = if is_ordered { 1.0 } else { -1.0 };
        let [a, b] = if is_ordered { [2, 3] } else { [3, 2] };
        let sum = sums
            .entry((line[0].clone(), line[a].clone(), line[b].clone()))
            .or_default();
        sum[0] += sign * (force[k] * normal_x[k] + friction_x[k]);
        sum[1] += sign * (force[k] * normal_y[k] + friction_y[k]);
        sum[2] += force[k].abs();
    }
    let forces = table(&place, "a/forces.csv");
    let mut rubbed = 0;
    for line in forces[1..].iter().filter(|line| line[2] == "contact") {
        let key = (line[0].clone(), line[3].clone(), line[4].clone());
        let [x, y, scale] = sums.remove(&key).unwrap();
        for (expected, found) in [(x, &line[5]), (y, &line[6])] {
            let error = found.parse::<f64>().unwrap() - expected;
            assert!(error.abs() <= 1e-12 * scale, "{line:?}: {error:e}");
        }
        rubbed += usize::from(line[7] != "0.0");
    }
    assert!(sums.is_empty() && rubbed > 10, "{sums:?} {rubbed}");
}

#[test]
fn reactions_of_obstacles_are_the_opposite_of_the_forces_on_them() {
    let place = Place::new();
    place.completed("a", &args(&[&["--steps", "60", "--no-frames"], &BOTH]));
    let forces = table(&place, "a/forces.csv");
    let number = |field: &str| field.parse::<f64>().unwrap();
    let mut compared = 0;
    for reaction in forces.iter().filter(|line| line[2] == "reaction") {
        let on_it = forces.iter().filter(|line| {
            line[2] == "contact" && line[0] == reaction[0] && line[4] == reaction[3]
        });
        let mut sum = [0.0; 2];
        for line in on_it {
            sum[0] += number(&line[5]);
            sum[1] += number(&line[6]);
            compared += 1;
        }
        for (sum, field) in sum.into_iter().zip(&reaction[5..7]) {
            assert!(
                (sum - number(field)).abs() <= 1e-11 * sum.abs().max(1.0),
                "{reaction:?}"
            );
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_full_table_has_fewer_steps_up_to_the_end_and_says_so() {
    let place = Place::new();
    let full = args(&[&words("--steps 20 --no-frames --set output.force_rows=31")]);
    let ended = place.two_squares("a", &full);
    let forces = table(&place, "a/forces.csv");

    // Two obstacles a step.
    assert_eq!(forces.len(), 21);
    let even: Vec<f64> = (2..22).map(|k| f64::from(k / 2 * 2)).collect();
    assert_eq!(column(&forces, "step"), even);
    let notice = "forces.csv has only the steps that are multiples of 2, since the scene allows 31 \
                  rows; raise output.force_rows for more";
    assert_eq!(place.json("a/run.json")["notices"], json!([notice]));
    assert_eq!(
        place.json("a/run.json")["thinned"],
        json!({ "forces.csv": 2 })
    );
    ended.prints(notice);

    // A quiet run says it too, and a check says it before; other tables have limits of the same kind.
    let quiet = words("--steps 20 --no-frames --quiet --set output.body_rows=30");
    let quiet = place.two_squares("b", &quiet);
    quiet.complains("bodies.csv has only the steps that are multiples of 4");
    let bodies = table(&place, "b/bodies.csv");
    assert_eq!(bodies.len(), 1 + 6 * 4);
    assert_eq!(column(&bodies, "step").last(), Some(&20.0));
    ipcsim(&words(
        "check scenes/two_squares.json --set output.force_rows=31",
    ))
    .prints("output.force_rows: is 31, but forces.csv may have");

    // A table that is just full has all steps; none is written if the scene wants none.
    place.completed(
        "a",
        &words("--steps 20 --no-frames --set output.force_rows=40"),
    );
    assert_eq!(table(&place, "a/forces.csv").len(), 41);
    assert_eq!(place.json("a/run.json").get("notices"), None);
    place.completed(
        "a",
        &words("--steps 20 --no-frames --set output.force_rows=0"),
    );
    assert!(!place.names("a").contains(&"forces.csv".to_owned()));
}

#[test]
fn a_resumed_run_and_any_number_of_threads_write_the_same_tables() {
    let place = Place::new();
    for (name, rows) in [
        ("full", "output.force_rows=90"),
        ("all", "output.force_rows=1000"),
    ] {
        let more = [
            "--steps",
            "40",
            "--no-frames",
            "--set",
            rows,
            "--set",
            "output.every=3",
        ];
        let whole = format!("{name}-whole");
        place.completed(&whole, &args(&[&FINER, &BOTH, &more, &["--threads", "4"]]));
        place.completed(
            name,
            &args(&[&FINER, &BOTH, &more, &AT_ONCE, &["--threads", "1"]]),
        );
        for _ in 0..4 {
            resumed(&place, name, &AT_ONCE);
        }
        resumed(&place, name, &[]);
        assert_same(&place, name, &whole, name);
        let has_notice = place
            .json(&format!("{name}/run.json"))
            .get("notices")
            .is_some();
        assert_eq!(has_notice, name == "full");
        assert_eq!(ipcsim(&["verify", &place.path(name)]).code, 0);
    }
}

#[test]
fn arrows_are_drawn_from_what_the_run_has() {
    let place = Place::new();
    let steps = ["--steps", "60", "--set", "output.every=30"];
    place.completed("a", &args(&[&steps, &BOTH]));
    let plain = place.files("a");
    let ended = on_run(&place, "render", &["--arrows"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let from_npy = place.files("a");
    assert_ne!(plain["frames/000060.png"], from_npy["frames/000060.png"]);

    // The text has the same numbers.
    std::fs::remove_file(place.root().join("a/contacts.npy")).unwrap();
    assert_eq!(on_run(&place, "render", &["--arrows"]).code, 0);
    let from_csv = place.files("a");
    assert_eq!(from_npy["frames/000060.png"], from_csv["frames/000060.png"]);

    // Without contacts and forces there are normal forces, and notes on what is missing.
    for name in ["a/contacts.csv", "a/forces.csv"] {
        std::fs::remove_file(place.root().join(name)).unwrap();
    }
    let ended = on_run(&place, "render", &["--arrows"]);
    ended.exits(0).complains("show no friction");
    ended.complains("output.force_rows");
    assert_ne!(
        plain["frames/000060.png"],
        place.files("a")["frames/000060.png"]
    );

    // A file that was cut is refused.
    std::fs::write(
        place.root().join("a/contacts.npy"),
        &from_npy["contacts.npy"][..500],
    )
    .unwrap();
    on_run(&place, "render", &["--arrows"])
        .exits(2)
        .complains("contacts.npy");
}

#[test]
fn a_pair_and_a_pressure_are_plotted() {
    let place = Place::new();
    place.completed("a", &["--steps", "60", "--no-frames"]);
    for pair in ["upper,lower", "lower,upper"] {
        on_run(&place, "plot", &["--pair", pair]).exits(0);
    }
    assert_eq!(png_size(&place.files("a")["pair.png"]), [1280, 720]);

    // The sum of the pressure is the force of all pairs of the body, without friction.
    on_run(&place, "plot", &["--pressure", "lower", "--step", "60"]).exits(0);
    assert_eq!(png_size(&place.files("a")["pressure.png"]), [1280, 720]);
    let pressure = table(&place, "a/pressure.csv");
    let sum: f64 = column(&pressure, "force_y").iter().sum();
    let number = |field: &str| field.parse::<f64>().unwrap();
    let mut expected = 0.0;
    let mut scale = 1.0;
    for line in table(&place, "a/forces.csv") {
        if line[0] == "60" && line[2] == "contact" && line[3..5].contains(&"lower".to_owned()) {
            let force = number(&line[6]) - number(&line[8]);
            expected += if line[3] == "lower" { force } else { -force };
            scale += force.abs();
        }
    }
    near(sum, expected, 1e-11 * scale);
    assert!(scale > 100.0, "{scale}");

    // A new run replaces the folder with its charts.
    place.completed("a", &["--steps", "1", "--no-frames"]);
    assert!(!place.names("a").contains(&"pair.png".to_owned()));
}

#[test]
fn what_cannot_be_plotted_is_said() {
    let place = Place::new();
    place.completed(
        "a",
        &["--steps", "40", "--no-frames", "--set", "output.every=4"],
    );
    for (more, expected) in [
        (&["--pair", "upper,nobody"][..], "\"upper,lower\""),
        (
            &["--pressure", "nobody"],
            "the names are \"upper\", \"lower\", \"ground\"",
        ),
        (&["--pressure", "ground"], "has no outline of edges"),
        (
            &["--pressure", "upper", "--step", "7"],
            "no state of step 7; its last one is 40",
        ),
        (&[], "--pair"),
    ] {
        on_run(&place, "plot", more).exits(2).complains(expected);
    }
    std::fs::remove_file(place.root().join("a/forces.csv")).unwrap();
    on_run(&place, "plot", &["--pair", "upper,lower"]).complains("output.force_rows is above 0");
}

#[test]
fn energies_of_bodies_add_up_to_those_of_the_scene() {
    // Columns of energies that bodies do not store by deforming.
    const OTHERS: [&str; 8] = [
        "step", "time", "kinetic", "gravity", "load", "barrier", "friction", "joint",
    ];
    let place = Place::new();
    let root = env!("CARGO_MANIFEST_DIR");
    let all_kinds = format!("{root}/scenes/showcase/all_kinds.json");
    place.ran(&all_kinds, "a", &["--steps", "5"]);

    let bodies = table(&place, "a/bodies.csv");
    let energies = table(&place, "a/energies.csv");
    let of_bodies = column(&bodies, "elastic");
    let steps = column(&bodies, "step");
    let total = energies[0].iter().position(|name| name == "total").unwrap();
    let stored = energies[0][..total].iter();
    let stored = stored.filter(|name| !OTHERS.contains(&name.as_str()));
    let stored: Vec<Vec<f64>> = stored.map(|name| column(&energies, name)).collect();
    for (entry, step) in column(&energies, "step").into_iter().enumerate() {
        let own = of_bodies
            .iter()
            .zip(&steps)
            .filter(|(_, own)| **own == step);
        let found: f64 = own
            .map(|(value, _)| value)
            .filter(|value| !value.is_nan())
            .sum();
        let expected: f64 = stored.iter().map(|column| column[entry]).sum();
        near(found, expected, 1e-9 * expected.abs().max(1.0));
        assert!(entry == 0 || found > 0.0);
    }
}
