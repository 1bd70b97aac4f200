//! One place per member of a family: the files that name a law, or a kind of body.

use crate::project::{all_sources, project, shown};

/// Files of crates that contain `name`, sorted.
fn files_that_name(name: &str) -> Vec<String> {
    let mut found: Vec<String> = all_sources()
        .iter()
        .filter(|file| std::fs::read_to_string(file).unwrap().contains(name))
        .map(|file| shown(file))
        .collect();
    found.sort();
    found
}

#[test]
fn a_law_is_named_in_its_own_file_and_in_the_registration() {
    for (law, file) in [
        ("FixedCorotated", "fixed_corotated"),
        ("StVenantKirchhoff", "st_venant_kirchhoff"),
        ("LinearElastic", "linear"),
        ("StableNeoHookean", "stable_neo_hookean"),
        ("MooneyRivlin", "mooney_rivlin"),
    ] {
        let mut expected = [
            format!("crates/energy/src/material/{file}.rs"),
            "crates/energy/src/material/law.rs".to_owned(),
        ];
        expected.sort();
        assert_eq!(files_that_name(law), expected);
    }
}

/// Files of crates that name a variant of `ipcsim::scene::schema::Kind`.
fn users_of_kind(kind: &str) -> Vec<String> {
    let mut users = files_that_name(&format!("Kind::{kind}"));
    users.extend(files_that_name(&format!("impl Rules for {kind}")));
    // `BodyKind` is the world's own list.
    users.retain(|file| {
        let text = std::fs::read_to_string(project(file)).unwrap();
        let rest = text.replace("BodyKind::", "");
        rest.contains(&format!("Kind::{kind}")) || text.contains(&format!("impl Rules for {kind}"))
    });
    users
}

/// Tables of kinds, one for each part of the program that does more than ask a kind.
const TABLES: [&str; 2] = [
    "crates/scene/src/assemble/kinds.rs",
    "crates/scene/src/check/kinds.rs",
];

#[test]
fn checks_assembly_and_preflight_ask_a_kind_and_match_on_it_in_one_table_each() {
    for kind in ["Deformable", "Affine", "Polynomial", "Modal"] {
        for user in users_of_kind(kind) {
            let is_own = user.starts_with("crates/scene/src/kind/");
            let is_schema = user.starts_with("crates/scene/src/schema/");

            // Cases of the validation are clients, as programs are.
            let is_client = user.starts_with("crates/validate/");
            let is_table = TABLES.contains(&user.as_str());
            assert!(
                is_own || is_schema || is_client || is_table,
                "{user} names {kind}"
            );
        }
    }
}
