//! Warnings of scripted motion that runs into something that cannot give way.

use crate::body::Body;
use crate::contact::{Intersection, Outlines};
use crate::math::Vec2;
use crate::math::number::short;
use crate::scene::assemble::Setup;
use crate::scene::problem::Problem;
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// Largest number of times at which the scripted motion is looked at.
const SAMPLES: usize = 1000;

/// Largest number of edges that are looked at, all times together: about a second of work. Larger
/// scenes are looked at less often.
const WORK: usize = 20_000_000;

/// Cosine of the angle (1) between the normals of half-planes that count as facing each other, 172
/// degrees or more.
const FACING: f64 = -0.99;

/// Number of directions in which the width of a body is measured, 2 degrees apart.
const DIRECTIONS: usize = 90;

/// Warnings of scripted objects that meet, and of bodies that half-planes crush.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let world = &setup.world;
    if world.prescribed.iter().all(|p| p.motion.is_rest()) {
        return Vec::new();
    }

    // Times, fewer of them in large scenes.
    let size = (world.model.surface.edges.len() + world.rest.len() + 1)
        * (1 + world.model.surface.planes.len());
    let samples = SAMPLES.min(WORK / size).min(setup.scene.time.steps);
    let end = world.h * setup.scene.time.steps as f64;

    let mut sweep = Sweep {
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
        sweep.look(time);
    }
    sweep.found
}

/// A search through the times of a run.
struct Sweep<'a> {
    setup: &'a Setup,
    /// Pairs that are reported already or meet at the start.
    met: BTreeSet<[usize; 2]>,
    /// Smallest width of every body that can be crushed (m); 0 for a body that can be pressed flat.
    widths: Vec<Option<f64>>,
    found: Vec<Problem>,
}

impl Sweep<'_> {
    /// Looks at the scene at `time` (s).
    fn look(&mut self, time: f64) {
        let world = &self.setup.world;
        let (x, is_driven) = self.positions(time);
        let mut edges: Vec<[usize; 2]> = world
            .model
            .surface
            .edges
            .iter()
            .filter(|edge| edge.iter().all(|&i| is_driven[i]))
            .copied()
            .collect();
        let joined: BTreeSet<usize> = edges.iter().flatten().copied().collect();
        let alone = world
            .model
            .surface
            .points
            .iter()
            .filter(|&&point| is_driven[point] && !joined.contains(&point));
        edges.extend(alone.map(|&point| [point; 2]));

        // The scripted part of the surface by itself.
        let whole = |body: &Body| body.vertices.clone().all(|i| is_driven[i]);
        let filled: Vec<bool> = world
            .bodies
            .iter()
            .zip(&world.model.surface.filled)
            .map(|(body, &filled)| filled && whole(body))
            .collect();
        let outlines = Outlines {
            edges: &edges,
            filled: &filled,
            ..world.model.surface.outlines()
        };
        for meeting in outlines.intersections(&x) {
            self.meet(&meeting, time, &x);
        }
        self.crush(time, &x);
    }

    /// Positions (m) at `time` (s), and for each vertex whether its motion is scripted.
    fn positions(&self, time: f64) -> (Vec<Vec2>, Vec<bool>) {
        let Setup { world, state, .. } = self.setup;
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
        let mut x = state.x.clone();
        world.model.coordinates.positions(&q, &mut x);
        let is_driven = |i: usize| {
            world
                .model
                .coordinates
                .nodes_of(i)
                .all(|node| held[node] == [true; 2])
        };
        let is_driven = (0..x.len()).map(is_driven).collect();
        (x, is_driven)
    }

    /// Reports two scripted objects that meet at `time` (s).
    fn meet(&mut self, meeting: &Intersection, time: f64, x: &[Vec2]) {
        let surface = &self.setup.world.model.surface;
        let (vertex, a, b) = match *meeting {
            Intersection::Edges(a, b) => (a[0], surface.body[a[0]], surface.body[b[0]]),
            Intersection::Inside { vertex, body } => (vertex, surface.body[vertex], body),
            Intersection::Plane { vertex, plane } => (
                vertex,
                surface.body[vertex],
                surface.body[surface.planes[plane].origin],
            ),
        };
        // What meets at the start is an error already.
        if a == b || !self.met.insert([a.min(b), a.max(b)]) || time == 0.0 {
            return;
        }

        let mover = if self.moves(a) { a } else { b };
        let other = if mover == a { b } else { a };
        let message = format!(
            "\"{}\" runs into \"{}\" at {} s near ({}, {}) m, and neither gives way; let it stop before, or put \
             the pair into contact.exclude",
            self.name(mover),
            self.name(other),
            short(time),
            short(x[vertex].x),
            short(x[vertex].y)
        );
        self.found
            .push(Problem::warning(self.path(mover), message).at(x[vertex]));
    }

    /// Reports half-planes that face each other and are nearer than a body between them is wide.
    fn crush(&mut self, time: f64, x: &[Vec2]) {
        let surface = &self.setup.world.model.surface;
        let planes = &surface.planes;
        let pairs = (0..planes.len()).flat_map(|i| (0..i).map(move |j| [&planes[i], &planes[j]]));
        for [one, other] in
            pairs.filter(|[one, other]| one.normal_at(x).dot(&other.normal_at(x)) < FACING)
        {
            let gap = one.normal_at(x).dot(&(x[other.origin] - x[one.origin]));
            let [a, b] = [one, other].map(|plane| surface.body[plane.origin]);
            let between =
                |body: usize| surface.filter.meet(body, a) && surface.filter.meet(body, b);
            let crushed = (0..self.widths.len())
                .find(|&body| self.widths[body].is_some_and(|w| gap <= w) && between(body));

            let Some(body) = crushed else { continue };
            if !self.met.insert([a.min(b), a.max(b)]) || time == 0.0 {
                continue;
            }
            let mover = if self.moves(a) { a } else { b };
            let other = if mover == a { b } else { a };
            let message = format!(
                "\"{}\" comes within {} m of \"{}\" at {} s, which leaves no room for \"{}\" between them; let it stop \
                 before",
                self.name(mover),
                short(gap.max(0.0)),
                self.name(other),
                short(time),
                self.name(body)
            );
            self.found
                .push(Problem::warning(self.path(mover), message).at(x[one.origin]));
        }
    }

    /// True if the motion of a body is scripted and not rest.
    fn moves(&self, body: usize) -> bool {
        let world = &self.setup.world;
        world
            .prescribed
            .iter()
            .any(|p| world.bodies[body].nodes.contains(&p.node) && !p.motion.is_rest())
    }

    fn name(&self, body: usize) -> &str {
        &self.setup.world.bodies[body].name
    }

    fn path(&self, body: usize) -> String {
        self.setup.paths[body].clone()
    }
}

/// Smallest widths of bodies (m): 0 for those that deform, none for obstacles.
fn widths(setup: &Setup) -> Vec<Option<f64>> {
    let width = |body: &Body| {
        if body.kind.is_obstacle() {
            None
        } else if body.kind.has_angle() {
            let breadths = (0..DIRECTIONS).map(|k| breadth(setup, body, k));
            Some(breadths.fold(f64::INFINITY, f64::min))
        } else {
            Some(0.0)
        }
    };
    setup.world.bodies.iter().map(width).collect()
}

/// Width of a body along direction `k` (m).
fn breadth(setup: &Setup, body: &Body, k: usize) -> f64 {
    let (sin, cos) = (PI * k as f64 / DIRECTIONS as f64).sin_cos();
    let along = |i: usize| Vec2::new(cos, sin).dot(&setup.state.x[i]);
    let radius = |i: usize| setup.world.model.surface.radius[i];
    let high = body
        .vertices
        .clone()
        .map(|i| along(i) + radius(i))
        .fold(f64::NEG_INFINITY, f64::max);
    high - body
        .vertices
        .clone()
        .map(|i| along(i) - radius(i))
        .fold(f64::INFINITY, f64::min)
}
