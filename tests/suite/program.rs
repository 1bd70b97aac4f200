//! Running the program from tests, and reading what it writes.

use ipcsim_store::folder::RunFolder;
use ipcsim_store::report::RunReport;
use ipcsim_store::run_files::{read_report, write_report};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Result of a run of the program: exit code and output.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// Asserts that a text is in the standard output.
    #[track_caller]
    pub(crate) fn prints(&self, part: &str) -> &Self {
        assert!(self.stdout.contains(part), "{part}: {self:?}");
        self
    }

    /// Asserts that a text is in the standard error.
    #[track_caller]
    pub(crate) fn complains(&self, part: &str) -> &Self {
        assert!(self.stderr.contains(part), "{part}: {self:?}");
        self
    }
}

/// Runs the program in the folder `cwd`.
pub(crate) fn ipcsim_in(cwd: &Path, args: &[&str]) -> Ended {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .current_dir(cwd)
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();

    // A program that a signal ended has no code.
    let code = output.status.code().unwrap_or(-1);
    Ended {
        code,
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Runs the program in the project's folder, with arguments that have no spaces.
pub(crate) fn ipcsim_line(line: &str) -> Ended {
    ipcsim(&words(line))
}

/// Arguments that have no spaces.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Runs the program in the project's folder.
pub(crate) fn ipcsim(args: &[&str]) -> Ended {
    ipcsim_in(&project(""), args)
}

/// A path in the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Adds the Rust files of a folder and of those in it to `found`.
pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// A place for runs, removed at the end.
pub(crate) struct Place(TempDir);

impl Place {
    /// A new and empty place.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Folder of the place.
    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// Writes a scene and returns its path.
    pub(crate) fn scene(&self, scene: &serde_json::Value) -> String {
        let path = self.path("scene.json");
        std::fs::write(&path, scene.to_string()).unwrap();
        path
    }

    /// Runs the scene in a file without frames, in the folder `name`. Returns its path.
    pub(crate) fn ran(&self, scene: &str, name: &str, more: &[&str]) -> String {
        let out = self.path(name);
        let fixed = ["run", scene, "--out", &out, "--no-frames", "--quiet"];
        ipcsim(&[&fixed[..], more].concat()).exits(0);
        out
    }

    /// Runs the scene in a file with proofs and without frames, in the folder `name`. Returns its path.
    pub(crate) fn certified(&self, scene: &str, name: &str, more: &[&str]) -> String {
        self.ran(scene, name, &[&["--certify"], more].concat())
    }

    /// Runs a scene of these `steps` with proofs, as a whole and resumed after a `part` of them, on one,
    /// two and three threads. Both have the same states and are verified. Returns their folders.
    pub(crate) fn resumed(
        &self,
        scene: &serde_json::Value,
        [part, steps]: [&str; 2],
    ) -> [String; 2] {
        let path = self.scene(scene);
        let whole = self.certified(&path, "whole", &["--threads", "1"]);
        let part = self.certified(&path, "part", &["--steps", part, "--threads", "2"]);
        ipcsim(&["run", "--resume", &part, "--steps", steps, "--threads", "3"]).exits(0);

        let [one, other] = ["whole", "part"].map(|name| self.json(&format!("{name}/run.json")));
        assert_eq!(one["hash"], other["hash"]);
        for file in ["trajectory.npy", "energies.csv"] {
            let bytes = |folder| std::fs::read(Path::new(folder).join(file)).unwrap();
            assert!(bytes(&whole) == bytes(&part), "{file}");
        }
        for folder in [&whole, &part] {
            ipcsim(&["verify", folder]).exits(0);
        }
        [whole, part]
    }

    /// The path of an entry as an argument.
    pub(crate) fn path(&self, name: &str) -> String {
        self.root().join(name).to_str().unwrap().to_owned()
    }

    /// Text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.root().join(name)).unwrap()
    }

    /// Contents of a JSON file.
    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Runs `scenes/two_squares.json` into the folder `name`, with small frames.
    pub(crate) fn two_squares(&self, name: &str, args: &[&str]) -> Ended {
        let out = self.path(name);
        let fixed = [
            "run",
            "scenes/two_squares.json",
            "--out",
            &out,
            "--set",
            "output.width=64",
        ];
        ipcsim(&[&fixed[..], &["--set", "output.height=36"], args].concat())
    }

    /// Runs `scenes/two_squares.json` into the folder `name`. The run must complete.
    pub(crate) fn completed(&self, name: &str, args: &[&str]) {
        let ended = self.two_squares(name, args);
        assert_eq!(
            (ended.code, ended.stderr.contains("error")),
            (0, false),
            "{ended:?}"
        );
    }

    /// Every file below the folder `name` with its bytes.
    pub(crate) fn files(&self, name: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let root = self.root().join(name);
        collect(&root, &root, &mut files);
        files
    }

    /// Every file below the folder `name` that is no journal or checkpoint, which hold times.
    pub(crate) fn results(&self, name: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.files(name);
        files.retain(|file, _| file != "journal.bin" && !file.starts_with("checkpoint-"));
        files
    }

    /// Names of these files, in ascending order.
    pub(crate) fn written(&self, name: &str) -> Vec<String> {
        self.results(name).into_keys().collect()
    }

    /// Names in a folder, in ascending order.
    pub(crate) fn names(&self, name: &str) -> Vec<String> {
        self.files(name).into_keys().collect()
    }
}

/// Adds the contents of all files in a folder, by their paths from `root`.
fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

/// A `.npy` file, read by its specification and not by the program's own reader.
pub(crate) struct Npy {
    bytes: Vec<u8>,
    data: usize,
    pub(crate) header: String,
    pub(crate) shape: Vec<usize>,
    path: PathBuf,
}

impl Npy {
    /// Reads an array.
    pub(crate) fn open(path: &str) -> Self {
        let bytes = std::fs::read(path).unwrap();
        assert!(
            bytes.starts_with(b"\x93NUMPY\x01\x00"),
            "magic string and version 1.0"
        );

        let data = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!(data % 64, 0, "the numbers are aligned");

        let header = String::from_utf8(bytes[10..data].to_vec()).unwrap();
        let tuple = header.split(['(', ')']).nth(1).unwrap();
        let shape = tuple
            .split(',')
            .map(str::trim)
            .filter(|n| !n.is_empty())
            .map(|n| n.parse().unwrap())
            .collect();
        Self {
            bytes,
            data,
            header,
            shape,
            path: path.into(),
        }
    }

    pub(crate) fn count(&self) -> usize {
        (self.bytes.len() - self.data) / 8
    }

    /// All numbers of an array of floating-point numbers, in order.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let words = self.bytes[self.data..].chunks_exact(8);
        words
            .map(|word| f64::from_le_bytes(word.try_into().unwrap()))
            .collect()
    }

    fn place(&self, entry: usize, vertex: usize, axis: usize) -> usize {
        self.data + 8 * ((entry * self.shape[1] + vertex) * 2 + axis)
    }

    pub(crate) fn at(&self, entry: usize, vertex: usize) -> [f64; 2] {
        [0, 1].map(|axis| {
            let place = self.place(entry, vertex, axis);
            f64::from_le_bytes(self.bytes[place..place + 8].try_into().unwrap())
        })
    }

    /// Moves a vertex and writes the file again, and takes its checksum out of the report.
    pub(crate) fn put(mut self, entry: usize, vertex: usize, x: [f64; 2]) {
        for (axis, value) in x.into_iter().enumerate() {
            let place = self.place(entry, vertex, axis);
            self.bytes[place..place + 8].copy_from_slice(&value.to_le_bytes());
        }
        std::fs::write(&self.path, &self.bytes).unwrap();
        forget(&self.path);
    }
}

/// Takes the checksum of a file out of the report beside it, so that what it holds is looked at.
pub(crate) fn forget(file: &Path) {
    let name = file.file_name().unwrap().to_str().unwrap();
    rewrite(file.parent().unwrap(), |report| {
        report.checksums.remove(name);
    });
}

/// Changes the report in the folder of a run, and its checksum with it.
pub(crate) fn rewrite(folder: &Path, change: impl FnOnce(&mut RunReport)) {
    let mut report = read_report(folder).unwrap();
    change(&mut report);
    write_report(&RunFolder::existing(folder), &report).unwrap();
}

/// Width and height of a PNG.
pub(crate) fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    [16, 20].map(|place| u32::from_be_bytes(bytes[place..place + 4].try_into().unwrap()))
}

/// Scenes that take seconds to minutes a step.
pub(crate) fn large_scenes() -> [PathBuf; 5] {
    [
        "disks_5000",
        "holes_100k",
        "rubber_band",
        "two_squares_200k",
        "two_squares_1m",
    ]
    .map(|name| project(&format!("scenes/stress/{name}.json")))
}

/// Names in the first column of the table below a heading of a page, its title first.
pub(crate) fn listed_names(page: &str, heading: &str) -> Vec<String> {
    let text = std::fs::read_to_string(project(page)).unwrap();
    let (_, text) = text.split_once(heading).unwrap();
    let text = text.split("\n## ").next().unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.filter_map(|row| row.split(" |").next());
    let names = cells.flat_map(|cell| cell.split(", "));
    names
        .map(|name| name.trim_matches('`').to_owned())
        .collect()
}

/// All other scenes of the project that are meant to run.
pub(crate) fn good_scenes() -> Vec<PathBuf> {
    let large = large_scenes();
    let mut found = Vec::new();
    let mut folders = vec![project("scenes")];

    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let fails = ["broken", "doubtful", "failing"];
            if path.is_dir() && !fails.iter().any(|name| path.ends_with(name)) {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "json")
                && !path.ends_with("scene.schema.json")
                && !large.contains(&path)
            {
                found.push(path);
            }
        }
    }

    found.sort();
    found
}
