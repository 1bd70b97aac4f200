//! Circles by hand, for unit tests: a world whose masses, gaps and forces have closed forms.

use crate::body::{Body, BodyKind, Coordinates, Prescribed, Rigid, Role, ScriptedMotion};
use crate::solve::{Model, Pace, Settings, Stage, TangentFriction, Touching};
use crate::time::integrator::{Departure, ImplicitEuler, Integrator};
use crate::time::{Lagging, Loading, Span, State, StepOptions, World};
use ipcsim_contact::barrier::{Barrier, BarrierShape};
use ipcsim_contact::{
    Candidates, Contacts, Disk, Filter, Friction, FrictionTable, HalfPlane, Lag, PairScale,
    RestSpeed, Restitution, Surface, SweptPenetrations,
};
use ipcsim_energy::Dampers;
use ipcsim_math::Vec2;
use ipcsim_sparse::LinearSolver;

/// Radius of each circle (m).
pub(crate) const RADIUS: f64 = 0.1;
/// Mass of each circle (kg).
pub(crate) const MASS: f64 = 2.0;
/// Moment of inertia of each circle (kg m^2), a full disk.
pub(crate) const INERTIA: f64 = 0.5 * MASS * RADIUS * RADIUS;
/// Gap at which the barrier begins (m).
pub(crate) const D_HAT: f64 = 0.01;
/// Gravity along -y (m/s^2).
pub(crate) const GRAVITY: f64 = 9.81;
/// Length of a step (s).
pub(crate) const H: f64 = 0.01;
/// Barrier between any two bodies.
const BARRIER: Barrier = Barrier {
    shape: BarrierShape::Inverse,
    kappa: 1e5,
};

/// Bodies under construction.
#[derive(Default)]
struct Circles {
    /// All bodies.
    bodies: Vec<Body>,
    /// Map from coordinates to positions.
    coordinates: Coordinates,
    /// Coordinates, `[nodes]`.
    q: Vec<Vec2>,
    /// Masses, `[nodes]`.
    mass: Vec<Vec2>,
    /// Body of each vertex.
    owner: Vec<usize>,
    /// The circles.
    disks: Vec<Disk>,
}

impl Circles {
    /// Adds a circle at a place (m).
    fn add(&mut self, place: [f64; 2]) {
        let number = self.bodies.len();
        let first = self.owner.len();
        let arms = vec![Vec2::zeros(), Vec2::new(RADIUS, 0.0)];
        let nodes = self.coordinates.add_reduced(2, Box::new(Rigid { arms }));

        self.owner.extend([number; 2]);
        self.q.extend([place.into(), Vec2::zeros()]);
        self.mass
            .extend([Vec2::repeat(MASS), Vec2::new(INERTIA, 0.0)]);

        self.disks.push(Disk {
            center: first,
            rim: first + 1,
            radius: RADIUS,
        });

        self.bodies.push(Body {
            name: format!("circle {number}"),
            kind: BodyKind::Rigid,
            vertices: first..first + 2,
            nodes,
        });
    }

    /// Adds the half-plane above the height 0, and returns its vertex.
    fn add_ground(&mut self) -> usize {
        let [vertex, node] = [self.owner.len(), self.q.len()];
        self.coordinates.add_free(1);
        self.owner.push(self.bodies.len());
        self.q.push(Vec2::zeros());
        self.mass.push(Vec2::zeros());
        self.bodies.push(Body {
            name: "ground".to_owned(),
            kind: BodyKind::HalfPlane,
            vertices: vertex..vertex + 1,
            nodes: node..node + 1,
        });
        vertex
    }

    /// Everything that collides, above a ground with its origin at a vertex.
    fn surface(&self, ground: Option<usize>) -> Surface {
        let mut surface = Surface::new(self.owner.clone(), D_HAT);

        for disk in &self.disks {
            surface.points.push(disk.center);
            surface.edges.push([disk.center; 2]);
            surface.radius[disk.center] = RADIUS;
            surface.weight[disk.center] = RADIUS;
            surface.isolated[disk.center] = true;
        }

        let circles: Vec<usize> = (0..self.disks.len()).collect();
        surface.filter = Filter::new(vec![], circles, vec![], self.disks.len());
        surface.disks.clone_from(&self.disks);

        let plane = ground.map(|origin| HalfPlane {
            normal: Vec2::y(),
            origin,
            along: None,
        });
        surface.planes = plane.into_iter().collect();
        surface
    }
}

/// A world of circles at these places (m), at rest, with a ground at the height 0 if there is one,
/// and with this coefficient of friction.
pub(crate) fn circles(places: &[[f64; 2]], has_ground: bool, friction: f64) -> (World, State) {
    let mut made = Circles::default();
    for &place in places {
        made.add(place);
    }
    let ground = has_ground.then(|| made.add_ground());
    let surface = made.surface(ground);
    let held = ground.map(|_| Prescribed {
        node: made.q.len() - 1,
        role: Role::Point,
        start: Vec2::zeros(),
        axes: [true; 2],
        motion: ScriptedMotion::REST,
        displacement: None,
        from: 0.0,
        selection: 0,
    });

    let velocities = vec![Vec2::zeros(); made.q.len()];
    let state = State::new(&made.coordinates, made.q, velocities);
    let world = World {
        rest: state.x.clone(),
        triangles: vec![],
        curved: vec![],
        springs: vec![],
        bends: vec![],
        rods: vec![],
        barriers: BARRIER.into(),
        loading: Loading {
            gravity: Vec2::new(0.0, -GRAVITY),
            ..Loading::default()
        },
        friction: FrictionTable::uniform(friction, 1e-3),
        lagging: Lagging::Follow,
        prescribed: held.into_iter().collect(),
        changes: vec![],
        h: H,
        clock: 0.1,
        integrator: Box::new(ImplicitEuler),
        newton: Settings {
            tolerance: 1e-8,
            imbalance: 1e-10,
            max_iterations: 100,
            linear: LinearSolver::default(),
        },
        options: options(&surface, &state.x),
        model: Model {
            pace: Pace::uniform(made.bodies.len()),
            coordinates: made.coordinates,
            mass: made.mass,
            energies: vec![],
            own: vec![],
            dampers: Dampers::default(),
            joints: vec![],
            surface,
        },
        bodies: made.bodies,
    };
    (world, state)
}

/// No option of a step.
fn options(surface: &Surface, rest: &[Vec2]) -> StepOptions {
    let least = PairScale::uniform(0.0);
    let pushed = Vec::new();

    StepOptions {
        rests_closely: false,
        tunnelling: SweptPenetrations::new(&surface.outlines(), rest),
        restitution: Restitution::new(None, RestSpeed { least, pushed }),
        adaptive: None,
        arc_length: None,
        settling: None,
        preloads: Vec::new(),
        resized_until: 0.0,
        sleep: None,
        keeps_energy: false,
        ledger: false,
    }
}

/// Contacts at positions (m).
pub(crate) fn contacts(world: &World, x: &[Vec2]) -> Contacts {
    let surface = &world.model.surface;
    let candidates = Candidates::find(surface, x, |_| 0.0);
    Contacts::find(surface, &world.barriers, &candidates, x).unwrap()
}

/// Stage of an integrator from a state, after the ends of earlier stages of the same step.
pub(crate) fn stage(
    world: &World,
    integrator: &dyn Integrator,
    start: &State,
    ends: &[State],
    h: f64,
) -> Stage {
    integrator.stage(Departure {
        model: &world.model,
        loading: &world.loading,
        prescribed: &world.prescribed,
        tolerance: 1e-8,
        clock: world.clock,
        start,
        ends,
        span: Span {
            end: start.time + h,
            h,
        },
    })
}

/// Gap (m) at which the ground carries a circle: where the slope of its barrier is the weight.
pub(crate) fn resting_gap() -> f64 {
    let pushes = |gap: f64| -RADIUS * BARRIER.plane(gap, D_HAT).first;
    let [mut near, mut far] = [1e-6 * D_HAT, D_HAT];
    for _ in 0..200 {
        let middle = 0.5 * (near + far);
        if pushes(middle) > MASS * GRAVITY {
            near = middle;
        } else {
            far = middle;
        }
    }
    near
}

/// Memory of a step between the circles of a state, which have slid there `from` another state:
/// contacts, and friction that is lagged in the state itself.
pub(crate) fn touching(world: &World, from: &State, state: &State) -> Touching {
    let stage = stage(world, &ImplicitEuler, from, &[], H);
    let contacts = contacts(world, &state.x);
    let surface = &world.model.surface;
    let friction = Friction::lagged(
        surface,
        &contacts,
        &state.x,
        Lag::along_tangents(&world.friction, &from.x, H),
    );
    Touching {
        contacts,
        friction: TangentFriction { friction, at: None },
        tangents: state.x.clone(),
        stage: Some(stage),
        kept: None,
    }
}

/// A state with other coordinates.
pub(crate) fn moved(world: &World, state: &State, change: impl FnOnce(&mut [Vec2])) -> State {
    let mut q = state.q.clone();
    change(&mut q);
    State::new(&world.model.coordinates, q, state.q_dot.clone())
}
