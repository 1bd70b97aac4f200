//! The direct way between two stored states, on which every body moves evenly from one to the next.
//!
//! A body whose vertices move on arcs turns about its centre, by the smaller angle: positions alone
//! do not tell by how many turns. The centre of each body at rest is in `mesh.json`.

use super::mesh_file::MeshFile;
use ipcsim::geometry::path::{RigidMotion, Turn};
use ipcsim::math::{Vec2, cross, elementary};
use std::ops::Range;

/// Bodies that turn on direct ways, as their mesh has them.
#[derive(Clone, Debug)]
pub struct DirectWay {
    /// Bodies, in the order of their vertices.
    turning: Vec<Turning>,
}

/// A body that turns.
#[derive(Clone, Debug)]
struct Turning {
    /// Its vertices.
    vertices: Range<usize>,
    /// Positions of these at rest (m).
    rest: Vec<Vec2>,
    /// Way from the mean of these to the centre (m).
    arm: Vec2,
}

impl DirectWay {
    /// Bodies of a mesh. Without a centre, as in files of earlier versions, a body turns about the mean
    /// of its vertices.
    pub fn of(mesh: &MeshFile) -> Self {
        let turning = mesh.layout().turning.into_iter().map(|vertices| {
            let own = &mesh.vertices_rest[vertices.clone()];
            let rest: Vec<Vec2> = own.iter().map(|&x| x.into()).collect();
            let body = &mesh.bodies[mesh.body[vertices.start]];
            let arm = body
                .center
                .map_or(Vec2::zeros(), |center| Vec2::from(center) - mean(&rest));
            Turning {
                vertices,
                rest,
                arm,
            }
        });
        Self {
            turning: turning.collect(),
        }
    }

    /// Motions of the bodies that turn from the positions `here` to those of the state `next` (m,
    /// `[vertices]`).
    pub fn turns(&self, here: &[Vec2], next: &[Vec2]) -> Vec<Option<Turn>> {
        let turns = self.turning.iter().map(|body| {
            let [start, end] = [here, next].map(|x| &x[body.vertices.clone()]);
            let [center, there] = [start, end].map(|x| body.center(x));
            Turn::from(RigidMotion {
                center,
                translation: there - center,
                angle: angle(start, end),
            })
        });
        turns.map(Some).collect()
    }
}

impl Turning {
    /// Centre where the vertices are at `x` (m).
    fn center(&self, x: &[Vec2]) -> Vec2 {
        mean(x) + elementary::rotation(angle(&self.rest, x)) * self.arm
    }
}

/// Centre of a body whose vertices are at `rest`, if it is at the origin where they are at `arms` (m).
pub(super) fn center(arms: &[Vec2], rest: &[Vec2]) -> Vec2 {
    let body = Turning {
        vertices: 0..arms.len(),
        rest: arms.to_vec(),
        arm: -mean(arms),
    };
    body.center(rest)
}

/// Mean of some places; the origin without any.
fn mean(x: &[Vec2]) -> Vec2 {
    x.iter().sum::<Vec2>() / x.len().max(1) as f64
}

/// Angle (rad), at most half a turn, by which a body turns whose vertices go from `start` to `end`:
/// that with the least sum of squared distances.
fn angle(start: &[Vec2], end: &[Vec2]) -> f64 {
    let [from, to] = [start, end].map(mean);
    let mut sine = 0.0;
    let mut cosine = 0.0;
    for (a, b) in start.iter().zip(end) {
        sine += cross(a - from, b - to);
        cosine += (a - from).dot(&(b - to));
    }
    elementary::atan2(sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim::math::elementary::rotation;

    #[test]
    fn a_body_turns_about_its_centre_by_the_smaller_angle() {
        let arms = [[1.0, 0.0], [0.0, 2.0], [-3.0, 0.5]].map(Vec2::from);
        let at = |angle: f64, x: f64| arms.map(|arm| rotation(angle) * arm + Vec2::new(x, 7.0));
        let rest = at(0.3, 5.0);
        assert!((center(&arms, &rest) - Vec2::new(5.0, 7.0)).norm() < 1e-14);

        let way = DirectWay {
            turning: vec![Turning {
                vertices: 0..3,
                rest: rest.to_vec(),
                arm: Vec2::new(5.0, 7.0) - mean(&rest),
            }],
        };
        for (by, expected) in [(0.5, 0.5), (4.0, 4.0 - std::f64::consts::TAU)] {
            let motion = way.turns(&at(1.0, 5.0), &at(1.0 + by, 6.0))[0]
                .unwrap()
                .motion;
            assert!((motion.center - Vec2::new(5.0, 7.0)).norm() < 1e-14);
            assert!((motion.translation - Vec2::new(1.0, 0.0)).norm() < 1e-14);
            assert!((motion.angle - expected).abs() < 1e-14);
        }
    }
}
