//! Readings of all measures at the end of a step.

use super::forces::{neighbours, on_body, pair};
use super::reduce::Placed;
use super::{BodyValue, Component, Measure, Measures, Points, Resultant, What};
use crate::fields::{ContactsOnVertices, Known, Snapshot, Source, Subject};
use crate::forces::{Grains, JointState, Sums, joint_states, vertex_contacts};
use crate::quantities::Moment;
use crate::solve::Touching;
use crate::time::{Reading, Record, State, World};
use ipcsim_math::elementary::hypot;
use ipcsim_math::{Vec2, cross};
use std::collections::BTreeMap;

/// The end of a step, as measures see it.
pub(super) struct End<'a> {
    /// World of the run.
    pub(super) world: &'a World,
    /// State at the end.
    pub(super) state: &'a State,
    /// Contacts, friction and stage that the step ended with.
    pub(super) last: &'a Touching,
    /// State, motion and record.
    pub(super) moment: Moment<'a>,
    /// Its record.
    pub(super) record: &'a Record,
    /// Centres of all bodies before the step (m), if a measure needs them.
    pub(super) before: Option<&'a [Vec2]>,
}

/// What several measures share.
struct Shared {
    /// Sums of forces, if a measure needs them and they are known.
    sums: Option<Sums>,
    /// Bodies as grains, if a measure needs them.
    grains: Option<Grains>,
    /// States of joints, if a measure needs them.
    joints: Vec<JointState>,
    /// True if forces are known.
    is_step: bool,
    /// Values of fields at all points, by their keys.
    fields: BTreeMap<&'static str, Vec<f64>>,
}

impl Measures {
    /// Readings at the end of a step, in the order of the measures.
    pub(super) fn read(&self, end: &End) -> Vec<Option<Reading>> {
        if self.list.is_empty() {
            return Vec::new();
        }

        // Forces are known at the end of a step, and not at a start or of a state that was put back.
        let is_step = end.last.stage.is_some();
        let any = |of: fn(&What) -> bool| self.list.iter().any(|own| of(&own.what));
        let has_forces = any(|what| {
            let force = matches!(
                what,
                What::Bodies {
                    value: BodyValue::Force(_),
                    ..
                }
            );
            force || matches!(what, What::Pair(..) | What::Load(..) | What::Coordination)
        });
        let has_joints = any(|what| matches!(what, What::Joint(..)));

        let has_grains = any(|what| match what {
            What::Bodies {
                value: BodyValue::Force(part),
                ..
            } => part.unit == "Pa",
            what => matches!(what, What::Place(..)),
        });

        let shared = Shared {
            grains: has_grains.then(|| Grains::of(end.world, end.state, end.last, self.thickness)),
            sums: (is_step && has_forces).then(|| Sums::of(end.world, end.state, end.last)),
            joints: if has_joints {
                joint_states(end.world, end.state)
            } else {
                Vec::new()
            },
            is_step,
            fields: self.fields(end),
        };
        let all = self.list.iter();
        all.map(|own| self.reading(own, end, &shared)).collect()
    }

    /// Values of all fields that measures take, at all vertices and spots.
    fn fields(&self, end: &End) -> BTreeMap<&'static str, Vec<f64>> {
        let wanted = self.list.iter().filter_map(|own| match &own.what {
            What::Points(points) => Some(points.field),
            _ => None,
        });
        let wanted: Vec<_> = wanted.collect();
        if wanted.is_empty() {
            return BTreeMap::new();
        }

        // A subject with the points of all measures.
        let world = end.world;
        let mut subject = Subject::again(world, self.plane, self.thickness, self.triangles(world));
        subject.spots.clone_from(&self.spots);

        // Contact forces take time, and most fields need none.
        let by_contact =
            |source: &Source| matches!(source, Source::Forces(_) | Source::Vertices(_));
        let contacts = wanted
            .iter()
            .any(|field| by_contact(&field.source))
            .then(|| {
                let forces = vertex_contacts(world, end.state, end.last);
                ContactsOnVertices::of(&forces, world.rest.len())
            });
        let known = Known {
            velocities: Some(&end.state.v),
            contacts: contacts.as_ref(),
            ..Known::positions(&end.state.x, end.state.conditions())
        };
        let snapshot = Snapshot::new(&subject, known);

        // Several measures may take one field.
        let mut values = BTreeMap::new();
        for field in wanted {
            if !values.contains_key(field.key)
                && let Some(own) = field.at_points(&snapshot)
            {
                values.insert(field.key, own);
            }
        }
        values
    }

    /// Reading of a measure.
    fn reading(&self, measure: &Measure, end: &End, shared: &Shared) -> Option<Reading> {
        let plain = |value: Option<f64>| value.filter(|own| !own.is_nan()).map(Reading::of);
        match &measure.what {
            What::Scene(quantity) => plain(quantity.at(&end.moment)),
            What::Energy(column) => plain(end.record.potentials.get(*column).copied()),
            What::Coordination => plain(coordination(shared.sums.as_ref()?, end.world)),
            What::Bodies { value, bodies } => {
                let own = bodies.iter().map(|&body| Placed {
                    value: value.of(body, end, shared).unwrap_or(f64::NAN),
                    weight: 1.0,
                    place: end.centre(body),
                });
                measure.space.of(own)
            }
            What::Points(points) => {
                let values = shared.fields.get(points.field.key)?;
                measure
                    .space
                    .of(self.at_points(points, values, &end.state.x))
            }
            What::Pair(bodies, part) => {
                let sums = shared.sums.as_ref()?;
                plain((part.of)(&pair(sums, *bodies, end.world, end.state)))
            }
            What::Gap(bodies) => plain(gap(*bodies, end)),
            What::Joint(_, part) if part.is_force() && !shared.is_step => None,
            What::Joint(joint, part) => plain((part.of)(shared.joints.get(*joint)?)),
            What::Load(load, part) => {
                let mut loads = shared.sums.as_ref()?.loads.iter();
                let own = loads.find(|own| own.load == *load)?;
                plain((part.of)(&Resultant {
                    force: own.force,
                    moment: own.moment,
                }))
            }
            What::Chamber(chamber, part) => plain((part.of)(end.record.chambers.get(*chamber)?)),
            What::Place(_, part) if part.is_force() && !shared.is_step => None,
            What::Place(place, part) => {
                let counts = |body| place.bodies.binary_search(&body).is_ok();
                let grains = shared.grains.as_ref()?;
                plain((part.of)(&grains.coarse(place.at, place.within, counts)))
            }
            What::Flow { bodies, line } => Some(Reading::of(flow(bodies, *line, end))),
        }
    }

    /// Values of a field at points, with their places.
    fn at_points<'a>(
        &'a self,
        points: &'a Points,
        values: &'a [f64],
        x: &'a [Vec2],
    ) -> impl Iterator<Item = Placed> + 'a {
        // Values of a point follow each other.
        let count = points.field.form.components().len();
        let both = points.points.iter().zip(&points.weights);
        both.map(move |(&point, &weight)| {
            let own = &values[point * count..(point + 1) * count];
            let value = match points.component {
                Component::Number(number) => own[number],
                Component::Length => hypot(own[0], own[1]),
            };
            let place = match point.checked_sub(x.len()) {
                Some(spot) => self.spots[spot].position(x),
                None => x[point],
            };
            Placed {
                value,
                weight,
                place,
            }
        })
    }
}

impl End<'_> {
    /// Centre of a body (m).
    fn centre(&self, body: usize) -> Vec2 {
        let Self { world, state, .. } = self;
        world.at_centre(&world.bodies[body], &state.q, &state.x)
    }
}

impl BodyValue {
    /// Value of a body; `None` where it is undefined.
    fn of(&self, body: usize, end: &End, shared: &Shared) -> Option<f64> {
        match self {
            Self::Quantity(quantity) => quantity.at_body(&end.moment, &end.world.bodies[body]),
            Self::Force(part) => {
                let sums = shared.sums.as_ref()?;
                let both = (end.world, end.state);
                (part.of)(&on_body(sums, shared.grains.as_ref(), body, both))
            }
        }
    }
}

/// Mean number of bodies and obstacles that bodies touch; `None` without bodies.
fn coordination(sums: &Sums, world: &World) -> Option<f64> {
    // Obstacles count as neighbours, and have no number themselves.
    let counts = neighbours(sums, world.bodies.len());
    let bodies = world.bodies.iter().zip(counts);
    let own = bodies.filter(|(body, _)| !body.kind.is_obstacle());
    let (count, sum) = own.fold((0, 0), |(count, sum), (_, own)| (count + 1, sum + own));
    (count > 0).then(|| sum as f64 / f64::from(count))
}

/// Smallest gap of the contacts between two bodies (m); `None` without any.
fn gap([first, second]: [usize; 2], end: &End) -> Option<f64> {
    let contacts = crate::forces::contacts(end.world, end.state, end.last);
    let own = contacts
        .iter()
        .filter(|own| own.bodies == [first, second] || own.bodies == [second, first]);
    own.map(|own| own.gap).reduce(f64::min)
}

/// Number of bodies whose centres crossed a line from its left to its right in a step.
fn flow(bodies: &[usize], line: [Vec2; 2], end: &End) -> f64 {
    let Some(before) = end.before else {
        return 0.0;
    };
    let all = bodies.iter();
    all.map(|&body| f64::from(crossed([before[body], end.centre(body)], line)))
        .sum()
}

/// 1 if a displacement from a place to another one crosses a line from its left to its right, -1 if from
/// its right to its left, else 0.
fn crossed([from, to]: [Vec2; 2], [start, stop]: [Vec2; 2]) -> i32 {
    let along = stop - start;
    // A place on the line counts as on its right.
    let is_left = |at: Vec2| cross(along, at - start) > 0.0;
    let moved = to - from;
    let meets = (cross(moved, start - from) > 0.0) != (cross(moved, stop - from) > 0.0);
    match (is_left(from), is_left(to)) {
        (true, false) if meets => 1,
        (false, true) if meets => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacements_cross_a_line_to_its_right_or_to_its_left_or_not() {
        let line = [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0)];
        let of = |from: [f64; 2], to: [f64; 2]| crossed([from.into(), to.into()], line);
        assert_eq!(of([0.5, 0.1], [0.6, -0.1]), 1);
        assert_eq!(of([0.6, -0.1], [0.5, 0.1]), -1);
        assert_eq!(of([1.5, 0.1], [1.5, -0.1]), 0);
        assert_eq!(of([0.5, 0.1], [0.6, 0.2]), 0);
        // On the line a body has arrived, and leaves it no second time.
        assert_eq!(
            [of([0.5, 0.1], [0.5, 0.0]), of([0.5, 0.0], [0.5, -0.1])],
            [1, 0]
        );
    }
}
