//! Bars under tension, against closed forms of homogeneous deformation.

use crate::support::{Run, deviation, inline, near_ratio};
use ipcsim::math::Vec2;
use serde_json::json;

/// Length of the bar (m).
const LENGTH: f64 = 1.0;
/// Height of the bar (m).
const HEIGHT: f64 = 0.3;
/// Young's modulus (Pa).
const YOUNG: f64 = 1e5;
/// Poisson's ratio.
const POISSON: f64 = 0.3;
/// Thickness across the plane (m).
const THICKNESS: f64 = 0.5;
/// Tolerance of the solver (m/s).
const TOLERANCE: f64 = 1e-10;
/// Vertices along the height; the mesh has 9 columns of them.
const ROWS: usize = 4;

/// Bar whose ends are pulled to the stretch `axial` and have the stretch `lateral` across. All
/// other vertices are free.
fn stretched(law: &str, plane: &str, axial: f64, lateral: f64) -> Run {
    // The vertices of both ends move to where the stretch leads.
    let mut ends = Vec::new();
    for vertex in (0..ROWS).chain(8 * ROWS..9 * ROWS) {
        let y = HEIGHT * ((vertex % ROWS) as f64 / (ROWS - 1) as f64 - 0.5);
        let x = if vertex < ROWS {
            -0.5 * LENGTH
        } else {
            0.5 * LENGTH
        };
        let way = Vec2::new((axial - 1.0) * x, (lateral - 1.0) * y);
        ends.push(
            json!({ "vertices": { "indices": [vertex] }, "velocity": [way.x, way.y],
            "travel": way.norm() }),
        );
    }

    let mut elastic = serde_json::Map::new();
    elastic.insert(
        law.to_owned(),
        json!({ "young": YOUNG, "poisson": POISSON }),
    );
    let scene = inline(json!({
        "time": { "step": 1.0, "steps": 40 }, "gravity": [0.0, 0.0], "plane": plane, "thickness": THICKNESS,
        "materials": { "bar": { "density": 1000.0, "law": elastic } },
        "bodies": [{ "name": "bar", "shape": { "rectangle": { "size": [LENGTH, HEIGHT], "segments": [8, ROWS - 1] } },
            "material": "bar", "prescribed": ends }],
        "solver": { "tolerance": TOLERANCE }
    }));
    let mut run = Run::of(&scene);
    run.steps(40);
    run
}

/// Force of the bar at its right end (N).
fn reaction(run: &Run) -> Vec2 {
    let mut gradient = vec![Vec2::zeros(); run.state().x.len()];
    run.world()
        .model
        .energies
        .iter()
        .for_each(|energy| energy.add_gradient(&run.state().x, 1.0, &mut gradient));
    gradient[8 * ROWS..].iter().sum()
}

/// Checks that the whole bar has the stretches of its ends, and the force at them.
fn check(law: &str, plane: &str, axial: f64, lateral: f64, nominal_stress: f64) {
    let run = stretched(law, plane, axial, lateral);
    let place = |i: usize| run.world().rest[i].component_mul(&Vec2::new(axial, lateral));
    let error = deviation(&run.state().x, place);
    assert!(error < 1e-9, "{law} {plane}: {error:e}");
    let force = reaction(&run);
    let expected = nominal_stress * HEIGHT * THICKNESS;

    // Newton's method leaves `h` times its tolerance at each vertex, against stiffnesses of a few
    // times `E t`.
    let bound = 10.0 * YOUNG * THICKNESS * TOLERANCE + 1e-9 * expected.abs();
    let error = force - Vec2::new(expected, 0.0);
    assert!(error.amax() < bound, "{law} {plane}: {force} {expected}");
}

#[test]
fn a_linear_bar_has_hooke_s_force_and_contracts_by_poisson_s_ratio() {
    for strain in [0.01, -0.02, 0.2] {
        // Plane strain: E / (1 - nu^2) and nu / (1 - nu); plane stress: E and nu.
        let modulus = YOUNG / (1.0 - POISSON * POISSON);
        check(
            "linear",
            "strain",
            1.0 + strain,
            1.0 - POISSON / (1.0 - POISSON) * strain,
            modulus * strain,
        );
        check(
            "linear",
            "stress",
            1.0 + strain,
            1.0 - POISSON * strain,
            YOUNG * strain,
        );
    }
}

/// The lateral stretch at which `stress` across the bar vanishes, by bisection.
fn free_stretch(stress: impl Fn(f64) -> f64) -> f64 {
    let mut low = 0.3;
    let mut high = 2.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if stress(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }

    0.5 * (low + high)
}

/// Closed forms of the laws in space, with the stretch `c` across the plane: 1 in plane strain. In
/// plane stress a bar contracts equally along both directions across the pull, `c = b`.
#[test]
fn large_stretches_have_the_forces_of_the_laws_in_their_plane() {
    let mu = YOUNG / (2.0 * (1.0 + POISSON));
    let lambda = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
    for plane in ["strain", "stress"] {
        let across = |b: f64| if plane == "strain" { 1.0 } else { b };

        for a in [0.8_f64, 1.001, 1.5] {
            // First Piola-Kirchhoff stress along the first of three stretches.
            let neo_hookean =
                |a: f64, b: f64, c: f64| mu * (a - 1.0 / a) + lambda * (a * b * c).ln() / a;
            let b = free_stretch(|b| neo_hookean(b, a, across(b)));
            check("neo_hookean", plane, a, b, neo_hookean(a, b, across(b)));
            let corotated =
                |a: f64, b: f64, c: f64| 2.0 * mu * (a - 1.0) + lambda * (a * b * c - 1.0) * b * c;
            let b = free_stretch(|b| corotated(b, a, across(b)));
            check("fixed_corotated", plane, a, b, corotated(a, b, across(b)));
            let st_venant = |a: f64, b: f64, c: f64| {
                a * (mu * (a * a - 1.0) + 0.5 * lambda * (a * a + b * b + c * c - 3.0))
            };
            let b = free_stretch(|b| st_venant(b, a, across(b)));
            check(
                "st_venant_kirchhoff",
                plane,
                a,
                b,
                st_venant(a, b, across(b)),
            );
        }
    }
}

#[test]
fn a_neo_hookean_bar_at_small_strain_is_a_linear_one() {
    let strain = 1e-5;
    let run = stretched(
        "neo_hookean",
        "stress",
        1.0 + strain,
        1.0 - POISSON * strain,
    );
    let expected = YOUNG * strain * HEIGHT * THICKNESS;

    near_ratio(reaction(&run).x, expected, 5.0 * strain);
}
