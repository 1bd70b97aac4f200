//! The equations of a step, at any coordinates.
//!
//! For coordinates `q` at the end the equations are
//!
//! - the balance of forces, the derivative of the potential of the step by `q` with friction
//!   lagged at `q` itself;
//! - the residuals of the rows of joints that are closed;
//! - the prescribed coordinates;
//! - the velocities after impacts, and the slip of the anchors at the end;
//! - along a path of equilibria the length of the increment, for the load time at its end.
//!
//! A gradient evaluates them for scenes with other values and at states that differ a little, so
//! that they are apart from the solver: no line search, no lagging, no search for pairs unless
//! vertices have moved too far ([`Near`]).

use super::refused::Refused;
use super::variation::Explicit;
use crate::body::Configuration;
use crate::constraint::{Constraints, Joint, WarmStart, have_rates};
use crate::solve::{
    Iterate, Materials, Metric, PathChange, Potential, Stage, TangentFriction, prescribe,
};
use crate::time::integrator::{Integrator, Statics};
use crate::time::options::control::ArcLength;
use crate::time::options::restitution::rebound;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::joint_memory::outset;
use crate::time::step::minimum::pressed;
use crate::time::step::stage_end::StageEnd;
use crate::time::step::stages::predict;
use crate::time::step::surroundings::friction;
use crate::time::world::World;
use ipcsim_contact::{AdaptedPair, Barriers, Candidates, Contacts, FrictionTable, Surface};
use ipcsim_energy::Conditions;
use ipcsim_energy::material::Flow;
use ipcsim_math::Vec2;
use std::sync::{Arc, OnceLock};

/// Margin by which vertices may move until pairs are sought again, in units of the least reach.
const MARGIN: f64 = 0.5;
/// Share of the margin that is made use of, so that rounding counts for nothing.
const TRUSTED: f64 = 0.9;

/// Equations of a step of a world, at coordinates near its end.
///
/// They are values and not a solve: coordinates may be any at which no contact touches.
#[derive(Clone)]
pub struct StepEquation<'a> {
    /// World of the step.
    pub(super) world: &'a World,
    /// State at the start, with the forces of joints at the end.
    pub(super) start: State,
    /// Forces of joints at the start (N), `[rows]`: an impact is new where a rope was slack.
    before: Vec<Vec2>,
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
    /// Pairs that are near, here and where vertices are by up to a margin of [`MARGIN`] elsewhere.
    pub(super) near: Arc<Near>,
    /// Pairs that are near at the start, for impacts; sought when they are asked for.
    near_start: Arc<OnceLock<Near>>,
    /// Rows of joints that slip, see [`Constraints::slips`]; empty if their residuals say so.
    slips: Vec<i8>,
    /// How the step ends.
    pub(super) course: Course,
}

/// How a step ends.
#[derive(Clone, Debug)]
pub(super) enum Course {
    /// At a given time, by the integrator.
    Step,
    /// At a given length, as an increment along a path of equilibria.
    Path(Metric),
    /// In equilibrium under the loads of its start, before the first step; velocities stay.
    Settling,
}

impl Course {
    /// The course of a step of a world from `start` to a state with the load time `end` (s).
    fn of_step(world: &World, start: &State, end: f64) -> Self {
        let Some(ArcLength { length }) = world.options.arc_length else {
            return Self::Step;
        };
        let targets = world.targets(&start.parameters, end, start.time, &start.q);
        Self::Path(Metric::of(&world.model, &targets, [length, world.h]))
    }

    /// The stage of a step from `start` that ends at the time `end` (s) if that is an unknown.
    fn stage(&self, world: &World, start: &State, end: f64) -> Stage {
        let span = |end| Span { end, h: world.h };
        let mut stage = match self {
            Self::Step => predict(world, start, &[], span((start.step + 1) as f64 * world.h)),
            Self::Path(_) => predict(world, start, &[], span(end)),
            Self::Settling => Statics.stage(world.departure(start, &[], span(start.time))),
        };
        if stage.beta.is_none() {
            stage.inertia = 0.0;
        }
        stage
    }
}

/// A place at which equations are evaluated.
pub(super) struct Place {
    /// Forces of joints (N), `[rows]`.
    pub(super) forces: Vec<Vec2>,
    /// Coordinates, `[nodes]`.
    pub(super) q: Vec<Vec2>,
    /// Load time (s), which counts along a path of equilibria only.
    pub(super) time: f64,
}

/// Pairs that are near.
///
/// They serve all evaluations around one end of a step, whose vertices move by less than the
/// margin.
#[derive(Debug)]
pub(super) struct Near {
    /// The pairs.
    pub(super) candidates: Candidates,
    /// Positions where they were sought (m), `[vertices]`.
    x: Vec<Vec2>,
    /// Largest motion of a vertex along an axis for which they suffice (m).
    margin: f64,
}

/// Contacts among pairs that are near.
///
/// # Errors
/// [`Refused::Step`] if something touches.
fn found(
    surface: &Surface,
    barriers: &Barriers,
    near: &Near,
    at: &Configuration,
    step: usize,
) -> Result<Contacts, Refused> {
    let contacts = Contacts::find(surface, barriers, &near.candidates, &at.x);
    contacts.map_err(|_| Refused::Step {
        step: step + 1,
        reason: "something touches where its numbers are varied",
    })
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
    /// Numbers of the plastic flow of all points at the end.
    pub flows: Vec<f64>,
    /// Excess of the squared length of an increment along a path (1); zero at its end, and without arc length.
    pub length: f64,
}

impl Values {
    /// No change of these values.
    pub fn zero(&self) -> Explicit {
        let zeros = |count: usize| vec![Vec2::zeros(); count];
        Explicit {
            slope: zeros(self.slope.len()),
            rows: zeros(self.rows.len()),
            targets: zeros(self.targets.len()),
            velocities: zeros(self.velocities.len()),
            anchors: vec![0.0; self.anchors.len()],
            flows: vec![0.0; self.flows.len()],
            length: 0.0,
        }
    }
}

impl Near {
    /// Pairs that are near at these positions.
    fn new(surface: &Surface, x: &[Vec2]) -> Self {
        // A world without contact reaches nowhere.
        let reach = surface.least_d_hat();
        let margin = if reach.is_finite() {
            MARGIN * reach
        } else {
            0.0
        };
        Self {
            candidates: Candidates::find(surface, x, |_| margin),
            x: x.to_vec(),
            margin: TRUSTED * margin,
        }
    }

    /// True if these pairs suffice for vertices at other positions.
    fn suffice(&self, x: &[Vec2]) -> bool {
        let mut pairs = self.x.iter().zip(x);
        self.x.len() == x.len() && pairs.all(|(a, b)| (a - b).amax() <= self.margin)
    }
}

/// In statics, gives forces at the ends of edges under pressure the edges at the end.
///
/// The solver repeats an increment until they agree, so that its end has this equation.
fn follow_to_end(world: &World, start: &State, stage: &mut Stage, at: &Configuration) {
    if stage.beta.is_none() && !stage.following.thrusts.elements.is_empty() {
        stage.following = world.loading.following(start, &at.x, stage.end);
    }
}

impl<'a> StepEquation<'a> {
    /// Equations of the step of a `world` from `start` to `end`, in which these pairs have `adapted` barriers, at
    /// the coordinates of the end, with its forces of joints, and along a path with its load time.
    ///
    /// # Errors
    /// [`Refused::Step`] if something touches there.
    pub fn new(
        world: &'a World,
        start: &State,
        adapted: &[AdaptedPair],
        end: &State,
    ) -> Result<Self, Refused> {
        let place = Place {
            forces: end.memory.multipliers.clone(),
            q: end.q.clone(),
            time: end.time,
        };
        let settles = end.step == start.step;
        Self::near(world, start, adapted, (place, settles), None)
    }

    /// The same equations of a world with other numbers, at the same coordinates, from a start with the
    /// same ones. Pairs of vertices that are near are not sought again.
    ///
    /// # Errors
    /// [`Refused::Step`] if something touches there.
    pub fn of_other<'b>(
        &self,
        world: &'b World,
        start: &State,
    ) -> Result<StepEquation<'b>, Refused> {
        let adapted = self.barriers.adapted();
        let place = Place {
            forces: self.start.memory.multipliers.clone(),
            q: self.iterate.at.q.clone(),
            time: self.stage.end,
        };
        let place = (place, self.settles());
        StepEquation::near(world, start, adapted, place, Some(&self.near))
    }

    /// The same equations at another place.
    ///
    /// # Errors
    /// [`Refused::Step`] if something touches there.
    pub(super) fn moved(&self, place: Place) -> Result<Self, Refused> {
        let Place {
            forces,
            mut q,
            time,
        } = place;
        let surface = &self.world.model.surface;
        let mut there = self.clone();
        if matches!(self.course, Course::Path(_)) {
            there.stage = self.course.stage(self.world, &self.start, time);
            there.prescribe(&mut q);
        }
        let at = Configuration::of(&self.world.model.coordinates, q);
        if !there.near.suffice(&at.x) {
            there.near = Arc::new(Near::new(surface, &at.x));
        }
        there.start.memory.multipliers = forces;
        follow_to_end(self.world, &there.start, &mut there.stage, &at);

        let step = self.start.step;
        let contacts = found(surface, &self.barriers, &there.near, &at, step)?;
        there.iterate = Iterate { at, contacts };
        Ok(there)
    }

    /// Equations of a step, by [`StepEquation::new`], and pairs that may be near.
    fn near(
        world: &'a World,
        start: &State,
        adapted: &[AdaptedPair],
        (place, settles): (Place, bool),
        near: Option<&Arc<Near>>,
    ) -> Result<Self, Refused> {
        let Place { forces, q, time } = place;
        let mut start = if settles {
            start.clone()
        } else {
            world.at_outset(start)
        };
        let course = if settles {
            Course::Settling
        } else {
            Course::of_step(world, &start, time)
        };
        let mut stage = course.stage(world, &start, time);
        let barriers = world.barriers.with(adapted);
        let table = friction(world, &start).into_owned();
        let joints = start.parameters.joints(&world.model.joints).into_owned();
        let before = std::mem::replace(&mut start.memory.multipliers, forces);

        let surface = &world.model.surface;
        let at = Configuration::of(&world.model.coordinates, q);
        follow_to_end(world, &start, &mut stage, &at);
        let near = match near.filter(|near| near.suffice(&at.x)) {
            Some(near) => Arc::clone(near),
            None => Arc::new(Near::new(surface, &at.x)),
        };
        let contacts = found(surface, &barriers, &near, &at, start.step)?;
        Ok(Self {
            near,
            near_start: Arc::default(),
            world,
            start,
            before,
            stage,
            barriers,
            table,
            joints,
            iterate: Iterate { at, contacts },
            slips: Vec::new(),
            course,
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
    ///
    /// The barriers and the forces of joints of this step stay, and rows slip as they do here.
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
        let adapted = self.barriers.adapted();
        let near = Some(&self.near);
        let place = Place {
            forces,
            q,
            time: self.stage.end,
        };
        let place = (place, self.settles());
        let there = Self::near(self.world, &start, adapted, place, near)?;
        let there = Self {
            before: self.before.clone(),
            near_start: Arc::clone(&self.near_start),
            ..there
        };
        Ok(there.slipping(&self.slips()))
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
        self.potential_with(&self.table)
    }

    /// Potential of the step with other coefficients of friction.
    fn potential_with(&self, table: &FrictionTable) -> Potential<'_> {
        let model = &self.world.model;
        Potential {
            model,
            stage: &self.stage,
            barriers: &self.barriers,
            friction: TangentFriction::lagged(model, &self.stage, table, &self.iterate),
            following: None,
            constraints: self.constraints(),
        }
    }

    /// Values of the equations. Velocities are those of the displacement, unless impacts count.
    pub fn values(&self, impacts: bool) -> Values {
        self.completed(self.balance(), impacts)
    }

    /// Values of the equations at a solution, where forces balance: prescribed components have their forces
    /// left out, too.
    ///
    /// Differences between scenes on both sides of this one need no forces here, and no others are as dear.
    pub fn values_without_forces(&self, impacts: bool) -> Values {
        self.completed(self.nothing(), impacts)
    }

    /// Values that are all zero, without anchors and flow.
    fn nothing(&self) -> Values {
        let nodes = self.iterate.at.q.len();
        let rows = self.joints.iter().map(|joint| joint.rows.len()).sum();
        let zeros = |count: usize| vec![Vec2::zeros(); count];
        Values {
            slope: zeros(nodes),
            rows: zeros(rows),
            targets: zeros(nodes),
            velocities: zeros(nodes),
            anchors: Vec::new(),
            flows: Vec::new(),
            length: 0.0,
        }
    }

    /// Adds velocities, anchors, flow and prescribed coordinates to the values of the balance of forces.
    ///
    /// Velocities are taken after impacts only if these count: they cost a problem of all contacts that hit.
    fn completed(&self, balance: Values, impacts: bool) -> Values {
        let mut values = balance;
        values.length = self.excess();
        let at = &self.iterate.at;
        values.velocities = if impacts {
            self.velocities().0
        } else {
            self.plain_velocities()
        };
        if self.table.sticks {
            let potential = self.potential();
            let y = potential.tangent_positions(at);
            let surface = &self.world.model.surface;
            let anchors = potential.friction.anchors(surface, &y);
            let slips = anchors.iter().map(|anchor| (anchor.vertices, anchor.slip));
            values.anchors = slips.collect();
        }

        values.flows = self.flow().iter().flat_map(Flow::numbers).collect();

        self.prescribe(&mut values.targets);
        values
    }

    /// Balance of forces and prescribed coordinates at the coordinates of the equation, with the loads of another time, later
    /// by `later` (s).
    pub(super) fn loaded(&self, later: f64) -> Values {
        let Iterate { at, contacts } = &self.iterate;
        let mut there = self.clone();
        let time = self.stage.end + later;
        there.stage = self.course.stage(self.world, &self.start, time);
        follow_to_end(self.world, &self.start, &mut there.stage, at);
        let mut values = self.nothing();
        values.slope = there.potential().slope(contacts, at);
        there.prescribe(&mut values.targets);
        values
    }

    /// Writes prescribed coordinates at the end of the step into `q`, `[nodes]`.
    pub(super) fn prescribe(&self, q: &mut [Vec2]) {
        let start = &self.start;
        let parameters = &start.parameters;
        let targets = self
            .world
            .targets(parameters, self.stage.end, start.time, &start.q);
        prescribe(&targets, q);
    }

    /// Change from the start of an increment along a path.
    pub(super) fn gone(&self) -> PathChange {
        let start = &self.start;
        PathChange::since((&start.q, start.time), &self.iterate.at.q, self.stage.end)
    }

    /// Excess of the squared length of an increment along a path (1).
    fn excess(&self) -> f64 {
        match &self.course {
            Course::Path(metric) => metric.excess(&self.gone()),
            Course::Step | Course::Settling => 0.0,
        }
    }

    /// Weights of the state at the start and of the one before in the reference of velocities.
    ///
    /// # Errors
    /// [`Refused::Option`] for an integrator whose steps have no derivative.
    pub(super) fn weights(&self) -> Result<[f64; 2], Refused> {
        let Self { world, start, .. } = self;
        let weights = match self.course {
            Course::Settling => Some([1.0, 0.0]),
            Course::Step | Course::Path(_) => world.integrator.reference_weights(start, world.h),
        };
        weights.ok_or_else(|| Refused::Option {
            option: "time.integrator".to_owned(),
            reason: "only implicit_euler, bdf2 and static have derivatives",
        })
    }

    /// True where bodies settle before the first step.
    pub(super) fn settles(&self) -> bool {
        matches!(self.course, Course::Settling)
    }

    /// Velocities at the end without impacts, `[nodes]`.
    fn plain_velocities(&self) -> Vec<Vec2> {
        match self.course {
            Course::Step | Course::Path(_) => self.stage.velocity(&self.iterate.at.q),
            Course::Settling => self.start.q_dot.clone(),
        }
    }

    /// Conditions of the materials in the step: its end, and the flow at its start.
    pub(super) fn conditions(&self) -> Conditions<'_> {
        Conditions {
            time: self.stage.end,
            flowed: &self.start.memory.options.plasticity.flowed,
        }
    }

    /// Plastic flow of all points at the end; empty if nothing flows.
    pub(super) fn flow(&self) -> Vec<Flow> {
        let model = &self.world.model;
        Materials::flow(model, self.conditions(), &self.iterate.at.x)
    }

    /// Values of the balance of forces and of the equations of joints; zero for all else.
    ///
    /// It is enough to correct coordinates, and costs no impacts and no anchors.
    pub(super) fn balance(&self) -> Values {
        let Iterate { at, contacts } = &self.iterate;
        let potential = self.potential();
        let mut values = self.nothing();
        for row in potential.constraints.closed_rows(&at.x) {
            let [first, second] = row.components.map(|is| if is { 1.0 } else { 0.0 });
            values.rows[row.number] = row.residual.component_mul(&Vec2::new(first, second));
        }
        values.slope = potential.slope(contacts, at);
        values.length = self.excess();
        values
    }

    /// Elastic part of the balance of forces (N s^2), `[nodes]`, with the materials of another world of the same mesh.
    ///
    /// If two worlds differ only by numbers of elastic laws, so do their equations.
    pub fn elastic_slope(&self, world: &World) -> Vec<Vec2> {
        let model = &world.model;
        let materials = Materials::of(model, self.conditions());
        let mut slope = materials.gradient(model, &self.iterate.at);
        slope.resize(self.iterate.at.q.len(), Vec2::zeros());
        for force in &mut slope {
            *force *= self.stage.elasticity;
        }
        slope
    }

    /// Friction in the balance of forces (N s^2), `[nodes]`, with the coefficients of another world.
    ///
    /// If two worlds differ only by coefficients of friction, so do their equations, unless impacts count.
    pub fn friction_slope(&self, world: &World) -> Vec<Vec2> {
        let at = &self.iterate.at;
        let potential = self.potential_with(&friction(world, &self.start));
        let mut by_x = vec![Vec2::zeros(); at.x.len()];
        let mut slope = vec![Vec2::zeros(); at.q.len()];
        potential.friction_gradient(&potential.tangent_positions(at), &mut by_x, &mut slope);
        slope
    }

    /// Velocities of coordinates at the end, after impacts, and the nodes of the bodies that were struck.
    ///
    /// Contacts of the start are found again, since impacts need the contacts that were there
    /// before.
    pub(super) fn velocities(&self) -> (Vec<Vec2>, bool) {
        let Iterate { at, contacts } = &self.iterate;
        let plain = self.plain_velocities();
        let options = &self.world.options;
        let looks_back = self.world.integrator.mixes_velocities();
        let lawless = !self.world.bounds_impacts() && options.restitution.is_absent();
        if self.stage.beta.is_none() || lawless && !looks_back {
            return (plain, false);
        }
        let potential = self.potential();
        let surface = &self.world.model.surface;
        let mut from = self.start.clone();
        from.memory.multipliers.clone_from(&self.before);
        let from = &from;

        // Contacts at the start, from which impacts tell new contacts.
        let near = self.near_start.get_or_init(|| Near::new(surface, &from.x));
        let found = if near.suffice(&from.x) {
            Contacts::find(surface, &self.barriers, &near.candidates, &from.x)
        } else {
            let candidates = Candidates::find(surface, &from.x, |_| 0.0);
            Contacts::find(surface, &self.barriers, &candidates, &from.x)
        };
        let outset = pressed(self.world, &self.table, from, &found.unwrap_or_default());
        let tangents = potential.tangent_positions(at);

        // Forces of equations are unknowns, also where an equation is not satisfied.
        let mut multipliers = potential.constraints.forces(&at.x);
        for row in potential.constraints.closed_rows(&at.x) {
            for component in (0..2).filter(|&component| row.components[component]) {
                multipliers[row.number][component] =
                    self.start.memory.multipliers[row.number][component];
            }
        }
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
