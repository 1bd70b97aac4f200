//! Warnings of belts that nothing feels.
//!
//! Only friction sees the speed of a surface. A belt whose body has friction with nothing moves
//! nothing, which no picture of the scene shows.

use crate::assemble::Setup;
use crate::problem::Problem;
use crate::schema::{Change, Parameter};

/// Warnings of all bodies and obstacles with a belt and without friction.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let friction = &setup.world.friction;
    let belts = friction.belts.iter().enumerate();
    let idle = belts.filter(|&(body, &speed)| {
        let mut others = (0..setup.world.bodies.len()).filter(|&other| other != body);
        // Friction may come later, by a change of the scene.
        let rubs_later = |change: &Change| matches!(change.set, Parameter::Friction(_));
        speed != 0.0
            && !others.any(|other| friction.get(body, other).sticking > 0.0)
            && !setup.scene.changes.iter().any(rubs_later)
    });

    let warnings = idle.map(|(body, speed)| {
        let name = &setup.world.bodies[body].name;
        let message = format!(
            "the belt of \"{name}\" runs with {speed} m/s, but \"{name}\" has no friction, so that \
             nothing feels it; set contact.friction.default, or remove the belt"
        );
        let vertices = &setup.world.bodies[body].vertices;
        let place = setup.state.x[vertices.start];
        Problem::warning(format!("{}.belt", setup.paths[body]), message).at(place)
    });
    warnings.collect()
}
