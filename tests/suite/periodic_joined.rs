//! Joints, coefficients of restitution and adaptive steps in cells that repeat: the same motion whichever
//! images are drawn, the same bits, a closed ledger, impacts on images, and refused keys.

use crate::cli_resume::same_and_proved;
use crate::program::Place;
use crate::support::{Run, inline, near};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim_store::ledger::Books;
use serde_json::{Value, json};

/// Side of the cell (m).
const SIDE: f64 = 0.1;

/// Integrators of moving scenes.
const MOVING: [&str; 4] = ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"];

/// Where a linkage is drawn.
struct Drawn {
    /// Place of its origin (m).
    origin: [f64; 2],
}

impl Drawn {
    /// A linkage with the origin at a place (m) that is drawn `from` a part of the period on, in the cell.
    fn of(origin: [f64; 2], from: [f64; 2]) -> Self {
        let place = |axis: usize| (origin[axis] + from[axis] * SIDE).rem_euclid(SIDE);
        Self {
            origin: [0, 1].map(place),
        }
    }

    /// A place (m) of the linkage.
    fn at(&self, x: f64, y: f64) -> [f64; 2] {
        [self.origin[0] + x, self.origin[1] + y]
    }

    /// A body of the linkage.
    fn body(&self, name: &str, shape: &Value, [x, y]: [f64; 2], more: Value) -> Value {
        let mut body = more;
        body["name"] = json!(name);
        body["material"] = json!("m");
        body["shape"] = shape.clone();
        body["position"] = json!(self.at(x, y));
        if body["kind"].is_null() {
            body["kind"] = json!("rigid");
        }
        body
    }
}

/// A rectangle.
fn bar(width: f64, height: f64) -> Value {
    json!({ "rectangle": { "size": [width, height], "segments": [1, 1] } })
}

/// A cell of linkages with a motor, a rope, a soft body, a slider with limits and a spring, drawn `from` a part
/// of the period on.
fn linkages(integrator: &str, from: [f64; 2]) -> Value {
    // Each linkage has its own origin.
    let disk = json!({ "circle": { "radius": 0.008 } });
    let soft = json!({ "rectangle": { "size": [0.016, 0.016], "segments": [2, 2] } });
    let one = Drawn::of([0.02, 0.02], from);
    let two = Drawn::of([0.02, 0.05], from);
    let three = Drawn::of([0.02, 0.08], from);
    let four = Drawn::of([0.08, 0.055], from);
    json!({
        "time": { "step": 1e-3, "steps": 30, "integrator": integrator },
        "gravity": [0, 0],
        "periodic": { "x": SIDE, "y": SIDE, "strain": { "xx": "-2 * t", "yy": "-1 * t", "xy": "3 * t^2" } },
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
        "bodies": [
            one.body("crank", &bar(0.03, 0.006), [0.0, 0.0], json!({ "velocity": [-1.0, 0.2] })),
            one.body("arm", &bar(0.03, 0.006), [0.028, 0.0], json!({ "velocity": [-1.0, 0.2], "kind": { "affine": {} } })),
            two.body("bob", &disk, [0.0, 0.0], json!({ "velocity": [-0.5, 0.2] })),
            two.body("weight", &disk, [0.03, 0.0], json!({ "velocity": [0.5, -0.2] })),
            three.body("soft", &soft, [0.0, 0.0], json!({ "velocity": [0.1, 1.0], "kind": "deformable" })),
            three.body("handle", &bar(0.02, 0.004), [0.014, 0.001], json!({ "velocity": [0.1, 1.0] })),
            four.body("base", &bar(0.02, 0.006), [0.0, 0.0], json!({ "velocity": [0.8, 0.0] })),
            four.body("slide", &bar(0.01, 0.006), [0.0, 0.0], json!({ "velocity": [1.8, 0.0] }))
        ],
        "joints": [
            { "hinge": { "bodies": ["crank", "arm"], "at": one.at(0.014, 0.0), "motor": { "speed_deg": 300.0, "torque": 1e-2 } } },
            { "rope": { "bodies": ["bob", "weight"], "ends": [two.at(0.0, 0.0), two.at(0.03, 0.0)], "length": 0.031 } },
            { "hinge": { "bodies": ["soft", "handle"], "at": three.at(0.006, 0.001) } },
            { "slider": { "bodies": ["base", "slide"], "at": four.at(0.0, 0.0), "axis": [1.0, 0.2], "limits": [-0.006, 0.006],
                "limit_restitution": 0.5, "spring": { "stiffness": 10.0, "damping": 0.01 } } }
        ],
        "contact": { "friction": { "default": 0.0 }, "d_hat": 5e-4, "kappa": 1e6 },
        "solver": { "tolerance": 1e-11 },
        "output": { "ledger": true }
    })
}

/// Four squares and disks, drawn `from` a part of the period on, which hit images of each other with a
/// coefficient of restitution.
fn bouncing(integrator: &str, from: [f64; 2]) -> Value {
    let square = json!({ "regular_polygon": { "radius": 0.014, "sides": 4, "segments": 1 } });
    let disk = json!({ "circle": { "radius": 0.012 } });

    // Each body by itself.
    let body = |name: &str, shape: &Value, at: [f64; 2], more: Value| {
        Drawn::of(at, from).body(name, shape, [0.0, 0.0], more)
    };
    json!({
        "time": { "step": 1e-3, "steps": 40, "integrator": integrator },
        "gravity": [0, 0],
        "periodic": { "x": SIDE, "y": SIDE, "strain": { "xx": "-3 * t", "xy": "2 * t - 3 * t^2" } },
        "materials": { "m": { "density": 1000.0 } },
        "bodies": [
            body("a", &disk, [0.02, 0.02], json!({ "velocity": [-1.0, 0.1] })),
            body("b", &disk, [0.07, 0.025], json!({ "velocity": [0.7, 0.0] })),
            body("c", &square, [0.03, 0.07], json!({ "velocity": [0.0, 1.5], "spin_deg": 400.0 })),
            body("d", &square, [0.075, 0.075], json!({ "velocity": [0.2, -0.5], "spin_deg": -300.0, "kind": { "affine": {} } }))
        ],
        "contact": { "friction": { "default": 0.0 }, "restitution": { "default": 0.7, "rest_speed": 1e-3 }, "d_hat": 5e-4, "kappa": 1e6 },
        "solver": { "tolerance": 1e-11 },
        "output": { "ledger": true }
    })
}

/// The scene with adaptive steps.
fn adaptive(mut scene: Value) -> Value {
    scene["time"]["adaptive"] = json!({ "tolerance": 1e-5, "smallest": 1e-4 });
    scene["time"]["step"] = json!(2e-3);
    scene["time"]["steps"] = json!(12);
    scene
}

/// Places of the centres of all bodies in periods, and angles of rigid ones.
fn places(run: &Run) -> (Vec<Vec2>, Vec<f64>) {
    let world = run.world();
    let lattice = world.model.coordinates.lattice().unwrap();
    let inverse = lattice.inverse(&run.state().q).unwrap();
    let bodies = world.bodies.iter().filter(|body| body.kind.has_images());
    let count = bodies.clone().count();
    let places = (0..count).map(|body| inverse * run.centre(body)).collect();
    let angles = bodies.filter_map(|body| body.angle(&run.state().q));
    (places, angles.collect())
}

/// Largest differences of places (m) and of angles (rad) between two runs, whose scenes are drawn from different
/// places, after each of their steps; and whether anything has pressed on anything across the cell.
fn apart(one: &Value, other: &Value) -> (Vec<[f64; 2]>, bool) {
    let [mut one, mut other] = [one, other].map(|scene| Run::of(&inline(scene.clone())));

    // Places at the start differ by the same vector for all bodies.
    let (start, _) = places(&one);
    let (from, _) = places(&other);
    let mut touched = false;
    let mut found = Vec::new();
    for _ in 0..12 {
        let record = one.step().record;
        other.step();
        touched |= record.cell.unwrap().stress.unwrap() != [0.0; 3];
        let (here, angles) = places(&one);
        let (there, others) = places(&other);
        let mut most = [0.0_f64; 2];
        for k in 0..here.len() {
            let moved = (here[k] - start[k]) - (there[k] - from[k]);
            most[0] = most[0].max(moved.norm() * SIDE);
        }
        for (a, b) in angles.iter().zip(&others) {
            most[1] = most[1].max((a - b).abs());
        }
        found.push(most);
    }
    (found, touched)
}

/// Steps of a scene, made larger so that a test has few of them.
fn coarse(mut scene: Value) -> Value {
    scene["time"]["step"] = json!(2e-3);
    scene
}

#[test]
fn linkages_move_alike_wherever_they_are_drawn() {
    for integrator in MOVING {
        let of = |from| coarse(linkages(integrator, from));
        let (found, touched) = apart(&of([0.0, 0.0]), &of([0.37, 0.61]));
        println!("{integrator}: {found:?}");
        assert!(touched, "{integrator}");
        let last = found.last().unwrap();
        assert!(last[0] < 1e-10 && last[1] < 1e-8, "{integrator}: {last:?}");
    }
}

#[test]
fn impacts_change_velocities_alike_whichever_images_meet() {
    for integrator in MOVING {
        let of = |from| coarse(bouncing(integrator, from));
        let (found, touched) = apart(&of([0.0, 0.0]), &of([0.37, 0.61]));
        println!("{integrator}: {found:?}");
        assert!(touched, "{integrator}");
        let last = found.last().unwrap();
        assert!(last[0] < 1e-10 && last[1] < 1e-8, "{integrator}: {last:?}");
    }
}

#[test]
fn adaptive_steps_of_a_cell_are_alike_wherever_it_is_drawn() {
    // By the trapezoidal rule forces of joints swing from step to step, and rounding grows with them.
    let of_joints = MOVING.iter().filter(|own| **own != "trapezoid");
    let scenes = of_joints.map(|own| (own, linkages(own, [0.0, 0.0]), linkages(own, [0.37, 0.61])));
    let of_impacts = MOVING.iter();
    let of_impacts =
        of_impacts.map(|own| (own, bouncing(own, [0.0, 0.0]), bouncing(own, [0.37, 0.61])));
    for (integrator, one, other) in scenes.chain(of_impacts) {
        let (found, _) = apart(&adaptive(one), &adaptive(other));
        println!("{integrator}: {found:?}");
        let last = found.last().unwrap();
        assert!(last[0] < 1e-9 && last[1] < 1e-7, "{integrator}: {last:?}");
    }

    // A free period has an error, too.
    let mut scene = adaptive(linkages("bdf2", [0.0, 0.0]));
    scene["joints"].as_array_mut().unwrap().remove(3);
    scene["joints"].as_array_mut().unwrap().remove(1);
    scene["bodies"][7]["position"] = json!([0.08, 0.02]);
    scene["periodic"] =
        json!({ "x": SIDE, "y": SIDE, "stress": { "xx": "-1e4 * t", "yy": -10.0 } });
    let mut run = Run::of(&inline(scene));
    let counts: Vec<usize> = (0..10)
        .map(|_| run.step().substeps.unwrap().accepted)
        .collect();
    assert!(counts.iter().any(|count| *count > 1), "{counts:?}");
}

#[test]
fn bodies_leave_an_image_with_the_share_of_their_speed_that_the_coefficient_says() {
    for (rate, coefficient) in [(0.0, 1.0), (0.0, 0.4), (-2.0, 0.6), (3.0, 0.8)] {
        let disk = json!({ "circle": { "radius": 0.01 } });
        let body = |name: &str, x: f64, speed: f64| {
            let more = json!({ "velocity": [speed, 0.0] });
            Drawn { origin: [x, 0.05] }.body(name, &disk, [0.0, 0.0], more)
        };
        let scene = json!({
            "time": { "step": 1e-3, "steps": 60, "integrator": "implicit_euler" },
            "gravity": [0, 0],
            "periodic": { "x": SIDE, "strain": { "xx": format!("{rate:?} * t") } },
            "materials": { "m": { "density": 1000.0 } },
            "bodies": [body("left", 0.02, -1.5), body("right", 0.07, 0.5)],
            "contact": { "restitution": { "default": coefficient, "rest_speed": 1e-6 } },
            "solver": { "tolerance": 1e-11 },
            "output": { "ledger": true }
        });
        let mut run = Run::of(&inline(scene));

        // The left one meets the image of the right one, which moves with the period.
        let apart = |run: &Run| {
            let image = run.center_velocity(1).x - rate * SIDE;
            run.center_velocity(0).x - image
        };
        run.step();
        let before = apart(&run);
        let sum = run.center_velocity(0).x + run.center_velocity(1).x;
        assert!(before < -1.0);
        let hit = (0..59).find(|_| {
            run.step();
            apart(&run) > 0.0
        });
        assert!(hit.is_some(), "{rate}");
        near(apart(&run), -coefficient * before, 1e-8);
        near(
            run.center_velocity(0).x + run.center_velocity(1).x,
            sum,
            1e-8,
        );
    }
}

#[test]
fn a_square_that_turns_rebounds_from_its_own_images() {
    let square = Drawn {
        origin: [0.05, 0.05],
    };
    let scene = json!({
        "time": { "step": 1e-3, "steps": 250, "integrator": "implicit_euler" },
        "gravity": [0, 0],
        "periodic": { "x": SIDE, "y": SIDE },
        "materials": { "m": { "density": 1000.0 } },
        "bodies": [square.body("square", &bar(0.08, 0.08), [0.0, 0.0], json!({ "spin_deg": 600.0 }))],
        "contact": { "friction": { "default": 0.0 }, "restitution": { "default": 1.0, "rest_speed": 1e-6 } },
        "solver": { "tolerance": 1e-11 }
    });

    // Each impact turns it around.
    let mut run = Run::of(&inline(scene));
    let speed = 600_f64.to_radians();
    let mut turns = 0;
    let mut before = speed;
    for _ in 0..250 {
        run.step();
        let spin = run.spin(0);
        near(spin.abs(), speed, 1e-6 * speed);
        turns += usize::from(spin * before < 0.0);
        before = spin;
        run.assert_apart();
    }
    assert!(turns > 1, "{turns}");
}

#[test]
fn joined_bodies_pass_through_each_other_and_meet_each_other_s_images() {
    let drawn = Drawn {
        origin: [0.03, 0.05],
    };
    let scene = json!({
        "time": { "step": 2e-3, "steps": 40 },
        "gravity": [0, 0],
        "periodic": { "x": SIDE, "strain": { "xx": "-2 * t" } },
        "materials": { "m": { "density": 1000.0 } },
        "bodies": [
            drawn.body("first", &bar(0.05, 0.01), [0.0, 0.0], json!({})),
            drawn.body("second", &bar(0.05, 0.01), [0.04, 0.0], json!({}))
        ],
        "joints": [{ "weld": { "bodies": ["first", "second"], "at": drawn.at(0.02, 0.0) } }]
    });
    let mut run = Run::of(&inline(scene));
    let pressing = |run: &Run| run.world().contacts_at(&run.state().x, &[]).len();
    assert_eq!(pressing(&run), 0);

    // Both are as long as the cell at a strain of 10 %, where nothing can leave room any more.
    let mut pressed = 0;
    let failed = (0..40).find(|_| {
        run.assert_apart();
        let failed = run.try_step().is_err();
        pressed += usize::from(!failed && pressing(&run) > 0);
        failed
    });
    assert!(
        pressed > 0 && failed.is_some_and(|step| (20..26).contains(&step)),
        "{failed:?}"
    );
}

#[test]
fn the_ledger_of_joints_and_impacts_in_cells_closes() {
    for integrator in MOVING {
        for scene in [
            linkages(integrator, [0.3, 0.0]),
            bouncing(integrator, [0.3, 0.0]),
            adaptive(linkages(integrator, [0.0, 0.3])),
        ] {
            // Work of all causes is the change of the energy.
            let simulation = Simulation::new(inline(scene));
            let mut simulation = simulation.unwrap();
            let mut books = Books::default();
            let first = simulation.begin().unwrap().record;
            let mut largest = first.kinetic;
            books.enter(&first);
            for _ in 0..12 {
                let record = simulation.step().unwrap().record;
                books.enter(&record);
                let works = books.work.values();
                largest = works
                    .iter()
                    .fold(largest, |most, work| most.max(work.abs()));
                let left = books.unexplained_work().abs();
                assert!(
                    left < 1e-10 * largest,
                    "{integrator}: {left:e} of {largest}"
                );
            }
        }
    }
}

#[test]
fn joints_and_impacts_in_cells_keep_their_bits_and_are_proved() {
    let mut scenes: Vec<Value> = MOVING
        .iter()
        .map(|integrator| linkages(integrator, [0.37, 0.2]))
        .collect();
    scenes.extend(
        MOVING
            .iter()
            .map(|integrator| bouncing(integrator, [0.0, 0.3])),
    );
    scenes.push(adaptive(linkages("bdf2", [0.0, 0.0])));
    scenes.push(adaptive(bouncing("tr_bdf2", [0.37, 0.2])));
    for mut scene in scenes {
        scene["contact"]["friction"]["default"] = json!(0.3);
        let place = Place::new();
        let scene = place.scene(&scene);
        same_and_proved(&place, &scene, 3);
    }
}

#[test]
fn joints_and_impacts_that_a_cell_does_not_have_are_refused_with_the_reason() {
    let hinge =
        |bodies: [&str; 2], at: [f64; 2]| json!([{ "hinge": { "bodies": bodies, "at": at } }]);
    let free = json!({ "x": SIDE, "y": SIDE, "stress": { "xx": 0.0 } });
    let cases = [
        (
            "joints",
            hinge(["crank", "world"], [0.02, 0.02]),
            "which has no images",
        ),
        (
            "joints",
            hinge(["crank", "arm"], [0.134, 0.02]),
            "has its place on an image",
        ),
        ("periodic", free, "velocity of a free period"),
    ];
    for (key, value, reason) in cases {
        let mut scene = linkages("implicit_euler", [0.0, 0.0]);
        scene[key] = value;
        let refused = Simulation::new(inline(scene)).unwrap_err().to_string();
        assert!(refused.contains(reason), "{key}: {refused}");
    }

    let mut scene = bouncing("bdf2", [0.0, 0.0]);
    scene["periodic"] = json!({ "x": SIDE, "y": SIDE, "stress": { "yy": -1.0 } });
    let refused = Simulation::new(inline(scene)).unwrap_err().to_string();
    assert!(refused.contains("contact.restitution"), "{refused}");
    let mut scene = bouncing("bdf2", [0.0, 0.0]);
    scene["solver"]["sleep"] = json!({});
    let refused = Simulation::new(inline(scene)).unwrap_err().to_string();
    assert!(refused.contains("which the mean stress needs"), "{refused}");

    // A soft body whose side is the image of its other side.
    let sheet = json!({ "rectangle": { "size": [SIDE, 0.02], "segments": [5, 1] } });
    let drawn = Drawn {
        origin: [0.05, 0.05],
    };
    let scene = json!({
        "time": { "step": 1e-3, "steps": 4 },
        "gravity": [0, 0],
        "periodic": { "x": SIDE },
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
        "bodies": [
            drawn.body("sheet", &sheet, [0.0, 0.0], json!({ "kind": "deformable" })),
            drawn.body("tab", &bar(0.01, 0.004), [0.049, 0.0], json!({}))
        ],
        "joints": [{ "hinge": { "bodies": ["sheet", "tab"], "at": drawn.at(0.049, 0.0) } }]
    });
    let refused = Simulation::new(inline(scene)).unwrap_err().to_string();
    assert!(refused.contains("holds the image of a vertex"), "{refused}");
}
