//! Standard input, several scenes, JSON for programs, colours, completions and manual pages.

use crate::program::{Ended, Place, ipcsim, project};
use serde_json::Value;

/// Scene of the tests.
const SCENE: &str = "scenes/two_squares.json";

/// Runs the program in the project's folder with `input` on its standard input.
fn fed(input: &str, args: &[&str]) -> Ended {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .current_dir(project(""))
        .args(args)
        .write_stdin(input)
        .output()
        .unwrap();
    Ended {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_scene_from_standard_input_gives_the_results_of_its_file() {
    let place = Place::new();
    let text = std::fs::read_to_string(project(SCENE)).unwrap();
    let common = ["--steps", "2", "--no-frames", "--quiet", "--out"];
    let [a, b] = ["a", "b"].map(|name| place.path(name));
    let from_file = [&["run", SCENE][..], &common, &[&a]].concat();
    let from_input = [&["run", "-"][..], &common, &[&b]].concat();
    assert_eq!(ipcsim(&from_file).code, 0);
    assert_eq!(fed(&text, &from_input).code, 0);
    assert_eq!(
        place.files("a")["trajectory.npy"],
        place.files("b")["trajectory.npy"]
    );

    // Messages name the stream.
    let broken = fed("{ \"time\": 1 }", &["check", "-"]);
    assert_eq!(broken.code, 2);
    assert!(
        broken.stderr.starts_with("error: standard input: "),
        "{}",
        broken.stderr
    );
}

#[test]
fn several_scenes_are_checked_and_run_one_after_the_other_and_the_worst_decides() {
    let broken = "scenes/broken/affine_of_no_stiffness.json";
    let ended = ipcsim(&["check", SCENE, broken, SCENE]);
    assert_eq!(ended.code, 2);
    assert_eq!(ended.stdout.matches("no problems").count(), 2);
    assert!(ended.stderr.starts_with("error: scenes/broken/affine"));

    // As JSON each is a line.
    let ended = ipcsim(&["check", SCENE, broken, "--format", "json"]);
    let lines: Vec<Value> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let errors: Vec<&Value> = lines.iter().map(|line| &line["errors"]).collect();
    assert_eq!(
        (ended.code, errors),
        (2, vec![&Value::from(0), &Value::from(1)])
    );

    // Two runs into one folder, or options of one run, are refused before anything is computed.
    for args in [
        &["run", SCENE, SCENE][..],
        &["run", SCENE, "x.json", "--out", "y"],
    ] {
        let ended = ipcsim(args);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
        ended.complains("one by one");
    }
}

#[test]
fn results_of_run_check_and_verify_are_json_for_programs() {
    let place = Place::new();
    let ended = place.two_squares("a", &["--steps", "3", "--no-frames", "--format", "json"]);
    let printed: Value = serde_json::from_str(&ended.stdout).unwrap();
    let stored = place.json("a/run.json");
    assert_eq!(printed["folder"], place.path("a"));
    for key in ["status", "steps", "hash", "parameters", "checksums"] {
        assert_eq!(printed[key], stored[key], "{key}");
    }

    let verified = |dir: &str| {
        let ended = ipcsim(&["verify", dir, "--format", "json"]);
        (
            ended.code,
            serde_json::from_str::<Value>(&ended.stdout).unwrap(),
        )
    };
    let (code, object) = verified(&place.path("a"));
    assert_eq!((code, &object["verified"]), (0, &Value::from(true)));
    assert_eq!(object["violation"], Value::Null);

    // A text that is no scene is a problem with its place.
    let ended = fed("{\n  oops", &["check", "-", "--format", "json"]);
    let object: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((ended.code, &object["errors"]), (2, &Value::from(1)));
    assert_eq!(object["problems"][0]["line"], 2);
}

#[test]
fn errors_are_coloured_if_asked_for_and_plain_in_files() {
    let plain = ipcsim(&["check", "no-such-file.json"]);
    assert!(plain.stderr.starts_with("error: no-such-file.json"));
    let colored = ipcsim(&["check", "no-such-file.json", "--color", "always"]);
    assert_eq!(
        colored.stderr,
        plain
            .stderr
            .replacen("error:", "\u{1b}[1;31merror:\u{1b}[0m", 1)
    );

    // So are those of the command line's parser.
    ipcsim(&["--color=always", "check", "--nonsense"])
        .exits(2)
        .complains("\u{1b}[");
    assert!(!ipcsim(&["check", "--nonsense"]).stderr.contains('\u{1b}'));
}

#[test]
fn bodies_are_set_by_name_to_the_bits_of_their_numbers() {
    let place = Place::new();
    for (folder, key) in [("a", "bodies.1.velocity"), ("b", "bodies.upper.velocity")] {
        let scene = std::fs::read_to_string(project(SCENE)).unwrap();
        let scene: Value = serde_json::from_str(&scene).unwrap();
        let named = scene["bodies"].as_array().unwrap();
        let upper = named
            .iter()
            .position(|body| body["name"] == "upper")
            .unwrap();
        let key = key.replace('1', &upper.to_string());
        let setting = format!("{key}=[0.25,0]");
        place.completed(folder, &["--steps", "2", "--no-frames", "--set", &setting]);
    }
    assert_eq!(
        place.files("a")["trajectory.npy"],
        place.files("b")["trajectory.npy"]
    );

    ipcsim(&["check", SCENE, "--set", "bodies.uper.velocity=[0,0]"])
        .exits(2)
        .complains("did you mean \"upper\"?");
}

#[test]
fn shells_complete_all_commands_and_every_command_has_a_manual_page() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = ipcsim(&["completions", shell]);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
        for word in ["verify", "no-frames", "tol-energy"] {
            ended.prints(word);
        }
    }

    let place = Place::new();
    assert_eq!(ipcsim(&["man", "--out", &place.path("man")]).code, 0);
    let pages = place.names("man");
    for page in ["ipcsim.1", "ipcsim-run.1", "ipcsim-man.1"] {
        assert!(pages.iter().any(|name| name == page), "{pages:?}");
    }
    // A synopsis has values, and dots where something may be repeated.
    let page = place.read("man/ipcsim-run.1");
    for words in [
        "\n.SH \"EXIT STATUS\"\n",
        "\n.TH ipcsim-run 1  \"ipcsim ",
        r"[\fB\-\-steps\fR \fIN\fR]",
        r"[\fB\-\-set\fR \fIKEY=VALUE\fR]...",
        r"[\fISCENE\fR]...",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(pages.iter().any(|name| name == "ipcsim-import-rigid-ipc.1"));
    assert!(ipcsim(&["man"]).stdout.contains(".TH ipcsim 1"));

    // Names of cases and fields are completed, and others are taken.
    let bash = ipcsim(&["completions", "bash"]);
    bash.prints("rest_gap").prints("principal_stress");
    ipcsim(&["validate", "--list", "rest_*"]).exits(0);
}

/// Commands with options of the same name.
const COMMANDS: [&str; 16] = [
    "run",
    "check",
    "verify",
    "render",
    "export",
    "plot",
    "view",
    "sweep",
    "validate",
    "ccd",
    "bench",
    "mesh",
    "schema",
    "completions",
    "man",
    "import",
];

#[test]
fn options_of_all_commands_are_named_alike() {
    let helps = COMMANDS.map(|command| (command, ipcsim(&[command, "--help"]).stdout));
    for (command, help) in &helps {
        let has = |option: &str| help.contains(&format!("--{option} "));
        assert_eq!(has("out"), help.contains("-o, --out "), "{command}");
        assert!(!has("output") && !has("field"), "{command}");

        // JSON for programs has two spellings; fields have other formats.
        let is_form = help.contains("- json:");
        assert_eq!(is_form, help.contains("      --json\n"), "{command}");

        // The option of all commands follows their own, and codes stand where they belong.
        let color = help.find("--color <WHEN>").unwrap();
        let last = help.find("-h, --help").unwrap();
        let own = &help[color + 1..last];
        assert!(!own.contains("      --"), "{command}: {own}");
        let has_signals = help.contains("130");
        assert_eq!(has_signals, ["run", "sweep"].contains(command), "{command}");
        assert!(help.contains("Exit codes:\n  0  "), "{command}");
    }
    assert_eq!(
        helps
            .iter()
            .filter(|(_, help)| help.contains("-o, --out "))
            .count(),
        9
    );

    // Earlier names.
    ipcsim(&["validate", "--list", "--output", "a.html"]).exits(0);
    let shorthand = ipcsim(&["check", SCENE, "--json"]);
    assert_eq!(
        shorthand.stdout,
        ipcsim(&["check", SCENE, "--format", "json"]).stdout
    );
    ipcsim(&["check", SCENE, "--json", "--format", "text"]).exits(2);
}

#[test]
fn colours_of_messages_lead_to_those_of_pictures() {
    let ended = ipcsim(&["run", SCENE, "--color", "stress"]);
    ended
        .exits(2)
        .complains("pictures are coloured by '--color-by stress'");
    for args in [["run", "--color", "blue"], ["verify", "--color", "stress"]] {
        assert!(!ipcsim(&args).stderr.contains("--color-by"), "{args:?}");
    }
}

#[test]
fn a_line_for_each_step_is_printed_if_asked_for() {
    let place = Place::new();
    let ended = place.two_squares("a", &["--steps", "3", "--no-frames", "--verbose"]);
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[2].starts_with("step 3/3  t = 0.03 s  1 iteration "),
        "{lines:?}"
    );
}

#[test]
fn a_line_for_each_direction_is_printed_if_asked_for_twice_and_changes_no_bit() {
    let place = Place::new();
    let scene = "scenes/book/07_two_squares.json";
    let common = ["--steps", "26", "--no-frames", "--out"];
    let [a, b] = ["a", "b"].map(|name| place.path(name));
    let plain = ipcsim(&[&["run", scene, "-q"][..], &common, &[&a]].concat());
    let ended = ipcsim(&[&["run", scene, "-vv"][..], &common, &[&b]].concat());
    assert_eq!((plain.code, ended.code), (0, 0));
    assert_eq!(
        place.files("a")["trajectory.npy"],
        place.files("b")["trajectory.npy"]
    );

    // Two directions lead to the end of the last step; the third is short, and is not taken.
    let lines: Vec<&str> = ended.stderr.lines().collect();
    let [.., first, second, step] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert!(
        step.starts_with("step 26/26  t = 0.26 s  3 iterations "),
        "{step}"
    );
    assert!(first.starts_with("  direction 1: potential "), "{first}");
    let potentials = |line: &str| -> Vec<f64> {
        let (_, rest) = line.split_once("potential ").unwrap();
        let (pair, _) = rest.split_once(" J s2, share 1.000, speed ").unwrap();
        pair.split(" -> ")
            .map(|number| number.parse().unwrap())
            .collect()
    };
    let [first, second] = [first, second].map(|line| potentials(line));
    assert!(first[0] > first[1] && first[1] == second[0] && second[0] > second[1]);

    // Nothing moves by rounding: a body that falls freely has no direction to show.
    assert!(lines[0].starts_with("step 1/26 "), "{lines:?}");
}

#[test]
fn queries_from_standard_input_have_the_answers_of_their_file() {
    let file = "tests/data/ccd_queries.jsonl";
    let text = std::fs::read_to_string(project(file)).unwrap();
    let answers = ipcsim(&["ccd", file]);
    let fed_answers = fed(&text, &["ccd", "-"]);
    assert_eq!((answers.code, fed_answers.code), (0, 0), "{fed_answers:?}");
    assert!(answers.stdout.lines().count() == 690 && answers.stdout == fed_answers.stdout);

    fed("{}\n", &["ccd", "-"]).exits(2).complains("line 1");
}
