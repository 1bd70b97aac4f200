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
const OTHER_NAMES: [OtherName; 57] = [
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
        "rack_and_pinion",
        "rack",
        "that joint is \"rack\" here: a body that rolls along a line of another",
    ),
    other("pinion", "rack", "that joint is \"rack\" here"),
    other(
        "planetary",
        "gear",
        "a planetary train is a \"gear\" for each pair of wheels in mesh, with hinges on the arm",
    ),
    other(
        "differential",
        "gear",
        "a differential is a \"gear\" for each pair of wheels in mesh, with hinges on the carrier",
    ),
    other(
        "belt",
        "gear",
        "a belt over two wheels is a \"gear\" with a positive ratio",
    ),
    other(
        "servo",
        "motor",
        "a servo is a \"motor\" with \"stiffness\" and \"damping\"",
    ),
    other("kp", "torque", "that key is \"stiffness\" here"),
    other("kd", "torque", "that key is \"damping\" here"),
    other("kp", "force", "that key is \"stiffness\" here"),
    other("kd", "force", "that key is \"damping\" here"),
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
        "inertia",
        "moment",
        "that key is \"moment\" here, about the centre of mass in kg m^2",
    ),
    other(
        "moment_of_inertia",
        "moment",
        "that key is \"moment\" here, about the centre of mass in kg m^2",
    ),
    other(
        "center",
        "centre",
        "that key is \"centre\" here, of mass, in the body's shape",
    ),
    other(
        "center_of_mass",
        "centre",
        "that key is \"centre\" here, in the body's shape",
    ),
    other(
        "com",
        "centre",
        "that key is \"centre\" here, in the body's shape",
    ),
    other(
        "linear_damping",
        "damping",
        "that is \"damping\": { \"linear\": ... } here, in 1/s",
    ),
    other(
        "angular_damping",
        "damping",
        "that is \"damping\": { \"angular\": ... } here, in 1/s",
    ),
    other(
        "drag",
        "damping",
        "that is \"damping\": { \"linear\": ... } here, in 1/s",
    ),
    other(
        "mass",
        "belt",
        "an obstacle has no mass, since no force moves it; make it a body",
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
                r#""bodies": [{ "name": "a", "inertia": 5 }]"#,
                "that key is \"moment\" here",
            ),
            (
                r#""obstacles": [{ "name": "a", "mass": 5 }]"#,
                "an obstacle has no mass",
            ),
            (
                r#""joints": [{ "hinge": { "motor": { "kp": 5 } } }]"#,
                "that key is \"stiffness\" here",
            ),
            (
                r#""joints": [{ "rack_and_pinion": {} }]"#,
                "that joint is \"rack\" here",
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
