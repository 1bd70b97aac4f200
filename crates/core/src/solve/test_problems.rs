//! Small worlds by hand for the tests of Newton's method: points, rigid bodies, half-planes, springs
//! and energies of one coordinate with a known curve.

use super::dirichlet::Target;
use super::materials::Materials;
use super::model::Model;
use super::newton::{Iterate, Loaded, Settings, Solved, Solver, Strategy};
use super::pace::Pace;
use super::potential::Potential;
use super::stage::Stage;
use super::tangent_friction::TangentFriction;
use crate::body::{Configuration, Coordinates, Rigid};
use crate::constraint::{
    ConstraintAction, ConstraintRow, Constraints, Hinge, Joint, JointFrame, Rule, WarmStart,
};
use ipcsim_contact::barrier::{Barrier, BarrierShape};
use ipcsim_contact::{Barriers, FrictionTable, HalfPlane, Surface};
use ipcsim_energy::{Batched, Dampers, Dissipation, Following, LocalEnergy, Spring, Summed};
use ipcsim_math::{Mat2, Vec2};
use ipcsim_sparse::LinearSolver;

/// Activation distance of all contacts (m).
pub(super) const D_HAT: f64 = 0.1;

/// Contact length times thickness of each vertex (m^2).
pub(super) const WEIGHT: f64 = 0.5;

/// Barrier of all contacts.
pub(super) const BARRIER: Barrier = Barrier {
    shape: BarrierShape::Inverse,
    kappa: 1e3,
};

/// Energy of the first coordinate of a vertex with a known curve, and a spring for the second one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    /// Value, first and second derivative at a place.
    pub(super) jet: fn(f64) -> [f64; 3],
    /// Place that no step may pass; steps end at nine tenths of the distance.
    pub(super) wall: f64,
}

impl Curve {
    /// A curve without a wall.
    pub(super) fn of(jet: fn(f64) -> [f64; 3]) -> Self {
        let wall = f64::INFINITY;
        Self { jet, wall }
    }
}

impl LocalEnergy<1> for Curve {
    const NAME: &'static str = "curve";

    fn value(&self, [x]: &[Vec2; 1]) -> f64 {
        (self.jet)(x.x)[0] + 0.5 * x.y * x.y
    }

    fn gradient(&self, [x]: &[Vec2; 1]) -> [Vec2; 1] {
        [Vec2::new((self.jet)(x.x)[1], x.y)]
    }

    fn hessian(&self, [x]: &[Vec2; 1]) -> [[Mat2; 1]; 1] {
        let bend = (self.jet)(x.x)[2].max(0.0);
        [[Mat2::new(bend, 0.0, 0.0, 1.0)]]
    }

    fn exact_hessian(&self, [x]: &[Vec2; 1]) -> [[Mat2; 1]; 1] {
        [[Mat2::new((self.jet)(x.x)[2], 0.0, 0.0, 1.0)]]
    }

    fn max_step(&self, [x]: &[Vec2; 1], [p]: &[Vec2; 1]) -> f64 {
        if x.x + p.x > self.wall {
            0.9 * (self.wall - x.x) / p.x
        } else {
            1.0
        }
    }
}

impl Batched<1> for Curve {}

/// Bodies under construction, in the order in which they are added.
#[derive(Default)]
pub(super) struct Small {
    coordinates: Coordinates,
    q: Vec<Vec2>,
    mass: Vec<Vec2>,
    body: Vec<usize>,
    points: Vec<usize>,
    edges: Vec<[usize; 2]>,
    isolated: Vec<usize>,
    planes: Vec<HalfPlane>,
    curves: Summed<Curve, 1>,
    springs: Summed<Spring, 2>,
    rows: Vec<(ConstraintRow, [usize; 2])>,
}

impl Small {
    /// Numbers the vertices of the next body, and returns the first of them.
    fn next(&mut self, count: usize) -> usize {
        let first = self.body.len();
        let index = self.body.last().map_or(0, |last| last + 1);
        self.body.extend(vec![index; count]);
        first
    }

    /// Adds a body of free vertices of one mass (kg) each, and returns the first vertex.
    pub(super) fn soft(&mut self, at: &[[f64; 2]], mass: f64) -> usize {
        let first = self.next(at.len());
        self.coordinates.add_free(at.len());
        self.q.extend(at.iter().map(|&x| Vec2::from(x)));
        self.mass.extend(vec![Vec2::repeat(mass); at.len()]);
        first
    }

    /// Adds a body of one free vertex, which touches nothing.
    pub(super) fn point(&mut self, at: [f64; 2], mass: f64) -> usize {
        self.soft(&[at], mass)
    }

    /// Adds a rigid body whose vertices are `arms` away from its centre, and returns its first vertex.
    /// It has a mass (kg) and an inertia (kg m^2).
    pub(super) fn rigid(
        &mut self,
        [center, turn]: [[f64; 2]; 2],
        arms: &[[f64; 2]],
        [mass, inertia]: [f64; 2],
    ) -> usize {
        let first = self.next(arms.len());
        let arms: Vec<Vec2> = arms.iter().map(|&arm| arm.into()).collect();
        self.coordinates
            .add_reduced(arms.len(), Box::new(Rigid { arms }));
        self.q.extend([center, turn].map(Vec2::from));
        self.mass.extend([mass, inertia].map(Vec2::repeat));
        first
    }

    /// Adds a half-plane through a free vertex, and returns that.
    pub(super) fn plane(&mut self, normal: [f64; 2], at: [f64; 2]) -> usize {
        let origin = self.point(at, 1.0);
        self.planes.push(HalfPlane {
            normal: Vec2::from(normal).normalize(),
            origin,
            along: None,
        });
        origin
    }

    /// Lets a vertex without edges touch others.
    pub(super) fn touch(&mut self, vertex: usize) {
        self.points.push(vertex);
        self.edges.push([vertex; 2]);
        self.isolated.push(vertex);
    }

    /// Adds an edge, whose ends touch others.
    pub(super) fn edge(&mut self, ends: [usize; 2]) {
        self.points.extend(ends);
        self.edges.push(ends);
    }

    /// Adds an energy of the first coordinate of a vertex.
    pub(super) fn curve(&mut self, vertex: usize, curve: Curve) {
        self.curves.push([vertex], curve);
    }

    /// Adds a spring of this stiffness (J/m^2) that is at rest.
    pub(super) fn spring(&mut self, ends: [usize; 2], stiffness: f64) {
        let mut x = vec![Vec2::zeros(); self.body.len()];
        self.coordinates.positions(&self.q, &mut x);
        let rest_squared = (x[ends[0]] - x[ends[1]]).norm_squared();
        let spring = Spring {
            stiffness,
            rest_squared,
        };
        self.springs.push(ends, spring);
    }

    /// Adds a row of a joint between two frames, for the inertia of 1 kg and the size of 1 m.
    pub(super) fn row(&mut self, rule: Rule, action: ConstraintAction, frames: &[JointFrame; 2]) {
        let bodies = frames.map(|frame| self.body[frame.vertices[0]]);
        let row = ConstraintRow::new(rule, action, frames, 1.0, 1.0);
        self.rows.push((row, bodies));
    }

    /// Adds a hinge between two vertices.
    pub(super) fn hinge(&mut self, ends: [usize; 2]) {
        let frames = ends.map(JointFrame::vertex);
        self.row(Rule::Hinge(Hinge), ConstraintAction::Closed, &frames);
    }

    /// The model, each row a joint, and the state of all bodies.
    pub(super) fn model(self) -> (Model, Configuration) {
        let at = Configuration::of(&self.coordinates, self.q);
        let count = self.body.len();
        let mut points = self.points;
        points.sort_unstable();
        points.dedup();
        let surface = Surface {
            points,
            edges: self.edges,
            planes: self.planes,
            isolated: (0..count).map(|i| self.isolated.contains(&i)).collect(),
            weight: vec![WEIGHT; count],
            ..Surface::new(self.body, D_HAT)
        };

        // A joint for each row.
        let joints = self.rows.into_iter().map(|(row, bodies)| Joint {
            label: "joint".to_owned(),
            bodies,
            rows: vec![row],
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        });
        let mut model = Model {
            pace: Pace::uniform(surface.filled.len()),
            joints: joints.collect(),
            surface,
            coordinates: self.coordinates,
            mass: self.mass,
            energies: Vec::new(),
            own: Vec::new(),
            dampers: Dampers::default(),
        };
        if !self.curves.elements.is_empty() {
            model.energies.push(Box::new(self.curves));
        }
        if !self.springs.elements.is_empty() {
            model.energies.push(Box::new(self.springs));
        }
        (model, at)
    }
}

/// A single free point of 1 kg at `start` on the x axis with an energy of this curve (J).
pub(super) fn on_a_curve(start: f64, curve: Curve) -> (Model, Configuration) {
    let mut small = Small::default();
    let point = small.point([start, 0.0], 1.0);
    small.curve(point, curve);
    small.model()
}

/// Energy of a point that snaps through under the force `u^3 - u`, with its derivatives.
pub(super) fn snapping(u: f64) -> [f64; 3] {
    [
        0.25 * u.powi(4) - 0.5 * u * u,
        u.powi(3) - u,
        3.0 * u * u - 1.0,
    ]
}

/// Stage of implicit Euler of length `h` (s) from a state with these velocities (m/s; of angles
/// rad/s), `[nodes]`, under an acceleration (m/s^2) of all bodies.
pub(super) fn euler(
    model: &Model,
    at: &Configuration,
    h: f64,
    velocities: &[Vec2],
    acceleration: [f64; 2],
) -> Stage {
    let acceleration = Vec2::from(acceleration);
    let push: Vec<Vec2> = (0..at.q.len())
        .map(|node| model.coordinates.lift(node) * acceleration * (h * h))
        .collect();

    let flown = at.q.iter().zip(velocities).zip(&push);
    let predicted = flown.map(|((q, v), push)| q + v * h + push).collect();

    Stage {
        end: h,
        predicted: Configuration::of(&model.coordinates, predicted),
        push,
        inertia: 1.0,
        beta: Some(h),
        clock: h,
        elasticity: h * h,
        contact: h * h,
        residuals: Vec::new(),
        slip_time: h,
        ..statics(at, &[])
    }
}

/// [`euler`] from rest.
pub(super) fn from_rest(
    model: &Model,
    at: &Configuration,
    h: f64,
    acceleration: [f64; 2],
) -> Stage {
    euler(model, at, h, &vec![Vec2::zeros(); at.q.len()], acceleration)
}

/// Stage of statics at a state under these forces (N; of angles N m), `[nodes]`.
pub(super) fn statics(at: &Configuration, forces: &[Vec2]) -> Stage {
    Stage {
        end: 0.0,
        predicted: at.clone(),
        expected: Vec::new(),
        push: Vec::new(),
        pull: forces.to_vec(),
        materials: Materials::default(),
        following: Following::default(),
        damping: Dissipation::default(),
        inertia: 0.0,
        reference: at.clone(),
        beta: None,
        clock: 1.0,
        elasticity: 1.0,
        explicit: 0.0,
        contact: 1.0,
        slip: None,
        turning: None,
        residuals: Vec::new(),
        slip_time: 1.0,
        tolerance: 1e-8,
    }
}

/// Barriers of all pairs.
pub(super) fn barriers() -> Barriers {
    Barriers::from(BARRIER)
}

/// Potential of a stage without friction, with joints without forces.
pub(super) fn potential<'a>(
    model: &'a Model,
    stage: &'a Stage,
    barriers: &'a Barriers,
) -> Potential<'a> {
    let outset = WarmStart {
        before: &stage.residuals,
        beta: stage.clock,
        scale: stage.contact,
        ..WarmStart::START
    };

    Potential {
        model,
        stage,
        barriers,
        friction: TangentFriction::default(),
        following: None,
        constraints: Constraints::new(&model.joints, &outset),
    }
}

/// [`potential`] with friction that follows the state, by coefficients of a table.
pub(super) fn rubbing<'a>(
    model: &'a Model,
    stage: &'a Stage,
    barriers: &'a Barriers,
    table: &'a FrictionTable,
) -> Potential<'a> {
    Potential {
        following: Some(table),
        ..potential(model, stage, barriers)
    }
}

/// State and result of a step with friction, whose half-plane is held at node 1.
pub(super) fn slid(
    model: &Model,
    at: &Configuration,
    stage: &Stage,
    table: &FrictionTable,
) -> (Configuration, Solved) {
    let barriers = barriers();
    let mut potential = rubbing(model, stage, &barriers, table);
    let targets = [held(at, 1)];
    let mut solver = solver(model);
    let ahead = &stage.predicted.x;
    let mut iterate = solver
        .iterate_at(model, &barriers, at.clone(), ahead)
        .unwrap();
    solver
        .start(&mut potential, &targets, &mut iterate)
        .unwrap();
    let solved = solver
        .minimise(&mut potential, &targets, Strategy::USUAL, &mut iterate)
        .unwrap();
    (iterate.at, solved)
}

/// Settings by which forces must balance.
pub(super) fn settings() -> Settings {
    Settings {
        tolerance: 1e-8,
        imbalance: 1e-9,
        max_iterations: 200,
        linear: LinearSolver::default(),
    }
}

/// A solver with these settings.
pub(super) fn solver(model: &Model) -> Solver {
    Solver::new(settings(), model)
}

/// A solver with these settings, and a state with its contacts.
pub(super) fn started(model: &Model, at: &Configuration) -> (Solver, Iterate) {
    let mut solver = solver(model);
    let iterate = solver.iterate_at(model, &barriers(), at.clone(), &at.x);
    (solver, iterate.unwrap())
}

/// Gap (m) at which a vertex over a half-plane is pushed with a force (N), by bisection.
pub(super) fn gap_under(force: f64) -> f64 {
    let mut range = [1e-6 * D_HAT, D_HAT];
    for _ in 0..200 {
        let middle = 0.5 * (range[0] + range[1]);
        let pushed = -WEIGHT * BARRIER.plane(middle, D_HAT).first;
        range[usize::from(pushed < force)] = middle;
    }
    0.5 * (range[0] + range[1])
}

/// Numbers in `[-1, 1]` without a pattern, the same on every machine.
pub(super) fn number(k: usize) -> f64 {
    ((k as f64 * 12.989_8 + 0.5).sin() * 43_758.545_3).fract()
}

/// A force of the size of the load time (N) along x on a single point.
pub(super) struct Pulled(pub(super) Configuration);

impl Loaded for Pulled {
    fn stage(&self, time: f64) -> Stage {
        Stage {
            end: time,
            ..statics(&self.0, &[Vec2::new(time, 0.0)])
        }
    }

    fn targets(&self, _: f64) -> Vec<Target> {
        Vec::new()
    }
}

/// Keeps a node where it is.
pub(super) fn held(at: &Configuration, node: usize) -> Target {
    Target {
        node,
        position: at.q[node],
        axes: [true; 2],
    }
}
