//! A flag behind a cylinder, which bends under gravity: the structural tests CSM1 and CSM3 of the
//! benchmark of Turek and Hron.
//!
//! CSM1 is the equilibrium, found here by long steps of implicit Euler. CSM3 lets the flag go and
//! follows it for 10 s, ten swings, which keep their amplitude.
//!
//! The flag is 0.02 m high and ends 0.4 m from the centre of a cylinder of the radius 0.05 m. It is
//! made of the St Venant-Kirchhoff material of the benchmark: Young's modulus 1.4e6 Pa, Poisson's
//! ratio 0.4, density 1000 kg/m^3. Gravity is 2 m/s^2.
//!
//! The expected values are the benchmark's own, in metres: `u_x` and `u_y` of the tip for CSM1,
//! mean and amplitude of both and the frequency 1.0995 1/s for CSM3. Mean and amplitude are half of
//! the sum and of the difference of the largest and the least value. The flag starts at its
//! highest place, so its swings count from there. Tolerances are 1 % at the equilibrium and for
//! the frequency, of the last swing and of the mean of all, and 2 % for means and amplitudes.
//!
//! Two meshes are compared. Linear triangles need 9600 of them. Of quadratic ones 240 suffice, which are
//! finer towards the cylinder, where the flag bends most: they meet CSM1 to 0.2 %.

use crate::scenes::{Exact, RUBBER, scene};
use crate::six_nodes::six_nodes;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "motion_flag",
    title: "Flag under gravity: equilibrium, swings, quadratic triangles",
    proves: "The trapezoid keeps amplitude and frequency of a large vibration over ten periods.",
    formula: "tip at the equilibrium, amplitude and frequency of the last swing before 10 s, mean frequency of all",
    source: "Turek, Hron 2006, Proposal for numerical benchmarking of fluid-structure interaction, CSM1 and CSM3",
    weight: Weight::Full,
    run,
};

/// Radius of the cylinder, half of the flag's height, distance of its end from the cylinder's
/// centre (m).
const RADIUS: f64 = 0.05;
const HALF: f64 = 0.01;
const END: f64 = 0.4;

/// A mesh of the flag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    /// Linear triangles, four in each of 200 x 12 cells.
    Linear,
    /// Quadratic triangles, two in each of 40 x 3 cells.
    Quadratic,
}

/// Cells along the flag and through it, of four linear triangles each.
const CELLS: [usize; 2] = [200, 12];

/// Cells along the flag and through it, of two quadratic triangles each.
const SIX_CELLS: [usize; 2] = [40, 3];

/// Growth of quadratic cells along the flag (1): the last is nine times as long as the first.
const GROWTH: f64 = 0.8;

/// Step of the swings (s), and number of steps: 10 s.
const H: f64 = 0.005;
const STEPS: usize = 2000;

/// Judges both meshes: CSM1 to 1 %, of quadratic triangles to 0.2 %, CSM3 as said above.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "displacement of the tip (m)"));
    for (elements, label, tolerance) in [
        (Elements::Linear, "linear triangles", 0.01),
        (Elements::Quadratic, "quadratic triangles", 0.002),
    ] {
        // The equilibrium, in steps that damp everything.
        let tip = tips(elements, Scheme::ImplicitEuler, 10.0, 8)?;
        let [_, x, y] = tip[7];
        for (axis, expected, got) in [("u_x", -7.187e-3, x), ("u_y", -66.10e-3, y)] {
            let what = format!("CSM1, {axis}, {label}");
            outcome.relative(what, "m", expected, got, tolerance);
        }

        let tip = tips(elements, Scheme::Trapezoid, H, STEPS)?;
        swing(&mut outcome, label, &tip);
        let path = tip.iter().step_by(5);
        let path = path.map(|point| [point[0], point[2]]);
        outcome.plot.points(format!("u_y, {label}"), path.collect());
    }
    Ok(outcome)
}

/// Judges the last swing, from its highest place to the next, of the `tip` with these times (s) and
/// displacements (m).
fn swing(outcome: &mut Outcome, label: &str, tip: &[[f64; 3]]) {
    let tops = tops(tip);
    let [.., first, last] = tops[..] else { return };
    let swing = |point: &&[f64; 3]| (first - H..last + H).contains(&point[0]);
    let swing: Vec<[f64; 3]> = tip.iter().filter(swing).copied().collect();
    for (axis, name, [mean, amplitude]) in [
        (1, "u_x", [-14.305e-3, 14.305e-3]),
        (2, "u_y", [-63.607e-3, 65.160e-3]),
    ] {
        let values = swing.iter().map(|point| point[axis]);
        let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
        let least = values.fold(f64::INFINITY, f64::min);
        let [got_mean, got] = [0.5 * (most + least), 0.5 * (most - least)];
        let what = format!("CSM3, mean of {name}, {label}");
        outcome.relative(what, "m", mean, got_mean, 0.02);
        let what = format!("CSM3, amplitude of {name}, {label}");
        outcome.relative(what, "m", amplitude, got, 0.02);
    }
    let mean = tops.len() as f64 / last;
    for (swings, rate) in [("last swing", (last - first).recip()), ("all swings", mean)] {
        let what = format!("CSM3, frequency of {swings}, {label}");
        outcome.relative(what, "1/s", 1.0995, rate, 0.01);
    }
}

/// Times (s) at which the tip is highest, from parabolas through three steps.
fn tops(tip: &[[f64; 3]]) -> Vec<f64> {
    let mut found = Vec::new();
    for three in tip.windows(3) {
        let [a, b, c] = [three[0][2], three[1][2], three[2][2]];
        if b > a && b >= c {
            found.push(three[1][0] + 0.5 * H * (a - c) / (a - 2.0 * b + c));
        }
    }
    found
}

/// Time (s) and displacement of the tip (m) after each step.
///
/// # Errors
/// If the scene cannot be built or a step fails.
fn tips(elements: Elements, scheme: Scheme, h: f64, steps: usize) -> Result<Vec<[f64; 3]>, Error> {
    let mesh = match elements {
        Elements::Linear => mesh(),
        Elements::Quadratic => six_node_mesh(),
    };
    let on_end = |x: &[f64; 2]| (x[0].hypot(x[1]) - RADIUS).abs() < 1e-9;
    let end = (0..mesh.vertices.len()).filter(|&i| on_end(&mesh.vertices[i]));
    let is_tip = |x: &[f64; 2]| x[0] > END - 1e-9 && x[1].abs() < 1e-9;
    let tip = mesh.vertices.iter().position(is_tip).unwrap_or_default();
    let held = Prescribed::held(Selection::Indices(end.collect()));
    let mut flag = Body::deformable("flag", mesh, RUBBER).with_prescribed(held);
    if elements == Elements::Quadratic {
        flag = flag.quadratic();
    }
    // The tolerance is a speed: in a step of 10 s 1e-6 m/s would leave 10 micrometres.
    let tolerance = if h > 1.0 { 1e-10 } else { 1e-6 };
    let mut scene = scene(h, steps)
        .tolerance(tolerance)
        .elastic(Law::st_venant_kirchhoff(1.4e6, 0.4))
        .with_gravity([0.0, -2.0])
        .with_body(flag);
    scene.time = scene.time.by(scheme);

    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("flag")?.x()[tip];
    let mut path = Vec::new();
    for _ in 0..steps {
        simulation.step()?;
        let moved = simulation.body("flag")?.x()[tip] - start;
        path.push([simulation.time(), moved.x, moved.y]);
    }
    Ok(path)
}

/// Place (m) at a share of the flag's length and height from its lower end on the cylinder.
fn place(along: f64, through: f64) -> [f64; 2] {
    let y = HALF * (2.0 * through - 1.0);
    let x = (RADIUS * RADIUS - y * y).sqrt();
    [x + (END - x) * along, y]
}

/// The flag of linear triangles, whose left end is on the cylinder.
fn mesh() -> InlineMesh {
    let [along, through] = CELLS;
    let at = |i: f64, j: f64| place(i / along as f64, j / through as f64);

    let mut vertices = Vec::new();
    for i in 0..=along {
        vertices.extend((0..=through).map(|j| at(i as f64, j as f64)));
    }
    let mut triangles = Vec::new();
    for i in 0..along {
        for j in 0..through {
            let a = i * (through + 1) + j;
            let b = a + through + 1;
            let middle = vertices.len();
            vertices.push(at(i as f64 + 0.5, j as f64 + 0.5));
            for [p, q] in [[a, b], [b, b + 1], [b + 1, a + 1], [a + 1, a]] {
                triangles.push([p, q, middle]);
            }
        }
    }
    InlineMesh::new(vertices, triangles)
}

/// The flag of quadratic triangles, whose left end follows the circle.
fn six_node_mesh() -> InlineMesh {
    let [along, through] = SIX_CELLS;
    let mut vertices = Vec::new();
    for i in 0..=along {
        let share = i as f64 / along as f64;
        let graded = share * (1.0 - GROWTH + GROWTH * share);
        vertices.extend((0..=through).map(|j| place(graded, j as f64 / through as f64)));
    }

    // Diagonals alternate, or the flag would have a direction of its own.
    let mut triangles = Vec::new();
    for i in 0..along {
        for j in 0..through {
            let a = i * (through + 1) + j;
            let [b, c, d] = [a + through + 1, a + through + 2, a + 1];
            if (i + j) % 2 == 0 {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    six_nodes(&InlineMesh::new(vertices, triangles), |[a, b]| {
        let middle = (a + b) / 2.0;
        let is_end = [a, b].iter().all(|x| (x.norm() - RADIUS).abs() < 1e-9);
        if is_end {
            middle * (RADIUS / middle.norm())
        } else {
            middle
        }
    })
}
