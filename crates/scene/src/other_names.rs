//! Names that other programs have for what a scene calls otherwise.
//!
//! A person who comes from another simulator, a game engine or a finite element program writes the name
//! that is known there. It is seldom like ours, so that no name is suggested by likeness.

/// A name of other programs.
struct OtherName {
    /// The name, in lower case.
    name: &'static str,
    /// A name that is known where this one is meant.
    here: &'static str,
    /// End of the message: what to write instead.
    instead: &'static str,
}

/// Names of other programs, with the choice or key that stands where they are written.
const OTHER_NAMES: [OtherName; 40] = [
    other("revolute", "hinge", "that joint is \"hinge\" here"),
    other("pin", "hinge", "that joint is \"hinge\" here"),
    other("pivot", "hinge", "that joint is \"hinge\" here"),
    other("ball", "hinge", "that joint is \"hinge\" here"),
    other("prismatic", "slider", "that joint is \"slider\" here"),
    other(
        "piston",
        "slider",
        "that joint is \"slider\" here, or \"cylinder\" if it pushes",
    ),
    other(
        "distance",
        "rod",
        "that joint is \"rod\" here, or \"rope\" if it only pulls",
    ),
    other("fixed", "weld", "that joint is \"weld\" here"),
    other(
        "pulley",
        "rope",
        "there is no pulley; a body of kind \"rod\" runs over circles",
    ),
    other(
        "static",
        "rigid",
        "bodies that stay are entries of \"obstacles\"",
    ),
    other(
        "kinematic",
        "rigid",
        "bodies on a prescribed path are entries of \"obstacles\" with a \"velocity\", \
           \"spin_deg\" or \"keyframes\", or have a \"script\"",
    ),
    other(
        "dynamic",
        "rigid",
        "bodies that move are \"rigid\", \"deformable\" or \"affine\" here",
    ),
    other("soft", "rigid", "that kind is \"deformable\" here"),
    other("elastic", "rigid", "that kind is \"deformable\" here"),
    other(
        "box",
        "rectangle",
        "that shape is \"rectangle\" here: { \"size\": [width, height], \"segments\": [1, 1] }",
    ),
    other("sphere", "circle", "that shape is \"circle\" here"),
    other(
        "capsule",
        "circle",
        "there is no capsule; draw it as an \"area\" or an \"outline\"",
    ),
    other(
        "polygon",
        "outline",
        "that shape is \"outline\" here: { \"points\": [[x, y], ...] }",
    ),
    other(
        "convex",
        "outline",
        "that shape is \"outline\" here: { \"points\": [[x, y], ...] }",
    ),
    other("plane", "half_plane", "that shape is \"half_plane\" here"),
    other(
        "segment",
        "polyline",
        "that shape is \"polyline\" here: { \"points\": [[x, y], ...] }",
    ),
    other(
        "edge",
        "polyline",
        "that shape is \"polyline\" here: { \"points\": [[x, y], ...] }",
    ),
    other(
        "chain",
        "polyline",
        "that shape is \"polyline\" here: { \"points\": [[x, y], ...] }",
    ),
    other(
        "mass",
        "mass_from",
        "the mass follows from the \"density\" of the material, the area and the \"thickness\"",
    ),
    other(
        "inertia",
        "mass_from",
        "the moment of inertia follows from the \"density\" of the material and the shape",
    ),
    other(
        "friction",
        "material",
        "friction belongs to pairs: \"contact\": { \"friction\": { \"default\": 0.5 } }",
    ),
    other(
        "friction",
        "density",
        "friction belongs to pairs: \"contact\": { \"friction\": { \"default\": 0.5 } }",
    ),
    other(
        "restitution",
        "material",
        "restitution belongs to pairs: \"contact\": { \"restitution\": { \"default\": 0.5 } }",
    ),
    other(
        "restitution",
        "density",
        "restitution belongs to pairs: \"contact\": { \"restitution\": { \"default\": 0.5 } }",
    ),
    other(
        "young",
        "law",
        "it belongs to a law: \"law\": { \"neo_hookean\": { \"young\": 1e6, \"poisson\": 0.3 } }",
    ),
    other(
        "poisson",
        "law",
        "it belongs to a law: \"law\": { \"neo_hookean\": { \"young\": 1e6, \"poisson\": 0.3 } }",
    ),
    other("type", "kind", "that key is \"kind\" here"),
    other(
        "angle",
        "rotation_deg",
        "that key is \"rotation_deg\" here, in degrees",
    ),
    other(
        "rotation",
        "rotation_deg",
        "that key is \"rotation_deg\" here, in degrees",
    ),
    other(
        "omega",
        "spin_deg",
        "that key is \"spin_deg\" here, in degrees per second",
    ),
    other(
        "angular_velocity",
        "spin_deg",
        "that key is \"spin_deg\" here, in degrees per second",
    ),
    other("dt", "step", "that key is \"step\" here"),
    other("timestep", "step", "that key is \"step\" here"),
    other("duration", "steps", "give the number of \"steps\""),
    other("end", "steps", "give the number of \"steps\""),
];

/// An entry of the list.
const fn other(name: &'static str, here: &'static str, instead: &'static str) -> OtherName {
    OtherName {
        name,
        here,
        instead,
    }
}

/// What to write instead of a name that is unknown where these are `known`; `None` if other programs
/// have no such name there.
pub(super) fn instead_of(name: &str, known: &[&str]) -> Option<&'static str> {
    let name = name.to_lowercase();
    let mut found = OTHER_NAMES.iter().filter(|other| other.name == name);
    found
        .find(|other| known.contains(&other.here))
        .map(|other| other.instead)
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    /// The message about a scene with these keys besides its time.
    fn message(keys: &str) -> String {
        let scene = format!("{{ \"time\": {{ \"step\": 0.01, \"steps\": 1 }}, {keys} }}");
        parse(&scene, &[]).unwrap_err().to_string()
    }

    #[test]
    fn names_of_other_programs_lead_to_ours() {
        for (keys, expected) in [
            (
                r#""joints": [{ "revolute": {} }]"#,
                "that joint is \"hinge\" here",
            ),
            (
                r#""joints": [{ "Prismatic": {} }]"#,
                "that joint is \"slider\" here",
            ),
            (
                r#""joints": [{ "distance": {} }]"#,
                "that joint is \"rod\" here",
            ),
            (
                r#""bodies": [{ "name": "a", "kind": "static" }]"#,
                "entries of \"obstacles\"",
            ),
            (
                r#""bodies": [{ "name": "a", "shape": { "box": {} } }]"#,
                "that shape is \"rectangle\" here",
            ),
            (
                r#""bodies": [{ "name": "a", "mass": 5 }]"#,
                "follows from the \"density\"",
            ),
            (
                r#""bodies": [{ "name": "a", "friction": 0.5 }]"#,
                "friction belongs to pairs",
            ),
            (
                r#""materials": { "a": { "density": 1, "young": 5 } }"#,
                "it belongs to a law",
            ),
            (
                r#""contact": { "friction": 0.5 }"#,
                "write { \"default\": 0.5 }",
            ),
        ] {
            let found = message(keys);
            assert!(found.contains(expected), "{keys}: {found}");
        }
    }
}
