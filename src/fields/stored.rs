//! States of a stored run, with what is known of them.
//!
//! Positions are those of the trajectory. Velocities are those of `velocities.npy`; without it
//! there are mean ones, from one stored state to the next. Normal forces are computed again from
//! positions, as the derivative of the barrier. Friction depends on the steps between; it comes
//! from the run's file of contacts, which tells where and between which vertices it acts.

use super::Sink;
use crate::CommandError;
use ipcsim::energy::Conditions;
use ipcsim::fields::{ContactsOnVertices, Known};
use ipcsim::math::Vec2;
use ipcsim::scene::Setup;
use ipcsim_store::contact_table::{self, BodyName, StoredContact};
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::StoredRun;
use ipcsim_store::trajectory::{TrajectoryReader, VELOCITIES};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// States of a run that a command asks for.
pub(crate) struct Choice {
    /// First and last step.
    pub(crate) steps: RangeInclusive<usize>,
    /// Number of stored states from one to the next; the last one of the run is always chosen.
    pub(crate) every: usize,
    /// True if contact forces are asked for.
    pub(crate) contacts: bool,
    /// True if mean velocities are asked for, although the run may have velocities.
    pub(crate) mean_velocities: bool,
}

impl Choice {
    /// Numbers of the chosen states among those of a run.
    pub(crate) fn entries(&self, run: &StoredRun) -> Vec<usize> {
        let last = run.moments.len().saturating_sub(1);
        let all = run.moments.iter().enumerate();
        all.filter(|(entry, moment)| {
            let is_counted = entry % self.every == 0 || *entry == last;
            is_counted && self.steps.contains(&moment.step)
        })
        .map(|(entry, _)| entry)
        .collect()
    }
}

/// True if a run has stored velocities.
pub(crate) fn has_velocities(run: &StoredRun) -> bool {
    run.dir.join(VELOCITIES).exists()
}

/// Hands the chosen states of a run to all `sinks`, in order.
///
/// # Errors
/// If a file of the run cannot be read, or if a sink cannot write.
pub(crate) fn replay(
    run: &StoredRun,
    setup: &Setup,
    choice: &Choice,
    sinks: &mut [Box<dyn Sink + '_>],
) -> Result<(), CommandError> {
    let entries = choice.entries(run);
    let mut trajectory = run.trajectory()?;
    let mut velocities = open_velocities(run)?;
    let mut flow = run.flow(setup.world.model.flowing())?;
    let stiffening = run.report()?.stiffening;
    let friction = if choice.contacts {
        friction(run)?
    } else {
        None
    };

    let mut x = Vec::new();
    let mut v = Vec::new();
    let mut flowed = Vec::new();
    let mut before: Option<(f64, Vec<Vec2>)> = None;
    for (entry, moment) in run.moments.iter().enumerate() {
        trajectory.next(&mut x)?;
        flow.next(&mut flowed)?;
        if let Some(reader) = &mut velocities {
            reader.next(&mut v)?;
        }
        if entries.binary_search(&entry).is_ok() {
            // Forces are searched for in the chosen states alone.
            let contacts = choice.contacts.then(|| {
                let found = setup.world.contacts_at(&x, &stiffening.at(moment.step));
                ContactsOnVertices {
                    friction: friction
                        .as_ref()
                        .map(|steps| spread(steps.get(&moment.step), &run.mesh, &x)),
                    ..ContactsOnVertices::normal(&setup.world, &found, &x)
                }
            });
            let wants_mean = velocities.is_none() || choice.mean_velocities;
            let mean = wants_mean.then(|| match &before {
                Some((time, y)) => mean_velocities(&x, y, moment.time - time),
                None => setup.state.v.clone(),
            });
            let known = Known {
                x: &x,
                conditions: Conditions {
                    time: moment.time,
                    flowed: &flowed,
                },
                velocities: velocities.is_some().then_some(&v),
                mean_velocities: mean.as_deref(),
                contacts: contacts.as_ref(),
            };
            for sink in sinks.iter_mut() {
                sink.add(moment.step, moment.time, &known)?;
            }
        }
        before = Some((moment.time, x.clone()));
    }
    Ok(())
}

/// Opens the velocities of a run at the first state; `None` if it has none.
///
/// # Errors
/// [`StoredError`] if the file cannot be read, or has other states or vertices than the trajectory.
fn open_velocities(run: &StoredRun) -> Result<Option<TrajectoryReader>, StoredError> {
    let Some(path) = run.files.find(VELOCITIES)? else {
        return Ok(None);
    };
    let reader = TrajectoryReader::open(&path, false)?;
    let [states, vertices] = [run.moments.len(), run.mesh.vertices_rest.len()];
    if [reader.entries(), reader.vertices()] != [states, vertices] {
        let message = format!(
            "has {} states of {} vertices, but the run has {states} of {vertices}; run the scene again",
            reader.entries(),
            reader.vertices()
        );
        return Err(StoredError::malformed(&path, message));
    }
    Ok(Some(reader))
}

/// Velocities (m/s) that lead from positions `y` to `x` (m) in a `duration` (s).
fn mean_velocities(x: &[Vec2], y: &[Vec2], duration: f64) -> Vec<Vec2> {
    let both = x.iter().zip(y);
    both.map(|(x, y)| (x - y) / duration).collect()
}

/// Contacts of a run by steps, if it has a file of them.
///
/// # Errors
/// [`StoredError`] if the file cannot be read.
fn friction(run: &StoredRun) -> Result<Option<BTreeMap<usize, Vec<StoredContact>>>, StoredError> {
    let Some(stored) = contact_table::read(&run.files)? else {
        return Ok(None);
    };
    let mut steps: BTreeMap<usize, Vec<StoredContact>> = BTreeMap::new();
    for contact in stored {
        steps.entry(contact.step).or_default().push(contact);
    }
    Ok(Some(steps))
}

/// Friction forces on all vertices at positions `x` (m) (N): that of each contact on both ends of
/// both edges, as of a load between two supports. That on a half-plane is at its origin.
fn spread(contacts: Option<&Vec<StoredContact>>, mesh: &MeshFile, x: &[Vec2]) -> Vec<Vec2> {
    let mut forces = vec![Vec2::zeros(); x.len()];
    for contact in contacts.into_iter().flatten() {
        let sides = contact.edges.iter().zip(&contact.bodies);
        for ((edge, body), force) in sides.zip([contact.friction, -contact.friction]) {
            let Some([a, b]) = edge.or_else(|| origin(body, mesh).map(|vertex| [vertex; 2])) else {
                continue;
            };
            if a.max(b) < x.len() {
                let along = x[b] - x[a];
                let way = (contact.point - x[a]).dot(&along) / along.norm_squared();
                let share = if a == b { 0.0 } else { way.clamp(0.0, 1.0) };
                forces[a] += force * (1.0 - share);
                forces[b] += force * share;
            }
        }
    }
    forces
}

/// First vertex of a body, which is the origin of a half-plane.
fn origin(body: &BodyName, mesh: &MeshFile) -> Option<usize> {
    let found = match body {
        BodyName::Name(name) => mesh.bodies.iter().find(|body| body.name == *name),
        BodyName::Number(number) => mesh.bodies.get(*number),
    };
    found.map(|body| body.first_vertex)
}
