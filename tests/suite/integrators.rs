//! Integrators are values: two written on public types alone. One is the oracle of the library's own.

use crate::support::{Run, inline, near, setup, stones};
use ipcsim::body::{Configuration, Load, TimeFunction};
use ipcsim::energy::{Dissipation, Following};
use ipcsim::math::Vec2;
use ipcsim::solve::Stage;
use ipcsim::time::Span;
use ipcsim::time::integrator::{Departure, ImplicitEuler, Integrator, Scheme};
use serde_json::json;

/// Second-order backward differences with steps of any length; the first step is implicit Euler.
///
/// With `w = h_n / h_{n-1}`: `q = ((1 + w)^2 q_n - w^2 q_{n-1}) / (1 + 2 w) + beta v` and the same
/// for `v`, where `beta = h (1 + w) / (1 + 2 w)` (Hairer, Norsett, Wanner, "Solving ordinary
/// differential equations I", section III.5).
#[derive(Debug)]
pub(crate) struct Bdf2;

impl Integrator for Bdf2 {
    fn history(&self) -> usize {
        1
    }

    fn stage(&self, from: Departure) -> Stage {
        let Departure {
            model, start, span, ..
        } = from;
        let Some(past) = start.memory.history.first() else {
            return ImplicitEuler.stage(from);
        };
        let Span { end, h } = span;
        let w = h / past.h;
        let beta = h * (1.0 + w) / (1.0 + 2.0 * w);
        let mean = |new: &[Vec2], old: &[Vec2]| -> Vec<Vec2> {
            let weighted = |(new, old): (&Vec2, &Vec2)| {
                (new * (1.0 + w).powi(2) - old * (w * w)) / (1.0 + 2.0 * w)
            };
            new.iter().zip(old).map(weighted).collect()
        };

        let coordinates = &model.coordinates;
        let reference = mean(&start.q, &past.q);
        let velocity = mean(&start.q_dot, &past.q_dot);
        let loads = from.loads(end);
        let push: Vec<Vec2> = loads
            .acceleration
            .iter()
            .map(|a| a * (beta * beta))
            .collect();
        let predicted = (0..reference.len()).map(|i| reference[i] + velocity[i] * beta + push[i]);
        Stage {
            end,
            predicted: Configuration::of(coordinates, predicted.collect()),
            push,
            pull: Vec::new(),
            materials: from.materials(end),
            following: Following::default(),
            damping: Dissipation::default(),
            residuals: from.residuals(),
            inertia: 1.0,
            reference: Configuration::of(coordinates, reference),
            beta: Some(beta),
            clock: beta,
            elasticity: beta * beta,
            explicit: 0.0,
            contact: beta * beta,
            expected: Vec::new(),
            slip: None,
            turning: None,
            slip_time: beta,
            tolerance: from.tolerance,
        }
    }
}

/// Equilibrium under the loads at the end of the step, without inertia. Residuals count in 1 s.
#[derive(Debug)]
struct Statics {
    /// Largest direction that is left, in 1 s (m/s).
    tolerance: f64,
}

impl Integrator for Statics {
    fn stage(&self, from: Departure) -> Stage {
        let Departure {
            model, start, span, ..
        } = from;
        let loads = from.loads(span.end);
        let weight = loads.acceleration.iter().zip(&model.mass);
        Stage {
            end: span.end,
            predicted: start.configuration(),
            push: vec![Vec2::zeros(); start.q.len()],
            pull: weight.map(|(a, mass)| a.component_mul(mass)).collect(),
            materials: from.materials(span.end),
            following: Following::default(),
            damping: Dissipation::default(),
            residuals: from.residuals(),
            inertia: 0.0,
            reference: start.configuration(),
            beta: None,
            clock: 1.0,
            elasticity: 1.0,
            explicit: 0.0,
            contact: 1.0,
            expected: Vec::new(),
            slip: None,
            turning: None,
            slip_time: 1e-3,
            tolerance: self.tolerance,
        }
    }
}

/// The force `F cos(w t)` along x.
#[derive(Debug)]
struct Shaker {
    force: f64,
    rate: f64,
}

impl TimeFunction for Shaker {
    fn at(&self, t: f64) -> Vec2 {
        Vec2::new(self.force * (self.rate * t).cos(), 0.0)
    }
}

/// Distance at time 1 s between a free block under a shaker and the closed form `F/(m w^2) (1 - cos
/// w t)`.
fn error(integrator: Box<dyn Integrator>, steps: usize) -> f64 {
    let rate = 5.0;
    let time = json!({ "step": 1.0 / steps as f64, "steps": steps });
    let block = crate::support::rigid(
        "block",
        crate::support::rectangle(1.0, 1.0),
        [0.0, 0.0],
        json!({}),
    );
    let mut start = setup(&stones(
        &[block],
        json!({ "time": time, "gravity": [0.0, 0.0], "solver": { "tolerance": 1e-12 } }),
    ));

    // Nothing but an oscillating force acts.
    let world = &mut start.world;
    world.integrator = integrator;
    let node = world.bodies[0].nodes.start;
    let force = 3.0 * world.model.mass[node].x;
    world.loading.loads.push(Load {
        node,
        force: Box::new(Shaker { force, rate }),
    });

    let mut run = Run::from(start);
    run.steps(steps);
    let expected = 3.0 / (rate * rate) * (1.0 - rate.cos());
    (run.center(0).x - expected).abs()
}

#[test]
fn loads_change_with_time_and_integrators_have_their_orders() {
    let order = |make: &dyn Fn() -> Box<dyn Integrator>| {
        let [coarse, fine] = [400, 800].map(|steps| error(make(), steps));
        (coarse / fine).log2()
    };
    let oracle = order(&|| Box::new(Bdf2));
    near(oracle, 2.0, 0.1);
    for scheme in Scheme::ALL {
        let expected = if scheme == Scheme::ImplicitEuler {
            1.0
        } else {
            2.0
        };
        let found = order(&|| scheme.integrator());
        assert!((found - expected).abs() < 0.1, "{scheme:?}: {found}");
    }
}

/// A bar that hangs from its top: `u(y) = rho g / E (L y - y^2 / 2)` below the top, which linear
/// elements meet at their vertices where Poisson's ratio is 0.
#[test]
fn a_stage_without_inertia_finds_the_equilibrium_of_a_hanging_bar() {
    let young = 1e6;
    let length = 2.0;
    let density = 1000.0;
    let scene = inline(json!({
        "time": { "step": 1.0, "steps": 1 },
        "materials": { "rubber": { "density": density, "law": { "linear": { "young": young, "poisson": 0.0 } } } },
        "bodies": [ {
            "name": "bar",
            "shape": { "rectangle": { "size": [0.5, length], "segments": [1, 8] } },
            "material": "rubber",
            "lumping": "area",
            "prescribed": [ { "vertices": { "box": { "min": [-1.0, 0.999], "max": [1.0, 2.0] } } } ]
        } ]
    }));
    let mut bar = setup(&scene);
    bar.world.integrator = Box::new(Statics { tolerance: 1e-9 });
    let start = bar.state.x.clone();
    let mut run = Run::from(bar);
    run.steps(1);

    // Diagonals share the weight unequally between the two vertices of a row; their mean is exact.
    for row in 0..=8 {
        let y = 0.25 * f64::from(row);
        let in_row = |place: &Vec2| (0.5 * length - place.y - y).abs() < 1e-9;
        let moved = run.state().x.iter().zip(&start).filter(|(_, s)| in_row(s));
        let moved: Vec<f64> = moved.map(|(x, s)| x.y - s.y).collect();
        let found = moved.iter().sum::<f64>() / moved.len() as f64;
        let expected = -density * 9.81 / young * (length * y - 0.5 * y * y);
        assert!(
            (found - expected).abs() < 1e-6,
            "{y}: {found}, not {expected}"
        );
    }
    assert!(run.state().v.iter().all(|v| *v == Vec2::zeros()));
}

/// A force on a component without mass is not lost: inertia cannot carry it, so the potential does.
#[test]
fn a_load_on_a_node_without_mass_acts() {
    let scene = inline(json!({
        "time": { "step": 0.01, "steps": 1 },
        "gravity": [0.0, 0.0],
        "materials": { "spring": { "density": 1.0, "law": { "mass_spring": { "stiffness": 1e3 } } } },
        "bodies": [ {
            "name": "square",
            "shape": { "square": { "side": 1.0, "segments": 1 } },
            "material": "spring",
            "prescribed": [ { "vertices": { "indices": [0, 1] } } ]
        } ],
        "solver": { "tolerance": 1e-10 }
    }));
    let mut square = setup(&scene);
    let world = &mut square.world;
    let free = (0..4)
        .find(|&i| world.prescribed.iter().all(|p| p.node != i))
        .unwrap();
    world.model.mass[free] = Vec2::zeros();
    let load = Load::constant(free, Vec2::new(0.0, 2.0));
    world.loading.loads.push(load);
    let mut run = Run::from(square);
    run.steps(1);

    // The springs carry the force.
    let mut gradient = vec![Vec2::zeros(); 4];
    for energy in &run.world().model.energies {
        energy.add_gradient(&run.state().x, 1.0, &mut gradient);
    }
    let missing = gradient[free] - Vec2::new(0.0, 2.0);
    assert!(missing.norm() < 1e-6, "{missing}");
}
