//! Runs chapter 8 of the book, two soft squares under a ceiling that comes down, by rapier's soft bodies on one thread: by
//! its constraints, and by its finite elements.
//!
//!     cd benches/peers/rigid && cargo run --release --bin soft -- [SEGMENTS [SKIN_MM]]
//!
//! Outlines have a skin that keeps others off, 5 mm thick if no thickness is given.

// Rapier has single precision.
#![allow(clippy::cast_precision_loss)]

use rapier2d::prelude::*;
use std::error::Error;
use std::time::Instant;

/// Side of a square (m).
const SIDE: Real = 0.45;
/// Length of a step (s), and the number of steps.
const STEP: Real = 0.01;
const STEPS: usize = 200;
/// Height of ground and ceiling at the start (m), and the speed and the way of the ceiling (m/s, m).
const GROUND: Real = -1.0;
const CEILING: Real = 0.27;
const SPEED: Real = 0.5;
const TRAVEL: Real = 0.97;
/// Half the height of the box that stands for the ceiling (m).
const HALF: Real = 0.5;
const FRICTION: Real = 0.4;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let segments = words.next().map_or(Ok(22), |word| word.parse())?;
    let radius = words.next().map_or(Ok(5.0), |word| word.parse::<Real>())?;
    for (name, solver) in [
        ("constraints", SoftBodySolver::Constraints),
        ("finite elements", SoftBodySolver::Fem),
    ] {
        let (milliseconds, deep) = run(segments, radius * 1e-3, solver);
        println!("rapier, {name:15} {milliseconds:8.3} ms a step, {deep:5.1} mm below the ground");
    }
    Ok(())
}

/// Milliseconds a step, and how deep the lowest vertex is below the ground at most (mm). `radius` is the thickness of the
/// skin (m).
fn run(segments: usize, radius: Real, solver: SoftBodySolver) -> (f64, f64) {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -9.81);
    world.integration_parameters.dt = STEP;

    let ground = ColliderBuilder::new(SharedShape::halfspace(Vector::new(0.0, 1.0).normalize()));
    let at = Vector::new(0.0, GROUND);
    world.insert(
        RigidBodyBuilder::fixed().translation(at),
        ground.friction(FRICTION),
    );
    let at = Vector::new(0.0, CEILING + HALF);
    let ceiling = RigidBodyBuilder::kinematic_velocity_based()
        .translation(at)
        .linvel(Vector::new(0.0, -SPEED));
    let (ceiling, _) = world.insert(
        ceiling,
        ColliderBuilder::cuboid(3.0, HALF).friction(FRICTION),
    );
    let squares = [Vector::new(0.0, 0.0), Vector::new(0.045, -0.495)]
        .map(|centre| world.insert_soft_body(square(centre, segments, radius, solver)));

    let mut seconds = 0.0;
    let mut deep = 0.0_f64;
    for step in 0..STEPS {
        let time = STEP * step as Real;
        if SPEED * time >= TRAVEL {
            world.bodies[ceiling].set_linvel(Vector::new(0.0, 0.0), true);
        }
        let start = Instant::now();
        world.step();
        seconds += start.elapsed().as_secs_f64();
        for (handle, body) in world.soft_bodies() {
            debug_assert!(squares.contains(&handle));
            let lowest = body
                .particle_positions()
                .map(|x| x.y)
                .fold(Real::INFINITY, Real::min);
            deep = deep.max(f64::from(GROUND - lowest) * 1e3);
        }
    }
    (seconds / STEPS as f64 * 1e3, deep)
}

/// A square around a centre, cut into triangles as the book does.
fn square(
    centre: Vector,
    segments: usize,
    radius: Real,
    solver: SoftBodySolver,
) -> SoftBodyBuilder {
    let width = SIDE / segments as Real;
    let corner = centre - Vector::new(SIDE, SIDE) * 0.5;
    let across = segments + 1;
    let positions: Vec<Vector> = (0..across * across)
        .map(|k| corner + Vector::new((k / across) as Real, (k % across) as Real) * width)
        .collect();
    let mut cells = Vec::new();
    for i in 0..segments {
        for j in 0..segments {
            let [a, b, c, d] = [[i, j], [i + 1, j], [i, j + 1], [i + 1, j + 1]]
                .map(|[i, j]| (i * across + j) as u32);
            cells.extend(if (i + j) % 2 == 0 {
                [[a, b, d], [a, d, c]]
            } else {
                [[a, b, c], [b, d, c]]
            });
        }
    }
    let material = SoftBodyMaterial {
        young_modulus: 1e5,
        poisson_ratio: 0.4,
        ..SoftBodyMaterial::default()
    };
    SoftBodyBuilder::new(positions)
        .cells(cells)
        .mass(1000.0 * SIDE * SIDE)
        .material(material)
        .cell_model(SoftBodyCellModel::NeoHookean)
        .solver(solver)
        .particle_radius(radius)
        .surface_collider(ColliderBuilder::ball(radius).friction(FRICTION))
        .can_sleep(false)
}
