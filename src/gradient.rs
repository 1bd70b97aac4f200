//! `ipcsim gradient`: derivatives of numbers of a run by numbers of its scene, with a check by
//! differences.

use super::error::shown;
use super::{CommandError, Outcome, say};
use ipcsim::scene::{SHAPES, Source};
use ipcsim_diff::{
    Check, Checked, Error, Gradient, Objective, Omitted, Problem, Run, check, gradient,
};
use serde_json::{Value, json};
use std::fmt;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

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
/// Derivative times the size of its parameter, relative to the largest one, up to which it is rounding.
const ZERO: f64 = 1e-9;

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
    /// BODY.QUANTITY" over all steps. Quantities are x, y, `velocity_x`, `velocity_y`, angle, spin, kinetic,
    /// and of bodies with supports `reaction_x` and `reaction_y`. Can be repeated.
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
    /// Memory for states (MB). If those of all steps do not fit, they are computed again where the run goes
    /// backwards, from the states of some steps.
    #[arg(long, value_name = "MB")]
    memory: Option<usize>,
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
    let computed = found.map_err(|source| match source {
        Error::Scene(source) => CommandError::scene(&args.scene)(source),
        other => CommandError::Shape {
            file: PathBuf::from(shown(&args.scene)),
            message: other.to_string(),
        },
    })?;
    let Computed {
        problem,
        run,
        objectives,
        gradients,
        ..
    } = &computed;

    let mut text = String::new();
    let mut values = Vec::new();
    let mut is_confirmed = true;
    for of in 0..objectives.len() {
        let comparisons = computed.comparisons(of);
        is_confirmed &= comparisons.iter().all(Comparison::is_confirmed);
        let (objective, value) = (&objectives[of], gradients[of].value);
        _ = writeln!(text, "{objective} = {value:.12e}");
        let mut by = Vec::new();
        for comparison in &comparisons {
            _ = writeln!(text, "  {comparison}");
            by.push(comparison.json());
        }
        values.push(json!({"of": objective.to_string(), "value": value, "by": by}));
    }
    let adapted = run.events.adapted;
    let kinks = gradients.first().map_or(0, |gradient| gradient.kinks);
    text += &notes(run, kinks);
    if args.json {
        let all = json!({
            "gradients": values,
            "steps": problem.steps,
            "left": run.left,
            "adapted_steps": adapted,
            "kinks": kinks,
            "states": if run.keeps_all { "kept" } else { "computed again" },
            "forwards_seconds": computed.seconds[0],
            "backwards_seconds": computed.seconds[1],
        });
        text = format!("{all:#}");
    }
    say(text.trim_end())?;
    Ok(if is_confirmed {
        Outcome::Done
    } else {
        Outcome::Failed
    })
}

/// Sentences about a run: what was held fixed in it, where a derivative is of one side, and whether its states
/// fitted into the memory. `kinks` counts contacts that were about to slide or to stick, and impacts that were about to change.
fn notes(run: &Run, kinks: usize) -> String {
    let mut text = String::new();
    let adapted = run.events.adapted;
    if adapted > 0 {
        _ = writeln!(
            text,
            "{adapted} steps changed the reach or stiffness of contacts, which is held fixed"
        );
    }
    if kinks > 0 {
        _ = writeln!(
            text,
            "{kinks} times a contact was about to slide or to stick, or an impact to change, where the derivative is of one side or the mean of both"
        );
    }
    if !run.keeps_all {
        _ = writeln!(
            text,
            "states of all steps did not fit into the memory, and were computed again"
        );
    }
    text
}

/// A derivative, compared with differences if these are asked for.
pub(super) struct Comparison<'a> {
    /// Path of the parameter.
    path: &'a str,
    derivative: f64,
    /// Differences.
    checked: Option<Checked>,
    /// True if the derivative is rounding, next to those by other parameters.
    is_zero: bool,
}

impl Comparison<'_> {
    /// Relative difference from differences; 0 without these.
    fn difference(&self) -> f64 {
        let Some(checked) = self.checked else {
            return 0.0;
        };
        let size = self.derivative.abs().max(checked.derivative().abs());
        if size == 0.0 {
            return 0.0;
        }
        (self.derivative - checked.derivative()).abs() / size
    }

    /// True if differences confirm it, or nobody asks them.
    pub(super) fn is_confirmed(&self) -> bool {
        self.is_zero || self.difference() <= TOLERANCE
    }

    /// Entry for programs.
    fn json(&self) -> Value {
        let mut entry = json!({"key": self.path, "derivative": self.derivative});
        if let Some(checked) = self.checked {
            entry["by_differences"] = json!(checked.derivative());
            entry["difference"] = json!(self.difference());
            entry["widths_differ"] = json!(checked.error());
            entry["confirmed"] = json!(self.is_confirmed());
        }
        entry
    }
}

impl fmt::Display for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "by {}: {:.12e}", self.path, self.derivative)?;
        let Some(checked) = self.checked else {
            return Ok(());
        };
        let by = checked.derivative();
        if self.is_zero {
            return write!(f, "; by differences {by:.1e}: zero but for rounding");
        }
        let difference = self.difference();
        let widths = checked.error();
        write!(
            f,
            "; by differences {by:.12e}, apart by {difference:.1e} of it, their widths by {widths:.1e}"
        )
    }
}

/// Results of the command.
struct Computed {
    problem: Problem,
    run: Run,
    objectives: Vec<Objective>,
    gradients: Vec<Gradient>,
    checked: Option<Check>,
    /// Time of the run, and of the way back.
    seconds: [f64; 2],
}

impl Computed {
    /// Derivatives of an objective, by its number.
    fn comparisons(&self, of: usize) -> Vec<Comparison<'_>> {
        let checked = self.checked.as_ref().map(|checked| &checked[of][..]);
        comparisons(&self.problem, &self.gradients[of], checked)
    }
}

/// Derivatives of a number by all parameters of a problem, with differences if there are any.
pub(super) fn comparisons<'a>(
    problem: &'a Problem,
    gradient: &Gradient,
    checked: Option<&[Checked]>,
) -> Vec<Comparison<'a>> {
    let by = &gradient.by;
    let parameters = problem.parameters.iter().zip(by);
    let sizes = parameters.map(|(parameter, by)| {
        let size = parameter.value.abs();
        by.abs() * if size == 0.0 { 1.0 } else { size }
    });
    let sizes: Vec<f64> = sizes.collect();
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let all = problem.parameters.iter().enumerate();
    let comparisons = all.map(|(number, parameter)| Comparison {
        path: &parameter.path,
        derivative: by[number],
        checked: checked.map(|checked| checked[number]),
        is_zero: sizes[number] <= ZERO * largest,
    });
    comparisons.collect()
}

/// Runs the scene of a source forwards and backwards.
fn computed(args: &GradientArgs, source: &Source) -> Result<Computed, Error> {
    let mut problem = Problem::new(source, &args.with_respect_to, args.steps)?;
    if let Some(memory) = args.memory {
        problem.memory = memory.saturating_mul(1_000_000);
    }
    let objectives = args.of.iter().map(|text| Objective::read(&problem, text));
    let objectives: Vec<Objective> = objectives.collect::<Result<_, _>>()?;
    let start = Instant::now();
    let run = Run::new(&problem, &objectives)?;
    let forwards = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let gradients = gradient(&problem, &run, &objectives, Omitted::default())?;
    let backwards = start.elapsed().as_secs_f64();
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
        seconds: [forwards, backwards],
    })
}
