//! `forces.csv`: sums of forces of every step, a row per pair of bodies, joint, support and load.
//!
//! | columns | contents |
//! |---|---|
//! | `step`, `time` | number of the step, time at its end (s) |
//! | `kind` | `contact`, `joint`, `reaction`, `load` or `gas` |
//! | `first`, `second` | names of the bodies; of a reaction what is held, and how: `obstacle`, `script`, `fixed` or `prescribed 0`, the number of the entry; of a load or a gas the body, and the name of the load or chamber |
//! | `force_x`, `force_y` | force on the first body (N): by the second body, by the support or by the load |
//! | `friction_x`, `friction_y` | the part of a contact force that is friction (N) |
//! | `moment` | moment on the first body (N m), counter-clockwise, about `x`, `y`; empty for hinges, rods and ropes without motor, spring or limit |
//! | `x`, `y` | centre of the first body, or point about which a support or a joint holds (m); empty where there is no moment |
//! | `name` | name of the joint as in `joints.csv`, of the load or of the chamber; empty for contacts and reactions |
//!
//! Numbers are in the shortest form that reads back to the same bits.

use super::csv::{lines, name, quoted};
use super::run_files::RunFiles;
use super::stored_error::StoredError;
use ipcsim::constraint::joint_names;
use ipcsim::files::read_text;
use ipcsim::forces::{JointMoment, Sums};
use ipcsim::math::Vec2;
use ipcsim::time::World;
use std::fmt::Write;
use std::path::Path;

/// Name of the table's file.
pub const FORCES: &str = "forces.csv";

/// First line of the table, with its line feed.
pub const HEADER: &str =
    "step,time,kind,first,second,force_x,force_y,friction_x,friction_y,moment,x,y,name\n";
/// Number of columns.
const COLUMNS: usize = 13;

/// Kind of the rows of contacts.
pub const CONTACT: &str = "contact";
/// Kind of the rows of joints.
const JOINT: &str = "joint";
/// Kind of the rows of supports.
pub const REACTION: &str = "reaction";
/// Kind of the rows of loads.
pub const LOAD: &str = "load";
/// Kind of the rows of gas in chambers.
pub const GAS: &str = "gas";

/// Names of what the table is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Names of the bodies, obstacles last.
    pub bodies: Vec<String>,
    /// Names of the loads.
    pub loads: Vec<String>,
    /// Names of the joints.
    pub joints: Vec<String>,
    /// Names of the chambers.
    pub chambers: Vec<String>,
}

impl Names {
    /// Names of the bodies and loads of a world.
    pub fn of(world: &World) -> Self {
        Self {
            bodies: world.bodies.iter().map(|body| body.name.clone()).collect(),
            loads: world
                .loading
                .applied
                .iter()
                .map(|load| load.name.clone())
                .collect(),
            joints: joint_names(&world.model.joints),
            chambers: world
                .loading
                .gas
                .chambers
                .iter()
                .map(|chamber| chamber.name.clone())
                .collect(),
        }
    }
}

/// Lines of one step, each with its line feed, for a world with these `names`.
pub fn rows(step: usize, time: f64, sums: &Sums, names: &Names) -> String {
    let name = |body: usize| quoted(names.bodies.get(body).map_or("", String::as_str));
    let mut text = String::new();

    // Writing to a string cannot fail.
    for pair in &sums.pairs {
        let [first, second] = pair.bodies.map(name);
        let (force, friction, about) = (pair.force, pair.friction, pair.about);
        let _ = writeln!(
            text,
            "{step},{time:?},{CONTACT},{first},{second},{:?},{:?},{:?},{:?},{:?},{:?},{:?},",
            force.x, force.y, friction.x, friction.y, pair.moment, about.x, about.y
        );
    }

    let mut of_joints = names.joints.iter();
    for joint in &sums.joints {
        let own = quoted(of_joints.next().map_or("", String::as_str));
        let [first, second] = joint.bodies.map(name);
        let force = joint.force;
        let _ = write!(
            text,
            "{step},{time:?},{JOINT},{first},{second},{:?},{:?},,,",
            force.x, force.y
        );
        // A joint without a moment has empty columns: a zero would look like a computed one.
        let _ = match joint.moment {
            Some(JointMoment { moment, about }) => {
                writeln!(text, "{moment:?},{:?},{:?},{own}", about.x, about.y)
            }
            None => writeln!(text, ",,,{own}"),
        };
    }

    for reaction in &sums.reactions {
        let (first, second) = (name(reaction.body), reaction.kind.label());
        let (force, about) = (reaction.force, reaction.about);
        let _ = writeln!(
            text,
            "{step},{time:?},{REACTION},{first},{second},{:?},{:?},,,{:?},{:?},{:?},",
            force.x, force.y, reaction.moment, about.x, about.y
        );
    }

    for load in &sums.loads {
        // The numbers of chambers follow those of loads.
        let of_chamber = load.load.checked_sub(names.loads.len());
        let (kind, own) = match of_chamber {
            None => (LOAD, names.loads.get(load.load)),
            Some(number) => (GAS, names.chambers.get(number)),
        };
        let second = quoted(own.map_or("", String::as_str));
        let (first, force, about) = (name(load.body), load.force, load.about);
        let _ = writeln!(
            text,
            "{step},{time:?},{kind},{first},{second},{:?},{:?},,,{:?},{:?},{:?},{second}",
            force.x, force.y, load.moment, about.x, about.y
        );
    }
    text
}

/// A row of a stored table.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredForce {
    /// Number of the step.
    pub step: usize,
    /// Time at its end (s).
    pub time: f64,
    /// Kind: `contact`, `joint`, `reaction`, `load` or `gas`.
    pub kind: String,
    /// Names of the bodies; of a reaction what is held, and how; of a load its body and its own.
    pub names: [String; 2],
    /// Name of a joint or a load; empty for contacts and reactions.
    pub own: String,
    /// Force on the first body (N).
    pub force: Vec2,
    /// Part of it that is friction (N); zero for joints, supports and loads.
    pub friction: Vec2,
    /// Moment on the first body about [`about`](Self::about) (N m); 0 where the table has none.
    pub moment: f64,
    /// Point about which the moment counts (m).
    pub about: Vec2,
}

/// Reads the table of a run; `None` if it has written none.
///
/// # Errors
/// [`StoredError`] if the file cannot be read, is damaged or is no such table.
pub fn read(files: &RunFiles) -> Result<Option<Vec<StoredForce>>, StoredError> {
    let Some(path) = files.find(FORCES)? else {
        return Ok(None);
    };
    let text = read_text(&path)
        .map_err(|error| StoredError::malformed(&path, format!("cannot be read: {error}")))?;
    parse(&text, &path).map(Some)
}

/// Rows of a text that begins with [`HEADER`]; errors name the file `path`.
///
/// # Errors
/// [`StoredError::Malformed`] if it is no such table.
pub fn parse(text: &str, path: &Path) -> Result<Vec<StoredForce>, StoredError> {
    let Some(body) = text.strip_prefix(HEADER) else {
        let message = format!("the first line must be {}", HEADER.trim_end());
        return Err(StoredError::malformed(path, message));
    };

    let mut rows = Vec::new();
    for (fields, number) in lines(body).into_iter().zip(2..) {
        let row = row(&fields).ok_or_else(|| {
            let message = format!("row {number} has other fields than the table needs");
            StoredError::malformed(path, message)
        })?;
        rows.push(row);
    }
    Ok(rows)
}

/// Row of a line's fields; `None` if they are not those of the table.
fn row(fields: &[String]) -> Option<StoredForce> {
    if fields.len() != COLUMNS {
        return None;
    }

    // An empty field is 0.
    let mut numbers = [0.0; 7];
    for (number, field) in numbers.iter_mut().zip(&fields[5..12]) {
        if !field.is_empty() {
            *number = field.parse().ok()?;
        }
    }
    let [force_x, force_y, friction_x, friction_y, moment, x, y] = numbers;
    Some(StoredForce {
        step: fields[0].parse().ok()?,
        time: fields[1].parse().ok()?,
        kind: fields[2].clone(),
        names: [&fields[3], &fields[4]].map(|field| name(field).to_owned()),
        own: name(&fields[12]).to_owned(),
        force: Vec2::new(force_x, force_y),
        friction: Vec2::new(friction_x, friction_y),
        moment,
        about: Vec2::new(x, y),
    })
}
