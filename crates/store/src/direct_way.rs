//! The direct way between two stored states, on which every body moves evenly from one to the next.
//!
//! A body whose vertices move on arcs turns about its centre, by the smaller angle: positions alone
//! do not tell by how many turns. The centre of each body at rest is in `mesh.json`.

use super::mesh_file::MeshFile;
use super::rigid_fit::{angle, mean, turned};
use ipcsim::geometry::path::{RigidMotion, Turn};
use ipcsim::math::Vec2;
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
            let mut images = mesh.turning_images.iter();
            let image = images.find(|image| image.first_vertex == vertices.start);
            let center = image
                .map(|image| image.center)
                .or(mesh.bodies[mesh.body[vertices.start]].center);
            let arm = center.map_or(Vec2::zeros(), |center| Vec2::from(center) - mean(&rest));
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
        turned(&self.rest, x, self.arm)
    }
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
        let center = turned(&arms, &rest, -mean(&arms));
        assert!((center - Vec2::new(5.0, 7.0)).norm() < 1e-14);

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
