//! Mean dilatation: Cook's membrane of rubber, and patch tests.
//!
//! The panel of `elastic_cook` is thick here, with `E = 1`, `nu = 0.4999` and a force of 1, all in
//! small displacements. No closed form exists. The middle of the right edge rises by 18.51: quadratic
//! triangles reach 18.47, 18.49 and 18.50 with 16, 32 and 64 cells and a mean dilatation, 18.09, 18.36
//! and 18.45 with the volume of each point. Its diagonals all run one way, as in meshes
//! that lock: linear triangles without a mean dilatation reach less than a third of that.
//!
//! A uniform deformation has a uniform `J`, hence that of each triangle and of each patch. Vertices
//! inside of a distorted mesh must then find it, and the stress must be that of the law. The area grows
//! by 1.4e-4, for a pressure of the size of shear stresses.

use super::{elastic_cook, elastic_patch, elastic_six_nodes};
use crate::scenes::{Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::energy::Conditions;
use ipcsim::fields::{Known, Snapshot, Subject};
use ipcsim::math::{Mat2, Vec2};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Plane, Side};

pub(super) const CASE: Case = Case {
    name: "elastic_dilatation",
    title: "Mean dilatation at nu 0.4999: Cook's membrane and patch tests",
    proves: "With a mean dilatation nothing locks on the mesh that locks most, uniform fields are exact, and so is their stress.",
    formula: "u_y(48, 52) = 18.51 for E = 1, nu = 0.4999, F = 1 in plane strain; x = F X; J sigma = mu (F F^T - I) + lambda ln J I",
    source: "Cook 1974; Nagtegaal, Parks and Rice 1974; limit by quadratic triangles of up to 64 x 64 cells of this program",
    weight: Weight::Quick,
    run,
};

/// Displacement of the middle of the loaded edge (m).
const EXPECTED: f64 = 18.51;

/// Factor of the force, so small that displacements are (1).
const SMALL: f64 = 1e-6;

/// Young's modulus (Pa) and Poisson's ratio (1).
const ELASTIC: [f64; 2] = [1e6, 0.4999];

/// Judges Cook's membrane to 2 %, positions of patch tests to 1e-10 m, and stresses to 1e-9 of their
/// own.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("cells along an edge", "displacement / limit"));
    outcome.plot.curve("limit", [4.0, 48.0], |_| 1.0);
    let linear = "linear triangles are too stiff in bending, with an error of order 2 in the size";
    let [mut three, mut six] = [Vec::new(), Vec::new()];
    for (cells, is_quadratic, miss) in [
        (4, true, None),
        (8, true, None),
        (8, false, Some(0.3)),
        (16, false, Some(0.1)),
        (40, false, None),
    ] {
        let rise = risen(cells, is_quadratic)?;
        let kind = if is_quadratic { "quadratic" } else { "linear" };
        let name = format!("displacement, {kind} triangles, {cells} x {cells} cells");
        let quantity = Quantity::relative(name, "m", EXPECTED, rise, 0.02);
        outcome.check(match miss {
            Some(within) => quantity.known_miss(linear, within),
            None => quantity,
        });
        let points = if is_quadratic { &mut six } else { &mut three };
        points.push([cells as f64, rise / EXPECTED]);
    }
    outcome.plot.points("quadratic", six);
    outcome.plot.points("linear", three);

    let [young, poisson] = ELASTIC;
    let [mu, bulk] = [
        young / 2.0 / (1.0 + poisson),
        young / 3.0 / (1.0 - 2.0 * poisson),
    ];
    for (label, law) in [
        ("neo-Hookean", Law::neo_hookean(young, poisson)),
        ("fixed corotated", Law::fixed_corotated(young, poisson)),
        (
            "stable neo-Hookean",
            Law::stable_neo_hookean(young, poisson),
        ),
        (
            "Mooney-Rivlin",
            Law::mooney_rivlin(0.3 * mu, 0.2 * mu, bulk),
        ),
        ("Yeoh", Law::yeoh([0.5 * mu, 0.0, 0.0], bulk)),
    ] {
        for is_quadratic in [false, true] {
            let kind = if is_quadratic { "quadratic" } else { "linear" };
            let [largest, stress] = patch(law, is_quadratic)?;
            let name = format!("largest |x - F X|, {label}, {kind} triangles");
            outcome.absolute(name, "m", 0.0, largest, 1e-10);
            if label == "neo-Hookean" {
                let name = format!("largest error of the stress, {label}, {kind} triangles");
                outcome.absolute(name, "1", 0.0, stress, 1e-9);
            }
        }
    }
    Ok(outcome)
}

/// Rise (m) of the middle of the right edge, scaled to a force of 1.
fn risen(cells: usize, is_quadratic: bool) -> Result<f64, Error> {
    let [young, poisson] = ELASTIC;
    let panel = Body::deformable("panel", elastic_cook::mesh(cells), RUBBER)
        .mean_dilatation()
        .with_prescribed(Prescribed::held(Selection::side(Side::Left)));
    let panel = if is_quadratic {
        panel.quadratic()
    } else {
        panel
    };
    let shear = SMALL * young / 16.0;
    let load = Load::traction("panel", [0.0, shear]).on(Selection::side(Side::Right));
    let scene = statics(1)
        .weightless()
        .elastic(Law::neo_hookean(young, poisson))
        .with_body(panel)
        .with_load(load);
    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;
    let middle = cells * (cells + 1) + cells / 2;
    let end = simulation.body("panel")?.x()[middle];
    Ok((end.y - 52.0) / SMALL)
}

/// Largest distance (m) of a vertex from `F X`, and largest error of a neo-Hookean Cauchy stress over
/// its largest component (1).
fn patch(law: Law, is_quadratic: bool) -> Result<[f64; 2], Error> {
    // The area changes by 1.4e-4 only: near incompressibility more would need a huge pressure.
    let deformation = Mat2::new(1.1, 0.15, -0.05, 0.9024);
    let mesh = if is_quadratic {
        elastic_six_nodes::mesh()
    } else {
        elastic_patch::mesh()
    };
    let body = Body::deformable("body", mesh.clone(), RUBBER).mean_dilatation();
    let body = if is_quadratic { body.quadratic() } else { body };
    let simulation = elastic_six_nodes::deformed(body, &mesh, law, deformation)?;
    let x = simulation.body("body")?.x();
    let errors = x.iter().zip(&mesh.vertices).map(|(x, &rest)| {
        let exact = deformation * Vec2::from(rest);
        (x - exact).norm()
    });

    // Components in the plane and across, all of them parts of one pressure and shear.
    let [young, poisson] = ELASTIC;
    let mu = young / 2.0 / (1.0 + poisson);
    let lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
    let j = deformation.determinant();
    let shear = (deformation * deformation.transpose() - Mat2::identity()) * mu;
    let even = lambda * j.ln();
    let exact = [
        (shear.m11 + even) / j,
        (shear.m22 + even) / j,
        shear.m12 / j,
        even / j,
    ];
    let largest = exact.into_iter().map(f64::abs).fold(0.0, f64::max);
    let subject = Subject::new(simulation.world(), Plane::Strain, 1.0, vec![None]);
    let known = Known::positions(&simulation.state().x, Conditions::default());
    let snapshot = Snapshot::new(&subject, known);
    let misses = snapshot.stress().triangles.iter().flat_map(|found| {
        let found = [found.xx, found.yy, found.xy, found.zz];
        [0, 1, 2, 3].map(|k| (found[k] - exact[k]).abs() / largest)
    });
    Ok([errors.fold(0.0, f64::max), misses.fold(0.0, f64::max)])
}
