//! What is computed of every state: fields by which colours are chosen, and contacts.
//!
//! Fields are those of `ipcsim render` and `ipcsim plot`, from stored positions: speed at the
//! vertices, von Mises stress of the elastic triangles, contact pressure at the vertices of outlines.
//!
//! A new quantity for colours is a variant here, a button in `index.html` and its name in
//! `legend.js`.

use super::source::Recorded;
use crate::CommandError;
use crate::fields::{pressures, subject, von_mises};
use crate::pictures::speeds::{Placed, body_means, speeds};
use ipcsim::contact::Contacts;
use ipcsim::energy::Conditions;
use ipcsim::fields::Subject;
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::scene::Setup;
use ipcsim_store::contact_table::BodyName;
use std::collections::{BTreeMap, HashMap};

/// Quantity that colours show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Quantity {
    /// A colour for each body.
    Body,
    /// Mean speed of the vertices since the state before.
    Speed,
    /// Von Mises stress of the elastic triangles.
    Stress,
    /// Contact pressure along outlines, from normal forces.
    Pressure,
}

impl Quantity {
    /// All quantities, in the order in which the page offers them.
    pub(super) const ALL: [Self; 4] = [Self::Body, Self::Speed, Self::Stress, Self::Pressure];

    /// Name on the command line and in the page.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Speed => "speed",
            Self::Stress => "stress",
            Self::Pressure => "pressure",
        }
    }

    /// Words of the legend.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Body => "bodies",
            Self::Speed => "speed",
            Self::Stress => "von Mises stress",
            Self::Pressure => "contact pressure",
        }
    }

    /// Unit of the values.
    pub(super) fn unit(self) -> &'static str {
        match self {
            Self::Body => "",
            Self::Speed => "m/s",
            Self::Stress | Self::Pressure => "Pa",
        }
    }

    /// Why a run has no values of this quantity; `None` if it has.
    pub(super) fn obstacle(self, run: &Recorded) -> Option<&'static str> {
        match self {
            Self::Stress if run.mesh.triangles.is_empty() => {
                Some("no body of the scene has elastic triangles, so there is no stress")
            }
            Self::Pressure if run.mesh.edges.is_empty() => Some(
                "no body of the scene has an outline of edges, so there is no pressure along one",
            ),
            _ => None,
        }
    }
}

/// What the user wants the page to have.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Quantities, the one to begin with first.
    pub(super) quantities: Vec<Quantity>,
    /// True if contacts and forces are shown.
    pub(super) forces: bool,
    /// Largest error of positions (m).
    pub(super) precision: Option<f64>,
}

/// Values of a quantity in all states.
#[derive(Debug)]
pub(super) struct Field {
    /// Quantity of the values.
    pub(super) quantity: Quantity,
    /// Values, `[states][elements]`; NaN where there is none. Speeds are those of all vertices, then
    /// the means of bodies that move as a whole, `[vertices + bodies]`.
    pub(super) values: Vec<f32>,
}

/// A contact of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ContactPoint {
    /// Numbers of the two bodies.
    pub(super) bodies: [usize; 2],
    /// Nearest point of the second body (m).
    pub(super) point: Vec2,
    /// Unit normal there, towards the first body (1).
    pub(super) direction: Vec2,
    /// Distance of the surfaces (m).
    pub(super) gap: f64,
    /// Force along the normal on the first body (N).
    pub(super) normal_force: f64,
    /// Friction on the first body (N).
    pub(super) friction: Vec2,
}

/// Fields and contacts of all states of a run.
#[derive(Debug)]
pub(super) struct Samples {
    /// Fields that the run has and the user wants.
    pub(super) fields: Vec<Field>,
    /// Contacts of each state; none if the user does not want forces.
    pub(super) contacts: Vec<Vec<ContactPoint>>,
    /// Box around all vertices and contacts of all states (m).
    pub(super) all: Aabb,
}

impl Samples {
    /// Computes the samples of a run.
    ///
    /// # Errors
    /// If the states cannot be read.
    pub(super) fn of(run: &Recorded, wanted: &Wanted) -> Result<Self, CommandError> {
        let has = |quantity: &Quantity| {
            wanted.quantities.contains(quantity) && quantity.obstacle(run).is_none()
        };

        let fields = [Quantity::Speed, Quantity::Stress, Quantity::Pressure]
            .into_iter()
            .filter(has)
            .map(|quantity| Field {
                quantity,
                values: Vec::new(),
            });
        let mut samples = Self {
            fields: fields.collect(),
            contacts: Vec::new(),
            all: Aabb::EMPTY,
        };

        // Contacts are searched only where they are needed and not stored.
        let mut stored = by_step(run);
        let is_pressed = has(&Quantity::Pressure);
        let mut before: Option<Placed> = None;
        let subject = subject(&run.setup);
        run.each_state(|number, x, flowed| {
            let moment = run.moments[number];
            let is_searched = is_pressed || wanted.forces && stored.is_none();
            let found = if is_searched {
                let adapted = run.report.stiffening.at(moment.step);
                run.setup.world.contacts_at(x, &adapted)
            } else {
                Contacts::default()
            };
            if wanted.forces {
                samples.contacts.push(match &mut stored {
                    Some(stored) => stored.remove(&moment.step).unwrap_or_default(),
                    None => searched(run, &found, x),
                });
            }

            let state = Placed {
                time: moment.time,
                x: x.to_vec(),
            };
            let conditions = Conditions {
                time: moment.time,
                flowed,
            };
            samples.add(run, &subject, (&state, conditions), before.as_ref(), &found);
            samples.draw(run, &state.x);
            before = Some(state);
            Ok(())
        })?;
        Ok(samples)
    }

    /// Adds the fields of a state under its conditions.
    fn add(
        &mut self,
        run: &Recorded,
        subject: &Subject,
        (state, conditions): (&Placed, Conditions),
        before: Option<&Placed>,
        found: &Contacts,
    ) {
        let Setup {
            world,
            state: start,
            ..
        } = &run.setup;

        for field in &mut self.fields {
            let values = match field.quantity {
                Quantity::Body => Vec::new(),
                Quantity::Speed => {
                    let mut values = speeds(state, before, &start.v);
                    values.extend(body_means(world, &values));
                    values
                }
                Quantity::Stress => von_mises(subject, &state.x, conditions),
                Quantity::Pressure => pressures(subject, found, &state.x),
            };
            #[allow(clippy::cast_possible_truncation, reason = "values become bytes later")]
            field
                .values
                .extend(values.iter().map(|value| *value as f32));
        }
    }

    /// Grows the box by a state with the vertices at `x` (m), where it is drawn, and moves its contacts there:
    /// each with the first of its bodies.
    fn draw(&mut self, run: &Recorded, x: &[Vec2]) {
        let (drawn, ways) = run.drawn(x);
        let contacts = self.contacts.last_mut().into_iter().flatten();
        for contact in contacts {
            let way = ways.get(contact.bodies[0]).copied();
            contact.point += way.unwrap_or_default();
        }

        // Places that joints hold to the world follow its vertices.
        let points = self.contacts.last().into_iter().flatten();
        let placed = Aabb::around(drawn.iter().copied());
        self.all = self.all.union(&placed);
        self.all = self
            .all
            .union(&Aabb::around(points.map(|contact| contact.point)));
    }
}

/// Contacts that were searched at the positions `x` (m), without friction.
fn searched(run: &Recorded, found: &Contacts, x: &[Vec2]) -> Vec<ContactPoint> {
    let forces = found.forces(&run.setup.world.model.surface, x);
    forces
        .map(|force| ContactPoint {
            bodies: force.bodies,
            point: force.point,
            direction: force.normal,
            gap: force.gap,
            normal_force: force.force,
            friction: Vec2::zeros(),
        })
        .collect()
}

/// Contacts that the run has stored, by step; `None` without a file. Contacts of bodies that the
/// scene does not have, and places that are not finite, are left out.
fn by_step(run: &Recorded) -> Option<BTreeMap<usize, Vec<ContactPoint>>> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (number, body) in run.mesh.bodies.iter().enumerate() {
        numbers.insert(&body.name, number);
    }

    let number = |body: &BodyName| match body {
        BodyName::Name(name) => numbers.get(name.as_str()).copied(),
        BodyName::Number(number) => Some(*number).filter(|&body| body < run.mesh.bodies.len()),
    };

    let mut steps: BTreeMap<usize, Vec<ContactPoint>> = BTreeMap::new();
    for contact in run.contacts.as_ref()? {
        let [first, second] = &contact.bodies;
        let (Some(first), Some(second)) = (number(first), number(second)) else {
            continue;
        };
        if contact.point.iter().all(|c| c.is_finite()) {
            steps.entry(contact.step).or_default().push(ContactPoint {
                bodies: [first, second],
                point: contact.point,
                direction: contact.direction,
                gap: contact.gap,
                normal_force: contact.normal_force,
                friction: contact.friction,
            });
        }
    }
    Some(steps)
}
