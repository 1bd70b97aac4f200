//! Work of obstacles that move, by the impulses that changed velocities.
//!
//! The forces of a stage times its duration are these impulses only by implicit Euler and the
//! trapezoidal rule, and where no velocity jumps: a formula that looks back brings along impulses of
//! the steps before, and a law of restitution has own impulses. What the velocities of bodies
//! changed beyond loads and the forces of contacts in the stage is divided among the contacts by the
//! least impulses along their normals and tangents; each does the work of its impulse times the
//! velocity of the obstacle.

use super::free_motion::FreeMotion;
use super::given::Given;
use super::impact::Impact;
use super::impulses::impulses;
use super::rigid_motion::{Motion, Push, RigidMotion};
use super::row::Row;

/// Obstacles that move, and contacts with them.
pub(super) struct Scripts<'a> {
    /// Motions of bodies.
    flight: &'a FreeMotion,
    /// Number of the island of each body, `[bodies]`.
    roots: &'a [usize],
    /// An obstacle that each island touches, `[islands]`; `None` where it touches none, or several with
    /// different motions.
    frames: Vec<Option<usize>>,
    /// Normals and tangents of contacts in islands that touch an obstacle that moves.
    rows: Vec<&'a Row>,
    /// True for islands that touch one, `[islands]`.
    pub(super) touch: Vec<bool>,
    /// Length of the stage (s).
    h: f64,
}

impl<'a> Scripts<'a> {
    /// Contacts with obstacles that move, in a stage of length `h` (s) with these islands.
    pub(super) fn of(
        flight: &'a FreeMotion,
        roots: &'a [usize],
        frames: Vec<Option<usize>>,
        places: impl Iterator<Item = &'a Impact> + Clone,
        h: f64,
    ) -> Self {
        let free = |body: usize| is_free(flight, body);
        let moves = |body: usize| !free(body) && flight.displacements[body] != Motion::default();

        // Islands that such an obstacle touches.
        let mut touch = vec![false; roots.len()];
        for place in places.clone() {
            for [own, other] in both(place.normal.bodies) {
                touch[roots[other]] |= moves(own) && free(other);
            }
        }

        // Where several obstacles differ, each contact has its part.
        let driven = places.filter(|place| {
            let root = roots[place.mover];
            touch[root] && frames[root].is_none()
        });
        let rows = driven.flat_map(|place| {
            let tangent = place.slide.as_ref().map(|slide| &slide.row);
            std::iter::once(&place.normal).chain(tangent)
        });
        Self {
            rows: rows.collect(),
            flight,
            roots,
            frames,
            touch,
            h,
        }
    }

    /// The motion of a body that moves with the obstacle of its island; `None` without one.
    pub(super) fn frame(&self, body: usize) -> Option<Motion> {
        let FreeMotion {
            wholes,
            displacements,
            ..
        } = self.flight;
        // The obstacle carries the centre of the body along as it turns.
        let obstacle = self.frames[self.roots[body]]?;
        let way = wholes[body].as_ref()?.centre - wholes[obstacle].as_ref()?.centre;
        let moved = displacements[obstacle].at(way);
        Some(Motion::default().plus(moved, 1.0 / self.h))
    }

    /// Work (J) of the forces of some contacts on bodies, by their impulses, `[islands]`.
    pub(super) fn of_forces<'b>(&self, given: impl Iterator<Item = &'b Given>) -> Vec<f64> {
        let free = |body: usize| is_free(self.flight, body);
        let mut work = vec![0.0; self.roots.len()];
        for Given { bodies, push } in given {
            let [own, other] = *bodies;
            if !free(own) && free(other) {
                work[self.roots[other]] -= self.on(own, push);
            }
        }
        work
    }

    /// Adds the work (J) of impulses along the normal and the tangent of a place (N s) to the `work` of `[islands]`.
    pub(super) fn add_impulses(&self, place: &Impact, impulses: [f64; 2], work: &mut [f64]) {
        // Contacts without friction have normals only.
        let tangent = place.slide.as_ref().map(|slide| &slide.row);
        let rows = std::iter::once(&place.normal).chain(tangent);
        for (row, impulse) in rows.zip(impulses) {
            for (side, [own, other]) in both(row.bodies).into_iter().enumerate() {
                if !is_free(self.flight, own) {
                    work[self.roots[other]] -= impulse * self.on(own, &row.pushes[side]);
                }
            }
        }
    }

    /// Work (J) of the impulses that change motions so, `[islands]`; 0 where no obstacle moves.
    pub(super) fn of_change(&self, change: &[Motion]) -> Vec<f64> {
        let mut work = vec![0.0; self.roots.len()];
        if !self.touch.contains(&true) {
            return work;
        }

        // All that changes the momentum of an island comes from its only obstacle.
        for (body, whole) in self.flight.wholes.iter().enumerate() {
            if let (Some(whole), Some(frame)) = (whole, self.frame(body)) {
                work[self.roots[body]] += whole.work(frame, change[body]);
            }
        }
        if self.rows.is_empty() {
            return work;
        }

        // Elsewhere the least impulses along rows that make the change, which stop it with the other sign.
        let stopped = impulses(&self.flight.wholes, &[], &self.rows, change);
        for (row, impulse) in self.rows.iter().zip(stopped.of_rows) {
            for (side, [own, other]) in both(row.bodies).into_iter().enumerate() {
                if !is_free(self.flight, own) {
                    work[self.roots[other]] += impulse * self.on(own, &row.pushes[side]);
                }
            }
        }
        work
    }

    /// Change of the motions of bodies beyond loads and the forces of contacts, where they move with
    /// `motions` at the end, `[bodies]`; none of bodies that a law has hit, and in islands that touch no
    /// obstacle that moves.
    pub(super) fn beyond(
        &self,
        motions: &[Motion],
        loads: &[Motion],
        given: &[Given],
        is_hit: &[bool],
    ) -> Vec<Motion> {
        let flight = self.flight;
        let counts =
            |body: usize| is_free(flight, body) && self.touch[self.roots[body]] && !is_hit[body];
        let mut beyond: Vec<Motion> = (0..motions.len())
            .map(|body| {
                let counts = counts(body);
                let change = motions[body].minus(flight.before[body]);
                let change = counts.then(|| change.plus(loads[body], -self.h));
                change.unwrap_or_default()
            })
            .collect();

        // Less the forces of contacts.
        for Given { bodies, push } in given {
            let body = bodies[0];
            let whole = flight.wholes[body].as_ref();
            if let Some(whole) = whole.filter(|_| counts(body)) {
                beyond[body] = beyond[body].minus(whole.response(push, 1.0));
            }
        }
        beyond
    }

    /// Work (J) of an impulse on the motion of an obstacle.
    fn on(&self, obstacle: usize, push: &Push) -> f64 {
        push.dot(self.flight.displacements[obstacle]) / self.h
    }
}

/// A pair in both orders.
fn both([a, b]: [usize; 2]) -> [[usize; 2]; 2] {
    [[a, b], [b, a]]
}

/// True if impulses can move a body.
fn is_free(flight: &FreeMotion, body: usize) -> bool {
    let whole = flight.wholes[body].as_ref();
    whole.is_some_and(RigidMotion::is_free)
}
