//! Directions in which two bodies act on each other by impulses: normals and tangents of contacts,
//! equations and drives of joints.

use super::rigid_motion::{Motion, Push, RigidMotion};
use crate::body::Coordinates;
use crate::constraint::ConstraintRow;
use ipcsim_contact::VertexWeights;
use ipcsim_math::Vec2;
use ipcsim_math::groups::Groups;

/// Bodies that move as a whole, and the places where impulses act on them.
#[derive(Clone, Copy)]
pub(super) struct Wholes<'a> {
    /// The bodies, `[bodies]`; `None` for bodies that deform. The two periods of a scene that repeats follow.
    pub(super) bodies: &'a [Option<RigidMotion>],
    /// Map from nodes to vertices, with the images of nodes.
    pub(super) coordinates: &'a Coordinates,
    /// Body of each vertex, `[vertices]`.
    pub(super) body_of: &'a [usize],
    /// Positions of the vertices (m), `[vertices]`.
    pub(super) x: &'a [Vec2],
}

impl Wholes<'_> {
    /// Numbers of periods from a body to the image of it that has a vertex; `None` for a vertex of the body
    /// itself.
    fn shift(&self, vertex: usize) -> Option<[i32; 2]> {
        let lattice = self.coordinates.lattice()?;
        let image = lattice.image(self.coordinates.nodes_of(vertex).start)?;
        Some(image.shift)
    }

    /// Number of the motion of the first period.
    fn first_period(&self) -> usize {
        self.bodies.len() - 2
    }

    /// Vector from the centre of a body to a vertex of the body, or from the centre of its image (m).
    fn arm(&self, centre: Vec2, vertex: usize) -> Vec2 {
        let mut arm = self.x[vertex] - centre;
        if let Some(shift) = self.shift(vertex) {
            let periods = self.bodies[self.first_period()..].iter().flatten();
            for (period, times) in periods.zip(shift) {
                arm -= period.centre * f64::from(times);
            }
        }
        arm
    }

    /// Sum of the impulses that act on vertices of a body or of its images; `None` if the body deforms.
    pub(super) fn push(&self, body: usize, impulses: &[(usize, Vec2)]) -> Option<Push> {
        let centre = self.bodies[body].as_ref()?.centre;
        let own = impulses.iter();
        let own = own.filter(|(vertex, _)| self.body_of[*vertex] == body);
        let each = own.map(|&(vertex, impulse)| Push::at(self.arm(centre, vertex), impulse));
        Some(each.fold(Push::default(), Push::and))
    }

    /// Numbers of the motions of periods with the weights of their velocities in `sum_i c_i . v_i`, for the
    /// weights `c_i` of vertices: an image moves as its body and the periods between both.
    fn by_periods(&self, weights: &VertexWeights) -> Vec<(usize, Vec2)> {
        let mut sums = [Vec2::zeros(); 2];
        for &(vertex, weight) in weights {
            let shift = self.shift(vertex).unwrap_or_default();
            sums[0] += weight * f64::from(shift[0]);
            sums[1] += weight * f64::from(shift[1]);
        }
        let both = (0..2).filter(|&k| sums[k] != Vec2::zeros());
        both.map(|k| (self.first_period() + k, sums[k])).collect()
    }
}

/// One direction in which two bodies act on each other: by equal and opposite impulses.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Numbers of the two bodies.
    pub(super) bodies: [usize; 2],
    /// Unit impulse on each of them.
    pub(super) pushes: [Push; 2],
    /// The carrier of two gears about one axle, with the unit impulse on it.
    pub(super) carrier: Option<(usize, Push)>,
    /// Periods between both bodies, with the weight of the velocity of each; none but across the sides of a
    /// cell that repeats.
    pub(super) periods: Vec<(usize, Vec2)>,
    /// Least and largest impulse (N s): without bounds for the equations of joints.
    pub(super) bounds: [f64; 2],
    /// Relative velocity along the row that the row brings about (m/s): 0, or the speed of a motor.
    pub(super) aim: f64,
    /// Relative velocity along the row by a unit impulse (1/kg); 0 if neither body can move.
    pub(super) softness: f64,
}

impl Row {
    /// A row between two bodies, with the unit impulse on each of them and without bounds.
    fn new(wholes: &[Option<RigidMotion>], bodies: [usize; 2], pushes: [Push; 2]) -> Self {
        let mut row = Self {
            softness: 0.0,
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
            aim: 0.0,
            carrier: None,
            periods: Vec::new(),
            bodies,
            pushes,
        };
        row.softness = row.softness_to(wholes, &row);
        row
    }

    /// The row with what is left of its bounds after an impulse (N s) along it.
    pub(super) fn less(&self, given: f64) -> Self {
        Self {
            bounds: self.bounds.map(|bound| bound - given),
            ..self.clone()
        }
    }

    /// The row whose velocity is `sum_i c_i . v_i` with the weights `c_i` and the velocities `v_i` of
    /// vertices (m/s). `None` if a body of the two deforms.
    pub(super) fn of_weights(
        wholes: Wholes,
        bodies: [usize; 2],
        weights: &VertexWeights,
    ) -> Option<Self> {
        let [a, b] = bodies;
        let first = wholes.push(a, weights)?;
        let second = wholes.push(b, weights)?;

        // Both sides are one body where it meets its own image.
        let second = if a == b { Push::default() } else { second };
        let mut row = Self::new(wholes.bodies, bodies, [first, second]);
        row.periods = wholes.by_periods(weights);
        Some(row)
    }

    /// The row along a direction of the residual of a joint's row: its velocity is the rate of the
    /// residual. `None` if a body of the two deforms.
    pub(super) fn of_residual(
        wholes: Wholes,
        bodies: [usize; 2],
        row: &ConstraintRow,
        along: Vec2,
    ) -> Option<Self> {
        // A unit force on the residual acts on three vertices of each frame.
        let forces: Vec<(usize, Vec2)> = row.forces_by(wholes.x, along).collect();
        let [a, b] = bodies;
        let on = |body: usize, forces: &[(usize, Vec2)]| {
            let centre = wholes.bodies[body].as_ref()?.centre;
            Some(Push::on_vertices(centre, wholes.x, forces))
        };

        // The third vertices of both frames are the carrier's.
        if row.is_carried() {
            let carrier = wholes.body_of[forces[2].0];
            let pushes = [on(a, &forces[..2])?, on(b, &forces[3..5])?];
            let mut own = Self::new(wholes.bodies, bodies, pushes);
            own.carrier = Some((carrier, on(carrier, &[forces[2], forces[5]])?));
            own.softness = own.softness_to(wholes.bodies, &own);
            return Some(own);
        }
        let pushes = [on(a, &forces[..3])?, on(b, &forces[3..])?];
        Some(Self::new(wholes.bodies, bodies, pushes))
    }

    /// Relative velocity along the row (m/s) if bodies move so, `[bodies]`; a positive one opens.
    pub(super) fn velocity(&self, motions: &[Motion]) -> f64 {
        let [a, b] = self.bodies;
        let mut velocity = self.pushes[0].dot(motions[a]) + self.pushes[1].dot(motions[b]);
        if let Some((carrier, push)) = &self.carrier {
            velocity += push.dot(motions[*carrier]);
        }
        if !self.periods.is_empty() {
            velocity += self.velocity_of_periods(motions);
        }
        velocity
    }

    /// Part of the relative velocity along the row (m/s) by periods that move so.
    pub(super) fn velocity_of_periods(&self, motions: &[Motion]) -> f64 {
        let parts = self.periods.iter();
        parts
            .map(|&(period, weight)| weight.dot(&motions[period].velocity))
            .sum()
    }

    /// Relative velocity along this row by a unit impulse along another one between the same bodies
    /// (1/kg).
    pub(super) fn softness_to(&self, wholes: &[Option<RigidMotion>], other: &Self) -> f64 {
        let of_side = |side: usize| {
            let whole = wholes[self.bodies[side]].as_ref();
            whole.map_or(0.0, |whole| {
                self.pushes[side].dot(whole.response(&other.pushes[side], 1.0))
            })
        };
        let of_both = of_side(0) + of_side(1);
        match (&self.carrier, &other.carrier) {
            (Some((body, push)), Some((_, other))) => {
                let whole = wholes[*body].as_ref();
                let of_carrier = whole.map_or(0.0, |whole| push.dot(whole.response(other, 1.0)));
                of_both + of_carrier
            }
            _ => of_both,
        }
    }

    /// Adds the change of the motions by an impulse (N s) along the row, `[bodies]`.
    pub(super) fn push(
        &self,
        wholes: &[Option<RigidMotion>],
        impulse: f64,
        motions: &mut [Motion],
    ) {
        let of_carrier = self.carrier.iter().map(|(body, push)| (body, push));
        for (&body, push) in self.bodies.iter().zip(&self.pushes).chain(of_carrier) {
            if let Some(whole) = &wholes[body] {
                motions[body] = motions[body].plus(whole.response(push, impulse), 1.0);
            }
        }
    }
}

/// Number of the island of each body, `[bodies]`: bodies that impulses can move are in one if
/// `rows` connect them.
pub(super) fn roots<'a>(
    wholes: &[Option<RigidMotion>],
    rows: impl Iterator<Item = &'a Row>,
) -> Vec<usize> {
    let mut groups = Groups::new(wholes.len());
    for row in rows {
        let [a, b] = row.bodies;
        let both = [a, b]
            .iter()
            .all(|&body| wholes[body].as_ref().is_some_and(RigidMotion::is_free));
        if both {
            groups.join(a, b);
        }
    }
    (0..wholes.len()).map(|body| groups.root(body)).collect()
}

#[cfg(test)]
impl Row {
    /// A row that pushes the first body at a place (m) along a direction, and the second one back.
    pub(super) fn at(
        wholes: &[Option<RigidMotion>],
        bodies: [usize; 2],
        place: [f64; 2],
        along: [f64; 2],
    ) -> Self {
        let along = Vec2::from(along);
        let arm = |body: usize| Vec2::from(place) - wholes[body].as_ref().unwrap().centre;
        let pushes = [
            Push::at(arm(bodies[0]), along),
            Push::at(arm(bodies[1]), -along),
        ];
        Self::new(wholes, bodies, pushes)
    }
}
