//! Ties between two bodies: their sizes, and limits, motors and springs as actions.

use super::builder::Builder;
use crate::problem::Problem;
use crate::schema;
use ipcsim_core::constraint::{
    Aim, ConstraintAction, ConstraintRow, JointFrame, Limits, Motor, Rule, Servo, Spring,
};
use ipcsim_math::Vec2;
use ipcsim_math::formula::FormulaError;
use ipcsim_math::varying::Varying;

/// Share of the range of a joint, and of the size of its bodies or of a radian, within which the
/// barrier of a limit pushes.
///
/// Unit 1. Larger values let a joint rest farther from its limit, smaller ones make the barrier
/// stiffer.
const REACH: [f64; 2] = [0.05, 0.005];

/// Where a joint is.
pub(super) struct Place<'a> {
    /// Its two bodies.
    pub(super) bodies: [usize; 2],
    /// Their diameters (m).
    pub(super) sizes: [f64; 2],
    /// JSON path of the joint.
    pub(super) path: &'a str,
}

impl Place<'_> {
    /// Diameter of the larger body (m), by which angles become openings.
    pub(super) fn arm(&self) -> f64 {
        self.sizes[0].max(self.sizes[1])
    }
}

impl Builder {
    /// Frame of one of the two bodies of a joint with a point (m) and an arrow (1); `None`, and a
    /// problem, if it has no such point.
    pub(super) fn framed(
        &mut self,
        place: &Place,
        side: usize,
        [at, axis]: [Vec2; 2],
        x: &[Vec2],
    ) -> Option<JointFrame> {
        match self.frame_at(place.bodies[side], [at, axis], x) {
            Ok(frame) => Some(frame),
            Err(message) => {
                let problem = Problem::error(place.path.to_owned(), message).at(at);
                self.problems.push(problem);
                None
            }
        }
    }

    /// A row between two frames of the bodies of a joint.
    pub(super) fn row(
        &self,
        place: &Place,
        rule: Rule,
        action: ConstraintAction,
        frames: &[JointFrame; 2],
    ) -> ConstraintRow {
        // The lighter side, where obstacles have no mass.
        let masses = [0, 1].map(|side| self.mass_at(place.bodies[side], &frames[side]));
        let side = match masses {
            [a, b] if a > 0.0 && b > 0.0 => usize::from(b < a),
            [a, b] => usize::from(b > a),
        };

        let (mass, size) = (masses[side], place.sizes[side]);
        let is_angle = matches!(rule, Rule::Turned(_));
        let inertia = if is_angle { mass * size * size } else { mass };
        let unit = if is_angle { 1.0 } else { place.arm() };
        ConstraintRow::new(rule, action, frames, inertia, unit)
    }
}

/// What acts on an angle: limits and a spring (degrees), a motor, and a brake (N m).
pub(super) fn turning(
    limits: Option<[f64; 2]>,
    motor: Option<&schema::Motor>,
    brake: Option<f64>,
    spring: Option<schema::Torsion>,
) -> Vec<ConstraintAction> {
    let mut actions = Vec::new();
    if let Some(range) = limits {
        actions.push(limited(range.map(f64::to_radians), 1.0));
    }

    if let Some(motor) = motor {
        // Motors of scenes count in degrees.
        actions.extend(motor_of(&Drive {
            aims: [motor.speed_deg.as_ref(), motor.angle_deg.as_ref()],
            unit: 1_f64.to_radians(),
            most: motor.torque,
            stiffness: motor.stiffness,
            damping: motor.damping,
        }));
    }
    actions.extend(brake.and_then(braked));

    if let Some(spring) = spring {
        actions.push(ConstraintAction::Sprung(Spring {
            stiffness: spring.stiffness,
            rest: spring.rest_deg.to_radians(),
            damping: spring.damping,
        }));
    }
    actions
}

/// What acts along a line: limits and a spring (m), a motor, and a brake (N), between bodies of a
/// `size` (m) or in a cylinder of this length.
pub(super) fn moving(
    limits: Option<[f64; 2]>,
    motor: Option<&schema::Thrust>,
    brake: Option<f64>,
    spring: Option<schema::Spring>,
    size: f64,
) -> Vec<ConstraintAction> {
    let mut actions = Vec::new();
    if let Some(range) = limits {
        actions.push(limited(range, size));
    }

    if let Some(motor) = motor {
        actions.extend(motor_of(&Drive {
            aims: [motor.speed.as_ref(), motor.place.as_ref()],
            unit: 1.0,
            most: motor.force,
            stiffness: motor.stiffness,
            damping: motor.damping,
        }));
    }
    actions.extend(brake.and_then(braked));

    if let Some(spring) = spring {
        actions.push(ConstraintAction::Sprung(Spring {
            stiffness: spring.stiffness,
            rest: spring.rest,
            damping: spring.damping,
        }));
    }
    actions
}

/// Barriers at two limits, within a share of the range and of a size.
fn limited(range: [f64; 2], size: f64) -> ConstraintAction {
    let [of_range, of_size] = REACH;
    let width = range[1] - range[0];

    // A joint starts where no barrier pushes, or nearly so.
    let nearest = range[1].min(-range[0]);
    let reach = (of_range * width).min(of_size * size);
    ConstraintAction::Limited(Limits {
        range,
        reach: reach.min(0.9 * nearest),
        restitution: 0.0,
    })
}

/// The actions with this coefficient of restitution of limits (1).
pub(super) fn rebounding(
    mut actions: Vec<ConstraintAction>,
    coefficient: f64,
) -> Vec<ConstraintAction> {
    for action in &mut actions {
        if let ConstraintAction::Limited(limits) = action {
            limits.restitution = coefficient;
        }
    }
    actions
}

/// A motor of a scene, of an angle or along a line.
struct Drive<'a> {
    /// Speed and place, in units of `unit`.
    aims: [Option<&'a schema::Varying>; 2],
    /// Size of the unit (m or rad).
    unit: f64,
    /// Largest force (N or N m).
    most: f64,
    /// Stiffness of a servo (N/m or N m/rad).
    stiffness: Option<f64>,
    /// Damping of a servo (N s/m or N m s/rad).
    damping: f64,
}

/// Action of a motor; `None` where the checks have refused it.
fn motor_of(drive: &Drive) -> Option<ConstraintAction> {
    let [rate, place] = drive.aims.map(|aim| aim.map(schema::Varying::read));
    if drive.stiffness.is_none() && drive.damping == 0.0 {
        return driven([rate, place], drive.unit, drive.most);
    }
    Some(ConstraintAction::Served(Servo {
        place: place.transpose().ok()?,
        rate: rate.transpose().ok()?,
        unit: drive.unit,
        stiffness: drive.stiffness.unwrap_or_default(),
        damping: drive.damping,
        most: drive.most,
    }))
}

/// A motor with a speed or a place, in units of `unit`, and its largest force; `None` without one
/// of these.
fn driven(
    [speed, place]: [Option<Result<Varying, FormulaError>>; 2],
    unit: f64,
    most: f64,
) -> Option<ConstraintAction> {
    let aim = match (speed, place) {
        (Some(Ok(speed)), None) => Aim::Speed(speed),
        (None, Some(Ok(place))) => Aim::Place(place),
        _ => return None,
    };
    (most > 0.0).then_some(ConstraintAction::Driven(Motor { aim, unit, most }))
}

/// A brake, which is a motor of speed 0; `None` without a force.
fn braked(most: f64) -> Option<ConstraintAction> {
    let still = Some(Ok(Varying::Constant(0.0)));
    driven([still, None], 1.0, most)
}
