//! Bodies of a scene that repeats, drawn in the cell at home: a body that has left it is drawn whole periods
//! back.
//!
//! A body moves as a whole, with its images, by the place of its centre. Only positions that are drawn
//! change: states, tables and values do not.

use super::cell_sides::{CellSides, stays};
use ipcsim::math::{Mat2, Vec2};
use ipcsim_pictures::frame::ForceArrows;
use ipcsim_store::mesh_file::MeshFile;
use std::borrow::Cow;
use std::ops::Range;

/// Share of a period by which a centre may be beyond a side of the cell without being drawn on the other side
/// (1).
///
/// Rounding of a body that rests with its centre on a side does not let it jump.
const ON_SIDE: f64 = 1e-6;

/// Bodies of a cell, and the sides between which they are drawn.
#[derive(Clone, Debug)]
pub(crate) struct HomeCell {
    /// Sides of the cell.
    sides: CellSides,
    /// Vertices of each body at home, `[bodies]`; none of obstacles, which stay where they are.
    own: Vec<Range<usize>>,
    /// Body of each vertex, `[vertices]`.
    body: Vec<usize>,
}

impl HomeCell {
    /// Bodies of the cell of a mesh; `None` if it does not repeat.
    pub(crate) fn of(mesh: &MeshFile) -> Option<Self> {
        let sides = CellSides::of(mesh)?;
        let own = mesh.bodies.iter().map(|body| {
            let count = if stays(&body.kind) {
                0
            } else {
                body.vertex_count
            };
            body.first_vertex..body.first_vertex + count
        });
        Some(Self {
            sides,
            own: own.collect(),
            body: mesh.body.clone(),
        })
    }

    /// Displacements (m) of all bodies to where they are drawn, `[bodies]`, with the vertices at `x` (m).
    fn ways(&self, x: &[Vec2]) -> Vec<Vec2> {
        let way = |own: &Range<usize>| {
            if own.is_empty() {
                return Vec2::zeros();
            }
            let centre = x[own.clone()].iter().sum::<Vec2>() / own.len() as f64;
            self.way_home(x, centre)
        };
        self.own.iter().map(way).collect()
    }

    /// Periods (m) from a place (m) back into the cell, with the vertices at `x` (m); 0 if the cell has no area.
    fn way_home(&self, x: &[Vec2], place: Vec2) -> Vec2 {
        let [first, second] = self.sides.periods(x);
        let Some(inverse) = Mat2::from_columns(&[first, second]).try_inverse() else {
            return Vec2::zeros();
        };
        let place = inverse * (place - self.sides.corner_at(x));
        let repeats = self.sides.repeats();
        let back = [0, 1].map(|axis: usize| {
            if repeats[axis] {
                periods_back(place[axis])
            } else {
                0.0
            }
        });
        first * back[0] + second * back[1]
    }

    /// Positions (m) where the vertices at `x` (m) are drawn, and the displacements of all bodies, `[bodies]`.
    pub(crate) fn drawn<'a>(&self, x: &'a [Vec2]) -> (Cow<'a, [Vec2]>, Vec<Vec2>) {
        let ways = self.ways(x);
        if ways.iter().all(|way| *way == Vec2::zeros()) {
            return (Cow::Borrowed(x), ways);
        }
        let both = x.iter().zip(&self.body);
        let drawn = both.map(|(x, &body)| x + self.way(&ways, body)).collect();
        (Cow::Owned(drawn), ways)
    }

    /// Arrows of forces where they are drawn, in the cell at home each, with the vertices at `x` (m); `None`
    /// where all bodies stay, and arrows with them.
    pub(crate) fn arrows(&self, x: &[Vec2], forces: &ForceArrows) -> Option<ForceArrows> {
        if self.ways(x).iter().all(|way| *way == Vec2::zeros()) {
            return None;
        }
        let mut moved = forces.clone();
        for arrow in &mut moved.contacts {
            arrow.at += self.way_home(x, arrow.at);
        }
        for link in &mut moved.links {
            let middle = (link.ends[0] + link.ends[1]) * 0.5;
            let way = self.way_home(x, middle);
            link.ends = link.ends.map(|end| end + way);
        }
        Some(moved)
    }

    /// Displacement of a body among those of all; 0 of vertices without a body.
    fn way(&self, ways: &[Vec2], body: usize) -> Vec2 {
        let is_drawn = self.own.get(body).is_some_and(|own| !own.is_empty());
        if is_drawn { ways[body] } else { Vec2::zeros() }
    }
}

/// Number of periods by which a body at a place of the cell, in periods, moves to be drawn within it.
fn periods_back(place: f64) -> f64 {
    if (-ON_SIDE..=1.0 + ON_SIDE).contains(&place) {
        0.0
    } else {
        -place.floor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_moves_back_by_the_whole_periods_that_it_is_away() {
        for (place, back) in [
            (0.0, 0.0),
            (1.0, 0.0),
            (0.4, 0.0),
            (1.2, -1.0),
            (-0.1, 1.0),
            (-2.5, 3.0),
        ] {
            assert_eq!(periods_back(place), back, "{place}");
        }
    }
}
