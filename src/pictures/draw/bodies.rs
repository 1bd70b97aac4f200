//! Bodies: plain triangles, over them the mesh as fine lines, over these a strong outline that hides the steps of the
//! plain triangles. Bodies without triangles: what they enclose in one tone, wires, circles with a spoke, points.

use crate::{
    geometry::Aabb,
    math::Vec2,
    pictures::{
        canvas::Canvas,
        frame::{BodyShape, ColorScale, Fill},
        palette::{self, Rgb},
        pen::Pen,
        view::View,
    },
};

/// Width of wires and radius of points, pixels.
const WIRE: f64 = 2.5;
const POINT: f64 = 3.5;

/// Draws `body`, whose vertices are at `points`, in pixels.
pub(super) fn draw(
    canvas: &mut Canvas,
    view: &View,
    points: &[Vec2],
    body: &BodyShape<'_>,
    scale: Option<&ColorScale<'_>>,
) {
    let colors = Colors::of(body, scale);
    let place = |&vertex: &usize| points.get(vertex).copied();
    canvas.region(
        body.regions
            .iter()
            .map(|curve| curve.iter().filter_map(place)),
        colors.fill(0),
    );
    for (k, corners) in body
        .triangles
        .iter()
        .enumerate()
        .filter_map(|(k, t)| Some((k, pick(points, *t)?)))
    {
        canvas.triangle(corners, colors.fill(k));
    }
    draw_mesh(canvas, points, body, colors.edge);
    let outline = || body.outline.iter().filter_map(|e| pick(points, *e));
    if body.triangles.is_empty() && body.lines.is_empty() && body.regions.is_empty() {
        canvas.segments(outline(), Pen::new(colors.line(), WIRE));
    } else {
        canvas.segments(
            outline(),
            Pen::new(colors.outline, outline_width(outline().flatten())),
        );
    }
    draw_lines(canvas, points, body, &colors);
    for disk in body.disks {
        let Some([center, rim]) = pick(points, [disk.center, disk.rim]) else {
            continue;
        };
        let radius = disk.radius * view.scale();
        let pen = Pen::new(
            colors.outline,
            outline_width([center, center.add_scalar(2.0 * radius)]),
        );
        canvas.disk(center, radius, colors.fill(0), pen);
        canvas.segments([[center, rim]], pen);
    }
    canvas.dots(body.points.iter().filter_map(place), POINT, colors.line());
}

/// Of the outline of what reaches that far: thinner where it is small.
fn outline_width(points: impl IntoIterator<Item = Vec2>) -> f64 {
    (0.1 * Aabb::around(points).extent().max()).clamp(0.8, 2.0)
}

/// The tones of one body.
struct Colors<'a> {
    flat: Rgb,
    edge: Rgb,
    outline: Rgb,
    values: Option<(&'a [f64], &'a ColorScale<'a>)>,
}

impl<'a> Colors<'a> {
    fn of(body: &BodyShape<'a>, scale: Option<&'a ColorScale<'a>>) -> Self {
        let tones = |c| Self {
            flat: palette::tint(c),
            edge: c,
            outline: palette::shade(c),
            values: None,
        };
        match body.fill {
            Fill::Body(index) => tones(palette::body(index)),
            Fill::Obstacle => tones(palette::OBSTACLE),
            Fill::Values(values) => Self {
                flat: palette::MISSING,
                edge: palette::INK,
                outline: palette::INK,
                values: scale.map(|scale| (values, scale)),
            },
        }
    }

    /// The colour of element `k`, or `otherwise` if it has no value.
    fn value(&self, k: usize, otherwise: Rgb) -> Rgb {
        let value = self
            .values
            .and_then(|(values, scale)| Some(scale.fraction(*values.get(k)?)));
        value.map_or(otherwise, palette::viridis)
    }

    fn fill(&self, k: usize) -> Rgb {
        self.value(k, self.flat)
    }

    /// The colour of a body that has no inside.
    fn line(&self) -> Rgb {
        self.value(0, self.outline)
    }
}

/// The positions of an element's vertices, if all are known.
fn pick<const N: usize>(points: &[Vec2], element: [usize; N]) -> Option<[Vec2; N]> {
    element
        .iter()
        .all(|&i| i < points.len())
        .then(|| element.map(|i| points[i]))
}

/// Inner edges, which fade as they get too short to be told apart.
///
/// In a consistently oriented mesh an inner edge runs up the numbering in one of its triangles and down in the other:
/// taking only those that run up draws each once.
fn draw_mesh(canvas: &mut Canvas, points: &[Vec2], body: &BodyShape<'_>, color: Rgb) {
    let edges = || {
        body.triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .filter(|[a, b]| a < b)
    };
    let opacity = 0.6 * fade_in(mean_length(points, edges()), 3.0, 16.0);
    if opacity > 0.0 {
        canvas.segments(
            edges().filter_map(|e| pick(points, e)),
            Pen {
                color,
                opacity,
                width: 1.0,
            },
        );
    }
}

/// Springs and ropes with their nodes, thinner and without nodes where they are dense.
fn draw_lines(canvas: &mut Canvas, points: &[Vec2], body: &BodyShape<'_>, colors: &Colors<'_>) {
    let length = mean_length(points, body.lines.iter().copied());
    let width = (0.06 * length).clamp(0.6, 2.0);
    if colors.values.is_some() {
        for (k, line) in body.lines.iter().enumerate() {
            let pen = Pen::new(colors.fill(body.triangles.len() + k), 1.5 * width);
            canvas.segments(pick(points, *line), pen);
        }
    } else {
        canvas.segments(
            body.lines.iter().filter_map(|e| pick(points, *e)),
            Pen::new(colors.edge, width),
        );
    }
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
        canvas.dots(nodes.into_iter().map(|i| points[i]), radius, colors.outline);
    }
}

/// 0 up to `from`, 1 above `to`, smooth between.
fn fade_in(value: f64, from: f64, to: f64) -> f64 {
    let s = ((value - from) / (to - from)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// In pixels; 0 without edges. Edges that are not finite do not count.
fn mean_length(points: &[Vec2], edges: impl Iterator<Item = [usize; 2]>) -> f64 {
    let lengths = edges
        .filter_map(|e| pick(points, e))
        .map(|[a, b]| (b - a).norm())
        .filter(|l| l.is_finite());
    let (sum, count) = lengths.fold((0.0, 0_u32), |(sum, count), l| (sum + l, count + 1));
    sum / f64::from(count.max(1))
}
