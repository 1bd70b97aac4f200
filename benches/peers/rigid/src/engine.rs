//! What every engine does, and the measurement of one.

use crate::overlap::deepest;
use crate::scene::{Pose, Scene};
use std::error::Error;
use std::time::Instant;

/// A scene in an engine.
pub trait Engine {
    /// Takes one step.
    ///
    /// # Errors
    /// What the engine says.
    fn advance(&mut self) -> Result<(), Box<dyn Error>>;

    /// Places of all bodies now.
    ///
    /// # Errors
    /// What the engine says.
    fn poses(&mut self) -> Result<Vec<Pose>, Box<dyn Error>>;
}

/// Steps between two looks at overlaps.
const LOOK: usize = 5;

/// Runs a scene, and prints milliseconds a step over all steps and over the second half of them,
/// the deepest overlap of every fifth step (mm), and how far the body that was highest, the last
/// one of several, has sunk (mm).
///
/// # Errors
/// What the engine says.
pub fn measure(name: &str, scene: &Scene, engine: &mut dyn Engine) -> Result<(), Box<dyn Error>> {
    let mut times = Vec::new();
    let mut overlap: f64 = 0.0;
    for step in 1..=scene.steps {
        let start = Instant::now();
        engine.advance()?;
        times.push(1e3 * start.elapsed().as_secs_f64());
        if step % LOOK == 0 {
            overlap = overlap.max(deepest(scene, &engine.poses()?));
        }
    }

    let highest = |a: &usize, b: &usize| {
        let height = |k: usize| scene.bodies[k].start.centre[1];
        height(*a).total_cmp(&height(*b))
    };
    let top = (0..scene.bodies.len())
        .max_by(highest)
        .ok_or("the scene has no bodies")?;
    let sunk = scene.bodies[top].start.centre[1] - engine.poses()?[top].centre[1];
    let late = &times[times.len() / 2..];
    println!(
        "{name:8} {:8.4} {:8.4} ms a step, {:6.1} mm deep, sunk by {:6.1} mm",
        mean(&times),
        mean(late),
        1e3 * overlap,
        1e3 * sunk
    );
    Ok(())
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}
