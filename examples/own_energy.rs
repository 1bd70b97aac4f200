//! An energy of one's own: a spring pulls every vertex of a body to the origin.
#![expect(clippy::print_stdout, reason = "an example prints")]

use ipcsim::energy::{Batched, LocalEnergy, Summed};
use ipcsim::math::{Mat2, Vec2};
use ipcsim::prelude::*;

/// `k/2 |x|^2` of one vertex.
#[derive(Clone, Copy, Debug)]
struct Well {
    /// Stiffness `k` (N/m).
    stiffness: f64,
}

impl LocalEnergy<1> for Well {
    const NAME: &'static str = "well";

    fn value(&self, x: &[Vec2; 1]) -> f64 {
        0.5 * self.stiffness * x[0].norm_squared()
    }

    fn gradient(&self, x: &[Vec2; 1]) -> [Vec2; 1] {
        [x[0] * self.stiffness]
    }

    fn hessian(&self, _: &[Vec2; 1]) -> [[Mat2; 1]; 1] {
        [[Mat2::identity() * self.stiffness]]
    }
}

/// Wells are evaluated one by one.
impl Batched<1> for Well {}

pub(crate) fn main() -> Result<(), Error> {
    let mut simulation = oscillator()?;
    for _ in 0..10 {
        simulation.run(10)?;
        println!(
            "{:.1} s: {:+.4} m",
            simulation.time(),
            simulation.body("block")?.centre().x
        );
    }
    Ok(())
}

/// A block of 40 kg, 0.1 m away from the centre of a well of 1600 N/m: a period of 1 s.
pub(crate) fn oscillator() -> Result<Simulation, Error> {
    let mut scene = Scene::new(Time::new(0.01, 100))
        .with_gravity([0.0, 0.0])
        .with_material("wood", Material::rigid(1000.0))
        .with_body(Body::rigid("block", Square::new(0.2, 1), "wood").at([0.1, 0.0]));

    scene.solver.tolerance = Some(1e-8);
    let mut simulation = Simulation::new(scene)?;

    let mut wells = Summed::default();
    for vertex in simulation.body("block")?.body().vertices.clone() {
        wells.push([vertex], Well { stiffness: 400.0 });
    }
    simulation.add_energy(wells);
    Ok(simulation)
}
