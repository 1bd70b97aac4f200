//! States and forces that a program sets between steps: bits, refusals, and closed forms.

use crate::support::scene;
use ipcsim::math::{Vec2, parallel};
use ipcsim::prelude::*;

/// Scenes whose next step depends on more than places and velocities: barriers that have become
/// stiffer, joints, anchors, and an integrator with a history.
fn scenes() -> Vec<Scene> {
    let anchors = "contact.friction.stick=anchors";
    vec![
        scene("two_squares", &["contact.friction.default=0.3"]),
        scene("two_squares", &["time.integrator=bdf2"]),
        scene("showcase/linkage", &[]),
        scene("showcase/house_of_cards", &[anchors]),
    ]
}

/// Hashes of the states after each of `steps` steps.
fn hashes(simulation: &mut Simulation, steps: usize) -> Vec<u64> {
    let after = |_| simulation.step().unwrap().hash;
    (0..steps).map(after).collect()
}

#[test]
fn a_snapshot_continues_with_the_same_bits_in_another_simulation_of_the_scene() {
    for scene in scenes() {
        let mut first = Simulation::new(scene.clone()).unwrap();
        first.begin().unwrap();
        first.run(30).unwrap();
        let snapshot = first.snapshot();
        let expected = hashes(&mut first, 10);

        let mut second = Simulation::new(scene).unwrap();
        let report = second.restore(&snapshot).unwrap();
        assert_eq!(report.record.step, 30);
        assert_eq!(second.snapshot(), snapshot);
        assert_eq!(hashes(&mut second, 10), expected);

        // Back in time, on the simulation that has moved on.
        first.restore(&snapshot).unwrap();
        assert_eq!(hashes(&mut first, 10), expected);
    }
}

#[test]
fn a_serial_simulation_has_the_bits_of_one_on_several_threads() {
    let finer = ["bodies.0.shape.square.segments=24"];
    let scene = scene("two_squares", &finer);
    let hash = || {
        let mut simulation = Simulation::new(scene.clone()).unwrap();
        hashes(&mut simulation, 20)
    };
    let pool = parallel::Pool::new(Some(3)).unwrap();
    assert_eq!(parallel::serially(hash), pool.run(hash));
}

#[test]
fn the_present_coordinates_set_again_change_no_bit() {
    let [scene, ..] = &scenes()[..] else {
        panic!("no scene")
    };
    let mut untouched = Simulation::new(scene.clone()).unwrap();
    let mut set = Simulation::new(scene.clone()).unwrap();
    for _ in 0..40 {
        let state = set.state();
        let (q, q_dot) = (state.q.clone(), state.q_dot.clone());
        set.set_state(q, q_dot).unwrap();
        assert_eq!(set.step().unwrap().hash, untouched.step().unwrap().hash);
    }
}

/// A soft ball beside a rigid block, above the ground.
fn ball_and_block() -> Simulation {
    let scene = Scene::new(Time::new(0.01, 100))
        .with_material("rubber", Material::neo_hookean(1000.0, 1e5, 0.4))
        .with_material("steel", Material::rigid(7800.0))
        .with_body(Body::deformable("ball", Disk::new(0.1, 12), "rubber").at([0.0, 0.5]))
        .with_body(Body::rigid("block", Square::new(0.4, 1), "steel").at([1.0, 0.5]))
        .with_obstacle(Obstacle::new(
            "ground",
            HalfPlane::new([0.0, 1.0], [0.0, 0.0]),
        ));
    Simulation::new(scene).unwrap()
}

/// Message with which a simulation refuses the coordinates that `change` makes of its own.
fn refusal(change: impl Fn(&Simulation, &mut Vec<Vec2>)) -> String {
    let mut simulation = ball_and_block();
    simulation.run(3).unwrap();
    let before = simulation.snapshot();
    let q_dot = simulation.state().q_dot.clone();
    let mut q = simulation.state().q.clone();
    change(&simulation, &mut q);

    let error = simulation.set_state(q, q_dot).unwrap_err();
    assert_eq!(simulation.snapshot(), before, "a refusal changes nothing");
    error.to_string()
}

/// Moves the ball of a simulation by `way` (m).
fn move_ball(simulation: &Simulation, q: &mut [Vec2], way: [f64; 2]) {
    for node in simulation.body("ball").unwrap().body().nodes.clone() {
        q[node] += Vec2::from(way);
    }
}

#[test]
fn states_that_cannot_be_are_refused_with_the_place() {
    let inside = refusal(|simulation, q| move_ball(simulation, q, [1.0, 0.0]));
    assert!(
        inside.ends_with("of \"ball\" is inside \"block\""),
        "{inside}"
    );

    let crossing = refusal(|simulation, q| move_ball(simulation, q, [0.75, 0.0]));
    assert!(crossing.contains(" meets edge "), "{crossing}");

    let behind = refusal(|simulation, q| move_ball(simulation, q, [0.0, -0.45]));
    assert!(behind.ends_with("is on or behind \"ground\""), "{behind}");

    // The mirror image of the ball turns every triangle around.
    let inverted = refusal(|simulation, q| {
        for node in simulation.body("ball").unwrap().body().nodes.clone() {
            q[node].x = -q[node].x;
        }
    });
    assert!(inverted.ends_with("of \"ball\" is inverted"), "{inverted}");

    let infinite = refusal(|_, q| q[3].x = f64::NAN);
    assert!(infinite.contains("not a finite number"), "{infinite}");

    let short = refusal(|_, q| {
        q.pop();
    });
    assert!(short.contains("coordinates, but the scene has"), "{short}");
}

#[test]
fn a_snapshot_of_another_scene_is_refused() {
    let snapshot = ball_and_block().snapshot();
    let mut other = Simulation::new(scene("two_squares", &[])).unwrap();
    let error = other.restore(&snapshot).unwrap_err().to_string();
    assert!(error.contains("of another scene"), "{error}");
}

#[test]
fn a_force_accelerates_every_kind_of_body_as_newton_says_until_it_is_taken_back() {
    let square = Square::new(0.2, 2);
    for body in [
        Body::deformable("block", square, "rubber"),
        Body::rigid("block", square, "steel"),
        Body::affine("block", square, "steel"),
    ] {
        let kind = body.kind;
        let mut scene = Scene::new(Time::new(0.01, 100))
            .with_material("rubber", Material::neo_hookean(1000.0, 1e5, 0.4))
            .with_material("steel", Material::rigid(7800.0))
            .with_body(body);
        scene.gravity = [0.0, 0.0];
        let mut simulation = Simulation::new(scene).unwrap();
        let mass = simulation.body("block").unwrap().mass();

        // A uniform acceleration deforms nothing: v = F t / m.
        let force = Vec2::new(3.0, -1.0) * mass;
        simulation.set_force("block", force).unwrap();
        simulation.run(10).unwrap();
        let velocity = simulation.body("block").unwrap().velocity();
        assert!((velocity - Vec2::new(0.3, -0.1)).norm() < 1e-9, "{kind:?}");

        simulation.set_force("block", Vec2::zeros()).unwrap();
        simulation.set_gravity(Vec2::new(0.0, 1.0)).unwrap();
        simulation.run(10).unwrap();
        let velocity = simulation.body("block").unwrap().velocity();
        assert!((velocity - Vec2::new(0.3, 0.0)).norm() < 1e-9, "{kind:?}");
    }
}

#[test]
fn forces_that_cannot_act_are_refused() {
    let mut simulation = ball_and_block();
    let up = Vec2::new(0.0, 1.0);
    let mut message =
        |body: &str, force| simulation.set_force(body, force).unwrap_err().to_string();
    assert!(message("ground", up).contains("is an obstacle"));
    assert!(message("bell", up).contains("no body or obstacle is named \"bell\""));
    assert!(message("ball", up / 0.0).contains("must be finite"));
    assert!(simulation.set_gravity(up / 0.0).is_err());
}
