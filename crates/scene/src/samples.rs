//! Points of bodies that probes and sections of a scene ask for.
//!
//! A probe is a point or a list of vertices, a section is a line of points. Each becomes a
//! [`Sample`]: a spot of its body with the name under which tables list it.

use super::assemble::{Setup, select};
use super::problem::Problem;
use super::schema::{Output, Probe, Section};
use ipcsim_core::fields::{Spot, locate};
use ipcsim_core::time::World;
use ipcsim_math::Vec2;

/// A point of a body whose values a table lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Name of the probe or section.
    pub name: String,
    /// Number of the vertex in its body, or of the point on the section, from 0.
    pub number: usize,
    /// Way along the section at rest (m); 0 for probes.
    pub way: f64,
    /// The point.
    pub spot: Spot,
}

/// Samples of a probe at the JSON path `path`. A body that the world does not have gives none.
///
/// # Errors
/// The problems of the probe: a place outside of its body, or vertices that do not exist.
pub fn probe(probe: &Probe, setup: &Setup, path: &str) -> Result<Vec<Sample>, Vec<Problem>> {
    let world = &setup.world;
    let Some(body) = number_of(world, &probe.body) else {
        return Ok(Vec::new());
    };

    let first = world.bodies[body].vertices.start;
    let sample = |number, spot| Sample {
        name: probe.name.clone(),
        number,
        way: 0.0,
        spot,
    };

    // A place, or vertices.
    let mut samples = Vec::new();
    let mut problems = Vec::new();
    if let Some(at) = probe.at {
        match locate(world, body, at.into()) {
            Ok(spot) => samples.push(sample(0, spot)),
            Err(error) => {
                let problem = Problem::error(format!("{path}.at"), error.to_string());
                problems.push(problem.at(at.into()));
            }
        }
    }
    if let Some(selection) = &probe.vertices {
        let path = format!("{path}.vertices");
        for number in select(setup, body, selection, &path, &mut problems) {
            let vertex = first + number;
            samples.push(sample(
                number,
                Spot::vertex(body, vertex, world.rest[vertex]),
            ));
        }
    }
    if problems.is_empty() {
        Ok(samples)
    } else {
        Err(problems)
    }
}

/// Samples of a section at the JSON path `path`: those of its points that are in the body. A body
/// that the world does not have gives none.
///
/// # Errors
/// The problem of a section that does not meet its body, with the distance.
pub fn section(section: &Section, world: &World, path: &str) -> Result<Vec<Sample>, Problem> {
    let Some(body) = number_of(world, &section.body) else {
        return Ok(Vec::new());
    };

    let from = Vec2::from(section.from);
    let along = Vec2::from(section.to) - from;
    let mut samples = Vec::new();
    let mut last_error = None;
    for number in 0..section.points {
        let share = number as f64 / (section.points - 1).max(1) as f64;
        match locate(world, body, from + along * share) {
            Ok(spot) => samples.push(Sample {
                name: section.name.clone(),
                number,
                way: along.norm() * share,
                spot,
            }),
            // Points outside are left out: only a section without a point in the body is wrong.
            Err(error) => last_error = Some(error),
        }
    }
    match last_error {
        Some(error) if samples.is_empty() => {
            let message = format!("has no point in its body; the last one, {error}");
            Err(Problem::error(path, message))
        }
        _ => Ok(samples),
    }
}

/// Samples of all probes of a scene; those with problems are left out.
pub fn probes(setup: &Setup) -> Vec<Sample> {
    let all = setup.scene.output.probes.iter();
    all.filter_map(|own| probe(own, setup, "").ok())
        .flatten()
        .collect()
}

/// Samples of all sections of a scene; those with problems are left out.
pub fn sections(output: &Output, world: &World) -> Vec<Sample> {
    let all = output.sections.iter();
    all.filter_map(|own| section(own, world, "").ok())
        .flatten()
        .collect()
}

/// Problems of all probes and sections of a scene in its world.
pub(super) fn problems(setup: &Setup) -> Vec<Problem> {
    let output = &setup.scene.output;
    let mut problems = Vec::new();
    for (k, own) in output.probes.iter().enumerate() {
        let path = format!("output.probes[{k}]");
        problems.extend(probe(own, setup, &path).err().into_iter().flatten());
    }
    for (k, own) in output.sections.iter().enumerate() {
        let path = format!("output.sections[{k}]");
        problems.extend(section(own, &setup.world, &path).err());
    }
    problems
}

/// Number of the body or obstacle of this name.
fn number_of(world: &World, name: &str) -> Option<usize> {
    world.bodies.iter().position(|body| body.name == name)
}
