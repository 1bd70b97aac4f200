//! Numbers and lists of numbers that must be of a plane.
//!
//! Files of rigid-ipc have vectors of two or three components, single angles or three of them, and
//! one flag or several. In a plane the further components must be 0. Each reader takes the JSON
//! path of its value, for the message.

use super::format::{Flags, Numbers};
use ipcsim_scene::Problem;

/// Error of the value at a JSON path.
pub(super) fn problem(path: impl Into<String>, message: impl Into<String>) -> Problem {
    Problem::error(path, message)
}

/// Whole number nearest to zero from `value`, which must not be negative. Values beyond the largest
/// number give that number.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; the cast saturates"
)]
pub(super) fn whole(value: f64) -> usize {
    value as usize
}

/// Two components, or (0, 0) if absent.
///
/// # Errors
/// The list has fewer components, or a further one that is not 0.
pub(super) fn vector(path: &str, list: Option<&Vec<f64>>) -> Result<[f64; 2], Problem> {
    match list.map(Vec::as_slice) {
        None => Ok([0.0, 0.0]),
        Some([x, y, rest @ ..]) if none(rest) => Ok([*x, *y]),
        Some([_, _, ..]) => Err(problem(
            path,
            "has a third component that is not 0; only 2D scenes can be imported",
        )),
        Some(list) => Err(problem(path, format!("has {} of 2 components", list.len()))),
    }
}

/// One number, or 0 if absent.
///
/// # Errors
/// The list is empty, or a further number is not 0.
pub(super) fn angle(path: &str, numbers: Option<&Numbers>) -> Result<f64, Problem> {
    let list = match numbers {
        None => return Ok(0.0),
        Some(Numbers::One(angle)) => return Ok(*angle),
        Some(Numbers::Many(list)) => list.as_slice(),
    };

    match list {
        [angle, rest @ ..] if none(rest) => Ok(*angle),
        [] => Err(problem(path, "is empty; expected an angle")),
        _ => Err(problem(
            path,
            "has a second component that is not 0; only 2D scenes can be imported",
        )),
    }
}

/// True if all further components are 0, as in a plane.
fn none(rest: &[f64]) -> bool {
    rest.iter().all(|component| *component == 0.0)
}

/// Flags of x, y and angle; all false if absent. Further flags have no meaning in 2D.
///
/// # Errors
/// The list has fewer than three flags.
pub(super) fn flags(path: &str, flags: Option<&Flags>) -> Result<[bool; 3], Problem> {
    match flags {
        None => Ok([false; 3]),
        Some(Flags::All(all)) => Ok([*all; 3]),
        Some(Flags::Each(list)) => match list[..] {
            [x, y, angle, ..] => Ok([x, y, angle]),
            _ => Err(problem(
                path,
                format!("has {} of 3 entries, for x, y and the angle", list.len()),
            )),
        },
    }
}
