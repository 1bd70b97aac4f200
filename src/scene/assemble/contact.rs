//! The surface that collides, and friction and restitution between bodies.
//!
//! The surface is the list of all vertices, edges, circles and half-planes that collide, with the
//! area that each vertex stands for. It belongs to the whole scene, and which pairs collide is
//! decided by a filter over the numbers of bodies: bodies of one group and pairs that the scene
//! excludes do not, and a body that moves as a whole cannot touch itself.

use super::builder::Builder;
use crate::contact::{Filter, FrictionTable, PairScale, RestSpeed, Restitution, Surface};
use crate::scene::schema::{Joint, Scene};
use std::collections::BTreeMap;

impl Builder {
    /// The surface of all bodies and obstacles, with these activation distances (m).
    ///
    /// The builder's lists of edges, circles, half-planes and filled bodies are moved out of it.
    /// Activation distances of vertices within their own bodies are still missing.
    pub(super) fn surface(&mut self, scene: &Scene, reach: &PairScale) -> Surface {
        let body = self.owners();

        // Vertices that collide, ascending.
        let mut points: Vec<usize> = self.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();

        // A point has no length of boundary, and counts as one of length d_hat.
        let d_hat = |i: usize| reach.between(body[i], body[i]);
        let mut isolated = vec![false; self.vertices.len()];
        for &i in &self.isolated {
            isolated[i] = true;
            let weight = &mut self.vertices[i].weight;
            *weight = weight.max(d_hat(i) * scene.thickness);
        }

        Surface {
            points,
            edges: std::mem::take(&mut self.edges),
            disks: std::mem::take(&mut self.disks),
            planes: std::mem::take(&mut self.planes),
            weight: self.vertices.iter().map(|vertex| vertex.weight).collect(),
            radius: self.vertices.iter().map(|vertex| vertex.radius).collect(),
            isolated,
            filled: std::mem::take(&mut self.filled),
            filter: self.filter(scene),
            min_separation: scene.contact.min_separation,
            shared_vertices: scene.contact.shared_vertices,
            broad_phase: scene.contact.broad_phase,
            narrow_phase: scene.contact.narrow_phase,
            reach: reach.clone(),
            ..Surface::new(body, reach.most())
        }
    }

    /// Number of the body or obstacle with a name; `None` if there is none.
    pub(super) fn body_named(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// Numbers of two bodies or obstacles by their names; `None` if one of them does not exist.
    fn pair_named(&self, [a, b]: &[String; 2]) -> Option<[usize; 2]> {
        Some([self.body_named(a)?, self.body_named(b)?])
    }

    /// Pairs of bodies that do not collide: those of one group, rigid ones with themselves, those
    /// that the scene excludes, and those of a joint that does not let them collide.
    fn filter(&self, scene: &Scene) -> Filter {
        let excluded = scene.contact.exclude.iter();
        let joined = scene.joints.iter().filter(|joint| !joint.collides());
        let names = excluded.chain(joined.map(Joint::bodies));
        let pairs = names.filter_map(|names| self.pair_named(names)).collect();
        Filter::new(
            self.numbers_of_groups(),
            self.rigid.clone(),
            pairs,
            scene.bodies.len(),
        )
    }

    /// Number of each body's group, `[bodies]`: from 1 in the order in which groups appear, and 0
    /// for a body without a group.
    fn numbers_of_groups(&self) -> Vec<u32> {
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        let mut of_bodies = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let count = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            of_bodies.push(match group {
                Some(name) => *numbers.entry(name).or_insert(count.saturating_add(1)),
                None => 0,
            });
        }
        of_bodies
    }

    /// Coefficients of friction (1) between bodies, the default of the scene and those of pairs,
    /// with the speeds `eps_v` (m/s) of pairs.
    ///
    /// A pair of names that do not exist has no effect; such scenes are not built.
    pub(super) fn friction(&self, scene: &Scene, eps_v: PairScale) -> FrictionTable {
        let friction = &scene.contact.friction;
        let mut table = FrictionTable::new(friction.default, eps_v);
        for pair in &friction.pairs {
            if let Some([a, b]) = self.pair_named(&pair.between) {
                table.set(a, b, pair.coefficient);
            }
        }
        table
    }

    /// Coefficients of restitution (1) between bodies, the default of the scene and those of pairs,
    /// with the approach speeds up to which pairs do not rebound.
    ///
    /// A pair of names that do not exist has no effect; such scenes are not built.
    pub(super) fn restitution(&self, scene: &Scene, rest: RestSpeed) -> Restitution {
        let restitution = &scene.contact.restitution;
        let mut table = Restitution::new(restitution.default, rest);
        for pair in &restitution.pairs {
            if let Some([a, b]) = self.pair_named(&pair.between) {
                table.set(a, b, pair.coefficient);
            }
        }
        table
    }
}
