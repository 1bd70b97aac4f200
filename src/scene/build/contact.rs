//! What collides, and how strongly.

use super::Builder;
use crate::body::{Body, BodyKind, Prescribed};
use crate::contact::barrier::Barrier;
use crate::contact::{Filter, FrictionTable, Surface};
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::scene::schema::{self, Kind, Law, Scene};
use std::collections::BTreeMap;

/// Default of `d_hat` relative to the diagonal of the scene.
const D_HAT_SHARE: f64 = 1e-3;

/// Most of the smallest body that the default may be.
const SHARE_OF_BODY: f64 = 0.02;

/// Share of a speed at the start that counts as having to be stopped in one step.
const IMPACT_SHARE: f64 = 0.1;

/// Default of `kappa`, where nothing is elastic, relative to the pressure of a body's weight and impact on its vertices.
const PRESSURES: f64 = 40.0;

impl Builder {
    /// Fills in what the scene leaves open about the barrier; `x` are positions at the start.
    pub(super) fn resolve_contact(&self, scene: &mut Scene, x: &[Vec2]) -> Barrier {
        let extent = |x: &[Vec2]| Aabb::around(x.iter().copied()).extent().norm();
        let bounded = self.bodies.iter().filter(|body| body.kind != BodyKind::HalfPlane);
        let smallest = bounded.map(|body| extent(&x[body.vertices.clone()]));
        let smallest = smallest.filter(|&size| size > 0.0).fold(f64::INFINITY, f64::min);
        let d_hat = (D_HAT_SHARE * extent(x)).min(SHARE_OF_BODY * smallest);
        let d_hat = *scene.contact.d_hat.get_or_insert(d_hat);
        let stiffest = Self::stiffest(scene);
        let kappa = if stiffest > 0.0 { stiffest } else { self.pressure(scene, x, d_hat) };
        let kappa = *scene.contact.kappa.get_or_insert(kappa);
        Barrier { shape: scene.contact.barrier, kappa, d_hat }
    }

    /// The largest stiffness of a deformable body (Pa); 0 if there is none.
    fn stiffest(scene: &Scene) -> f64 {
        let elastic = scene.bodies.iter().filter(|body| !matches!(body.kind, Kind::Rigid | Kind::Affine(_)));
        let stiffness = elastic.filter_map(|body| scene.materials.get(&body.material)?.law).map(|law| match law {
            Law::MassSpring(spring) => spring.stiffness,
            Law::NeoHookean(e) | Law::FixedCorotated(e) | Law::StVenantKirchhoff(e) | Law::Linear(e) => e.young,
        });
        stiffness.fold(0.0, f64::max)
    }

    /// The largest speed of what is prescribed (m/s).
    fn fastest_prescribed(&self, x: &[Vec2]) -> f64 {
        let extent = |body: &Body| Aabb::around(x[body.vertices.clone()].iter().copied()).extent().norm();
        let speed = |p: &Prescribed| {
            let [speed, turning] = p.motion.fastest();
            let size = self.bodies.iter().find(|body| body.nodes.contains(&p.node)).map_or(0.0, extent);
            speed + turning * size
        };
        self.prescribed.iter().map(speed).fold(0.0, f64::max)
    }

    /// A pressure (Pa) that holds and stops the bodies of a scene in which nothing is elastic: that of a body's weight, of
    /// forces on it and of a share of its speed at the start or of that of what is prescribed, on one of its vertices.
    fn pressure(&self, scene: &Scene, x: &[Vec2], d_hat: f64) -> f64 {
        let gravity = Vec2::from(scene.gravity).norm();
        let prescribed = self.fastest_prescribed(x);
        let pressure = |(body, scripted): (&Body, &schema::Body)| {
            let mass = self.mass[body.nodes.start].x;
            let size = Aabb::around(x[body.vertices.clone()].iter().copied()).extent().norm();
            let speed = Vec2::from(scripted.velocity).norm() + scripted.spin_deg.to_radians().abs() * size;
            let speed = speed.max(prescribed);
            let force = Vec2::from(scripted.force).norm() + scripted.torque.abs() / size.max(d_hat);
            let weights = self.weight[body.vertices.clone()].iter().copied().filter(|&w| w > 0.0);
            let width = weights.reduce(f64::min).unwrap_or(d_hat * scene.thickness);
            (mass * (gravity + IMPACT_SHARE * speed / scene.time.step) + force) / width
        };
        let largest = self.bodies.iter().zip(&scene.bodies).map(pressure).fold(0.0, f64::max);
        PRESSURES * if largest > 0.0 { largest } else { 1.0 }
    }

    /// What collides.
    pub(super) fn surface(&mut self, scene: &Scene, barrier: Barrier) -> Surface {
        let mut body = vec![0; self.rest.len()];
        for (index, owner) in self.bodies.iter().enumerate() {
            body[owner.vertices.clone()].fill(index);
        }
        let mut points: Vec<usize> = self.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();
        let mut lone = vec![false; self.rest.len()];
        self.lone.iter().for_each(|&i| lone[i] = true);
        for &i in &self.lone {
            // A point has no length of its own.
            self.weight[i] = self.weight[i].max(barrier.d_hat * scene.thickness);
        }
        Surface {
            points,
            edges: std::mem::take(&mut self.edges),
            disks: std::mem::take(&mut self.disks),
            planes: std::mem::take(&mut self.planes),
            weight: std::mem::take(&mut self.weight),
            radius: std::mem::take(&mut self.radius),
            lone,
            filled: std::mem::take(&mut self.filled),
            filter: self.filter(scene),
            min_separation: scene.contact.min_separation,
            shared_vertices: scene.contact.shared_vertices,
            broad_phase: scene.contact.broad_phase,
            narrow_phase: scene.contact.narrow_phase,
            ..Surface::new(body, barrier)
        }
    }

    fn body_named(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    fn filter(&self, scene: &Scene) -> Filter {
        let mut numbers = BTreeMap::new();
        let mut number = |group: &Option<String>| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX).saturating_add(1);
            group.as_ref().map_or(0, |name| *numbers.entry(name.clone()).or_insert(next))
        };
        let groups = self.groups.iter().map(&mut number).collect();
        let pair = |[a, b]: &[String; 2]| Some([self.body_named(a)?, self.body_named(b)?]);
        let pairs = scene.contact.exclude.iter().filter_map(pair).collect();
        Filter::new(groups, self.rigid.clone(), pairs, scene.bodies.len())
    }

    pub(super) fn friction(&self, scene: &Scene) -> FrictionTable {
        let mut table = FrictionTable::uniform(scene.contact.friction.default);
        for pair in &scene.contact.friction.pairs {
            if let (Some(a), Some(b)) = (self.body_named(&pair.between[0]), self.body_named(&pair.between[1])) {
                table.set(a, b, pair.coefficient);
            }
        }
        table
    }
}
