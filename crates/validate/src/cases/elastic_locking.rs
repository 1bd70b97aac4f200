//! Bending of a nearly incompressible cantilever, for two patterns of triangles and their elements.
//!
//! A linear triangle of an incompressible material keeps its area. With diagonals that all run one
//! way, a mesh has about as many such conditions as unknowns, and locks. Alternating diagonals
//! leave more freedom.
//!
//! The beam and its closed form are those of `elastic_cantilever`, with `nu = 0.4999`: the bulk
//! modulus is several thousand times the shear modulus, and a change of area costs far more than
//! bending. A mesh that locks bends too little, since its triangles can keep their areas in few
//! ways. Quadratic triangles have about one condition for four coordinates, and bend. With a mean
//! dilatation a patch of triangles has one condition, and both patterns bend.

use crate::formulas::timoshenko;
use crate::scenes::{DENSITY, G, RUBBER, bent};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Dilatation;

pub(super) const CASE: Case = Case {
    name: "elastic_locking",
    title: "Bending at nu 0.4999: locking of linear triangles, and its cure",
    proves: "Built-in rectangles hardly lock near incompressibility, meshes with uniform diagonals do; quadratic triangles and a mean dilatation do not.",
    formula: "w = q L^4 / 8 E' I + q L^2 / 2 k G H, E' = E / (1 - nu^2)",
    source: "Timoshenko 1921; Hughes, The Finite Element Method, section 4.3 on constraint counts",
    weight: Weight::Quick,
    run,
};

/// Length and height (m); Young's modulus (Pa) and Poisson's ratio (1).
const SIZE: [f64; 2] = [1.0, 0.1];
/// Young's modulus (Pa); Poisson's ratio (1), near the incompressible 0.5.
const ELASTIC: [f64; 2] = [1e9, 0.4999];

/// Meshes and elements that are compared.
struct Kind {
    /// Name of the kind.
    label: &'static str,
    /// True if all diagonals run one way, false if they alternate.
    is_one_way: bool,
    /// True for quadratic triangles.
    is_quadratic: bool,
    /// Volumes that resist a change.
    dilatation: Dilatation,
    /// Why it misses by more than 1 %.
    reason: &'static str,
    /// Cells through the height, with the largest miss of each (1), or 0 for one within 1 %.
    misses: &'static [(usize, f64)],
}

/// What a linear triangle misses where nothing locks.
const STIFF: &str =
    "linear triangles are too stiff in bending, with an error of order 2 in the size";

/// What is left of the miss of quadratic triangles.
const COARSE: &str = "a coarse mesh, and a beam that is held more firmly than its theory says";

/// Alternating diagonals miss by at most 20, 8 and 5 % with 4, 8 and 16 cells through the height, the
/// usual error of order 2. Uniform diagonals may miss by all of the deflection: the case records how far
/// they lock, and does not bound it. With a mean dilatation both patterns converge, to 2 % less than the
/// theory, which lets the held end contract. A patch has one pressure while that of bending varies
/// through it: triangles too stiff in shear and patches too soft in volume cancel on the coarsest mesh.
const KINDS: [Kind; 6] = [
    Kind {
        label: "alternating diagonals",
        is_one_way: false,
        is_quadratic: false,
        dilatation: Dilatation::Pointwise,
        reason: STIFF,
        misses: &[(4, 0.2), (8, 0.08), (16, 0.05)],
    },
    Kind {
        label: "uniform diagonals",
        is_one_way: true,
        is_quadratic: false,
        dilatation: Dilatation::Pointwise,
        reason: "linear triangles lock near incompressibility if all diagonals run one way",
        misses: &[(4, 1.0), (8, 1.0), (16, 1.0)],
    },
    Kind {
        label: "quadratic, uniform diagonals",
        is_one_way: true,
        is_quadratic: true,
        dilatation: Dilatation::Pointwise,
        reason: COARSE,
        misses: &[(2, 0.08), (4, 0.045)],
    },
    Kind {
        label: "mean dilatation, alternating diagonals",
        is_one_way: false,
        is_quadratic: false,
        dilatation: Dilatation::Mean,
        reason: COARSE,
        misses: &[(4, 0.0), (8, 0.03), (16, 0.03)],
    },
    Kind {
        label: "mean dilatation, uniform diagonals",
        is_one_way: true,
        is_quadratic: false,
        dilatation: Dilatation::Mean,
        reason: COARSE,
        misses: &[(4, 0.13), (8, 0.06), (16, 0.035)],
    },
    Kind {
        label: "mean dilatation, quadratic, uniform diagonals",
        is_one_way: true,
        is_quadratic: true,
        dilatation: Dilatation::Mean,
        reason: COARSE,
        misses: &[(2, 0.07), (4, 0.0)],
    },
];

/// Judges the mean deflection (m) of the free end to 1 %, with known misses.
fn run() -> Result<Outcome, Error> {
    let expected = timoshenko(DENSITY * G * SIZE[1], SIZE, ELASTIC);
    let mut outcome = Outcome::new(Plot::new("cells through the height", "deflection / exact"));
    outcome.plot.curve("theory of beams", [2.0, 16.0], |_| 1.0);

    for kind in &KINDS {
        let mut points = Vec::new();
        for &(cells, within) in kind.misses {
            let deflection = bent(kind.beam(cells), SIZE, kind.law())?;
            let name = format!("deflection, {}, {} x {cells}", kind.label, 10 * cells);
            let quantity = Quantity::relative(name, "m", expected, deflection, 0.01);
            outcome.check(if within > 0.0 {
                quantity.known_miss(kind.reason, within)
            } else {
                quantity
            });
            points.push([cells as f64, deflection / expected]);
        }
        outcome.plot.points(kind.label, points);
    }
    Ok(outcome)
}

impl Kind {
    /// Law of the beam: the linear one, or where that has no energy of the volume alone the
    /// neo-Hookean one, which is the same in small displacements.
    fn law(&self) -> Law {
        let [young, poisson] = ELASTIC;
        match self.dilatation {
            Dilatation::Pointwise => Law::linear(young, poisson),
            Dilatation::Mean => Law::neo_hookean(young, poisson),
        }
    }

    /// The beam with this number of cells through its height.
    fn beam(&self, cells: usize) -> Body {
        let shape = if self.is_one_way {
            Shape::from(one_way(cells))
        } else {
            Shape::from(Rectangle::new(SIZE, [10 * cells, cells]))
        };
        let mut beam = Body::deformable("beam", shape, RUBBER);
        beam.dilatation = self.dilatation;
        if self.is_quadratic {
            beam = beam.quadratic();
        }
        beam
    }
}

/// The rectangle with all diagonals in one direction.
///
/// The built-in rectangle alternates them, so that this mesh is written out: vertices by columns,
/// two triangles for each cell, both along its diagonal from lower left to upper right.
fn one_way(cells: usize) -> InlineMesh {
    let [nx, ny] = [10 * cells, cells];
    let vertex = |k: usize| {
        let share = [
            (k / (ny + 1)) as f64 / nx as f64,
            (k % (ny + 1)) as f64 / ny as f64,
        ];
        [SIZE[0] * (share[0] - 0.5), SIZE[1] * (share[1] - 0.5)]
    };
    let at = |i: usize, j: usize| i * (ny + 1) + j;
    let triangles = (0..nx * ny).flat_map(|k| {
        let [i, j] = [k / ny, k % ny];
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    InlineMesh::new(
        (0..(nx + 1) * (ny + 1)).map(vertex).collect(),
        triangles.collect(),
    )
}
