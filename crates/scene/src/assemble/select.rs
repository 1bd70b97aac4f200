//! Vertices that a scene selects, for what is prescribed and for loads.
//!
//! A selection is asked vertex by vertex. Where it has none, the message names the vertex that is
//! nearest to it, since most empty selections miss their vertices by a little.

use super::placement::Placement;
use crate::problem::Problem;
use crate::schema::{Selection, Side};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::number::short;
use std::collections::BTreeMap;

/// Distance from a side, a circle or a line within which vertices count as on it, relative to the
/// size of the shape (1). Placing a shape rounds by less.
const ON_LINE: f64 = 1e-9;

/// Vertices of a body, as selections see them.
pub(super) struct Selectable<'a> {
    /// Name of the body.
    name: &'a str,
    /// Selections of the body by name.
    named: &'a BTreeMap<String, Selection>,
    /// Positions at the start (m), `[vertices of the body]`.
    x: &'a [Vec2],
    /// Positions in the shape before it is placed (m), `[vertices of the body]`.
    shape: Vec<Vec2>,
    /// Box around these.
    around: Aabb,
    /// True for vertices of the outline, `[vertices of the body]`.
    boundary: Vec<bool>,
}

impl<'a> Selectable<'a> {
    /// Vertices of a body of this name, at `x` at the start and at `rest` in the world (m), where
    /// its shape is at a placement. `edges` are those of its outline, by numbers from 0.
    pub(super) fn new(
        name: &'a str,
        named: &'a BTreeMap<String, Selection>,
        [x, rest]: [&'a [Vec2]; 2],
        placement: &Placement,
        edges: &[[usize; 2]],
    ) -> Self {
        let shape: Vec<Vec2> = rest.iter().map(|x| placement.within(*x)).collect();
        let mut boundary = vec![false; x.len()];
        for edge in edges {
            for &i in edge {
                boundary[i] = true;
            }
        }

        Self {
            name,
            named,
            x,
            around: Aabb::around(shape.iter().copied()),
            shape,
            boundary,
        }
    }

    /// Numbers of the selected vertices within the body: ascending, or as a list of numbers has
    /// them.
    ///
    /// Notes a selection at the JSON path `path` that is empty or names vertices that do not exist.
    /// The checks have noted names that do not exist.
    pub(super) fn choose(
        &self,
        selection: &Selection,
        path: &str,
        problems: &mut Vec<Problem>,
    ) -> Vec<usize> {
        if self.has_unknown_name(selection) {
            return Vec::new();
        }
        let count = self.x.len();
        if let Some(too_large) = self.too_large(selection) {
            let message =
                format!("names vertex {too_large}, but there are only {count}, numbered from 0");
            problems.push(Problem::error(path, message));
            // The caller may find further problems with the vertices that exist.
            return self.members(selection);
        }

        let chosen = self.members(selection);
        if chosen.is_empty() {
            let (nearest, place) = self.nearest(selection);
            let name = self.name;
            let message = format!("selects none of the {count} vertices of \"{name}\"{nearest}");
            let mut problem = Problem::error(path, message);
            problem.places.extend(place);
            problems.push(problem);
        }
        chosen
    }

    /// Numbers of the vertices of a selection that exist.
    fn members(&self, selection: &Selection) -> Vec<usize> {
        let count = self.x.len();
        if let Selection::Named(name) = selection
            && let Some(own) = self.named.get(name)
        {
            return self.members(own);
        }
        if let Selection::Indices(indices) = selection {
            return indices.iter().copied().filter(|&i| i < count).collect();
        }
        (0..count).filter(|&i| self.has(selection, i)).collect()
    }

    /// True if a selection has a name that the body does not have.
    fn has_unknown_name(&self, selection: &Selection) -> bool {
        match selection {
            Selection::Named(name) => !self.named.contains_key(name),
            Selection::Any(parts) | Selection::AllOf(parts) => {
                parts.iter().any(|part| self.has_unknown_name(part))
            }
            Selection::Not(part) => self.has_unknown_name(part),
            _ => false,
        }
    }

    /// First number in a selection that no vertex has.
    fn too_large(&self, selection: &Selection) -> Option<usize> {
        match selection {
            Selection::Indices(indices) => indices.iter().copied().find(|&i| i >= self.x.len()),
            Selection::Any(parts) | Selection::AllOf(parts) => {
                parts.iter().find_map(|part| self.too_large(part))
            }
            Selection::Not(part) => self.too_large(part),
            Selection::Named(name) => self.named.get(name).and_then(|own| self.too_large(own)),
            _ => None,
        }
    }

    /// True if a selection has vertex `i`. A name that does not exist has none.
    fn has(&self, selection: &Selection, i: usize) -> bool {
        match selection {
            Selection::All => true,
            Selection::Boundary => self.boundary[i],
            Selection::Indices(indices) => indices.contains(&i),
            Selection::Any(parts) => parts.iter().any(|part| self.has(part, i)),
            Selection::AllOf(parts) => parts.iter().all(|part| self.has(part, i)),
            Selection::Not(part) => !self.has(part, i),
            Selection::Named(name) => self.named.get(name).is_some_and(|own| self.has(own, i)),
            Selection::Box(_) => self.distance(selection, i) <= 0.0,
            Selection::Side(_) | Selection::Disk(_) | Selection::HalfPlane(_) => {
                self.distance(selection, i) <= ON_LINE * self.around.extent().norm()
            }
        }
    }

    /// Distance (m) of vertex `i` from a selection, 0 or less inside; infinite for selections that
    /// are no places.
    fn distance(&self, selection: &Selection, i: usize) -> f64 {
        // Boxes are in the world, while sides belong to the shape before it is turned.
        let [x, within] = [self.x[i], self.shape[i]];
        match selection {
            Selection::Box(bounds) => {
                let [min, max] = [bounds.min, bounds.max].map(Vec2::from);
                let outside = (min - x).sup(&(x - max)).sup(&Vec2::zeros());
                outside.norm()
            }
            Selection::Disk(disk) => (x - Vec2::from(disk.center)).norm() - disk.radius,
            Selection::HalfPlane(half) => {
                (x - Vec2::from(half.origin)).dot(&Vec2::from(half.normal).normalize())
            }
            Selection::Side(Side::Left) => within.x - self.around.min.x,
            Selection::Side(Side::Right) => self.around.max.x - within.x,
            Selection::Side(Side::Bottom) => within.y - self.around.min.y,
            Selection::Side(Side::Top) => self.around.max.y - within.y,
            Selection::Any(parts) => {
                let distances = parts.iter().map(|part| self.distance(part, i));
                distances.fold(f64::INFINITY, f64::min)
            }
            Selection::AllOf(parts) => {
                let distances = parts.iter().map(|part| self.distance(part, i));
                // Distances inside are negative, and 0 is inside as well.
                distances.fold(0.0, f64::max)
            }
            Selection::Named(name) => {
                let own = self.named.get(name);
                own.map_or(f64::INFINITY, |own| self.distance(own, i))
            }
            _ if self.has(selection, i) => 0.0,
            _ => f64::INFINITY,
        }
    }

    /// The vertex nearest to a selection in words, and its position (m); nothing for selections
    /// that are no places.
    fn nearest(&self, selection: &Selection) -> (String, Option<Vec2>) {
        let mut least = (f64::INFINITY, 0);
        for i in 0..self.x.len() {
            let distance = self.distance(selection, i);
            if distance < least.0 {
                least = (distance, i);
            }
        }
        let (distance, i) = least;
        if !distance.is_finite() {
            return (String::new(), None);
        }

        let at = self.x[i];
        let [x, y, distance] = [at.x, at.y, distance].map(short);
        let words = format!("; the nearest is vertex {i} at ({x}, {y}), {distance} m away");
        (words, Some(at))
    }
}
