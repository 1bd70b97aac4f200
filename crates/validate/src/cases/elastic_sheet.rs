//! A sheet in plane stress that is pulled to twice its length, under every law.
//!
//! The sheet contracts freely along its width and its thickness. An isotropic one contracts equally
//! along both, by the stretch `b` at which the stress across the pull vanishes. Stresses are
//! written here apart from the simulator's, in principal stretches `a`, `b`, `b` of space.

use crate::formulas::{Lame, root};
use crate::scenes::{Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Directional, Plane};

pub(super) const CASE: Case = Case {
    name: "elastic_sheet",
    title: "A sheet pulled to twice its length, eight laws",
    proves: "In plane stress no stress acts across the sheet, at any strain and for every law.",
    formula: "P_b(a, b, b) = 0 for the lateral stretch b; force = P_a(a, b, b) H; sigma = P_a / b^2",
    source: "Holzapfel, Nonlinear Solid Mechanics, chapter 6: derivatives of each energy density",
    weight: Weight::Quick,
    run,
};

/// Length and height (m), and the stretch (1).
const SIZE: [f64; 2] = [1.0, 0.4];
const STRETCH: f64 = 2.0;
/// Modulus (Pa) and Poisson's ratio (1) of the laws that have these.
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
/// Factors of Mooney-Rivlin and Yeoh, and their bulk modulus (Pa).
const MOONEY: [f64; 2] = [1.5e5, 0.3e5];
const YEOH: [f64; 3] = [2e5, -1e4, 2e3];
const BULK: f64 = 2e6;
/// Wood along its fibres: moduli (Pa) and Poisson's ratio `nu_12` (1).
const WOOD: Directional = Directional {
    young: [1e6, 2e5, 3e5],
    poisson: [0.3, 0.25, 0.2],
    shear: 1e5,
    angle_deg: 0.0,
};

/// Nominal stress (Pa) along the first of the stretches `a`, `b`, `c`.
type Stress = fn(f64, f64, f64) -> f64;

/// Parameters of Lame (Pa).
fn lame() -> Lame {
    Lame::new(YOUNG, POISSON)
}

/// Slope along `a` of the energy of volume `K/4 (J^2 - 1 - 2 ln J)` (Pa).
fn of_volume(a: f64, b: f64, c: f64) -> f64 {
    let j = a * b * c;
    0.5 * BULK * (j - 1.0 / j) / a * j
}

/// `I_1 J^(-2/3) - 3`, and its slope along `a`.
fn first(a: f64, b: f64, c: f64) -> [f64; 2] {
    let sum = a * a + b * b + c * c;
    let scale = (a * b * c).powf(-2.0 / 3.0);
    [sum * scale - 3.0, 2.0 * scale * (a - sum / (3.0 * a))]
}

/// Slope along `a` of `I_2 J^(-4/3)`.
fn second(a: f64, b: f64, c: f64) -> f64 {
    let [p, q, r] = [a * a * b * b, b * b * c * c, c * c * a * a];
    let scale = (a * b * c).powf(-4.0 / 3.0);
    2.0 * scale * ((p + r) - 2.0 / 3.0 * (p + q + r)) / a
}

/// Isotropic laws with their names and stresses.
fn laws() -> [(&'static str, Law, Stress); 6] {
    [
        (
            "neo-Hookean",
            Law::neo_hookean(YOUNG, POISSON),
            |a, b, c| lame().mu * (a - 1.0 / a) + lame().lambda * (a * b * c).ln() / a,
        ),
        (
            "fixed corotated",
            Law::fixed_corotated(YOUNG, POISSON),
            |a, b, c| 2.0 * lame().mu * (a - 1.0) + lame().lambda * (a * b * c - 1.0) * b * c,
        ),
        (
            "Saint Venant-Kirchhoff",
            Law::st_venant_kirchhoff(YOUNG, POISSON),
            |a, b, c| {
                let [e, f, g] = [a, b, c].map(|s| 0.5 * (s * s - 1.0));
                a * (2.0 * lame().mu * e + lame().lambda * (e + f + g))
            },
        ),
        (
            "stable neo-Hookean",
            Law::stable_neo_hookean(YOUNG, POISSON),
            |a, b, c| {
                let [m, l] = [4.0 / 3.0 * lame().mu, lame().lambda + 5.0 / 6.0 * lame().mu];
                let sum = a * a + b * b + c * c;
                m * a * sum / (sum + 1.0) + (l * (a * b * c - 1.0) - 0.75 * m) * b * c
            },
        ),
        (
            "Mooney-Rivlin",
            Law::mooney_rivlin(MOONEY[0], MOONEY[1], BULK),
            |a, b, c| {
                MOONEY[0] * first(a, b, c)[1] + MOONEY[1] * second(a, b, c) + of_volume(a, b, c)
            },
        ),
        ("Yeoh", Law::yeoh(YEOH, BULK), |a, b, c| {
            let [x, slope] = first(a, b, c);
            (YEOH[0] + 2.0 * YEOH[1] * x + 3.0 * YEOH[2] * x * x) * slope + of_volume(a, b, c)
        }),
    ]
}

/// Judges the force to 1e-6, the Cauchy stress to 1e-6 and the lateral stretch to 1e-7.
///
/// Linear triangles represent the uniform deformation exactly. What is left is the way that ten long
/// steps of implicit Euler leave to the equilibrium.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("stretch", "force (N)"));
    for (label, law, stress) in laws() {
        let lateral = |a: f64| root([0.05, 2.0], |b| stress(b, a, b));
        let force = |a: f64| stress(a, lateral(a), lateral(a)) * SIZE[1];
        outcome.plot.curve(label, [1.0, 2.2], force);
        let b = lateral(STRETCH);
        let wanted = Pulled {
            force: force(STRETCH),
            lateral: b,
            cauchy: force(STRETCH) / SIZE[1] / (b * b),
        };
        judge(&mut outcome, label, law, &wanted)?;
    }

    // An orthotropic bar along its fibres: E_22 = -nu_12 E_11, E_33 = -nu_13 E_11, S = E_1 E_11.
    let strain = 0.5 * (STRETCH * STRETCH - 1.0);
    let [b, c] = [0, 1].map(|k| (1.0 - 2.0 * WOOD.poisson[k] * strain).sqrt());
    let nominal = STRETCH * WOOD.young[0] * strain;
    let wanted = Pulled {
        force: nominal * SIZE[1],
        lateral: b,
        cauchy: nominal / (b * c),
    };
    judge(&mut outcome, "orthotropic", Law::orthotropic(WOOD), &wanted)?;

    // The linear law is that of small strain at any stretch; its stress is no force per new area.
    let nominal = YOUNG * (STRETCH - 1.0);
    let b = 1.0 - POISSON * (STRETCH - 1.0);
    let wanted = Pulled {
        force: nominal * SIZE[1],
        lateral: b,
        cauchy: nominal / b,
    };
    judge(&mut outcome, "linear", Law::linear(YOUNG, POISSON), &wanted)?;
    Ok(outcome)
}

/// State of a pulled sheet.
struct Pulled {
    /// Force along the pull (N).
    force: f64,
    /// Stretch across it, in the plane (1).
    lateral: f64,
    /// Cauchy stress along the pull (Pa).
    cauchy: f64,
}

/// Pulls a sheet and compares it with what is wanted.
fn judge(outcome: &mut Outcome, label: &str, law: Law, wanted: &Pulled) -> Result<(), Error> {
    let found = pulled(law)?;
    let name = format!("force, {label}");
    outcome.relative(name, "N", wanted.force, found.force, 1e-6);
    let name = format!("lateral stretch, {label}");
    outcome.relative(name, "1", wanted.lateral, found.lateral, 1e-7);
    let name = format!("Cauchy stress, {label}");
    outcome.relative(name, "Pa", wanted.cauchy, found.cauchy, 1e-6);
    outcome
        .plot
        .points(format!("{label}, measured"), vec![[STRETCH, found.force]]);
    Ok(())
}

/// A sheet that is held at the left and pulled at the right, free to contract.
fn pulled(law: Law) -> Result<Pulled, Error> {
    let along = |side: Side, speed: f64| {
        let mut moved = Prescribed::moved(Selection::side(side), [speed, 0.0]);
        moved.axis = Some(Axis::X);
        moved
    };
    let way = (STRETCH - 1.0) * SIZE[0];
    let mut pull = along(Side::Right, 0.01 * way);
    pull.travel = Some(way);
    // One vertex holds the sheet along y, so that it contracts freely.
    let mut held = Prescribed::held(Selection::Indices(vec![0]));
    held.axis = Some(Axis::Y);
    let sheet = Body::deformable("sheet", Rectangle::new(SIZE, [3, 2]), RUBBER)
        .with_prescribed(along(Side::Left, 0.0))
        .with_prescribed(pull)
        .with_prescribed(held);

    // The pull takes 10 of 20 steps.
    let mut scene = scene(10.0, 20)
        .tolerance(1e-12)
        .weightless()
        .elastic(law)
        .with_body(sheet);
    scene.plane = Plane::Stress;
    let simulation = after(scene, 20)?;

    let x = simulation.body("sheet")?.x();
    let last = x.len() - 1;
    let reactions = simulation.reactions();
    // The held side has the opposite force, so that the pulled side has the largest.
    let force = reactions.map(|held| held.force.x).fold(0.0, f64::max);
    let energies = &simulation.world().model.energies;
    let stresses = energies
        .iter()
        .flat_map(|energy| energy.stresses(&simulation.state().x));
    let cauchy = stresses.map(|found| found.middle.xx).fold(0.0, f64::max);
    Ok(Pulled {
        force,
        lateral: (x[last].y - x[0].y) / SIZE[1],
        cauchy,
    })
}
