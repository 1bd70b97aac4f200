//! The boundary of an area: how far a place is inside, and which direction leads further in.
//!
//! A grid of cells has the edges that are near each cell, so that a place far from all walls asks none.

use super::grid::{Grid, whole};
use crate::Outline;
use crate::tuning::WALL_CELLS;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::geometry::predicates::inside;
use ipcsim_math::random::Stream;
use ipcsim_math::{Vec2, cross, perp};

/// Number of random numbers of a place.
const OF_A_PLACE: u64 = 3;

/// A wall near a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// Distance of the place from the wall (m), negative outside of the area.
    pub(super) distance: f64,
    /// Nearest point of the wall (m).
    pub(super) point: Vec2,
    /// Unit direction that leads inwards from there (1).
    pub(super) inward: Vec2,
}

/// An edge of the boundary, with the inside on its left.
struct Edge {
    /// Its ends (m).
    ends: [Vec2; 2],
    /// True for each end at which the boundary bends to the right, into the area.
    bends_in: [bool; 2],
}

/// Boundary of an area in a grid of cells.
pub(super) struct Walls {
    /// Edges of the boundary.
    edges: Vec<Edge>,
    /// Box around the boundary (m).
    around: Aabb,
    /// Cells over that box.
    grid: Grid,
    /// Numbers of the edges within reach of a cell, `[cells]`.
    near: Vec<Vec<usize>>,
    /// True for cells whose middle is inside, `[cells]`; known for cells without edges.
    is_inside: Vec<bool>,
    /// Cells that have a part in the area.
    open: Vec<usize>,
}

impl Walls {
    /// Walls around an area that matter to places within `reach` (m).
    pub(super) fn of(outline: &Outline, reach: f64) -> Self {
        let around = Aabb::around(outline.vertices.iter().copied());
        let grid = Grid::over(&around, 2.0 * reach, WALL_CELLS);
        let mut walls = Self {
            edges: edges(outline),
            around,
            near: vec![Vec::new(); grid.len()],
            is_inside: vec![false; grid.len()],
            open: Vec::new(),
            grid,
        };
        walls.note_edges(reach);
        walls.note_insides();
        walls
    }

    /// Notes the edges within `reach` (m) of each cell.
    fn note_edges(&mut self, reach: f64) {
        // From the middle to the farthest place within reach of the cell.
        let far = reach + 0.708 * self.grid.size;
        for (k, edge) in self.edges.iter().enumerate() {
            let around = Aabb::around(edge.ends).grown(far);
            let [first, last] = [around.min, around.max].map(|at| self.grid.cell(at));
            for j in first[1]..=last[1] {
                for i in first[0]..=last[0] {
                    let [a, b] = edge.ends;
                    if point_edge(self.grid.middle([i, j]), a, b).distance <= far {
                        self.near[self.grid.number([i, j])].push(k);
                    }
                }
            }
        }
    }

    /// Notes which cells are inside. Of cells in a row without an edge between them one is asked.
    fn note_insides(&mut self) {
        let [wide, high] = self.grid.counts;
        for j in 0..high {
            let mut before = None;
            for i in 0..wide {
                let cell = self.grid.number([i, j]);
                if !self.near[cell].is_empty() {
                    before = None;
                    self.open.push(cell);
                    continue;
                }
                let ends = self.edges.iter().map(|edge| (edge.ends[0], edge.ends[1]));
                let is_inside = before.unwrap_or_else(|| inside(self.grid.middle([i, j]), ends));
                before = Some(is_inside);
                self.is_inside[cell] = is_inside;
                if is_inside {
                    self.open.push(cell);
                }
            }
        }
    }

    /// Random place in the cells of the area (m).
    pub(super) fn random(&self, stream: Stream, number: u64) -> Vec2 {
        let [cell, x, y] = [0, 1, 2].map(|k| stream.uniform(OF_A_PLACE * number + k));
        let Some(&cell) = self.open.get(whole(cell * self.open.len() as f64)) else {
            return self.around.min;
        };
        self.grid.middle_of(cell) + Vec2::new(x - 0.5, y - 0.5) * self.grid.size
    }

    /// Distance of a place from the boundary (m), negative outside; infinite where no wall is near.
    pub(super) fn room(&self, at: Vec2) -> f64 {
        self.nearest(at).map_or(f64::INFINITY, |wall| wall.distance)
    }

    /// The wall nearest to a place; `None` inside of the area if none is within reach.
    pub(super) fn nearest(&self, at: Vec2) -> Option<Wall> {
        let near = self.near(at);
        let is_within = self.around.contains(at);
        if near.is_empty() && is_within && self.is_inside[self.grid.number(self.grid.cell(at))] {
            return None;
        }

        // Far outside all edges are asked.
        if near.is_empty() || !is_within {
            return self.wall(0..self.edges.len(), at);
        }
        self.wall(near.iter().copied(), at)
    }

    /// Walls within a distance (m) of a place inside of the area, in the order of the boundary.
    pub(super) fn within(&self, distance: f64, at: Vec2) -> impl Iterator<Item = Wall> + '_ {
        let near = self.near(at).iter();
        near.filter_map(move |&k| {
            let wall = self.edges[k].wall(at);
            let is_before = cross(self.edges[k].along(), at - self.edges[k].ends[0]) > 0.0;
            (is_before && 0.0 < wall.distance && wall.distance < distance).then_some(wall)
        })
    }

    /// Numbers of the edges near the cell of a place.
    fn near(&self, at: Vec2) -> &[usize] {
        &self.near[self.grid.number(self.grid.cell(at))]
    }

    /// The nearest of some edges.
    fn wall(&self, edges: impl Iterator<Item = usize>, at: Vec2) -> Option<Wall> {
        let walls = edges.map(|k| self.edges[k].wall(at));
        walls.reduce(|best, own| {
            if own.distance.abs() < best.distance.abs() {
                own
            } else {
                best
            }
        })
    }
}

impl Edge {
    /// From the first end to the second (m).
    fn along(&self) -> Vec2 {
        self.ends[1] - self.ends[0]
    }

    /// This edge as a wall near a place.
    fn wall(&self, at: Vec2) -> Wall {
        let [a, b] = self.ends;
        let found = point_edge(at, a, b);
        let point = a + self.along() * found.t;
        // Corners that bend into the area are nearest to places inside, others to places outside.
        let is_inside = if found.t <= 0.0 {
            self.bends_in[0]
        } else if found.t >= 1.0 {
            self.bends_in[1]
        } else {
            cross(self.along(), at - a) > 0.0
        };
        let away = at - point;
        let inward = if found.distance > 0.0 && is_inside {
            away / found.distance
        } else {
            perp(self.along()).normalize()
        };
        Wall {
            distance: if is_inside {
                found.distance
            } else {
                -found.distance
            },
            point,
            inward,
        }
    }
}

/// Edges of an outline, each with the bends at its ends.
fn edges(outline: &Outline) -> Vec<Edge> {
    let x = &outline.vertices;
    let mut before = vec![0; x.len()];
    let mut after = vec![0; x.len()];
    for &[a, b] in &outline.edges {
        before[b] = a;
        after[a] = b;
    }
    let edges = outline.edges.iter().map(|&[a, b]| {
        let along = x[b] - x[a];
        Edge {
            ends: [x[a], x[b]],
            bends_in: [
                cross(x[a] - x[before[a]], along) < 0.0,
                cross(along, x[after[b]] - x[b]) < 0.0,
            ],
        }
    });
    edges.collect()
}
