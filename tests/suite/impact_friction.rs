//! Friction of impacts: Coulomb's law for the whole impulse, at any step.

use crate::restitution::SCHEMES;
use crate::support::{Run, ground, rectangle, rigid, stones};
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// A body above the ground that flies without weight, with a friction and a restitution.
fn thrown(body: &Value, integrator: &str, h: f64, [friction, e]: [f64; 2]) -> Scene {
    let rest = json!({
        "time": { "step": h, "steps": 10, "integrator": integrator },
        "obstacles": [ground()],
        "gravity": [0.0, 0.0],
        "contact": { "friction": { "default": friction }, "restitution": { "default": e } },
    });
    stones(std::slice::from_ref(body), rest)
}

/// Velocity and spin (m/s, rad/s) of the first body after its impact.
fn after(scene: &Scene) -> ([f64; 2], f64) {
    let mut run = Run::of(scene);
    run.steps(12);
    let velocity = run.center_velocity(0);
    ([velocity.x, velocity.y], run.state().q_dot[1].x)
}

#[test]
fn a_disk_that_hits_obliquely_slides_or_rolls_as_coulomb_says() {
    for integrator in SCHEMES {
        for h in [1e-2, 1e-3, 1e-5] {
            for e in [0.0, 0.5, 1.0] {
                for (across, spin) in [(2.0, 0.0), (0.2, 0.0), (0.0, 30.0), (1.0, -3.0)] {
                    let more = json!({
                        "velocity": [across, -1.0], "spin_deg": f64::to_degrees(spin),
                    });
                    let shape = json!({ "circle": { "radius": 0.1 } });
                    let body = rigid("disk", shape, [0.0, 0.1 + 2.5 * h], more);
                    let scene = thrown(&body, integrator, h, [0.3, e]);
                    let (velocity, turning) = after(&scene);

                    // The slip ends by a third of it, or the impulse is that of sliding.
                    let slip: f64 = across + 0.1 * spin;
                    let most = 0.3 * (1.0 + e);
                    let change = (-slip / 3.0).clamp(-most, most);
                    let what = format!("{integrator} h {h} e {e} across {across} spin {spin}");
                    assert!(
                        (velocity[0] - across - change).abs() < 1e-3,
                        "{what}: {velocity:?}"
                    );
                    assert!((velocity[1] - e).abs() < 1e-3, "{what}: {velocity:?}");
                    assert!(
                        (turning - spin - 20.0 * change).abs() < 2e-2,
                        "{what}: {turning}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_falling_ball_rolls_after_its_first_bounce_at_any_step() {
    for integrator in ["implicit_euler", "bdf2"] {
        for h in [1e-2, 1e-3, 2e-4] {
            let shape = json!({ "circle": { "radius": 0.1 } });
            let ball = rigid("ball", shape, [0.0, 0.4], json!({ "velocity": [1.0, 0.0] }));
            let mut scene = thrown(&ball, integrator, h, [0.3, 0.6]);
            scene.gravity = [0.0, -9.81];
            let mut run = Run::of(&scene);
            while run.state().time < 0.45 {
                run.step();
            }
            let turning = run.state().q_dot[1].x;
            let across = run.center_velocity(0).x;
            assert!(
                (across - 2.0 / 3.0).abs() < 1e-3,
                "{integrator} {h}: {across}"
            );
            assert!(
                (turning + 20.0 / 3.0).abs() < 1e-2,
                "{integrator} {h}: {turning}"
            );
        }
    }
}

#[test]
fn a_box_that_lands_on_its_corner_turns_as_the_impulses_in_the_cone_say() {
    // A square of 0.2 m on its corner: both arms are 0.1 sqrt 2 long where it stands upright.
    let mass = 1000.0 * 0.04;
    let inertia = mass * 0.04 / 6.0;
    for integrator in SCHEMES {
        for (turn, across, friction, e) in [
            (20.0, 0.0, 0.0, 0.5),
            (20.0, 1.0, 0.2, 0.5),
            (30.0, -0.5, 0.5, 0.0),
            (10.0, 2.0, 0.3, 1.0),
        ] {
            let angle = f64::to_radians(turn - 45.0);
            let reach = 0.1 * 2.0_f64.sqrt();
            let arm = [reach * angle.sin(), -reach * angle.cos()];
            let height = -arm[1] + 5e-4;
            let more = json!({ "velocity": [across, -1.0], "rotation_deg": turn });
            let body = rigid("box", rectangle(0.2, 0.2), [0.0, height], more);
            let (velocity, spin) = after(&thrown(&body, integrator, 1e-4, [friction, e]));

            // Impulses along the normal and the tangent at the corner.
            let normal = 1.0 / mass + arm[0] * arm[0] / inertia;
            let along = 1.0 / mass + arm[1] * arm[1] / inertia;
            let coupling = -arm[0] * arm[1] / inertia;
            let apart = 1.0 + e;
            let determinant = normal * along - coupling * coupling;
            let mut pushed = (along * apart + coupling * across) / determinant;
            let mut rubbed = (-coupling * apart - normal * across) / determinant;
            if rubbed.abs() > friction * pushed {
                let way = -rubbed.signum();
                pushed = apart / (normal - way * friction * coupling);
                rubbed = -way * friction * pushed;
            }
            let what = format!("{integrator} {turn} {across} {friction} {e}: {velocity:?} {spin}");
            assert!(
                (velocity[0] - across - rubbed / mass).abs() < 1e-3,
                "{what}"
            );
            assert!((velocity[1] + 1.0 - pushed / mass).abs() < 1e-3, "{what}");
            let turned = (arm[0] * pushed - arm[1] * rubbed) / inertia;
            assert!(
                (spin - turned).abs() < 1e-3 * turned.abs().max(1.0),
                "{what}: {turned}"
            );
        }
    }
}
