//! A ball of rubber falls on the ground: a scene from constructors, steps, and the height of the
//! ball.
#![expect(clippy::print_stdout, reason = "an example prints")]

use ipcsim::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let scene = Scene::new(Time::new(0.01, 100))
        .with_material("rubber", Material::neo_hookean(1000.0, 1e5, 0.4))
        .with_body(Body::deformable("ball", Disk::new(0.1, 24), "rubber").at([0.0, 0.5]))
        .with_obstacle(Obstacle::new(
            "ground",
            HalfPlane::new([0.0, 1.0], [0.0, 0.0]),
        ));

    let mut simulation = Simulation::new(scene)?;
    for _ in 0..10 {
        simulation.run(10)?;
        println!(
            "{:.1} s: {:.3} m",
            simulation.time(),
            simulation.body("ball")?.centre().y
        );
    }

    Ok(())
}
