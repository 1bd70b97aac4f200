//! The equations of a step, at any coordinates.

use super::refused::Refused;
use crate::body::Configuration;
use crate::constraint::{Constraints, Joint, WarmStart, have_rates};
use crate::solve::{Iterate, Potential, Stage, TangentFriction};
use crate::time::options::restitution::rebound;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::joint_memory::outset;
use crate::time::step::minimum::pressed;
use crate::time::step::stage_end::StageEnd;
use crate::time::step::stages::predict;
use crate::time::step::surroundings::friction;
use crate::time::world::World;
use ipcsim_contact::{AdaptedPair, Barriers, Candidates, Contacts, FrictionTable};
use ipcsim_math::Vec2;

/// Equations of a step of a world, at coordinates near its end.
pub struct StepEquation<'a> {
    /// World of the step.
    pub(super) world: &'a World,
    /// State at the start, with the forces of joints at the end.
    pub(super) start: State,
    /// The stage of the step.
    pub(super) stage: Stage,
    /// Barriers in the step.
    pub(super) barriers: Barriers,
    /// Coefficients of friction, with anchors.
    pub(super) table: FrictionTable,
    /// Joints with the numbers that were set.
    pub(super) joints: Vec<Joint>,
    /// Coordinates, and the contacts there.
    pub(super) iterate: Iterate,
    /// Rows of joints that slip, see [`Constraints::slips`]; empty if their residuals say so.
    slips: Vec<i8>,
}

/// Values of the equations of a step.
#[derive(Clone, Debug)]
pub struct Values {
    /// Balance of forces (N s^2), `[nodes]`: without the components that are prescribed it is zero at
    /// the end of the step.
    pub slope: Vec<Vec2>,
    /// Residuals of the rows of joints, less aims (m or rad), `[rows]`; 0 for rows without equation.
    pub rows: Vec<Vec2>,
    /// Prescribed coordinates, `[nodes]`, 0 for others.
    pub targets: Vec<Vec2>,
    /// Velocities of coordinates at the end, `[nodes]`.
    pub velocities: Vec<Vec2>,
    /// Vertices and slip of anchors at the end.
    pub anchors: Vec<([usize; 4], f64)>,
}

impl<'a> StepEquation<'a> {
    /// Equations of the step of a `world` from `start`, in which these pairs have `adapted` barriers
    /// and joints the `forces` of the end, at the coordinates `q`.
    ///
    /// # Errors
    /// [`Refused::Step`] if something touches there.
    pub fn new(
        world: &'a World,
        start: &State,
        adapted: &[AdaptedPair],
        forces: &[Vec2],
        q: Vec<Vec2>,
    ) -> Result<Self, Refused> {
        let span = Span {
            end: (start.step + 1) as f64 * world.h,
            h: world.h,
        };
        let mut stage = predict(world, start, &[], span);
        if world.integrator.is_static() {
            stage.inertia = 0.0;
        }
        let barriers = world.barriers.with(adapted);
        let table = friction(world, start).into_owned();
        let joints = start.parameters.joints(&world.model.joints).into_owned();
        let mut start = start.clone();
        start.memory.multipliers = forces.to_vec();

        let surface = &world.model.surface;
        let at = Configuration::of(&world.model.coordinates, q);
        let candidates = Candidates::find(surface, &at.x, |_| 0.0);
        let contacts = Contacts::find(surface, &barriers, &candidates, &at.x);
        let contacts = contacts.map_err(|_| Refused::Step {
            step: start.step + 1,
            reason: "something touches where its numbers are varied",
        })?;
        Ok(Self {
            world,
            start,
            stage,
            barriers,
            table,
            joints,
            iterate: Iterate { at, contacts },
            slips: Vec::new(),
        })
    }

    /// The same equations, where rows of joints slip as in another world.
    #[must_use]
    pub fn slipping(self, slips: &[i8]) -> Self {
        Self {
            slips: slips.to_vec(),
            ..self
        }
    }

    /// Rows of joints that slip: 1 or -1 if the force is at its upper or lower bound, else 0.
    pub fn slips(&self) -> Vec<i8> {
        self.constraints().slips(&self.iterate.at.x)
    }

    /// The equations from another start and at other coordinates, with the same forces of joints.
    pub(super) fn again(&self, start: State, q: Vec<Vec2>) -> Result<Self, Refused> {
        let coordinates = &self.world.model.coordinates;
        let start = State {
            step: start.step,
            time: start.time,
            memory: start.memory,
            parameters: start.parameters,
            ..State::new(coordinates, start.q, start.q_dot)
        };
        let forces = start.memory.multipliers.clone();
        Self::new(self.world, &start, self.barriers.adapted(), &forces, q)
    }

    /// Factor of forces of contact and joints in the balance (s^2).
    pub fn contact_factor(&self) -> f64 {
        self.stage.contact
    }

    /// Joints at the coordinates, with the forces of the end.
    pub(super) fn constraints(&self) -> Constraints {
        let start: WarmStart = outset(&self.stage, &self.start);
        let mut constraints = Constraints::new(&self.joints, &start);
        constraints.follow(&self.iterate.at.x);
        let constraints = constraints.all_turning();
        if self.slips.is_empty() {
            return constraints;
        }
        constraints.slipping(&self.slips)
    }

    /// Potential of the step, with the friction of the coordinates.
    pub(super) fn potential(&self) -> Potential<'_> {
        let model = &self.world.model;
        Potential {
            model,
            stage: &self.stage,
            barriers: &self.barriers,
            friction: TangentFriction::lagged(model, &self.stage, &self.table, &self.iterate),
            following: None,
            constraints: self.constraints(),
        }
    }

    /// Values of the equations.
    pub fn values(&self) -> Values {
        let Iterate { at, contacts } = &self.iterate;
        let potential = self.potential();
        let count = self.joints.iter().map(|joint| joint.rows.len()).sum();
        let mut rows = vec![Vec2::zeros(); count];
        for row in potential.constraints.closed_rows(&at.x) {
            let [first, second] = row.components.map(|is| if is { 1.0 } else { 0.0 });
            rows[row.number] = row.residual.component_mul(&Vec2::new(first, second));
        }
        let mut targets = vec![Vec2::zeros(); at.q.len()];
        let start = &self.start;
        let prescribed =
            self.world
                .targets(&start.parameters, self.stage.end, start.time, &start.q);
        for target in prescribed {
            for axis in (0..2).filter(|&axis| target.axes[axis]) {
                targets[target.node][axis] = target.position[axis];
            }
        }
        let anchors = if self.table.sticks {
            let y = potential.tangent_positions(at);
            let surface = &self.world.model.surface;
            let anchors = potential.friction.anchors(surface, &y);
            let slips = anchors.iter().map(|anchor| (anchor.vertices, anchor.slip));
            slips.collect()
        } else {
            Vec::new()
        };
        Values {
            slope: potential.slope(contacts, at),
            rows,
            targets,
            velocities: self.velocities().0,
            anchors,
        }
    }

    /// Velocities of coordinates at the end, after impacts, and the nodes of the bodies that were struck.
    pub(super) fn velocities(&self) -> (Vec<Vec2>, bool) {
        let Iterate { at, contacts } = &self.iterate;
        let plain = self.stage.velocity(&at.q);
        let options = &self.world.options;
        let looks_back = self.world.integrator.mixes_velocities();
        let lawless = !self.world.bounds_impacts() && options.restitution.is_absent();
        if self.stage.beta.is_none() || lawless && !looks_back {
            return (plain, false);
        }
        let potential = self.potential();
        let surface = &self.world.model.surface;
        let from = &self.start;
        let candidates = Candidates::find(surface, &from.x, |_| 0.0);
        let found = Contacts::find(surface, &self.barriers, &candidates, &from.x);
        let outset = pressed(self.world, &self.table, from, &found.unwrap_or_default());
        let tangents = potential.tangent_positions(at);
        let multipliers = potential.constraints.forces(&at.x);
        let rebound = rebound(
            self.world,
            StageEnd {
                stage: &self.stage,
                from,
                at,
                contacts,
                outset: &outset,
                friction: &potential.friction,
                tangents: &tangents,
                table: &self.table,
                multipliers: &multipliers,
                imbalance: self.world.newton.imbalance,
            },
        );
        (rebound.q_dot, !rebound.struck.is_nobody())
    }

    /// True if rates of joints count from the state at the start.
    pub(super) fn has_rates(&self) -> bool {
        have_rates(&self.joints)
    }
}
