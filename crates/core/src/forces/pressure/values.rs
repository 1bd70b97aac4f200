//! Pressure at vertices, from the forces and lengths of edges.

use super::alternation;
use super::chords::{Chords, End, VertexPressure};
use super::cover::Covers;
use super::sides::Sides;
use crate::forces::vertices::lengths_at;

/// Pressure at all vertices, `[vertices]`, from what edges bear with these covers.
pub(super) fn values(sides: &Sides, chords: &Chords, covers: &Covers) -> Vec<VertexPressure> {
    let mut sums = vec![End::default(); chords.x.len()];
    let mut found = vec![VertexPressure::default(); chords.x.len()];
    let mut is_on_side = vec![false; chords.ends.len()];

    // Sides give what they bear to their corners, and edges to their ends.
    let mut kinds = Vec::with_capacity(sides.list.len());
    for &side in &sides.list {
        kinds.push(add_side(
            side,
            chords,
            &mut sums,
            &mut found,
            &mut is_on_side,
        ));
    }
    for (k, edge) in chords.surface.edges.iter().enumerate() {
        if !is_on_side[k] {
            for (&vertex, end) in edge.iter().zip(&chords.ends[k]) {
                sums[vertex].add(end);
                found[vertex].length += end.length;
            }
        }
    }

    // Corners between which pressure is linear.
    let is_covered = |&(&[a, middle, _], kind): &(&[usize; 3], &Kind)| {
        let edge = chords.find([a, middle]);
        *kind == Kind::Linear && edge.is_some_and(|(k, _)| covers.contains_key(&k))
    };
    let quadratic = sides.list.iter().zip(&kinds).filter(is_covered);
    let quadratic = quadratic.map(|(&[a, _, b], _)| [a, b]);
    let edges = covers.keys().filter(|&&k| {
        let body = chords.surface.body[chords.surface.edges[k][0]];
        let both = chords.ends[k].iter().all(|end| end.is_reached);
        both && !is_on_side[k] && sides.is_soft[body]
    });
    let edges = edges.map(|&k| chords.surface.edges[k]);
    let linear: Vec<[usize; 2]> = quadratic.chain(edges).collect();
    alternation::even_out(&linear, &mut sums);

    // A force without length is on something that is seen end on.
    let whole = lengths_at(chords.surface, chords.x);
    for (vertex, sum) in sums.iter().enumerate() {
        let is_bare = sum.length <= 0.0 && sum.force != 0.0 && whole[vertex] > 0.0;
        if is_bare {
            found[vertex].length = whole[vertex];
        }
        let length = if is_bare { whole[vertex] } else { sum.length };
        if length > 0.0 {
            found[vertex].per_length = sum.force / length;
        }
    }
    for (&[a, middle, b], kind) in sides.list.iter().zip(kinds) {
        let ends = [found[a].per_length, found[b].per_length];
        found[middle].per_length = match kind {
            Kind::Linear => 0.5 * (ends[0] + ends[1]),
            Kind::OfStart => ends[0],
            Kind::OfEnd => ends[1],
            Kind::OfMiddle => continue,
        };
    }
    found
}

/// Adds what a side bears to the sums at its corners, and lengths to its nodes.
fn add_side(
    [a, middle, b]: [usize; 3],
    chords: &Chords,
    sums: &mut [End],
    found: &mut [VertexPressure],
    is_on_side: &mut [bool],
) -> Kind {
    let end = |from, to| {
        let (k, is_forward) = chords.find([from, to])?;
        let [start, end] = chords.ends[k];
        Some(if is_forward {
            (k, start, end)
        } else {
            (k, end, start)
        })
    };
    let Some(((first, start, before), (second, last, after))) = end(a, middle).zip(end(b, middle))
    else {
        return Kind::Linear;
    };
    is_on_side[first] = true;
    is_on_side[second] = true;

    let mut between = before;
    between.add(&after);
    let nodes = [(a, start), (middle, between), (b, last)];
    let mut whole = End::default();
    for (_, own) in nodes {
        whole.add(&own);
    }

    let kind = Kind::of(
        start.is_reached,
        before.is_reached || after.is_reached,
        last.is_reached,
    );
    match kind {
        Kind::Linear => {
            between.force *= 0.5;
            between.length *= 0.5;
            for (corner, own) in [(a, start), (b, last)] {
                sums[corner].add(&own);
                sums[corner].add(&between);
            }
        }
        Kind::OfStart => sums[a].add(&whole),
        Kind::OfEnd => sums[b].add(&whole),
        Kind::OfMiddle => sums[middle].add(&whole),
    }
    for (vertex, own) in nodes {
        found[vertex].length += own.length;
    }
    kind
}

/// Function that pressure is along a side.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Linear from corner to corner.
    Linear,
    /// The value at the start, where contact reaches only that corner.
    OfStart,
    /// The value at the end.
    OfEnd,
    /// A separate value, where contact reaches only the middle.
    OfMiddle,
}

impl Kind {
    /// Function of a side whose nodes contact reaches or not.
    fn of(start: bool, middle: bool, end: bool) -> Self {
        match [start, middle, end] {
            [true, _, false] => Self::OfStart,
            [false, _, true] => Self::OfEnd,
            [false, true, false] => Self::OfMiddle,
            _ => Self::Linear,
        }
    }
}
