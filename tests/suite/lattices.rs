//! Lattices of hinged bars, whose loops, supports and straight rows repeat each other: forces against
//! statics, motion against the balance of momentum, and iterations.

use crate::support::{Run, rectangle, rigid, stones};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;
/// Time step (s).
const STEP: f64 = 0.01;
/// Length and width of a bar (m).
const BAR: [f64; 2] = [0.1, 0.02];
/// Largest opening of a hinge (m): 1e-10 of the size of a bar.
const CLOSED: f64 = 1e-11;

/// A lattice of `count` by `count` nodes.
struct Lattice {
    /// The scene.
    scene: Scene,
    /// Nodes at the ends of each bar, as column and row.
    bars: Vec<[[usize; 2]; 2]>,
    /// Bars at both sides of each hinge, none for a support, and its node.
    hinges: Vec<(Option<usize>, usize, [usize; 2])>,
}

/// Place of a node (m): columns to the right, rows downward.
fn place([column, row]: [usize; 2]) -> Vec2 {
    Vec2::new(BAR[0] * column as f64, -BAR[0] * row as f64)
}

/// A lattice that hangs at these nodes of its first row.
fn lattice(count: usize, held: &[usize], solver: &Value) -> Lattice {
    let nodes = (0..count).flat_map(|row| (0..count).map(move |column| [column, row]));
    let bars: Vec<[[usize; 2]; 2]> = nodes
        .clone()
        .flat_map(|[column, row]| {
            let right = (column + 1 < count).then_some([[column, row], [column + 1, row]]);
            let down = (row + 1 < count).then_some([[column, row], [column, row + 1]]);
            right.into_iter().chain(down)
        })
        .collect();

    let mut supports = Vec::new();
    let mut hinges = Vec::new();
    for node in nodes {
        let mut at_node = (0..bars.len()).filter(|&bar| bars[bar].contains(&node));
        let is_held = node[1] == 0 && held.contains(&node[0]);
        let first = if is_held { None } else { at_node.next() };
        hinges.extend(at_node.map(|bar| (first, bar, node)));
        if is_held {
            let at = place(node);
            supports.push(json!({
                "name": format!("support {}", node[0]), "shape": rectangle(0.01, 0.01), "position": [at.x, at.y], "group": "all"
            }));
        }
    }

    let bodies: Vec<Value> = bars
        .iter()
        .enumerate()
        .map(|(k, ends)| bar(k, ends))
        .collect();
    let joints: Vec<Value> = hinges
        .iter()
        .map(|&(first, second, node): &(Option<usize>, usize, [usize; 2])| {
            let first = first.map_or(format!("support {}", node[0]), |bar| format!("bar {bar}"));
            let at = place(node);
            json!({ "hinge": { "bodies": [first, format!("bar {second}")], "at": [at.x, at.y] } })
        })
        .collect();
    let rest = json!({
        "time": { "step": STEP, "steps": 100 }, "obstacles": supports, "joints": joints, "solver": solver
    });
    Lattice {
        scene: stones(&bodies, rest),
        bars,
        hinges,
    }
}

/// A bar between two nodes.
fn bar(number: usize, [from, to]: &[[usize; 2]; 2]) -> Value {
    let middle = (place(*from) + place(*to)) * 0.5;
    let [length, width] = BAR;
    let shape = if from[1] == to[1] {
        rectangle(length, width)
    } else {
        rectangle(width, length)
    };
    let name = format!("bar {number}");
    rigid(
        &name,
        shape,
        [middle.x, middle.y],
        json!({ "group": "all" }),
    )
}

impl Lattice {
    /// Place (m) of the end of a bar that was at a node at the start.
    fn end(&self, run: &Run, bar: usize, node: [usize; 2]) -> Vec2 {
        let [from, to] = self.bars[bar].map(place);
        let arm = place(node) - (from + to) * 0.5;
        run.center(bar) + nalgebra::Rotation2::new(run.angle(bar)) * arm
    }

    /// Largest opening of a hinge (m).
    fn opening(&self, run: &Run) -> f64 {
        let openings = self.hinges.iter().map(|&(first, second, node)| {
            let other = first.map_or(place(node), |bar| self.end(run, bar, node));
            (self.end(run, second, node) - other).norm()
        });
        openings.fold(0.0, f64::max)
    }

    /// Sum of the forces of the supports (N).
    fn support(&self, run: &Run) -> Vec2 {
        let forces = self.hinges.iter().zip(&run.state().memory.multipliers);
        let held = forces.filter(|((first, ..), _)| first.is_none());
        held.map(|(_, force)| force).sum()
    }

    /// Weight of all bars (N).
    fn weight(&self, run: &Run) -> f64 {
        let masses = (0..self.bars.len()).map(|bar| run.mass(bar));
        GRAVITY * masses.sum::<f64>()
    }

    /// Momentum of all bars (kg m/s).
    fn momentum(&self, run: &Run) -> Vec2 {
        let all = 0..self.bars.len();
        all.map(|bar| run.center_velocity(bar) * run.mass(bar))
            .sum()
    }
}

#[test]
fn a_lattice_hung_along_its_top_carries_its_columns() {
    // At rest each column carries its own bars, and half of each bar to the side of it. The bars of the
    // first row have both ends held, one of four equations too many each.
    let count = 6;
    let lattice = lattice(count, &[0, 1, 2, 3, 4, 5], &json!({ "tolerance": 1e-8 }));
    let mut run = Run::of(&lattice.scene);
    let mut iterations = 0;
    for step in 0..20 {
        iterations += run.step().record.newton_iterations;
        let opening = lattice.opening(&run);
        assert!(opening < CLOSED, "step {step}: {opening:e} m");
    }
    assert!(iterations < 150, "{iterations} iterations");

    let weight = GRAVITY * run.mass(0);
    let tolerance = 1e-6 * weight;
    for (&(first, bar, [column, row]), force) in
        lattice.hinges.iter().zip(&run.state().memory.multipliers)
    {
        let [from, to] = lattice.bars[bar];
        let hangs = from[0] == to[0] && from == [column, row];
        if first.is_none() && hangs {
            let beside = if [0, count - 1].contains(&column) {
                0.5
            } else {
                1.0
            };
            let expected = (count - 1) as f64 * (1.0 + beside) * weight;
            let error = (force - Vec2::new(0.0, expected)).norm();
            assert!(
                error < tolerance,
                "column {column}: {force}, not {expected}"
            );
        }
    }
    let error = (lattice.support(&run) - Vec2::new(0.0, lattice.weight(&run))).norm();
    assert!(error < tolerance * count as f64, "{error:e} N");
}

#[test]
fn a_lattice_hung_at_two_corners_stays_where_it_is() {
    // Its first row is as long as the way between the corners, so that it cannot sag, and no finite force
    // holds it straight. A row of length `L` that is longer by `e` sags by at most `sqrt(L e / 2)`.
    let count = 6;
    let lattice = lattice(count, &[0, count - 1], &json!({}));
    let mut run = Run::of(&lattice.scene);
    let mut iterations = Vec::new();
    for step in 0..50 {
        iterations.push(run.step().record.newton_iterations);
        let opening = lattice.opening(&run);
        assert!(opening < CLOSED, "step {step}: {opening:e} m");
    }
    assert!(iterations[0] <= 45, "{iterations:?}");
    assert!(
        iterations[1..].iter().all(|&count| count <= 8),
        "{iterations:?}"
    );

    let length = BAR[0] * (count - 1) as f64;
    let longer = 2.0 * CLOSED * count as f64;
    let sag = (length * longer / 2.0).sqrt();
    for bar in 0..lattice.bars.len() {
        let [from, to] = lattice.bars[bar].map(place);
        let moved = (run.center(bar) - (from + to) * 0.5).norm();
        assert!(moved < 2.0 * sag, "bar {bar}: {moved:e} m");
    }
    let error = (lattice.support(&run).y - lattice.weight(&run)).abs();
    assert!(error < 1e-3 * lattice.weight(&run), "{error:e} N");
}

#[test]
fn a_lattice_that_swings_at_a_corner_keeps_its_momentum() {
    // Momentum changes by the weight and the force of the support, which the forces of all loops add up to.
    let lattice = lattice(5, &[0], &json!({ "tolerance": 1e-8 }));
    let mut run = Run::of(&lattice.scene);
    let weight = lattice.weight(&run);
    let mut before = lattice.momentum(&run);
    for step in 0..60 {
        run.step();
        let opening = lattice.opening(&run);
        assert!(opening < CLOSED, "step {step}: {opening:e} m");

        let after = lattice.momentum(&run);
        let force = lattice.support(&run) - Vec2::new(0.0, weight);
        let error = (after - before - force * STEP).norm();
        assert!(
            error < 1e-6 * weight * STEP,
            "step {step}: {error:e} kg m/s"
        );
        before = after;
    }
}

#[test]
fn iterations_of_a_lattice_do_not_grow_with_its_bars() {
    // A step of a lattice that swings at a corner. Forces of all hinges are found at once.
    for (count, most) in [(4, 12.0), (8, 12.0), (16, 12.0)] {
        let lattice = lattice(count, &[0], &json!({}));
        let mut run = Run::of(&lattice.scene);
        let records = run.steps(10);
        let iterations: usize = records.iter().map(|record| record.newton_iterations).sum();
        let mean = iterations as f64 / records.len() as f64;
        println!("{count} x {count} nodes: {mean} iterations a step");
        assert!(
            mean < most,
            "{count} x {count} nodes: {mean} iterations a step"
        );
    }
}
