//! Cells of all bodies, for files of viewers.
//!
//! | body | cells |
//! |---|---|
//! | of triangles, also reduced | its triangles, of six points if they are quadratic |
//! | of springs | a line for each spring |
//! | rigid, affine, obstacle with an inside | a polygon; triangles if it has holes |
//! | wire, polyline | a line for each edge |
//! | circle | a polygon of [`RIM`] points on the rim, which are spots and turn with it |
//! | point | a vertex |
//! | half-plane | a line as long as the diagonal of the view, between two spots |
//!
//! The first cells are the triangles of `mesh.json`, where four facets are one quadratic triangle, then
//! come its springs. The first points are
//! its vertices.

use ipcsim::contact::{Disk, HalfPlane};
use ipcsim::fields::{Follows, Owner, Spot};
use ipcsim::geometry::Aabb;
use ipcsim::math::{Mat2, Vec2, perp};
use ipcsim::mesh::curves;
use ipcsim::time::World;
use ipcsim_live::triangles;
use ipcsim_store::vtk::Cell;
use std::f64::consts::TAU;

/// Number of points on the rim of a circle.
const RIM: u32 = 64;

/// Cells of all bodies, which do not change in a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// Cells by their points.
    pub(crate) cells: Vec<Cell>,
    /// What each cell belongs to, `[cells]`.
    pub(crate) owners: Vec<Owner>,
    /// Points beside the vertices, which follow these in numbers.
    pub(crate) spots: Vec<Spot>,
}

impl Grid {
    /// Cells of a world. Half-planes are shown where they pass the `view` (m) at the start.
    pub(crate) fn of(world: &World, view: &Aabb) -> Self {
        let mut grid = Self::default();
        let body_of = &world.model.surface.body;
        let mut curved = world.curved.iter().peekable();
        let mut k = 0;
        while let Some(&triangle) = world.triangles.get(k) {
            // The four facets of a quadratic triangle are one cell, with the values of the middle one.
            let (cell, number, count) = match curved.next_if(|curved| curved.first == k) {
                Some(own) => (Cell::QuadraticTriangle(own.nodes), k + 3, 4),
                None => (Cell::Triangle(triangle), k, 1),
            };
            grid.cells.push(cell);
            grid.owners.push(Owner {
                body: body_of[triangle[0]],
                triangle: Some(number),
            });
            k += count;
        }
        for &spring in &world.springs {
            grid.add(body_of[spring[0]], Cell::Line(spring));
        }

        grid.add_outlines(world);
        for disk in &world.model.surface.disks {
            grid.add_disk(world, disk);
        }
        for plane in &world.model.surface.planes {
            grid.add_plane(world, plane, view);
        }
        grid
    }

    /// Adds a cell that is no elastic triangle.
    fn add(&mut self, body: usize, cell: Cell) {
        let triangle = None;
        self.cells.push(cell);
        self.owners.push(Owner { body, triangle });
    }

    /// Adds the outlines of bodies without triangles and springs, and single points.
    fn add_outlines(&mut self, world: &World) {
        let surface = &world.model.surface;
        let mut has_elements = vec![false; world.bodies.len()];
        let first = world.triangles.iter().map(|triangle| triangle[0]);
        for vertex in first.chain(world.springs.iter().map(|spring| spring[0])) {
            has_elements[surface.body[vertex]] = true;
        }

        // Edges body by body; an edge of length zero is a point, or the centre of a circle.
        let mut edges: Vec<Vec<[usize; 2]>> = vec![Vec::new(); world.bodies.len()];
        for &[a, b] in &surface.edges {
            let body = surface.body[a];
            if a != b && !has_elements[body] {
                edges[body].push([a, b]);
            } else if a == b && surface.disk_at(a).is_none() {
                self.add(body, Cell::Vertex(a));
            }
        }
        for (body, edges) in edges.iter().enumerate() {
            if surface.filled[body] {
                self.add_filled(world, body, edges);
            } else {
                for &edge in edges {
                    self.add(body, Cell::Line(edge));
                }
            }
        }
    }

    /// Adds the area inside of directed `edges` of a body.
    fn add_filled(&mut self, world: &World, body: usize, edges: &[[usize; 2]]) {
        let curves = curves(edges);
        if let [only] = &curves[..] {
            self.add(body, Cell::Polygon(only.clone()));
        } else {
            for triangle in triangles(&curves, &world.rest) {
                self.add(body, Cell::Triangle(triangle));
            }
        }
    }

    /// Adds a circle as a polygon whose points turn with it.
    fn add_disk(&mut self, world: &World, disk: &Disk) {
        let body = world.model.surface.body[disk.center];
        let [center, rim] = [disk.center, disk.rim].map(|vertex| (vertex, world.rest[vertex]));
        let first = world.rest.len() + self.spots.len();
        for k in 0..RIM {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(RIM)).sin_cos();
            let place = center.1 + Mat2::new(cos, -sin, sin, cos) * (rim.1 - center.1);
            self.spots.push(Spot::turned(body, place, center, rim));
        }
        let last = world.rest.len() + self.spots.len();
        self.add(body, Cell::Polygon((first..last).collect()));
    }

    /// Adds a half-plane as a line past the middle of the `view` (m).
    fn add_plane(&mut self, world: &World, plane: &HalfPlane, view: &Aabb) {
        let body = world.model.surface.body[plane.origin];
        let origin = (plane.origin, world.rest[plane.origin]);
        let tangent = -perp(plane.normal);
        let middle = tangent.dot(&(0.5 * (view.min + view.max) - origin.1));
        let half = 0.5 * view.extent().norm();

        // The free side is on the left of the way from the first end to the second.
        let first = world.rest.len() + self.spots.len();
        for way in [middle - half, middle + half] {
            let offset: Vec2 = tangent * way;
            let rest = origin.1 + offset;
            self.spots.push(match plane.along {
                Some(along) => Spot::turned(body, rest, origin, (along, world.rest[along])),
                None => Spot {
                    body,
                    rest,
                    follows: Follows::Shifted {
                        base: plane.origin,
                        offset,
                    },
                },
            });
        }
        self.add(body, Cell::Line([first, first + 1]));
    }
}
