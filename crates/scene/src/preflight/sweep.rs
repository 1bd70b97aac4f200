//! Warnings of scripted motion that runs into something that cannot give way.
//!
//! Nothing moves a scripted object off its path. Two of them that meet, or two half-planes that
//! close on a body, stop the run midway: every next state has an intersection. The scripts are
//! known from the start, and so the whole run is looked at beforehand:
//!
//! 1. at up to [`SAMPLES`] times the scripted vertices are put where their scripts say;
//! 2. their edges and points are searched for intersections among themselves;
//! 3. half-planes that face each other are compared with the widths of bodies between them.
//!
//! Between two samples a short meeting may be missed, so the result is a list of warnings and no
//! proof. Each pair is reported once, and what meets at the start is an error of its own.

use crate::assemble::Setup;
use crate::problem::Problem;
use ipcsim_contact::{HalfPlane, Intersection, Outlines};
use ipcsim_core::body::{Body, Prescribed};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::sin_cos;
use ipcsim_math::number::short;
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// Largest number of times at which the scripted motion is looked at.
const SAMPLES: usize = 1000;

/// Largest number of edges that are looked at, all times together: about a second of work.
///
/// Larger scenes are looked at less often.
const WORK: usize = 20_000_000;

/// Cosine of the angle (1) between the normals of half-planes that count as facing each other, 172
/// degrees or more.
const FACING: f64 = -0.99;

/// Number of directions in which the width of a body is measured, 2 degrees apart.
const DIRECTIONS: usize = 90;

/// Warnings of scripted objects that meet, and of bodies that half-planes crush.
///
/// Empty if nothing in the scene follows a script.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let world = &setup.world;
    if world.prescribed.iter().all(Prescribed::is_rest) {
        return Vec::new();
    }

    // Times, fewer of them in large scenes.
    let size = (world.model.surface.edges.len() + world.rest.len() + 1)
        * (1 + world.model.surface.planes.len());
    let samples = SAMPLES.min(WORK / size).min(setup.scene.time.steps);
    let end = world.h * setup.scene.time.steps as f64;

    let mut search = Search {
        setup,
        met: BTreeSet::new(),
        widths: widths(setup),
        found: Vec::new(),
    };
    for k in 0..=samples {
        let time = if samples == 0 {
            0.0
        } else {
            end * k as f64 / samples as f64
        };
        search.look(time);
    }
    search.found
}

/// A search through the times of a run.
struct Search<'a> {
    /// Scene and world that are searched.
    setup: &'a Setup,
    /// Pairs of bodies that are reported already or meet at the start, the smaller number first.
    met: BTreeSet<[usize; 2]>,
    /// Smallest width of every body that can be crushed, `[bodies]` (m).
    ///
    /// It is 0 for a body that can be pressed flat, and `None` for an obstacle.
    widths: Vec<Option<f64>>,
    /// Warnings so far, in the order of time.
    found: Vec<Problem>,
}

/// Scripted vertices at one time.
struct Scripted {
    /// Positions of all vertices, `[vertices]` (m). Those that are not scripted stay at the start.
    x: Vec<Vec2>,
    /// True for the vertices whose motion is scripted as a whole, `[vertices]`.
    is_driven: Vec<bool>,
}

impl Search<'_> {
    /// Looks at the scene at `time` (s).
    fn look(&mut self, time: f64) {
        let world = &self.setup.world;
        let surface = &world.model.surface;
        let Scripted { x, is_driven } = self.scripted(time);

        // Edges between scripted vertices, and scripted points without an edge.
        let both = |edge: &&[usize; 2]| edge.iter().all(|&i| is_driven[i]);
        let mut edges: Vec<[usize; 2]> = surface.edges.iter().filter(both).copied().collect();
        let joined: BTreeSet<usize> = edges.iter().flatten().copied().collect();
        let points = surface.points.iter();
        let alone = points.filter(|point| is_driven[**point] && !joined.contains(point));
        edges.extend(alone.map(|&point| [point; 2]));

        // A body has an inside if all of it is scripted.
        let mut filled = Vec::with_capacity(world.bodies.len());
        for (body, &is_filled) in world.bodies.iter().zip(&surface.filled) {
            filled.push(is_filled && body.vertices.clone().all(|i| is_driven[i]));
        }
        let outlines = Outlines {
            edges: &edges,
            filled: &filled,
            ..surface.outlines()
        };
        for meeting in outlines.intersections(&x) {
            self.meet(&meeting, time, &x);
        }
        self.crush(time, &x);
    }

    /// Positions of all vertices at `time` (s), if only scripts move anything.
    fn scripted(&self, time: f64) -> Scripted {
        let Setup { world, state, .. } = self.setup;
        let coordinates = &world.model.coordinates;
        let mut q = state.q.clone();
        let mut held = vec![[false; 2]; q.len()];
        for p in &world.prescribed {
            let Some(target) = p.target(time) else {
                continue;
            };
            for axis in (0..2).filter(|&axis| p.axes[axis]) {
                q[p.node][axis] = target[axis];
                held[p.node][axis] = true;
            }
        }

        // A vertex is scripted if both components of all its nodes are.
        let mut x = state.x.clone();
        coordinates.positions(&q, &mut x);
        let mut is_driven = Vec::with_capacity(x.len());
        for i in 0..x.len() {
            is_driven.push(coordinates.nodes_of(i).all(|node| held[node] == [true; 2]));
        }
        Scripted { x, is_driven }
    }

    /// Reports two scripted objects that meet at `time` (s), at the positions `x` (m).
    fn meet(&mut self, meeting: &Intersection, time: f64, x: &[Vec2]) {
        let surface = &self.setup.world.model.surface;
        let (vertex, other) = match *meeting {
            Intersection::Edges(a, b) => (a[0], surface.body[b[0]]),
            Intersection::Inside { vertex, body } => (vertex, body),
            Intersection::Plane { vertex, plane } => {
                (vertex, surface.body[surface.planes[plane].origin])
            }
        };
        let own = surface.body[vertex];
        if own == other || !self.is_new([own, other], time) {
            return;
        }

        let [mover, other] = self.mover_first([own, other]);
        let message = format!(
            "\"{}\" runs into \"{}\" at {} s near ({}, {}) m, and neither gives way; let it \
             stop before, or put the pair into contact.exclude",
            self.name(mover),
            self.name(other),
            short(time),
            short(x[vertex].x),
            short(x[vertex].y)
        );
        let warning = Problem::warning(self.path(mover), message);
        self.found.push(warning.at(x[vertex]));
    }

    /// Reports half-planes that face each other and are nearer than a body between them is wide, at
    /// `time` (s) and the positions `x` (m).
    fn crush(&mut self, time: f64, x: &[Vec2]) {
        let setup = self.setup;
        let planes = &setup.world.model.surface.planes;
        for (i, one) in planes.iter().enumerate() {
            for other in &planes[..i] {
                if one.normal_at(x).dot(&other.normal_at(x)) < FACING {
                    self.crush_between([one, other], time, x);
                }
            }
        }
    }

    /// Reports two half-planes that face each other if a body between them has no room.
    fn crush_between(&mut self, [one, other]: [&HalfPlane; 2], time: f64, x: &[Vec2]) {
        let surface = &self.setup.world.model.surface;
        let gap = one.normal_at(x).dot(&(x[other.origin] - x[one.origin]));
        let [a, b] = [one, other].map(|plane| surface.body[plane.origin]);

        // The first body that is too wide and collides with both.
        let crushed = (0..self.widths.len()).find(|&body| {
            self.widths[body].is_some_and(|width| gap <= width)
                && surface.filter.meet(body, a)
                && surface.filter.meet(body, b)
        });
        let Some(body) = crushed else { return };
        if !self.is_new([a, b], time) {
            return;
        }

        let [mover, other] = self.mover_first([a, b]);
        let message = format!(
            "\"{}\" comes within {} m of \"{}\" at {} s, which leaves no room for \"{}\" between \
             them; let it stop before",
            self.name(mover),
            short(gap.max(0.0)),
            self.name(other),
            short(time),
            self.name(body)
        );
        let warning = Problem::warning(self.path(mover), message);
        self.found.push(warning.at(x[one.origin]));
    }

    /// True if a pair of bodies meets for the first time, and not at the start, where it is an
    /// error already. The pair is remembered.
    fn is_new(&mut self, [a, b]: [usize; 2], time: f64) -> bool {
        self.met.insert([a.min(b), a.max(b)]) && time != 0.0
    }

    /// A pair of bodies, the one that moves first. If both move, the pair stays as it is.
    fn mover_first(&self, [a, b]: [usize; 2]) -> [usize; 2] {
        if self.moves(a) { [a, b] } else { [b, a] }
    }

    /// True if the motion of a body is scripted and not rest.
    fn moves(&self, body: usize) -> bool {
        let world = &self.setup.world;
        let nodes = &world.bodies[body].nodes;
        let mut scripts = world.prescribed.iter().filter(|p| nodes.contains(&p.node));
        scripts.any(|p| !p.is_rest())
    }

    /// Name of a body or obstacle in the scene.
    fn name(&self, body: usize) -> &str {
        &self.setup.world.bodies[body].name
    }

    /// JSON path of a body or obstacle in the scene as written.
    fn path(&self, body: usize) -> String {
        self.setup.paths[body].clone()
    }
}

/// Smallest widths of bodies, `[bodies]` (m): 0 for those that deform, `None` for obstacles.
fn widths(setup: &Setup) -> Vec<Option<f64>> {
    let mut widths = Vec::with_capacity(setup.world.bodies.len());
    for body in &setup.world.bodies {
        widths.push(if body.kind.is_obstacle() {
            None
        } else if body.kind.has_angle() {
            let breadths = (0..DIRECTIONS).map(|k| breadth(setup, body, k));
            Some(breadths.fold(f64::INFINITY, f64::min))
        } else {
            Some(0.0)
        });
    }
    widths
}

/// Width of a body at the start along direction `k` of [`DIRECTIONS`], circles included (m).
fn breadth(setup: &Setup, body: &Body, k: usize) -> f64 {
    let (sin, cos) = sin_cos(PI * k as f64 / DIRECTIONS as f64);
    let direction = Vec2::new(cos, sin);
    let mut low = f64::INFINITY;
    let mut high = f64::NEG_INFINITY;

    for i in body.vertices.clone() {
        let along = direction.dot(&setup.state.x[i]);
        let radius = setup.world.model.surface.radius[i];
        low = f64::min(low, along - radius);
        high = f64::max(high, along + radius);
    }
    high - low
}
