//! From the lists of a [`Builder`] to the world and its first state.

use super::builder::{Builder, WithoutStiffness};
use super::derive::Numbers;
use super::new_rod::NewRod;
use super::setup::Setup;
use crate::schema::{EnergyTarget, Scene, Scheme, Start, Time};
use ipcsim_contact::{Restitution, Surface, SweptPenetrations, rest_gaps, strand_gaps};
use ipcsim_core::body::Body;
use ipcsim_core::measures::Measures;
use ipcsim_core::quantities::Until;
use ipcsim_core::solve::{Model, Pace, Settings, SolverMemory};
use ipcsim_core::time::integrator::{Integrator, Newmark};
use ipcsim_core::time::{
    Adaptive, ArcLength, Lagging, Loading, Sleep, State, StepOptions, World, first_reaches,
};
use ipcsim_energy::Energy;
use ipcsim_math::Vec2;

/// Options of a step that a scene says itself; the builder adds those that follow from bodies.
fn own_options(
    scene: &Scene,
    tunnelling: SweptPenetrations,
    restitution: Restitution,
) -> StepOptions {
    StepOptions {
        tunnelling,
        restitution,
        rests_closely: scene.contact.close_at_rest,
        adaptive: adaptive(scene),
        arc_length: arc_length(scene),
        settling: None,
        preloads: Vec::new(),
        resized_until: 0.0,
        sleep: None,
        keeps_energy: scene.time.energy == EnergyTarget::Kept,
        ledger: scene.output.ledger,
    }
}

impl Builder {
    /// The world of everything that was added, with its state at time 0.
    ///
    /// Numbers that `scene` leaves out are derived, and stay out of it. Paths of the bodies are
    /// left to the caller, who knows the scene as written.
    #[allow(
        clippy::too_many_lines,
        reason = "a list of all that a world has, each in a line"
    )]
    pub(super) fn finish(mut self, scene: Scene) -> Setup {
        let rest: Vec<Vec2> = self.vertices.iter().map(|vertex| vertex.rest).collect();
        let mut state = self.start();

        // Numbers that the scene leaves out, and what depends on them.
        self.load_by_preloads();
        let mut numbers = self.derive(&scene, &state.x);
        let mut surface = self.surface(&scene, &numbers.reach);
        numbers.fit_slots(&scene, &mut surface, &state.x, &self.bodies);
        numbers.fit_gaps(&scene, &mut surface, &state.x);
        fit_within(&mut surface, &rest);
        numbers.join_flush(&scene, &mut surface, &state.x);
        let Numbers {
            barriers,
            eps_v,
            rest_speed,
            speeds,
            affine,
            mut rows,
            ..
        } = numbers;
        rows.push_within(&surface);
        rows.push_sizes(&self.sizes);
        let own = self.own_energies(&affine);
        let loading = self.loading(&scene);
        let limits = [speeds.tolerance, speeds.imbalance];
        let tunnelling = SweptPenetrations::new(&surface.outlines(), &rest);
        let restitution = self.restitution(&scene, rest_speed);
        let options = StepOptions {
            settling: settling(&scene, limits, speeds.settling),
            resized_until: self.resized_until(),
            preloads: std::mem::take(&mut self.preloads),
            ..own_options(&scene, tunnelling, restitution)
        };

        let resized = self.resized();

        // The lists become the world.
        let mut world = World {
            barriers,
            friction: self.friction(&scene, eps_v),
            model: self.model(surface, own, speeds.pace),
            bodies: self.bodies,
            rest,
            triangles: self.elements.elastic.triangles,
            curved: self.elements.elastic.curved,
            springs: self.elements.elastic.springs,
            bends: self.elements.bends,
            rods: self.rods.iter().map(NewRod::entry).collect(),
            loading,
            clock: speeds.clock,
            integrator: integrator(&scene.time),
            lagging: lagging(&scene, speeds.tolerance),
            prescribed: self.prescribed,
            changes: Vec::new(),
            h: scene.time.step,
            newton: newton_settings(&scene, speeds.tolerance, speeds.imbalance),
            options,
        };

        world.options.sleep = sleep(&scene, &world);
        state.memory.options.stiffening.adapted = first_reaches(&world, &state);
        Setup {
            until: until(&scene, &world.bodies),
            measures: Measures::default(),
            recalled: SolverMemory::default(),
            scene,
            world,
            state,
            derived: rows.list(),
            regions: self.elements.regions,
            resized,
            paths: Vec::new(),
        }
    }

    /// Unknowns, masses and energies, with the `own` energies of coordinates; the builder's lists of
    /// them are moved out of it.
    fn model(&mut self, surface: Surface, own: Vec<Box<dyn Energy>>, pace: Pace) -> Model {
        Model {
            energies: self.elements.elastic.take_energies(),
            own,
            dampers: std::mem::take(&mut self.elements.elastic.dampers),
            joints: std::mem::take(&mut self.joints),
            pace,
            surface,
            mass: self.nodes.iter().map(|node| node.mass).collect(),
            coordinates: std::mem::take(&mut self.coordinates),
        }
    }

    /// Numbers of the bodies that start with another size than drawn, ascending.
    fn resized(&self) -> Vec<usize> {
        let bodies = self.bodies.iter().enumerate();
        bodies
            .filter(|(_, body)| self.sizes.contains_key(&body.name))
            .map(|(number, _)| number)
            .collect()
    }

    /// Time from which on all bodies have their drawn size (s).
    fn resized_until(&self) -> f64 {
        let ends = self.sizes.values().map(|own| own.size.until);
        ends.fold(0.0, f64::max)
    }

    /// State at time 0, as the scene gives it.
    fn start(&self) -> State {
        let q = self.nodes.iter().map(|node| node.q).collect();
        let q_dot = self.nodes.iter().map(|node| node.q_dot).collect();
        State::new(&self.coordinates, q, q_dot)
    }

    /// Gravity and all loads.
    fn loading(&mut self, scene: &Scene) -> Loading {
        Loading {
            gravity: scene.gravity.into(),
            loads: std::mem::take(&mut self.loads),
            applied: std::mem::take(&mut self.applied),
            gas: std::mem::take(&mut self.gas),
        }
    }

    /// Energies of coordinates instead of positions: that of affine bodies, if there are any.
    ///
    /// Those whose stiffness the scene leaves out have that of `derived` (Pa, `[bodies]`).
    fn own_energies(&mut self, derived: &[f64]) -> Vec<Box<dyn Energy>> {
        let mut orthogonality = std::mem::take(&mut self.orthogonality);
        if orthogonality.element_count() == 0 {
            return Vec::new();
        }
        for &WithoutStiffness { body, element } in &self.without_stiffness {
            orthogonality.elements[element].stiffness *= derived[body];
        }
        vec![Box::new(orthogonality)]
    }
}

/// Sets how near bodies come to themselves, from their shape at `rest` (m).
fn fit_within(surface: &mut Surface, rest: &[Vec2]) {
    surface.self_d_hat = rest_gaps(surface, rest);
    surface.strands.set_d_hat(strand_gaps(surface, rest));
}

/// Integrator of steps: the one that is named, or Newmark's method where its parameter is given.
fn integrator(time: &Time) -> Box<dyn Integrator> {
    match time.gamma {
        Some(gamma) => Box::new(Newmark { gamma }),
        None => time.integrator.integrator(),
    }
}

/// Control of the lengths of substeps, if the scene asks for them.
fn adaptive(scene: &Scene) -> Option<Adaptive> {
    scene.time.adaptive.map(|given| Adaptive {
        tolerance: given.tolerance,
        smallest: given.smallest,
    })
}

/// Control of increments along a path of equilibria, if the scene asks for them.
fn arc_length(scene: &Scene) -> Option<ArcLength> {
    let length = scene.time.arc_length?.length;
    Some(ArcLength { length })
}

/// When bodies sleep, if the scene lets them: a speed that it leaves out is the imbalance of each body.
fn sleep(scene: &Scene, world: &World) -> Option<Sleep> {
    let given = scene.solver.sleep?;
    let joints = &world.model.joints;
    let paces = world.model.pace.imbalance.iter();
    let linked = joints.iter().map(|joint| joint.bodies);
    let by_gas = world.loading.gas.links();
    Some(Sleep {
        speeds: paces
            .map(|pace| given.speed.unwrap_or(world.newton.imbalance / pace))
            .collect(),
        steps: given.steps,
        links: linked.chain(by_gas).collect(),
    })
}

/// Condition at which a run ends; one that cannot be read has been refused by the checks.
fn until(scene: &Scene, bodies: &[Body]) -> Option<Until> {
    let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
    let text = scene.time.until.as_ref()?;
    let measures = scene.measure.iter();
    let measures: Vec<&str> = measures.map(|own| own.name.as_str()).collect();
    Until::read(text, &names, &measures).ok()
}

/// How friction follows the motion; solves of lagged friction end at the speed `tolerance` (m/s).
fn lagging(scene: &Scene, tolerance: f64) -> Lagging {
    match scene.contact.lag() {
        None => Lagging::Follow,
        Some(most) => Lagging::Solves { most, tolerance },
    }
}

/// Settings of the search for equilibrium at the start, which stops at the speeds (m/s) of static
/// increments or at those of a dynamic scene; `None` if the scene does not ask for one. Increments find
/// their own, but a path of equilibria begins at one.
fn settling(scene: &Scene, of_increments: [f64; 2], of_start: [f64; 2]) -> Option<Settings> {
    let is_static = scene.time.integrator == Scheme::Static;
    let asks = scene.start == Start::Equilibrium && !is_static;
    let [tolerance, imbalance] = if is_static { of_increments } else { of_start };
    (asks || scene.time.arc_length.is_some()).then(|| newton_settings(scene, tolerance, imbalance))
}

/// Settings of Newton's method, which stops at the speed `tolerance` and this `imbalance` (m/s).
fn newton_settings(scene: &Scene, tolerance: f64, imbalance: f64) -> Settings {
    Settings {
        tolerance,
        imbalance,
        max_iterations: scene.solver.max_iterations,
        linear: scene.solver.factorisation(),
    }
}
