//! The segments of a run, which `verify` proves.
#![no_main]

#[path = "../../suite/torture/certified.rs"]
mod certified;

use certified::Certified;
use std::sync::LazyLock;

libfuzzer_sys::fuzz_target!(|held: &[u8]| {
    static RUN: LazyLock<Certified> =
        LazyLock::new(|| Certified::open(&ipcsim_fuzz::completed()).0);
    RUN.write(held);
    ipcsim_fuzz::program(&["verify", "DIR"], &[], &[]);
});
