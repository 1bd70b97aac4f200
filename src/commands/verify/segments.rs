//! The certificate of a run whose step segments are stored.

use super::super::CommandError;
use super::states::name;
use super::stored::{Stored, at};
use crate::contact::{Breach, Proved, Prover};
use crate::geometry::path::Sweep;
use crate::store::folder::{RUN, SEGMENTS};
use crate::store::mesh_file::MeshFile;
use crate::store::segments::{Place, SegmentsError, SegmentsReader};
use std::path::Path;

/// What was proved of a run's segments.
#[derive(Default)]
pub(super) struct Certificate {
    segments: usize,
    /// The step that the last one leads to.
    step: u64,
    proved: Proved,
    /// Whether circles are among what collides.
    disks: bool,
}

/// What came of the segments.
pub(super) enum Verdict {
    /// The run has stored none.
    None,
    Certified(Certificate),
    Violated(String),
}

/// Proves all segments of the run in `dir` again, if it has stored them.
pub(super) fn certify(dir: &Path, stored: Stored) -> Result<Verdict, CommandError> {
    let path = dir.join(SEGMENTS);
    let damaged = |what: String| SegmentsError::Damaged {
        path: path.clone(),
        what,
    };
    if !path.exists() {
        // Whoever reads the files does not need a report.
        let asked =
            CommandError::read_report(&dir.join(RUN)).is_ok_and(|report| report.options.certify);
        return if asked {
            Err(damaged("it is missing".to_owned()).into())
        } else {
            Ok(Verdict::None)
        };
    }
    let Stored {
        mesh,
        mut trajectory,
        steps,
        ..
    } = stored;
    let reader = SegmentsReader::open(&path, mesh.vertices_rest.len())?;
    let colliders = mesh.colliders();
    let prover = Prover::new(colliders.outlines(), &mesh.triangles);
    let turn_of = reader.layout().turn_of();
    let mut walk = Walk {
        reader,
        turn_of,
        next: None,
        here: Place {
            x: Vec::new(),
            turns: Vec::new(),
        },
        within: 0,
    };
    walk.advance()?;
    walk.here = walk
        .next
        .take()
        .map(|(_, place)| place)
        .ok_or_else(|| damaged("it has no place".to_owned()))?;
    walk.advance()?;
    let mut certificate = Certificate {
        disks: !mesh.disks.is_empty(),
        ..Certificate::default()
    };
    let mut x = Vec::new();
    for &step in &steps {
        trajectory.next(&mut x)?;
        if let Some(found) = walk.to(step, &prover, &mesh, &mut certificate)? {
            return Ok(Verdict::Violated(found));
        }
        if let Some(i) = (0..x.len()).find(|&i| walk.here.x[i] != x[i]) {
            return Ok(Verdict::Violated(format!(
                "step {step}: the segments do not lead to the state: {} is at {}, but they end at {}",
                mesh.describe(i),
                at(x[i]),
                at(walk.here.x[i])
            )));
        }
    }
    // A run that was ended has segments after the last state that it shows.
    Ok(walk
        .to(u64::MAX, &prover, &mesh, &mut certificate)?
        .map_or(Verdict::Certified(certificate), Verdict::Violated))
}

/// On the way through the segments.
struct Walk {
    reader: SegmentsReader,
    turn_of: Vec<u32>,
    next: Option<(u64, Place)>,
    here: Place,
    /// Segments of the step so far.
    within: usize,
}

impl Walk {
    fn advance(&mut self) -> Result<(), CommandError> {
        self.next = self.reader.next().transpose()?;
        Ok(())
    }

    /// Proves the segments up to the end of `step`; returns what is wrong.
    fn to(
        &mut self,
        step: u64,
        prover: &Prover,
        mesh: &MeshFile,
        certificate: &mut Certificate,
    ) -> Result<Option<String>, CommandError> {
        while let Some((number, end)) = self.next.take_if(|(number, _)| *number <= step) {
            self.within = if number == certificate.step {
                self.within + 1
            } else {
                1
            };
            certificate.step = number;
            certificate.segments += 1;
            let turns = self.here.turns_to(&end);
            let motion = Sweep {
                start: &self.here.x,
                end: &end.x,
                turn_of: &self.turn_of,
                turns: &turns,
            };
            let finite = |place: &Place| place.x.iter().all(|p| p.x.is_finite() && p.y.is_finite());
            let found = if finite(&end) {
                prover
                    .prove(&motion)
                    .map_err(|breach| described(&breach, mesh, &motion))
            } else {
                Err("a position is not finite".to_owned())
            };
            match found {
                Ok(proved) => certificate.proved += proved,
                Err(found) => {
                    return Ok(Some(format!(
                        "step {number}, segment {}: {found}",
                        self.within
                    )));
                }
            }
            self.here = end;
            self.advance()?;
        }
        Ok(None)
    }
}

fn described(breach: &Breach, mesh: &MeshFile, motion: &Sweep) -> String {
    let Sweep { start, end, .. } = *motion;
    let way = |i: usize| {
        format!(
            "{}, from {} to {},",
            mesh.describe(i),
            at(start[i]),
            at(end[i])
        )
    };
    let share = |time: f64| format!("after {time:.6} of the way");
    match *breach {
        Breach::Meets { point, edge, time } => {
            let [a, b] = edge.map(|i| at(end[i]));
            let to = if edge[0] == edge[1] {
                format!(", then at {a}")
            } else {
                format!(", then from {a} to {b}")
            };
            format!(
                "{} meets {}{to}, {}",
                way(point),
                name(mesh, edge, start),
                share(time)
            )
        }
        Breach::Behind {
            vertex,
            plane,
            time,
        } => {
            format!(
                "{} gets behind \"{}\" {}",
                way(vertex),
                mesh.planes[plane].name,
                share(time)
            )
        }
        Breach::Collapse {
            triangle: [a, b, c],
            time,
        } => {
            format!(
                "the triangle of {} {} and {} collapses {}",
                way(a),
                way(b),
                way(c),
                share(time)
            )
        }
        Breach::Off { vertex, distance } => {
            format!(
                "{} is {distance:.3e} m off the arc of its body",
                way(vertex)
            )
        }
    }
}

impl Certificate {
    /// What was proved, and by what.
    pub(super) fn lines(&self) -> Vec<String> {
        let Self {
            segments,
            step,
            proved:
                Proved {
                    exact,
                    bounded,
                    planes,
                    triangles,
                },
            disks,
        } = self;
        let circles = if *disks { "or of circles " } else { "" };
        vec![
            format!(
                "segments: proved: {segments} from step 0 to step {step} join all stored states; on none does a vertex meet an \
                 edge or a half-plane, or a triangle collapse"
            ),
            format!(
                "segments: asked: {exact} pairs of a vertex and an edge on straight paths, and {triangles} triangles, decided by \
                 exact arithmetic; {bounded} pairs on arcs {circles}and {planes} of a vertex and a half-plane, by bounds"
            ),
        ]
    }
}
