//! Floors within crates: a module uses only those below it.

use crate::project::{project, shown, sources};

/// Modules of the crates that have several floors, from the lowest to the highest; those that are
/// named nowhere stand on their crate's other floors.
const FLOORS: [(&str, &[&str]); 3] = [
    (
        "core",
        &[
            "tuning",
            "body",
            "constraint",
            "solve",
            "time",
            "forces",
            "fields",
            "quantities",
            "measures",
        ],
    ),
    ("ipcsim", &["scene", "simulation", "prelude"]),
    ("store", &["", "study"]),
];

/// Names of modules right after each `crate::` of a text.
fn used(text: &str) -> impl Iterator<Item = &str> {
    text.split("crate::").skip(1).filter_map(|rest| {
        rest.split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
    })
}

#[test]
fn every_module_uses_only_floors_at_or_below_its_own() {
    for (name, floors) in FLOORS {
        let height = |floor: &str| floors.iter().position(|own| *own == floor);
        let mut files = Vec::new();
        let folder = project(&format!("crates/{name}/src"));
        sources(&folder, &mut files);
        assert!(files.len() > 2, "{name}: {files:?}");

        for file in files {
            let path = file.strip_prefix(&folder).unwrap();
            let first = path.components().next().unwrap().as_os_str();
            let own = first.to_str().unwrap().trim_end_matches(".rs");
            // A crate's root names its modules.
            if own == "lib" {
                continue;
            }

            let Some(own) = height(own).or_else(|| height("")) else {
                panic!("{} is on no floor", shown(&file));
            };
            for floor in used(&std::fs::read_to_string(&file).unwrap()) {
                let other = height(floor).or_else(|| height("")).unwrap_or(0);
                assert!(
                    other <= own,
                    "{} uses {floor}, which is above",
                    shown(&file)
                );
            }
        }
    }
}
