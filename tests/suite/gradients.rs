//! Gradients through contact and friction: against differences between runs, the adjoint against the
//! tangent, what is refused, and the command.
//!
//! Each scene says by which of its numbers it is differentiated, and whether friction or contact has a
//! part of more than 1 % in that. Differences of order 4 with two widths that agree to 1e-7 confirm
//! derivatives to 1e-6; by a number whose derivative is zero but for rounding both are small.

mod changed;
mod equilibria;
mod features;
mod objectives;
mod scenes;
mod searches;

use crate::program::ipcsim_in;
use ipcsim::math::parallel::{serially, with_threads};
use ipcsim::scene::{SHAPES, Source};
use ipcsim_diff::{
    Cotangents, Error, Objective, Omitted, Problem, Run, Tangent, Variation, check, gradient,
    pull_back, tangent, varied,
};
use scenes::{Case, Part};
use serde_json::{Value, json};

/// Relative difference from differences up to which a derivative is confirmed.
const AGREES: f64 = 1e-6;
/// Relative difference of two widths up to which differences are a reference.
const WIDTHS_AGREE: f64 = 1e-7;
/// Change of a gradient without friction or contact from which on these have a part in it.
const MATTERS: f64 = 0.01;

/// Problem of a scene and paths of its numbers.
fn problem(scene: &Value, paths: &[&str]) -> Result<Problem, Error> {
    let source = Source {
        text: scene.to_string(),
        overrides: Vec::new(),
        name: Some("gradient".to_owned()),
        folder: None,
        shapes: SHAPES,
    };
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    Problem::new(&source, &paths, None)
}

/// Problem, run and objectives of a case.
fn solved(case: &Case) -> (Problem, Run, Vec<Objective>) {
    let problem = problem(&case.scene, &case.by).unwrap();
    let objectives = case.of.iter();
    let objectives = objectives.map(|text| Objective::read(&problem, text).unwrap());
    let objectives: Vec<Objective> = objectives.collect();
    let run = Run::new(&problem, &objectives).unwrap();
    (problem, run, objectives)
}

/// Derivatives of a case, each times the size of its number, so that they can be compared.
fn scaled(problem: &Problem, by: &[f64]) -> Vec<f64> {
    let parameters = problem.parameters.iter().zip(by);
    parameters
        .map(|(parameter, by)| {
            let size = parameter.value.abs();
            by * if size == 0.0 { 1.0 } else { size }
        })
        .collect()
}

/// All cases.
fn cases() -> Vec<Case> {
    let mut cases = scenes::cases();
    cases.extend(features::cases());
    cases.extend(equilibria::cases());
    cases.extend(changed::cases());
    cases
}

/// Compares the gradients of some cases with differences.
fn agree_with_differences(chosen: impl Fn(usize) -> bool) {
    let all = cases().into_iter().enumerate();
    for (_, case) in all.filter(|(number, _)| chosen(*number)) {
        let (problem, run, objectives) = solved(&case);
        let found = gradient(&problem, &run, &objectives, Omitted::default()).unwrap();
        let checked = check(&problem, &run, &objectives).unwrap();
        for ((objective, gradient), checked) in objectives.iter().zip(&found).zip(&checked) {
            let sizes = scaled(&problem, &gradient.by);
            let largest = sizes.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
            for (number, one) in checked.iter().enumerate() {
                let name = format!(
                    "{}: {objective} by {}",
                    case.name, problem.parameters[number].path
                );
                let [by, differences] = [gradient.by[number], one.derivative()];
                let difference = (by - differences).abs() / by.abs().max(differences.abs());
                let is_zero = sizes[number].abs() < 1e-9 * largest;
                if is_zero {
                    continue;
                }
                let widths = one.error();
                assert!(widths < WIDTHS_AGREE, "{name}: widths differ by {widths}");
                assert!(difference < AGREES, "{name}: {by} {differences}");
            }
        }
    }
}

#[test]
fn gradients_of_soft_bodies_agree_with_differences() {
    agree_with_differences(|number| number % 3 == 0);
}

#[test]
fn gradients_of_rigid_bodies_agree_with_differences() {
    agree_with_differences(|number| number % 3 == 1);
}

#[test]
fn gradients_of_joints_and_statics_agree_with_differences() {
    agree_with_differences(|number| number % 3 == 2);
}

#[test]
fn friction_and_contact_have_a_part_in_most_gradients() {
    let mut counted = 0;
    for case in cases() {
        let omitted = match case.part {
            Part::None => continue,
            Part::Friction => Omitted {
                friction: true,
                ..Omitted::default()
            },
            Part::Contact => Omitted {
                contact: true,
                ..Omitted::default()
            },
        };
        let (problem, run, objectives) = solved(&case);
        let with = gradient(&problem, &run, &objectives, Omitted::default()).unwrap();
        // Where nothing else holds the body there is no gradient without it.
        let Ok(without) = gradient(&problem, &run, &objectives, omitted) else {
            counted += 1;
            continue;
        };
        let mut most = 0.0_f64;
        for (with, without) in with.iter().zip(&without) {
            for (with, without) in with.by.iter().zip(&without.by) {
                most = most.max((with - without).abs() / with.abs().max(without.abs()));
            }
        }
        counted += usize::from(most > MATTERS);
    }
    assert!(counted >= 15, "{counted} cases");
}

/// A number in -1 to 1 that looks random.
fn number(seed: usize) -> f64 {
    let bits = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((bits >> 11) as f64 / (1_u64 << 53) as f64) * 2.0 - 1.0
}

/// Derivatives of a number of all states that looks random.
fn random_seed(forwards: &Tangent) -> Cotangents {
    let mut states = Vec::new();
    let mut held = Vec::new();
    for (step, change) in forwards.states.iter().enumerate() {
        let count = change.q.len();
        let mut by = Variation::zero(count, change.anchors.len(), 0);
        by.time = number(step);
        for (node, (q, v)) in by.q.iter_mut().zip(&mut by.q_dot).enumerate() {
            for axis in 0..2 {
                q[axis] = number(8 * (step + 100 * node) + axis);
                v[axis] = 0.01 * number(8 * (step + 100 * node) + axis + 4);
            }
        }
        let none = Variation::zero(count, 0, 0);
        states.push(by);
        held.push(none.q);
    }
    Cotangents { states, held }
}

#[test]
fn the_adjoint_is_the_transposed_of_the_tangent() {
    for case in cases() {
        let (problem, run, _) = solved(&case);
        let direction: Vec<f64> = problem
            .values()
            .iter()
            .map(|value| 0.7 * value + 0.1)
            .collect();
        let forwards = tangent(&problem, &run, &direction).unwrap();
        let seed = random_seed(&forwards);
        let varied = varied(&problem).unwrap();
        let by = pull_back(
            &problem,
            &run,
            &varied,
            std::slice::from_ref(&seed),
            Omitted::default(),
        );
        let by = &by.unwrap()[0];

        let mut sum = 0.0;
        let mut sizes = [0.0; 2];
        for (seed, change) in seed.states.iter().zip(&forwards.states) {
            sum += seed.dot(change);
            sizes[0] += seed.dot(seed);
            sizes[1] += change.dot(change);
        }
        let product: f64 = by
            .iter()
            .zip(&direction)
            .map(|(by, along)| by * along)
            .sum();
        let size = (sizes[0] * sizes[1]).sqrt();
        let difference = (sum - product).abs() / size;
        let bound = if case.is_static { 1e-8 } else { 1e-10 };
        assert!(
            difference < bound,
            "{}: {difference} {sum} {product}",
            case.name
        );
    }
}

#[test]
fn what_has_no_derivative_is_refused_by_name() {
    let case = &cases()[0];
    for (key, value, expected) in [
        (
            "time",
            json!({"step": 0.01, "steps": 3, "energy": "kept"}),
            "time.energy = kept",
        ),
        (
            "time",
            json!({"step": 0.01, "steps": 3, "integrator": "tr_bdf2"}),
            "time.integrator",
        ),
        (
            "time",
            json!({"step": 0.01, "steps": 3, "until": "speed < 1"}),
            "time.until",
        ),
        ("solver", json!({"sleep": {}}), "solver.sleep"),
        (
            "periodic",
            json!({"x": 1.0, "strain": {"xx": 0}}),
            "periodic in motion",
        ),
    ] {
        let mut scene = case.scene.clone();
        scene[key] = value;
        let found = problem(&scene, &["gravity.1"]).and_then(|problem| {
            let objectives = [Objective::read(&problem, "block.x")?];
            let run = Run::new(&problem, &objectives)?;
            gradient(&problem, &run, &objectives, Omitted::default())
        });
        let message = found.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn wrong_names_are_refused_with_the_names_that_exist() {
    let case = &cases()[0];
    let message = problem(&case.scene, &["gravity.7"])
        .unwrap_err()
        .to_string();
    assert!(message.contains("gravity.7"), "{message}");
    let problem = problem(&case.scene, &["gravity.1"]).unwrap();
    for (text, expected) in [
        ("x", "BODY.QUANTITY"),
        ("nobody.x", "bodies are block"),
        ("block.stress", "quantities with a derivative"),
        ("block.angle", "has no angle"),
    ] {
        let message = Objective::read(&problem, text).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn gradients_have_the_same_bits_on_any_number_of_threads() {
    let case = &cases()[0];
    let bits = || {
        let (problem, run, objectives) = solved(case);
        let found = gradient(&problem, &run, &objectives, Omitted::default()).unwrap();
        let by = found.iter().flat_map(|gradient| gradient.by.clone());
        by.map(f64::to_bits).collect::<Vec<_>>()
    };
    let alone = serially(bits);
    assert_eq!(alone, with_threads(Some(2), bits).unwrap());
}

#[test]
fn the_command_prints_gradients_with_their_check() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("scene.json"),
        cases()[1].scene.to_string(),
    )
    .unwrap();
    let args = [
        "gradient",
        "scene.json",
        "--of",
        "block.x",
        "--with-respect-to",
    ];
    let run = |rest: &[&str]| ipcsim_in(folder.path(), &[&args[..], rest].concat());
    let ended = run(&["contact.friction.default", "--check", "--json"]);
    ended.exits(0);
    let found: Value = serde_json::from_str(&ended.stdout).unwrap();
    let entry = &found["gradients"][0]["by"][0];
    assert_eq!(entry["key"], "contact.friction.default");
    assert!(entry["derivative"].as_f64().unwrap() < 0.0);
    assert!(entry["difference"].as_f64().unwrap() < AGREES);

    run(&["no.key"]).exits(2).complains("no.key");
    run(&["contact.friction.default"])
        .exits(0)
        .prints("by contact.friction.default: -");
}
