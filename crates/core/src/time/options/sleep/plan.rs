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
    /// True if all bodies sleep and no obstacle moves.
    is_night: bool,
}

impl Plan {
    /// The plan of a step that begins with `state`, in which the loads on some bodies are
    /// `changing`, `[bodies]`.
    ///
    /// A group sleeps if all of its bodies have been quiet for long enough, and nothing that acts
    /// on them changes. Obstacles at rest are in no group; others are, and are awake.
    pub(super) fn of(
        world: &World,
        sleep: &Sleep,
        state: &State,
        span: Span,
        changing: &[bool],
    ) -> Self {
        let rest = &state.memory.options.sleep.rest;
        let bodies = 0..world.bodies.len();
        let obstacles: Vec<bool> = world
            .bodies
            .iter()
            .map(|body| body.kind.is_obstacle())
            .collect();

        // Bodies may sleep after enough quiet steps, unless their loads change.
        let tired: Vec<bool> = bodies
            .clone()
            .map(|body| {
                let quiet = rest.get(body).map_or(0, |rest| rest.quiet);
                quiet >= sleep.steps && !obstacles[body] && !changing[body]
            })
            .collect();

        // Obstacles at rest wake no body.
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

    /// True if all bodies sleep and no obstacle moves.
    pub(super) fn is_night(&self) -> bool {
        self.is_night
    }

    /// True if a body sleeps.
    pub(super) fn has_sleepers(&self) -> bool {
        self.asleep.contains(&true)
    }

    /// Wakes all bodies; returns the ones that slept.
    pub(super) fn wake_all(&mut self) -> Vec<usize> {
        let all: Vec<usize> = (0..self.asleep.len()).collect();
        self.wake_bodies(&all)
    }

    /// Wakes these bodies and the sleepers in their groups, which follow from where sleepers are.
    /// Returns the bodies that slept.
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

    /// Wakes all sleepers in the groups of these bodies; returns them.
    fn wake_groups(&mut self, groups: &mut Groups, bodies: &[usize]) -> Vec<usize> {
        let mut is_awake = vec![false; self.asleep.len()];
        for &body in bodies {
            is_awake[groups.root(body)] = true;
        }
        let all = 0..self.asleep.len();
        let woken: Vec<usize> = all.filter(|&body| is_awake[groups.root(body)]).collect();
        self.wake_bodies(&woken)
    }

    /// Wakes these bodies; returns the ones that slept.
    fn wake_bodies(&mut self, bodies: &[usize]) -> Vec<usize> {
        let mut woken = bodies.to_vec();
        self.is_night = false;
        woken.retain(|&body| std::mem::replace(&mut self.asleep[body], false));
        woken
    }
}

/// Groups of the bodies whose boxes come nearer to each other than contact reaches, or which links
/// connect. A body without a box is a group by itself.
///
/// A box holds all places of a body, so groups are never too small. A long or bent body may join
/// others that it would not touch.
fn groups(world: &World, sleep: &Sleep, boxed: impl Fn(usize) -> Option<Aabb>) -> Groups {
    let surface = &world.model.surface;
    let mut members = Vec::new();
    let mut boxes = Vec::new();
    for (number, body) in world.bodies.iter().enumerate() {
        if let Some(around) = boxed(number) {
            // Half of the reach of contact belongs to each side.
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

/// Box of all places of a body in a step; `None` for an obstacle at rest. A tired body stays where
/// it is; others go as far as their velocity and gravity take them, and to where they are
/// prescribed.
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

/// Positions of all vertices (m) where prescribed coordinates are at the end of a span, and the
/// others where they are.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::memory::Rest;
    use crate::time::testing::{D_HAT, GRAVITY, H, RADIUS, circles};

    /// Number of quiet steps after which a body may sleep.
    const STEPS: u32 = 3;

    /// Plan of a step of circles, whose bodies have been quiet for these numbers of steps.
    fn plan(case: &(World, State), quiet: &[u32], links: &[[usize; 2]]) -> Plan {
        let (world, state) = case;
        let mut state = state.clone();
        let rest = |&quiet: &u32| Rest {
            quiet,
            asleep: false,
        };
        state.memory.options.sleep.rest = quiet.iter().map(rest).collect();
        let sleep = Sleep {
            speeds: vec![1e-3; world.bodies.len()],
            steps: STEPS,
            links: links.to_vec(),
        };
        let changing = vec![false; world.bodies.len()];
        Plan::of(world, &sleep, &state, Span { end: H, h: H }, &changing)
    }

    /// Two pairs of neighbours, far from each other.
    fn pairs() -> (World, State) {
        let side = 2.0 * RADIUS + 0.5 * D_HAT;
        let places = [[0.0, 1.0], [side, 1.0], [50.0, 1.0], [50.0 + side, 1.0]];
        circles(&places, true, 0.0)
    }

    #[test]
    fn a_group_sleeps_only_if_all_of_its_bodies_are_tired() {
        let case = pairs();
        let asleep = |quiet: [u32; 4]| plan(&case, &quiet, &[]).asleep;
        assert_eq!(asleep([3, 3, 3, 2]), [true, true, false, false, false]);
        assert_eq!(asleep([0, 3, 3, 3]), [false, false, true, true, false]);
        assert_eq!(asleep([2, 3, 3, 2]), [false; 5]);
    }

    #[test]
    fn nobody_is_awake_where_all_bodies_are_tired() {
        let case = pairs();
        let night = plan(&case, &[3; 4], &[]);
        assert_eq!(night.asleep, [true, true, true, true, false]);
        assert!(night.is_night() && night.has_sleepers());
        let day = plan(&case, &[3, 3, 3, 2], &[]);
        assert!(!day.is_night() && day.has_sleepers());
        assert!(!plan(&case, &[], &[]).has_sleepers());
    }

    #[test]
    fn what_a_joint_connects_sleeps_together_or_not_at_all() {
        let case = pairs();
        let asleep = |links: &[[usize; 2]]| plan(&case, &[3, 3, 3, 2], links).asleep;
        assert_eq!(asleep(&[[1, 2]]), [false; 5]);
        assert_eq!(asleep(&[[0, 1]]), [true, true, false, false, false]);

        // A ground at rest connects nothing.
        assert_eq!(asleep(&[[0, 4], [4, 2]]), [true, true, false, false, false]);
    }

    #[test]
    fn a_body_that_may_come_near_wakes_what_is_within_its_velocity_and_its_fall() {
        // A body moves by h (v + h g) at most, and the circles are apart by 50 mm more than contact
        // reaches.
        let apart = 2.0 * RADIUS + D_HAT + 0.05;
        let reaches = 0.05 / H - H * GRAVITY;
        for (speed, wakes) in [
            (0.0, false),
            (0.99 * reaches, false),
            (1.01 * reaches, true),
        ] {
            let (world, mut state) = circles(&[[0.0, 0.0], [0.0, apart]], false, 0.0);
            // The direction does not count.
            state.v[..2].fill(Vec2::new(0.6 * speed, -0.8 * speed));
            let plan = plan(&(world, state), &[0, 3], &[]);
            assert_eq!(plan.asleep, [false, !wakes], "{speed}");
        }
    }

    #[test]
    fn who_is_woken_wakes_the_group_and_is_listed_once() {
        let (world, state) = pairs();
        let sleep = Sleep {
            speeds: vec![1e-3; 5],
            steps: STEPS,
            links: vec![],
        };
        let mut plan = plan(&(world, state), &[3; 4], &[]);
        let (world, state) = pairs();
        assert_eq!(plan.wake(&world, &sleep, &state, &[3]), [2, 3]);
        assert_eq!(plan.asleep, [true, true, false, false, false]);
        assert!(!plan.is_night());
        assert!(plan.wake(&world, &sleep, &state, &[3]).is_empty());
        assert_eq!(plan.wake_all(), [0, 1]);
        assert!(!plan.has_sleepers());
    }
}
