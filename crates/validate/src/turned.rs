//! Scenes and meshes of bodies of revolution for cases.

use crate::perturb::simulated;
use crate::scenes::{Exact, RUBBER, ground, statics};
use crate::six_nodes::six_nodes;
use ipcsim::energy::Conditions;
use ipcsim::fields::{Known, Snapshot, Subject};
use ipcsim::math::{PlaneTensor, Vec2};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Area, Curve, InlineMesh, Plane, Selection};

/// A static scene of bodies of revolution without gravity, whose material [`RUBBER`] has this law.
pub(super) fn turned(increments: usize, law: Law) -> Scene {
    let mut scene = statics(increments).weightless().elastic(law);
    scene.plane = Plane::Axisymmetric;
    scene
}

/// A body of the name "body" that is pressed onto the ground by its flat side "top", in two increments: with an
/// outline that starts at the lowest point, on the axis, and whose part "foot" has edges of this length (m).
///
/// It starts this far `above` the ground (m), and is pressed by that and by how far it is `sunk` (m).
pub(super) fn squeezed_onto_ground(
    outline: Curve,
    edges: f64,
    law: Law,
    [above, sunk]: [f64; 2],
) -> Result<Simulation, Error> {
    let mut area = Area::new(outline).with_size(0.15);
    area.mesh.along.insert("foot".to_owned(), edges);
    let depth = format!("-{}*t", sunk + above);
    let held = Prescribed::displaced(Selection::Named("top".to_owned()), ["0", depth.as_str()]);
    let body = Body::deformable("body", area, RUBBER)
        .at([0.0, above])
        .with_prescribed(held);
    let scene = turned(2, law).with_body(body).with_obstacle(ground());
    let mut simulation = simulated(scene)?;
    simulation.run(2)?;
    Ok(simulation)
}

/// Mesh of cells that `place` maps from the unit square into the half-plane, with diagonals that
/// alternate, of linear triangles or of quadratic ones whose nodes are mapped as well. Vertices of a
/// column follow each other, from the bottom to the top.
pub(super) fn grid(
    [columns, rows]: [usize; 2],
    is_quadratic: bool,
    place: impl Fn(Vec2) -> Vec2,
) -> InlineMesh {
    let mut squares = Vec::new();
    let mut triangles = Vec::new();
    let number = |i: usize, j: usize| i * (rows + 1) + j;
    for i in 0..=columns {
        for j in 0..=rows {
            squares.push([i as f64 / columns as f64, j as f64 / rows as f64]);
        }
    }
    for i in 0..columns {
        for j in 0..rows {
            let [a, b] = [number(i, j), number(i + 1, j)];
            let [c, d] = [number(i + 1, j + 1), number(i, j + 1)];
            if (i + j) % 2 == 0 {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }

    let plain = InlineMesh::new(squares, triangles);
    let mut mesh = if is_quadratic {
        six_nodes(&plain, |[a, b]| (a + b) / 2.0)
    } else {
        plain
    };
    for vertex in &mut mesh.vertices {
        *vertex = place(Vec2::from(*vertex)).into();
    }
    mesh
}

/// A body of the name "body" with a mesh of [`grid`].
pub(super) fn section(mesh: InlineMesh) -> Body {
    let is_quadratic = mesh.quadratic;
    let body = Body::deformable("body", mesh, RUBBER);
    if is_quadratic { body.quadratic() } else { body }
}

/// A rectangle of the radii `[from, to]` and the heights `[bottom, top]` (m).
pub(super) fn rectangle(
    [from, to]: [f64; 2],
    [bottom, top]: [f64; 2],
    cells: [usize; 2],
    is_quadratic: bool,
) -> InlineMesh {
    grid(cells, is_quadratic, |s| {
        Vec2::new(from + (to - from) * s.x, bottom + (top - bottom) * s.y)
    })
}

/// A quarter of a spherical shell of these radii (m) above y = 0, from the axis to the equator.
pub(super) fn shell([from, to]: [f64; 2], cells: [usize; 2], is_quadratic: bool) -> InlineMesh {
    grid(cells, is_quadratic, |s| {
        let angle = std::f64::consts::FRAC_PI_2 * s.x;
        let radius = from + (to - from) * s.y;
        // The pole is on the axis to the bit.
        let out = if s.x == 0.0 { 0.0 } else { angle.sin() };
        let up = if (s.x - 1.0).abs() < f64::EPSILON {
            0.0
        } else {
            angle.cos()
        };
        Vec2::new(radius * out, radius * up)
    })
}

/// Vertices within a distance `within` of a place (m), held along y.
pub(super) fn on_y(selection: Selection) -> Prescribed {
    let mut held = Prescribed::held(selection);
    held.axis = Some(Axis::Y);
    held
}

/// Vertices at these heights (m) and any radius.
pub(super) fn at_height(y: f64, margin: f64) -> Selection {
    Selection::within([-1.0, y - margin], [1e6, y + margin])
}

/// Vertices at this radius (m) and any height.
pub(super) fn at_radius(x: f64, margin: f64) -> Selection {
    Selection::within([x - margin, -1e6], [x + margin, 1e6])
}

/// Displacement (m) of the vertex of a body that is nearest to a place at rest (m).
///
/// # Errors
/// If there is no body of this name.
pub(super) fn moved(simulation: &Simulation, name: &str, place: [f64; 2]) -> Result<Vec2, Error> {
    let vertex = nearest(simulation, name, place)?;
    Ok(simulation.state().x[vertex] - simulation.world().rest[vertex])
}

/// Number of the vertex of a body that is nearest to a place at rest (m).
///
/// # Errors
/// If there is no body of this name.
pub(super) fn nearest(
    simulation: &Simulation,
    name: &str,
    place: [f64; 2],
) -> Result<usize, Error> {
    let own = simulation.body(name)?.body().vertices.clone();
    let rest = &simulation.world().rest;
    let distance = |vertex: &usize| (rest[*vertex] - Vec2::from(place)).norm();
    let found = own.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    Ok(found.unwrap_or(0))
}

/// Cauchy stress (Pa) at all vertices; `zz` is the one around the axis.
pub(super) fn stresses(simulation: &Simulation) -> Vec<PlaneTensor> {
    let world = simulation.world();
    let materials = vec![None; world.bodies.len()];
    let subject = Subject::new(world, Plane::Axisymmetric, 1.0, materials);
    let state = simulation.state();
    let flowed = &state.memory.options.plasticity.flowed;
    let time = state.time;
    let known = Known::positions(&state.x, Conditions { time, flowed });
    Snapshot::new(&subject, known).stress().vertices.clone()
}
