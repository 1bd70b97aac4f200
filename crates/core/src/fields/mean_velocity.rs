//! Mean velocity since the state before, for runs that have stored no velocities.

use super::{Field, Form, Snapshot, Source};
use ipcsim_math::Vec2;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "mean_velocity",
    name: "mean velocity",
    unit: "m/s",
    meaning: "Change of position since the stored state before, over the time between; at the start \
              the velocity of the scene",
    needs: "mean velocities beside its velocities; take velocity",
    form: Form::Vector,
    source: Source::Moving(values),
};

/// Mean velocity of each vertex (m/s).
fn values(snapshot: &Snapshot) -> Option<Vec<Vec2>> {
    snapshot.known.mean_velocities.map(<[Vec2]>::to_vec)
}
