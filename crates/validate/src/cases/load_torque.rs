//! Torques on bodies of several kinds.
//!
//! The torque on a free disk rises to `M` in the time `t_r` and stays. Its integral is the angular
//! momentum: `M t^2 / 2 t_r` while it rises, `M (t - t_r / 2)` after that.
//!
//! Implicit Euler adds `h M(t_k)` to the momentum of a rigid body in each step. That sum is the
//! expected value for it, to 1e-12. Affine and deformable bodies turn by forces on their vertices
//! and lose spin to the integrator; with the backward differences of second order they agree with
//! the integral to 2e-3.

use crate::scenes::{Exact, RUBBER, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::cross;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "load_torque",
    title: "A torque that rises and stays",
    proves: "A torque gives any kind of body its angular momentum: as the angle of a rigid body, as forces on all others.",
    formula: "L = integral of M dt; for rigid bodies h sum M(t_k) exactly",
    source: "Euler's law of angular momentum",
    weight: Weight::Quick,
    run,
};

/// Step (s), number of steps.
const H: f64 = 0.005;
const STEPS: usize = 200;
/// Torque (N m) that is reached at the time (s), and stays.
const TORQUE: f64 = 0.1;
const RISE: f64 = 0.5;

/// Angular momentum at a time (s).
fn momentum(t: f64) -> f64 {
    let risen = t.min(RISE);
    TORQUE * (0.5 * risen * risen / RISE + (t - risen))
}

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angular momentum (N m s)"));
    let end = H * STEPS as f64;
    outcome.plot.curve("exact", [0.0, end], momentum);

    // A rigid body by implicit Euler: the sum of the torques of all steps.
    let rigid = measured(Kind::Rigid, Scheme::ImplicitEuler)?;
    let torque = |k: usize| TORQUE * (H * k as f64 / RISE).min(1.0);
    let sum: f64 = (1..=STEPS).map(|k| H * torque(k)).sum();
    let got = rigid[STEPS - 1][1];
    outcome.relative("rigid", "N m s", sum, got, 1e-12);
    outcome.plot.points("rigid", rigid);

    // Bodies without an angle lose spin by the integrator, of the second order here.
    for (label, kind) in [
        ("affine", Kind::Affine(Affine::default())),
        ("deformable", Kind::Deformable),
    ] {
        let points = measured(kind, Scheme::Bdf2)?;
        let got = points[STEPS - 1][1];
        outcome.relative(label, "N m s", momentum(end), got, 2e-3);
        outcome.plot.points(label, points);
    }
    Ok(outcome)
}

/// Times (s) and angular momenta (N m s) of a disk that the torque turns.
fn measured(kind: Kind, integrator: Scheme) -> Result<Vec<[f64; 2]>, Error> {
    let torque = Table {
        times: vec![0.0, RISE],
        values: vec![0.0, TORQUE],
    };
    let disk = Body::new("disk", kind, Disk::new(0.1, 16), RUBBER);
    let mut scene = scene(H, STEPS)
        .tolerance(1e-11)
        .weightless()
        .elastic(Law::neo_hookean(1e7, 0.3))
        .with_body(disk)
        .with_load(Load::torque("disk", Varying::Table(torque)));
    scene.time.integrator = integrator;

    let mut simulation = Simulation::new(scene)?;
    let mut points = Vec::new();
    for _ in 0..STEPS {
        simulation.step()?;
        points.push([simulation.time(), spin(&simulation)?]);
    }
    Ok(points)
}

/// Angular momentum (N m s) about the origin.
///
/// A rigid body has one angle, and its momentum is `I w`. All others have `sum of m c x v` over
/// their nodes.
fn spin(simulation: &Simulation) -> Result<f64, Error> {
    let disk = simulation.body("disk")?;
    let mass = &simulation.world().model.mass;
    let state = simulation.state();
    let nodes = disk.body().nodes.clone();
    if let Some(spin) = disk.q_dot().get(1).filter(|_| disk.angle().is_some()) {
        return Ok(mass[nodes.start + 1].x * spin.x);
    }
    let moments = nodes.map(|node| mass[node].x * cross(state.q[node], state.q_dot[node]));
    Ok(moments.sum())
}
