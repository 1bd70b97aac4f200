//! Gas in chambers in whole runs: the same bits after resuming and on any number of threads, proofs, a closed
//! ledger, tables and measures, and what is refused.

use crate::cli_resume::same_and_proved;
use crate::program::{Place, ipcsim};
use crate::support::{near, scene};
use ipcsim::math::parallel;
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use ipcsim_store::ledger::Books;
use serde_json::{Value, json};

/// Corners of a regular polygon (m).
fn polygon(radius: f64, sides: u32) -> Vec<[f64; 2]> {
    let corner = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(sides);
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..sides).map(corner).collect()
}

/// Two balloons with a pipe fall on the ground: a ring of quadratic triangles around a stone, and a rod.
fn balloons(integrator: &str) -> Value {
    json!({
        "time": { "step": 0.01, "steps": 20, "integrator": integrator },
        "materials": {
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.4 } } },
            "skin": { "density": 1000 },
            "stone": { "density": 2000 }
        },
        "bodies": [
            { "name": "ring", "material": "rubber", "elements": "quadratic", "position": [0, 0.21],
              "shape": { "area": { "outline": { "circle": { "center": [0, 0], "radius": 0.2 } },
                                   "holes": [{ "circle": { "center": [0, 0], "radius": 0.15 } }], "mesh": { "size": 0.06 } } } },
            { "name": "stone", "kind": "rigid", "material": "stone", "position": [0, 0.11],
              "shape": { "square": { "side": 0.08, "segments": 1 } } },
            { "name": "bag", "kind": { "rod": { "young": 1e7, "thickness": 0.002 } }, "material": "skin",
              "position": [0.5, 0.12], "shape": { "polyline": { "points": polygon(0.1, 16), "closed": true } } }
        ],
        "obstacles": [
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }
        ],
        "chambers": [
            { "name": "around", "walls": [{ "body": "ring" }, { "body": "stone" }],
              "pressure": { "gauge": 3000 }, "gamma": 1.4 },
            { "name": "inside", "walls": [{ "body": "bag" }], "gamma": 1.4,
              "fill": { "amount": { "times": [0, 0.1], "values": [0, 0.004] } } }
        ],
        "pipes": [{ "between": ["around", "inside"], "from": 0.055, "until": 0.15 }],
        "measure": [{ "name": "peak", "max": "gauge", "of": "inside" }],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "ledger": true }
    })
}

/// A simulation of a scene.
fn simulation(scene: &Value) -> Simulation {
    Simulation::new(parse(&scene.to_string(), &[]).unwrap()).unwrap()
}

#[test]
fn gas_has_the_same_bits_on_any_threads_and_stays_with_every_integrator() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let given = balloons(integrator);
        let end = || {
            let mut simulation = simulation(&given);
            simulation.run(20).unwrap();
            simulation
        };
        let start: Vec<_> = simulation(&given).chambers().map(|(_, own)| own).collect();
        near(start[0].gauge, 3000.0, 1e-8);
        near(start[1].gauge, 0.0, 1e-8);

        let alone = parallel::serially(end);
        let hash = parallel::Pool::new(Some(3))
            .unwrap()
            .run(|| end().state().hash());
        assert_eq!(alone.state().hash(), hash, "{integrator}");

        // The pump has added what it should, and nothing is lost in the pipe.
        let after: Vec<_> = alone.chambers().map(|(_, own)| own).collect();
        let amount = |states: &[ipcsim::time::ChamberState]| states[0].amount + states[1].amount;
        near(amount(&after), amount(&start) + 0.004, 1e-15);
        for own in &after {
            let law = 101_325.0 * (own.amount / own.volume).powf(1.4);
            near(own.pressure / law, 1.0, 1e-14);
        }
        assert!(
            after[0].gauge > 3000.0 && after[1].gauge > 3000.0,
            "{after:?}"
        );
    }
}

#[test]
fn runs_with_gas_resume_to_the_same_bits_and_are_proved() {
    for integrator in ["implicit_euler", "bdf2"] {
        let place = Place::new();
        let path = place.scene(&balloons(integrator));
        same_and_proved(&place, &path, 7);
    }
}

#[test]
fn the_work_of_gas_closes_the_ledger() {
    for integrator in ["implicit_euler", "trapezoid", "tr_bdf2"] {
        let mut simulation = simulation(&balloons(integrator));
        let mut books = Books::default();
        books.enter(&simulation.begin().unwrap().record);
        for _ in 0..20 {
            books.enter(&simulation.step().unwrap().record);
            near(books.unexplained_work(), 0.0, 1e-10);
            assert!(books.unexplained_impulse().linear.norm() < 1e-10);
        }
        assert!(books.work.gas > 1.0, "{integrator}: {}", books.work.gas);
    }
}

#[test]
fn tables_measures_and_plots_have_pressures_and_volumes() {
    let place = Place::new();
    let path = place.scene(&balloons("implicit_euler"));
    let run = place.path("run");
    ipcsim(&["run", &path, "--out", &run, "--no-frames", "--steps", "8"]).exits(0);
    let table = place.read("run/chambers.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "step,time,chamber,pressure,gauge,volume,amount");
    assert!(lines[1].starts_with("0,0.0,around,") && lines.len() == 1 + 2 * 9);

    // The measure has the largest number of the table.
    let gauges = lines.iter().filter(|line| line.contains("inside"));
    let gauges = gauges.map(|line| line.split(',').nth(4).unwrap().parse::<f64>().unwrap());
    let report = place.json("run/run.json");
    let peak = report["measures"][0]["value"].as_f64().unwrap();
    near(peak, gauges.fold(0.0, f64::max), 1e-9);
    let columns = place.read("run/energies.csv");
    assert!(columns.lines().next().unwrap().contains(",gas,") && columns.contains("work_gas"));
    ipcsim(&[
        "plot",
        &run,
        "--chamber",
        "inside",
        "--y",
        "pressure,volume",
    ])
    .exits(0);
    ipcsim(&["plot", &run, "--chamber", "outside"])
        .exits(2)
        .complains("outside");
}

#[test]
fn gas_holds_a_slack_bag_up_in_statics_and_along_a_path() {
    for arc in [false, true] {
        let mut scene = balloons("static");
        scene["time"] = json!({ "step": 0.1, "steps": 5, "integrator": "static" });
        if arc {
            scene["time"]["arc_length"] = json!({ "length": 0.02 });
        }
        scene["gravity"] = json!([0, 0]);
        scene["contact"] = json!({});
        let mut bag = scene["bodies"][2].clone();
        bag["prescribed"] = json!([
            { "vertices": { "indices": [8] } }, { "vertices": { "indices": [0] }, "axis": "y" }
        ]);
        scene["bodies"] = json!([bag]);
        scene["chambers"] = json!([{ "name": "air", "walls": [{ "body": "bag" }],
            "fill": { "amount": { "times": [0, 1], "values": [0, 0.05] } } }]);
        scene["pipes"] = json!([]);
        scene["measure"] = json!([]);
        let mut simulation = simulation(&scene);
        let mut last = 0.0;
        for _ in 0..5 {
            let report = simulation.step().unwrap();
            assert!(report.record.newton_iterations < 60, "{report:?}");
            let (_, gas) = simulation.chambers().next().unwrap();
            assert!(gas.gauge > last, "{gas:?}");
            last = gas.gauge;
        }
    }
}

#[test]
fn a_regulator_holds_its_pressure_and_then_the_gas_stays() {
    let mut scene = balloons("implicit_euler");
    scene["pipes"] = json!([]);
    scene["chambers"][1]["fill"] =
        json!({ "gauge": { "times": [0, 0.05], "values": [0, 5000] }, "until": 0.1 });
    let mut simulation = simulation(&scene);
    let mut amount = 0.0;
    for step in 1..=20 {
        simulation.step().unwrap();
        let (_, gas) = simulation.chambers().nth(1).unwrap();
        if step <= 10 {
            near(gas.gauge, 1000.0 * f64::from(step.min(5)), 1e-6);
            amount = gas.amount;
        } else {
            assert_eq!(gas.amount, amount);
        }
    }

    // A pump takes out no more than there is.
    scene["chambers"][1]["fill"] = json!({ "amount": { "times": [0, 0.1], "values": [0, -1] } });
    let mut simulation = self::simulation(&scene);
    simulation.run(3).unwrap();
    let (_, gas) = simulation.chambers().nth(1).unwrap();
    assert_eq!([gas.pressure, gas.amount], [0.0; 2]);
}

#[test]
fn what_encloses_nothing_or_means_nothing_is_refused_with_its_reason() {
    let refused = |change: &dyn Fn(&mut Value), reason: &str| {
        let mut scene = balloons("implicit_euler");
        change(&mut scene);
        let text = scene.to_string();
        let message = match parse(&text, &[]) {
            Ok(scene) => Simulation::new(scene).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(message.contains(reason), "{reason}: {message}");
    };
    refused(&|s| s["chambers"][0]["pressure"] = json!(3000), "gauge");
    refused(
        &|s| s["chambers"][0]["pressure"] = json!({ "gauge": 1, "absolute": 2 }),
        "is given twice",
    );
    refused(
        &|s| s["chambers"][0]["pressure"] = json!({ "gauge": -2e5 }),
        "would be negative",
    );
    refused(
        &|s| s["chambers"][1]["gamma"] = json!(1.3),
        "one gas has one",
    );
    refused(&|s| s["chambers"][0]["walls"] = json!([]), "are none");
    refused(
        &|s| s["chambers"][0]["walls"] = json!([{ "body": "ground" }]),
        "has no edges",
    );
    refused(
        &|s| s["chambers"][0]["walls"] = json!([{ "body": "rign" }]),
        "did you mean \"ring\"",
    );
    refused(
        &|s| s["chambers"][0]["walls"] = json!([{ "body": "stone" }]),
        "the gas would be outside",
    );
    refused(
        &|s| s["chambers"][1]["fill"] = json!({ "amount": 1, "gauge": 1 }),
        "must have one of",
    );
    refused(
        &|s| s["chambers"][1]["fill"] = json!({ "amount": "x*t" }),
        "depends on the place",
    );
    refused(
        &|s| s["pipes"][0]["between"] = json!(["around", "aruond"]),
        "did you mean \"around\"",
    );
    refused(
        &|s| {
            for k in 0..2 {
                s["chambers"][k]["fill"] = json!({ "gauge": 100 });
            }
        },
        "keep one of them",
    );
}

#[test]
fn a_crawler_moves_through_its_tube_and_a_gripper_shares_its_air_and_lifts_a_ball() {
    let coarse = [
        "bodies.worm.shape.area.mesh.size=0.02",
        "bodies.worm.elements=linear",
        "solver.tolerance=1e-4",
    ];
    let mut simulation = Simulation::new(scene("showcase/air_crawler", &coarse)).unwrap();
    simulation.run(60).unwrap();
    let x = simulation.body("worm").unwrap().centre().x;
    assert!(x > 0.01, "{x} m");

    let linear = [
        "bodies.left finger.elements=linear",
        "bodies.right finger.elements=linear",
    ];
    let mut simulation = Simulation::new(scene("showcase/air_gripper", &linear)).unwrap();
    let before: f64 = simulation.chambers().map(|(_, own)| own.amount).sum();
    simulation.run(170).unwrap();
    near(simulation.body("ball").unwrap().centre().y, 0.065, 1e-3);
    let states: Vec<_> = simulation.chambers().map(|(_, own)| own).collect();
    near(states[0].gauge / states[1].gauge, 1.0, 1e-12);
    near(states[0].amount + states[1].amount, before + 5.6e-5, 1e-18);
}
