//! Forces read while stepping: a block that friction holds on a slope.
#![expect(clippy::print_stdout, reason = "an example prints")]

use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let mut simulation = block_on_slope(20.0, 0.5)?;
    let weight = 9.81 * simulation.body("block")?.mass();
    println!("weight: {weight:.3} N");

    for _ in 0..10 {
        simulation.run(10)?;
        let [normal, friction] = forces_on_block(&simulation);
        println!(
            "{:.1} s: normal force {normal:.3} N, friction {friction:.3} N",
            simulation.time()
        );
    }

    for contact in simulation.contacts() {
        let state = if contact.sticks { "sticks" } else { "slides" };
        println!(
            "vertex {} {state} at a gap of {:.2e} m",
            contact.vertices[0], contact.gap
        );
    }
    for reaction in simulation.reactions() {
        println!("{} carries {:.3} N", reaction.body, reaction.force.norm());
    }
    Ok(())
}

/// A block of steel, 0.2 m wide, at rest on a slope of this angle (degrees).
pub(crate) fn block_on_slope(degrees: f64, coefficient: f64) -> Result<Simulation, Error> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let slope = HalfPlane::new([-sin, cos], [0.0, 0.0]);
    let above = 0.0501;

    // The block starts 0.1 mm above the slope.
    let mut scene = Scene::new(Time::new(0.01, 100))
        .with_material("steel", Material::rigid(7800.0))
        .with_body(
            Body::rigid("block", Rectangle::new([0.2, 0.1], [1, 1]), "steel")
                .at([-sin * above, cos * above])
                .rotated(degrees),
        )
        .with_obstacle(Obstacle::new("slope", slope))
        .with_friction(coefficient);
    scene.solver.tolerance = Some(1e-8);
    Simulation::new(scene)
}

/// Sums of the normal forces and of the friction on the block (N).
pub(crate) fn forces_on_block(simulation: &Simulation) -> [f64; 2] {
    let mut normal = 0.0;
    let mut friction = Vec2::zeros();
    for contact in simulation.contacts() {
        normal += contact.normal_force;
        friction += contact.friction_force;
    }
    [normal, friction.norm()]
}
