//! Simulations that are turned, mirrored, moved or scaled, and that have a far body more.

use crate::support::{Parts, Run, deviation, ground, inline, rectangle, rigid, scene};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use ipcsim::scene::schema::{Selection, Shape};
use serde_json::{Value, json};

/// Number of steps of each run.
const STEPS: usize = 40;

/// A rigid motion of the plane: mirror left to right if asked, then turn, then move.
#[derive(Clone, Copy)]
struct Placement {
    mirrored: bool,
    angle: f64,
    offset: Vec2,
}

impl Placement {
    /// Image of a direction.
    fn direction(&self, a: Vec2) -> Vec2 {
        let a = if self.mirrored {
            Vec2::new(-a.x, a.y)
        } else {
            a
        };
        let (sin, cos) = self.angle.sin_cos();
        Vec2::new(cos * a.x - sin * a.y, sin * a.x + cos * a.y)
    }

    /// Image of a point (m).
    fn point(&self, a: Vec2) -> Vec2 {
        self.direction(a) + self.offset
    }

    /// Two squares that turn and collide under gravity, placed so.
    fn scene(&self) -> Scene {
        let body = |name: &str, at: Vec2, turned: f64, velocity: Vec2| {
            let at = self.point(at);
            let velocity = self.direction(velocity);
            let turned = if self.mirrored { -turned } else { turned };
            json!({ "name": name, "shape": { "square": { "side": 0.4, "segments": 2 } }, "material": "rubber",
                "position": [at.x, at.y], "rotation_deg": turned + self.angle.to_degrees(),
                "velocity": [velocity.x, velocity.y] })
        };
        let gravity = self.direction(Vec2::new(1.0, -3.0));
        inline(json!({
            "time": { "step": 0.01, "steps": STEPS }, "gravity": [gravity.x, gravity.y],
            "materials": { "rubber": { "density": 1000.0, "law": { "fixed_corotated": { "young": 1e5, "poisson": 0.4 } } } },
            "bodies": [body("a", Vec2::new(-0.25, 0.0), 10.0, Vec2::new(1.0, 0.0)),
                body("b", Vec2::new(0.25, 0.05), 40.0, Vec2::new(-1.0, 0.0))],
            "contact": { "d_hat": 0.01, "kappa": 1e5, "friction": { "default": 0.3 } },
            "solver": { "tolerance": 1e-8 }
        }))
    }
}

const PLAIN: Placement = Placement {
    mirrored: false,
    angle: 0.0,
    offset: Vec2::new(0.0, 0.0),
};

/// The vertex of a 3 x 3 square that a mirror puts in the place of `i`.
fn mirrored(i: usize) -> usize {
    i / 9 * 9 + (6 - i % 9 / 3 * 3) + i % 3
}

/// The largest difference over all steps between a placed simulation and the placed result of the
/// plain one.
fn difference(placement: Placement) -> f64 {
    let mut plain = Run::of(&PLAIN.scene());
    let mut placed = Run::of(&placement.scene());
    let mut worst = 0.0_f64;
    let mut contacts = 0;

    for _ in 0..STEPS {
        contacts += plain.step().record.contacts;
        placed.step();
        let image = |i: usize| {
            placement.point(plain.state().x[if placement.mirrored { mirrored(i) } else { i }])
        };
        worst = worst.max(deviation(&placed.state().x, image));
    }

    assert!(contacts > 10, "the squares do not meet");
    worst
}

/// Bound of the error by the end, from a speed of the tolerance at each step: `h tol STEPS^2 / 2`.
const BOUND: f64 = 0.01 * 1e-8 * 800.0;

#[test]
fn a_simulation_that_is_turned_turns_as_a_whole() {
    for angle in [0.7, -2.0, std::f64::consts::FRAC_PI_2] {
        let difference = difference(Placement { angle, ..PLAIN });
        assert!(difference <= BOUND, "{angle}: {difference:e}");
    }
}

#[test]
fn a_simulation_that_is_moved_moves_as_a_whole() {
    let difference = difference(Placement {
        offset: Vec2::new(3.7, -1.9),
        ..PLAIN
    });
    assert!(difference <= BOUND, "{difference:e}");
}

#[test]
fn a_simulation_that_is_mirrored_is_mirrored_as_a_whole() {
    for angle in [0.0, 0.7] {
        let difference = difference(Placement {
            mirrored: true,
            angle,
            offset: Vec2::zeros(),
        });
        assert!(difference <= BOUND, "{angle}: {difference:e}");
    }
}

fn moved(mut scene: Scene, by: Vec2) -> Scene {
    let shift = |a: &mut [f64; 2]| *a = (Vec2::from(*a) + by).into();
    for body in &mut scene.bodies {
        shift(&mut body.position);
        for prescribed in &mut body.prescribed {
            if let Selection::Box(bounds) = &mut prescribed.vertices {
                shift(&mut bounds.min);
                shift(&mut bounds.max);
            }
        }
    }

    for obstacle in &mut scene.obstacles {
        if let Shape::HalfPlane(plane) = &mut obstacle.shape {
            shift(&mut plane.origin);
        }
    }

    scene
}

#[test]
fn a_scene_a_thousand_kilometres_away_behaves_the_same() {
    for name in [
        "two_squares",
        "book/08_two_squares_friction",
        "book/06_inversion_free",
    ] {
        let scene = scene(name, &["solver.tolerance=1e-6"]);
        let far = Vec2::new(1e6, -1e6);
        let mut here = Run::of(&scene);
        let mut there = Run::of(&moved(scene.clone(), far));
        let mut contacts = 0;
        let mut worst = 0.0_f64;

        // A coordinate of 1e6 is rounded to 1.2e-10 m. A step makes that a velocity of up to
        // 1.2e-10 / h, which moves `n h` as far until step n: 1.2e-10 (1 + 2 + ... + n) in all if
        // every rounding goes the same way.
        let bound = |n: u32| 1.2e-10 * f64::from(n * (n + 1)) / 2.0;
        for n in 1..=45 {
            contacts += here.step().record.contacts;
            there.step();
            let difference = deviation(&there.state().x, |i| here.state().x[i] + far);
            worst = worst.max(difference);
            assert!(
                difference <= bound(n) + 1e-8,
                "{name} step {n}: {difference:e} m of {:e} m",
                bound(n)
            );
        }

        println!("{name}: {worst:.2e} m");
        assert!(contacts > 10, "{name} has no contact");
    }
}

/// A pile of all kinds of bodies on the ground, with lengths times `scale`.
fn pile(scale: f64) -> Value {
    let s = scale;
    let place = |k: f64| [0.03 * k * s, (0.2 + 0.3 * k) * s];
    let shape = json!({ "rectangle": { "size": [0.5 * s, 0.25 * s], "segments": [4, 2] } });
    let body = |name: &str, kind: Value, material: &str, k: f64| {
        json!({ "name": name, "kind": kind, "material": material, "shape": shape, "position": place(k),
            "velocity": [0.5 * s * k, 0.0], "spin_deg": if kind == "deformable" { 10.0 } else { -10.0 } })
    };
    json!({
        "time": { "step": 0.01, "steps": 40 },
        "gravity": [0.0, -9.81 * s],
        "materials": {
            "stone": { "density": 2000 },
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 2e5 * s * s, "poisson": 0.4 } } },
        },
        "bodies": [
            body("a", json!("rigid"), "stone", 0.0),
            body("b", json!("deformable"), "rubber", 1.0),
            body("c", json!({ "affine": {} }), "stone", 2.0),
            body("d", json!("deformable"), "rubber", 3.0),
        ],
        "obstacles": [ground()],
        "contact": { "friction": { "default": 0.3 } },
    })
}

/// Positions after 40 steps.
fn end(scene: &Scene) -> Vec<Vec2> {
    let mut run = Parts::of(scene);
    for _ in 0..40 {
        run.step();
    }
    run.state.x
}

#[test]
fn no_default_has_a_length_a_speed_or_a_force_of_its_own() {
    let plain = end(&inline(pile(1.0)));
    for scale in [1024.0, 1.0 / 1024.0] {
        let scaled = end(&inline(pile(scale)));
        let back: Vec<Vec2> = scaled.iter().map(|x| x / scale).collect();
        assert_eq!(back, plain, "at {scale}");
    }
    for scale in [1000.0, 1e-3] {
        let scaled = end(&inline(pile(scale)));
        for (x, plain) in scaled.iter().zip(&plain) {
            assert!((x / scale - plain).amax() < 1e-9, "at {scale}");
        }
    }
}

#[test]
fn a_far_body_moves_nothing() {
    let far = rigid(
        "far",
        rectangle(30.0, 20.0),
        [500.0, 300.0],
        json!({ "velocity": [3.0, 0.0] }),
    );

    // By its own tolerance a small body is solved as well as alone; by a tight one all are.
    for (solver, allowed) in [(json!({}), 1e-4), (json!({ "tolerance": 1e-10 }), 1e-9)] {
        let mut near = pile(1.0);
        near["solver"] = solver;
        let mut with_far = near.clone();
        with_far["bodies"].as_array_mut().unwrap().push(far.clone());

        let [expected, found] = [near, with_far].map(|scene| end(&inline(scene)));
        for (k, x) in expected.iter().enumerate().take(expected.len() - 1) {
            assert!((x - found[k]).amax() < allowed, "vertex {k}");
        }
    }
}
