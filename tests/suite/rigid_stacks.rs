//! Blocks that stand, topple, tip and slide, and arches.

use crate::support::{Run, ground, rectangle, rigid, stone, stones};
use ipcsim::math::Vec2;
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;
/// Distance from which on the barrier is zero (m).
const D_HAT: f64 = 2e-4;
/// Sliding speed from which on friction is fully developed (m/s).
const EPS_V: f64 = 1e-5;
/// About the gap at which the barrier carries a block, so that nothing falls at the start.
const GAP: f64 = 0.97 * D_HAT;
/// Distance below which a body counts as standing (m).
const STANDS: f64 = 1e-3;

fn run(bodies: &[Value], mu: f64, gravity: [f64; 2], obstacles: &[Value]) -> Run {
    Run::of(&stones(
        bodies,
        json!({
        "time": { "step": 0.01, "steps": 500 }, "gravity": gravity, "obstacles": obstacles,
        "contact": { "d_hat": D_HAT, "kappa": 1e6, "friction": { "default": mu, "eps_v": EPS_V } },
        "solver": { "tolerance": 1e-3 * EPS_V } }),
    ))
}

fn standing(bodies: &[Value], mu: f64) -> Run {
    run(bodies, mu, [0.0, -GRAVITY], &[ground()])
}

/// True if every body moves less than a millimetre in `steps`.
fn stands(run: &mut Run, steps: usize) -> bool {
    let start = run.state().x.clone();
    run.steps(steps);
    let most = (0..run.world().bodies.len())
        .map(|body| run.moved(body, &start))
        .fold(0.0, f64::max);
    println!("moved {most:.2e} m");
    most < STANDS
}

#[test]
fn a_block_over_the_edge_by_less_than_half_stands_and_by_more_topples() {
    for (offset, topples) in [(0.4, false), (0.6, true)] {
        let block = |name: &str, x: f64, y: f64| stone(name, rectangle(1.0, 1.0), [x, y]);
        let low = 0.5 + GAP;
        let high = 1.5 + 2.0 * GAP;
        let mut run = standing(
            &[block("lower", 0.0, low), block("upper", offset, high)],
            0.5,
        );

        assert_eq!(stands(&mut run, 500), !topples, "{offset}");
        assert_eq!(
            run.center(1).y < 0.5 * high,
            topples,
            "{offset}: {}",
            run.center(1)
        );
    }
}

#[test]
fn a_pyramid_of_blocks_stands() {
    let mut bodies = Vec::new();
    for row in 0..5 {
        for column in 0..5 - row {
            let k = f64::from(row);
            let i = f64::from(column);
            let at = [1.05 * (i + 0.5 * k), 0.5 + k + (k + 1.0) * GAP];
            bodies.push(stone(&format!("{k} {i}"), rectangle(1.0, 1.0), at));
        }
    }
    assert!(stands(&mut standing(&bodies, 0.5), 300));
}

/// Half a circle of stones with centre line of radius 1 m.
fn arch(stones: usize, thickness: f64) -> Vec<Value> {
    let angle = |k: f64| std::f64::consts::PI * k / stones as f64;
    let stone = |k: usize| {
        let [from, to] =
            [angle(k as f64), angle(k as f64 + 1.0)].map(|a| Vec2::new(a.cos(), a.sin()));

        // Half of the gap to each neighbour.
        let along = Vec2::new(-from.y, from.x) * (0.5 * GAP);
        let back = Vec2::new(to.y, -to.x) * (0.5 * GAP);
        let [inner, outer] = [1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness];
        let corners = [
            from * inner + along,
            from * outer + along,
            to * outer + back,
            to * inner + back,
        ];
        let points = corners.map(|c| [c.x, c.y]);
        stone(
            &format!("stone {k}"),
            json!({ "outline": { "points": points } }),
            [0.0, 0.5 * GAP],
        )
    };
    (0..stones).map(stone).collect()
}

#[test]
fn a_half_circle_of_stones_stands_if_it_is_thick_enough() {
    // It needs t/R = 0.1075 (Milankovitch 1907; Heyman 1969).
    for (thickness, holds) in [(0.13, true), (0.11, true), (0.105, false), (0.09, false)] {
        let mut run = standing(&arch(25, thickness), 0.5);
        let top = run.center(12).y;
        assert_eq!(stands(&mut run, 200), holds, "{thickness}");
        assert_eq!(
            run.center(12).y < 0.5 * top,
            !holds,
            "{thickness}: {}",
            run.center(12).y
        );
    }
}

/// A block on a slope of the tangent `slope`, as gravity that is turned.
fn on_slope(width: f64, height: f64, mu: f64, slope: f64) -> Run {
    let theta = slope.atan();
    let block = stone("block", rectangle(width, height), [0.0, 0.5 * height + GAP]);
    run(
        &[block],
        mu,
        [GRAVITY * theta.sin(), -GRAVITY * theta.cos()],
        &[ground()],
    )
}

#[test]
fn a_block_tips_before_it_slides_if_friction_is_above_its_width_by_its_height() {
    let width = 0.5;
    let height = 1.0;
    for (mu, limit, tips) in [(1.0, 0.5, true), (0.3, 0.3, false)] {
        let mut below = on_slope(width, height, mu, 0.95 * limit);
        assert!(stands(&mut below, 300), "{mu}");

        let mut above = on_slope(width, height, mu, 1.05 * limit);
        above.steps(100);
        let before = above.center_velocity(0).x;
        above.steps(200);
        let turned = above.angle(0).abs();
        let acceleration = (above.center_velocity(0).x - before) / 2.0;
        println!("mu {mu}: turned by {turned}, accelerates by {acceleration}");

        assert_eq!(turned > 1.0, tips, "{mu}: {turned}");
        if !tips {
            let theta = (1.05 * limit).atan();
            let expected = GRAVITY * (theta.sin() - mu * theta.cos());
            assert!(
                turned < 1e-4 && (acceleration / expected - 1.0).abs() < 0.01,
                "{acceleration} {expected}"
            );
        }
    }
}

#[test]
fn on_a_slope_that_turns_slowly_a_block_tips_at_the_slope_of_its_width_by_its_height() {
    // From 15 to 35 degrees within 5 s, about the point under the block; it tips at atan(0.5),
    // 26.57 degrees.
    let start = 15.0_f64;
    let theta = start.to_radians();
    let height = 0.5 + GAP;
    let block = rigid(
        "block",
        rectangle(0.5, 1.0),
        [-height * theta.sin(), height * theta.cos()],
        json!({ "rotation_deg": start }),
    );
    let slope = json!({ "name": "slope", "shape": { "polyline": { "points": [[-3.0, 0.0], [3.0, 0.0]] } },
        "rotation_deg": start, "keyframes": [{ "time": 5.0, "position": [0.0, 0.0], "rotation_deg": 35.0 }] });
    let mut run = run(&[block], 1.0, [0.0, -GRAVITY], &[slope]);
    let slope_at = |step: usize| (start + 20.0 * step as f64 / 500.0).to_radians();
    let tipped = (1..=500).find(|&step| {
        run.step();
        // Turned by a tenth of a degree from the slope: it takes a moment to get there.
        (run.angle(0) + theta - slope_at(step)).abs() > 0.1_f64.to_radians()
    });
    let found = slope_at(tipped.unwrap_or(500)).to_degrees();
    println!("tips at {found} degrees");

    assert!((26.57..27.5).contains(&found), "{found}");
}
