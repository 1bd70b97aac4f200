//! Motions of bodies as rigid wholes, and their changes by impulses.

use crate::body::{Body, BodyKind};
use ipcsim_math::{Vec2, cross, perp};
use std::ops::Range;

/// Motion of a body as a rigid whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Motion {
    /// Velocity of the centre (m/s).
    pub(super) velocity: Vec2,
    /// Angular velocity (rad/s).
    pub(super) spin: f64,
}

/// Impulse on a body, and its moment about the centre; or the direction of one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Push {
    /// Impulse (N s).
    force: Vec2,
    /// Moment of the impulse (N m s).
    moment: f64,
}

/// A body that moves as a whole.
///
/// An affine body counts as rigid: an impulse at a corner would otherwise deform it first, and how
/// it rebounds would follow from its stiffness. Its motion is the part of its velocities that a
/// rigid motion makes, orthogonal by mass to the rest, which stays as it is.
#[derive(Clone, Debug)]
pub(super) struct RigidMotion {
    /// Numbers of the body's nodes.
    nodes: Range<usize>,
    /// True if the nodes after the first are columns of a linear map, false for an angle.
    is_affine: bool,
    /// Centre of mass; for obstacles the point that they turn about (m).
    pub(super) centre: Vec2,
    /// Velocity by impulse along each axis (1/kg); 0 where the motion is prescribed.
    per_mass: Vec2,
    /// Angular velocity by moment (1/(kg m^2)); 0 where the rotation is prescribed.
    per_inertia: f64,
}

impl Motion {
    /// This motion and a multiple of another one.
    pub(super) fn plus(self, change: Self, times: f64) -> Self {
        Self {
            velocity: self.velocity + change.velocity * times,
            spin: self.spin + change.spin * times,
        }
    }

    /// The motion of a body that is fixed to this one, at a vector (m) from its centre.
    pub(super) fn at(self, way: Vec2) -> Self {
        Self {
            velocity: self.velocity + perp(way) * self.spin,
            ..self
        }
    }

    /// Difference of this motion from another one.
    pub(super) fn minus(self, other: Self) -> Self {
        self.plus(other, -1.0)
    }
}

impl Push {
    /// Impulse `force` (N s) at a place with this `arm` from the centre (m).
    pub(super) fn at(arm: Vec2, force: Vec2) -> Self {
        Self {
            force,
            moment: cross(arm, force),
        }
    }

    /// Impulses on some vertices at `x` (m, `[vertices]`) of a body with this centre (m).
    pub(super) fn on_vertices<'a>(
        centre: Vec2,
        x: &[Vec2],
        impulses: impl IntoIterator<Item = &'a (usize, Vec2)>,
    ) -> Self {
        let each = impulses.into_iter();
        each.map(|&(vertex, impulse)| Self::at(x[vertex] - centre, impulse))
            .fold(Self::default(), Self::and)
    }

    /// This impulse times a factor.
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            force: self.force * factor,
            moment: self.moment * factor,
        }
    }

    /// Both together.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            force: self.force + other.force,
            moment: self.moment + other.moment,
        }
    }

    /// Work of the impulse on a motion (J): the velocity along it if it is a direction (m/s).
    pub(super) fn dot(&self, motion: Motion) -> f64 {
        self.force.dot(&motion.velocity) + self.moment * motion.spin
    }
}

impl RigidMotion {
    /// The body with its nodes at `q` and the inverse of the mass of each node, `[nodes]`; `None`
    /// for bodies that deform.
    pub(super) fn of(body: &Body, q: &[Vec2], per_mass: &[Vec2]) -> Option<Self> {
        let nodes = body.nodes.clone();
        let first = nodes.start;
        let is_affine = body.kind == BodyKind::Affine;
        let per_inertia = match body.kind {
            _ if body.kind.is_soft() || body.kind == BodyKind::Cell => return None,
            BodyKind::Affine => {
                let moment: f64 = columns(&nodes)
                    .filter(|&k| per_mass[k].x > 0.0)
                    .map(|k| q[k].norm_squared() / per_mass[k].x)
                    .sum();
                if moment > 0.0 { moment.recip() } else { 0.0 }
            }

            // A half-plane that does not turn has no angle.
            _ => nodes.clone().nth(1).map_or(0.0, |angle| per_mass[angle].x),
        };
        Some(Self {
            centre: q[first],
            per_mass: per_mass[first],
            per_inertia,
            is_affine,
            nodes,
        })
    }

    /// A period of a scene that repeats, with the coordinates `q` (m, `[nodes]`): its centre is the period, and
    /// its motion the velocity of the period, which no impulse changes.
    pub(super) fn of_period(node: usize, q: &[Vec2]) -> Self {
        Self {
            nodes: node..node + 1,
            is_affine: false,
            centre: q[node],
            per_mass: Vec2::zeros(),
            per_inertia: 0.0,
        }
    }

    /// Motion of the body with coordinates `q` that have the velocities `q_dot`, `[nodes]`.
    ///
    /// The angular velocity of an affine body with columns `a_k` of mass `m_k` is
    /// `sum_k m_k a_k x a_k' / sum_k m_k |a_k|^2`.
    pub(super) fn motion(&self, q: &[Vec2], q_dot: &[Vec2], mass: &[Vec2]) -> Motion {
        let spin = if self.is_affine {
            let [mut moment, mut inertia] = [0.0; 2];
            for k in columns(&self.nodes) {
                moment += mass[k].x * cross(q[k], q_dot[k]);
                inertia += mass[k].x * q[k].norm_squared();
            }
            moment / inertia
        } else {
            let angle = self.nodes.clone().nth(1);
            angle.map_or(0.0, |angle| q_dot[angle].x)
        };

        Motion {
            velocity: q_dot[self.nodes.start],
            spin,
        }
    }

    /// Change of the motion by an impulse of this size along a direction.
    pub(super) fn response(&self, push: &Push, size: f64) -> Motion {
        Motion {
            velocity: self.per_mass.component_mul(&push.force) * size,
            spin: self.per_inertia * push.moment * size,
        }
    }

    /// Product of two motions by mass and inertia (J), of the components that impulses can change:
    /// twice the kinetic energy where both are the same.
    pub(super) fn work(&self, a: Motion, b: Motion) -> f64 {
        let of = |a: f64, b: f64, inverse: f64| if inverse > 0.0 { a * b / inverse } else { 0.0 };
        of(a.velocity.x, b.velocity.x, self.per_mass.x)
            + of(a.velocity.y, b.velocity.y, self.per_mass.y)
            + of(a.spin, b.spin, self.per_inertia)
    }

    /// The components of a motion that impulses can change.
    pub(super) fn changeable(&self, motion: Motion) -> Motion {
        let of = |speed: f64, inverse: f64| if inverse > 0.0 { speed } else { 0.0 };
        Motion {
            velocity: motion.velocity.zip_map(&self.per_mass, of),
            spin: of(motion.spin, self.per_inertia),
        }
    }

    /// Mass of the body (kg), as far as impulses can move it.
    pub(super) fn mass(&self) -> f64 {
        let most = self.per_mass.x.max(self.per_mass.y);
        if most > 0.0 { most.recip() } else { 0.0 }
    }

    /// True if the motion of the body is prescribed.
    pub(super) fn is_driven(&self, motion: Motion) -> bool {
        let prescribed = |speed: f64, inverse: f64| speed != 0.0 && inverse <= 0.0;
        prescribed(motion.velocity.x, self.per_mass.x)
            || prescribed(motion.velocity.y, self.per_mass.y)
            || prescribed(motion.spin, self.per_inertia)
    }

    /// True if impulses can move the body.
    pub(super) fn is_free(&self) -> bool {
        self.per_mass != Vec2::zeros() || self.per_inertia > 0.0
    }

    /// Adds a change of the motion to the velocities `q_dot` of the coordinates `q`, `[nodes]`.
    pub(super) fn add(&self, change: Motion, q: &[Vec2], q_dot: &mut [Vec2]) {
        q_dot[self.nodes.start] += change.velocity;
        if self.is_affine {
            for k in columns(&self.nodes) {
                q_dot[k] += perp(q[k]) * change.spin;
            }
        } else if let Some(angle) = self.nodes.clone().nth(1) {
            q_dot[angle].x += change.spin;
        }
    }

    /// Numbers of the body's nodes.
    pub(super) fn nodes(&self) -> Range<usize> {
        self.nodes.clone()
    }
}

/// Columns of the linear map among the nodes of an affine body.
fn columns(nodes: &Range<usize>) -> Range<usize> {
    nodes.start + 1..nodes.end
}

#[cfg(test)]
impl RigidMotion {
    /// A rigid body with its first node of this number, a mass (kg), an inertia (kg m^2) and a
    /// centre (m); an obstacle has the mass 0.
    pub(super) fn rigid(node: usize, mass: f64, inertia: f64, centre: [f64; 2]) -> Self {
        let inverse = |mass: f64| if mass > 0.0 { mass.recip() } else { 0.0 };
        Self {
            nodes: node..node + 2,
            is_affine: false,
            centre: centre.into(),
            per_mass: Vec2::new(inverse(mass), inverse(mass)),
            per_inertia: inverse(inertia),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body of some nodes from the first on.
    fn body(kind: BodyKind, nodes: usize) -> Body {
        Body {
            name: "body".to_owned(),
            kind,
            vertices: 0..0,
            nodes: 0..nodes,
        }
    }

    #[test]
    fn a_motion_that_is_added_to_velocities_is_found_in_them_again() {
        let q = [[0.3, 0.7], [0.9, 0.4], [-0.2, 1.1]].map(Vec2::from);
        let mass = [[2.0; 2], [0.3; 2], [0.5; 2]].map(Vec2::from);
        let change = Motion {
            velocity: Vec2::new(1.5, -2.5),
            spin: 0.8,
        };
        for (kind, nodes) in [(BodyKind::Affine, 3), (BodyKind::Rigid, 2)] {
            let per_mass = mass.map(|mass| mass.map(f64::recip));
            let whole = RigidMotion::of(&body(kind, nodes), &q, &per_mass).unwrap();
            let mut q_dot = [Vec2::zeros(); 3];
            whole.add(change, &q, &mut q_dot);
            let found = whole.motion(&q, &q_dot, &mass);
            assert!((found.velocity - change.velocity).norm() < 1e-15);
            assert!((found.spin - change.spin).abs() < 1e-15, "{kind:?}");

            // Its kinetic energy is the sum over the nodes.
            let twice: f64 = q_dot
                .iter()
                .zip(&mass)
                .map(|(v, mass)| v.dot(&v.component_mul(mass)))
                .sum();
            assert!(
                (whole.work(change, change) - twice).abs() < 1e-14,
                "{kind:?}"
            );
        }
    }

    #[test]
    fn an_impulse_works_on_a_motion_as_on_the_place_where_it_pushes() {
        let whole = RigidMotion::rigid(0, 2.0, 0.5, [1.0, 1.0]);
        let arm = Vec2::new(0.3, -0.4);
        let push = Push::at(arm, Vec2::new(1.0, 3.0));
        let motion = Motion {
            velocity: Vec2::new(-1.0, 2.0),
            spin: 4.0,
        };
        // The place moves with the velocity and the turn.
        let place = motion.velocity + perp(arm) * motion.spin;
        assert!((push.dot(motion) - place.dot(&Vec2::new(1.0, 3.0))).abs() < 1e-14);
        let gained = whole.response(&push, 0.7);
        assert!((whole.work(gained, motion) - 0.7 * push.dot(motion)).abs() < 1e-14);

        // An obstacle does not answer, and may be driven.
        let held = RigidMotion::rigid(0, 0.0, 0.0, [0.0, 0.0]);
        assert_eq!(held.response(&push, 1.0), Motion::default());
        assert!(!held.is_free() && held.is_driven(motion) && !whole.is_driven(motion));
    }
}
