//! The ledger of joints: it closes with every kind of drive, and tells stored from lost.
//!
//! Closed forms are the case `joint_ledger` of `validate`.

use crate::cli_resume::{AT_ONCE, assert_same, resumed};
use crate::program::{Place, ipcsim};
use crate::support::{Parts, inline};
use ipcsim::time::{Record, Work, begin};
use ipcsim_store::ledger::Books;
use serde_json::{Value, json};

/// Integrators with velocities.
const SCHEMES: [&str; 4] = ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"];

/// A rigid body of one group of bodies that pass through each other.
fn part(name: &str, shape: &Value, at: [f64; 2], motion: &Value) -> Value {
    let mut body = json!({
        "name": name, "kind": "rigid", "material": "stone", "group": "parts", "shape": shape, "position": at
    });
    for (key, value) in motion.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

/// Bodies on joints with every kind of drive, by an integrator.
fn drives(scheme: &str) -> Value {
    let wheel = json!({ "circle": { "radius": 0.2 } });
    let block = json!({ "rectangle": { "size": [0.2, 0.1], "segments": [1, 1] } });
    let still = json!({});
    let hinge = |name: &str, at: [f64; 2], more: Value| {
        let mut hinge = json!({ "bodies": ["base", name], "at": at });
        for (key, value) in more.as_object().unwrap() {
            hinge[key] = value.clone();
        }
        json!({ "hinge": hinge })
    };

    json!({
        "time": { "step": 0.005, "steps": 40, "integrator": scheme },
        "materials": { "stone": { "density": 1000 } },
        "contact": { "friction": { "default": 0 } },
        "output": { "ledger": true },
        "obstacles": [{ "name": "base", "group": "parts", "shape": { "circle": { "radius": 0.005 } } }],
        "bodies": [
            part("sprung", &wheel, [0.0, 0.0], &json!({ "spin_deg": 300 })),
            part("driven", &wheel, [1.0, 0.0], &still),
            part("braked", &wheel, [2.0, 0.0], &json!({ "spin_deg": 500 })),
            part("limited", &wheel, [3.0, 0.0], &json!({ "spin_deg": 200 })),
            part("slide", &block, [0.0, -1.0], &json!({ "velocity": [0.5, 0.0] })),
            part("pushed", &block, [1.0, -1.0], &still),
            part("arm", &block, [2.0, -1.0], &json!({ "spin_deg": 100 })),
            part("one", &block, [3.0, -1.0], &json!({ "velocity": [0.3, 0.5] })),
            part("other", &block, [4.0, -1.0], &still),
            part("lifted", &block, [4.5, -2.0], &still),
            part("roped", &block, [6.0, -2.0], &still),
            part("door", &block, [7.0, -1.0], &json!({ "spin_deg": 200 })),
            part("geared", &wheel, [8.0, 0.0], &json!({ "spin_deg": 100 })),
            part("rolled", &wheel, [9.0, 0.0], &still),
        ],
        "joints": [
            hinge("sprung", [0.0, 0.0], json!({ "spring": { "stiffness": 300, "damping": 5 } })),
            hinge("driven", [1.0, 0.0], json!({ "motor": { "speed_deg": "400*cos(3*t)", "torque": 20 } })),
            hinge("braked", [2.0, 0.0], json!({ "brake": 30 })),
            hinge("limited", [3.0, 0.0], json!({ "limits_deg": [-20, 20] })),
            { "slider": { "bodies": ["base", "slide"], "at": [0, -1], "axis": [1, 1], "spring": { "stiffness": 500, "damping": 20 } } },
            { "slider": { "bodies": ["base", "pushed"], "at": [1, -1], "axis": [1, 0.3], "motor": { "place": "0.2*sin(5*t)", "force": 300 }, "brake": 5 } },
            hinge("arm", [1.9, -1.0], json!({ "motor": { "angle_deg": "90*t", "torque": 1000 }, "spring": { "stiffness": 20 } })),
            { "spring": { "bodies": ["one", "other"], "ends": [[3, -1], [4, -1]], "stiffness": 400, "damping": 10 } },
            { "cylinder": { "bodies": ["base", "lifted"], "ends": [[0, 0], [4.5, -2]], "motor": { "speed": 0.5, "force": 4000 }, "spring": { "stiffness": 100, "damping": 10 } } },
            { "rope": { "bodies": ["base", "roped"], "ends": [[0, 0], [6, -2]], "length": 6.33 } },
            hinge("door", [6.9, -1.0], json!({ "spring": { "stiffness": 30, "damping": 1 }, "brake": 2 })),
            hinge("geared", [8.0, 0.0], json!({})),
            hinge("rolled", [9.0, 0.0], json!({ "spring": { "stiffness": 0, "damping": 2 } })),
            { "gear": { "bodies": ["geared", "rolled"], "ratio": -2 } }
        ]
    })
}

/// Sums of the ledger of a scene over its steps, with the last record; asserts after each step that all is
/// explained.
fn booked(scene: &Value) -> (Books, Record) {
    let scene = inline(scene.clone());
    let steps = scene.time.steps;
    let mut run = Parts::of(&scene);
    let mut books = Books::default();
    let mut last = begin(&run.world, &mut run.solver, &run.state)
        .unwrap()
        .report
        .record;
    books.enter(&last);
    let mut energy = 0.0_f64;
    let mut momentum = 0.0_f64;
    for step in 1..=steps {
        last = run.step().record;
        books.enter(&last);
        energy = energy.max(last.kinetic);
        for work in books.work.values() {
            energy = energy.max(work.abs());
        }
        for one in books.impulses.values() {
            momentum = momentum.max(one.linear.norm()).max(one.angular.abs());
        }
        let gap = books.unexplained_work().abs();
        assert!(gap < 1e-12 * energy, "step {step}: {gap:e} of {energy}");
        let gap = books.unexplained_impulse();
        let gap = gap.linear.norm().max(gap.angular.abs());
        assert!(gap < 1e-10 * momentum, "step {step}: {gap:e} of {momentum}");
    }
    (books, last)
}

#[test]
fn the_ledger_closes_with_every_drive_by_each_integrator() {
    for scheme in SCHEMES {
        let (books, _) = booked(&drives(scheme));
        let work = books.work;
        assert!(
            work.dampers < -1.0 && work.brakes < -1.0,
            "{scheme}: {work:?}"
        );
        assert!(work.motors > 1.0 && work.limits < 0.0, "{scheme}: {work:?}");
        assert!(
            work.breaks == 0.0 && work.changes == 0.0,
            "{scheme}: {work:?}"
        );
        // What is left to the integrator is small.
        assert!(work.joints.abs() < 0.2 * work.motors, "{scheme}: {work:?}");
    }

    // Newmark's method with damping, and substeps of many lengths.
    let mut damped = drives("trapezoid");
    damped["time"]["gamma"] = json!(0.7);
    booked(&damped);
    for scheme in SCHEMES {
        let mut divided = drives(scheme);
        divided["time"]["adaptive"] = json!({ "tolerance": 3e-4, "smallest": 5e-4 });
        divided["time"]["steps"] = json!(10);
        booked(&divided);
    }
}

#[test]
fn a_spring_of_a_joint_that_breaks_loses_its_energy_in_a_column_of_its_own() {
    for scheme in SCHEMES {
        // Two springs that pull a block to the left and break one after the other.
        let mut scene = drives(scheme);
        scene["gravity"] = json!([0, 0]);
        scene["bodies"] = json!([part(
            "block",
            &json!({ "rectangle": { "size": [0.2, 0.1], "segments": [1, 1] } }),
            [1.0, 0.0],
            &json!({ "velocity": [3.0, 0.0] })
        )]);
        let spring = |force: f64| {
            json!({ "spring": {
                "bodies": ["base", "block"], "ends": [[0, 0], [1, 0]], "stiffness": 400, "break_force": force
            } })
        };
        scene["joints"] = json!([spring(60.0), spring(80.0)]);
        scene["time"]["steps"] = json!(30);
        let (books, last) = booked(&scene);

        // Each is lost where its force has just exceeded the limit, F^2 / 2 k.
        let least = (60.0 * 60.0 + 80.0 * 80.0) / 800.0;
        let lost = -books.work.breaks;
        assert!(
            lost > least && lost < 1.2 * least,
            "{scheme}: {lost} {least}"
        );
        let stored = last.ledger.unwrap().mechanical - last.kinetic;
        assert!(stored.abs() < 1e-12, "{scheme}: {stored}");
    }
}

#[test]
fn springs_that_break_together_lose_both_energies_although_the_step_is_solved_again() {
    let mut scene = drives("bdf2");
    scene["gravity"] = json!([0, 0]);
    let block = json!({ "rectangle": { "size": [0.2, 0.1], "segments": [1, 1] } });
    let moving = json!({ "velocity": [3.0, 0.0] });
    scene["bodies"] = json!([part("block", &block, [1.0, 0.0], &moving)]);
    let spring = json!({ "spring": {
        "bodies": ["base", "block"], "ends": [[0, 0], [1, 0]], "stiffness": 400, "break_force": 60
    } });
    scene["joints"] = json!([spring, spring]);
    let (books, last) = booked(&scene);
    let least = 2.0 * 60.0 * 60.0 / 800.0;
    let lost = -books.work.breaks;
    assert!(lost > 0.8 * least && lost < 1.3 * least, "{lost} {least}");
    assert!((last.ledger.unwrap().mechanical - last.kinetic).abs() < 1e-12);
}

#[test]
fn a_change_of_gravity_between_two_steps_is_a_source() {
    for scheme in SCHEMES {
        let mut scene = drives(scheme);
        scene["changes"] = json!([
            { "after": 10, "set": { "gravity": [1, -3] } },
            { "after": 25, "set": { "gravity": [0, 0] } }
        ]);
        let (books, _) = booked(&scene);
        assert!(books.work.changes.abs() > 1.0, "{scheme}: {:?}", books.work);
    }
}

#[test]
fn a_sleeping_door_keeps_the_energy_of_its_spring() {
    // A damped door comes to rest against its weight and sleeps.
    let mut scene = drives("implicit_euler");
    let block = json!({ "rectangle": { "size": [0.2, 0.1], "segments": [1, 1] } });
    scene["bodies"] = json!([part("door", &block, [0.1, 0.0], &json!({}))]);
    scene["joints"] = json!([{ "hinge": {
        "bodies": ["base", "door"], "at": [0, 0], "spring": { "stiffness": 50, "damping": 10 }
    } }]);
    scene["solver"] = json!({ "sleep": {} });
    scene["time"] = json!({ "step": 0.01, "steps": 400 });
    let (books, last) = booked(&scene);
    assert_eq!(last.asleep, Some(1));
    let ledger = last.ledger.unwrap();
    assert_eq!(ledger.work, Work::default());
    assert!(books.work.dampers < -0.1, "{:?}", books.work);
}

#[test]
fn the_heat_of_a_damper_between_points_that_turn_at_one_distance_is_none() {
    // Two blocks turn about each other at the rest length of a rod with a damper beside it.
    for scheme in SCHEMES {
        let mut scene = drives(scheme);
        scene["gravity"] = json!([0, 0]);
        let ball = json!({ "circle": { "radius": 0.05 } });
        scene["bodies"] = json!([
            part(
                "one",
                &ball,
                [-0.5, 0.0],
                &json!({ "velocity": [0.0, -2.0] })
            ),
            part(
                "other",
                &ball,
                [0.5, 0.0],
                &json!({ "velocity": [0.0, 2.0] })
            )
        ]);
        let ends = json!([[-0.5, 0.0], [0.5, 0.0]]);
        scene["joints"] = json!([
            { "rod": { "bodies": ["one", "other"], "ends": ends } },
            { "spring": { "bodies": ["one", "other"], "ends": ends, "stiffness": 0, "damping": 100 } }
        ]);
        let (books, last) = booked(&scene);
        let heat = books.work.dampers.abs() / last.kinetic;
        assert!(heat < 1e-12, "{scheme}: {heat:e}");
    }
}

/// Angle (rad) of a door of 0.5 m on a hinge with a spring and a damper at its end, which swings through
/// more than a radian, after two periods in this number of steps; and its share of the energy at the
/// start (1).
fn swung(scheme: &str, damping: f64, steps: usize) -> [f64; 2] {
    let mut scene = drives(scheme);
    scene["gravity"] = json!([0, 0]);
    let door = json!({ "rectangle": { "size": [0.5, 0.04], "segments": [1, 1] } });
    let motion = json!({ "velocity": [0.0, 0.25 * 5.0], "spin_deg": 5.0_f64.to_degrees() });
    scene["bodies"] = json!([part("door", &door, [0.25, 0.0], &motion)]);
    scene["joints"] = json!([{ "hinge": {
        "bodies": ["base", "door"], "at": [0, 0], "spring": { "stiffness": 30, "damping": damping }
    } }]);
    scene["time"] = json!({ "step": 3.0 / steps as f64, "steps": steps, "integrator": scheme });
    scene["solver"] = json!({ "tolerance": 1e-10 });
    let scene = inline(scene);
    let mut run = Parts::of(&scene);
    let first = begin(&run.world, &mut run.solver, &run.state).unwrap();
    let mut last = first.report.record.total;
    for _ in 0..steps {
        last = run.step().record.total;
    }
    let angle = run.state.q[run.world.bodies[0].nodes.start + 1].x;
    [angle, last / first.report.record.total]
}

#[test]
fn doors_with_springs_and_dampers_swing_with_second_order() {
    for scheme in ["bdf2", "trapezoid", "tr_bdf2"] {
        for damping in [0.0, 0.3] {
            let [a, b, c] = [200, 400, 800].map(|steps| swung(scheme, damping, steps)[0]);
            let order = ((a - b) / (b - c)).abs().log2();
            assert!(order > 1.85, "{scheme} {damping}: {order}");
        }
    }

    // Without a damper the trapezoid keeps the energy.
    let lost = [200, 400].map(|steps| 1.0 - swung("trapezoid", 0.0, steps)[1]);
    assert!(
        lost[1].abs() < 2e-3 && lost[1].abs() < 0.3 * lost[0].abs(),
        "{lost:?}"
    );
}

#[test]
fn a_brake_holds_a_block_on_a_slider_that_turns() {
    // An arm turns at two turns a second, and a strong brake holds a block on it, by each integrator.
    for scheme in SCHEMES {
        let mut scene = drives(scheme);
        scene["gravity"] = json!([0, 0]);
        let block = json!({ "rectangle": { "size": [0.05, 0.05], "segments": [1, 1] } });
        scene["obstacles"] = json!([{
            "name": "base", "group": "parts", "shape": { "circle": { "radius": 0.005 } }, "spin_deg": 720
        }]);
        let around =
            json!({ "velocity": [0.0, 0.5 * 4.0 * std::f64::consts::PI], "spin_deg": 720 });
        scene["bodies"] = json!([part("block", &block, [0.5, 0.0], &around)]);
        scene["joints"] = json!([{ "slider": {
            "bodies": ["base", "block"], "at": [0.5, 0], "axis": [1, 0], "brake": 1e4
        } }]);
        scene["time"]["steps"] = json!(200);
        let scene = inline(scene);
        let mut run = Parts::of(&scene);
        for _ in 0..200 {
            run.step();
        }
        let radius = run.state.q[run.world.bodies[0].nodes.start].norm();
        assert!((radius - 0.5).abs() < 1e-4, "{scheme}: {radius}");
    }
}

#[test]
fn the_columns_of_joints_are_the_same_after_resuming_and_verify_reads_them() {
    let place = Place::new();
    for scheme in ["bdf2", "trapezoid"] {
        let mut scene = drives(scheme);
        scene["time"]["steps"] = json!(6);
        let path = place.scene(&scene);
        let name = |part: &str| format!("{scheme}-{part}");
        place.ran(&path, &name("whole"), &["--threads", "1"]);
        place.ran(&path, &name("parts"), &AT_ONCE);
        for _ in 1..6 {
            resumed(&place, &name("parts"), &AT_ONCE);
        }
        assert_same(&place, &name("parts"), &name("whole"), "resumed");
        let head = place.read(&format!("{scheme}-whole/energies.csv"));
        for column in [
            "joint",
            "work_dampers",
            "work_brakes",
            "work_motors",
            "work_breaks",
        ] {
            let mut columns = head.lines().next().unwrap().split(',');
            assert!(columns.any(|own| own == column), "{column}");
        }
        let ended = ipcsim(&["verify", &place.path(&name("whole"))]);
        ended.exits(0).prints("the ledger closes: energy to ");
    }
}

#[test]
fn a_run_says_at_its_end_where_residual_forces_do_much_of_the_work() {
    let place = Place::new();
    let run = |more: &[&str], name: &str| {
        let scene = "scenes/showcase/planetary.json";
        let out = place.path(name);
        let fixed = ["run", scene, "--no-frames", "--steps", "20", "--out", &out];
        let ended = ipcsim(&[&fixed[..], more].concat());
        ended.exits(0);
        (ended, place.json(&format!("{name}/run.json")))
    };
    let ledger = ["--set", "output.ledger=true"];
    let (ended, report) = run(&ledger, "tight");
    assert!(!ended.stdout.contains("solver left over"), "{ended:?}");
    assert!(report["residual_work"]["share"].as_f64().unwrap() < 1e-3);

    let loose = ["--set", "solver.tolerance=1", "--set", "solver.imbalance=1"];
    let (ended, report) = run(&[&ledger[..], &loose].concat(), "loose");
    ended.prints("warning: the forces that the solver left over do ");
    assert!(report["residual_work"]["share"].as_f64().unwrap() > 1e-3);
    let notices = report["notices"].as_array().unwrap();
    let is_warned = |notice: &Value| notice.as_str().unwrap().contains("solver left over");
    assert!(notices.iter().any(is_warned));

    // Without a ledger nothing is known.
    let (_, report) = run(&loose, "plain");
    assert_eq!(report.get("residual_work"), None);
}
