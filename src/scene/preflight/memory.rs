//! Estimate of the memory and the disk space that a scene takes, before anything is allocated.

use crate::files::available;
use crate::math::number;
use crate::scene::assemble::Setup;
use crate::scene::kind::Freedom;
use crate::scene::problem::Problem;
use crate::scene::schema::{Body, Scene, Shape};

/// Bytes per triangle of an elastic body: energies, matrix, factorisation, copies of states. Measured
/// are 1,960 to 2,000 for 102,400 to 409,600 triangles in contact. Too low, a run is killed for lack of
/// memory; too high, a scene that fits is refused.
const PER_TRIANGLE: f64 = 2200.0;

/// Bytes per triangle that the fronts of the factorisation add each time the number of triangles
/// doubles beyond a thousand.
const PER_DOUBLING: f64 = 30.0;

/// Bytes per triangle of a mesh whose outline alone is kept.
const PER_MESHED: f64 = 200.0;

/// Bytes per edge of the surface: candidates, contacts, boxes.
const PER_EDGE: f64 = 1500.0;

/// Bytes per step: timings and records.
const PER_STEP: f64 = 200.0;

/// Bytes per written state: its entry in tables.
const PER_STATE: f64 = 250.0;

/// Bytes per pixel of frames: the picture, its copy for the file, and that of the animation.
const PER_PIXEL: f64 = 16.0;

/// Bytes that the program itself takes.
const BASE: f64 = 3e7;

/// Bytes on the disk above which the user is warned (100 GB).
const MUCH: f64 = 1e11;

/// Bytes on the disk per pixel of a frame, roughly: flat colours compress well.
const PER_FRAME_PIXEL: f64 = 0.1;

/// Numbers of a shape's parts. They are floating-point numbers, so that no product of counts overflows.
struct Parts {
    triangles: f64,
    edges: f64,
}

/// Error if the scene takes more memory than is available.
pub(super) fn problem(scene: &Scene) -> Option<Problem> {
    let available = available()? as f64;
    let bodies = scene
        .bodies
        .iter()
        .enumerate()
        .map(|(k, body)| (format!("bodies[{k}].shape"), of_body(body) * copies(body)));
    let obstacles = scene.obstacles.iter().enumerate();
    let obstacles = obstacles
        .map(|(k, obstacle)| (format!("obstacles[{k}].shape"), of_outline(&obstacle.shape)));

    let steps = scene.time.steps as f64;
    let others = [
        (
            "time.steps".to_owned(),
            PER_STEP * steps + PER_STATE * steps / scene.output.every.max(1) as f64,
        ),
        (
            "output".to_owned(),
            PER_PIXEL * f64::from(scene.output.width) * f64::from(scene.output.height),
        ),
    ];
    let needs: Vec<(String, f64)> = bodies.chain(obstacles).chain(others).collect();

    let whole = BASE + needs.iter().map(|(_, bytes)| bytes).sum::<f64>();
    let (path, most) = needs.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (whole > available).then(|| {
        let advice = match path.as_str() {
            "time.steps" => "use fewer steps",
            "output" => "use smaller frames",
            _ => "use fewer segments or triangles",
        };
        let message = format!(
            "the scene takes about {} of memory, {} of it for this, but only {} are available; {advice}",
            number::bytes(whole),
            number::bytes(most),
            number::bytes(available)
        );
        Problem::error(path, message)
    })
}

/// Warning if a run writes more than [`MUCH`].
pub(super) fn disk(setup: &Setup) -> Option<Problem> {
    const PER_POSITION: f64 = 16.0;
    let output = &setup.scene.output;
    let states = 1.0 + setup.scene.time.steps as f64 / output.every.max(1) as f64;
    let frame = PER_FRAME_PIXEL * f64::from(output.width) * f64::from(output.height);
    let bytes = states * (PER_POSITION * setup.world.rest.len() as f64 + frame);
    (bytes > MUCH).then(|| {
        let message = format!(
            "a run will write about {} in {states:.0} states; make output.every larger, or skip frames with --no-frames",
            number::bytes(bytes)
        );
        Problem::warning("output", message)
    })
}

/// Number of bodies that an entry of the scene stands for.
fn copies(body: &Body) -> f64 {
    body.copies.map_or(1.0, |copies| {
        copies.counts.iter().map(|&count| count as f64).product()
    })
}

/// Bytes that one body takes.
fn of_body(body: &Body) -> f64 {
    let Parts { triangles, edges } = parts(&body.shape);
    let elastic = triangles * (PER_TRIANGLE + PER_DOUBLING * (triangles / 1e3).max(1.0).log2())
        + edges * PER_EDGE;

    match body.kind.rules().freedom() {
        Freedom::Vertices => elastic,
        // A large mesh has fewer vertices than triangles.
        Freedom::Fields(fields) => elastic + 64.0 * fields * triangles + 32.0 * fields * fields,
        Freedom::Whole => of_outline(&body.shape),
    }
}

/// Bytes that a body or an obstacle without elastic triangles takes.
fn of_outline(shape: &Shape) -> f64 {
    let Parts { triangles, edges } = parts(shape);
    triangles * PER_MESHED + edges * PER_EDGE
}

/// Numbers of triangles and surface edges of a shape.
fn parts(shape: &Shape) -> Parts {
    let count = |count: usize| count as f64;
    let lines = |edges: usize| Parts {
        triangles: 0.0,
        edges: count(edges),
    };

    match shape {
        Shape::Square(square) => grid([count(square.segments); 2]),
        Shape::Rectangle(rectangle) => grid(rectangle.segments.map(count)),
        Shape::Disk(disk) => {
            let rings = (count(disk.segments) / 6.0).ceil();
            Parts {
                triangles: 6.0 * rings * rings,
                edges: 6.0 * rings,
            }
        }
        Shape::RegularPolygon(polygon) => {
            let (sides, segments) = (count(polygon.sides), count(polygon.segments));
            Parts {
                triangles: sides * segments * segments,
                edges: sides * segments,
            }
        }
        Shape::Mesh(mesh) => Parts {
            triangles: count(mesh.triangles.len()),
            edges: count(mesh.vertices.len()),
        },
        Shape::Outline(outline) => {
            lines(outline.points.len() + outline.holes.iter().map(Vec::len).sum::<usize>())
        }
        Shape::Ring(ring) => lines(ring.segments.saturating_mul(2)),
        Shape::Gear(gear) => lines(gear.teeth.saturating_mul(15)),
        Shape::Polyline(line) => lines(line.points.len()),
        Shape::Wire(wire) => lines(wire.vertices.len().max(wire.edges.len())),
        Shape::Circle(_) | Shape::Point(_) | Shape::HalfPlane(_) => lines(1),
    }
}

/// Numbers of a rectangle of cells.
fn grid([along_x, along_y]: [f64; 2]) -> Parts {
    Parts {
        triangles: 2.0 * along_x * along_y,
        edges: 2.0 * (along_x + along_y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use crate::scene::schema::{Disk, Rectangle, RegularPolygon};

    #[test]
    fn counts_are_those_of_the_meshes() {
        let rectangle = Shape::Rectangle(Rectangle {
            size: [2.0, 1.0],
            segments: [5, 3],
        });
        let disk = Shape::Disk(Disk {
            radius: 1.0,
            segments: 20,
        });
        let polygon = Shape::RegularPolygon(RegularPolygon {
            radius: 1.0,
            sides: 5,
            segments: 3,
        });
        let meshes = [
            (rectangle, generate::rectangle([2.0, 1.0], [5, 3])),
            (disk, generate::disk(1.0, 4)),
            (polygon, generate::regular_polygon(1.0, 5, 3)),
        ];
        for (shape, mesh) in meshes {
            let Parts { triangles, edges } = parts(&shape);
            let boundary = crate::mesh::boundary::edges(&mesh.triangles);
            assert_eq!(
                (triangles, edges),
                (mesh.triangles.len() as f64, boundary.len() as f64)
            );
        }
    }
}
