//! Parts of bodies that loads and probes select: vertices, and edges of the outline.

use super::builder::Builder;
use super::load::NewLoad;
use super::placement::Placement;
use super::select::Selectable;
use super::setup::Setup;
use crate::problem::Problem;
use crate::schema::{Scene, Selection};
use crate::shape_geometry::{names_in, selections};
use ipcsim_core::body::Configuration;
use ipcsim_math::Vec2;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of the vertices of a body that a scene selects, within the body.
///
/// A selection at the JSON path `path` that is empty or names what does not exist is added to
/// `problems`.
pub(crate) fn select(
    setup: &Setup,
    body: usize,
    selection: &Selection,
    path: &str,
    problems: &mut Vec<Problem>,
) -> Vec<usize> {
    let Setup { scene, world, .. } = setup;
    let is_resized = setup.resized.contains(&body);
    let body = &world.bodies[body];
    let own = body.vertices.clone();
    let Some((placement, named)) = placed(scene, &body.name) else {
        return Vec::new();
    };
    // The checks do not look into the selections of probes.
    if let Selection::Named(name) = selection
        && !named.contains_key(name)
    {
        let message = format!("\"{}\" has no selection \"{name}\"", body.name);
        problems.push(Problem::error(path, message));
        return Vec::new();
    }

    let outline = world.model.surface.edges.iter();
    // Points and circles stand among the edges, from a vertex to itself.
    let outline = outline.filter(|[a, b]| a != b && own.contains(a));
    let edges: Vec<[usize; 2]> = outline.map(|edge| edge.map(|i| i - own.start)).collect();
    let rest = &world.rest[own.clone()];
    let start = if is_resized {
        rest
    } else {
        &setup.state.x[own]
    };
    let places = [start, rest];
    Selectable::new(&body.name, &named, places, &placement, &edges, scene)
        .choose(selection, path, problems)
}

/// Placement of the body or obstacle of this name, and its selections by name; `None` if there is
/// none.
fn placed(scene: &Scene, name: &str) -> Option<(Placement, BTreeMap<String, Selection>)> {
    if let Some(body) = scene.bodies.iter().find(|body| body.name == name) {
        let placement = Placement::new(body.position, body.rotation_deg);
        return Some((placement, selections(body)));
    }
    let obstacle = scene.obstacles.iter().find(|o| o.name == name)?;
    let placement = Placement::new(obstacle.position, obstacle.rotation_deg);
    Some((placement, names_in(&obstacle.shape, true)))
}

impl Builder {
    /// Vertices that a load selects, by their numbers in the world.
    pub(super) fn chosen(&mut self, load: &NewLoad, selection: &Selection) -> Vec<usize> {
        let name = &load.spec.body;
        self.chosen_of(
            (load.body, name),
            load.scene,
            load.at,
            selection,
            &load.path("on"),
        )
    }

    /// Vertices of a body, by its number and name, that a selection at the JSON path `path` has, by
    /// their numbers in the world.
    pub(super) fn chosen_of(
        &mut self,
        (number, name): (usize, &str),
        scene: &Scene,
        at: &Configuration,
        selection: &Selection,
        path: &str,
    ) -> Vec<usize> {
        let body = &self.bodies[number];
        let first = body.vertices.start;
        let Some((placement, named)) = placed(scene, name) else {
            return Vec::new();
        };

        let edges: Vec<[usize; 2]> = self.edges_of(number).collect();
        let edges: Vec<[usize; 2]> = edges.iter().map(|edge| edge.map(|i| i - first)).collect();
        let rest: Vec<Vec2> = self.vertices[body.vertices.clone()]
            .iter()
            .map(|vertex| vertex.rest)
            .collect();
        let x = if self.sizes.contains_key(name) {
            &rest
        } else {
            &at.x[body.vertices.clone()]
        };
        let selectable = Selectable::new(&body.name, &named, [x, &rest], &placement, &edges, scene);

        let chosen = selectable.choose(selection, path, &mut self.problems);
        chosen.into_iter().map(|i| first + i).collect()
    }

    /// Edges of the outline of a body that have a length.
    pub(super) fn edges_of(&self, body: usize) -> impl Iterator<Item = [usize; 2]> {
        let own = self.bodies[body].vertices.clone();
        let edges = self.edges.iter().copied();
        edges.filter(move |[a, b]| a != b && own.contains(a))
    }

    /// Edges of the outline with both ends among the vertices that a load selects; `None`, and a
    /// problem, if there are none.
    pub(super) fn chosen_edges(&mut self, load: &NewLoad) -> Option<Vec<[usize; 2]>> {
        let all: Vec<[usize; 2]> = self.edges_of(load.body).collect();
        if all.is_empty() {
            let key = load.spec.kinds().next().unwrap_or("force");
            let message = format!(
                "acts on edges, but \"{}\" has none; use a force, or a shape with edges",
                load.name()
            );
            self.problems.push(Problem::error(load.path(key), message));
            return None;
        }
        let Some(selection) = &load.spec.on else {
            return Some(in_chains(&all));
        };

        let chosen = self.chosen(load, selection);
        if chosen.is_empty() {
            // The selection has its message already.
            return None;
        }

        let members: BTreeSet<usize> = chosen.iter().copied().collect();
        let edges = all.into_iter();
        let edges: Vec<[usize; 2]> = edges
            .filter(|edge| edge.iter().all(|end| members.contains(end)))
            .collect();
        let edges = in_chains(&edges);
        if edges.is_empty() {
            let message = format!(
                "selects {} vertices of \"{}\", but no edge of the outline has both ends among them; \
                 select more",
                chosen.len(),
                load.name()
            );
            let mut problem = Problem::error(load.path("on"), message);
            problem.places.push(load.at.x[chosen[0]]);
            self.problems.push(problem);
            return None;
        }
        Some(edges)
    }
}

/// Edges in the order in which they follow each other: open chains first, then closed ones.
pub(super) fn in_chains(edges: &[[usize; 2]]) -> Vec<[usize; 2]> {
    let ends: BTreeSet<usize> = edges.iter().map(|edge| edge[1]).collect();
    let mut next: BTreeMap<usize, Vec<[usize; 2]>> = BTreeMap::new();
    // In reverse order, so that edges are popped in the order of the list.
    for &edge in edges.iter().rev() {
        next.entry(edge[0]).or_default().push(edge);
    }

    let heads = edges.iter().filter(|edge| !ends.contains(&edge[0]));
    // A closed chain has no head and may begin at any of its edges.
    let starts: Vec<usize> = heads.chain(edges).map(|edge| edge[0]).collect();
    let mut ordered = Vec::with_capacity(edges.len());
    for mut vertex in starts {
        while let Some(edge) = next.get_mut(&vertex).and_then(Vec::pop) {
            ordered.push(edge);
            vertex = edge[1];
        }
    }
    ordered
}
