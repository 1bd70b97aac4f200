//! The ledger of energy and momentum: it closes in every shipped scene, for every integrator, and in the
//! files of runs.

use crate::cli_resume::{AT_ONCE, assert_same, resumed};
use crate::extremes::cells;
use crate::program::{Place, forget, good_scenes, ipcsim};
use crate::same_bits::LARGE;
use crate::support::{Parts, ground, inline, rectangle, rigid, scene, stones};
use ipcsim::contact::ContactModel;
use ipcsim::forces::reactions;
use ipcsim::scene::{Scene, read};
use ipcsim::solve::Stage;
use ipcsim::time::integrator::{Departure, ImplicitEuler, Integrator};
use ipcsim::time::{Fallback, Record, Work, begin};
use ipcsim_store::ledger::{Books, CLOSES, columns};
use serde_json::json;

/// Largest gaps of a ledger over a run, relative to the largest energy, work or momentum.
#[derive(Debug, Default)]
struct Gaps {
    steps: usize,
    energy: f64,
    momentum: f64,
    residual: f64,
}

/// Gaps of a scene over some steps, and its sums at the end.
fn gaps(mut scene: Scene, steps: usize) -> (Gaps, Books) {
    scene.output.ledger = true;
    gaps_of(Parts::of(&scene), steps)
}

/// Gaps of a run over some steps, or up to a failure, and its sums at the end.
fn gaps_of(mut run: Parts, steps: usize) -> (Gaps, Books) {
    let mut books = Books::default();
    let first = begin(&run.world, &mut run.solver, &run.state).unwrap();
    books.enter(&first.report.record);
    let mut gaps = Gaps::default();
    let [mut energy, mut momentum] = [0.0_f64; 2];
    let mass: f64 = run.world.model.mass.iter().map(|mass| mass.x).sum();
    for _ in 0..steps {
        let Ok(report) = run.try_step() else {
            break;
        };
        let record = report.record;
        gaps.steps += 1;
        books.enter(&record);
        energy = energy.max(largest_energy(&run, &record, &books));
        let impulse = books.unexplained_impulse();
        for one in books.impulses.values() {
            momentum = momentum.max(one.linear.norm()).max(one.angular.abs());
        }
        // Supports of one body may pull against each other, with a sum far below what they round.
        for reaction in reactions(&run.world, &run.state, run.solver.last()) {
            momentum = momentum.max(reaction.force.norm() * run.world.h);
        }
        let size = run
            .state
            .x
            .iter()
            .fold(1.0_f64, |most, x| most.max(x.norm()));
        momentum = momentum.max((2.0 * mass * record.kinetic).sqrt() * size);
        momentum = momentum.max(record.ledger.as_ref().unwrap().angular_momentum.abs());
        gaps.energy = gaps.energy.max(books.unexplained_work().abs());
        gaps.momentum = gaps.momentum.max(impulse.linear.norm());
        gaps.momentum = gaps.momentum.max(impulse.angular.abs());
        gaps.residual = gaps.residual.max(books.work.residual.abs());
    }
    gaps.energy /= energy.max(f64::MIN_POSITIVE);
    gaps.momentum /= momentum.max(f64::MIN_POSITIVE);
    gaps.residual /= energy.max(f64::MIN_POSITIVE);
    (gaps, books)
}

/// Largest of all energies that bodies have and all work (J).
fn largest_energy(run: &Parts, record: &Record, books: &Books) -> f64 {
    let mut most = record.kinetic;
    for (name, value) in Record::columns(&run.world).iter().zip(&record.potentials) {
        if !["friction", "load", "gas"].contains(name) {
            most = most.max(value.abs());
        }
    }
    let works = books.work.values();
    works.iter().fold(most, |most, work| most.max(work.abs()))
}

/// Scene in which a corner comes so near to an edge at 4.3 s that the solver ends by rounding, with a force
/// left over that the ledger shows.
const STUCK: &str = "dominoes";

/// Number of its steps before that.
const UNSTUCK: usize = 400;

/// Scene in whose first steps no force acts: all work is rounding there, and no residual is small beside it.
const IDLE: &str = "snap_fit";

/// Asserts that every shipped scene closes within some steps, as it is and with a loose solver; and that with
/// the derived tolerance what the solver leaves over does little work.
fn assert_shipped(steps: impl Fn(&str) -> usize) {
    for path in good_scenes() {
        let name = path.to_str().unwrap();
        let scene = read(&path, &[]).unwrap();
        let steps = steps(name).min(scene.time.steps);
        let (tight, _) = gaps(scene.clone(), steps);
        assert_eq!(tight.steps, steps, "{name}");
        assert!(tight.energy < CLOSES, "{name}: {tight:?}");
        assert!(tight.momentum < CLOSES, "{name}: {tight:?}");

        // Scenes of the book stop where the book does, with forces left over.
        let is_stuck = steps > UNSTUCK && name.contains(STUCK);
        if scene.contact.model != ContactModel::Book && !is_stuck {
            let mut derived = scene.clone();
            derived.solver.tolerance = None;
            derived.solver.imbalance = None;
            let steps = if name.contains(IDLE) {
                steps.max(20)
            } else {
                steps
            };
            let (derived, _) = gaps(derived, steps);
            assert_eq!(derived.steps, steps, "{name}");
            assert!(derived.residual < 1e-3, "{name}: {derived:?}");
        }

        let mut loose = scene;
        loose.solver.tolerance = Some(0.1);
        loose.solver.imbalance = Some(0.1);
        let (loose, _) = gaps(loose, steps);
        assert!(loose.energy < CLOSES, "{name}, loose: {loose:?}");
        assert!(loose.momentum < CLOSES, "{name}, loose: {loose:?}");
    }
}

#[test]
fn the_ledger_of_every_shipped_scene_closes() {
    assert_shipped(|_| 3);
}

#[test]
#[ignore = "whole runs of all scenes"]
fn the_ledger_of_every_whole_run_closes() {
    assert_shipped(|name| {
        if name.contains("stress") {
            20
        } else {
            usize::MAX
        }
    });
}

/// Asserts that one of this many extreme scenes closes, for the whole matrix.
fn assert_extremes(every: usize) {
    for cell in cells::all().iter().step_by(every) {
        let scene = inline(cell.scene.clone());
        let steps = scene.time.steps;
        let (found, books) = gaps(scene, steps);
        let what = format!("{}: {}: {found:?} {:?}", cell.axis, cell.name, books.work);
        assert!(found.energy < CLOSES, "{what}");
    }
}

#[test]
fn the_ledger_of_extreme_scenes_closes() {
    assert_extremes(16);
}

#[test]
#[ignore = "the matrix of extremes"]
fn the_ledger_of_all_extreme_scenes_closes() {
    assert_extremes(1);
}

/// Boxes that fall on the ground and on each other, one of them spinning, with friction and rebounds.
fn bouncing(scheme: &str) -> Scene {
    let mut bodies = Vec::new();
    for k in 0..3_u8 {
        let height = 0.15 + 0.25 * f64::from(k);
        let moving = json!({ "velocity": [0.3, -2.0], "spin_deg": 40.0 * f64::from(k) });
        let name = format!("box {k}");
        bodies.push(rigid(&name, rectangle(0.2, 0.2), [0.0, height], moving));
    }
    let rest = json!({
        "time": { "step": 0.002, "steps": 60, "integrator": scheme },
        "obstacles": [ground()],
        "contact": { "friction": { "default": 0.3 }, "restitution": { "default": 0.5 } },
    });
    stones(&bodies, rest)
}

#[test]
fn the_ledger_closes_for_every_integrator_and_finds_a_loose_solver() {
    for scheme in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let key = format!("time.integrator={scheme}");
        let shipped = [
            ("showcase/all_kinds", 15),
            ("showcase/linkage", 10),
            ("showcase/bridge", 10),
            ("showcase/tyre", 5),
            ("showcase/planetary", 10),
            ("book/09_reduced_modal", 30),
        ];
        let mut scenes = vec![("boxes that bounce", bouncing(scheme), 60)];
        for (name, steps) in shipped {
            scenes.push((name, scene(name, &[&key]), steps));
        }
        for (name, tight, steps) in scenes {
            let mut loose = tight.clone();
            let (found, _) = gaps(tight, steps);
            let what = format!("{name}, {scheme}: {found:?}");
            assert_eq!(found.steps, steps, "{what}");
            assert!(found.energy < CLOSES && found.momentum < CLOSES, "{what}");

            loose.solver.tolerance = Some(1.0);
            loose.solver.imbalance = Some(1.0);
            let (found, _) = gaps(loose, steps);
            let what = format!("{name}, {scheme}, loose: {found:?}");
            assert!(found.energy < CLOSES && found.momentum < CLOSES, "{what}");
        }
    }

    // What a loose solver leaves over is seen, and only there.
    let residual = |tolerance: f64| {
        let mut scene = scene("showcase/planetary", &[]);
        scene.solver.tolerance = Some(tolerance);
        scene.solver.imbalance = Some(tolerance);
        gaps(scene, 20).0.residual
    };
    assert!(residual(1.0) > 1e-2 && residual(1e-9) < 1e-6);
}

#[test]
fn the_ledger_closes_by_newmark_s_method_whose_losses_are_those_of_its_shares() {
    for (name, steps) in [("showcase/tyre", 5), ("showcase/all_kinds", 15)] {
        for gamma in ["time.gamma=0.75", "time.gamma=1"] {
            let scene = scene(name, &["time.integrator=trapezoid", gamma]);
            let (found, _) = gaps(scene, steps);
            assert_eq!(found.steps, steps, "{name}, {gamma}");
            let closes = found.energy < CLOSES && found.momentum < CLOSES;
            assert!(closes, "{name}, {gamma}: {found:?}");
        }
    }

    // A spring loses `(gamma - 1/2) k du^2` in a step: its force at the end has the share gamma.
    let stretched = |gamma: f64| {
        inline(json!({
            "time": { "step": 0.01, "steps": 1, "integrator": "trapezoid", "gamma": gamma },
            "gravity": [0.0, 0.0],
            "materials": { "spring": { "density": 1000.0, "law": { "linear": { "young": 1e5, "poisson": 0.0 } } } },
            "bodies": [{
                "name": "cell", "material": "spring", "stretch": [1.001, 1.0], "lumping": "uniform",
                "shape": { "square": { "side": 0.1, "segments": 1 } },
                "prescribed": [{ "vertices": { "indices": [0, 1] } }]
            }],
            "solver": { "tolerance": 1e-12 }
        }))
    };
    for gamma in [0.5, 0.6, 1.0] {
        let scene = stretched(gamma);
        let place = Parts::of(&scene).state.x[2].x;
        let mut run = Parts::of(&scene);
        run.world.options.ledger = true;
        let lost = -run.step().record.ledger.unwrap().work.elasticity;
        let way = run.state.x[2].x - place;
        let expected = (gamma - 0.5) * 1e5 * way * way;
        let scale = 1e5 * way * way;
        assert!(
            (lost - expected).abs() < 1e-6 * scale,
            "{gamma}: {lost}, {expected}"
        );
    }
}

/// Implicit Euler whose steps are solved only if they are shorter than the world's.
#[derive(Debug)]
struct OnlyShort {
    /// Length up to which a step is solved (s).
    longest: f64,
}

impl Integrator for OnlyShort {
    fn stage(&self, from: Departure) -> Stage {
        let solvable = from.span.h <= self.longest;
        let mut stage = ImplicitEuler.stage(from);
        if !solvable {
            stage.predicted.q[0].x = f64::NAN;
        }
        stage
    }
}

/// A run with a ledger whose steps are solved only if they are shorter than this share of the scene's.
fn only_short(mut scene: Scene, share: f64) -> Parts {
    scene.output.ledger = true;
    let mut run = Parts::of(&scene);
    run.world.integrator = Box::new(OnlyShort {
        longest: share * scene.time.step,
    });
    run.solver = run.world.solver();
    run
}

#[test]
fn both_halves_of_a_step_count() {
    let scene = scene("two_squares", &[]);
    let halved = only_short(scene.clone(), 0.6);
    let mut again = only_short(scene.clone(), 0.6);
    let rung = again.step().recovery.map(|recovery| recovery.rung);
    assert_eq!(rung, Some(Fallback::HalvedStep));

    // Two falls of half a step lose 2 * 1/2 m (g h/2)^2 together.
    let mass: f64 = again.world.model.mass.iter().map(|mass| mass.x).sum();
    let (found, books) = gaps_of(halved, 5);
    assert!(
        found.energy < CLOSES && found.momentum < CLOSES,
        "{found:?}"
    );
    let lost = 5.0 * mass * (0.5 * 9.81 * scene.time.step).powi(2);
    assert!((books.work.inertia + lost).abs() < 1e-6 * lost, "{books:?}");
}

#[test]
fn barriers_that_stiffen_are_a_source_in_whole_steps_and_in_quarters() {
    let (found, whole) = gaps(crate::pairs::pressed(), 25);
    assert!(found.energy < CLOSES, "{found:?}");
    assert!(whole.work.stiffening > 0.0, "{:?}", whole.work);

    let (found, quarters) = gaps_of(only_short(crate::pairs::pressed(), 0.3), 25);
    assert!(found.energy < CLOSES, "{found:?}");
    assert!(quarters.work.stiffening > 0.0, "{:?}", quarters.work);
}

#[test]
fn friction_only_takes_where_nothing_holds() {
    // With a creep law the force opposes the slip in every contact.
    let mut scene = scene("showcase/dominoes", &["contact.friction.stick=creep"]);
    scene.output.ledger = true;
    let mut run = Parts::of(&scene);
    for step in 0..30 {
        let Work { friction, .. } = run.step().record.ledger.unwrap().work;
        assert!(friction <= 1e-12, "step {step}: {friction} J");
    }
}

#[test]
fn a_scene_without_a_ledger_keeps_none_and_one_with_it_moves_alike() {
    let plain = scene("two_squares", &[]);
    let mut kept = plain.clone();
    kept.output.ledger = true;
    let [mut plain, mut kept] = [plain, kept].map(|scene| Parts::of(&scene));
    for _ in 0..30 {
        let [without, with] = [plain.step(), kept.step()];
        assert!(without.record.ledger.is_none() && with.record.ledger.is_some());
        assert_eq!(without.hash, with.hash);
    }
}

#[test]
fn a_spinning_body_keeps_its_angular_momentum() {
    // A disk of radius R and mass m about its centre at c: m c x v + m R^2/2 w.
    let moving = json!({ "velocity": [-1.0, 0.5], "spin_deg": 90.0 });
    let shape = json!({ "circle": { "radius": 0.5 } });
    let disk = rigid("disk", shape, [2.0, 3.0], moving);
    let rest = json!({
        "time": { "step": 0.01, "steps": 1 },
        "gravity": [0.0, 0.0],
        "output": { "ledger": true }
    });
    let scene = stones(&[disk], rest);
    let mut run = Parts::of(&scene);
    let mass = 1000.0 * std::f64::consts::PI * 0.25;
    let spin = 0.5 * std::f64::consts::PI;
    let expected = mass * (2.0 * 0.5 + 3.0) + 0.5 * mass * 0.25 * spin;
    for _ in 0..20 {
        let ledger = run.step().record.ledger.unwrap();
        let error = ledger.angular_momentum / expected - 1.0;
        assert!(error.abs() < 1e-12, "{error}");
    }
}

/// Runs that keep a ledger.
const LEDGER: [&str; 3] = ["--no-frames", "--set", "output.ledger=true"];

#[test]
fn the_files_of_a_run_have_the_ledger_on_any_threads_and_after_resuming() {
    let place = Place::new();
    let all = [
        &LEDGER[..],
        &LARGE,
        &["--steps", "8", "--set", "output.every=3"],
    ]
    .concat();
    place.completed("whole", &[&all[..], &["--threads", "1"]].concat());
    let head = place.read("whole/energies.csv");
    let head: Vec<&str> = head.lines().next().unwrap().split(',').collect();
    let added = columns();
    assert_eq!(head[head.len() - added.len()..], added);

    // Its chart, unless nothing is drawn.
    place.completed("drawn", &["--set", "output.ledger=true", "--steps", "2"]);
    assert!(place.names("drawn").contains(&"ledger.png".to_owned()));
    assert!(!place.names("whole").contains(&"ledger.png".to_owned()));

    // Rows that are not written count in the sums all the same.
    place.completed("parts", &[&all[..], &AT_ONCE].concat());
    for _ in 1..8 {
        resumed(&place, "parts", &AT_ONCE);
    }
    assert_same(&place, "parts", "whole", "resumed");
    place.completed("threads", &[&all[..], &["--threads", "3"]].concat());
    assert_same(&place, "threads", "whole", "on three threads");

    // A scene that does not ask has neither columns nor a chart.
    place.completed("plain", &["--no-frames", "--steps", "2"]);
    assert!(!place.read("plain/energies.csv").contains("work_"));
    assert!(!place.names("plain").contains(&"ledger.png".to_owned()));
}

#[test]
fn verify_says_how_the_ledger_closes_and_finds_a_false_number() {
    let place = Place::new();
    place.completed("a", &[&LEDGER[..], &["--steps", "40"]].concat());
    let verify = || ipcsim(&["verify", &place.path("a")]);
    verify().exits(0).prints("the ledger closes: energy to ");

    let text = place.read("a/energies.csv");
    let index = |name: &str| {
        let mut head = text.lines().next().unwrap().split(',');
        head.position(|column| column == name).unwrap()
    };
    let friction = index("work_elasticity");
    let edited: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(row, line)| {
            let mut fields: Vec<&str> = line.split(',').collect();
            if row == 38 {
                fields[friction] = "-3.5";
            }
            fields.join(",") + "\n"
        })
        .collect();
    std::fs::write(place.root().join("a/energies.csv"), edited.concat()).unwrap();
    forget(&place.root().join("a/energies.csv"));
    let ended = verify();
    assert_eq!(ended.code, 1, "{ended:?}");
    let found = "step 37: the ledger does not close: work explains the change of energy but for ";
    ended.prints(found);
}
