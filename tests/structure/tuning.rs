//! Constants that tune a method stand in `tuning.rs` of their crate, with what other values break.

use crate::page::{is_tests, without_tests};
use crate::project::{project, shown, sources};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Crates with methods that are tuned.
const CRATES: [&str; 6] = ["math", "mesh", "sparse", "energy", "contact", "core"];

/// Types of constants that may tune.
const NUMBERS: [&str; 8] = ["f64", "f32", "usize", "u64", "u32", "i64", "i32", "[f64"];

/// Crate and name of constants that do not tune, by the reason.
const OTHERS: [(&str, &[(&str, &str)]); 7] = [
    (
        "rounding: radii up to which a vertex is on the axis of revolution, relative to its body",
        &[("core", "ON_AXIS"), ("mesh", "ON_AXIS")],
    ),
    (
        "names in place of numbers of selections",
        &[("core", "OF_CELL")],
    ),
    (
        "derivatives: widths and rounds of formulas whose error is rounding, and that no run without gradients uses",
        &[
            ("core", "SHARE"),
            ("core", "OF_REACH"),
            ("core", "OF_LENGTH"),
            ("core", "OF_CORRECTION"),
            ("core", "MARGIN"),
            ("core", "TRUSTED"),
            ("core", "NEAR_KINK"),
            ("core", "ROUNDING"),
            ("core", "DIRECTIONS"),
            ("core", "RESTARTS"),
            ("core", "REPEATED"),
            ("core", "MOST"),
            ("core", "NARROWED"),
            ("core", "NARROWER"),
            ("core", "BENT"),
            ("core", "LEAST_JUMP"),
            ("core", "NOISE"),
            ("core", "TASK"),
            ("energy", "WIDTH"),
            ("core", "FASTER"),
            ("core", "TOLERANCE"),
            ("core", "OF_FORCES"),
            ("core", "LEAST"),
            ("core", "AT_KINK"),
            ("core", "WEIGHTS"),
            ("core", "STALLED"),
        ],
    ),
    (
        "sentinel: a number that stands for none",
        &[
            ("mesh", "NONE"),
            ("sparse", "NONE"),
            ("contact", "NEVER"),
            ("contact", "NO_POINT"),
            ("core", "NONE"),
            ("core", "NOWHERE"),
        ],
    ),
    (
        "format: bits, registers, lengths of lists and ranks that the code relies on",
        &[
            ("math", "BIAS"),
            ("math", "DIGITS"),
            ("math", "EXPONENT_BITS"),
            ("math", "MOST"),
            ("math", "MOST_DECIMALS"),
            ("math", "MOST_POWER"),
            ("math", "TWO_52"),
            ("mesh", "OF_A_PLACE"),
            ("energy", "LONGEST_OUTLINE"),
            ("energy", "LOWER"),
            ("energy", "MOST_POINTS"),
            ("energy", "NUMBERS"),
            ("energy", "POINTS"),
            ("energy", "RANK"),
            ("contact", "ALL"),
            ("contact", "CELLS"),
            ("contact", "COMMON"),
            ("contact", "LEVELS"),
            ("contact", "SIDES"),
            ("contact", "STEP"),
            ("contact", "WIDE"),
            ("contact", "WIDTH"),
            ("core", "LARGEST_SLOT"),
            ("core", "PAST"),
            ("core", "STENCIL"),
        ],
    ),
    (
        "fact: of mathematics, of a published method or of a standard",
        &[
            ("math", "LN_2_HIGH"),
            ("math", "LN_2_LOW"),
            ("mesh", "DEDENDUM"),
            ("mesh", "DISK_SECTORS"),
            ("mesh", "MASS"),
            ("mesh", "PRESSURE_ANGLE"),
            ("energy", "ATMOSPHERE"),
            ("energy", "NORM_OF_MISES"),
            ("contact", "WHOLE"),
            ("core", "FIRST"),
            ("core", "GOLDEN"),
            ("core", "OFFSET"),
            ("core", "PRIME"),
            ("core", "SECOND"),
        ],
    ),
    (
        "bound: derived from the number of operations, or from another constant",
        &[
            ("math", "COEFFICIENT_ROUNDING"),
            ("energy", "DETERMINANT_ROUNDING"),
            ("contact", "ARC_ROUNDING"),
            ("contact", "CHORD_ROUNDING"),
            ("contact", "EARLIEST"),
            ("contact", "FAR"),
            ("contact", "GAP_ROUNDING"),
            ("contact", "IMAGE_ROUNDING"),
            ("contact", "LEAST_MARGIN"),
            ("contact", "PATH_ROUNDING"),
            ("contact", "PLANE_ROUNDING"),
            ("contact", "SHRINKING"),
            ("contact", "SMALLEST"),
            ("core", "TIME_ROUNDING"),
        ],
    ),
];

/// Name of the number that a line declares as a constant; `None` for any other line.
fn constant(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if rest.starts_with("pub(") {
        rest = rest.split_once(") ")?.1;
    }
    rest = rest.strip_prefix("pub ").unwrap_or(rest);
    let (name, rest) = rest.strip_prefix("const ")?.split_once(": ")?;
    let kind = rest.split([' ', ';']).next()?;
    (NUMBERS.contains(&kind) && rest.contains('=')).then_some(name)
}

/// Rust files of a crate that are not tests or their helpers.
fn files_of(name: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    sources(&project(&format!("crates/{name}/src")), &mut files);
    files.retain(|file| !is_tests(file) && !stem(file).starts_with("test"));
    files
}

/// Name of a file without its end.
fn stem(file: &Path) -> &str {
    file.file_stem().and_then(|stem| stem.to_str()).unwrap()
}

/// Place, crate and name of the constants of all crates outside `tuning.rs`.
fn constants_elsewhere() -> Vec<(String, &'static str, String)> {
    let mut found = Vec::new();
    for name in CRATES {
        for file in files_of(name) {
            if stem(&file) == "tuning" {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            for (number, line) in without_tests(&text).iter().enumerate() {
                if let Some(own) = constant(line) {
                    let place = format!("{}:{}", shown(&file), number + 1);
                    found.push((place, name, own.to_owned()));
                }
            }
        }
    }
    found
}

#[test]
fn constants_that_tune_stand_in_one_file_of_their_crate() {
    let others: Vec<(&str, &str)> = OTHERS.iter().flat_map(|(_, list)| *list).copied().collect();
    let mut text = String::new();
    let mut used = Vec::new();
    for (place, crate_name, name) in constants_elsewhere() {
        match others.iter().find(|own| **own == (crate_name, &name)) {
            Some(own) => used.push(*own),
            None => writeln!(
                text,
                "{place}: `{name}` goes to crates/{crate_name}/src/tuning.rs if it tunes a method, \
                 with its unit, usual value and what breaks above and below it"
            )
            .unwrap(),
        }
    }
    for (crate_name, name) in others.iter().filter(|own| !used.contains(own)) {
        writeln!(text, "no constant `{name}` in {crate_name} any more").unwrap();
    }
    assert!(
        text.is_empty(),
        "{text}A constant that does not tune has its reason in `OTHERS` of tests/structure/tuning.rs."
    );
}

/// Constants of a text, each with the words of its documentation.
fn documented(text: &str) -> Vec<(&str, String)> {
    let mut words = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(part) = line.strip_prefix("///") {
            words += part;
        } else {
            if let Some(name) = constant(line) {
                found.push((name, words.clone()));
            }
            words.clear();
        }
    }
    found
}

#[test]
fn tuning_constants_say_what_other_values_break() {
    let mut text = String::new();
    for name in CRATES {
        let file = project(&format!("crates/{name}/src/tuning.rs"));
        let content = std::fs::read_to_string(&file).unwrap();
        for (own, words) in documented(&content) {
            let units = ["(1", "(rad", "(m", "(s", "(ns", "(bytes"];
            let has_unit = units.iter().any(|unit| words.contains(unit));
            if !(has_unit && words.contains("Higher: ") && words.contains("Lower: ")) {
                writeln!(text, "{}: `{own}`", shown(&file)).unwrap();
            }
        }
    }
    assert!(
        text.is_empty(),
        "without a unit in brackets, \"Higher: ...\" or \"Lower: ...\":\n{text}"
    );
}

#[test]
fn constants_are_found_with_their_documentation() {
    assert_eq!(constant("    pub(crate) const A: f64 = 0.5;"), Some("A"));
    assert_eq!(constant("pub(in crate::a) const A: u32 = 2;"), Some("A"));
    assert_eq!(constant("const B: [f64; 2] = [0.1, 0.9];"), Some("B"));
    assert_eq!(constant("    const POINTS: usize;"), None);
    assert_eq!(constant("const NAME: &str = \"a\";"), None);
    assert_eq!(constant("pub const fn f(a: f64) -> f64 {"), None);

    let text = "//! Head.\n\n/// Share (1).\n/// Higher: slow.\npub const A: f64 = 0.5;\nconst B: u32 = 1;\n";
    let expected = [
        ("A", " Share (1). Higher: slow.".to_owned()),
        ("B", String::new()),
    ];
    assert_eq!(documented(text), expected);
}
