//! Prints a reasonable scene of random bodies, one for every seed.
//!
//! ```text
//! cargo run --release --example random_scene -- --seed 7 > seven.json
//! cargo run --release -- run seven.json
//! ```
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints"
)]

mod scene;

use std::process::ExitCode;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let seed = match &given[..] {
        [] => Some(0),
        [key, number] if key == "--seed" => number.parse().ok(),
        _ => None,
    };
    let Some(seed) = seed else {
        eprintln!("error: give --seed and a whole number, for example --seed 7");
        return ExitCode::from(2);
    };
    println!("{:#}", scene::scene(seed));
    ExitCode::SUCCESS
}
