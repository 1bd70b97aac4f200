//! A truss of eleven bars under the weight of its nodes.

use crate::scenes::{Exact, G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::Guide;
use nalgebra::{DMatrix, DVector};

pub(super) const CASE: Case = Case {
    name: "joint_truss",
    title: "Forces in a truss of eleven bars",
    proves: "Rods, a hinge and a slot carry the forces of statics, all at once.",
    formula: "at each of 7 nodes the forces of 11 bars and 3 supports balance the weight",
    source: "Method of joints, for instance Hibbeler, Structural Analysis, chapter 3",
    weight: Weight::Quick,
    run,
};

/// Nodes (m): four below, three above.
const NODES: [[f64; 2]; 7] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [2.0, 0.0],
    [3.0, 0.0],
    [0.5, 0.8],
    [1.5, 0.8],
    [2.5, 0.8],
];

/// Bars between nodes.
const BARS: [[usize; 2]; 11] = [
    [0, 1],
    [1, 2],
    [2, 3],
    [4, 5],
    [5, 6],
    [0, 4],
    [4, 1],
    [1, 5],
    [5, 2],
    [2, 6],
    [6, 3],
];

fn run() -> Result<Outcome, Error> {
    // Long steps: the softer the joints are in a step, the less rounding of positions counts in
    // forces.
    let h = 0.1;
    let mut scene = scene(h, 1).tolerance(1e-10 * G * h);
    for (k, at) in NODES.into_iter().enumerate() {
        let mut node = Body::rigid(name(k), Circle::new(0.02), STONE).at(at);
        node.group = Some("jointed".to_owned());
        scene = scene.with_body(node);
    }
    for [a, b] in BARS {
        scene = scene.with_joint(Joint::rod(name(a), name(b), [NODES[a], NODES[b]]));
    }
    let roller = Joint::Slot(Guide {
        bodies: ["right".to_owned(), name(3)],
        at: NODES[3],
        axis: [1.0, 0.0],
        ..Guide::default()
    });
    let scene = scene
        .with_obstacle(holder("left", NODES[0]))
        .with_obstacle(holder("right", NODES[3]))
        .with_joint(Joint::hinge("left", name(0), NODES[0]))
        .with_joint(roller);
    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;
    let weight = G * simulation.body("node 0")?.mass();

    // Pulls of the bars over the weight of a node; then the supports.
    let exact = statics();
    let forces: Vec<Vec2> = simulation.joints().map(|joint| joint.force).collect();
    let mut largest = 0.0_f64;
    let [mut expected, mut measured] = [Vec::new(), Vec::new()];
    for (k, [a, b]) in BARS.into_iter().enumerate() {
        let along = (Vec2::from(NODES[a]) - Vec2::from(NODES[b])).normalize();
        let pull = forces[k].dot(&along) / weight;
        largest = largest.max((pull - exact[k]).abs());
        expected.push([k as f64, exact[k]]);
        measured.push([k as f64, pull]);
    }
    let supports = [forces[11].x, forces[11].y, forces[12].y];
    for (k, support) in supports.into_iter().enumerate() {
        largest = largest.max((support / weight - exact[11 + k]).abs());
    }

    let mut outcome = Outcome::new(Plot::new("bar", "pull / weight of a node"));
    outcome.absolute(
        "largest error of a force / weight of a node",
        "1",
        0.0,
        largest,
        1e-9,
    );
    outcome.plot.line("statics", expected);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Name of a node.
fn name(k: usize) -> String {
    format!("node {k}")
}

/// Pulls of the bars, then the forces of the supports on the nodes: of the left one along x and y,
/// of the right one along y; over the weight of a node.
fn statics() -> Vec<f64> {
    let mut matrix = DMatrix::zeros(14, 14);
    for (column, [a, b]) in BARS.into_iter().enumerate() {
        let along = (Vec2::from(NODES[b]) - Vec2::from(NODES[a])).normalize();
        for axis in 0..2 {
            matrix[(2 * a + axis, column)] = along[axis];
            matrix[(2 * b + axis, column)] = -along[axis];
        }
    }
    matrix[(0, 11)] = 1.0;
    matrix[(1, 12)] = 1.0;
    matrix[(7, 13)] = 1.0;
    let weights = DVector::from_fn(14, |row, _| if row % 2 == 1 { 1.0 } else { 0.0 });
    let solved = matrix.lu().solve(&weights);
    solved.map_or_else(
        || vec![f64::NAN; 14],
        |forces| forces.iter().copied().collect(),
    )
}
