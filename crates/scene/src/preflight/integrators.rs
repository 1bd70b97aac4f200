//! Warnings of scenes that ask too much of their integrator.
//!
//! Implicit Euler and `bdf2` have no limit but their damping (see the room `rates`). The trapezoid
//! damps nothing: vibrations that its step does not resolve continue, and where a stiff body turns
//! they can grow. With a larger parameter of Newmark's it damps those that steps resolve, and hardly
//! the others. Joints without springs act in it as contact does, with the force of the end of the step,
//! so that their motion is of the first order.

use super::proportions::extent;
use crate::assemble::Setup;
use crate::problem::Problem;
use crate::schema::Scheme;
use ipcsim_math::number::short;

/// Number of sizes of a body that sound may cross in a step of the trapezoid (1).
///
/// A square that turns once a second gains no energy at 12 sizes and a turn of 1 degree a step, and
/// thousands of times its energy at 50 sizes and 4 degrees.
const SIZES: f64 = 10.0;

/// All warnings of this file.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let scheme = setup.scene.time.integrator;
    let stiff = (scheme == Scheme::Trapezoid).then(|| stiffest(setup));
    let halves = matches!(scheme, Scheme::Trapezoid | Scheme::TrBdf2);
    let joints = &setup.world.model.joints;
    let is_stiff = joints.iter().any(|joint| !joint.is_sprung());
    let jointed = (halves && is_stiff).then(|| {
        let message = format!(
            "{} takes forces of joints without springs from the end of the step, so that bodies on \
             joints move with first order and lose energy; use \"bdf2\", which is of second order with \
             joints",
            scheme.words()
        );
        Problem::warning("time.integrator", message)
    });

    stiff.flatten().into_iter().chain(jointed).collect()
}

/// Warning of the body that sound crosses most often in a step, `h sqrt(E / rho)` over its size, if
/// that is too often.
fn stiffest(setup: &Setup) -> Option<Problem> {
    let scene = &setup.scene;
    let h = setup.world.h;
    let crossed = scene.bodies.iter().enumerate().filter_map(|(k, body)| {
        let material = scene.materials.get(&body.material)?;
        let stiffness = body.kind.rules().stiffness(material.law.as_ref())?;
        let size = extent(setup, &setup.world.bodies[k]).norm();
        Some((h * (stiffness / material.density).sqrt() / size, k))
    });

    let (times, k) = crossed.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (times > SIZES).then(|| {
        let message = format!(
            "sound crosses \"{}\" {} times in a step; the trapezoid damps {}, and what the \
             step does not resolve may grow where the body turns; use \"tr_bdf2\" or \"bdf2\", or a \
             time.step of {:.1e} s or less",
            setup.world.bodies[k].name,
            short(times),
            if scene.time.gamma.is_some_and(|gamma| gamma > 0.5) {
                "so short a vibration hardly"
            } else {
                "no vibration"
            },
            h / times
        );
        Problem::warning("time.integrator", message)
    })
}
