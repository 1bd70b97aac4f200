//! Estimate of the memory and the disk space that a scene takes, before anything is allocated.
//!
//! A slip such as `"segments": 20000` asks for more memory than the machine has, and the system
//! would kill the program without a word. The estimate counts the triangles and edges of each
//! shape from its parameters alone and multiplies them by measured sizes:
//!
//! - an elastic body takes bytes per triangle, which grow with the logarithm of their number
//!   because of the fronts of the factorisation;
//! - a body that moves as a whole keeps only its outline;
//! - steps, written states and frames take memory of their own.
//!
//! Counts are floating-point numbers, so that no product overflows. The estimate is compared with
//! the memory that the system reports as available; without such a report there is no error.

use crate::area::{Curves, Purpose};
use crate::area_bounds::Asked;
use crate::assemble::{D_HAT_OF_SIZE, Setup};
use crate::kind::Freedom;
use crate::problem::Problem;
use crate::schema::{Area, Body, Elements, Periodic, Scene, Shape};
use ipcsim_math::elementary::log2;
use ipcsim_math::files::available;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::number;

/// Bytes per triangle of an elastic body: energies, matrix, factorisation, copies of states.
///
/// Measured are 2,190 and 2,730 in all for 200,704 triangles that touch and that are pressed. Too low, a
/// run is killed for lack of memory; too high, a scene that fits is refused.
const PER_TRIANGLE: f64 = 2500.0;

/// Bytes per triangle that the fronts of the factorisation add each time the number of triangles
/// doubles beyond a thousand.
const PER_DOUBLING: f64 = 30.0;

/// Bytes per triangle of a mesh that is made only for its outline.
const PER_MESHED: f64 = 200.0;

/// Bytes per edge of the surface: candidates, contacts, boxes.
const PER_EDGE: f64 = 1500.0;

/// Bytes per pair of edges of a body that are nearer to each other than `d_hat`.
///
/// Measured are 230 and 240 for circles of 22,200 and 70,300 edges.
const PER_NEAR: f64 = 250.0;

/// Triangles of an area for each edge that its deviation asks for: they grow from the edge inwards.
/// Measured are 3.7.
const PER_FINE_EDGE: f64 = 3.7;

/// Bytes in memory per pixel of frames: the picture, its copy for the file, and that of the
/// animation.
const PER_PIXEL: f64 = 16.0;

/// Bytes per vertex and chamber: two numbers in the matrix, and two in its solutions.
const PER_GAS: f64 = 32.0;

/// Bytes that the program takes without any scene.
const BASE: f64 = 3e7;

/// Bytes on the disk above which the user is warned (100 GB).
const MUCH: f64 = 1e11;

/// Bytes on the disk per pixel of a frame, roughly: flat colours compress well.
const PER_FRAME_PIXEL: f64 = 0.1;

/// Bytes on the disk per position of a vertex: two numbers of double precision.
const PER_POSITION: f64 = 16.0;

/// Bytes on the disk per point that may flow: five numbers of double precision.
const PER_FLOW: f64 = 40.0;

/// Bytes on the disk per vertex of a file with all fields, compressed; measured are 190 where
/// triangles deform.
const PER_FIELDS: f64 = 200.0;

/// Numbers of a shape's parts, as floating-point numbers.
struct Parts {
    /// Number of triangles of the mesh; 0 for a shape without triangles.
    triangles: f64,
    /// Number of edges of the surface.
    edges: f64,
    /// The surface of an area, whose edges may be far shorter than `d_hat`; `None` for other shapes.
    curves: Option<Surrounding>,
}

impl Parts {
    /// Parts of a shape without an area.
    fn new(triangles: f64, edges: f64) -> Self {
        Self {
            triangles,
            edges,
            curves: None,
        }
    }
}

/// Curves around an area.
struct Surrounding {
    /// Length of all of them (m).
    length: f64,
    /// Larger side of the box around them (m).
    size: f64,
}

/// Memory that one part of a scene takes.
struct Need {
    /// JSON path of that part.
    path: String,
    /// Estimated size of the part (bytes).
    bytes: f64,
    /// What makes it smaller.
    advice: &'static str,
}

/// Error if the scene takes more memory than is available, at the part that takes most.
pub(super) fn problem(scene: &Scene) -> Option<Problem> {
    // Nothing is refused where the memory is not known.
    let available = available()? as f64;
    let needs = needs(scene);
    let whole = BASE + needs.iter().map(|need| need.bytes).sum::<f64>();
    let most = needs
        .into_iter()
        .max_by(|a, b| a.bytes.total_cmp(&b.bytes))?;

    (whole > available).then(|| {
        let message = format!(
            "the scene takes about {} of memory, {} of it for this, but only {} are available; \
             {}",
            number::bytes(whole),
            number::bytes(most.bytes),
            number::bytes(available),
            most.advice
        );
        Problem::error(most.path, message)
    })
}

/// Memory of each part of a scene: bodies, obstacles, frames.
fn needs(scene: &Scene) -> Vec<Need> {
    let mut needs = Vec::new();
    let images = scene.periodic.as_ref().map_or(0.0, Periodic::neighbours);
    for (k, body) in scene.bodies.iter().enumerate() {
        let own = of_body(body, scene.contact.d_hat) + images * edges(&body.shape) * PER_EDGE;
        needs.push(Need {
            path: format!("bodies[{k}].shape"),
            bytes: own * body.count() as f64,
            advice: advice(&body.shape),
        });
    }
    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        needs.push(Need {
            path: format!("obstacles[{k}].shape"),
            bytes: of_outline(&obstacle.shape),
            advice: advice(&obstacle.shape),
        });
    }

    // Gas: two numbers of every vertex in the matrix, and two in solutions.
    let bodies = scene.bodies.iter();
    let vertices =
        bodies.map(|body| (triangles(&body.shape) + edges(&body.shape)) * body.count() as f64);
    needs.push(Need {
        path: "chambers".to_owned(),
        bytes: PER_GAS * vertices.sum::<f64>() * scene.chambers.len() as f64,
        advice: "use fewer chambers",
    });

    // Frames. Steps take none: what they leave goes to files.
    let output = &scene.output;
    needs.push(Need {
        path: "output".to_owned(),
        bytes: PER_PIXEL * f64::from(output.width) * f64::from(output.height),
        advice: "use smaller frames",
    });
    needs
}

/// What makes a shape take less memory.
fn advice(shape: &Shape) -> &'static str {
    match shape {
        Shape::Area(_) => "use a larger mesh.size or deviation",
        _ => "use fewer segments or triangles",
    }
}

/// Warning if a run writes more than [`MUCH`]: positions of all vertices and a frame per state.
pub(super) fn disk(setup: &Setup) -> Option<Problem> {
    let output = &setup.scene.output;
    let states = 1.0 + setup.scene.time.steps as f64 / output.every.max(1) as f64;
    let frame = PER_FRAME_PIXEL * f64::from(output.width) * f64::from(output.height);
    let vertices = setup.world.rest.len() as f64;
    let velocities = if output.velocities { PER_POSITION } else { 0.0 };
    let fields = output
        .vtu
        .as_ref()
        .map_or(0.0, |vtu| PER_FIELDS / vtu.every.max(1) as f64);
    let flow = PER_FLOW * setup.world.model.flowing() as f64;
    let bytes = states * ((PER_POSITION + velocities + fields) * vertices + flow + frame);

    (bytes > MUCH).then(|| {
        let message = format!(
            "a run will write about {} in {states:.0} states; make output.every larger, or \
             skip frames with --no-frames",
            number::bytes(bytes)
        );
        Problem::warning("output", message)
    })
}

/// Number of triangles of a shape.
pub(super) fn triangles(shape: &Shape) -> f64 {
    parts(shape).triangles
}

/// Number of edges of the surface of a shape.
pub(super) fn edges(shape: &Shape) -> f64 {
    parts(shape).edges
}

/// Memory that one body takes (bytes), by the coordinates that its kind moves by. `d_hat` is that of
/// the scene (m), if it has one.
fn of_body(body: &Body, d_hat: Option<f64>) -> f64 {
    let Parts {
        triangles,
        edges,
        curves,
    } = parts(&body.shape);
    let [triangles, edges] = divided(body, [triangles, edges]);

    // Pairs of edges of one surface: each edge has those within `d_hat` to both sides, at most all.
    let near = curves.map_or(0.0, |Surrounding { length, size }| {
        let reach = d_hat.unwrap_or(D_HAT_OF_SIZE * size);
        edges * edges * (2.0 * reach / length).min(1.0)
    });
    let elastic = triangles * (PER_TRIANGLE + PER_DOUBLING * log2((triangles / 1e3).max(1.0)))
        + edges * PER_EDGE
        + near * PER_NEAR;

    match body.kind.rules().freedom() {
        Freedom::Vertices => elastic,
        // A large mesh has fewer vertices than triangles.
        Freedom::Fields(fields) => elastic + 64.0 * fields * triangles + 32.0 * fields * fields,
        Freedom::Whole => of_outline(&body.shape),
    }
}

/// Numbers of triangles and edges of a body: quadratic elements are made of four and two of each,
/// unless the mesh has them already.
fn divided(body: &Body, [triangles, edges]: [f64; 2]) -> [f64; 2] {
    let has_six = matches!(&body.shape, Shape::Mesh(mesh) if mesh.quadratic);
    if body.elements == Elements::Quadratic && !has_six {
        [4.0 * triangles, 2.0 * edges]
    } else {
        [triangles, edges]
    }
}

/// Memory that a body or an obstacle without elastic triangles takes (bytes).
fn of_outline(shape: &Shape) -> f64 {
    let Parts {
        triangles, edges, ..
    } = parts(shape);
    triangles * PER_MESHED + edges * PER_EDGE
}

/// Numbers of triangles and surface edges of a shape, from its parameters.
///
/// Shapes are not checked before: counts may be 0 or huge. A gear counts 15 edges per tooth.
fn parts(shape: &Shape) -> Parts {
    match shape {
        // Meshes.
        Shape::Square(square) => grid([square.segments as f64; 2]),
        Shape::Rectangle(rectangle) => grid(rectangle.segments.map(|count| count as f64)),
        Shape::Disk(disk) => {
            let rings = (disk.segments as f64 / 6.0).ceil();
            Parts::new(6.0 * rings * rings, 6.0 * rings)
        }
        Shape::RegularPolygon(polygon) => {
            let sides = polygon.sides as f64;
            let segments = polygon.segments as f64;
            Parts::new(sides * segments * segments, sides * segments)
        }
        Shape::Mesh(mesh) => Parts::new(mesh.triangles.len() as f64, mesh.vertices.len() as f64),

        Shape::Area(area) => in_area(area),
        Shape::File(_) => lines(0),

        // Curves, circles and points.
        Shape::Outline(outline) => {
            lines(outline.points.len() + outline.holes.iter().map(Vec::len).sum::<usize>())
        }
        Shape::Ring(ring) => lines(ring.segments.saturating_mul(2)),
        Shape::Gear(gear) => lines(gear.teeth.saturating_mul(15)),
        Shape::Polyline(line) => lines(line.points.len().saturating_mul(line.segments)),
        Shape::Wire(wire) => lines(wire.vertices.len().max(wire.pairs().len())),
        Shape::Circle(_) | Shape::Point(_) | Shape::HalfPlane(_) => lines(1),
    }
}

/// Parts of an area whose triangles have the sizes that it asks for, and edges no larger than its
/// deviation allows.
///
/// The box around the curves is counted in full: a shape that fills a third of it takes a third of
/// the estimate.
fn in_area(area: &Area) -> Parts {
    let asked = Asked::of(area);
    if asked.excess().is_some() {
        // The checks have refused it, and its curves cannot be made.
        return Parts::new(asked.triangles, asked.triangles.sqrt());
    }
    let curves = Curves::of(area, Purpose::Edges);
    let size = curves.size.everywhere;
    let mut around = Aabb::EMPTY;
    let mut length = 0.0;
    let mut points = 0;

    for curve in &curves.loops {
        points += curve.points.len();
        let next = curve.points.iter().cycle().skip(1);
        length += curve
            .points
            .iter()
            .zip(next)
            .map(|(a, b)| (b - a).norm())
            .sum::<f64>();
        around = around.union(&Aabb::around(curve.points.iter().copied()));
    }

    let extent = around.extent();
    let points = points as f64;
    Parts {
        triangles: asked.triangles + PER_FINE_EDGE * points,
        edges: (1.5 * length / size).max(points),
        curves: Some(Surrounding {
            length,
            size: extent.max(),
        }),
    }
}

/// Parts of a shape without triangles.
fn lines(edges: usize) -> Parts {
    Parts::new(0.0, edges as f64)
}

/// Parts of a rectangle with this number of cells along x and y, two triangles to a cell.
fn grid([along_x, along_y]: [f64; 2]) -> Parts {
    Parts::new(2.0 * along_x * along_y, 2.0 * (along_x + along_y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use crate::schema::{Disk, Rectangle, RegularPolygon};
    use ipcsim_mesh::generate;

    #[test]
    fn counts_are_those_of_the_meshes() {
        let rectangle = Shape::from(Rectangle::new([2.0, 1.0], [5, 3]));
        let disk = Shape::from(Disk::new(1.0, 20));
        let polygon = Shape::from(RegularPolygon::new(1.0, 5, 3));
        let meshes = [
            (rectangle, generate::rectangle([2.0, 1.0], [5, 3])),
            (disk, generate::disk(1.0, 4)),
            (polygon, generate::regular_polygon(1.0, 5, 3)),
        ];

        for (shape, mesh) in meshes {
            let Parts {
                triangles, edges, ..
            } = parts(&shape);
            let boundary = ipcsim_mesh::boundary::edges(&mesh.triangles);
            assert_eq!(
                (triangles, edges),
                (mesh.triangles.len() as f64, boundary.len() as f64)
            );
        }
    }

    /// Measured for the check alone: 0.5 GB with 22,200 edges, 3.9 GB with 70,300.
    #[test]
    fn edges_far_shorter_than_d_hat_take_memory_for_their_pairs() {
        let bytes = |deviation: f64| {
            let text = format!(
                r#"{{ "time": {{ "step": 0.01, "steps": 1 }},
                     "materials": {{ "m": {{ "density": 1, "law": {{ "neo_hookean": {{ "young": 1, "poisson": 0 }} }} }} }},
                     "bodies": [ {{ "name": "a", "material": "m", "shape": {{ "area": {{
                        "outline": {{ "circle": {{ "center": [0, 0], "radius": 1 }} }},
                        "deviation": {deviation:e} }} }} }} ] }}"#
            );
            needs(&parse(&text, &[]).unwrap())[0].bytes
        };

        for (deviation, measured) in [(1e-8, 0.5e9), (1e-9, 3.9e9)] {
            let ratio = bytes(deviation) / measured;
            assert!((1.0..2.0).contains(&ratio), "{deviation:e}: {ratio}");
        }
        assert!(bytes(1e-11) > 1e11);
    }
}
