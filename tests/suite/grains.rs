//! Grains: packed and copied bodies of drawn sizes, and the stress that their contacts carry.

use crate::cli_run::{column, table};
use crate::program::{Place, ipcsim};
use ipcsim::prelude::*;
use serde_json::{Value, json};

/// Grains of two entries in one region with a hole, and obstacles around it.
fn scene() -> Value {
    let region = json!({ "outline": {
        "points": [[-0.2, 0.5], [-0.2, 0.15], [-0.05, 0], [0.05, 0], [0.2, 0.15], [0.2, 0.5]],
        "holes": [[[-0.03, 0.25], [0.03, 0.25], [0, 0.3]]]
    } });
    json!({
        "time": { "step": 0.005, "steps": 2 },
        "materials": { "glass": { "density": 2500 }, "steel": { "density": 7800 } },
        "bodies": [
            { "name": "grain", "kind": "rigid", "material": "glass", "shape": { "circle": { "radius": 1 } },
              "velocity": [0, -0.1],
              "pack": { "region": region, "count": 200, "radius": { "uniform": [0.008, 0.012] }, "gap": 1e-4,
                        "seed": 5 } },
            { "name": "nut", "kind": "rigid", "material": "steel",
              "shape": { "regular_polygon": { "radius": 1, "sides": 6, "segments": 1 } },
              "pack": { "region": region, "count": 20, "scale": { "normal": { "mean": 0.01, "deviation": 0.001 } },
                        "angle_deg": { "uniform": [0, 60] }, "gap": 1e-4 } }
        ]
    })
}

/// Builds a scene.
fn built(scene: &Value) -> ipcsim::scene::Setup {
    let scene: Scene = serde_json::from_value(scene.clone()).unwrap();
    scene.build().unwrap()
}

/// Circles of a world: centres and radii (m).
fn circles(setup: &ipcsim::scene::Setup) -> Vec<([f64; 2], f64)> {
    let disks = setup.world.model.surface.disks.iter();
    disks
        .map(|disk| (setup.state.x[disk.center].into(), disk.radius))
        .collect()
}

#[test]
fn packed_bodies_have_drawn_sizes_and_lie_apart_with_the_same_bits_everywhere() {
    let setup = built(&scene());
    let found = circles(&setup);
    assert_eq!(found.len(), 200);
    assert_eq!(setup.world.bodies.len(), 220);
    assert_eq!(setup.world.bodies[199].name, "grain 200");
    assert_eq!(setup.world.bodies[219].name, "nut 20");
    for (k, (at, radius)) in found.iter().enumerate() {
        assert!((0.008..0.012).contains(radius));
        for (other, size) in &found[..k] {
            let distance = (at[0] - other[0]).hypot(at[1] - other[1]);
            assert!(distance >= radius + size + 1e-4 * (1.0 - 1e-9));
        }
        // From the slanted wall on the left.
        let depth = (at[0] + 0.05 + at[1]) * 0.5_f64.sqrt();
        assert!(depth >= radius + 1e-4 * (1.0 - 1e-9));
    }

    // Another seed is another packing, and the same one the same.
    let bits = |found: &[([f64; 2], f64)]| {
        let numbers = found
            .iter()
            .flat_map(|(at, radius)| [at[0], at[1], *radius]);
        numbers.fold(0_u64, |sum, number| {
            (sum ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3)
        })
    };
    assert_eq!(bits(&circles(&built(&scene()))), bits(&found));
    let mut other = scene();
    other["bodies"][0]["pack"]["seed"] = json!(6);
    assert_ne!(bits(&circles(&built(&other))), bits(&found));
    assert_eq!(bits(&found), EXPECTED, "packings have other bits here");
}

/// Bits of all places and radii of the first grains of [`scene`].
const EXPECTED: u64 = 0;

#[test]
fn a_pack_without_room_is_refused_with_the_number_that_fits() {
    let place = Place::new();
    let mut own = scene();
    own["bodies"][0]["pack"]["count"] = json!(2000);
    let file = place.scene(&own);
    let ended = ipcsim(&["check", &file]);
    ended
        .exits(2)
        .complains("of 2000 \"grain\" fit into the region");

    // So are packs that mean nothing.
    for (setting, part) in [
        ("count=null", "has no number of bodies"),
        ("fill=0.5", "is given besides \"count\""),
        ("radius=0", "must be above 0"),
        ("scale=2", "is given besides \"radius\""),
        (
            "radius={\"normal\":{\"mean\":0.01,\"deviation\":0.01}}",
            "must be above 0",
        ),
        ("radius={\"choice\":{\"values\":[]}}", "is empty"),
        (
            "region={\"box\":{\"min\":[0,0],\"max\":[0,1]}}",
            "min must be less than max",
        ),
        (
            "region={\"disk\":{\"center\":[0,0],\"radius\":0.005}}",
            "no \"grain\" fits into the region",
        ),
        ("region={\"polygon\":[]}", "\"outline\" here"),
    ] {
        let file = place.scene(&scene());
        let setting = format!("bodies.grain.pack.{setting}");
        let ended = ipcsim(&["check", &file, "--set", &setting]);
        ended.exits(2).complains(part);
    }
}

#[test]
fn copies_draw_radii_scales_angles_and_jitter() {
    let scene = json!({
        "time": { "step": 0.005, "steps": 2 },
        "materials": { "glass": { "density": 2500 } },
        "bodies": [
            { "name": "a", "kind": "rigid", "material": "glass", "shape": { "circle": { "radius": 1 } },
              "copies": { "counts": [20, 2], "spacing": [0.03, 0.03], "jitter": [0.002, 0.002], "seed": 3,
                          "radius": { "choice": { "values": [0.01, 0.012], "weights": [3, 1] } } } },
            { "name": "b", "kind": "rigid", "material": "glass", "position": [0, 1], "rotation_deg": 10,
              "shape": { "rectangle": { "size": [0.02, 0.01], "segments": [1, 1] } },
              "copies": { "counts": [5, 1], "spacing": [0.1, 0], "scale": 2, "angle_deg": 20 } }
        ]
    });
    let setup = built(&scene);
    let found = circles(&setup);
    let large = found.iter().filter(|(_, radius)| *radius == 0.012).count();
    assert!((3..20).contains(&large), "{large}");
    assert!(
        found
            .iter()
            .all(|(_, radius)| [0.01, 0.012].contains(radius))
    );
    let moved = found
        .iter()
        .enumerate()
        .map(|(k, (at, _))| at[0] - 0.03 * (k % 20) as f64);
    let moved: Vec<f64> = moved.collect();
    assert!(moved.iter().all(|x| x.abs() <= 0.002) && moved.iter().any(|x| x.abs() > 1e-3));

    // Twice as large, and turned by 30 degrees about its middle.
    let body = &setup.world.bodies[40];
    let x = &setup.state.x[body.vertices.clone()];
    let expected = 0.02 * 30.0_f64.to_radians().cos() + 0.01 * 30.0_f64.to_radians().sin();
    let most = x.iter().map(|at| at.x).fold(f64::NEG_INFINITY, f64::max);
    assert!((most - expected).abs() < 1e-12, "{most} {expected}");
    assert!((body.mass(&setup.world.model.mass) - 2500.0 * 0.04 * 0.02).abs() < 1e-12);
}

#[test]
fn wires_and_polylines_take_the_same_points() {
    let scene = |shape: Value| {
        json!({
            "time": { "step": 0.005, "steps": 2 },
            "materials": { "glass": { "density": 2500 } },
            "bodies": [ { "name": "a", "kind": "rigid", "material": "glass", "position": [0, 2],
                          "shape": { "circle": { "radius": 0.1 } } } ],
            "obstacles": [ { "name": "wall", "shape": shape } ]
        })
    };
    let points = json!([[0, 0], [1, 0], [1, 1]]);
    let edges = json!([[0, 1], [1, 2]]);
    let place = Place::new();
    let hashes = [
        json!({ "wire": { "vertices": points, "edges": edges } }),
        json!({ "wire": { "points": points, "edges": edges } }),
        json!({ "wire": { "points": points } }),
        json!({ "polyline": { "points": points } }),
        json!({ "polyline": { "vertices": points } }),
    ]
    .map(|shape| {
        let file = place.scene(&scene(shape));
        let own = place.ran(&file, "a", &["--force"]);
        place.json(&format!("{own}/run.json"))["hash"].clone()
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

/// Equal grains that have come to rest between two walls without friction, with measures of stress.
fn heap() -> Value {
    json!({
        "time": { "step": 0.02, "steps": 60 },
        "gravity": [0, -10],
        "materials": { "glass": { "density": 2500 } },
        "bodies": [
            { "name": "grain", "kind": "rigid", "material": "glass", "shape": { "circle": { "radius": 0.01 } },
              "pack": { "region": { "box": { "min": [0, 0], "max": [0.15, 0.25] } }, "fill": 0.7, "seed": 2 } }
        ],
        "obstacles": [
            { "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } },
            { "name": "left", "shape": { "half_plane": { "normal": [1, 0], "origin": [0, 0] } } },
            { "name": "right", "shape": { "half_plane": { "normal": [-1, 0], "origin": [0.15, 0] } } }
        ],
        "measure": [
            { "name": "stress", "mean": "mean_stress_yy", "of": "grain" },
            { "name": "height", "mean": "y" },
            { "name": "top", "max": "y", "over": "last" },
            { "name": "support", "value": "force_y", "between": ["floor", "grain 1"] },
            { "name": "inside", "value": "coarse_stress_yy", "at": [0.075, 0.06], "within": 0.05 },
            { "name": "density", "value": "coarse_density", "at": [0.075, 0.06], "within": 0.05 },
            { "name": "share", "value": "coarse_fraction", "at": [0.075, 0.06], "within": 0.05 }
        ]
    })
}

#[test]
fn stress_of_grains_at_rest_is_the_weight_above_them() {
    let place = Place::new();
    let [whole, part] = place.resumed(&heap(), ["25", "60"]);
    let name = |folder: &str| folder.rsplit('/').next().unwrap().to_owned();
    let own = place.read(&format!("{}/measures.csv", name(&whole)));
    assert_eq!(own, place.read(&format!("{}/measures.csv", name(&part))));

    let measures = table(&place, &format!("{}/measures.csv", name(&whole)));
    let last = |name: &str| *column(&measures, name).last().unwrap();
    // Equal grains between walls without friction: the mean stress is -rho g times their mean height,
    // since the floor acts at the height 0.
    let expected = -2500.0 * 10.0 * last("height");
    assert!(
        (last("stress") / expected - 1.0).abs() < 2e-3,
        "{} {expected}",
        last("stress")
    );

    // The field in the middle carries what lies above.
    assert!((last("density") / (2500.0 * last("share")) - 1.0).abs() < 1e-9);
    let above = last("density") * 10.0 * (last("top") + 0.01 - 0.06);
    assert!(
        (last("inside") / -above - 1.0).abs() < 0.1,
        "{} {above}",
        last("inside")
    );
}

#[test]
fn coarse_measures_say_what_they_lack() {
    let place = Place::new();
    for (measure, part) in [
        (
            json!({ "name": "a", "value": "coarse_pressure" }),
            "give the place by \"at\"",
        ),
        (
            json!({ "name": "a", "value": "coarse_pressure", "at": [0, 0], "of": "grain" }),
            "give the place by \"at\" and the radius by \"within\"",
        ),
        (
            json!({ "name": "a", "value": "coarse_pressure", "within": 0.1 }),
            "is the radius around a place",
        ),
        (
            json!({ "name": "a", "value": "coarse_presure", "at": [0, 0], "within": 0.1 }),
            "did you mean \"coarse_pressure\"?",
        ),
    ] {
        let mut own = heap();
        own["measure"] = json!([measure]);
        ipcsim(&["check", &place.scene(&own)])
            .exits(2)
            .complains(part);
    }
}
