//! The part of a scene that can be built although other parts are wrong, so that problems in it are
//! found as well.

use crate::scene::problem::Problem;
use crate::scene::schema::{Contact, Output, Scene, Solver};

/// A scene that can be built, or the part of one.
pub(super) struct Sound {
    pub scene: Scene,
    /// JSON paths of bodies, then of obstacles, in the scene as written.
    pub paths: Vec<String>,
}

/// A scene without problems.
pub(super) fn whole(scene: Scene) -> Sound {
    let paths = paths("bodies", scene.bodies.len())
        .chain(paths("obstacles", scene.obstacles.len()))
        .collect();
    Sound { scene, paths }
}

/// Bodies and obstacles without problems. Wrong values that all bodies share are replaced by defaults.
/// `None` if no body is left.
pub(super) fn part(scene: Scene, problems: &[Problem]) -> Option<Sound> {
    let is_wrong = |path: &str| {
        let below = |problem: &Problem| problem.path.strip_prefix(path).map(str::to_owned);
        let mut found = problems
            .iter()
            .filter(|problem| problem.is_error())
            .filter_map(below);
        found.any(|below| below.starts_with(['.', '[']) && below != ".name" || below.is_empty())
    };
    let Scene {
        materials,
        bodies,
        obstacles,
        mut time,
        contact,
        ..
    } = scene;
    let good = |(path, material): (&String, &str)| {
        !is_wrong(path) && !is_wrong(&format!("materials.{material}"))
    };

    // Bodies and obstacles without problems, and their paths.
    let of_bodies = paths("bodies", bodies.len()).zip(bodies);
    let (mut paths_of, bodies): (Vec<String>, Vec<_>) = of_bodies
        .filter(|(path, body)| good((path, &body.material)))
        .unzip();
    let of_obstacles = paths("obstacles", obstacles.len()).zip(obstacles);
    let (paths_of_obstacles, obstacles): (Vec<String>, Vec<_>) =
        of_obstacles.filter(|(path, _)| !is_wrong(path)).unzip();
    paths_of.extend(paths_of_obstacles);

    // Defaults where shared values are wrong.
    if is_wrong("time") {
        time.step = 1e-2;
    }
    let contact = if is_wrong("contact") {
        Contact {
            exclude: contact.exclude,
            ..Contact::default()
        }
    } else {
        contact
    };
    let gravity = if is_wrong("gravity") {
        [0.0; 2]
    } else {
        scene.gravity
    };
    let thickness = if is_wrong("thickness") {
        1.0
    } else {
        scene.thickness
    };

    let scene = Scene {
        time,
        gravity,
        thickness,
        materials,
        bodies,
        obstacles,
        contact,
        solver: Solver::default(),
        output: Output::default(),
        ..scene
    };
    (!scene.bodies.is_empty()).then_some(Sound {
        scene,
        paths: paths_of,
    })
}

/// JSON paths of the entries of a list.
fn paths(list: &'static str, count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |k| format!("{list}[{k}]"))
}

/// A problem of a body of the sound part, with the body's path in the scene as written instead of that
/// in the part.
pub(super) fn renamed(problem: Problem, paths: &[String]) -> Problem {
    let place = problem
        .path
        .strip_prefix("bodies[")
        .and_then(|rest| rest.split_once(']'));
    let path = place.and_then(|(number, below)| {
        Some(format!(
            "{}{below}",
            paths.get(number.parse::<usize>().ok()?)?
        ))
    });
    Problem {
        path: path.unwrap_or_else(|| problem.path.clone()),
        ..problem
    }
}
