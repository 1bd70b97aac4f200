//! Bodies whose loads change within a step: they wake, with the bodies near them.

use crate::body::Applied;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_math::varying::Varying;

/// True for each body, `[bodies]`, whose loads a step changes:
///
/// - a prescribed position that is elsewhere at the end, that begins or that ends;
/// - a load that has another strength at the end than at the start;
/// - a chamber into which gas flows, and pipes that open or close;
/// - a belt, or a motor or brake in a joint, even one at rest.
///
/// An obstacle that moves is one of them. Gravity and parameters that change between steps wake all
/// bodies before.
pub(super) fn changing(world: &World, state: &State, span: Span) -> Vec<bool> {
    let mut changing = vec![false; world.bodies.len()];

    // Prescribed motion; a body that moved until now may have stopped.
    for target in world.targets(&state.parameters, span.end, state.time, &state.q) {
        if !target.is_met(&state.q) || state.q_dot[target.node].amax() > 0.0 {
            changing[world.model.body_of(target.node)] = true;
        }
    }
    for prescribed in &world.prescribed {
        if prescribed.is_active(state.time) != prescribed.is_active(span.end) {
            changing[world.model.body_of(prescribed.node)] = true;
        }
    }

    // Loads.
    let [now, then] = [state.time, span.end];
    for load in &world.loading.loads {
        if load.force.at(now) != load.force.at(then) {
            changing[world.model.body_of(load.node)] = true;
        }
    }
    for applied in &world.loading.applied {
        if varies(applied, [now, then]) {
            changing[applied.body] = true;
        }
    }

    // Gas that flows.
    let gas = &world.loading.gas;
    for (chamber, flows) in gas.chambers.iter().zip(gas.changing([now, then])) {
        for &body in chamber.bodies.iter().filter(|_| flows) {
            changing[body] = true;
        }
    }

    // Belts and motors drive at any time.
    for (changing, &speed) in changing.iter_mut().zip(&world.friction.belts) {
        *changing |= speed != 0.0;
    }
    for joint in &world.model.joints {
        if joint.rows.iter().any(|row| row.action.drives()) {
            for body in joint.bodies {
                changing[body] = true;
            }
        }
    }
    changing
}

/// True if a load has other strengths at the second of two times (s) than at the first.
fn varies(applied: &Applied, [now, then]: [f64; 2]) -> bool {
    let varying = applied.varying();
    if !varying.iter().any(Varying::has_time) {
        return false;
    }
    let places = applied.places();
    let mut numbers = varying.iter();
    numbers.any(|number| {
        let mut places = places.iter();
        places.any(|&place| number.at(place, now).to_bits() != number.at(place, then).to_bits())
    })
}
