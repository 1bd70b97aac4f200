//! A scene of rigid-ipc and a model that it may name, `model.obj`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    ipcsim_fuzz::program(
        &[
            "import",
            "rigid-ipc",
            "DIR/scene.json",
            "-o",
            "DIR/imported.json",
        ],
        &["scene.json", "model.obj"],
        input,
    );
});
