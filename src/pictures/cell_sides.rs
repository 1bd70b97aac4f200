//! Sides of the cell of a scene that repeats, as pictures show them.

use ipcsim::math::Vec2;
use ipcsim_store::mesh_file::{MeshFile, PeriodsEntry};
use serde::Serialize;

/// Sides of a cell, by vertices of the scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellSides {
    /// Periods, and along which of them the scene repeats.
    periods: PeriodsEntry,
    /// Its corner and extent.
    corner: Corner,
}

/// Lower left corner of a cell, and extent of what is drawn.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Corner {
    /// Vertex nearest to the lower left corner of all bodies at rest.
    nearest: usize,
    /// Way from there to the corner at rest, in periods (1).
    way: [f64; 2],
    /// Extent of all bodies at rest in periods (1).
    extent: [f64; 2],
}

impl CellSides {
    /// Sides of the cell of a scene with this mesh; `None` if it does not repeat.
    pub(crate) fn of(mesh: &MeshFile) -> Option<Self> {
        let periods = mesh.periodic?;
        let rest: Vec<Vec2> = mesh
            .vertices_rest
            .iter()
            .map(|at| Vec2::from(*at))
            .collect();
        let [width, height] = [rest[periods.vertices[0]].x, rest[periods.vertices[1]].y];

        // The box of all that is drawn, and the vertex next to its lower left corner.
        let mut low = Vec2::repeat(f64::INFINITY);
        let mut high = Vec2::repeat(f64::NEG_INFINITY);
        let mut drawn: Vec<usize> = mesh.triangles.iter().flatten().copied().collect();
        if drawn.is_empty() {
            // Bodies without triangles, at home.
            drawn.extend(0..mesh.first_image());
        }
        for &vertex in &drawn {
            low = low.inf(&rest[vertex]);
            high = high.sup(&rest[vertex]);
        }
        let away = drawn
            .into_iter()
            .map(|vertex| ((rest[vertex] - low).norm(), vertex));
        let (_, nearest) = away.min_by(|a, b| a.0.total_cmp(&b.0))?;

        let size = Vec2::new(width, height);
        Some(Self {
            periods,
            corner: Corner {
                nearest,
                way: (low - rest[nearest]).component_div(&size).into(),
                extent: (high - low).component_div(&size).into(),
            },
        })
    }

    /// Corner of the cell, and extent of what is drawn.
    pub(crate) fn corner(&self) -> Corner {
        self.corner
    }

    /// Sides (m) where the vertices are at `x` (m): two across each period.
    pub(crate) fn at(&self, x: &[Vec2]) -> Vec<[Vec2; 2]> {
        let Self {
            periods: PeriodsEntry { vertices, repeats },
            corner:
                Corner {
                    nearest,
                    way,
                    extent,
                },
        } = self;
        let periods = vertices.map(|vertex| x[vertex]);
        let corner = x[*nearest] + periods[0] * way[0] + periods[1] * way[1];
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
