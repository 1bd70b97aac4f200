//! Points whose paths pictures show: centres of bodies, probes, and other points of bodies.

use super::drawing::Drawing;
use crate::CommandError;
use crate::plot::body_of;
use crate::view::inertia::{Inertia, inertia, masses};
use ipcsim::fields::{Spot, locate};
use ipcsim::math::Vec2;
use ipcsim::scene::samples::probes;
use ipcsim_pictures::frame::Trace;
use ipcsim_pictures::palette::{self, Rgb};
use ipcsim_store::stored_error::StoredError;

/// The path of a point in all states of a run.
pub(super) struct Traced {
    /// Places (m), `[states]`.
    places: Vec<Vec2>,
    /// Colour of the path.
    color: Rgb,
}

impl Traced {
    /// The path from one state to another.
    pub(super) fn within(&self, first: usize, last: usize) -> Trace {
        let places = self.places.get(first..=last).unwrap_or_default();
        Trace {
            places: places.to_vec(),
            color: self.color,
        }
    }
}

/// How a point follows from the vertices.
enum Point {
    /// The centre of mass of a body.
    Centre(Inertia),
    /// A point of the material.
    Spot(Spot),
}

/// Paths of the points of these names in a run.
///
/// # Errors
/// If no point has such a name, or the trajectory cannot be read.
pub(super) fn read(drawing: &Drawing, names: &[String]) -> Result<Vec<Traced>, CommandError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let world = &drawing.setup.world;
    let mut points = Vec::new();
    let mut traced = Vec::new();
    for name in names {
        let (body, point) = point(drawing, name)?;
        let is_obstacle = world.bodies[body].kind.is_obstacle();
        let color = palette::shade(if is_obstacle {
            palette::OBSTACLE
        } else {
            palette::body(body)
        });
        points.push((body, point));
        traced.push(Traced {
            places: Vec::with_capacity(drawing.run.moments.len()),
            color,
        });
    }

    let masses = masses(world);
    let mut trajectory = drawing.run.trajectory()?;
    let mut x = Vec::new();
    for _ in &drawing.run.moments {
        trajectory.next(&mut x)?;
        for ((body, point), own) in points.iter().zip(&mut traced) {
            own.places.push(match point {
                Point::Spot(spot) => spot.position(&x),
                Point::Centre(inertia) => {
                    inertia.centre_at(world.bodies[*body].vertices.clone(), &x, &masses)
                }
            });
        }
    }
    Ok(traced)
}

/// The point of a name, with the number of its body.
///
/// # Errors
/// If there is none.
fn point(drawing: &Drawing, name: &str) -> Result<(usize, Point), CommandError> {
    let Drawing { setup, .. } = drawing;
    if let Some(sample) = probes(setup).into_iter().find(|probe| probe.name == name) {
        return Ok((sample.spot.body, Point::Spot(sample.spot)));
    }

    let whole = setup.world.bodies.iter().any(|body| body.name == name);
    let Some((owner, place)) = name.rsplit_once('@').filter(|_| !whole) else {
        let body = body_of(setup, name, &drawing.path)?;
        return Ok((
            body,
            Point::Centre(inertia(setup, &setup.world.bodies[body])),
        ));
    };
    let body = body_of(setup, owner, &drawing.path)?;
    let numbers = place
        .split_once(',')
        .and_then(|(x, y)| Some([x.parse().ok()?, y.parse().ok()?]));
    let spot = match numbers {
        Some(at) => locate(&setup.world, body, Vec2::from(at)).map_err(|error| error.to_string()),
        None => Err(format!("\"{place}\" is not a place such as 0.1,0.2 (m)")),
    };
    let spot = spot.map_err(|message| StoredError::malformed(&drawing.path, message))?;
    Ok((body, Point::Spot(spot)))
}
