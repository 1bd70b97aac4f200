//! Preflight: all errors and warnings of a scene that can be found before its first step.

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

/// Result of looking at a scene before its first step.
pub struct Preflight {
    /// The world without the parts that cannot be built; none if nothing can be built.
    pub setup: Option<Setup>,
    /// All problems, errors first.
    pub problems: Vec<Problem>,
}

/// Finds all errors and warnings of a scene.
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

/// Builds the world that a scene describes.
///
/// # Errors
/// [`SceneError::Invalid`] with all problems of the scene, overlaps at the start included.
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

/// The part of a scene that could be built, and the errors of the rest.
pub(super) struct Assembled {
    pub setup: Option<Setup>,
    pub problems: Vec<Problem>,
    /// True if the whole scene was built, with lengths that double precision resolves.
    pub is_whole: bool,
}

/// Builds the sound part of a scene.
pub(super) fn assemble(scene: Scene) -> Assembled {
    let mut problems = check(&scene);
    places::add(&mut problems, &scene);

    // A size is an error of its own only if the body has no other.
    let of_body = |path: &str| path.trim_end_matches(".shape").to_owned();
    let is_reported = |large: &Problem| {
        problems
            .iter()
            .any(|problem| problem.path.starts_with(&of_body(&large.path)))
    };
    let too_large = memory::problem(&scene).filter(|large| !is_reported(large));

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

    // The world, with the paths of the scene as written.
    let count = sound.scene.bodies.len();
    let (mut setup, more, entries) = assemble_sound(sound.scene);
    let of_bodies = entries.iter().map(|&entry| &sound.paths[entry]);
    setup.paths = of_bodies.chain(&sound.paths[count..]).cloned().collect();
    problems.extend(
        more.into_iter()
            .map(|problem| sound::renamed(problem, &sound.paths)),
    );

    // Overlaps and gaps, unless rounding makes them meaningless.
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
