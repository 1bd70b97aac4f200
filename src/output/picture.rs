//! From positions to pictures of a run.

use super::draw::draw;
use super::error::OutputError;
use super::frame::{BodyShape, ColorScale, Fill, Frame, PlaneShape, Style};
use super::mesh_file::MeshFile;
use crate::body::Role;
use crate::geometry::Aabb;
use crate::math::Vec2;
use tiny_skia::Pixmap;

/// Draws the states of one run, always with the same view and colours.
pub struct Painter {
    positions_needed: usize,
    bodies: Vec<Shape>,
    planes: Vec<(Vec2, usize, bool)>,
    view: Aabb,
    style: Style,
    title: String,
}

/// A body's triangles, springs and edges.
struct Shape {
    triangles: Vec<[usize; 3]>,
    lines: Vec<[usize; 2]>,
    outline: Vec<[usize; 2]>,
}

/// A value for each element and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Coloring<'a> {
    /// A value per triangle of the mesh.
    pub triangles: &'a [f64],
    /// A value per spring of the mesh.
    pub springs: &'a [f64],
    /// Name, unit and range of the values.
    pub scale: ColorScale<'a>,
}

impl Painter {
    /// A painter of the mesh's states in the world rectangle `view`. `moving` says which half-planes move.
    pub fn new(mesh: &MeshFile, moving: impl Fn(usize) -> bool, view: Aabb, style: Style, title: &str) -> Self {
        let mut bodies: Vec<Shape> = mesh
            .bodies
            .iter()
            .map(|_| Shape { triangles: Vec::new(), lines: Vec::new(), outline: Vec::new() })
            .collect();
        for &triangle in &mesh.triangles {
            bodies[mesh.body[triangle[0]]].triangles.push(triangle);
        }
        for &spring in &mesh.springs {
            bodies[mesh.body[spring[0]]].lines.push(spring);
        }
        for &edge in &mesh.edges {
            bodies[mesh.body[edge[0]]].outline.push(edge);
        }
        let planes = mesh.planes.iter().map(|p| (Vec2::from(p.normal), p.origin_vertex, moving(p.origin_vertex)));
        Self {
            positions_needed: mesh.vertices_rest.len(),
            bodies,
            planes: planes.collect(),
            view,
            style,
            title: title.to_owned(),
        }
    }

    /// Width and height of its pictures (pixels).
    pub fn size(&self) -> (u32, u32) {
        (self.style.width, self.style.height)
    }

    /// A picture of the positions `x` (m) at `time` (s) after `step` steps.
    ///
    /// # Errors
    /// [`OutputError`] if it cannot be drawn.
    pub fn paint(&self, x: &[Vec2], time: f64, step: usize, coloring: Option<Coloring>) -> Result<Pixmap, OutputError> {
        let x = &x[..self.positions_needed.min(x.len())];
        let values: Vec<Vec<f64>> = coloring.map_or(Vec::new(), |coloring| self.values(&coloring));
        let fill = |index: usize| values.get(index).map_or(Fill::Body(index), |values| Fill::Values(values));
        let shown = self.bodies.iter().enumerate().filter(|(_, body)| !body.outline.is_empty());
        let frame = Frame {
            positions: x,
            bodies: shown
                .map(|(index, body)| BodyShape {
                    triangles: &body.triangles,
                    lines: &body.lines,
                    outline: &body.outline,
                    fill: fill(index),
                })
                .collect(),
            planes: self
                .planes
                .iter()
                .map(|&(normal, origin, moving)| PlaneShape { origin: x[origin], normal, moving })
                .collect(),
            time,
            step,
            title: &self.title,
            scale: coloring.map(|coloring| coloring.scale),
        };
        draw(&frame, &self.view, &self.style)
    }

    /// The values of each body's triangles, then springs: both are listed body by body in the mesh, too.
    fn values(&self, coloring: &Coloring) -> Vec<Vec<f64>> {
        let (mut triangles, mut springs) = (coloring.triangles.iter(), coloring.springs.iter());
        let take = |body: &Shape| {
            let own = triangles.by_ref().take(body.triangles.len()).copied();
            let mut values: Vec<f64> = own.collect();
            values.extend(springs.by_ref().take(body.lines.len()));
            values
        };
        self.bodies.iter().map(take).collect()
    }
}

/// What frames show unless a scene says otherwise: bodies at the start, obstacles, and as far as either is prescribed to
/// move, with a margin.
pub fn default_view(world: &crate::time::World, x: &[Vec2], end: f64) -> Aabb {
    const MARGIN: f64 = 0.1;
    let points = world.prescribed.iter().filter(|p| p.role != Role::Angle);
    let reach = points.map(|p| p.start + p.motion.pose(end).displacement);
    let view = Aabb::around(x.iter().copied().chain(reach));
    view.grown(MARGIN * view.extent().norm())
}
