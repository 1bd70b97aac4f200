//! Vertices of deformable bodies whose motion is prescribed.
//!
//! A component of a vertex may have several entries, as long as their windows of time do not
//! overlap.

use super::builder::Builder;
use super::deformable::Meshed;
use super::new_body::NewBody;
use super::select::Selectable;
use super::turn::is_revolved;
use crate::moments::{LOOKS, times};
use crate::problem::Problem;
use crate::schema::{self, Axis, Scene};
use crate::shape_geometry::selections;
use ipcsim_core::body::{Displacement, Prescribed, Role, ScriptedMotion};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::hypot;
use ipcsim_math::varying::Varying;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Displacement at the start that counts as 0, relative to the size of the body (1).
const NOTHING: f64 = 1e-12;

/// Window of time (s) in which a component of a vertex is prescribed.
#[derive(Clone, Copy)]
struct Window {
    /// Begin.
    from: f64,
    /// End.
    until: f64,
}

impl Window {
    /// Window of an entry.
    fn of(entry: &schema::Prescribed) -> Self {
        Self {
            from: entry.from.unwrap_or(0.0),
            until: entry.until.unwrap_or(f64::INFINITY),
        }
    }

    /// What to do about an entry of the window whose vertices have another one at the same time.
    fn advice(self) -> &'static str {
        if self.from <= 0.0 && self.until.is_infinite() {
            "name it once"
        } else {
            "let windows of time follow each other"
        }
    }

    /// True if both have a time in common.
    fn overlaps(self, other: Self) -> bool {
        self.from < other.until && other.from < self.until
    }
}

impl Builder {
    /// Prescribes the motion of vertices that have a node each.
    ///
    /// A component of a vertex may be prescribed once at a time. The second entry that names it is
    /// a problem.
    pub(crate) fn add_prescribed(&mut self, body: &NewBody, meshed: &Meshed) {
        let spec = body.spec;
        if spec.prescribed.is_empty() {
            return;
        }

        let nodes = &self.nodes[meshed.node..];
        let x: Vec<Vec2> = nodes.iter().map(|node| node.q).collect();
        let vertices = self.vertices[meshed.first..].iter();
        let rest: Vec<Vec2> = vertices.map(|vertex| vertex.rest).collect();
        let is_resized = self.sizes.contains_key(&spec.name);
        let places = [if is_resized { &rest } else { &x[..] }, &rest];
        let named = selections(spec);
        let selectable = Selectable::new(
            &spec.name,
            &named,
            places,
            &meshed.placement,
            &meshed.edges,
            body.scene,
        );

        let mut taken: BTreeMap<(usize, usize), Vec<Window>> = BTreeMap::new();
        for (k, entry) in spec.prescribed.iter().enumerate() {
            let path = format!("bodies[{}].prescribed[{k}]", body.entry);
            let path_of_vertices = format!("{path}.vertices");
            let chosen = selectable.choose(&entry.vertices, &path_of_vertices, &mut self.problems);
            let axes = axes_of(entry);
            let window = Window::of(entry);
            let motion = motion_of(entry, meshed);
            let displacement = self.displacement(body.scene, entry, &path, &chosen, &x);

            // Vertices, until one is named twice. What is on the axis is held along x by itself.
            for i in chosen {
                let is_on_axis = is_revolved(body.scene) && rest[i].x == 0.0;
                let axes = [axes[0] && !is_on_axis, axes[1]];
                if axes == [false; 2] {
                    continue;
                }
                if take(&mut taken, i, axes, window) {
                    let advice = window.advice();
                    let message = format!("vertex {i} is prescribed twice; {advice}");
                    let problem = Problem::error(path_of_vertices, message).at(x[i]);
                    self.problems.push(problem);
                    // All further vertices of the entry would give the same message.
                    break;
                }

                // Keyframes turn all vertices of the entry about one point.
                let role = if entry.keyframes.is_empty() {
                    Role::Point
                } else {
                    Role::Center(x[i] - meshed.placement.origin)
                };
                self.prescribed.push(Prescribed {
                    node: meshed.node + i,
                    role,
                    start: x[i],
                    axes,
                    motion: motion.clone(),
                    displacement: displacement.clone(),
                    from: window.from,
                    selection: k,
                });
            }
        }
    }

    /// Displacement that an entry at a JSON path gives its `chosen` vertices, which start at `x`
    /// (m); `None` if it gives none, or one that is wrong.
    ///
    /// Notes one that is not finite at some time, or does not begin at 0.
    fn displacement(
        &mut self,
        scene: &Scene,
        entry: &schema::Prescribed,
        path: &str,
        chosen: &[usize],
        x: &[Vec2],
    ) -> Option<Arc<Displacement>> {
        let given = entry.displacement.as_ref()?;
        let read = |number: &Option<schema::Varying>| match number {
            Some(number) => number.read().ok(),
            None => Some(Varying::Constant(0.0)),
        };
        let along = [read(&given.x)?, read(&given.y)?];
        let fastest = along.iter().map(steepest).fold(0.0, hypot);
        let displacement = Displacement { along, fastest };

        // The start, unless the vertices are taken from where they are.
        let path = format!("{path}.displacement");
        let size = x.iter().map(|at| (at - x[0]).norm()).fold(0.0, f64::max);
        for &i in chosen.iter().filter(|_| entry.from.is_none()) {
            let first = displacement.at(x[i], 0.0);
            if first.norm() > NOTHING * size {
                let message = format!(
                    "is {:?} m for vertex {i} at the start, but must begin at 0; subtract that",
                    [first.x, first.y]
                );
                self.problems.push(Problem::error(path, message).at(x[i]));
                return None;
            }
        }

        // All of the run.
        for &i in chosen {
            for t in times(&scene.time, LOOKS) {
                let at = displacement.at(x[i], t);
                if !(at.x.is_finite() && at.y.is_finite()) {
                    let message = format!(
                        "is {:?} m for vertex {i} at t = {t} s, but must be finite at all times",
                        [at.x, at.y]
                    );
                    self.problems.push(Problem::error(path, message).at(x[i]));
                    return None;
                }
            }
        }
        Some(Arc::new(displacement))
    }
}

/// Largest slope of a table; 0 for other numbers. That of a formula would depend on the length of
/// the run.
pub(super) fn steepest(number: &Varying) -> f64 {
    let Varying::Table(table) = number else {
        return 0.0;
    };
    let both = table.times.windows(2).zip(table.values.windows(2));
    let slopes = both.map(|(t, value)| ((value[1] - value[0]) / (t[1] - t[0])).abs());
    slopes.fold(0.0, f64::max)
}

/// Components of vertices that an entry of a scene prescribes: x, y or both.
fn axes_of(entry: &schema::Prescribed) -> [bool; 2] {
    if let Some(displacement) = &entry.displacement {
        return [displacement.x.is_some(), displacement.y.is_some()];
    }
    match entry.axis {
        Some(Axis::X) => [true, false],
        Some(Axis::Y) => [false, true],
        _ => [true; 2],
    }
}

/// Motion of the vertices that an entry of a scene prescribes: by keyframes of the shape, or at a
/// constant velocity until they have travelled far enough or are released.
fn motion_of(entry: &schema::Prescribed, meshed: &Meshed) -> ScriptedMotion {
    if !entry.keyframes.is_empty() {
        return meshed.placement.motion(&entry.script());
    }
    ScriptedMotion {
        velocity: entry.velocity.into(),
        travel: entry.travel.unwrap_or(f64::INFINITY),
        until: entry.until.unwrap_or(f64::INFINITY),
        ..ScriptedMotion::REST
    }
}
/// Notes that components of a vertex are prescribed in a window of time; true if one of them already is.
fn take(
    taken: &mut BTreeMap<(usize, usize), Vec<Window>>,
    vertex: usize,
    axes: [bool; 2],
    window: Window,
) -> bool {
    let mut is_taken = false;
    for axis in (0..2).filter(|&axis| axes[axis]) {
        let windows = taken.entry((vertex, axis)).or_default();
        is_taken |= windows.iter().any(|other| other.overlaps(window));
        windows.push(window);
    }
    is_taken
}
