//! Vertices that a scene selects, for what is prescribed and for loads.
//!
//! A selection is asked vertex by vertex. Where it has none, the message names the vertex that is
//! nearest to it, since most empty selections miss their vertices by a little.

use super::placement::Placement;
use super::resting::Surface;
use crate::problem::Problem;
use crate::schema::{NearBody, Scene, Selection, Side, Tangent};
use ipcsim_math::elementary::atan2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::number::short;
use ipcsim_math::{Vec2, cross};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Edges of the outline, by numbers of vertices.
    edges: &'a [[usize; 2]],
    /// Scene with a body for each copy, whose other bodies a selection may name.
    scene: &'a Scene,
}

impl<'a> Selectable<'a> {
    /// Vertices of a body of this name, at `x` at the start and at `rest` in the world (m), where
    /// its shape is at a placement. `edges` are those of its outline, by numbers from 0.
    pub(super) fn new(
        name: &'a str,
        named: &'a BTreeMap<String, Selection>,
        [x, rest]: [&'a [Vec2]; 2],
        placement: &Placement,
        edges: &'a [[usize; 2]],
        scene: &'a Scene,
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
            edges,
            scene,
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
        let selection = match self.numbered(selection) {
            Ok(selection) => &selection.clone(),
            Err(message) => {
                problems.push(Problem::error(path, message));
                return Vec::new();
            }
        };
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

    /// The selection with numbers of vertices in place of parts that depend on more than one vertex: the
    /// nearest one, those near another body, and those along the outline.
    ///
    /// # Errors
    /// A message about a body that does not exist, or that nothing is near to.
    fn numbered(&self, selection: &Selection) -> Result<Selection, String> {
        Ok(match selection {
            Selection::Nearest(at) => {
                let place = Vec2::from(*at);
                let vertices = (0..self.x.len()).map(|i| (i, (self.x[i] - place).norm_squared()));
                let nearest = vertices.min_by(|one, other| one.1.total_cmp(&other.1));
                Selection::Indices(nearest.map(|(i, _)| i).into_iter().collect())
            }
            Selection::Near(near) => Selection::Indices(self.near(near)?),
            Selection::Tangent(tangent) => Selection::Indices(self.along(tangent)?),
            Selection::Any(parts) => Selection::Any(self.all_numbered(parts)?),
            Selection::AllOf(parts) => Selection::AllOf(self.all_numbered(parts)?),
            Selection::Not(part) => Selection::Not(Box::new(self.numbered(part)?)),
            Selection::Named(name) => match self.named.get(name) {
                // A name stays, for messages, unless it stands for what is replaced.
                Some(own) => {
                    let numbered = self.numbered(own)?;
                    if numbered == *own {
                        selection.clone()
                    } else {
                        numbered
                    }
                }
                None => selection.clone(),
            },
            _ => selection.clone(),
        })
    }

    /// [`Selectable::numbered`] of all parts of a combination.
    ///
    /// # Errors
    /// The message of the first part that has one.
    fn all_numbered(&self, parts: &[Selection]) -> Result<Vec<Selection>, String> {
        parts.iter().map(|part| self.numbered(part)).collect()
    }

    /// Vertices within a distance of the outline of another body or obstacle.
    ///
    /// # Errors
    /// A message, if there is no such body, or no vertex.
    fn near(&self, near: &NearBody) -> Result<Vec<usize>, String> {
        let is_copy = |name: &str| {
            let number = name.strip_prefix(near.body.as_str());
            let number = number.and_then(|rest| rest.strip_prefix(' '));
            number.is_some_and(|number| number.parse::<usize>().is_ok())
        };
        let is_meant = |name: &str| name == near.body || is_copy(name);
        let bodies = self.scene.bodies.iter().filter(|own| own.name != self.name);
        let bodies = bodies.map(|own| (&own.name, &own.shape, own.position, own.rotation_deg));
        let obstacles = self.scene.obstacles.iter();
        let obstacles =
            obstacles.map(|own| (&own.name, &own.shape, own.position, own.rotation_deg));
        let others = bodies.chain(obstacles).filter(|(name, ..)| is_meant(name));
        let surfaces: Vec<Surface> = others
            .map(|(_, shape, position, angle)| Surface::of(shape, &Placement::new(position, angle)))
            .collect();
        if surfaces.is_empty() {
            return Err(format!(
                "is near \"{}\", but there is no other body or obstacle of that name",
                near.body
            ));
        }

        let distance = |x: Vec2| {
            let all = surfaces.iter().map(|surface| surface.to(x));
            all.fold(f64::INFINITY, f64::min)
        };
        let distances: Vec<f64> = self.x.iter().map(|&x| distance(x)).collect();
        let slack = ON_LINE * self.around.extent().norm();
        let all = distances.iter().enumerate();
        let chosen = all.filter(|(_, distance)| **distance <= near.within + slack);
        let chosen: Vec<usize> = chosen.map(|(i, _)| i).collect();
        if chosen.is_empty() {
            let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
            return Err(format!(
                "selects none of the {} vertices of \"{}\"; the nearest is {} m away from \"{}\": make within \
                 larger",
                self.x.len(),
                self.name,
                short(least),
                near.body
            ));
        }
        Ok(chosen)
    }

    /// Vertices along the outline, from the edge that is nearest to a point, both ways up to corners.
    ///
    /// # Errors
    /// A message, if the body has no outline.
    fn along(&self, tangent: &Tangent) -> Result<Vec<usize>, String> {
        let place = Vec2::from(tangent.from);
        let far = |edge: &[usize; 2]| point_edge(place, self.x[edge[0]], self.x[edge[1]]).distance;
        let nearest = self.edges.iter().filter(|[a, b]| a != b);
        let nearest = nearest.min_by(|one, other| far(one).total_cmp(&far(other)));
        let Some(&seed) = nearest else {
            return Err(format!("\"{}\" has no outline of edges", self.name));
        };

        let mut chosen: BTreeSet<usize> = seed.into_iter().collect();
        let limit = tangent.angle_deg.to_radians();
        for is_ahead in [true, false] {
            let mut neighbours: BTreeMap<usize, usize> = BTreeMap::new();
            for &[a, b] in self.edges {
                let [here, there] = if is_ahead { [a, b] } else { [b, a] };
                neighbours.insert(here, there);
            }
            let [mut from, mut at] = if is_ahead { seed } else { [seed[1], seed[0]] };
            while let Some(&next) = neighbours.get(&at) {
                let before = self.x[at] - self.x[from];
                let after = self.x[next] - self.x[at];
                let turn = atan2(cross(before, after), before.dot(&after)).abs();
                if turn > limit || !chosen.insert(next) {
                    break;
                }
                from = at;
                at = next;
            }
        }
        Ok(chosen.into_iter().collect())
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
            // What depends on more than one vertex has been replaced by numbers.
            Selection::Nearest(_) | Selection::Near(_) | Selection::Tangent(_) => false,
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
