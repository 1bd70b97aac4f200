//! The files of a run that `verify` reads.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let files = ["mesh.json", "energies.csv", "trajectory.npy"];
    ipcsim_fuzz::program(&["verify", "DIR", "--against", "DIR"], &files, input);
});
