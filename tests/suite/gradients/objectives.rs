//! Objectives: sums, measures of scenes, fits; and states that are computed again.

use super::{AGREES, problem, scaled, solved};
use ipcsim_diff::{Fit, Objective, Omitted, Problem, Run, check, gradient, jacobian};
use serde_json::{Value, json};

/// A soft block that slides, with measures of it.
fn measured() -> Value {
    let mut scene = super::cases()[0].scene.clone();
    scene["measure"] = json!([
        {"name": "tip", "value": "displacement_x", "of": "block", "at": [0.05, 0.05], "over": "last"},
        {"name": "lift", "value": "y", "of": "block", "over": "mean"},
        {"name": "press", "value": "contact_y", "of": "floor", "over": "max"},
        {"name": "slit", "value": "gap", "between": ["block", "floor"]}
    ]);
    scene
}

const BY: [&str; 3] = [
    "contact.friction.default",
    "materials.rubber.law.neo_hookean.young",
    "bodies.block.velocity.0",
];

/// A run with the objectives that texts name.
fn run_of(problem: &Problem, texts: &[&str]) -> (Run, Vec<Objective>) {
    let objectives = texts.iter();
    let objectives = objectives.map(|text| Objective::read(problem, text).unwrap());
    let objectives: Vec<Objective> = objectives.collect();
    (Run::new(problem, &objectives).unwrap(), objectives)
}

#[test]
fn measures_have_gradients_that_agree_with_differences() {
    let problem = problem(&measured(), &BY).unwrap();
    let (run, objectives) = run_of(&problem, &["tip", "lift", "press", "min of block.vy"]);
    let found = gradient(&problem, &run, &objectives, Omitted::default()).unwrap();
    let checked = check(&problem, &run, &objectives).unwrap();
    for (gradient, checked) in found.iter().zip(&checked) {
        let sizes = scaled(&problem, &gradient.by);
        let largest = sizes.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
        for ((by, one), size) in gradient.by.iter().zip(checked).zip(&sizes) {
            if size.abs() < 1e-9 * largest {
                continue;
            }
            let difference = (by - one.derivative()).abs() / by.abs().max(one.derivative().abs());
            assert!(difference < AGREES, "{by} {one:?}");
        }
    }
}

#[test]
fn given_reach_and_stiffness_of_contact_have_derivatives() {
    let mut scene = measured();
    scene["contact"]["d_hat"] = json!(1e-3);
    scene["contact"]["kappa"] = json!(2e4);
    let problem = problem(&scene, &["contact.d_hat", "contact.kappa"]).unwrap();
    let (run, objectives) = run_of(&problem, &["block.y"]);
    let found = &gradient(&problem, &run, &objectives, Omitted::default()).unwrap()[0];
    let checked = &check(&problem, &run, &objectives).unwrap()[0];
    for (by, one) in found.by.iter().zip(checked) {
        let difference = (by - one.derivative()).abs() / one.derivative().abs();
        assert!(difference < AGREES, "{by} {one:?}");
    }
}

#[test]
fn sums_of_numbers_have_the_sums_of_their_gradients() {
    let problem = problem(&measured(), &BY).unwrap();
    let texts = [
        "2 * block.x - 0.5*lift + mean of block.vx",
        "block.x",
        "lift",
        "mean of block.vx",
    ];
    let (run, objectives) = run_of(&problem, &texts);
    let found = gradient(&problem, &run, &objectives, Omitted::default()).unwrap();
    let sum = |of: &dyn Fn(usize) -> f64| 2.0 * of(1) - 0.5 * of(2) + of(3);
    let value = sum(&|k| found[k].value);
    assert!((found[0].value - value).abs() < 1e-14);
    for number in 0..BY.len() {
        let expected = sum(&|k| found[k].by[number]);
        assert!((found[0].by[number] - expected).abs() < 1e-10 * expected.abs());
    }
}

#[test]
fn measures_without_a_derivative_are_refused_by_name() {
    let problem = problem(&measured(), &BY).unwrap();
    let message = Objective::read(&problem, "slit").unwrap_err().to_string();
    assert!(
        message.contains("the measure slit has no derivative"),
        "{message}"
    );
    let message = Objective::read(&problem, "drag").unwrap_err().to_string();
    assert!(message.contains("tip, lift, press, slit"), "{message}");
}

#[test]
fn fits_have_the_gradient_of_their_sum_of_squares() {
    let problem = problem(&measured(), &BY).unwrap();
    let targets = vec![(3, 0.02), (10, 0.05)];
    let fit = Fit {
        targets,
        weight: 4.0,
    };
    let objective = Objective::read(&problem, "block.x").unwrap().fitted(fit);
    let objectives = [objective];
    let run = Run::new(&problem, &objectives).unwrap();
    let found = &gradient(&problem, &run, &objectives, Omitted::default()).unwrap()[0];
    let slopes = &jacobian(&problem, &run, &objectives).unwrap()[0];
    let series = &run.series(&objectives)[0];
    let residuals =
        [(3, 0.02), (10, 0.05)].map(|(step, value)| (step - 1, series[step - 1] - value));
    let value: f64 = residuals.iter().map(|(_, r)| 4.0 * r * r).sum();
    assert!((found.value - value).abs() < 1e-14 * value);
    for (number, by) in found.by.iter().enumerate() {
        let parts = residuals.iter();
        let expected: f64 = parts.map(|(k, r)| 8.0 * r * slopes[*k][0][number]).sum();
        let difference = (by - expected).abs() / expected.abs();
        assert!(difference < 1e-9, "{by} {expected}");
    }
}

#[test]
fn states_that_are_computed_again_give_the_same_bits() {
    let case = &super::cases()[0];
    let (mut problem, run, objectives) = solved(case);
    let whole = gradient(&problem, &run, &objectives, Omitted::default()).unwrap();
    let (_, state) = problem.reference();
    problem.memory = 64 * (state.q.len() + state.x.len()) * 9;
    let run = Run::new(&problem, &objectives).unwrap();
    assert!(!run.keeps_all);
    let again = gradient(&problem, &run, &objectives, Omitted::default()).unwrap();
    for (one, other) in whole.iter().zip(&again) {
        assert_eq!(one.value.to_bits(), other.value.to_bits());
        assert_eq!(one.by, other.by);
    }

    problem.memory = 1000;
    let message = Run::new(&problem, &objectives).unwrap_err().to_string();
    assert!(message.contains("allow more memory"), "{message}");
}
