//! Bodies, in layers: plain triangles, the mesh as fine lines, and a strong outline that hides the
//! steps of the plain triangles. Bodies without triangles are areas in one tone, wires, circles
//! with a spoke, or points.
//!
//! Widths of lines depend on the size of what they belong to (pixels): small bodies get thin
//! outlines, dense meshes fade, and dense springs are thin and lose their nodes. So a scene of ten
//! bodies and one of ten thousand are both legible.

use crate::{
    canvas::Canvas,
    frame::{BodyShape, ColorScale, Fill},
    palette::{self, Rgb},
    pen::Pen,
    view::View,
};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;

/// Width of wires (pixels of a picture of 1280 x 720).
const WIRE: f64 = 2.5;
/// Radius of points (pixels of a picture of 1280 x 720).
const POINT: f64 = 3.5;

/// Draws `body`, whose vertices are at `points` (pixels).
///
/// `scale` is the frame's scale of colours, for a body that is coloured by values.
pub(super) fn draw(
    canvas: &mut Canvas,
    view: &View,
    points: &[Vec2],
    body: &BodyShape<'_>,
    scale: Option<&ColorScale<'_>>,
) {
    let colors = Colors::of(body, scale);
    let place = |&vertex: &usize| points.get(vertex).copied();

    // Areas, with the mesh on the triangles.

    let curves = body.regions.iter();
    canvas.region(
        curves.map(|curve| curve.iter().filter_map(place)),
        colors.fill(0),
    );
    for (k, triangle) in body.triangles.iter().enumerate() {
        let Some(corners) = pick(points, *triangle) else {
            continue;
        };
        match colors.nodes.zip(colors.at_nodes(*triangle)) {
            Some((scale, values)) => {
                canvas.shaded_triangle(corners, values, |value| scale.color(value));
            }
            None => canvas.triangle(corners, colors.fill(k)),
        }
    }
    draw_mesh(canvas, points, body, colors.edge);

    draw_outline(canvas, view, points, body, &colors);
    draw_lines(canvas, points, body, &colors);

    // Circles with a spoke, and single points.
    for disk in body.disks {
        let Some([center, rim]) = pick(points, [disk.center, disk.rim]) else {
            continue;
        };

        let radius = disk.radius * view.scale();
        let box_of_disk = [center, center.add_scalar(2.0 * radius)];
        let pen = colors.outline_pen(canvas, box_of_disk);
        canvas.disk(center, radius, colors.fill(0), pen);
        canvas.segments([[center, rim]], pen);
    }
    let radius = POINT * canvas.unit();
    canvas.dots(body.points.iter().filter_map(place), radius, colors.line());
}

/// Draws the outline of a body; without an area it is a wire, or a rod that is as thick as it is, with
/// round ends.
fn draw_outline(
    canvas: &mut Canvas,
    view: &View,
    points: &[Vec2],
    body: &BodyShape<'_>,
    colors: &Colors<'_>,
) {
    let outline = || body.outline.iter().filter_map(|e| pick(points, *e));
    let is_wire = body.triangles.is_empty() && body.lines.is_empty() && body.regions.is_empty();
    let pen = if is_wire {
        let thickness = body.thickness * view.scale() / canvas.unit();
        Pen::new(colors.line(), WIRE.max(thickness))
    } else {
        colors.outline_pen(canvas, outline().flatten())
    };

    canvas.segments(outline(), pen);
    if body.thickness > 0.0 {
        let radius = 0.5 * pen.width * canvas.unit();
        canvas.dots(outline().flatten(), radius, pen.color);
    }
}

/// Width of the outline of a body that is `size` long in a picture of 1280 x 720 pixels: 6 % of that,
/// from 0.5 to 2 pixels.
fn outline_width(size: f64) -> f64 {
    (0.06 * size).clamp(0.5, 2.0)
}

/// The tones of one body, and its values if it is coloured by them.
struct Colors<'a> {
    /// Colour of areas.
    flat: Rgb,
    /// Colour of inner edges and of lines.
    edge: Rgb,
    /// Colour of outlines, nodes and spokes.
    outline: Rgb,
    /// Value of each element, and the scale that they are shown on.
    values: Option<(&'a [f64], &'a ColorScale<'a>)>,
    /// Value of each vertex, if the body is coloured by those.
    at_vertices: &'a [f64],
    /// Scale of these values.
    nodes: Option<&'a ColorScale<'a>>,
}

impl<'a> Colors<'a> {
    /// Tones of a body. Values without a scale are shown as missing.
    fn of(body: &BodyShape<'a>, scale: Option<&'a ColorScale<'a>>) -> Self {
        match body.fill {
            Fill::Body(index) => Self::tones(palette::body(index)),
            Fill::Own(color) => Self::tones(color),
            Fill::Obstacle => Self::tones(palette::OBSTACLE),
            Fill::Values(values) => Self {
                values: scale.map(|scale| (values, scale)),
                ..Self::plain()
            },
            Fill::Nodes(values) => Self {
                at_vertices: values,
                nodes: scale,
                ..Self::plain()
            },
        }
    }

    /// Light, pure and dark tone of one colour.
    fn tones(color: Rgb) -> Self {
        Self {
            flat: palette::tint(color),
            edge: color,
            outline: palette::shade(color),
            values: None,
            at_vertices: &[],
            nodes: None,
        }
    }

    /// Tones of a body that is coloured by values.
    fn plain() -> Self {
        Self {
            flat: palette::MISSING,
            edge: palette::INK,
            outline: palette::INK,
            ..Self::tones(palette::INK)
        }
    }

    /// Pen of the outline of a body with the given points (pixels). Around values it is ink, which
    /// fades where bodies are small, so that a pile of them is not black.
    fn outline_pen(&self, canvas: &Canvas, points: impl IntoIterator<Item = Vec2>) -> Pen {
        let size = Aabb::around(points).extent().max() / canvas.unit();
        let is_valued = self.values.is_some() || self.nodes.is_some();
        Pen {
            opacity: if is_valued {
                0.4 + 0.6 * fade_in(size, 10.0, 80.0)
            } else {
                1.0
            },
            ..Pen::new(self.outline, outline_width(size))
        }
    }

    /// Values at the vertices of a triangle, if all of them have one.
    fn at_nodes(&self, triangle: [usize; 3]) -> Option<[f64; 3]> {
        let values = triangle.map(|vertex| self.at_vertices.get(vertex).copied());
        let [Some(a), Some(b), Some(c)] = values else {
            return None;
        };
        [a, b, c].iter().all(|v| v.is_finite()).then_some([a, b, c])
    }

    /// Colour of element `k`, or `otherwise` if it has no value.
    fn value(&self, k: usize, otherwise: Rgb) -> Rgb {
        let value = self
            .values
            .and_then(|(values, scale)| Some(scale.color(*values.get(k)?)));
        value.unwrap_or(otherwise)
    }

    /// Colour of the area of element `k`.
    fn fill(&self, k: usize) -> Rgb {
        self.value(k, self.flat)
    }

    /// Colour of a body that has no inside: that of its first value, or of its outline.
    fn line(&self) -> Rgb {
        self.value(0, self.outline)
    }
}

/// Positions (pixels) of an element's vertices, or `None` if an index is out of range.
fn pick<const N: usize>(points: &[Vec2], element: [usize; N]) -> Option<[Vec2; N]> {
    element
        .iter()
        .all(|&i| i < points.len())
        .then(|| element.map(|i| points[i]))
}

/// Draws inner edges, which fade as they get too short to be seen apart.
///
/// In a consistently oriented mesh the two triangles at an inner edge list its vertices in opposite
/// order: drawing only those in ascending order draws each edge once.
fn draw_mesh(canvas: &mut Canvas, points: &[Vec2], body: &BodyShape<'_>, color: Rgb) {
    let length = mean_length(points, ascending_edges(body.triangles)) / canvas.unit();
    let opacity = 0.6 * fade_in(length, 3.0, 16.0);

    if opacity > 0.0 {
        canvas.segments(
            ascending_edges(body.triangles).filter_map(|e| pick(points, e)),
            Pen {
                color,
                opacity,
                width: 1.0,
            },
        );
    }
}

/// Edges of triangles whose vertices the triangle lists in ascending order.
fn ascending_edges(triangles: &[[usize; 3]]) -> impl Iterator<Item = [usize; 2]> {
    triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .filter(|[a, b]| a < b)
}

/// Draws springs and ropes with their nodes; dense ones are thinner and without nodes.
fn draw_lines(canvas: &mut Canvas, points: &[Vec2], body: &BodyShape<'_>, colors: &Colors<'_>) {
    let length = mean_length(points, body.lines.iter().copied()) / canvas.unit();
    let width = (0.06 * length).clamp(0.6, 2.0);

    if colors.values.is_some() {
        for (k, line) in body.lines.iter().enumerate() {
            // Lines have their values after all triangles.
            let pen = Pen::new(colors.fill(body.triangles.len() + k), 1.5 * width);
            canvas.segments(pick(points, *line), pen);
        }
    } else {
        canvas.segments(
            body.lines.iter().filter_map(|e| pick(points, *e)),
            Pen::new(colors.edge, width),
        );
    }

    // Nodes, each once, as far as they exist.
    let radius = (0.09 * length).min(3.5);
    if radius > 1.0 {
        let mut nodes: Vec<usize> = body
            .lines
            .iter()
            .flatten()
            .copied()
            .filter(|&i| i < points.len())
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        let radius = radius * canvas.unit();
        canvas.dots(nodes.into_iter().map(|i| points[i]), radius, colors.outline);
    }
}

/// Smooth step `s^2 (3 - 2 s)` with `s = (value - from) / (to - from)`: 0 up to `from`, 1 above
/// `to`.
fn fade_in(value: f64, from: f64, to: f64) -> f64 {
    let s = ((value - from) / (to - from)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// Mean length of edges (pixels), 0 without edges. Edges that are not finite do not count.
fn mean_length(points: &[Vec2], edges: impl Iterator<Item = [usize; 2]>) -> f64 {
    let mut sum = 0.0;
    let mut count = 0_u32;
    for [a, b] in edges.filter_map(|e| pick(points, e)) {
        let length = (b - a).norm();
        if length.is_finite() {
            sum += length;
            count += 1;
        }
    }
    sum / f64::from(count.max(1))
}
