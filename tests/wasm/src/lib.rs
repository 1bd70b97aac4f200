//! Scenes in WebAssembly, for a test: the hash of the state after some steps, and messages of errors.
//!
//! Texts are passed in memory that [`take`] gives.

use ipcsim::Simulation;
use ipcsim::scene::parse;
use std::cell::RefCell;

thread_local! {
    /// Text of the last call.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Memory for a text of this number of bytes.
#[unsafe(no_mangle)]
pub extern "C" fn take(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Length of the text that the last call left at the place that [`place`] returns.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    TEXT.with_borrow(Vec::len)
}

/// Place of the text.
#[unsafe(no_mangle)]
pub extern "C" fn place() -> *const u8 {
    TEXT.with_borrow(Vec::as_ptr)
}

/// Runs the scene in the text, and leaves the hash in its place, or the message of an error.
///
/// Returns 0 for a hash, 1 for a scene that cannot be read or built, 2 for a step that fails.
#[unsafe(no_mangle)]
pub extern "C" fn run(steps: usize) -> u32 {
    let scene = TEXT.with_borrow(|text| String::from_utf8_lossy(text).into_owned());
    let (code, said) = match hash(&scene, steps) {
        Ok(hash) => (0, format!("{hash:016x}")),
        Err((code, message)) => (code, message),
    };
    TEXT.set(said.into_bytes());
    code
}

/// Hash of the state after a number of steps of a scene.
fn hash(text: &str, steps: usize) -> Result<u64, (u32, String)> {
    let scene = parse(text, &[]).map_err(|error| (1, error.to_string()))?;
    let mut simulation = Simulation::new(scene).map_err(|error| (1, error.to_string()))?;
    simulation.run(steps).map_err(|error| (2, error.to_string()))?;
    Ok(simulation.state().hash())
}
