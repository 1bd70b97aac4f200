//! Report that a run starts with.
//!
//! A run writes its report before its first step. If the process is killed, that report remains and
//! says that the run is unfinished.

use super::super::fields::subject;
use super::job::Job;
use ipcsim::contact::GapAtRest;
use ipcsim::fields::{Known, Snapshot};
use ipcsim::math::number::counted;
use ipcsim::math::parallel;
use ipcsim::scene::{Derived, Setup};
use ipcsim::solve::Failure;
use ipcsim::time::{Flattest, State, World};
use ipcsim_store::build::Build;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::pair_numbers::PairNumbers;
use ipcsim_store::report::{
    FlatIn, LargestStress, LateFriction, Reason, RunReport, RunStatus, UNFINISHED,
};
use ipcsim_store::stiffening::Stiffening;
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
        build: Some(Build::of(&scene.solver)),
        status: RunStatus::Interrupted,
        reason: Some(Reason {
            kind: UNFINISHED.to_owned(),
            step: job.state.step,
            message: message.to_owned(),
            vertices: Vec::new(),
        }),
        ended: None,
        steps: 0,
        frames: 0,
        segments: 0,
        newton_iterations: 0,
        steps_at_rounding: 0,
        recoveries: Vec::new(),
        substeps: None,
        divided: Vec::new(),
        min_gap: None,
        min_j: None,
        flattest: None,
        friction_lag_residual: 0.0,
        late_friction: LateFriction::default(),
        lowered_restitution: 0,
        imbalance: 0.0,
        held: 0.0,
        stiffening: Stiffening::default(),
        gap_at_rest: None,
        measures: Vec::new(),
        stress: None,
        broken: Vec::new(),
        residual_work: None,
        thinned: BTreeMap::new(),
        notices: Vec::new(),
        hash: format!("{:016x}", job.state.hash()),
        options: job.options.clone(),
        parameters: parameters(&job.setup),
        pairs: PairNumbers::of_all(&job.setup.world).take(PAIRS).collect(),
        derived: listed(&job.setup.derived),
        checksums: BTreeMap::new(),
        saved: BTreeMap::new(),
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

/// Ratio of areas below which a triangle counts as pressed flat.
const FLAT: f64 = 1e-6;

/// Sentence about the triangle that was pressed flat, with the law that let it; `None` if none was.
pub(super) fn pressed_flat(report: &RunReport, setup: &Setup) -> Option<String> {
    let ratio = report.min_j.filter(|&ratio| ratio < FLAT)?;
    let FlatIn { step, triangle } = report.flattest?;
    let world = &setup.world;
    let (body, _) = world.owner(world.triangles.get(triangle)?[0])?;

    let entry = setup
        .scene
        .bodies
        .iter()
        .find(|entry| entry.name == body.name);
    let material = entry.and_then(|entry| setup.scene.materials.get(&entry.material));
    let law = material.and_then(|material| material.law.as_ref())?;
    let name = law.summary().name;

    let cure = if law.resists_collapse() {
        "a smaller load or a stiffer material keeps it thicker"
    } else {
        "this law gives way long before that, so take neo_hookean, mooney_rivlin or yeoh, or a stiffer \
         material"
    };
    Some(format!(
        "warning: a triangle of \"{}\" ({name}) was pressed to {ratio:.1e} of its area in step {step}, \
         which no material survives; {cure}",
        body.name
    ))
}

/// Share of the displacement of a contact region above which a gap at rest is worth a note (1).
const WIDE_GAP: f64 = 0.05;

/// Sentence about a gap at rest that makes the contact of bodies that deform softer; `None` if it does
/// little.
pub(super) fn wide_gap_at_rest(report: &RunReport, setup: &Setup) -> Option<String> {
    let GapAtRest { bodies, gap, share } = report.gap_at_rest?;
    let [a, b] = bodies.map(|body| setup.world.bodies.get(body));
    let (a, b) = (a?, b?);
    let what = (share > WIDE_GAP).then(|| {
        format!(
            "note: the gap at rest between \"{}\" and \"{}\", {gap:.1e} m, is {} % of the deformation F / (E t) \
             of their contact",
            a.name,
            b.name,
            percent(share)
        )
    })?;
    let cure = if setup.scene.contact.close_at_rest {
        "it was still closing"
    } else {
        "if forces or stresses there matter, set contact.close_at_rest"
    };
    Some(format!("{what}; {cure}"))
}

/// Sentence about equilibria whose friction is that of another state; `None` if there are none. In motion the next step
/// goes on from such a state, and nothing rests on it.
pub(super) fn outdated_friction(report: &RunReport, setup: &Setup) -> Option<String> {
    let late = &report.late_friction;
    let is_static = setup.world.integrator.is_static();
    (is_static && late.steps > 0).then(|| {
        format!(
            "warning: friction has gone round in circles in {}, and is that of another state at {}; smaller increments may \
             end that",
            counted(late.steps, "increment"),
            counted(late.contacts, "contact")
        )
    })
}

/// A share (1) in percent, with two digits.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 10.0 {
        format!("{percent:.1}")
    } else {
        format!("{percent:.0}")
    }
}

/// Ratio of areas below which a body whose vertices are prescribed counts as crushed by them.
const CRUSHED: f64 = 1e-3;

/// Reason of a failure after a state in which prescribed vertices have pressed their body flat; the
/// reason of the failure itself where they have not.
pub(super) fn cause(failure: &Failure, state: &State, world: &World, mesh: &MeshFile) -> Reason {
    let plain = Reason::of(failure, state.step, mesh).with_joints(world, state);
    let crushed = world.flattest(&state.x).filter(|flat| flat.ratio < CRUSHED);
    let Some(Flattest { triangle, ratio }) = crushed else {
        return plain;
    };

    let owner = world.owner(world.triangles[triangle][0]);
    let Some((body, _)) = owner.filter(|(body, _)| {
        let mut driven = world.prescribed.iter();
        driven.any(|prescribed| body.nodes.contains(&prescribed.node))
    }) else {
        return plain;
    };
    Reason {
        message: format!(
            "prescribed vertices of \"{}\" press it flat, a triangle to {ratio:.1e} of its area; \
             prescribe a motion that leaves room ({})",
            body.name, plain.message
        ),
        ..plain
    }
}

/// Largest von Mises stress of a state at vertices; `None` without bodies of triangles.
pub(super) fn largest_stress(setup: &Setup, state: &State) -> Option<LargestStress> {
    if setup.world.triangles.is_empty() {
        return None;
    }
    let subject = subject(setup);
    let known = Known::positions(&state.x, state.conditions());
    let snapshot = Snapshot::new(&subject, known);

    // The first of equal stresses counts.
    let mut largest: Option<(usize, f64)> = None;
    for (vertex, stress) in snapshot.stress().vertices.iter().enumerate() {
        let own = stress.von_mises();
        // A vertex without triangles has no stress.
        if own.is_finite() && largest.is_none_or(|(_, most)| own > most) {
            largest = Some((vertex, own));
        }
    }

    let (vertex, von_mises) = largest?;
    let (body, _) = setup.world.owner(vertex)?;
    Some(LargestStress {
        von_mises,
        body: body.name.clone(),
        place: state.x[vertex].into(),
        time: state.time,
    })
}
