//! A cantilever that bends under its own weight, on finer and finer meshes.
//!
//! The beam of length `L` and height `H` (m) is held at its left end and carries `q = rho g H`
//! (N/m). The first term of the closed form is bending with `I = H^3/12`, the second is shear with
//! the shear modulus `G` and Cowper's coefficient `k`. Plane strain replaces `E` by
//! `E' = E/(1 - nu^2)`. At `L/H = 10` shear adds about one per cent.

use crate::formulas::timoshenko;
use crate::scenes::{DENSITY, G, RUBBER, cantilever};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "elastic_cantilever",
    title: "Deflection of a cantilever under its own weight",
    proves: "Bending converges to the theory of beams. Linear triangles are too stiff on coarse meshes.",
    formula: "w = q L^4 / 8 E' I + q L^2 / 2 k G H, E' = E / (1 - nu^2)",
    source: "Timoshenko 1921; shear coefficient of Cowper 1966",
    weight: Weight::Quick,
    run,
};

/// Length and height (m); Young's modulus (Pa) and Poisson's ratio (1).
const SIZE: [f64; 2] = [1.0, 0.1];
/// Young's modulus (Pa), stiff enough for small deflections, and Poisson's ratio (1).
const ELASTIC: [f64; 2] = [1e9, 0.3];

/// Judges the mean deflection (m) of the free end on four meshes, and its limit.
///
/// The tolerance is 0.5 %. Coarse meshes miss it, since linear triangles are too stiff in bending:
/// known misses are up to 40, 15, 5 and 2 % with 2, 4, 8 and 16 cells through the height. An error
/// of order 2 cancels in `(4 w_16 - w_8)/3`, which agrees to 1 % with the theory of beams.
fn run() -> Result<Outcome, Error> {
    let expected = timoshenko(DENSITY * G * SIZE[1], SIZE, ELASTIC);
    let mut outcome = Outcome::new(Plot::new("cells through the height", "deflection / exact"));
    outcome.plot.curve("theory of beams", [2.0, 16.0], |_| 1.0);

    let mut measured = Vec::new();
    for (cells, within) in [(2, 0.4), (4, 0.15), (8, 0.05), (16, 0.02)] {
        let mesh = Rectangle::new(SIZE, [10 * cells, cells]);
        let deflection = cantilever(Body::deformable("beam", mesh, RUBBER), SIZE, ELASTIC)?;
        let name = format!("deflection, {} x {cells} cells", 10 * cells);
        let quantity = Quantity::relative(name, "m", expected, deflection, 0.005);
        let reason =
            "linear triangles are too stiff in bending, with an error of order 2 in the size";
        outcome.check(quantity.known_miss(reason, within));
        measured.push([cells as f64, deflection / expected]);
    }

    // The two finest meshes, extrapolated with order 2.
    let limit = expected * (4.0 * measured[3][1] - measured[2][1]) / 3.0;
    outcome.relative("deflection, extrapolated", "m", expected, limit, 0.01);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}
