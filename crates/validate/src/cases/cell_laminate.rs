//! Cells that repeat: layers of two materials.
//!
//! Across layers both have the same stress, and moduli of compliance add up; along them both have the
//! same strain. Linear triangles have the exact solution, whichever corner of the pattern is drawn.

use crate::repeated::{Course, repeated, strained};
use crate::scenes::{DENSITY, Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Region, Where};

pub(super) const CASE: Case = Case {
    name: "cell_laminate",
    title: "Cells that repeat: layers of two materials",
    proves: "The mean stress of a layered cell is exact in tension across and along the layers, and in shear.",
    formula: "P_yy = e / (f_1/M_1 + f_2/M_2), P_xy = g / (f_1/G_1 + f_2/G_2), P_xx = e (f_1 E_1 + f_2 E_2) for nu = 0",
    source: "Reuss and Voigt, exact for layers",
    weight: Weight::Quick,
    run,
};

/// Young's moduli (Pa) of the soft and the stiff layer, and the strain (1).
const YOUNG: [f64; 2] = [1e6, 5e6];
const STRAIN: f64 = 1e-3;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("strain (1)", "stress (Pa)"));
    let nu = 0.3;

    // Layers in a row: the harmonic mean of Young's moduli, and with it the moduli of uniaxial
    // strain and of shear.
    let in_row = 2.0 / YOUNG.iter().map(|young| young.recip()).sum::<f64>();
    let oedometric = in_row * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu));
    let shear = in_row * 0.5 / (1.0 + nu);
    let series = [
        ("across", nu, [0.0, STRAIN, 0.0], 1, oedometric * STRAIN),
        ("shear", nu, [0.0, 0.0, STRAIN], 2, shear * STRAIN),
        (
            "along",
            0.0,
            [STRAIN, 0.0, 0.0],
            0,
            0.5 * (YOUNG[0] + YOUNG[1]) * STRAIN,
        ),
    ];
    for (name, nu, strains, component, expected) in series {
        // The stiff layer is in the middle, or cut by the lower and upper side.
        for (place, stiff) in [("middle", "0.25 - abs(y)"), ("cut", "abs(y) - 0.25")] {
            let course = Course::of(layers(nu, strains, stiff))?;
            let stress = course.stress()[component];
            outcome.relative(format!("{name}, {place}"), "Pa", expected, stress, 1e-9);
            outcome.plot.points(name, vec![[STRAIN, stress]]);
        }
    }
    Ok(outcome)
}

/// Layers with this ratio of Poisson under these strains, stiff where a formula is positive.
///
/// One body has both materials: the stiff one is a region of it. Eight rows of cells put the
/// interfaces onto edges of the mesh.
fn layers(nu: f64, strains: [f64; 3], stiff: &str) -> Scene {
    let region = Region::new("stiff", Where::Positive(stiff.to_owned()));
    let shape = Rectangle::new([1.0, 1.0], [3, 8]);
    let body = Body::deformable("layers", shape, RUBBER).with_region(region);
    let scene = repeated(1.0, Law::linear(YOUNG[0], nu), statics(1))
        .with_material("stiff", Material::new(DENSITY, Law::linear(YOUNG[1], nu)))
        .tolerance(1e-13)
        .with_body(body);
    strained(scene, strains)
}
