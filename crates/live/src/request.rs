//! What a page can ask for.

use serde::Deserialize;
use serde_json::Value;

/// A request, in JSON: an object with one key, the name of the request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Opens a scene, in place of the one before; replies with what the page draws.
    Open {
        /// Text of the scene.
        scene: String,
    },
    /// Begins the scene anew, with all bodies that it has now.
    Restart {},
    /// Makes steps until a number of them or a duration is reached.
    Advance {
        /// Largest number of steps.
        steps: usize,
        /// Time that they may take (s); the step that exceeds it is the last one.
        budget: f64,
    },
    /// Steps back to the end of an earlier step.
    Back {
        /// Number of the step, or of the nearest one that is known.
        step: usize,
    },
    /// Sets parameters from the next step on.
    Set {
        /// The parameters, as in `changes` of a scene.
        parameters: Vec<Value>,
    },
    /// Asks for the point of a body at a place.
    Grab {
        /// The place (m).
        at: [f64; 2],
        /// Largest distance from the body (m).
        within: f64,
    },
    /// Asks for the state as it is.
    Look {},
    /// Chooses what comes with each state.
    Show {
        /// Quantity of the colours: `speed`, `stress` or nothing.
        field: Option<String>,
        /// True for the forces of contacts.
        forces: bool,
        /// True for the pressure along outlines.
        #[serde(default)]
        pressure: bool,
        /// True if each step is to be proved.
        proofs: bool,
    },
    /// Adds a body to the scene as it lies.
    Add {
        /// The body, as in a scene.
        body: Value,
        /// Its material, if the scene has none of its name.
        material: Option<Value>,
        /// True for a body of the page that an undo does not count, such as a finger.
        #[serde(default)]
        passing: bool,
    },
    /// Adds a copy of a body as it lies, at rest.
    Duplicate {
        /// Name of the body.
        body: String,
        /// Displacement of the copy (m).
        by: [f64; 2],
    },
    /// Adds a joint between the bodies at two places, or a body and the ground.
    Join {
        /// Kind of the joint.
        tie: Tie,
        /// Where it begins, on a body (m).
        from: [f64; 2],
        /// Where it ends (m).
        to: [f64; 2],
        /// Largest distance of a body from an end (m).
        within: f64,
    },
    /// Begins the record anew from the state as it lies.
    Keep {},
    /// Takes a body out of the scene as it lies.
    Remove {
        /// Name of the body.
        body: String,
        /// True if an undo does not count it.
        #[serde(default)]
        passing: bool,
    },
    /// Undoes the last addition or removal of a body or joint.
    Undo {},
    /// Asks for the scene with all that was set.
    Scene {},
}

/// A joint that can be drawn.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// A point that two bodies share, or one and the ground.
    Hinge,
    /// It pulls where it is taut.
    Rope,
    /// It pulls and pushes by its length.
    Spring,
}
