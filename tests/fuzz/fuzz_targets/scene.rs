//! The text of a scene: read, checked, built if it is small, and run for three steps.
#![no_main]

#[path = "../../suite/torture/case.rs"]
mod case;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let case::Fate::Ready(setup) = case::prepare(text) {
        case::simulate(*setup, 3);
    }
});
