//! Loads of a scene: which points, edges and vertices of the world they act on.
//!
//! The checks have seen to the values of a load. Here its body, its selection and its points are
//! looked up, and what only shows in the built mesh is noted as a problem. `chosen.rs` looks up
//! what it selects, and `grip.rs` knows how forces reach the nodes of each kind of body.

use super::builder::Builder;
use super::turn::{breadth, is_revolved};
use crate::moments::{first_wrong, not_finite};
use crate::problem::Problem;
use crate::schema::{self, Scene, Selection};
use ipcsim_core::body::{
    Action, Applied, Configuration, Frame, Grip, Pressing, Sample, Shown, Spread, Strength, Turning,
};
use ipcsim_math::varying::Varying;
use ipcsim_math::{Vec2, perp};

/// Places on an edge at which tractions are taken, as shares of its length: the two points of
/// Gauss.
const GAUSS: [f64; 2] = [0.211_324_865_405_187_13, 0.788_675_134_594_812_9];

/// A load that is being added.
pub(super) struct NewLoad<'a> {
    /// Number of its entry.
    entry: usize,
    /// The load as the scene describes it.
    pub(super) spec: &'a schema::Load,
    /// Number of its body.
    pub(super) body: usize,
    /// The scene.
    pub(super) scene: &'a Scene,
    /// Coordinates and positions at the start.
    pub(super) at: &'a Configuration,
}

impl NewLoad<'_> {
    /// JSON path of a key of the load.
    pub(super) fn path(&self, key: &str) -> String {
        format!("loads[{}].{key}", self.entry)
    }

    /// Name of its body.
    pub(super) fn name(&self) -> &str {
        &self.spec.body
    }
}

impl Builder {
    /// Adds the loads of a scene. Those with a wrong value are left out: the checks report them.
    pub(super) fn add_loads(&mut self, scene: &Scene) {
        if scene.loads.is_empty() {
            return;
        }

        let mut q: Vec<Vec2> = self.nodes.iter().map(|node| node.q).collect();
        // Loads act on places as drawn.
        let resized = self.bodies.iter();
        for body in resized.filter(|body| self.sizes.contains_key(&body.name)) {
            let drawn = self.vertices[body.vertices.clone()].iter();
            let drawn = drawn.map(|vertex| vertex.rest);
            q.splice(body.nodes.clone(), drawn);
        }
        let at = Configuration::of(&self.coordinates, q);
        for (entry, spec) in scene.loads.iter().enumerate() {
            // The checks report the name of a body that does not exist.
            let Some(body) = self.body_named(&spec.body) else {
                continue;
            };
            let load = NewLoad {
                entry,
                spec,
                body,
                scene,
                at: &at,
            };
            if let Some(action) = self.action(&load) {
                let applied = Applied {
                    name: spec.label(entry),
                    entry,
                    body,
                    action,
                };
                self.look_at(&load, &applied);
                self.applied.push(applied);
            }
        }
    }

    /// What a load does; `None` if it has none of the kinds, or a value that is wrong.
    fn action(&mut self, load: &NewLoad) -> Option<Action> {
        let spec = load.spec;
        if let Some(force) = &spec.force {
            let strength = vector(force)?;
            return self.force(load, strength);
        }
        if let Some(traction) = &spec.traction {
            let strength = vector(traction)?;
            return self.on_edges(load, strength);
        }
        if let Some(pressure) = &spec.pressure {
            let pressure = pressure.read().ok()?;
            // A dead pressure keeps the directions of the start.
            if spec.dead {
                return self.on_edges(load, Strength::Normal(pressure));
            }
            return self.pressing(load, pressure);
        }
        if let Some(torque) = &spec.torque {
            let torque = torque.read().ok()?;
            return self.turning(load, torque);
        }

        let strength = vector(spec.body_force.as_ref()?)?;
        let samples = self.in_volume(load)?;
        Some(self.spread(load, strength, samples, Shown::Arrow))
    }

    /// Forces on points of a body, whose directions stay.
    fn spread(
        &self,
        load: &NewLoad,
        strength: Strength,
        samples: Vec<Sample>,
        shown: Shown,
    ) -> Action {
        Action::Spread(Spread {
            strength,
            samples,
            frame: self.frame(load),
            shown,
        })
    }

    /// The frame of a body with an angle, which two vertices tell; `None` for other bodies, and for
    /// points.
    fn frame(&self, load: &NewLoad) -> Option<Frame> {
        let body = &self.bodies[load.body];
        if !body.kind.has_angle() || body.vertices.len() < 2 {
            return None;
        }
        let x = &load.at.x;
        let [a, b] = self.ends(load.body, x);
        Some(Frame {
            center: body.nodes.start,
            ends: [a, b],
            start: x[b] - x[a],
        })
    }

    /// A force at a point, on selected vertices, or on the whole body.
    fn force(&mut self, load: &NewLoad, strength: Strength) -> Option<Action> {
        let samples = match (load.spec.at, &load.spec.on) {
            (Some(point), _) => {
                let place = Vec2::from(point);
                let held = match self.held_at(load, place) {
                    Ok(held) => held,
                    Err(message) => {
                        let problem = Problem::error(load.path("at"), message).at(place);
                        self.problems.push(problem);
                        return None;
                    }
                };
                vec![held.sample(place, 1.0)]
            }
            (None, Some(selection)) => {
                let chosen = self.chosen(load, selection);
                let share = 1.0 / chosen.len().max(1) as f64;
                let vertices = chosen.iter();
                vertices
                    .map(|&i| self.held_vertex(load, i).sample(load.at.x[i], share))
                    .collect()
            }
            (None, None) => {
                let (place, held) = self.held_as_a_whole(load);
                vec![held.sample(place, 1.0)]
            }
        };
        Some(self.spread(load, strength, samples, Shown::Arrow))
    }

    /// Forces per area of the start on selected edges, at two points of each, shared by its ends, or by
    /// the three nodes of a quadratic side.
    fn on_edges(&mut self, load: &NewLoad, strength: Strength) -> Option<Action> {
        let edges = self.chosen_edges(load)?;
        let x = &load.at.x;
        let rest = |i: usize| self.vertices[i].rest;
        let mut samples = Vec::with_capacity(2 * edges.len());
        let halves = self.half_sides(load.body);

        for [a, b] in edges {
            if let Some(half) = halves.get(&[a, b]) {
                for share in GAUSS {
                    let point = half.at(share, |i| x[i]);
                    let length = half.at(share, rest).along.norm();
                    // Slopes are per whole side, so that each of the two points has a quarter.
                    let turn = breadth(load.scene, half.at(share, rest).place);
                    let measure = 0.25 * length * turn;
                    let held = self.held_between(load, &point.shares, point.place);
                    samples.push(Sample {
                        normal: half.normal(share, x),
                        ..held.sample(point.place, measure)
                    });
                }
                continue;
            }

            let along = rest(b) - rest(a);
            let normal = perp(x[b] - x[a]).normalize();
            for share in GAUSS {
                let shares = [(a, 1.0 - share), (b, share)];
                let place = x[a] * (1.0 - share) + x[b] * share;
                let turn = breadth(load.scene, rest(a) * (1.0 - share) + rest(b) * share);
                let measure = 0.5 * along.norm() * turn;
                let held = self.held_between(load, &shares, place);
                samples.push(Sample {
                    normal,
                    ..held.sample(place, measure)
                });
            }
        }
        Some(self.spread(load, strength, samples, Shown::Comb))
    }

    /// A pressure that follows edges of a body with an inside.
    fn pressing(&mut self, load: &NewLoad, pressure: Varying) -> Option<Action> {
        let edges = self.chosen_edges(load)?;
        if !self.filled[load.body] {
            let message = format!(
                "\"{}\" has no inside for a pressure to push at; use a traction, or \"chambers\" for gas within \
                 a closed rod",
                load.name()
            );
            let problem = Problem::error(load.path("pressure"), message);
            self.problems.push(problem);
            return None;
        }

        Some(Action::Pressing(Pressing {
            pressure,
            thickness: load.scene.thickness,
            edges: self.pressed_edges(load.body, &edges, &load.at.x),
            rings: if is_revolved(load.scene) {
                self.pressed_rings(load.body, &edges, &load.at.x)
            } else {
                Vec::new()
            },
        }))
    }

    /// A torque on an angle, or on vertices weighted by mass.
    fn turning(&mut self, load: &NewLoad, torque: Varying) -> Option<Action> {
        let body = &self.bodies[load.body];
        if body.kind.has_angle() {
            let grip = Grip::Angle(body.nodes.start + 1);
            return Some(Action::Turning(Turning { torque, grip }));
        }

        // Arms from the weighted middle.
        let by_mass = body.kind.has_free_vertices();
        let [first_vertex, first_node] = [body.vertices.start, body.nodes.start];
        let all = Selection::All;
        let chosen = self.chosen(load, load.spec.on.as_ref().unwrap_or(&all));
        let weight = |i: usize| {
            if by_mass {
                self.nodes[first_node + i - first_vertex].mass.x
            } else {
                1.0
            }
        };
        let x = &load.at.x;
        let whole: f64 = chosen.iter().map(|&i| weight(i)).sum();
        let middle = chosen.iter().map(|&i| x[i] * weight(i)).sum::<Vec2>() / whole;
        let arms: Vec<(usize, Vec2)> = chosen
            .iter()
            .map(|&i| (i, (x[i] - middle) * weight(i)))
            .collect();

        if arms.iter().all(|(_, arm)| arm.norm() == 0.0) {
            // An empty selection is reported already.
            if !chosen.is_empty() {
                let message = "a torque needs two vertices that are apart; select more";
                self.problems.push(Problem::error(load.path("on"), message));
            }
            return None;
        }
        let grip = Grip::Vertices(arms);
        Some(Action::Turning(Turning { torque, grip }))
    }

    /// Looks at a load at many times of the run, and notes one that is not finite. Notes also its
    /// largest force and torque, from which numbers of its body are derived.
    fn look_at(&mut self, load: &NewLoad, applied: &Applied) {
        let places = applied.places();
        // The checks have looked at those that depend on time alone.
        for number in applied.varying().iter().filter(|number| number.has_place()) {
            let found = first_wrong(&load.scene.time, number, &places, f64::is_finite);
            if let Some(found) = found {
                let key = load.spec.kinds().next().unwrap_or("force");
                let problem = Problem::error(load.path(key), not_finite(&found));
                self.problems.push(problem.at(found.place));
                return;
            }
        }

        let mut peak = [0.0_f64; 2];
        for t in telling_times(applied.varying()) {
            let [force, torque] = strength(applied, t);
            peak = [peak[0].max(force), peak[1].max(torque)];
        }

        // Loads of a body may have their peaks at different times, so that the sum is a bound.
        let whole = self.load_peaks.entry(load.body).or_default();
        *whole = [whole[0] + peak[0], whole[1] + peak[1]];
    }
}

/// Times (s) that tell the largest value of a load: those of its tables. None for formulas of time,
/// whose largest value would depend on the length of the run; barriers become stiffer where they
/// push.
pub(super) fn telling_times(numbers: &[Varying]) -> Vec<f64> {
    let mut times = vec![0.0];
    for number in numbers {
        match number {
            Varying::Formula(formula) if formula.has_time() => return Vec::new(),
            Varying::Table(table) => times.extend(&table.times),
            Varying::Formula(_) | Varying::Constant(_) => {}
        }
    }
    times
}

/// Force along x and y as functions; `None` if one is no formula.
fn vector(parts: &[schema::Varying; 2]) -> Option<Strength> {
    let [x, y] = parts;
    Some(Strength::Vector([x.read().ok()?, y.read().ok()?]))
}

/// Size of the resultant force (N) and of the torque (N m) of a load at the time `t` (s). Pressure
/// on an outline has no resultant that counts.
fn strength(applied: &Applied, t: f64) -> [f64; 2] {
    match &applied.action {
        Action::Spread(spread) => {
            let force: Vec2 = spread.forces(t).map(|(_, force)| force).sum();
            [force.norm(), 0.0]
        }
        Action::Pressing(_) => [0.0; 2],
        Action::Turning(turning) => [0.0, turning.torque.at(Vec2::zeros(), t).abs()],
    }
}
