//! From a body's entry in the file to a placed body, with its numbers read.
//!
//! Entries have optional keys under new and old names, lists of different lengths, and degrees
//! beside radians. All of this ends here: a [`Placed`] body has every number, in the units of this
//! program.

use super::format::{Body, Kind};
use super::model::{check_mass, scaled, with_length};
use super::numbers::{angle, flags, problem, vector};
use super::placed::Placed;
use ipcsim_math::Vec2;
use ipcsim_scene::Problem;

impl Placed {
    /// Reads body number `index` of the file.
    ///
    /// Fixed coordinates are those of rigid-ipc: neither velocity nor force acts along them, and a
    /// body with three of them is static.
    ///
    /// # Errors
    /// The first problem of the body.
    pub(super) fn read(index: usize, body: &Body) -> Result<Self, Problem> {
        let at = |key: &str| format!("rigid_body_problem.rigid_bodies[{index}].{key}");

        // A body without a free coordinate is static, and a static body has none.
        let mut fixed = flags(&at("is_dof_fixed"), body.is_dof_fixed.as_ref())?;
        let mut kind = body.kind;
        if fixed == [true; 3] {
            kind = Kind::Static;
        }
        if kind == Kind::Static {
            fixed = [true; 3];
        }

        // The model.
        let vertices = scaled(&at, body)?;
        check_mass(&at, body, kind, &vertices)?;

        // Neither velocity nor force along fixed coordinates.
        let velocity = velocity(&at, body)?;
        let position = vector(&at("position"), body.position.as_ref())?;
        let rotation_deg = angle(&at("rotation"), body.rotation.as_ref())?;
        let force = vector(&at("force"), body.force.as_ref())?;
        let torque = angle(&at("torque"), body.torque.as_ref())?.to_radians();
        let max_time = body.kinematic_max_time.filter(|time| *time >= 0.0);

        Ok(Self {
            index,
            kind,
            edges: with_length(&body.edges, &vertices),
            vertices,
            position: position.into(),
            rotation_deg,
            velocity: free(velocity.linear, fixed),
            spin_deg: if fixed[2] { 0.0 } else { velocity.spin_deg },
            force: free(force, fixed),
            torque: if fixed[2] { 0.0 } else { torque },
            fixed,
            density: body.density,
            group_id: body.group_id,
            max_time: max_time.unwrap_or(f64::INFINITY),
            poses: poses(&at, body)?,
        })
    }
}

/// Components of a vector along coordinates that are not fixed; 0 along the others.
fn free([x, y]: [f64; 2], fixed: [bool; 3]) -> Vec2 {
    let [x_is_fixed, y_is_fixed, _] = fixed;
    Vec2::new(
        if x_is_fixed { 0.0 } else { x },
        if y_is_fixed { 0.0 } else { y },
    )
}

/// Velocity of a body at the start.
struct Velocity {
    /// Velocity of the centre of mass (m/s).
    linear: [f64; 2],
    /// Angular velocity, counter-clockwise (degrees/s).
    spin_deg: f64,
}

/// Velocity of a body under its new keys, or under the old one, which has radians/s.
///
/// # Errors
/// Both are given, or the old one has neither two nor three components.
fn velocity(at: &impl Fn(&str) -> String, body: &Body) -> Result<Velocity, Problem> {
    let Some(list) = &body.velocity else {
        let linear = vector(&at("linear_velocity"), body.linear_velocity.as_ref())?;
        let spin_deg = angle(&at("angular_velocity"), body.angular_velocity.as_ref())?;
        return Ok(Velocity { linear, spin_deg });
    };

    if body.linear_velocity.is_some() || body.angular_velocity.is_some() {
        let message = "is given under its new name, too; remove one of them";
        return Err(problem(at("velocity"), message));
    }

    // The old key, with or without the angular velocity.
    let (linear, spin) = match list[..] {
        [x, y] => ([x, y], 0.0),
        [x, y, spin] => ([x, y], spin),
        _ => {
            let message = format!("has {} components; expected x, y, angular", list.len());
            return Err(problem(at("velocity"), message));
        }
    };

    Ok(Velocity {
        linear,
        spin_deg: spin.to_degrees(),
    })
}

/// Poses of a kinematic body: positions of the centre of mass (m) and rotations (degrees).
///
/// # Errors
/// A vector or an angle that is not of a plane.
fn poses(at: &impl Fn(&str) -> String, body: &Body) -> Result<Vec<(Vec2, f64)>, Problem> {
    let mut poses = Vec::with_capacity(body.kinematic_poses.len());
    for (k, pose) in body.kinematic_poses.iter().enumerate() {
        let at = |key: &str| at(&format!("kinematic_poses[{k}].{key}"));
        let position = vector(&at("position"), pose.position.as_ref())?;
        let rotation = angle(&at("rotation"), pose.rotation.as_ref())?;
        poses.push((position.into(), rotation.to_degrees()));
    }

    Ok(poses)
}
