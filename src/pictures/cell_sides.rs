//! Sides of the cell of a scene that repeats, as pictures show them.

use ipcsim::body::BodyKind;
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim_store::mesh_file::{MeshFile, PeriodsEntry};
use serde::Serialize;

/// Largest difference of a body's length from a period that counts as none, relative to the period (1).
const ALIKE: f64 = 1e-9;

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
    /// Vertex that the corner follows: the one nearest to the lower left corner of all bodies at rest, or one of
    /// the periods.
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

        let size = Vec2::new(width, height);
        let goes_on = going_on(mesh, &rest, size);
        let mut drawn: Vec<usize> = mesh.triangles.iter().flatten().copied().collect();
        if drawn.is_empty() || !goes_on.contains(&true) {
            // All bodies, at home.
            let own = mesh.bodies.iter().filter(|body| !stays(&body.kind));
            let own = own.flat_map(|body| body.first_vertex..body.first_vertex + body.vertex_count);
            drawn = own.collect();
        }
        if drawn.is_empty() {
            return None;
        }
        let around = Aabb::around(drawn.iter().map(|&vertex| rest[vertex]));
        let Aabb {
            min: low,
            max: high,
        } = around;

        // A body that goes on across a period takes the cell along.
        let own = drawn.iter().filter(|&&vertex| goes_on[mesh.body[vertex]]);
        let away = own.map(|&vertex| ((rest[vertex] - low).norm(), vertex));
        let nearest = away.min_by(|a, b| a.0.total_cmp(&b.0));
        let (nearest, way) = if let Some((_, nearest)) = nearest {
            (nearest, (low - rest[nearest]).component_div(&size))
        } else {
            // Otherwise it stays, with what is drawn in its middle, and bodies move through it. Its corner follows
            // the first period.
            let mut corner = around.center().component_div(&size) - Vec2::repeat(0.5);
            for axis in (0..2).filter(|&axis| !periods.repeats[axis]) {
                corner[axis] = low[axis] / size[axis];
            }
            (periods.vertices[0], corner - Vec2::x())
        };
        let extent = (high - low).component_div(&size);
        Some(Self {
            periods,
            corner: Corner {
                nearest,
                way: way.into(),
                extent: extent.into(),
            },
        })
    }

    /// Both periods where the vertices are at `x` (m).
    pub(crate) fn periods(&self, x: &[Vec2]) -> [Vec2; 2] {
        self.periods.vertices.map(|vertex| x[vertex])
    }

    /// True for each period along which the scene repeats.
    pub(crate) fn repeats(&self) -> [bool; 2] {
        self.periods.repeats
    }

    /// Lower left corner (m) where the vertices are at `x` (m).
    pub(crate) fn corner_at(&self, x: &[Vec2]) -> Vec2 {
        let [first, second] = self.periods(x);
        let Corner { nearest, way, .. } = self.corner;
        x[nearest] + first * way[0] + second * way[1]
    }

    /// Corner of the cell, and extent of what is drawn.
    pub(crate) fn corner(&self) -> Corner {
        self.corner
    }

    /// Sides (m) where the vertices are at `x` (m): two across each period.
    pub(crate) fn at(&self, x: &[Vec2]) -> Vec<[Vec2; 2]> {
        let Self {
            periods: PeriodsEntry { vertices, repeats },
            corner: Corner { extent, .. },
        } = self;
        let periods = vertices.map(|vertex| x[vertex]);
        let corner = self.corner_at(x);
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

/// True if bodies of a kind stay where they are in all cells.
pub(crate) fn stays(kind: &str) -> bool {
    let fixed = [
        BodyKind::Obstacle,
        BodyKind::HalfPlane,
        BodyKind::World,
        BodyKind::Cell,
    ];
    fixed.iter().any(|own| own.name() == kind)
}

/// For each body of a mesh with vertices at `rest` (m), true if it deforms and is as long as a period, of this
/// size (m), `[bodies]`.
fn going_on(mesh: &MeshFile, rest: &[Vec2], size: Vec2) -> Vec<bool> {
    let repeats = mesh.periodic.map_or([false; 2], |own| own.repeats);
    let soft = [BodyKind::Solid, BodyKind::Springs, BodyKind::Rod];
    let bodies = mesh.bodies.iter().map(|body| {
        let own = &rest[body.first_vertex..body.first_vertex + body.vertex_count];
        let extent = Aabb::around(own.iter().copied()).extent();
        let mut axes = (0..2).filter(|&axis| repeats[axis]);
        soft.iter().any(|kind| kind.name() == body.kind)
            && axes.any(|axis| extent[axis] >= size[axis] * (1.0 - ALIKE))
    });
    bodies.collect()
}
