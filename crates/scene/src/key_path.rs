//! Keys of scenes by their paths and names, from the table of keys.

use super::names::nearest;
use super::other_names::instead_of;
use super::schema::{Parameter, Scene};
use ipcsim_keys::{Form, Key, Keys, Type, UnknownKey};
use std::collections::BTreeSet;

/// Entry of the key at a path as settings and sweeps have it: keys, and numbers or names of entries,
/// joined by dots.
///
/// # Errors
/// A message with the part of the path that names nothing, and the key that was probably meant.
pub fn key_at(path: &str) -> Result<&'static Key, String> {
    let found = match Scene::form() {
        Form::Type(scene) => scene.find(path),
        _ => Ok(Vec::new()),
    };
    let found = found.map_err(|unknown| format!("{path}: {}", about_unknown(&unknown)))?;
    found
        .last()
        .copied()
        .ok_or_else(|| format!("{path}: names no key"))
}

/// Message about an unknown name.
fn about_unknown(unknown: &UnknownKey) -> String {
    let UnknownKey { part, known } = unknown;
    if let Some(instead) = instead_of(part, known) {
        return format!("unknown key \"{part}\"; {instead}");
    }
    match nearest(part, known.iter().copied()) {
        Some(near) => format!("unknown key \"{part}\"; did you mean \"{near}\"?"),
        None if known.is_empty() => format!("\"{part}\" is below a value that has no keys"),
        None => format!("unknown key \"{part}\"; known are {}", known.join(", ")),
    }
}

/// Message about a key that a change cannot set; `None` if no key has this name, or `choices` are not
/// the parameters of changes.
pub(super) fn about_change(name: &str, choices: &[&str]) -> Option<String> {
    let Form::Type(parameters) = Parameter::form() else {
        return None;
    };
    let own: Vec<&str> = parameters.keys.iter().map(|key| key.name).collect();
    if own != choices {
        return None;
    }

    let Form::Type(scene) = Scene::form() else {
        return None;
    };
    let key = named(scene, name, &mut BTreeSet::new())?;
    let list = own.join(", ");
    Some(match key.between_steps {
        Some(parameter) => {
            format!("\"{name}\" is changed by the parameter \"{parameter}\"; parameters are {list}")
        }
        None => {
            format!(
                "\"{name}\" is set only when a scene is built; parameters between steps are {list}"
            )
        }
    })
}

/// First key of this name in a type and in the types of its values.
fn named(
    own: &'static Type,
    name: &str,
    seen: &mut BTreeSet<&'static str>,
) -> Option<&'static Key> {
    // A type may contain itself, as a selection does.
    if !seen.insert(own.name) {
        return None;
    }
    // The key of an outer type is meant rather than one of its values.
    let mut keys = own.keys.iter();
    keys.clone().find(|key| key.name == name).or_else(|| {
        keys.find_map(|key| match (key.form)().inner() {
            Form::Type(inner) => named(inner, name, seen),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_the_entry_of_its_key() {
        let key = key_at("bodies.ball.kind.rod.thickness").unwrap();
        assert_eq!((key.name, key.unit), ("thickness", Some("m")));
        assert_eq!(key_at("gravity").unwrap().between_steps, Some("gravity"));
        assert_eq!(
            key_at("bodies.0.force").unwrap().between_steps,
            Some("force")
        );
        assert_eq!(key_at("contact.kappa").unwrap().between_steps, None);
    }

    #[test]
    fn an_unknown_part_is_named_with_the_nearest_key() {
        let message = |path: &str| key_at(path).unwrap_err();
        assert_eq!(
            message("materials.rubber.densty"),
            "materials.rubber.densty: unknown key \"densty\"; did you mean \"density\"?"
        );
        assert_eq!(
            message("time.step.x"),
            "time.step.x: \"x\" is below a value that has no keys"
        );
    }

    #[test]
    fn parameters_of_the_table_are_those_of_changes() {
        let Form::Type(parameters) = Parameter::form() else {
            panic!("a parameter is a choice");
        };

        let names: Vec<&str> = parameters.keys.iter().map(|key| key.name).collect();
        for path in [
            "gravity",
            "bodies.0.force",
            "bodies.0.script",
            "bodies.0.prescribed",
            "obstacles.0.velocity",
            "obstacles.0.keyframes",
            "loads",
            "contact.friction.default",
            "contact.friction.pairs",
        ] {
            let parameter = key_at(path).unwrap().between_steps.unwrap();
            assert!(names.contains(&parameter), "{path}: {parameter}");
        }

        let message = about_change("kappa", &names).unwrap();
        assert!(
            message.starts_with("\"kappa\" is set only when"),
            "{message}"
        );
    }
}
