//! Conservative advancement of two rigid convex bodies (Mirtich 1996, "Impulse-based Dynamic
//! Simulation of Rigid Body Systems"; Coumans 2005, "Continuous Collision Detection and Physics").
//!
//! A direction that separates two bodies keeps separating them as long as
//!
//! `dt < g / (n . (u_a - u_b) + r_a |w_a| + r_b |w_b|)`,
//!
//! - `n`: unit direction from body A to body B that separates them at time `t`;
//! - `g`: gap along `n` (m);
//! - `u_a`, `u_b`: velocities of the centres (m per step), which approach along `n` by
//!   `n . (u_a - u_b) dt`;
//! - `w_a`, `w_b`: angular velocities (rad per step);
//! - `r_a`, `r_b`: distances of the farthest vertices from the centres (m), which move by at most
//!   `r |w| dt`.
//!
//! The bodies advance by that time and a new `n` is taken; they never meet if the denominator is
//! not positive. Towards an impact the gap shrinks by a fixed share in every advance: the closing
//! speed over its bound.

use crate::tuning::{ADVANCEMENT_CONTACT, ADVANCEMENT_MAX_ADVANCES};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::convex::{Convex, Placed, Separation, separation};
use ipcsim_math::geometry::path::RigidMotion;
use thiserror::Error;

/// Bound of the rounding error of a gap (1), relative to the lengths that it is computed from.
const GAP_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Convex shape in motion over a step of unit length.
#[derive(Clone, Copy, Debug)]
pub struct MovingBody<'a> {
    /// Shape around the centre of the motion at `t = 0`.
    pub shape: &'a Convex,
    /// Motion of the shape; displacement and turn are constant velocities.
    pub motion: RigidMotion,
}

/// First contact of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Time of impact in `[0, 1]`.
    pub toi: f64,
    /// Nearest points of both bodies at that time (m).
    pub points: [Vec2; 2],
    /// Unit normal from the first body to the second; meaningless if the bodies overlap at `t = 0`.
    pub normal: Vec2,
}

/// Reason why two bodies cannot be advanced.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum AdvancementError {
    /// A motion is not finite.
    #[error(
        "the motion of body {body} has a number that is not finite; give it finite velocities and a finite centre"
    )]
    Motion {
        /// Index of the body, 0 or 1.
        body: usize,
    },
    /// A half-plane turns, so its far points are infinitely fast.
    #[error(
        "body {body} is a half-plane that turns by {angle} rad; a half-plane may only turn by 0, use a polygon"
    )]
    TurningHalfPlane {
        /// Index of the body, 0 or 1.
        body: usize,
        /// Turn of the half-plane (rad).
        angle: f64,
    },
    /// Both bodies are half-planes.
    #[error("both bodies are half-planes; at most 1 may be, use a polygon for the other")]
    TwoHalfPlanes,
}

/// First impact of two bodies that move with constant linear and angular velocities while `t` goes
/// from 0 to 1; `None` if they stay apart.
///
/// The time is never later than the first contact, up to rounding. The gap at that time is at most
/// [`ADVANCEMENT_CONTACT`] of the initial gap, or the rounding of the positions, unless
/// [`ADVANCEMENT_MAX_ADVANCES`] did not suffice. Bodies that touch or overlap at `t = 0` have their
/// impact at 0.
///
/// # Errors
/// [`AdvancementError`] if a motion is not finite, a half-plane turns, or both bodies are
/// half-planes.
///
/// ```
/// use ipcsim_contact::ccd::advancement::{MovingBody, first_impact};
/// use ipcsim_math::geometry::{convex::Convex, path::RigidMotion};
/// use ipcsim_math::Vec2;
///
/// fn falling(shape: &Convex, y: f64, fall: f64) -> MovingBody<'_> {
///     let center = Vec2::new(0.0, y);
///     let translation = Vec2::new(0.0, -fall);
///     MovingBody { shape, motion: RigidMotion { center, translation, angle: 0.0 } }
/// }
///
/// let ball = Convex::hull(vec![Vec2::zeros()], 0.5)?;
/// let floor = Convex::half_plane(Vec2::y())?;
/// let impact = first_impact(&falling(&ball, 2.0, 3.0), &falling(&floor, 0.0, 0.0))?.unwrap();
/// assert!(impact.toi <= 0.5 && impact.toi > 0.5 - 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_impact(a: &MovingBody, b: &MovingBody) -> Result<Option<Impact>, AdvancementError> {
    let approach = Approach::new([a, b])?;
    let mut t = 0.0;
    let mut now = approach.separation(0.0)?;
    let contact = ADVANCEMENT_CONTACT * (now.gap - approach.rounding).max(0.0);

    for _ in 0..ADVANCEMENT_MAX_ADVANCES {
        let gap = now.gap - approach.rounding;
        // A NaN ends here as well; the time before it is safe.
        if gap.is_nan() || gap <= contact {
            break;
        }

        // The rest of the step is too short to close the gap.
        let closing = approach.velocity.dot(&now.normal) + approach.turning;
        if closing * (1.0 - t) < gap {
            return Ok(None);
        }

        let next = t + gap / closing;
        if next <= t {
            break;
        }
        t = next;
        now = approach.separation(next)?;
    }

    Ok(Some(Impact {
        toi: t,
        points: now.points,
        normal: now.normal,
    }))
}

/// Two bodies seen from the centre of the first, with the bounds of their motion.
struct Approach<'a> {
    /// The two bodies.
    bodies: [&'a MovingBody<'a>; 2],
    /// From the first centre to the second at `t = 0` (m).
    offset: Vec2,
    /// Velocity of the first centre relative to the second (m per step).
    velocity: Vec2,
    /// `r_a |w_a| + r_b |w_b|` (m per step).
    turning: f64,
    /// Bound of the rounding error of a gap (m).
    rounding: f64,
}

impl<'a> Approach<'a> {
    /// Bounds of the motion of two bodies.
    ///
    /// # Errors
    /// Fails if a motion is not finite or a half-plane turns.
    fn new(bodies: [&'a MovingBody<'a>; 2]) -> Result<Self, AdvancementError> {
        let [a, b] = bodies.map(|body| body.motion);
        let offset = b.center - a.center;
        let velocity = a.translation - b.translation;
        let mut turning = 0.0;
        let mut lengths = offset.norm() + velocity.norm();

        for (body, MovingBody { shape, motion }) in bodies.into_iter().enumerate() {
            // Motions that have no bound are refused.
            let numbers = [
                motion.center.x,
                motion.center.y,
                motion.translation.x,
                motion.translation.y,
                motion.angle,
            ];
            if !numbers.iter().all(|x| x.is_finite()) {
                return Err(AdvancementError::Motion { body });
            }
            if shape.reach().is_none() && motion.angle.abs() > 0.0 {
                return Err(AdvancementError::TurningHalfPlane {
                    body,
                    angle: motion.angle,
                });
            }

            // Farthest vertices move by reach times angle.
            let reach = shape.reach().unwrap_or(0.0);
            turning += reach * motion.angle.abs();
            lengths += reach;
        }

        Ok(Self {
            bodies,
            offset,
            velocity,
            turning,
            rounding: GAP_ROUNDING * (lengths + turning),
        })
    }

    /// Gap, direction and nearest points of the bodies at `t`.
    ///
    /// # Errors
    /// Fails if both bodies are half-planes.
    fn separation(&self, t: f64) -> Result<Separation, AdvancementError> {
        let [a, b] = self.bodies;
        let center = a.motion.center + a.motion.translation * t;
        let first = Placed {
            shape: a.shape,
            center: Vec2::zeros(),
            rotation: a.motion.rotation(t),
        };
        let second = Placed {
            shape: b.shape,
            center: self.offset - self.velocity * t,
            rotation: b.motion.rotation(t),
        };

        let found = separation(&first, &second).ok_or(AdvancementError::TwoHalfPlanes)?;
        Ok(Separation {
            points: found.points.map(|x| center + x),
            ..found
        })
    }
}
