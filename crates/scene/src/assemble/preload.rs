//! Sections at which bodies are tightened: what of a mesh is beyond them.
//!
//! The line of a section cuts edges of the mesh. Without these the mesh has pieces, and no piece may be on
//! both sides: the line parts the body. Vertices on the left side get shares of the shortening that
//! grow with their distance from the line, up to 1 at the end of the piece that gets shorter.

use super::builder::Builder;
use super::load::telling_times;
use super::new_body::NewBody;
use super::placement::Placement;
use crate::problem::Problem;
use crate::schema;
use ipcsim_core::time::Preload;
use ipcsim_energy::TightenedSection;
use ipcsim_math::groups::Groups;
use ipcsim_math::{Vec2, perp};
use ipcsim_mesh::Mesh;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Part of the length of a line (1) by which an edge may pass its end and still be cut.
const NEAR: f64 = 1e-9;

/// What a section makes of a mesh.
struct Parted {
    /// Length of the piece that gets shorter (m).
    length: f64,
    /// Vertices of the mesh with their shares of the shortening (1).
    shares: Vec<(usize, f64)>,
}

impl Builder {
    /// Section at which a body with this mesh is tightened, whose vertices are numbered from `first` on in the
    /// world; `None` if it has none. One that does not part the body is a problem.
    pub(super) fn add_preload(
        &mut self,
        body: &NewBody,
        mesh: &Mesh,
        first: usize,
    ) -> Option<Arc<TightenedSection>> {
        let spec = body.spec;
        let given = spec.preload.as_ref()?;
        let force = given.force.read().ok()?;
        let parted = match part(mesh, given) {
            Ok(parted) => parted,
            Err((key, message)) => {
                let path = format!("bodies[{}].preload.{key}", body.entry);
                self.problems.push(Problem::error(path, message));
                return None;
            }
        };

        // In the world at rest.
        let placement = Placement::new(spec.position, spec.rotation_deg);
        let direction = placement.place(across(given)) - placement.place(Vec2::zeros());
        let shares = parted.shares.into_iter();
        let section = Arc::new(TightenedSection {
            number: self.preloads.len(),
            direction: direction.normalize(),
            length: parted.length,
            shares: shares.map(|(i, share)| (first + i, share)).collect(),
        });
        self.preloads.push(Preload {
            body: self.bodies.len(),
            force,
            lock: given.lock,
            section: Arc::clone(&section),
        });
        Some(section)
    }

    /// Counts the largest forces of all sections as loads of every body: who is clamped is not known
    /// beforehand, and must carry them.
    pub(super) fn load_by_preloads(&mut self) {
        let peak = |own: &Preload| {
            let times = telling_times(std::slice::from_ref(&own.force)).into_iter();
            let forces = times.map(|t| own.force.at(Vec2::zeros(), t).abs());
            forces.fold(0.0, f64::max)
        };
        let whole: f64 = self.preloads.iter().map(peak).sum();
        if whole > 0.0 {
            for body in 0..self.bodies.len() {
                self.load_peaks.entry(body).or_default()[0] += whole;
            }
        }
    }
}

/// Edges of a mesh where the line of a section cuts it.
///
/// An edge is cut where its ends are on both sides of the infinite line, at a place between the ends of the
/// section. An end on the line counts as left. With the distances `d_i` and `d_j` of the ends the place is at
/// the share `d_i / (d_i - d_j)` of the edge.
struct Sides {
    /// Edges that it does not cut.
    whole: Vec<[usize; 2]>,
    /// Edges that it cuts.
    cut: Vec<[usize; 2]>,
    /// Distance of the first cut from the last (m).
    width: f64,
}

impl Sides {
    /// Edges of a mesh at a section.
    fn of(mesh: &Mesh, given: &schema::Preload) -> Self {
        let [a, b] = given.section.map(Vec2::from);
        let normal = across(given);
        let along = (b - a).normalize();
        let distance = |i: usize| normal.dot(&(mesh.vertices[i] - a));

        // An edge is cut where its ends are on both sides, and the line is there.
        let mut whole = Vec::new();
        let mut cut = Vec::new();
        let ends = -NEAR * (b - a).norm()..=(1.0 + NEAR) * (b - a).norm();
        let mut width = [f64::INFINITY, f64::NEG_INFINITY];
        for [i, j] in mesh.edges() {
            let [from, to] = [distance(i), distance(j)];
            let share = from / (from - to);
            let place = mesh.vertices[i] + (mesh.vertices[j] - mesh.vertices[i]) * share;
            let at = along.dot(&(place - a));
            if (from >= 0.0) != (to >= 0.0) && ends.contains(&at) {
                width = [width[0].min(at), width[1].max(at)];
                cut.push([i, j]);
            } else {
                whole.push([i, j]);
            }
        }
        Self {
            whole,
            cut,
            width: width[1] - width[0],
        }
    }
}

/// Direction across the line of a section, to its left (1).
fn across(given: &schema::Preload) -> Vec2 {
    let [a, b] = given.section.map(Vec2::from);
    perp(b - a).normalize()
}

/// Parts a mesh at a section.
///
/// Vertex `i` on the left of the line has the share `phi_i = d_i / l` of the shortening, by its distance `d_i` from the
/// line and the length `l` of the piece, if the piece reaches it, and 1 if it is beyond. On the right shares are 0.
/// Edges of quadratic triangles are halves of their sides, so that nodes in the middle of sides count as
/// vertices.
///
/// # Errors
/// The key at fault, and a message.
fn part(mesh: &Mesh, given: &schema::Preload) -> Result<Parted, (&'static str, String)> {
    let origin = Vec2::from(given.section[0]);
    let normal = across(given);
    let distance = |i: usize| normal.dot(&(mesh.vertices[i] - origin));
    let is_left = |i: usize| distance(i) >= 0.0;

    let Sides { whole, cut, width } = Sides::of(mesh, given);
    if cut.is_empty() {
        let message =
            "does not cross the body; give the ends of a line across its shank, in the shape";
        return Err(("section", message.to_owned()));
    }

    // No piece may be on both sides.
    let group = pieces(mesh, whole.iter().copied());
    let lefts = cut.iter().flatten().filter(|i| is_left(**i));
    let starts: Vec<usize> = lefts.copied().collect();
    let left: BTreeSet<usize> = starts.iter().map(|&i| group[i]).collect();
    let rights = cut.iter().flatten().filter(|i| !is_left(**i));
    let is_ring = rights.copied().any(|i| left.contains(&group[i]));
    if is_ring {
        let message = "does not part the body: both sides still hang together; make the line longer, or give a ring a \
                       joint to cut";
        return Err(("section", message.to_owned()));
    }

    // The piece: what is reached from the line without leaving it.
    let length = given.length.unwrap_or(width);
    let in_piece = |i: usize| is_left(i) && distance(i) < length;
    let inside = whole
        .iter()
        .filter(|edge| edge.iter().all(|i| in_piece(*i)));
    let within = pieces(mesh, inside.copied());
    let piece: BTreeSet<usize> = starts.iter().map(|&i| within[i]).collect();
    let mut shares = Vec::new();
    let mut has_end = false;
    for i in (0..mesh.vertices.len()).filter(|&i| left.contains(&group[i])) {
        let is_inside = in_piece(i) && piece.contains(&within[i]);
        has_end |= !is_inside;
        let share = if is_inside { distance(i) / length } else { 1.0 };
        if share > 0.0 {
            shares.push((i, share));
        }
    }
    if !has_end {
        let message = format!(
            "is {length} m, and nothing of the body is beyond a piece of that length on the left of the section; lower \
             it, or turn the section round"
        );
        return Err(("length", message));
    }
    Ok(Parted { length, shares })
}

/// Number of the piece that each vertex of a mesh is in, `[vertices]`, which these edges hold together.
fn pieces(mesh: &Mesh, edges: impl Iterator<Item = [usize; 2]>) -> Vec<usize> {
    let mut groups = Groups::new(mesh.vertices.len());
    for [i, j] in edges {
        groups.join(i, j);
    }
    (0..mesh.vertices.len()).map(|i| groups.root(i)).collect()
}
