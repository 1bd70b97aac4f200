//! Bodies of revolution: weight, a ring that breathes, a bar that rings, and a metal tube that yields.
//!
//! Masses and forces are those of the full turn. A thin ring that breathes has the frequency
//! `sqrt(E/rho)/R`, and a slender bar that is let go from a stretch the period `4 L sqrt(rho/E)` with its foot held. A tube of a metal
//! without hardening carries at most `2 Y/sqrt 3 ln(b/a)` inside: it flows around the axis.

use crate::perturb::simulated;
use crate::scenes::{DENSITY, Exact, G, RUBBER, STONE, force_on, ground, scene};
use crate::turned::{at_height, at_radius, moved, on_y, rectangle, section, turned};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::material::Metal;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Plane, Selection, Side};
use std::f64::consts::{PI, TAU};

pub(super) const CASE: Case = Case {
    name: "axis_motion",
    title: "Bodies of revolution: weight, vibrations and flow",
    proves: "Weights of rigid and soft cylinders, frequencies of a ring and of a bar, heat, and the pressure at which a metal tube flows are those of solids of revolution.",
    formula: "W = rho pi R^2 h g; w = sqrt(E/rho)/R; T = 4 L sqrt(rho/E); p = 2/sqrt 3 Y ln(b/a); u = (1 + nu) a T R",
    source: "Love, A Treatise on the Mathematical Theory of Elasticity; Hill, The Mathematical Theory of Plasticity, chapter V",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new(
        "time (s)",
        "radius of the ring less that at rest (m)",
    ));
    weights(&mut outcome)?;
    breathe(&mut outcome)?;
    warm(&mut outcome)?;
    flow(&mut outcome)?;
    Ok(outcome)
}

/// Judges the forces of a rigid and of a soft cylinder on the ground to 1e-6.
fn weights(outcome: &mut Outcome) -> Result<(), Error> {
    let cells = [4, 4];
    let mut rigid = Body::rigid(
        "rigid",
        rectangle([0.0, 0.2], [0.01, 0.31], cells, false),
        STONE,
    );
    rigid.fixed = vec![Axis::X, Axis::Angle];
    let soft = Body::deformable(
        "soft",
        rectangle([0.3, 0.5], [0.01, 0.31], cells, false),
        RUBBER,
    );
    let mut scene = turned(1, Law::neo_hookean(1e6, 0.3))
        .with_gravity([0.0, -G])
        .with_body(rigid)
        .with_body(soft)
        .with_obstacle(ground());
    scene.contact.friction.default = 0.3;
    let mut simulation = simulated(scene)?;
    simulation.step()?;
    for (name, area) in [("rigid", 0.04), ("soft", 0.25 - 0.09)] {
        let expected = DENSITY * PI * area * 0.3 * G;
        let found = force_on(&simulation, name).y;
        outcome.relative(format!("weight, {name}"), "N", expected, found, 1e-6);
    }
    Ok(())
}

/// Judges the period of a thin ring that breathes to 0.5 %.
fn breathe(outcome: &mut Outcome) -> Result<(), Error> {
    let [young, radius] = [1e6, 1.0];
    let half = 0.01;
    let mesh = rectangle([radius - half, radius + half], [0.0, 0.02], [2, 2], true);
    let period = TAU * radius * (DENSITY / young).sqrt();
    let (steps, periods) = (240, 1.25);
    let mut body = section(mesh);
    body.stretch = [1.001, 1.0];
    let mut scene = scene(periods * period / f64::from(steps), 240)
        .weightless()
        .elastic(Law::neo_hookean(young, 0.0))
        .with_body(body);
    scene.plane = Plane::Axisymmetric;
    scene.time.integrator = Scheme::Trapezoid;
    let mut simulation = simulated(scene)?;

    let grown = |simulation: &Simulation| -> Result<f64, Error> {
        Ok(moved(simulation, "body", [radius, 0.01])?.x)
    };
    let mut before = [0.0, grown(&simulation)?];
    let start = before[1];
    let mut crossings = Vec::new();
    let mut points = vec![before];
    for _ in 0..steps {
        simulation.step()?;
        let now = [simulation.time(), grown(&simulation)?];
        if before[1] * now[1] < 0.0 {
            let share = before[1] / (before[1] - now[1]);
            crossings.push(before[0] + share * (now[0] - before[0]));
        }
        points.push(now);
        before = now;
    }
    outcome
        .plot
        .curve("closed form", [0.0, periods * period], |t| {
            start * (TAU * t / period).cos()
        });
    outcome.plot.points("measured", points);
    let found = 2.0 * (crossings.get(1).copied().unwrap_or(f64::NAN) - crossings[0]);
    outcome.relative("period of a ring that breathes", "s", period, found, 0.005);
    Ok(())
}

/// Judges the growth of a free and of a held cylinder by heat to 1e-6.
fn warm(outcome: &mut Outcome) -> Result<(), Error> {
    let heated = 1e-5 * 50.0;
    for (label, is_held, factor) in [("free", false, 1.0), ("held along the axis", true, 1.3)] {
        let mesh = rectangle([0.0, 1.0], [0.0, 0.5], [3, 3], true);
        let mut body = section(mesh).with_prescribed(on_y(Selection::side(Side::Bottom)));
        if is_held {
            body = body.with_prescribed(on_y(Selection::side(Side::Top)));
        }
        body.temperature = Some(50.0.into());
        let mut scene = turned(1, Law::linear(1e9, 0.3)).with_body(body);
        let hot = Material::new(DENSITY, Law::linear(1e9, 0.3)).expanding(1e-5);
        scene = scene.with_material(RUBBER, hot);
        let mut simulation = simulated(scene)?;
        simulation.step()?;
        let found = moved(&simulation, "body", [1.0, 0.25])?.x;
        outcome.relative(
            format!("growth by heat, {label}"),
            "m",
            factor * heated,
            found,
            1e-3,
        );
    }
    Ok(())
}

/// Judges the pressure in a metal tube between planes whose bore is widened until it has flowed as a whole to 1 %.
fn flow(outcome: &mut Outcome) -> Result<(), Error> {
    let [a, b, length] = [1.0, 2.0, 0.25];
    let limit = 1e6;
    let metal = Law::j2(Metal {
        young: 1e9,
        poisson: 0.3,
        yield_stress: limit,
        hardening: 0.0,
    });
    let mesh = rectangle([a, b], [0.0, length], [8, 2], true);
    let widen = Prescribed {
        axis: Some(Axis::X),
        ..Prescribed::moved(at_radius(a, 1e-9), [0.01, 0.0])
    };
    let body = section(mesh)
        .with_prescribed(on_y(at_height(0.0, 1e-9)))
        .with_prescribed(on_y(at_height(length, 1e-9)))
        .with_prescribed(widen);
    let mut simulation = simulated(turned(8, metal).with_body(body))?;
    simulation.run(8)?;
    let reactions = simulation.reactions();
    let force = reactions.map(|own| own.force.x).fold(0.0, f64::max);
    // The present bore and outside.
    let inner = a + 0.01;
    let outer = b + moved(&simulation, "body", [b, 0.0])?.x;
    let pressure = force / (TAU * inner * length);
    let expected = 2.0 / 3.0_f64.sqrt() * limit * (outer / inner).ln();
    outcome.relative(
        "pressure in a tube that flows",
        "Pa",
        expected,
        pressure,
        0.01,
    );
    Ok(())
}
