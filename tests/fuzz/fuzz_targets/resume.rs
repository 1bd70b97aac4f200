//! The journal and the checkpoint of an interrupted run, which is then resumed.
#![no_main]

#[path = "../../suite/torture/interrupted.rs"]
mod interrupted;

use interrupted::Interrupted;
use std::sync::LazyLock;

libfuzzer_sys::fuzz_target!(|held: &[u8]| {
    static RUN: LazyLock<Interrupted> =
        LazyLock::new(|| Interrupted::open(&ipcsim_fuzz::interrupted()).0);
    RUN.write(held);
    ipcsim_fuzz::program(&["run", "--resume", "DIR", "--quiet"], &[], &[]);
});
