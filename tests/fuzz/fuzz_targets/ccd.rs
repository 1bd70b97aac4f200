//! Queries, one on each line, by every method and with and without a separation.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    for method in ["exact", "additive", "inclusion"] {
        for separation in ["0", "0.01"] {
            let arguments = [
                "ccd",
                "DIR/queries.jsonl",
                "--method",
                method,
                "--min-separation",
                separation,
            ];
            ipcsim_fuzz::program(&arguments, &["queries.jsonl"], input);
        }
    }
});
