//! Contacts and sums of forces as blocks.

use super::blocks::Blocks;
use super::grid::Grid;
use super::samples::ContactPoint;
use super::shapes;
use super::source::Recorded;
use crate::pictures::arrows::support_place;
use ipcsim::math::Vec2;
use ipcsim_store::force_table::REACTION;
use std::collections::{BTreeMap, HashMap};

/// Adds the contacts of all states: numbers of bodies, points on the grid, direction of the normal
/// as an angle, gap and forces.
pub(super) fn add_contacts(states: &[Vec<ContactPoint>], grid: &Grid, blocks: &mut Blocks) {
    let counts: Vec<u32> = states
        .iter()
        .map(|state| shapes::word(state.len()))
        .collect();
    blocks.words("contact_counts", &counts);

    let all: Vec<&ContactPoint> = states.iter().flatten().collect();
    for (k, name) in ["contact_first", "contact_second"].into_iter().enumerate() {
        blocks.steps(name, all.iter().map(|c| shapes::word(c.bodies[k])));
    }
    for (axis, name) in ["contact_x", "contact_y"].into_iter().enumerate() {
        blocks.steps(name, all.iter().map(|c| grid.point(c.point)[axis]));
    }

    let angle = |c: &Vec2| c.y.atan2(c.x);
    blocks.floats("contact_angle", all.iter().map(|c| angle(&c.direction)));
    blocks.floats("contact_gap", all.iter().map(|c| c.gap));
    blocks.floats("contact_force", all.iter().map(|c| c.normal_force));
    for (axis, name) in ["contact_friction_x", "contact_friction_y"]
        .into_iter()
        .enumerate()
    {
        blocks.floats(name, all.iter().map(|c| c.friction[axis]));
    }
}

/// Adds the table of forces, and returns what each of its series is: kind, both names and the name of a
/// joint or a load.
pub(super) fn add_forces(
    run: &Recorded,
    contacts: &[Vec<ContactPoint>],
    blocks: &mut Blocks,
) -> Vec<[String; 4]> {
    let mut numbers: BTreeMap<[String; 4], u32> = BTreeMap::new();
    let mut series = Vec::new();
    let mut of_rows = Vec::new();
    let states: HashMap<usize, usize> = run.moments.iter().map(|m| m.step).zip(0..).collect();
    let mut places = Vec::new();
    let rows = run.forces.as_deref().unwrap_or_default();
    for row in rows {
        let [first, second] = row.names.clone();
        let key = [row.kind.clone(), first, second, row.own.clone()];
        let next = shapes::word(series.len());
        of_rows.push(*numbers.entry(key.clone()).or_insert_with(|| {
            series.push(key);
            next
        }));

        // The arrow of a support stands where it is in contact.
        places.push(if row.kind == REACTION {
            let body = run.mesh.bodies.iter().position(|b| b.name == row.names[0]);
            let state = states.get(&row.step).and_then(|state| contacts.get(*state));
            let own = state.into_iter().flatten();
            let own = own.filter(|c| body.is_some_and(|body| c.bodies.contains(&body)));
            support_place(row, own.map(|c| (c.point, c.normal_force.abs())))
        } else {
            row.about
        });
    }

    blocks.steps("force_step", rows.iter().map(|row| shapes::word(row.step)));
    blocks.doubles("force_time", rows.iter().map(|row| row.time));
    blocks.steps("force_series", of_rows);
    blocks.floats("force_x", rows.iter().map(|row| row.force.x));
    blocks.floats("force_y", rows.iter().map(|row| row.force.y));
    blocks.floats("force_friction_x", rows.iter().map(|row| row.friction.x));
    blocks.floats("force_friction_y", rows.iter().map(|row| row.friction.y));
    blocks.floats("force_moment", rows.iter().map(|row| row.moment));
    blocks.floats("force_at_x", places.iter().map(|place| place.x));
    blocks.floats("force_at_y", places.iter().map(|place| place.y));
    series
}
