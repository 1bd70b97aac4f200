//! Import of the numbers of a scene in rigid-ipc's format.

use crate::importing::{imported, one_body, rod, stored, wire};
use crate::rigid_ipc_scenes as scenes;
use crate::support::near;
use ipcsim::scene::schema::{Axis, Kind, MassFrom};
use serde_json::{Value, json};

#[test]
fn what_is_absent_is_as_the_other_program_assumes() {
    let scene = imported(&json!({ "rigid_body_problem": { "rigid_bodies": [
        { "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]] },
    ] } }));
    assert_eq!(
        (scene.time.step, scene.time.steps, scene.gravity),
        (0.01, 1000, [0.0, 0.0])
    );

    let contact = &scene.contact;
    assert_eq!(
        (contact.d_hat, contact.kappa, contact.min_separation),
        (Some(1e-3), None, 0.0)
    );
    assert_eq!(
        (
            contact.friction.default,
            contact.friction.eps_v,
            contact.friction.lag_iterations
        ),
        (0.0, Some(1e-3), None)
    );
    assert_eq!((scene.solver.tolerance, scene.thickness), (Some(1e-4), 1.0));

    let body = &scene.bodies[0];
    assert_eq!(
        (body.name.as_str(), body.kind, body.mass_from),
        ("body_0", Kind::Rigid, MassFrom::Edges)
    );
    assert_eq!(scene.materials[&body.material].density, 1000.0);
    assert_eq!(
        (
            body.position,
            body.rotation_deg,
            body.velocity,
            body.spin_deg
        ),
        ([0.0; 2], 0.0, [0.0; 2], 0.0)
    );
    assert_eq!(
        (body.force, body.torque, body.fixed.len(), &body.group),
        ([0.0; 2], 0.0, 0, &None)
    );
}

#[test]
fn models_are_scaled_about_their_origin_then_turned_then_moved() {
    let square = json!({ "vertices": [[1, 1], [3, 1], [3, 2]], "edges": [[0, 1], [1, 2]] });
    let with = |more: Value| {
        let mut body = square.clone();
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        imported(&scenes::scene(1, 0.0, &[body])).bodies[0].clone()
    };
    let body = with(json!({ "scale": [2, 3], "rotation": [30], "position": [5, -4, 0] }));

    assert_eq!(
        wire(&body.shape).vertices,
        [[2.0, 3.0], [6.0, 3.0], [6.0, 6.0]]
    );
    assert_eq!(wire(&body.shape).pairs()[..], [[0, 1], [1, 2]]);
    assert_eq!((body.position, body.rotation_deg), ([5.0, -4.0], 30.0));

    let body = with(json!({ "scale": 10, "rotation": 30 }));
    assert_eq!(
        (wire(&body.shape).vertices[0], body.rotation_deg),
        ([10.0, 10.0], 30.0)
    );

    // The model is 2 m wide and 1 m high. Dimensions go before a scale.
    let body = with(json!({ "scale": 10, "dimensions": [1, 4] }));
    assert_eq!(
        wire(&body.shape).vertices,
        [[0.5, 4.0], [1.5, 4.0], [1.5, 8.0]]
    );

    let flat = imported(&rod(&json!({ "dimensions": [3, 7] })));
    assert_eq!(
        wire(&flat.bodies[0].shape).vertices,
        [[0.0, 0.0], [3.0, 0.0]]
    );
}

#[test]
fn velocities_and_loads_keep_their_units_but_torque_is_taken_from_degrees() {
    let body = one_body(&json!({
        "linear_velocity": [1, 2], "angular_velocity": [90], "force": [3, 4], "torque": [180], "density": 2.5,
    }));
    assert_eq!(
        (body.velocity, body.spin_deg, body.force),
        ([1.0, 2.0], 90.0, [3.0, 4.0])
    );
    assert_eq!(
        (body.torque, body.material.as_str()),
        (std::f64::consts::PI, "density_2.5")
    );

    let push = stored("push");
    assert_eq!(
        (push.bodies[0].force, push.bodies[0].torque),
        ([4.0, 0.0], std::f64::consts::PI / 3.0)
    );
}

#[test]
fn old_keys_mean_what_they_meant() {
    let scene = stored("old_keys");
    assert_eq!(
        (scene.time.step, scene.time.steps, scene.gravity),
        (0.02, 7, [0.0, -1.0])
    );

    let body = &scene.bodies[0];
    assert_eq!(
        (body.position, body.rotation_deg, body.velocity),
        ([1.0, 2.0], 45.0, [1.0, 2.0])
    );
    near(body.spin_deg, 180.0, 1e-12);
}

#[test]
fn neither_velocity_nor_load_acts_along_fixed_coordinates() {
    let body = stored("axle").bodies[0].clone();
    assert_eq!(body.fixed, [Axis::X, Axis::Y]);
    assert_eq!(
        (body.velocity, body.force, body.spin_deg),
        ([0.0; 2], [0.0; 2], 90.0)
    );
    assert_eq!(body.torque, std::f64::consts::PI);

    let keys = json!({
        "linear_velocity": [1, 2], "angular_velocity": 9, "force": [3, 4], "torque": 9, "is_dof_fixed": [false, true, true],
    });
    let body = one_body(&keys);
    assert_eq!(
        (body.fixed, body.velocity),
        (vec![Axis::Y, Axis::Angle], [1.0, 0.0])
    );
    assert_eq!(
        (body.force, body.spin_deg, body.torque),
        ([3.0, 0.0], 0.0, 0.0)
    );
}

#[test]
fn bodies_of_a_group_and_everything_without_dynamics_pass_through_each_other() {
    let crossed = stored("crossed");
    let group = |name: &str| Some(name.to_owned());
    assert_eq!(
        [&crossed.bodies[0].group, &crossed.bodies[1].group],
        [&group("group_3"), &group("group_3")]
    );
    assert_eq!(crossed.obstacles[0].group, None);

    let body = |id: i64, kind: &str| json!({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]], "group_id": id, "type": kind });
    let all = [
        (-1, "dynamic"),
        (1, "dynamic"),
        (2, "static"),
        (2, "dynamic"),
        (4, "kinematic"),
        (5, "dynamic"),
        (1, "dynamic"),
    ];
    let scene = imported(&scenes::scene(
        1,
        0.0,
        &all.map(|(id, kind)| body(id, kind)),
    ));
    let groups: Vec<&Option<String>> = scene.bodies.iter().map(|body| &body.group).collect();

    assert_eq!(
        groups,
        [
            &None,
            &group("group_1"),
            &group("static"),
            &None,
            &group("group_1")
        ]
    );
    assert!(
        scene
            .obstacles
            .iter()
            .all(|obstacle| obstacle.group == group("static"))
    );
}

#[test]
fn the_duration_is_a_time_or_a_number_of_steps() {
    let steps = |keys: Value| {
        let mut scene = rod(&json!({}));
        scene.as_object_mut().unwrap().remove("max_iterations");
        scene
            .as_object_mut()
            .unwrap()
            .extend(keys.as_object().unwrap().clone());
        imported(&scene).time.steps
    };
    assert_eq!(steps(json!({})), 1000);
    assert_eq!(steps(json!({ "max_iterations": -1 })), 1000);
    assert_eq!(steps(json!({ "max_iterations": 12 })), 12);
    assert_eq!(
        steps(json!({ "max_iterations": -1, "max_time": 0.25, "timestep": 0.125 })),
        2
    );
    assert_eq!(steps(json!({ "max_time": 0.3, "timestep": 0.125 })), 3);
}

#[test]
fn contact_friction_and_tolerances_are_taken_over() {
    let with = |keys: Value| {
        let mut scene = rod(&json!({ "position": [1, 1] }));
        scene["rigid_body_problem"]["coefficient_friction"] = json!(0.25);
        scene
            .as_object_mut()
            .unwrap()
            .extend(keys.as_object().unwrap().clone());
        imported(&scene)
    };
    let separation = stored("separation").contact;
    assert_eq!(
        (separation.d_hat, separation.min_separation),
        (Some(0.01), 0.05)
    );

    for (iterations, coefficient, lag_iterations) in [
        (0, 0.0, None),
        (1, 0.25, Some(1)),
        (7, 0.25, Some(7)),
        (-1, 0.25, None),
    ] {
        let keys = json!({ "iterations": iterations, "static_friction_speed_bound": 1e-5 });
        let friction = with(json!({ "friction_constraints": keys }))
            .contact
            .friction;
        assert_eq!(
            (friction.default, friction.eps_v),
            (coefficient, Some(1e-5))
        );
        assert_eq!(
            (friction.lag_iterations, friction.pairs.len()),
            (lag_iterations, 0)
        );
    }

    // The rod is as long as the scene's diagonal, 1 m.
    let newton = json!({ "velocity_conv_tol": 0.5, "max_iterations": 77 });
    let solver = with(json!({ "newton_solver": newton })).solver;
    assert_eq!((solver.tolerance, solver.max_iterations), (Some(0.5), 77));

    let ipc = json!({ "velocity_conv_tol": 0.125 });
    assert_eq!(
        with(json!({ "newton_solver": newton, "ipc_solver": ipc }))
            .solver
            .tolerance,
        Some(0.125)
    );

    let absolute = json!({ "velocity_conv_tol": 0.1, "is_velocity_conv_tol_abs": true });
    assert_eq!(
        with(json!({ "ipc_solver": absolute })).solver.tolerance,
        Some(0.1)
    );
}

#[test]
fn a_relative_tolerance_is_a_share_of_the_diagonal_of_the_scene() {
    let two = imported(&json!({
        "ipc_solver": { "velocity_conv_tol": 0.1 },
        "rigid_body_problem": { "rigid_bodies": [
            { "vertices": [[0, 0], [3, 0]], "edges": [[0, 1]] },
            { "vertices": [[0, 0], [4, 0]], "edges": [[0, 1]], "rotation": 90, "type": "static" },
        ] },
    }));
    near(two.solver.tolerance.unwrap(), 0.5, 1e-12);
}

#[test]
fn bodies_that_are_not_enabled_are_left_out_and_names_are_by_place_in_the_file() {
    let body = |enabled: bool| json!({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]], "enabled": enabled });
    let scene = imported(&scenes::scene(
        1,
        0.0,
        &[body(false), body(true), body(true)],
    ));
    let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["body_1", "body_2"]);
}

#[test]
fn edges_without_length_are_left_out() {
    let body = one_body(
        &json!({ "vertices": [[0, 0], [1, 0], [1, 0], [0, 1]], "edges": [[0, 1], [1, 2], [2, 3], [3, 3]] }),
    );
    assert_eq!(wire(&body.shape).pairs()[..], [[0, 1], [2, 3]]);
    assert_eq!(wire(&body.shape).vertices.len(), 4);
}
