//! Barriers of all pairs of bodies: one formula, and a stiffness for every pair.
//!
//! The stiffness follows from the materials of the two bodies and the pressure between them, so
//! that nothing else in the scene changes it. Neither the time step nor the mesh has a part in it.
//! Where a pair is pressed harder than that, its gap shrinks below the corridor `[1/16, 1]` of its
//! activation distance. Then its stiffness doubles at the end of a step, as often as the gap needs,
//! and falls back once the two have parted. It never changes within a step.

use super::Surface;
use super::adapted_pair::AdaptedPair;
use super::barrier::{Barrier, BarrierShape};
use super::tuning::MOST_DOUBLINGS;
use crate::tuning::{LEAST_OF_MATERIAL, PRESSURES};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Properties of a body that decide the stiffness of its contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hardness {
    /// Stiffness of the material (Pa); infinite if the body does not deform.
    pub stiffness: f64,
    /// Mass over size and thickness (kg/m^2); 0 for obstacles.
    pub mass: f64,
    /// Size (m); infinite for half-planes.
    pub size: f64,
    /// Acceleration by weight and other forces (m/s^2).
    pub acceleration: f64,
    /// Speed at the start, or the largest one of a script (m/s).
    pub speed: f64,
}

impl Hardness {
    /// Pressure `m/(L t) (a + v^2/L)` (Pa) on another body that it meets at the speed `v` (m/s), if
    /// it is stopped within a distance of its size. A body that nothing accelerates and nothing
    /// meets counts as one with `a = L/s^2`.
    pub fn pressure(&self, speed: f64) -> f64 {
        let acceleration = self.acceleration + speed * (speed / self.size);
        if acceleration > 0.0 || self.mass == 0.0 {
            self.mass * acceleration
        } else {
            self.mass * self.size
        }
    }

    /// Every bit of the numbers: the same for bodies that have the same barriers with all others.
    fn bits(&self) -> [u64; 5] {
        let Self {
            stiffness,
            mass,
            size,
            acceleration,
            speed,
        } = self;
        [stiffness, mass, size, acceleration, speed].map(|number| number.to_bits())
    }

    /// Stiffness (Pa) of a barrier between this body and another one: a multiple of the larger
    /// pressure, but at most the stiffness of the softer material, and not much less.
    fn kappa(&self, other: &Self) -> f64 {
        let speed = self.speed + other.speed;
        let pressed = PRESSURES * self.pressure(speed).max(other.pressure(speed));
        let material = self.stiffness.min(other.stiffness);
        if material.is_finite() {
            pressed.clamp(LEAST_OF_MATERIAL * material, material)
        } else {
            pressed
        }
    }
}

/// Barriers between all pairs of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Barriers {
    /// Formula of barriers of vertices.
    shape: BarrierShape,
    /// Stiffness of all pairs (Pa), if the scene gives one.
    given: Option<f64>,
    /// Hardness of each body, `[bodies]`; empty if the stiffness is given.
    bodies: Arc<[Hardness]>,
    /// Pairs whose barrier steps have adapted, sorted by pair.
    adapted: Vec<AdaptedPair>,
    /// Smallest activation distance of an adapted pair (m); infinite without one.
    least_reach: f64,
    /// True for bodies that do not move in this step, `[bodies]`; empty if all may move. Between two of
    /// them nothing is computed.
    still: Arc<[bool]>,
    /// Distance (m) by which all activation distances are longer in searches for pairs that are about to meet;
    /// 0 otherwise.
    beyond: f64,
}

impl From<Barrier> for Barriers {
    /// The same barrier for all pairs.
    fn from(barrier: Barrier) -> Self {
        Self {
            shape: barrier.shape,
            given: Some(barrier.kappa),
            bodies: Arc::default(),
            adapted: Vec::new(),
            least_reach: f64::INFINITY,
            still: Arc::default(),
            beyond: 0.0,
        }
    }
}

impl Barriers {
    /// Barriers of bodies with these hardnesses, `[bodies]`.
    pub fn of_bodies(shape: BarrierShape, bodies: Vec<Hardness>) -> Self {
        Self {
            shape,
            given: None,
            bodies: bodies.into(),
            adapted: Vec::new(),
            least_reach: f64::INFINITY,
            still: Arc::default(),
            beyond: 0.0,
        }
    }

    /// Formula of barriers of vertices.
    pub fn shape(&self) -> BarrierShape {
        self.shape
    }

    /// Barrier along edges of bodies `a` and `b`, in either order: the formula that can be
    /// integrated.
    #[inline]
    pub fn along_edges(&self, a: usize, b: usize) -> Barrier {
        Barrier {
            shape: BarrierShape::Inverse,
            kappa: self.kappa(a, b),
        }
    }

    /// Barrier of vertices of bodies `a` and `b`, in either order.
    #[inline]
    pub fn between(&self, a: usize, b: usize) -> Barrier {
        Barrier {
            shape: self.shape,
            kappa: self.kappa(a, b),
        }
    }

    /// Stiffness `kappa` (Pa) between bodies `a` and `b`, in either order, doubled as often as the
    /// pair needs.
    #[inline]
    pub fn kappa(&self, a: usize, b: usize) -> f64 {
        if let Some(kappa) = self.given {
            return kappa;
        }

        let kappa = self.bodies[a].kappa(&self.bodies[b]);
        if self.adapted.is_empty() {
            return kappa;
        }
        kappa * f64::from(1_u32 << self.doublings(a, b).min(MOST_DOUBLINGS))
    }

    /// Stiffness of the softer one of the bodies `a` and `b` (Pa); infinite if neither deforms.
    pub fn softer(&self, a: usize, b: usize) -> f64 {
        let stiffness = [a, b].map(|body| {
            let hardness = self.bodies.get(body);
            hardness.map_or(f64::INFINITY, |body| body.stiffness)
        });
        stiffness[0].min(stiffness[1])
    }

    /// Depth (m) of the dent that the lighter one of the bodies `a` and `b` makes in the softer one by its
    /// weight; 0 if neither deforms.
    pub fn dent(&self, a: usize, b: usize) -> f64 {
        let (Some(one), Some(other)) = (self.bodies.get(a), self.bodies.get(b)) else {
            return 0.0;
        };
        let pressure = one.pressure(0.0).min(other.pressure(0.0));
        pressure * one.size.min(other.size) / self.softer(a, b)
    }

    /// True if a body deforms.
    pub(super) fn deform(&self) -> bool {
        self.bodies.iter().any(|body| body.stiffness.is_finite())
    }

    /// Number of doublings of the stiffness between bodies `a` and `b`, in either order.
    pub fn doublings(&self, a: usize, b: usize) -> u32 {
        AdaptedPair::times_in(&self.adapted, [a, b])
    }

    /// Largest stiffness between two bodies (Pa), without doublings.
    pub fn largest(&self) -> f64 {
        if let Some(kappa) = self.given {
            return kappa;
        }
        // Most bodies are copies of few others.
        let mut seen = BTreeSet::new();
        let bodies: Vec<&Hardness> = self
            .bodies
            .iter()
            .filter(|body| seen.insert(body.bits()))
            .collect();
        let of_pairs = bodies.iter().enumerate().flat_map(|(k, a)| {
            let others = bodies[k..].iter();
            others.map(|b| a.kappa(b))
        });
        of_pairs.fold(0.0, f64::max)
    }

    /// Activation distance (m) of the bodies `a` and `b` of a surface, in either order.
    #[inline]
    pub fn reach(&self, surface: &Surface, a: usize, b: usize) -> f64 {
        self.own_reach(surface, a, b) + self.beyond
    }

    /// The activation distance (m) of [`Barriers::reach`], not longer than it is.
    #[inline]
    fn own_reach(&self, surface: &Surface, a: usize, b: usize) -> f64 {
        // Few steps have pairs with another distance than at the start.
        if self.least_reach < f64::INFINITY
            && let Some(reach) =
                AdaptedPair::find(&self.adapted, [a, b]).and_then(|pair| pair.reach)
        {
            return reach;
        }
        surface.reach.between(a, b)
    }

    /// Activation distance (m) between the vertex `point` and an edge at the vertex `other`. Within
    /// one body it is the distance of the point.
    #[inline]
    pub fn d_hat_between(&self, surface: &Surface, point: usize, other: usize) -> f64 {
        surface.d_hat_by([point, other], |a, b| self.own_reach(surface, a, b)) + self.beyond
    }

    /// Activation distance (m) between a vertex and an edge. Between neighbours along a rod it is the
    /// one of the rod with itself.
    #[inline]
    pub fn d_hat_to(&self, surface: &Surface, point: usize, edge: [usize; 2]) -> f64 {
        let within = surface.d_hat_within(point, edge);
        let within = within.map(|d_hat| d_hat + self.beyond);
        within.unwrap_or_else(|| self.d_hat_between(surface, point, edge[0]))
    }

    /// Smallest activation distance of a pair (m): a pair that is not in contact has a larger gap.
    pub fn least_reach(&self, of_surface: f64) -> f64 {
        of_surface.min(self.least_reach)
    }

    /// Pairs whose barrier steps have adapted, sorted by pair.
    pub fn adapted(&self) -> &[AdaptedPair] {
        &self.adapted
    }

    /// True if no barrier is adapted.
    pub fn are_as_given(&self) -> bool {
        self.adapted.is_empty()
    }

    /// True if stiffnesses follow gaps, unless the scene gives one.
    pub fn adapt(&self) -> bool {
        self.given.is_none()
    }

    /// These barriers, with those of some pairs adapted, which are sorted by pair.
    #[must_use]
    pub fn with(&self, adapted: &[AdaptedPair]) -> Self {
        let reaches = adapted.iter().filter_map(|pair| pair.reach);
        Self {
            least_reach: reaches.fold(f64::INFINITY, f64::min),
            adapted: adapted.to_vec(),
            ..self.clone()
        }
    }

    /// These barriers in a step in which some bodies stay where they are, `[bodies]`: contacts between
    /// two of them are not found, since their forces move nothing.
    #[must_use]
    pub fn between_moving(self, still: Vec<bool>) -> Self {
        Self {
            still: still.into(),
            ..self
        }
    }

    /// These barriers with activation distances that are longer by `beyond` (m): their contacts are also the
    /// pairs that may meet within this distance. Energies and forces of such contacts mean nothing; their
    /// geometry does, see [`Contacts::linear_gaps`](crate::Contacts::linear_gaps).
    #[must_use]
    pub fn reaching(&self, beyond: f64) -> Self {
        Self {
            beyond,
            ..self.clone()
        }
    }

    /// Distance (m) by which activation distances are longer, see [`Barriers::reaching`].
    #[inline]
    pub(super) fn beyond(&self) -> f64 {
        self.beyond
    }

    /// True if neither of two bodies moves, so that their contacts are left out.
    #[inline]
    pub fn leave_out(&self, a: usize, b: usize) -> bool {
        let stays = |body: usize| self.still.get(body).copied().unwrap_or(false);
        !self.still.is_empty() && stays(a) && stays(b)
    }
}
