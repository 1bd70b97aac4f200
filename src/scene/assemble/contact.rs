//! The surface that collides, and friction between bodies.

use super::builder::Builder;
use crate::contact::{Filter, FrictionTable, Surface};
use crate::scene::schema::Scene;
use std::collections::BTreeMap;

impl Builder {
    /// The surface of all bodies and obstacles.
    pub(super) fn surface(&mut self, scene: &Scene, d_hat: f64) -> Surface {
        let mut body = vec![0; self.vertices.len()];
        for (index, owner) in self.bodies.iter().enumerate() {
            body[owner.vertices.clone()].fill(index);
        }

        let mut points: Vec<usize> = self.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();

        let mut isolated = vec![false; self.vertices.len()];
        self.isolated.iter().for_each(|&i| isolated[i] = true);
        for &i in &self.isolated {
            // A point has no length of boundary.
            let weight = &mut self.vertices[i].weight;
            *weight = weight.max(d_hat * scene.thickness);
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
            ..Surface::new(body, d_hat)
        }
    }

    /// Number of the body with a name.
    pub(super) fn body_named(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// Pairs of bodies that do not collide: those of one group, rigid ones with themselves, those that
    /// the scene excludes, and those of a joint.
    fn filter(&self, scene: &Scene) -> Filter {
        let mut numbers = BTreeMap::new();
        let mut number = |group: &Option<String>| {
            let next = u32::try_from(numbers.len())
                .unwrap_or(u32::MAX)
                .saturating_add(1);
            group
                .as_ref()
                .map_or(0, |name| *numbers.entry(name.clone()).or_insert(next))
        };

        let groups = self.groups.iter().map(&mut number).collect();
        let pair = |[a, b]: &[String; 2]| Some([self.body_named(a)?, self.body_named(b)?]);
        let joined = scene.joints.iter().filter(|joint| !joint.collides());
        let excluded = scene.contact.exclude.iter();
        let all = excluded.chain(joined.map(|joint| joint.bodies()));
        let pairs = all.filter_map(pair).collect();
        Filter::new(groups, self.rigid.clone(), pairs, scene.bodies.len())
    }

    /// Coefficients of friction between bodies.
    pub(super) fn friction(&self, scene: &Scene) -> FrictionTable {
        let mut table = FrictionTable::uniform(scene.contact.friction.default);
        for pair in &scene.contact.friction.pairs {
            if let (Some(a), Some(b)) = (
                self.body_named(&pair.between[0]),
                self.body_named(&pair.between[1]),
            ) {
                table.set(a, b, pair.coefficient);
            }
        }
        table
    }
}
