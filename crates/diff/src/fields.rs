//! Fields of factors of triangles, as parameters that are varied together.
//!
//! A factor of a triangle's energy enters the balance of forces of its own nodes only, and enters
//! it linearly. So triangles that share no node are varied at once: each has its nodes to itself, where the
//! difference of the forces is its derivative. A field of any number of triangles needs as many
//! groups as the triangles around a vertex and its neighbours ask for, 8 in a grid, rather than
//! as many as it has triangles.

use crate::problem::Problem;
use ipcsim::body::BodyKind;
use std::collections::BTreeSet;

/// Key of the factors of a body.
const KEY: &str = "relative_stiffness";

/// A parameter that is one factor of a field.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    /// Number of the parameter.
    pub(crate) number: usize,
    /// Nodes of its triangle.
    pub(crate) nodes: Vec<usize>,
}

/// Groups of parameters that are factors of triangles without a common node.
///
/// Triangles get the first group that none of their nodes is in, in the order of parameters.
pub(crate) fn groups(problem: &Problem) -> Vec<Vec<Factor>> {
    let mut groups: Vec<(BTreeSet<usize>, Vec<Factor>)> = Vec::new();
    let mut known = Vec::new();
    for (number, parameter) in problem.parameters.iter().enumerate() {
        let Some((body, k)) = named(&parameter.path) else {
            continue;
        };

        // Parameters of a body follow each other, so that its elements are looked up once.
        if known.last().is_none_or(|(own, _)| own != body) {
            known.push((body.to_owned(), elements(problem, body)));
        }
        let of_body = known.last().and_then(|(_, elements)| elements.get(k));
        let Some(nodes) = of_body else { continue };

        // The first group that has none of its nodes, or another one.
        let is_free = |(taken, _): &&mut (BTreeSet<usize>, Vec<Factor>)| {
            nodes.iter().all(|node| !taken.contains(node))
        };
        let factor = Factor {
            number,
            nodes: nodes.clone(),
        };
        if let Some((taken, group)) = groups.iter_mut().find(is_free) {
            taken.extend(nodes);
            group.push(factor);
        } else {
            groups.push((nodes.iter().copied().collect(), vec![factor]));
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Body and number of a factor, from a path such as `bodies.beam.relative_stiffness.7`.
fn named(path: &str) -> Option<(&str, usize)> {
    let rest = path.strip_prefix("bodies.")?;
    let (rest, number) = rest.rsplit_once('.')?;
    let body = rest.strip_suffix(KEY)?.strip_suffix('.')?;
    Some((body, number.parse().ok()?))
}

/// Nodes of the elements of a body, by its name or number in the scene, in the order of their factors.
///
/// There are none if the order of its elements is not that of its mesh, as with regions, or if the
/// entry makes several bodies.
fn elements(problem: &Problem, body: &str) -> Vec<Vec<usize>> {
    let entries = &problem.setup.scene.bodies;

    // A path has the name of a body or the number of its entry.
    let by_name = entries.iter().find(|entry| entry.name == body);
    let by_number = || entries.get(body.parse::<usize>().ok()?);
    let Some(entry) = by_name.or_else(by_number) else {
        return Vec::new();
    };
    let (world, _) = problem.reference();
    let own = world.bodies.iter().find(|own| own.name == entry.name);
    let Some(own) = own.filter(|own| own.kind == BodyKind::Solid && entry.regions.is_empty())
    else {
        return Vec::new();
    };

    // Facets of quadratic elements come in fours.
    let node = |vertex: usize| own.nodes.start + vertex - own.vertices.start;
    let triangles = world.triangles.iter();
    let facets: Vec<&[usize; 3]> = triangles
        .filter(|triangle| own.vertices.contains(&triangle[0]))
        .collect();
    let each = facets.len() / entry.relative_stiffness.len().max(1);
    let elements = facets.chunks(each.max(1)).map(|facets| {
        let nodes: BTreeSet<usize> = facets.iter().flat_map(|own| own.map(node)).collect();
        nodes.into_iter().collect()
    });
    elements.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_factors() {
        let path = "bodies.a.b.relative_stiffness.7";
        assert_eq!(named(path), Some(("a.b", 7)));
        assert_eq!(named("bodies.a.velocity.0"), None);
        assert_eq!(named("materials.a.relative_stiffness.7"), None);
    }
}
