//! Groups of bodies that may come near each other in a step, and which of them sleep.

use crate::body::BodyKind;
use crate::time::options::control::Sleep;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::groups::Groups;

/// Which bodies sleep in a step.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// True for each body that sleeps, `[bodies]`.
    pub(super) asleep: Vec<bool>,
    /// True if nobody is awake: no body, and no obstacle that moves.
    is_night: bool,
}

impl Plan {
    /// The plan of a step that begins with `state`, in which what acts on some bodies is `changing`,
    /// `[bodies]`.
    ///
    /// A group sleeps if all of its bodies have been quiet for long enough, and nothing that acts on
    /// them changes. Obstacles at rest are in no group; others are, and are awake.
    pub(super) fn of(
        world: &World,
        sleep: &Sleep,
        state: &State,
        span: Span,
        changing: &[bool],
    ) -> Self {
        let rest = &state.memory.rest;
        let bodies = 0..world.bodies.len();
        let obstacles: Vec<bool> = world
            .bodies
            .iter()
            .map(|body| body.kind.is_obstacle())
            .collect();
        let tired: Vec<bool> = bodies
            .clone()
            .map(|body| {
                let quiet = rest.get(body).map_or(0, |rest| rest.quiet);
                quiet >= sleep.steps && !obstacles[body] && !changing[body]
            })
            .collect();
        let awake: Vec<usize> = bodies
            .filter(|&body| !tired[body] && (!obstacles[body] || changing[body]))
            .collect();
        let mut plan = Self {
            is_night: awake.is_empty(),
            asleep: tired,
        };
        if !plan.has_sleepers() || awake.is_empty() {
            return plan;
        }

        let mut groups = groups(world, sleep, |body| {
            reach(world, state, span, changing, &plan.asleep, body)
        });
        plan.wake_groups(&mut groups, &awake);
        plan
    }

    /// True if nobody is awake.
    pub(super) fn is_night(&self) -> bool {
        self.is_night
    }

    /// True if somebody sleeps.
    pub(super) fn has_sleepers(&self) -> bool {
        self.asleep.contains(&true)
    }

    /// Wakes all. Returns who slept.
    pub(super) fn wake_all(&mut self) -> Vec<usize> {
        let all: Vec<usize> = (0..self.asleep.len()).collect();
        self.wake_bodies(&all)
    }

    /// Wakes these bodies and the sleepers in their groups, which follow from where sleepers are.
    /// Returns who slept.
    pub(super) fn wake(
        &mut self,
        world: &World,
        sleep: &Sleep,
        state: &State,
        bodies: &[usize],
    ) -> Vec<usize> {
        let mut groups = groups(world, sleep, |body| {
            let places = state.x[world.bodies[body].vertices.clone()].iter();
            self.asleep[body].then(|| Aabb::around(places.copied()))
        });
        self.wake_groups(&mut groups, bodies)
    }

    /// Wakes all sleepers in the groups of these bodies. Returns who slept.
    fn wake_groups(&mut self, groups: &mut Groups, bodies: &[usize]) -> Vec<usize> {
        let mut is_awake = vec![false; self.asleep.len()];
        for &body in bodies {
            is_awake[groups.root(body)] = true;
        }
        let all = 0..self.asleep.len();
        let woken: Vec<usize> = all.filter(|&body| is_awake[groups.root(body)]).collect();
        self.wake_bodies(&woken)
    }

    /// Wakes these bodies. Returns those of them that slept.
    fn wake_bodies(&mut self, bodies: &[usize]) -> Vec<usize> {
        let mut woken = bodies.to_vec();
        self.is_night = false;
        woken.retain(|&body| std::mem::replace(&mut self.asleep[body], false));
        woken
    }
}

/// Groups of the bodies whose boxes come nearer to each other than contact reaches, or which links
/// connect. Bodies without a box are alone.
///
/// A box holds all places of a body, so groups are never too small. A long or bent body may join
/// others that it would not touch.
fn groups(world: &World, sleep: &Sleep, boxed: impl Fn(usize) -> Option<Aabb>) -> Groups {
    let surface = &world.model.surface;
    let mut members = Vec::new();
    let mut boxes = Vec::new();
    for (number, body) in world.bodies.iter().enumerate() {
        if let Some(around) = boxed(number) {
            // Half of what contact reaches belongs to each side.
            let radius = surface.radius[body.vertices.clone()].iter().copied();
            let reach = 0.5 * (surface.reach.most_of(number) + surface.min_separation);
            members.push(number);
            boxes.push(around.grown(radius.fold(reach, |most, radius| most.max(reach + radius))));
        }
    }

    let mut groups = Groups::new(world.bodies.len());
    for (a, b) in surface.broad_phase.self_pairs(&boxes) {
        let [a, b] = [a, b].map(|k| members[k as usize]);
        if surface.filter.meet(a, b) {
            groups.join(a, b);
        }
    }
    for &[a, b] in &sleep.links {
        if [a, b]
            .iter()
            .all(|body| members.binary_search(body).is_ok())
        {
            groups.join(a, b);
        }
    }
    groups
}

/// Box of all places of a body in a step; `None` for an obstacle at rest. A tired body stays where it
/// is; others go as far as their velocity and gravity take them, and to where they are prescribed.
fn reach(
    world: &World,
    state: &State,
    span: Span,
    changing: &[bool],
    tired: &[bool],
    number: usize,
) -> Option<Aabb> {
    let body = &world.bodies[number];
    let places = &state.x[body.vertices.clone()];
    let around = Aabb::around(places.iter().copied());
    if tired[number] {
        return Some(around);
    }
    if body.kind.is_obstacle() && !changing[number] {
        return None;
    }
    if matches!(body.kind, BodyKind::HalfPlane) {
        return Some(around.grown(f64::INFINITY));
    }

    let speed = state.v[body.vertices.clone()].iter().map(Vec2::norm);
    let gravity = state.parameters.gravity(world.loading.gravity).norm();
    let way = span.h * (speed.fold(0.0, f64::max) + span.h * gravity);
    let around = around.grown(way);
    if !changing[number] {
        return Some(around);
    }
    let there = prescribed(world, state, span);
    let there = there[body.vertices.clone()].iter().copied();
    Some(around.union(&Aabb::around(there)))
}

/// Positions of all vertices (m) where prescribed coordinates are at the end of a span, and the others
/// where they are.
fn prescribed(world: &World, state: &State, span: Span) -> Vec<Vec2> {
    let mut q = state.q.clone();
    for target in world.targets(&state.parameters, span.end, state.time, &state.q) {
        for axis in (0..2).filter(|&axis| target.axes[axis]) {
            q[target.node][axis] = target.position[axis];
        }
    }
    let mut x = state.x.clone();
    world.model.coordinates.positions(&q, &mut x);
    x
}
