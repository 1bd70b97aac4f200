//! The least displacement on which a body may be cut too deep.
//!
//! A cut is a chord of the outline, and a vertex must go at least the length of the chord to make
//! it. Bodies that move less far in a step need no further look.

use super::chain::{Chain, Chains};
use crate::Outlines;
use crate::broad::BroadPhase;
use crate::tuning::{NARROW_MOST_PIECES, NARROW_OF_CHORD, NARROW_OF_WIDTH, NARROW_PIECES};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::distance::point_edge;

/// Least displacement (m) of each body, `[bodies]`: a share of its `width`, or less if two pieces
/// of its outline are nearer to each other. The number of a body that is `untouchable` has no
/// meaning.
pub(super) fn narrowest(
    chains: &Chains,
    outlines: &Outlines,
    width: &[f64],
    untouchable: &[bool],
) -> Vec<f64> {
    let mut of_body: Vec<Vec<&Chain>> = vec![Vec::new(); width.len()];
    for chain in &chains.all {
        of_body[chain.body].push(chain);
    }

    let mut narrow: Vec<f64> = width.iter().map(|width| NARROW_OF_WIDTH * width).collect();
    for (body, own) in of_body.iter().enumerate() {
        if outlines.filled[body] && narrow[body].is_finite() && !untouchable[body] {
            narrow[body] =
                least_chord(own, width[body], narrow[body] / NARROW_OF_CHORD) * NARROW_OF_CHORD;
        }
    }
    narrow
}

/// A piece of an edge.
#[derive(Clone, Copy)]
struct Piece {
    /// Number of the chain.
    chain: usize,
    /// Both ends (m).
    ends: [Vec2; 2],
    /// Length of the chain (m), and that before the piece.
    along: [f64; 2],
}

/// Smallest distance (m), at most `most`, of two pieces of outlines that are farther than `far` (m)
/// from each other along their outline, or on different ones.
fn least_chord(chains: &[&Chain], far: f64, most: f64) -> f64 {
    let mut pieces = Vec::new();
    for (chain, outline) in chains.iter().enumerate() {
        let length = outline.length();
        let mut before = 0.0;
        for edge in 0..outline.edges() {
            let [a, b] = outline.ends(edge);
            let way = b - a;
            let count = (NARROW_PIECES * way.norm() / far)
                .ceil()
                .clamp(1.0, NARROW_MOST_PIECES);
            let mut start = 0.0;
            while start < count {
                let ends = [start, start + 1.0].map(|k| a + way * (k / count));
                let along = [length, before + way.norm() * (start / count)];
                pieces.push(Piece { chain, ends, along });
                start += 1.0;
            }
            before += way.norm();
        }
    }

    let starts: Vec<Aabb> = pieces
        .iter()
        .map(|piece| Aabb::around([piece.ends[0]]).grown(most))
        .collect();
    let boxes: Vec<Aabb> = pieces
        .iter()
        .map(|piece| Aabb::around(piece.ends))
        .collect();
    let mut least = most;
    for (i, j) in BroadPhase::default().pairs(&starts, &boxes) {
        let piece = pieces[i as usize];
        let other = pieces[j as usize];
        if is_far(&piece, &other, far) {
            let [a, b] = other.ends;
            least = least.min(point_edge(piece.ends[0], a, b).distance);
        }
    }
    least
}

/// True if the start of a piece and another piece are on different chains, or farther than `far`
/// (m) from each other along their chain.
fn is_far(piece: &Piece, other: &Piece, far: f64) -> bool {
    if piece.chain != other.chain {
        return true;
    }
    let [length, here] = piece.along;
    let [_, start] = other.along;
    let [a, b] = other.ends;
    let apart = [start, start + (b - a).norm()].map(|there| {
        let way = (here - there).abs();
        way.min(length - way)
    });
    apart[0].min(apart[1]) > far
}
