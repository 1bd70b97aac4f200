//! What a measure is of: the scene, bodies, points, a pair, a joint, a load, or a line.

use super::named::Named;
use super::quantity::{self, energy};
use crate::assemble::{Setup, select};
use crate::problem::Problem;
use crate::samples;
use crate::schema;
use ipcsim_core::constraint::joint_names;
use ipcsim_core::fields::{Spot, locate};
use ipcsim_core::measures::{
    BodyValue, Measures, OF_CHAMBERS, OF_JOINTS, OF_LOADS, OF_PAIRS, OF_PLACES, Part, Place, What,
};
use ipcsim_core::quantities::of_scene;
use ipcsim_math::Vec2;

/// Number of this name among those of something.
fn part_named<T>(parts: &'static [Part<T>], name: &str) -> Option<&'static Part<T>> {
    parts.iter().find(|part| part.name == name)
}

/// What a measure is of.
pub(super) enum Target {
    /// The scene, or all bodies.
    Scene,
    /// Bodies, by their numbers.
    Bodies(Vec<usize>),
    /// A section, by its number.
    Section(usize),
    /// A pair of bodies.
    Pair([usize; 2]),
    /// A joint.
    Joint(usize),
    /// A load.
    Load(usize),
    /// A chamber.
    Chamber(usize),
    /// A line that bodies cross.
    Line(Vec<usize>, [Vec2; 2]),
    /// A place with bodies around it.
    Place(Place),
}

impl Target {
    /// Target of a measure at the JSON path `path`.
    ///
    /// # Errors
    /// If it names what does not exist, or several things.
    pub(super) fn of(
        own: &schema::Measure,
        setup: &Setup,
        path: &str,
        quantity: &str,
    ) -> Result<Self, Problem> {
        let wrong = |key: &str, message: String| Problem::error(format!("{path}.{key}"), message);
        if let Some([first, second]) = &own.between {
            if own.of.is_some() {
                let message = "is of a pair already; leave \"of\" out".to_owned();
                return Err(wrong("of", message));
            }
            let both = [first, second].map(|name| number_of(setup, name));
            let [Some(a), Some(b)] = both else {
                let name = if both[0].is_none() { first } else { second };
                return Err(quantity::unknown_target(
                    setup,
                    &format!("{path}.between"),
                    name,
                    true,
                ));
            };
            if a == b {
                let message = format!("names \"{first}\" twice; name two bodies or obstacles");
                return Err(wrong("between", message));
            }
            return Ok(Self::Pair([a, b]));
        }

        // A name, or the whole scene.
        let target = match &own.of {
            None => Self::Scene,
            Some(name) => Self::named(setup, name, quantity).ok_or_else(|| {
                quantity::unknown_target(setup, &format!("{path}.of"), name, false)
            })?,
        };
        if let Some(within) = own.within {
            return Self::around(own, setup, target, within).ok_or_else(|| {
                let message = "is the radius around a place, of all bodies or of some; give \"at\", and \
                               in \"of\" a body or its copies, or nothing";
                wrong("within", message.to_owned())
            });
        }
        let Some(line) = own.line else {
            return Ok(target);
        };

        // Bodies that may cross the line.
        let line = line.map(Vec2::from);
        if line[0] == line[1] {
            return Err(wrong("line", "begins and ends at one point".to_owned()));
        }
        match target {
            Self::Scene => Ok(Self::Line(moving(setup), line)),
            Self::Bodies(bodies) => Ok(Self::Line(bodies, line)),
            _ => Err(wrong(
                "of",
                "no body crosses a line here; name a body".to_owned(),
            )),
        }
    }

    /// A place with bodies within a radius (m) around it; `None` if there is no place, or nothing but
    /// bodies around it counts.
    fn around(own: &schema::Measure, setup: &Setup, target: Self, within: f64) -> Option<Self> {
        let bodies = match target {
            Self::Scene => moving(setup),
            Self::Bodies(bodies) => bodies,
            _ => return None,
        };
        Some(Self::Place(Place {
            at: own.at?.into(),
            within,
            bodies,
        }))
    }

    /// Target of this name. If several things have it, the one that has the quantity counts.
    fn named(setup: &Setup, name: &str, quantity: &str) -> Option<Self> {
        let world = &setup.world;
        let bodies = bodies(setup, name);
        let mut joints = joint_names(&world.model.joints).into_iter();
        let joint = joints.position(|own| own == name);
        let mut loads = world.loading.applied.iter();
        let load = loads.position(|own| own.name == name);
        // A chamber whose walls are wrong has its own message.
        let mut chambers = setup.scene.chambers.iter();
        let chamber = chambers.position(|own| own.name == name);
        let mut sections = setup.scene.output.sections.iter();
        let section = sections.position(|own| own.name == name);

        // Bodies come first if several things have the quantity.
        let of_bodies = (!bodies.is_empty()).then_some(Self::Bodies(bodies));
        let all = [
            of_bodies,
            joint.map(Self::Joint),
            load.map(Self::Load),
            chamber.map(Self::Chamber),
            section.map(Self::Section),
        ];
        let mut all: Vec<Self> = all.into_iter().flatten().collect();
        let fitting = all.iter().position(|own| own.has(quantity)).unwrap_or(0);
        (!all.is_empty()).then(|| all.swap_remove(fitting))
    }

    /// True if such a thing has a quantity of this name.
    fn has(&self, name: &str) -> bool {
        self.names().iter().any(|own| own == name)
    }

    /// Names of all quantities that such a thing has, with energies.
    fn known(&self, setup: &Setup) -> Vec<String> {
        let mut known = self.names();
        if matches!(self, Self::Scene) {
            known.extend(quantity::energies(setup));
        }
        known
    }

    /// Names of all quantities that such a thing has, apart from energies.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Scene => quantity::of_scene_and_bodies(),
            Self::Bodies(_) => quantity::of_bodies_and_points(),
            Self::Section(_) => quantity::of_points(),
            Self::Pair(_) => with(quantity::parts(&OF_PAIRS), "gap"),
            Self::Joint(_) => quantity::parts(&OF_JOINTS),
            Self::Load(_) => quantity::parts(&OF_LOADS),
            Self::Chamber(_) => quantity::parts(&OF_CHAMBERS),
            Self::Line(..) => vec!["flow".to_owned()],
            Self::Place(_) => quantity::parts(&OF_PLACES),
        }
    }

    /// Its kind in messages.
    fn word(&self) -> &'static str {
        match self {
            Self::Scene => "the scene or of bodies",
            Self::Bodies(_) => "bodies",
            Self::Section(_) => "a section",
            Self::Pair(_) => "a pair",
            Self::Joint(_) => "a joint",
            Self::Load(_) => "a load",
            Self::Chamber(_) => "a chamber",
            Self::Line(..) => "a line",
            Self::Place(_) => "a place",
        }
    }

    /// Refuses a place within a target that is no body.
    ///
    /// # Errors
    /// If the measure has one.
    fn check_places(&self, own: &schema::Measure, named: &Named) -> Result<(), Problem> {
        let is_of_bodies = matches!(self, Self::Bodies(_) | Self::Place(_));
        if !is_of_bodies && (own.at.is_some() || own.on.is_some()) {
            let message = "\"at\" and \"on\" are places of a body; name it by \"of\"";
            return Err(Problem::error(named.path.clone(), message));
        }
        Ok(())
    }

    /// Measure of a quantity, with its unit.
    ///
    /// # Errors
    /// If the target has no such quantity, or no such place.
    pub(super) fn what(
        &self,
        own: &schema::Measure,
        setup: &Setup,
        named: &Named,
        all: &mut Measures,
    ) -> Result<(What, String), Problem> {
        let name = named.name;
        let missing = || quantity::unknown(self.word(), &self.known(setup), named);
        if name.starts_with("coarse_") && !matches!(self, Self::Place(_)) {
            return Err(missing());
        }
        self.check_places(own, named)?;
        match self {
            Self::Line(bodies, line) if name == "flow" => {
                let what = What::Flow {
                    bodies: bodies.clone(),
                    line: *line,
                };
                Ok((what, "1".to_owned()))
            }
            Self::Line(..) => Err(missing()),
            Self::Place(place) => {
                let part = part_named(&OF_PLACES, name).ok_or_else(missing)?;
                Ok((What::Place(place.clone(), part), part.unit.to_owned()))
            }
            Self::Pair(bodies) if name == "gap" => Ok((What::Gap(*bodies), "m".to_owned())),
            Self::Pair(bodies) => {
                let part = part_named(&OF_PAIRS, name).ok_or_else(missing)?;
                Ok((What::Pair(*bodies, part), part.unit.to_owned()))
            }
            Self::Joint(joint) => {
                let part = part_named(&OF_JOINTS, name).ok_or_else(missing)?;
                if !quantity::applies(setup, *joint, part) {
                    let label = &setup.world.model.joints[*joint].label;
                    let message =
                        format!("the {label} has no {name}; leave the measure out, or take force");
                    return Err(Problem::error(named.path.clone(), message));
                }
                let unit = quantity::unit_of_joint(setup, *joint, part);
                Ok((What::Joint(*joint, part), unit))
            }
            Self::Chamber(chamber) => {
                let part = part_named(&OF_CHAMBERS, name).ok_or_else(missing)?;
                Ok((What::Chamber(*chamber, part), part.unit.to_owned()))
            }
            Self::Load(load) => {
                let part = part_named(&OF_LOADS, name).ok_or_else(missing)?;
                Ok((What::Load(*load, part), part.unit.to_owned()))
            }
            Self::Section(section) => {
                let spots = of_section(*section, setup, all)?;
                quantity::points(named, spots, None).ok_or_else(missing)
            }
            Self::Scene if name == "coordination" => Ok((What::Coordination, "1".to_owned())),
            Self::Scene => match (of_scene(name), energy(setup, name)) {
                (Some(quantity), _) => Ok((What::Scene(quantity), quantity.unit.to_owned())),
                (None, Some(column)) => Ok((What::Energy(column), "J".to_owned())),
                (None, None) => {
                    let bodies = Self::Bodies(moving(setup));
                    let found = bodies.of_bodies(own, setup, named, all)?;
                    found.ok_or_else(missing)
                }
            },
            Self::Bodies(_) => self.of_bodies(own, setup, named, all)?.ok_or_else(missing),
        }
    }

    /// Measure of bodies or their points, with its unit; `None` if the quantity is of neither.
    ///
    /// # Errors
    /// If a body has no such place.
    fn of_bodies(
        &self,
        own: &schema::Measure,
        setup: &Setup,
        named: &Named,
        all: &mut Measures,
    ) -> Result<Option<(What, String)>, Problem> {
        let Self::Bodies(bodies) = self else {
            return Ok(None);
        };
        if let Some((value, unit)) = quantity::of_body(named.name) {
            if own.at.is_some() || own.on.is_some() {
                let message = format!(
                    "\"{}\" is of a whole body; leave \"at\" and \"on\" out, or take a field such as \
                     displacement_x",
                    named.name
                );
                return Err(Problem::error(named.path.clone(), message));
            }
            check_angle(&value, bodies, setup, named)?;
            check_support(bodies, setup, named)?;
            let bodies = bodies.clone();
            return Ok(Some((What::Bodies { value, bodies }, unit.to_owned())));
        }

        // Otherwise a field at points.
        let points = of_points(own, bodies, setup, named, all)?;
        let Some((what, unit)) = quantity::points(named, points, Some(setup)) else {
            return Ok(None);
        };
        check_stress(&what, setup, named)?;
        Ok(Some((what, unit)))
    }
}

/// A list with another name.
fn with(mut names: Vec<String>, name: &str) -> Vec<String> {
    names.push(name.to_owned());
    names
}

/// Refuses an angle of bodies that have none.
///
/// # Errors
/// [`Problem`] with the first body.
fn check_angle(
    value: &BodyValue,
    bodies: &[usize],
    setup: &Setup,
    named: &Named,
) -> Result<(), Problem> {
    let world = &setup.world;
    let needs_angle = matches!(value, BodyValue::Quantity(own) if own.unit.starts_with("rad"));
    let without = bodies
        .iter()
        .find(|&&body| world.bodies[body].angle(&setup.state.q).is_none());
    let Some(&body) = without.filter(|_| needs_angle) else {
        return Ok(());
    };
    let message = format!(
        "\"{}\" has no angle, since it is not rigid; take a joint of it, or a field",
        world.bodies[body].name
    );
    Err(Problem::error(named.path.clone(), message))
}

/// Refuses a reaction of bodies that nothing holds.
///
/// # Errors
/// [`Problem`] if none of them has a support.
fn check_support(bodies: &[usize], setup: &Setup, named: &Named) -> Result<(), Problem> {
    let world = &setup.world;
    let is_held = |&body: &usize| {
        let nodes = &world.bodies[body].nodes;
        world.prescribed.iter().any(|own| nodes.contains(&own.node))
    };
    if !named.name.starts_with("reaction") || bodies.iter().any(is_held) {
        return Ok(());
    }
    let message = "nothing holds the body, so that it has no reaction; take contact, or a joint";
    Err(Problem::error(named.path.clone(), message))
}

/// Refuses a stress or strain where there is no triangle.
///
/// # Errors
/// [`Problem`] if no point has one.
fn check_stress(what: &What, setup: &Setup, named: &Named) -> Result<(), Problem> {
    let What::Points(own) = what else {
        return Ok(());
    };
    let has_any = !quantity::is_tensor(own)
        || own.points.iter().any(|&point| {
            // Spots follow all vertices.
            let mut triangles = setup.world.triangles.iter();
            point >= setup.world.rest.len() || triangles.any(|triangle| triangle.contains(&point))
        });
    if has_any {
        return Ok(());
    }
    let message = format!(
        "\"{}\" needs a body of triangles, which deforms; there is none at these places",
        named.name
    );
    Err(Problem::error(named.path.clone(), message))
}

/// Numbers of the points of bodies that a measure takes: all vertices, a selection, or a place.
///
/// # Errors
/// If there is no such place or vertex.
fn of_points(
    own: &schema::Measure,
    bodies: &[usize],
    setup: &Setup,
    named: &Named,
    all: &mut Measures,
) -> Result<Vec<usize>, Problem> {
    let world = &setup.world;
    let path = named.path.rsplit_once('.').map_or("", |(path, _)| path);
    let [at, on] = ["at", "on"].map(|key| format!("{path}.{key}"));
    if let Some(place) = own.at {
        let [body] = *bodies else {
            let message = "is a place of one body; name it by \"of\"";
            return Err(Problem::error(at, message));
        };
        if own.on.is_some() {
            let message = "is given besides \"at\"; leave one of them out";
            return Err(Problem::error(on, message));
        }
        let spot = locate(world, body, place.into())
            .map_err(|error| Problem::error(at, error.to_string()).at(place.into()))?;
        return Ok(vec![added(spot, setup, all)]);
    }

    // All vertices, or the selected ones.
    let mut points = Vec::new();
    for &body in bodies {
        let vertices = world.bodies[body].vertices.clone();
        let Some(selection) = &own.on else {
            points.extend(vertices);
            continue;
        };
        let mut problems = Vec::new();
        let chosen = select(setup, body, selection, &on, &mut problems);
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem);
        }
        points.extend(chosen.into_iter().map(|vertex| vertices.start + vertex));
    }
    Ok(points)
}

/// Numbers of the points of a section.
///
/// # Errors
/// If it has none in its body.
fn of_section(section: usize, setup: &Setup, all: &mut Measures) -> Result<Vec<usize>, Problem> {
    let own = &setup.scene.output.sections[section];
    let path = format!("output.sections[{section}]");
    let found = samples::section(own, &setup.world, &path)?;
    let spots = found.into_iter().map(|sample| sample.spot);
    Ok(spots.map(|spot| added(spot, setup, all)).collect())
}

/// Number of a spot among all points, after it has been added.
fn added(spot: Spot, setup: &Setup, all: &mut Measures) -> usize {
    all.spots.push(spot);
    setup.world.rest.len() + all.spots.len() - 1
}

/// Number of the body or obstacle of this name.
fn number_of(setup: &Setup, name: &str) -> Option<usize> {
    let mut bodies = setup.world.bodies.iter();
    bodies.position(|body| body.name == name)
}

/// Numbers of the body or obstacle of this name, or of all copies of a body.
fn bodies(setup: &Setup, name: &str) -> Vec<usize> {
    if let Some(body) = number_of(setup, name) {
        return vec![body];
    }
    let is_copy = |own: &str| {
        let number = own
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(' '));
        number.is_some_and(|number| number.parse::<usize>().is_ok())
    };
    let all = setup.world.bodies.iter().enumerate();
    all.filter_map(|(body, own)| is_copy(&own.name).then_some(body))
        .collect()
}

/// Numbers of all bodies that are not obstacles.
fn moving(setup: &Setup) -> Vec<usize> {
    let all = setup.world.bodies.iter().enumerate();
    all.filter_map(|(body, own)| (!own.kind.is_obstacle()).then_some(body))
        .collect()
}
