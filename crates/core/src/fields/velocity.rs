//! Velocity at the end of a step.

use super::{Field, Form, Snapshot, Source};
use ipcsim_math::Vec2;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "velocity",
    name: "velocity",
    unit: "m/s",
    meaning: "Velocity at the end of the step",
    needs: "velocities; run the scene with --set output.velocities=true, or take mean_velocity",
    form: Form::Vector,
    source: Source::Moving(values),
};

/// Velocity of each vertex (m/s).
fn values(snapshot: &Snapshot) -> Option<Vec<Vec2>> {
    snapshot.known.velocities.map(<[Vec2]>::to_vec)
}
