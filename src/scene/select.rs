//! Vertices that a scene selects.

use super::problem::Problem;
use super::schema::Selection;
use crate::geometry::Aabb;
use crate::math::Vec2;

/// Numbers of the vertices of the body `body` at `x` (m) that a scene selects, within the body.
///
/// A selection at the JSON path `path` that is empty or names vertices that do not exist is added to
/// `problems`. Vertices that exist are returned nevertheless.
pub(super) fn select(
    selection: &Selection,
    x: &[Vec2],
    path: &str,
    body: &str,
    problems: &mut Vec<Problem>,
) -> Vec<usize> {
    let count = x.len();
    let mut may_be_empty = false;
    let chosen: Vec<usize> = match selection {
        Selection::All => (0..count).collect(),

        // Numbers, from which wrong ones are left out.
        Selection::Indices(indices) => {
            if let Some(too_large) = indices.iter().find(|&&i| i >= count) {
                let message = format!(
                    "names vertex {too_large}, but there are only {count}, numbered from 0"
                );
                problems.push(Problem::error(path, message));
            }
            // A list of wrong numbers is reported already.
            may_be_empty = !indices.is_empty();
            indices.iter().copied().filter(|&i| i < count).collect()
        }
        Selection::Box(bounds) => {
            let bounds = Aabb {
                min: bounds.min.into(),
                max: bounds.max.into(),
            };
            (0..count).filter(|&i| bounds.contains(x[i])).collect()
        }
    };

    if chosen.is_empty() && !may_be_empty {
        let message = format!("selects none of the {count} vertices of \"{body}\"");
        problems.push(Problem::error(path, message));
    }
    chosen
}
