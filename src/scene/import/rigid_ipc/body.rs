//! A body of the file, with its numbers read.

use super::format::{Body, Kind};
use super::model::{check_mass, scaled, with_length};
use super::numbers::{angle, flags, problem, vector};
use super::placed::Placed;
use crate::math::Vec2;
use crate::scene::Problem;

impl Placed {
    /// Reads body number `index` of the file.
    ///
    /// Fixed coordinates are those of rigid-ipc: neither velocity nor force acts along them, and a body
    /// with three of them is static.
    ///
    /// # Errors
    /// The first problem of the body.
    pub(super) fn read(index: usize, body: &Body) -> Result<Self, Problem> {
        let at = |key: &str| format!("rigid_body_problem.rigid_bodies[{index}].{key}");
        let fixed = flags(&at("is_dof_fixed"), body.is_dof_fixed.as_ref())?;
        let kind = if fixed == [true; 3] {
            Kind::Static
        } else {
            body.kind
        };
        let fixed = if kind == Kind::Static {
            [true; 3]
        } else {
            fixed
        };

        // The model.
        let vertices = scaled(&at, body)?;
        check_mass(&at, body, kind, &vertices)?;

        // Neither velocity nor force along fixed coordinates.
        let free = |v: [f64; 2]| {
            Vec2::new(
                if fixed[0] { 0.0 } else { v[0] },
                if fixed[1] { 0.0 } else { v[1] },
            )
        };
        let turning = |angle: f64| if fixed[2] { 0.0 } else { angle };
        let (velocity, spin_deg) = velocity(&at, body)?;

        Ok(Self {
            index,
            kind,
            edges: with_length(&body.edges, &vertices),
            vertices,
            position: vector(&at("position"), body.position.as_ref())?.into(),
            rotation_deg: angle(&at("rotation"), body.rotation.as_ref())?,
            velocity: free(velocity),
            spin_deg: turning(spin_deg),
            force: free(vector(&at("force"), body.force.as_ref())?),
            torque: turning(angle(&at("torque"), body.torque.as_ref())?.to_radians()),
            fixed,
            density: body.density,
            group_id: body.group_id,
            max_time: body
                .kinematic_max_time
                .filter(|time| *time >= 0.0)
                .unwrap_or(f64::INFINITY),
            poses: poses(&at, body)?,
        })
    }
}

/// Velocity (m/s) and angular velocity (degrees/s), under their new or old keys.
fn velocity(at: &impl Fn(&str) -> String, body: &Body) -> Result<([f64; 2], f64), Problem> {
    match &body.velocity {
        None => {
            let linear = vector(&at("linear_velocity"), body.linear_velocity.as_ref())?;
            Ok((
                linear,
                angle(&at("angular_velocity"), body.angular_velocity.as_ref())?,
            ))
        }
        Some(_) if body.linear_velocity.is_some() || body.angular_velocity.is_some() => {
            Err(problem(
                at("velocity"),
                "is given under its new name, too; remove one of them",
            ))
        }
        Some(list) => match list[..] {
            [x, y] => Ok(([x, y], 0.0)),
            [x, y, spin] => Ok(([x, y], spin.to_degrees())),
            _ => Err(problem(
                at("velocity"),
                format!("has {} components; expected x, y, angular", list.len()),
            )),
        },
    }
}

/// Poses of a kinematic body: positions of the centre of mass (m) and rotations (degrees).
fn poses(at: &impl Fn(&str) -> String, body: &Body) -> Result<Vec<(Vec2, f64)>, Problem> {
    let read = |(k, pose): (usize, &super::format::Pose)| {
        let at = |key: &str| at(&format!("kinematic_poses[{k}].{key}"));
        let position = vector(&at("position"), pose.position.as_ref())?.into();
        Ok((
            position,
            angle(&at("rotation"), pose.rotation.as_ref())?.to_degrees(),
        ))
    };
    body.kinematic_poses.iter().enumerate().map(read).collect()
}
