//! Import of static and kinematic bodies from rigid-ipc's format.

use crate::importing::{near, one_body, one_obstacle, rod, stored, wire};
use crate::rigid_ipc_scenes::scene;
use ipcsim::scene::schema::{Axis, Obstacle};
use serde_json::{Value, json};

#[test]
fn a_kinematic_body_turns_about_its_centre_of_mass() {
    // An L of arms 2 and 1 has its centre at (2 (1, 0) + 1 (0, 1/2)) / 3 = (2/3, 1/6); turned by 90
    // degrees: (-1/6, 2/3).
    let angle = json!({
        "vertices": [[0, 0], [2, 0], [0, 1]], "edges": [[0, 1], [0, 2]], "position": [10, 20], "rotation": 90,
        "type": "kinematic", "linear_velocity": [1, 2], "angular_velocity": 30,
    });
    let obstacle = one_obstacle(&scene(10, 0.0, &[angle]));
    assert!(
        near(obstacle.position, [10.0 - 1.0 / 6.0, 20.0 + 2.0 / 3.0]),
        "{:?}",
        obstacle.position
    );
    assert!(near(
        wire(&obstacle.shape).vertices[0],
        [-2.0 / 3.0, -1.0 / 6.0]
    ));
    assert_eq!(
        (obstacle.rotation_deg, obstacle.velocity, obstacle.spin_deg),
        (90.0, [1.0, 2.0], 30.0)
    );
    assert!(obstacle.keyframes.is_empty());
}

/// A kinematic rod, centred at the origin, for ten steps of 0.01 s.
fn told(more: &Value) -> Obstacle {
    let mut keys = json!({ "type": "kinematic", "position": [-0.5, 0], "rotation": 0 });
    keys.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    one_obstacle(&rod(&keys))
}

fn frames(obstacle: &Obstacle) -> Vec<(f64, [f64; 2], f64)> {
    let keyframes = obstacle.keyframes.iter();
    keyframes
        .map(|frame| (frame.time, frame.position, frame.rotation_deg))
        .collect()
}

#[test]
fn a_kinematic_body_stands_still_from_the_first_step_after_its_time() {
    // Steps begin at 0, 0.01, 0.02 and no later: the body moves for 0.03 s.
    let motion =
        json!({ "linear_velocity": [1, 0], "angular_velocity": 100, "kinematic_max_time": 0.025 });
    let stops = told(&motion);
    assert_eq!(
        (stops.velocity, stops.spin_deg, stops.keyframes.len()),
        ([0.0; 2], 0.0, 1)
    );

    let (time, position, rotation) = frames(&stops)[0];
    assert!(
        (time - 0.03).abs() < 1e-15
            && near(position, [0.03, 0.0])
            && (rotation - 3.0).abs() < 1e-12
    );

    for endless in [-1.0, 0.095, 7.0] {
        let moves = told(&json!({ "linear_velocity": [1, 0], "kinematic_max_time": endless }));
        assert_eq!(
            (moves.velocity, moves.keyframes.len()),
            ([1.0, 0.0], 0),
            "{endless}"
        );
    }
}

#[test]
fn a_kinematic_body_takes_a_pose_a_step_and_then_goes_on_at_its_velocity() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let poses = json!([{ "position": [1, 2] }, { "position": [3, 4], "rotation": [quarter] }, { "rotation": quarter }]);
    let obstacle =
        told(&json!({ "kinematic_poses": poses, "linear_velocity": [100, 0], "rotation": 0 }));
    let found = frames(&obstacle);
    let expected = [
        (0.01, [1.0, 2.0], 0.0),
        (0.02, [3.0, 4.0], 90.0),
        (0.03, [0.0, 0.0], 90.0),
        // Seven of ten steps are left.
        (0.1, [7.0, 0.0], 90.0),
    ];

    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found.0 - expected.0).abs() < 1e-15 && near(found.1, expected.1),
            "{found:?}, {expected:?}"
        );
        assert!((found.2 - expected.2).abs() < 1e-12);
    }

    let poses = json!([{ "position": [1, 2], "rotation": 1 }, { "position": [3, 4] }]);
    let keys = json!({ "kinematic_poses": poses, "kinematic_max_time": 0.005, "is_dof_fixed": [false, true, true] });
    assert_eq!(frames(&told(&keys)), [(0.01, [1.0, 0.0], 0.0)]);
}

#[test]
fn the_paddle_turns_about_its_fixed_centre_for_half_a_second() {
    let scene = stored("paddle");
    let [paddle, floor] = &scene.obstacles[..] else {
        panic!("{:?}", scene.obstacles)
    };
    assert_eq!(
        (scene.time.steps, &paddle.name, &floor.name),
        (200, &"body_0".to_owned(), &"body_2".to_owned())
    );
    assert!(near(paddle.position, [0.5, 0.05]));

    let [(time, position, rotation)] = frames(paddle)[..] else {
        panic!("{:?}", paddle.keyframes)
    };
    assert!(
        (time - 0.5).abs() < 1e-15
            && near(position, [0.5, 0.05])
            && (rotation - 90.0).abs() < 1e-12
    );
    assert_eq!(
        (&paddle.group, &floor.group),
        (&Some("static".to_owned()), &Some("static".to_owned()))
    );
}

#[test]
fn bodies_without_a_free_coordinate_are_obstacles_at_rest() {
    for keys in [
        json!({ "type": "static", "linear_velocity": [1, 2] }),
        json!({ "is_dof_fixed": true, "linear_velocity": [1, 2], "angular_velocity": 3 }),
        json!({ "is_dof_fixed": [true, true, true], "type": "kinematic", "linear_velocity": [1, 2] }),
    ] {
        let obstacle = one_obstacle(&rod(&keys));
        assert_eq!(
            (obstacle.name.as_str(), obstacle.velocity, obstacle.spin_deg),
            ("body_0", [0.0; 2], 0.0)
        );
        assert_eq!((obstacle.keyframes.len(), obstacle.travel), (0, None));
    }
}

#[test]
fn where_nothing_is_dynamic_the_first_body_is_one_of_the_scene_but_held_or_scripted() {
    let body = one_body(&json!({ "type": "static", "linear_velocity": [1, 2] }));
    assert_eq!(
        (body.fixed, body.velocity, body.script),
        (vec![Axis::X, Axis::Y, Axis::Angle], [0.0; 2], None)
    );

    let body =
        one_body(&json!({ "type": "kinematic", "linear_velocity": [1, 2], "angular_velocity": 3 }));
    let script = body.script.unwrap();
    assert_eq!(
        (
            script.velocity,
            script.spin_deg,
            script.until,
            body.fixed.len()
        ),
        ([1.0, 2.0], 3.0, None, 0)
    );
    assert_eq!(
        (body.position, wire(&body.shape).vertices[0]),
        ([0.5, 0.0], [-0.5, 0.0])
    );
}
