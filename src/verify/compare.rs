//! Differences of a run from another one, state by state.
//!
//! Both runs must have the same mesh and states of the same steps. Then the first position or
//! energy that differs by more than its tolerance is a difference. Both tolerances are 0 by
//! default: the runs must agree to the last bit.

use super::super::CommandError;
use super::VerifyArgs;
use super::place::at;
use ipcsim::math::Vec2;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::stored_run::StoredRun;
use ipcsim_store::table::Table;

/// First difference from another run that exceeds the tolerances, in words; `None` if there is
/// none.
///
/// States are compared in order, and in each the positions before the energies.
///
/// # Errors
/// If a trajectory cannot be read.
pub(super) fn first_difference(
    own: &StoredRun,
    other: &StoredRun,
    args: &VerifyArgs,
) -> Result<Option<String>, CommandError> {
    if let Some(found) = mismatch(own, other) {
        return Ok(Some(found));
    }

    // Positions and energies, state by state.
    let mut own_states = own.trajectory()?;
    let mut other_states = other.trajectory()?;
    let mut x = Vec::new();
    let mut y = Vec::new();
    for (entry, moment) in own.moments.iter().enumerate() {
        own_states.next(&mut x)?;
        other_states.next(&mut y)?;
        let found = position_difference(&own.mesh, &x, &y, args.tol_x)
            .or_else(|| energy_difference(&own.energies, &other.energies, entry, args.tol_energy));
        if let Some(found) = found {
            return Ok(Some(format!("step {}: {found}", moment.step)));
        }
    }
    Ok(None)
}

/// Reason for which the two runs cannot be compared state by state, in words; `None` if they can.
fn mismatch(own: &StoredRun, other: &StoredRun) -> Option<String> {
    if !own.mesh.agrees_with(&other.mesh) {
        return Some("the two runs have different meshes, bodies or half-planes".to_owned());
    }

    let own_steps = own.moments.iter().map(|moment| moment.step);
    if !own_steps.eq(other.moments.iter().map(|moment| moment.step)) {
        return Some(format!(
            "the two runs have states of different steps: {} against {} entries",
            own.moments.len(),
            other.moments.len()
        ));
    }
    None
}

/// First vertex whose positions `x` and `y` (m) differ by more than `tolerance` (m), in words.
fn position_difference(mesh: &MeshFile, x: &[Vec2], y: &[Vec2], tolerance: f64) -> Option<String> {
    // Written so that a NaN differs from everything.
    let i = (0..x.len()).find(|&i| !(x[i] == y[i] || (x[i] - y[i]).amax() <= tolerance))?;
    Some(format!(
        "{} is at {} against {}, {:.3e} m apart, more than {tolerance:e} m",
        mesh.describe(i),
        at(x[i]),
        at(y[i]),
        (x[i] - y[i]).amax()
    ))
}

/// First energy of state `entry` that differs by more than `tolerance` times the largest value in
/// its column, in words.
fn energy_difference(ours: &Table, theirs: &Table, entry: usize, tolerance: f64) -> Option<String> {
    if ours.columns != theirs.columns {
        return Some("the two runs have different columns of energies".to_owned());
    }
    for column in ours.energies() {
        let a = ours.rows[entry][column];
        let b = theirs.rows[entry][column];

        // The tolerance is relative to the largest value in the column.
        let mut largest = 0.0_f64;
        for row in &ours.rows {
            largest = largest.max(row[column].unwrap_or_default().abs());
        }

        let allowed = tolerance * largest;
        if !energies_agree(a, b, allowed) {
            return Some(format!(
                "{} is {} against {}; allowed are {allowed:e} J, {tolerance:e} of its largest \
                 value",
                ours.columns[column],
                joules(a),
                joules(b)
            ));
        }
    }
    None
}

/// True if two energies differ by at most `allowed` (J), have equal bits, or are both missing.
fn energies_agree(a: Option<f64>, b: Option<f64>, allowed: f64) -> bool {
    match (a, b) {
        // Infinities of one sign are equal bits; any other number that is not finite differs.
        (Some(a), Some(b)) => {
            a.to_bits() == b.to_bits() || ((a - b).is_finite() && (a - b).abs() <= allowed)
        }
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Energy with its unit, or "missing" where the table has no number.
fn joules(value: Option<f64>) -> String {
    value.map_or("missing".to_owned(), |value| format!("{value} J"))
}
