//! Model of second order of the gap at a place, from the geometry there.
//!
//! Along a displacement `u` of four vertices the gap is `g + n . u - (a . u) (c . u)`, with the derivative `n`
//! and two derivatives `a` and `c` by which the normal turns. Some vertices may repeat, with weights of zero.
//!
//! - Over a line that turns by `omega` while the place moves by `tau` along it, `d'' = -2 omega tau - d omega^2`
//!   with the distance `d`: `a` gives `omega`, and `c` gives `tau + d omega / 2`.
//! - Around a point `d'' = tau^2 / d`, with the motion `tau` across the connection.
//! - Over a half-plane that does not turn `d'' = 0`.

use ipcsim_math::{Vec2, perp};

/// How the gap of a place changes where four vertices move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GapModel {
    /// Gap (m).
    pub(crate) gap: f64,
    /// Its first derivative, by vertex (1).
    pub(crate) opening: [Vec2; 4],
    /// Two derivatives `a` and `c` (1, 1/m) whose product `-2 a c` is its second derivative.
    pub(crate) bend: [[Vec2; 4]; 2],
}

/// Gap of a place over a line: `normal` to its side, `tangent` along the line, inverse `length` of the line
/// (1/m), `distance` from it (m) and the distance at which both touch; `relative` are the weights of the
/// vertices in the displacement relative to the line, and `turn` in its turning.
pub(crate) fn over_line(
    [normal, tangent]: [Vec2; 2],
    inverse: f64,
    [distance, separation]: [f64; 2],
    relative: [f64; 4],
    turn: [f64; 4],
) -> GapModel {
    let turning = turn.map(|c| normal * (c * inverse));
    let across = std::array::from_fn(|i| tangent * relative[i] + turning[i] * (0.5 * distance));
    GapModel {
        gap: distance - separation,
        opening: relative.map(|c| normal * c),
        bend: [turning, across],
    }
}

impl GapModel {
    /// Gap of a place near a point, from which it is `offset` away (m); `relative` are the weights of the
    /// vertices in the displacement from the point.
    pub(crate) fn around_point(offset: Vec2, separation: f64, relative: [f64; 4]) -> Self {
        let distance = offset.norm();
        let normal = offset / distance;
        let across = perp(normal);
        Self {
            gap: distance - separation,
            opening: relative.map(|c| normal * c),
            bend: [
                relative.map(|c| across * c),
                relative.map(|c| across * (-0.5 * c / distance)),
            ],
        }
    }

    /// Gap of a place over a plane that does not turn.
    pub(crate) fn over_plane(normal: Vec2, gap: f64, relative: [f64; 4]) -> Self {
        Self {
            gap,
            opening: relative.map(|c| normal * c),
            bend: [[Vec2::zeros(); 4]; 2],
        }
    }
}
