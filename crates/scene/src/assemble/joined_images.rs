//! Joints of a scene that repeats: they hold two bodies as drawn, and no images.
//!
//! A joint is the same in all cells: it holds the images of its bodies in the same cell to each other. One
//! between a body and an image of another one is refused, since its place says only by chance which image
//! is meant.

use super::builder::Builder;
use super::cell::Cell;
use crate::problem::Problem;
use ipcsim_core::constraint::{Joint, JointFrame, Rule};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;

/// Distance by which a place may be outside of a body that has it, relative to the body (1).
const OUTSIDE: f64 = 1e-6;

impl Builder {
    /// Notes a problem for each joint that holds the image of a vertex, or that has its place on the image of a
    /// body.
    ///
    /// Images are known only after the cell was built, long after the joints.
    pub(super) fn refuse_joined_images(&mut self, cell: &Cell) {
        let found: Vec<Problem> = self
            .joints
            .iter()
            .filter_map(|joint| self.joined_image(joint, cell))
            .collect();
        self.problems.extend(found);
    }

    /// The problem of a joint that holds an image; `None` if it holds none.
    fn joined_image(&self, joint: &Joint, cell: &Cell) -> Option<Problem> {
        let rows = joint.rows.iter();
        for row in rows.filter(|row| !matches!(row.rule, Rule::Tie(_))) {
            let mut vertices = row.vertices().iter();
            if let Some(&image) = vertices.find(|&&vertex| self.originals[vertex].is_some()) {
                let message = format!(
                    "the {} holds the image of a vertex across the period, which moves with the mean strain; \
                     give the place on the other side of the cell",
                    joint.label
                );
                return Some(Problem::error("joints", message).at(self.vertices[image].rest));
            }

            for (frame, body) in row.frames.iter().zip(joint.bodies) {
                let place = self.place_on_image(frame, body, cell);
                if let Some(place) = place {
                    let message = format!(
                        "the {} has its place on an image of \"{}\" and not on the body; draw both bodies \
                         where the joint holds them",
                        joint.label, self.bodies[body].name
                    );
                    return Some(Problem::error("joints", message).at(place));
                }
            }
        }
        None
    }

    /// Place (m) of a frame of a body if it is outside of the box around the body and within the box around
    /// an image of it.
    fn place_on_image(&self, frame: &JointFrame, body: usize, cell: &Cell) -> Option<Vec2> {
        let x: Vec<Vec2> = self.vertices.iter().map(|vertex| vertex.rest).collect();
        let place = frame.place(&x);
        let around = Aabb::around(x[self.bodies[body].vertices.clone()].iter().copied());
        let disks = self.disks.iter();
        let own = disks.filter(|disk| self.bodies[body].vertices.contains(&disk.center));
        let radius = own.map(|disk| disk.radius).fold(0.0, f64::max);
        let around = around.grown(radius + OUTSIDE * around.extent().norm());
        let mut images = cell.neighbours().into_iter();
        let is_on_image = images.any(|shift| around.contains(place - cell.way(shift)));
        (!around.contains(place) && is_on_image).then_some(place)
    }
}
