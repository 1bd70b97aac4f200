//! Frames of bodies at joints: a point and an arrow, and the vertices that they follow.
//!
//! Two vertices of a body with an angle fix its pose, and the farther they are apart, the less
//! their rounding counts. An affine body has three corners. A body of triangles has a point in one
//! of them, and its arrow is a line of the material there. A body of springs has points at its
//! vertices, and a rod on its segments, with which its arrows turn.

use super::builder::Builder;
use super::grip::shares_in;
use ipcsim_core::body::BodyKind;
use ipcsim_core::constraint::JointFrame;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;

/// Distance (1) from a vertex, relative to the size of the body, at which a point still counts as
/// it.
const AT_VERTEX: f64 = 1e-9;

impl Builder {
    /// Frame of a body with its point at `place` (m) and an arrow along `axis` (1), where vertices
    /// are at `x` (m).
    ///
    /// # Errors
    /// A message, if a deformable body has no triangle there, or one of springs no vertex.
    pub(super) fn frame_at(
        &self,
        body: usize,
        [place, axis]: [Vec2; 2],
        x: &[Vec2],
    ) -> Result<JointFrame, String> {
        if let Some(frame) = self.stiff_frame(body, [place, axis], x) {
            return Ok(frame);
        }

        if self.bodies[body].kind == BodyKind::Springs {
            let vertex = self.nearest_vertex(body, place, x);
            let is_there = (x[vertex] - place).norm() <= AT_VERTEX * self.diameter(body, x);
            // A place away from all vertices is refused below, as springs have no triangles.
            if is_there {
                return Ok(JointFrame::vertex(vertex));
            }
        }
        if self.bodies[body].kind == BodyKind::Rod {
            let ends = self.segment_at(body, place, x)?;
            return Ok(JointFrame::turning(ends, ends.map(|i| x[i]), place, axis));
        }
        let triangle = self.triangle_at(body, place, x)?;
        Ok(mean(triangle, [place, axis], x))
    }

    /// Frame of a body with its point anywhere: outside of its triangles it follows the nearest
    /// one. `None` for a body of springs.
    pub(super) fn frame_near(
        &self,
        body: usize,
        [place, axis]: [Vec2; 2],
        x: &[Vec2],
    ) -> Option<JointFrame> {
        if self.bodies[body].kind == BodyKind::Rod {
            let (ends, _) = self.nearest_segment(body, place, x)?;
            return Some(JointFrame::turning(ends, ends.map(|i| x[i]), place, axis));
        }

        self.stiff_frame(body, [place, axis], x).or_else(|| {
            let (triangle, _) = self.nearest_triangle(body, place, x)?;
            Some(mean(triangle, [place, axis], x))
        })
    }

    /// Frame of a body that its centre and few more coordinates move; `None` for other bodies.
    fn stiff_frame(&self, body: usize, [place, axis]: [Vec2; 2], x: &[Vec2]) -> Option<JointFrame> {
        let kind = &self.bodies[body].kind;
        if kind.has_angle() {
            let ends = self.ends(body, x);
            return Some(JointFrame::turning(ends, ends.map(|i| x[i]), place, axis));
        }
        (*kind == BodyKind::Affine).then(|| mean(self.corners(body, x), [place, axis], x))
    }

    /// Vertex of a body that is nearest to a place (m).
    fn nearest_vertex(&self, body: usize, place: Vec2, x: &[Vec2]) -> usize {
        let vertices = self.bodies[body].vertices.clone();
        let away = |i: &usize| (x[*i] - place).norm_squared();
        let first = vertices.start;
        let nearest = vertices.min_by(|i, j| away(i).total_cmp(&away(j)));
        nearest.unwrap_or(first)
    }

    /// The first vertex of a body, and the one that is farthest from it at `x` (m).
    pub(super) fn ends(&self, body: usize, x: &[Vec2]) -> [usize; 2] {
        let vertices = self.bodies[body].vertices.clone();
        let first = vertices.start;
        let away = |i: usize| (x[i] - x[first]).norm_squared();
        let last = vertices.max_by(|&i, &j| away(i).total_cmp(&away(j)));
        [first, last.unwrap_or(first)]
    }

    /// Diameter of the box around a body (m). The world has none.
    pub(super) fn diameter(&self, body: usize, x: &[Vec2]) -> f64 {
        if self.bodies[body].kind == BodyKind::World {
            return 0.0;
        }
        let vertices = self.bodies[body].vertices.clone();
        Aabb::around(vertices.map(|i| x[i])).extent().norm()
    }

    /// Middle of the box around a body (m).
    pub(super) fn middle(&self, body: usize, x: &[Vec2]) -> Vec2 {
        let vertices = self.bodies[body].vertices.clone();
        Aabb::around(vertices.map(|i| x[i])).center()
    }

    /// Mass (kg) that a frame of a body moves: that of the body where it moves as a whole, that of
    /// the vertices of the frame elsewhere. Obstacles have none.
    pub(super) fn mass_at(&self, body: usize, frame: &JointFrame) -> f64 {
        let Some(&whole) = self.reduced_mass.get(&body) else {
            let owner = &self.bodies[body];
            let [first_node, first_vertex] = [owner.nodes.start, owner.vertices.start];
            if !owner.kind.has_free_vertices() {
                return self.nodes[first_node].mass.x;
            }

            let mut vertices = frame.vertices.to_vec();
            // The frame of a single vertex names it three times.
            vertices.dedup();
            let masses = vertices
                .iter()
                .map(|vertex| self.nodes[first_node + vertex - first_vertex].mass.x);
            return masses.sum();
        };
        whole
    }
}

/// Frame of a material with a point and an arrow, by three vertices at `x` (m).
fn mean(vertices: [usize; 3], [place, axis]: [Vec2; 2], x: &[Vec2]) -> JointFrame {
    let corners = vertices.map(|i| x[i]);
    let point = shares_in(corners, place);
    let tip = shares_in(corners, place + axis);
    let arrow = [0, 1, 2].map(|k| tip[k] - point[k]);
    JointFrame::mean(vertices, point, arrow)
}
