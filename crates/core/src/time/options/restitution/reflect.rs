//! Impacts that happen together, by reflections one after another.

use super::impact::{Hit, Impact, Law};
use super::impulses::{Impulses, impulses};
use super::rigid_motion::{Motion, RigidMotion};
use super::row::{Row, roots};
use crate::tuning::{REFLECT_ENERGY, REFLECT_HALVINGS, REFLECT_MOST_ROUNDS};
use std::collections::BTreeMap;

/// Bodies with the equations of their joints.
#[derive(Clone, Copy)]
pub(super) struct Linked<'a> {
    /// Bodies that move as a whole, `[bodies]`.
    pub(super) wholes: &'a [Option<RigidMotion>],
    /// Equations of joints.
    pub(super) joints: &'a [Row],
    /// Motors and brakes.
    pub(super) drives: &'a [Row],
    /// True for bodies that impulses move and that a driven body brings energy to, `[bodies]`.
    pub(super) driven: &'a [bool],
}

/// Result of all reflections.
pub(super) struct Reflected {
    /// True for bodies that have been struck, `[bodies]`.
    pub(super) struck: Vec<bool>,
    /// Number of groups of bodies whose coefficients were lowered.
    pub(super) lowered: usize,
    /// Impulses of motors and brakes in all instants (N s), `[drives]`.
    pub(super) given: Vec<f64>,
    /// Impulses along normals and tangents in all instants (N s), by numbers of places.
    pub(super) at_places: BTreeMap<usize, [f64; 2]>,
}

impl Reflected {
    /// Adds impulses at some places.
    pub(super) fn add(&mut self, impulses: impl Iterator<Item = (usize, [f64; 2])>) {
        for (place, [normal, tangent]) in impulses {
            let sum = self.at_places.entry(place).or_default();
            *sum = [sum[0] + normal, sum[1] + tangent];
        }
    }
}

/// Reflects the `motions` of bodies, `[bodies]`, until no contact approaches faster than its pair
/// may without rebounding.
///
/// Each round takes the contacts that approach too fast, and no others, as one instant: normal
/// velocities after it are `-e` times those before, and friction lies in Coulomb's cone of the normal
/// impulses ([`impulses`]). So a ball that hits a row of balls in contact hands its motion on from ball
/// to ball, and both corners of a box that lands flat act together (Smith et al. 2012, "Reflections on
/// Simultaneous Impact", for `e = 1`).
///
/// With friction, or with several coefficients, Newton's law can raise the kinetic energy (Kane and
/// Levinson 1985, "Dynamics", the pendulum of section 5.8). Where it does, the coefficients of the bodies that hit each other
/// are lowered by a common factor until it does not. Motors and brakes keep the speed that they have at the
/// instant, within their bounds.
pub(super) fn reflect(linked: Linked, impacts: &[&Impact], motions: &mut [Motion]) -> Reflected {
    let mut reflected = Reflected {
        struck: vec![false; motions.len()],
        lowered: 0,
        given: vec![0.0; linked.drives.len()],
        at_places: BTreeMap::new(),
    };
    for round in 0..REFLECT_MOST_ROUNDS {
        let drives = linked.drives.iter().zip(&reflected.given);
        let drives = drives.map(|(row, given)| Row {
            aim: row.velocity(motions),
            ..row.less(*given)
        });
        let drives = drives.collect();
        let instant = Instant::of(linked, drives, impacts, motions, round == 0);
        if instant.approaching.is_empty() {
            break;
        }

        let (impulses, lowered) = instant.change(motions);
        let Impulses {
            change,
            of_hits,
            of_rows,
        } = impulses;
        reflected.lowered += lowered;
        // Impulses by places and by drives.
        let numbers = instant.approaching.iter();
        let numbers = numbers.map(|(impact, ..)| impact.number);
        reflected.add(numbers.zip(of_hits));
        let of_drives = &of_rows[linked.joints.len()..];
        for (given, more) in reflected.given.iter_mut().zip(of_drives) {
            *given += more;
        }
        for (body, change) in change.into_iter().enumerate() {
            if change != Motion::default() {
                motions[body] = motions[body].plus(change, 1.0);
                reflected.struck[body] = true;
            }
        }
    }
    reflected
}

/// Contacts that hit at one time.
struct Instant<'a> {
    /// Bodies with the equations of their joints.
    linked: Linked<'a>,
    /// Motors and brakes, with what is left of their bounds, that keep the speed before the instant.
    drives: Vec<Row>,
    /// Contacts that approach too fast, with their law and the speed at which they do (m/s).
    approaching: Vec<(&'a Impact, Law, f64)>,
    /// Number of the island of each body, `[bodies]`.
    roots: Vec<usize>,
    /// True for the first instant of a stage, in which gaps have closed.
    is_first: bool,
}

impl<'a> Instant<'a> {
    /// The next instant of bodies that move with `motions`, `[bodies]`.
    fn of(
        linked: Linked<'a>,
        drives: Vec<Row>,
        impacts: &[&'a Impact],
        motions: &[Motion],
        is_first: bool,
    ) -> Self {
        let approaching: Vec<(&Impact, Law, f64)> = impacts
            .iter()
            .filter_map(|&impact| {
                let law = impact.law?;
                let approach = -impact.normal.velocity(motions);
                let hits = approach > law.rest_speed && impact.normal.softness > 0.0;
                hits.then_some((impact, law, approach))
            })
            .collect();
        let touching = approaching.iter().map(|(impact, ..)| &impact.normal);
        Self {
            roots: roots(linked.wholes, touching.chain(linked.joints).chain(&drives)),
            approaching,
            linked,
            drives,
            is_first,
        }
    }

    /// Change of the `motions` by the instant, `[bodies]`, with coefficients lowered where they would
    /// raise the energy, and the number of islands where they were.
    fn change(&self, motions: &[Motion]) -> (Impulses, usize) {
        let mut shares = vec![1.0; motions.len()];
        let mut change = self.change_with(motions, &shares);
        let raised = self.raised(motions, &change);
        if !raised.contains(&true) {
            return (change, 0);
        }

        // The largest shares of the coefficients that raise nothing, by bisection in all islands.
        let mut low = vec![0.0; motions.len()];
        let mut high = vec![1.0; motions.len()];
        let mut too_much = raised.clone();
        for _ in 0..REFLECT_HALVINGS {
            for island in (0..motions.len()).filter(|&island| raised[island]) {
                if too_much[island] {
                    high[island] = shares[island];
                } else {
                    low[island] = shares[island];
                }
                shares[island] = 0.5 * (low[island] + high[island]);
            }
            too_much = self.raised(motions, &self.change_with(motions, &shares));
        }
        for island in (0..motions.len()).filter(|&island| raised[island]) {
            shares[island] = low[island];
        }
        change = self.change_with(motions, &shares);
        (change, raised.iter().filter(|raised| **raised).count())
    }

    /// Change of the `motions` by the instant, `[bodies]`, with these shares of the coefficients,
    /// `[islands]`.
    fn change_with(&self, motions: &[Motion], shares: &[f64]) -> Impulses {
        let hits: Vec<Hit> = self
            .approaching
            .iter()
            .map(|&(impact, law, approach)| {
                let lead = if self.is_first { impact.lead } else { 1.0 };
                let e = law.coefficient * shares[self.roots[impact.mover]];
                Hit {
                    impact,
                    aim: e * lead * approach,
                    friction: sliding(impact, e, lead),
                }
            })
            .collect();
        let rows: Vec<&Row> = self.linked.joints.iter().chain(&self.drives).collect();
        impulses(self.linked.wholes, &hits, &rows, motions)
    }

    /// For each island, true if `impulses` at the `motions` raise its kinetic energy beyond the work of motors.
    fn raised(&self, motions: &[Motion], impulses: &Impulses) -> Vec<bool> {
        let Impulses {
            change,
            of_hits,
            of_rows,
        } = impulses;
        let mut before = vec![0.0; motions.len()];
        let mut gained = vec![0.0; motions.len()];
        let mut driven = vec![false; motions.len()];
        for (body, whole) in self.linked.wholes.iter().enumerate() {
            let Some(whole) = whole else {
                continue;
            };
            let island = self.roots[body];
            let [motion, change] = [motions[body], change[body]];
            before[island] += 0.5 * whole.work(motion, motion);
            gained[island] += whole.work(motion, change) + 0.5 * whole.work(change, change);
            driven[island] |= self.linked.driven[body];
        }

        // Periods between both bodies do work, too.
        for ((impact, ..), [normal, tangent]) in self.approaching.iter().zip(of_hits) {
            let island = &mut gained[self.roots[impact.mover]];
            *island += normal * impact.normal.velocity_of_periods(motions);
            let slide = impact.slide.as_ref();
            *island += slide.map_or(0.0, |own| tangent * own.row.velocity_of_periods(motions));
        }
        let of_drives = &of_rows[self.linked.joints.len()..];
        for (row, impulse) in self.drives.iter().zip(of_drives) {
            let speed = row.velocity(motions) + 0.5 * row.velocity(change);
            let wholes = self.linked.wholes;
            let is_free = |body: &&usize| wholes[**body].as_ref().is_some_and(RigidMotion::is_free);
            if let Some(&body) = row.bodies.iter().find(is_free) {
                gained[self.roots[body]] -= impulse * speed;
            }
        }
        let islands = 0..motions.len();
        islands
            .map(|k| !driven[k] && gained[k] > REFLECT_ENERGY * before[k])
            .collect()
    }
}

/// Coefficient of friction of an impact that rebounds with the coefficient `e` (1): of its normal
/// impulse, the part that carries weight for the rest of the stage after the gap closed, with a share
/// of `lead` of the speed, gives none where the pair parts again.
fn sliding(impact: &Impact, e: f64, lead: f64) -> f64 {
    let mu = impact
        .slide
        .as_ref()
        .map_or(0.0, |slide| slide.coefficients[1]);
    if e > 0.0 {
        mu * lead * (1.0 + e) / (1.0 + e * lead)
    } else {
        mu
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::options::restitution::impact::Slide;
    use ipcsim_math::Vec2;

    /// An impact between two bodies at a place (m), with a normal towards the first one, a
    /// coefficient of restitution and one of friction.
    fn impact(
        wholes: &[Option<RigidMotion>],
        bodies: [usize; 2],
        place: [f64; 2],
        normal: [f64; 2],
        [coefficient, friction]: [f64; 2],
    ) -> Impact {
        let across = [normal[1], -normal[0]];
        let [normal, tangent] = [normal, across].map(|along| Row::at(wholes, bodies, place, along));
        Impact {
            slide: Some(Slide {
                coupling: normal.softness_to(wholes, &tangent),
                row: tangent,
                carried: 0.0,
                coefficients: [friction; 2],
            }),
            law: Some(Law {
                coefficient,
                rest_speed: 1e-6,
            }),
            normal_before: None,
            number: 0,
            impulse: 0.0,
            lead: 1.0,
            mover: bodies[0],
            normal,
        }
    }

    /// Reflects motions.
    fn reflected(
        wholes: &[Option<RigidMotion>],
        impacts: &[Impact],
        motions: &mut [Motion],
    ) -> Reflected {
        let linked = Linked {
            wholes,
            joints: &[],
            drives: &[],
            driven: &vec![false; wholes.len()],
        };
        reflect(linked, &impacts.iter().collect::<Vec<_>>(), motions)
    }

    /// Velocities along x after the impacts of balls of these masses (kg) in a row along x (m/s).
    fn after(masses: &[f64], coefficient: f64, velocities: &[f64]) -> (Vec<f64>, Vec<bool>) {
        let ball =
            |(k, mass): (usize, &f64)| RigidMotion::rigid(2 * k, *mass, 1.0, [k as f64, 0.0]);
        let wholes: Vec<_> = masses.iter().enumerate().map(ball).map(Some).collect();
        let impacts: Vec<Impact> = (1..masses.len())
            .map(|k| {
                let place = [k as f64 - 0.5, 0.0];
                impact(&wholes, [k, k - 1], place, [1.0, 0.0], [coefficient, 0.0])
            })
            .collect();
        let motion = |&x: &f64| Motion {
            velocity: Vec2::new(x, 0.0),
            spin: 0.0,
        };
        let mut motions: Vec<Motion> = velocities.iter().map(motion).collect();
        let struck = reflected(&wholes, &impacts, &mut motions).struck;
        let along = motions.iter().map(|motion| motion.velocity.x);
        (along.collect(), struck)
    }

    #[test]
    fn two_balls_part_with_the_share_of_their_speed_that_the_coefficient_says() {
        for e in [0.0, 0.4, 1.0] {
            let (found, struck) = after(&[2.0, 3.0], e, &[4.0, -1.0]);
            // Newton's law of impact and momentum.
            let common = (2.0 * 4.0 - 3.0) / 5.0;
            let expected = [common - e * 3.0 * 5.0 / 5.0, common + e * 2.0 * 5.0 / 5.0];
            for k in 0..2 {
                assert!((found[k] - expected[k]).abs() < 1e-12, "{e}: {found:?}");
            }
            assert_eq!(struck, [true, true]);
        }
        let (parting, struck) = after(&[2.0, 3.0], 1.0, &[-4.0, -1.0]);
        assert_eq!((parting, struck), (vec![-4.0, -1.0], vec![false, false]));
    }

    #[test]
    fn a_row_of_equal_balls_hands_the_motion_of_the_first_on_to_the_last() {
        let (found, struck) = after(&[1.0; 5], 1.0, &[3.0, 0.0, 0.0, 0.0, 0.0]);
        for (k, velocity) in found.iter().enumerate() {
            let expected = if k == 4 { 3.0 } else { 0.0 };
            assert!((velocity - expected).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(struck, [true; 5]);
    }

    #[test]
    fn a_leaning_rod_that_would_gain_energy_by_friction_rebounds_slower() {
        // Kane's paradox: a rod that hits the ground on its end, where friction reverses the slip.
        let wholes = [
            Some(RigidMotion::rigid(0, 1.0, 1.0 / 12.0, [0.3, 0.4])),
            Some(RigidMotion::rigid(2, 0.0, 0.0, [0.0, 0.0])),
        ];
        let mut lowered = 0;
        for across in [-3.0, -1.0, -0.1, 0.1, 1.0, 3.0] {
            for friction in [0.2, 0.6, 1.0] {
                let of = [1.0, friction];
                let impacts = [impact(&wholes, [0, 1], [0.0, 0.0], [0.0, 1.0], of)];
                let start = Motion {
                    velocity: Vec2::new(across, -1.0),
                    spin: 0.0,
                };
                let mut motions = [start, Motion::default()];
                lowered += reflected(&wholes, &impacts, &mut motions).lowered;
                let energy = |motion| wholes[0].as_ref().unwrap().work(motion, motion);
                assert!(
                    energy(motions[0]) <= energy(start) * (1.0 + 1e-9),
                    "{across} {friction}"
                );
            }
        }
        assert!(lowered > 0);
    }
}
