//! What acts at the end of a step, by every integrator: contact, friction, joints, supports.

use crate::schemes::by;
use crate::support::{Parts, Run, ground, inline, rectangle, rigid, stone, stones};
use ipcsim::forces::Sums;
use ipcsim::math::Vec2;
use ipcsim::scene::schema::Scheme;
use serde_json::json;

const G: f64 = 9.81;

/// A belt that starts at once moves at its speed in every step, and a block on it takes that speed.
#[test]
fn what_is_prescribed_has_the_speed_of_its_script_in_every_step() {
    for scheme in Scheme::ALL {
        let block = stone("block", rectangle(0.2, 0.2), [0.0, 0.1005]);
        let belt = json!({ "name": "belt", "shape": rectangle(4.0, 0.2), "position": [0.0, -0.1], "velocity": [0.5, 0.0] });
        let scene = stones(
            &[block],
            json!({ "time": { "step": 0.01, "steps": 100 }, "obstacles": [belt],
                "contact": { "d_hat": 1e-3, "friction": { "default": 0.5, "eps_v": 1e-5 } } }),
        );
        let mut run = Run::of(&by(scheme, scene));
        for step in 1..=60 {
            run.step();
            let speed = run.center_velocity(1).x;
            // Differences of rounded positions.
            assert!((speed - 0.5).abs() < 1e-11, "{scheme:?}, {step}: {speed}");
        }
        let speed = run.center_velocity(0).x;
        assert!((speed - 0.5).abs() < 1e-4, "{scheme:?}: {speed}");
    }
}

/// What is held carries the whole change of momentum of a step, also where the force is a mean, or
/// acts at both ends with the shares of Newmark's method.
#[test]
fn reactions_of_the_trapezoid_are_weight_and_inertia_in_every_step() {
    for gamma in [0.5, 0.75, 1.0] {
        assert_reactions(gamma);
    }
}

/// Asserts that reactions are weight and inertia, by Newmark's method with this parameter.
fn assert_reactions(gamma: f64) {
    let rubber =
        json!({ "density": 1000.0, "law": { "neo_hookean": { "young": 2e4, "poisson": 0.3 } } });
    let ball = json!({ "name": "ball", "shape": { "disk": { "radius": 0.1, "segments": 12 } },
        "material": "rubber", "position": [0.0, 0.2], "velocity": [0.5, -1.0] });
    let flap = json!({ "name": "flap", "shape": { "rectangle": { "size": [0.4, 0.05], "segments": [6, 1] } },
        "material": "rubber", "position": [1.0, 0.5],
        "prescribed": [ { "vertices": { "box": { "min": [0.79, 0.0], "max": [0.81, 1.0] } } } ] });
    let lift = rigid(
        "lift",
        rectangle(0.3, 0.1),
        [-1.0, 0.5],
        json!({ "script": { "interpolation": "smooth", "keyframes": [
            { "time": 0.0, "position": [-1.0, 0.5] }, { "time": 0.5, "position": [-1.0, 1.0] } ] } }),
    );
    let scene = inline(json!({
        "time": { "step": 0.01, "steps": 1, "integrator": "trapezoid", "gamma": gamma },
        "materials": { "rubber": rubber, "stone": { "density": 1000.0 } },
        "bodies": [ball, flap, lift],
        "obstacles": [ground()],
        "contact": { "friction": { "default": 0.4 } },
        "solver": { "tolerance": 1e-10 }
    }));
    let mut parts = Parts::of(&scene);
    let momentum = |parts: &Parts| -> Vec2 {
        let nodes = 0..parts.state.q.len();
        let coordinates = &parts.world.model.coordinates;
        nodes
            .map(|i| {
                let own = parts.world.model.mass[i].component_mul(&parts.state.q_dot[i]);
                coordinates.lift(i).tr_mul(&own)
            })
            .sum()
    };
    let nodes = 0..parts.state.q.len();
    let coordinates = &parts.world.model.coordinates;
    let mass: f64 = nodes
        .map(|i| coordinates.lift(i).column(1)[1].powi(2) * parts.world.model.mass[i].y)
        .sum();

    let mut largest = 0.0_f64;
    for step in 1..=60 {
        let before = momentum(&parts);
        parts.step();
        let inertia = (momentum(&parts) - before) / 0.01;
        let sums = Sums::of(&parts.world, &parts.state, parts.solver.last());
        let supported: Vec2 = sums.reactions.iter().map(|r| r.force).sum();
        let error = supported - inertia - Vec2::new(0.0, G * mass);
        largest = largest.max(supported.norm());
        assert!(error.norm() < 1e-8 * G * mass, "{gamma}, {step}: {error}");
    }
    assert!(largest > 1.2 * G * mass, "{largest}");
}

#[test]
fn a_body_at_rest_is_carried_by_each_integrator() {
    for scheme in Scheme::ALL {
        let block = stone("block", rectangle(0.2, 0.2), [0.0, 0.1005]);
        let scene = stones(
            &[block],
            json!({ "time": { "step": 0.05, "steps": 1 }, "solver": { "tolerance": 1e-12 },
                "obstacles": [ground()], "contact": { "d_hat": 1e-3 } }),
        );
        let mut parts = Parts::of(&by(scheme, scene));
        let weight = G * 1000.0 * 0.04;
        let mut errors = Vec::new();
        for _ in 0..2000 {
            parts.step();
            let sums = Sums::of(&parts.world, &parts.state, parts.solver.last());
            let [support, pair] = [sums.reactions[0].force.y, sums.pairs[0].force.y];
            assert!(
                (support.abs() - pair.abs()).abs() < 1e-9 * weight,
                "{scheme:?}"
            );
            errors.push(support.abs() / weight - 1.0);
        }

        // By the trapezoid the force alternates around the weight, ever less.
        let worst = |range: std::ops::Range<usize>| {
            let errors = errors[range].iter();
            errors.map(|error| error.abs()).fold(0.0, f64::max)
        };
        let [middle, end] = [worst(1000..1100), worst(1900..2000)];
        println!("{scheme:?}: {middle:e} {end:e}");
        let limit = if scheme == Scheme::Trapezoid {
            1e-4
        } else {
            1e-8
        };
        assert!(end < limit, "{scheme:?}: {middle:e} {end:e}");
    }
}

/// Friction is constant while a block slides, so that no integrator but implicit Euler is off by more
/// than the bounce of the block on its barrier at the start.
#[test]
fn a_block_slides_down_a_slope_with_the_acceleration_of_coulombs_law() {
    let (angle, mu, h) = (0.5_f64, 0.3, 0.005);
    let (sin, cos) = angle.sin_cos();
    for scheme in Scheme::ALL {
        let block = rigid(
            "block",
            rectangle(0.2, 0.2),
            [-0.1005 * sin, 0.1005 * cos],
            json!({ "rotation_deg": angle.to_degrees() }),
        );
        let slope = json!({ "name": "slope", "shape": { "half_plane": { "normal": [-sin, cos], "origin": [0.0, 0.0] } } });
        let scene = stones(
            &[block],
            json!({ "time": { "step": h, "steps": 200 }, "obstacles": [slope],
                "contact": { "d_hat": 1e-3, "friction": { "default": mu, "eps_v": 1e-5 } } }),
        );
        let mut run = Run::of(&by(scheme, scene));
        let along = Vec2::new(-cos, -sin);
        run.steps(100);
        let before = run.center_velocity(0).dot(&along);
        run.steps(100);
        let gained = run.center_velocity(0).dot(&along) - before;
        let expected = G * (sin - mu * cos) * 100.0 * h;
        let error = gained / expected - 1.0;
        assert!(error.abs() < 1e-3, "{scheme:?}: {error:e}");
    }
}

/// Angle of a rod on a hinge (rad), 1 s after it was let go from the horizontal.
fn swung(scheme: Scheme, steps: usize) -> f64 {
    let rod = rigid(
        "rod",
        rectangle(1.0, 0.02),
        [0.5, 0.0],
        json!({ "group": "jointed" }),
    );
    let holder = json!({ "name": "holder", "shape": rectangle(0.02, 0.02), "group": "jointed" });
    let scene = stones(
        &[rod],
        json!({ "time": { "step": 1.0 / steps as f64, "steps": steps }, "obstacles": [holder],
            "joints": [ { "hinge": { "bodies": ["holder", "rod"], "at": [0.0, 0.0] } } ],
            "solver": { "tolerance": 1e-10 } }),
    );
    let mut run = Run::of(&by(scheme, scene));
    run.steps(steps);
    run.angle(0)
}

#[test]
fn bodies_on_joints_move_with_second_order_by_backward_differences_alone() {
    for scheme in Scheme::ALL {
        // Differences of three angles fall by the order.
        let [a, b, c] = [200, 400, 800].map(|steps| swung(scheme, steps));
        let order = ((a - b) / (b - c)).abs().log2();
        let fits = if scheme == Scheme::Bdf2 {
            order > 1.8
        } else {
            (order - 1.0).abs() < 0.2
        };
        println!("{scheme:?}: {order}");
        assert!(fits, "{scheme:?}: {order}");
    }
}
