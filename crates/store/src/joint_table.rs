//! `joints.csv`: angle or length, rate and forces of each joint.
//!
//! | columns | contents |
//! |---|---|
//! | `step`, `time` | number of the step, time at its end (s) |
//! | `joint`, `kind` | name of the joint, or its kind and bodies if the scene gives none; its kind |
//! | `first`, `second` | names of its bodies, in the order of the scene |
//! | `angle`, `spin` | angle by which the second body has turned against the first since the start, over turns (rad), and its rate (rad/s) |
//! | `length`, `rate` | displacement along the line of a slider, slot, wheel or rack since the start, distance of the ends of a rod, rope, spring or cylinder (m), and its rate (m/s) |
//! | `force_x`, `force_y` | force on the first body (N) |
//! | `moment`, `x`, `y` | moment on the first body (N m) about the place `x`, `y` of the joint on it (m); empty as in `forces.csv` |
//! | `motor`, `spring`, `damper`, `brake`, `limit` | torque (N m) on the angle, or force (N) on the length: positive where it makes them larger, with the opposite sign of its share of `moment` |
//! | `power` | power of the motor (W) |
//! | `broken` | 1 if the joint has broken, else 0 |
//!
//! A field is empty where a joint has no such thing. Numbers are in the shortest form that reads back
//! to the same bits.

use super::body_table::put;
use super::csv::quoted;
use ipcsim::constraint::joint_names;
use ipcsim::forces::JointState;
use ipcsim::time::World;
use std::fmt::Write;

/// Name of the table's file.
pub const JOINTS: &str = "joints.csv";

/// First line of the table, with its line feed.
pub const HEADER: &str = "step,time,joint,kind,first,second,angle,spin,length,rate,force_x,force_y,\
                          moment,x,y,motor,spring,damper,brake,limit,power,broken\n";

/// Fields of each joint's rows that do not change: its name, its kind and its bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JointNames(Vec<String>);

impl JointNames {
    /// Fields of the joints of a world.
    pub fn of(world: &World) -> Self {
        let joints = &world.model.joints;
        let both = joints.iter().zip(joint_names(joints));
        let fields = both.map(|(joint, name)| {
            let [first, second] = joint.bodies.map(|body| quoted(&world.bodies[body].name));
            format!("{},{},{first},{second}", quoted(&name), joint.kind())
        });
        Self(fields.collect())
    }
}

/// Lines of one step, each with its line feed, for joints with these `names`.
pub fn rows(step: usize, time: f64, joints: &[JointState], names: &JointNames) -> String {
    let mut text = String::new();
    for (joint, name) in joints.iter().zip(&names.0) {
        let [angle, spin] = pair(joint.angle);
        let [length, rate] = pair(joint.length);

        // Numbers in the order of the columns.
        let moment = joint.moment;
        let drives = &joint.drives;

        // Writing to a string cannot fail.
        let _ = write!(text, "{step},{time:?},{name}");
        for number in [
            angle,
            spin,
            length,
            rate,
            Some(joint.force.x),
            Some(joint.force.y),
            moment.map(|own| own.moment),
            moment.map(|own| own.about.x),
            moment.map(|own| own.about.y),
            drives.motor,
            drives.spring,
            drives.damper,
            drives.brake,
            drives.limit,
            drives.power,
        ] {
            put(&mut text, number);
        }
        let _ = writeln!(text, ",{}", u8::from(joint.is_broken));
    }
    text
}

/// Both numbers of a pair, if there is one.
fn pair(both: Option<[f64; 2]>) -> [Option<f64>; 2] {
    both.map_or([None; 2], |both| both.map(Some))
}
