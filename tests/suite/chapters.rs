//! Chapters 1 and 2 and free fall, compared with closed forms; the last steps of chapters 7 and 8.

use crate::support::{Run, deviation, near, scene};
use ipcsim::math::{Vec2, cross};

/// Mass of each of the 25 vertices (kg).
const MASS: f64 = 40.0;
/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;

/// The rest position of vertex `i` of a spring square: columns from left to right, each from bottom
/// to top.
fn grid(i: usize) -> Vec2 {
    Vec2::new((i / 5) as f64, (i % 5) as f64) * 0.25 - Vec2::new(0.5, 0.5)
}

/// Vertex that is the mirror image of `i`, left to right.
fn mirrored(i: usize) -> usize {
    20 - i / 5 * 5 + i % 5
}

fn mirror(x: Vec2) -> Vec2 {
    Vec2::new(-x.x, x.y)
}

/// Spring forces `-2 k (|d|^2 / l^2 - 1) d` (N), between all neighbours along rows, columns and
/// diagonals.
fn spring_forces(x: &[Vec2], k: f64) -> Vec<Vec2> {
    let mut force = vec![Vec2::zeros(); x.len()];
    for a in 0..x.len() {
        for b in 0..a {
            let squared = (grid(a) - grid(b)).norm_squared();
            if squared < 0.13 {
                let d = x[a] - x[b];
                let pull = d * (-2.0 * k * (d.norm_squared() / squared - 1.0));
                force[a] += pull;
                force[b] -= pull;
            }
        }
    }

    force
}

#[test]
fn a_stretched_spring_square_keeps_its_momentum_at_zero_and_its_mirror_symmetry() {
    let tolerance = 1e-9;
    let mut run = Run::of(&scene("book/01_mass_spring", &["solver.tolerance=1e-9"]));

    for step in 1..=200 {
        run.step();

        // Each step may leave a speed of the tolerance at every vertex.
        let speed = tolerance * f64::from(step);
        let momentum: Vec2 = run.state().v.iter().map(|v| v * MASS).sum();
        let angular: f64 = run
            .state()
            .x
            .iter()
            .zip(&run.state().v)
            .map(|(x, v)| MASS * cross(*x, *v))
            .sum();

        assert!(
            momentum.norm() <= 25.0 * MASS * speed,
            "step {step}: {momentum}"
        );
        assert!(
            angular.abs() <= 25.0 * MASS * speed,
            "step {step}: {angular}"
        );

        let x = &run.state().x;
        assert!(
            deviation(x, |i| mirror(x[mirrored(i)])) <= 0.004 * speed,
            "step {step}"
        );
        assert!(deviation(x, |i| -x[24 - i]) <= 0.004 * speed, "step {step}");
    }
}

#[test]
fn implicit_euler_never_makes_energy() {
    let mut run = Run::of(&scene("book/01_mass_spring", &["solver.tolerance=1e-9"]));
    let mut before = run.step().record;

    for _ in 0..199 {
        let v = run.state().v.clone();
        let record = run.step().record;
        let rounding = 1e-9 * before.total;

        assert!(
            record.total <= before.total + rounding,
            "step {}: {} {}",
            record.step,
            record.total,
            before.total
        );

        // The minimiser is no worse than staying: K(v' - v) + P' <= K(v) + P.
        let change: f64 = v
            .iter()
            .zip(&run.state().v)
            .map(|(v, w)| 0.5 * MASS * (w - v).norm_squared())
            .sum();
        assert!(
            change + record.total - record.kinetic <= before.total + rounding,
            "step {}",
            record.step
        );
        before = record;
    }
}

#[test]
fn a_stretched_spring_square_comes_to_rest_with_side_1() {
    // Long steps damp: each of them takes most of the energy out.
    let mut run = Run::of(&scene(
        "book/01_mass_spring",
        &["solver.tolerance=1e-9", "time.step=0.1"],
    ));
    run.steps(300);
    assert!(
        deviation(&run.state().x, grid) < 1e-6,
        "{}",
        deviation(&run.state().x, grid)
    );

    let mut run = Run::of(&scene("book/01_mass_spring", &[]));
    run.steps(200);
    let x = &run.state().x;
    let width = x[22].x - x[2].x;
    let height = x[14].y - x[10].y;

    assert!(
        (width - 1.0).abs() < 0.1 && (height - 1.0).abs() < 0.1,
        "{width} {height}"
    );
}

#[test]
fn a_square_hung_at_two_corners_comes_to_rest_in_equilibrium() {
    let mut run = Run::of(&scene(
        "book/02_dirichlet",
        &["solver.tolerance=1e-9", "time.step=0.5"],
    ));
    for _ in 0..600 {
        run.step();
        for corner in [4, 24] {
            assert_eq!(run.state().x[corner], grid(corner));
            assert_eq!(run.state().v[corner], Vec2::zeros());
        }
    }

    let x = &run.state().x;
    assert!(deviation(x, |i| mirror(x[mirrored(i)])) < 1e-6);

    let weight = Vec2::new(0.0, -MASS * GRAVITY);
    let force: Vec<Vec2> = spring_forces(x, 1e3)
        .into_iter()
        .map(|spring| spring + weight)
        .collect();

    for i in (0..25).filter(|i| ![4, 24].contains(i)) {
        assert!(
            force[i].norm() < 1e-5 * weight.norm(),
            "vertex {i}: {}",
            force[i]
        );
    }

    // What the corners hold is the weight of all 25 vertices, half of it each.
    let half = 12.5 * MASS * GRAVITY;
    for corner in [4, 24] {
        assert!(
            (force[corner].y + half).abs() < 1e-4 * half,
            "{}",
            force[corner]
        );
    }

    assert!((force[4].x + force[24].x).abs() < 1e-4 * half);
}

#[test]
fn the_corners_of_chapter_2_never_move_and_it_stays_symmetric() {
    let mut run = Run::of(&scene("book/02_dirichlet", &["solver.tolerance=1e-9"]));
    for step in 1..=100 {
        run.step();
        let x = &run.state().x;
        assert_eq!((x[4], x[24]), (grid(4), grid(24)));
        assert!(
            deviation(x, |i| mirror(x[mirrored(i)])) <= 0.02 * 1e-9 * f64::from(step),
            "step {step}"
        );
    }
}

#[test]
fn a_body_in_free_fall_has_the_positions_of_implicit_euler() {
    let settings = [
        "solver.tolerance=1e-11",
        "obstacles=[]",
        "contact.friction.pairs=[]",
        "bodies.0.velocity=[1.5,4.0]",
        "bodies.1.velocity=[1.5,4.0]",
    ];
    let mut run = Run::of(&scene("book/07_two_squares", &settings));
    let start = run.state().x.clone();
    let h = run.world().h;

    for n in 1..=100 {
        run.step();
        let n = f64::from(n);
        let displacement =
            Vec2::new(1.5, 4.0) * (h * n) - Vec2::new(0.0, 0.5 * GRAVITY * h * h * n * (n + 1.0));
        let error = deviation(&run.state().x, |i| start[i] + displacement);
        assert!(
            error <= 1e-12 * (1.0 + displacement.amax()),
            "step {n}: {error:e}"
        );
    }
}

/// Where the ceiling of chapters 7 and 8 stops (m).
const LIMIT: f64 = -0.7;

#[test]
fn in_chapter_7_the_upper_square_is_pushed_off_to_the_ground_and_the_lower_one_stays() {
    let mut run = Run::of(&scene("book/07_two_squares", &[]));
    let start = run.centre(1).x;
    let mut lowest = Vec::new();

    for step in 1..=200 {
        run.step();
        let x = &run.state().x;
        assert!(
            (run.centre(1).x - start).abs() <= 0.055,
            "step {step}: {}",
            run.centre(1).x - start
        );
        lowest.push(x[..9].iter().map(|x| x.y).fold(f64::INFINITY, f64::min));
    }

    // On the ground is nearer to y = -1 than d_hat; afterwards it rocks, within a few centimetres.
    assert!(lowest[..125].iter().any(|&y| y < -0.99), "{lowest:?}");
    assert!(lowest[125..].iter().all(|&y| y < -0.97), "{lowest:?}");
}

#[test]
fn in_chapter_8_the_lower_square_is_dragged_along_and_the_ceiling_stops_at_its_limit() {
    let mut run = Run::of(&scene("book/08_two_squares_friction", &[]));
    let start = run.centre(1).x;

    for step in 1..=200_u32 {
        run.step();
        let expected = if step < 194 {
            0.27 - 0.005 * f64::from(step)
        } else {
            LIMIT
        };
        assert!(
            (run.state().x[19].y - expected).abs() <= 1e-15 && run.state().x[19].x == 0.0,
            "step {step}"
        );
    }

    let dragged = (run.centre(1).x - start).abs();
    near(dragged, 0.6, 0.05);
}
