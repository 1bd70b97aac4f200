//! Pictures of a mesh: triangles by their least angle, or curves with a circle at each fault.
//!
//! Dark triangles are sharp ones: in a picture of 100,000 triangles without edges a sharp corner or
//! a narrow place still shows as a dark spot. Circles have the numbers of the printed list.

use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::math::number::short;
use ipcsim::mesh::{Fault, Loop, Mesh, Quality, boundary, least_angle};
use ipcsim_pictures::canvas::Canvas;
use ipcsim_pictures::error::PictureError;
use ipcsim_pictures::pen::{Anchor, Pen, TextStyle};
use ipcsim_pictures::view::View;
use ipcsim_pictures::{marks, palette, png};

/// Width and height of a picture (pixels).
const SIZE: [u32; 2] = [1600, 1000];

/// Share of the extent that is added on every side (1).
const MARGIN: f64 = 0.06;

/// Height of the strip with the legend (pixels).
const LEGEND: f64 = 70.0;

/// Angle with the brightest colour, that of an equilateral triangle (degrees).
const BEST: f64 = 60.0;

/// Shortest edge of a triangle in a picture below which edges are not drawn (pixels).
const NARROW: f64 = 4.0;

/// Picture of a mesh, each triangle in the colour of its least angle, as PNG.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn of_mesh(mesh: &Mesh) -> Result<Vec<u8>, PictureError> {
    let view = view(mesh.vertices.iter().copied());
    let mut canvas = Canvas::new(SIZE[0], SIZE[1])?;
    let points: Vec<Vec2> = mesh.vertices.iter().map(|&x| view.pixel(x)).collect();
    let mut edges = Vec::new();
    for triangle in &mesh.triangles {
        let corners = triangle.map(|i| points[i]);
        let angle = least_angle(corners).to_degrees();
        canvas.triangle(corners, palette::viridis(angle / BEST));
        let sides = [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
        // In a narrow triangle edges would cover the colour.
        if sides.iter().all(|[a, b]| (b - a).norm() >= NARROW) {
            edges.extend(sides);
        }
    }

    let pen = Pen {
        opacity: 0.5,
        ..Pen::new(palette::INK, 0.8)
    };
    canvas.segments(edges, pen);

    let outline = boundary::edges(&mesh.triangles);
    canvas.segments(
        outline.iter().map(|edge| edge.map(|i| points[i])),
        Pen::new(palette::INK, 2.0),
    );
    legend(&mut canvas, mesh);
    png::encode(&canvas.finish())
}

/// Picture of curves with a circle around each fault, and what it is, as PNG.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn of_faults(loops: &[Loop], faults: &[Fault]) -> Result<Vec<u8>, PictureError> {
    let places = faults.iter().flat_map(|fault| fault.places.iter().copied());
    let view = view(
        loops
            .iter()
            .flat_map(|curve| curve.points.iter().copied())
            .chain(places),
    );

    let mut canvas = Canvas::new(SIZE[0], SIZE[1])?;
    for (k, curve) in loops.iter().enumerate() {
        let points: Vec<Vec2> = curve.points.iter().map(|&x| view.pixel(x)).collect();
        let closed = points.iter().chain(points.first()).copied();
        canvas.polyline(closed, Pen::new(palette::shade(palette::body(k)), 2.5));
        canvas.dots(points.iter().copied(), 2.5, palette::INK);
    }
    for (fault, k) in faults.iter().zip(1..) {
        let line = format!("{k}. {} {}", fault.label, fault.message);
        let at = Vec2::new(20.0, 4.0 + 26.0 * f64::from(k));
        canvas.text(&line, at, TextStyle::new(20.0, palette::INK, Anchor::Left));
    }

    let marked = faults.iter().zip(1..).flat_map(|(fault, k)| {
        let places = fault.places.iter();
        places.map(move |&at| (k.to_string(), at))
    });
    let marked: Vec<(String, Vec2)> = marked.map(|(label, at)| (label, view.pixel(at))).collect();
    png::encode(&marks::draw(canvas.finish(), &marked)?)
}

/// View of points with a margin, and room for the legend above.
///
/// Both pictures of a shape have the same view, unless faults are far away from it.
fn view(points: impl Iterator<Item = Vec2>) -> View {
    let around = Aabb::around(points);
    let mut around = around.grown(MARGIN * around.extent().norm());
    around.max.y += around.extent().y * 2.0 * LEGEND / f64::from(SIZE[1]);
    View::fit(&around, SIZE[0], SIZE[1])
}

/// Draws what colours mean, and the numbers of the mesh.
///
/// The bar ends at 60 degrees, which all angles of an equilateral triangle have.
fn legend(canvas: &mut Canvas, mesh: &Mesh) {
    let small = |color, anchor| TextStyle::new(20.0, color, anchor);
    if let Some(quality) = Quality::of(mesh) {
        let line = format!(
            "{} triangles, smallest angle {:.2}°, mean of the smallest {:.1}°, edges {} to {} m",
            mesh.triangles.len(),
            quality.least_angle.to_degrees(),
            quality.mean_angle.to_degrees(),
            short(quality.shortest),
            short(quality.longest)
        );
        canvas.text(
            &line,
            Vec2::new(20.0, 34.0),
            small(palette::INK, Anchor::Left),
        );
    }

    // A bar from 0 to the best angle.
    let [left, right] = [f64::from(SIZE[0]) - 320.0, f64::from(SIZE[0]) - 20.0];
    for k in 0..100 {
        let [a, b] = [k, k + 1].map(|k| left + (right - left) * f64::from(k) / 100.0);
        let corners = [(a, 20.0), (b, 20.0), (b, 38.0), (a, 38.0)].map(|(x, y)| Vec2::new(x, y));
        let color = palette::viridis((f64::from(k) + 0.5) / 100.0);
        canvas.triangle([corners[0], corners[1], corners[2]], color);
        canvas.triangle([corners[0], corners[2], corners[3]], color);
    }

    canvas.text(
        "0°",
        Vec2::new(left, 58.0),
        small(palette::INK, Anchor::Left),
    );
    canvas.text(
        "least angle",
        Vec2::new(f64::midpoint(left, right), 58.0),
        small(palette::MUTED, Anchor::Middle),
    );
    canvas.text(
        "60°",
        Vec2::new(right, 58.0),
        small(palette::INK, Anchor::Right),
    );
}
