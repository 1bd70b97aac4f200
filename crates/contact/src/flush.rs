//! Parts of outlines that count once, or not at all, where pieces of a floor are flush.
//!
//! [`join_flush`](super::join_flush()) finds them.

use std::collections::BTreeMap;

/// Parts of outlines that count once, or not at all, against other bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flush {
    /// How often less a vertex counts as the nearest place of its body, since other pieces have the
    /// same one, `[vertices]`; empty if no pieces are flush.
    pub(super) less: Vec<f64>,
    /// True for edges that other pieces hide, `[edges]`; empty if no pieces are flush.
    pub(super) hidden: Vec<bool>,
    /// Ends of the visible part of edges that other pieces cover in part. They may be vertices of these.
    pub(super) visible: BTreeMap<u32, [usize; 2]>,
}

impl Flush {
    /// How often less a vertex counts where it is the nearest place.
    #[inline]
    pub(super) fn less(&self, vertex: usize) -> f64 {
        self.less.get(vertex).copied().unwrap_or(0.0)
    }

    /// True if other pieces hide the edge with this number.
    #[inline]
    pub(super) fn hides(&self, edge: usize) -> bool {
        self.hidden.get(edge).copied().unwrap_or(false)
    }

    /// Ends of the part of an edge with this number and these ends that no other piece covers.
    #[inline]
    pub(super) fn visible(&self, edge: u32, ends: [usize; 2]) -> [usize; 2] {
        if self.visible.is_empty() {
            return ends;
        }
        self.visible.get(&edge).copied().unwrap_or(ends)
    }
}
