//! Arrows of the forces of a stored run, for `ipcsim render --arrows`.
//!
//! Contacts come from the run's file of contacts if it has one. Otherwise normal forces are
//! computed again from the stored positions, as the derivative of the barrier, which is exact;
//! friction depends on the steps between and is then left out. Reactions come from `forces.csv`.

use super::super::CommandError;
use ipcsim::math::{Vec2, perp};
use ipcsim::time::World;
use ipcsim_pictures::frame::{ContactArrow, ForceArrows, ReactionArrow};
use ipcsim_store::contact_table::BodyName;
use ipcsim_store::stored_run::StoredRun;
use ipcsim_store::{contact_table, force_table};
use std::collections::BTreeMap;

/// Distance within which contacts of the same two bodies share an arrow (pixels).
const CELL: f64 = 9.0;
/// Length of the arrow of a contact that is stronger than 95 of 100, where there are few (pixels).
const USUAL: f64 = 50.0;
/// Number of contacts in a picture from which on arrows become shorter.
const FEW: f64 = 40.0;

/// Arrows of all states of a run.
pub(crate) struct Arrows {
    /// Arrows by step.
    steps: BTreeMap<usize, ForceArrows>,
    /// True if friction could not be drawn.
    pub(crate) without_friction: bool,
    /// True if reactions could not be drawn at some step.
    pub(crate) without_reactions: bool,
}

/// A contact force of a state, with the bodies that it acts between.
struct Force {
    /// The two bodies; forces act on the first.
    bodies: [String; 2],
    /// Where and how large.
    arrow: ContactArrow,
}

impl Arrows {
    /// Arrows of all states of a run, for pictures with this many pixels per metre.
    ///
    /// # Errors
    /// If a file of the run cannot be read.
    pub(crate) fn read(
        run: &StoredRun,
        world: &World,
        pixels_per_metre: f64,
    ) -> Result<Self, CommandError> {
        let mut steps: BTreeMap<usize, ForceArrows> = BTreeMap::new();
        let stored = contact_table::read(&run.files)?;
        let without_friction = stored.is_none();
        let by_step = match stored {
            Some(stored) => by_step(stored, world),
            None => computed(run, world)?,
        };

        // Reactions of the states that are shown.
        let table = force_table::read(&run.files)?;
        for row in table.iter().flatten() {
            if row.kind == force_table::REACTION {
                let arrows = steps.entry(row.step).or_default();
                arrows
                    .reactions
                    .push(of_support(row, by_step.get(&row.step)));
            }
        }
        for (step, forces) in by_step {
            steps.entry(step).or_default().contacts = merged(forces, CELL / pixels_per_metre);
        }

        let report = run.files.report();
        let is_thinned = report.is_some_and(|own| own.thinned.contains_key(force_table::FORCES));
        let scale = scale(&steps);
        for arrows in steps.values_mut() {
            arrows.scale = scale;
        }
        Ok(Self {
            steps,
            without_friction,
            without_reactions: table.is_none() || is_thinned,
        })
    }

    /// Arrows at the end of a step; none at the start.
    pub(crate) fn at(&self, step: usize) -> Option<&ForceArrows> {
        self.steps.get(&step)
    }
}

/// Stored contacts, step by step. Numbers of bodies are replaced by their names.
fn by_step(
    stored: Vec<contact_table::StoredContact>,
    world: &World,
) -> BTreeMap<usize, Vec<Force>> {
    let name = |body: BodyName| match body {
        BodyName::Name(name) => name,
        BodyName::Number(body) => world
            .bodies
            .get(body)
            .map_or_else(String::new, |body| body.name.clone()),
    };

    let mut steps: BTreeMap<usize, Vec<Force>> = BTreeMap::new();
    for contact in stored {
        steps.entry(contact.step).or_default().push(Force {
            bodies: contact.bodies.map(name),
            arrow: ContactArrow {
                at: contact.point,
                normal: contact.direction * contact.normal_force,
                friction: contact.friction,
            },
        });
    }
    steps
}

/// Normal forces of all stored states, computed again from positions.
///
/// # Errors
/// If the trajectory cannot be read.
fn computed(run: &StoredRun, world: &World) -> Result<BTreeMap<usize, Vec<Force>>, CommandError> {
    let surface = &world.model.surface;
    let stiffening = run.report()?.stiffening;
    let mut trajectory = run.trajectory()?;
    let mut steps = BTreeMap::new();
    let mut x = Vec::new();
    for moment in &run.moments {
        trajectory.next(&mut x)?;

        // A stored state that touches is one for `verify` and has no forces here.
        let found = world.contacts_at(&x, &stiffening.at(moment.step));
        let forces = found.forces(surface, &x).map(|force| Force {
            bodies: force.bodies.map(|body| world.bodies[body].name.clone()),
            arrow: ContactArrow {
                at: force.point,
                normal: force.normal * force.force,
                friction: Vec2::zeros(),
            },
        });
        steps.insert(moment.step, forces.collect());
    }
    Ok(steps)
}

/// Contacts of the same two bodies within a cell of this side (m) as one, at their mean place
/// weighted by force. Corrections of shared vertices vanish in it.
fn merged(forces: Vec<Force>, cell: f64) -> Vec<ContactArrow> {
    let mut cells: BTreeMap<([String; 2], [i64; 2]), Vec<ContactArrow>> = BTreeMap::new();
    for Force { bodies, mut arrow } in forces {
        let [mut first, mut second] = bodies;
        if first > second {
            std::mem::swap(&mut first, &mut second);
            arrow.normal = -arrow.normal;
            arrow.friction = -arrow.friction;
        }

        // Coordinates far outside of every picture may saturate.
        #[allow(clippy::cast_possible_truncation, reason = "a cell of a picture")]
        let place = [arrow.at.x, arrow.at.y].map(|c| (c / cell).floor() as i64);
        cells
            .entry(([first, second], place))
            .or_default()
            .push(arrow);
    }

    cells
        .into_values()
        .map(|arrows| {
            let weights: f64 = arrows.iter().map(|arrow| arrow.normal.norm()).sum();
            let weighted: Vec2 = arrows.iter().map(|a| a.at * a.normal.norm()).sum();
            ContactArrow {
                at: if weights > 0.0 {
                    weighted / weights
                } else {
                    arrows[0].at
                },
                normal: arrows.iter().map(|arrow| arrow.normal).sum(),
                friction: arrows.iter().map(|arrow| arrow.friction).sum(),
            }
        })
        .collect()
}

/// Arrow of a support's row: of an obstacle in the middle of its `contacts`, weighted by their
/// normal forces; of others where they are held, with the moment.
fn of_support(row: &force_table::StoredForce, contacts: Option<&Vec<Force>>) -> ReactionArrow {
    let own = contacts
        .into_iter()
        .flatten()
        .filter(|force| force.bodies.contains(&row.names[0]))
        .map(|force| (force.arrow.at, force.arrow.normal.norm()));
    ReactionArrow {
        at: support_place(row, own),
        force: row.force,
        moment: (!is_obstacle(row) && row.moment != 0.0).then_some(row.moment),
    }
}

/// True if the support of a row is an obstacle, which holds nothing but pushes.
pub(crate) fn is_obstacle(row: &force_table::StoredForce) -> bool {
    row.names[1] == "obstacle"
}

/// Place (m) of the arrow of a support's row: of an obstacle the middle of its `contacts`, each
/// with its point (m) and its weight, the size of its normal force (N); of others where they are
/// held.
pub(crate) fn support_place(
    row: &force_table::StoredForce,
    contacts: impl Iterator<Item = (Vec2, f64)>,
) -> Vec2 {
    if !is_obstacle(row) {
        return row.about;
    }
    let mut weights = 0.0;
    let mut weighted = Vec2::zeros();
    for (point, weight) in contacts {
        weights += weight;
        weighted += point * weight;
    }

    // Without contacts, on the line along which the force acts.
    let squared = row.force.norm_squared();
    if weights > 0.0 {
        weighted / weights
    } else if squared > 0.0 {
        row.about - perp(row.force) * (row.moment / squared)
    } else {
        row.about
    }
}

/// Scale of all arrows (pixels/N): 95 of 100 contacts, or supports if there is no contact, have
/// arrows of at most [`USUAL`], in a crowd less by the root of the number of contacts.
fn scale(steps: &BTreeMap<usize, ForceArrows>) -> f64 {
    let mut sizes: Vec<f64> = steps
        .values()
        .flat_map(|arrows| arrows.contacts.iter().map(|contact| contact.normal.norm()))
        .collect();
    let most = steps.values().map(|arrows| arrows.contacts.len()).max();
    let crowd = (most.unwrap_or_default() as f64 / FEW).max(1.0).sqrt();
    if sizes.is_empty() {
        let reactions = steps.values().flat_map(|arrows| &arrows.reactions);
        sizes.extend(reactions.map(|reaction| reaction.force.norm()));
    }

    sizes.retain(|size| *size > 0.0 && size.is_finite());
    sizes.sort_unstable_by(f64::total_cmp);
    let usual = sizes.get(sizes.len() * 19 / 20);
    usual.map_or(1.0, |size| USUAL / (crowd * size))
}
