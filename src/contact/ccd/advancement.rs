//! Conservative advancement of two rigid convex bodies (Mirtich 1996, "Impulse-based Dynamic Simulation of Rigid Body
//! Systems"; Coumans 2005, "Continuous Collision Detection and Physics").
//!
//! Let `n` be a direction that separates the bodies by a gap `g > 0` at time `t`, pointing from A to B. While the step
//! goes on by `dt`, the centres approach along `n` by `n . (u_a - u_b) dt`, and no vertex leaves its place relative to
//! its centre by more than `r |w| dt`, with the farthest vertex's distance `r`. As long as
//!
//! `dt < g / (n . (u_a - u_b) + r_a |w_a| + r_b |w_b|)`,
//!
//! `n` still separates them: the bodies may advance by that time, and they never meet if the denominator is not
//! positive. Then a new `n` is taken. Towards an impact the gap shrinks by a fixed share in every advance, namely by
//! the speed at which it closes over the bound.

use crate::contact::tuning::{ADVANCEMENT_CONTACT, ADVANCEMENT_MAX_ADVANCES};
use crate::geometry::convex::{Convex, Placed, Separation, separation};
use crate::geometry::path::RigidMotion;
use crate::math::Vec2;
use thiserror::Error;

/// Rounding of the gap relative to the lengths that it is computed from.
const GAP_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A convex shape and its motion over a step of unit length.
#[derive(Clone, Copy, Debug)]
pub struct MovingBody<'a> {
    /// Shape around the centre at `t = 0`.
    pub shape: &'a Convex,
    /// Motion; its displacement and its turn are the constant velocities.
    pub motion: RigidMotion,
}

/// The first contact of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Time of impact in `[0, 1]`.
    pub toi: f64,
    /// Nearest points of the first and the second body at that time (m).
    pub points: [Vec2; 2],
    /// Unit normal from the first body to the second. Without meaning if the bodies overlap at `t = 0`.
    pub normal: Vec2,
}

/// Why two bodies cannot be advanced.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum AdvancementError {
    /// A motion is not finite.
    #[error(
        "the motion of body {body} has a number that is not finite; give it finite velocities and a finite centre"
    )]
    Motion {
        /// 0 or 1.
        body: usize,
    },
    /// A half-plane turns, and its far points are infinitely fast.
    #[error(
        "body {body} is a half-plane that turns by {angle} rad; a half-plane may only turn by 0, use a polygon"
    )]
    TurningHalfPlane {
        /// 0 or 1.
        body: usize,
        /// Its turn (rad).
        angle: f64,
    },
    /// Both bodies are half-planes.
    #[error("both bodies are half-planes; at most 1 may be, use a polygon for the other")]
    TwoHalfPlanes,
}

/// The first impact of two bodies that move with constant linear and angular velocities while `t` goes from 0 to 1, or
/// `None` if they stay apart.
///
/// The time is never later than that of the first contact, up to rounding. At that time no more than `1e-9` of the
/// initial gap is left (or the rounding of the positions), unless 65536 advances did not suffice to get there. Bodies
/// that touch or overlap at `t = 0` have their impact at 0.
///
/// # Errors
/// [`AdvancementError`] if a motion is not finite, a half-plane turns, or both bodies are half-planes.
///
/// ```
/// use ipcsim::contact::ccd::advancement::{MovingBody, first_impact};
/// use ipcsim::geometry::{convex::Convex, path::RigidMotion};
/// use ipcsim::math::Vec2;
///
/// fn falling(shape: &Convex, y: f64, fall: f64) -> MovingBody<'_> {
///     let (center, translation) = (Vec2::new(0.0, y), Vec2::new(0.0, -fall));
///     MovingBody { shape, motion: RigidMotion { center, translation, angle: 0.0 } }
/// }
///
/// let (ball, floor) = (Convex::hull(vec![Vec2::zeros()], 0.5)?, Convex::half_plane(Vec2::y())?);
/// let impact = first_impact(&falling(&ball, 2.0, 3.0), &falling(&floor, 0.0, 0.0))?.unwrap();
/// assert!(impact.toi <= 0.5 && impact.toi > 0.5 - 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_impact(a: &MovingBody, b: &MovingBody) -> Result<Option<Impact>, AdvancementError> {
    let approach = Approach::new([a, b])?;
    let (mut t, mut now) = (0.0, approach.separation(0.0)?);
    let contact = ADVANCEMENT_CONTACT * (now.gap - approach.rounding).max(0.0);
    for _ in 0..ADVANCEMENT_MAX_ADVANCES {
        let gap = now.gap - approach.rounding;
        // A NaN ends here as well: what was reached before it is safe.
        if gap.is_nan() || gap <= contact {
            break;
        }
        let closing = approach.velocity.dot(&now.normal) + approach.turning;
        if closing * (1.0 - t) < gap {
            return Ok(None);
        }
        let next = t + gap / closing;
        if next <= t {
            break;
        }
        (t, now) = (next, approach.separation(next)?);
    }
    Ok(Some(Impact {
        toi: t,
        points: now.points,
        normal: now.normal,
    }))
}

/// Two bodies seen from the centre of the first.
struct Approach<'a> {
    bodies: [&'a MovingBody<'a>; 2],
    /// From the first centre to the second at `t = 0` (m).
    offset: Vec2,
    /// Velocity of the first centre relative to the second (m per step).
    velocity: Vec2,
    /// `r_a |w_a| + r_b |w_b|` (m per step).
    turning: f64,
    /// What rounding may take from a gap (m).
    rounding: f64,
}

impl<'a> Approach<'a> {
    fn new(bodies: [&'a MovingBody<'a>; 2]) -> Result<Self, AdvancementError> {
        let [a, b] = bodies.map(|body| body.motion);
        let (offset, velocity) = (b.center - a.center, a.translation - b.translation);
        let (mut turning, mut lengths) = (0.0, offset.norm() + velocity.norm());
        for (body, MovingBody { shape, motion }) in bodies.into_iter().enumerate() {
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

    /// What separates the bodies at `t`.
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
