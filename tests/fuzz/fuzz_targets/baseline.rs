//! The report and the scene of a run, and a baseline that `verify` compares it with.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    static RUN: LazyLock<PathBuf> = LazyLock::new(ipcsim_fuzz::completed);
    LazyLock::force(&RUN);
    let files = ["run.json", "scene.json", "baseline"];
    ipcsim_fuzz::program(
        &["verify", "DIR", "--against", "DIR/baseline"],
        &files,
        input,
    );
});
