//! Derivatives of a step at its end, as maps of changes of states.
//!
//! The end of a step solves the balance of forces `f(q, s, p) = 0` (N s^2) for free coordinates
//! `q`, with the equations of joints `c(q, s, p) = 0` and their forces `l`; `s` is the state at
//! the start. To first order
//!
//! `[H C^T; C 0] [dq; dl] = -[f_s ds + f_p dp; c_s ds + c_p dp]`
//!
//! with the Hessian `H = df/dq`, friction included, and `C = dc/dq`. Friction makes `H`
//! unsymmetric: a normal force changes the friction, and friction does not change the normal
//! force alike. So the system is solved by GMRES. The preconditioner is the factor of the
//! symmetric part without friction, with the Schur complement of the joints (`Closing`).
//!
//! [`LinearStep::push_forward`] solves this system for a change of the start and of the
//! equations. [`LinearStep::pull_back`] solves the transposed one for derivatives of a number.
//! Each part of one has its transposed part in the other, so that both agree to rounding.

use super::closing::Closing;
use super::contact_slopes::{AnchorSlope, anchor_slopes};
use super::dyads::{Dyad, dyads};
use super::equation::{StepEquation, Values};
use super::fields::{add, along, flat, mask, unflat};
use super::flowing::Flowing;
use super::impact::Impact;
use super::joint_rows::{Rate, Row, rates, rows};
use super::path::PathSlope;
use super::refused::Refused;
use super::variation::{Explicit, Variation, dot, product};
use crate::body::Lattice;
use crate::solve::{
    Analysed, By, Failure, FrictionSlope, Iterate, LinearSystem, Potential, StageMatrix, Stiffened,
    TangentFriction, friction_slopes, gmres,
};
use crate::time::state::State;
use ipcsim_contact::Contacts;
use ipcsim_math::Vec2;
use std::sync::Arc;

/// Residual of a linear system relative to its right side, well below the accuracy of gradients.
const TOLERANCE: f64 = 1e-13;
/// Distance from the slip at which friction is fully developed, relative to it, that is near a kink.
const NEAR_KINK: f64 = 1e-2;
/// Residual of a correction, which others follow.
const OF_CORRECTION: f64 = 1e-3;

/// A step to first order.
///
/// It keeps the factor of its matrix, so that each further direction or number costs one
/// solution.
pub struct LinearStep {
    /// Hessian of all energies but friction, and its factor.
    pub(super) matrix: StageMatrix,
    /// Friction of each contact.
    pub(super) friction: Vec<FrictionSlope>,
    /// Factor of friction and joints in the potential (s^2).
    pub(super) contact: f64,
    /// Inertia times mass of each node (kg), `[nodes]`.
    pub(super) mass: Vec<Vec2>,
    /// Time `beta` (s); `None` in statics.
    pub(super) beta: Option<f64>,
    /// Weights of the state at the start and of the one before in the reference of velocities.
    pub(super) weights: [f64; 2],
    /// True where slip counts from the reference of velocities.
    pub(super) slips_from_reference: bool,
    /// Components that are prescribed, `[nodes]`.
    pub(super) fixed: Vec<[bool; 2]>,
    /// True for prescribed nodes that are taken along from where they are.
    pub(super) taken: Vec<bool>,
    /// Equations of joints, one for each component.
    pub(super) rows: Vec<Row>,
    /// Rows whose force or aim follows a rate.
    pub(super) rates: Vec<Rate>,
    /// Displacements by the forces of each equation, and the inverse of their openings.
    pub(super) closing: Closing,
    /// Anchors of the end by contact, with their numbers among those of the state.
    pub(super) anchors: Vec<AnchorSlope>,
    /// Velocities that impacts have changed.
    pub(super) impact: Impact,
    /// Loads and damping that the matrix lacks.
    pub(super) dyads: Vec<Dyad>,
    /// Plastic flow.
    pub(super) flowing: Flowing,
    /// Load time and length of an increment along a path.
    pub(super) path: Option<PathSlope>,
    /// True where bodies settle before the first step: velocities stay.
    pub(super) keeps_velocities: bool,
    /// Number of anchors at the start.
    pub(super) anchors_before: usize,
    /// Images of nodes in a scene that repeats.
    pub(super) lattice: Option<Arc<Lattice>>,
    /// Largest number of products of a solution so far.
    pub products: usize,
    /// Largest residual of a solution so far.
    pub residual: f64,
}

/// Parts of the derivative that are left out, to see how much they matter.
///
/// The default leaves nothing out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each part is left out by itself"
)]
pub struct Omitted {
    /// Friction.
    pub friction: bool,
    /// Contact, with its friction.
    pub contact: bool,
    /// Changes of velocities by impacts.
    pub impacts: bool,
    /// Derivatives of friction by the start of a step.
    pub start: bool,
}

impl Omitted {
    /// Derivatives of friction at the end of a step; none without friction or contact.
    ///
    /// # Errors
    /// The reason why friction has none.
    fn friction_of(
        self,
        equation: &StepEquation,
        potential: &Potential,
    ) -> Result<Vec<FrictionSlope>, &'static str> {
        if self.friction || self.contact {
            return Ok(Vec::new());
        }
        let by = if self.start { By::End } else { By::All };
        let Iterate { at, contacts } = &equation.iterate;
        friction_slopes(potential, &equation.table, contacts, at, by)
    }

    /// Impacts of a step; none if they are left out.
    ///
    /// # Errors
    /// [`Refused`] at a jump of velocities.
    fn impact_of(
        self,
        equation: &StepEquation,
        end: &State,
        rows: &[Row],
        friction: &[FrictionSlope],
    ) -> Result<Impact, Refused> {
        if self.impacts {
            return Ok(Impact::default());
        }
        Impact::of(equation, end, rows, friction)
    }

    /// Symmetric matrix of a step, with or without contacts and friction, for rows of joints and fixed components.
    ///
    /// # Errors
    /// [`Failure`] of the factorisation.
    fn matrix_of(
        self,
        equation: &StepEquation,
        potential: Potential,
        (rows, fixed): (&[Row], &[[bool; 2]]),
        earlier: Option<StageMatrix>,
    ) -> Result<StageMatrix, Failure> {
        let mut potential = potential;
        let none = Contacts::default();
        let Iterate { at, contacts } = &equation.iterate;
        let contacts = if self.contact { &none } else { contacts };
        if self.friction || self.contact {
            potential.friction = TangentFriction::default();
        }

        // At rest nothing but joints may hold a body.
        let is_at_rest = equation.stage.beta.is_none();
        let stiffened = rows.iter().filter(|_| is_at_rest).map(|row| Stiffened {
            by: &row.by,
            stiffness: row.mass,
        });
        let stiffened: Vec<Stiffened> = stiffened.collect();
        let analysed = Analysed {
            stiffened: &stiffened,
            candidates: &equation.near.candidates,
            linear: equation.world.newton.linear,
            earlier,
        };
        StageMatrix::of(&mut potential, contacts, at, fixed, analysed)
    }

    /// Plastic flow of a step; none without derivatives by its start.
    fn flow_of(self, equation: &StepEquation) -> Flowing {
        if self.start {
            return Flowing::default();
        }
        Flowing::of(equation)
    }
}

/// Derivatives of a number by the equations of a step.
///
/// They are the multipliers of the transposed system. Their product with the change of the
/// equations by a parameter is the part of this step in the derivative by that parameter.
#[derive(Clone, Debug)]
pub struct Adjoint {
    /// By the balance of forces.
    pub slope: Vec<Vec2>,
    /// By residuals of the rows of joints, `[rows]`.
    pub rows: Vec<Vec2>,
    /// By prescribed coordinates.
    pub targets: Vec<Vec2>,
    /// By velocities that impacts have changed.
    pub velocities: Vec<Vec2>,
    /// By the slip of anchors at the end.
    pub anchors: Vec<f64>,
    /// By the numbers of the plastic flow at the end.
    pub flows: Vec<f64>,
    /// By the squared length of an increment along a path.
    pub length: f64,
}

impl Adjoint {
    /// Derivative along a change of the equations.
    pub fn dot(&self, change: &Explicit) -> f64 {
        dot(&self.slope, &change.slope)
            + dot(&self.rows, &change.rows)
            + dot(&self.targets, &change.targets)
            + dot(&self.velocities, &change.velocities)
            + product(&self.anchors, &change.anchors)
            + product(&self.flows, &change.flows)
            + self.length * change.length
    }
}

impl LinearStep {
    /// Derivatives of a step at its end.
    ///
    /// # Errors
    /// [`Refused`], with the reason.
    pub fn new(equation: &StepEquation, end: &State) -> Result<Self, Refused> {
        Self::without(equation, end, Omitted::default(), None)
    }

    /// Derivatives of a step at its end, without some parts. The matrix of another step gives its pattern
    /// and its memory, if this one's fits in.
    ///
    /// `equation` must be at the coordinates of `end`, where its forces balance.
    ///
    /// # Errors
    /// [`Refused`], with the reason.
    pub fn without(
        equation: &StepEquation,
        end: &State,
        omitted: Omitted,
        earlier: Option<StageMatrix>,
    ) -> Result<Self, Refused> {
        let model = &equation.world.model;
        let stage = &equation.stage;
        let start = &equation.start;
        let step = end.step;
        let weights = equation.weights()?;
        let at = &equation.iterate.at;
        let potential = equation.potential();

        // Friction contact by contact; it fails where a contact has no derivative.
        let friction = omitted.friction_of(equation, &potential);
        let friction = friction.map_err(|reason| Refused::Step { step, reason })?;

        // The equations of joints, and the rows that follow rates.
        let (fixed, taken) = prescribed(equation);
        let closed = potential.constraints.closed_rows(&at.x);
        let rows = rows(model, at, &closed);
        let rates = rates(equation, &potential.constraints, &rows, weights);

        // The symmetric matrix, and its factor.
        let matrix = omitted.matrix_of(equation, potential, (&rows, &fixed), earlier);
        let mut matrix = matrix.map_err(|failure| Refused::Matrix { step, failure })?;
        let closing = Closing::of(&mut matrix, &rows, &fixed);
        let anchors = anchor_slopes(&friction, end);
        let impact = omitted.impact_of(equation, end, &rows, &friction)?;
        let mut linear = Self {
            path: None,
            keeps_velocities: equation.settles(),
            impact,
            dyads: dyads(equation, weights),
            flowing: omitted.flow_of(equation),
            matrix,
            contact: stage.contact,
            mass: model.mass.iter().map(|m| m * stage.inertia).collect(),
            beta: stage.beta,
            weights,
            slips_from_reference: stage.slip.is_none(),
            fixed,
            taken,
            rows,
            rates,
            closing,
            anchors,
            lattice: model.coordinates.lattice().cloned(),
            anchors_before: start.memory.options.sticking.anchors.len(),
            friction,
            products: 0,
            residual: 0.0,
        };
        linear.path = PathSlope::of(equation).map(|path| linear.solved_path(path));
        Ok(linear)
    }

    /// A path with prescribed coordinates that move with the load time, and its displacements.
    fn solved_path(&mut self, mut path: PathSlope) -> PathSlope {
        add(&mut path.by_time, 1.0, &self.hessian(&path.moved));
        path.solve(|force| self.displaced(force));
        path
    }

    /// The matrix, for another step.
    pub fn into_matrix(self) -> StageMatrix {
        self.matrix
    }

    /// Number of contacts that are about to slide or to stick: there the slip of an anchor has a kink, and
    /// the derivative is the one of the side where the contact is. An impact at a kink counts as one, with the
    /// mean of both sides.
    pub fn kinks(&self) -> usize {
        let near = self.friction.iter().filter(|contact| {
            let [slid, full] = contact.slid;
            contact.anchored.is_some() && (slid.abs() - full).abs() < NEAR_KINK * full
        });
        near.count() + usize::from(self.impact.kinks > 0)
    }

    /// True if impacts have changed velocities.
    pub fn has_impacts(&self) -> bool {
        !self.impact.changed.is_empty()
    }

    /// Correction of free coordinates, of the forces of joints (N), `[rows]`, and of the load time of a path (s), that takes
    /// the values of the equations to zero.
    ///
    /// It is one step of Newton's method with the derivative of friction. Its residual is only
    /// `OF_CORRECTION` of the right side, since the next correction removes the rest.
    pub fn correction(&mut self, values: &Values) -> (Vec<Vec2>, Vec<Vec2>, f64) {
        let openings = self.rows.iter();
        let openings = openings.map(|row| values.rows[row.place.0][row.place.1]);
        let openings: Vec<f64> = openings.collect();
        let right = self.right(&values.slope, &openings, values.length);
        let Unknowns {
            q: way,
            forces: changes,
            time,
        } = self.solved(&right, false, OF_CORRECTION);

        // Unknown forces have the factor of contact.
        let mut forces = vec![Vec2::zeros(); values.rows.len()];
        for (row, change) in self.rows.iter().zip(&changes) {
            forces[row.place.0][row.place.1] += change / self.contact;
        }
        (way, forces, time)
    }

    /// Change of the end of the step by a change of its start and of its equations, and of the balance of
    /// forces (N s^2) on prescribed components, `[nodes]`.
    ///
    /// The second result is the change of the forces that hold prescribed components: the
    /// residual of the balance there.
    pub fn push_forward(&mut self, from: &Variation, change: &Explicit) -> (Variation, Vec<Vec2>) {
        let nodes = from.q.len();

        // Prescribed coordinates first.
        let mut q = change.targets.clone();
        for (node, q) in q.iter_mut().enumerate() {
            if self.taken[node] {
                *q += from.q[node];
            }
            mask(q, self.fixed[node], true);
        }
        self.follow_images(&mut q);

        // What they and the start make of the equations.
        let mut slope = change.slope.clone();
        add(&mut slope, 1.0, &self.hessian(&q));
        self.add_by_start(from, &mut slope);
        let mut openings = self.openings(&q);
        for (opening, row) in openings.iter_mut().zip(&self.rows) {
            let (number, component) = row.place;
            *opening += change.rows[number][component];
        }
        for rate in &self.rates {
            let moved = along(&rate.by[0], &from.q) + along(&rate.by[1], &from.past_q);
            if let Some(equation) = rate.equation {
                openings[equation] += rate.aim * moved;
            }
            for (node, by) in &rate.slope {
                slope[*node] += by * (self.contact * moved);
            }
        }

        // Free coordinates balance it.
        self.fold_images(&mut slope);

        // The length of an increment counts from its start.
        let by_start = self.path.as_ref().map_or(0.0, |path| path.by_start(from));
        let right = self.right(&slope, &openings, change.length - by_start);
        let Unknowns {
            q: free,
            forces,
            time,
        } = self.solved(&right, false, TOLERANCE);
        add(&mut q, 1.0, &free);
        add(&mut slope, 1.0, &self.hessian(&free));
        if let Some(path) = &self.path {
            add(&mut q, time, &path.moved);
            add(&mut slope, time, &path.by_time);
        }
        self.add_openings_transposed(&forces, &mut slope);

        let mut to = Variation::zero(nodes, change.anchors.len(), change.flows.len());
        self.follow(from, change, (&q, &forces), &mut to);
        to.time = time;

        // The start becomes the state before.
        to.past_q.clone_from(&from.q);
        to.past_q_dot.clone_from(&from.q_dot);
        to.q = q;
        (to, slope)
    }

    /// Derivatives of a number by the start of the step and by its equations, from those by its end and
    /// by the balance of forces on prescribed components.
    ///
    /// It is the transposed of [`LinearStep::push_forward`]: the order of its stages is reversed.
    pub fn pull_back(&mut self, to: &Variation, held: &[Vec2]) -> (Variation, Adjoint) {
        // The state before the end is the start of this step.
        let nodes = to.q.len();
        let mut from = Variation::zero(nodes, self.anchors_before, 0);
        from.q.clone_from(&to.past_q);
        from.q_dot.clone_from(&to.past_q_dot);
        let mut q = to.q.clone();

        let mut forces = vec![0.0; self.rows.len()];
        let velocities = self.velocities_back(to, &mut q, &mut from, &mut forces);
        let [mut of_start, mut of_past] = self.anchors_back(to, &mut q, &mut from);
        from.flows = self.flowing.end_transposed(&to.flows, &mut q);

        // The transposed equations, and what holds prescribed components.
        self.fold_images(&mut q);
        let mut held = held.to_vec();
        for (held, fixed) in held.iter_mut().zip(&self.fixed) {
            mask(held, *fixed, true);
        }
        self.follow_images(&mut held);
        let by_time = self.path.as_ref().map_or(0.0, |path| {
            to.time + dot(&path.moved, &q) + dot(&path.by_time, &held)
        });
        if held.iter().any(|force| *force != Vec2::zeros()) {
            add(&mut q, 1.0, &self.hessian_transposed(&held));
        }
        for (force, opening) in forces.iter_mut().zip(self.openings(&held)) {
            *force = *force / self.contact + opening;
        }
        let right = self.right(&q, &forces, by_time);
        let Unknowns {
            q: mut slope,
            forces: openings,
            time: length,
        } = self.solved(&right, true, TOLERANCE);

        // Prescribed coordinates.
        let mut by_hessian = self.hessian_transposed(&slope);
        self.add_openings_transposed(&openings, &mut by_hessian);
        add(&mut q, 1.0, &by_hessian);
        for (node, q) in q.iter_mut().enumerate() {
            mask(q, self.fixed[node], true);
            if self.taken[node] {
                from.q[node] += *q;
            }
        }

        // The start.
        add(&mut slope, 1.0, &held);
        self.add_to_start(&slope, &mut from, [&mut of_start, &mut of_past]);
        self.rates_back(&slope, &openings, &mut from);
        self.add_slip_origins(&of_start, &of_past, &mut from);
        if let Some(path) = &self.path {
            path.add_to_start(length, &mut from);
        }
        for field in from.fields() {
            self.fold_images(field);
        }

        let adjoint = Adjoint {
            slope,
            rows: self.by_rows(&openings),
            targets: q,
            velocities,
            anchors: to.anchors.clone(),
            flows: to.flows.clone(),
            length,
        };
        (from, adjoint)
    }

    /// Multipliers of all equations of joints by the numbers of rows.
    ///
    /// Rows without an equation, as of a motor at its bound, have 0.
    fn by_rows(&self, multipliers: &[f64]) -> Vec<Vec2> {
        let count = self.rows.iter().map(|row| row.place.0 + 1).max();
        let mut by_rows = vec![Vec2::zeros(); count.unwrap_or(0)];
        for (row, multiplier) in self.rows.iter().zip(multipliers) {
            by_rows[row.place.0][row.place.1] = *multiplier;
        }
        by_rows
    }

    /// Makes images follow in a change of coordinates, or in multipliers of forces, `[nodes]`.
    fn follow_images(&self, of_nodes: &mut [Vec2]) {
        if let Some(lattice) = &self.lattice {
            lattice.follow(of_nodes);
        }
    }

    /// Gives derivatives by images to what they follow, `[nodes]`.
    fn fold_images(&self, by_nodes: &mut [Vec2]) {
        if let Some(lattice) = &self.lattice {
            lattice.fold(by_nodes);
        }
    }

    /// Product of the derivative of the balance of forces by coordinates with a change of these.
    ///
    /// The symmetric matrix comes from the solver, and friction is added contact by contact.
    fn hessian(&self, q: &[Vec2]) -> Vec<Vec2> {
        let mut product = self.matrix.times(q);
        for contact in &self.friction {
            let by = contact.times(&contact.by_end, q);
            for (by, &node) in by.iter().zip(&contact.nodes) {
                product[node] += by * self.contact;
            }
        }
        for dyad in &self.dyads {
            dyad.add_by_end(q, &mut product);
        }
        self.fold_images(&mut product);
        product
    }

    /// Displacements of free coordinates by forces, `[nodes]`, with the factor of the matrix.
    fn displaced(&mut self, forces: &[Vec2]) -> Vec<Vec2> {
        let mut free = forces.to_vec();
        for (force, fixed) in free.iter_mut().zip(&self.fixed) {
            mask(force, *fixed, false);
        }
        self.matrix.solve(&free)
    }

    /// Product of the transposed derivative.
    fn hessian_transposed(&self, slope: &[Vec2]) -> Vec<Vec2> {
        let mut product = self.matrix.times(slope);
        for contact in &self.friction {
            contact.add_transposed(&contact.by_end, self.contact, slope, &mut product);
        }
        for dyad in &self.dyads {
            dyad.add_to_end(slope, &mut product);
        }
        self.fold_images(&mut product);
        product
    }

    /// Openings of the equations of joints by a change of coordinates.
    ///
    /// The unit is m, or rad of equations of angles.
    fn openings(&self, q: &[Vec2]) -> Vec<f64> {
        self.rows.iter().map(|row| along(&row.by, q)).collect()
    }

    /// Adds the transposed of [`LinearStep::openings`].
    fn add_openings_transposed(&self, openings: &[f64], out: &mut [Vec2]) {
        for (row, opening) in self.rows.iter().zip(openings) {
            for (node, by) in &row.by {
                out[*node] += by * *opening;
            }
        }
    }

    /// Solution of the linearised equations, or of the transposed ones, for free coordinates and forces
    /// of joints.
    ///
    /// Prescribed components of the right side count as 0. The largest residual and number of
    /// products are kept, to be judged by tests.
    fn solved(&mut self, right: &[f64], transposed: bool, tolerance: f64) -> Unknowns {
        let nodes = self.fixed.len();
        let mut right = right.to_vec();
        for (node, fixed) in self.fixed.iter().enumerate() {
            for axis in (0..2).filter(|&axis| fixed[axis]) {
                right[2 * node + axis] = 0.0;
            }
        }
        let mut system = Transposable {
            step: self,
            transposed,
        };
        let solution = gmres(&mut system, &right, tolerance);
        self.products = self.products.max(solution.products);
        self.residual = self.residual.max(solution.residual);
        Unknowns::of(&solution.x, nodes, self.rows.len())
    }

    /// The right side that takes these values of the equations to zero: of the balance of forces, of the openings of joints, and of the
    /// length of an increment along a path.
    fn right(&self, slope: &[Vec2], openings: &[f64], length: f64) -> Vec<f64> {
        let mut right = flat(slope, openings);
        right.extend(self.path.is_some().then_some(length));
        for b in &mut right {
            *b = -*b;
        }
        right
    }
}

/// Solution of the linearised equations.
struct Unknowns {
    /// Free coordinates, `[nodes]`.
    q: Vec<Vec2>,
    /// Forces of joints times the factor of contact, one for each equation.
    forces: Vec<f64>,
    /// Load time of a path (s); 0 without arc length.
    time: f64,
}

impl Unknowns {
    /// The unknowns of a list of numbers.
    fn of(numbers: &[f64], nodes: usize, rows: usize) -> Self {
        let (q, others) = numbers.split_at(2 * nodes);
        let (forces, time) = others.split_at(rows);
        Self {
            q: unflat(q),
            forces: forces.to_vec(),
            time: time.first().copied().unwrap_or(0.0),
        }
    }
}

/// The linearised equations, or the transposed ones.
///
/// The equations of joints are symmetric, so that only the product with the Hessian differs.
struct Transposable<'a> {
    step: &'a mut LinearStep,
    transposed: bool,
}

impl LinearSystem for Transposable<'_> {
    fn times(&mut self, x: &[f64]) -> Vec<f64> {
        let step = &*self.step;
        let Unknowns { q, forces, time } = Unknowns::of(x, step.fixed.len(), step.rows.len());
        let mut product = if self.transposed {
            step.hessian_transposed(&q)
        } else {
            step.hessian(&q)
        };
        // Joints have the factor of contact: their forces are unknown times it.
        step.add_openings_transposed(&forces, &mut product);

        // The load time of a path, and the length of its increment.
        let border = step.path.as_ref().map(|path| {
            let [column, row] = path.border(self.transposed);
            add(&mut product, time, column);
            dot(row, &q) + path.of_time * time
        });
        for (product, fixed) in product.iter_mut().zip(&step.fixed) {
            mask(product, *fixed, false);
        }
        let mut product = flat(&product, &step.openings(&q));
        product.extend(border);
        product
    }

    fn solve(&mut self, b: &[f64]) -> Vec<f64> {
        let step = &mut *self.step;
        let Unknowns {
            q: forces,
            forces: openings,
            time: length,
        } = Unknowns::of(b, step.fixed.len(), step.rows.len());
        let mut q = forces;

        // What joints hold has a stiffness, which acts where they open.
        if step.beta.is_none() {
            for (row, opening) in step.rows.iter().zip(&openings) {
                for (node, by) in &row.by {
                    q[*node] += by * (row.mass * opening);
                }
            }
        }
        let mut q = step.displaced(&q);

        // Forces of joints close what the free solution leaves open.
        let missing: Vec<f64> = step
            .openings(&q)
            .iter()
            .zip(openings)
            .map(|(open, wanted)| open - wanted)
            .collect();
        let lambda = step.closing.forces(&missing);
        for (way, lambda) in step.closing.ways.iter().zip(&lambda) {
            add(&mut q, -lambda, way);
        }

        // The load time gives the increment its length; paths have no joints with equations.
        let time = step
            .path
            .as_ref()
            .map(|path| path.close(self.transposed, &mut q, length));
        let mut x = flat(&q, &lambda);
        x.extend(time);
        x
    }
}

/// Prescribed components at the end of a step, and nodes that are taken along from where they are.
fn prescribed(equation: &StepEquation) -> (Vec<[bool; 2]>, Vec<bool>) {
    let StepEquation {
        world,
        stage,
        start,
        ..
    } = equation;
    let count = start.q.len();
    let mut fixed = vec![[false; 2]; count];
    let mut taken = vec![false; count];
    for target in world.targets(&start.parameters, stage.end, start.time, &start.q) {
        for axis in (0..2).filter(|&axis| target.axes[axis]) {
            fixed[target.node][axis] = true;
        }
    }

    // The number next to an angle has no meaning, and nothing resists it.
    let at = &equation.iterate.at;
    let by_x = vec![Vec2::zeros(); at.x.len()];
    for (angle, _) in world.model.coordinates.curvatures(at, &by_x) {
        fixed[angle][1] = true;
    }
    for prescribed in &world.prescribed {
        taken[prescribed.node] |= prescribed.from > 0.0 && prescribed.is_active(stage.end);
    }
    (fixed, taken)
}
