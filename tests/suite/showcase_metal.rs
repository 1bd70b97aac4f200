//! The crash box of the showcase, which folds at plastic hinges.

use crate::support::scene;
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use ipcsim_store::ledger::Books;
use std::f64::consts::{PI, TAU};

/// Corners of the middle line of the right wall (m), from the base to the head.
const LINE: [[f64; 2]; 7] = [
    [0.030, 0.006],
    [0.034, 0.024],
    [0.026, 0.042],
    [0.034, 0.060],
    [0.026, 0.078],
    [0.034, 0.096],
    [0.030, 0.114],
];
/// Thickness of the walls (m) and yield stress (Pa).
const WALL: f64 = 0.002;
const YIELD: f64 = 2e8;

/// Work (J) of the plastic hinges of both walls, by the angles at which the pieces between their corners
/// stand: the plastic moment of a strip in plane strain, `2/sqrt 3 Y t^2/4`, times all changes of angles.
fn work_of_hinges(simulation: &Simulation) -> f64 {
    let world = simulation.world();
    let nearest = |place: Vec2| {
        let apart = |i: &usize| (world.rest[*i] - place).norm();
        let all = 0..world.rest.len();
        all.min_by(|i, j| apart(i).total_cmp(&apart(j))).unwrap()
    };
    let mut angles = 0.0;
    for side in [1.0, -1.0] {
        let turned = LINE.windows(2).map(|ends| {
            let [from, to] = [ends[0], ends[1]].map(|[x, y]| Vec2::new(side * x, y));
            let [a, b] = [0.35, 0.65].map(|share| nearest(from + (to - from) * share));
            let angle = |x: &[Vec2]| (x[b] - x[a]).y.atan2((x[b] - x[a]).x);
            let way = angle(&simulation.state().x) - angle(&world.rest);
            (way + PI).rem_euclid(TAU) - PI
        });

        // Base and head do not turn.
        let mut before = 0.0;
        for turn in turned.chain([0.0]) {
            angles += f64::abs(turn - before);
            before = turn;
        }
    }
    2.0 / 3.0_f64.sqrt() * YIELD * WALL * WALL / 4.0 * angles
}

#[test]
fn the_crash_box_takes_the_energy_of_the_ram_by_its_hinges() {
    let mut simulation = Simulation::new(scene("showcase/crash_box", &[])).unwrap();
    let mut books = Books::default();
    books.enter(&simulation.begin().unwrap().record);
    let kinetic = 0.5 * 7800.0 * 0.11 * 0.05 * 14.0 * 14.0;
    for step in 1..=160 {
        books.enter(&simulation.step().unwrap().record);
        if step % 32 == 0 {
            // Waves and the walls' own thickness are not part of the theory of hinges.
            let ratio = -books.work.plasticity / work_of_hinges(&simulation);
            assert!((0.95..1.1).contains(&ratio), "step {step}: {ratio}");
        }
    }

    // Flow has taken nine tenths of the energy; the box stays folded to less than two thirds.
    let share = -books.work.plasticity / kinetic;
    assert!((0.9..1.0).contains(&share), "{share}");
    let heights = simulation.body("box").unwrap().x().iter().map(|x| x.y);
    let height = heights.fold(0.0, f64::max);
    assert!(height < 0.08, "{height} m");
    assert!(books.unexplained_work().abs() < 1e-9 * kinetic);
}
