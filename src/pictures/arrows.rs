//! Arrows of the forces of a stored run or of a simulation, for `ipcsim render --arrows` and Python, and
//! their network, for `--forces network`.
//!
//! Contacts come from the run's file of contacts if it has one. Otherwise normal forces are
//! computed again from the stored positions, as the derivative of the barrier, which is exact;
//! friction depends on the steps between and is then left out. Reactions come from `forces.csv`;
//! an obstacle has one for each body that it touches.

use super::super::CommandError;
use ipcsim::body::Body;
use ipcsim::math::{Vec2, perp};
use ipcsim::simulation::Simulation;
use ipcsim::time::World;
use ipcsim_pictures::frame::{ContactArrow, ForceArrows, ForceLegend, ForceLink, ReactionArrow};
use ipcsim_store::contact_table::BodyName;
use ipcsim_store::force_table::{FORCES, StoredForce};
use ipcsim_store::stored_run::StoredRun;
use ipcsim_store::{contact_table, force_table};
use std::collections::{BTreeMap, BTreeSet};

/// Distance within which contacts of the same two bodies share an arrow (pixels).
const CELL: f64 = 9.0;
/// Length of the arrow of a contact that is stronger than 95 of 100, where there are few (pixels).
const USUAL: f64 = 50.0;
/// Number of contacts in a picture from which on arrows become shorter.
const FEW: f64 = 40.0;

/// Length of the arrow of a support that is stronger than 95 of 100 (pixels).
const LONG: f64 = 150.0;
/// Width of the line of a force that is larger than 95 of 100 in the network of forces, over the
/// usual length of lines.
const THICK: f64 = 0.4;
/// How many times as large as in the middle one of its states the forces of a run may be without a
/// scale for the calmer states, and the largest of these over the middle one.
const WILD: [f64; 2] = [16.0, 4.0];

/// What of the forces is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ForceShow {
    /// Arrows of forces at contacts and supports.
    #[default]
    Arrows,
    /// A line between two bodies in contact, as wide as their normal force; bodies are grey.
    Network,
}

/// How forces are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForceLook {
    /// What of them.
    pub(crate) show: ForceShow,
    /// Factor of lengths and widths (1).
    pub(crate) factor: f64,
    /// Scale of the pictures (pixels/m).
    pub(crate) pixels_per_metre: f64,
    /// Size of lines over their size in a picture of 1280 x 720 pixels (1).
    pub(crate) unit: f64,
}

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
    /// Arrows of those states of a run that are drawn, at the steps `drawn`.
    ///
    /// # Errors
    /// If a file of the run cannot be read.
    pub(crate) fn read(
        run: &StoredRun,
        world: &World,
        drawn: &BTreeSet<usize>,
        look: &ForceLook,
    ) -> Result<Self, CommandError> {
        let stored = contact_table::read(&run.files)?;
        let without_friction = stored.is_none();
        let mut by_step = match stored {
            Some(stored) => by_step(stored, world),
            None => computed(run, world)?,
        };
        by_step.retain(|step, _| drawn.contains(step));
        if look.show == ForceShow::Network {
            return Ok(Self {
                steps: scaled(stored_links(run, world, &by_step)?, look),
                without_friction: false,
                without_reactions: false,
            });
        }

        // Reactions of the states that are shown.
        let table = force_table::read(&run.files)?;
        let mut rows: BTreeMap<usize, Vec<StoredForce>> = BTreeMap::new();
        let has_table = table.is_some();
        for row in table.into_iter().flatten() {
            rows.entry(row.step).or_default().push(row);
        }
        rows.retain(|step, _| drawn.contains(step));

        let report = run.files.report();
        let is_thinned = report.is_some_and(|own| own.thinned.contains_key(force_table::FORCES));
        Ok(Self {
            steps: arrows(world, by_step, &rows, look),
            without_friction,
            without_reactions: !has_table || is_thinned,
        })
    }

    /// Arrows of the forces in the present state of a simulation.
    ///
    /// # Errors
    /// If the table of its sums of forces cannot be read.
    pub(crate) fn of(simulation: &Simulation, look: &ForceLook) -> Result<Self, CommandError> {
        let world = simulation.world();
        let step = simulation.steps();
        let forces = simulation.contacts().map(|contact| Force {
            bodies: contact.bodies.map(str::to_owned),
            arrow: ContactArrow {
                at: contact.point,
                normal: contact.normal * contact.normal_force,
                friction: contact.friction_force,
            },
        });
        let by_step = BTreeMap::from([(step, forces.collect::<Vec<Force>>())]);

        let steps = if look.show == ForceShow::Network {
            let links = links(&by_step[&step], &movable(world), &simulation.state().x);
            scaled(BTreeMap::from([(step, links)]), look)
        } else {
            let names = force_table::Names::of(world);
            let text = force_table::rows(step, simulation.time(), &simulation.sums(), &names);
            let text = format!("{}{text}", force_table::HEADER);
            let rows = force_table::parse(&text, FORCES.as_ref())?;
            arrows(world, by_step, &BTreeMap::from([(step, rows)]), look)
        };
        Ok(Self {
            steps,
            without_friction: false,
            without_reactions: false,
        })
    }

    /// The corner in which all legends stand.
    pub(crate) fn set_corner(&mut self, corner: ipcsim_pictures::frame::Corner) {
        for arrows in self.steps.values_mut() {
            arrows.legend.corner = corner;
        }
    }

    /// Arrows at the end of a step; none at the start.
    pub(crate) fn at(&self, step: usize) -> Option<&ForceArrows> {
        self.steps.get(&step)
    }
}

/// Arrows of contacts and of supports, step by step, with one legend for all.
fn arrows(
    world: &World,
    by_step: BTreeMap<usize, Vec<Force>>,
    rows: &BTreeMap<usize, Vec<StoredForce>>,
    look: &ForceLook,
) -> BTreeMap<usize, ForceArrows> {
    let bodies = world.bodies.iter().filter(|body| body.kind.is_obstacle());
    let obstacles: BTreeSet<&str> = bodies.map(|body| body.name.as_str()).collect();
    let mut steps: BTreeMap<usize, ForceArrows> = BTreeMap::new();
    for (step, rows) in rows {
        let contacts = by_step.get(step);
        steps.entry(*step).or_default().reactions = reactions(rows, contacts, &obstacles);
    }

    let cell = CELL / look.pixels_per_metre;
    for (step, forces) in by_step {
        steps.entry(step).or_default().contacts = merged(forces, cell);
    }
    let legend = legend(&steps, look.factor);
    for arrows in steps.values_mut() {
        arrows.legend = legend;
    }
    steps
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

/// Names of bodies, sorted.
fn pair_of(names: &[String; 2]) -> [&str; 2] {
    let mut names = names.each_ref().map(String::as_str);
    names.sort_unstable();
    names
}

/// Contacts of each two bodies: points (m) and sizes of normal forces (N).
fn by_pair(forces: &[Force]) -> BTreeMap<[&str; 2], Vec<(Vec2, f64)>> {
    let mut pairs: BTreeMap<[&str; 2], Vec<(Vec2, f64)>> = BTreeMap::new();
    for force in forces {
        let contact = (force.arrow.at, force.arrow.normal.norm());
        pairs
            .entry(pair_of(&force.bodies))
            .or_default()
            .push(contact);
    }
    pairs
}

/// Arrows of the supports in the rows of a step. An obstacle has one for each body that it touches,
/// in the middle of their contacts, if these are known.
fn reactions(
    rows: &[StoredForce],
    contacts: Option<&Vec<Force>>,
    obstacles: &BTreeSet<&str>,
) -> Vec<ReactionArrow> {
    let pairs = by_pair(contacts.map_or(&[], Vec::as_slice));
    let mut arrows = Vec::new();
    let mut known = BTreeSet::new();
    for row in rows.iter().filter(|row| row.kind == force_table::CONTACT) {
        let [first, second] = row.names.each_ref().map(|name| obstacles.contains(&**name));
        let own = pairs.get(&pair_of(&row.names));
        let place = middle(own.into_iter().flatten().copied());
        if let (true, Some(at)) = (first != second, place) {
            known.insert(&row.names[usize::from(second)]);
            arrows.push(ReactionArrow {
                at,
                // The force on the body that the obstacle holds.
                force: if second { row.force } else { -row.force },
                moment: None,
            });
        }
    }

    for row in rows.iter().filter(|row| row.kind == force_table::REACTION) {
        if !(is_obstacle(row) && known.contains(&row.names[0])) {
            arrows.push(of_support(row, contacts));
        }
    }
    arrows
}

/// Arrow of a support's row: of an obstacle in the middle of its `contacts`, weighted by their
/// normal forces; of others where they are held, with the moment.
fn of_support(row: &StoredForce, contacts: Option<&Vec<Force>>) -> ReactionArrow {
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

/// Mean of points (m) with weights; `None` without any weight.
fn middle(points: impl Iterator<Item = (Vec2, f64)>) -> Option<Vec2> {
    let mut weights = 0.0;
    let mut weighted = Vec2::zeros();
    for (point, weight) in points {
        weights += weight;
        weighted += point * weight;
    }
    (weights > 0.0).then(|| weighted / weights)
}

/// True if the support of a row is an obstacle, which holds nothing but pushes.
pub(crate) fn is_obstacle(row: &StoredForce) -> bool {
    row.names[1] == "obstacle"
}

/// Place (m) of the arrow of a support's row: of an obstacle the middle of its `contacts`, each
/// with its point (m) and its weight, the size of its normal force (N); of others where they are
/// held.
pub(crate) fn support_place(
    row: &StoredForce,
    contacts: impl Iterator<Item = (Vec2, f64)>,
) -> Vec2 {
    if !is_obstacle(row) {
        return row.about;
    }

    // Without contacts, on the line along which the force acts.
    let squared = row.force.norm_squared();
    if let Some(place) = middle(contacts) {
        place
    } else if squared > 0.0 {
        row.about - perp(row.force) * (row.moment / squared)
    } else {
        row.about
    }
}

/// Scale of all arrows (pixels/N), times a `factor`: 95 of 100 contacts have arrows of at most
/// [`USUAL`], in a crowd less by the root of the number of contacts, and 95 of 100 supports arrows of
/// at most [`LONG`].
fn legend(steps: &BTreeMap<usize, ForceArrows>, factor: f64) -> ForceLegend {
    // Contacts and supports have scales of their kind, and the smaller one serves both.
    let most = steps.values().map(|arrows| arrows.contacts.len()).max();
    let crowd = (most.unwrap_or_default() as f64 / FEW).max(1.0).sqrt();
    let contacts = usual_in(steps.values().map(|arrows| {
        let contacts = arrows.contacts.iter();
        contacts.map(|contact| contact.normal.norm()).collect()
    }));
    let supports = usual_in(steps.values().map(|arrows| {
        let reactions = arrows.reactions.iter();
        reactions.map(|reaction| reaction.force.norm()).collect()
    }));

    let usual = (crowd * contacts).max(supports * USUAL / LONG);
    let mut legend = ForceLegend::default();
    if usual > 0.0 {
        legend.scale = factor * USUAL / usual;
    }
    legend.longest *= factor.max(1.0);
    // The legend says so in all frames if arrows of one are cut.
    let mut all = steps.values().flat_map(|arrows| {
        let contacts = arrows.contacts.iter().map(|contact| contact.normal.norm());
        contacts.chain(
            arrows
                .reactions
                .iter()
                .map(|reaction| reaction.force.norm()),
        )
    });
    legend.has_cut = all.any(|force| force * legend.scale > legend.longest);
    legend
}

/// What 95 of 100 sizes do not exceed, of lists for each state. A run with a crush, whose forces are
/// far above those of most states, is measured by the calmer states.
fn usual_in(states: impl Iterator<Item = Vec<f64>>) -> f64 {
    let states: Vec<Vec<f64>> = states.collect();
    let largest: Vec<f64> = states
        .iter()
        .map(|sizes| sizes.iter().copied().fold(0.0, f64::max))
        .collect();
    let [wild, calm] = WILD;
    let middle = share_of(largest.iter().copied(), 0.5);
    let usual = share_of(states.iter().flatten().copied(), 0.95);
    if usual <= wild * middle {
        return usual;
    }

    // States whose forces are near those of the middle one.
    let calmer = states.iter().zip(&largest);
    let calmer = calmer.filter(|(_, most)| **most <= calm * middle);
    share_of(calmer.flat_map(|(sizes, _)| sizes).copied(), 0.95)
}

/// Value that a share of the sizes above 0 does not exceed; 0 without any.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of a length is a place in the list"
)]
fn share_of(sizes: impl Iterator<Item = f64>, share: f64) -> f64 {
    let mut sizes: Vec<f64> = sizes.filter(|s| *s > 0.0 && s.is_finite()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let place = (sizes.len() as f64 * share) as usize;
    sizes.get(place).copied().unwrap_or_default()
}

/// Lines of the networks of stored states: one for each two bodies in contact.
///
/// # Errors
/// If the trajectory cannot be read.
fn stored_links(
    run: &StoredRun,
    world: &World,
    by_step: &BTreeMap<usize, Vec<Force>>,
) -> Result<BTreeMap<usize, Vec<ForceLink>>, CommandError> {
    let mut trajectory = run.trajectory()?;
    let bodies = movable(world);
    let mut all = BTreeMap::new();
    let mut x = Vec::new();
    for moment in &run.moments {
        trajectory.next(&mut x)?;
        if let Some(forces) = by_step.get(&moment.step) {
            all.insert(moment.step, links(forces, &bodies, &x));
        }
    }
    Ok(all)
}

/// Bodies by name, without obstacles, which have no centre that counts.
fn movable(world: &World) -> BTreeMap<&str, &Body> {
    let bodies = world.bodies.iter().filter(|body| !body.kind.is_obstacle());
    bodies.map(|body| (body.name.as_str(), body)).collect()
}

/// Networks with one scale for the lines of all states: they are as wide as a share of their usual
/// length, so that they do not hide each other.
fn scaled(
    networks: BTreeMap<usize, Vec<ForceLink>>,
    look: &ForceLook,
) -> BTreeMap<usize, ForceArrows> {
    let all = networks.values().flatten();
    let length = share_of(all.map(|link| (link.ends[0] - link.ends[1]).norm()), 0.5);
    let usual = usual_in(networks.values().map(|links| {
        let links = links.iter();
        links.map(|link| link.force).collect()
    }));
    let pixels = THICK * length * look.pixels_per_metre / look.unit;

    let mut steps: BTreeMap<usize, ForceArrows> = BTreeMap::new();
    for (step, links) in networks {
        let arrows = steps.entry(step).or_default();
        arrows.links = links;
        if usual > 0.0 {
            arrows.legend.width = look.factor * pixels / usual;
        }
    }
    steps
}

/// Lines of the network of a state with vertices at `x` (m), from centre to centre of bodies in
/// contact; of an obstacle from the middle of the contacts.
fn links(forces: &[Force], bodies: &BTreeMap<&str, &Body>, x: &[Vec2]) -> Vec<ForceLink> {
    let centre = |name: &str, contact: Vec2| {
        bodies.get(name).map_or(contact, |body| {
            // A circle has its centre as its first vertex.
            let vertices = &x[body.vertices.clone()];
            let count = if vertices.len() == 2 {
                1
            } else {
                vertices.len()
            };
            vertices[..count].iter().sum::<Vec2>() / count as f64
        })
    };

    let mut links = Vec::new();
    for (names, contacts) in by_pair(forces) {
        let force = contacts.iter().map(|(_, force)| force).sum();
        if let Some(contact) = middle(contacts.into_iter()) {
            links.push(ForceLink {
                ends: names.map(|name| centre(name, contact)),
                force,
            });
        }
    }
    links
}
