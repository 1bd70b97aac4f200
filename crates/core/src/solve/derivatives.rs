//! Derivatives of the whole potential with respect to coordinates, with every kind of body in
//! contact with every other: value against gradient against matrix, by differences.
//!
//! Three comparisons are made at a random state near contact. The gradient must be the central
//! difference of the value. The assembled matrix must be the sum of all Hessians between Jacobians
//! by differences. Projection must only add to the difference of gradients. The matrix is compared
//! through the solutions of the solver's own system, for several sets of fixed components.

mod cluster;
mod differences;

use super::materials::Materials;
use super::model::Model;
use super::potential::{Gradient, Potential};
use super::stage::Stage;
use super::system::System;
use super::tangent_friction::TangentFriction;
use super::timings::Timings;
use crate::body::Configuration;
use crate::constraint::{Constraints, WarmStart};
use cluster::Cluster;
use differences::{Noise, around, configuration, dense, flat, jacobian};
use ipcsim_contact::barrier::{Barrier, BarrierShape};
use ipcsim_contact::{Barriers, Candidates, Contacts, Friction, FrictionTable, Lag};
use ipcsim_energy::{
    Before, Curvature, Dampers, Dashpot, Dissipation, Following, Lever, Pressed, Reference, Thrust,
};
use ipcsim_math::{Mat2, Vec2, cross};
use ipcsim_sparse::LinearSolver;
use nalgebra::{DMatrix, DVector, Matrix3};

/// A potential and where its derivatives are taken.
struct Case<'a> {
    /// Potential with all kinds of energies.
    potential: Potential<'a>,
    /// Pairs that may come near around the configuration.
    candidates: Candidates,
    /// Configuration at which derivatives are taken.
    at: Configuration,
}

impl Case<'_> {
    /// Contacts at a configuration.
    fn contacts(&self, at: &Configuration) -> Contacts {
        Contacts::find(
            &self.potential.model.surface,
            self.potential.barriers,
            &self.candidates,
            &at.x,
        )
        .unwrap()
    }

    /// Potential at the coordinates `q` (J s^2).
    fn value(&self, q: Vec<Vec2>) -> f64 {
        let at = configuration(&self.potential.model.coordinates, q);
        self.potential.value(&self.contacts(&at), &at)
    }

    /// Derivatives of the potential at the coordinates `q`.
    fn gradient(&self, q: Vec<Vec2>) -> Gradient {
        let at = configuration(&self.potential.model.coordinates, q);
        let mut gradient = Gradient {
            x: vec![Vec2::zeros(); at.x.len()],
            q: vec![Vec2::zeros(); at.q.len()],
        };
        self.potential
            .gradient(&self.contacts(&at), &at, &mut gradient);
        gradient
    }

    /// Hessian of the potential by central differences of the gradient, without projection.
    fn hessian_by_differences(&self) -> DMatrix<f64> {
        let step = 1e-6;
        let columns = (0..2 * self.at.q.len()).map(|k| {
            let [after, before] = around(&self.at.q, k, step, |q| flat(&self.gradient(q).q));
            (after - before) / (2.0 * step)
        });
        DMatrix::from_columns(&columns.collect::<Vec<_>>())
    }

    /// Mass, Hessians of all energies between Jacobians by differences, and the curvature of arcs
    /// by second differences of positions.
    fn matrix_by_differences(&self, curvature: Curvature) -> DMatrix<f64> {
        let Self { potential, at, .. } = self;
        let Stage {
            elasticity,
            contact,
            inertia,
            reference,
            following,
            damping,
            ..
        } = potential.stage;
        let model = potential.model;
        let contacts = self.contacts(at);
        let mut full = DMatrix::from_diagonal(&(flat(&model.mass) * *inertia));

        // Elasticity and contacts between Jacobians at this state.
        let now = jacobian(&model.coordinates, &at.q);
        for energy in potential.elastic() {
            let own = dense(energy, &at.x, curvature);
            full += now.transpose() * own * &now * *elasticity;
        }
        for load in following.energies() {
            let own = dense(load, &at.x, curvature);
            full += now.transpose() * own * &now * *elasticity;
        }
        for damper in damping.energies() {
            let own = dense(damper, &at.x, curvature);
            full += now.transpose() * own * &now * *elasticity;
        }
        let joined = dense(potential.constraints.energy(), &at.x, Curvature::Projected);
        full += now.transpose() * joined * &now * *contact;
        for part in contacts.energies() {
            let own = dense(part, &at.x, curvature);
            full += now.transpose() * own * &now * *contact;
        }

        // Friction between Jacobians at the reference.
        let then = jacobian(&model.coordinates, &reference.q);
        let y = configuration(&model.coordinates, reference.q.clone()).x;
        let slid = &then * (flat(&at.q) - flat(&reference.q)) + flat(&y);
        let y: Vec<Vec2> = slid
            .as_slice()
            .chunks(2)
            .map(Vec2::from_column_slice)
            .collect();
        for part in potential.friction.energies() {
            let own = dense(part, &y, Curvature::Projected);
            full += then.transpose() * own * &then * *contact;
        }
        for energy in &model.own {
            full += dense(energy.as_ref(), &at.q, curvature) * *elasticity;
        }
        full += dense(&damping.nodes, &at.q, curvature) * *elasticity;

        self.add_arcs(curvature, &mut full);
        full
    }

    /// Adds the curvature of the arcs on which vertices of rigid bodies move, by second differences
    /// of the work of forces. Projection limits it to a share of the inertia.
    fn add_arcs(&self, curvature: Curvature, full: &mut DMatrix<f64>) {
        let Self { potential, at, .. } = self;
        let model = potential.model;
        let step = 1e-4;
        let forces = flat(&self.gradient(at.q.clone()).x);
        let work = |q: Vec<Vec2>| flat(&configuration(&model.coordinates, q).x).dot(&forces);

        let middle = work(at.q.clone());
        for k in 0..2 * at.q.len() {
            let [after, before] = around(&at.q, k, step, work);
            let bend = (after - 2.0 * middle + before) / (step * step);
            let least = if curvature == Curvature::Exact {
                bend
            } else {
                -0.9 * model.mass[k / 2][k % 2] * potential.stage.inertia
            };
            full[(k, k)] += bend.max(least);
        }
    }

    /// Solution of the solver's system for `right_side`, with the sign of a Newton direction.
    fn direction(
        &self,
        curvature: Curvature,
        fixed: &[[bool; 2]],
        right_side: &[Vec2],
    ) -> Vec<Vec2> {
        // A system whose pattern has a place for every block.
        let contacts = self.contacts(&self.at);
        let model = self.potential.model;
        let changing = self.potential.changing(&contacts);
        let fixed_pairs = model.energies.iter().flat_map(|energy| energy.blocks());
        let changing_pairs = changing.iter().flat_map(|energy| energy.blocks());
        let joined = self.potential.constraints.energy().blocks();
        let pairs = fixed_pairs.chain(changing_pairs).chain(joined);
        let pairs: Vec<[usize; 2]> = pairs.collect();
        let mut system = System::new(
            model,
            fixed,
            &pairs,
            LinearSolver::default(),
            &mut Timings::default(),
        )
        .unwrap();
        assert!(system.fits(&model.coordinates, fixed, &changing, &[]));

        // Assembly, factorisation and solution as in an iteration.
        let gradient = self.gradient(self.at.q.clone());
        system.assemble(&self.potential, &contacts, &self.at, curvature, &gradient.x);
        system.isolate_fixed();
        system.factorise(&mut Timings::default()).unwrap();
        let mut p = vec![Vec2::zeros(); right_side.len()];
        system.direction(right_side, &mut p);
        p
    }

    /// Compares derivatives at the case, and solutions for each set of `fixed` components.
    fn check(&self, curvature: Curvature, fixed: &[Vec<[bool; 2]>]) {
        // Gradient against differences of the value.
        let gradient = flat(&self.gradient(self.at.q.clone()).q);
        for k in 0..gradient.len() {
            let [after, before] = around(&self.at.q, k, 2e-6, |q| self.value(q));
            let error = (after - before) / 4e-6 - gradient[k];
            assert!(
                error.abs() < 1e-7 * gradient.amax(),
                "component {k}: {error} of {}",
                gradient[k]
            );
        }

        // Projection only adds.
        let matrix = self.matrix_by_differences(curvature);
        let unprojected = self.hessian_by_differences();
        assert!((&unprojected - unprojected.transpose()).amax() < 1e-7 * matrix.amax());
        let added = &matrix - &unprojected;
        let least = (&added + added.transpose()).symmetric_eigenvalues().min();
        assert!(
            least > -1e-5 * matrix.amax(),
            "{least} of {}",
            matrix.amax()
        );
        let has_projected =
            curvature == Curvature::Projected || !self.potential.model.energies.is_empty();
        assert!(
            has_projected || added.amax() < 1e-5 * matrix.amax(),
            "{}",
            added.amax()
        );

        for fixed in fixed {
            self.check_solution(curvature, fixed, &gradient, &matrix);
        }
    }

    /// Compares the solution of the solver's system without `fixed` components with the solution of
    /// the full `matrix`.
    fn check_solution(
        &self,
        curvature: Curvature,
        fixed: &[[bool; 2]],
        gradient: &DVector<f64>,
        matrix: &DMatrix<f64>,
    ) {
        let free: Vec<usize> = (0..gradient.len())
            .filter(|k| !fixed[k / 2][k % 2])
            .collect();
        let wanted: Vec<f64> = free.iter().map(|&k| gradient[k]).collect();
        let block = matrix.select_rows(&free).select_columns(&free);
        let right_side: Vec<Vec2> = gradient
            .as_slice()
            .chunks(2)
            .map(Vec2::from_column_slice)
            .collect();

        // Both solutions, on the free components.
        let p = flat(&self.direction(curvature, fixed, &right_side));
        let expected = -block.lu().solve(&DVector::from_vec(wanted)).unwrap();
        let found = DVector::from_iterator(free.len(), free.iter().map(|&k| p[k]));
        let error = (&found - &expected).amax() / expected.amax();
        assert!(error < 1e-5, "{} free components: {error}", free.len());
    }
}

#[test]
fn derivatives_match_differences_where_all_kinds_of_bodies_touch() {
    let mut noise = Noise(1);
    let mut other_noise = Noise(2);
    let log = BarrierShape::Log;
    let clamped = BarrierShape::ClampedLog;

    // An exact matrix is positive definite where steps are short.
    let projected = (Curvature::Projected, 0.7);
    let exact = (Curvature::Exact, 0.1);
    for (shape, slip, (curvature, h), elastic) in [
        (log, 0.01, projected, true),
        (clamped, 0.03, projected, true),
        (clamped, 0.1, projected, true),
        (log, 0.05, exact, true),
        (clamped, 0.03, exact, false),
        (log, 0.1, exact, false),
    ] {
        let (model, q) = Cluster::of_all_kinds().model(elastic);
        let reference = configuration(&model.coordinates, noise.shaken(&q, 0.03));
        let at = configuration(&model.coordinates, noise.shaken(&reference.q, 0.02));
        let predicted = configuration(&model.coordinates, noise.shaken(&q, 0.1));

        // The factors of elasticity and contact differ, some loads are not carried by inertia.
        let none = vec![Vec2::zeros(); q.len()];
        let stage = Stage {
            predicted,
            pull: other_noise.shaken(&none, 0.5),
            residuals: Vec::new(),
            slip_time: slip,
            following: following(&model, &reference.x),
            damping: damping(&model, &reference.x, &reference.q, h),
            ..stage(h, reference)
        };

        // Contacts around the state, and friction lagged at the reference.
        let barriers = Barriers::from(Barrier { shape, kappa: 7.0 });
        let candidates = Candidates::find(&model.surface, &at.x, |_| 0.2);
        let mut potential = Potential {
            constraints: Constraints::new(
                &model.joints,
                &WarmStart {
                    forces: &[Vec2::new(30.0, -20.0)],
                    scale: 1e3,
                    ..WarmStart::START
                },
            ),
            model: &model,
            stage: &stage,
            barriers: &barriers,
            friction: TangentFriction {
                friction: lagged(&model, &stage, &barriers, &candidates),
                at: None,
            },
            following: None,
        };
        potential.follow(&at, &none);
        let case = Case {
            potential,
            candidates,
            at,
        };
        case.check(curvature, &fixed_sets(q.len()));
    }
}

/// Loads that follow bodies: pressure on all edges, which pushes or pulls, and a lever and a lagged
/// force on some.
fn following(model: &Model, x: &[Vec2]) -> Following {
    let mut following = Following::default();
    let edges = model.surface.edges.iter().filter(|[a, b]| a != b);
    for (load, &[a, b]) in edges.enumerate() {
        let half = 0.3 * (load as f64).sin();
        let start = [x[a], x[b]];
        let origin = x[0];
        following.pressed.push(
            [a, b],
            Pressed {
                half,
                origin,
                start,
                load,
            },
        );

        if load.is_multiple_of(3) {
            let pull = Vec2::new(0.2, -0.7 * half);
            let start = x[b] - x[a];
            following.levers.push([a, b], Lever { pull, start, load });
            let force = Vec2::new(half, 0.4);
            following.thrusts.push(
                [a],
                Thrust {
                    force,
                    start: x[a],
                    slope: Mat2::zeros(),
                    load,
                },
            );
        }
    }

    assert!(following.levers.elements.len() > 3);
    following
}

/// Friction lagged at the reference of a stage, where many pairs of each kind are in contact.
fn lagged(model: &Model, stage: &Stage, barriers: &Barriers, candidates: &Candidates) -> Friction {
    let start = &stage.reference.x;
    let contacts = Contacts::find(&model.surface, barriers, candidates, start).unwrap();
    let table = FrictionTable::uniform(0.5, 1.0);
    let lag = Lag::along_tangents(&table, start, stage.slip_time);
    let friction = Friction::lagged(&model.surface, &contacts, start, lag);
    let parts = friction.energies();
    assert!(contacts.len() > 60 && parts.iter().all(|part| part.block_count() > 10));
    friction
}

/// Dampers on the vertices of all bodies: a dashpot between any three of them that are in order
/// counter-clockwise, and a drag.
fn damping(model: &Model, x: &[Vec2], q: &[Vec2], h: f64) -> Dissipation {
    let mut dampers = Dampers::default();
    for first in (0..x.len().saturating_sub(2)).step_by(2) {
        let stencil = [first, first + 1, first + 2];
        let rest = stencil.map(|i| x[i] * 1.1);
        if cross(rest[1] - rest[0], rest[2] - rest[0]) > 1e-3 {
            let viscosity = Matrix3::new(3.0, 1.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 1.0);
            dampers
                .dashpots
                .push((stencil, Dashpot::new(rest, 0.3, viscosity)));
        }
        dampers.drags.push((first, 0.7));
    }

    assert!(!dampers.dashpots.is_empty() && model.mass.len() > 3);
    let before = Before {
        states: &[(1.0, x)],
        moving: None,
    };
    dampers.nodes.extend([(0, 0.9), (2, 0.4)]);
    dampers.stage(&before, Reference { x, q, beta: h })
}

/// A stage of length `h` (s) from `reference`, in which elasticity and contact have different
/// factors.
fn stage(h: f64, reference: Configuration) -> Stage {
    Stage {
        end: 0.0,
        predicted: Configuration::default(),
        push: Vec::new(),
        pull: Vec::new(),
        materials: Materials::default(),
        expected: Vec::new(),
        following: Following::default(),
        damping: Dissipation::default(),
        inertia: 1.0,
        reference,
        beta: Some(h),
        clock: h,
        elasticity: 1.5 * h * h,
        explicit: 0.0,
        contact: h * h,
        slip: None,
        turning: None,
        residuals: Vec::new(),
        slip_time: 0.0,
        tolerance: 0.0,
    }
}

/// Three sets of fixed components: none, some, and every other node.
fn fixed_sets(nodes: usize) -> [Vec<[bool; 2]>; 3] {
    // Some nodes as a whole, some along one axis.
    let held = |node: usize| {
        let both = node.is_multiple_of(7);
        [both, both || node.is_multiple_of(5)]
    };
    [
        vec![[false; 2]; nodes],
        (0..nodes).map(held).collect(),
        (0..nodes).map(|i| [i % 2 == 0; 2]).collect(),
    ]
}
