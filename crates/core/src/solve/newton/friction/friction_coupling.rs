//! Forces at a state, where friction has the normal forces that a direction leads to.
//!
//! They are found again and again for one state and many directions, so the part that friction does
//! not change is found once; see `friction_tangent.rs`.

use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::potential::Potential;
use ipcsim_math::Vec2;

/// Forces at a state, with friction apart.
#[derive(Debug, Default)]
pub(crate) struct CoupledForces {
    /// Positions on the tangents of the vertices' paths (m), `[vertices]`. Friction is a function of
    /// them.
    y: Vec<Vec2>,
    /// Gradient of all but friction (N s^2), `[nodes]`.
    rest: Vec<Vec2>,
    /// A buffer for the gradient of friction (N s^2), `[nodes]`.
    friction: Vec<Vec2>,
    /// Buffers, `[vertices]`.
    moved: Vec<Vec2>,
    by_x: Vec<Vec2>,
}

impl CoupledForces {
    /// Takes the forces at a state with the gradient of `direction`.
    pub(crate) fn begin(
        &mut self,
        potential: &mut Potential,
        iterate: &Iterate,
        direction: &Direction,
    ) {
        let Self {
            y,
            rest,
            friction,
            moved,
            by_x,
        } = self;
        y.clear();
        y.extend_from_slice(&potential.tangent_positions(&iterate.at));
        rest.clear();
        rest.extend_from_slice(&direction.gradient.q);
        friction.resize(rest.len(), Vec2::zeros());
        moved.resize(y.len(), Vec2::zeros());
        by_x.resize(y.len(), Vec2::zeros());

        potential.friction_gradient(y, by_x, friction);
        for (rest, friction) in rest.iter_mut().zip(friction) {
            *rest -= *friction;
        }
        potential.friction.set_out(y);
    }

    /// Gives friction the loads that the motion `p` leads to, and the direction the gradient with
    /// them that is expected there.
    pub(crate) fn extrapolate(
        &mut self,
        potential: &mut Potential,
        iterate: &Iterate,
        p: &[Vec2],
        direction: &mut Direction,
    ) {
        direction.p.copy_from_slice(p);
        direction.displace(&potential.model.coordinates, &iterate.at);
        potential.friction.extrapolate(&direction.displacement);

        let buffers = [&mut self.moved[..], &mut self.by_x[..]];
        potential.led_gradient(p, buffers, &mut self.friction);
        self.write(direction);
    }

    /// Gives the direction the gradient with the loads of friction.
    pub(crate) fn settle(&mut self, potential: &Potential, direction: &mut Direction) {
        potential.friction_gradient(&self.y, &mut self.by_x, &mut self.friction);
        self.write(direction);
    }

    /// Writes the sum of both parts of the gradient.
    fn write(&self, direction: &mut Direction) {
        let parts = self.rest.iter().zip(&self.friction);
        for (g, (rest, friction)) in direction.gradient.q.iter_mut().zip(parts) {
            *g = rest + friction;
        }
    }
}
