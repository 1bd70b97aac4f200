//! Reports of a run: the one that it starts with, and the reason of a failed step.
//!
//! A run writes its report before its first step. If the process is killed, that report remains and
//! says that the run is unfinished.

use super::job::Job;
use crate::math::parallel;
use crate::scene::{Derived, Setup};
use crate::solve::Failure;
use crate::store::mesh_file::MeshFile;
use crate::store::pair_numbers::PairNumbers;
use crate::store::report::{LateFriction, Reason, RunReport, RunStatus, UNFINISHED};
use crate::store::stiffening::Stiffening;
use std::collections::BTreeMap;

/// Largest number of pairs of bodies whose numbers are listed.
const PAIRS: usize = 500;

/// Largest number of values of one name that are listed with their reasons.
const LISTED: usize = 100;

/// Report of a run that has begun: status interrupted, parameters known, all counts zero.
///
/// The hash is that of the state that the run starts from. At the end `simulate` fills in
/// status, reason and hash, and the recorder counts, timings and checksums.
pub(super) fn unfinished(job: &Job) -> RunReport {
    let scene = &job.setup.scene;
    let message = "the run is not finished; if it was killed, resume it with ipcsim run --resume \
                   and this folder";

    RunReport {
        scene: scene.name.clone().unwrap_or_default(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        status: RunStatus::Interrupted,
        reason: Some(Reason {
            kind: UNFINISHED.to_owned(),
            step: job.state.step,
            message: message.to_owned(),
            vertices: Vec::new(),
        }),
        steps: 0,
        frames: 0,
        segments: 0,
        newton_iterations: 0,
        steps_at_rounding: 0,
        recoveries: Vec::new(),
        min_gap: None,
        min_j: None,
        friction_lag_residual: 0.0,
        late_friction: LateFriction::default(),
        imbalance: 0.0,
        stiffening: Stiffening::default(),
        notices: Vec::new(),
        hash: format!("{:016x}", job.state.hash()),
        options: job.options.clone(),
        parameters: parameters(&job.setup),
        pairs: PairNumbers::of_all(&job.setup.world).take(PAIRS).collect(),
        derived: listed(&job.setup.derived),
        checksums: BTreeMap::new(),
        threads: parallel::threads(),
        timings: BTreeMap::new(),
    }
}

/// Numbers that the run uses. Of those in which bodies differ it is the largest one, and of the
/// distances within bodies the smallest; pairs have theirs in a list.
fn parameters(setup: &Setup) -> BTreeMap<String, f64> {
    let world = &setup.world;
    let surface = &world.model.surface;
    let d_hat = surface.reach.most();
    let within = surface.self_d_hat.iter().copied();
    let parameters = [
        ("time_step", setup.scene.time.step),
        ("d_hat", d_hat),
        ("d_hat_self", within.fold(d_hat, f64::min)),
        ("kappa", world.barriers.largest()),
        ("eps_v", world.friction.eps_v.most()),
        ("tolerance", world.newton.tolerance),
        ("imbalance", world.newton.imbalance),
    ];
    let named = parameters.map(|(name, value)| (name.to_owned(), value));
    named.into_iter().collect()
}

/// Numbers with their reasons, the first [`LISTED`] of each name.
fn listed(derived: &[Derived]) -> Vec<Derived> {
    let by_name = derived.chunk_by(|a, b| a.name == b.name);
    by_name
        .flat_map(|rows| rows.iter().take(LISTED).cloned())
        .collect()
}

/// Reason of a failure in the step after `step`, with the bodies of the vertices at fault.
pub fn reason(failure: &Failure, step: usize, mesh: &MeshFile) -> Reason {
    let vertices = failure.vertices();
    let who: Vec<String> = vertices
        .iter()
        .map(|&v| format!("{v} is {}", mesh.describe(v)))
        .collect();

    // The failure names vertices by number, the scene by bodies.
    let message = if who.is_empty() {
        failure.to_string()
    } else {
        format!("{failure} ({})", who.join(", "))
    };

    let vertices = vertices
        .into_iter()
        .map(|vertex| mesh.describe(vertex))
        .collect();
    Reason {
        kind: failure.kind().to_owned(),
        step: step + 1,
        message,
        vertices,
    }
}
