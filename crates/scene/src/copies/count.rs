//! Numbers and names of the bodies that an entry stands for.

use super::circle;
use super::drawn::Drawn;
use super::region;
use crate::schema::{Body, Copies, Pack};
use ipcsim_math::geometry::Aabb;

impl Body {
    /// True if the entry stands for many bodies, with numbers in their names.
    pub fn is_many(&self) -> bool {
        self.copies.is_some() || self.pack.is_some()
    }

    /// Number of bodies that the entry stands for.
    pub fn count(&self) -> usize {
        match (&self.copies, &self.pack) {
            (Some(copies), _) => copies.count(),
            (None, Some(pack)) => packed(self, pack),
            (None, None) => 1,
        }
    }

    /// Names of the bodies, which is the body's own name if it is one.
    ///
    /// At most [`Copies::MOST`] names: more are an error, which the checks report.
    pub fn names(&self) -> impl Iterator<Item = String> {
        (0..self.count().min(Copies::MOST)).map(|k| {
            if self.is_many() {
                self.name_of_copy(k)
            } else {
                self.name.clone()
            }
        })
    }

    /// Name of copy `k`, from 0: the body's own and the number from 1.
    pub(super) fn name_of_copy(&self, k: usize) -> String {
        format!("{} {}", self.name, k + 1)
    }
}

/// Number of bodies of a pack: as given, or as many as come nearest to its share of the region.
fn packed(body: &Body, pack: &Pack) -> usize {
    let Some(fill) = pack.fill else {
        return pack.count.unwrap_or(0);
    };
    let (Ok(region), Some(area)) = (region::outline(&pack.region), circle::area(&body.shape))
    else {
        return 0;
    };

    let area = area * body.stretch[0] * body.stretch[1];
    let goal = fill * region.area();
    let drawn = Drawn::of(body);
    let mut sum = 0.0;
    let mut count = 0;
    while count <= Pack::MOST {
        let scale = drawn.scale(count);
        let own = area * scale * scale;
        if sum + 0.5 * own > goal {
            break;
        }
        sum += own;
        count += 1;
    }
    count
}

/// Displacements of the bodies of an entry from its position (m); of packed bodies roughly, evenly over
/// the box around the region.
pub(crate) fn rough_offsets(body: &Body) -> Vec<[f64; 2]> {
    let all = 0..body.count().min(Copies::MOST);
    if let Some(copies) = &body.copies {
        return all.map(|k| copies.offset(k, None)).collect();
    }
    let Some(Ok(region)) = body.pack.as_ref().map(|pack| region::outline(&pack.region)) else {
        return vec![[0.0; 2]];
    };

    let around = Aabb::around(region.vertices);
    let extent = around.extent();
    all.map(|k| {
        let even = Copies::evenly(k);
        [0, 1].map(|axis| around.min[axis] + even[axis] * extent[axis])
    })
    .collect()
}
