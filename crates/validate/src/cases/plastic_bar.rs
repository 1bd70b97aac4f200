//! A metal bar that is pulled until it flows, pressed, and pulled again.
//!
//! In plane stress a bar has one stress. It follows Hooke's law in logarithms of stretches up to the
//! yield stress, and beyond it the tangent `E H / (E + H)`; each turn begins with Hooke's law again,
//! with the yield stress that hardening has reached. Flow keeps one direction between two turns, so
//! that a step of any length leads to the same point of the curve.
//!
//! A block of the same metal that is squeezed while it vibrates shows that the work of flow closes the
//! ledger.

use crate::scenes::{Exact, RUBBER, booked, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::material::Metal;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Axis, Displaced, Plane, Table, Varying};

pub(super) const CASE: Case = Case {
    name: "plastic_bar",
    title: "Plasticity: a bar that is pulled, pressed and pulled again",
    proves: "A metal follows Hooke's law up to its yield stress and hardens beyond it, keeps its new length, and its plastic work closes the ledger.",
    formula: "tau = E e, then d tau/d e = E H/(E + H), with e = ln(l/l_0) and the force tau A_0 l_0/l",
    source: "Simo, Hughes, Computational Inelasticity, chapter 1; Hencky 1928",
    weight: Weight::Quick,
    run,
};

/// Length and height of the bar (m).
const SIZE: [f64; 2] = [0.3, 0.2];
/// The metal: moduli and stresses in Pa.
const METAL: Metal = Metal {
    young: 2e11,
    poisson: 0.3,
    yield_stress: 3e8,
    hardening: 2e10,
};
/// Stretches at which the motion turns (1), and steps between them.
const TURNS: [f64; 4] = [1.0, 1.02, 0.985, 1.03];
const STEPS: usize = 5;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("ln(l/l_0)", "Kirchhoff stress (Pa)"));
    for (label, quadratic) in [("linear", false), ("quadratic", true)] {
        let pulled = pulled(quadratic)?;
        let mut expected = Curve::default();
        let mut line = vec![[0.0; 2]];
        for (k, &[strain, stress]) in pulled.iter().enumerate() {
            let exact = expected.after(strain, k % STEPS == 0);
            let turn = (k + 1) % STEPS == 0;
            if turn {
                let name = format!("stress at turn {}, {label} triangles", (k + 1) / STEPS);
                outcome.relative(name, "Pa", exact, stress, 1e-8);
            }
            line.push([strain, exact]);
        }
        if !quadratic {
            outcome.plot.line("closed form", line);
        }
        outcome.plot.points(label, pulled);
    }

    for (scheme, label) in [
        (Scheme::ImplicitEuler, "implicit Euler"),
        (Scheme::Bdf2, "BDF2"),
        (Scheme::Trapezoid, "trapezoid"),
        (Scheme::TrBdf2, "TR-BDF2"),
    ] {
        let (work, unexplained) = struck(scheme)?;
        let name = format!("unexplained energy over plastic work, {label}");
        outcome.absolute(name, "1", 0.0, unexplained / work, 1e-9);
    }
    Ok(outcome)
}

/// Stress and strain since the last turn of the motion.
#[derive(Clone, Copy, Default)]
struct Curve {
    /// Strain (1), stress and yield stress (Pa) at the last turn, where the curve was at all.
    turn: Option<[f64; 3]>,
    /// The same now.
    now: [f64; 3],
}

impl Curve {
    /// Stress (Pa) at a strain, which is the first after a turn or not.
    fn after(&mut self, strain: f64, is_first: bool) -> f64 {
        let Metal {
            young,
            yield_stress,
            hardening,
            ..
        } = METAL;
        if is_first {
            self.turn = self
                .turn
                .map(|_| self.now)
                .or(Some([0.0, 0.0, yield_stress]));
        }
        let [from, stress, limit] = self.turn.unwrap_or_default();
        // An elastic trial; what exceeds the yield stress of the last turn flows and hardens.
        let trial = stress + young * (strain - from);
        let flow = ((trial.abs() - limit) / (young + hardening)).max(0.0);
        let stress = trial - young * flow * trial.signum();
        self.now = [strain, stress, limit + hardening * flow];
        stress
    }
}

/// Logarithmic strain and Kirchhoff stress (Pa) of the bar after each step.
fn pulled(quadratic: bool) -> Result<Vec<[f64; 2]>, Error> {
    let along = |side: Side, way: Varying| {
        let displacement = Some(Displaced {
            x: Some(way),
            y: None,
        });
        Prescribed {
            displacement,
            ..Prescribed::held(Selection::side(side))
        }
    };
    let times = (0..TURNS.len()).map(|k| k as f64 / (TURNS.len() - 1) as f64);
    let way = Table {
        times: times.collect(),
        values: TURNS.map(|stretch| (stretch - 1.0) * SIZE[0]).to_vec(),
    };
    let mut level = Prescribed::held(Selection::Indices(vec![0]));
    level.axis = Some(Axis::Y);
    let mut bar = Body::deformable("bar", Rectangle::new(SIZE, [4, 2]), RUBBER)
        .with_prescribed(along(Side::Left, Varying::Constant(0.0)))
        .with_prescribed(along(Side::Right, Varying::Table(way)))
        .with_prescribed(level);
    if quadratic {
        bar = bar.quadratic();
    }

    let steps = STEPS * (TURNS.len() - 1);
    let mut scene = statics(steps)
        .tolerance(1e-12)
        .weightless()
        .elastic(Law::j2(METAL))
        .with_body(bar);
    scene.plane = Plane::Stress;
    let mut simulation = Simulation::new(scene)?;
    let mut found = Vec::with_capacity(steps);
    for _ in 0..steps {
        simulation.step()?;
        let x = &simulation.state().x;
        let ends = x.iter().map(|x| x.x);
        let length = ends.clone().fold(f64::MIN, f64::max) - ends.fold(f64::MAX, f64::min);
        let stretch = length / SIZE[0];
        let right = simulation.reactions().nth(1);
        let force = right.map_or(f64::NAN, |right| right.force.x);
        // The formula of the force, solved for tau = F l / (A_0 l_0).
        found.push([stretch.ln(), force * stretch / SIZE[1]]);
    }
    Ok(found)
}

/// Plastic work and energy that no term of the ledger explains (J), of a block that strikes its held side.
fn struck(scheme: Scheme) -> Result<(f64, f64), Error> {
    // Softer than steel, so that a wave takes several steps through the block.
    let metal = Metal {
        young: 1e8,
        yield_stress: 2e5,
        hardening: 1e6,
        ..METAL
    };
    let block = Body::deformable("block", Rectangle::new([0.2, 0.1], [4, 2]), RUBBER)
        .with_velocity([-4.0, 0.0])
        .with_prescribed(Prescribed::held(Selection::side(Side::Left)));
    let mut scene = Scene::new(Time::new(1e-4, 40).by(scheme))
        .weightless()
        .elastic(Law::j2(metal))
        .with_body(block);
    scene.solver.tolerance = Some(1e-8);
    let books = booked(scene, 40)?;
    Ok((books.work.plasticity.abs(), books.unexplained_work()))
}
