//! Normal forces of pieces of edges.

use super::{Acting, NormalForce};
use crate::{ContactPair, Contacts, Surface};
use ipcsim_math::Vec2;

/// Normal force of each piece among the `contacts` at the positions `x` (m, `[vertices]`), at which
/// they were found. Gap and point of contact are those where the force acts.
pub(super) fn forces<'a>(
    contacts: &'a Contacts,
    surface: &'a Surface,
    x: &'a [Vec2],
) -> impl Iterator<Item = NormalForce> + 'a {
    let strips = contacts.strips.iter().map(|(stencil, contact)| {
        let at = stencil.map(|i| x[i]);
        let found = contact.push(*stencil, x);
        let [a, b, c, d] = *stencil;
        let acting = Acting {
            pair: ContactPair::of_edges(surface, [a, b], [c, d]),
            foot: between(&at, found.push.at) - found.normal * (found.distance - surface.radius[c]),
            normal: found.normal,
            gap: found.distance - contact.piece.separation,
            force: found.push.force,
        };
        acting.of(surface, stencil, contact, &at)
    });
    let corners = contacts.corners.iter().map(|(stencil, contact)| {
        // Seen from the vertex, the other side is the edge.
        let at = stencil.map(|i| x[i]);
        let found = contact.push(*stencil, x);
        let [a, b, v] = *stencil;
        let place = between(&at, found.push.at);
        let acting = Acting {
            pair: ContactPair::new(surface, v, [a, b]),
            foot: place - found.normal * surface.radius[a],
            normal: -found.normal,
            gap: (place - x[v]).norm() - contact.piece.separation,
            force: found.push.force,
        };
        acting.of(surface, stencil, contact, &at)
    });
    let floors = contacts.floors.iter().map(|(stencil, contact)| {
        let at = stencil.map(|i| x[i]);
        let (push, _) = contact.push(*stencil, x);
        let [a, b, o] = *stencil;
        let place = between(&at, push.at);
        let distance = contact.normal.dot(&(place - x[o]));
        let acting = Acting {
            pair: ContactPair::of_edges(surface, [a, b], [o, o]),
            foot: place - contact.normal * distance,
            normal: contact.normal,
            gap: distance - contact.piece.separation,
            force: push.force,
        };
        acting.of(surface, stencil, contact, &at)
    });

    strips.chain(corners).chain(floors)
}

/// The place (m) between the first two of some positions (m).
fn between(positions: &[Vec2], at: f64) -> Vec2 {
    positions[0] + (positions[1] - positions[0]) * at
}
