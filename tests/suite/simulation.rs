//! The library without JSON: bodies by name, and forces against closed forms.

use crate::examples::{own_energy, read_forces};
use crate::support::{near, near_point, near_ratio};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

/// Acceleration of gravity (m/s^2).
const G: f64 = 9.81;

/// A scene of rubber and steel above the ground.
fn scene(step: f64) -> Scene {
    let mut scene = Scene::new(Time::new(step, 100))
        .with_material("rubber", Material::neo_hookean(1000.0, 1e5, 0.4))
        .with_material("steel", Material::rigid(7800.0))
        .with_obstacle(Obstacle::new(
            "ground",
            HalfPlane::new([0.0, 1.0], [0.0, 0.0]),
        ));
    scene.solver.tolerance = Some(1e-9);
    scene.contact.d_hat = Some(1e-3);
    scene
}

/// Sum of the forces on a body (N).
fn force_on(simulation: &Simulation, name: &str) -> Vec2 {
    simulation
        .contacts()
        .map(|contact| contact.force_on(name))
        .sum()
}

#[test]
fn normal_forces_on_a_body_at_rest_carry_its_weight() {
    let square = Square::new(0.2, 4);
    for body in [
        Body::deformable("block", square, "rubber"),
        Body::rigid("block", square, "steel"),
        Body::affine("block", square, "steel"),
        Body::rigid("block", Circle::new(0.1), "steel"),
    ] {
        let kind = body.kind;
        let mut simulation =
            Simulation::new(scene(0.05).with_body(body.at([0.0, 0.1005]))).unwrap();
        simulation.run(100).unwrap();

        let weight = G * simulation.body("block").unwrap().mass();
        let normal: f64 = simulation
            .contacts()
            .map(|contact| contact.normal_force)
            .sum();
        assert!(
            (normal / weight - 1.0).abs() < 1e-6,
            "{kind:?}: {normal} of {weight} N"
        );
        for contact in simulation.contacts() {
            assert_eq!(contact.bodies, ["block", "ground"]);
            assert_eq!(contact.normal, Vec2::new(0.0, 1.0));
            assert_eq!(contact.friction_force, Vec2::zeros());
            assert!(contact.point.y.abs() < 1e-15);
        }
        let error = force_on(&simulation, "ground") + force_on(&simulation, "block");
        assert_eq!(error, Vec2::zeros());
    }
}

#[test]
fn friction_holds_a_block_on_a_slope_by_the_share_of_its_weight_along_the_slope() {
    let mut simulation = read_forces::block_on_slope(20.0, 0.5).unwrap();
    simulation.run(200).unwrap();

    let weight = G * simulation.body("block").unwrap().mass();
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    let [normal, friction] = read_forces::forces_on_block(&simulation);
    near_ratio(normal, weight * cos, 1e-6);
    near_ratio(friction, weight * sin, 1e-6);
    for contact in simulation.contacts() {
        let along = Vec2::new(cos, sin) * contact.friction_force.norm();
        near_point(contact.friction_force, along, 1e-9 * weight);
    }
}

#[test]
fn a_block_that_slides_has_the_friction_of_coulomb() {
    let mut simulation = read_forces::block_on_slope(30.0, 0.2).unwrap();
    simulation.run(100).unwrap();
    let [normal, friction] = read_forces::forces_on_block(&simulation);
    near_ratio(friction, 0.2 * normal, 1e-3);
}

/// A circle of steel hits a block of rubber on the ground obliquely. In every step each body's
/// change of momentum is that by gravity and by the forces read; hence forces are opposite and
/// equal.
#[test]
fn forces_read_change_the_momentum_of_each_body_as_the_laws_of_motion_say() {
    let block = Body::deformable("block", Rectangle::new([0.4, 0.2], [8, 4]), "rubber");
    let ball = Body::rigid("ball", Circle::new(0.1), "steel");
    let scene = scene(0.005)
        .with_body(block.at([0.0, 0.1005]))
        .with_body(ball.at([0.05, 0.32]).with_velocity([1.0, -2.0]))
        .with_friction(0.3);
    let mut simulation = Simulation::new(scene).unwrap();
    assert_eq!(
        simulation
            .contacts()
            .filter(|contact| contact.friction_force.norm() > 0.0)
            .count(),
        0
    );

    let mut largest = 0.0_f64;
    let mut rubbed = 0.0_f64;
    for _ in 0..60 {
        let velocity =
            |simulation: &Simulation, name: &str| simulation.body(name).unwrap().velocity();
        let before = ["block", "ball"].map(|name| velocity(&simulation, name));
        let imbalance = simulation.step().unwrap().record.imbalance;

        for (name, before) in ["block", "ball"].into_iter().zip(before) {
            let mass = simulation.body(name).unwrap().mass();
            let change = (velocity(&simulation, name) - before) * (mass / 0.005);
            let force = force_on(&simulation, name);
            let error = (change - force - Vec2::new(0.0, -G * mass)).norm();
            largest = largest.max(force.norm());
            assert!(
                error < mass * imbalance / 0.005 + 1e-9 * largest.max(G * mass),
                "{name}: {error} N of {force}"
            );
        }
        let friction = simulation
            .contacts()
            .filter(|contact| contact.bodies.contains(&"ball"));
        rubbed = rubbed.max(friction.map(|contact| contact.friction_force.norm()).sum());
    }
    assert!(rubbed > 10.0, "{rubbed}");
}

#[test]
fn a_body_in_a_well_of_ones_own_follows_implicit_euler() {
    let mut simulation = own_energy::oscillator().unwrap();
    let h = 0.01;
    let stiffness = 1600.0;
    let mass = 40.0;
    assert!((simulation.body("block").unwrap().mass() - mass).abs() < 1e-12 * mass);

    let mut x = 0.1;
    let mut v = 0.0;
    for _ in 0..100 {
        v = (v - h * stiffness / mass * x) / (1.0 + h * h * stiffness / mass);
        x += h * v;
        simulation.step().unwrap();
        let centre = simulation.body("block").unwrap().centre();
        assert!(
            (centre - Vec2::new(x, 0.0)).norm() < 1e-8,
            "{centre} instead of {x}"
        );
    }
    near(simulation.time(), 1.0, 1e-12);
}

#[test]
fn a_rigid_body_by_name_turns_and_falls() {
    let body = Body::rigid("stone", Square::new(0.2, 1), "steel");
    let scene = scene(0.01).with_body(
        body.at([0.0, 2.0])
            .with_velocity([1.0, 0.0])
            .with_spin(90.0),
    );
    let mut simulation = Simulation::new(scene).unwrap();
    simulation.run(20).unwrap();

    let stone = simulation.body("stone").unwrap();
    let turned = 0.2 * std::f64::consts::FRAC_PI_2;
    near(stone.angle().unwrap(), turned, 1e-12);
    near(
        stone.angular_velocity().unwrap(),
        std::f64::consts::FRAC_PI_2,
        1e-12,
    );
    near_point(stone.centre(), Vec2::new(0.2, 2.0 - 9.81e-4 * 210.0), 1e-9);
    near_point(stone.velocity(), Vec2::new(1.0, -G * 0.2), 1e-7);
    assert_eq!((stone.x().len(), stone.q().len()), (4, 2));
    assert_eq!(simulation.body("ground").unwrap().angle(), None);
}

#[test]
fn an_error_tells_what_failed() {
    let stone = Body::rigid("stone", Circle::new(0.1), "steel").at([0.0, 1.0]);
    let simulation = Simulation::new(scene(0.01).with_body(stone)).unwrap();
    let error = simulation.body("gruond").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no body or obstacle is named \"gruond\"; the names are \"stone\", \"ground\""
    );
    let thin = Body::deformable("ball", Disk::new(-0.1, 12), "rubber");
    let error = Simulation::new(scene(0.01).with_body(thin)).unwrap_err();
    assert!(matches!(error, Error::Scene(_)));
    assert!(
        error.to_string().contains("bodies[0].shape.disk.radius"),
        "{error}"
    );
}
