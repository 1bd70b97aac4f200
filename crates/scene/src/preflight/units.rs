//! Warnings of values that look as if they were not in SI units and degrees.
//!
//! Scenes are in metres, kilograms, seconds and degrees. A density in g/cm^3, a gravity in cm/s^2
//! or an angle in radians is a legal number, and the run is wrong without an error. Each constant
//! below is the edge of what nature offers; values beyond it are reported with the unit to use.
//! Angles are different: a multiple of pi/12 written with four digits or more is hardly meant in
//! degrees.

use crate::problem::Problem;
use crate::schema::{Law, Scene};
use ipcsim_math::elementary::hypot;
use ipcsim_math::number::short;
use std::f64::consts::PI;

/// Plausible densities (kg/m^3): hydrogen has 0.09, osmium 2.3e4.
const DENSITY: [f64; 2] = [0.05, 1e5];

/// Density (kg/m^3) below which nothing that has a stiffness is: foam has 10 and more.
const LIGHT: f64 = 10.0;

/// Plausible stiffnesses (Pa): jelly has about 1e3, diamond 1.2e12.
const STIFFNESS: [f64; 2] = [1.0, 1e13];

/// Largest plausible gravity (m/s^2): the Sun's is 274. In cm/s^2 the Earth's would be 981.
const GRAVITY: f64 = 300.0;

/// Longest plausible time step (s); usual ones are 1e-4 to 5e-2.
const STEP: f64 = 1.0;

/// Density (kg/m^3) below which, and stiffness (Pa) from which on, a density is probably in g/cm^3.
///
/// Solids as stiff as rubber are denser than foam.
const GRAMS: [f64; 2] = [12.0, 1e6];

/// Relative error (1) up to which a number is a fraction of pi: those with four digits or more.
const DIGITS: f64 = 2e-5;

/// Warnings of materials, gravity, time step and angles, in this order.
pub(super) fn warnings(scene: &Scene) -> Vec<Problem> {
    let mut found = Vec::new();

    // Materials.
    for (name, material) in &scene.materials {
        let path = format!("materials.{name}");
        let stiffness = material.law.as_ref().map(Law::stiffness);
        let path_of_density = format!("{path}.density");
        found.extend(density(&path_of_density, material.density, stiffness));
        if let Some(law) = &material.law {
            let law = law.summary();
            let path = format!("{path}.law.{}.{}", law.name, law.stiffness_key);
            found.extend(stiffness_of(&path, law.stiffness));
        }
    }

    // Gravity and time step.
    let gravity = hypot(scene.gravity[0], scene.gravity[1]);
    if gravity > GRAVITY && gravity.is_finite() {
        let message = format!(
            "is {gravity} m/s^2, far more than the Earth's 9.81; give it in m/s^2, not in cm or mm"
        );
        found.push(Problem::warning("gravity", message));
    }
    if scene.gravity[1] > 0.0 && scene.gravity[0] == 0.0 {
        let message = format!(
            "is {} m/s^2 upwards; the Earth's is [0, -9.81]",
            short(scene.gravity[1])
        );
        found.push(Problem::warning("gravity", message));
    }
    if scene.time.step > STEP {
        let message = format!(
            "is {} s, which is long for a step; give it in s, not in ms",
            scene.time.step
        );
        found.push(Problem::warning("time.step", message));
    }

    found.extend(angles(scene));
    found.extend(friction(scene));
    found
}

/// Largest plausible coefficient of friction: rubber on dry asphalt has about 1, and glue none.
const FRICTION: f64 = 3.0;

/// Warnings of implausible coefficients of friction.
fn friction(scene: &Scene) -> Vec<Problem> {
    let friction = &scene.contact.friction;
    let mut all = vec![("contact.friction.default".to_owned(), friction.default)];
    for (list, name) in [
        (&friction.pairs, "pairs"),
        (&friction.materials, "materials"),
    ] {
        for (k, pair) in list.iter().enumerate() {
            let path = format!("contact.friction.{name}[{k}].coefficient");
            all.push((path, pair.coefficient));
        }
    }

    let mut problems = Vec::new();
    for (path, coefficient) in all {
        if coefficient > FRICTION && coefficient.is_finite() {
            let message = format!(
                "is {coefficient}, more than that of rubber on asphalt, about 1; if it is an angle give \
                 its tangent"
            );
            problems.push(Problem::warning(path, message));
        }
    }
    problems
}

/// Warning of an implausible density (kg/m^3), given the stiffness of the material (Pa).
///
/// Values that are not positive and finite are errors elsewhere and give no warning.
fn density(path: &str, density: f64, stiffness: Option<f64>) -> Option<Problem> {
    let [least, most] = DENSITY;
    let [grams, stiff] = GRAMS;
    let is_stiff = stiffness.is_some_and(|stiffness| stiffness >= stiff);

    let text = if density > 0.0 && density < grams && is_stiff {
        "lighter than foam, for something so stiff; if it is in g/cm^3 multiply it by 1000"
    } else if density > 0.0 && density < least {
        "lighter than any gas in the open; give it in kg/m^3"
    } else if density > 0.0 && density < LIGHT && stiffness.is_some() {
        "lighter than any solid foam; if it is in g/cm^3 multiply it by 1000"
    } else if density > most && density.is_finite() {
        "heavier than any metal; give it in kg/m^3"
    } else {
        return None;
    };
    let message = format!("is {density} kg/m^3, {text}");
    Some(Problem::warning(path, message))
}

/// Warning of an implausible stiffness (Pa) at a JSON path.
fn stiffness_of(path: &str, stiffness: f64) -> Option<Problem> {
    let [least, most] = STIFFNESS;
    let text = if stiffness > 0.0 && stiffness < least {
        "softer than jelly; give it in Pa: 1 MPa is 1e6, 1 GPa is 1e9"
    } else if stiffness > most && stiffness.is_finite() {
        "stiffer than diamond; give it in Pa"
    } else {
        return None;
    };

    let message = format!("is {} Pa, {text}", short(stiffness));
    Some(Problem::warning(path, message))
}

/// Warnings of angles that are a fraction of pi, which is rarely meant in degrees.
///
/// Angles and angular velocities of bodies, of their scripts and of obstacles are looked at.
/// Keyframes are not.
fn angles(scene: &Scene) -> Vec<Problem> {
    let mut found = Vec::new();
    for (k, body) in scene.bodies.iter().enumerate() {
        let scripted = body.script.as_ref().map_or(0.0, |script| script.spin_deg);
        found.extend(angle(
            format!("bodies[{k}].rotation_deg"),
            body.rotation_deg,
        ));
        found.extend(angle(format!("bodies[{k}].spin_deg"), body.spin_deg));
        found.extend(angle(format!("bodies[{k}].script.spin_deg"), scripted));
    }

    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        let path = format!("obstacles[{k}]");
        found.extend(angle(format!("{path}.rotation_deg"), obstacle.rotation_deg));
        found.extend(angle(format!("{path}.spin_deg"), obstacle.spin_deg));
    }
    found
}

/// Warning of an angle (degrees) or angular velocity (degrees/s) that looks like radians.
fn angle(path: String, angle: f64) -> Option<Problem> {
    is_in_radians(angle).then(|| {
        let message = format!(
            "is {angle} degrees, which looks like radians; if it is, write {}",
            short(angle.to_degrees())
        );
        Problem::warning(path, message)
    })
}

/// True if an angle is a multiple of a twelfth of pi, up to two turns, within [`DIGITS`].
fn is_in_radians(angle: f64) -> bool {
    let parts = angle.abs() * 12.0 / PI;
    let whole = parts.round();
    (1.0..=48.0).contains(&whole) && (parts - whole).abs() < DIGITS * whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_pi_differ_from_degrees() {
        let radians = "1.5708 -3.14159 0.7854 0.523599 2.0944 6.2832 3.141592653589793";
        for written in radians.split(' ') {
            let angle: f64 = written.parse().unwrap();
            assert!(is_in_radians(angle), "{angle}");
        }

        // Some of these are near a fraction of pi, but less than radians that somebody writes.
        let degrees = "0 1 3 1.5 45 90 0.5 6.3 3.2 0.26 1e300 NaN";
        for written in degrees.split(' ') {
            let angle: f64 = written.parse().unwrap();
            assert!(!is_in_radians(angle), "{angle}");
        }
    }
}
