//! A table of points, a scene and the plan of a sweep that names both, `points.csv` and `scene.json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    ipcsim_fuzz::program(
        &["sweep", "DIR/plan.json", "--list"],
        &["points.csv", "scene.json", "plan.json"],
        input,
    );
});
