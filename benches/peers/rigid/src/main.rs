//! Runs a scene of `benches/crowds.py` by `Box2D` v3 and by rapier, each on one thread.
//!
//!     python3 benches/crowds.py wall > wall.json
//!     cd benches/peers/rigid && cargo run --release -- ../../../wall.json [--steps N] [--sleep]
//!
//! Bodies stay awake unless `--sleep` is given.

// Engines have single precision.
#![allow(clippy::cast_possible_truncation)]

mod box2d;
mod engine;
mod overlap;
mod rapier;
mod scene;

use scene::Scene;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("the first word is the scene's file")?;
    let mut scene = Scene::read(&std::fs::read_to_string(path)?)?;
    let mut sleeps = false;
    while let Some(word) = words.next() {
        match word.as_str() {
            "--steps" => scene.steps = words.next().ok_or("--steps needs a count")?.parse()?,
            "--sleep" => sleeps = true,
            _ => return Err(format!("{word} is no option").into()),
        }
    }

    engine::measure("Box2D v3", &scene, &mut box2d::Box2d::new(&scene, sleeps)?)?;
    engine::measure("rapier", &scene, &mut rapier::Rapier::new(&scene, sleeps))
}
