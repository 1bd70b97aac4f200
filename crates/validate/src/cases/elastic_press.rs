//! Press fits as they are drawn: a shaft that is thicker than the bore of its hub.
//!
//! Drawn, the shaft has the radius `A = a + delta` and the bore `a`. `contact.interference` lets the shaft
//! begin smaller and grow. At small `delta` the pressure is Lame's, with `E' = E` in plane stress and
//! `E / (1 - nu^2)` in plane strain,
//!
//! `p = E' delta / (2 a) (b^2 - a^2) / b^2`.
//!
//! At larger `delta` the oracle is an integration of the finite strains of the neo-Hookean law. With the
//! principal stretches `r'` and `r / R` and the nominal stresses `P_r` and `P_t` a hub in equilibrium has
//!
//! `dP_r/dR = (P_t - P_r) / R`, `P_r = 0` outside,
//!
//! and the shaft has the even stretch `r_i / A`. Both have the pressure `p` where they meet, which gives
//! the radius `r_i`. In plane stress the stretch across follows from a stress across of 0.
//!
//! Reach and stiffness of contact are the defaults. Nodes of shaft and hub face each other.

use super::load_ring::ring;
use crate::scenes::{DENSITY, Exact, RUBBER, booked, statics};
use crate::six_nodes::disk;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::forces::{lengths_at, normal_on_vertices};
use ipcsim::math::Vec2;
use ipcsim::mesh::generate;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Axis, InlineMesh, Interference, Plane};
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "elastic_press",
    title: "Press fits as drawn, from 1e-5 to 1e-2 of the diameter",
    proves: "A shaft that is drawn thicker than its bore has the pressure of Lame, and of an integration of finite strains; a plug in a rigid bore has that of its even strain.",
    formula: "p = E' delta/(2 a) (b^2 - a^2)/b^2; dP_r/dR = (P_t - P_r)/R",
    source: "Lame 1852; Ogden, Non-linear Elastic Deformations, section 5.3",
    weight: Weight::Quick,
    run,
};

/// Radii of bore and hub (m), Young's modulus (Pa), Poisson's ratio (1).
const RADII: [f64; 2] = [1.0, 2.0];
const ELASTIC: [f64; 2] = [1000.0, 0.3];
/// Layers of the hub, with 12 edges around for each, of quadratic and of linear triangles.
const LAYERS: [usize; 2] = [3, 8];
/// Steps of the integration, and halvings of intervals in which roots are.
const STEPS: usize = 60;
const HALVINGS: usize = 50;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("delta (m)", "pressure (Pa)"));
    let [a, b] = RADII;
    let mut measured = Vec::new();
    for (plane, label) in [
        (Plane::Strain, "plane strain"),
        (Plane::Stress, "plane stress"),
    ] {
        let modulus = if plane == Plane::Stress {
            ELASTIC[0]
        } else {
            ELASTIC[0] / (1.0 - ELASTIC[1] * ELASTIC[1])
        };
        let lame = |delta: f64| modulus * delta / (2.0 * a) * (b * b - a * a) / (b * b);
        outcome.plot.curve(label, [0.0, 1e-2], lame);

        // Ratios of delta to the radius, which are those of the interference to the diameter.
        for (ratio, is_quadratic) in [(1e-5, true), (1e-3, false), (1e-2, true)] {
            let elements = if is_quadratic { "quadratic" } else { "linear" };
            let pressure = fitted(ratio * a, plane, is_quadratic)?;
            let small = lame(ratio * a);
            let expected = if ratio < 1e-3 {
                small
            } else {
                Fit {
                    plane,
                    delta: ratio * a,
                }
                .pressure()
            };
            let name = format!("mean pressure, {label}, {elements}, {ratio} of the diameter");
            outcome.relative(name, "Pa", expected, pressure, 0.01);
            measured.push([ratio * a, pressure]);
        }
    }
    outcome.plot.points("measured", measured);

    // A plug that is 2 % too wide for a rigid bore, in motion: its even strain, and the ledger.
    let plug = plugged()?;
    let [pressure, expected] = plug.pressures;
    outcome.relative("pressure in a rigid bore", "Pa", expected, pressure, 0.01);
    let name = "unexplained energy over the work of the growth";
    outcome.absolute(name, "1", 0.0, plug.unexplained, 1e-9);
    Ok(outcome)
}

/// A scene in which `names` overlap on purpose.
fn meant(mut scene: Scene, names: [&str; 2]) -> Scene {
    let [a, b] = names;
    scene.contact.interference = vec![Interference::new(a, b)];
    scene
}

/// Mean pressure (Pa) on a body, over its outline at rest.
fn mean_pressure(simulation: &Simulation, name: &str) -> Result<f64, Error> {
    let world = simulation.world();
    let state = simulation.state();
    let surface = &world.model.surface;
    let contacts = world.contacts_at(&state.x, &state.memory.options.stiffening.adapted);
    let forces = normal_on_vertices(surface, &contacts, &state.x);
    let lengths = lengths_at(surface, &state.x);
    let own = simulation.body(name)?.body().vertices.clone();
    let force: f64 = forces[own.clone()].iter().map(Vec2::norm).sum();
    let around: f64 = lengths[own].iter().sum();
    Ok(force / around)
}

/// A disk of linear triangles with six times as many edges around as rings.
fn plain_disk(radius: f64, rings: usize) -> InlineMesh {
    let made = generate::disk(radius, rings);
    let vertices = made.vertices.iter().map(|x| [x.x, x.y]).collect();
    InlineMesh::new(vertices, made.triangles)
}

/// Mean pressure (Pa) on a shaft whose radius exceeds that of its bore by `delta` (m).
fn fitted(delta: f64, plane: Plane, is_quadratic: bool) -> Result<f64, Error> {
    let [a, b] = RADII;
    let round = if is_quadratic { disk } else { plain_disk };
    let layers = LAYERS[usize::from(!is_quadratic)];
    let mut shaft = Body::deformable("shaft", round(a + delta, 2 * layers), RUBBER);
    if is_quadratic {
        shaft = shaft.quadratic();
    }
    let shaft = on_axes(shaft, a + delta);
    let hub = on_axes(ring(RADII, layers, is_quadratic), b);
    let [young, poisson] = ELASTIC;

    // One increment, with the default reach and stiffness of contact.
    let mut scene = statics(1)
        .weightless()
        .elastic(Law::neo_hookean(young, poisson))
        .with_body(shaft)
        .with_body(hub);
    scene.plane = plane;
    let mut simulation = Simulation::new(meant(scene, ["shaft", "ring"]))?;
    simulation.step()?;
    mean_pressure(&simulation, "shaft")
}

/// A body with four vertices on the axes at this radius (m), which move only along them: symmetry has
/// it so, and nothing else holds the body.
fn on_axes(mut body: Body, radius: f64) -> Body {
    for (at, axis) in [
        ([radius, 0.0], Axis::Y),
        ([-radius, 0.0], Axis::Y),
        ([0.0, radius], Axis::X),
        ([0.0, -radius], Axis::X),
    ] {
        let mut held = Prescribed::held(Selection::disk(at, 1e-6));
        held.axis = Some(axis);
        body = body.with_prescribed(held);
    }
    body
}

/// A plug in a rigid bore.
struct Plug {
    /// Pressure: measured, and of the even strain (Pa).
    pressures: [f64; 2],
    /// Energy that no term of the ledger explains, over the work of the growth (1).
    unexplained: f64,
}

/// Presses a plug into a rigid ring, in steps of implicit Euler.
fn plugged() -> Result<Plug, Error> {
    const WIDER: f64 = 1.02;
    const AROUND: usize = 24;
    let [young, poisson] = ELASTIC;
    let ring = ring([1.0, 1.5], AROUND / 12, false);
    let plug = Body::deformable("plug", plain_disk(WIDER, AROUND / 6), RUBBER);
    let scene = Scene::new(Time::new(0.05, 40))
        .weightless()
        .with_material(
            RUBBER,
            Material::new(DENSITY, Law::neo_hookean(young, poisson)),
        )
        .with_body(plug)
        .with_obstacle(Obstacle::new("bore", ring.shape));

    // The plug has its drawn size in the middle of the run, and rests then.
    let mut scene = meant(scene, ["plug", "bore"]);
    scene.contact.interference[0].until = Some(1.0);
    scene.contact.close_at_rest = true;
    scene.solver.tolerance = Some(1e-8);
    let books = booked(scene.clone(), 40)?;
    let mut simulation = Simulation::new(scene)?;
    simulation.run(40)?;

    // F = I / 1.02 in the plane.
    let [mu, lambda] = lame();
    let stretch: f64 = 1.0 / WIDER;
    let volume = stretch * stretch;
    let stress = (mu * (volume - 1.0) + lambda * volume.ln()) / volume;
    // At each corner two sides press, which are not parallel.
    let pressure = mean_pressure(&simulation, "plug")? / (PI / AROUND as f64).cos();
    Ok(Plug {
        pressures: [pressure, -stress],
        unexplained: books.unexplained_work() / books.work.temperature.abs(),
    })
}

/// Lame's parameters (Pa).
fn lame() -> [f64; 2] {
    let [young, poisson] = ELASTIC;
    let mu = 0.5 * young / (1.0 + poisson);
    [mu, 2.0 * mu * poisson / (1.0 - 2.0 * poisson)]
}

/// Root of a function that grows from below 0 to above it.
fn root([mut least, mut most]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (least + most);
        if f(middle) > 0.0 {
            most = middle;
        } else {
            least = middle;
        }
    }
    0.5 * (least + most)
}

/// A fit whose finite strains are integrated.
struct Fit {
    plane: Plane,
    /// Difference of the radii (m).
    delta: f64,
}

impl Fit {
    /// Stretch across the plane (1) at these radial and tangential stretches.
    fn across(&self, radial: f64, tangential: f64) -> f64 {
        let [mu, lambda] = lame();
        if self.plane != Plane::Stress {
            return 1.0;
        }
        root([0.5, 2.0], |own| {
            mu * (own * own - 1.0) + lambda * (radial * tangential * own).ln()
        })
    }

    /// Nominal stresses `P_r` and `P_t` (Pa).
    fn nominal(&self, radial: f64, tangential: f64) -> [f64; 2] {
        let [mu, lambda] = lame();
        let log = (radial * tangential * self.across(radial, tangential)).ln();
        [radial, tangential].map(|own| mu * (own - 1.0 / own) + lambda * log / own)
    }

    /// Radial stretch (1) with the nominal stress `radial` (Pa) at a tangential stretch.
    fn stretch(&self, radial: f64, tangential: f64) -> f64 {
        root([0.5, 2.0], |own| self.nominal(own, tangential)[0] - radial)
    }

    /// Radial stress (Pa) in the shaft where the two meet at the radius `r` (m): force per present area.
    fn of_shaft(&self, r: f64) -> f64 {
        let even = r / (RADII[0] + self.delta);
        self.nominal(even, even)[0] / (even * self.across(even, even))
    }

    /// Nominal stress (Pa) on the outside of the hub whose bore has become `r` (m) wide and has the stress
    /// of the shaft.
    fn outside(&self, mut r: f64) -> f64 {
        let [a, b] = RADII;
        let tangential = r / a;
        let stress = self.of_shaft(r);
        let inner = root([0.5, 2.0], |own| {
            let force = self.nominal(own, tangential)[0];
            force - stress * tangential * self.across(own, tangential)
        });
        let mut radial = self.nominal(inner, tangential)[0];

        // The midpoint rule.
        let step = (b - a) / STEPS as f64;
        let slope = |at: f64, r: f64, radial: f64| {
            let stretch = self.stretch(radial, r / at);
            let [_, tangential] = self.nominal(stretch, r / at);
            [stretch, (tangential - radial) / at]
        };
        for k in 0..STEPS {
            let at = a + step * k as f64;
            let first = slope(at, r, radial);
            let half = 0.5 * step;
            let middle = slope(at + half, r + half * first[0], radial + half * first[1]);
            r += step * middle[0];
            radial += step * middle[1];
        }
        radial
    }

    /// Pressure between shaft and hub (Pa).
    fn pressure(&self) -> f64 {
        let a = RADII[0];
        let r = root([a, a + self.delta], |r| self.outside(r));
        -self.of_shaft(r)
    }
}
