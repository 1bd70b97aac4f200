//! `ipcsim check`.

use super::{CommandError, Outcome, say};
use crate::scene::{Setup, build, read};
use std::path::PathBuf;

/// Read and build a scene, report every problem at once, run nothing.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// The scene, a JSON file.
    scene: PathBuf,
    /// Replace a value of the scene, for example time.step=0.005; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

pub(super) fn run(args: &CheckArgs) -> Result<Outcome, CommandError> {
    let in_scene = || CommandError::scene(&args.scene);
    let scene = read(&args.scene, &args.set).map_err(in_scene())?;
    let Setup { scene, world, .. } = build(scene).map_err(in_scene())?;
    let surface = &world.surface;
    say(&format!("{}: no problems", args.scene.display()));
    say(&format!(
        "  {} bodies, {} obstacles, {} vertices, {} triangles, {} springs",
        scene.bodies.len(),
        scene.obstacles.len(),
        world.rest.len(),
        world.triangles.len(),
        world.springs.len()
    ));
    say(&format!("  {} steps of {} s, tolerance {:e} m/s", scene.time.steps, scene.time.step, scene.solver.tolerance));
    say(&format!(
        "  contact: {} edges, d_hat {:e} m, kappa {:e} Pa",
        surface.edges.len(),
        surface.barrier.d_hat,
        surface.barrier.kappa
    ));
    for (body, &own) in world.bodies.iter().zip(&surface.self_d_hat) {
        if own < surface.barrier.d_hat && !body.vertices.is_empty() {
            say(&format!("  \"{}\" repels itself only below {own:e} m, half of its smallest gap at rest", body.name));
        }
    }
    Ok(Outcome::Done)
}
