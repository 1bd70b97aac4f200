//! Default of `kappa`, the stiffness of the barrier, and of the stiffness of affine bodies.

use super::reasoned::Reasoned;
use super::traits::Traits;
use ipcsim_contact::barrier::BarrierShape;
use ipcsim_contact::{Barriers, LEAST_OF_MATERIAL, PRESSURES};

/// Default stiffness of affine bodies relative to that of their barrier (1).
///
/// Smaller, bodies deform visibly under their weight; larger, the Newton system loses digits.
const AFFINE: f64 = 250.0;

/// Stiffness of the barrier of each body with one of its own kind (Pa), `[bodies]`.
pub(super) fn kappas(bodies: &[Traits]) -> Vec<Reasoned> {
    let hardness = bodies.iter().map(|body| body.hardness).collect();
    let barriers = Barriers::of_bodies(BarrierShape::default(), hardness);
    let kappas = bodies.iter().enumerate().map(|(k, body)| {
        let value = barriers.kappa(k, k);
        let material = body.hardness.stiffness;
        let reason = if value >= material {
            "stiffness of the material, which is softer than contact needs".to_owned()
        } else if value <= LEAST_OF_MATERIAL * material && material.is_finite() {
            format!("{LEAST_OF_MATERIAL} of the stiffness of the material, the least for it")
        } else if body.hardness.acceleration > 0.0 || body.hardness.speed > 0.0 {
            format!("{PRESSURES} times the pressure of weight, forces and speed")
        } else {
            format!(
                "nothing loads it: {PRESSURES} times the pressure of an acceleration by its size in a s^2"
            )
        };
        Reasoned { value, reason }
    });
    kappas.collect()
}

/// Stiffness of affine bodies that have none of their own (Pa), 0 for all others, `[bodies]`.
pub(super) fn affine(bodies: &[Traits]) -> Vec<Reasoned> {
    let stiffness = bodies.iter().map(|body| Reasoned {
        value: if body.lacks_stiffness {
            AFFINE * PRESSURES * body.hardness.pressure(body.hardness.speed)
        } else {
            0.0
        },
        reason: format!("{AFFINE} times the barrier's, with which affine bodies hardly deform"),
    });
    stiffness.collect()
}
