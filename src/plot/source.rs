//! What a column is of: the table that has it, and the rows that count.

use ipcsim::measures::{OF_CHAMBERS, OF_JOINTS};
use ipcsim::quantities::{BODY, SCENE};
use ipcsim_store::body_table::BODIES;
use ipcsim_store::chamber_table::CHAMBERS;
use ipcsim_store::columns::Columns;
use ipcsim_store::force_table::{CONTACT, FORCES, LOAD, REACTION};
use ipcsim_store::joint_table::JOINTS;
use ipcsim_store::measured::MEASURES;
use ipcsim_store::report::RunReport;
use ipcsim_store::table::ENERGIES;

/// What a column is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Two bodies, with a comma between their names.
    Pair(String),
    /// A joint.
    Joint(String),
    /// A body or obstacle.
    Body(String),
    /// The supports of a body or obstacle.
    Reaction(String),
    /// A load.
    Load(String),
    /// A chamber.
    Chamber(String),
    /// The measures of the scene.
    Measure,
    /// The energies of the scene.
    Energy,
}

impl Subject {
    /// Subject and column of a full name, such as `joint.shaft.angle` or `measure.peak`; `None` if it is
    /// no such name.
    pub(super) fn parse(name: &str) -> Option<(Self, &str)> {
        let (kind, rest) = name.split_once('.')?;
        match kind {
            "measure" => return Some((Self::Measure, rest)),
            "energy" => return Some((Self::Energy, rest)),
            _ => {}
        }

        // Names may have dots, columns have none.
        let (name, column) = rest.rsplit_once('.')?;
        let of = match kind {
            "pair" => Self::Pair,
            "joint" => Self::Joint,
            "body" => Self::Body,
            "reaction" => Self::Reaction,
            "load" => Self::Load,
            "chamber" => Self::Chamber,
            _ => return None,
        };
        Some((of(name.to_owned()), column))
    }

    /// Name of the table's file.
    pub(super) fn file(&self) -> &'static str {
        match self {
            Self::Pair(_) | Self::Reaction(_) | Self::Load(_) => FORCES,
            Self::Joint(_) => JOINTS,
            Self::Chamber(_) => CHAMBERS,
            Self::Body(_) => BODIES,
            Self::Measure => MEASURES,
            Self::Energy => ENERGIES,
        }
    }

    /// Key of the scene without which the run has no such table.
    pub(super) fn needs(&self) -> &'static str {
        match self.file() {
            FORCES => "output.force_rows above 0",
            JOINTS => "joints, and output.joint_rows above 0",
            CHAMBERS => "chambers, and output.body_rows above 0",
            BODIES => "output.body_rows above 0",
            MEASURES => "entries of \"measure\" in the scene",
            _ => "energies",
        }
    }

    /// Its kind in messages.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Pair(_) => "pair in contact",
            Self::Joint(_) => "joint",
            Self::Body(_) => "body or obstacle",
            Self::Reaction(_) => "support of a body or obstacle",
            Self::Load(_) => "load",
            Self::Chamber(_) => "chamber",
            Self::Measure => "measure",
            Self::Energy => "energy",
        }
    }

    /// Its name; empty for measures and energies.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Pair(name)
            | Self::Joint(name)
            | Self::Body(name)
            | Self::Reaction(name)
            | Self::Load(name)
            | Self::Chamber(name) => name,
            Self::Measure | Self::Energy => "",
        }
    }

    /// Names that a row of the table has for things like the subject; none if the row is about something
    /// else.
    pub(super) fn names_of(&self, table: &Columns, row: usize) -> Vec<String> {
        let text = |column: &str| table.column(column).map_or("", |k| table.text(row, k));
        let of_kind = |kind: &str, names: Vec<String>| {
            if text("kind") == kind {
                names
            } else {
                Vec::new()
            }
        };
        match self {
            Self::Pair(_) => {
                let [first, second] = [text("first"), text("second")];
                of_kind(
                    CONTACT,
                    vec![format!("{first},{second}"), format!("{second},{first}")],
                )
            }
            Self::Reaction(_) => of_kind(REACTION, vec![text("first").to_owned()]),
            Self::Load(_) => of_kind(LOAD, vec![text("name").to_owned()]),
            Self::Joint(_) => vec![text("joint").to_owned()],
            Self::Body(_) => vec![text("body").to_owned()],
            Self::Chamber(_) => vec![text("chamber").to_owned()],
            Self::Measure | Self::Energy => vec![String::new()],
        }
    }

    /// Columns that are drawn if the user names none: of a joint the first one that has a number.
    pub(super) fn usual(&self) -> &'static [&'static str] {
        match self {
            Self::Joint(_) => &["moment", "force"],
            Self::Body(_) => &["x", "y"],
            Self::Chamber(_) => &["gauge"],
            _ => &["force"],
        }
    }

    /// Parts along x and y; their size is a column that no table has.
    pub(super) fn parts(&self, column: &str) -> Option<[&'static str; 2]> {
        match (self, column) {
            (Self::Body(_), "speed") => Some(["velocity_x", "velocity_y"]),
            (Self::Measure | Self::Energy | Self::Body(_) | Self::Chamber(_), _) => None,
            (_, "force") => Some(["force_x", "force_y"]),
            (Self::Pair(_), "friction") => Some(["friction_x", "friction_y"]),
            _ => None,
        }
    }

    /// Unit of a column; of a joint of this kind.
    pub(super) fn unit(&self, column: &str, kind: &str, report: Option<&RunReport>) -> String {
        let known = match self {
            Self::Body(_) if column == "speed" => Some("m/s"),
            Self::Body(_) => BODY
                .iter()
                .find(|own| own.name == column)
                .map(|own| own.unit),
            Self::Joint(_) => {
                let part = OF_JOINTS.iter().find(|own| own.name == column);
                part.map(|own| match own.unit {
                    "N m or N" => unit_of_drive(column, kind),
                    unit => unit,
                })
            }
            Self::Chamber(_) => {
                let part = OF_CHAMBERS.iter().find(|own| own.name == column);
                part.map(|own| own.unit)
            }
            Self::Energy => {
                let quantity = SCENE.iter().find(|own| own.name == column);
                Some(quantity.map_or("J", |own| own.unit))
            }
            Self::Measure => {
                let mut measures = report.into_iter().flat_map(|own| &own.measures);
                let own = measures.find(|own| own.name == column);
                own.map(|own| own.unit_of_steps.as_str())
            }
            _ if column == "moment" => Some("N m"),
            _ if column.starts_with("force") || column.starts_with("friction") => Some("N"),
            _ => None,
        };
        let is_place = {
            let last = column.rsplit('.').next().unwrap_or(column);
            ["x", "y"].contains(&last)
        };
        match known {
            Some("1") => String::new(),
            Some(unit) => unit.to_owned(),
            None if is_place => "m".to_owned(),
            None => String::new(),
        }
    }
}

/// Unit of what drives a joint of a kind: a wheel has its motor about its axle and its spring along its
/// line.
fn unit_of_drive(column: &str, kind: &str) -> &'static str {
    match (kind, column) {
        ("hinge" | "weld", _) | ("wheel", "motor" | "brake") => "N m",
        _ => "N",
    }
}
