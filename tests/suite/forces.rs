//! Forces of contacts, pairs and supports against closed forms: weight, inertia, moments, slip.

use crate::integrators::Bdf2;
use crate::support::{
    Parts, ground, inline, near, near_point, near_ratio, rectangle, rigid, stone, stones,
};
use ipcsim::Simulation;
use ipcsim::forces::{Sums, pressure};
use ipcsim::math::{Vec2, cross};
use ipcsim::simulation::{Reaction, SupportKind};
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const G: f64 = 9.81;
/// Speed (m/s) to which steps are solved.
const TOLERANCE: f64 = 1e-13;

/// A simulation of rigid bodies of 1000 kg/m^3 with this time step.
fn stacked(bodies: &[Value], step: f64, mut rest: Value) -> Simulation {
    rest["time"] = json!({ "step": step, "steps": 1 });
    rest["solver"] = json!({ "tolerance": TOLERANCE });
    Simulation::new(stones(bodies, rest)).unwrap()
}

/// A simulation of one soft body under these keys, with a neo-Hookean law, lumped by area.
#[expect(
    clippy::needless_pass_by_value,
    reason = "scenes in tests are read more easily so"
)]
fn soft(step: f64, young: f64, more: Value, rest: Value) -> Simulation {
    let law = json!({ "neo_hookean": { "young": young, "poisson": 0.3 } });
    let mut body = json!({ "name": "body", "material": "soft", "lumping": "area" });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let mut scene = json!({
        "time": { "step": step, "steps": 1 },
        "materials": { "soft": { "density": 1000.0, "law": law } },
        "bodies": [body],
        "solver": { "tolerance": TOLERANCE }
    });
    scene
        .as_object_mut()
        .unwrap()
        .extend(rest.as_object().unwrap().clone());
    Simulation::new(inline(scene)).unwrap()
}

/// Reaction of what has this name.
fn reaction<'a>(simulation: &'a Simulation, body: &str) -> Reaction<'a> {
    let mut all = simulation.reactions();
    all.find(|reaction| reaction.body == body).unwrap()
}

/// Sum of all reactions (N).
fn supported(simulation: &Simulation) -> Vec2 {
    simulation.reactions().map(|reaction| reaction.force).sum()
}

/// Momentum of all bodies (kg m/s).
fn momentum(simulation: &Simulation) -> Vec2 {
    let bodies = simulation.bodies();
    bodies.map(|body| body.velocity() * body.mass()).sum()
}

/// Mass of all bodies (kg).
fn mass(simulation: &Simulation) -> f64 {
    simulation.bodies().map(|body| body.mass()).sum()
}

/// Smoothstep from 0 to 1 over `duration`.
fn smooth(t: f64, duration: f64) -> f64 {
    let s = (t / duration).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

#[test]
fn a_body_at_rest_is_carried_with_its_weight() {
    for kind in ["deformable", "rigid", "affine"] {
        let mut simulation = if kind == "deformable" {
            let square = json!({ "square": { "side": 0.2, "segments": 2 } });
            soft(
                0.1,
                1e6,
                json!({ "shape": square, "position": [0.3, 0.1005] }),
                json!({ "obstacles": [ground()], "contact": { "d_hat": 1e-3 } }),
            )
        } else {
            let mut block = stone("body", rectangle(0.2, 0.2), [0.3, 0.1005]);
            if kind == "affine" {
                block["kind"] = json!({ "affine": {} });
            }
            stacked(
                &[block],
                0.1,
                json!({ "obstacles": [ground()], "contact": { "d_hat": 1e-3 } }),
            )
        };
        simulation.run(400).unwrap();

        let weight = G * mass(&simulation);
        let ground = reaction(&simulation, "ground");
        let error = (ground.force / weight - Vec2::y()).norm();
        assert!(error < 1e-10, "{kind}: {error:e}");
        assert_eq!(
            (ground.kind, ground.about),
            (SupportKind::Obstacle, Vec2::zeros())
        );

        // The moment about the origin of the ground is that of the weight at the centre.
        let x = simulation.body("body").unwrap().centre().x;
        let moment = ground.moment / (weight * x) - 1.0;
        assert!(moment.abs() < 1e-10, "{kind}: {moment:e}");
    }
}

#[test]
fn reactions_are_weight_and_inertia_in_every_step() {
    let ball = rigid(
        "ball",
        json!({ "circle": { "radius": 0.1 } }),
        [0.0, 0.4],
        json!({ "velocity": [1.0, -2.0] }),
    );
    let block = rigid(
        "block",
        rectangle(0.4, 0.2),
        [0.05, 0.101],
        json!({ "spin_deg": 20.0 }),
    );
    let wall = json!({ "name": "wall", "shape": { "half_plane": { "normal": [-1.0, 0.0], "origin": [0.4, 0.0] } } });
    let lid = json!({ "name": "lid", "shape": rectangle(0.5, 0.1), "position": [0.0, 0.8],
        "keyframes": [{ "time": 0.0, "position": [0.0, 0.8] }, { "time": 0.4, "position": [0.0, 0.52] }] });
    let mut simulation = stacked(
        &[ball, block],
        0.01,
        json!({ "obstacles": [ground(), wall, lid], "contact": { "friction": { "default": 0.4 } } }),
    );
    assert_eq!(simulation.reactions().count(), 0);

    let mass = mass(&simulation);
    let mut largest = 0.0_f64;
    for _ in 0..60 {
        let before = momentum(&simulation);
        simulation.step().unwrap();
        let inertia = (momentum(&simulation) - before) / 0.01;
        let supported = supported(&simulation);
        let error = (supported - inertia - Vec2::new(0.0, G * mass)).norm();
        largest = largest.max(supported.norm());
        assert!(
            error < 1e-10 * largest.max(G * mass),
            "{error:e} of {supported}"
        );
    }
    assert!(largest > 2.0 * G * mass, "{largest}");
}

/// A second-order integrator with a history: its inertia is the derivative of backward differences.
#[test]
fn reactions_hold_for_other_integrators() {
    let block = stone("block", rectangle(0.2, 0.2), [0.0, 0.1005]);
    let scene = stones(
        &[block],
        json!({ "time": { "step": 0.05, "steps": 1 }, "solver": { "tolerance": TOLERANCE },
            "obstacles": [ground()], "contact": { "d_hat": 1e-3 } }),
    );
    let mut parts = Parts::of(&scene);
    parts.world.integrator = Box::new(Bdf2);
    for _ in 0..2000 {
        parts.step();
    }
    let sums = Sums::of(&parts.world, &parts.state, parts.solver.last());
    let weight = G * 1000.0 * 0.04;
    let error = sums.reactions[0].force.y / weight - 1.0;
    assert!(error.abs() < 1e-9, "{error:e}");
    near_ratio(sums.pairs[0].force.y, weight, 1e-9);
}

#[test]
fn an_elevator_carries_weight_and_acceleration() {
    let h = 0.01;
    let cabin = rigid(
        "cabin",
        rectangle(1.0, 0.5),
        [0.0, 0.0],
        json!({ "script": { "interpolation": "smooth", "keyframes": [
            { "time": 0.0, "position": [0.0, 0.0] }, { "time": 1.0, "position": [0.0, 3.0] } ] } }),
    );
    let mut simulation = stacked(&[cabin], h, json!({}));
    let mass = mass(&simulation);
    let height = |k: i32| 3.0 * smooth(h * f64::from(k), 1.0);
    for k in 1..=110 {
        simulation.step().unwrap();
        // Differences of the script; at the start the cabin is at rest.
        let before = if k == 1 {
            0.0
        } else {
            height(k - 1) - height(k - 2)
        };
        let acceleration = (height(k) - height(k - 1) - before) / (h * h);
        let cabin = reaction(&simulation, "cabin");
        let error = cabin.force.y - mass * (G + acceleration);
        assert!(error.abs() < 1e-8 * mass * G, "step {k}: {error:e}");
        assert_eq!(cabin.kind, SupportKind::Script);
    }
}

#[test]
fn a_driven_drum_needs_the_moment_of_its_angular_acceleration() {
    let h = 0.01;
    let drum = rigid(
        "drum",
        json!({ "circle": { "radius": 0.5 } }),
        [2.0, 1.0],
        json!({ "script": { "interpolation": "smooth", "keyframes": [
            { "time": 0.0, "position": [2.0, 1.0] },
            { "time": 1.0, "position": [2.0, 1.0], "rotation_deg": 180.0 } ] } }),
    );
    let mut simulation = stacked(&[drum], h, json!({}));
    let inertia = 0.5 * mass(&simulation) * 0.25;
    let angle = |k: i32| std::f64::consts::PI * smooth(h * f64::from(k), 1.0);
    for k in 1..=100 {
        simulation.step().unwrap();
        let before = if k == 1 {
            0.0
        } else {
            angle(k - 1) - angle(k - 2)
        };
        let expected = inertia * (angle(k) - angle(k - 1) - before) / (h * h);
        let drum = reaction(&simulation, "drum");
        let error = drum.moment - expected;
        assert!(error.abs() < 1e-8 * inertia * 20.0, "step {k}: {error:e}");
        near_point(drum.about, Vec2::new(2.0, 1.0), 1e-12);
    }
}

#[test]
fn a_clamped_edge_carries_the_weight_and_the_moment_of_a_cantilever() {
    let length = 2.0;
    let mut simulation = soft(
        0.1,
        1e9,
        json!({
            "shape": { "rectangle": { "size": [length, 0.5], "segments": [8, 2] } },
            "prescribed": [
                { "vertices": { "box": { "min": [-1.01, -1.0], "max": [-0.99, 1.0] } } }
            ]
        }),
        json!({}),
    );
    simulation.run(200).unwrap();

    let weight = G * 1000.0 * length * 0.5;
    let clamp = reaction(&simulation, "body");
    assert_eq!(clamp.kind, SupportKind::Selection(0));
    near_point(clamp.force / weight, Vec2::y(), 1e-10);
    near_point(clamp.about, Vec2::new(-1.0, 0.0), 1e-12);

    // The arm of the weight is that of the centre of mass, where the bent beam has it.
    let body = simulation.body("body").unwrap();
    let arm = body.centre().x - clamp.about.x;
    near(arm, 0.5 * length, 1e-5);
    let error = clamp.moment / (weight * arm) - 1.0;
    assert!(error.abs() < 1e-9, "{error:e}");
}

#[test]
fn selections_of_a_body_share_its_weight_by_their_levers() {
    // A stiff beam on a hinge at its left end and a roller at three quarters of its length.
    let mut simulation = soft(
        0.1,
        1e9,
        json!({
            "shape": { "rectangle": { "size": [2.0, 0.5], "segments": [8, 2] } },
            "prescribed": [
                { "vertices": { "box": { "min": [-1.01, -0.26], "max": [-0.99, -0.24] } } },
                { "vertices": { "box": { "min": [0.49, -0.26], "max": [0.51, -0.24] } }, "axis": "y" }
            ]
        }),
        json!({}),
    );
    simulation.run(300).unwrap();
    let weight = G * 1000.0;
    let found: Vec<Reaction> = simulation.reactions().collect();
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].kind, SupportKind::Selection(1));
    assert_eq!(found[1].force.x, 0.0);
    let arms = [found[0].about.x, found[1].about.x];
    let centre = simulation.body("body").unwrap().centre().x;
    let roller = (centre - arms[0]) / (arms[1] - arms[0]);
    let shares = [1.0 - roller, roller];
    for (reaction, share) in found.iter().zip(shares) {
        let error = reaction.force.y / (weight * share) - 1.0;
        assert!(error.abs() < 1e-9, "{error:e}");
    }
    near(roller, 2.0 / 3.0, 1e-4);
}

#[test]
fn a_stack_passes_its_weight_down() {
    let blocks: Vec<Value> = [("lower", 0.1005), ("upper", 0.302)]
        .map(|(name, y)| stone(name, rectangle(0.2, 0.2), [0.0, y]))
        .to_vec();
    let scene = stones(
        &blocks,
        json!({ "time": { "step": 0.1, "steps": 1 }, "solver": { "tolerance": TOLERANCE },
            "obstacles": [ground()], "contact": { "d_hat": 1e-3 } }),
    );
    let mut parts = Parts::of(&scene);
    for _ in 0..400 {
        parts.step();
    }
    let sums = Sums::of(&parts.world, &parts.state, parts.solver.last());
    let weight = G * 1000.0 * 0.04;
    let found: Vec<([usize; 2], f64)> = sums
        .pairs
        .iter()
        .map(|pair| (pair.bodies, pair.force.y / weight))
        .collect();
    for (found, expected) in found.iter().zip([([0, 1], -1.0), ([0, 2], 2.0)]) {
        assert_eq!(found.0, expected.0);
        near(found.1, expected.1, 1e-10);
    }
    assert_eq!((found.len(), sums.rows()), (2, 3));
    near(sums.reactions[0].force.y / weight, 2.0, 1e-10);
    assert!(
        sums.pairs
            .iter()
            .all(|pair| pair.moment.abs() < 1e-9 * weight)
    );
}

#[test]
fn a_squeezed_body_presses_equally_on_both_sides() {
    let press = json!({ "name": "press", "shape": { "half_plane": { "normal": [0.0, -1.0], "origin": [0.0, 0.205] } },
        "velocity": [0.0, -0.1], "travel": 0.02 });
    let mut simulation = soft(
        0.02,
        1e6,
        json!({ "shape": { "square": { "side": 0.2, "segments": 3 } }, "position": [0.0, 0.101] }),
        json!({ "obstacles": [ground(), press], "contact": { "d_hat": 1e-3 } }),
    );
    simulation.run(300).unwrap();
    let weight = G * mass(&simulation);
    let below = reaction(&simulation, "ground").force.y;
    let above = reaction(&simulation, "press").force.y;
    assert!(above < -10.0 * weight, "{above}");
    near(below + above, weight, 1e-10 * below);
}

#[test]
fn a_fixed_angle_takes_the_moment_of_an_eccentric_load() {
    // A block that cannot turn lies on a disk 0.05 m beside its centre.
    let block = rigid(
        "block",
        rectangle(0.4, 0.2),
        [0.0, 0.2005],
        json!({ "fixed": ["angle"] }),
    );
    let disk = json!({ "name": "disk", "shape": { "circle": { "radius": 0.1 } }, "position": [0.05, 0.0] });
    let mut simulation = stacked(
        &[block],
        0.1,
        json!({ "obstacles": [disk], "contact": { "d_hat": 1e-3 } }),
    );
    simulation.run(400).unwrap();
    let weight = G * mass(&simulation);
    let block = reaction(&simulation, "block");
    assert_eq!(
        (block.kind, block.force),
        (SupportKind::Fixed, Vec2::zeros())
    );
    near_ratio(block.moment, -0.05 * weight, 1e-9);
    near_ratio(supported(&simulation).y, weight, 1e-10);

    // Everything fixed: weight, an applied force and a torque.
    let held = json!({ "fixed": ["x", "y", "angle"], "force": [3.0, -4.0], "torque": 0.7 });
    let block = rigid("held", rectangle(0.4, 0.2), [5.0, 1.0], held);
    let mut simulation = stacked(&[block], 0.1, json!({}));
    simulation.step().unwrap();
    let held = reaction(&simulation, "held");
    let expected = Vec2::new(-3.0, 4.0 + G * mass(&simulation));
    near_point(held.force, expected, 1e-10 * expected.norm());
    assert!((held.moment + 0.7).abs() < 1e-10, "{}", held.moment);
}

#[test]
fn a_hook_carries_what_hangs_from_its_hinge() {
    let bar = rigid(
        "bar",
        rectangle(0.1, 1.0),
        [0.0, -0.5],
        json!({ "spin_deg": 50.0 }),
    );
    let hook = json!({ "name": "hook", "shape": rectangle(0.2, 0.2), "position": [0.0, 0.0] });
    let hinge = json!({ "hinge": { "bodies": ["hook", "bar"], "at": [0.0, 0.0] } });
    let mut simulation = stacked(
        &[bar],
        0.01,
        json!({ "obstacles": [hook], "joints": [hinge] }),
    );
    let mass = mass(&simulation);
    for _ in 0..50 {
        let before = momentum(&simulation);
        simulation.step().unwrap();
        let inertia = (momentum(&simulation) - before) / 0.01;
        let hook = reaction(&simulation, "hook");
        let expected = inertia + Vec2::new(0.0, G * mass);
        near_point(hook.force, expected, 1e-8 * G * mass);

        // The hinge is at the origin of the hook, so there is no moment about it.
        assert!(hook.moment.abs() < 1e-7 * G * mass, "{}", hook.moment);
        let joint = simulation.joints().next().unwrap();
        assert!((joint.force_on("bar") - expected).norm() < 1e-8 * G * mass);
    }
}

#[test]
fn slip_is_the_way_of_the_body_and_tells_sliding_from_sticking() {
    for (coefficient, sticks) in [(0.2, false), (0.9, true)] {
        let block = rigid(
            "block",
            rectangle(0.4, 0.1),
            [0.0, 0.0503],
            json!({ "force": [2.0 * G * 10.0, 0.0] }),
        );
        let mut simulation = stacked(
            &[block],
            0.01,
            json!({ "obstacles": [ground()],
                "contact": { "d_hat": 1e-3, "friction": { "default": coefficient } } }),
        );
        simulation.run(60).unwrap();
        let velocity = simulation.body("block").unwrap().velocity();
        let x = simulation.body("block").unwrap().x().to_vec();
        let mut count = 0;
        for contact in simulation.contacts() {
            near(contact.slip, 0.01 * velocity.x, 1e-12);
            assert_eq!(contact.sticks, sticks, "{contact:?} at {velocity}");
            let height = x[contact.vertices[0]].y;
            near(contact.gap, height, 1e-15);
            count += 1;
        }
        assert!(count >= 2, "{count}");
        assert_eq!(velocity.x > 0.1, !sticks, "{velocity}");
    }
}

#[test]
fn pressure_times_area_is_the_force() {
    let mut simulation = soft(
        0.1,
        1e6,
        json!({ "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [8, 4] } }, "position": [0.0, 0.1005] }),
        json!({ "obstacles": [ground()], "contact": { "d_hat": 1e-3 }, "thickness": 0.5 }),
    );
    simulation.run(300).unwrap();
    let x = &simulation.state().x;
    let contacts = simulation.world().contacts_at(x, &[]);
    let points = pressure(simulation.world(), &contacts, x, 0, 0.5);
    let sum: f64 = points.iter().map(|p| p.pressure * p.length * 0.5).sum();
    let weight = G * mass(&simulation);
    near_ratio(sum, weight, 1e-10);

    // One closed curve around the body, in order, whose lower side is in contact.
    assert_eq!(points.len(), 24);
    let around: f64 = points.iter().map(|p| p.length).sum();
    near(around, 0.4, 1e-3);
    assert!(points.windows(2).all(|pair| pair[0].arc < pair[1].arc));
    let area: f64 = (0..24)
        .map(|k| 0.5 * cross(points[k].position, points[(k + 1) % 24].position))
        .sum();
    near(area, 0.08, 1e-3);
}
