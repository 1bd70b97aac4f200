//! The integrators that a scene can choose, beside closed forms and recursions of their own.

use crate::integrators::Bdf2 as Oracle;
use crate::support::{Parts, Run, inline, near, rectangle, rigid, scene, setup, stones};
use ipcsim::scene::Scene;
use ipcsim::scene::schema::Scheme;
use ipcsim::time::StepMemory;
use nalgebra::Complex;
use serde_json::json;
use std::f64::consts::{SQRT_2, TAU};

const G: f64 = 9.81;

/// A scene by an integrator.
pub(crate) fn by(scheme: Scheme, mut scene: Scene) -> Scene {
    scene.time.integrator = scheme;
    scene
}

#[test]
fn a_scene_names_its_integrator_and_leaves_out_implicit_euler() {
    for (scheme, name) in
        Scheme::ALL
            .into_iter()
            .zip(["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"])
    {
        let named = scene("two_squares", &[&format!("time.integrator={name}")]);
        assert_eq!(named.time.integrator, scheme);
        let written = serde_json::to_value(&named).unwrap();
        let key = written["time"].get("integrator");
        let expected = json!(name);
        assert_eq!(key, (name != "implicit_euler").then_some(&expected));

        // The world has it, and no other.
        let words = format!("{:?}", setup(&named).world.integrator);
        assert_eq!(words, format!("{scheme:?}"));
    }
}

/// Implicit Euler falls `g h^2 n (n + 1) / 2` and returns to its height with `v - g h`. Backward
/// differences add to the parabola what their first step is off, `e_1 = -g h^2 / 2`, by `e_{n+1} = (4
/// e_n - e_{n-1}) / 3`, the others nothing.
#[test]
fn free_flight_is_a_parabola_but_for_the_closed_form_of_each_integrator() {
    let (h, speed) = (0.01, 5.0);
    for scheme in Scheme::ALL {
        let block = rigid(
            "block",
            rectangle(0.2, 0.2),
            [0.0, 0.0],
            json!({ "velocity": [0.0, speed] }),
        );
        let flight = stones(&[block], json!({ "time": { "step": h, "steps": 100 } }));
        let mut run = Run::of(&by(scheme, flight));
        for n in 1..=100 {
            run.step();
            let t = h * f64::from(n);
            let missing = match scheme {
                Scheme::ImplicitEuler => 0.5 * G * h * t,
                Scheme::Bdf2 => 0.75 * G * h * h * (1.0 - 3.0_f64.powi(-n)),
                Scheme::Trapezoid | Scheme::TrBdf2 => 0.0,
                Scheme::Static => unreachable!("statics has no flights"),
            };
            let expected = speed * t - 0.5 * G * t * t - missing;
            assert!(
                (run.center(0).y - expected).abs() < 1e-11,
                "{scheme:?}, {n}"
            );
            let slower = run.center_velocity(0).y - (speed - G * t);
            assert!(slower.abs() < 1e-11, "{scheme:?}, {n}: {slower:e}");
        }
    }
}

/// A turning body that cannot stretch, as a point of the unit circle in the complex plane.
///
/// Every stage ends at the point of the circle that is nearest to what inertia predicts. What is
/// missing there is the tension; the trapezoid takes half of it from the start.
struct Turning {
    z: Complex<f64>,
    v: Complex<f64>,
    /// State before the last step.
    before: Option<[Complex<f64>; 2]>,
    /// Tension at the end of the last stage (m/s^2).
    tension: Complex<f64>,
}

impl Turning {
    /// A turn per second.
    fn new() -> Self {
        Self {
            z: Complex::from(1.0),
            v: Complex::new(0.0, TAU),
            before: None,
            tension: Complex::from(0.0),
        }
    }

    /// A stage in which `z = reference + beta v`, and inertia predicts `reference + beta velocity`
    /// less the square of `beta` times the tension `pull`.
    fn arrive(&mut self, beta: f64, [reference, velocity, pull]: [Complex<f64>; 3]) {
        let flown = reference + velocity * beta - pull * (beta * beta);
        self.z = flown / flown.norm();
        self.v = (self.z - reference) / beta;
        self.tension = (flown - self.z) / (beta * beta);
    }

    /// A step of length `h` (s).
    fn step(&mut self, scheme: Scheme, h: f64) {
        let start = [self.z, self.v];
        let [z, v] = start;
        let none = Complex::from(0.0);
        match (scheme, self.before) {
            (Scheme::ImplicitEuler, _) | (Scheme::Bdf2, None) => self.arrive(h, [z, v, none]),
            (Scheme::Bdf2, Some([old, slow])) => {
                let mean = |new: Complex<f64>, old: Complex<f64>| (new * 4.0 - old) / 3.0;
                self.arrive(2.0 / 3.0 * h, [mean(z, old), mean(v, slow), none]);
            }
            (Scheme::Trapezoid, _) => {
                // `z + h v - h^2/4 tension` with the reference `z + h/2 v`.
                let pull = self.tension;
                self.arrive(0.5 * h, [z + v * (0.5 * h), v, pull]);
            }
            (Scheme::TrBdf2, _) => {
                let g = 2.0 - SQRT_2;
                self.step(Scheme::Trapezoid, g * h);
                let c = 1.0 / (g * (2.0 - g));
                let mean = |new, old: Complex<f64>| (new * c) - old * (c * (1.0 - g).powi(2));
                let [reference, velocity] = [mean(self.z, z), mean(self.v, v)];
                self.arrive(0.5 * g * h, [reference, velocity, none]);
            }
            (Scheme::Static, _) => unreachable!("statics turns nothing"),
        }
        self.before = Some(start);
    }
}

/// A square that turns once a second, of rubber of this stiffness (Pa).
fn top(young: f64, h: f64) -> Scene {
    inline(json!({
        "time": { "step": h, "steps": 1 },
        "gravity": [0.0, 0.0],
        "materials": { "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": young, "poisson": 0.3 } } } },
        "bodies": [ { "name": "top", "shape": { "square": { "side": 0.2, "segments": 4 } },
            "material": "rubber", "spin_deg": 360.0 } ],
        "solver": { "tolerance": 1e-9 }
    }))
}

/// Share of the kinetic energy that a square has left after 2 s in some number of steps.
fn energy_left(scheme: Scheme, young: f64, steps: usize) -> f64 {
    let mut run = Run::of(&by(scheme, top(young, 2.0 / steps as f64)));
    let kinetic = |run: &Run| -> f64 {
        let all = run.world().model.mass.iter().zip(&run.state().v);
        all.map(|(m, v)| 0.5 * m.component_mul(v).dot(v)).sum()
    };
    let start = kinetic(&run);
    run.steps(steps);
    kinetic(&run) / start
}

/// The share that the recursion of a body which cannot stretch has left.
fn expected_left(scheme: Scheme, steps: usize) -> f64 {
    let mut turning = Turning::new();
    for _ in 0..steps {
        turning.step(scheme, 2.0 / steps as f64);
    }
    turning.v.norm_sqr() / (TAU * TAU)
}

#[test]
fn a_stiff_body_loses_spin_as_a_point_on_a_circle_does() {
    let damping = [Scheme::ImplicitEuler, Scheme::Bdf2, Scheme::TrBdf2];
    for (steps, least) in [(200, [0.38, 0.98, 0.998]), (800, [0.71, 0.999, 0.9998])] {
        for (scheme, least) in damping.into_iter().zip(least) {
            let expected = expected_left(scheme, steps);
            let got = energy_left(scheme, 1e9, steps);
            assert!(
                (got - expected).abs() < 1e-5,
                "{scheme:?}: {got}, {expected}"
            );
            assert!(got > least && got < 1.0, "{scheme:?}: {got}");
        }
    }

    // The trapezoid gains energy in the recursion itself: stiff bodies that turn are not for it.
    assert!(expected_left(Scheme::Trapezoid, 200) > 100.0);
}

#[test]
fn a_soft_spinning_body_keeps_its_energy_but_for_implicit_euler() {
    let left = Scheme::ALL.map(|scheme| energy_left(scheme, 1e5, 200));
    for scheme in [Scheme::ImplicitEuler, Scheme::Bdf2, Scheme::TrBdf2] {
        let expected = expected_left(scheme, 200);
        let got = left[scheme as usize];
        assert!(
            (got - expected).abs() < 2e-3,
            "{scheme:?}: {got}, {expected}"
        );
    }
    let trapezoid = left[Scheme::Trapezoid as usize];
    near(trapezoid, 1.0, 3e-3);
}

#[test]
fn backward_differences_are_those_of_the_oracle() {
    let squares = scene("two_squares", &["solver.tolerance=1e-8"]);
    let mut own = Parts::of(&by(Scheme::Bdf2, squares.clone()));
    let mut oracle = Parts::of(&squares);
    oracle.world.integrator = Box::new(Oracle);
    for step in 1..=20 {
        own.step();
        oracle.step();
        let pairs = own.state.x.iter().zip(&oracle.state.x);
        let error = pairs.map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
        assert!(error < 1e-9, "step {step}: {error:e}");
    }
}

#[test]
fn backward_differences_forget_a_much_shorter_step() {
    // A step of half the length is remembered, one of a quarter is not.
    for (share, forgets) in [(0.5, false), (0.25, true)] {
        let squares = scene("two_squares", &[]);
        let mut own = Parts::of(&by(Scheme::Bdf2, squares.clone()));
        own.step();
        own.step();
        let mut euler = Parts::of(&squares);
        euler.state = own.state.clone();
        euler.state.memory = StepMemory::default();
        own.state.memory.history[0].h *= share;
        own.solver = own.world.solver();
        own.step();
        euler.step();
        assert_eq!(own.state.x == euler.state.x, forgets, "{share}");
    }
}
