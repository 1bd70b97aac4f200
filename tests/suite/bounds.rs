//! What scenes, plans and files ask for is estimated before it is made, and only files are read.

use crate::program::{Place, ipcsim, project};
use crate::torture::mutate::{Random, garbled, renumbered};
use ipcsim::scene::import::{Format, cells, drawing};
use ipcsim_store::study::{Sources, Study};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs the program with 1 GB of address space at most; returns its exit code and messages.
///
/// The issue is memory: the time is far from what a refusal takes, on busy machines too.
#[cfg(unix)]
fn bounded(args: &[&str]) -> (i32, String) {
    let started = Instant::now();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_ipcsim"))
        .args(args)
        .output()
        .unwrap();
    assert!(started.elapsed() < Duration::from_mins(1), "{args:?}");
    let messages = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap_or(-1), messages)
}

/// A scene with one body of an area.
fn of_area(area: &Value) -> Value {
    json!({
        "time": { "step": 0.01, "steps": 1 },
        "materials": { "m": { "density": 1, "law": { "neo_hookean": { "young": 1, "poisson": 0.3 } } } },
        "bodies": [{ "name": "a", "material": "m", "shape": area }]
    })
}

/// A circle of radius 1 with the name `c`, and further keys.
fn circle(more: &Value) -> Value {
    let mut area = json!({
        "outline": { "circle": { "center": [0, 0], "radius": 1, "name": "c" } }
    });
    for (key, value) in more.as_object().unwrap() {
        area[key] = value.clone();
    }
    of_area(&json!({ "area": area }))
}

#[cfg(unix)]
#[test]
fn areas_that_no_machine_meshes_are_refused_with_their_need() {
    let place = Place::new();
    let near = |size: f64, radius: f64| json!([{ "at": [0, 0], "size": size, "radius": radius }]);
    let mut asked = Vec::new();
    for deviation in [1e-10, 1e-14, 1e-17, 1e-300] {
        asked.push(json!({ "deviation": deviation }));
    }
    for size in [1e-4, 1e-5, 1e-9, 1e-12, 1e-300] {
        asked.push(json!({ "mesh": { "size": size } }));
        asked.push(json!({ "mesh": { "size": 0.5, "along": { "c": size } } }));
        asked.push(json!({ "mesh": { "near": near(size, 1.0) } }));
        asked.push(json!({ "mesh": { "grading": 0, "near": near(size, 0.0) } }));
    }
    asked.push(json!({ "mesh": { "grading": 0, "near": near(1e-3, 1.0) } }));
    for more in asked {
        let scene = place.scene(&circle(&more));
        let (code, messages) = bounded(&["check", &scene]);
        assert_eq!(code, 2, "{more}: {messages}");
        assert!(messages.contains("about"), "{more}: {messages}");
    }
}

/// Far more runs than any machine computes.
const MANY: u64 = 1_000_000_000_000_000_000;

/// A grid whose points are compressed, and unpack to this many bytes by its own words.
fn packed(bytes: u32) -> String {
    let mut head = Vec::new();
    for number in [1_u32, bytes, 0, 8] {
        head.extend(number.to_le_bytes());
    }
    let encode = |bytes: &[u8]| {
        // Base 64 by hand, as the format is what is tested.
        const CODE: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let mut whole = [0; 3];
            whole[..chunk.len()].copy_from_slice(chunk);
            let whole = u32::from_be_bytes([0, whole[0], whole[1], whole[2]]);
            for k in 0..4 {
                let code = CODE[(whole >> (18 - 6 * k) & 63) as usize] as char;
                text.push(if k <= chunk.len() { code } else { '=' });
            }
        }
        text
    };
    format!(
        "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" compressor=\"vtkZLibDataCompressor\">\
         <UnstructuredGrid><Piece NumberOfPoints=\"3\" NumberOfCells=\"1\"><Points><DataArray \
         type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">{}{}</DataArray></Points></Piece>\
         </UnstructuredGrid></VTKFile>",
        encode(&head),
        encode(&[0; 8])
    )
}

#[cfg(unix)]
#[test]
fn files_that_unpack_to_gigabytes_or_have_millions_of_points_are_refused() {
    let place = Place::new();

    // A path of millions of numbers.
    let mut path = String::from("M0 0");
    for k in 0..1_200_000 {
        let _ = write!(path, " L{k} {}", k % 2);
    }
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\" width=\"9mm\" height=\"9mm\"><path d=\"";
    for (name, text, said) in [
        ("bomb.vtu", packed(1 << 30), "unpacks to 1.1 GB"),
        (
            "long.svg",
            format!("{svg}{path}Z\"/></svg>"),
            "numbers, which take about",
        ),
    ] {
        std::fs::write(place.path(name), text).unwrap();
        let file = json!({ "file": { "path": name, "unit": "mm" } });
        let scene = place.scene(&of_area(&file));
        let (code, messages) = bounded(&["check", &scene]);
        assert_eq!(code, 2, "{messages}");
        assert!(messages.contains(said), "{messages}");
    }
}

#[cfg(unix)]
#[test]
fn plans_of_more_runs_or_fields_than_a_task_holds_are_refused() {
    let place = Place::new();
    std::fs::copy(project("tests/data/small.json"), place.path("small.json")).unwrap();

    // Tables and numbers of runs.
    std::fs::write(place.path("table.csv"), "time.step\n".repeat(4_000_000)).unwrap();
    let range = json!({ "key": "time.step", "from": 0.01, "to": 0.02, "count": MANY });
    let over = json!([{ "key": "time.step", "from": 0.01, "to": 0.02 }]);
    for (vary, said) in [
        (json!([{ "range": range }]), "8.0e9 GB"),
        (
            json!([{ "random": { "runs": MANY, "over": over } }]),
            "8.0e9 GB",
        ),
        (
            json!([{ "latin_hypercube": { "runs": MANY, "over": over } }]),
            "8.0e9 GB",
        ),
        (json!([{ "table": "table.csv" }]), "fields, which take"),
    ] {
        let plan = json!({ "scene": "small.json", "vary": vary });
        std::fs::write(place.path("plan.json"), plan.to_string()).unwrap();
        let out = place.path("out");
        let (code, messages) =
            bounded(&["sweep", &place.path("plan.json"), "--only", "--out", &out]);
        assert_eq!(code, 2, "{vary}: {messages}");
        assert!(messages.contains(said), "{messages}");
    }
}

#[cfg(unix)]
#[test]
fn a_plan_reads_files_of_its_folder_only() {
    let place = Place::new();
    std::fs::create_dir(place.path("plans")).unwrap();
    let scene = place.path("small.json");
    std::fs::copy(project("tests/data/small.json"), &scene).unwrap();
    std::os::unix::fs::symlink(&scene, place.path("plans/link.json")).unwrap();

    for (scene, table) in [
        ("../small.json", None),
        ("link.json", None),
        (&scene[..], None),
        ("own.json", Some("/etc/passwd")),
    ] {
        std::fs::copy(
            project("tests/data/small.json"),
            place.path("plans/own.json"),
        )
        .unwrap();
        let vary: Vec<Value> = table
            .iter()
            .map(|table| json!({ "table": table }))
            .collect();
        let plan = json!({ "scene": scene, "vary": vary });
        let path = place.path("plans/plan.json");
        std::fs::write(&path, plan.to_string()).unwrap();
        let ended = ipcsim(&["sweep", &path, "--list"]);
        ended
            .exits(2)
            .complains("it is outside of the plan's folder");
        assert!(!ended.stderr.contains("root:"), "{ended:?}");
        if table.is_none() {
            let leave = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
                .env("IPCSIM_FILES", place.root())
                .args(["sweep", &path, "--list"])
                .output();
            assert!(leave.unwrap().status.success());
        }
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_read() {
    let place = Place::new();
    let pipe = |name: &str| {
        let made = Command::new("mkfifo").arg(place.path(name)).status();
        assert!(made.unwrap().success());
    };
    pipe("pipe.json");
    pipe("pipe.obj");
    pipe("pipe.csv");
    let scene = place.scene(&of_area(
        &json!({ "file": { "path": "pipe.obj", "unit": "mm" } }),
    ));
    let plans = [
        json!({ "scene": "pipe.json" }),
        json!({ "scene": "scene.json", "vary": [{ "table": "pipe.csv" }] }),
    ];
    let mut asked = vec![
        vec!["check", &scene],
        vec!["check", "/dev/zero"],
        vec!["mesh", "/dev/zero", "--out", "/dev/null"],
        vec!["ccd", "/dev/zero"],
        vec!["import", "rigid-ipc", "/dev/zero", "--out", "/dev/null"],
        vec!["sweep", "/dev/zero", "--list"],
    ];
    let pipes = ["pipe.json", "pipe.obj"].map(|name| place.path(name));
    asked.push(vec!["check", &pipes[0]]);
    asked.push(vec![
        "mesh",
        &pipes[1],
        "--unit",
        "mm",
        "--out",
        "/dev/null",
    ]);
    let paths = [0, 1].map(|k| place.path(&format!("plan{k}.json")));
    for (path, plan) in paths.iter().zip(&plans) {
        std::fs::write(path, plan.to_string()).unwrap();
        asked.push(vec!["sweep", path, "--list"]);
    }
    for args in asked {
        let (code, messages) = bounded(&args);
        assert_eq!(code, 2, "{args:?} {messages}");
    }

    // A folder of a run, each of whose files may be a pipe.
    let run = place.ran("tests/data/small.json", "run", &["--certify"]);
    for (name, bytes) in place.files("run") {
        let path = Path::new(&run).join(&name);
        std::fs::remove_file(&path).unwrap();
        pipe(&format!("run/{name}"));
        let (code, messages) = bounded(&["verify", &run]);
        assert!(code == 2 || name == "timings.csv", "{name} {messages}");
        bounded(&["view", &run, "--no-open"]);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
    }
}

#[test]
fn mutants_of_plans_tables_and_shapes_are_read_or_refused() {
    let place = Place::new();
    std::fs::copy(project("tests/data/small.json"), place.path("small.json")).unwrap();
    let plan = std::fs::read(project("tests/fuzz/corpus/plan/small")).unwrap();
    let plan = plan.rsplit(|&byte| byte == b'\n').next().unwrap();
    let plan = String::from_utf8(plan.to_vec())
        .unwrap()
        .replace("scene.json", "small.json");
    let table = "contact.friction.default,bodies.0.velocity\n0.1,\"[2, 0]\"\n0.2,\"[3, 0]\"\n";
    std::fs::write(place.path("points.csv"), table).unwrap();
    let sources = Sources::of(plan.clone(), place.root()).unwrap();
    assert_eq!(Study::new(&sources).unwrap().count(), 24);

    let started = Instant::now();
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let plan = text(garbled(plan.clone().into_bytes(), &mut random));
        let table = text(garbled(table.as_bytes().to_vec(), &mut random));
        std::fs::write(place.path("points.csv"), table).unwrap();
        if let Ok(sources) = Sources::of(plan, place.root()) {
            let _ = Study::new(&sources);
        }
    }

    let run = place.ran(
        "tests/data/small.json",
        "run",
        &["--set", "output.vtu=true"],
    );
    let vtu = std::fs::read(Path::new(&run).join("fields/000000.vtu")).unwrap();
    let svg = std::fs::read(project("tests/fuzz/corpus/shape/svg")).unwrap()[1..].to_vec();
    let obj = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng plate\nf 1/1 2/1 3/1 -1/1\n".to_vec();
    for seed in 0..300 {
        let mut random = Random::new(seed);
        for (format, bytes) in [(Format::Vtu, &vtu), (Format::Obj, &obj)] {
            let _ = cells(format, &garbled(bytes.clone(), &mut random));
            let _ = cells(format, &renumbered(bytes.clone(), &mut random));
        }
        let _ = drawing(Format::Svg, &garbled(svg.clone(), &mut random));
    }
    assert!(started.elapsed() < Duration::from_mins(2));
}

#[test]
fn names_that_a_spreadsheet_would_compute_are_texts_and_come_back() {
    let place = Place::new();
    let text = std::fs::read_to_string(project("tests/data/all_files.json")).unwrap();
    let text = text
        .replace("\"lower\"", "\"=1+1\"")
        .replace("\"upper\"", "\"@b,c\"");
    std::fs::write(place.path("scene.json"), text).unwrap();
    let run = place.ran(&place.path("scene.json"), "run", &[]);
    ipcsim(&["export", &run, "--format", "csv"]).exits(0);

    // No field begins as a formula does.
    for (name, bytes) in place.files("run") {
        let is_table = Path::new(&name).extension().is_some_and(|end| end == "csv");
        if !is_table {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        for start in ["=1", "@b"] {
            for before in [",", "\n", "\""] {
                assert!(
                    !text.contains(&format!("{before}{start}")),
                    "{name}: {text}"
                );
            }
        }
    }
    let forces = place.read("run/forces.csv");
    assert!(forces.contains(",'=1+1,floor,"), "{forces}");
    let chart = place.path("chart.png");
    ipcsim(&["plot", &run, "--pair", "=1+1,floor", "--out", &chart]).exits(0);
}
