//! `ipcsim gradient`: derivatives of numbers of a run by numbers of its scene, with a check by
//! differences.

use super::error::shown;
use super::{CommandError, Outcome, say};
use ipcsim::scene::{SHAPES, Source};
use ipcsim_diff::{Check, Error, Gradient, Objective, Omitted, Problem, Run, check, gradient};
use serde_json::json;
use std::path::PathBuf;

/// Exit codes, at the end of the help.
pub(super) const AFTER_HELP: &str = "\
Examples:
  ipcsim gradient scene.json --of block.x --with-respect-to contact.friction.default
  ipcsim gradient scene.json --of ball.y --of \"mean of ball.kinetic\" \\
    --with-respect-to materials.steel.young --with-respect-to bodies.ball.velocity.0 --check

Exit codes:
  0  success
  1  a step failed, or with --check a derivative differs
  2  bad input or usage, or something has no derivative";

/// Relative difference above which a derivative is not confirmed.
const TOLERANCE: f64 = 1e-6;

/// Compute derivatives of numbers of a run by numbers of its scene, through contact and friction.
///
/// The run goes forwards once, and backwards once for all parameters. Steps end where forces balance to
/// rounding, so states differ from those of ipcsim run within its tolerance. Numbers that the scene
/// leaves out are constants: reach and stiffness of contact, speeds of friction.
#[derive(Debug, clap::Args)]
pub(super) struct GradientArgs {
    /// Scene file (JSON); - is standard input.
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Number to differentiate: BODY.QUANTITY at the end of the run, or "mean of BODY.QUANTITY" or "sum of
    /// BODY.QUANTITY" over all steps. Quantities are x, y, velocity_x, velocity_y, angle, spin, kinetic,
    /// and of bodies with supports reaction_x and reaction_y. Can be repeated.
    #[arg(long, required = true, value_name = "NUMBER")]
    of: Vec<String>,
    /// Path of a number of the scene, such as materials.steel.young or bodies.ball.velocity.0. Can be
    /// repeated.
    #[arg(long, required = true, value_name = "KEY")]
    with_respect_to: Vec<String>,
    /// Compare with central differences between runs of other values, and exit with code 1 if a derivative
    /// differs by more than 1e-6 of it.
    #[arg(long)]
    check: bool,
    /// Number of steps, instead of the scene's.
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Replace a value of the scene, for example time.step=0.005. Can be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print an object for programs.
    #[arg(long)]
    json: bool,
}

/// Runs `ipcsim gradient`.
///
/// # Errors
/// If the scene cannot be used, or something has no derivative.
pub(super) fn run(args: &GradientArgs) -> Result<Outcome, CommandError> {
    let found = Source::read(&args.scene, &args.set, SHAPES)
        .map_err(Error::from)
        .and_then(|source| computed(args, &source));
    let Computed {
        problem,
        run,
        objectives,
        gradients,
        checked,
    } = found.map_err(|source| match source {
        Error::Scene(source) => CommandError::scene(&args.scene)(source),
        other => CommandError::Shape {
            file: PathBuf::from(shown(&args.scene)),
            message: other.to_string(),
        },
    })?;

    let largest = |of: usize| {
        gradients[of]
            .by
            .iter()
            .fold(0.0, |most: f64, by| most.max(by.abs()))
    };
    let mut is_confirmed = true;
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for (of, (objective, gradient)) in objectives.iter().zip(&gradients).enumerate() {
        lines.push(format!("{objective} = {:.12e}", gradient.value));
        let mut by = Vec::new();
        for (number, parameter) in problem.parameters.iter().enumerate() {
            let derivative = gradient.by[number];
            let mut line = format!("  by {}: {derivative:.12e}", parameter.path);
            let mut entry = json!({"key": parameter.path, "derivative": derivative});
            if let Some(checked) = &checked {
                let one = checked[of][number];
                let size = derivative.abs().max(one.derivative().abs());
                let difference = if size == 0.0 {
                    0.0
                } else {
                    (derivative - one.derivative()).abs() / size
                };
                let is_zero = size < 1e-12 * largest(of);
                is_confirmed &= difference <= TOLERANCE || is_zero;
                line += &format!(
                    "; by differences {:.12e}, apart by {difference:.1e} (widths by {:.1e})",
                    one.derivative(),
                    one.error()
                );
                entry["by_differences"] = json!(one.derivative());
                entry["difference"] = json!(difference);
                entry["widths_differ"] = json!(one.error());
            }
            lines.push(line);
            by.push(entry);
        }
        values.push(json!({"of": objective.to_string(), "value": gradient.value, "by": by}));
    }
    if run.events.adapted > 0 {
        lines.push(format!(
            "{} steps changed the reach or stiffness of contacts, which is held fixed",
            run.events.adapted
        ));
    }
    if args.json {
        let all = json!({
            "gradients": values,
            "steps": problem.steps,
            "left": run.left,
            "adapted_steps": run.events.adapted,
        });
        say(&format!("{all:#}"))?;
    } else {
        say(&lines.join("\n"))?;
    }
    Ok(if is_confirmed {
        Outcome::Done
    } else {
        Outcome::Failed
    })
}

/// Results of the command.
struct Computed {
    problem: Problem,
    run: Run,
    objectives: Vec<Objective>,
    gradients: Vec<Gradient>,
    checked: Option<Check>,
}

/// Runs the scene of a source forwards and backwards.
fn computed(args: &GradientArgs, source: &Source) -> Result<Computed, Error> {
    let problem = Problem::new(source, &args.with_respect_to, args.steps)?;
    let objectives = args.of.iter().map(|text| Objective::read(&problem, text));
    let objectives: Vec<Objective> = objectives.collect::<Result<_, _>>()?;
    let run = Run::new(&problem)?;
    let gradients = gradient(&problem, &run, &objectives, Omitted::default())?;
    let checked = if args.check {
        Some(check(&problem, &run, &objectives)?)
    } else {
        None
    };
    Ok(Computed {
        problem,
        run,
        objectives,
        gradients,
        checked,
    })
}
