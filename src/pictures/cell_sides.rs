//! Sides of the cell of a scene that repeats, as pictures show them.

use ipcsim::math::Vec2;
use ipcsim_store::mesh_file::{MeshFile, PeriodsEntry};

/// Sides of a cell, by vertices of the scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellSides {
    /// Periods, and along which of them the scene repeats.
    periods: PeriodsEntry,
    /// Vertex nearest to the lower left corner of all bodies at rest.
    nearest: usize,
    /// Way from there to the corner at rest, in periods (1).
    way: Vec2,
    /// Extent of all bodies at rest in periods (1).
    extent: Vec2,
}

impl CellSides {
    /// Sides of the cell of a scene with this mesh; `None` if it does not repeat.
    pub(crate) fn of(mesh: &MeshFile) -> Option<Self> {
        let periods = mesh.periodic?;
        let rest = |vertex: usize| Vec2::from(mesh.vertices_rest[vertex]);
        let [width, height] = [rest(periods.vertices[0]).x, rest(periods.vertices[1]).y];
        let [mut low, mut high] = [Vec2::repeat(f64::INFINITY), Vec2::repeat(f64::NEG_INFINITY)];
        let drawn = || mesh.triangles.iter().flatten().copied();
        for vertex in drawn() {
            low = low.inf(&rest(vertex));
            high = high.sup(&rest(vertex));
        }

        let away = |vertex: usize| (rest(vertex) - low).norm();
        let nearest = drawn().min_by(|&a, &b| away(a).total_cmp(&away(b)))?;
        let in_periods = |way: Vec2| Vec2::new(way.x / width, way.y / height);
        Some(Self {
            periods,
            nearest,
            way: in_periods(low - rest(nearest)),
            extent: in_periods(high - low),
        })
    }

    /// Sides (m) where the vertices are at `x` (m): two across each period.
    pub(crate) fn at(&self, x: &[Vec2]) -> Vec<[Vec2; 2]> {
        let Self {
            periods: PeriodsEntry { vertices, repeats },
            way,
            extent,
            ..
        } = self;
        let periods = vertices.map(|vertex| x[vertex]);
        let corner = x[self.nearest] + periods[0] * way.x + periods[1] * way.y;
        let spans = [0, 1].map(|axis: usize| {
            let share = if repeats[axis] { 1.0 } else { extent[axis] };
            periods[axis] * share
        });
        let mut sides = Vec::new();
        for axis in (0..2).filter(|&axis| repeats[axis]) {
            let across = spans[1 - axis];
            sides.push([corner, corner + across]);
            sides.push([corner + spans[axis], corner + spans[axis] + across]);
        }
        sides
    }
}
