//! Bodies whose displacements are polynomials or modes.

use crate::support::{Run, deviation, ground, inline, near_ratio};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;
/// Tolerance of the solver (m/s).
const TOLERANCE: f64 = 1e-8;

/// A soft body of the given kind above the ground.
fn scene(kind: &Value, shape: &Value, law: &Value, more: Value) -> Scene {
    let mut scene = json!({
        "time": { "step": 0.01, "steps": 100 },
        "materials": { "rubber": { "density": 1000.0, "law": law } },
        "bodies": [{ "name": "body", "kind": kind, "shape": shape, "material": "rubber", "position": [0.1, 0.6],
            "rotation_deg": 10.0, "velocity": [0.3, -2.0], "spin_deg": 90.0 }],
        "obstacles": [ground()],
        "contact": { "d_hat": 0.01, "kappa": 1e5, "friction": { "default": 0.3 } },
        "solver": { "tolerance": TOLERANCE }
    });
    let (Value::Object(all), Value::Object(more)) = (&mut scene, more) else {
        panic!("not an object")
    };
    all.extend(more);
    inline(scene)
}

fn neo_hookean() -> Value {
    json!({ "neo_hookean": { "young": 1e5, "poisson": 0.4 } })
}

/// The largest difference of positions over `steps` between two runs; they must touch the ground.
fn difference(a: &Scene, b: &Scene, steps: u32) -> f64 {
    let mut a = Run::of(a);
    let mut b = Run::of(b);
    let mut worst = 0.0_f64;
    let mut contacts = 0;
    for _ in 0..steps {
        contacts += a.step().record.contacts;
        b.step();
        worst = worst.max(deviation(&a.state().x, |i| b.state().x[i]));
    }
    assert!(contacts > 10, "{contacts}");
    worst
}

/// Bound of the error by the end: a speed of the tolerance at each step, amplified by a bounce.
fn bound(steps: u32) -> f64 {
    100.0 * 0.01 * TOLERANCE * f64::from(steps * steps) / 2.0
}

#[test]
fn all_modes_do_what_free_vertices_do() {
    let shape = json!({ "rectangle": { "size": [0.5, 0.3], "segments": [2, 1] } });
    let free = scene(&json!("deformable"), &shape, &neo_hookean(), json!({}));
    let all = scene(
        &json!({ "modal": { "modes": 12 } }),
        &shape,
        &neo_hookean(),
        json!({}),
    );
    let worst = difference(&free, &all, 60);
    println!("all modes: {worst:.2e} m, bound {:.2e}", bound(60));

    assert!(worst < bound(60), "{worst}");

    // Few modes cannot spin, and do something else.
    let mut few = scene(
        &json!({ "modal": { "modes": 4 } }),
        &shape,
        &neo_hookean(),
        json!({}),
    );
    few.bodies[0].spin_deg = 0.0;
    assert!(difference(&free, &few, 60) > 1e-4);
}

#[test]
fn polynomials_of_a_high_enough_order_do_what_free_vertices_do() {
    // Six points of a triangle carry all polynomials of the second order, three all of the first.
    let six = json!({ "mesh": { "vertices": [[0.0, 0.0], [0.2, 0.0], [0.4, 0.0], [0.1, 0.2], [0.3, 0.2], [0.2, 0.4]],
        "triangles": [[0, 1, 3], [1, 2, 4], [1, 4, 3], [3, 4, 5]] } });
    let three = json!({ "mesh": { "vertices": [[0.0, 0.0], [0.4, 0.0], [0.2, 0.4]], "triangles": [[0, 1, 2]] } });

    for (shape, order) in [(six, 2), (three, 1)] {
        let free = scene(&json!("deformable"), &shape, &neo_hookean(), json!({}));
        let all = scene(
            &json!({ "polynomial": { "order": order } }),
            &shape,
            &neo_hookean(),
            json!({}),
        );
        let worst = difference(&free, &all, 60);
        println!("order {order}: {worst:.2e} m, bound {:.2e}", bound(60));

        assert!(worst < bound(60), "{order}: {worst}");
    }
}

#[test]
fn reduced_bodies_fall_freely_and_translation_stores_no_energy() {
    let shape = json!({ "square": { "side": 0.4, "segments": 3 } });
    for kind in [
        json!({ "polynomial": { "order": 1 } }),
        json!({ "polynomial": { "order": 3 } }),
        json!({ "modal": { "modes": 3 } }),
        json!({ "modal": { "modes": 9 } }),
    ] {
        let mut scene = scene(&kind, &shape, &neo_hookean(), json!({ "obstacles": [] }));
        scene.bodies[0].spin_deg = 0.0;
        scene.bodies[0].force = [16.0, 0.0];
        let mut run = Run::of(&scene);
        let start = run.state().x.clone();

        for n in 1..=50 {
            let record = run.step().record;
            let n = f64::from(n);

            // A force of 16 N on 160 kg.
            let way = Vec2::new(0.3, -2.0) * (0.01 * n)
                + Vec2::new(0.1, -GRAVITY) * (5e-5 * n * (n + 1.0));
            assert!(
                deviation(&run.state().x, |i| start[i] + way) < 1e-9,
                "{kind}"
            );
            assert!(
                (record.momentum.x - 160.0 * (0.3 + 0.1 * 0.01 * n)).abs() < 1e-6,
                "{kind}: {}",
                record.momentum
            );

            let elastic = record.potentials.get(2).copied().unwrap_or(0.0);
            assert!(elastic < 1e-9, "{kind}: {:?}", record.potentials);
        }
    }
}

#[test]
fn a_square_of_affine_displacements_droops_by_the_weight_above_its_middle() {
    // Uniform strain: height H e with e = rho g H / (2 E'), E' = E / (1 - nu^2) in plane strain,
    // free to widen.
    let young = 2e5;
    let poisson = 0.3;
    let law = json!({ "linear": { "young": young, "poisson": poisson } });
    let shape = json!({ "square": { "side": 0.4, "segments": 4 } });
    let more = json!({ "contact": { "d_hat": 1e-4, "kappa": 1e6 }, "time": { "step": 0.1, "steps": 200 } });
    let mut scene = scene(&json!({ "polynomial": { "order": 1 } }), &shape, &law, more);
    let body = &mut scene.bodies[0];
    (
        body.position,
        body.rotation_deg,
        body.velocity,
        body.spin_deg,
    ) = ([0.0, 0.20009], 0.0, [0.0; 2], 0.0);
    let mut run = Run::of(&scene);
    run.steps(200);
    let x = &run.state().x;
    let height = x[4].y - x[0].y;
    let width = x[20].x - x[0].x;
    let strain = 1000.0 * GRAVITY * 0.4 * (1.0 - poisson * poisson) / (2.0 * young);
    let widening = strain * poisson / (1.0 - poisson);
    println!(
        "strain {} for {strain}, widening {} for {widening}",
        1.0 - height / 0.4,
        width / 0.4 - 1.0
    );

    near_ratio(1.0 - height / 0.4, strain, 0.01);
    near_ratio(width / 0.4 - 1.0, widening, 0.01);
}

/// The right half of a bridge that is symmetric about `x = 0` and stands on two feet.
const HALF: [[f64; 2]; 7] = [
    [0.0, 0.3],
    [0.0, 0.6],
    [0.25, 0.3],
    [0.25, 0.6],
    [0.3, 0.0],
    [0.5, 0.0],
    [0.5, 0.6],
];
const TRIANGLES: [[usize; 3]; 5] = [[0, 2, 3], [0, 3, 1], [4, 5, 2], [5, 6, 2], [2, 6, 3]];

/// A bridge falls on the ground: as a whole, or half of it with its axis held along x.
fn bridge(whole: bool) -> Scene {
    let mut vertices = HALF.to_vec();
    let mut triangles = TRIANGLES.to_vec();

    if whole {
        let image = |i: usize| if i < 2 { i } else { i + 5 };
        vertices.extend(HALF[2..].iter().map(|[x, y]| [-x, *y]));
        triangles.extend(TRIANGLES.map(|[a, b, c]| [image(a), image(c), image(b)]));
    }

    let prescribed = if whole {
        json!([])
    } else {
        json!([{ "vertices": { "indices": [0, 1] }, "axis": "x" }])
    };
    inline(json!({
        "time": { "step": 0.01, "steps": 60 },
        "materials": { "rubber": { "density": 1000.0, "law": neo_hookean() } },
        "bodies": [{ "name": "bridge", "shape": { "mesh": { "vertices": vertices, "triangles": triangles } },
            "material": "rubber", "position": [0.0, 0.2], "velocity": [0.0, -1.0], "prescribed": prescribed,
            "lumping": "area" }],
        "obstacles": [ground()],
        "contact": { "d_hat": 0.01, "kappa": 1e5, "friction": { "default": 0.3 } },
        "solver": { "tolerance": TOLERANCE }
    }))
}

#[test]
fn half_of_a_symmetric_body_held_on_its_axis_moves_as_the_whole() {
    let mut whole = Run::of(&bridge(true));
    let mut half = Run::of(&bridge(false));
    let mut worst = 0.0_f64;
    let mut contacts = 0;

    for _ in 0..60 {
        whole.step();
        contacts += half.step().record.contacts;
        assert!(half.state().x[..2].iter().all(|x| x.x == 0.0));
        worst = worst.max(deviation(&half.state().x[..7], |i| whole.state().x[i]));
    }

    println!("half and whole: {worst:.2e} m in {contacts} contacts");
    assert!(contacts > 20 && worst < bound(60), "{worst}");
}
