//! Forces of contacts, one by one, for readers of results.
//!
//! Newton's method only needs sums over contacts. A reader of results asks where two bodies touch,
//! how hard they press and how much friction holds them. The functions here take the energies of
//! contacts apart into single forces, by the derivatives that the sums use.

mod pressed;
mod segment_forces;

pub use pressed::{Opposite, PressedPiece};

use super::{ContactPair, Contacts, Friction, Surface, VertexForces};
use ipcsim_energy::LocalEnergy;
use ipcsim_math::{Vec2, perp};
use std::collections::BTreeMap;

/// Normal force of one contact, with the place where it acts.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalForce {
    /// The vertex, and the part of the surface that it is in contact with.
    pub pair: ContactPair,
    /// Body of the vertex, and body of the other side.
    pub bodies: [usize; 2],
    /// Point of contact (m): the point of the other side that is nearest to the vertex.
    pub point: Vec2,
    /// Unit normal, from the other side towards the vertex.
    pub normal: Vec2,
    /// Gap (m): distance less the distance at which both sides touch.
    pub gap: f64,
    /// Force on the vertex along `normal` (N); the other side feels the opposite.
    ///
    /// Positive forces repel. Near a vertex that two edges share, contacts with a negative force
    /// subtract the part that both edges count (see [`super::SharedVertices`]); only the sum of
    /// these has a meaning.
    pub force: f64,
    /// Energy of the barrier (J); negative for corrections.
    pub energy: f64,
    /// This force, spread over the vertices of both sides, which is minus the gradient of the
    /// barrier energy (N).
    pub on_vertices: VertexForces,
}

/// Normal force and friction force of one contact.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactForces {
    /// Normal force at the end of the step.
    pub normal: NormalForce,
    /// Friction force on the body of the vertex (N), against its sliding; zero without friction.
    pub friction: Vec2,
}

impl ContactForces {
    /// Normal and friction forces of all contacts that are active at `x` (m, `[vertices]`).
    ///
    /// `friction` is evaluated at the positions `y` of [`super::FrictionContact`]. It is lagged: a
    /// contact that has closed since friction was made has none yet, and one that has opened is
    /// left out here (see [`Friction::forces`]).
    pub fn list(
        surface: &Surface,
        contacts: &Contacts,
        x: &[Vec2],
        friction: &Friction,
        y: &[Vec2],
    ) -> Vec<Self> {
        let friction_of: BTreeMap<ContactPair, Vec2> = friction
            .forces(surface, y)
            .map(|friction| (friction.pair, friction.force))
            .collect();

        contacts
            .forces(surface, x)
            .map(|normal| Self {
                friction: friction_of.get(&normal.pair).copied().unwrap_or_default(),
                normal,
            })
            .collect()
    }
}

/// Place of a point, seen from the other side of its contact.
struct Place {
    /// Unit normal towards the point.
    normal: Vec2,
    /// Distance between both sides' vertices and edges, circles left out (m).
    distance: f64,
}

impl Contacts {
    /// Normal force of each contact at the positions `x` (m, `[vertices]`), at which the contacts
    /// were found.
    ///
    /// The sum of all forces on a vertex is minus the gradient of [`Contacts::energies`].
    pub fn forces<'a>(
        &'a self,
        surface: &'a Surface,
        x: &'a [Vec2],
    ) -> impl Iterator<Item = NormalForce> + 'a {
        // Points over the inside of an edge.
        let lines = self.lines.iter().map(|(&[p, a, b], contact)| {
            let tangent = (x[b] - x[a]).normalize();
            let signed_distance = tangent.perp(&(x[p] - x[a]));
            let place = Place {
                normal: perp(tangent) * 1.0_f64.copysign(signed_distance),
                distance: signed_distance.abs(),
            };
            let slope = contact.jet(place.distance).first;
            let force = contact.weight * -slope;
            normal_force(surface, x, &place, &[p, a, b], contact, force)
        });

        // Points at a vertex.
        let points = self.points.iter().map(|(stencil, contact)| {
            let offset = x[stencil[0]] - x[stencil[1]];
            let distance = offset.norm();
            let place = Place {
                normal: offset / distance,
                distance,
            };
            let slope = contact.jet(distance - contact.separation).first;
            let force = contact.weight * -slope;
            normal_force(surface, x, &place, stencil, contact, force)
        });

        // Points over a half-plane.
        let planes = self.planes.iter().map(|(stencil, contact)| {
            let distance = contact.normal.dot(&(x[stencil[0]] - x[stencil[1]]));
            let place = Place {
                normal: contact.normal,
                distance,
            };
            let slope = contact.jet(distance - contact.separation).first;
            let force = contact.weight * -slope;
            normal_force(surface, x, &place, stencil, contact, force)
        });

        let of_vertices = lines.chain(points).chain(planes);
        of_vertices.chain(segment_forces::forces(self, surface, x))
    }
}

/// The normal force of a `contact` at a `place`, of the size `force` (N). Its stencil is the point,
/// then an edge, a vertex or an origin.
fn normal_force<const N: usize>(
    surface: &Surface,
    x: &[Vec2],
    place: &Place,
    stencil: &[usize; N],
    contact: &impl LocalEnergy<N>,
    force: f64,
) -> NormalForce {
    let Place { normal, distance } = *place;

    // The other side is an edge, or one vertex, which then comes twice.
    let [point, first, last] = [stencil[0], stencil[1], stencil[N - 1]];
    let pair = ContactPair::new(surface, point, [first, last]);
    let acting = Acting {
        pair,
        foot: x[point] - normal * (distance - surface.radius[first]),
        normal,
        gap: distance - surface.separation_to(point, [first, last]),
        force,
    };
    acting.of(surface, stencil, contact, &stencil.map(|i| x[i]))
}

/// How a contact acts.
struct Acting {
    /// Both sides.
    pair: ContactPair,
    /// Point of contact on the second side (m).
    foot: Vec2,
    /// Unit normal towards the first side.
    normal: Vec2,
    /// Gap there (m).
    gap: f64,
    /// Force on the first side (N).
    force: f64,
}

impl Acting {
    /// The normal force of a `contact` between vertices `at` positions (m).
    fn of<const N: usize>(
        self,
        surface: &Surface,
        stencil: &[usize; N],
        contact: &impl LocalEnergy<N>,
        at: &[Vec2; N],
    ) -> NormalForce {
        let gradient = stencil.iter().zip(contact.gradient(at));
        NormalForce {
            pair: self.pair,
            bodies: self.pair.bodies(surface),
            point: self.foot,
            normal: self.normal,
            gap: self.gap,
            force: self.force,
            energy: contact.value(at),
            on_vertices: gradient.map(|(&i, g)| (i, -g)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::{Barrier, BarrierShape};
    use crate::{Candidates, Disk, Filter, FrictionForce, FrictionTable, HalfPlane, Lag};
    use ipcsim_energy::Energy;

    /// Coefficient of friction between all bodies.
    const MU: f64 = 0.3;

    /// A corner (vertices 0 to 2) with a point over its edge (3) and one at its vertex (4), a disk
    /// (5, rim 6) on the edge with another one (7, rim 8) on it, below a half-plane (9) and next to
    /// one that turns (10, 11).
    const POSITIONS: [[f64; 2]; 12] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, -1.0],
        [0.3, 0.05],
        [1.03, 0.04],
        [0.6, 0.25],
        [0.8, 0.25],
        [0.6, 0.78],
        [0.6, 1.08],
        [0.0, 1.13],
        [0.25, 2.0],
        [0.25, 1.0],
    ];

    /// The disk around a vertex, whose rim is the next vertex.
    fn disk(center: usize, radius: f64) -> Disk {
        Disk {
            center,
            rim: center + 1,
            radius,
        }
    }

    /// The surface of the bodies at [`POSITIONS`].
    fn surface() -> Surface {
        let body = vec![0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5];
        let below = HalfPlane {
            normal: -Vec2::y(),
            origin: 9,
            along: None,
        };
        let beside = HalfPlane {
            normal: Vec2::x(),
            origin: 10,
            along: Some(11),
        };

        let disks = vec![disk(5, 0.2), disk(7, 0.3)];
        let mut surface = Surface {
            points: vec![0, 1, 2, 3, 4, 5, 7],
            edges: vec![[0, 1], [1, 2], [5, 5], [7, 7]],
            planes: vec![below, beside],
            weight: vec![0.1; body.len()],
            filter: Filter::new(vec![], vec![], vec![[0, 5]], usize::MAX),
            min_separation: 0.001,
            ..Surface::new(body, 0.1)
        };

        for disk in &disks {
            surface.radius[disk.center] = disk.radius;
            surface.isolated[disk.center] = true;
        }
        surface.disks = disks;
        surface
    }

    /// Contacts at the positions, friction lagged there, and positions to which everything has
    /// slid.
    fn situation(surface: &Surface) -> (Contacts, Friction, Vec<Vec2>, Vec<Vec2>) {
        let x = POSITIONS.map(Vec2::from).to_vec();
        let barrier = Barrier {
            shape: BarrierShape::Log,
            kappa: 1e3,
        };

        let candidates = Candidates::find(surface, &x, |_| 0.0);
        let contacts = Contacts::find(surface, &barrier.into(), &candidates, &x).unwrap();
        let table = FrictionTable::uniform(MU, 1e-6);
        let lag = Lag::along_tangents(&table, &x, 1.0);
        let friction = Friction::lagged(surface, &contacts, &x, lag);

        let y = x
            .iter()
            .enumerate()
            .map(|(i, x)| x + Vec2::new((3.1 * i as f64).sin(), (1.7 * i as f64).cos()) * 0.01)
            .collect();
        (contacts, friction, x, y)
    }

    /// Largest sum of forces on a vertex and the gradient of the energies there, relative to the
    /// largest gradient: 0 if forces are minus the gradient.
    fn excess<'a>(
        forces: impl Iterator<Item = &'a VertexForces>,
        energies: &[&dyn Energy],
        x: &[Vec2],
    ) -> f64 {
        let mut sum = vec![Vec2::zeros(); x.len()];
        for energy in energies {
            energy.add_gradient(x, 1.0, &mut sum);
        }
        let scale = sum.iter().map(Vec2::norm).fold(0.0, f64::max);
        assert!(scale > 1.0);

        for &(vertex, force) in forces.flatten() {
            sum[vertex] += force;
        }

        sum.iter().map(Vec2::norm).fold(0.0, f64::max) / scale
    }

    /// The whole force on the vertices of each of two bodies.
    fn by_body(surface: &Surface, bodies: [usize; 2], forces: &VertexForces) -> [Vec2; 2] {
        bodies.map(|body| {
            let own = forces.iter().filter(|(i, _)| surface.body[*i] == body);
            own.map(|(_, force)| force).sum()
        })
    }

    #[test]
    fn forces_add_up_to_minus_the_gradients() {
        let surface = surface();
        let (contacts, friction, x, y) = situation(&surface);
        let normal: Vec<NormalForce> = contacts.forces(&surface, &x).collect();
        let rubbing: Vec<FrictionForce> = friction.forces(&surface, &y).collect();

        assert_eq!(normal.len(), contacts.len());
        let of_normal = normal.iter().map(|contact| &contact.on_vertices);
        assert!(excess(of_normal, &contacts.energies(), &x) < 1e-14);
        let of_friction = rubbing.iter().map(|contact| &contact.on_vertices);
        assert!(excess(of_friction, &friction.energies(), &y) < 1e-14);
    }

    #[test]
    fn each_side_of_a_contact_feels_the_opposite_of_the_other() {
        let surface = surface();
        let (contacts, friction, x, y) = situation(&surface);

        for contact in contacts.forces(&surface, &x) {
            let force = contact.normal * contact.force;
            let [on_first, on_second] = by_body(&surface, contact.bodies, &contact.on_vertices);
            assert!(
                (on_first - force).norm() < 1e-12 * force.norm(),
                "{contact:?}"
            );
            assert!(
                (on_second + force).norm() < 1e-12 * force.norm(),
                "{contact:?}"
            );

            // The point of contact lies below the vertex by gap, separation and the radius of the
            // vertex.
            let vertex = contact.on_vertices[0].0;
            let below = contact.gap + surface.radius[vertex] + surface.min_separation;
            let point = x[vertex] - contact.normal * below;
            assert!((contact.point - point).norm() < 1e-12, "{contact:?}");
        }

        for contact in friction.forces(&surface, &y) {
            let [on_first, on_second] = by_body(&surface, contact.bodies, &contact.on_vertices);
            assert!((on_first - contact.force).norm() < 1e-12 * contact.force.norm());
            assert!((on_second + contact.force).norm() < 1e-12 * contact.force.norm());
        }
    }

    #[test]
    fn normal_and_friction_forces_obey_coulomb_in_the_list_of_contacts() {
        let surface = surface();
        let (contacts, friction, x, mut y) = situation(&surface);
        y.clone_from(&x);
        y[3] += Vec2::new(0.01, 0.0);
        let list = ContactForces::list(&surface, &contacts, &x, &friction, &y);

        // The vertex over the edge slides.
        let edge = |point, edge| ContactPair::Edge { point, edge };
        let over_edge = edge(3, [0, 1]);
        let found = list.iter().find(|contact| contact.normal.pair == over_edge);
        let ContactForces { normal, friction } = found.unwrap();
        assert_eq!(normal.bodies, [1, 0]);
        assert_eq!(normal.normal, Vec2::y());
        assert!((normal.point - Vec2::new(0.3, 0.0)).norm() < 1e-15);
        assert!((normal.gap - 0.049).abs() < 1e-15);
        assert!(normal.force > 0.0);
        let expected = Vec2::new(-MU * normal.force, 0.0);
        assert!((friction - expected).norm() < 1e-12 * normal.force);

        // Both disks, both half-planes and the corner are in the list, and nothing else slides.
        let pairs: Vec<ContactPair> = list.iter().map(|contact| contact.normal.pair).collect();
        for pair in [
            edge(4, [1, 1]),
            edge(5, [0, 1]),
            edge(5, [7, 7]),
            ContactPair::Plane { point: 7, plane: 0 },
            ContactPair::Plane { point: 7, plane: 1 },
        ] {
            assert!(pairs.contains(&pair), "{pair:?} of {pairs:?}");
        }
        let mut sliding = list.clone();
        sliding.retain(|contact| contact.friction != Vec2::zeros());
        assert!(!sliding.is_empty());
        let is_third = |contact: &ContactForces| contact.normal.pair.vertices()[0] == 3;
        assert!(sliding.iter().all(is_third));
    }
}
