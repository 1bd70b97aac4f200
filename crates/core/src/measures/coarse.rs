//! Numbers of continuous fields at a place, made of the bodies around it.

use super::part::{Part, part};
use crate::forces::Coarse;

/// Numbers of coarse-grained fields.
pub static OF_PLACES: [Part<Coarse>; 12] = [
    part(
        "coarse_density",
        "kg/m^3",
        "Mass for each volume around a place",
        |own| Some(own.density),
    ),
    part(
        "coarse_fraction",
        "1",
        "Share of the area around a place that bodies fill",
        |own| Some(own.fraction),
    ),
    part(
        "coarse_velocity_x",
        "m/s",
        "Velocity around a place along x, by mass",
        |own| (own.density > 0.0).then_some(own.velocity.x),
    ),
    part(
        "coarse_velocity_y",
        "m/s",
        "Velocity around a place along y, by mass",
        |own| (own.density > 0.0).then_some(own.velocity.y),
    ),
    part(
        "coarse_stress_xx",
        "Pa",
        "Stress around a place by contacts, xx; tension is positive",
        |own| Some(own.stress[(0, 0)]),
    ),
    part(
        "coarse_stress_xy",
        "Pa",
        "Stress around a place by contacts, force along x on a cut across y",
        |own| Some(own.stress[(0, 1)]),
    ),
    part(
        "coarse_stress_yx",
        "Pa",
        "Stress around a place by contacts, force along y on a cut across x",
        |own| Some(own.stress[(1, 0)]),
    ),
    part(
        "coarse_stress_yy",
        "Pa",
        "Stress around a place by contacts, yy",
        |own| Some(own.stress[(1, 1)]),
    ),
    part(
        "coarse_pressure",
        "Pa",
        "Pressure around a place by contacts, `-(xx + yy) / 2`",
        |own| Some(-0.5 * own.stress.trace()),
    ),
    part(
        "coarse_kinetic_xx",
        "Pa",
        "Stress around a place by velocities beyond the mean, xx",
        |own| Some(own.kinetic[(0, 0)]),
    ),
    part(
        "coarse_kinetic_xy",
        "Pa",
        "Stress around a place by velocities beyond the mean, xy",
        |own| Some(own.kinetic[(0, 1)]),
    ),
    part(
        "coarse_kinetic_yy",
        "Pa",
        "Stress around a place by velocities beyond the mean, yy",
        |own| Some(own.kinetic[(1, 1)]),
    ),
];
