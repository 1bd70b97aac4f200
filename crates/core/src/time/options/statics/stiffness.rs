//! Whether something could still move without any force where a search for equilibrium ends.
//!
//! Such a motion is a mechanism, whose place nothing determines, and a failure. Two kinds are none:
//!
//! - A body that touches nothing and on which nothing acts stays where the increment has begun: a billet
//!   between plates that have not reached it.
//! - Where bodies have slid, friction is at its bound and resists no small motion. The billet slides outwards
//!   on both sides of its middle; a small motion to one side meets no resistance, but a longer one does,
//!   where it turns the slip of one half around. So it is tested with all contacts at rest.

use super::equilibrium::Search;
use crate::solve::{Failure, Iterate, SlipStart, Solver, Stage, TangentFriction};
use crate::tuning::STATICS_PROBING;
use ipcsim_math::Vec2;
use std::mem::replace;
use std::sync::Arc;

impl Search<'_> {
    /// Tests that no motion is without resistance at the end. The `stage` gets a small mass there.
    ///
    /// # Errors
    /// [`Failure::Loose`], with a vertex that moves most.
    pub(super) fn test_stiffness(
        &mut self,
        solver: &mut Solver,
        stage: &mut Stage,
    ) -> Result<(), Failure> {
        let idle = self.idle_nodes(stage);
        stage.predicted.clone_from(&self.iterate.at);
        stage.inertia = stage.inertia.max(STATICS_PROBING);
        let Some(vertex) = self.zero_energy_mode(solver, stage, &idle)? else {
            return Ok(());
        };

        // Friction that slides may hold all the same.
        let rubs = !self.friction.is_empty();
        if rubs && self.is_held_at_rest(solver, stage, &idle)? {
            return Ok(());
        }

        let surface = &self.world.model.surface;
        let Iterate { at, contacts } = &self.iterate;
        let nearest = contacts.nearest_of(surface, &at.x, surface.body[vertex]);
        Err(Failure::Loose {
            vertex,
            touches: nearest.is_some(),
            rubs,
        })
    }

    /// Vertex that moves most in a motion without resistance of other nodes than idle ones; `None` if every
    /// motion is resisted.
    ///
    /// # Errors
    /// [`Failure`] of a factorisation.
    fn zero_energy_mode(
        &mut self,
        solver: &mut Solver,
        stage: &Stage,
        idle: &[bool],
    ) -> Result<Option<usize>, Failure> {
        let barriers = Arc::clone(&self.barriers);
        let mut potential = self.take_potential(stage, &barriers);
        let mode = solver.zero_energy_modes(&mut potential, self.targets, &self.iterate, idle);

        self.friction = potential.friction;
        self.constraints = potential.constraints;
        mode
    }

    /// True if every motion is resisted where no contact has slid yet, as after a turn of its slip.
    ///
    /// # Errors
    /// [`Failure`] of a factorisation.
    fn is_held_at_rest(
        &mut self,
        solver: &mut Solver,
        stage: &Stage,
        idle: &[bool],
    ) -> Result<bool, Failure> {
        let at = &self.iterate.at;
        let resting = Stage {
            reference: at.clone(),
            slip: stage.slip.as_ref().map(|_| SlipStart::new(at.clone())),
            ..stage.clone()
        };

        // Without the anchors, which contacts have dragged along.
        let world = self.world;
        let stuck = TangentFriction::lagged(&world.model, &resting, &world.friction, &self.iterate);

        let slid = replace(&mut self.friction, stuck);
        let mode = self.zero_energy_mode(solver, &resting, idle);
        self.friction = slid;
        Ok(mode?.is_none())
    }

    /// True for the nodes of bodies that touch nothing, have no joints, and on which nothing acts: neither
    /// weight nor loads, `[nodes]`.
    fn idle_nodes(&self, stage: &Stage) -> Vec<bool> {
        let model = &self.world.model;
        let surface = &model.surface;
        let mut is_idle = vec![true; self.world.bodies.len()];

        // Contact, joints, and loads that follow bodies; then weight and other loads.
        let pairs = self.iterate.contacts.pairs(surface);
        let touching = pairs.flat_map(|pair| pair.bodies(surface));
        let joined = model.joints.iter().flat_map(|joint| joint.bodies);
        let following = stage.following.energies();
        let loaded = following.into_iter().flat_map(|energy| {
            let vertices = (0..energy.element_count()).flat_map(|k| energy.stencil(k));
            vertices.map(|&vertex| surface.body[vertex])
        });
        for body in touching.chain(joined).chain(loaded) {
            is_idle[body] = false;
        }
        for (node, pull) in stage.pull.iter().enumerate() {
            is_idle[model.body_of(node)] &= *pull == Vec2::zeros();
        }

        let nodes = 0..model.mass.len();
        nodes.map(|node| is_idle[model.body_of(node)]).collect()
    }
}
