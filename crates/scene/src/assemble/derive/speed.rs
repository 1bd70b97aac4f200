//! Defaults of speeds: where friction is fully developed, and where Newton's method stops.

use super::reasoned::Reasoned;
use super::row::Rows;
use super::traits::Traits;
use crate::schema::{Restitution, Scene, Scheme};
use ipcsim_contact::{PairScale, RestSpeed};
use ipcsim_core::solve::Pace;
use ipcsim_math::number::short;

/// Default of `eps_v` relative to the size of a body (1/s).
///
/// Larger, bodies at rest creep visibly; smaller, friction needs more Newton iterations.
const CREEP: f64 = 1e-3;

/// Default of the tolerance relative to `eps_v` (1) where there is no friction, and nothing to
/// creep.
const COARSER: f64 = 10.0;

/// Default of the imbalance relative to the tolerance (1).
///
/// Larger, forces are less right than motions; smaller, steps need more Newton iterations.
const OF_TOLERANCE: f64 = 0.01;

/// Number of steps in which weight and forces give a body the speed up to which it does not
/// rebound.
///
/// Smaller, bodies at rest take the weight of a few steps for an impact and rattle; larger, slow
/// rebounds are lost.
const RESTING_STEPS: f64 = 2.0;

/// Default of the error of places in statics, relative to the size of a body (1).
const NEARNESS: f64 = 1e-6;

/// Default of the error of forces in statics, relative to the weight and loads of a body (1).
const BALANCE: f64 = 1e-9;

/// Strain (1) that prescribed motion is supposed to make where no force acts on any body.
const STRAIN: f64 = 1e-3;

/// Speeds at which solves end.
pub(in crate::assemble) struct Speeds {
    /// Largest tolerance of a body (m/s).
    pub tolerance: f64,
    /// Largest imbalance of a body (m/s).
    pub imbalance: f64,
    /// What speeds of each body count for.
    pub pace: Pace,
    /// Time by which statics counts lengths and forces as speeds (s).
    pub clock: f64,
    /// Tolerance and imbalance (m/s) of a search for equilibrium: the least ones of all bodies.
    pub settling: [f64; 2],
}

/// Speeds of bodies at which friction is developed (m/s), `[bodies]`. A pair has the smaller one.
pub(super) fn creep(bodies: &[Traits]) -> Vec<Reasoned> {
    let creep = bodies.iter().map(|body| Reasoned {
        value: CREEP * body.hardness.size,
        reason: format!(
            "{} % of its size of {} m in a second",
            short(100.0 * CREEP),
            short(body.hardness.size)
        ),
    });
    creep.collect()
}

/// Approach speeds up to which pairs of bodies stay together in steps of length `h` (s), if pairs
/// have coefficients of restitution. Adds them to the `rows`.
pub(super) fn resting(
    restitution: &Restitution,
    h: f64,
    bodies: &[Traits],
    rows: &mut Rows,
) -> RestSpeed {
    // A speed of the scene is for all pairs, whatever pushes them.
    if let Some(speed) = restitution.rest_speed {
        rows.given("rest_speed", speed, "m/s");
        return RestSpeed {
            least: PairScale::uniform(speed),
            pushed: Vec::new(),
        };
    }

    let least: Vec<f64> = creep(bodies).iter().map(|own| own.value).collect();
    let of_body = |body: &Traits| RESTING_STEPS * h * body.hardness.acceleration;
    let pushed: Vec<f64> = bodies.iter().map(of_body).collect();

    if restitution.acts() {
        let own = pushed.iter().zip(&least).map(|(&pushed, &least)| Reasoned {
            value: pushed.max(least),
            reason: if pushed > least {
                format!("what weight and forces give it in {RESTING_STEPS} steps")
            } else {
                format!("{CREEP} of its size, per second")
            },
        });
        rows.add("rest_speed", "m/s", own.collect());
    }
    RestSpeed {
        least: PairScale::of_bodies(least),
        pushed,
    }
}

impl Speeds {
    /// Tolerances and imbalances of all bodies, with the speeds `eps_v` of pairs; `rubs` is true
    /// for each body that may have friction. Adds them to the `rows`.
    pub(super) fn derive(
        scene: &Scene,
        bodies: &[Traits],
        eps_v: &PairScale,
        rubs: &[bool],
        rows: &mut Rows,
    ) -> Self {
        let clock = clock(bodies);
        let is_static = scene.time.integrator == Scheme::Static;
        let pushed = strongest(bodies);

        let tolerances = rows.speeds("tolerance", scene.tolerance(), || {
            // Statics has no speeds: a length counts over the clock.
            if is_static {
                return bodies.iter().map(|body| nearness(body, clock)).collect();
            }
            let each = bodies.iter().zip(rubs).enumerate();
            each.map(|(k, (body, &rubs))| tolerance(body, rubs, eps_v.between(k, k)))
                .collect()
        });

        let imbalances = rows.speeds("imbalance", scene.imbalance(), || {
            if is_static {
                return bodies
                    .iter()
                    .map(|body| balance(body, pushed, clock))
                    .collect();
            }
            let each = tolerances.iter().map(|tolerance| Reasoned {
                value: OF_TOLERANCE * tolerance,
                reason: format!("{OF_TOLERANCE} of the tolerance"),
            });
            each.collect()
        });

        let largest = |speeds: &[f64]| speeds.iter().copied().fold(0.0, f64::max);
        Self {
            tolerance: largest(&tolerances),
            imbalance: largest(&imbalances),
            pace: Pace::of(&tolerances, &imbalances),
            clock,
            settling: [
                least(bodies, |body| nearness(body, clock)),
                least(bodies, |body| balance(body, pushed, clock)),
            ],
        }
    }
}

/// Tolerance of a body (m/s) that `rubs` or does not, with the speed `eps_v` (m/s) at which its
/// friction is developed; 0 for obstacles.
///
/// Friction holds a body that moves slower than `eps_v`; a coarser solver lets it creep.
fn tolerance(body: &Traits, rubs: bool, eps_v: f64) -> Reasoned {
    let factor = if rubs { 1.0 } else { COARSER };
    let reason = if rubs {
        "equal to eps_v, so that bodies held by friction do not creep".to_owned()
    } else {
        format!("{COARSER} times eps_v, as there is no friction")
    };
    let moves = body.hardness.mass > 0.0;
    Reasoned {
        value: if moves { factor * eps_v } else { 0.0 },
        reason,
    }
}

/// Acceleration (m/s^2) by which forces on a body count: that of its weight and loads, or of its own
/// stiffness at a strain of [`STRAIN`]. A body without any of these counts as one with `L/s^2`.
fn push(body: &Traits) -> f64 {
    let hardness = &body.hardness;
    if hardness.acceleration > 0.0 {
        hardness.acceleration
    } else if hardness.stiffness.is_finite() {
        STRAIN * hardness.stiffness / hardness.mass
    } else {
        hardness.size
    }
}

/// Bodies that move.
fn moving(bodies: &[Traits]) -> impl Iterator<Item = &Traits> {
    let moves = |body: &&Traits| body.hardness.mass > 0.0;
    bodies.iter().filter(moves)
}

/// Largest acceleration by weight and loads (m/s^2) of a body; without any, the largest [`push`].
fn strongest(bodies: &[Traits]) -> f64 {
    let loads = moving(bodies).map(|body| body.hardness.acceleration);
    let loads = loads.fold(0.0, f64::max);
    if loads > 0.0 {
        loads
    } else {
        moving(bodies).map(push).fold(0.0, f64::max)
    }
}

/// Time (s) in which the strongest loads carry a body by its own size, `sqrt(L / a)`: the least of
/// all bodies. 1 s without bodies that move.
///
/// In statics it turns lengths and forces into speeds, and scales the mass that holds bodies back.
fn clock(bodies: &[Traits]) -> f64 {
    let each = moving(bodies).map(|body| (body.hardness.size / push(body)).sqrt());
    let least = each.fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// Tolerance of a body in statics (m/s), by a `clock` (s).
fn nearness(body: &Traits, clock: f64) -> Reasoned {
    let moves = body.hardness.mass > 0.0;
    Reasoned {
        value: if moves {
            NEARNESS * body.hardness.size / clock
        } else {
            0.0
        },
        reason: format!("statics: {NEARNESS} of its size in {} s", short(clock)),
    }
}

/// Imbalance of a body in statics (m/s), by a `clock` (s): a share of its own loads, or, if it has
/// none, of the acceleration `pushed` (m/s^2) of others.
fn balance(body: &Traits, pushed: f64, clock: f64) -> Reasoned {
    let own = body.hardness.acceleration;
    let acceleration = if own > 0.0 { own } else { pushed };
    let moves = body.hardness.mass > 0.0;

    Reasoned {
        value: if moves {
            BALANCE * acceleration * clock
        } else {
            0.0
        },
        reason: format!(
            "statics: {BALANCE} of weight and loads in {} s",
            short(clock)
        ),
    }
}

/// Least speed (m/s) of the bodies that move; 1 m/s without any.
fn least(bodies: &[Traits], speed: impl Fn(&Traits) -> Reasoned) -> f64 {
    let each = moving(bodies).map(|body| speed(body).value);
    let least = each.fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}
