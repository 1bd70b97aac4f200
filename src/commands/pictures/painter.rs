//! From positions to pictures of a run.

use crate::body::BodyKind;
use crate::contact::HalfPlane;
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::pictures::draw::draw;
use crate::pictures::error::PictureError;
use crate::pictures::frame::{BodyShape, ColorScale, DiskShape, Fill, Frame, PlaneShape, Style};
use crate::pictures::marks;
use crate::pictures::view::View;
use crate::store::mesh_file::{BodyEntry, DiskEntry, MeshFile};
use tiny_skia::Pixmap;

/// Draws the states of one run, always with the same view and colours.
pub(in crate::commands) struct Painter {
    positions_needed: usize,
    bodies: Vec<Shape>,
    planes: Vec<(HalfPlane, bool)>,
    view: Aabb,
    style: Style,
    title: String,
}

/// What there is to draw of a body.
#[derive(Default)]
struct Shape {
    triangles: Vec<[usize; 3]>,
    lines: Vec<[usize; 2]>,
    outline: Vec<[usize; 2]>,
    regions: Vec<Vec<usize>>,
    disks: Vec<DiskShape>,
    points: Vec<usize>,
    is_obstacle: bool,
}

/// A value for each element and what it means.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct Coloring<'a> {
    /// A value per triangle of the mesh.
    pub(in crate::commands) triangles: &'a [f64],
    /// A value per spring of the mesh.
    pub(in crate::commands) springs: &'a [f64],
    /// A value per body, which counts for bodies that have neither; those of bodies that are missing are grey.
    pub(in crate::commands) bodies: &'a [f64],
    /// Name, unit and range of the values.
    pub(in crate::commands) scale: ColorScale<'a>,
}

impl Painter {
    /// A painter of the mesh's states in the world rectangle `view`. `moving` says which half-planes move.
    pub(in crate::commands) fn new(
        mesh: &MeshFile,
        moving: impl Fn(usize) -> bool,
        view: Aabb,
        style: Style,
        title: &str,
    ) -> Self {
        let planes = mesh
            .planes
            .iter()
            .map(|plane| (plane.half_plane(), moving(plane.origin_vertex)));
        Self {
            positions_needed: mesh.vertices_rest.len(),
            bodies: shapes(mesh),
            planes: planes.collect(),
            view,
            style,
            title: title.to_owned(),
        }
    }

    /// Width and height of its pictures (pixels).
    pub(in crate::commands) fn size(&self) -> (u32, u32) {
        (self.style.width, self.style.height)
    }

    /// A picture of the positions `x` (m) at `time` (s) after `step` steps.
    ///
    /// # Errors
    /// [`PictureError`] if it cannot be drawn.
    pub(in crate::commands) fn paint(
        &self,
        x: &[Vec2],
        time: f64,
        step: usize,
        coloring: Option<Coloring>,
    ) -> Result<Pixmap, PictureError> {
        let x = &x[..self.positions_needed.min(x.len())];
        let values: Vec<Vec<f64>> = coloring.map_or(Vec::new(), |coloring| self.values(&coloring));
        let frame = Frame {
            positions: x,
            bodies: self.shown(&values),
            planes: self
                .planes
                .iter()
                .map(|&(ref plane, moving)| PlaneShape {
                    origin: x[plane.origin],
                    normal: plane.normal_at(x),
                    moving,
                })
                .collect(),
            time,
            step,
            title: &self.title,
            scale: coloring.map(|coloring| coloring.scale),
        };
        draw(&frame, &self.view, &self.style)
    }

    /// The picture with a circle around each place (m) and its label beside it.
    ///
    /// # Errors
    /// [`PictureError`] if it cannot be drawn.
    pub(in crate::commands) fn mark(
        &self,
        picture: Pixmap,
        places: &[(String, Vec2)],
    ) -> Result<Pixmap, PictureError> {
        let view = View::fit(&self.view, self.style.width, self.style.height);
        let pixels: Vec<(String, Vec2)> = places
            .iter()
            .map(|(label, place)| (label.clone(), view.pixel(*place)))
            .collect();
        marks::draw(picture, &pixels)
    }

    /// The bodies in their colours, obstacles first, so that nothing hides what touches them.
    fn shown<'a>(&'a self, values: &'a [Vec<f64>]) -> Vec<BodyShape<'a>> {
        let fill = |(index, body): (usize, &'a Shape)| match values.get(index) {
            _ if body.is_obstacle => body.with(Fill::Obstacle),
            Some(values) => body.with(Fill::Values(values)),
            None => body.with(Fill::Body(index)),
        };
        let those = |obstacles: bool| {
            self.bodies
                .iter()
                .enumerate()
                .filter(move |(_, b)| b.is_obstacle == obstacles)
        };
        those(true).chain(those(false)).map(fill).collect()
    }

    /// The values of each body's triangles, then springs, which are listed body by body in the mesh, too; of a body without
    /// either its one value.
    fn values(&self, coloring: &Coloring) -> Vec<Vec<f64>> {
        let (mut triangles, mut springs) = (coloring.triangles.iter(), coloring.springs.iter());
        let take = |(index, body): (usize, &Shape)| {
            let own = triangles.by_ref().take(body.triangles.len()).copied();
            let mut values: Vec<f64> = own.collect();
            values.extend(springs.by_ref().take(body.lines.len()));
            if body.triangles.is_empty() && body.lines.is_empty() {
                values.extend(coloring.bodies.get(index));
            }
            values
        };
        self.bodies.iter().enumerate().map(take).collect()
    }
}

impl Shape {
    fn with<'a>(&'a self, fill: Fill<'a>) -> BodyShape<'a> {
        let Self {
            triangles,
            lines,
            outline,
            regions,
            disks,
            points,
            ..
        } = self;
        BodyShape {
            triangles,
            lines,
            outline,
            regions,
            disks,
            points,
            fill,
        }
    }
}

/// The elements of each body of a mesh.
fn shapes(mesh: &MeshFile) -> Vec<Shape> {
    let empty = |body: &BodyEntry| Shape {
        is_obstacle: body.kind == BodyKind::Obstacle.name(),
        ..Shape::default()
    };
    let mut shapes: Vec<Shape> = mesh.bodies.iter().map(empty).collect();
    for &triangle in &mesh.triangles {
        shapes[mesh.body[triangle[0]]].triangles.push(triangle);
    }
    for &spring in &mesh.springs {
        shapes[mesh.body[spring[0]]].lines.push(spring);
    }
    for &edge in &mesh.edges {
        shapes[mesh.body[edge[0]]].outline.push(edge);
    }
    for &DiskEntry {
        center_vertex: center,
        rim_vertex: rim,
        radius,
    } in &mesh.disks
    {
        shapes[mesh.body[center]].disks.push(DiskShape {
            center,
            rim,
            radius,
        });
    }
    for &point in &mesh.points {
        shapes[mesh.body[point]].points.push(point);
    }
    for (shape, body) in shapes.iter_mut().zip(&mesh.bodies) {
        if body.filled && shape.triangles.is_empty() && shape.lines.is_empty() {
            shape.regions = closed_curves(&shape.outline);
        }
    }
    shapes
}

/// The closed curves that directed edges form: each goes on along an edge that starts where the last one ends.
fn closed_curves(edges: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut edges = edges.to_vec();
    edges.sort_unstable();
    let mut used = vec![false; edges.len()];
    let mut curves = Vec::new();
    for start in 0..edges.len() {
        let mut curve = Vec::new();
        let mut next = Some(start).filter(|&start| !used[start]);
        while let Some(edge) = next {
            used[edge] = true;
            let [from, to] = edges[edge];
            curve.push(from);
            let first = edges.partition_point(|[vertex, _]| *vertex < to);
            next = (first..edges.len())
                .take_while(|&k| edges[k][0] == to)
                .find(|&k| !used[k]);
        }
        if !curve.is_empty() {
            curves.push(curve);
        }
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directed_edges_are_joined_to_closed_curves() {
        let edges = [[4, 6], [1, 2], [5, 4], [0, 1], [6, 5], [2, 0]];
        assert_eq!(closed_curves(&edges), [vec![0, 1, 2], vec![4, 6, 5]]);
        // Two triangles that share a vertex may be one curve or two.
        let joined = closed_curves(&[[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2]]);
        assert_eq!(joined.concat().len(), 6);
        assert!(closed_curves(&[]).is_empty());
    }
}
