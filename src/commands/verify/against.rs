//! How a run differs from another one.

use super::super::CommandError;
use super::VerifyArgs;
use super::stored::{Stored, at};
use crate::store::table::Table;

/// The first difference from another run that is larger than allowed.
pub(super) fn first_difference(
    mut own: Stored,
    mut other: Stored,
    args: &VerifyArgs,
) -> Result<Option<String>, CommandError> {
    if own.mesh != other.mesh {
        return Ok(Some(
            "the two runs have different meshes, bodies or half-planes".to_owned(),
        ));
    }
    if own.steps != other.steps {
        let (ours, theirs) = (own.steps.len(), other.steps.len());
        return Ok(Some(format!(
            "the two runs have states of different steps: {ours} against {theirs} entries"
        )));
    }
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (entry, step) in own.steps.iter().enumerate() {
        own.trajectory.next(&mut x)?;
        other.trajectory.next(&mut y)?;
        // A NaN differs from everything.
        let agrees = |i: usize| x[i] == y[i] || (x[i] - y[i]).amax() <= args.tol_x;
        if let Some(i) = (0..x.len()).find(|&i| !agrees(i)) {
            return Ok(Some(format!(
                "step {step}: {} is at {} against {}, {:.3e} m apart, more than {:e} m",
                own.mesh.describe(i),
                at(x[i]),
                at(y[i]),
                (x[i] - y[i]).amax(),
                args.tol_x
            )));
        }
        if let Some(found) =
            energy_difference(&own.energies, &other.energies, entry, args.tol_energy)
        {
            return Ok(Some(format!("step {step}: {found}")));
        }
    }
    Ok(None)
}

fn energy_difference(ours: &Table, theirs: &Table, entry: usize, tolerance: f64) -> Option<String> {
    if ours.columns != theirs.columns {
        return Some("the two runs have different columns of energies".to_owned());
    }
    ours.energies().find_map(|k| {
        let (a, b) = (ours.rows[entry][k], theirs.rows[entry][k]);
        let largest = ours
            .rows
            .iter()
            .filter_map(|row| row[k])
            .map(f64::abs)
            .fold(0.0, f64::max);
        let same = match (a, b) {
            // Two infinities of one sign are equal bits; otherwise what is not finite differs from everything.
            (Some(a), Some(b)) => {
                a.to_bits() == b.to_bits()
                    || ((a - b).is_finite() && (a - b).abs() <= tolerance * largest)
            }
            (a, b) => a.is_none() && b.is_none(),
        };
        let joules =
            |value: Option<f64>| value.map_or("missing".to_owned(), |value| format!("{value} J"));
        (!same).then(|| {
            format!(
                "{} is {} against {}; allowed are {:e} J, {tolerance:e} of its largest value",
                ours.columns[k],
                joules(a),
                joules(b),
                tolerance * largest
            )
        })
    })
}
