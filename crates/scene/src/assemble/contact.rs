//! The surface that collides, and friction and restitution between bodies.
//!
//! The surface is the list of all vertices, edges, circles and half-planes that collide, with the
//! area that each vertex stands for. It belongs to the whole scene, and which pairs collide is
//! decided by a filter over the numbers of bodies: bodies of one group or linkage, of different layers, and pairs that
//! the scene excludes do not, and a body that moves as a whole cannot touch itself.

use super::builder::Builder;
use super::turn::{breadth, is_revolved};
use crate::kind::Freedom;
use crate::schema::{Body, Collide, Friction, FrictionPair, Joint, Scene, Stick};
use ipcsim_contact::{
    Coefficients, ContactModel, Filter, FrictionTable, PairScale, RestSpeed, Restitution,
    RodNeighbours, Surface,
};
use ipcsim_math::groups::Groups;
use std::collections::{BTreeMap, HashMap};
use std::f64::consts::TAU;

/// Largest change of the area along an edge relative to that at its middle (1): 2 at an end on the axis has no
/// area there.
const MOST_WIDENING: f64 = 1.9;

impl Builder {
    /// The surface of all bodies and obstacles, with these activation distances (m).
    ///
    /// The builder's lists of edges, circles, half-planes and filled bodies are moved out of it.
    /// Activation distances of vertices within their own bodies are still missing.
    pub(super) fn surface(&mut self, scene: &Scene, reach: &PairScale) -> Surface {
        let body = self.owners();

        // Vertices that collide, ascending: not those of bodies that nothing can touch.
        let filter = self.filter(scene);
        let untouchable = filter.untouchable(self.bodies.len());
        let images = self.images();
        let integrated = self.integrated(scene);
        let mut points: Vec<usize> = self.edges.iter().flatten().copied().collect();
        // A body of a scene that repeats can touch its images.
        points.retain(|&vertex| !untouchable[body[vertex]] || !images.is_empty());
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

        let widening = self.widen(scene);
        let edge_area = if integrated.contains(&true) {
            let length =
                |&[a, b]: &[usize; 2]| (self.vertices[b].rest - self.vertices[a].rest).norm();
            self.edges
                .iter()
                .map(|edge| {
                    let [a, b] = edge.map(|i| self.vertices[i].rest);
                    length(edge) * breadth(scene, (a + b) * 0.5)
                })
                .collect()
        } else {
            Vec::new()
        };

        Surface {
            points,
            images,
            frames: self.frames(),
            integrated,
            edge_area,
            widening,
            thickness: self.mean_turn(scene, 0..self.vertices.len()),
            edges: std::mem::take(&mut self.edges),
            disks: std::mem::take(&mut self.disks),
            planes: std::mem::take(&mut self.planes),
            weight: self.vertices.iter().map(|vertex| vertex.weight).collect(),
            radius: self.vertices.iter().map(|vertex| vertex.radius).collect(),
            strands: RodNeighbours::new(self.strands(|k| reach.between(k, k))),
            isolated,
            filled: std::mem::take(&mut self.filled),
            filter,
            min_separation: scene.contact.min_separation,
            shared_vertices: scene.contact.shared(),
            broad_phase: scene.contact.broad_phase,
            narrow_phase: scene.contact.narrow_phase,
            reach: reach.clone(),
            ..Surface::new(body, reach.most())
        }
    }

    /// Change of the area along each edge relative to that at its middle (1), `[edges]`, of bodies of
    /// revolution, whose vertices get areas of the full turn; empty in the plane.
    ///
    /// A pole, where an edge begins on the axis, keeps a small area: without any the barrier at the tip of a
    /// cone would be finite, and would not hold it.
    fn widen(&mut self, scene: &Scene) -> Vec<f64> {
        if !is_revolved(scene) {
            return Vec::new();
        }
        let mut widening = Vec::with_capacity(self.edges.len());
        let mut areas = vec![0.0; self.vertices.len()];
        for &[a, b] in &self.edges {
            let [from, to] = [a, b].map(|i| self.vertices[i].rest);
            let both = from.x + to.x;
            let change = 2.0 * (to.x - from.x) / both;
            let change = change.clamp(-MOST_WIDENING, MOST_WIDENING);
            widening.push(if both > 0.0 { change } else { 0.0 });
            let length = (to - from).norm();
            areas[a] += TAU / 6.0 * length * (both + from.x);
            areas[b] += TAU / 6.0 * length * (both + to.x);
        }
        for (vertex, area) in self.vertices.iter_mut().zip(areas) {
            vertex.weight = area;
        }
        widening
    }

    /// True for each body whose contact with any other one is integrated along edges, `[bodies]`.
    fn integrated(&self, scene: &Scene) -> Vec<bool> {
        match scene.contact.model {
            ContactModel::Vertices | ContactModel::Book => vec![false; self.bodies.len()],
            ContactModel::Edges => vec![true; self.bodies.len()],
            ContactModel::Mixed => {
                let deforms = |body: &Body| body.kind.rules().freedom() != Freedom::Whole;
                let mut integrated: Vec<bool> = scene.bodies.iter().map(deforms).collect();
                integrated.resize(self.bodies.len(), false);
                integrated
            }
        }
    }

    /// Number of the body or obstacle with a name; `None` if there is none.
    pub(super) fn body_named(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// Numbers of bodies and obstacles by name, the first one of a name: for those who look up many
    /// names: each would be a search through all bodies.
    pub(super) fn names(&self) -> HashMap<&str, usize> {
        let bodies = self.bodies.iter().enumerate().rev();
        bodies
            .map(|(number, body)| (body.name.as_str(), number))
            .collect()
    }

    /// Pairs of bodies that do not collide: of one group, of one linkage or of different layers, rigid ones
    /// with themselves, pairs that the scene excludes, and bodies of a joint that does not let them
    /// collide.
    fn filter(&self, scene: &Scene) -> Filter {
        let excluded = scene.contact.exclude.iter();
        let joined = scene.joints.iter().filter(|joint| !joint.collides());
        let names = self.names();
        let joined = joined.map(Joint::bodies);
        let joined: Vec<[usize; 2]> = joined.filter_map(|pair| pair_named(&names, pair)).collect();
        let excluded = excluded.filter_map(|pair| pair_named(&names, pair));
        let mut pairs: Vec<[usize; 2]> = excluded.collect();

        // Bodies of a joint collide with images of each other.
        let mut across = Vec::new();
        if scene.periodic.is_some() {
            across.clone_from(&joined);
        } else {
            pairs.extend(&joined);
        }

        let linkages = match scene.contact.collide {
            Collide::All => Vec::new(),
            Collide::None => vec![1; self.bodies.len()],
            Collide::Unlinked => {
                let first = scene.bodies.len();
                let linkages = linkages(&joined, first);
                pairs.extend(supports(&joined, &linkages, first));
                linkages
            }
        };
        let layers = scene.bodies.iter().map(|body| body.layer);
        let layers = layers.chain(scene.obstacles.iter().map(|own| own.layer));
        let layers = layers.map(Option::unwrap_or_default).collect();

        let groups = self.numbers_of_groups();
        let filter = Filter::new(groups, self.rigid.clone(), pairs, scene.bodies.len());
        filter.with(linkages, layers).across(across)
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

    /// Friction between bodies: the default of the scene, those of materials and of pairs, the
    /// speeds `eps_v` (m/s) of pairs, and belts.
    ///
    /// A pair of names that do not exist has no effect; such scenes are not built.
    pub(super) fn friction(&self, scene: &Scene, eps_v: PairScale) -> FrictionTable {
        let friction = &scene.contact.friction;
        let mut table = FrictionTable::new(friction.coefficients(), eps_v);
        table.kinetic_speed = friction.kinetic_speed;
        table.sticks = scene.contact.stick() == Stick::Anchors;
        if let Some(speed) = friction.rolling_spin_deg {
            table.rolling_speed = speed.to_radians();
        }
        let names = self.names();
        for pair in &friction.pairs {
            if let Some([a, b]) = pair_named(&names, &pair.between) {
                table.set(a, b, pair.coefficients());
            }
        }

        // Materials by their numbers, for all bodies and then all obstacles.
        if !friction.materials.is_empty() {
            let number = |name: &String| scene.materials.keys().position(|known| known == name);
            let of_bodies = scene.bodies.iter().map(|body| number(&body.material));
            let of_obstacles = scene
                .obstacles
                .iter()
                .map(|obstacle| obstacle.material.as_ref());
            let of_obstacles = of_obstacles.map(|name| name.and_then(number));
            table.materials = of_bodies.chain(of_obstacles).collect();
            for pair in &friction.materials {
                if let [Some(a), Some(b)] = pair.between.each_ref().map(number) {
                    table.set_materials(a, b, pair.coefficients());
                }
            }
        }

        let of_bodies = scene.bodies.iter().map(|body| body.belt);
        let belts = of_bodies.chain(scene.obstacles.iter().map(|obstacle| obstacle.belt));
        if belts.clone().any(|speed| speed != 0.0) {
            table.belts = belts.collect();
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
        let names = self.names();
        for pair in &restitution.pairs {
            if let Some([a, b]) = pair_named(&names, &pair.between) {
                table.set(a, b, pair.coefficient);
            }
        }
        table
    }
}

/// Linkage of each of `count` bodies, from 1 on, by the `joined` pairs among them; 0 for a body that is
/// joined to no other.
fn linkages(joined: &[[usize; 2]], count: usize) -> Vec<u32> {
    let mut groups = Groups::new(count);
    let links = joined.iter().filter(|pair| pair.iter().all(|&k| k < count));
    for &[a, b] in links {
        groups.join(a, b);
    }

    let roots: Vec<usize> = (0..count).map(|body| groups.root(body)).collect();
    let mut sizes = vec![0; count];
    for &root in &roots {
        sizes[root] += 1;
    }
    let numbers = roots.into_iter().map(|root| match sizes[root] {
        0 | 1 => 0,
        _ => u32::try_from(root + 1).unwrap_or(u32::MAX),
    });
    numbers.collect()
}

/// Pairs of each link and each obstacle to which one of its linkage is joined; obstacles begin with the
/// number `first`.
fn supports(joined: &[[usize; 2]], linkages: &[u32], first: usize) -> Vec<[usize; 2]> {
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (body, &linkage) in linkages.iter().enumerate().filter(|(_, own)| **own != 0) {
        members.entry(linkage).or_default().push(body);
    }

    let mut pairs = Vec::new();
    for pair in joined {
        let [body, obstacle] = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        let linkage = linkages.get(body).filter(|_| obstacle >= first);
        let links = linkage.and_then(|own| members.get(own));
        pairs.extend(links.into_iter().flatten().map(|&link| [link, obstacle]));
    }
    pairs
}

/// Numbers of two bodies or obstacles among all `names`; `None` if one of them does not exist.
fn pair_named(names: &HashMap<&str, usize>, [a, b]: &[String; 2]) -> Option<[usize; 2]> {
    Some([*names.get(a.as_str())?, *names.get(b.as_str())?])
}

impl Friction {
    /// Coefficients of pairs without an entry.
    fn coefficients(&self) -> Coefficients {
        Coefficients {
            sticking: self.default,
            sliding: self.kinetic.unwrap_or(self.default),
            rolling: self.rolling,
        }
    }
}

impl FrictionPair {
    /// Coefficients of the entry.
    pub(super) fn coefficients(&self) -> Coefficients {
        Coefficients {
            sticking: self.coefficient,
            sliding: self.kinetic.unwrap_or(self.coefficient),
            rolling: self.rolling,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Setup, build, parse};
    use ipcsim_contact::Candidates;
    use ipcsim_math::Vec2;
    use ipcsim_math::geometry::path::Sweep;

    /// Two squares of one group, with these obstacles.
    fn squares(obstacles: &str) -> Setup {
        let text = format!(
            r#"{{ "time": {{ "step": 0.01, "steps": 1 }}, "materials": {{ "m": {{ "density": 1 }} }},
                 "bodies": [ {{ "name": "s", "kind": "rigid", "shape": {{ "rectangle": {{ "size": [1, 1], "segments": [1, 1] }} }},
                                "material": "m", "group": "all",
                                "copies": {{ "counts": [2, 1], "spacing": [3, 0] }} }} ],
                 "obstacles": [{obstacles}] }}"#
        );
        build(parse(&text, &[]).unwrap()).unwrap()
    }

    #[test]
    fn bodies_that_nothing_can_touch_have_no_part_in_the_search_for_collisions() {
        let alone = squares("").world;
        let surface = &alone.model.surface;
        assert_eq!((surface.points.len(), surface.edges.len()), (0, 8));
        assert!(alone.options.tunnelling.are_absent());

        // Candidates hold however far the squares move.
        let x = &alone.rest;
        let moved: Vec<Vec2> = x.iter().map(|x| x * -7.0).collect();
        let candidates = Candidates::find(surface, x, |_| 0.0);
        assert!(candidates.is_empty() && candidates.cover(&Sweep::straight(x, &moved)));
        assert!(!candidates.cover(&Sweep::straight(&x[1..], &moved[1..])));

        // A floor meets both of them, and they do not meet each other.
        let floor = r#"{ "name": "f", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, -4] } } }"#;
        let above = squares(floor).world;
        assert_eq!(above.model.surface.points.len(), 8);
        assert!(!above.options.tunnelling.are_absent());
    }
}
