//! A file with a shape: its first byte chooses the format, by which the program reads and meshes it.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&first, file)) = input.split_first() else {
        return;
    };
    let endings = ["svg", "msh", "obj", "vtk", "vtu", "dxf", "inp", "mesh"];
    let name = format!("shape.{}", endings[usize::from(first) % endings.len()]);
    let path = format!("DIR/{name}");
    ipcsim_fuzz::program(
        &["mesh", &path, "--unit", "mm", "--out", "DIR/mesh.json"],
        &[&name],
        file,
    );
});
