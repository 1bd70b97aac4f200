//! Proof of a run's step segments: the motion between the stored states.
//!
//! A segment moves every vertex from its place to the next one, on a straight path or on an arc of
//! its body. The solver has accepted each segment; here it is proved again, by other code, that no
//! vertex meets an edge or a half-plane on it and that no triangle collapses. The segments must
//! also lead through every stored state, bit by bit. Otherwise they would prove the motion of
//! another run.

use super::super::CommandError;
use super::axis;
use super::joints::Joints;
use super::place::at;
use super::states::name;
use ipcsim::contact::{Breach, Proved, Prover};
use ipcsim::geometry::path::Sweep;
use ipcsim_store::events::Events;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::place::Place;
use ipcsim_store::segments::{SEGMENTS, SegmentsError, SegmentsReader};
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::StoredRun;

/// Counts of what was proved of a run's segments.
#[derive(Default)]
pub(super) struct Certificate {
    /// Number of segments that were proved.
    segments: usize,
    /// Step that the last segment leads to.
    step: u64,
    /// Numbers of pairs and triangles that were tested, by the means of their proof.
    proved: Proved,
    /// True if circles collide.
    has_disks: bool,
}

/// Result of the proof of a run's segments.
pub(super) enum Verdict {
    /// The run has stored no segments.
    None,
    /// All segments are proved.
    Certified(Certificate),
    /// The first violation, in words.
    Violated(String),
}

/// Proves all segments of a run again, if it has stored them.
///
/// # Errors
/// If a file of the run cannot be read or is damaged.
pub(super) fn certify(run: &StoredRun, events: &Events) -> Result<Verdict, CommandError> {
    let Some(reader) = run.segments().map_err(StoredError::from)? else {
        return Ok(Verdict::None);
    };
    let mesh = &run.mesh;
    let colliders = mesh.colliders();
    let linear = mesh.linear_triangles();
    let prover = Prover::new(colliders.outlines(), &linear)
        .with_curved(&mesh.quadratic)
        .with_bends(&mesh.bends);
    let Some(mut walk) = Walk::start(run, events, reader)? else {
        return Ok(Verdict::Certified(Certificate::default()));
    };

    // The segments must lead through every stored state, bit by bit.
    let mut trajectory = run.trajectory()?;
    let mut x = Vec::new();
    for moment in &run.moments {
        trajectory.next(&mut x)?;
        if let Some(found) = walk.prove_to(moment.step as u64, &prover, mesh)? {
            return Ok(Verdict::Violated(found));
        }
        if let Some(found) = walk.joints.state(*moment, &x) {
            return Ok(Verdict::Violated(format!("step {}: {found}", moment.step)));
        }
        if let Some(i) = (0..x.len()).find(|&i| walk.here.x[i] != x[i]) {
            return Ok(Verdict::Violated(format!(
                "step {}: the segments do not lead to the state: {} is at {}, but they end at {}",
                moment.step,
                mesh.describe(i),
                at(x[i]),
                at(walk.here.x[i])
            )));
        }
    }

    // A run that was stopped has segments after the last state that it shows.
    Ok(match walk.prove_to(u64::MAX, &prover, mesh)? {
        None => Verdict::Certified(walk.certificate),
        Some(found) => Verdict::Violated(found),
    })
}

/// Walk along the segments, which proves one after another.
struct Walk<'a> {
    /// Joints, whose limits must be kept and whose turns are counted.
    joints: Joints<'a>,
    /// Reader of the segments that follow `next`.
    reader: SegmentsReader,
    /// Index of each vertex's body in the list of turns.
    turn_of: Vec<u32>,
    /// End of the next segment with the step that it belongs to; `None` after the last segment.
    next: Option<(u64, Place)>,
    /// End of the last segment.
    here: Place,
    /// Number of segments of the current step so far.
    within: usize,
    /// Counts of what was proved so far.
    certificate: Certificate,
}

impl<'a> Walk<'a> {
    /// Starts at the initial state; `None` for a run that failed before it had one.
    ///
    /// # Errors
    /// If a run with states has none here, or if it cannot be read.
    fn start(
        run: &'a StoredRun,
        events: &'a Events,
        mut reader: SegmentsReader,
    ) -> Result<Option<Self>, CommandError> {
        let Some((_, here)) = reader.next().transpose()? else {
            if run.moments.is_empty() {
                return Ok(None);
            }
            return Err(SegmentsError::Damaged {
                path: run.dir.join(SEGMENTS[0]),
                what: "it has no place".to_owned(),
            }
            .into());
        };

        Ok(Some(Self {
            joints: Joints::of(run, events, true),
            turn_of: reader.layout().turn_of(),
            next: reader.next().transpose()?,
            reader,
            here,
            within: 0,
            certificate: Certificate {
                has_disks: !run.mesh.disks.is_empty()
                    || run.mesh.rods.iter().any(|r| r.radius > 0.0),
                ..Certificate::default()
            },
        }))
    }

    /// Proves the segments up to the end of `step`; returns the first violation, in words.
    ///
    /// # Errors
    /// If a segment cannot be read.
    fn prove_to(
        &mut self,
        step: u64,
        prover: &Prover,
        mesh: &MeshFile,
    ) -> Result<Option<String>, CommandError> {
        while let Some((number, end)) = self.next.take_if(|(number, _)| *number <= step) {
            let is_same_step = number == self.certificate.step;
            self.within = if is_same_step { self.within + 1 } else { 1 };
            self.certificate.step = number;
            self.certificate.segments += 1;

            match self.prove(number, &end, prover, mesh) {
                Ok(proved) => self.certificate.proved += proved,
                Err(found) => {
                    let place = format!("step {number}, segment {}", self.within);
                    return Ok(Some(format!("{place}: {found}")));
                }
            }

            self.here = end;
            self.next = self.reader.next().transpose()?;
        }
        Ok(None)
    }

    /// Proves the segment from here to `end`, or says in words what is wrong with it.
    ///
    /// Positions that are not finite are refused first, since predicates need finite numbers.
    fn prove(
        &mut self,
        step: u64,
        end: &Place,
        prover: &Prover,
        mesh: &MeshFile,
    ) -> Result<Proved, String> {
        if !end.is_finite() {
            return Err("a position is not finite".to_owned());
        }

        // Radii are linear along a segment, and so positive on all of it if they are at its end.
        if let Some(found) = axis::violation(mesh, &end.x) {
            return Err(found);
        }

        // Vertices of bodies that turn move on arcs, all others on straight paths.
        let turns = self.here.turns_to(end);
        let sweep = Sweep {
            start: &self.here.x,
            end: &end.x,
            turn_of: &self.turn_of,
            turns: &turns,
        };

        let proved = prover
            .prove(&sweep)
            .map_err(|breach| described(&breach, mesh, &sweep))?;
        let step = usize::try_from(step).unwrap_or(usize::MAX);
        match self.joints.segment(step, &sweep) {
            None => Ok(proved),
            Some(found) => Err(found),
        }
    }
}

/// Description of what a segment violates, where and when.
fn described(breach: &Breach, mesh: &MeshFile, sweep: &Sweep) -> String {
    let path = |vertex: usize| {
        let start = at(sweep.start[vertex]);
        let end = at(sweep.end[vertex]);
        format!("{}, from {start} to {end},", mesh.describe(vertex))
    };
    let when = |time: f64| format!("after {time:.6} of the way");

    match *breach {
        Breach::Meets { point, edge, time } => {
            let [a, b] = edge.map(|i| at(sweep.end[i]));
            let then = if edge[0] == edge[1] {
                format!(", then at {a}")
            } else {
                format!(", then from {a} to {b}")
            };
            let met = name(mesh, edge, sweep.start);
            format!("{} meets {met}{then}, {}", path(point), when(time))
        }
        Breach::Behind {
            vertex,
            plane,
            time,
        } => {
            let plane = &mesh.planes[plane].name;
            format!("{} gets behind \"{plane}\" {}", path(vertex), when(time))
        }
        Breach::Collapse { triangle, time } => {
            let [a, b, c] = triangle.map(path);
            format!("the triangle of {a} {b} and {c} collapses {}", when(time))
        }
        Breach::Overturn { nodes, time } => {
            let [a, b, c, ..] = nodes.map(path);
            format!(
                "the quadratic triangle with the corners {a} {b} and {c} is not proved to keep J > 0 {}",
                when(time)
            )
        }
        Breach::Fold { bend, time } => {
            let [a, b, c] = bend.map(path);
            format!(
                "the rod at {a} {b} and {c} folds back on itself {}",
                when(time)
            )
        }
        Breach::Off { vertex, distance } => {
            let vertex = path(vertex);
            format!("{vertex} is {distance:.3e} m off the arc of its body")
        }
    }
}

impl Certificate {
    /// Lines that say what was proved, and by which means.
    pub(super) fn lines(&self) -> Vec<String> {
        let Proved {
            exact,
            bounded,
            planes,
            triangles,
            curved,
            bends,
        } = self.proved;

        let curved = if curved > 0 {
            format!(", {curved} quadratic triangles")
        } else {
            String::new()
        };

        let circles = if self.has_disks { "or of circles " } else { "" };
        let (bends, folds) = match bends {
            0 => (String::new(), ""),
            _ => (format!(", {bends} bends of rods"), ", or a rod fold"),
        };
        vec![
            format!(
                "segments: {} from step 0 to step {} join all stored states; on none of them does \
                 a vertex meet an edge or a half-plane, or a triangle collapse{folds}",
                self.segments, self.step
            ),
            format!(
                "segments: decided by exact arithmetic: {exact} pairs of a vertex and an edge on \
                 straight paths, {triangles} triangles{bends}; by bounds: {bounded} pairs on arcs \
                 {circles}and {planes} pairs of a vertex and a half-plane{curved}"
            ),
        ]
    }
}
