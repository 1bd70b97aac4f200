//! Edges of curved outlines of rigid bodies, which contact forces follow, and bodies put on slopes.

use crate::cli_run::table;
use crate::program::{Place, ipcsim};
use crate::support::{Run, inline};
use serde_json::{Value, json};

/// A block of 0.2 m by 0.1 m that rests on a slope.
fn block(name: &str, slope: &str) -> Value {
    json!({
        "name": name, "kind": "rigid", "material": "wood", "rest_on": { "body": slope, "at": [-0.6, 0.025] },
        "shape": { "rectangle": { "size": [0.2, 0.1], "segments": [1, 1] } }
    })
}

#[test]
fn the_force_on_a_follower_of_a_round_cam_hardly_varies() {
    let place = Place::new();
    let scene = json!({
        "time": { "step": 0.002, "steps": 100, "integrator": "bdf2" }, "gravity": [0, 0], "thickness": 0.01,
        "materials": { "steel": { "density": 7800 } },
        "bodies": [
            { "name": "cam", "kind": "rigid", "material": "steel",
              "shape": { "area": { "outline": { "path": { "points": [[0.04, 0],
                  { "arc": { "through": [0, 0.04], "to": [-0.04, 0] } }, { "arc": { "through": [0, -0.04], "to": [0.04, 0] } }] } } } } },
            { "name": "roller", "kind": "rigid", "material": "steel", "shape": { "circle": { "radius": 0.01 } },
              "rest_on": { "body": "cam", "at": [0, 0.1] } }
        ],
        "joints": [
            { "hinge": { "bodies": ["world", "cam"], "at": [0, 0], "motor": { "speed_deg": 360, "torque": 20 } } },
            { "slider": { "bodies": ["world", "roller"], "at": [0, 0.05], "axis": [0, 1], "spring": { "stiffness": 2000, "rest": -0.02, "damping": 2 } } }
        ]
    });
    place.ran(&place.scene(&scene), "a", &[]);

    let forces = table(&place, "a/forces.csv");
    let contacts = forces.iter().filter(|row| row[2] == "contact");
    let normal = contacts.map(|row| {
        let [x, y] = [5, 6].map(|column| row[column].parse::<f64>().unwrap());
        x.hypot(y)
    });
    let after: Vec<f64> = normal.skip(40).collect();
    let [least, most] = [f64::min, f64::max].map(|of| after.iter().copied().reduce(of).unwrap());
    assert!(after.len() > 55 && (39.0..41.0).contains(&least), "{least}");
    // By the 1/2000 of the extent that triangles have it would vary by 5 %.
    assert!((most - least) / least < 2e-3, "{least} {most}");
}

#[test]
fn blocks_put_on_slopes_slide_or_stay_as_their_friction_says() {
    // tan 20 degrees is 0.364.
    let names = ["slippery", "just not", "rough"];
    let slopes = [0, 1, 2].map(|k| format!("slope {k}"));
    let bodies: Vec<Value> = names
        .iter()
        .zip(&slopes)
        .map(|(name, slope)| block(name, slope))
        .collect();
    let obstacles = slopes.iter().enumerate().map(|(k, name)| {
        json!({ "name": name, "position": [0.6, 1.2 - 0.6 * k as f64], "rotation_deg": -20,
                "shape": { "rectangle": { "size": [2, 0.05], "segments": [1, 1] } } })
    });
    let pairs = [0.1, 0.36, 0.5].iter().enumerate().map(
        |(k, coefficient)| json!({ "between": [names[k], slopes[k]], "coefficient": coefficient }),
    );
    let scene = json!({
        "time": { "step": 0.01, "steps": 50 }, "materials": { "wood": { "density": 600 } }, "bodies": bodies,
        "obstacles": obstacles.collect::<Vec<Value>>(),
        "contact": { "friction": { "pairs": pairs.collect::<Vec<Value>>() } }
    });
    let mut run = Run::of(&inline(scene));
    let start = [0, 1, 2].map(|k| run.centre(k));
    run.steps(50);
    let slid = [0, 1, 2].map(|k| (run.centre(k) - start[k]).norm());

    // By g (sin - mu cos) t^2 / 2.
    let angle = 20_f64.to_radians();
    let expected = |mu: f64| 9.81 * (angle.sin() - mu * angle.cos()) * 0.125;
    assert!((slid[0] / expected(0.1) - 1.0).abs() < 0.05, "{slid:?}");
    assert!((slid[1] / expected(0.36) - 1.0).abs() < 0.25, "{slid:?}");
    assert!(slid[2] < 1e-3, "{slid:?}");
}

#[test]
fn what_rests_on_nothing_or_has_two_directions_is_refused() {
    let place = Place::new();
    let scene = |body: Value, plane: Value| {
        json!({
            "time": { "step": 0.01, "steps": 1 }, "materials": { "wood": { "density": 600 } }, "bodies": [body],
            "obstacles": [{ "name": "slope", "shape": { "half_plane": plane } }]
        })
    };
    let refused = |scene: &Value, words: &str| {
        ipcsim(&["check", &place.scene(scene)])
            .exits(2)
            .complains(words);
    };
    let plane = json!({ "angle_deg": -20, "origin": [0, 0] });
    refused(
        &scene(block("a", "slop"), plane.clone()),
        "did you mean \"slope\"?",
    );
    refused(
        &scene(block("a", "a"), plane.clone()),
        "is the body itself; name something below it",
    );
    let mut driven = block("a", "slope");
    driven["script"] = json!({ "velocity": [1, 0] });
    refused(&scene(driven, plane), "has no meaning with a script");

    let both = json!({ "angle_deg": -20, "normal": [0, 1], "origin": [0, 0] });
    refused(
        &scene(block("a", "slope"), both),
        "has both normal and angle_deg; remove one",
    );
    refused(
        &scene(block("a", "slope"), json!({ "origin": [0, 0] })),
        "has no direction; give normal or angle_deg",
    );
}
