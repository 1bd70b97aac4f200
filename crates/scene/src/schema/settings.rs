//! Settings of time, solver and output.
//!
//! None of them changes what the scene is. Time step and integrator decide how accurate and how damped
//! the motion is, the tolerance when a step has converged, and the output which states and pictures are
//! written.

use super::Scheme;
use super::is_default;
use super::results::{Probe, Section, Vtu, vtu};
use super::selection::Bounds;
use ipcsim_keys::Keys;
use ipcsim_sparse::LinearSolver;
use serde::{Deserialize, Serialize};

/// Largest number of steps: years of computing.
const MOST_STEPS: usize = 1_000_000_000;

/// What Newmark's parameter must be, and why. Above 1 the force of the start would act backwards.
const NEWMARK: &str = "be from 0.5 to 1; below 0.5 vibrations grow, and at 0.5 none is damped";

/// Time step and number of steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// Time step `h` (s).
    #[key(above = 0)]
    pub step: f64,
    /// Number of steps of a run.
    #[key(limit = MOST_STEPS)]
    pub steps: usize,
    /// Integrator in time: how positions and velocities at the end of a step follow from forces.
    #[serde(default, skip_serializing_if = "is_default")]
    pub integrator: Scheme,
    /// Newmark's parameter `gamma` of the integrator `"trapezoid"` (1): the share of elastic
    /// forces and loads at the end of a step; if absent 0.5. More damps vibrations, and is of
    /// first order. The other parameter, `beta`, is half of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0.5, at_most = 1, must = NEWMARK)]
    pub gamma: Option<f64>,
    /// Substeps within each step, whose lengths follow from an estimate of their error; if absent
    /// each step is solved as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<Adaptive>,
    /// Statics: increments along the path of equilibria, whose load time is an unknown, so that it is
    /// followed beyond limit points; if absent the load time grows by `step` in each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arc_length: Option<ArcLength>,
    /// Treatment of the energy that the integrator takes or adds by the length of the step.
    #[serde(default, skip_serializing_if = "is_default")]
    pub energy: EnergyTarget,
    /// Condition at which a run ends before its last step: `"rest"`, or comparisons as
    /// `"t > 1 and ball.x > 2.5"` of `t` (s) and of quantities of the scene and of bodies, as `speed`,
    /// `kinetic`, `gap`, `ball.y`, `ball.vx`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(example = "rest", example = "t > 1 and ball.x > 2.5")]
    pub until: Option<String>,
}

/// Treatment of the energy that the integrator takes or adds.
///
/// Friction, damping, restitution, plastic flow, loads and scripts do their work in either case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum EnergyTarget {
    /// The integrator's loss stays one.
    #[default]
    Free,
    /// Velocities get it back at the end of each step; places stay as the integrator has them. For
    /// bodies that bounce, swing or spin for long, best with `bdf2`. A body that comes to rest only
    /// by the length of the step then does not: give it friction, damping or restitution.
    Kept,
}

/// Substeps within each step, whose lengths follow from an estimate of their error.
///
/// States, forces and energies are written at the ends of steps, as without it: substeps never go
/// beyond one, so choose a `step` as long as results may be apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Adaptive {
    /// Largest local error of a substep, as a displacement of a vertex (m). A hundredth to a
    /// thousandth of `d_hat` resolves impacts.
    #[key(above = 0)]
    pub tolerance: f64,
    /// Length below which substeps are not divided further (s), whatever their error; at most
    /// `step`.
    #[key(above = 0)]
    pub smallest: f64,
}

/// Statics along a path of equilibria: the load time of each increment is an unknown.
///
/// Loads, prescribed motion and temperature are functions of the load time, which the column `time`
/// of `energies.csv` has. It grows at first, and falls beyond a limit point. An increment with the
/// mean square displacement `w` of all that can move, by mass, and the change `t` of the load time
/// has `(w / length)^2 + (t / step)^2 = 1`: neither exceeds its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct ArcLength {
    /// Largest displacement of an increment (m): a twentieth to a hundredth of the displacement
    /// that is of interest.
    #[key(above = 0)]
    pub length: f64,
}

impl Time {
    /// A time step `h` (s), and the number of steps of a run, by implicit Euler.
    pub fn new(step: f64, steps: usize) -> Self {
        Self {
            step,
            steps,
            integrator: Scheme::default(),
            gamma: None,
            adaptive: None,
            arc_length: None,
            energy: EnergyTarget::default(),
            until: None,
        }
    }

    /// Static increments along a path of equilibria, with this largest displacement of each (m).
    #[must_use]
    pub fn along(self, length: f64) -> Self {
        Self {
            integrator: Scheme::Static,
            arc_length: Some(ArcLength { length }),
            ..self
        }
    }

    /// Time (s) at which animations and lists of files have a state, which grows from one to the next:
    /// its own, or along a path, where that may fall, `step` times its number.
    pub fn shown(&self, step: usize, time: f64) -> f64 {
        match self.arc_length {
            Some(_) => self.step * step as f64,
            None => time,
        }
    }

    /// The same steps, whose velocities get back what the integrator takes of the energy.
    #[must_use]
    pub fn keeping_energy(self) -> Self {
        Self {
            energy: EnergyTarget::Kept,
            ..self
        }
    }

    /// The same steps by Newmark's method with this parameter (1), from 0.5 to 1.
    #[must_use]
    pub fn by_newmark(self, gamma: f64) -> Self {
        Self {
            integrator: Scheme::Trapezoid,
            gamma: Some(gamma),
            ..self
        }
    }

    /// The same steps by another integrator.
    #[must_use]
    pub fn by(self, integrator: Scheme) -> Self {
        Self { integrator, ..self }
    }
}

/// Settings of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Solver {
    /// Speed of the Newton direction below which a step has converged (m/s), for all bodies; if
    /// absent `eps_v` of each body that may have friction, and ten times that for the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub tolerance: Option<f64>,
    /// Imbalance of forces below which a step has converged (m/s): the speed that the forces left
    /// over on a body would give it in a step, in the mean square over the body. Contact forces are
    /// right to its ratio with gravity times the time step. If absent a hundredth of the tolerance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub imbalance: Option<f64>,
    /// Largest number of Newton directions in one solve.
    #[serde(default = "default_max_iterations")]
    #[key(at_least = 1)]
    pub max_iterations: usize,
    /// Implementation of the sparse Cholesky factorisation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub linear: LinearSolver,
    /// True for products that are fused with sums in ipcsim's own factorisation: steps of large scenes
    /// are a little shorter, and bits depend on the processor. Without it they are the same everywhere.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fused: bool,
    /// Sleep: groups of bodies at rest stay where they are, and steps solve nothing for them, until
    /// something comes near them or acts on them; if absent nobody sleeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleep: Option<Sleep>,
}

/// When groups of bodies at rest sleep, by implicit Euler in steps of one length.
///
/// A body that would have moved slower than `speed` stays where it is: its place is wrong by at most
/// `speed` times the time that it sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Sleep {
    /// Speed of a vertex up to which a body is quiet (m/s); if absent the speed of each body's
    /// `imbalance`, which is within the remainder that the solver leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub speed: Option<f64>,
    /// Number of quiet steps in a row after which a body may sleep.
    #[serde(default = "default_quiet_steps")]
    #[key(at_least = 1)]
    pub steps: u32,
}

impl Default for Sleep {
    /// Derived speeds, and the default of every other key.
    fn default() -> Self {
        Self {
            speed: None,
            steps: default_quiet_steps(),
        }
    }
}

impl Solver {
    /// The factorisation that all keys ask for.
    pub fn factorisation(&self) -> LinearSolver {
        match self.linear {
            LinearSolver::Multifrontal if self.fused => LinearSolver::Fused,
            other => other,
        }
    }
}

impl Default for Solver {
    /// A tolerance that is derived, and the default of every other key.
    fn default() -> Self {
        Self {
            tolerance: None,
            imbalance: None,
            max_iterations: default_max_iterations(),
            linear: LinearSolver::default(),
            fused: false,
            sleep: None,
        }
    }
}

/// Settings of the files and frames that a run writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Steps from one written state to the next; the last state is always written.
    #[serde(default = "default_every")]
    #[key(at_least = 1)]
    pub every: usize,
    /// Written states from one frame to the next; the last state always has a frame. Tables and the
    /// trajectory have every written state.
    #[serde(default = "default_every", skip_serializing_if = "is_one")]
    #[key(at_least = 1)]
    pub frames_every: usize,
    /// Width of frames (pixels).
    #[serde(default = "default_width")]
    // Larger pictures take more than 4 GB.
    #[key(at_least = 16, at_most = 16384)]
    pub width: u32,
    /// Height of frames (pixels).
    #[serde(default = "default_height")]
    #[key(at_least = 16, at_most = 16384)]
    pub height: u32,
    /// Area that frames show (m); if absent it holds bodies, obstacles and the reach of scripted
    /// motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Bounds>,
    /// True if frames show the symbols of loads, supports and joints.
    #[serde(default, skip_serializing_if = "is_default")]
    pub diagram: bool,
    /// Largest number of rows of `forces.csv`; 0 writes no file. A table that would have more has
    /// every second step instead, or fewer, up to the end of the run; `run.json` has the steps from
    /// one to the next under `thinned`.
    #[serde(default = "default_rows")]
    pub force_rows: usize,
    /// Largest number of rows of `joints.csv`, as `force_rows`.
    #[serde(default = "default_rows", skip_serializing_if = "has_default_rows")]
    pub joint_rows: usize,
    /// Largest number of rows of `bodies.csv`, as `force_rows`.
    #[serde(default = "default_rows", skip_serializing_if = "has_default_rows")]
    pub body_rows: usize,
    /// Files with all contacts of the written states.
    #[serde(default, skip_serializing_if = "is_default")]
    pub contacts: ContactFiles,
    /// Files with fields of the written states for `ParaView`, in the folder `fields`: `true` for all
    /// fields of all written states.
    #[serde(
        default,
        deserialize_with = "vtu",
        skip_serializing_if = "Option::is_none"
    )]
    #[key(or_flag)]
    pub vtu: Option<Vtu>,
    /// Velocities of all vertices at the written states, in a file `velocities.npy` like
    /// `trajectory.npy`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocities: bool,
    /// Where energy and momentum come from and go, as further columns of `energies.csv` and a chart
    /// `ledger.png`: work of loads, scripts, friction and restitution, losses of the integrator, impulses.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ledger: bool,
    /// Points of bodies whose motion and stress are listed in `probes.csv`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<Probe>,
    /// Lines through bodies at whose points motion and stress are listed in `sections.csv`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
}

/// Files with all contacts of the written states: gap, normal force, friction and slip of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum ContactFiles {
    /// No file.
    #[default]
    None,
    /// A table as text, `contacts.csv`.
    Csv,
    /// A table of binary numbers with named columns, `contacts.npy`.
    Npy,
    /// Both files.
    Both,
}

impl ContactFiles {
    /// True if contacts are written as text.
    pub fn csv(self) -> bool {
        matches!(self, Self::Csv | Self::Both)
    }

    /// True if contacts are written as binary numbers.
    pub fn npy(self) -> bool {
        matches!(self, Self::Npy | Self::Both)
    }
}

impl Default for Output {
    /// Every state, and frames around everything in the scene.
    fn default() -> Self {
        Self {
            every: default_every(),
            frames_every: default_every(),
            width: default_width(),
            height: default_height(),
            view: None,
            diagram: false,
            force_rows: default_rows(),
            joint_rows: default_rows(),
            body_rows: default_rows(),
            contacts: ContactFiles::default(),
            vtu: None,
            velocities: false,
            ledger: false,
            probes: Vec::new(),
            sections: Vec::new(),
        }
    }
}

/// Default of the largest number of Newton directions in one solve.
fn default_max_iterations() -> usize {
    500
}

/// Default of the quiet steps after which a body may sleep.
fn default_quiet_steps() -> u32 {
    10
}

/// Default of the steps from one written state to the next, and of states from one frame to the next.
fn default_every() -> usize {
    1
}

/// True if every written state has a frame, which is the default.
fn is_one<T: PartialEq + From<u8>>(every: &T) -> bool {
    *every == T::from(1)
}

/// Default of the largest number of rows of a table with a row per pair, joint or body and step.
fn default_rows() -> usize {
    100_000
}

/// True if a table may have as many rows as by default.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
fn has_default_rows(rows: &usize) -> bool {
    *rows == default_rows()
}

/// Default of the width of frames (pixels).
fn default_width() -> u32 {
    1280
}

/// Default of the height of frames (pixels).
fn default_height() -> u32 {
    720
}
