//! What can be known of a scene before its first step: all that keeps it from running, and all that looks wrong.

pub(super) mod clearance;
mod digits;
pub(super) mod memory;
mod places;
mod proportions;
mod rates;
mod sound;
mod sweep;
mod units;

use super::assemble::{Setup, assemble_sound};
use super::check::check;
use super::error::SceneError;
use super::overlap::{self, overlaps};
use super::problem::Problem;
use super::schema::Scene;

/// A scene looked at.
pub struct Preflight {
    /// The world; without what is so wrong that it cannot be built, and none if nothing can.
    pub setup: Option<Setup>,
    /// All problems, errors first.
    pub problems: Vec<Problem>,
}

/// Finds all errors of a scene, and everything that looks wrong.
pub fn preflight(scene: Scene) -> Preflight {
    let mut warnings = units::warnings(&scene);
    places::add(&mut warnings, &scene);
    let Assembled {
        setup,
        mut problems,
        is_whole,
    } = assemble(scene);
    if let (Some(setup), true) = (&setup, is_whole) {
        warnings.extend(proportions::warnings(setup));
        warnings.extend(rates::warnings(setup));
        warnings.extend(sweep::warnings(setup));
        warnings.extend(memory::disk(setup));
    }
    problems.extend(warnings);
    problems.sort_by_key(|problem| problem.severity);
    Preflight { setup, problems }
}

/// Builds the world that `scene` describes.
///
/// # Errors
/// [`SceneError::Invalid`] with all problems of the scene, among them whatever overlaps at the start.
pub fn build(scene: Scene) -> Result<Setup, SceneError> {
    let Assembled {
        setup, problems, ..
    } = assemble(scene);
    let runs = !problems.iter().any(Problem::is_error);
    setup.filter(|_| runs).ok_or(SceneError::Invalid(problems))
}

impl Scene {
    /// Builds the world that the scene describes.
    ///
    /// # Errors
    /// [`SceneError::Invalid`] with all problems of the scene, among them bodies that overlap at the
    /// start.
    pub fn build(self) -> Result<Setup, SceneError> {
        build(self)
    }
}

/// What could be built of a scene, and its errors.
pub(super) struct Assembled {
    pub setup: Option<Setup>,
    pub problems: Vec<Problem>,
    /// Whether that is all of the scene, with lengths that can be told apart.
    pub is_whole: bool,
}

/// Builds as much of a scene as is sound.
pub(super) fn assemble(scene: Scene) -> Assembled {
    let mut problems = check(&scene);
    places::add(&mut problems, &scene);
    let of_body = |path: &str| path.trim_end_matches(".shape").to_owned();
    let is_told = |large: &Problem| {
        problems
            .iter()
            .any(|problem| problem.path.starts_with(&of_body(&large.path)))
    };
    let too_large = memory::problem(&scene).filter(|large| !is_told(large));
    let is_whole = problems.is_empty();
    let sound = if is_whole {
        Some(sound::whole(scene))
    } else {
        sound::part(scene, &problems)
    };
    let Some(sound) = sound.filter(|_| too_large.is_none()) else {
        problems.extend(too_large);
        return Assembled {
            setup: None,
            problems,
            is_whole: false,
        };
    };
    let count = sound.scene.bodies.len();
    let (mut setup, more, entries) = assemble_sound(sound.scene);
    let of_bodies = entries.iter().map(|&entry| &sound.paths[entry]);
    setup.paths = of_bodies.chain(&sound.paths[count..]).cloned().collect();
    problems.extend(
        more.into_iter()
            .map(|problem| sound::renamed(problem, &sound.paths)),
    );
    let lost = if is_whole && problems.is_empty() {
        digits::problems(&setup)
    } else {
        Vec::new()
    };
    let is_whole = is_whole && lost.is_empty();
    if lost.is_empty() {
        let overlaps = overlaps(&setup);
        problems.extend(overlap::problems(&overlaps, &setup));
        problems.extend(clearance::problems(&overlaps, &setup));
    }
    problems.extend(lost);
    Assembled {
        setup: Some(setup),
        problems,
        is_whole,
    }
}
