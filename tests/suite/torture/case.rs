//! Tries an arbitrary scene: reads, checks and builds it, and runs some steps. None of this may
//! panic, and every state that a step returns must be sound.

use ipcsim::geometry::predicates::orientation;
use ipcsim::scene::schema::{Scene, Shape};
use ipcsim::scene::{Setup, build, check, parse};
use ipcsim::time::step;
use std::cmp::Ordering;

/// Largest number of vertices of a scene that is built.
const LARGEST: usize = 250;

/// Stage that a text reached.
pub(crate) enum Fate {
    /// The text is not a scene, or the scene has problems.
    Refused,
    /// The scene is too large to build here.
    Large,
    /// The scene can run.
    Ready(Box<Setup>),
}

/// Reads, checks and builds a scene.
pub(crate) fn prepare(text: &str) -> Fate {
    let Ok(mut scene) = parse(text, &[]) else {
        return Fate::Refused;
    };
    if !check(&scene).is_empty() {
        return Fate::Refused;
    }

    if vertices(&scene) > LARGEST {
        return Fate::Large;
    }

    // What a scene may ask for and get, if it has the time.
    scene.solver.max_iterations = scene.solver.max_iterations.min(20);
    let solves = &mut scene.contact.friction.lag_iterations;
    *solves = solves.map(|solves| solves.min(2));
    build(scene).map_or(Fate::Refused, |setup| Fate::Ready(Box::new(setup)))
}

/// Runs some steps, up to the first that fails. Failing is allowed.
///
/// # Panics
/// If a step returns a state that is not sound.
pub(crate) fn simulate(setup: Setup, steps: usize) {
    let world = setup.world;
    let mut state = setup.state;
    let mut solver = world.solver();

    for _ in 0..steps {
        if step(&world, &mut solver, &mut state).is_err() {
            return;
        }

        assert!(
            state.x.iter().all(|p| p.x.is_finite() && p.y.is_finite()),
            "a state is not finite"
        );
        for &[a, b, c] in &world.triangles {
            let turn = orientation(state.x[a], state.x[b], state.x[c]);
            assert_eq!(turn, Ordering::Greater, "a triangle is inverted");
        }

        let found = world.model.surface.outlines().intersections(&state.x);
        assert!(found.is_empty(), "{found:?}");
    }
}

/// Estimate of the number of vertices of a scene.
fn vertices(scene: &Scene) -> usize {
    let mut count = 0_usize;
    for body in &scene.bodies {
        let own = of_shape(&body.shape).saturating_mul(body.count());
        count = count.saturating_add(own);
    }
    for obstacle in &scene.obstacles {
        count = count.saturating_add(of_shape(&obstacle.shape));
    }
    count
}

fn of_shape(shape: &Shape) -> usize {
    const PER_TOOTH: usize = 20;
    let squared = |count: usize| count.saturating_mul(count);

    match shape {
        Shape::Square(square) => squared(square.segments.saturating_add(1)),
        Shape::Rectangle(r) => r.segments[0]
            .saturating_add(1)
            .saturating_mul(r.segments[1].saturating_add(1)),
        Shape::Disk(disk) => squared(disk.segments) / 12 + 7,
        Shape::RegularPolygon(polygon) => squared(polygon.segments).saturating_mul(polygon.sides),
        Shape::Mesh(mesh) => mesh.vertices.len(),
        // As many as in a square of a metre; a file is not read.
        Shape::Area(area) => {
            let wanted = 3.0 / area.mesh.size.unwrap_or(0.05);
            let fine = (1..1000_u32).find(|&count| f64::from(count) > wanted);
            squared(fine.map_or(usize::MAX, |count| count as usize))
        }
        Shape::File(_) => 0,
        Shape::Outline(outline) => {
            outline.points.len() + outline.holes.iter().map(Vec::len).sum::<usize>()
        }
        Shape::Ring(ring) => ring.segments.saturating_mul(2),
        Shape::Gear(gear) => gear.teeth.saturating_mul(PER_TOOTH),
        Shape::Polyline(line) => line.points.len(),
        Shape::Wire(wire) => wire.vertices.len(),
        Shape::Circle(_) | Shape::Point(_) | Shape::HalfPlane(_) => 2,
    }
}
