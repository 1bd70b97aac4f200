//! Probes and sections of the command line.
//!
//! - `BODY@X,Y`: the point of a body at a place at rest (m);
//! - `BODY#VERTEX`: a vertex of a body, by its number in the body;
//! - `BODY@X,Y..X,Y/COUNT`: a line through a body at rest, with as many points.
//!
//! Names of bodies may have any letters: the last `@` or `#` ends the name.

use crate::export_error::ExportError;
use ipcsim::math::Vec2;
use ipcsim::scene::nearest;
use ipcsim::scene::samples::{self, Sample};
use ipcsim::scene::schema::{Probe, Section, Selection};
use ipcsim::scene::{Problem, Setup};

/// Option of a probe.
const PROBE: &str = "--probe";
/// Option of a section.
const SECTION: &str = "--section";

/// Points of all probes of the command line.
///
/// # Errors
/// [`ExportError::Point`] of the first one that cannot be read or is not in its body.
pub(super) fn probes(texts: &[String], setup: &Setup) -> Result<Vec<Sample>, ExportError> {
    let mut samples = Vec::new();
    for text in texts {
        let found = read_probe(text)
            .and_then(|probe| known(&probe.body, setup).map(|()| probe))
            .and_then(|probe| {
                samples::probe(&probe, setup, "").map_err(|problems| first(&problems))
            });
        samples.extend(found.map_err(wrong(PROBE, text))?);
    }
    Ok(samples)
}

/// Points of all sections of the command line.
///
/// # Errors
/// [`ExportError::Point`] of the first one that cannot be read or does not meet its body.
pub(super) fn sections(texts: &[String], setup: &Setup) -> Result<Vec<Sample>, ExportError> {
    let mut samples = Vec::new();
    for text in texts {
        let found = read_section(text)
            .and_then(|section| known(&section.body, setup).map(|()| section))
            .and_then(|section| {
                samples::section(&section, &setup.world, "").map_err(|problem| problem.message)
            });
        samples.extend(found.map_err(wrong(SECTION, text))?);
    }
    Ok(samples)
}

/// Error of an option with its text, for `map_err`.
fn wrong(option: &'static str, text: &str) -> impl FnOnce(String) -> ExportError {
    let text = text.to_owned();
    move |message| ExportError::Point {
        option,
        text,
        message,
    }
}

/// Message of the first of some problems.
fn first(problems: &[Problem]) -> String {
    problems
        .first()
        .map_or_else(String::new, |problem| problem.message.clone())
}

/// Probe of a text.
///
/// # Errors
/// How probes are written.
fn read_probe(text: &str) -> Result<Probe, String> {
    let form = || "expected BODY@X,Y, a place at rest (m), or BODY#VERTEX".to_owned();
    // The name of a body may have these signs too, so that the last one counts.
    let split = text.rfind(['@', '#']).ok_or_else(form)?;
    let (body, place) = text.split_at(split);

    let mut probe = Probe {
        name: text.to_owned(),
        body: body.to_owned(),
        at: None,
        vertices: None,
    };
    if let Some(vertex) = place.strip_prefix('#') {
        let vertex = vertex.parse().map_err(|_| form())?;
        probe.vertices = Some(Selection::Indices(vec![vertex]));
    } else {
        probe.at = Some(pair(&place[1..]).ok_or_else(form)?);
    }
    Ok(probe)
}

/// Section of a text.
///
/// # Errors
/// How sections are written.
fn read_section(text: &str) -> Result<Section, String> {
    let form = || {
        "expected BODY@X,Y..X,Y, two places at rest (m), and perhaps /COUNT, the number of points \
         from 2"
            .to_owned()
    };
    let (body, line) = text.rsplit_once('@').ok_or_else(form)?;
    let (line, points) = match line.split_once('/') {
        Some((line, points)) => (line, points.parse().map_err(|_| form())?),
        None => (line, Section::POINTS),
    };

    let (from, to) = line.split_once("..").ok_or_else(form)?;
    let section = Section {
        name: text.to_owned(),
        body: body.to_owned(),
        from: pair(from).ok_or_else(form)?,
        to: pair(to).ok_or_else(form)?,
        points,
    };

    if points < 2 || Vec2::from(section.from) == Vec2::from(section.to) {
        return Err(form());
    }
    Ok(section)
}

/// Two finite numbers with a comma between them.
fn pair(text: &str) -> Option<[f64; 2]> {
    let (x, y) = text.split_once(',')?;
    let pair = [x.trim().parse().ok()?, y.trim().parse().ok()?];
    pair.iter().all(|c: &f64| c.is_finite()).then_some(pair)
}

/// Tells whether a body or obstacle of this name exists.
///
/// # Errors
/// The name that is most like it, or all names.
fn known(name: &str, setup: &Setup) -> Result<(), String> {
    let bodies = &setup.world.bodies;
    let names = bodies.iter().map(|body| body.name.as_str());
    if names.clone().any(|known| known == name) {
        return Ok(());
    }
    if let Some(near) = nearest(name, names.clone()) {
        return Err(format!(
            "no body or obstacle is named \"{name}\"; did you mean \"{near}\"?"
        ));
    }

    let names: Vec<&str> = names.take(20).collect();
    let names = names.join("\", \"");
    Err(format!(
        "no body or obstacle is named \"{name}\"; the names are \"{names}\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_the_signs_that_end_them() {
        let probe = read_probe("a@b#c@0.5,-1e-3").unwrap();
        assert_eq!(
            (probe.body.as_str(), probe.at),
            ("a@b#c", Some([0.5, -1e-3]))
        );

        let vertex = read_probe("disk 3#12").unwrap();
        assert_eq!(vertex.vertices, Some(Selection::Indices(vec![12])));

        let section = read_section("x@y@0,0..1,0.5/7").unwrap();
        assert_eq!(
            (
                section.body.as_str(),
                section.from,
                section.to,
                section.points
            ),
            ("x@y", [0.0, 0.0], [1.0, 0.5], 7)
        );
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "beam",
            "beam@1",
            "beam@1,x",
            "beam#-1",
            "beam#",
            "beam@1,inf",
            "beam@nan,0",
        ] {
            assert!(read_probe(text).is_err(), "{text}");
        }

        for text in [
            "beam@0,0",
            "beam@0,0..0,0",
            "beam@0,0..1,0/1",
            "0,0..1,0",
            "a@0,0..1",
        ] {
            assert!(read_section(text).is_err(), "{text}");
        }
    }
}
