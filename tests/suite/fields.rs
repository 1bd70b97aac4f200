//! Fields against closed forms: uniform and linear deformations, blocks at rest.

use crate::support::{Parts, ground, inline, near, near_point, setup};
use ipcsim::energy::Conditions;
use ipcsim::fields::{Known, Snapshot, Spot, Subject, by_key, locate};
use ipcsim::forces::vertex_contacts;
use ipcsim::material::Plane;
use ipcsim::math::{Mat2, PlaneTensor, Vec2};
use ipcsim::scene::Setup;
use ipcsim::time::World;
use serde_json::{Value, json};

/// Young's modulus (Pa).
const YOUNG: f64 = 1e5;
/// Poisson's ratio.
const POISSON: f64 = 0.3;
/// Lame parameters in plane strain (Pa).
const MU: f64 = YOUNG / 2.6;
const LAMBDA: f64 = YOUNG * POISSON / (1.3 * 0.4);

/// World of bodies of one law, in plane strain or stress.
fn bodies(law: &str, plane: &str, shapes: &[(&str, Value, [f64; 2])]) -> Setup {
    let mut elastic = serde_json::Map::new();
    elastic.insert(
        law.to_owned(),
        json!({ "young": YOUNG, "poisson": POISSON }),
    );
    let bodies: Vec<Value> = shapes
        .iter()
        .map(|(name, shape, position)| {
            json!({ "name": name, "shape": shape, "material": "stuff", "position": position })
        })
        .collect();
    setup(&inline(json!({
        "time": { "step": 0.01, "steps": 1 }, "plane": plane,
        "materials": { "stuff": { "density": 1000.0, "law": elastic } }, "bodies": bodies
    })))
}

/// A disk, whose mesh is irregular.
fn disk(law: &str, plane: &str) -> Setup {
    let shape = json!({ "disk": { "radius": 0.5, "segments": 24 } });
    bodies(law, plane, &[("disk", shape, [0.3, -0.2])])
}

/// Subject of a world.
fn subject(world: &World, plane: Plane) -> Subject<'_> {
    Subject::new(world, plane, 1.0, vec![Some(0); world.bodies.len()])
}

/// Turn by an angle (rad).
fn turn(angle: f64) -> Mat2 {
    let (sin, cos) = angle.sin_cos();
    Mat2::new(cos, -sin, sin, cos)
}

/// Largest difference of two tensors' components.
fn difference(a: &PlaneTensor, b: &PlaneTensor) -> f64 {
    [a.xx - b.xx, a.yy - b.yy, a.xy - b.xy, a.zz - b.zz]
        .into_iter()
        .fold(0.0, |most, d| d.abs().max(most))
}

/// Principal Cauchy stresses of a law in space at the stretches `s`, `t` and 1 (Pa), written down
/// from its energy: `sigma_i = (l_i / J) dW/dl_i`.
fn principal(law: &str, [s, t]: [f64; 2]) -> [f64; 3] {
    let j = s * t;
    [s, t, 1.0].map(|l| {
        let slope = match law {
            "neo_hookean" => MU * (l - 1.0 / l) + LAMBDA * j.ln() / l,
            "fixed_corotated" => 2.0 * MU * (l - 1.0) + LAMBDA * (j - 1.0) * j / l,
            "st_venant_kirchhoff" => {
                let trace = 0.5 * (s * s + t * t) - 1.0;
                l * (MU * (l * l - 1.0) + LAMBDA * trace)
            }
            "linear" => 2.0 * MU * (l - 1.0) + LAMBDA * (s + t - 2.0),
            _ => panic!("{law}"),
        };
        l / j * slope
    })
}

#[test]
fn a_uniform_deformation_has_the_stress_of_each_law_in_every_triangle_and_at_every_vertex() {
    for law in [
        "neo_hookean",
        "fixed_corotated",
        "st_venant_kirchhoff",
        "linear",
    ] {
        let world = disk(law, "strain").world;
        let subject = subject(&world, Plane::Strain);

        // Stretches along turned axes, then a rotation, which the linear law does not follow.
        let stretches = [1.3, 0.8];
        let is_linear = law == "linear";
        let [before, after] = if is_linear { [0.0, 0.0] } else { [0.4, 1.1] };
        let axes = turn(after + before);
        let f = axes * Mat2::from_diagonal(&stretches.into()) * turn(before).transpose();
        let x: Vec<Vec2> = world
            .rest
            .iter()
            .map(|x| f * x + Vec2::new(2.0, 1.0))
            .collect();
        let snapshot = Snapshot::new(&subject, Known::positions(&x, Conditions::default()));

        let [first, second, across] = principal(law, stretches);
        let in_plane = axes * Mat2::from_diagonal(&Vec2::new(first, second)) * axes.transpose();
        let expected = PlaneTensor::new(&in_plane, across);
        let found = snapshot.stress();
        assert!(found.triangles.len() > 20 && found.vertices.len() > 15);
        for stress in found.triangles.iter().chain(&found.vertices) {
            assert!(
                difference(stress, &expected) < 1e-9 * YOUNG,
                "{law}: {stress:?} {expected:?}"
            );
        }

        // Green strain (F^T F - I) / 2 does not see the rotation.
        let squares = stretches.map(|s| 0.5 * (s * s - 1.0));
        let back = turn(before);
        let strain = back * Mat2::from_diagonal(&squares.into()) * back.transpose();
        let expected = PlaneTensor::new(&strain, 0.0);
        for strain in &snapshot.strain().triangles {
            assert!(difference(strain, &expected) < 1e-12, "{law}: {strain:?}");
        }

        // Values made of the stress.
        let mut sorted = [first, second, across];
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        let [a, b, c] = sorted;
        let von_mises = (0.5 * ((a - b).powi(2) + (b - c).powi(2) + (c - a).powi(2))).sqrt();
        let values = by_key("von_mises").unwrap().at_points(&snapshot).unwrap();
        assert!(
            values
                .iter()
                .all(|value| (value - von_mises).abs() < 1e-9 * YOUNG)
        );
        let values = by_key("principal_stress")
            .unwrap()
            .at_points(&snapshot)
            .unwrap();
        for value in values.chunks(3) {
            let error = (0..3)
                .map(|k| (value[k] - sorted[k]).abs())
                .fold(0.0, f64::max);
            assert!(error < 1e-9 * YOUNG, "{value:?} {sorted:?}");
        }
    }
}

#[test]
fn uniaxial_tension_at_small_strain_is_hooke_s_law_in_both_planes() {
    // Strain e along x; plane stress contracts by nu e, plane strain by nu/(1-nu) e.
    let e = 1e-7;
    for (plane, name, contraction, modulus) in [
        (Plane::Stress, "stress", POISSON, YOUNG),
        (
            Plane::Strain,
            "strain",
            POISSON / (1.0 - POISSON),
            YOUNG / (1.0 - POISSON * POISSON),
        ),
    ] {
        let world = disk("neo_hookean", name).world;
        let subject = subject(&world, plane);
        let f = Mat2::from_diagonal(&Vec2::new(1.0 + e, 1.0 - contraction * e));
        let x: Vec<Vec2> = world.rest.iter().map(|x| f * x).collect();
        let snapshot = Snapshot::new(&subject, Known::positions(&x, Conditions::default()));

        let across = if plane == Plane::Strain {
            POISSON * modulus * e
        } else {
            0.0
        };
        let expected = PlaneTensor {
            xx: modulus * e,
            zz: across,
            ..PlaneTensor::default()
        };
        for stress in &snapshot.stress().triangles {
            assert!(
                difference(stress, &expected) < 1e-5 * YOUNG * e,
                "{stress:?} {expected:?}"
            );
        }

        // What happens across is not known in plane stress.
        let strains = &snapshot.strain().triangles;
        assert!(
            strains
                .iter()
                .all(|strain| strain.zz.is_nan() == (plane == Plane::Stress))
        );
    }
}

#[test]
fn the_mean_of_a_linear_field_at_inner_vertices_is_the_field() {
    let shape = json!({ "rectangle": { "size": [1.0, 0.5], "segments": [10, 6] } });
    let world = bodies("neo_hookean", "strain", &[("block", shape, [0.0, 0.0])]).world;
    let subject = subject(&world, Plane::Strain);

    // u_x = a x^2 has the strain 2 a x, up to its square.
    let a = 1e-8;
    let x: Vec<Vec2> = world
        .rest
        .iter()
        .map(|x| x + Vec2::new(a * x.x * x.x, 0.0))
        .collect();
    let snapshot = Snapshot::new(&subject, Known::positions(&x, Conditions::default()));
    let mut inner = 0;
    for (rest, strain) in world.rest.iter().zip(&snapshot.strain().vertices) {
        if rest.x.abs() < 0.49 && rest.y.abs() < 0.24 {
            inner += 1;
            near(strain.xx, 2.0 * a * rest.x, 1e-7 * a);
        }
    }
    assert_eq!(inner, 45);
}

#[test]
fn no_mean_is_of_two_bodies_and_what_does_not_exist_is_nan() {
    let square = |side: f64| json!({ "square": { "side": side, "segments": 2 } });
    let mut scene = json!({
        "time": { "step": 0.01, "steps": 1 },
        "materials": { "soft": { "density": 1000.0, "law": { "neo_hookean": { "young": YOUNG, "poisson": POISSON } } },
            "springs": { "density": 1000.0, "law": { "mass_spring": { "stiffness": 1e5 } } } },
        "bodies": []
    });
    for (name, kind, material, x) in [
        ("first", "deformable", "soft", 0.0),
        ("second", "deformable", "soft", 1.001),
        ("net", "deformable", "springs", 3.0),
        ("stone", "rigid", "soft", 5.0),
    ] {
        let body = json!({ "name": name, "kind": kind, "shape": square(1.0), "material": material, "position": [x, 0.0] });
        scene["bodies"].as_array_mut().unwrap().push(body);
    }
    let world = setup(&inline(scene)).world;
    let subject = subject(&world, Plane::Strain);

    // The first body is stretched, the second rests a millimetre beside it.
    let mut x = world.rest.clone();
    for place in &mut x[world.bodies[0].vertices.clone()] {
        place.y *= 1.2;
    }
    let snapshot = Snapshot::new(&subject, Known::positions(&x, Conditions::default()));
    let values = by_key("von_mises").unwrap().at_points(&snapshot).unwrap();
    for (body, found) in world.bodies.iter().zip(0..) {
        for value in &values[body.vertices.clone()] {
            match found {
                0 => assert!(*value > 1e4),
                1 => assert!(value.abs() < 1e-9),
                _ => assert!(value.is_nan()),
            }
        }
    }
    let body = by_key("body").unwrap().at_points(&snapshot).unwrap();
    assert_eq!((body[0], body[world.bodies[3].vertices.start]), (0.0, 3.0));
}

#[test]
fn contact_forces_add_up_to_the_weight_and_pressure_is_weight_over_width() {
    // Rests where the barrier, integrated along edges, bears the weight evenly.
    let (width, height, density, thickness) = (0.8, 0.3, 1000.0, 0.25);
    let scene = inline(json!({
        "time": { "step": 0.05, "steps": 1 }, "thickness": thickness,
        "materials": { "stone": { "density": density } },
        "bodies": [{ "name": "block", "kind": "rigid", "material": "stone", "position": [0.0, 0.15 + 0.0008],
            "shape": { "rectangle": { "size": [width, height], "segments": [16, 1] } } }],
        "obstacles": [ground()],
        "contact": { "model": "edges", "d_hat": 0.001 },
        "solver": { "tolerance": 1e-9, "imbalance": 1e-11 }
    }));
    let mut run = Parts::of(&scene);
    for _ in 0..400 {
        run.step();
    }

    let forces = vertex_contacts(&run.world, &run.state, run.solver.last());
    let weight = 9.81 * density * width * height * thickness;
    let sum = |body: usize| -> Vec2 {
        let own = forces
            .iter()
            .filter(|f| run.world.model.surface.body[f.vertex] == body);
        own.map(|force| force.normal).sum()
    };
    for (body, expected) in [(0, weight), (1, -weight)] {
        near_point(sum(body), Vec2::new(0.0, expected), 1e-6 * weight);
    }

    let subject = Subject::new(&run.world, Plane::Strain, thickness, vec![Some(0), None]);
    let contacts = ipcsim::fields::ContactsOnVertices::of(&forces, run.state.x.len());
    let known = Known {
        contacts: Some(&contacts),
        ..Known::positions(&run.state.x, run.state.conditions())
    };
    let snapshot = Snapshot::new(&subject, known);
    let pressures = by_key("contact_pressure")
        .unwrap()
        .at_points(&snapshot)
        .unwrap();
    let expected = weight / (width * thickness);
    let mut compared = 0;
    for (rest, pressure) in run.world.rest.iter().zip(&pressures) {
        if (0.0..0.1).contains(&rest.y) && rest.y != 0.0 && rest.x.abs() < 0.5 * width - 0.01 {
            compared += 1;
            assert!(
                (pressure / expected - 1.0).abs() < 2e-3,
                "{rest:?}: {pressure} {expected}"
            );
        }
    }
    assert_eq!(compared, 15);
    let material = by_key("material").unwrap().at_points(&snapshot).unwrap();
    assert_eq!((material[0], material.last()), (0.0, Some(&-1.0)));
}

/// Spot of a body at a place, which must be in it.
fn spot(world: &World, body: usize, place: [f64; 2]) -> Spot {
    locate(world, body, place.into()).unwrap()
}

#[test]
fn a_point_of_any_body_moves_as_the_body_does() {
    let scene = inline(json!({
        "time": { "step": 0.01, "steps": 1 },
        "materials": { "soft": { "density": 1000.0, "law": { "neo_hookean": { "young": YOUNG, "poisson": POISSON } } } },
        "bodies": [
            { "name": "soft", "shape": { "disk": { "radius": 0.5, "segments": 12 } }, "material": "soft", "position": [0, 0] },
            { "name": "rigid", "kind": "rigid", "shape": { "square": { "side": 1, "segments": 1 } }, "material": "soft", "position": [2, 0], "rotation_deg": 20 },
            { "name": "affine", "kind": { "affine": {} }, "shape": { "square": { "side": 1, "segments": 1 } }, "material": "soft", "position": [4, 0] },
            { "name": "wheel", "kind": "rigid", "shape": { "circle": { "radius": 0.5 } }, "material": "soft", "position": [6, 0] }
        ]
    }));
    let world = setup(&scene).world;

    // Any affine map for bodies that deform, a rotation for those that do not.
    let sheared = Mat2::new(1.2, 0.3, -0.1, 0.9);
    let shift = Vec2::new(0.5, -2.0);
    for (body, place, map) in [
        (0, [0.123, -0.21], sheared),
        (1, [2.21, 0.3], turn(2.0)),
        (2, [4.4, -0.1], sheared),
        (3, [6.1, 0.45], turn(-1.0)),
    ] {
        let x: Vec<Vec2> = world.rest.iter().map(|x| map * x + shift).collect();
        let v: Vec<Vec2> = world.rest.iter().map(|x| map * x * 3.0).collect();
        let found = spot(&world, body, place);
        let place = Vec2::from(place);
        assert!(
            (found.position(&x) - (map * place + shift)).norm() < 1e-13,
            "{body}"
        );
        assert!(
            (found.moving(&v) - map * place * 3.0).norm() < 1e-13,
            "{body}"
        );
    }
}

#[test]
fn a_place_outside_of_a_body_is_refused_with_its_distance() {
    let shape = json!({ "rectangle": { "size": [1.0, 0.5], "segments": [4, 2] } });
    let setup = bodies("neo_hookean", "strain", &[("beam", shape, [0.0, 0.0])]);
    let world = &setup.world;

    // Rounding on the outline is no reason; a micrometre is.
    assert!(locate(world, 0, Vec2::new(0.3, 0.25 + 1e-13)).is_ok());
    let message = locate(world, 0, Vec2::new(0.3, 0.250_001))
        .unwrap_err()
        .to_string();
    assert_eq!(
        message,
        "[0.3, 0.250001] is 1e-6 m outside of \"beam\" at rest, which is within x of \
         [-0.5, 0.5] and y of [-0.25, 0.25]"
    );
    assert!(
        locate(world, 0, Vec2::new(0.8, 0.0))
            .unwrap_err()
            .to_string()
            .contains("0.3 m outside")
    );
}
