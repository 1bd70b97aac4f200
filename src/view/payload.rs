//! A run as the page holds it: a head in JSON, and the bytes of its blocks.

use super::blocks::{Block, Blocks, RELATIVE_ERROR};
use super::codec::{PositionCoder, encode_levels};
use super::grid::{self, Grid};
use super::inertia::{Inertia, inertia, masses};
use super::motion;
use super::notes::{is_frictionless, notes, reason, status};
use super::samples::{Field, Quantity, Samples, Wanted};
use super::shapes;
use super::source::Recorded;
use super::surroundings::Surroundings;
use super::symbols::symbols;
use super::tables::{add_contacts, add_forces};
use crate::CommandError;
use crate::pictures::values::noise;
use crate::scene_view::scene_view;
use ipcsim::math::number::{counted, with_unit};
use ipcsim_store::mesh_file::PlaneEntry;
use ipcsim_store::report::Recovered;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A run in the page.
pub(super) struct Payload {
    /// What is known of it.
    pub(super) head: Head,
    /// Bytes of all blocks.
    pub(super) bytes: Vec<u8>,
}

/// What the page knows of a run beside its arrays.
#[derive(Debug, Serialize)]
pub(super) struct Head {
    /// Name of the scene.
    pub(super) name: String,
    /// What the scene says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// Name of the folder of the run, without the folders that it is in.
    folder: String,
    /// How the run ended: `completed`, `failed`, `interrupted` or `unfinished`.
    status: &'static str,
    /// Why it has not completed.
    reason: Option<String>,
    /// Steps that were tried again.
    recoveries: Vec<Recovered>,
    /// Sentences about what is missing.
    notes: Vec<String>,
    /// Lower left point of the grid of positions (m).
    origin: [f64; 2],
    /// Distance of neighbouring points of the grid (m).
    spacing: f64,
    /// Largest error of a coordinate (m).
    pub(super) error: f64,
    /// No number of a point of the grid is larger.
    cells: f64,
    /// Number of bytes of the differences of a position.
    pub(super) weights: usize,
    /// Number of states.
    pub(super) states: usize,
    /// Number of vertices.
    pub(super) vertices: usize,
    /// Lower left and upper right corner of what the page shows at first (m).
    view: [[f64; 2]; 2],
    /// Bodies, obstacles last.
    bodies: Vec<BodyHead>,
    /// Range of the faces that are elastic triangles.
    elements: [usize; 2],
    /// Half-planes.
    planes: Vec<PlaneHead>,
    /// Axis, cell and chambers.
    #[serde(flatten)]
    surroundings: Surroundings,
    /// Fields by which colours are chosen.
    pub(super) fields: Vec<FieldHead>,
    /// Quantities that the run does not have, each with the reason.
    absent: BTreeMap<&'static str, &'static str>,
    /// Names of the columns of the table of energies.
    columns: Vec<String>,
    /// Indices of the columns that are energies.
    energies: Vec<usize>,
    /// Name and unit of each measure of the scene.
    measures: Vec<[String; 2]>,
    /// Pairs of bodies, joints and supports that have forces.
    series: Vec<[String; 4]>,
    /// True if friction is known.
    has_friction: bool,
    /// Relative error of forces and gaps.
    relative_error: f64,
    /// Blocks with arrays.
    pub(super) blocks: Vec<Block>,
}

/// Name and size of a body.
#[derive(Debug, Serialize)]
struct BodyHead {
    /// Name in the scene.
    name: String,
    /// Kind, as in `mesh.json`.
    kind: String,
    /// Number of its first vertex.
    first: usize,
    /// Mass and centre.
    #[serde(flatten)]
    inertia: Inertia,
}

/// A half-plane.
#[derive(Debug, Serialize)]
struct PlaneHead {
    /// What `mesh.json` has of it.
    #[serde(flatten)]
    entry: PlaneEntry,
    /// True if it moves or turns.
    moves: bool,
}

/// Name, range and error of a field.
#[derive(Debug, Serialize)]
pub(super) struct FieldHead {
    /// Name of the quantity.
    pub(super) name: &'static str,
    /// Words of the legend.
    label: &'static str,
    /// Unit of the values.
    unit: &'static str,
    /// True if values belong to vertices, false if to elastic triangles.
    at_vertices: bool,
    /// Largest value.
    pub(super) largest: f64,
    /// Value up to which all is rounding.
    noise: f64,
    /// Largest error of a value in a state in the middle; others are rounded by their largest values.
    pub(super) error: f64,
}

impl Payload {
    /// The payload of a run.
    ///
    /// # Errors
    /// If its states cannot be read.
    pub(super) fn of(run: &Recorded, wanted: &Wanted) -> Result<Self, CommandError> {
        let samples = Samples::of(run, wanted)?;
        let shortest = shapes::shortest(&run.mesh);
        let grid = Grid::over(&samples.all, shortest, wanted.precision);

        // Arrays, in the order in which the page reads them.
        let mut blocks = Blocks::default();
        let elements = shapes::add(&run.mesh, &mut blocks);
        let weights = add_positions(run, &grid, &mut blocks)?;
        let fields = samples.fields.iter();
        let fields = fields.map(|field| add_field(field, run, &mut blocks));
        let fields = fields.collect();
        let world = &run.setup.world;
        let bodies: Vec<Inertia> = world
            .bodies
            .iter()
            .map(|body| inertia(&run.setup, body))
            .collect();
        motion::add(run, &bodies, &mut blocks)?;
        blocks.floats("masses", masses(world));
        blocks.bytes("symbols", &symbols(run)?);
        let rows = run.energies.rows.iter().flatten();
        blocks.doubles("table", rows.map(|value| value.unwrap_or(f64::NAN)));
        blocks.doubles("measure_time", run.measures.times.iter().copied());
        blocks.doubles("measures", run.measures.values.iter().copied());
        let mut series = Vec::new();
        if wanted.forces {
            add_contacts(&samples.contacts, &grid, &mut blocks);
            series = add_forces(run, &samples.contacts, &mut blocks);
        }

        let mut head = Head::of(run, wanted, &grid, bodies);
        head.surroundings = Surroundings::of(run)?;
        head.weights = weights;
        head.elements = [elements.start, elements.end];
        head.fields = fields;
        head.series = series;
        head.blocks = blocks.list;
        Ok(Self {
            head,
            bytes: blocks.bytes,
        })
    }

    /// What the page has of the run, and with which errors, in a sentence.
    pub(super) fn summary(&self) -> String {
        let head = &self.head;
        let mut text = format!(
            "{} of {}; rounded: positions +-{}",
            counted(head.states, "state"),
            counted(head.vertices, "vertex"),
            with_unit(head.error, "m")
        );
        for field in &head.fields {
            // Writing to a string cannot fail.
            let FieldHead {
                name, error, unit, ..
            } = field;
            let _ = if field.largest > 0.0 {
                write!(text, ", {name} +-{}", with_unit(*error, unit))
            } else {
                write!(text, ", {name} is 0 everywhere")
            };
        }
        text
    }

    /// Sentences about what the page lacks.
    pub(super) fn notes(&self) -> &[String] {
        &self.head.notes
    }
}

impl Head {
    /// Head of a run, without what follows from its arrays.
    fn of(run: &Recorded, wanted: &Wanted, grid: &Grid, inertias: Vec<Inertia>) -> Self {
        let world = &run.setup.world;
        let setup = &run.setup;
        let view = scene_view(&setup.scene, world, &setup.state.x);
        let owners = run.mesh.bodies.iter().zip(inertias);
        let bodies = owners.map(|(entry, inertia)| BodyHead {
            name: entry.name.clone(),
            kind: entry.kind.clone(),
            first: entry.first_vertex,
            inertia,
        });
        let planes = run.mesh.planes.iter().map(|plane| PlaneHead {
            entry: plane.clone(),
            moves: world.moves(plane.origin_vertex),
        });

        let absent = Quantity::ALL.iter().filter_map(|quantity| {
            let reason = quantity.obstacle(run).or_else(|| {
                let is_wanted = *quantity == Quantity::Body || wanted.quantities.contains(quantity);
                (!is_wanted).then_some("left out by --fields")
            });
            Some((quantity.name(), reason?))
        });

        let measures = setup.measures.list.iter();
        let measures = measures.map(|own| [own.name.clone(), own.unit.clone()]);
        let folder = run.dir.canonicalize().ok();
        let folder = folder.as_ref().and_then(|dir| dir.file_name());
        Self {
            name: run.report.scene.clone(),
            description: setup.scene.description.clone(),
            folder: folder.map_or(String::new(), |name| name.to_string_lossy().into_owned()),
            status: status(&run.report),
            reason: reason(&run.report),
            recoveries: run.report.recoveries.clone(),
            notes: notes(run, wanted, grid),
            origin: grid.origin.into(),
            spacing: grid.spacing,
            error: grid.error(),
            cells: grid.cells,
            weights: 0,
            states: run.moments.len(),
            vertices: run.mesh.vertices_rest.len(),
            view: [view.min.into(), view.max.into()],
            bodies: bodies.collect(),
            elements: [0; 2],
            planes: planes.collect(),
            surroundings: Surroundings::default(),
            fields: Vec::new(),
            absent: absent.collect(),
            columns: run.energies.columns.clone(),
            energies: run.energies.energies().collect(),
            measures: measures.collect(),
            series: Vec::new(),
            has_friction: run.contacts.is_some() || is_frictionless(run),
            relative_error: RELATIVE_ERROR,
            blocks: Vec::new(),
        }
    }
}

/// Adds the positions of all states, and returns the number of bytes of their differences.
///
/// # Errors
/// If the states cannot be read.
fn add_positions(run: &Recorded, grid: &Grid, blocks: &mut Blocks) -> Result<usize, CommandError> {
    let mut coder = PositionCoder::new(shapes::ranges(&run.mesh));
    run.each_state(|_, x, _| {
        let mut state = [Vec::new(), Vec::new()];
        let (drawn, _) = run.drawn(x);
        for place in &*drawn {
            let [first, second] = grid.point(*place);
            state[0].push(first);
            state[1].push(second);
        }
        coder.add(state);
        Ok(())
    })?;
    let coded = coder.finish();
    blocks.bytes("position_rules", &coded.rules);

    // As many bytes as the largest difference has.
    let most = coded.differences.iter().max().copied().unwrap_or_default();
    let weights = (most.checked_ilog2().unwrap_or_default() / u8::BITS + 1) as usize;
    for weight in 0..weights {
        let bytes = coded.differences.iter().map(|d| d.to_le_bytes()[weight]);
        blocks.bytes(&format!("positions_{weight}"), &bytes.collect::<Vec<u8>>());
    }
    Ok(weights)
}

/// Adds the bytes of a field, and returns its head.
fn add_field(field: &Field, run: &Recorded, blocks: &mut Blocks) -> FieldHead {
    let states = run.moments.len();
    let noise = match field.quantity {
        Quantity::Stress => noise(&run.setup.scene),
        _ => 0.0,
    };
    let count = field.values.len() / states;
    let mut levels: Vec<u8> = Vec::with_capacity(field.values.len());
    // Each state by its own top.
    let mut tops = Vec::with_capacity(states);
    for state in field.values.chunks(count.max(1)) {
        let top = grid::top(grid::largest(state));
        levels.extend(state.iter().map(|value| grid::level(*value, top)));
        tops.push(top);
    }

    let name = field.quantity.name();
    let coded = encode_levels(&levels, count);
    blocks.bytes(&format!("{name}_rules"), &coded.rules);
    blocks.bytes(name, &coded.differences);
    blocks.doubles(&format!("{name}_tops"), tops.iter().copied());

    // The error of a state in the middle of all that have values.
    tops.retain(|top| *top > 0.0);
    tops.sort_unstable_by(f64::total_cmp);
    let middle = tops.get(tops.len() / 2).copied().unwrap_or_default();
    FieldHead {
        name,
        label: field.quantity.label(),
        unit: field.quantity.unit(),
        at_vertices: field.quantity != Quantity::Stress,
        largest: grid::largest(&field.values),
        noise,
        error: grid::error_of_level(middle),
    }
}
