//! What the page draws around bodies: the axis of revolution, the cell of a scene that repeats, and gas in
//! chambers.
//!
//! All of it moves with vertices, so that the page needs numbers of vertices only, and the pressures of each
//! state.

use super::source::Recorded;
use crate::CommandError;
use crate::pictures::cell_sides::{CellSides, Corner};
use ipcsim::time::Chamber;
use ipcsim_store::chamber_table::CHAMBERS;
use ipcsim_store::columns::Columns;
use ipcsim_store::mesh_file::PeriodsEntry;
use ipcsim_store::run_files::RunFiles;
use serde::Serialize;
use std::collections::BTreeMap;

/// Surroundings of the bodies of a run.
#[derive(Debug, Default, Serialize)]
pub(super) struct Surroundings {
    /// True if bodies are bodies of revolution about the axis x = 0.
    axis: bool,
    /// Cell of a scene that repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<CellHead>,
    /// Gas in closed chambers.
    chambers: Vec<ChamberHead>,
}

/// Cell of a scene that repeats.
#[derive(Debug, Serialize)]
struct CellHead {
    /// Periods, and along which of them the scene repeats.
    #[serde(flatten)]
    periods: PeriodsEntry,
    /// Where its lower left corner is.
    #[serde(flatten)]
    corner: Corner,
}

/// Gas in a closed chamber.
#[derive(Debug, Serialize)]
struct ChamberHead {
    /// Name in the scene.
    name: String,
    /// Vertices along its outline, in order.
    outline: Vec<usize>,
    /// True if planes across the axis of revolution close it.
    to_axis: bool,
    /// Pressure over the ambient one in each state (Pa); none without the table of chambers.
    gauge: Vec<Option<f64>>,
}

impl Surroundings {
    /// Surroundings of a run.
    ///
    /// # Errors
    /// If the table of chambers is damaged.
    pub(super) fn of(run: &Recorded) -> Result<Self, CommandError> {
        let gauges = gauges(run)?;
        let chambers = run.setup.world.loading.gas.chambers.iter();
        let chambers = chambers.map(|chamber| ChamberHead {
            name: chamber.name.clone(),
            outline: chamber.outline.clone(),
            to_axis: run.mesh.axisymmetric && !is_closed(chamber),
            gauge: run
                .moments
                .iter()
                .map(|moment| gauges.get(&(chamber.name.clone(), moment.step)).copied())
                .collect(),
        });
        Ok(Self {
            axis: run.mesh.axisymmetric,
            chambers: chambers.collect(),
            cell: run
                .mesh
                .periodic
                .zip(CellSides::of(&run.mesh))
                .map(|(periods, sides)| CellHead {
                    periods,
                    corner: sides.corner(),
                }),
        })
    }
}

/// True if a side of a chamber of revolution leads from the last vertex of its outline to the first.
fn is_closed(chamber: &Chamber) -> bool {
    let ends = [chamber.outline.last(), chamber.outline.first()];
    let walls = &chamber.walls;
    let straight = walls.rings.iter().map(|[a, b]| [Some(a), Some(b)]);
    let curved = walls.curved.iter().map(|[a, _, b]| [Some(a), Some(b)]);
    straight.chain(curved).any(|side| side == ends)
}

/// Pressures over the ambient one (Pa), as `chambers.csv` has them, by chamber and step; none where the run has no table of them.
///
/// # Errors
/// If the table is damaged.
fn gauges(run: &Recorded) -> Result<BTreeMap<(String, usize), f64>, CommandError> {
    let mut gauges = BTreeMap::new();
    let files = RunFiles::open(&run.dir)?;
    let Some(table) = Columns::read(&files, CHAMBERS)? else {
        return Ok(gauges);
    };

    // A row for each chamber and step.
    let columns = ["step", "chamber", "gauge"].map(|name| table.column(name));
    if let [Some(step), Some(chamber), Some(gauge)] = columns {
        for row in 0..table.len() {
            let Ok(step) = table.text(row, step).parse() else {
                continue;
            };
            let name = table.text(row, chamber).to_owned();
            gauges.insert((name, step), table.number(row, gauge));
        }
    }
    Ok(gauges)
}
