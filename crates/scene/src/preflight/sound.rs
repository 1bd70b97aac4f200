//! The part of a scene that can be built although other parts are wrong.
//!
//! A user wants all problems of a scene at once, also those that only show in the built world, such
//! as overlaps. The checks of keys and values come first. Then this room drops every body and
//! obstacle with an error, and replaces wrong values that all bodies share by defaults. The rest is
//! built and searched for overlaps like a whole scene.
//!
//! Numbers of bodies shift when some are dropped. A [`Sound`] scene therefore remembers the JSON
//! path of each entry in the scene as written, and [`renamed`] translates later problems back.

use crate::problem::Problem;
use crate::schema::{Contact, Output, Scene, Solver};

/// Time step (s) of the part of a scene whose own time step is wrong. No step is made with it.
const STAND_IN_STEP: f64 = 1e-2;

/// A scene that can be built, or the part of one that can.
pub(super) struct Sound {
    /// Scene without errors, which may have fewer bodies than the one as written.
    pub scene: Scene,
    /// JSON paths of bodies, then of obstacles, in the scene as written: `[bodies + obstacles]`.
    pub paths: Vec<String>,
}

/// The errors that were found in a scene.
struct Errors<'a>(&'a [Problem]);

impl Errors<'_> {
    /// True if an error concerns the value at a JSON path, or a value inside it. A wrong name does
    /// not count: an object with a wrong name can still be built.
    fn concern(&self, path: &str) -> bool {
        let errors = self.0.iter().filter(|problem| problem.is_error());
        errors
            .filter_map(|problem| problem.path.strip_prefix(path))
            .any(|below| below.is_empty() || below.starts_with(['.', '[']) && below != ".name")
    }
}

/// A scene without problems, which can be built as a whole.
pub(super) fn whole(scene: Scene) -> Sound {
    let paths = paths("bodies", scene.bodies.len())
        .chain(paths("obstacles", scene.obstacles.len()))
        .collect();
    Sound { scene, paths }
}

/// Bodies and obstacles without errors. Wrong values that all bodies share are replaced by
/// defaults.
///
/// Returns `None` if no body is left. A body is also dropped if its material is wrong.
pub(super) fn part(mut scene: Scene, problems: &[Problem]) -> Option<Sound> {
    let errors = Errors(problems);
    let mut kept = Vec::new();

    // Bodies and obstacles without errors, and their paths.
    let mut bodies = Vec::new();
    for (path, body) in paths("bodies", scene.bodies.len()).zip(scene.bodies) {
        let material = format!("materials.{}", body.material);
        let mut materials = body
            .regions
            .iter()
            .map(|region| format!("materials.{}", region.material));
        let is_wrong = materials.any(|material| errors.concern(&material));
        if !errors.concern(&path) && !errors.concern(&material) && !is_wrong {
            bodies.push(body);
            kept.push(path);
        }
    }
    let mut obstacles = Vec::new();
    for (path, obstacle) in paths("obstacles", scene.obstacles.len()).zip(scene.obstacles) {
        if !errors.concern(&path) {
            obstacles.push(obstacle);
            kept.push(path);
        }
    }

    scene.bodies = bodies;
    scene.obstacles = obstacles;
    replace_shared(&mut scene, &errors);
    (!scene.bodies.is_empty()).then_some(Sound { scene, paths: kept })
}

/// Replaces wrong values that all bodies share: time step, gravity, thickness and contact.
///
/// Settings of solver and output get their defaults in any case. They have no influence on what
/// can be found before the first step.
fn replace_shared(scene: &mut Scene, errors: &Errors) {
    if errors.concern("time") {
        scene.time.step = STAND_IN_STEP;
    }
    if errors.concern("gravity") {
        scene.gravity = [0.0; 2];
    }
    if errors.concern("thickness") {
        scene.thickness = 1.0;
    }

    // Excluded pairs may overlap, whatever else is wrong with contact.
    if errors.concern("contact") {
        let exclude = std::mem::take(&mut scene.contact.exclude);
        let interference = std::mem::take(&mut scene.contact.interference);
        scene.contact = Contact {
            exclude,
            interference,
            collide: scene.contact.collide,
            ..Contact::default()
        };
    }
    scene.solver = Solver::default();
    scene.output = Output::default();
}

/// JSON paths of the `count` entries of a list, such as `bodies[0]`.
fn paths(list: &'static str, count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |k| format!("{list}[{k}]"))
}

/// A problem of the sound part, with the path of its body in the scene as written.
///
/// `paths` are those of [`Sound`]. A problem whose path does not begin with a body of the part
/// stays as it is.
pub(super) fn renamed(problem: Problem, paths: &[String]) -> Problem {
    let written = || {
        let (number, below) = problem.path.strip_prefix("bodies[")?.split_once(']')?;
        let path = paths.get(number.parse::<usize>().ok()?)?;
        Some(format!("{path}{below}"))
    };

    Problem {
        path: written().unwrap_or_else(|| problem.path.clone()),
        ..problem
    }
}
