//! The direct way between stored states, on which bodies move evenly from one to the next.
//!
//! Stored states alone do not say on which way a body has come to its place. The direct way is the
//! one that they suggest, and no body may have passed another one on it (see [`SweptPenetrations`]). It
//! cuts corners that a body has slid round, by a depth that this module states. A run judges its
//! steps by the same rule.
//!
//! A step that the run has divided is free in its parts, whose ends are not stored. Its direct way
//! is measured and reported, but is no violation. Neither is that of a run whose segments prove the way
//! that bodies took.

use super::super::CommandError;
use ipcsim::contact::{Outlines, Pace, SweptPenetration, SweptPenetrations};
use ipcsim::geometry::path::Sweep;
use ipcsim::math::Vec2;
use ipcsim::math::number::counted;
use ipcsim_store::direct_way::DirectWay;
use ipcsim_store::events::Events;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::stored_run::StoredRun;

/// Multiple (1) of the depth that a step may cut, beyond which a cut is a violation. Centres and angles
/// of rigid bodies follow from their vertices, to rounding.
const TOLERANCE: f64 = 1.0 + 1e-6;

/// The direct ways between all stored states.
#[derive(Default)]
pub(super) struct Between {
    /// Number of pairs of states that follow each other in one step.
    steps: usize,
    /// Number of steps whose direct way is not free.
    cutting: usize,
    /// Number of steps that the run has divided because bodies would have passed each other.
    divided: usize,
    /// Step of the deepest cut that is not in a divided step, with the cut.
    deepest: Option<(usize, SweptPenetration)>,
}

/// Measures the direct ways between the stored states of a run.
///
/// # Errors
/// If the trajectory cannot be read.
pub(super) fn measure(run: &StoredRun, events: &Events) -> Result<Between, CommandError> {
    let mesh = &run.mesh;
    let colliders = mesh.colliders();
    let outlines = colliders.outlines();
    let way = DirectWay::of(mesh);
    let turn_of = mesh.layout().turn_of();

    let mut trajectory = run.trajectory()?;
    let mut here = Vec::new();
    let mut next = Vec::new();
    let mut shape = None;
    let mut between = Between::default();
    for (entry, moment) in run.moments.iter().enumerate() {
        trajectory.next(&mut next)?;
        // Without all states between them, two states say nothing about the path.
        let is_next = entry > 0 && moment.step == run.moments[entry - 1].step + 1;
        if is_next {
            let turns = way.turns(&here, &next);
            let motion = Sweep {
                start: &here,
                end: &next,
                turn_of: &turn_of,
                turns: &turns,
            };
            // Runs without successive states do not pay for the shapes.
            let shape = shape.get_or_insert_with(|| shape_of(mesh, &outlines));
            let cut = shape.deepest(&outlines, &motion, Pace::Any);
            between.add(moment.step, cut, events.divided.contains(&moment.step));
        }
        std::mem::swap(&mut here, &mut next);
    }
    Ok(between)
}

/// Outlines at rest, by which cuts are measured.
fn shape_of(mesh: &MeshFile, outlines: &Outlines) -> SweptPenetrations {
    let rest: Vec<Vec2> = mesh.vertices_rest.iter().map(|&x| x.into()).collect();
    SweptPenetrations::new(outlines, &rest)
}

impl Between {
    /// Adds the deepest cut of a step.
    fn add(&mut self, step: usize, cut: Option<SweptPenetration>, is_divided: bool) {
        self.steps += 1;
        self.divided += usize::from(is_divided);
        let Some(cut) = cut else {
            return;
        };

        self.cutting += 1;
        let is_deeper = self
            .deepest
            .is_none_or(|(_, last)| cut.depth / cut.allowed > last.depth / last.allowed);
        if !is_divided && is_deeper {
            self.deepest = Some((step, cut));
        }
    }

    /// The step on whose direct way a body passes another one, in words; `None` if there is none.
    pub(super) fn violation(&self, mesh: &MeshFile) -> Option<String> {
        let (step, cut) = self.deepest?;
        (cut.depth > TOLERANCE * cut.allowed).then(|| {
            format!(
                "step {step}: on the direct way to its state {}, more than a slide round a corner \
                 explains",
                described(&cut, mesh)
            )
        })
    }

    /// Line that says how deep the direct ways cut; `None` if no stored states follow each other.
    pub(super) fn line(&self, mesh: &MeshFile) -> Option<String> {
        if self.steps == 0 {
            return None;
        }
        let free = self.steps - self.cutting;
        let steps = self.steps;
        let divided = match self.divided {
            0 => String::new(),
            count => format!("; the run has divided {count}, which are not judged"),
        };

        let deepest = self.deepest.map_or_else(String::new, |(step, cut)| {
            format!("; deepest, in step {step}, {}", described(&cut, mesh))
        });
        Some(format!(
            "between states: the direct way is free in {free} of {}{divided}{deepest}",
            counted(steps, "step")
        ))
    }
}

/// A cut in words, by the names of the mesh.
fn described(cut: &SweptPenetration, mesh: &MeshFile) -> String {
    let through = &mesh.bodies[mesh.body[cut.through]].name;
    let vertex = mesh.describe(cut.vertex);
    let allowed = cut.allowed;
    if cut.depth.is_finite() {
        let depth = cut.depth;
        format!(
            "{vertex} cuts {depth:.3e} m deep through \"{through}\" (a step may: {allowed:.3e} m)"
        )
    } else {
        format!("{vertex} goes right through \"{through}\"")
    }
}
