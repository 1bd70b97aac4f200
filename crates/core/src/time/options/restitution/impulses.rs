//! Impulses of contacts, with Coulomb friction, and of joints in one instant: block Gauss-Seidel.
//!
//! Bodies move with `u`, and impulses `p_n >= 0` along normals and `p_t` along tangents change them to
//! `u'`. At each contact
//!
//! - the gap opens at least as fast as its aim says, `v_n' >= a`, and `p_n = 0` where it opens faster
//!   (Newton's law of restitution has `a = -e v_n`; a contact that is stopped has `a = 0`);
//! - friction lies in the cone `|p_t| <= mu p_n`, with the least slip left: either nothing slips,
//!   `v_t' = 0`, or friction is `mu p_n` against the slip.
//!
//! Source: Jean 1999, "The non-smooth contact dynamics method", sections 3 and 6. Without friction and
//! with the aim 0 the change has the least kinetic energy of `u'` (Moreau 1988, "Unilateral contact and
//! dry friction in finite freedom dynamics").
//!
//! Each contact is solved exactly with the impulses of all others fixed, so one contact needs one
//! sweep, and the order of contacts decides about the path to the solution only.

use super::impact::{Hit, Slide};
use super::rigid_motion::{Motion, RigidMotion};
use super::row::Row;
use crate::tuning::{IMPULSES_ACCURACY, IMPULSES_LEAST_SOFTNESS, IMPULSES_MOST_SWEEPS};

/// Impulses of one instant.
pub(super) struct Impulses {
    /// Change of motions by all of them, `[bodies]`.
    pub(super) change: Vec<Motion>,
    /// Impulses along normals and tangents of contacts (N s), `[hits]`.
    pub(super) of_hits: Vec<[f64; 2]>,
    /// Impulses along rows of joints (N s), `[rows]`.
    pub(super) of_rows: Vec<f64>,
}

/// Impulses at `hits` and along the `rows` of joints where bodies move with `motions`, `[bodies]`.
pub(super) fn impulses(
    wholes: &[Option<RigidMotion>],
    hits: &[Hit],
    rows: &[&Row],
    motions: &[Motion],
) -> Impulses {
    let mut of_rows = vec![0.0; rows.len()];
    let mut of_hits = vec![[0.0; 2]; hits.len()];
    let mut change = vec![Motion::default(); wholes.len()];
    let speeds = Speeds::of(hits, rows, motions);

    for _ in 0..IMPULSES_MOST_SWEEPS {
        let mut corrected = 0.0_f64;

        // Contacts, each with the impulses of all others fixed.
        for ((hit, own), speed) in hits.iter().zip(&mut of_hits).zip(&speeds.of_hits) {
            let softness = hit.impact.normal.softness;
            if softness <= 0.0 {
                continue;
            }
            let next = hit.single(*speed, &change, *own);
            let more = [next[0] - own[0], next[1] - own[1]];
            hit.push(wholes, more, &mut change);
            *own = next;
            let moved = more[0].abs() * softness + more[1].abs() * hit.softness_along();
            corrected = corrected.max(moved);
        }

        // Equations and drives of joints.
        for ((row, own), speed) in rows.iter().zip(&mut of_rows).zip(&speeds.of_rows) {
            if row.softness <= 0.0 {
                continue;
            }
            let wanted = *own - (speed + row.velocity(&change)) / row.softness;
            let next = wanted.clamp(row.bounds[0], row.bounds[1]);
            row.push(wholes, next - *own, &mut change);
            corrected = corrected.max((next - *own).abs() * row.softness);
            *own = next;
        }

        if corrected <= IMPULSES_ACCURACY * speeds.fastest {
            break;
        }
    }
    Impulses {
        change,
        of_hits,
        of_rows,
    }
}

/// Stops the `motions` of bodies, `[bodies]`, along the `rows` of joints.
pub(super) fn close(wholes: &[Option<RigidMotion>], rows: &[Row], motions: &mut [Motion]) {
    let rows: Vec<&Row> = rows.iter().collect();
    let Impulses { change, .. } = impulses(wholes, &[], &rows, motions);
    for (motion, change) in motions.iter_mut().zip(change) {
        *motion = motion.plus(change, 1.0);
    }
}

/// Speeds of contacts and joints before impulses, less what they aim at.
struct Speeds {
    /// Speed apart less its aim, and slip, of each hit (m/s).
    of_hits: Vec<[f64; 2]>,
    /// Velocity along each row less its aim (m/s).
    of_rows: Vec<f64>,
    /// Largest of them (m/s).
    fastest: f64,
}

impl Speeds {
    /// Speeds of bodies that move with `motions`, `[bodies]`.
    fn of(hits: &[Hit], rows: &[&Row], motions: &[Motion]) -> Self {
        let of_hits: Vec<[f64; 2]> = hits
            .iter()
            .map(|hit| {
                let slide = hit.impact.slide.as_ref();
                let slip = slide.map_or(0.0, |slide| slide.row.velocity(motions) + slide.carried);
                [hit.impact.normal.velocity(motions) - hit.aim, slip]
            })
            .collect();
        let of_rows: Vec<f64> = rows
            .iter()
            .map(|row| row.velocity(motions) - row.aim)
            .collect();
        let all = of_hits.iter().flatten().chain(&of_rows);
        Self {
            fastest: all.fold(0.0, |most, speed| most.max(speed.abs())),
            of_hits,
            of_rows,
        }
    }
}

impl Hit<'_> {
    /// The tangent, if friction acts.
    fn slide(&self) -> Option<&Slide> {
        let slide = self.impact.slide.as_ref();
        slide.filter(|slide| self.friction > 0.0 && slide.row.softness > 0.0)
    }

    /// Slip by a unit impulse along the tangent (1/kg).
    fn softness_along(&self) -> f64 {
        self.slide().map_or(0.0, |slide| slide.row.softness)
    }

    /// Adds the change of motions by impulses along normal and tangent (N s), `[bodies]`.
    fn push(&self, wholes: &[Option<RigidMotion>], impulses: [f64; 2], change: &mut [Motion]) {
        let [normal, tangent] = impulses;
        if normal != 0.0 {
            self.impact.normal.push(wholes, normal, change);
        }
        if let Some(slide) = self.slide().filter(|_| tangent != 0.0) {
            slide.row.push(wholes, tangent, change);
        }
    }

    /// Impulses (N s) of this contact where all others are fixed. Its `speed` without impulses is
    /// given, the `change` of motions by all impulses, and its own impulses in it.
    fn single(&self, speed: [f64; 2], change: &[Motion], own: [f64; 2]) -> [f64; 2] {
        let normal = &self.impact.normal;
        let Some(slide) = self.slide() else {
            let left = speed[0] + normal.velocity(change) - normal.softness * own[0];
            return [(-left / normal.softness).max(0.0), 0.0];
        };

        // Speeds without the impulses of this contact.
        let [softness, coupling, along] = [normal.softness, slide.coupling, slide.row.softness];
        let apart = speed[0] + normal.velocity(change) - softness * own[0] - coupling * own[1];
        let slip = speed[1] + slide.row.velocity(change) - coupling * own[0] - along * own[1];
        let mu = self.friction;
        if apart >= 0.0 {
            return [0.0, 0.0];
        }

        // It sticks, if the cone allows it.
        let determinant = softness * along - coupling * coupling;
        if determinant > IMPULSES_LEAST_SOFTNESS * softness * along {
            let sticking = [
                (coupling * slip - along * apart) / determinant,
                (coupling * apart - softness * slip) / determinant,
            ];
            if sticking[0] >= 0.0 && sticking[1].abs() <= mu * sticking[0] {
                return sticking;
            }
        }

        // It slides in one direction or the other, against friction.
        let first = if slip - coupling * apart / softness >= 0.0 {
            1.0
        } else {
            -1.0
        };
        for side in [first, -first] {
            let opening = softness - side * mu * coupling;
            if opening > IMPULSES_LEAST_SOFTNESS * softness {
                let pressed = -apart / opening;
                let rubbed = -side * mu * pressed;
                if side * (slip + coupling * pressed + along * rubbed) >= 0.0 {
                    return [pressed, rubbed];
                }
            }
        }

        // Painleve's paradox: no impulse of the cone stops it, so friction lets go.
        [-apart / softness, 0.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::options::restitution::impact::{Impact, Law};
    use ipcsim_math::Vec2;

    /// Kinetic energy of motions, `[bodies]` (J).
    fn energy(wholes: &[Option<RigidMotion>], motions: &[Motion]) -> f64 {
        let each = wholes.iter().flatten().zip(motions);
        each.map(|(whole, motion)| 0.5 * whole.work(*motion, *motion))
            .sum()
    }

    /// A contact at a place (m) between two bodies, with a normal towards the first one and a
    /// coefficient of friction.
    fn contact(
        wholes: &[Option<RigidMotion>],
        bodies: [usize; 2],
        place: [f64; 2],
        normal: [f64; 2],
        friction: f64,
    ) -> Impact {
        let tangent = [normal[1], -normal[0]];
        let [normal, along] = [normal, tangent].map(|along| Row::at(wholes, bodies, place, along));
        Impact {
            slide: Some(Slide {
                coupling: normal.softness_to(wholes, &along),
                row: along,
                carried: 0.0,
                coefficients: [friction; 2],
            }),
            normal,
            law: Some(Law {
                coefficient: 0.0,
                rest_speed: 0.0,
            }),
            normal_before: None,
            number: 0,
            impulse: 0.0,
            lead: 1.0,
            mover: bodies[0],
        }
    }

    /// Motions after the impulses at contacts with a friction and a restitution.
    fn after(
        wholes: &[Option<RigidMotion>],
        contacts: &[Impact],
        rows: &[&Row],
        motions: &[Motion],
        [friction, e]: [f64; 2],
    ) -> Vec<Motion> {
        let hits: Vec<Hit> = contacts
            .iter()
            .map(|impact| Hit {
                impact,
                aim: -e * impact.normal.velocity(motions),
                friction,
            })
            .collect();
        let changes = impulses(wholes, &hits, rows, motions).change;
        let both = motions.iter().zip(&changes);
        both.map(|(motion, change)| motion.plus(*change, 1.0))
            .collect()
    }

    fn motion(x: f64, y: f64, spin: f64) -> Motion {
        Motion {
            velocity: Vec2::new(x, y),
            spin,
        }
    }

    #[test]
    fn a_disk_on_the_ground_slides_or_rolls_after_its_impact_as_coulomb_says() {
        // A disk of mass 2 and radius 0.1: 1/m + r^2/I = 3/m along the ground.
        let wholes = [
            Some(RigidMotion::rigid(0, 2.0, 0.01, [0.0, 0.1])),
            Some(RigidMotion::rigid(2, 0.0, 0.0, [0.0, 0.0])),
        ];
        let ground = [contact(&wholes, [0, 1], [0.0, 0.0], [0.0, 1.0], 0.3)];
        for e in [0.0, 0.5, 1.0] {
            for (across, spin) in [(5.0, 0.0), (0.3, 0.0), (0.0, 40.0), (0.2, -2.0)] {
                let flown = [motion(across, -2.0, spin), Motion::default()];
                let left = after(&wholes, &ground, &[], &flown, [0.3, e])[0];
                assert!((left.velocity.y - 2.0 * e).abs() < 1e-12);

                let slip = across + 0.1 * spin;
                let largest = 0.3 * 2.0 * (1.0 + e);
                let change = (-slip / 3.0).clamp(-largest, largest);
                assert!((left.velocity.x - across - change).abs() < 1e-12);
                assert!((left.spin - spin - 0.1 * change * 2.0 / 0.01).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn boxes_on_each_other_stop_by_impulses_that_do_not_depend_on_the_order() {
        let wholes = [
            Some(RigidMotion::rigid(0, 0.0, 0.0, [0.0, 0.0])),
            Some(RigidMotion::rigid(2, 1.0, 0.1, [0.0, 0.5])),
            Some(RigidMotion::rigid(4, 3.0, 0.4, [0.3, 1.5])),
            Some(RigidMotion::rigid(6, 2.0, 0.2, [1.0, 0.6])),
        ];
        let up = [0.0, 1.0];
        let mut contacts = vec![
            contact(&wholes, [1, 0], [-0.5, 0.0], up, 0.4),
            contact(&wholes, [1, 0], [0.5, 0.0], up, 0.4),
            contact(&wholes, [2, 1], [0.2, 1.0], up, 0.4),
            contact(&wholes, [3, 0], [0.8, 0.0], up, 0.4),
        ];
        let bar = Row::at(&wholes, [3, 1], [0.6, 0.5], [1.0, 0.0]);
        let flown = [
            Motion::default(),
            motion(0.7, -1.0, 0.5),
            motion(0.2, -3.0, 0.0),
            motion(0.0, -1.0, 2.0),
        ];
        for friction in [0.0, 0.4] {
            let first = after(&wholes, &contacts, &[&bar], &flown, [friction, 0.0]);
            contacts.reverse();
            let second = after(&wholes, &contacts, &[&bar], &flown, [friction, 0.0]);
            for (a, b) in first.iter().zip(&second) {
                assert!((a.velocity - b.velocity).norm() < 1e-7 && (a.spin - b.spin).abs() < 1e-7);
            }

            // Nothing approaches, the bar keeps its length, and energy is lost.
            for impact in &contacts {
                assert!(impact.normal.velocity(&first) > -1e-8);
            }
            assert!(bar.velocity(&first).abs() < 1e-8);
            assert!(energy(&wholes, &first) < energy(&wholes, &flown));
        }
    }

    #[test]
    fn reflections_without_friction_take_the_energy_that_the_coefficient_says() {
        let wholes = [
            Some(RigidMotion::rigid(0, 0.0, 0.0, [0.0, 0.0])),
            Some(RigidMotion::rigid(2, 1.0, 0.1, [0.0, 0.5])),
        ];
        let contacts = [contact(&wholes, [1, 0], [0.2, 0.0], [0.0, 1.0], 0.0)];
        let flown = [Motion::default(), motion(1.0, -1.0, 0.5)];
        let of = |e: f64| energy(&wholes, &after(&wholes, &contacts, &[], &flown, [0.0, e]));
        let before = energy(&wholes, &flown);
        for e in [0.0, 0.3, 1.0] {
            let expected = before - (1.0 - e * e) * (before - of(0.0));
            assert!((of(e) - expected).abs() < 1e-10 * before, "{e}");
        }
    }

    #[test]
    fn a_drive_gives_no_more_than_its_largest_impulse() {
        let wholes = [
            Some(RigidMotion::rigid(0, 0.0, 0.0, [0.0, 0.0])),
            Some(RigidMotion::rigid(2, 1.0, 0.1, [0.0, 0.5])),
        ];
        let mut drive = Row::at(&wholes, [1, 0], [0.0, 0.5], [1.0, 0.0]);
        drive.aim = 3.0;
        let still = [Motion::default(); 2];
        for (most, expected) in [(1.0, 1.0), (9.0, 3.0)] {
            drive.bounds = [-most, most];
            let change = impulses(&wholes, &[], &[&drive], &still).change;
            assert!((change[1].velocity.x - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn a_rod_that_jams_under_friction_is_stopped_along_its_normal() {
        // Painleve's rod: with large friction a push along the ground presses it into the ground.
        let wholes = [
            Some(RigidMotion::rigid(0, 1.0, 0.02, [0.15, 0.26])),
            Some(RigidMotion::rigid(2, 0.0, 0.0, [0.0, 0.0])),
        ];
        let ground = [contact(&wholes, [0, 1], [0.0, 0.0], [0.0, 1.0], 5.0)];
        for across in [-3.0, 3.0] {
            let flown = [motion(across, -1.0, 0.0), Motion::default()];
            let left = after(&wholes, &ground, &[], &flown, [5.0, 0.0]);
            assert!(ground[0].normal.velocity(&left).abs() < 1e-9);
            assert!(energy(&wholes, &left) < energy(&wholes, &flown));
        }
    }
}
