//! Preflight: all errors and warnings of a scene that can be found before its first step.
//!
//! A run takes minutes or hours, so a mistake in a scene is worth finding first. Preflight reports
//! everything at once, in three layers:
//!
//! 1. errors of single values, from [`check`], and of the memory that the scene takes;
//! 2. errors of the built world: lengths that rounding loses, overlaps, gaps within the separation;
//! 3. warnings of values that are legal and implausible: units, proportions, speeds, scripted
//!    motion that crushes something, belts that nothing feels, limits of the integrator, and disk
//!    space.
//!
//! If values are wrong, only the sound part of the scene is built, so that the second layer still
//! finds overlaps among the other bodies. The third layer needs the whole world, except for the
//! units, which show in the scene itself. Each room has one kind of warning, and its constants say
//! where usual values lie.

mod belts;
mod clearance;
mod digits;
mod integrators;
mod late;
mod linkages;
mod loads;
mod locking;
pub(super) mod memory;
mod places;
mod proportions;
mod pushed;
mod rates;
mod repeated;
mod rows;
mod sound;
mod sweep;
mod units;
mod work;

use super::assemble::{Setup, assemble_sound, hand_problems};
use super::check::check;
use super::code::Code;
use super::error::SceneError;
use super::going_on::go_on;
use super::measures;
use super::overlap::Overlap;
use super::overlap::{self, overlaps};
use super::problem::Problem;
use super::samples;
use super::schema::Scene;
use ipcsim_math::Vec2;
use ipcsim_math::sort::sort_by_key;
use sound::Sound;

/// Everything that can be said about a scene before its first step.
#[derive(Debug)]
pub struct Preflight {
    /// The world without the parts that cannot be built; `None` if nothing can be built.
    pub setup: Option<Setup>,
    /// All problems, errors first. Within one severity they keep the order of the checks.
    pub problems: Vec<Problem>,
    /// Facts about the scene that are no mistakes: joints that repeat each other, and tables that
    /// leave out steps.
    pub notes: Vec<Problem>,
}

/// Finds all errors and warnings of a scene.
///
/// The result has a world even if there are errors, as long as at least one body is sound. Callers
/// that want to run the scene use [`build`], which refuses scenes with errors.
pub fn preflight(scene: Scene) -> Preflight {
    preflight_beside(scene, Vec::new())
}

/// Finds all errors and warnings of a scene beside those that are `known`: wrong keys and types,
/// for which the scene has stand-ins. What would be said about these is left out.
pub(super) fn preflight_beside(scene: Scene, known: Vec<Problem>) -> Preflight {
    let mut warnings: Vec<Problem> = coded(Code::Unit, units::warnings(&scene)).collect();
    places::add(&mut warnings, &scene);
    warnings.extend(coded(Code::Late, late::warnings(&scene)));
    warnings.retain(|warning| !is_about(&known, warning));
    let Assembled {
        setup,
        mut problems,
        is_whole,
    } = assemble_beside(scene, known);

    // Warnings that need the whole world, and notes.
    let mut notes = Vec::new();
    if let (Some(setup), true) = (&setup, is_whole) {
        warnings.extend(coded(Code::Belt, belts::warnings(setup)));
        warnings.extend(coded(Code::Proportion, proportions::warnings(setup)));
        warnings.extend(coded(Code::Locking, locking::warnings(setup)));
        warnings.extend(coded(Code::Pushed, pushed::warnings(setup)));
        warnings.extend(coded(Code::Rate, rates::warnings(setup)));
        warnings.extend(coded(Code::Integrator, integrators::warnings(setup)));
        warnings.extend(coded(Code::Linkage, linkages::warnings(setup)));
        warnings.extend(coded(Code::Pressure, loads::warnings(setup)));
        warnings.extend(coded(Code::Crushing, loads::crushing(setup)));
        warnings.extend(coded(Code::Sweep, sweep::warnings(setup)));
        warnings.extend(coded(Code::Work, work::fields(setup)));
        warnings.extend(coded(Code::Disk, memory::disk(setup)));
        notes = coded(Code::RepeatedJoints, repeated::notes(setup, &warnings)).collect();
        notes.extend(coded(Code::Disk, rows::notes(setup)));
    }

    problems.extend(warnings);
    sort_by_key(&mut problems, |problem| problem.severity);
    Preflight {
        setup,
        problems,
        notes,
    }
}

/// Builds the world that a scene describes, without the search for implausible values.
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

/// Ways on which pairs of bodies that start too near to each other move apart; see
/// [`clearance::ways_away`].
pub(super) fn ways_away(overlaps: &[Overlap], setup: &Setup) -> Vec<([usize; 2], Vec2)> {
    let pushed = pushed::pushed(setup).into_iter();
    let pairs: Vec<[usize; 2]> = pushed.map(|pair| pair.bodies).collect();
    clearance::ways_away(overlaps, &pairs, setup)
}

impl Scene {
    /// Builds the world that the scene describes.
    ///
    /// # Errors
    /// [`SceneError::Invalid`] with all problems of the scene, among them bodies that overlap at
    /// the start.
    pub fn build(self) -> Result<Setup, SceneError> {
        build(self)
    }
}

/// The part of a scene that could be built, and the errors of the rest.
pub(super) struct Assembled {
    /// World of the sound part; `None` if no body is sound or memory does not suffice.
    pub setup: Option<Setup>,
    /// Errors, and warnings of gaps at the start.
    pub problems: Vec<Problem>,
    /// True if the whole scene was built, with lengths that double precision resolves.
    pub is_whole: bool,
}

impl Assembled {
    /// The result for a scene that cannot be built, not even in part.
    fn nothing(problems: Vec<Problem>) -> Self {
        Self {
            setup: None,
            problems,
            is_whole: false,
        }
    }
}

/// Problems with their code.
fn coded(code: Code, found: impl IntoIterator<Item = Problem>) -> impl Iterator<Item = Problem> {
    found.into_iter().map(move |problem| problem.coded(code))
}

/// True if a problem is about a value that is wrong already, a value in it, or the value of a key
/// around it.
fn is_about(known: &[Problem], problem: &Problem) -> bool {
    let is_within = |inner: &str, outer: &str| {
        let below = inner.strip_prefix(outer);
        below.is_some_and(|below| below.is_empty() || below.starts_with(['.', '[']))
    };
    known.iter().any(|wrong| {
        let is_key = problem.path.contains('.');
        is_within(&problem.path, &wrong.path) || (is_key && is_within(&wrong.path, &problem.path))
    })
}

/// Builds the sound part of a scene and finds the problems that show in it.
pub(super) fn assemble(scene: Scene) -> Assembled {
    assemble_beside(scene, Vec::new())
}

/// Builds the sound part of a scene, and finds the problems that show in it beside those that are
/// `known`.
fn assemble_beside(scene: Scene, known: Vec<Problem>) -> Assembled {
    let mut found = check(&scene);
    found.extend(work::modes(&scene));
    places::add(&mut found, &scene);
    found.retain(|problem| !is_about(&known, problem));
    let mut problems = known;
    problems.extend(found);
    let is_whole = problems.is_empty();

    // Nothing is allocated for a scene that is too large, or too crowded.
    let crowd = work::crowd(&scene).filter(|problem| !is_about(&problems, problem));
    let crowd = crowd.map(|problem| problem.coded(Code::Crowd));
    let is_crowded = crowd.as_ref().is_some_and(Problem::is_error);
    let too_large = too_large(&scene, &problems)
        .into_iter()
        .chain(crowd.clone().filter(|_| is_crowded))
        .next();
    let sound = if is_whole {
        Some(sound::whole(scene))
    } else {
        sound::part(scene, &problems)
    };
    let Some(sound) = sound.filter(|_| too_large.is_none()) else {
        problems.extend(too_large);
        return Assembled::nothing(problems);
    };

    // Lengths that rounding loses make overlaps and gaps meaningless.
    let mut setup = world_of(sound, &mut problems);
    let misplaced = if is_whole { go_on(&mut setup) } else { None };
    let (measured, wrong_measures) = measures::of(&setup);
    setup.measures = measured;
    let lost = if is_whole && problems.is_empty() {
        digits::problems(&setup)
    } else {
        Vec::new()
    };
    problems.extend(crowd);
    let is_whole = is_whole && lost.is_empty();
    if lost.is_empty() && misplaced.is_none() {
        let overlaps = overlaps(&setup);
        problems.extend(coded(Code::Overlap, overlap::problems(&overlaps, &setup)));
        problems.extend(coded(
            Code::Clearance,
            clearance::problems(&overlaps, &setup),
        ));
        problems.extend(coded(Code::Sample, samples::problems(&setup)));
        let hands = hand_problems(&setup.scene, &setup.world);
        problems.extend(coded(Code::Sample, hands));
        problems.extend(wrong_measures.into_iter().filter(|_| is_whole));
    }

    problems.extend(misplaced);
    problems.extend(coded(Code::Digits, lost));
    Assembled {
        setup: Some(setup),
        problems,
        is_whole,
    }
}

/// Error of a scene that takes more memory than is available.
///
/// `None` if the body or obstacle that takes most has another problem already: one wrong number of
/// segments is one error.
fn too_large(scene: &Scene, problems: &[Problem]) -> Option<Problem> {
    let large = memory::problem(scene)?;
    let owner = large.path.trim_end_matches(".shape");
    let is_reported = problems
        .iter()
        .any(|problem| problem.path.starts_with(owner));
    (!is_reported).then_some(large.coded(Code::Memory))
}

/// World of a sound scene, with the paths of the scene as written. Problems of building it are
/// added to `problems`, under the same paths.
fn world_of(sound: Sound, problems: &mut Vec<Problem>) -> Setup {
    let Sound { scene, paths } = sound;
    let count = scene.bodies.len();
    let (mut setup, more, entries) = assemble_sound(scene);

    // All copies of an entry have its path.
    let of_bodies = entries.iter().map(|&entry| &paths[entry]);
    setup.paths = of_bodies.chain(&paths[count..]).cloned().collect();
    let more = coded(Code::Build, more);
    problems.extend(more.map(|problem| sound::renamed(problem, &paths)));
    setup
}
