//! All tables of a run and of a sweep, each with its columns, their units and meanings, for programs.
//!
//! The list is printed by `ipcsim schema --tables`. Columns whose names depend on the scene, such as those of
//! measures, have a name in angle brackets.

use super::measured::MEASURES;
use super::study::{OF_BODY, OF_SCENE};
use super::table::{ASLEEP, ENERGIES, LAST, UNSTABLE};
use super::{body_table, chamber_table, contact_table, events, force_table, joint_table, ledger};
use ipcsim::measures::{OF_CHAMBERS, OF_JOINTS};
use ipcsim::quantities::{BODY, of_scene};
use ipcsim::solve::{Count, Phase};
use serde::Serialize;

/// A table of a run or of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableColumns {
    /// Name of its file.
    pub file: &'static str,
    /// What a row is.
    pub row: &'static str,
    /// Columns, in their order.
    pub columns: Vec<TableColumn>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableColumn {
    /// Name, which does not change from version to version.
    pub name: String,
    /// Unit of its numbers, `1` for those without; empty for a text.
    pub unit: String,
    /// Meaning, in a sentence.
    pub meaning: String,
    /// True if only some runs have it.
    #[serde(rename = "optional", skip_serializing_if = "std::ops::Not::not")]
    pub is_optional: bool,
}

/// All tables.
pub fn tables() -> Vec<TableColumns> {
    vec![
        energies(),
        bodies(),
        chambers(),
        forces(),
        joints(),
        measures(),
        contacts(),
        samples("probes.csv", "probe"),
        samples("sections.csv", "section"),
        happened(),
        timings(),
        results(),
    ]
}

/// A column.
fn column(name: impl Into<String>, unit: &str, meaning: impl Into<String>) -> TableColumn {
    TableColumn {
        name: name.into(),
        unit: unit.to_owned(),
        meaning: meaning.into(),
        is_optional: false,
    }
}

/// A column that only some runs have.
fn optional(column: TableColumn) -> TableColumn {
    TableColumn {
        is_optional: true,
        ..column
    }
}

/// Columns with these names, units and meanings.
fn all<const N: usize>(columns: [[&str; 3]; N]) -> impl Iterator<Item = TableColumn> {
    columns
        .into_iter()
        .map(|[name, unit, meaning]| column(name, unit, meaning))
}

/// The first two columns of most tables.
fn when() -> Vec<TableColumn> {
    all([
        ["step", "1", "Number of the step, 0 for the start"],
        ["time", "s", "Time at the end of the step"],
    ])
    .collect()
}

/// A quantity of the scene as a column.
fn of_the_scene(name: &str) -> Option<TableColumn> {
    of_scene(name).map(|own| column(own.name, own.unit, own.meaning))
}

/// `energies.csv`.
fn energies() -> TableColumns {
    // Potentials depend on the scene; the ledger on what it asks for.
    let mut columns = when();
    columns.extend(of_the_scene("kinetic"));
    columns.push(column(
        "<potential>",
        "J",
        "A potential of the scene, such as gravity, barrier or the name of a law",
    ));
    columns.extend(of_the_scene("total"));
    columns.extend(LAST.iter().filter_map(|name| of_the_scene(name)));
    for name in [UNSTABLE, ASLEEP] {
        columns.extend(of_the_scene(name).map(optional));
    }
    columns.extend(ledger::columns().into_iter().map(of_ledger));
    TableColumns {
        file: ENERGIES,
        row: "a written state",
        columns,
    }
}

/// A column of the ledger, by its name.
fn of_ledger(name: String) -> TableColumn {
    // Sums have a word before their source; two columns are of the state itself.
    let sums = [
        ("work_", "J", "Work"),
        ("impulse_", "N s", "Impulse"),
        ("moment_", "N m s", "Moment of impulses about the origin"),
    ];
    let sum = sums.iter().find_map(|&(prefix, unit, what)| {
        let of = name.strip_prefix(prefix)?;
        Some((
            unit,
            format!("{what} since the start: {}", of.replace('_', " ")),
        ))
    });
    let state = || match name.as_str() {
        "mechanical" => (
            "J",
            "Kinetic energy and all potentials, without loads".to_owned(),
        ),
        _ => ("kg m^2/s", "Angular momentum about the origin".to_owned()),
    };
    let (unit, meaning) = sum.unwrap_or_else(state);
    optional(column(name, unit, meaning))
}

/// `bodies.csv`.
fn bodies() -> TableColumns {
    let mut columns = when();
    columns.push(column("body", "", "Name of the body or obstacle"));
    columns.extend(
        BODY.iter()
            .map(|own| column(own.name, own.unit, own.meaning)),
    );
    TableColumns {
        file: body_table::BODIES,
        row: "a body or obstacle at the end of a step",
        columns,
    }
}

/// `chambers.csv`.
fn chambers() -> TableColumns {
    let mut columns = when();
    columns.push(column("chamber", "", "Name of the chamber"));
    let numbers = OF_CHAMBERS.iter();
    columns.extend(numbers.map(|own| column(own.name, own.unit, own.meaning)));
    TableColumns {
        file: chamber_table::CHAMBERS,
        row: "a chamber at the end of a step",
        columns,
    }
}

/// `forces.csv`.
fn forces() -> TableColumns {
    let mut columns = when();
    columns.extend(all([
        ["kind", "", "contact, joint, reaction or load"],
        ["first", "", "Body on which the force acts"],
        [
            "second",
            "",
            "Other body, kind of support, or name of the load",
        ],
        [
            "force_x",
            "N",
            "Force on the first body along x; of bodies of revolution the sum over the full turn",
        ],
        [
            "force_y",
            "N",
            "Force on the first body along y; of bodies of revolution the sum over the full turn",
        ],
        ["friction_x", "N", "Friction in it along x"],
        ["friction_y", "N", "Friction in it along y"],
        [
            "moment",
            "N m",
            "Moment on the first body about x, y, counter-clockwise",
        ],
        ["x", "m", "Abscissa of the point about which the moment is"],
        ["y", "m", "Ordinate of the point about which the moment is"],
        ["name", "", "Name of the joint or load"],
    ]));
    TableColumns {
        file: force_table::FORCES,
        row: "a pair of bodies, a joint, a support or a load at the end of a step",
        columns,
    }
}

/// `joints.csv`.
fn joints() -> TableColumns {
    let mut columns = when();
    columns.extend(all([
        ["joint", "", "Name of the joint, or its kind and bodies"],
        ["kind", "", "Kind of the joint"],
        ["first", "", "First body"],
        ["second", "", "Second body"],
    ]));
    // In the order of the header; those that measures know have their words.
    let names = joint_table::HEADER
        .trim_end()
        .split(',')
        .skip(columns.len());
    for name in names {
        let known = OF_JOINTS.iter().find(|own| own.name == name);
        columns.push(match (known, name) {
            (Some(own), _) => column(name, own.unit, own.meaning),
            (None, "x" | "y") => column(name, "m", "Place of the joint about which the moment is"),
            (None, _) => column(name, "1", "1 if the joint has broken, else 0"),
        });
    }
    TableColumns {
        file: joint_table::JOINTS,
        row: "a joint at the end of a step",
        columns,
    }
}

/// `measures.csv`.
fn measures() -> TableColumns {
    let mut columns = when();
    columns.push(column(
        "<measure>",
        "",
        "A measure of the scene, in the unit that run.json has",
    ));
    for axis in ["x", "y"] {
        let place = column(format!("<measure>.{axis}"), "m", "Its place, if it has one");
        columns.push(optional(place));
    }
    TableColumns {
        file: MEASURES,
        row: "a step",
        columns,
    }
}

/// `contacts.csv`.
fn contacts() -> TableColumns {
    let mut columns = when();
    columns.extend(all([
        ["first", "", "First body; its number in contacts.npy"],
        ["second", "", "Second body"],
        [
            "vertex",
            "1",
            "Vertex of the first body, or where its edge begins",
        ],
        [
            "vertex_end",
            "1",
            "Vertex where the edge of the first body ends; -1 for a vertex",
        ],
        [
            "edge_start",
            "1",
            "First vertex of the edge of the second body",
        ],
        ["edge_end", "1", "Second vertex of that edge"],
        ["x", "m", "Abscissa of the contact"],
        ["y", "m", "Ordinate of the contact"],
        [
            "normal_x",
            "1",
            "Direction in which the first body is pushed, along x",
        ],
        ["normal_y", "1", "The same along y"],
        ["gap", "m", "Distance of the two sides"],
        ["normal_force", "N", "Normal force"],
        ["friction_x", "N", "Friction on the first body along x"],
        ["friction_y", "N", "Friction on the first body along y"],
        ["slip", "m", "Slip in the step"],
        [
            "rolling_moment",
            "N m",
            "Moment of rolling resistance on the first body",
        ],
        ["sticks", "1", "1 if the contact sticks, else 0"],
    ]));
    TableColumns {
        file: contact_table::CONTACTS_CSV,
        row: "a contact in a written state",
        columns,
    }
}

/// `probes.csv` and `sections.csv`.
fn samples(file: &'static str, of: &'static str) -> TableColumns {
    let mut columns = when();
    columns.push(column(of, "", "Name in the scene"));
    columns.extend(all([
        [
            "point",
            "1",
            "Number of the vertex, or of the point on the section",
        ],
        ["way", "m", "Distance along the section at rest"],
        ["rest_x", "m", "Abscissa at rest"],
        ["rest_y", "m", "Ordinate at rest"],
        ["x", "m", "Abscissa"],
        ["y", "m", "Ordinate"],
        ["displacement_x", "m", "Displacement along x"],
        ["displacement_y", "m", "Displacement along y"],
        ["velocity_x", "m/s", "Velocity along x"],
        ["velocity_y", "m/s", "Velocity along y"],
        ["sigma_xx", "Pa", "Cauchy stress"],
        ["sigma_yy", "Pa", "Cauchy stress"],
        ["sigma_xy", "Pa", "Cauchy stress"],
        ["sigma_zz", "Pa", "Cauchy stress across the plane"],
        ["von_mises", "Pa", "Von Mises stress"],
    ]));
    TableColumns {
        file,
        row: "a point in a written state",
        columns,
    }
}

/// `events.csv`.
fn happened() -> TableColumns {
    let columns = all([
        ["step", "1", "Number of the step"],
        [
            "time",
            "s",
            "Time from which a joint has not held, or end of the step",
        ],
        ["event", "", "breaks, divided or recovered"],
        ["number", "1", "Number of the joint or of substeps"],
        ["name", "", "Name of the joint or of the fallback"],
    ]);
    TableColumns {
        file: events::EVENTS,
        row: "something that happened within a step",
        columns: columns.collect(),
    }
}

/// `timings.csv`.
fn timings() -> TableColumns {
    let mut columns = vec![column("step", "1", "Number of the step")];
    for (_, name) in Phase::ALL {
        columns.push(column(
            name,
            "s",
            format!("Time in the phase {}", name.replace('_', " ")),
        ));
    }
    columns.push(column("whole", "s", "Time of the whole step"));
    for (_, name, what) in Count::ALL {
        columns.push(column(name, "1", what));
    }
    TableColumns {
        file: "timings.csv",
        row: "a step",
        columns,
    }
}

/// `results.csv` of a sweep.
fn results() -> TableColumns {
    let mut columns: Vec<TableColumn> = all([
        ["run", "1", "Number of the run"],
        [
            "<varied>",
            "",
            "A value that varies, by its name in the plan",
        ],
        ["status", "", "completed, failed or refused"],
        ["reason", "", "Short name of the reason"],
        ["step", "1", "Number of the last step"],
        ["time", "s", "Time of the last state"],
        [
            "newton_iterations",
            "1",
            "Number of Newton directions of all steps",
        ],
        ["min_gap", "m", "Smallest gap of all steps"],
        [
            "min_area_ratio",
            "1",
            "Smallest ratio of a triangle's area to its area at rest, of all steps",
        ],
    ])
    .collect();

    // Bodies and measures that the plan or the scene names.
    let of_scene = OF_SCENE.iter();
    columns.extend(of_scene.filter_map(|name| of_the_scene(name)));
    for own in BODY {
        if OF_BODY.contains(&own.name) {
            let name = format!("<body>.{}", own.name);
            columns.push(optional(column(name, own.unit, own.meaning)));
        }
    }
    columns.push(optional(column("<measure>", "", "A measure of the scene")));
    columns.extend(all([
        ["hash", "", "Hash of the last state"],
        ["message", "", "The reason, in a sentence"],
    ]));
    TableColumns {
        file: "results.csv",
        row: "a run of a sweep",
        columns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the columns of a table.
    fn names(table: &TableColumns) -> Vec<&str> {
        table.columns.iter().map(|own| own.name.as_str()).collect()
    }

    #[test]
    fn tables_have_the_columns_of_their_headers_in_order() {
        let of = |header: String| header.trim_end().to_owned();
        let cases = [
            (bodies(), body_table::header()),
            (chambers(), chamber_table::header()),
            (forces(), force_table::HEADER.to_owned()),
            (joints(), joint_table::HEADER.to_owned()),
            (contacts(), contact_table::header()),
            (happened(), events::HEADER.to_owned()),
        ];
        for (table, header) in cases {
            assert_eq!(names(&table).join(","), of(header), "{}", table.file);
        }
    }

    #[test]
    fn every_column_has_a_meaning_and_numbers_have_a_unit() {
        for table in tables() {
            assert!(!table.row.is_empty());
            for own in &table.columns {
                assert!(!own.meaning.is_empty(), "{} {}", table.file, own.name);
            }
        }
        let energies = energies();
        let work: Vec<_> = energies
            .columns
            .iter()
            .filter(|own| own.name.starts_with("work_"))
            .collect();
        assert!(work.len() > 20 && work.iter().all(|own| own.unit == "J" && own.is_optional));
    }
}
