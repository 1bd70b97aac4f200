//! Bodies that are put on others at the start.
//!
//! A body is turned with the surface at its place, set down beyond its own reach, and moved back along the
//! normal by what its distance allows, again and again, until the gap is left. A translation changes no
//! distance by more than its length, so that the body cannot pass an obstacle.

use super::D_HAT_OF_SIZE;
use super::placement::Placement;
use crate::problem::Problem;
use crate::schema::{Scene, Shape};
use crate::shape_geometry::outline;
use ipcsim_math::elementary::atan2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::{Vec2, perp};
use std::collections::BTreeMap;

/// Largest number of moves towards a surface, and share of the gap by which the last one may be off (1).
const MOVES: usize = 1000;
const NEAR: f64 = 1e-6;

/// Share of the reach of a body by which it begins farther away (1).
const BEYOND: f64 = 1e-3;

/// A straight piece of a surface, or a circle where both ends are its centre.
#[derive(Clone, Copy)]
struct Piece {
    /// Ends (m).
    ends: [Vec2; 2],
    /// Radius around them (m).
    radius: f64,
}

/// Surface of a body or an obstacle.
pub(super) struct Surface {
    /// Pieces of its outline.
    pieces: Vec<Piece>,
    /// Point (m) and normal (1) of a half-plane.
    plane: Option<[Vec2; 2]>,
    /// True if the inside is on the left of each piece.
    is_filled: bool,
}

/// Point of a surface (m) with its normal (1).
#[derive(Clone, Copy)]
struct Foot {
    at: Vec2,
    normal: Vec2,
}

/// Puts the bodies of a scene on what they rest on. `entries` are their numbers in the scene as written;
/// a body that cannot be put there is a problem.
pub(super) fn put_down(scene: &mut Scene, entries: &[usize], problems: &mut Vec<Problem>) {
    let bodies = scene.bodies.iter().enumerate();
    let numbers: BTreeMap<String, usize> = bodies.map(|(k, body)| (body.name.clone(), k)).collect();
    let mut left: Vec<usize> = (0..scene.bodies.len())
        .filter(|&k| scene.bodies[k].rest_on.is_some())
        .collect();

    // A body waits for the body that it rests on.
    while !left.is_empty() {
        let (waiting, ready): (Vec<usize>, Vec<usize>) = left.iter().copied().partition(|&k| {
            let on = scene.bodies[k].rest_on.as_ref().map(|own| &own.body);
            let on = on.and_then(|name| numbers.get(name));
            on.is_some_and(|&on| scene.bodies[on].rest_on.is_some())
        });
        let is_circle = ready.is_empty();
        for k in if is_circle { waiting.clone() } else { ready } {
            let found = if is_circle {
                Err("rests on itself over others; let one of them have a place".to_owned())
            } else {
                pose(scene, k)
            };
            match found {
                Ok((position, rotation_deg)) => {
                    scene.bodies[k].position = position;
                    scene.bodies[k].rotation_deg = rotation_deg;
                }
                Err(message) => {
                    let path = format!("bodies[{}].rest_on", entries[k]);
                    problems.push(Problem::error(path, message));
                }
            }
            scene.bodies[k].rest_on = None;
        }
        left = if is_circle { Vec::new() } else { waiting };
    }
}

/// Position (m) and rotation (degrees) at which a body rests.
///
/// # Errors
/// A message, if there is no room for it.
fn pose(scene: &Scene, body: usize) -> Result<([f64; 2], f64), String> {
    let own = &scene.bodies[body];
    let place = (own.position, own.rotation_deg);
    let Some(rest) = &own.rest_on else {
        return Ok(place);
    };
    let Some((shape, position, rotation_deg)) = target(scene, &rest.body) else {
        // The checks have refused a name that does not exist.
        return Ok(place);
    };
    let placement = Placement::new(position, rotation_deg);
    let surface = Surface::of(shape, &placement);
    let near = rest.at.map_or(own.position.into(), |at| match shape {
        Shape::HalfPlane(plane) => Vec2::from(plane.origin) - perp(plane.direction()) * at[0],
        _ => placement.place(at.into()),
    });
    let foot = surface
        .foot(near)
        .ok_or_else(|| format!("\"{}\" has no surface; name another body", rest.body))?;

    // Upwards is along the normal.
    let slope = atan2(-foot.normal.x, foot.normal.y).to_degrees();
    let rotation_deg = slope + own.rotation_deg;
    let lying = Surface::of(&own.shape, &Placement::new([0.0; 2], rotation_deg));
    let usual = D_HAT_OF_SIZE * lying.size().min(surface.size());
    let gap = rest.gap.or(scene.contact.d_hat).unwrap_or(usual) + scene.contact.min_separation;

    let height = surface.height(&lying, &foot, gap).ok_or_else(|| {
        format!(
            "finds no room on \"{}\" near ({:.4}, {:.4}) m: it is too narrow for the body; choose another place, \
             or give a position and no rest_on",
            rest.body, foot.at.x, foot.at.y
        )
    })?;
    Ok(((foot.at + foot.normal * height).into(), rotation_deg))
}

/// Shape, position (m) and rotation (degrees) of a body or an obstacle.
fn target<'a>(scene: &'a Scene, name: &str) -> Option<(&'a Shape, [f64; 2], f64)> {
    let mut bodies = scene.bodies.iter();
    if let Some(own) = bodies.find(|own| own.name == name) {
        return Some((&own.shape, own.position, own.rotation_deg));
    }
    let mut obstacles = scene.obstacles.iter();
    let own = obstacles.find(|own| own.name == name)?;
    Some((&own.shape, own.position, own.rotation_deg))
}

impl Piece {
    /// Point of the piece, without its radius, that is nearest to a point (m).
    fn nearest(&self, x: Vec2) -> Vec2 {
        let [a, b] = self.ends;
        let along = b - a;
        let square = along.norm_squared();
        if square == 0.0 {
            return a;
        }
        a + along * ((x - a).dot(&along) / square).clamp(0.0, 1.0)
    }

    /// Distance of two pieces that do not cross (m).
    fn distance(&self, other: &Self) -> f64 {
        let mine = other.ends.map(|x| (self.nearest(x) - x).norm());
        let theirs = self.ends.map(|x| (other.nearest(x) - x).norm());
        let between = mine.into_iter().chain(theirs).fold(f64::INFINITY, f64::min);
        between - self.radius - other.radius
    }

    /// Middle (m), and distance from it to the farthest point (m).
    fn around(&self) -> (Vec2, f64) {
        let [a, b] = self.ends;
        (0.5 * (a + b), 0.5 * (b - a).norm() + self.radius)
    }

    /// The piece after a displacement (m).
    fn moved(&self, by: Vec2) -> Self {
        Self {
            ends: self.ends.map(|x| x + by),
            ..*self
        }
    }
}

impl Surface {
    /// Surface of a shape at a place.
    pub(super) fn of(shape: &Shape, placement: &Placement) -> Self {
        if let Shape::HalfPlane(plane) = shape {
            return Self {
                pieces: Vec::new(),
                plane: Some([plane.origin.into(), plane.direction()]),
                is_filled: true,
            };
        }
        if let Shape::Circle(circle) = shape {
            return Self {
                pieces: vec![Piece {
                    ends: [placement.origin; 2],
                    radius: circle.radius,
                }],
                plane: None,
                is_filled: true,
            };
        }

        let outline = outline(shape);
        let x: Vec<Vec2> = outline
            .vertices
            .iter()
            .map(|&a| placement.place(a))
            .collect();
        let edges = outline.edges.iter().map(|&[a, b]| [x[a], x[b]]);
        let mut ends: Vec<[Vec2; 2]> = edges.collect();
        if ends.is_empty() {
            ends.extend(x.iter().map(|&x| [x; 2]));
        }
        let pieces = ends.into_iter().map(|ends| Piece { ends, radius: 0.0 });
        Self {
            pieces: pieces.collect(),
            plane: None,
            is_filled: outline.filled,
        }
    }

    /// Distance of a point (m) from its outline, on either side (m).
    pub(super) fn to(&self, x: Vec2) -> f64 {
        let of_plane = self
            .plane
            .map(|[origin, normal]| (x - origin).dot(&normal).abs());
        let pieces = self.pieces.iter();
        let distances = pieces.map(|own| ((own.nearest(x) - x).norm() - own.radius).abs());
        distances.chain(of_plane).fold(f64::INFINITY, f64::min)
    }

    /// Diagonal of the box around it (m); infinite for a half-plane and a point.
    fn size(&self) -> f64 {
        let boxes = self
            .pieces
            .iter()
            .map(|own| Aabb::around(own.ends).grown(own.radius));
        let around = boxes.fold(Aabb::EMPTY, |all, one| all.union(&one));
        let size = around.extent().norm();
        if self.plane.is_none() && size > 0.0 {
            size
        } else {
            f64::INFINITY
        }
    }

    /// Point of the surface that is nearest to a point (m); `None` if it has none.
    fn foot(&self, near: Vec2) -> Option<Foot> {
        if let Some([origin, normal]) = self.plane {
            let at = near - normal * (near - origin).dot(&normal);
            return Some(Foot { at, normal });
        }

        // Of pieces that meet at a corner the one that faces the point more.
        let mut best: Option<(f64, f64, Foot)> = None;
        for piece in &self.pieces {
            let at = piece.nearest(near);
            let out = near - at;
            let right = -perp(piece.ends[1] - piece.ends[0]);
            let normal = match right.try_normalize(0.0) {
                // A circle, or a point.
                None => out.try_normalize(0.0).unwrap_or(Vec2::y()),
                Some(right) if self.is_filled || out.dot(&right) > 0.0 => right,
                Some(right) => -right,
            };
            let faces = out.dot(&normal);
            let distance = out.norm() - piece.radius;
            let is_better = best.is_none_or(|(nearest, facing, _)| {
                let tie = 1e-9 * (nearest.abs() + distance.abs());
                distance < nearest - tie || distance <= nearest + tie && faces > facing
            });
            if is_better {
                let at = at + normal * piece.radius;
                best = Some((distance, faces, Foot { at, normal }));
            }
        }
        best.map(|(.., foot)| foot)
    }

    /// Height of the origin of a body above a foot (m) at which it has a gap (m) to this surface. The body
    /// lies at the origin of the world. `None` if there is none.
    fn height(&self, body: &Self, foot: &Foot, gap: f64) -> Option<f64> {
        let ends = body
            .pieces
            .iter()
            .flat_map(|own| own.ends.map(|x| x.norm() + own.radius));
        let reach = ends.fold(0.0, f64::max);
        let mut height = (1.0 + BEYOND) * (reach + gap);
        let lowest = -height - gap;

        // Pieces that the body can meet.
        let far = 3.0 * (reach + gap);
        let near = self
            .pieces
            .iter()
            .filter(|own| (own.nearest(foot.at) - foot.at).norm() - own.radius <= far);
        let near: Vec<Piece> = near.copied().collect();

        for _ in 0..MOVES {
            let distance = self.distance(&near, body, foot.at + foot.normal * height);
            let room = distance - gap;
            if room.abs() <= NEAR * gap {
                return Some(height);
            }
            if room < 0.0 || height < lowest {
                return None;
            }
            height -= room;
        }
        None
    }

    /// Distance of a body at a place (m) from some pieces of this surface (m).
    fn distance(&self, near: &[Piece], body: &Self, place: Vec2) -> f64 {
        let mut least = f64::INFINITY;
        for own in &body.pieces {
            let own = own.moved(place);
            if let Some([origin, normal]) = self.plane {
                let heights = own.ends.map(|x| (x - origin).dot(&normal));
                least = least.min(heights[0].min(heights[1]) - own.radius);
            }
            let (middle, reach) = own.around();
            for other in near {
                let (center, extent) = other.around();
                if (center - middle).norm() - reach - extent < least {
                    least = least.min(own.distance(other));
                }
            }
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use crate::{SceneError, Setup, build, parse};
    use ipcsim_math::Vec2;
    use serde_json::{Value, json};

    /// A block of 0.2 m by 0.1 m, and others, on obstacles.
    fn scene(blocks: &[Value], obstacles: &Value) -> Result<Setup, SceneError> {
        let bodies = blocks.iter().enumerate().map(|(k, own)| {
            let mut body = json!({
                "name": format!("block {k}"), "kind": "rigid", "material": "wood",
                "shape": { "rectangle": { "size": [0.2, 0.1], "segments": [1, 1] } }
            });
            for (key, value) in own.as_object().unwrap() {
                body[key] = value.clone();
            }
            body
        });
        let scene = json!({
            "time": { "step": 0.01, "steps": 1 }, "materials": { "wood": { "density": 600.0 } },
            "bodies": bodies.collect::<Vec<Value>>(), "obstacles": obstacles
        });
        build(parse(&scene.to_string(), &[]).unwrap())
    }

    /// Positions (m) and rotations (degrees) of the bodies.
    fn poses(setup: &Setup) -> Vec<(Vec2, f64)> {
        let bodies = setup.scene.bodies.iter();
        bodies
            .map(|body| (body.position.into(), body.rotation_deg))
            .collect()
    }

    #[test]
    fn blocks_lie_on_slopes_and_on_each_other_with_the_gap() {
        let slope = json!([
            { "name": "slope", "shape": { "half_plane": { "angle_deg": -20, "origin": [1.0, 2.0] } } }
        ]);
        let lower = json!({ "rest_on": { "body": "slope", "at": [0.5, 0], "gap": 1e-3 } });
        let upper = json!({ "rest_on": { "body": "block 0", "at": [0.02, 0.05], "gap": 2e-3 } });
        let upright = json!({ "rotation_deg": 90, "position": [0.7, 3.0], "rest_on": { "body": "slope", "gap": 1e-3 } });
        let found = poses(&scene(&[lower, upper, upright], &slope).unwrap());

        let angle = -20_f64.to_radians();
        let [along, normal] = [
            Vec2::new(angle.cos(), angle.sin()),
            Vec2::new(-angle.sin(), angle.cos()),
        ];
        let origin = Vec2::new(1.0, 2.0);
        let expected = [
            (origin + along * 0.5 + normal * 0.051, -20.0),
            (origin + along * 0.52 + normal * (0.051 + 0.102), -20.0),
            (
                origin + along * (Vec2::new(-0.3, 1.0).dot(&along)) + normal * 0.101,
                70.0,
            ),
        ];
        for ((place, turn), (expected, angle)) in found.iter().zip(&expected) {
            assert!((place - expected).norm() < 1e-8, "{place} {expected}");
            assert!((turn - angle).abs() < 1e-9, "{turn} {angle}");
        }
    }

    #[test]
    fn a_block_spans_a_curved_floor_and_a_wheel_rolls_to_its_place() {
        let points: Vec<[f64; 2]> = (-20..=20)
            .map(|k| [0.1 * f64::from(k), 0.01 * f64::from(k * k)])
            .collect();
        let floor = json!([{ "name": "floor", "shape": { "polyline": { "points": points } } }]);
        let block = json!({ "position": [0.02, 0.3], "rest_on": { "body": "floor", "gap": 1e-3 } });
        let wheel = json!({ "shape": { "circle": { "radius": 0.05 } }, "position": [1.0, 2.0], "rest_on": { "body": "floor", "gap": 1e-3 } });
        let setup = scene(&[block, wheel], &floor).unwrap();

        let pieces = points.windows(2).map(|ends| super::Piece {
            ends: [ends[0].into(), ends[1].into()],
            radius: 0.0,
        });
        let pieces: Vec<super::Piece> = pieces.collect();
        let above = |x: Vec2| -> f64 {
            let distances = pieces.iter().map(|own| (own.nearest(x) - x).norm());
            distances.fold(f64::INFINITY, f64::min)
        };
        let block = setup.world.bodies[0].vertices.clone();
        let corners = block.map(|i| above(setup.state.x[i]));
        assert!((corners.fold(f64::INFINITY, f64::min) - 1e-3).abs() < 1e-8);
        let axle = above(setup.scene.bodies[1].position.into());
        assert!((axle - 0.051).abs() < 1e-8, "{axle}");
    }

    #[test]
    fn what_has_no_room_or_rests_on_itself_is_refused_with_the_reason() {
        let slot = json!([{ "name": "slot", "shape": { "polyline": { "points": [[-0.05, 1], [-0.05, 0], [0.05, 0], [0.05, 1]] } } }]);
        let block = json!({ "position": [0.0, 0.1], "rest_on": { "body": "slot" } });
        let message = scene(&[block], &slot).unwrap_err().to_string();
        assert!(message.contains("finds no room on \"slot\""), "{message}");

        let one = json!({ "rest_on": { "body": "block 1" } });
        let other = json!({ "rest_on": { "body": "block 0" } });
        let message = scene(&[one, other], &json!([])).unwrap_err().to_string();
        assert!(message.contains("rests on itself over others"), "{message}");
    }
}
