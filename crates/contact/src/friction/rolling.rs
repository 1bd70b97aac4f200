//! Rolling resistance: a torque against the rotation of two bodies that touch.
//!
//! Deformation and stickiness of real surfaces bring the normal force ahead of the point of contact
//! by a length `mu_r`, the coefficient of rolling resistance, so that it brakes a wheel by the
//! torque `mu_r lambda`. As friction, this has no potential unless the normal force `lambda` is
//! lagged. With `phi` the angle by which the point's body has turned against the other one in a
//! step, it is
//!
//! `D = mu_r lambda f_0(|phi|)`,
//!
//! with `f_0` as in [`SlipLaw::steady`] with `eps = eps_w h`: the torque grows up to the angular
//! speed `eps_w`, and is full above.
//!
//! The angle of a body is the angle between two of its vertices. Both sides must move as a whole:
//! on a soft body a torque on two vertices would not converge as the mesh becomes finer.

use super::frame::Frame;
use super::{
    Against, Friction, Group, Lag, Place, RollingCouple, Slide, SlipLaw, Turning, on_vertices,
};
use crate::Surface;
use ipcsim_energy::LocalEnergy;
use ipcsim_math::{Vec2, perp};
use smallvec::SmallVec;

/// Vertices and a vector for each: two of each side that turns.
type VertexVectors = SmallVec<[(usize, Vec2); 4]>;

impl Friction {
    /// Adds the resistance of a contact to rolling, with the coefficient `rolling` (m), if it
    /// presses and one of its sides can turn. A body does not roll on itself.
    pub(super) fn add_rolling(
        &mut self,
        surface: &Surface,
        lag: Lag,
        x: &[Vec2],
        frame: &Frame,
        rolling: f64,
    ) {
        let [point, _, other, _] = frame.vertices;
        let load = frame.load(rolling);
        if load <= 0.0 || surface.body[point] == surface.body[other] {
            return;
        }

        let sides = [(point, 1.0), (other, -1.0)];
        let turned_at = |x: &[Vec2]| {
            let mut weights = VertexVectors::new();
            for (vertex, sign) in sides {
                add_turn(surface, x, vertex, sign, &mut weights);
            }
            weights
        };
        let before = turned_at(lag.start);
        if before.is_empty() {
            return;
        }

        // Angle up to here, from where displacements count.
        let (from, slid, weights) = match lag.turning {
            Some(Turning { spun, .. }) => {
                let turned = before
                    .iter()
                    .map(|(i, c)| c.dot(&(spun[*i] - lag.start[*i])));
                (x, turned.sum(), turned_at(x))
            }
            None => (lag.start, 0.0, before),
        };
        let slide = Slide {
            load,
            start: from,
            slid,
            belts: 0.0,
            law: SlipLaw::steady(lag.table.rolling_speed * lag.time),
            weights: &weights,
            growth: (rolling, frame.growth()),
        };
        let place = Place {
            vertices: frame.vertices,
            against: Against::Rolling,
            hold: None,
        };
        self.push(slide, place);
    }

    /// Couple of each contact that resists rolling, at the positions `y` (see
    /// [`super::FrictionContact`]).
    pub fn couples<'a>(
        &'a self,
        surface: &'a Surface,
        y: &'a [Vec2],
    ) -> impl Iterator<Item = RollingCouple> + 'a {
        self.pairs
            .couples(surface, y)
            .chain(self.quadruples.couples(surface, y))
    }
}

impl<const N: usize> Group<N> {
    /// Couple of each contact that resists rolling, at `y`.
    fn couples<'a>(
        &'a self,
        surface: &'a Surface,
        y: &'a [Vec2],
    ) -> impl Iterator<Item = RollingCouple> + 'a {
        let potentials = self.sum.iter().zip(&self.places);
        let rolling = potentials.filter(|(_, place)| matches!(place.against, Against::Rolling));
        rolling.map(move |((stencil, contact), place)| {
            let pair = place.pair(surface);
            let at = stencil.map(|i| y[i]);
            RollingCouple {
                pair,
                bodies: pair.bodies(surface),
                moment: -contact.slope(&at),
                turn: contact.slide(&at),
                on_vertices: on_vertices(stencil, contact.gradient(&at)),
            }
        })
    }
}

/// Adds the weights `c_i` (1/m) of vertices in the angle `sign sum_i c_i . d_i` (rad) by which the
/// body of `vertex` turns, for displacements `d_i` from the positions `start` (m, `[vertices]`).
///
/// Two vertices `a` and `b` at the distance `e = b - a` turn by `perp(e) . (d_b - d_a) / |e|^2`.
/// The second one is the next of the body, which has its vertices one after another. A body of one
/// vertex does not turn: a point, or a half-plane that keeps its direction.
fn add_turn(
    surface: &Surface,
    start: &[Vec2],
    vertex: usize,
    sign: f64,
    weights: &mut VertexVectors,
) {
    let body = Some(&surface.body[vertex]);
    let before = vertex.checked_sub(1);
    let near = [Some(vertex + 1), before].into_iter().flatten();
    let mut same = near.filter(|&i| surface.body.get(i) == body);
    let Some(second) = same.find(|&i| start[i] != start[vertex]) else {
        return;
    };

    let edge = start[second] - start[vertex];
    let turn = perp(edge) * (sign / edge.norm_squared());
    weights.push((vertex, -turn));
    weights.push((second, turn));
}
